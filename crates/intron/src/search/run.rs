//! The whole run, top to bottom: from data and settings to a front of formulas.

use std::sync::Arc;

use super::archive::Archive;
use super::budget::{Budget, Interrupt, StopReason};
use super::evolution::Shared;
use super::interleaved_multistart::InterleavedMultistart;
use super::observer::{Event, Observer};
use super::workers::Workers;
use crate::data::{Dataset, TrainingRows};
use crate::error::Error;
use crate::evaluation::{Objective, Problem};
use crate::expression::{Alphabet, ConstantRange};
use crate::model::Model;
use crate::settings::{ConstantSource, Settings, ValidSettings};

/// A search under way. Doors drive it with [`Run::step`], or all at once with [`Run::finish`].
pub struct Run {
    shared: Shared,
    multistart: InterleavedMultistart,
    is_finished: bool,
}

/// What a run has found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best model of every size, smallest first, most accurate last.
    pub front: Vec<Model>,
    /// Why the run ended.
    pub stop_reason: StopReason,
    /// Evaluations done.
    pub n_evaluations: u64,
    /// Generations done, those of all populations added up.
    pub n_generations: u64,
    /// Seconds it took.
    pub elapsed_seconds: f64,
}

impl Run {
    /// Prepares a search on the training rows. Nothing is evaluated yet; the clock starts.
    pub fn new(
        training: &Dataset,
        settings: &ValidSettings,
        interrupt: Interrupt,
    ) -> Result<Run, Error> {
        let rows = TrainingRows::new(training)?;
        let template = settings.template().clone();
        let settings = settings.settings().clone();
        let alphabet = alphabet(&rows, &settings)?;
        let data = rows.dataset();
        let objective = Objective::new(
            data.target(),
            data.weights(),
            settings.linear_scaling,
            settings.instructions,
        );
        let problem =
            Arc::new(Problem::new(template, data.features(), objective, settings.instructions));
        let shared = Shared {
            workers: Workers::new(&settings, &problem),
            budget: Budget::new(settings.limits, interrupt),
            archive: Archive::default(),
            rows_since_progress: 0,
            settings,
            problem,
            alphabet,
        };
        Ok(Run { shared, multistart: InterleavedMultistart::new(), is_finished: false })
    }

    /// One generation of one population. Returns why the run has ended, once it has.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        let Shared { budget, .. } = &mut self.shared;
        if budget.alarm().rings(0) {
            budget.stop_for_alarm();
        }
        if budget.stop_reason().is_none() && !self.multistart.step(&mut self.shared, observer) {
            self.shared.budget.stop_for(StopReason::Converged);
        }
        let stop_reason = self.shared.budget.stop_reason()?;
        if !self.is_finished {
            self.is_finished = true;
            observer.notify(&Event::Finished { stop_reason });
        }
        Some(stop_reason)
    }

    /// Steps until the run has ended.
    pub fn finish(mut self, observer: &mut dyn Observer) -> Outcome {
        let stop_reason = loop {
            if let Some(stop_reason) = self.step(observer) {
                break stop_reason;
            }
        };
        self.outcome(stop_reason)
    }

    /// What has been found so far.
    pub fn archive(&self) -> &Archive {
        &self.shared.archive
    }

    fn outcome(&self, stop_reason: StopReason) -> Outcome {
        let budget = &self.shared.budget;
        Outcome {
            front: self.shared.archive.front().to_vec(),
            stop_reason,
            n_evaluations: budget.n_evaluations(),
            n_generations: budget.n_generations(),
            elapsed_seconds: budget.elapsed_seconds(),
        }
    }
}

fn alphabet(rows: &TrainingRows, settings: &Settings) -> Result<Alphabet, Error> {
    let constants = match settings.constants {
        ConstantSource::Off => None,
        ConstantSource::Range(low, high) => Some(ConstantRange { low, high }),
        ConstantSource::Target => {
            let (low, high) = rows.target_range();
            Some(ConstantRange { low, high })
        }
    };
    Alphabet::new(settings.operators.clone(), rows.dataset().features().len(), constants)
}
