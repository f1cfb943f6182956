//! Permutation importance: how much R² is lost when the values of one feature are shuffled among the rows.

use intron::{Dataset, Formula, Seed, StreamName, predict, score};

/// How often each feature is shuffled.
pub(crate) const N_REPEATS: usize = 10;

/// The importance of one feature for a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Importance {
    /// Index of the feature.
    pub(crate) feature: usize,
    /// Mean loss of R² over the shuffles at which the formula stays finite; none if there is no such.
    pub(crate) mean: Option<f64>,
    /// The smallest and the largest of these losses.
    pub(crate) range: Option<(f64, f64)>,
    /// Shuffles at which a prediction is not finite.
    pub(crate) n_not_finite: usize,
}

/// The importance of each of the features on these rows, the largest first; those without a finite loss come first of
/// all. The target is not constant.
pub(super) fn importances(
    formula: &Formula,
    features: &[usize],
    rows: &Dataset,
    seed: Seed,
) -> Vec<Importance> {
    let n_rows = rows.n_rows();
    let r2_of = |columns: &[Vec<f64>]| score(rows, &predict(formula, columns, n_rows)).fitness.r2();
    let mut columns = rows.features().to_vec();
    let whole = r2_of(&columns);
    let mut importances: Vec<Importance> = Vec::new();
    for &feature in features {
        let mut losses = Vec::new();
        for repeat in 0..N_REPEATS {
            let name = StreamName::Permutation { feature: feature as u64, repeat: repeat as u64 };
            seed.stream(name).shuffle(&mut columns[feature]);
            losses.push(whole - r2_of(&columns));
            columns[feature].copy_from_slice(&rows.features()[feature]);
        }
        importances.push(summary(feature, &losses));
    }
    let key = |importance: &Importance| importance.mean.unwrap_or(f64::INFINITY);
    importances.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.feature.cmp(&b.feature)));
    importances
}

fn summary(feature: usize, losses: &[f64]) -> Importance {
    let finite: Vec<f64> = losses.iter().copied().filter(|loss| loss.is_finite()).collect();
    let smallest = finite.iter().copied().reduce(f64::min);
    let largest = finite.iter().copied().reduce(f64::max);
    Importance {
        feature,
        mean: (!finite.is_empty()).then(|| finite.iter().sum::<f64>() / finite.len() as f64),
        range: smallest.zip(largest),
        n_not_finite: losses.len() - finite.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use intron::FeatureNames;

    fn rows() -> Dataset {
        let a: Vec<f64> = (0..200).map(f64::from).collect();
        let b: Vec<f64> = (0..200).map(|row| f64::from(row * 37 % 200)).collect();
        let y = a.iter().zip(&b).map(|(a, b)| 3.0 * a + b).collect();
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        Dataset::new(names, vec![a, b, vec![1.0; 200]], y, None).unwrap()
    }

    fn of(text: &str, features: &[usize]) -> Vec<Importance> {
        let names = FeatureNames::new(rows().names());
        importances(&Formula::parse(text, &names).unwrap(), features, &rows(), Seed(3))
    }

    #[test]
    fn the_feature_that_matters_more_comes_first_and_a_constant_one_matters_nothing() {
        let found = of("3 * a + b + 0 * c", &[0, 1, 2]);
        assert_eq!(found.iter().map(|one| one.feature).collect::<Vec<_>>(), [0, 1, 2]);
        // A shuffled column leaves twice its variance as error: 2 · 9 / 10 and 2 / 10.
        assert!((found[0].mean.unwrap() - 1.8).abs() < 0.1, "{found:?}");
        assert!((found[1].mean.unwrap() - 0.2).abs() < 0.05, "{found:?}");
        assert_eq!(found[2].mean, Some(0.0));
        assert_eq!(found, of("3 * a + b + 0 * c", &[0, 1, 2]));
    }

    #[test]
    fn shuffles_that_leave_the_formula_undefined_are_counted() {
        let found = of("log(a - b + 0.5) + 0 * a", &[0]);
        assert_eq!(found[0].mean, None);
        assert_eq!(found[0].n_not_finite, N_REPEATS);
    }
}
