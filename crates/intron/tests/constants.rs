//! Constants that change during the search and after it, and the limit on size: laws that hold whatever is found.

mod runs;

use intron::{Event, Outcome, RetirementReason, Solution, score};
use runs::{Pairs, data_without_information, generations, made_up_data, watch};

const ALL_ON: Pairs<'static> = &[
    ("constants.factors", "0.5"),
    ("constants.tuning", "0.5"),
    ("constants.mutation", "0.5"),
    ("constants.weighing", "0.5"),
    ("constants.grafting", "0.5"),
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
fn every_second_population_grafts_and_is_patient() {
    let mut still = [0_u32; 2];
    let mut best = [f64::INFINITY; 2];
    let mut ended = [None; 2];
    let settings: Pairs<'_> = &[
        ("constants.grafting", "1"),
        ("ims.start", "16"),
        ("ims.max_populations", "2"),
        ("ims.factor", "1000"),
        ("height", "3"),
        ("evaluations", "300000"),
        ("seed", "3"),
    ];
    watch(&made_up_data(30), settings, |event| match event {
        Event::PopulationStarted { population, solutions } if *population < 2 => {
            let errors = solutions.iter().map(|s| s.fitness.nmse());
            best[*population] = errors.fold(f64::INFINITY, f64::min);
        }
        Event::GenerationFinished { population, solutions, .. } if *population < 2 => {
            let now = solutions.iter().map(|s| s.fitness.nmse()).fold(f64::INFINITY, f64::min);
            still[*population] = if now < best[*population] { 0 } else { still[*population] + 1 };
            best[*population] = now;
        }
        Event::PopulationRetired { population, reason: RetirementReason::Converged }
            if *population < 2 =>
        {
            ended[*population] = Some(still[*population]);
        }
        _ => {}
    });
    // 1 + ⌊log₁₀ 16⌋ and ten times 1 + ⌊log₁₀ 32⌋.
    assert_eq!(ended, [Some(2), Some(20)]);
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
fn parts_are_put_elsewhere_where_that_pays() {
    // Eight solutions have few symbols for each position, but enough parts to put there.
    let error = |grafting: &'static str, seed: &'static str| {
        let settings: Pairs<'_> = &[
            ("population", "8"),
            ("evaluations", "20000"),
            ("constants.grafting", grafting),
            ("seed", seed),
        ];
        let outcome = watch(&made_up_data(80), settings, |_| {});
        outcome.front.last().unwrap().fitness.nmse()
    };
    for seed in ["1", "2", "3", "4", "5"] {
        let (without, with) = (error("0", seed), error("1", seed));
        assert!(with < without, "{without} without, {with} with");
    }
}

/// Every formula is as good as every other, so that every mutation is kept.
const NEUTRAL: Pairs<'static> = &[
    ("operators", "+,-,*"),
    ("constants.range", "1..2"),
    ("constants.factors", "0.5"),
    ("linkage", "univariate"),
    ("height", "3"),
    ("population", "200"),
    ("convergence", "identical"),
];

/// The constants of a position, factors of features among them.
fn constants_at(position: usize, solutions: &[Solution]) -> Vec<f64> {
    let symbols = solutions.iter().map(|solution| solution.genome.symbols()[position]);
    let constants = symbols.filter_map(|s| s.as_constant().or(s.as_weighted().map(|w| w.1)));
    constants.collect()
}

/// For every constant of the offspring, whether it is active, and how far from all that the parents have at its position.
fn moves(parents: &[Solution], offspring: &[Solution]) -> Vec<(bool, f64)> {
    let mut moves = Vec::new();
    for position in 0..offspring[0].genome.symbols().len() {
        let known = constants_at(position, parents);
        for solution in offspring {
            for value in constants_at(position, std::slice::from_ref(solution)) {
                let apart = known.iter().map(|known| (value / known - 1.0).abs());
                let is_active = solution.active >> position & 1 == 1;
                moves.push((is_active, apart.fold(f64::INFINITY, f64::min)));
            }
        }
    }
    moves
}

