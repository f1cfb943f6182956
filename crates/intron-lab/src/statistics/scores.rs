//! What a table of scores must be (tasks × runs, all finite), and the floor for scores that are not finite.

use super::error::StatisticsError;

/// Raises to `floor` every score that is below it, infinite or not a number; returns the scores and how many changed.
///
/// Finite scores below the floor are raised too: else a run without a valid score would rank above a bad one.
pub fn floored(values: &[f64], floor: f64) -> (Vec<f64>, usize) {
    let is_kept = |value: f64| value.is_finite() && value >= floor;
    let n_changed = values.iter().filter(|&&value| !is_kept(value)).count();
    let raised = values.iter().map(|&value| if is_kept(value) { value } else { floor });
    (raised.collect(), n_changed)
}

/// At least one task, at least one run in each, every score finite.
pub(super) fn check_tasks(tasks: &[Vec<f64>]) -> Result<(), StatisticsError> {
    if tasks.is_empty() {
        return Err(StatisticsError::NoTask);
    }
    for (task, runs) in tasks.iter().enumerate() {
        if runs.is_empty() {
            return Err(StatisticsError::EmptyTask { task });
        }
        if let Some(run) = runs.iter().position(|score| !score.is_finite()) {
            return Err(StatisticsError::NotFinite { task, run, score: runs[run] });
        }
    }
    Ok(())
}

/// All lists have the length of the first.
pub(super) fn check_equal_lengths<T>(
    what: &'static str,
    lists: &[Vec<T>],
) -> Result<(), StatisticsError> {
    let first = lists.first().map_or(0, Vec::len);
    match lists.iter().position(|list| list.len() != first) {
        Some(index) => {
            Err(StatisticsError::Unequal { what, first, index, other: lists[index].len() })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_or_below_the_floor_becomes_the_floor_and_is_counted() {
        let scores = [0.5, f64::NAN, f64::NEG_INFINITY, -3.0, f64::INFINITY, -1.0];
        assert_eq!(floored(&scores, -1.0), (vec![0.5, -1.0, -1.0, -1.0, -1.0, -1.0], 4));
        assert_eq!(floored(&[], 0.0), (vec![], 0));
    }

    #[test]
    fn tables_that_make_no_sense_are_refused() {
        assert_eq!(check_tasks(&[]), Err(StatisticsError::NoTask));
        let empty = [vec![1.0], vec![]];
        assert_eq!(check_tasks(&empty), Err(StatisticsError::EmptyTask { task: 1 }));
        let infinite = [vec![1.0], vec![0.0, f64::INFINITY]];
        let message = check_tasks(&infinite).unwrap_err().to_string();
        assert!(message.starts_with("task 1, run 1: the score inf is not finite"), "{message}");
        assert_eq!(check_tasks(&[vec![1.0], vec![2.0, 3.0]]), Ok(()));
        assert!(check_equal_lengths("runs", &[vec![1], vec![2, 3]]).is_err());
    }
}
