//! Cached columns: a proposed change computes only the changed active positions, newly active subtrees and their
//! ancestors. A proposal writes to spare columns; accepting swaps them in, rejecting costs next to nothing.

use std::sync::Arc;

use super::evaluator::Problem;
use super::kernels::{Place, Standing, Workspace, apply};
use super::objective::Fitness;
use super::tally::{Outlook, Tally};
use crate::expression::{Genome, Meaning, Operator, PositionSet, Symbol, positions_of};

/// Evaluates one candidate and the changes proposed to it.
pub struct IncrementalEvaluator {
    problem: Arc<Problem>,
    n_evaluations: u64,
    /// Two columns per position: one that it owns, and a spare one that any may use. Behind them those for the parts of an
    /// operator of one's own.
    workspace: Workspace,
    /// The column that each position owns.
    owned: Vec<u32>,
    /// The other columns. Every proposal takes them from the start, so that those in use stay in the fastest cache.
    spare: Vec<u32>,
    /// Where the values of positions stand, under the proposal in hand.
    places: Vec<Place>,
    /// Positions whose value is there in every row.
    valid: PositionSet,
    /// Positions whose value is there in the first `n_filled` rows.
    begun: PositionSet,
    n_filled: Vec<usize>,
    /// Active positions of the candidate as it stands.
    active: PositionSet,
    /// Intron positions that were changed and not yet taken out of `valid`.
    stale: PositionSet,
    proposal: Proposal,
}

/// What accepting or rejecting has to do.
#[derive(Default)]
struct Proposal {
    changed: PositionSet,
    active: PositionSet,
    /// Changed active positions and all above them.
    touched: PositionSet,
    /// Touched positions with the places they had.
    moved: Vec<(usize, Place)>,
    /// The positions that took a spare column, in the order of these.
    renewed: Vec<usize>,
    /// The positions that are not touched but not there yet.
    filled: Vec<usize>,
}

