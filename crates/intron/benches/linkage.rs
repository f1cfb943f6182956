//! Learning the linkage model of an initial population of 1024, for every linkage.

use divan::Bencher;
use intron::{
    Alphabet, Binning, ConstantRange, Halt, Initialization, Linkage, LinkageModel, MeasureContext,
    Operator, Seed, StreamName, Template, initialize,
};

const N_SOLUTIONS: usize = 1024;

/// As many as airfoil has.
const N_FEATURES: usize = 5;

/// Bins of constants, as in the paper.
const N_BINS: usize = 25;

fn main() {
    divan::main();
}

/// A fresh model each time, so that "Node (static)" learns too. What a measure does once per population is not timed.
#[divan::bench(args = Linkage::names(), consts = [5, 7])]
fn learn<const HEIGHT: usize>(bencher: Bencher, name: &str) {
    let template = Template::full(HEIGHT, 2).expect("a template");
    let constants = Some(ConstantRange { low: 103.0, high: 141.0 });
    let alphabet =
        Alphabet::new(Operator::SMALL.to_vec(), N_FEATURES, constants).expect("an alphabet");
    let mut stream = Seed(1).stream(StreamName::Initialization { population: 0 });
    let population = initialize(
        N_SOLUTIONS,
        Initialization::default(),
        &alphabet,
        &template,
        &mut stream,
        &Halt::default(),
    );
    let linkage = Linkage::from_name(name).expect("a known name");
    let context =
        MeasureContext { template, bins: (N_BINS, Binning::UpperEdge), halt: Halt::default() };
    let fresh_model = || LinkageModel::new(&linkage, &population, context.clone());
    bencher.with_inputs(fresh_model).bench_local_refs(|model| {
        let mut stream = Seed(1).stream(StreamName::Linkage { population: 0, generation: 0 });
        model.learn(&population, &mut stream).len()
    });
}
