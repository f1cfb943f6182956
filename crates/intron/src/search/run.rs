//! The whole run, top to bottom: from data and settings to a front of formulas.

use std::sync::Arc;

use super::archive::Archive;
use super::budget::{Budget, Interrupt, Spent, StopReason};
use super::checkpoint::{Checkpoint, Origin};
use super::evolution::Shared;
use super::known;
use super::lanes::Lanes;
use super::observer::{Event, Observer};
use super::polish::{Polished, polish};
use super::workers::Workers;
use crate::data::{Dataset, FeatureRanges, TrainingRows, hold_out};
use crate::error::Error;
use crate::evaluation::{Criteria, Objective, Problem, Region};
use crate::expression::{Alphabet, ConstantRange};
use crate::model::Model;
use crate::selection::{Candidate, Selection};
use crate::settings::{ConstantSource, Settings, ValidSettings};

/// A search under way. Doors drive it with [`Run::step`], or all at once with [`Run::finish`].
pub struct Run {
    shared: Shared,
    lanes: Lanes,
    /// Rows that the search does not see, where the choice is made on such.
    validation: Option<Dataset>,
    /// Where the formulas must be safe, where that is examined.
    region: Option<Region>,
    origin: Arc<Origin>,
    /// The state before the generation under way, or before the one that the run has ended in.
    boundary: Option<Checkpoint>,
    is_finished: bool,
}

/// What a run has found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best model of every size, or other complexity, least complex first, most accurate last.
    pub front: Vec<Model>,
    /// Why the run ended.
    pub stop_reason: StopReason,
    /// What the choice looked at, for each model.
    pub candidates: Vec<Candidate>,
    /// Where safety was examined, if it was.
    pub region: Option<Region>,
    /// The place of the chosen model in the front; nothing if the front is empty.
    pub chosen: Option<usize>,
    /// More models of the complexities on the front, where they are wanted: in increasing complexity, best first among equals.
    pub alternatives: Vec<(Model, Candidate)>,
    /// The formulas that the user gave, in their order.
    pub given: Vec<Given>,
    /// Evaluations done by the search.
    pub n_evaluations: u64,
    /// Evaluations done by the final polish.
    pub n_polish_evaluations: u64,
    /// Whether the polish got to its end: an interrupt leaves it only two seconds more, and the rest of the front as it is.
    pub is_polish_whole: bool,
    /// Generations done, those of all populations added up.
    pub n_generations: u64,
    /// Seconds it took.
    pub elapsed_seconds: f64,
}

/// A formula that the user gave, on the same axes as those that were found.
#[derive(Debug, Clone)]
pub struct Given {
    /// As it was given.
    pub text: String,
    /// With its constants as given; scaled where formulas are scaled.
    pub model: Model,
    /// What the choice looked at, or would have.
    pub candidate: Candidate,
    /// Whether it fits the template and its limits.
    pub fits: bool,
    /// Whether it stood in the first population, which takes room beside those before it.
    pub is_searched: bool,
}

/// A model of an outcome in the order of a table.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// The model.
    pub model: &'a Model,
    /// What the choice looked at, or would have.
    pub candidate: &'a Candidate,
    /// 1 for the best of its complexity, which is on the front; 2, 3, … for others of the same complexity.
    pub rank: usize,
    /// Whether it is the chosen one.
    pub is_chosen: bool,
}

impl Outcome {
    /// The front with the alternatives of each complexity behind its best.
    pub fn listed(&self) -> Vec<Listed<'_>> {
        let mut listed = Vec::with_capacity(self.front.len() + self.alternatives.len());
        for (place, (model, candidate)) in self.front.iter().zip(&self.candidates).enumerate() {
            listed.push(Listed {
                model,
                candidate,
                rank: 1,
                is_chosen: self.chosen == Some(place),
            });
            let others = self.alternatives.iter().filter(|o| o.0.complexity == model.complexity);
            for (k, (model, candidate)) in others.enumerate() {
                listed.push(Listed { model, candidate, rank: k + 2, is_chosen: false });
            }
        }
        listed
    }
}

