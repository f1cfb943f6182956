//! Section 3.1, last paragraph: the interleaved multistart scheme.

use crate::runs::{data_without_information, made_up_data, watch};
use intron::{Event, Fitness, RetirementReason, Solution};

#[test]
fn section_3_1_larger_populations_step_less_often() {
    // All solutions are equally good, so no population ever outperforms another.
    let pairs = [
        ("operators", "+,*"),
        ("height", "3"),
        ("ims.start", "64"),
        ("ims.factor", "3"),
        ("ims.retire_on_equal", "no"),
        ("convergence", "identical"),
        ("generations", "26"),
    ];
    let (mut turns, mut sizes) = (Vec::new(), Vec::new());
    watch(&data_without_information(), &pairs, |event| match event {
        Event::GenerationFinished { population, .. } => turns.push(*population),
        Event::PopulationStarted { solutions, .. } => sizes.push(solutions.len()),
        Event::PopulationRetired { population, .. } => panic!("{population} was retired"),
        _ => {}
    });
    let expected = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2];
    assert_eq!(turns, expected);
    assert_eq!(sizes, [64, 128, 256]);
}

/// What is known of a population from outside.
struct Watched {
    best: Fitness,
    mean: f64,
    n_generations_without_improvement: u32,
    is_retired: bool,
}

impl Watched {
    fn new(solutions: &[Solution]) -> Watched {
        Watched {
            best: best_of(solutions),
            mean: f64::NAN,
            n_generations_without_improvement: 0,
            is_retired: false,
        }
    }

    fn take(&mut self, solutions: &[Solution]) {
        let best = best_of(solutions);
        if best.is_better_than(self.best) {
            self.best = best;
            self.n_generations_without_improvement = 0;
        } else {
            self.n_generations_without_improvement += 1;
        }
        let sum: f64 = solutions.iter().map(|solution| solution.fitness.nmse()).sum();
        self.mean = sum / solutions.len() as f64;
    }
}

fn best_of(solutions: &[Solution]) -> Fitness {
    let all = solutions.iter().map(|solution| solution.fitness);
    all.reduce(|a, b| if b.is_better_than(a) { b } else { a }).expect("there are solutions")
}

/// Why a population must go.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Why {
    Converged,
    /// A larger one has a best that is as good.
    Best,
    /// A larger one is better on average, and only that.
    Mean,
}

/// Which populations must go after a generation of this one, and why.
fn due(watched: &mut [Watched], number: usize, n_solutions: usize) -> Vec<(usize, Why)> {
    let (best, mean) = (watched[number].best, watched[number].mean);
    let mut gone = Vec::new();
    for (smaller, other) in watched[..number].iter_mut().enumerate() {
        let is_best_as_good = !best.is_worse_than(other.best);
        if !other.is_retired && (is_best_as_good || other.mean > mean) {
            other.is_retired = true;
            gone.push((smaller, if is_best_as_good { Why::Best } else { Why::Mean }));
        }
    }
    // The number of digits is 1 + ⌊log₁₀ n⌋.
    let patience = n_solutions.to_string().len() as u32;
    if watched[number].n_generations_without_improvement >= patience {
        watched[number].is_retired = true;
        gone.push((number, Why::Converged));
    }
    gone
}

/// Follows a run and checks every retirement; returns why populations went.
fn follow(pairs: crate::runs::Pairs<'_>) -> Vec<Why> {
    let mut watched: Vec<Watched> = Vec::new();
    let (mut expected, mut seen) = (Vec::new(), Vec::new());
    let is_expected = |expected: &[(usize, Why)], seen: &[(usize, bool)]| {
        let plain: Vec<_> = expected.iter().map(|(k, why)| (*k, *why == Why::Converged)).collect();
        assert_eq!(plain, seen);
    };
    watch(&made_up_data(30), pairs, |event| match event {
        Event::PopulationStarted { solutions, .. } => watched.push(Watched::new(solutions)),
        Event::LinkageLearned { population, .. } => {
            assert!(!watched[*population].is_retired, "{population} is retired and steps");
            is_expected(&expected, &seen);
        }
        Event::GenerationFinished { population, solutions, .. } => {
            watched[*population].take(solutions);
            expected.extend(due(&mut watched, *population, solutions.len()));
        }
        Event::PopulationRetired { population, reason } => {
            seen.push((*population, *reason == RetirementReason::Converged));
        }
        _ => {}
    });
    expected[..seen.len()].iter().map(|(_, why)| *why).collect()
}

#[test]
fn section_3_1_populations_stop_when_converged_or_when_larger_ones_perform_better() {
    let mut reasons = Vec::new();
    for seed in 0..20 {
        let seed = seed.to_string();
        for factor in ["1", "3"] {
            let pairs = [("height", "3"), ("ims.start", "16"), ("ims.factor", factor)];
            let more = [("linear_scaling", "off"), ("evaluations", "10000"), ("seed", &seed)];
            reasons.extend(follow(&[&pairs[..], &more].concat()));
        }
    }
    for why in [Why::Converged, Why::Best, Why::Mean] {
        let n_gone = reasons.iter().filter(|&&reason| reason == why).count();
        assert!(n_gone >= 3, "{n_gone} gone for {why:?} of {}", reasons.len());
    }
}

#[test]
fn section_3_1_the_best_of_a_population_never_gets_worse() {
    let mut n_seen = 0;
    let mut best: Vec<Fitness> = Vec::new();
    let pairs = [("height", "4"), ("evaluations", "40000"), ("linear_scaling", "off")];
    watch(&made_up_data(30), &pairs, |event| match event {
        Event::PopulationStarted { solutions, .. } => best.push(best_of(solutions)),
        Event::GenerationFinished { population, solutions, .. } => {
            let now = best_of(solutions);
            assert!(!now.is_worse_than(best[*population]));
            best[*population] = now;
            n_seen += 1;
        }
        _ => {}
    });
    assert!(n_seen > 5, "{n_seen} generations");
}
