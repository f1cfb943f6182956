//! Reads data sets as JSON, prints every statistic of them as JSON: the Rust side of `cargo xtask statistics`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io;

use intron::Seed;
use intron_lab::statistics::{
    Bootstrap, Friedman, Interval, Nemenyi, Quartiles, StatisticsError, Trace, blocks_of_medians,
    blocks_of_runs, critical_difference, floored, friedman, interquartile_mean_curve,
    interquartile_mean_interval, matrix_rank_correlation, mean_of_medians, median_curve,
    median_of_means, nemenyi, probability_of_improvement_interval, quartiles, rank_correlation,
};
use serde_json::{Value, from_value, json};

/// The scores of one setting: tasks × runs.
type Tasks = Vec<Vec<f64>>;

/// More resamples than the other side can afford, so that its noise is most of the difference.
const BOOTSTRAP: Bootstrap = Bootstrap { n_resamples: 10_000, confidence: 0.95, seed: Seed(1) };

fn main() -> Result<(), Box<dyn Error>> {
    let input: Value = serde_json::from_reader(io::stdin())?;
    let comparisons: Vec<Vec<Tasks>> = from_value(input["comparisons"].clone())?;
    let convergence: Vec<Vec<Trace>> = from_value(input["convergence"]["tasks"].clone())?;
    let grid: Vec<f64> = from_value(input["convergence"]["grid"].clone())?;
    let floor: f64 = from_value(input["convergence"]["floor"].clone())?;
    let pairs: Vec<[Vec<f64>; 2]> = from_value(input["pairs"].clone())?;
    let matrices: [Tasks; 2] = from_value(input["matrices"].clone())?;
    let differences: Result<Vec<f64>, _> = (2..=20).map(|k| critical_difference(k, 1)).collect();
    let comparisons: Result<Vec<Value>, _> = comparisons.iter().map(|c| comparison(c)).collect();
    let correlations: Vec<Option<f64>> =
        pairs.iter().map(|[a, b]| rank_correlation(a, b)).collect();
    let output = json!({
        "comparisons": comparisons?,
        "convergence": curves(&convergence, &grid, floor)?,
        "rank_correlations": correlations,
        "matrix_rank_correlation": matrix_rank_correlation(&matrices[0], &matrices[1]),
        "critical_differences": differences?,
        "floored": floored(&[0.5, f64::NAN, -7.0, f64::INFINITY], -1.0),
    });
    println!("{output}");
    Ok(())
}

/// All statistics that compare settings.
fn comparison(settings: &[Tasks]) -> Result<Value, StatisticsError> {
    let mut aggregates = Vec::new();
    for tasks in settings {
        aggregates.push(json!({
            "interquartile_mean": ends(interquartile_mean_interval(tasks, &BOOTSTRAP)?),
            "mean_of_medians": ends(BOOTSTRAP.interval(tasks, mean_of_medians)?),
            "median_of_means": ends(BOOTSTRAP.interval(tasks, median_of_means)?),
            "quartiles": tasks.iter().map(|runs| quartiles(runs).map(three)).collect::<Vec<_>>(),
        }));
    }
    let mut improvements = Vec::new();
    for scores in settings {
        let against =
            |others: &Tasks| probability_of_improvement_interval(scores, others, &BOOTSTRAP);
        let row: Result<Vec<Interval>, _> = settings.iter().map(against).collect();
        improvements.push(row?.into_iter().map(ends).collect::<Vec<_>>());
    }
    let by_run = blocks_of_runs(settings).ok().map(|blocks| differences(&blocks)).transpose()?;
    Ok(json!({
        "aggregates": aggregates,
        "improvements": improvements,
        "by_run": by_run,
        "by_median": differences(&blocks_of_medians(settings)?)?,
    }))
}

/// Friedman and Nemenyi.
fn differences(blocks: &[Vec<f64>]) -> Result<Value, StatisticsError> {
    let test = friedman(blocks)?;
    let Nemenyi { critical_difference, order, groups } = nemenyi(&test)?;
    let Friedman { statistic, degrees_of_freedom, p_value, n_blocks, mean_ranks } = test;
    Ok(json!({
        "statistic": statistic,
        "degrees_of_freedom": degrees_of_freedom,
        "p_value": p_value,
        "n_blocks": n_blocks,
        "mean_ranks": mean_ranks,
        "critical_difference": critical_difference,
        "order": order,
        "groups": groups.into_iter().map(|group| [group.start, group.end]).collect::<Vec<_>>(),
    }))
}

/// Medians of the first task, and interquartile means of all.
fn curves(tasks: &[Vec<Trace>], grid: &[f64], floor: f64) -> Result<Value, StatisticsError> {
    let medians = median_curve(&tasks[0], grid, floor)?;
    let means = interquartile_mean_curve(tasks, grid, floor, &BOOTSTRAP)?;
    Ok(json!({
        "medians": medians.into_iter().map(three).collect::<Vec<_>>(),
        "interquartile_means": means.into_iter().map(ends).collect::<Vec<_>>(),
    }))
}

fn ends(interval: Interval) -> [f64; 3] {
    [interval.estimate, interval.lower, interval.upper]
}

fn three(quartiles: Quartiles) -> [f64; 3] {
    [quartiles.lower, quartiles.median, quartiles.upper]
}
