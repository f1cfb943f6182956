//! Cached columns: a proposed change computes only the changed active positions, newly active subtrees and their
//! ancestors. Each position has two columns; a proposal writes the spare one, accepting swaps, rejecting costs nothing.

use std::sync::Arc;

use super::column_store::{ColumnStore, OtherColumns, Rows};
use super::evaluator::Problem;
use super::kernels::{Operand, apply, compute};
use super::objective::Fitness;
use super::tally::Tally;
use crate::expression::{Genome, Meaning, Operator, PositionSet, Symbol, positions_of};

/// Evaluates one candidate and the changes proposed to it.
pub struct IncrementalEvaluator {
    problem: Arc<Problem>,
    n_evaluations: u64,
    /// Two columns per position: those of position `p` are 2p and 2p + 1.
    columns: ColumnStore,
    /// Two values per position, for subtrees of constants only.
    scalars: Vec<[f64; 2]>,
    /// Which of the two is a scalar, not a column: one set for each of the two.
    is_scalar: [PositionSet; 2],
    /// Which of the two is current: bit set means the second.
    current: PositionSet,
    /// Positions whose current value is that of the subtree below them, as the candidate stands, in every row.
    valid: PositionSet,
    /// Positions of which this holds for the first `n_filled` rows.
    begun: PositionSet,
    n_filled: Vec<usize>,
    /// Active positions of the candidate as it stands.
    active: PositionSet,
    /// Intron positions that were changed and not yet taken out of `valid`.
    stale: PositionSet,
    proposal: Proposal,
    steps: Vec<Step>,
}

/// What accepting has to do.
#[derive(Default)]
struct Proposal {
    changed: PositionSet,
    active: PositionSet,
    /// Operator positions with a new value in their spare place.
    renewed: PositionSet,
}

/// One operator to compute: where its arguments stand, and which column its value goes to.
#[derive(Clone, Copy)]
struct Step {
    operator: Operator,
    a: Place,
    b: Place,
    out: usize,
    /// Rows that are there already.
    n_filled: usize,
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum Place {
    /// One number for all rows.
    Scalar(f64),
    /// A feature column of the problem.
    Feature(usize),
    /// A column of this evaluator.
    Column(usize),
}

impl IncrementalEvaluator {
    /// An evaluator with no candidate yet; see [`IncrementalEvaluator::load`].
    pub(super) fn new(problem: Arc<Problem>) -> IncrementalEvaluator {
        let n_positions = problem.template.n_positions();
        IncrementalEvaluator {
            columns: ColumnStore::zeros(2 * n_positions, problem.objective.n_rows()),
            problem,
            n_evaluations: 0,
            scalars: vec![[0.0; 2]; n_positions],
            is_scalar: [0; 2],
            current: 0,
            valid: 0,
            begun: 0,
            n_filled: vec![0; n_positions],
            active: 0,
            stale: 0,
            proposal: Proposal::default(),
            steps: Vec::with_capacity(n_positions),
        }
    }

    /// Takes up another candidate; its columns are filled when they are needed.
    pub(super) fn load(&mut self, active: PositionSet) {
        self.valid = 0;
        self.begun = 0;
        self.stale = 0;
        self.active = active;
    }

    /// Evaluates the candidate after a change of the given positions. A fitness that is proved worse than the limit
    /// before all rows are computed is given as invalid; such a proposal must be rejected.
    pub(super) fn propose(
        &mut self,
        genome: &Genome,
        changed: PositionSet,
        active: PositionSet,
        limit: Fitness,
    ) -> Fitness {
        self.n_evaluations += 1;
        self.forget_stale();
        // Every ancestor of an active position is active and uses it.
        let mut touched = changed & active;
        for position in positions_of(changed & active) {
            touched |= self.problem.template.ancestors(position);
        }
        let (renewed, filled) = self.plan(genome.symbols(), active, touched);
        self.proposal = Proposal { changed, active, renewed };
        let objective = &self.problem.objective;
        let fitness = match self.locate(genome.symbols()[0], 0, touched) {
            Place::Scalar(value) => Some(objective.fitness_of_constant(value)),
            Place::Feature(k) => Some(objective.fitness(self.problem.features.column(k))),
            Place::Column(root) => self.compute_steps(root, limit),
        };
        if fitness.is_some() {
            self.valid |= filled;
        }
        fitness.unwrap_or(Fitness::INVALID)
    }

    /// Keeps the proposed change.
    pub(super) fn accept(&mut self) {
        let Proposal { changed, active, renewed } = self.proposal;
        self.current ^= renewed;
        self.active = active;
        self.stale |= changed;
        self.forget_stale();
        self.valid |= renewed;
    }

    /// Drops the proposed change: the current columns were not touched.
    pub(super) fn reject(&mut self) {
        self.proposal = Proposal::default();
    }

    /// Takes note of a change that touched introns only.
    #[inline]
    pub(super) fn note_intron_change(&mut self, changed: PositionSet) {
        self.stale |= changed;
    }

    pub(super) fn n_evaluations(&self) -> u64 {
        self.n_evaluations
    }

