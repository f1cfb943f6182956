//! Which rows are drawn where there are too many for a picture.

use intron::{Seed, StreamName};

/// All rows, or `most` of them chosen at random, in their order. The same seed and part always give the same rows.
pub(super) fn sample(n_rows: usize, most: usize, seed: Seed, part: usize) -> Vec<usize> {
    if n_rows <= most {
        return (0..n_rows).collect();
    }
    let mut stream = seed.stream(StreamName::Drawing { part: part as u64 });
    let mut n_wanted = most;
    let is_taken = |row: &usize| {
        let is_taken = stream.below(n_rows - row) < n_wanted;
        n_wanted -= usize::from(is_taken);
        is_taken
    };
    (0..n_rows).filter(is_taken).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_repeats() {
        assert_eq!(sample(3, 5, Seed(1), 0), [0, 1, 2]);
        let rows = sample(10_000, 100, Seed(1), 0);
        assert_eq!(rows.len(), 100);
        assert!(rows.is_sorted_by(|a, b| a < b));
        assert!(rows[0] < 500 && rows[99] > 9_500);
        assert_eq!(rows, sample(10_000, 100, Seed(1), 0));
        assert_ne!(rows, sample(10_000, 100, Seed(1), 1));
    }
}
