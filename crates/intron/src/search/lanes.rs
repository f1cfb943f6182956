//! Multistarts side by side, which share the evaluations. Where parts are grafted, one multistart does so, with features that have
//! factors: the faster way to accurate formulas, but they are large from the start, and small ones that are right are passed by. So
//! the other one does without. In one multistart either kind of population would retire the other.

use super::checkpoint::SavedLane;
use super::evolution::Shared;
use super::interleaved_multistart::InterleavedMultistart;
use super::lane::Lane;
use super::observer::Observer;
use crate::error::Error;
use crate::settings::Settings;

/// All populations of a run.
pub(super) struct Lanes(Vec<Running>);

struct Running {
    multistart: InterleavedMultistart,
    n_evaluations: u64,
}

impl Lanes {
    pub(super) fn new(settings: &Settings) -> Lanes {
        let start =
            |lane| Running { multistart: InterleavedMultistart::new(lane), n_evaluations: 0 };
        Lanes(Lane::all(settings).map(start).collect())
    }

    /// What a checkpoint keeps.
    pub(super) fn save(&self) -> Vec<SavedLane> {
        let save = |running: &Running| SavedLane {
            n_evaluations: running.n_evaluations,
            schedule: running.multistart.save(),
        };
        self.0.iter().map(save).collect()
    }

    /// The lanes of a checkpoint that was taken with the same settings.
    pub(super) fn restore(saved: &[SavedLane], shared: &Shared) -> Result<Lanes, Error> {
        let lanes: Vec<Lane> = Lane::all(&shared.settings).collect();
        if lanes.len() != saved.len() {
            return Err(Error::checkpoint(format!("it has not {} lanes", lanes.len())));
        }
        let restore = |(lane, saved): (Lane, &SavedLane)| -> Result<Running, Error> {
            let multistart = InterleavedMultistart::restore(lane, &saved.schedule, shared)?;
            Ok(Running { multistart, n_evaluations: saved.n_evaluations })
        };
        Ok(Lanes(lanes.into_iter().zip(saved).map(restore).collect::<Result<_, _>>()?))
    }

    /// One generation in the lane that has had the fewest evaluations for its share. A short search is best served by the first lane
    /// alone: the others wait as a larger population waits for a smaller one. Says whether anything is left to do.
    pub(super) fn step(&mut self, shared: &mut Shared, observer: &mut dyn Observer) -> bool {
        let is_early = shared.budget.n_generations() < shared.settings.multistart.n_subgenerations;
        let n_open = if is_early { 1 } else { self.0.len() };
        let open = self.0[..n_open].iter_mut();
        let behind =
            open.min_by_key(|running| running.n_evaluations / running.multistart.lane().share());
        let running = behind.expect("there is a lane");
        let before = shared.budget.n_evaluations();
        let is_left = running.multistart.step(shared, observer);
        running.n_evaluations += shared.budget.n_evaluations() - before;
        is_left
    }
}
