//! Cached columns: a proposed change computes only the changed active positions, newly active subtrees and their
//! ancestors. Each position has two columns; a proposal writes the spare one, accepting swaps, rejecting costs nothing.

use std::sync::Arc;

use super::evaluator::Problem;
use super::kernels::{Operand, apply, compute};
use super::objective::Fitness;
use crate::expression::{Genome, Meaning, Operator, PositionSet, Symbol, positions_of};

/// Rows computed at a time, so that the columns in use stay in the fastest cache.
const BLOCK_ROWS: usize = 512;

/// Evaluates one candidate and the changes proposed to it.
pub struct IncrementalEvaluator {
    problem: Arc<Problem>,
    n_evaluations: u64,
    /// Two columns per inner position; allocated when first used.
    columns: Vec<[Vec<f64>; 2]>,
    /// Two values per position, for subtrees of constants only.
    scalars: Vec<[f64; 2]>,
    /// Which of the two is a scalar, not a column: one set for each of the two.
    is_scalar: [PositionSet; 2],
    /// Which of the two is current: bit set means the second.
    current: PositionSet,
    /// Positions whose current value is that of the subtree below them, as the candidate stands.
    valid: PositionSet,
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

/// One operator to compute: where its arguments stand, and where its value goes.
#[derive(Clone, Copy)]
struct Step {
    operator: Operator,
    arguments: [Place; 2],
    position: usize,
    side: usize,
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum Place {
    /// One number for all rows.
    Scalar(f64),
    /// A feature column of the problem.
    Feature(usize),
    /// A column of this evaluator: position and side.
    Column(usize, usize),
}

impl IncrementalEvaluator {
    /// An evaluator with no candidate yet; see [`IncrementalEvaluator::load`].
    pub(super) fn new(problem: Arc<Problem>) -> IncrementalEvaluator {
        let n_positions = problem.template.n_positions();
        IncrementalEvaluator {
            problem,
            n_evaluations: 0,
            columns: (0..n_positions).map(|_| [Vec::new(), Vec::new()]).collect(),
            scalars: vec![[0.0; 2]; n_positions],
            is_scalar: [0; 2],
            current: 0,
            valid: 0,
            active: 0,
            stale: 0,
            proposal: Proposal::default(),
            steps: Vec::with_capacity(n_positions),
        }
    }

    /// Takes up another candidate; its columns are filled when they are needed.
    pub(super) fn load(&mut self, active: PositionSet) {
        self.valid = 0;
        self.stale = 0;
        self.active = active;
    }

    /// Evaluates the candidate after a change of the given positions.
    pub(super) fn propose(
        &mut self,
        genome: &Genome,
        changed: PositionSet,
        active: PositionSet,
    ) -> Fitness {
        self.n_evaluations += 1;
        self.forget_stale();
        let template = &self.problem.template;
        // Every ancestor of an active position is active and uses it.
        let mut touched = changed & active;
        for position in positions_of(changed & active) {
            touched |= template.ancestors(position);
        }
        let renewed = self.plan(genome.symbols(), active, touched);
        self.proposal = Proposal { changed, active, renewed };
        self.compute_steps();
        match self.locate(genome.symbols()[0], 0, touched) {
            Place::Scalar(value) => self.problem.objective.fitness_of_constant(value),
            Place::Feature(k) => self.problem.objective.fitness(&self.problem.features[k]),
            Place::Column(position, side) => {
                self.problem.objective.fitness(&self.columns[position][side])
            }
        }
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
            self.valid &=
                !(1 << position | self.problem.template.ancestors(position) & !self.active);
        }
        self.stale = 0;
    }

    /// Lists the operators to compute, arguments first; returns those whose value is new. What the change touches
    /// goes to the spare side. What is merely not there yet has the same value before and after the change and goes
    /// to the current side. Operators on constants alone are computed at once, as single numbers.
    fn plan(
        &mut self,
        symbols: &[Symbol],
        active: PositionSet,
        touched: PositionSet,
    ) -> PositionSet {
        self.steps.clear();
        let mut renewed = 0;
        let mut wanted = active & (touched | !self.valid);
        while wanted != 0 {
            // Arguments stand behind their operators, so the last position comes first.
            let position = (PositionSet::BITS - 1 - wanted.leading_zeros()) as usize;
            let bit = 1 << position;
            wanted &= !bit;
            let Some(operator) = symbols[position].as_operator() else { continue };
            let side = self.side(position, touched);
            if touched & bit == 0 {
                self.valid |= bit;
            } else {
                renewed |= bit;
            }
            let arguments = self.arguments(operator, symbols, position, touched);
            if let [Place::Scalar(a), Place::Scalar(b)] = arguments {
                self.scalars[position][side] = apply(operator, a, b);
                self.is_scalar[side] |= bit;
            } else {
                self.is_scalar[side] &= !bit;
                self.steps.push(Step { operator, arguments, position, side });
            }
        }
        renewed
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
    ) -> [Place; 2] {
        let argument = |k: usize| {
            let child = self.problem.template.child(position, k);
            self.locate(symbols[child], child, touched)
        };
        let second = if operator.arity() == 2 { argument(1) } else { Place::Scalar(0.0) };
        [argument(0), second]
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
                    Place::Column(position, side)
                }
            }
        }
    }

    /// Computes the listed operators, one block of rows after the other.
    fn compute_steps(&mut self) {
        let n_rows = self.problem.objective.n_rows();
        for &Step { position, side, .. } in &self.steps {
            self.columns[position][side].resize(n_rows, 0.0);
        }
        let mut start = 0;
        while start < n_rows {
            let rows = start..(start + BLOCK_ROWS).min(n_rows);
            for step in &self.steps {
                let mut out = std::mem::take(&mut self.columns[step.position][step.side]);
                let [a, b] = step.arguments.map(|place| self.operand(place, rows.clone()));
                compute(self.problem.instructions, step.operator, a, b, &mut out[rows.clone()]);
                self.columns[step.position][step.side] = out;
            }
            start = rows.end;
        }
    }

    #[inline]
    fn operand(&self, place: Place, rows: std::ops::Range<usize>) -> Operand<'_> {
        match place {
            Place::Scalar(value) => Operand::Scalar(value),
            Place::Feature(k) => Operand::Column(&self.problem.features[k][rows]),
            Place::Column(position, side) => Operand::Column(&self.columns[position][side][rows]),
        }
    }
}
