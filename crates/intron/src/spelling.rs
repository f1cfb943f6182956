//! How far apart two words are: errors about a wrong name suggest the nearest right one.

/// The key that takes the fewest edits, after the last part of the key alone was tried; none if all take many.
pub(crate) fn nearest_key(
    keys: impl Iterator<Item = &'static str>,
    wanted: &str,
) -> Option<&'static str> {
    let last_part = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let apart = |a: &str, b: &str| {
        edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    };
    let distance =
        |name: &str| apart(wanted, name).min(apart(&last_part(wanted), &last_part(name)) + 1);
    let nearest = keys.min_by_key(|name| distance(name));
    // Beyond half of its letters nothing is like it.
    nearest.filter(|name| 2 * distance(name) <= wanted.len())
}

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
