//! The front as a table for people: size, scores, formula; the chosen one marked.

use intron_files::{Entry, ModelFile};

use crate::terminal;
use crate::wording::{counted, wrap};

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
    let mut text = layout.header(title);
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
    /// Columns before the formula.
    fn margin(&self) -> usize {
        self.first + 1 + SCORES
    }

    /// Whether formulas stand below their scores.
    fn is_narrow(&self) -> bool {
        self.width.is_some_and(|width| width < self.margin() + MIN_FORMULA_WIDTH)
    }

    fn header(&self, title: &str) -> String {
        let first = self.first + 1;
        let scores = format!("{title:>first$} {:>9} {:>9}", "R² train", "R² test");
        if self.is_narrow() {
            format!("{scores}\n   formula\n")
        } else {
            format!("{scores}  formula\n")
        }
    }

    fn row(&self, entry: &Entry, mark: char) -> String {
        let (first, margin) = (self.first, self.margin());
        let test = entry.r2_test.map_or("-".to_owned(), score);
        let (complexity, train) = (complexity(entry), score(entry.r2_train));
        let flag = if is_doubtful(entry) { '!' } else { ' ' };
        let scores = format!("{mark}{complexity:>first$} {train:>9} {test:>9}{flag} ");
        match self.width {
            None => scores + &entry.formula,
            Some(width) if !self.is_narrow() => {
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
        n => format!("; {n} more marked so: --json and model.json tell the `danger` of each"),
    };
    format!(
        "! not proved finite and near the targets on new rows like these (ranges and {percent} % more): {which} {why}{others}\n"
    )
}

/// How likely a formula as small and good as the chosen one comes from noise, where that was asked.
pub(crate) fn chance(model: &ModelFile) -> String {
    let p = model.front.get(model.chosen).and_then(|chosen| chosen.trust.p_null);
    match (&model.evidence.null, p) {
        (Some(null), Some(p)) => {
            let n_runs = counted(null.n_runs as u64, "shuffled target");
            format!("the chance that noise gives as much: p = {} ({n_runs})\n", p_value(p))
        }
        _ => String::new(),
    }
}

/// Three decimals; four where that would be 0.
pub(crate) fn p_value(p: f64) -> String {
    if p < 5e-4 { format!("{p:.4}") } else { format!("{p:.3}") }
}

/// A score with four decimals; a very bad one as a power of ten.
fn score(r2: f64) -> String {
    // No minus before nothing.
    let r2 = if r2.abs() < 5e-5 { 0.0 } else { r2 };
    if r2.abs() < 1e4 { format!("{r2:.4}") } else { format!("{r2:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_fits_forty_columns() {
        let layout = Layout { first: "complexity".len() + 1, width: Some(40) };
        let header = layout.header("complexity");
        assert!(header.lines().all(|line| line.chars().count() <= 40), "{header}");
        let piped = Layout { width: None, ..layout }.header("complexity");
        assert_eq!(piped.lines().count(), 1, "{piped}");
    }

    #[test]
    fn scores_fit_their_column() {
        assert_eq!(score(0.62346), "0.6235");
        assert_eq!(score(-4e-17), "0.0000");
        assert_eq!(score(-3.4e20), "-3.4e20");
        assert_eq!(score(f64::NEG_INFINITY), "-inf");
    }
}
