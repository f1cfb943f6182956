//! New rows where nothing was learned: those outside the ranges of the training rows, a little widened.

use crate::data::FeatureRanges;
use crate::expression::{FeatureNames, Formula, Meaning};

/// Rows that lie outside in a feature that the formula uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Outside {
    /// How many rows lie outside.
    pub n_outside: usize,
    /// How many rows there are.
    pub n_rows: usize,
    /// In which features, by their index, and how many rows in each; most often first.
    pub features: Vec<(u32, usize)>,
    /// The share by which the ranges were widened.
    pub margin: f64,
}

impl Outside {
    /// Looks at `n_rows` rows; `value` has what stands in a feature and a row. Nothing if no row lies outside.
    pub fn of(
        formula: &Formula,
        ranges: &FeatureRanges,
        margin: f64,
        n_rows: usize,
        value: impl Fn(usize, usize) -> f64,
    ) -> Option<Outside> {
        let ranges = ranges.widened(margin).0;
        let mut is_outside = vec![false; n_rows];
        let mut features = Vec::new();
        for feature in used(formula) {
            let [low, high] = ranges[feature as usize];
            let mut n = 0;
            for (row, is_outside) in is_outside.iter_mut().enumerate() {
                let value = value(feature as usize, row);
                if value < low || value > high {
                    *is_outside = true;
                    n += 1;
                }
            }
            features.extend((n > 0).then_some((feature, n)));
        }
        features.sort_by_key(|&(feature, n)| (n_rows - n, feature));
        let n_outside = is_outside.iter().filter(|&&is_outside| is_outside).count();
        (n_outside > 0).then_some(Outside { n_outside, n_rows, features, margin })
    }

    /// A warning in one sentence.
    pub fn describe(&self, names: &FeatureNames) -> String {
        let Outside { n_outside, n_rows, .. } = self;
        let feature = |&(feature, n): &(u32, usize)| format!("`{}` ({n})", names.name(feature));
        let features: Vec<String> = self.features.iter().map(feature).collect();
        // A share such as 0.07 is not exactly 7 %.
        let percent = (self.margin * 1e4).round() / 100.0;
        format!(
            "{n_outside} of {n_rows} rows lie outside what the formula was learned from (ranges and {percent} % more), in {}; \
             their predictions are guesses",
            features.join(", ")
        )
    }
}

/// The features of a formula, each once.
fn used(formula: &Formula) -> Vec<u32> {
    let feature = |symbol: Meaning| match symbol {
        Meaning::Feature(index) => Some(index),
        _ => None,
    };
    let nodes = formula.nodes().iter();
    let mut used: Vec<u32> = nodes.filter_map(|node| feature(node.symbol.meaning())).collect();
    used.sort_unstable();
    used.dedup();
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_outside_are_counted_in_the_features_that_are_used() {
        let names = FeatureNames::new(&["a", "b", "c"].map(str::to_owned));
        let formula = Formula::parse("c * c + a", &names).unwrap();
        let ranges = FeatureRanges(vec![[1.0, 2.0]; 3]);
        let columns = [[1.5, 3.0, 1.0, 2.05], [9.0; 4], [0.0, 3.0, 1.5, f64::NAN]];
        let value = |feature: usize, row: usize| columns[feature][row];
        let outside = Outside::of(&formula, &ranges, 0.05, 4, value).unwrap();
        assert_eq!((outside.n_outside, &outside.features[..]), (2, &[(2, 2), (0, 1)][..]));
        assert_eq!(
            Outside { margin: 0.07, ..outside }.describe(&names),
            "2 of 4 rows lie outside what the formula was learned from (ranges and 7 % more), in `c` (2), `a` (1); their \
             predictions are guesses"
        );
        assert_eq!(Outside::of(&formula, &ranges, 0.05, 1, |_, _| 1.5), None);
        assert_eq!(Outside::of(&formula, &ranges, 0.05, 0, value), None);
    }
}
