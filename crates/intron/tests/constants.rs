//! Constants that change during the search and after it, and the limit on size: laws that hold whatever is found.

mod runs;

use intron::{Event, Outcome, Solution, score};
use runs::{Pairs, made_up_data, watch};

const ALL_ON: Pairs<'static> = &[
    ("constants.factors", "0.5"),
    ("constants.tuning", "0.5"),
    ("constants.mutation", "0.5"),
    ("constants.weighing", "0.5"),
    ("constants.grafting", "0.5"),
    ("constants.pruning", "0.5"),
    ("constants.new_parts", "0.5"),
    ("polish", "on"),
    ("height", "5"),
    ("max_size", "13"),
    ("seed", "5"),
];

fn run(more: Pairs<'_>) -> Outcome {
    watch(&made_up_data(80), &[ALL_ON, more].concat(), |_| {})
}

#[test]
fn the_budget_is_exact_where_constants_are_tuned() {
    for limit in ["1", "63", "64", "65", "1000", "4567", "20000"] {
        let outcome = run(&[("evaluations", limit)]);
        assert_eq!(outcome.n_evaluations.to_string(), limit);
    }
}

#[test]
fn tuned_searches_are_the_same_for_any_number_of_threads_and_either_evaluator() {
    let fronts = [
        run(&[("evaluations", "20000"), ("threads", "1")]),
        run(&[("evaluations", "20000"), ("threads", "2")]),
        run(&[("evaluations", "20000"), ("threads", "3"), ("evaluator", "full")]),
        run(&[("evaluations", "20000"), ("threads", "1"), ("instructions", "portable")]),
        run(&[("evaluations", "20000"), ("threads", "1"), ("early_rejection", "off")]),
    ];
    for other in &fronts[1..] {
        assert_eq!(fronts[0].front, other.front);
        assert_eq!(fronts[0].n_polish_evaluations, other.n_polish_evaluations);
    }
}

#[test]
fn features_get_factors_where_that_pays() {
    let a: Vec<f64> = (0..80).map(|row| 0.5 + f64::from(row * 37 % 80) * 0.05).collect();
    let target = a.iter().map(|a| (1.2 * a).sin()).collect();
    let data = runs::dataset(vec![a], target);
    let settings: Pairs<'_> = &[
        ("constants.range", "100..101"),
        ("height", "3"),
        ("evaluations", "20000"),
        ("seed", "1"),
    ];
    let error = |weighing: &'static str| {
        let outcome =
            watch(&data, &[settings, &[("constants.weighing", weighing)]].concat(), |_| {});
        outcome.front.last().unwrap().fitness.nmse()
    };
    let (without, with) = (error("0"), error("1"));
    assert!(without > 1e-3 && with < 1e-12, "{without} without, {with} with");
}

#[test]
fn no_formula_is_larger_than_the_limit() {
    let mut n_seen = 0;
    let pairs =
        [ALL_ON, &[("evaluations", "20000"), ("linkage", "cs"), ("simplify", "on")]].concat();
    let outcome = watch(&made_up_data(80), &pairs, |event| {
        if let Event::GenerationFinished { solutions, .. } = event {
            n_seen += solutions.len();
            assert!(solutions.iter().all(|s| s.size() <= 13 || !s.fitness.is_valid()));
        }
    });
    assert!(n_seen > 0 && outcome.front.iter().all(|model| model.size <= 13));
}

#[test]
fn short_forms_stay_within_the_limit_on_size() {
    for seed in 1..=60 {
        let seed = seed.to_string();
        let settings: Pairs<'_> = &[
            ("operators", "large"),
            ("simplify", "on"),
            ("evaluations", "2000"),
            ("max_size", "7"),
            ("seed", &seed),
        ];
        let outcome = watch(&made_up_data(80), settings, |_| {});
        assert!(outcome.front.iter().all(|model| model.size <= 7), "seed {seed}");
    }
}

#[test]
fn no_solution_uses_more_positions_than_the_limit_and_factors_need_none() {
    let (mut n_seen, mut n_large) = (0, 0);
    let pairs = [ALL_ON, &[("evaluations", "20000"), ("max_size", "none"), ("max_positions", "7")]];
    watch(&made_up_data(80), &pairs.concat(), |event| {
        if let Event::GenerationFinished { solutions, .. } = event {
            for solution in solutions.iter().filter(|solution| solution.fitness.is_valid()) {
                assert!(solution.active.count_ones() <= 7);
                n_large += usize::from(solution.size() > 7);
            }
            n_seen += solutions.len();
        }
    });
    assert!(n_seen > 0 && n_large > 0);
}

#[test]
fn constants_are_drawn_as_large_as_the_features() {
    let a: Vec<f64> = (0..50).map(|row| 1e6 + f64::from(row)).collect();
    let b: Vec<f64> = (0..50).map(|row| 1e-6 * f64::from(row * 7 % 50 + 1)).collect();
    let target = a.iter().zip(&b).map(|(a, b)| a * b).collect();
    let data = runs::dataset(vec![a, b, vec![0.0; 50]], target);
    let mut constants: Vec<f64> = Vec::new();
    let settings: Pairs<'_> =
        &[("constants.range", "data"), ("population", "2000"), ("evaluations", "2000")];
    watch(&data, settings, |event| {
        if let Event::PopulationStarted { solutions, .. } = event {
            let symbols = solutions.iter().flat_map(|solution| solution.genome.symbols());
            constants.extend(symbols.filter_map(|symbol| symbol.as_constant()).map(f64::abs));
        }
    });
    let share = |low: f64, high: f64| {
        let n_there = constants.iter().filter(|size| (low..high).contains(*size)).count();
        n_there as f64 / constants.len() as f64
    };
    // Half between 0 and 5, a quarter for each feature that is not nothing.
    assert!((0.4..0.6).contains(&share(1e-3, 5.0)), "{}", share(1e-3, 5.0));
    assert!((0.2..0.3).contains(&share(0.0, 5e-4)), "{}", share(0.0, 5e-4));
    assert!((0.2..0.3).contains(&share(5.0, 1.1e7)), "{}", share(5.0, 1.1e7));
    assert!(share(0.0, 1.1e7) == 1.0);
}

