//! The interleaved multistart scheme (IMS; section 3.1): populations of growing size (doubled in the paper) step in turn, larger ones less
//! often; a population is retired when it has converged or when a larger one is better.

use super::checkpoint::{SavedSlot, Schedule};
use super::evolution::{Evolution, Kind, Shared};
use super::lane::Lane;
use super::observer::{Event, Observer, RetirementReason};
use crate::error::Error;
use crate::settings::{PopulationSize, RetireOnEqual, Settings, population_bytes};

/// After so many initial solutions without a single evaluation, every one too large, a run would go on without end.
const FRUITLESS: usize = 5000;

/// All populations of a lane; a single one where the size is fixed.
pub(super) struct InterleavedMultistart {
    lane: Lane,
    /// How many populations were retired before the first of `slots`: their ticks count no more.
    n_gone: usize,
    slots: Vec<Slot>,
    /// Whose turn it is; may be one past the last slot, which means a new population.
    turn: usize,
}

/// A population's place in the schedule; it keeps ticking after the population is retired.
struct Slot {
    ticks: u64,
    evolution: Option<Evolution>,
}

impl InterleavedMultistart {
    pub(super) fn new(lane: Lane) -> InterleavedMultistart {
        InterleavedMultistart { lane, n_gone: 0, slots: Vec::new(), turn: 0 }
    }

    pub(super) fn lane(&self) -> Lane {
        self.lane
    }

    /// What a checkpoint keeps.
    pub(super) fn save(&self) -> Schedule {
        let save = |slot: &Slot| SavedSlot {
            ticks: slot.ticks,
            population: slot.evolution.as_ref().map(Evolution::save),
        };
        Schedule {
            n_gone: self.n_gone,
            slots: self.slots.iter().map(save).collect(),
            turn: self.turn,
        }
    }

    /// The populations of a checkpoint that was taken with the same settings.
    pub(super) fn restore(
        lane: Lane,
        schedule: &Schedule,
        shared: &Shared,
    ) -> Result<InterleavedMultistart, Error> {
        let restore = |(index, slot): (usize, &SavedSlot)| -> Result<Slot, Error> {
            let number = schedule.n_gone + index;
            let size = size_of(number, lane, shared);
            let kind = kind_of(number, lane, shared);
            let evolution = match &slot.population {
                Some(saved) if saved.population.len() != size => {
                    let problem = format!("population {number} does not have {size} solutions");
                    return Err(Error::checkpoint(problem));
                }
                saved => saved.as_ref().map(|saved| Evolution::restore(kind, saved, shared)),
            };
            Ok(Slot { ticks: slot.ticks, evolution })
        };
        Ok(InterleavedMultistart {
            lane,
            n_gone: schedule.n_gone,
            slots: schedule.slots.iter().enumerate().map(restore).collect::<Result<_, _>>()?,
            turn: schedule.turn,
        })
    }

    /// How many populations were ever started.
    fn n_started(&self) -> usize {
        self.n_gone + self.slots.len()
    }

    /// How many initial solutions there were in the populations that are gone.
    fn n_tried(&self, shared: &Shared) -> usize {
        let sizes = (0..self.n_gone).map(|number| size_of(number, self.lane, shared));
        sizes.fold(0, usize::saturating_add)
    }

    /// The slot of a population that is not gone.
    fn slot(&mut self, number: usize) -> &mut Slot {
        &mut self.slots[number - self.n_gone]
    }

    /// One generation of the population whose turn it is. Says whether anything is left to do.
    pub(super) fn step(&mut self, shared: &mut Shared, observer: &mut dyn Observer) -> bool {
        if !self.settle_turn(shared, observer) {
            return false;
        }
        let number = self.turn;
        if number == self.n_started() {
            let n_solutions = size_of(number, self.lane, shared);
            let kind = kind_of(number, self.lane, shared);
            let evolution = Evolution::start(kind, n_solutions, shared, observer);
            self.slots.push(Slot { ticks: 0, evolution: Some(evolution) });
        }
        if shared.budget.stop_reason().is_none()
            && let Some(evolution) = &mut self.slot(number).evolution
        {
            evolution.step(shared, observer);
            if shared.budget.stop_reason().is_none() {
                self.retire(number, shared, observer);
            }
        }
        self.advance(number, self.lane.n_subgenerations(&shared.settings));
        true
    }

    /// The next turn: the next larger population after every `n_subgenerations` ticks, else the first one.
    fn advance(&mut self, number: usize, n_subgenerations: u64) {
        let slot = self.slot(number);
        slot.ticks += 1;
        let is_next_due = slot.ticks.is_multiple_of(n_subgenerations);
        self.turn = if is_next_due { number + 1 } else { 0 };
    }

