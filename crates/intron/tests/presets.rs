//! The preset for people: what it finds, on data from known formulas.

mod runs;

use intron::{Dataset, FeatureNames, Interrupt, Outcome, Run, Seed, Settings, Silent};
use runs::dataset;

fn columns(n_rows: usize) -> Vec<Vec<f64>> {
    let column = |step: usize, modulus: usize| -> Vec<f64> {
        (0..n_rows).map(|row| 1.0 + 4.0 * (row * step % modulus) as f64 / modulus as f64).collect()
    };
    vec![column(37, 101), column(53, 89), column(71, 97)]
}

fn made(of: impl Fn(f64, f64, f64) -> f64, noise: f64) -> Dataset {
    let features = columns(200);
    let target = (0..200)
        .map(|row| {
            let disturbance = noise * ((row * 29 % 83) as f64 / 41.0 - 1.0);
            of(features[0][row], features[1][row], features[2][row]) + disturbance
        })
        .collect();
    dataset(features, target)
}

fn search(data: &Dataset, evaluations: u64) -> Outcome {
    let mut settings = Settings { seed: Seed(1), threads: 1, ..Settings::recommended() };
    settings.limits.evaluations = Some(evaluations);
    let settings = settings.validate().unwrap();
    Run::new(data, &settings, Interrupt::default()).unwrap().finish(&mut Silent)
}

fn chosen(outcome: &Outcome) -> String {
    let names = FeatureNames::new(&["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    outcome.front[outcome.chosen.unwrap()].formula.to_text(&names)
}

#[test]
fn the_true_formula_is_chosen_and_written_as_one_would_write_it() {
    for noise in [0.0, 0.01] {
        let found = chosen(&search(&made(|a, b, _| 2.5 * a / b + 3.0, noise), 30_000));
        assert_eq!(found, "3 + 2.5 * a / b", "noise {noise}");
        let found = chosen(&search(&made(|a, b, c| a * b - 2.0 * c, noise), 30_000));
        assert_eq!(found, "a * b - 2 * c", "noise {noise}");
    }
}

#[test]
fn constants_inside_functions_are_found() {
    let outcome = search(&made(|a, _, _| (0.7 * a).sin() + 0.25, 0.0), 50_000);
    let best = outcome.front.last().unwrap();
    assert!(best.fitness.nmse() < 1e-15, "{}", chosen(&outcome));
}

#[test]
fn every_formula_of_the_front_is_scored_as_printed() {
    let data = made(|a, b, c| a * a / b + c.sqrt(), 0.1);
    let outcome = search(&data, 30_000);
    for pair in outcome.front.windows(2) {
        assert!(pair[0].size < pair[1].size);
        assert!(pair[1].fitness.is_better_than(pair[0].fitness));
    }
    for model in &outcome.front {
        let predictions = model.predict(data.features(), data.n_rows());
        let again = intron::score(&data, &predictions).fitness.nmse();
        assert!((again - model.fitness.nmse()).abs() <= 1e-9 * again);
    }
}
