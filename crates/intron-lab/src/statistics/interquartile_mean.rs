//! Interquartile mean (IQM): the mean of the middle half of all runs of all tasks (rliable; figures 4 and 5).
//!
//! The paper's caption says "for each problem", but the package that it used trims all runs together, and so do we.

use super::error::StatisticsError;
use super::scores::check_tasks;
use super::stratified_bootstrap::{Bootstrap, Interval};

/// The mean of all scores but the lowest and the highest quarter, each rounded down to whole runs.
pub fn interquartile_mean(tasks: &[Vec<f64>]) -> Result<f64, StatisticsError> {
    check_tasks(tasks)?;
    let mut scores = tasks.concat();
    scores.sort_unstable_by(f64::total_cmp);
    let n_cut = scores.len() / 4;
    let kept = &scores[n_cut..scores.len() - n_cut];
    Ok(kept.iter().sum::<f64>() / kept.len() as f64)
}

/// The interquartile mean with its bootstrap interval; the same bits as `Bootstrap::interval`, three times as fast.
pub fn interquartile_mean_interval(
    tasks: &[Vec<f64>],
    bootstrap: &Bootstrap,
) -> Result<Interval, StatisticsError> {
    let estimate = interquartile_mean(tasks)?;
    let scores = tasks.concat();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    let sorted: Vec<f64> = order.iter().map(|&run| scores[run]).collect();
    let mut places = vec![0; scores.len()];
    for (place, &run) in order.iter().enumerate() {
        places[run] = place;
    }
    // A resample is how often each score was drawn: sorted once, no resample has to be sorted again.
    let mut counts = vec![0; scores.len()];
    bootstrap.percentiles(estimate, |stream| {
        counts.fill(0);
        let mut first = 0;
        for runs in tasks {
            for _ in runs {
                counts[places[first + stream.below(runs.len())]] += 1;
            }
            first += runs.len();
        }
        Ok(interquartile_mean_of_counts(&sorted, &counts))
    })
}

/// The interquartile mean of ascending scores, each met as often as its count says; the counts sum to their number.
fn interquartile_mean_of_counts(sorted: &[f64], counts: &[usize]) -> f64 {
    let n_cut = sorted.len() / 4;
    let kept = n_cut..sorted.len() - n_cut;
    let (mut sum, mut n_met) = (0.0, 0);
    for (&score, &count) in sorted.iter().zip(counts) {
        let (start, end) = (n_met.max(kept.start), (n_met + count).min(kept.end));
        for _ in start..end {
            sum += score;
        }
        n_met += count;
    }
    sum / kept.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use intron::{Seed, StreamName};

    #[test]
    fn the_outer_quarters_of_all_runs_are_left_out() {
        let tasks = [vec![100.0, 2.0, 3.0, 4.0], vec![1.0, 5.0, -50.0, 6.0]];
        assert_eq!(interquartile_mean(&tasks), Ok(3.5));
    }

    #[test]
    fn a_quarter_is_rounded_down() {
        assert_eq!(interquartile_mean(&[vec![9.0, 0.0, 0.0]]), Ok(3.0));
        assert_eq!(interquartile_mean(&[vec![9.0, 1.0, 2.0], vec![0.0, 3.0]]), Ok(2.0));
        assert_eq!(interquartile_mean(&[vec![4.0]]), Ok(4.0));
    }

    #[test]
    fn counting_gives_the_same_bits_as_sorting_every_resample() {
        let mut stream = Seed(9).stream(StreamName::Bootstrap);
        for n_tasks in [1, 2, 5] {
            let mut tasks: Vec<Vec<f64>> = Vec::new();
            for task in 0..n_tasks {
                let n_runs = 1 + stream.below(12 + task);
                // Few different values in some tasks: many ties.
                let n_values = [4, 1000][task % 2];
                let runs = (0..n_runs).map(|_| stream.below(n_values) as f64 / 7.0 - 0.3);
                tasks.push(runs.collect());
            }
            let bootstrap = Bootstrap { n_resamples: 300, ..Bootstrap::default() };
            let expected = bootstrap.interval(&tasks, interquartile_mean).unwrap();
            assert_eq!(interquartile_mean_interval(&tasks, &bootstrap), Ok(expected));
        }
    }

    #[test]
    fn no_scores_have_no_mean() {
        assert_eq!(interquartile_mean(&[]), Err(StatisticsError::NoTask));
        let bootstrap = Bootstrap::default();
        assert!(interquartile_mean_interval(&[vec![]], &bootstrap).is_err());
    }
}
