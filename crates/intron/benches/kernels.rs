//! Every operator on columns, as a formula of that one operator; `column` is the same without an operator, for comparison.

use divan::{Bencher, black_box, counter::ItemsCount};
use intron::{Formula, Operator, Seed, StreamName, Symbol, predict};

/// One block, which stays in the nearest cache, and a table that does not.
const N_ROWS: [usize; 2] = [512, 100_000];

fn main() {
    divan::main();
}

/// Copies alone: what each of the other figures has on top of its arithmetic.
#[divan::bench(args = N_ROWS)]
fn column(bencher: Bencher, n_rows: usize) {
    let mut formula = Formula::new();
    formula.push(Symbol::feature(0), &[]);
    bench_formula(bencher, &formula, n_rows);
}

#[divan::bench(args = Operator::all(), consts = N_ROWS)]
fn operator<const N_ROWS: usize>(bencher: Bencher, operator: Operator) {
    let mut formula = Formula::new();
    let arguments: Vec<u32> =
        (0..operator.arity()).map(|k| formula.push(Symbol::feature(k as u32), &[])).collect();
    formula.push(Symbol::operator(operator), &arguments);
    bench_formula(bencher, &formula, N_ROWS);
}

/// Predicts with features between 0.1 and 4.1, where every operator is defined.
fn bench_formula(bencher: Bencher, formula: &Formula, n_rows: usize) {
    let mut stream = Seed(1).stream(StreamName::Split);
    let mut column = || (0..n_rows).map(|_| 0.1 + 4.0 * stream.unit()).collect::<Vec<f64>>();
    let features = [column(), column()];
    bencher
        .counter(ItemsCount::new(n_rows))
        .bench_local(|| predict(black_box(formula), black_box(&features), n_rows));
}
