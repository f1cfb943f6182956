//! The effect of a feature: partial dependence. The feature takes one value after the other, the rest stays as it is in
//! some rows, and the predictions are averaged.

use intron::{Dataset, Formula, predict};

use super::quantile::{quantile, sorted};

/// A feature with at most this many different values is looked at exactly there.
const MOST_VALUES: usize = 12;
/// Number of values between the smallest and the largest otherwise.
const N_STEPS: usize = 33;
/// A band holds this share of the rows.
const BAND: f64 = 0.8;

/// The effect of one feature on the predictions of a formula.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    /// Index of the feature.
    pub(crate) feature: usize,
    /// From the smallest value of the feature to the largest.
    pub(crate) points: Vec<EffectPoint>,
    /// Whether the points are all the values that the feature has.
    pub(crate) is_discrete: bool,
    /// The deciles of the feature, 10 % to 90 %.
    pub(crate) deciles: Vec<f64>,
    /// Predictions that were not finite, of all that were made.
    pub(crate) n_not_finite: usize,
}

/// What is predicted at one value of the feature; nothing where fewer than half of the predictions are finite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EffectPoint {
    /// The value of the feature.
    pub(crate) value: f64,
    /// Mean of the predictions.
    pub(crate) mean: Option<f64>,
    /// Four fifths of the rows are between these.
    pub(crate) band: Option<(f64, f64)>,
}

impl Effect {
    /// Values and deciles come from `all` rows, the rest of the features from the `drawn` ones.
    pub(super) fn new(formula: &Formula, feature: usize, all: &Dataset, drawn: &Dataset) -> Effect {
        let column = sorted(&all.features()[feature], all.weights());
        let (values, is_discrete) = values_of(&column);
        let n_rows = drawn.n_rows();
        let mut columns = drawn.features().to_vec();
        let mut n_not_finite = 0;
        let mut point = |value: f64| {
            columns[feature].fill(value);
            let predictions = sorted(&predict(formula, &columns, n_rows), drawn.weights());
            n_not_finite += n_rows - predictions.len();
            if predictions.len() * 2 < n_rows {
                return EffectPoint { value, mean: None, band: None };
            }
            let total: f64 = predictions.iter().map(|pair| pair.1).sum();
            let mean = predictions.iter().map(|(y, weight)| y * weight).sum::<f64>() / total;
            let ends = [(1.0 - BAND) / 2.0, (1.0 + BAND) / 2.0];
            let [low, high] = ends.map(|share| quantile(&predictions, share));
            EffectPoint { value, mean: Some(mean), band: Some((low, high)) }
        };
        let points = values.into_iter().map(&mut point).collect();
        let deciles = (1..10).map(|tenth| quantile(&column, f64::from(tenth) / 10.0)).collect();
        Effect { feature, points, is_discrete, deciles, n_not_finite }
    }
}

/// Where the feature is looked at.
fn values_of(column: &[(f64, f64)]) -> (Vec<f64>, bool) {
    let mut values: Vec<f64> = column.iter().map(|pair| pair.0).collect();
    values.dedup();
    if values.len() <= MOST_VALUES {
        return (values, true);
    }
    let (low, high) = (values[0], values[values.len() - 1]);
    let step = |index: usize| {
        let share = index as f64 / (N_STEPS - 1) as f64;
        low * (1.0 - share) + high * share
    };
    ((0..N_STEPS).map(step).collect(), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use intron::FeatureNames;

    fn rows() -> Dataset {
        let a: Vec<f64> = (0..100).map(f64::from).collect();
        let b: Vec<f64> = (0..100).map(|row| f64::from(row % 2)).collect();
        let names = ["a", "b"].map(str::to_owned).to_vec();
        Dataset::new(names, vec![a.clone(), b], a, None).unwrap()
    }

    fn effect(text: &str, feature: usize) -> Effect {
        let names = FeatureNames::new(rows().names());
        Effect::new(&Formula::parse(text, &names).unwrap(), feature, &rows(), &rows())
    }

    #[test]
    fn the_mean_over_the_rows_is_the_effect() {
        let found = effect("2 * a + 10 * b", 0);
        assert_eq!((found.points.len(), found.is_discrete), (N_STEPS, false));
        for point in &found.points {
            assert!((point.mean.unwrap() - (2.0 * point.value + 5.0)).abs() < 1e-9);
            assert_eq!(point.band, Some((2.0 * point.value, 2.0 * point.value + 10.0)));
        }
    }

    #[test]
    fn few_values_are_looked_at_exactly_there() {
        let found = effect("a + 10 * b", 1);
        assert!(found.is_discrete);
        let values: Vec<f64> = found.points.iter().map(|point| point.value).collect();
        assert_eq!(values, [0.0, 1.0]);
        assert_eq!(found.points[1].mean.unwrap() - found.points[0].mean.unwrap(), 10.0);
    }

    #[test]
    fn where_the_formula_is_undefined_there_is_a_gap() {
        let found = effect("log(a - 50) + b", 0);
        assert!(found.points[0].mean.is_none() && found.points[N_STEPS - 1].mean.is_some());
        assert!(found.n_not_finite > 1000);
    }
}
