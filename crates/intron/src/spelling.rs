//! How far apart two words are: errors about a wrong name suggest the nearest right one.

/// Fewest insertions, removals and replacements of one character that turn one word into the other.
pub(crate) fn edit_distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (n_read, letter) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = n_read + 1;
        for (place, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[to.len()]
}
