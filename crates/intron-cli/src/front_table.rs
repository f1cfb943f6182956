//! The front as a table for people: size, scores, formula; the chosen one marked.

use intron_files::{Entry, ModelFile};

use crate::terminal;

/// Columns between the complexity and the formula.
const SCORES: usize = 22;
/// Narrower than this the formula goes below its scores.
const MIN_FORMULA_WIDTH: usize = 30;

/// The table, wrapped to the terminal where there is one.
pub(crate) fn text(model: &ModelFile) -> String {
    let is_size = model.front.iter().all(|entry| entry.complexity.is_none());
    let title = if is_size { "size" } else { "complexity" };
    let digits = model.front.iter().map(|entry| complexity(entry).len()).max().unwrap_or(0);
    let layout = Layout { first: digits.max(title.len() + 1), width: terminal::width() };
    let first = layout.first + 1;
    let mut text = format!("{title:>first$} {:>9} {:>9}  formula\n", "R² train", "R² test");
    for (index, entry) in model.front.iter().enumerate() {
        let is_chosen = index == model.chosen;
        let row = layout.row(entry, if is_chosen { '>' } else { ' ' });
        let is_bold = is_chosen && terminal::has_colour();
        text += &if is_bold { format!("\x1b[1m{row}\x1b[0m\n") } else { format!("{row}\n") };
    }
    if !model.start.is_empty() {
        text += "yours:\n";
        model.start.iter().for_each(|entry| text += &format!("{}\n", layout.row(entry, ' ')));
    }
    text
}

/// The complexity as it is shown: the further formulas of a size stand below the best of it.
fn complexity(entry: &Entry) -> String {
    match entry.rank {
        None | Some(1) => entry.complexity.unwrap_or(entry.size).to_string(),
        Some(_) => String::new(),
    }
}

struct Layout {
    /// Width of the complexity.
    first: usize,
    /// Width of the terminal, where there is one.
    width: Option<usize>,
}

impl Layout {
    fn row(&self, entry: &Entry, mark: char) -> String {
        let (first, margin) = (self.first, self.first + 1 + SCORES);
        let test = entry.r2_test.map_or("-".to_owned(), score);
        let (complexity, train) = (complexity(entry), score(entry.r2_train));
        let flag = if is_doubtful(entry) { '!' } else { ' ' };
        let scores = format!("{mark}{complexity:>first$} {train:>9} {test:>9}{flag} ");
        match self.width {
            None => scores + &entry.formula,
            Some(width) if width >= margin + MIN_FORMULA_WIDTH => {
                let lines = wrap(&entry.formula, width - margin);
                scores + &lines.join(&format!("\n{:margin$}", ""))
            }
            Some(width) => {
                let lines = wrap(&entry.formula, width.saturating_sub(3).max(10));
                format!("{}\n   {}", scores.trim_end(), lines.join("\n   "))
            }
        }
    }
}

/// Whether the formula was examined for safety, and not proved safe.
fn is_doubtful(entry: &Entry) -> bool {
    entry.trust.safety.as_ref().is_some_and(|safety| safety != "safe")
}

/// What the mark `!` means, where it stands in the table.
pub(crate) fn footnote(model: &ModelFile) -> String {
    let doubtful = model.front.iter().enumerate().filter(|(_, entry)| is_doubtful(entry));
    let n_others = doubtful.clone().count().saturating_sub(1);
    let Some((index, first)) = doubtful.min_by_key(|(index, _)| index.abs_diff(model.chosen))
    else {
        return String::new();
    };
    let why = match &first.trust.danger {
        Some(danger) => danger.clone(),
        None => "could not be proved safe".to_owned(),
    };
    let percent = model.evidence.safety_margin.unwrap_or_default() * 100.0;
    let which = if index == model.chosen {
        "the marked one".to_owned()
    } else {
        match first.complexity {
            Some(complexity) => format!("complexity {complexity}"),
            None => format!("size {}", first.size),
        }
    };
    let others = match n_others {
        0 => String::new(),
        n => format!("; {n} more marked so: see `front[].danger` in model.json"),
    };
    format!(
        "! not proved finite and near the targets on new rows like these (ranges and {percent} % more): {which} {why}{others}\n"
    )
}

/// A score with four decimals; a very bad one as a power of ten.
fn score(r2: f64) -> String {
    if r2.abs() < 1e4 { format!("{r2:.4}") } else { format!("{r2:.1e}") }
}

/// Breaks text at spaces into lines of at most `width` characters; a longer word is cut.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (part, piece) in letters.chunks(width).enumerate() {
            let piece: String = piece.iter().collect();
            let line = lines.last_mut().expect("there is always a line");
            let used = line.chars().count();
            if used > 0 && (part > 0 || used + 1 + piece.chars().count() > width) {
                lines.push(piece);
            } else {
                if used > 0 {
                    line.push(' ');
                }
                line.push_str(&piece);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_wrapped_at_spaces() {
        assert_eq!(wrap("a + b * c", 5), ["a + b", "* c"]);
        assert_eq!(wrap("abcdefgh + 1", 3), ["abc", "def", "gh", "+ 1"]);
        assert_eq!(wrap("a", 3), ["a"]);
    }

    #[test]
    fn scores_fit_their_column() {
        assert_eq!(score(0.62346), "0.6235");
        assert_eq!(score(-3.4e20), "-3.4e20");
        assert_eq!(score(f64::NEG_INFINITY), "-inf");
    }
}
