//! Mean of medians (figure 5): the mean over tasks of the median over runs; and rliable's median of means, the reverse.

use super::error::StatisticsError;
use super::quantiles::median;
use super::scores::check_tasks;

/// The mean over tasks of the median over the runs of a task: the paper's second aggregate.
pub fn mean_of_medians(tasks: &[Vec<f64>]) -> Result<f64, StatisticsError> {
    let medians = medians(tasks)?;
    Ok(mean(&medians))
}

/// The median over tasks of the mean over the runs of a task: `aggregate_median` of rliable.
pub fn median_of_means(tasks: &[Vec<f64>]) -> Result<f64, StatisticsError> {
    check_tasks(tasks)?;
    let means: Vec<f64> = tasks.iter().map(|runs| mean(runs)).collect();
    median(&means).ok_or(StatisticsError::NoTask)
}

/// The median over the runs of each task.
pub fn medians(tasks: &[Vec<f64>]) -> Result<Vec<f64>, StatisticsError> {
    check_tasks(tasks)?;
    let median_of =
        |(task, runs): (usize, &Vec<f64>)| median(runs).ok_or(StatisticsError::EmptyTask { task });
    tasks.iter().enumerate().map(median_of).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_orders_differ() {
        let tasks = [vec![0.0, 0.0, 9.0], vec![1.0, 2.0], vec![4.0, 4.0, 4.0, 8.0]];
        assert_eq!(medians(&tasks), Ok(vec![0.0, 1.5, 4.0]));
        assert_eq!(mean_of_medians(&tasks), Ok(5.5 / 3.0));
        // The means are 3, 1.5 and 5.
        assert_eq!(median_of_means(&tasks), Ok(3.0));
    }

    #[test]
    fn an_empty_task_is_refused() {
        let tasks = [vec![1.0], vec![]];
        assert_eq!(mean_of_medians(&tasks), Err(StatisticsError::EmptyTask { task: 1 }));
        assert_eq!(median_of_means(&[]), Err(StatisticsError::NoTask));
    }
}