    /// Takes changed positions out of `valid`, with those above them that may depend on them: introns only, since
    /// an active position does not depend on an intron, and active dependants are computed anew anyway.
    fn forget_stale(&mut self) {
        for position in positions_of(self.stale) {
            let ancestors = self.problem.template.ancestors(position);
            let dependants = 1 << position | ancestors & !self.active;
            self.valid &= !dependants;
            self.begun &= !dependants;
        }
        self.stale = 0;
    }

    /// Lists the operators to compute, arguments first; returns those whose value is new and those that are filled in.
    /// What the change touches goes to the spare side. What is merely not there yet has the same value before and after
    /// the change and goes to the current side. Operators on constants alone are computed at once, as single numbers.
    fn plan(
        &mut self,
        symbols: &[Symbol],
        active: PositionSet,
        touched: PositionSet,
    ) -> (PositionSet, PositionSet) {
        self.steps.clear();
        let mut planned = 0;
        let mut wanted = active & (touched | !self.valid);
        while wanted != 0 {
            // Arguments stand behind their operators, so the last position comes first.
            let position = (PositionSet::BITS - 1 - wanted.leading_zeros()) as usize;
            let bit = 1 << position;
            wanted &= !bit;
            let Some(operator) = symbols[position].as_operator() else {
                // A terminal has no column; marked, it is not met again until it changes.
                self.valid |= bit & !touched;
                continue;
            };
            planned |= bit;
            let side = self.side(position, touched);
            let (a, b) = self.arguments(operator, symbols, position, touched);
            if let (Place::Scalar(a), Place::Scalar(b)) = (a, b) {
                self.scalars[position][side] = apply(operator, a, b);
                self.is_scalar[side] |= bit;
            } else {
                self.is_scalar[side] &= !bit;
                let is_begun = self.begun & !touched & bit != 0;
                let n_filled = if is_begun { self.n_filled[position] } else { 0 };
                self.steps.push(Step { operator, a, b, out: 2 * position + side, n_filled });
            }
        }
        (planned & touched, planned & !touched)
    }

    /// Which of the two places of a position holds its value under the proposal.
    #[inline]
    fn side(&self, position: usize, touched: PositionSet) -> usize {
        ((self.current ^ touched) >> position & 1) as usize
    }

    #[inline]
    fn arguments(
        &self,
        operator: Operator,
        symbols: &[Symbol],
        position: usize,
        touched: PositionSet,
    ) -> (Place, Place) {
        let argument = |k: usize| {
            let child = self.problem.template.child(position, k);
            self.locate(symbols[child], child, touched)
        };
        let second = if operator.arity() == 2 { argument(1) } else { Place::Scalar(0.0) };
        (argument(0), second)
    }

    /// Where the value of a position stands under the proposal.
    #[inline]
    fn locate(&self, symbol: Symbol, position: usize, touched: PositionSet) -> Place {
        match symbol.meaning() {
            Meaning::Constant(value) => Place::Scalar(value),
            Meaning::Feature(k) => Place::Feature(k as usize),
            Meaning::Operator(_) => {
                let side = self.side(position, touched);
                if self.is_scalar[side] >> position & 1 == 1 {
                    Place::Scalar(self.scalars[position][side])
                } else {
                    Place::Column(2 * position + side)
                }
            }
        }
    }

    /// Computes the listed operators, one block of rows after the other, and the fitness of the root's column. Nothing
    /// if the rows so far prove that it is worse than the limit.
    fn compute_steps(&mut self, root: usize, limit: Fitness) -> Option<Fitness> {
        let IncrementalEvaluator { problem, columns, steps, .. } = self;
        let Problem { objective, features, instructions, .. } = &**problem;
        let n_rows = objective.n_rows();
        let mut tally = Tally::default();
        let (mut start, mut end) = (0, objective.n_rows_first(limit));
        loop {
            for &Step { operator, a, b, out, n_filled } in steps.iter() {
                let start = start.max(n_filled);
                if start < end {
                    let rows = Rows { start, len: end - start };
                    let (out, others) = columns.split(out, rows);
                    let a = operand(a, features, others, rows);
                    let b = operand(b, features, others, rows);
                    compute(*instructions, operator, a, b, out);
                }
            }
            let block = &columns.column(root)[start..end];
            objective.add(&mut tally, block);
            if end == n_rows {
                return Some(objective.finish(&tally, columns.column(root)));
            }
            if objective.is_hopeless(&tally, block, limit) {
                self.keep_filled_rows(end);
                return None;
            }
            (start, end) = (end, objective.n_rows_next(end));
        }
    }

    /// Takes note of the rows that were computed of columns that the proposal does not touch.
    fn keep_filled_rows(&mut self, n_done: usize) {
        for &Step { out, n_filled, .. } in &self.steps {
            let (position, side) = (out / 2, out % 2);
            if side == (self.current >> position) as usize & 1 {
                self.n_filled[position] = n_done.max(n_filled);
                self.begun |= 1 << position;
            }
        }
    }
}

#[inline(always)]
fn operand<'a>(
    place: Place,
    features: &'a ColumnStore,
    others: OtherColumns<'a>,
    rows: Rows,
) -> Operand<'a> {
    match place {
        Place::Scalar(value) => Operand::Scalar(value),
        Place::Feature(k) => {
            Operand::Column(&features.column(k)[rows.start..rows.start + rows.len])
        }
        Place::Column(k) => Operand::Column(others.rows(k, rows)),
    }
}
