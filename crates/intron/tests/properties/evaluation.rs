//! Laws of evaluation: incremental equals full, bit by bit, and scaling is blind to affine changes.

use crate::cases;
use intron::{
    Compositions, Evaluator, EvaluatorKind, Fitness, Genome, Instructions, LinearScaling,
    Objective, Operator, PositionSet, Problem, Seed, Stream, StreamName, Symbol, Template,
    active_positions,
};
use proptest::prelude::*;
use std::sync::Arc;

const N_FEATURES: usize = 4;

/// What a column of data may look like.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Ordinary,
    Constant,
    WithZeros,
    Huge,
    Tiny,
    Mixed,
}

fn any_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Ordinary),
        Just(Kind::Constant),
        Just(Kind::WithZeros),
        Just(Kind::Huge),
        Just(Kind::Tiny),
        Just(Kind::Mixed),
    ]
}

const ODD_NUMBERS: [f64; 10] = [0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, 1e-300, 710.0, 1e16];

fn draw_value(kind: Kind, stream: &mut Stream) -> f64 {
    let ordinary = 8.0 * stream.unit() - 4.0;
    match kind {
        Kind::Ordinary => ordinary,
        Kind::Constant => 1.5,
        Kind::WithZeros => [0.0, -0.0, ordinary][stream.below(3)],
        Kind::Huge => ordinary * 2e307,
        Kind::Tiny => ordinary * 1e-310,
        Kind::Mixed => match stream.below(3) {
            0 => ODD_NUMBERS[stream.below(ODD_NUMBERS.len())],
            _ => ordinary,
        },
    }
}

/// Operators of one's own: with copies of an argument, with constants, and one in another.
const OWN: [&str; 3] = ["f(a) = a*a - 0.5/a", "g(a, b) = a / (1 + b*b)", "h(u) = f(sin(u)) - u"];

fn own_operators(has_own: bool) -> Compositions {
    let mut own = Compositions::default();
    OWN.iter().filter(|_| has_own).for_each(|text| own.define(text).unwrap());
    own
}

fn draw_symbol(is_leaf: bool, own: &Compositions, stream: &mut Stream) -> Symbol {
    let mut operators: Vec<Symbol> = Operator::all().map(Symbol::operator).collect();
    // Some times over, since there are many ordinary ones.
    for composition in own.iter().chain(own.iter()) {
        operators.extend(own.find(composition.name()));
    }
    match stream.below(8) {
        0..5 if !is_leaf => operators[stream.below(operators.len())],
        0 | 5 => Symbol::constant(draw_value(Kind::Mixed, stream)),
        kind => {
            let feature = stream.below(N_FEATURES) as u32;
            let has_factor = kind == 6 || (!own.is_empty() && kind < 4);
            let factor = if has_factor { draw_value(Kind::Mixed, stream) } else { f64::NAN };
            Symbol::weighted(feature, factor).unwrap_or(Symbol::feature(feature))
        }
    }
}

fn draw_genome(template: &Template, own: &Compositions, stream: &mut Stream) -> Vec<Symbol> {
    (0..template.n_positions()).map(|p| draw_symbol(template.is_leaf(p), own, stream)).collect()
}

/// Whether a tool watches over the memory and does the arithmetic itself: valgrind errs in the sign of zero and in NaN
/// where multiplication and addition are fused.
fn is_memory_only() -> bool {
    std::env::var_os("INTRON_MEMORY_ONLY").is_some()
}

/// Every kind of evaluator, all made to do the same.
struct Lockstep {
    template: Template,
    own: Compositions,
    evaluators: Vec<Evaluator>,
    symbols: Vec<Symbol>,
    active: PositionSet,
    n_evaluations: u64,
}

