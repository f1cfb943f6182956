//! Parts that are put elsewhere, taken away, or drawn anew: where that pays, and in which populations.

mod runs;

use intron::{Event, RetirementReason};
use runs::{Pairs, made_up_data, watch};

/// Over eight seeds, the errors with something add up to less than those without it.
fn assert_smaller_with(errors: impl Fn(&'static str) -> [f64; 2]) {
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let found: Vec<[f64; 2]> = seeds.iter().map(|seed| errors(seed)).collect();
    let [without, with] = [0, 1].map(|k| found.iter().map(|pair| pair[k]).sum::<f64>());
    assert!(with < without, "{without} without, {with} with");
}

#[test]
fn populations_that_graft_stand_beside_those_that_do_not_and_are_patient() {
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
    // 1 + ⌊log₁₀ 16⌋ and ten times as many.
    assert_eq!(ended, [Some(2), Some(20)]);
}

#[test]
fn larger_populations_wait_three_times_as_long_where_parts_are_grafted() {
    let settings: Pairs<'_> = &[
        ("constants.grafting", "1"),
        ("ims.start", "16"),
        ("ims.factor", "4"),
        ("height", "5"),
        ("evaluations", "30000"),
    ];
    let mut n_generations = [0; 2];
    let mut waited = [None; 2];
    watch(&made_up_data(80), settings, |event| match event {
        Event::GenerationFinished { population, .. } if *population < 2 => {
            n_generations[*population] += 1;
        }
        // The second populations of the two multistarts.
        Event::PopulationStarted { population: population @ (2 | 3), .. } => {
            waited[population - 2] = Some(n_generations[population - 2]);
        }
        _ => {}
    });
    assert_eq!(waited, [Some(4), Some(12)]);
}

#[test]
fn three_of_four_evaluations_are_for_grafting_and_factors_are_there_only() {
    let mut n_evaluations = [0_u64; 2];
    let (mut so_far, mut largest_step) = (0, 0);
    let mut has_factors = [false; 2];
    let settings: Pairs<'_> = &[
        ("constants.grafting", "1"),
        ("constants.factors", "0.5"),
        ("height", "4"),
        ("evaluations", "100000"),
        ("seed", "3"),
    ];
    watch(&made_up_data(30), settings, |event| match event {
        Event::PopulationStarted { population, solutions } => {
            let symbols = solutions.iter().flat_map(|solution| solution.genome.symbols());
            has_factors[population % 2] |=
                symbols.into_iter().any(|symbol| symbol.as_weighted().is_some());
        }
        Event::GenerationFinished { population, n_evaluations: now, .. } => {
            n_evaluations[population % 2] += now - so_far;
            largest_step = largest_step.max(now - so_far);
            so_far = *now;
        }
        _ => {}
    });
    assert_eq!(has_factors, [false, true]);
    let apart = (3 * n_evaluations[0]).abs_diff(n_evaluations[1]);
    assert!(n_evaluations[0] > 0 && apart <= 3 * largest_step, "{n_evaluations:?}");
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

#[test]
fn parts_are_pruned_and_regrown_where_formulas_may_grow_no_more() {
    let error = |pruning: &'static str, seed: &'static str| {
        let settings: Pairs<'_> = &[
            ("population", "16"),
            ("height", "5"),
            ("max_positions", "9"),
            ("evaluations", "30000"),
            ("constants.range", "-5..5"),
            ("constants.factors", "0.5"),
            ("constants.weighing", "0.5"),
            ("constants.grafting", "1"),
            ("constants.pruning", pruning),
            ("seed", seed),
        ];
        let mut best = f64::INFINITY;
        let outcome = watch(&made_up_data(80), settings, |event| {
            if let Event::GenerationFinished { solutions, .. } = event {
                let now = solutions.iter().map(|s| s.fitness.nmse()).fold(f64::INFINITY, f64::min);
                assert!(
                    now <= best,
                    "what is pruned comes back or is replaced by what is not worse"
                );
                best = now;
                let valid = solutions.iter().filter(|solution| solution.fitness.is_valid());
                assert!(valid.into_iter().all(|solution| solution.active.count_ones() <= 9));
            }
        });
        outcome.front.last().unwrap().fitness.nmse().ln()
    };
    assert_smaller_with(|seed| [error("0", seed), error("1", seed)]);
}

#[test]
fn new_parts_help_where_a_population_has_converged() {
    let error = |new_parts: &'static str, seed: &'static str| {
        let settings: Pairs<'_> = &[
            ("population", "8"),
            ("height", "5"),
            ("max_positions", "11"),
            ("evaluations", "30000"),
            ("constants.range", "-5..5"),
            ("constants.factors", "0.5"),
            ("constants.grafting", "1"),
            ("constants.new_parts", new_parts),
            ("convergence", "identical"),
            ("seed", seed),
        ];
        let outcome = watch(&made_up_data(80), settings, |_| {});
        outcome.front.last().unwrap().fitness.nmse().ln()
    };
    assert_smaller_with(|seed| [error("0", seed), error("0.25", seed)]);
}
