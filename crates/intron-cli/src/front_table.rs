//! The front as a table for people: size, scores, formula; the chosen one marked.

use intron_files::{Entry, ModelFile};

use crate::terminal;

/// Columns before the formula.
const MARGIN: usize = 28;
/// Narrower than this the formula goes below its scores.
const MIN_FORMULA_WIDTH: usize = 30;

/// The table, wrapped to the terminal where there is one.
pub(crate) fn text(model: &ModelFile) -> String {
    let width = terminal::width();
    let mut text = format!("{:>6} {:>9} {:>9}  {}\n", "size", "R² train", "R² test", "formula");
    for (index, entry) in model.front.iter().enumerate() {
        let is_chosen = index == model.chosen;
        let row = row(entry, if is_chosen { '>' } else { ' ' }, width);
        let is_bold = is_chosen && terminal::has_colour();
        text += &if is_bold { format!("\x1b[1m{row}\x1b[0m\n") } else { format!("{row}\n") };
    }
    text
}

fn row(entry: &Entry, mark: char, width: Option<usize>) -> String {
    let test = entry.r2_test.map_or("-".to_owned(), score);
    let scores = format!("{mark}{:>5} {:>9} {test:>9}  ", entry.size, score(entry.r2_train));
    match width {
        None => scores + &entry.formula,
        Some(width) if width >= MARGIN + MIN_FORMULA_WIDTH => {
            let lines = wrap(&entry.formula, width - MARGIN);
            scores + &lines.join(&format!("\n{:MARGIN$}", ""))
        }
        Some(width) => {
            let lines = wrap(&entry.formula, width.saturating_sub(3).max(10));
            format!("{}\n   {}", scores.trim_end(), lines.join("\n   "))
        }
    }
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
