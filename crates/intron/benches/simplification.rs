//! Simplifying the largest formulas of an initial population: full templates of height 5 and 7.

use divan::Bencher;
use intron::{
    Alphabet, ConstantRange, Formula, Halt, Initialization, Operator, Seed, Simplifier, StreamName,
    Template, initialize,
};

/// So many are simplified, one per sample in turn.
const N_FORMULAS: usize = 20;

fn main() {
    divan::main();
}

fn large_formulas(operators: &[Operator], height: usize) -> Vec<Formula> {
    let template = Template::full(height, 2).expect("a template");
    let constants = Some(ConstantRange { low: -10.0, high: 10.0 });
    let alphabet = Alphabet::new(operators.to_vec(), 5, constants).expect("an alphabet");
    let mut stream = Seed(1).stream(StreamName::Initialization { population: 0 });
    let population = initialize(
        1024,
        Initialization::default(),
        &alphabet,
        &template,
        &mut stream,
        &Halt::default(),
    );
    let solutions = population.iter();
    let mut formulas: Vec<Formula> =
        solutions.map(|solution| solution.genome.to_formula(solution.active, &template)).collect();
    formulas.sort_by_key(|formula| std::cmp::Reverse(formula.size()));
    formulas.truncate(N_FORMULAS);
    formulas
}

#[divan::bench(args = ["small", "large"], consts = [5, 7])]
fn simplify<const HEIGHT: usize>(bencher: Bencher, operators: &str) {
    let operators = Operator::parse_set(operators).expect("a known set");
    let simplifier = Simplifier::new(&operators);
    let formulas = large_formulas(&operators, HEIGHT);
    let mut next = 0;
    let formula = || {
        next += 1;
        &formulas[next % N_FORMULAS]
    };
    bencher
        .with_inputs(formula)
        .bench_local_values(|formula| simplifier.simplify(formula, |_| true).size());
}