impl Run {
    /// Prepares a search on the training rows. Nothing is evaluated yet; the clock starts.
    pub fn new(
        training: &Dataset,
        settings: &ValidSettings,
        interrupt: Interrupt,
    ) -> Result<Run, Error> {
        let (rows, validation) = rows_of(training, settings.settings())?;
        let (origin, spent) = (Origin::new(settings.settings(), &rows), Spent::default());
        Ok(Run {
            shared: shared(&rows, settings, spent, interrupt)?,
            lanes: Lanes::new(settings.settings()),
            validation,
            region: region(&rows, settings.settings()),
            origin: Arc::new(origin),
            boundary: None,
            is_finished: false,
        })
    }

    /// Goes on from a checkpoint: the rest is, bit by bit, that of a search that was never interrupted. The training rows and
    /// the settings must be those of the checkpoint; only limits, threads and what does not change results may be others.
    /// Evaluations, generations and seconds go on from those of the checkpoint.
    ///
    /// A linkage measure of one's own is made again from the initial population: what it may have gathered since is lost.
    pub fn resume(
        training: &Dataset,
        settings: &ValidSettings,
        checkpoint: &Checkpoint,
        interrupt: Interrupt,
    ) -> Result<Run, Error> {
        let (rows, validation) = rows_of(training, settings.settings())?;
        let origin = Origin::new(settings.settings(), &rows);
        checkpoint.origin.check(&origin)?;
        checkpoint.check_limits(settings.settings())?;
        let mut shared = shared(&rows, settings, checkpoint.spent, interrupt)?;
        if !checkpoint.archive.has_true_scores(&shared.problem) {
            return Err(Error::checkpoint("a formula has not the score that it should have"));
        }
        shared.archive = checkpoint.archive.clone();
        shared.rows_since_progress = checkpoint.rows_since_progress;
        shared.has_told_memory_limit = checkpoint.has_told_memory_limit;
        let lanes = Lanes::restore(&checkpoint.lanes, &shared)?;
        // A target may be lower than the one before, and already met.
        shared.budget.count_evaluations(0, shared.archive.best_fitness());
        let (origin, region) = (Arc::new(origin), region(&rows, settings.settings()));
        let boundary = None;
        Ok(Run { shared, lanes, validation, region, origin, boundary, is_finished: false })
    }

    /// The state at the end of the last whole generation, from which [`Run::resume`] goes on. A limit mostly ends a run in
    /// the middle of a generation: from its checkpoint, that generation is done again. Takes microseconds at any size.
    pub fn checkpoint(&self) -> Checkpoint {
        self.boundary.clone().unwrap_or_else(|| self.save())
    }

    fn save(&self) -> Checkpoint {
        Checkpoint {
            origin: Arc::clone(&self.origin),
            spent: self.shared.budget.spent(),
            rows_since_progress: self.shared.rows_since_progress,
            has_told_memory_limit: self.shared.has_told_memory_limit,
            archive: self.shared.archive.clone(),
            lanes: self.lanes.save(),
        }
    }

    /// One generation of one population. Returns why the run has ended, once it has.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        let Shared { budget, .. } = &mut self.shared;
        if budget.alarm().rings(0) {
            budget.stop_for_alarm();
        }
        if budget.stop_reason().is_none() {
            self.boundary = Some(self.save());
            if !self.lanes.step(&mut self.shared, observer) {
                self.shared.budget.stop_for(StopReason::Converged);
            }
        }
        let Some(stop_reason) = self.shared.budget.stop_reason() else {
            self.boundary = None;
            return None;
        };
        if !self.is_finished {
            self.is_finished = true;
            observer.notify(&Event::Finished { stop_reason });
        }
        Some(stop_reason)
    }

    /// Steps until the run has ended.
    pub fn finish(mut self, observer: &mut dyn Observer) -> Outcome {
        while self.step(observer).is_none() {}
        self.outcome().expect("the run has ended")
    }

    /// What has been found so far.
    pub fn archive(&self) -> &Archive {
        &self.shared.archive
    }

    /// What has been found in the end; none while the run goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let Shared { budget, archive, settings, problem, .. } = &self.shared;
        let stop_reason = budget.stop_reason()?;
        // Before the polish: a limit of time is one of the search.
        let elapsed_seconds = budget.elapsed_seconds();
        let Polished { front, alternatives, n_evaluations: n_polish_evaluations, is_whole } =
            polish(archive, problem, settings, &budget.halt_of_polish());
        let candidate = |model: &Model| {
            let criteria = Criteria::of(&model.formula, model.fitness, problem);
            let verdict = self.region.as_ref().map(|region| region.examine(&model.formula));
            model.candidate(criteria, self.validation.as_ref(), verdict.as_ref())
        };
        let candidates: Vec<Candidate> = front.iter().map(candidate).collect();
        let with_candidate = |model: Model| {
            let candidate = candidate(&model);
            (model, candidate)
        };
        let are_searched = known::are_searched(&self.shared.known, settings);
        let given = self.shared.known.iter().zip(are_searched).map(|(known, is_searched)| {
            let (model, candidate) = with_candidate(known.model(archive.complexity(), problem));
            Given { text: known.text.clone(), model, candidate, fits: known.fits(), is_searched }
        });
        Some(Outcome {
            given: given.collect(),
            alternatives: alternatives.into_iter().map(with_candidate).collect(),
            chosen: settings.selection.choose(&candidates),
            front,
            candidates,
            region: self.region.clone(),
            stop_reason: if is_whole { stop_reason } else { StopReason::Interrupted },
            n_polish_evaluations,
            is_polish_whole: is_whole,
            n_evaluations: budget.n_evaluations(),
            n_generations: budget.n_generations(),
            elapsed_seconds,
        })
    }
}

