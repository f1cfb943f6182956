//! Convergence curves (figures 4 and 6): traces of many runs on one grid of evaluations or seconds, summarised.
//!
//! A trace is a step function: from each point on its value holds, after the last one for ever (the paper re-uses the
//! final value of completed runs), and before the first it is the stated floor.

use super::error::StatisticsError;
use super::interquartile_mean::interquartile_mean_interval;
use super::quantiles::{Quartiles, quartiles};
use super::stratified_bootstrap::{Bootstrap, Interval};

/// The points of a run: where a value was reached, in ascending order, and the value.
pub type Trace = Vec<(f64, f64)>;

/// The value of a trace at each place of an ascending grid.
pub fn trace_on_grid(trace: &[(f64, f64)], grid: &[f64], floor: f64) -> Vec<f64> {
    let value = |&x: &f64| {
        let n_reached = trace.partition_point(|&(reached_at, _)| reached_at <= x);
        n_reached.checked_sub(1).map_or(floor, |last| trace[last].1)
    };
    grid.iter().map(value).collect()
}

/// Median and quartiles over the traces of one task, at each place of the grid.
pub fn median_curve(
    traces: &[Trace],
    grid: &[f64],
    floor: f64,
) -> Result<Vec<Quartiles>, StatisticsError> {
    check_traces(traces)?;
    let runs = on_grid(traces, grid, floor);
    let at = |place| quartiles(&values_at(&runs, place)).ok_or(StatisticsError::NoTask);
    (0..grid.len()).map(at).collect()
}

/// Interquartile mean over all traces of all tasks with its interval, at each place of the grid.
///
/// Every place draws the same runs, so that the band is as smooth as the curve.
pub fn interquartile_mean_curve(
    tasks: &[Vec<Trace>],
    grid: &[f64],
    floor: f64,
    bootstrap: &Bootstrap,
) -> Result<Vec<Interval>, StatisticsError> {
    tasks.iter().try_for_each(|traces| check_traces(traces))?;
    let tasks: Vec<Vec<Vec<f64>>> =
        tasks.iter().map(|traces| on_grid(traces, grid, floor)).collect();
    let at = |place| {
        let scores: Vec<Vec<f64>> = tasks.iter().map(|runs| values_at(runs, place)).collect();
        interquartile_mean_interval(&scores, bootstrap)
    };
    (0..grid.len()).map(at).collect()
}

fn on_grid(traces: &[Trace], grid: &[f64], floor: f64) -> Vec<Vec<f64>> {
    traces.iter().map(|trace| trace_on_grid(trace, grid, floor)).collect()
}

fn values_at(runs: &[Vec<f64>], place: usize) -> Vec<f64> {
    runs.iter().map(|values| values[place]).collect()
}

fn check_traces(traces: &[Trace]) -> Result<(), StatisticsError> {
    for (trace, points) in traces.iter().enumerate() {
        let mut before = f64::NEG_INFINITY;
        for (point, &(x, score)) in points.iter().enumerate() {
            if !x.is_finite() || x < before {
                return Err(StatisticsError::UnorderedTrace { trace, point, x });
            }
            if !score.is_finite() {
                return Err(StatisticsError::NotFinite { task: trace, run: point, score });
            }
            before = x;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: [f64; 5] = [0.0, 1.0, 2.5, 3.0, 9.0];

    #[test]
    fn a_value_holds_until_the_next_point() {
        let trace = [(1.0, 0.2), (3.0, 0.6), (3.0, 0.7)];
        assert_eq!(trace_on_grid(&trace, &GRID, -1.0), [-1.0, 0.2, 0.2, 0.7, 0.7]);
        assert_eq!(trace_on_grid(&[], &GRID[..2], -1.0), [-1.0, -1.0]);
    }

    #[test]
    fn medians_are_taken_place_by_place() {
        let traces = [vec![(0.0, 1.0)], vec![(1.0, 2.0), (3.0, 4.0)], vec![(3.0, 9.0)]];
        let curve = median_curve(&traces, &GRID, 0.0).unwrap();
        assert_eq!(curve.iter().map(|q| q.median).collect::<Vec<_>>(), [0.0, 1.0, 1.0, 4.0, 4.0]);
        assert_eq!(curve[4], Quartiles { lower: 2.5, median: 4.0, upper: 6.5 });
    }

    #[test]
    fn interquartile_means_are_taken_place_by_place() {
        let tasks = vec![vec![vec![(0.0, 1.0)], vec![(3.0, 5.0)]], vec![vec![(1.0, 2.0)]; 2]];
        let curve = interquartile_mean_curve(&tasks, &GRID, 0.0, &Bootstrap::default()).unwrap();
        let estimates: Vec<f64> = curve.iter().map(|interval| interval.estimate).collect();
        assert_eq!(estimates, [0.0, 1.5, 1.5, 2.0, 2.0]);
        assert!(curve.iter().all(|i| i.lower <= i.estimate && i.estimate <= i.upper));
    }

    #[test]
    fn senseless_traces_are_refused() {
        let backwards = vec![vec![(2.0, 0.1), (1.0, 0.2)]];
        let refused = StatisticsError::UnorderedTrace { trace: 0, point: 1, x: 1.0 };
        assert_eq!(median_curve(&backwards, &GRID, 0.0), Err(refused));
        assert!(median_curve(&[vec![(1.0, f64::NAN)]], &GRID, 0.0).is_err());
        assert_eq!(median_curve(&[], &GRID, 0.0), Err(StatisticsError::NoTask));
        let no_runs = interquartile_mean_curve(&[vec![]], &GRID, 0.0, &Bootstrap::default());
        assert_eq!(no_runs, Err(StatisticsError::EmptyTask { task: 0 }));
    }
}