impl Lockstep {
    fn new(template: &Template, case: &Case, stream: &mut Stream) -> Lockstep {
        let column = |kind: Kind, stream: &mut Stream| -> Vec<f64> {
            (0..case.n_rows).map(|_| draw_value(kind, stream)).collect()
        };
        let features: Vec<Vec<f64>> = case.kinds.map(|kind| column(kind, stream)).to_vec();
        let mut target = column(Kind::Ordinary, stream);
        target[0] = 4.5;
        if case.varies_little {
            target.iter_mut().for_each(|y| *y = 1.3582 + 1e-11 * *y);
        }
        let weights = column(Kind::Ordinary, stream).iter().map(|w| w.abs() + 0.5).collect();
        let weights: Option<Vec<f64>> = case.is_weighted.then_some(weights);
        let own = own_operators(case.has_own);
        let kinds = [EvaluatorKind::Incremental, EvaluatorKind::Full];
        let instructions = [Instructions::Detected, Instructions::Portable];
        let evaluator = |(kind, instructions)| {
            let objective = Objective::new(&target, weights.as_deref(), case.scaling, instructions);
            let template = template.clone();
            let problem = Problem::new(template, &features, objective, instructions);
            Evaluator::new(kind, Arc::new(problem.with_compositions(own.clone())))
        };
        let choices = kinds.into_iter().flat_map(|kind| instructions.map(|i| (kind, i)));
        let evaluators = choices.map(evaluator).collect();
        let template = template.clone();
        Lockstep { template, own, evaluators, symbols: Vec::new(), active: 0, n_evaluations: 0 }
    }

    /// Takes up another candidate, as the start of a mixing pass does.
    fn load(&mut self, symbols: Vec<Symbol>) {
        self.symbols = symbols;
        self.active = active_positions(&self.genome(&self.symbols), &self.template);
        for evaluator in &mut self.evaluators {
            evaluator.load(self.active);
        }
    }

    fn genome(&self, symbols: &[Symbol]) -> Genome {
        Genome::new(symbols.to_vec(), &self.template)
    }

    /// The bits of the error, which all evaluators must agree on.
    fn propose(
        &mut self,
        symbols: &[Symbol],
        changed: PositionSet,
    ) -> Result<PositionSet, TestCaseError> {
        let genome = self.genome(symbols);
        let active = active_positions(&genome, &self.template);
        self.n_evaluations += 1;
        let mut proposals =
            self.evaluators.iter_mut().map(|evaluator| evaluator.propose(&genome, changed, active));
        let bits: Vec<u64> = proposals.by_ref().map(|fitness| fitness.nmse().to_bits()).collect();
        let are_equal = bits.iter().all(|&other| other == bits[0]);
        prop_assert!(are_equal || is_memory_only(), "{:x?} for {:?}", bits, genome);
        Ok(active)
    }

    /// Proposes with a limit near the true fitness: what is not worse than the limit must come out exactly, and what is
    /// worse exactly or as invalid. Such a proposal is rejected.
    fn propose_within(
        &mut self,
        symbols: &[Symbol],
        changed: PositionSet,
        share: f64,
    ) -> Result<(), TestCaseError> {
        let genome = self.genome(symbols);
        let active = active_positions(&genome, &self.template);
        self.n_evaluations += 1;
        let (full, others) = self.evaluators.split_last_mut().expect("there are evaluators");
        let truth = full.propose(&genome, changed, active);
        let limit = Fitness::from_nmse(truth.nmse() * share);
        for evaluator in others {
            let fitness = evaluator.propose_within(&genome, changed, active, limit);
            let is_given_up = truth.is_worse_than(limit) && fitness == Fitness::INVALID;
            prop_assert!(
                is_given_up || fitness == truth || is_memory_only(),
                "{truth:?} {limit:?} {fitness:?} {genome:?}"
            );
        }
        self.evaluators.iter_mut().for_each(Evaluator::reject);
        Ok(())
    }

