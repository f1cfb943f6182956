//! Friedman test (figure 8): do the settings differ at all? Chi-squared of the rank sums, corrected for ties (scipy).

use super::chi_squared::upper_tail;
use super::error::StatisticsError;
use super::ranks::{check_blocks, mean_ranks};

/// What the test says.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// Chi-squared, corrected for ties.
    pub statistic: f64,
    /// Settings less one.
    pub degrees_of_freedom: usize,
    /// Probability of such a statistic, or a larger one, if no setting differed.
    pub p_value: f64,
    /// Number of blocks ranked.
    pub n_blocks: usize,
    /// Mean rank of each setting; 1 is the best.
    pub mean_ranks: Vec<f64>,
}

/// Tests blocks of one score for each setting.
pub fn friedman(blocks: &[Vec<f64>]) -> Result<Friedman, StatisticsError> {
    check_blocks(blocks)?;
    let mean_ranks = mean_ranks(blocks)?;
    let (n_blocks, n_settings) = (blocks.len(), mean_ranks.len());
    let (n, k) = (n_blocks as f64, n_settings as f64);
    let ties: f64 = blocks.iter().map(|block| tie_term(block)).sum();
    let correction = 1.0 - ties / (k * (k * k - 1.0) * n);
    if correction <= 0.0 {
        return Err(StatisticsError::AllTied);
    }
    // Around the mean of all ranks: without the cancellation of large sums of squares.
    let centre = (k + 1.0) / 2.0;
    let spread: f64 = mean_ranks.iter().map(|rank| (rank - centre) * (rank - centre)).sum();
    let statistic = 12.0 * n / (k * (k + 1.0)) * spread / correction;
    let degrees_of_freedom = n_settings - 1;
    let p_value = upper_tail(statistic, degrees_of_freedom);
    Ok(Friedman { statistic, degrees_of_freedom, p_value, n_blocks, mean_ranks })
}

/// Σ t(t² − 1) over groups of t equal scores.
fn tie_term(block: &[f64]) -> f64 {
    let mut sorted = block.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let term = |tied: &[f64]| {
        let t = tied.len() as f64;
        t * (t * t - 1.0)
    };
    sorted.chunk_by(|a, b| a == b).map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_agreement_gives_blocks_times_degrees_of_freedom() {
        let blocks = vec![vec![3.0, 2.0, 1.0]; 4];
        let test = friedman(&blocks).unwrap();
        assert_eq!((test.statistic, test.degrees_of_freedom, test.n_blocks), (8.0, 2, 4));
        assert!((test.p_value - (-4.0_f64).exp()).abs() < 1e-15);
        assert_eq!(test.mean_ranks, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn ties_are_corrected_for() {
        // Ranks 1, 2.5, 2.5 twice: the spread is 1.5, the correction 1 - 12/48.
        let test = friedman(&[vec![2.0, 1.0, 1.0], vec![7.0, 0.0, 0.0]]).unwrap();
        assert!((test.statistic - 4.0).abs() < 1e-12, "{}", test.statistic);
    }

    #[test]
    fn opposite_blocks_show_nothing() {
        let test = friedman(&[vec![1.0, 2.0], vec![2.0, 1.0]]).unwrap();
        assert_eq!((test.statistic, test.p_value), (0.0, 1.0));
    }

    #[test]
    fn nothing_to_compare_is_refused() {
        assert_eq!(friedman(&[vec![1.0, 1.0]]), Err(StatisticsError::AllTied));
        let alone = Err(StatisticsError::TooFewSettings { n_settings: 1 });
        assert_eq!(friedman(&[vec![1.0]]), alone);
        assert_eq!(friedman(&[]), Err(StatisticsError::NoTask));
    }
}
