//! Hold-out test part and cross-validation folds (section 4.1). The split depends on the content of the rows, not on their order, and equal rows stay
//! together: what is learned from is never tested on, and a repeated row is held out like a weighted one. Only where rows are values of a
//! coarse scale, such as grades, are they split one by one: whole groups would leave parts that are unlike each other.

use super::dataset::Dataset;
use crate::error::Error;
use crate::random::{Seed, StreamName};

/// Row indices of the two parts, each in increasing order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<usize>,
    /// Rows held out.
    pub test: Vec<usize>,
}

/// Holds out a random share of the rows, as nearly as whole rows allow.
pub fn hold_out(dataset: &Dataset, test_fraction: f64, seed: Seed) -> Result<Split, Error> {
    if !(0.0..1.0).contains(&test_fraction) {
        return Err(Error::setting(
            "test_fraction",
            format!("{test_fraction} is not a share of the rows"),
            "take a number from 0 (hold out nothing) to below 1, such as 0.25",
        ));
    }
    let order = rows_by_value(dataset);
    let mut groups = groups(dataset, &order);
    seed.stream(StreamName::Split).shuffle(&mut groups);
    let n_test = count_held_out(dataset, &groups, test_fraction);
    if groups.len() - n_test < 2 {
        return Err(Error::data(
            format!(
                "holding out {n_test} of {} different rows leaves fewer than two to learn from",
                groups.len()
            ),
            "give more rows, or a smaller test fraction (0 holds out nothing)",
        ));
    }
    let mut test = groups[..n_test].concat();
    let mut train = groups[n_test..].concat();
    test.sort_unstable();
    train.sort_unstable();
    Ok(Split { train, test })
}

/// Splits the rows into shuffled parts of nearly equal size; split `k` holds out part `k` and learns from the others.
pub fn folds(dataset: &Dataset, n_folds: usize, seed: Seed) -> Result<Vec<Split>, Error> {
    let order = rows_by_value(dataset);
    let mut groups = groups(dataset, &order);
    if n_folds < 2 || groups.len() < 2 * n_folds {
        return Err(Error::data(
            format!("{} different rows cannot be split into {n_folds} folds", groups.len()),
            "take at least 2 folds, and two different rows for each",
        ));
    }
    seed.stream(StreamName::Folds).shuffle(&mut groups);
    let mut parts = vec![Vec::new(); n_folds];
    for (k, group) in groups.into_iter().enumerate() {
        parts[k % n_folds].extend_from_slice(group);
    }
    let sorted = |mut rows: Vec<usize>| {
        rows.sort_unstable();
        rows
    };
    let split = |k: usize| {
        let others = parts.iter().enumerate().filter(|(other, _)| *other != k);
        let train = others.flat_map(|(_, part)| part.iter().copied()).collect();
        Split { train: sorted(train), test: sorted(parts[k].clone()) }
    };
    Ok((0..n_folds).map(split).collect())
}

/// The rows by which errors on new rows are judged, and their weights: of equal rows that were held out together one, which counts as
/// often as all of them do. They are one draw, so a new row has to count as often.
pub fn independent_rows(dataset: &Dataset, held_out: &[usize]) -> (Vec<usize>, Option<Vec<f64>>) {
    let order = rows_by_value(dataset);
    let mut is_held_out = vec![false; dataset.n_rows()];
    held_out.iter().for_each(|&row| is_held_out[row] = true);
    let weight = |row: usize| dataset.weights().map_or(1.0, |weights| weights[row]);
    let groups = groups(dataset, &order).into_iter().filter(|group| is_held_out[group[0]]);
    let of_group = |group: &[usize]| (group[0], group.iter().map(|&row| weight(row)).sum::<f64>());
    let (rows, weights): (Vec<usize>, Vec<f64>) = groups.map(of_group).unzip();
    let is_plain = weights.iter().all(|&weight| weight == 1.0);
    (rows, (!is_plain).then_some(weights))
}

/// With at least as many rows for each different one, rows without weights are values of a coarse scale.
const COPIES_OF_A_SCALE: usize = 5;

/// Rows that stay together.
fn groups<'a>(dataset: &Dataset, order: &'a [usize]) -> Vec<&'a [usize]> {
    let groups: Vec<&[usize]> = order.chunk_by(|&a, &b| dataset.has_equal_rows(a, b)).collect();
    // A few different rows would leave a part with all copies of the others.
    let is_coarse = groups.len() > 2 && groups.len() * COPIES_OF_A_SCALE <= order.len();
    if is_coarse && dataset.weights().is_none() { order.chunks(1).collect() } else { groups }
}

fn rows_by_value(dataset: &Dataset) -> Vec<usize> {
    let mut order: Vec<usize> = (0..dataset.n_rows()).collect();
    order.sort_by(|&a, &b| dataset.compare_rows(a, b));
    order
}