    /// Changes some positions; keeps the change, drops it, or notes that it touched introns only.
    fn change(&mut self, stream: &mut Stream) -> Result<(), TestCaseError> {
        let mut symbols = self.symbols.clone();
        for _ in 0..1 + stream.below(1 + symbols.len() / 2) {
            let position = stream.below(symbols.len());
            symbols[position] = draw_symbol(self.template.is_leaf(position), &self.own, stream);
        }
        let is_changed = |&position: &usize| symbols[position] != self.symbols[position];
        let changed = (0..symbols.len()).filter(is_changed).map(|position| 1 << position).sum();
        if changed & self.active == 0 {
            self.evaluators.iter_mut().for_each(|evaluator| evaluator.note_intron_change(changed));
            self.symbols = symbols;
            return Ok(());
        }
        let shares = [0.2, 0.9, 0.999_999_999, 1.0, 1.1];
        if let Some(&share) = shares.get(stream.below(2 * shares.len())) {
            return self.propose_within(&symbols, changed, share);
        }
        let active = self.propose(&symbols, changed)?;
        if stream.below(2) == 0 {
            self.evaluators.iter_mut().for_each(Evaluator::accept);
            self.symbols = symbols;
            self.active = active;
        } else {
            self.evaluators.iter_mut().for_each(Evaluator::reject);
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Case {
    seed: u64,
    height: usize,
    n_rows: usize,
    kinds: [Kind; N_FEATURES],
    scaling: LinearScaling,
    is_weighted: bool,
    varies_little: bool,
    has_own: bool,
}

fn any_case(has_own: bool) -> impl Strategy<Value = Case> {
    let n_rows = prop_oneof![
        4 => 2..40_usize,
        3 => 64..70_usize,
        2 => 127..200_usize,
        1 => 510..515_usize,
        1 => 1020..1030_usize
    ];
    let kinds = prop::array::uniform4(any_kind());
    let scaling = prop_oneof![Just(LinearScaling::On), Just(LinearScaling::Off)];
    let flags = (any::<bool>(), any::<bool>());
    (any::<u64>(), 1..=7_usize, n_rows, kinds, scaling, flags).prop_map(
        move |(seed, height, n_rows, kinds, scaling, (is_weighted, varies_little))| Case {
            seed,
            height,
            n_rows,
            kinds,
            scaling,
            is_weighted,
            varies_little,
            has_own,
        },
    )
}

/// Candidates taken up, and changes proposed to them: all evaluators must agree on every one.
fn go_through(case: &Case, n_changes: usize) -> Result<(), TestCaseError> {
    let mut stream = Seed(case.seed).stream(StreamName::Split);
    let template = Template::full(case.height, 2).unwrap();
    let mut lockstep = Lockstep::new(&template, case, &mut stream);
    for _ in 0..4 {
        lockstep.load(draw_genome(&template, &lockstep.own, &mut stream));
        if stream.below(2) == 0 {
            let symbols = lockstep.symbols.clone();
            lockstep.propose(&symbols, 0)?;
            lockstep.evaluators.iter_mut().for_each(Evaluator::accept);
        }
        for _ in 0..n_changes {
            lockstep.change(&mut stream)?;
        }
    }
    for evaluator in &lockstep.evaluators {
        prop_assert_eq!(evaluator.n_evaluations(), lockstep.n_evaluations);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn incremental_equals_full_bit_by_bit_after_any_sequence_of_changes(case in any_case(false)) {
        go_through(&case, 40)?;
    }

    #[test]
    fn incremental_equals_full_where_own_operators_take_features_with_factors(case in any_case(true)) {
        go_through(&case, 20)?;
    }

    #[test]
    fn linear_scaling_makes_fitness_blind_to_affine_changes(
        rows in prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64), 3..40),
        slope in prop_oneof![1e-3..1e3_f64, -1e3..-1e-3_f64],
        offset in -1e3..1e3_f64,
    ) {
        let (outputs, mut target): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
        target[0] = 2.0;
        let objective = Objective::new(&target, None, LinearScaling::On, Instructions::Detected);
        let moved: Vec<f64> = outputs.iter().map(|p| offset + slope * p).collect();
        let (before, after) = (objective.fitness(&outputs).nmse(), objective.fitness(&moved).nmse());
        prop_assert!((before - after).abs() < 1e-8, "{before} and {after}");
        prop_assert!(before <= 1.0 + 1e-12);
    }
}
