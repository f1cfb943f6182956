//! Stratified bootstrap: percentile intervals from runs drawn anew, with replacement, within each task (rliable).

use intron::{Seed, Stream, StreamName};

use super::error::StatisticsError;
use super::quantiles::quantile_of_sorted;
use super::scores::check_tasks;

/// A value computed from the data, with the interval in which it lies at the stated confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The value computed from the data as they are.
    pub estimate: f64,
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// How intervals are made. The same data and the same bootstrap give the same bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How often the runs are drawn anew.
    pub n_resamples: usize,
    /// Fraction of the resampled values inside of the interval.
    pub confidence: f64,
    /// Seed of the draws.
    pub seed: Seed,
}

impl Default for Bootstrap {
    /// 2000 resamples, 95 %.
    fn default() -> Bootstrap {
        Bootstrap { n_resamples: 2000, confidence: 0.95, seed: Seed(0) }
    }
}

impl Bootstrap {
    /// The interval of a statistic of tasks × runs.
    pub fn interval(
        &self,
        tasks: &[Vec<f64>],
        statistic: impl Fn(&[Vec<f64>]) -> Result<f64, StatisticsError>,
    ) -> Result<Interval, StatisticsError> {
        check_tasks(tasks)?;
        let mut resampled = tasks.to_vec();
        self.percentiles(statistic(tasks)?, |stream| {
            resample(tasks, &mut resampled, stream);
            statistic(&resampled)
        })
    }

    /// The interval of a statistic of two such tables, whose runs are drawn independently.
    pub fn interval_of_two(
        &self,
        first: &[Vec<f64>],
        second: &[Vec<f64>],
        statistic: impl Fn(&[Vec<f64>], &[Vec<f64>]) -> Result<f64, StatisticsError>,
    ) -> Result<Interval, StatisticsError> {
        check_tasks(first)?;
        check_tasks(second)?;
        let (mut one, mut two) = (first.to_vec(), second.to_vec());
        self.percentiles(statistic(first, second)?, |stream| {
            resample(first, &mut one, stream);
            resample(second, &mut two, stream);
            statistic(&one, &two)
        })
    }

    /// The interval from values that `draw` computes, one for each resample.
    pub(super) fn percentiles(
        &self,
        estimate: f64,
        mut draw: impl FnMut(&mut Stream) -> Result<f64, StatisticsError>,
    ) -> Result<Interval, StatisticsError> {
        let Bootstrap { n_resamples, confidence, seed } = *self;
        let refusal = StatisticsError::Bootstrap { n_resamples, confidence };
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(refusal);
        }
        // A seed of the bootstrap belongs to no run, so no other draw shares this stream.
        let mut stream = seed.stream(StreamName::Bootstrap);
        let values: Result<Vec<f64>, _> = (0..n_resamples).map(|_| draw(&mut stream)).collect();
        let mut values = values?;
        values.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - confidence) / 2.0;
        let end = |fraction| quantile_of_sorted(&values, fraction).ok_or(refusal.clone());
        Ok(Interval { estimate, lower: end(tail)?, upper: end(1.0 - tail)? })
    }
}

/// Fills each task with as many of its runs as it has, each drawn from all of them.
pub(super) fn resample<T: Copy>(tasks: &[Vec<T>], resampled: &mut [Vec<T>], stream: &mut Stream) {
    for (runs, drawn) in tasks.iter().zip(resampled) {
        for place in drawn {
            *place = runs[stream.below(runs.len())];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_of_first(tasks: &[Vec<f64>]) -> Result<f64, StatisticsError> {
        Ok(tasks[0].iter().sum::<f64>() / tasks[0].len() as f64)
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_binomial_distribution() {
        let runs: Vec<f64> = (0..100).map(|run| f64::from(run % 2)).collect();
        let bootstrap = Bootstrap { n_resamples: 20_000, ..Bootstrap::default() };
        let interval = bootstrap.interval(&[runs], mean_of_first).unwrap();
        assert_eq!(interval.estimate, 0.5);
        // Of 100 draws at 1/2, 40 and 60 are the percentiles 2.5 and 97.5.
        assert_eq!((interval.lower, interval.upper), (0.4, 0.6));
    }

    #[test]
    fn runs_stay_within_their_task() {
        let tasks = [vec![1.0, 1.0, 1.0], vec![5.0, 6.0]];
        let interval = Bootstrap::default().interval(&tasks, mean_of_first).unwrap();
        assert_eq!(interval, Interval { estimate: 1.0, lower: 1.0, upper: 1.0 });
        let mut resampled = tasks.to_vec();
        let mut stream = Seed(1).stream(StreamName::Bootstrap);
        for _ in 0..100 {
            resample(&tasks, &mut resampled, &mut stream);
            assert_eq!(resampled.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
            assert!(resampled[1].iter().all(|run| tasks[1].contains(run)));
        }
    }

    #[test]
    fn two_tables_are_drawn_independently() {
        let runs: Vec<f64> = (0..10).map(f64::from).collect();
        let difference = |one: &[Vec<f64>], two: &[Vec<f64>]| {
            Ok::<f64, StatisticsError>(mean_of_first(one)? - mean_of_first(two)?)
        };
        let table = [runs];
        let interval = Bootstrap::default().interval_of_two(&table, &table, difference).unwrap();
        assert!(interval.lower < -1.0 && interval.upper > 1.0, "{interval:?}");
    }

    #[test]
    fn the_seed_decides_the_draws() {
        let tasks = [(0..30).map(|run| f64::from(run * run)).collect::<Vec<f64>>()];
        let interval = |seed| {
            let bootstrap = Bootstrap { seed: Seed(seed), n_resamples: 200, confidence: 0.95 };
            bootstrap.interval(&tasks, mean_of_first).unwrap()
        };
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    #[test]
    fn a_bootstrap_without_resamples_is_refused() {
        for (n_resamples, confidence) in [(0, 0.95), (10, 0.0), (10, 1.0), (10, f64::NAN)] {
            let bootstrap = Bootstrap { n_resamples, confidence, seed: Seed(0) };
            assert!(bootstrap.interval(&[vec![1.0]], mean_of_first).is_err());
        }
        let refused = Bootstrap::default().interval(&[vec![]], mean_of_first);
        assert_eq!(refused, Err(StatisticsError::EmptyTask { task: 0 }));
    }
}