/// How many of the first groups come nearest to the wanted share of the rows, each counted by its weight.
fn count_held_out(dataset: &Dataset, groups: &[&[usize]], test_fraction: f64) -> usize {
    let weight = |row: usize| dataset.weights().map_or(1.0, |weights| weights[row]);
    let of_group = |group: &&[usize]| group.iter().map(|&row| weight(row)).sum::<f64>();
    let wanted = test_fraction * groups.iter().map(of_group).sum::<f64>();
    let mut held_out = 0.0;
    let is_nearer = |group: &&&[usize]| {
        let weight = of_group(group);
        held_out += weight;
        wanted - (held_out - weight) >= weight / 2.0 && wanted > 0.0
    };
    groups.iter().take_while(is_nearer).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_rows_are_held_out_in_any_order() {
        let x: Vec<f64> = (0..40).map(f64::from).collect();
        let backwards: Vec<f64> = x.iter().rev().copied().collect();
        let data =
            |x: &[f64]| Dataset::new(vec!["x".into()], vec![x.to_vec()], x.to_vec(), None).unwrap();
        let split = hold_out(&data(&x), 0.25, Seed(3)).unwrap();
        let other = hold_out(&data(&backwards), 0.25, Seed(3)).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (30, 10));
        let mut mirrored: Vec<usize> = other.test.iter().map(|row| 39 - row).collect();
        mirrored.sort_unstable();
        assert_eq!(split.test, mirrored);
        assert_ne!(split, hold_out(&data(&x), 0.25, Seed(4)).unwrap());
    }

    #[test]
    fn values_of_a_coarse_scale_are_split_one_by_one() {
        let x: Vec<f64> = (0..400).map(|row| f64::from(row % 10)).collect();
        let data = Dataset::new(vec!["x".into()], vec![x.clone()], x.clone(), None).unwrap();
        let split = hold_out(&data, 0.25, Seed(1)).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (300, 100));
        let n_held_out = |value: f64| split.test.iter().filter(|&&row| x[row] == value).count();
        assert!((0..10).all(|value| (1..20).contains(&n_held_out(f64::from(value)))));
    }

    #[test]
    fn equal_rows_that_were_held_out_together_are_one_heavy_row() {
        let x: Vec<f64> = (0..40).map(|row| f64::from(row % 20)).collect();
        let data = Dataset::new(vec!["x".into()], vec![x.clone()], x.clone(), None).unwrap();
        let held_out = hold_out(&data, 0.3, Seed(1)).unwrap().test;
        let (rows, weights) = independent_rows(&data, &held_out);
        assert_eq!((held_out.len(), rows.len()), (12, 6));
        assert_eq!(weights, Some(vec![2.0; 6]));
        assert!(rows.iter().all(|row| held_out.contains(row)));
        // Rows of a coarse scale were held out one by one; different rows have nothing to share.
        let coarse: Vec<f64> = (0..400).map(|row| f64::from(row % 10)).collect();
        for x in [coarse, (0..40).map(f64::from).collect()] {
            let data = Dataset::new(vec!["x".into()], vec![x.clone()], x.clone(), None).unwrap();
            let held_out = hold_out(&data, 0.25, Seed(1)).unwrap().test;
            let (rows, weights) = independent_rows(&data, &held_out);
            assert_eq!((rows.len(), weights), (held_out.len(), None));
        }
    }

    #[test]
    fn equal_rows_stay_together() {
        let x: Vec<f64> = (0..40).map(|row| f64::from(row % 10)).collect();
        let data = Dataset::new(vec!["x".into()], vec![x.clone()], x.clone(), None).unwrap();
        let split = hold_out(&data, 0.3, Seed(1)).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (28, 12));
        assert!(
            split.test.iter().all(|&test| split.train.iter().all(|&train| x[test] != x[train]))
        );
    }

    #[test]
    fn every_row_is_held_out_by_one_fold() {
        let x: Vec<f64> = (0..43).map(|row| f64::from(row % 40)).collect();
        let data = Dataset::new(vec!["x".into()], vec![x.clone()], x.clone(), None).unwrap();
        let splits = folds(&data, 5, Seed(1)).unwrap();
        let mut held_out: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        held_out.sort_unstable();
        assert_eq!(held_out, (0..43).collect::<Vec<_>>());
        for split in &splits {
            assert_eq!(split.train.len() + split.test.len(), 43);
            assert!((8..=11).contains(&split.test.len()));
            assert!(
                split.test.iter().all(|&test| split.train.iter().all(|&row| x[row] != x[test]))
            );
        }
        assert_ne!(splits, folds(&data, 5, Seed(2)).unwrap());
        assert!(folds(&data, 1, Seed(1)).is_err() && folds(&data, 30, Seed(1)).is_err());
    }

    #[test]
    fn meaningless_fractions_are_refused() {
        let data =
            Dataset::new(vec!["x".into()], vec![vec![1., 2., 3.]], vec![1., 2., 3.], None).unwrap();
        for fraction in [-0.1, 1.0, 2.0, f64::NAN, 0.9] {
            assert!(hold_out(&data, fraction, Seed(0)).is_err(), "{fraction}");
        }
        assert_eq!(hold_out(&data, 0.0, Seed(0)).unwrap().test.len(), 0);
    }
}