#[test]
fn multiples_of_pi_and_thirds_stay_what_they_are() {
    let x: Vec<f64> = (0..60).map(|row| 0.5 + f64::from(row) * 0.05).collect();
    let z: Vec<f64> = (0..60).map(|row| f64::from(row * 17 % 60) * 0.1 - 3.0).collect();
    let rows = || x.iter().zip(&z);
    let third = std::f64::consts::PI / 3.0;
    for (target, constant) in [
        (rows().map(|(x, _)| third * x * x).collect::<Vec<_>>(), third),
        (rows().map(|(x, z)| 5.0 + 2.0 / 3.0 * x * z).collect(), 2.0 / 3.0),
    ] {
        let data = runs::dataset(vec![x.clone(), z.clone()], target);
        let settings: Pairs<'_> =
            &[("polish", "on"), ("simplify", "on"), ("evaluations", "20000"), ("seed", "1")];
        let outcome = watch(&data, settings, |_| {});
        let formula = &outcome.front.last().unwrap().formula;
        let constants: Vec<f64> =
            formula.nodes().iter().filter_map(|node| node.symbol.as_constant()).collect();
        assert!(constants.contains(&constant), "{constants:?}");
    }
}

#[test]
fn the_polish_makes_no_formula_worse_and_is_scored_as_printed() {
    let data = made_up_data(80);
    let before = run(&[("evaluations", "5000"), ("polish", "off")]);
    let after = run(&[("evaluations", "5000")]);
    assert_eq!(before.n_polish_evaluations, 0);
    assert!(after.n_polish_evaluations > 0);
    for old in &before.front {
        let best = after.front.iter().filter(|new| new.size <= old.size);
        let best = best.map(|new| new.fitness.nmse()).fold(f64::INFINITY, f64::min);
        assert!(best <= old.fitness.nmse() * (1.0 + 1e-9));
    }
    for model in &after.front {
        let again = score(&data, &model.predict(data.features(), data.n_rows())).fitness;
        assert!(
            (again.nmse() - model.fitness.nmse()).abs() <= 1e-12 * model.fitness.nmse().max(1e-6)
        );
    }
}

#[test]
fn tuning_pays_where_constants_matter() {
    let paper = run(&[
        ("evaluations", "20000"),
        ("constants.factors", "0"),
        ("constants.tuning", "0"),
        ("constants.mutation", "0"),
        ("constants.weighing", "0"),
        ("constants.grafting", "0"),
        ("polish", "off"),
    ]);
    let tuned = run(&[("evaluations", "20000")]);
    let error = |outcome: &Outcome| outcome.front.last().unwrap().fitness.nmse();
    assert!(error(&tuned) < error(&paper), "{} {}", error(&tuned), error(&paper));
}

#[test]
fn a_choice_by_validation_is_made_on_rows_of_its_own() {
    let outcome = run(&[("evaluations", "5000"), ("select", "validation")]);
    assert!(outcome.chosen.is_some_and(|place| place < outcome.front.len()));
    let accuracy = run(&[("evaluations", "5000"), ("select", "accuracy")]);
    assert_eq!(accuracy.chosen, Some(accuracy.front.len() - 1));
    assert_ne!(accuracy.front, outcome.front, "the search does not see the validation rows");
}

#[test]
fn where_constants_are_off_the_polish_makes_none_that_fit() {
    let a: Vec<f64> = (0..80).map(|row| 0.5 + f64::from(row * 37 % 80) * 0.05).collect();
    let b: Vec<f64> = (0..80).map(|row| 0.5 + f64::from(row * 17 % 80) * 0.05).collect();
    let target = a.iter().zip(&b).map(|(a, b)| a / (b + 0.7 * a)).collect();
    let data = runs::dataset(vec![a, b], target);
    let settings: Pairs<'_> =
        &[("constants.range", "off"), ("operators", "+,-,*,/"), ("evaluations", "20000")];
    let error = |polish: &'static str| {
        let more = [("polish", polish), ("simplify", polish)];
        let outcome = watch(&data, &[settings, &more].concat(), |_| {});
        outcome.front.last().unwrap().fitness.nmse()
    };
    let (found, polished) = (error("off"), error("on"));
    // With 0.7 for what the search could only come near to, the error would be none.
    assert!(found > 1e-9 && polished > found * (1.0 - 1e-6), "{found} found, {polished} polished");
}

#[test]
fn no_solution_gets_worse_wherever_the_budget_ends_while_parts_are_pruned() {
    for limit in (16..4000).step_by(53) {
        let limit = limit.to_string();
        let more: Pairs<'_> = &[
            ("population", "16"),
            ("constants.grafting", "1"),
            ("constants.pruning", "1"),
            ("evaluations", &limit),
        ];
        let mut before: Vec<f64> = Vec::new();
        let errors = |solutions: &[Solution]| solutions.iter().map(|s| s.fitness.nmse()).collect();
        watch(&made_up_data(80), &[ALL_ON, more].concat(), |event| match event {
            Event::PopulationStarted { solutions, .. } => before = errors(solutions),
            Event::GenerationFinished { solutions, .. } => {
                let now: Vec<f64> = errors(solutions);
                assert!(now.iter().zip(&before).all(|(now, before)| now <= before), "{limit}");
                before = now;
            }
            _ => {}
        });
        assert_eq!(before.len(), 16);
    }
}
