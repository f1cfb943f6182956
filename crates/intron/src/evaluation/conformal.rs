//! Prediction intervals by split conformal prediction (Papadopoulos and others, 2002; Lei and others, 2018): a prediction is off
//! by no more than most predictions were on rows that had no part in the fit. It needs no model of the noise; new rows and those
//! rows must come from the same source.

/// The levels for which half-widths are kept: every percent, and two more.
pub fn interval_levels() -> Vec<f64> {
    (1..100).map(|percent| f64::from(percent) / 100.0).chain([0.995, 0.999]).collect()
}

/// Half the width of the interval at each level, from rows that had no part in the fit. The value at level c is the
/// ⌈(n + 1) c⌉-th smallest absolute error of n rows, which holds a new row with probability c or more; infinite where the rows
/// are too few for that. A row of weight w counts w times, and the new row as often as the heaviest row: that is on the safe
/// side, and the unit of the weights does not matter.
pub fn half_widths(target: &[f64], predictions: &[f64], weights: Option<&[f64]>) -> Vec<f64> {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let error = |row: usize| {
        let error = (target[row] - predictions[row]).abs();
        if error.is_nan() { f64::INFINITY } else { error }
    };
    let mut errors: Vec<(f64, f64)> =
        (0..target.len()).map(|row| (error(row), weight(row))).filter(|row| row.1 > 0.0).collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let heaviest = errors.iter().fold(0.0_f64, |most, row| most.max(row.1));
    let total = errors.iter().map(|row| row.1).sum::<f64>() + heaviest;
    let mut rest = errors.into_iter();
    let (mut so_far, mut widest) = (0.0, 0.0);
    let reach = |level: f64| {
        // The levels rise, so each one goes on where the last one ended.
        while so_far / total < level || total == 0.0 {
            let Some((error, weight)) = rest.next() else { return f64::INFINITY };
            so_far += weight;
            widest = error;
        }
        widest
    };
    interval_levels().into_iter().map(reach).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, StreamName};

    fn at(widths: &[f64], level: f64) -> f64 {
        let place = interval_levels().iter().position(|&known| known == level).unwrap();
        widths[place]
    }

    fn of_errors(errors: &[f64], weights: Option<&[f64]>) -> Vec<f64> {
        half_widths(errors, &vec![0.0; errors.len()], weights)
    }

    #[test]
    fn the_rank_is_that_of_the_finite_sample() {
        // Nine errors: (9 + 1) · 0.9 is 9, the largest; 0.91 would need a tenth.
        let errors = [3.0, -1.0, 2.0, 9.0, 5.0, -4.0, 6.0, 8.0, 7.0];
        let widths = of_errors(&errors, None);
        assert_eq!(at(&widths, 0.9), 9.0);
        assert_eq!(at(&widths, 0.91), f64::INFINITY);
        assert_eq!(at(&widths, 0.5), 5.0);
        assert_eq!(at(&widths, 0.51), 6.0);
        assert_eq!(at(&widths, 0.01), 1.0);
        assert_eq!(at(&of_errors(&[0.5; 19], None), 0.95), 0.5);
        assert!(of_errors(&[], None).iter().all(|&width| width == f64::INFINITY));
    }

    #[test]
    fn weights_count_rows_in_any_unit() {
        let errors = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        let plain = of_errors(&errors, None);
        assert_eq!(of_errors(&errors, Some(&[0.25; 9])), plain);
        let first_twice = [1.0, 1.0, 2.0, 3.0];
        let unit = of_errors(&[1.0, 2.0, 3.0, 50.0], Some(&[2.0, 1.0, 1.0, 0.0]));
        // The heaviest row counts twice, so the new row does as well.
        assert!(unit.iter().zip(of_errors(&first_twice, None)).all(|(a, b)| *a >= b));
        assert_eq!(at(&unit, 0.33), 1.0);
        assert_eq!(at(&unit, 0.34), 2.0);
    }

    #[test]
    fn a_prediction_that_is_not_finite_is_infinitely_wrong() {
        let widths = half_widths(&[1.0, 2.0, 3.0], &[1.0, f64::NAN, f64::INFINITY], None);
        assert_eq!(at(&widths, 0.25), 0.0);
        assert_eq!(at(&widths, 0.26), f64::INFINITY);
    }

    #[test]
    fn new_rows_are_covered_as_often_as_promised() {
        const N_TRIALS: usize = 20_000;
        let stream = &mut Seed(5).stream(StreamName::Split);
        for (n_rows, level) in [(19, 0.9), (30, 0.8), (99, 0.95), (40, 0.5), (12, 0.9)] {
            let mut n_covered = 0;
            for _ in 0..N_TRIALS {
                // Skewed errors with ties.
                let mut error = || (stream.normal().abs() * 8.0).floor() + stream.normal() * 1e-3;
                let errors: Vec<f64> = (0..n_rows).map(|_| error()).collect();
                let width = at(&of_errors(&errors, None), level);
                n_covered += usize::from(error().abs() <= width);
            }
            let exact = (level * (n_rows + 1) as f64).ceil() / (n_rows + 1) as f64;
            let off = (n_covered as f64 / N_TRIALS as f64 - exact).abs();
            let bound = 4.0 * (exact * (1.0 - exact) / N_TRIALS as f64).sqrt();
            assert!(exact >= level && off < bound, "{n_rows} rows, {level}: {n_covered}");
        }
    }
}
