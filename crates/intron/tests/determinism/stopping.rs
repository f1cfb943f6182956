//! A run stops for the right reason, and each reason stops it in time.

use crate::runs::{dataset, made_up_data, run, settings, watch};
use intron::{Event, Interrupt, Run, StopReason};

#[test]
fn generations_of_all_populations_are_counted() {
    for limit in [1, 2, 23] {
        let mut n_finished = 0;
        let text = limit.to_string();
        let outcome = watch(&made_up_data(30), &[("generations", &text)], |event| {
            n_finished += u64::from(matches!(event, Event::GenerationFinished { .. }));
        });
        assert_eq!(outcome.stop_reason, StopReason::Generations);
        assert_eq!((outcome.n_generations, n_finished), (limit, limit));
    }
}

#[test]
fn the_target_stops_a_run_at_once() {
    let data = made_up_data(30);
    let mut improvements = Vec::new();
    let outcome = watch(&data, &[("target_r2", "0.8"), ("evaluations", "1e6")], |event| {
        if let Event::BestImproved { model, n_evaluations, .. } = event {
            improvements.push((model.fitness.r2(), *n_evaluations));
        }
    });
    assert_eq!(outcome.stop_reason, StopReason::TargetR2);
    let (&(last, at), earlier) = improvements.split_last().unwrap();
    assert!(last >= 0.8 && at == outcome.n_evaluations);
    assert!(!earlier.is_empty() && earlier.iter().all(|&(r2, _)| r2 < 0.8));
}

#[test]
fn time_stops_a_run() {
    let outcome = run(&made_up_data(200), &[("time", "0.2")]);
    assert_eq!(outcome.stop_reason, StopReason::Time);
    assert!((0.2..2.0).contains(&outcome.elapsed_seconds), "{}", outcome.elapsed_seconds);
    assert!(outcome.n_evaluations > 1000 && !outcome.front.is_empty());
}

#[test]
fn a_run_that_is_interrupted_before_it_starts_evaluates_nothing() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    let run = Run::new(&made_up_data(30), &settings(&[]), interrupt).unwrap();
    let outcome = run.finish(&mut intron::Silent);
    assert_eq!(outcome.stop_reason, StopReason::Interrupted);
    assert!(outcome.n_evaluations == 0 && outcome.front.is_empty());
}

#[test]
fn an_interrupt_before_linkage_is_learned_keeps_what_was_found() {
    for linkage in ["mi", "mi-masked", "mi-adjusted", "node", "univariate"] {
        let interrupt = Interrupt::default();
        let settings = settings(&[("population", "3000"), ("linkage", linkage)]);
        let mut run = Run::new(&made_up_data(30), &settings, interrupt.clone()).unwrap();
        let stop = run.step(&mut |event: &Event<'_>| match event {
            Event::PopulationStarted { .. } => interrupt.raise(),
            Event::LinkageLearned { .. } => panic!("nobody wants it any more"),
            _ => {}
        });
        assert_eq!(stop, Some(StopReason::Interrupted));
        let outcome = run.outcome().unwrap();
        assert_eq!((outcome.n_evaluations, outcome.n_generations), (3000, 0));
        // The same again by its number of evaluations.
        let pairs = [("population", "3000"), ("linkage", linkage), ("evaluations", "3000")];
        let again = crate::runs::run(&made_up_data(30), &pairs);
        assert_eq!(again.front, outcome.front);
    }
}

#[test]
fn learning_linkage_and_making_a_population_end_when_they_are_halted() {
    use intron::{Halt, Linkage, LinkageModel, MeasureContext, Seed, StreamName};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    let mut solutions = Vec::new();
    watch(&made_up_data(30), &[("population", "100"), ("generations", "1")], |event| {
        if let Event::PopulationStarted { solutions: initial, .. } = event {
            solutions = initial.to_vec();
        }
    });
    let template = settings(&[]).template().clone();
    for name in ["mi", "mi-masked", "mi-adjusted"] {
        let n_asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&n_asked);
        let halt = Halt::when(move || counter.fetch_add(1, Relaxed) >= 2);
        let context =
            MeasureContext { template: template.clone(), bins: (25, Default::default()), halt };
        let linkage = Linkage::from_name(name).unwrap();
        let mut model = LinkageModel::new(&linkage, &solutions, context);
        let stream = StreamName::Linkage { population: 0, generation: 0 };
        model.learn(&solutions, &mut Seed(0).stream(stream));
        assert!(n_asked.load(Relaxed) <= 4, "{name} asks no more");
    }
    let outcome = run(&made_up_data(30), &[("population", "100000"), ("time", "1e-9")]);
    assert_eq!((outcome.stop_reason, outcome.n_evaluations), (StopReason::Time, 0));
}

#[test]
fn a_single_population_converges() {
    // 1 + ⌊log₁₀ 100⌋
    assert_convergence("0", 3);
    // Where parts are grafted it waits ten times as long.
    assert_convergence("1", 30);
}