impl IncrementalEvaluator {
    /// An evaluator with no candidate yet; see [`IncrementalEvaluator::load`].
    pub(super) fn new(problem: Arc<Problem>) -> IncrementalEvaluator {
        let n = problem.template.n_positions();
        let (features, n_rows) = (Arc::clone(&problem.features), problem.objective.n_rows());
        // The parts of an operator of one's own stand in columns behind all others.
        let n_columns = 2 * n + problem.compositions.largest();
        IncrementalEvaluator {
            n_evaluations: 0,
            workspace: Workspace::new(problem.instructions, features, n_columns, n_rows),
            owned: (0..n as u32).collect(),
            spare: (n as u32..2 * n as u32).collect(),
            places: vec![Place::scalar(0.0); n],
            valid: 0,
            begun: 0,
            n_filled: vec![0; n],
            active: 0,
            stale: 0,
            proposal: Proposal::default(),
            problem,
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
        let proposal = &mut self.proposal;
        (proposal.changed, proposal.active, proposal.touched) = (changed, active, touched);
        self.plan(genome.symbols());
        let objective = &self.problem.objective;
        let fitness = match self.places[0].standing() {
            Standing::Scalar(value) => Some(objective.fitness_of_constant(value)),
            Standing::Feature(k) => Some(objective.fitness(self.problem.features.column(k))),
            Standing::Column(root) => self.compute(root, limit),
        };
        if fitness.is_some() {
            self.valid |= active & !touched;
        }
        fitness.unwrap_or(Fitness::INVALID)
    }

    /// Keeps the proposed change.
    pub(super) fn accept(&mut self) {
        let Proposal { changed, active, touched, .. } = self.proposal;
        for (&position, spare) in self.proposal.renewed.iter().zip(&mut self.spare) {
            std::mem::swap(&mut self.owned[position], spare);
        }
        self.active = active;
        self.stale |= changed;
        self.forget_stale();
        self.valid |= touched;
    }

    /// Drops the proposed change: the columns of the candidate were not touched.
    #[inline]
    pub(super) fn reject(&mut self) {
        for &(position, place) in &self.proposal.moved {
            self.places[position] = place;
        }
    }

    /// Counts evaluations that were done elsewhere.
    pub(super) fn count(&mut self, n: u64) {
        self.n_evaluations += n;
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

    /// Finds the places of what the change touches and of what is not there yet, and lists the operators to compute,
    /// arguments first.
    fn plan(&mut self, symbols: &[Symbol]) {
        self.workspace.clear();
        let Proposal { active, touched, moved, renewed, filled, .. } = &mut self.proposal;
        moved.clear();
        renewed.clear();
        filled.clear();
        let touched = *touched;
        let mut wanted = *active & (touched | !self.valid);
        while wanted != 0 {
            // Arguments stand behind their operators, so the last position comes first.
            let position = (PositionSet::BITS - 1 - wanted.leading_zeros()) as usize;
            let bit = 1 << position;
            wanted ^= bit;
            let is_touched = touched & bit != 0;
            let symbol = symbols[position];
            let place = if symbol.as_composition().is_some() {
                self.plan_composition(symbol, position, is_touched)
            } else if let Some((k, factor)) = symbol.as_weighted() {
                let (out, n_filled) = self.take_column(position, is_touched);
                let (factor, feature) = (Place::scalar(factor), Place::feature(k));
                self.workspace.push(Operator::Multiply, factor, feature, out, n_filled);
                Place::column(out)
            } else {
                match symbol.meaning() {
                    Meaning::Constant(value) => Place::scalar(value),
                    Meaning::Feature(k) => Place::feature(k),
                    Meaning::Operator(operator) => {
                        self.plan_operator(operator, position, is_touched)
                    }
                }
            };
            let former = std::mem::replace(&mut self.places[position], place);
            if is_touched {
                self.proposal.moved.push((position, former));
            } else if !matches!(place.standing(), Standing::Column(_)) {
                self.valid |= bit;
            }
        }
    }

    /// Where the value of an operator will stand. What the change touches goes to a spare column. What is merely not
    /// there yet has the same value before and after the change and goes to the position's own column. An operator on
    /// constants alone is computed at once, as a single number.
    #[inline(always)]
    fn plan_operator(&mut self, operator: Operator, position: usize, is_touched: bool) -> Place {
        let child = self.problem.template.child(position, 0);
        let a = self.places[child];
        let b = if operator.arity() == 2 { self.places[child + 1] } else { Place::scalar(0.0) };
        if let (Standing::Scalar(a), Standing::Scalar(b)) = (a.standing(), b.standing()) {
            return Place::scalar(apply(operator, a, b));
        }
        let (out, n_filled) = self.take_column(position, is_touched);
        self.workspace.push(operator, a, b, out, n_filled);
        Place::column(out)
    }

    /// The column for the value of a position, and how many of its rows are there.
    #[inline(always)]
    fn take_column(&mut self, position: usize, is_touched: bool) -> (u32, usize) {
        if is_touched {
            self.proposal.renewed.push(position);
            (self.spare[self.proposal.renewed.len() - 1], 0)
        } else {
            self.proposal.filled.push(position);
            let is_begun = self.begun >> position & 1 == 1;
            (self.owned[position], if is_begun { self.n_filled[position] } else { 0 })
        }
    }

    /// The same for an operator of one's own: its parts are listed one by one. Their columns are needed only until the next
    /// one is computed, block by block, so all share them.
    fn plan_composition(&mut self, symbol: Symbol, position: usize, is_touched: bool) -> Place {
        let problem = Arc::clone(&self.problem);
        let body = problem.compositions.of(symbol).expect("defined with the problem").body();
        let child = problem.template.child(position, 0);
        let arguments = &self.places[child..child + symbol.arity()];
        let arguments: Vec<Place> = arguments.to_vec();
        let is_number = |place: &Place| matches!(place.standing(), Standing::Scalar(_));
        let column = match arguments.iter().all(is_number) {
            true => None,
            false => Some(self.take_column(position, is_touched)),
        };
        let first_part = 2 * problem.template.n_positions();
        let mut places: Vec<Place> = Vec::with_capacity(body.size());
        for (index, node) in body.nodes().iter().enumerate() {
            let place = match node.symbol.meaning() {
                Meaning::Constant(value) => Place::scalar(value),
                Meaning::Feature(k) => arguments[k as usize],
                Meaning::Operator(operator) => {
                    let a = places[node.arguments[0] as usize];
                    let b = match operator.arity() {
                        2 => places[node.arguments[1] as usize],
                        _ => Place::scalar(0.0),
                    };
                    match (a.standing(), b.standing(), column) {
                        (Standing::Scalar(a), Standing::Scalar(b), _) => {
                            Place::scalar(apply(operator, a, b))
                        }
                        (_, _, Some((own, n_filled))) => {
                            let is_root = index + 1 == body.size();
                            let out = if is_root { own } else { (first_part + index) as u32 };
                            self.workspace.push(operator, a, b, out, n_filled);
                            Place::column(out)
                        }
                        _ => unreachable!("numbers give numbers"),
                    }
                }
            };
            places.push(place);
        }
        *places.last().expect("a body has nodes")
    }

    /// Computes the listed operators, one block of rows after the other, and the fitness of the root's column. Nothing
    /// if the rows so far prove that it is worse than the limit.
    fn compute(&mut self, root: usize, limit: Fitness) -> Option<Fitness> {
        let objective = &self.problem.objective;
        let n_rows = objective.n_rows();
        let mut tally = Tally::default();
        let (mut start, mut end) = (0, objective.n_rows_first(limit));
        loop {
            self.workspace.run(start..end);
            let column = self.workspace.column(root);
            let block = &column[start..end];
            objective.add(&mut tally, block);
            if end == n_rows {
                return Some(objective.finish(&tally, column));
            }
            match objective.outlook(&tally, block, limit) {
                Outlook::Hopeless => {
                    self.keep_filled_rows(end);
                    return None;
                }
                Outlook::Open(next) => (start, end) = (end, next),
            }
        }
    }

    /// Takes note of the rows that were computed of columns that the proposal does not touch.
    fn keep_filled_rows(&mut self, n_done: usize) {
        for &position in &self.proposal.filled {
            let bit = 1 << position;
            let before = if self.begun & bit != 0 { self.n_filled[position] } else { 0 };
            self.n_filled[position] = n_done.max(before);
            self.begun |= bit;
        }
    }
}
