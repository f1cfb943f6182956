//! Whole runs and what can be trusted: intervals hold what they promise, noise looks like noise, and safety is examined where it
//! is asked for.

mod runs;

use intron::{
    Dataset, Interrupt, NullFronts, Outcome, Seed, Silent, Stream, StreamName, ValidSettings,
    half_widths, hold_out, interval_levels, null_run,
};
use runs::{dataset, made_up_data, run, settings};

/// Rows of a formula with noise.
fn noisy(n_rows: usize, noise: f64, stream: &mut Stream) -> Dataset {
    let column = |stream: &mut Stream| -> Vec<f64> { (0..n_rows).map(|_| stream.unit()).collect() };
    let (a, b) = (column(stream), column(stream));
    let target = (0..n_rows).map(|row| a[row] * b[row] + noise * stream.normal()).collect();
    dataset(vec![a, b], target)
}

#[test]
fn intervals_hold_new_rows_as_often_as_they_promise() {
    const N_FITS: u64 = 150;
    const N_NEW: usize = 40;
    let place = interval_levels().iter().position(|&level| level == 0.9).unwrap();
    let mut n_covered = 0;
    for seed in 0..N_FITS {
        let stream = &mut Seed(seed).stream(StreamName::Bootstrap);
        let known = noisy(76, 0.2, stream);
        let split = hold_out(&known, 0.25, Seed(seed)).unwrap();
        let (train, test) = (known.rows(&split.train), known.rows(&split.test));
        assert_eq!(test.n_rows(), 19);
        let outcome = run(&train, &[("evaluations", "300"), ("height", "3")]);
        let model = &outcome.front[outcome.chosen.unwrap()];
        let predictions = model.predict(test.features(), test.n_rows());
        let width = half_widths(test.target(), &predictions, None)[place];
        let new = noisy(N_NEW, 0.2, stream);
        let predictions = model.predict(new.features(), N_NEW);
        let is_covered = |row: &usize| (new.target()[*row] - predictions[*row]).abs() <= width;
        n_covered += (0..N_NEW).filter(is_covered).count();
    }
    // Of 19 rows the 18th: 0.9 exactly. Fits differ by a standard deviation of sqrt(0.9 · 0.1 / 21), so their mean by 0.0065.
    let share = n_covered as f64 / (N_FITS as usize * N_NEW) as f64;
    assert!((share - 0.9).abs() < 4.0 * 0.0065, "{share}");
}

fn null_fronts(data: &Dataset, settings: &ValidSettings, n: u64, evaluations: u64) -> NullFronts {
    let mut fronts = NullFronts::default();
    for repetition in 0..n {
        let run = null_run(data, settings, evaluations, repetition, Interrupt::default()).unwrap();
        let outcome = run.finish(&mut Silent);
        assert_eq!(outcome.n_evaluations, evaluations);
        fronts.add(&outcome);
    }
    fronts
}

fn p_of_chosen(data: &Dataset, outcome: &Outcome, settings: &ValidSettings) -> f64 {
    let fronts = null_fronts(data, settings, 9, outcome.n_evaluations);
    fronts.p_value(outcome.candidates[outcome.chosen.unwrap()].mdl)
}

#[test]
fn a_formula_in_the_data_is_told_from_noise() {
    let pairs = [("evaluations", "3000"), ("height", "3"), ("seed", "4")];
    let stream = &mut Seed(1).stream(StreamName::Bootstrap);
    let real = noisy(60, 0.05, stream);
    assert_eq!(p_of_chosen(&real, &run(&real, &pairs), &settings(&pairs)), 0.1);
}

#[test]
fn without_a_formula_to_find_small_p_values_are_no_more_frequent_than_they_say() {
    const N_TABLES: usize = 60;
    // The most accurate formula, whose size comes from the data: large fronts of noise alone.
    let pairs = [
        ("evaluations", "1500"),
        ("height", "4"),
        ("seed", "4"),
        ("select", "accuracy"),
        ("simplify", "on"),
    ];
    let stream = &mut Seed(2).stream(StreamName::Bootstrap);
    let (mut n_chosen, mut n_any) = (0, 0);
    for _ in 0..N_TABLES {
        let noise = noisy(40, 1e6, stream);
        let outcome = run(&noise, &pairs);
        let fronts = null_fronts(&noise, &settings(&pairs), 9, outcome.n_evaluations);
        let p = |place: usize| fronts.p_value(outcome.candidates[place].mdl);
        n_chosen += usize::from(p(outcome.chosen.unwrap()) <= 0.2);
        n_any += usize::from((0..outcome.front.len()).any(|place| p(place) <= 0.2));
    }
    // Of 60 tables 12, and 9.3 more three standard deviations above.
    assert!(n_chosen <= 21 && n_any <= 21, "{n_chosen} {n_any}");
    assert!(n_any >= 3, "{n_any}: the smallest of ten is drawn now and then");
}

#[test]
fn searches_on_shuffled_targets_depend_on_neither_threads_nor_the_order_of_rows() {
    let data = made_up_data(60);
    let backwards = data.rows(&(0..60).rev().collect::<Vec<_>>());
    let one = settings(&[("height", "4"), ("seed", "2")]);
    let four = settings(&[("height", "4"), ("seed", "2"), ("threads", "4")]);
    let fronts = null_fronts(&data, &one, 2, 2_000);
    assert_eq!(fronts, null_fronts(&backwards, &four, 2, 2_000));
    assert_ne!(fronts.0[0], fronts.0[1]);
    let other = settings(&[("height", "4"), ("seed", "3")]);
    assert_ne!(fronts, null_fronts(&data, &other, 2, 2_000));
}

#[test]
fn safety_is_examined_only_where_it_is_asked_for_and_changes_no_formula() {
    let data = made_up_data(80);
    let plain = run(&data, &[("evaluations", "20000")]);
    let examined = run(&data, &[("evaluations", "20000"), ("safety_margin", "0.05")]);
    assert_eq!(plain.front, examined.front);
    assert!(plain.region.is_none());
    assert!(plain.candidates.iter().all(|candidate| candidate.is_safe.is_none()));
    let region = examined.region.unwrap();
    for (model, candidate) in examined.front.iter().zip(&examined.candidates) {
        assert_eq!(candidate.is_safe, Some(region.examine(&model.formula).is_safe()));
    }
    // A single feature is safe.
    assert_eq!(examined.candidates[0].is_safe, Some(true));
}