fn assert_convergence(grafting: &'static str, n_generations: u32) {
    let mut generations_without_improvement = 0;
    let mut best = f64::INFINITY;
    let grafting = ("constants.grafting", grafting);
    let pairs = [("population", "100"), ("height", "3"), ("seed", "2"), grafting];
    let outcome = watch(&made_up_data(30), &pairs, |event| match event {
        Event::PopulationStarted { solutions, .. } => {
            best = solutions.iter().map(|s| s.fitness.nmse()).fold(f64::INFINITY, f64::min);
        }
        Event::GenerationFinished { solutions, .. } => {
            let now = solutions.iter().map(|s| s.fitness.nmse()).fold(f64::INFINITY, f64::min);
            assert!(
                generations_without_improvement < n_generations,
                "it has converged and goes on"
            );
            generations_without_improvement =
                if now < best { 0 } else { generations_without_improvement + 1 };
            best = now;
        }
        _ => {}
    });
    assert_eq!(outcome.stop_reason, StopReason::Converged);
    assert_eq!(generations_without_improvement, n_generations, "{grafting:?}");
}

#[test]
fn a_population_whose_solutions_have_nothing_to_try_on_each_other_ends_under_every_rule() {
    // Two solutions that differ, and whatever one could copy from the other is too large for it.
    let is_over = |seed: u64| {
        let seed = seed.to_string();
        let pairs: crate::runs::Pairs<'_> = &[
            ("population", "2"),
            ("height", "4"),
            ("max_size", "3"),
            ("operators", "large"),
            ("linkage", "univariate"),
            ("convergence", "identical"),
            ("evaluations", "3000"),
            ("seed", &seed),
        ];
        let mut is_different = false;
        let outcome = watch(&made_up_data(30), pairs, |event| {
            if let Event::GenerationFinished { solutions, .. } = event {
                is_different = !solutions[0].has_same_active_part(&solutions[1]);
            }
        });
        is_different && outcome.stop_reason == StopReason::Converged
    };
    assert!((0..200).any(is_over));
}

#[test]
fn a_search_whose_initial_solutions_are_all_too_large_ends() {
    for convergence in ["no-improvement", "no-improvement-nor-evaluation", "identical"] {
        for grafting in ["0", "1"] {
            let pairs: crate::runs::Pairs<'_> = &[
                ("height", "4"),
                ("operators", "+,*"),
                ("init.grow", "0"),
                ("max_size", "3"),
                ("convergence", convergence),
                ("constants.grafting", grafting),
                ("evaluations", "1000"),
                ("ims.start", "8"),
            ];
            let outcome = run(&made_up_data(30), pairs);
            assert_eq!(outcome.stop_reason, StopReason::Converged, "{convergence} {grafting}");
            assert!(outcome.n_evaluations == 0 && outcome.front.is_empty());
        }
    }
}

#[test]
fn a_solved_run_looks_for_a_smaller_formula_and_stops() {
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    let y = x.iter().map(|x| x * x + x).collect();
    let data = dataset(vec![x], y);
    let mut solved_at = None;
    let pairs = [("linear_scaling", "off"), ("constants.range", "off"), ("operators", "+,*")];
    let outcome = watch(&data, &pairs, |event| {
        if let Event::BestImproved { model, n_evaluations, .. } = event
            && model.fitness.is_perfect()
        {
            solved_at.get_or_insert(*n_evaluations);
        }
    });
    assert_eq!(outcome.stop_reason, StopReason::Solved);
    assert_eq!(outcome.n_evaluations, solved_at.unwrap() + 100_000);
    assert_eq!(outcome.front.last().unwrap().size, 5);
    let pairs = [&pairs[..], &[("when_solved", "go-on"), ("evaluations", "200001")]].concat();
    assert_eq!(run(&data, &pairs).n_evaluations, 200_001);
}

/// Sizes of the populations that were started, and the sizes that would have been too large.
fn sizes(pairs: crate::runs::Pairs<'_>) -> (Vec<usize>, Vec<usize>) {
    let (mut started, mut refused) = (Vec::new(), Vec::new());
    let outcome = watch(&made_up_data(30), pairs, |event| match event {
        Event::PopulationStarted { solutions, .. } => started.push(solutions.len()),
        Event::MemoryLimitReached { n_solutions } => refused.push(*n_solutions),
        _ => {}
    });
    assert_eq!(outcome.stop_reason, StopReason::Evaluations);
    assert_eq!(outcome.n_evaluations, 30_000);
    (started, refused)
}

#[test]
fn the_memory_limit_stops_the_growth_and_not_the_run() {
    let pairs = [("height", "3"), ("ims.factor", "2"), ("evaluations", "30000"), ("seed", "3")];
    let (started, refused) = sizes(&pairs);
    assert!(started.iter().any(|&n| n > 128) && refused.is_empty(), "{started:?}");
    // 64 and 128 solutions of 7 positions take 19 and 39 kB, 256 take 78 kB.
    let (started, refused) = sizes(&[&pairs[..], &[("memory_limit", "80kB")]].concat());
    assert!(started.len() >= 2 && started.iter().all(|&n| n <= 128), "{started:?}");
    assert_eq!(refused, [256]);
}

#[test]
fn the_memory_limit_is_told_also_where_every_population_has_converged() {
    let pairs = [
        ("height", "3"),
        ("ims.factor", "1000"),
        ("evaluations", "30000"),
        ("memory_limit", "20kB"),
    ];
    let (started, refused) = sizes(&pairs);
    assert!(started.len() >= 2 && started.iter().all(|&n| n == 64), "{started:?}");
    assert_eq!(refused, [128]);
}
