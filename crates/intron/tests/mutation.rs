//! Coefficient mutation: which constants move, how far, when, and what it costs.

mod runs;

use intron::Solution;
use runs::{Pairs, data_without_information, generations, made_up_data, watch};

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
