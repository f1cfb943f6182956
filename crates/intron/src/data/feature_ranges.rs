//! The smallest and the largest value of each feature: where formulas were learned, and a little beyond.

/// One range per feature, smallest value first.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureRanges(pub Vec<[f64; 2]>);

impl FeatureRanges {
    /// The share by which ranges are widened on both sides where nothing else is said: new rows lie a little beyond the
    /// training rows now and then.
    pub const MARGIN: f64 = 0.05;

    /// The ranges of some columns, none of them empty.
    pub fn of(features: &[Vec<f64>]) -> FeatureRanges {
        let range = |column: &Vec<f64>| {
            let smallest = column.iter().copied().fold(f64::INFINITY, f64::min);
            let largest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            [smallest, largest]
        };
        FeatureRanges(features.iter().map(range).collect())
    }

    /// The ranges with this share of their width more on both sides. Lengths, counts and the like are never negative, so
    /// an end moves at most half the way to 0, and never across.
    pub fn widened(&self, margin: f64) -> FeatureRanges {
        let widen = |&[low, high]: &[f64; 2]| {
            // Halves first: the width of a huge range overflows.
            let more = (margin * (high / 2.0 - low / 2.0) * 2.0).min(f64::MAX);
            [moved(low, -more), moved(high, more)]
        };
        FeatureRanges(self.0.iter().map(widen).collect())
    }
}

/// An end of a range, moved; it stays finite.
fn moved(end: f64, by: f64) -> f64 {
    let there = (end + by).clamp(f64::MIN, f64::MAX);
    if end * by >= 0.0 && end != 0.0 {
        // Away from 0.
        there
    } else if end > 0.0 {
        there.max(end / 2.0)
    } else if end < 0.0 {
        there.min(end / 2.0)
    } else {
        // A smallest value of 0 stays; so does a largest one.
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_widened_but_keep_their_sign() {
        let ranges = FeatureRanges(vec![
            [-10.0, 10.0],
            [0.0, 100.0],
            [1.0, 101.0],
            [50.0, 60.0],
            [-4.0, -1.0],
            [7.0, 7.0],
            [f64::MIN, f64::MAX],
        ]);
        let wide = [
            [-11.0, 11.0],
            [0.0, 105.0],
            [0.5, 106.0],
            [49.5, 60.5],
            [-4.15, -0.85],
            [7.0, 7.0],
            [f64::MIN, f64::MAX],
        ];
        assert_eq!(ranges.widened(0.05).0, wide);
        assert_eq!(ranges.widened(0.0), ranges);
        assert_eq!(FeatureRanges(vec![[-3.0, 0.0]]).widened(1.0).0, [[-6.0, 0.0]]);
    }

    #[test]
    fn ranges_are_those_of_the_columns() {
        let columns = [vec![3.0, -1.0, 2.0], vec![5.0; 3]];
        assert_eq!(FeatureRanges::of(&columns).0, [[-1.0, 3.0], [5.0, 5.0]]);
    }
}