fn neutral_generations(more: Pairs<'_>) -> (Vec<Vec<Solution>>, u64) {
    let (populations, outcome) =
        generations(&data_without_information(), &[NEUTRAL, more].concat());
    (populations, outcome.n_evaluations)
}

#[test]
fn each_active_constant_is_mutated_with_the_given_probability() {
    for (p, expected) in [("0.25", 0.25), ("0.5", 0.5), ("1", 1.0)] {
        let (populations, _) =
            neutral_generations(&[("constants.mutation", p), ("generations", "1")]);
        let moves = moves(&populations[0], &populations[1]);
        assert!(moves.iter().all(|&(is_active, apart)| is_active || apart == 0.0), "introns stay");
        let active: Vec<f64> = moves.iter().filter(|m| m.0).map(|m| m.1).collect();
        let share =
            active.iter().filter(|&&apart| apart > 0.0).count() as f64 / active.len() as f64;
        assert!(active.len() > 300 && (share - expected).abs() < 0.08, "{p}: {share}");
    }
}

#[test]
fn a_mutation_costs_one_evaluation_after_mixing_and_none_within_it() {
    let count = |more: Pairs<'_>| neutral_generations(&[more, &[("generations", "1")]].concat());
    let (plain, n_plain) = count(&[]);
    let has_constant = |solution: &&Solution| {
        let alone = std::slice::from_ref(*solution);
        let active = (0..7).filter(|position| solution.active >> position & 1 == 1);
        active.map(|position| constants_at(position, alone).len()).sum::<usize>() > 0
    };
    let n_mutable = plain[1].iter().filter(has_constant).count() as u64;
    let place =
        |place| count(&[("constants.mutation", "1"), ("constants.mutation_place", place)]).1;
    assert!(n_mutable > 50);
    assert_eq!(place("after"), n_plain + n_mutable);
    let n_subsets = 7;
    assert!(place("within") <= 200 + 200 * n_subsets, "{}", place("within"));
    assert!(place("interleaved") > n_plain + 3 * n_mutable, "{}", place("interleaved"));
}

#[test]
fn mutations_become_smaller_while_the_best_stands_still() {
    let farthest = |decay: &str| -> Vec<f64> {
        let (populations, _) = neutral_generations(&[
            ("constants.mutation", "1"),
            ("constants.mutation_decay", decay),
            ("constants.mutation_patience", "2"),
            ("generations", "5"),
        ]);
        let apart = |pair: &[Vec<Solution>]| {
            moves(&pair[0], &pair[1]).iter().map(|m| m.1).fold(0.0, f64::max)
        };
        populations.windows(2).map(apart).collect()
    };
    // Singles have seven digits, so the factors of features do not move much less than that.
    for (apart, least) in farthest("1e-2").into_iter().zip([1e-2, 1e-2, 1e-4, 1e-4, 1e-6]) {
        assert!((least..100.0 * least).contains(&apart), "{apart} is not about {least}");
    }
    assert!(farthest("1").into_iter().all(|apart| apart > 1e-2));
}

#[test]
fn each_place_takes_a_course_of_its_own_and_the_budget_is_exact() {
    let data = made_up_data(80);
    let places = ["after", "interleaved", "within"];
    let run = |p: &str, place: &str, evaluations: &str| {
        let pairs = [
            ("constants.mutation", p),
            ("constants.mutation_place", place),
            ("evaluations", evaluations),
            ("seed", "3"),
        ];
        let outcome = watch(&data, &pairs, |_| {});
        assert_eq!(outcome.n_evaluations.to_string(), evaluations, "{place}");
        outcome.front
    };
    let off = run("0", "after", "20000");
    let fronts = places.map(|place| run("0.5", place, "20000"));
    for (k, place) in places.into_iter().enumerate() {
        assert_eq!(run("0", place, "20000"), off, "{place} without mutation");
        assert!(fronts[k] != off && fronts[..k].iter().all(|other| *other != fronts[k]), "{place}");
        for limit in ["1", "64", "65", "777", "5001"] {
            run("1", place, limit);
        }
    }
}
