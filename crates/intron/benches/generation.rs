//! One generation of one population of 256: linkage learning, mixing, evaluation, archive.

#[path = "tables/made_up.rs"]
mod made_up;

use divan::{Bencher, counter::ItemsCount};
use intron::{Dataset, Event, Interrupt, PopulationSize, Run, Settings, Silent};

const N_SOLUTIONS: usize = 256;

fn main() {
    divan::main();
}

/// The second generation: the first comes in one step with the making of the population. An item is an evaluation.
#[divan::bench(args = [5, 7])]
fn generation(bencher: Bencher, height: usize) {
    let data = made_up::table();
    bencher
        .counter(ItemsCount::new(n_evaluations(&data, height)))
        .with_inputs(|| {
            let mut run = start(&data, height);
            run.step(&mut Silent);
            run
        })
        .bench_local_refs(|run| run.step(&mut Silent));
}

fn start(data: &Dataset, height: usize) -> Run {
    let population = PopulationSize::Fixed(N_SOLUTIONS);
    let settings = Settings { height, population, threads: 1, ..Settings::default() };
    let settings = settings.validate().expect("valid settings");
    Run::new(data, &settings, Interrupt::default()).expect("sound data")
}

/// How many evaluations the second generation takes; they are the same in every run.
fn n_evaluations(data: &Dataset, height: usize) -> u64 {
    let mut totals = Vec::new();
    let mut run = start(data, height);
    for _ in 0..2 {
        run.step(&mut |event: &Event<'_>| {
            if let Event::GenerationFinished { n_evaluations, .. } = event {
                totals.push(*n_evaluations);
            }
        });
    }
    totals[1] - totals[0]
}
