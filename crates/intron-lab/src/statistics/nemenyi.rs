//! Nemenyi test (figure 8): the critical difference of mean ranks, and the settings that do not differ by it (autorank).

use std::ops::Range;

use super::error::StatisticsError;
use super::friedman::Friedman;
use super::studentized_range;

/// Probability of finding a difference where there is none, as in the paper.
pub const ALPHA: f64 = 0.05;

/// All that a critical-difference diagram shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Nemenyi {
    /// Mean ranks that are further apart than this differ significantly.
    pub critical_difference: f64,
    /// The settings from the best to the worst; settings of equal mean rank in the order they were given.
    pub order: Vec<usize>,
    /// The bars: longest stretches of `order` within the critical difference, of at least two settings.
    pub groups: Vec<Range<usize>>,
}

/// Compares all pairs of settings after a Friedman test; meaningful where that test has found a difference.
pub fn nemenyi(friedman: &Friedman) -> Result<Nemenyi, StatisticsError> {
    let ranks = &friedman.mean_ranks;
    let critical_difference = critical_difference(ranks.len(), friedman.n_blocks)?;
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    let sorted: Vec<f64> = order.iter().map(|&setting| ranks[setting]).collect();
    Ok(Nemenyi { critical_difference, order, groups: groups(&sorted, critical_difference) })
}

/// q √(k (k + 1) / (6 N)) for k settings and N blocks, where q is the quantile of the studentized range over √2.
pub fn critical_difference(n_settings: usize, n_blocks: usize) -> Result<f64, StatisticsError> {
    if n_settings < 2 {
        return Err(StatisticsError::TooFewSettings { n_settings });
    }
    if n_blocks == 0 {
        return Err(StatisticsError::NoTask);
    }
    let (k, n) = (n_settings as f64, n_blocks as f64);
    let q = studentized_range::quantile(1.0 - ALPHA, n_settings) / 2.0_f64.sqrt();
    Ok(q * (k * (k + 1.0) / (6.0 * n)).sqrt())
}

/// Stretches of ascending ranks within the critical difference that lie in no longer one.
fn groups(sorted: &[f64], critical_difference: f64) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for first in 0..sorted.len() {
        let n_near =
            sorted[first..].iter().take_while(|&&rank| rank - sorted[first] <= critical_difference);
        let end = first + n_near.count();
        let reached = groups.last().map_or(0, |group| group.end);
        if end - first > 1 && end > reached {
            groups.push(first..end);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_literature_is_met() {
        // Demšar (2006), section 3.2.2: four classifiers, 14 data sets, critical difference 1.25.
        assert!((critical_difference(4, 14).unwrap() - 1.25).abs() < 0.005);
    }

    #[test]
    fn bars_are_the_longest_stretches() {
        assert_eq!(groups(&[1.0, 1.5, 2.1, 4.0], 1.0), [0..2, 1..3]);
        assert_eq!(groups(&[1.0, 1.5, 2.0, 4.0, 5.0], 1.0), [0..3, 3..5]);
        assert_eq!(groups(&[1.0, 3.0, 5.0], 1.0), []);
        assert_eq!(groups(&[2.0, 2.0, 3.0, 3.0], 0.1), [0..2, 2..4]);
    }

    #[test]
    fn settings_are_ordered_by_rank() {
        let friedman = Friedman {
            statistic: 0.0,
            degrees_of_freedom: 2,
            p_value: 0.01,
            n_blocks: 100,
            mean_ranks: vec![2.9, 1.2, 1.9],
        };
        let test = nemenyi(&friedman).unwrap();
        assert_eq!(test.order, [1, 2, 0]);
        assert_eq!(test.groups, []);
        assert!((test.critical_difference - 0.3315).abs() < 1e-3);
    }

    #[test]
    fn a_lone_setting_is_refused() {
        assert!(critical_difference(1, 10).is_err());
        assert!(critical_difference(3, 0).is_err());
    }
}
