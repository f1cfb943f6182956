//! Early rejection changes the speed, not one decision: every population after every generation is the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::runs::{Pairs, dataset, made_up_data, watch};
use intron::{Dataset, Event};

/// A hash of all symbols and fitnesses after every generation.
fn decisions(data: &Dataset, pairs: Pairs<'_>) -> Vec<u64> {
    let mut hashes = Vec::new();
    watch(data, pairs, |event| {
        if let Event::GenerationFinished { solutions, .. } = event {
            let mut hasher = DefaultHasher::new();
            for solution in *solutions {
                solution.genome.hash(&mut hasher);
                solution.fitness.nmse().to_bits().hash(&mut hasher);
            }
            hashes.push(hasher.finish());
        }
    });
    hashes
}

/// A sum that the search finds exactly.
fn solvable_data(n_rows: usize) -> Dataset {
    let column = |step: usize, modulus: usize| -> Vec<f64> {
        (0..n_rows).map(|row| (row * step % modulus) as f64 / modulus as f64).collect()
    };
    let features = vec![column(37, 101), column(53, 89), column(71, 97)];
    let target =
        (0..n_rows).map(|row| features[0][row] + features[1][row] + features[2][row]).collect();
    dataset(features, target)
}

/// The rows that come first, those with the most unusual targets, hardly count.
fn with_tiny_weights(data: &Dataset) -> Dataset {
    let mean = data.target().iter().sum::<f64>() / data.n_rows() as f64;
    let weights = data.target().iter().map(|y| if (y - mean).abs() > 0.5 { 1e-22 } else { 1.0 });
    let weights = weights.collect();
    let (names, features) = (data.names().to_vec(), data.features().to_vec());
    Dataset::new(names, features, data.target().to_vec(), Some(weights)).expect("sound data")
}

/// Compares the fast way with the plain one and with several threads.
fn assert_same_decisions(data: &Dataset) {
    for height in ["3", "5", "7"] {
        for scaling in ["on", "off"] {
            for (seed, operators) in [("1", "small"), ("2", "large")] {
                let common = [
                    ("height", height),
                    ("linear_scaling", scaling),
                    ("seed", seed),
                    ("operators", operators),
                    ("when_solved", "go-on"),
                    ("evaluations", "9001"),
                ];
                let with = |pairs: Pairs<'_>| decisions(data, &[&common, pairs].concat());
                let expected = with(&[("evaluator", "full"), ("early_rejection", "off")]);
                assert!(!expected.is_empty());
                assert_eq!(with(&[]), expected, "{common:?}");
                assert_eq!(with(&[("early_rejection", "off")]), expected, "{common:?}");
                assert_eq!(
                    with(&[("threads", "3"), ("instructions", "portable")]),
                    expected,
                    "{common:?}"
                );
            }
        }
    }
}

#[test]
fn early_rejection_changes_no_decision() {
    assert_same_decisions(&made_up_data(700));
}

#[test]
fn early_rejection_changes_no_decision_where_formulas_are_perfect() {
    assert_same_decisions(&solvable_data(900));
}

#[test]
fn early_rejection_changes_no_decision_where_the_first_rows_hardly_count() {
    assert_same_decisions(&with_tiny_weights(&made_up_data(700)));
    assert_same_decisions(&with_tiny_weights(&solvable_data(700)));
}

#[test]
fn early_rejection_changes_no_decision_where_the_target_varies_little() {
    for (n_rows, spread) in [(65, 1e-11), (65, 1e-13), (130, 1e-12), (200, 1e-13)] {
        let data = made_up_data(n_rows);
        let target = data.target().iter().map(|y| 1.3582 + spread * y).collect();
        assert_same_decisions(&dataset(data.features().to_vec(), target));
    }
}
