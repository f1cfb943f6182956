//! The way candidates are evaluated, chosen by a setting. Both ways give the same bits and count the same.

use std::sync::Arc;

use super::Instructions;
use super::full::{Column, Scratch, predict_with};
use super::incremental::IncrementalEvaluator;
use super::kernels::ColumnStore;
use super::objective::{Fitness, Objective};
use crate::expression::{Compositions, Formula, Genome, PositionSet, Template};

/// Which evaluator a run uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvaluatorKind {
    /// Only what a change touches is computed again.
    #[default]
    Incremental,
    /// Every candidate is computed from scratch, on all rows; for comparison.
    Full,
}

/// What evaluation needs to know; shared by all threads.
#[derive(Debug)]
pub struct Problem {
    /// The shape of candidates.
    pub template: Template,
    /// The objective on the training rows.
    pub objective: Objective,
    /// Operators of one's own that candidates may have.
    pub compositions: Compositions,
    pub(super) features: Arc<ColumnStore>,
    pub(super) instructions: Instructions,
}

impl Problem {
    /// A problem; `features` are the columns of the objective's rows.
    pub fn new(
        template: Template,
        features: &[Vec<f64>],
        objective: Objective,
        instructions: Instructions,
    ) -> Problem {
        let features = Arc::new(ColumnStore::of(features, objective.n_rows()));
        let compositions = Compositions::default();
        Problem { template, objective, compositions, features, instructions }
    }

    /// The same with operators of one's own.
    pub fn with_compositions(self, compositions: Compositions) -> Problem {
        Problem { compositions, ..self }
    }

    /// The active part of a candidate as a formula of ordinary operators, without scaling.
    pub fn formula_of(&self, genome: &Genome, active: PositionSet) -> Formula {
        genome.to_formula_with(active, &self.template, &self.compositions).0
    }

    /// The outputs of a formula on the training rows.
    pub fn outputs(&self, formula: &Formula) -> Vec<f64> {
        self.outputs_with(formula, &mut Scratch::default())
    }

    pub(super) fn outputs_with(&self, formula: &Formula, scratch: &mut Scratch) -> Vec<f64> {
        let feature = |k: usize| Column::Grouped(self.features.groups(k));
        predict_with(formula, feature, self.objective.n_rows(), self.instructions, scratch)
    }
}

/// Evaluates every candidate from scratch.
pub struct FullEvaluator {
    problem: Arc<Problem>,
    n_evaluations: u64,
    scratch: Scratch,
}

impl FullEvaluator {
    fn evaluate(&mut self, genome: &Genome, active: PositionSet) -> Fitness {
        self.n_evaluations += 1;
        let formula = self.problem.formula_of(genome, active);
        let outputs = self.problem.outputs_with(&formula, &mut self.scratch);
        self.problem.objective.fitness(&outputs)
    }
}

/// Evaluates one candidate and the changes proposed to it; one per thread.
pub enum Evaluator {
    /// Cached columns.
    Incremental(Box<IncrementalEvaluator>),
    /// From scratch.
    Full(Box<FullEvaluator>),
}

impl Evaluator {
    /// A new evaluator of this kind.
    pub fn new(kind: EvaluatorKind, problem: Arc<Problem>) -> Evaluator {
        match kind {
            EvaluatorKind::Incremental => {
                Evaluator::Incremental(Box::new(IncrementalEvaluator::new(problem)))
            }
            EvaluatorKind::Full => Evaluator::Full(Box::new(FullEvaluator {
                problem,
                n_evaluations: 0,
                scratch: Scratch::default(),
            })),
        }
    }

    /// Takes up another candidate. Costs no evaluation.
    pub fn load(&mut self, active: PositionSet) {
        if let Evaluator::Incremental(evaluator) = self {
            evaluator.load(active);
        }
    }

    /// Evaluates the candidate after a change of the given positions: `genome` and `active` are those after it.
    /// Counts one evaluation. Must be followed by [`Evaluator::accept`] or [`Evaluator::reject`].
    pub fn propose(
        &mut self,
        genome: &Genome,
        changed: PositionSet,
        active: PositionSet,
    ) -> Fitness {
        self.propose_within(genome, changed, active, Fitness::INVALID)
    }

    /// The same, for somebody who does not care how much worse than `limit` a candidate is: a fitness that is worse may be
    /// given as invalid, and must then be rejected.
    pub fn propose_within(
        &mut self,
        genome: &Genome,
        changed: PositionSet,
        active: PositionSet,
        limit: Fitness,
    ) -> Fitness {
        match self {
            Evaluator::Incremental(evaluator) => evaluator.propose(genome, changed, active, limit),
            Evaluator::Full(evaluator) => evaluator.evaluate(genome, active),
        }
    }

    /// Keeps the proposed change.
    pub fn accept(&mut self) {
        if let Evaluator::Incremental(evaluator) = self {
            evaluator.accept();
        }
    }

    /// Drops the proposed change.
    pub fn reject(&mut self) {
        if let Evaluator::Incremental(evaluator) = self {
            evaluator.reject();
        }
    }

    /// Takes note of a change that touched introns only, which is kept without evaluation.
    pub fn note_intron_change(&mut self, changed: PositionSet) {
        if let Evaluator::Incremental(evaluator) = self {
            evaluator.note_intron_change(changed);
        }
    }

    /// Counts evaluations that were done elsewhere.
    pub fn count(&mut self, n: u64) {
        match self {
            Evaluator::Incremental(evaluator) => evaluator.count(n),
            Evaluator::Full(evaluator) => evaluator.n_evaluations += n,
        }
    }

    /// Evaluations so far.
    pub fn n_evaluations(&self) -> u64 {
        match self {
            Evaluator::Incremental(evaluator) => evaluator.n_evaluations(),
            Evaluator::Full(evaluator) => evaluator.n_evaluations,
        }
    }
}