/// The share of the training rows that a choice by validation is made on.
const VALIDATION_SHARE: f64 = 0.2;

/// The rows to learn from, and those to choose by if the choice needs some of its own.
fn rows_of(
    training: &Dataset,
    settings: &Settings,
) -> Result<(TrainingRows, Option<Dataset>), Error> {
    if settings.selection != Selection::Validation {
        return Ok((TrainingRows::new(training)?, None));
    }
    let split = hold_out(training, VALIDATION_SHARE, settings.seed)?;
    Ok((TrainingRows::new(&training.rows(&split.train))?, Some(training.rows(&split.test))))
}

/// The box around the training rows, a little widened, where the settings ask for an examination.
fn region(rows: &TrainingRows, settings: &Settings) -> Option<Region> {
    let margin = settings.safety_margin?;
    let ranges = FeatureRanges::of(rows.dataset().features());
    Some(Region { ranges: ranges.widened(margin), target: rows.target_range() })
}

fn shared(
    rows: &TrainingRows,
    settings: &ValidSettings,
    spent: Spent,
    interrupt: Interrupt,
) -> Result<Shared, Error> {
    let archive = Archive::new(settings);
    let template = settings.template().clone();
    let settings = settings.settings().clone();
    let alphabet = alphabet(rows, &settings)?;
    let data = rows.dataset();
    let known = known::read(&settings, data.names(), &template)?;
    let (target, weights) = (data.target(), data.weights());
    let Settings { linear_scaling, instructions, .. } = settings;
    let objective = Objective::new(target, weights, linear_scaling, instructions);
    let problem = Problem::new(template, data.features(), objective, instructions);
    let problem = Arc::new(problem.with_compositions(settings.own_operators.clone()));
    let budget = Budget::new(settings.limits, spent, interrupt);
    Ok(Shared {
        workers: Workers::new(&settings, &problem, &budget.halt()),
        budget,
        archive,
        known,
        rows_since_progress: 0,
        has_told_memory_limit: false,
        settings,
        problem,
        alphabet,
    })
}

fn alphabet(rows: &TrainingRows, settings: &Settings) -> Result<Alphabet, Error> {
    let constants = match settings.constants {
        ConstantSource::Off => None,
        ConstantSource::Range(low, high) => Some(ConstantRange { low, high }),
        ConstantSource::Data => Some(ConstantRange { low: -5.0, high: 5.0 }),
        ConstantSource::Target => {
            let (low, high) = rows.target_range();
            Some(ConstantRange { low, high })
        }
    };
    let n_features = rows.dataset().features().len();
    let mut alphabet = Alphabet::new(settings.operators.clone(), n_features, constants)?;
    let largest = |column: &Vec<f64>| column.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let sizes: Vec<f64> = rows.dataset().features().iter().map(largest).collect();
    if settings.constants == ConstantSource::Data {
        alphabet = alphabet.with_constants_for(&sizes);
    }
    let share = if settings.has_factors() { settings.factors } else { 0.0 };
    Ok(alphabet.with_factors(share, &sizes).with_compositions(&settings.own_operators))
}
