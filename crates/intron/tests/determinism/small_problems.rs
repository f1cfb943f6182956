//! Problems at the edge of what is possible end, or go on, in sensible time.

use crate::runs::{Pairs, data_without_information, dataset, run};
use intron::{Dataset, Outcome, StopReason};

/// Runs with a generous time limit that must not be needed.
fn run_in_time(data: &Dataset, pairs: Pairs<'_>) -> Outcome {
    let outcome = run(data, &[&[("time", "20")], pairs].concat());
    assert_ne!(outcome.stop_reason, StopReason::Time, "{pairs:?}");
    outcome
}

#[test]
fn a_feature_that_is_the_target_is_found_at_once() {
    let x = vec![1.0, 4.0, 2.0, 8.0];
    for scaling in ["on", "off"] {
        let data = dataset(vec![x.clone()], x.clone());
        let outcome = run_in_time(&data, &[("linear_scaling", scaling)]);
        assert_eq!(outcome.stop_reason, StopReason::Solved);
        let best = outcome.front.last().unwrap();
        assert_eq!((best.size, best.fitness.r2()), (1, 1.0));
        assert!(outcome.n_evaluations < 110_000, "{}", outcome.n_evaluations);
    }
}

#[test]
fn two_rows_are_enough() {
    let data = dataset(vec![vec![3.0, 5.0]], vec![-1.0, 7.0]);
    let outcome = run_in_time(&data, &[]);
    assert_eq!(outcome.stop_reason, StopReason::Solved);
    let outcome = run_in_time(&data, &[("linear_scaling", "off"), ("evaluations", "20000")]);
    assert!(!outcome.front.is_empty());
}

#[test]
fn a_template_of_one_position_has_nothing_to_mix() {
    let data = dataset(vec![vec![1.0, 2.0, 4.0], vec![3.0, 1.0, 2.0]], vec![1.0, 2.0, 5.0]);
    let outcome = run_in_time(&data, &[("height", "1"), ("evaluations", "100000")]);
    assert_eq!(outcome.n_evaluations, 100_000);
    assert_eq!(outcome.front.last().unwrap().size, 1);
    let outcome = run_in_time(&data, &[("height", "1"), ("population", "50")]);
    assert_eq!(outcome.stop_reason, StopReason::Converged);
    assert_eq!(outcome.n_evaluations, 50);
}

#[test]
fn constant_features_teach_nothing() {
    for (scaling, linkage) in [("on", "node"), ("off", "mi-masked"), ("on", "univariate")] {
        let pairs = [("linear_scaling", scaling), ("linkage", linkage), ("evaluations", "30000")];
        let outcome = run_in_time(&data_without_information(), &pairs);
        assert_eq!(outcome.n_evaluations, 30_000);
        let best = outcome.front.last().unwrap();
        assert!(best.fitness.r2().abs() < 1e-3, "{scaling}: {}", best.fitness.r2());
    }
}

#[test]
fn without_constants_and_with_one_feature_a_run_ends() {
    let data = dataset(vec![vec![1.0, 2.0, 3.0]], vec![1.0, 5.0, 2.0]);
    let pairs = [
        ("operators", "sin"),
        ("constants.range", "off"),
        ("height", "2"),
        ("evaluations", "50000"),
    ];
    assert_eq!(run_in_time(&data, &pairs).stop_reason, StopReason::Evaluations);
    let pairs = [&pairs[..], &[("convergence", "identical"), ("population", "8")]].concat();
    assert_eq!(run_in_time(&data, &pairs).stop_reason, StopReason::Converged);
}

#[test]
fn nothing_valid_leaves_the_front_empty() {
    // The logarithm of a negative number, and of what comes out of that, is no number.
    let data = dataset(vec![vec![-1.0, -2.0, -3.0]], vec![1.0, 5.0, 2.0]);
    let pairs = [
        ("operators", "log"),
        ("constants.range", "off"),
        ("init.grow", "0"),
        ("height", "3"),
        ("evaluations", "1000"),
    ];
    let outcome = run_in_time(&data, &pairs);
    assert!(outcome.front.is_empty());
    assert_eq!(outcome.n_evaluations, 1000);
}
