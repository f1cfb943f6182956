//! Ranks of settings: rank 1 is the best, equal scores share the mean of their ranks; and the blocks that are ranked.

use super::error::StatisticsError;
use super::mean_of_medians::medians;
use super::scores::{check_equal_lengths, check_tasks};

/// The rank of each score, 1 for the highest; equal scores share the mean of their ranks.
pub fn ranks(scores: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut ranks = vec![0.0; scores.len()];
    let mut first = 0;
    // By value, not by bits: 0 and -0 are equal scores.
    for tied in order.chunk_by(|&a, &b| scores[a] == scores[b]) {
        for &index in tied {
            ranks[index] = first as f64 + (tied.len() + 1) as f64 / 2.0;
        }
        first += tied.len();
    }
    ranks
}

/// The mean rank of each setting over blocks; a block has one score for each setting.
pub fn mean_ranks(blocks: &[Vec<f64>]) -> Result<Vec<f64>, StatisticsError> {
    check_blocks(blocks)?;
    let mut sums = vec![0.0; blocks[0].len()];
    for block in blocks {
        for (sum, rank) in sums.iter_mut().zip(ranks(block)) {
            *sum += rank;
        }
    }
    Ok(sums.into_iter().map(|sum| sum / blocks.len() as f64).collect())
}

/// One block for each run of each task: run i of a task has the same seed and the same rows in all settings.
/// `settings` holds the tasks × runs of each setting.
pub fn blocks_of_runs(settings: &[Vec<Vec<f64>>]) -> Result<Vec<Vec<f64>>, StatisticsError> {
    check_settings(settings)?;
    let mut blocks = Vec::new();
    for task in 0..settings[0].len() {
        let n_runs = settings[0][task].len();
        for (index, tasks) in settings.iter().enumerate() {
            if tasks[task].len() != n_runs {
                let (what, other) = ("runs of a task, by setting", tasks[task].len());
                return Err(StatisticsError::Unequal { what, first: n_runs, index, other });
            }
        }
        let block = |run| settings.iter().map(|tasks| tasks[task][run]).collect();
        blocks.extend((0..n_runs).map(block));
    }
    Ok(blocks)
}

/// One block for each task: the medians over its runs, which need not be equally many.
pub fn blocks_of_medians(settings: &[Vec<Vec<f64>>]) -> Result<Vec<Vec<f64>>, StatisticsError> {
    check_settings(settings)?;
    let by_setting: Vec<Vec<f64>> =
        settings.iter().map(|tasks| medians(tasks)).collect::<Result<_, _>>()?;
    let block = |task| by_setting.iter().map(|medians| medians[task]).collect();
    Ok((0..settings[0].len()).map(block).collect())
}

/// At least one block, equally long, at least two settings, all scores finite.
pub(super) fn check_blocks(blocks: &[Vec<f64>]) -> Result<(), StatisticsError> {
    let n_settings = blocks.first().ok_or(StatisticsError::NoTask)?.len();
    if n_settings < 2 {
        return Err(StatisticsError::TooFewSettings { n_settings });
    }
    check_equal_lengths("number of settings, by block", blocks)?;
    check_tasks(blocks)
}

fn check_settings(settings: &[Vec<Vec<f64>>]) -> Result<(), StatisticsError> {
    if settings.len() < 2 {
        return Err(StatisticsError::TooFewSettings { n_settings: settings.len() });
    }
    check_equal_lengths("number of tasks, by setting", settings)?;
    settings.iter().try_for_each(|tasks| check_tasks(tasks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_score_has_rank_one_and_ties_share() {
        assert_eq!(ranks(&[0.1, 0.9, 0.5]), [3.0, 1.0, 2.0]);
        assert_eq!(ranks(&[0.5, 0.9, 0.5, 0.5]), [3.0, 1.0, 3.0, 3.0]);
        assert_eq!(ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn ranks_are_averaged_over_blocks() {
        let blocks = [vec![3.0, 2.0, 1.0], vec![1.0, 1.0, 0.0]];
        assert_eq!(mean_ranks(&blocks), Ok(vec![1.25, 1.75, 3.0]));
    }

    #[test]
    fn blocks_pair_the_runs_or_the_medians_of_the_settings() {
        let settings = [vec![vec![1.0, 2.0, 3.0], vec![4.0]], vec![vec![5.0, 6.0, 9.0], vec![8.0]]];
        let expected = [[1.0, 5.0], [2.0, 6.0], [3.0, 9.0], [4.0, 8.0]].map(Vec::from);
        assert_eq!(blocks_of_runs(&settings).unwrap(), expected);
        let expected = [[2.0, 6.0], [4.0, 8.0]].map(Vec::from);
        assert_eq!(blocks_of_medians(&settings).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_paired_is_refused() {
        let uneven = [vec![vec![1.0, 2.0]], vec![vec![1.0]]];
        assert!(matches!(blocks_of_runs(&uneven), Err(StatisticsError::Unequal { index: 1, .. })));
        assert!(blocks_of_medians(&uneven).is_ok());
        let alone = blocks_of_runs(&[vec![vec![1.0]]]);
        assert_eq!(alone, Err(StatisticsError::TooFewSettings { n_settings: 1 }));
        assert_eq!(mean_ranks(&[]), Err(StatisticsError::NoTask));
        assert!(mean_ranks(&[vec![1.0, 2.0], vec![1.0]]).is_err());
        assert!(mean_ranks(&[vec![1.0, f64::NAN]]).is_err());
    }
}
