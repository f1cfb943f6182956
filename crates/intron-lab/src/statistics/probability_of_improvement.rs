//! Probability of improvement (figure 10): how often a run of one setting beats a run of another (rliable).

use super::error::StatisticsError;
use super::scores::check_tasks;
use super::stratified_bootstrap::{Bootstrap, Interval};

/// P(X > Y) + P(X = Y) / 2 over all pairs of runs of a task, averaged over tasks: the Mann-Whitney U as a fraction.
pub fn probability_of_improvement(
    scores: &[Vec<f64>],
    others: &[Vec<f64>],
) -> Result<f64, StatisticsError> {
    check_tasks(scores)?;
    check_tasks(others)?;
    if scores.len() != others.len() {
        let (first, other) = (scores.len(), others.len());
        return Err(StatisticsError::Unequal { what: "number of tasks", first, index: 1, other });
    }
    let sum: f64 = scores.iter().zip(others).map(|(runs, others)| fraction_won(runs, others)).sum();
    Ok(sum / scores.len() as f64)
}

/// The probability of improvement with its interval; the runs of both settings are drawn independently.
pub fn probability_of_improvement_interval(
    scores: &[Vec<f64>],
    others: &[Vec<f64>],
    bootstrap: &Bootstrap,
) -> Result<Interval, StatisticsError> {
    bootstrap.interval_of_two(scores, others, probability_of_improvement)
}

/// Half of the half wins: a pair counts two for a win and one for a tie, so that the count is exact.
fn fraction_won(runs: &[f64], others: &[f64]) -> f64 {
    let half_wins: usize = runs
        .iter()
        .map(|run| {
            others
                .iter()
                .map(|other| usize::from(run > other) + usize::from(run >= other))
                .sum::<usize>()
        })
        .sum();
    half_wins as f64 / (2 * runs.len() * others.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_one_and_ties_a_half() {
        let (x, y) = ([vec![1.0, 3.0], vec![2.0]], [vec![1.0, 2.0, 3.0], vec![5.0]]);
        // 1 against 1, 2, 3: a half; 3: two and a half. Together 3 of 6; the second task is lost.
        assert_eq!(probability_of_improvement(&x, &y), Ok(0.25));
        assert_eq!(probability_of_improvement(&y, &x), Ok(0.75));
        assert_eq!(probability_of_improvement(&x, &x), Ok(0.5));
    }

    #[test]
    fn settings_without_overlap_leave_no_doubt() {
        let (x, y) = ([vec![3.0, 4.0, 5.0]], [vec![0.0, 1.0]]);
        let interval = probability_of_improvement_interval(&x, &y, &Bootstrap::default());
        assert_eq!(interval, Ok(Interval { estimate: 1.0, lower: 1.0, upper: 1.0 }));
    }

    #[test]
    fn both_settings_need_the_same_tasks() {
        let refused = probability_of_improvement(&[vec![1.0]], &[vec![1.0], vec![2.0]]);
        let message = refused.unwrap_err().to_string();
        assert_eq!(message, "number of tasks: 1 in the first, 2 in number 1; they have to agree");
    }
}
