//! Threads, evaluator and instructions change the speed, not the result.

use crate::runs::{Pairs, front, made_up_data, run, start};
use intron::{Event, Interrupt, Run, StopReason};

/// Configurations that differ in everything that steers a search.
const CONFIGURATIONS: [&[(&str, &str)]; 8] = [
    &[("height", "3"), ("linkage", "node"), ("seed", "1")],
    &[("height", "5"), ("linkage", "mi-masked"), ("seed", "2"), ("linear_scaling", "off")],
    &[("height", "7"), ("linkage", "node-static"), ("seed", "3"), ("operators", "large")],
    &[("height", "5"), ("linkage", "mi-adjusted"), ("seed", "4"), ("population", "100")],
    &[("height", "3"), ("linkage", "random"), ("seed", "5"), ("forced_improvement", "on")],
    &[("height", "7"), ("linkage", "cs"), ("seed", "6"), ("linear_scaling", "off")],
    &[("height", "5"), ("linkage", "univariate"), ("seed", "7"), ("operators", "+,*,pow,tanh,log")],
    &[("height", "4"), ("linkage", "mi"), ("seed", "8"), ("init.duplicates", "drawn-again")],
];

fn result(pairs: Pairs<'_>) -> (Vec<(usize, u64, String)>, u64, u64, StopReason) {
    let data = made_up_data(70);
    let pairs = [&[("evaluations", "8001")], pairs].concat();
    let outcome = run(&data, &pairs);
    let counts = (outcome.n_evaluations, outcome.n_generations, outcome.stop_reason);
    (front(&data, &outcome), counts.0, counts.1, counts.2)
}

fn assert_same_with(others: &[Pairs<'_>]) {
    for configuration in CONFIGURATIONS {
        let expected = result(configuration);
        assert!(expected.0.len() > 2, "{configuration:?} found {expected:?}");
        for other in others {
            let pairs = [configuration, other].concat();
            assert_eq!(result(&pairs), expected, "{pairs:?}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_result_for_any_number_of_threads() {
    assert_same_with(&[
        &[("threads", "1")],
        &[("threads", "2")],
        &[("threads", "3")],
        &[("threads", "0")],
    ]);
}

#[test]
fn the_same_seed_gives_the_same_result_for_both_evaluators_and_any_instructions() {
    assert_same_with(&[
        &[("evaluator", "full")],
        &[("instructions", "portable")],
        &[("evaluator", "full"), ("instructions", "portable"), ("threads", "2")],
    ]);
}

#[test]
fn another_seed_gives_another_result() {
    let seeds = ["1", "2", "3", "4"];
    let results = seeds.map(|seed| result(&[("seed", seed)]).0);
    for (k, result) in results.iter().enumerate() {
        assert!(results[..k].iter().all(|other| other != result), "seed {}", seeds[k]);
    }
}

#[test]
fn the_budget_is_exact() {
    let data = made_up_data(70);
    for limit in [1, 2, 63, 64, 65, 127, 1000, 12_345] {
        let text = limit.to_string();
        let mut fronts = Vec::new();
        for threads in ["1", "2", "3"] {
            let pairs = [("evaluations", text.as_str()), ("threads", threads), ("seed", "9")];
            let outcome = run(&data, &pairs);
            assert_eq!(outcome.n_evaluations, limit, "{threads} threads");
            assert_eq!(outcome.stop_reason, StopReason::Evaluations);
            fronts.push(front(&data, &outcome));
        }
        assert!(fronts.iter().all(|front| *front == fronts[0]), "{limit}");
    }
}

/// Runs until so many events were told, then asks the run to stop.
fn interrupted_after(n_events: usize, pairs: Pairs<'_>) -> (Vec<(usize, u64, String)>, u64) {
    let data = made_up_data(70);
    let interrupt = Interrupt::default();
    let run = Run::new(&data, &crate::runs::settings(pairs), interrupt.clone()).unwrap();
    let mut n_seen = 0;
    let outcome = run.finish(&mut |_: &Event<'_>| {
        n_seen += 1;
        if n_seen == n_events {
            interrupt.raise();
        }
    });
    assert_eq!(outcome.stop_reason, StopReason::Interrupted);
    (front(&data, &outcome), outcome.n_evaluations)
}

fn with_budget(n_evaluations: u64, pairs: Pairs<'_>) -> Vec<(usize, u64, String)> {
    let data = made_up_data(70);
    let limit = n_evaluations.to_string();
    let outcome = run(&data, &[pairs, &[("evaluations", &limit)]].concat());
    assert_eq!(outcome.n_evaluations, n_evaluations);
    front(&data, &outcome)
}

#[test]
fn an_interrupted_run_equals_one_with_that_budget() {
    for threads in ["1", "2"] {
        for n_events in [1, 2, 3, 5, 8, 13, 21, 34] {
            let pairs = [("threads", threads), ("seed", "12"), ("height", "4")];
            let (found, n_evaluations) = interrupted_after(n_events, &pairs);
            assert_eq!(with_budget(n_evaluations, &pairs), found, "after {n_events} events");
        }
    }
}

#[test]
fn a_run_interrupted_from_outside_equals_one_with_that_budget() {
    let data = made_up_data(70);
    for (threads, milliseconds) in [("1", 5), ("2", 20), ("3", 60)] {
        let pairs = [("threads", threads), ("seed", "13")];
        let interrupt = Interrupt::default();
        let run = Run::new(&data, &crate::runs::settings(&pairs), interrupt.clone()).unwrap();
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(milliseconds));
                interrupt.raise();
            });
            run.finish(&mut intron::Silent)
        });
        assert_eq!(outcome.stop_reason, StopReason::Interrupted);
        assert!(outcome.n_evaluations > 0);
        assert_eq!(with_budget(outcome.n_evaluations, &pairs), front(&data, &outcome));
    }
}

#[test]
fn steps_one_by_one_equal_a_run_at_once() {
    let data = made_up_data(70);
    let pairs = [("evaluations", "5000"), ("seed", "14")];
    let mut stepped = start(&data, &pairs);
    let mut n_steps = 0;
    let reason = loop {
        n_steps += 1;
        if let Some(reason) = stepped.step(&mut intron::Silent) {
            break reason;
        }
    };
    let whole = run(&data, &pairs);
    assert_eq!(reason, StopReason::Evaluations);
    assert_eq!(n_steps, whole.n_generations);
    assert_eq!(stepped.archive().front(), &whole.front[..]);
    assert_eq!(stepped.step(&mut intron::Silent), Some(StopReason::Evaluations));
}