    /// Moves the turn on to a population that runs or can be started, skipping the ticks of retired ones in one go:
    /// the smallest that runs is the base, and where none runs the next is started at once.
    fn settle_turn(&mut self, shared: &mut Shared, observer: &mut dyn Observer) -> bool {
        let n_subgenerations = self.lane.n_subgenerations(&shared.settings);
        let base = self.slots.iter().position(|slot| slot.evolution.is_some());
        let n_retired = base.unwrap_or(self.slots.len());
        self.slots.drain(..n_retired);
        self.n_gone += n_retired;
        if shared.budget.n_evaluations() == 0 && self.n_tried(shared) >= FRUITLESS {
            return false;
        }
        if self.slots.is_empty() {
            self.turn = self.n_gone;
            // A new one starts even if it may not be larger.
            self.may_grow(shared, observer);
            return self.n_gone == 0 || shared.settings.population == PopulationSize::Multistart;
        }
        loop {
            self.turn = self.turn.max(self.n_gone);
            if self.turn == self.n_started() {
                if self.may_grow(shared, observer) {
                    return true;
                }
                self.turn = self.n_gone;
            }
            if self.slot(self.turn).evolution.is_some() {
                return true;
            }
            self.advance(self.turn, n_subgenerations);
        }
    }

    /// Whether the next population may be started, at its full size.
    fn may_grow(&self, shared: &mut Shared, observer: &mut dyn Observer) -> bool {
        if shared.settings.population != PopulationSize::Multistart
            || self.n_started() >= shared.settings.multistart.max_populations
        {
            return false;
        }
        let wanted = grown(self.lane, self.n_started(), &shared.settings);
        if size_of(self.n_started(), self.lane, shared) == wanted {
            return true;
        }
        if !shared.has_told_memory_limit {
            shared.has_told_memory_limit = true;
            observer.notify(&Event::MemoryLimitReached { n_solutions: wanted });
        }
        false
    }

    /// Retires smaller populations that this one outperforms, and this one if it has converged.
    fn retire(&mut self, number: usize, shared: &Shared, observer: &mut dyn Observer) {
        let settings = &shared.settings;
        let Some(evolution) = &self.slot(number).evolution else { return };
        let (best, mean) = (evolution.best(), evolution.mean_nmse());
        let has_converged = evolution.has_converged(settings);
        for smaller in self.n_gone..number {
            let Some(other) = &self.slot(smaller).evolution else { continue };
            let is_best_beaten = match settings.multistart.retire_on_equal {
                RetireOnEqual::Yes => !best.is_worse_than(other.best()),
                RetireOnEqual::No => best.is_better_than(other.best()),
            };
            if is_best_beaten || other.mean_nmse() > mean {
                self.remove(smaller, RetirementReason::Outperformed, observer);
            }
        }
        if has_converged {
            self.remove(number, RetirementReason::Converged, observer);
        }
    }

    fn remove(&mut self, number: usize, reason: RetirementReason, observer: &mut dyn Observer) {
        self.slot(number).evolution = None;
        let population = self.lane.number_in_run(number);
        observer.notify(&Event::PopulationRetired { population, reason });
    }
}

/// What tells a population of a lane from all others of the run.
fn kind_of(number: usize, lane: Lane, shared: &Shared) -> Kind {
    let (number, grafts) = (lane.number_in_run(number), lane.grafts(&shared.settings));
    Kind { number, grafts, has_factors: lane.has_factors() }
}

/// Size of a population: grown from one to the next, as long as all together fit the memory limit.
fn size_of(number: usize, lane: Lane, shared: &Shared) -> usize {
    let settings = &shared.settings;
    if let PopulationSize::Fixed(n_solutions) = settings.population {
        return n_solutions;
    }
    let largest = number.min(settings.multistart.max_populations - 1);
    let (start, n_lanes) = (lane.start(settings), lane.n_lanes() as u64);
    let bytes = |n: usize| n_lanes * population_bytes(n, settings.height, settings.arity);
    (0..=largest)
        .map(|k| grown(lane, k, settings))
        // The smaller ones together are at most as large again.
        .take_while(|&n| n == start || 2 * bytes(n) <= settings.memory_limit_bytes)
        .last()
        .expect("the first size was checked with the settings")
}

/// The size of a population by its number, as far as that is a number.
fn grown(lane: Lane, number: usize, settings: &Settings) -> usize {
    let power = lane.growth(settings).checked_pow(number as u32);
    power.and_then(|power| lane.start(settings).checked_mul(power)).unwrap_or(usize::MAX)
}
