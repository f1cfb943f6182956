//! What a report is made of: sections with figures, tables and notes; and the text of a CSV file.

use std::fmt::{Display, Write};

use crate::statistics::StatisticsError;

/// A part of the report with a heading.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// Anchor in the page.
    pub(super) id: &'static str,
    pub(super) title: String,
    /// What the section is about, and what the reader should know.
    pub(super) lead: String,
    pub(super) parts: Vec<Part>,
}

/// What stands in a section.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Figure(Figure),
    Table(Table),
    /// A heading inside of the section.
    Heading(String),
    /// One line of text, such as why something is left out.
    Note(String),
    /// Parts that are folded away until the reader wants them.
    Folded(String, Vec<Part>),
    /// Text that is HTML already.
    Html(String),
}

/// A figure with its data.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// Name of its files, without an ending.
    pub(super) name: String,
    pub(super) svg: String,
    pub(super) csv: String,
    pub(super) caption: String,
}

/// A table, which is a file too.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Name of its file, without an ending.
    pub(super) name: String,
    pub(super) csv: String,
    pub(super) caption: String,
    pub(super) header: Vec<String>,
    /// The first cell of a row is its heading.
    pub(super) rows: Vec<Vec<String>>,
}

impl Part {
    /// A figure, or a line that says why there is none.
    pub(super) fn figure_or_reason(what: &str, figure: Result<Figure, StatisticsError>) -> Part {
        match figure {
            Ok(figure) => Part::Figure(figure),
            Err(error) => Part::Note(format!("{what}: left out, because {error}.")),
        }
    }
}

/// The text of a CSV file.
pub(super) struct Csv(String);

impl Csv {
    pub(super) fn new(header: &[&str]) -> Csv {
        let mut csv = Csv(String::new());
        csv.row(&header.iter().map(|cell| cell as &dyn Display).collect::<Vec<_>>());
        csv
    }

    pub(super) fn row(&mut self, cells: &[&dyn Display]) {
        for (index, cell) in cells.iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            let text = cell_text(cell.to_string());
            let _ = if text.contains([',', '"', '\n']) {
                write!(self.0, "\"{}\"", text.replace('"', "\"\""))
            } else {
                write!(self.0, "{text}")
            };
        }
        self.0.push('\n');
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}

/// A cell that programs read as it is meant: very small numbers are short, and text is not taken for a formula.
fn cell_text(text: String) -> String {
    match text.parse::<f64>() {
        Ok(value) if value != 0.0 && value.abs() < 1e-4 => format!("{value:e}"),
        Err(_) if text.starts_with(['=', '+', '-', '@']) => format!("'{text}"),
        _ => text,
    }
}

/// A number for people: fixed digits, with a true minus sign, and no negative zero.
pub(super) fn number(value: f64, n_digits: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.n_digits$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.replace('-', "") } else { text.replace('-', "−") }
}

/// A count for people: thousands apart, powers of ten short.
pub(super) fn count(value: f64) -> String {
    let exponent = value.abs().max(1.0).log10().floor() as i32;
    let mantissa = value / 10_f64.powi(exponent);
    let is_round = (mantissa * 100.0 - (mantissa * 100.0).round()).abs() < 1e-9;
    if exponent >= 4 && is_round {
        let superscript: String = exponent.to_string().chars().filter_map(superscript_of).collect();
        let factor =
            format!("{mantissa:.2}").trim_end_matches('0').trim_end_matches('.').to_owned();
        return if factor == "1" {
            format!("10{superscript}")
        } else {
            format!("{factor}·10{superscript}")
        };
    }
    format!("{value:.0}")
}

fn superscript_of(digit: char) -> Option<char> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize)
}

/// The same text as a heading.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `1 run`, `2 runs`.
pub(super) fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        let mut csv = Csv::new(&["a", "b"]);
        csv.row(&[&"x,\"y\"", &1.5]);
        assert_eq!(csv.text(), "a,b\n\"x,\"\"y\"\"\",1.5\n");
    }

    #[test]
    fn spreadsheets_take_no_text_for_a_formula() {
        let mut csv = Csv::new(&["=a", "b"]);
        csv.row(&[&"+,-,*", &-0.5]);
        csv.row(&[&"@x", &f64::NEG_INFINITY]);
        csv.row(&[&"-", &-3]);
        assert_eq!(csv.text(), "'=a,b\n\"'+,-,*\",-0.5\n'@x,-inf\n'-,-3\n");
    }

    #[test]
    fn very_small_numbers_are_short_and_the_same() {
        let mut csv = Csv::new(&["p"]);
        csv.row(&[&1.25e-90]);
        csv.row(&[&0.0]);
        csv.row(&[&0.001]);
        assert_eq!(csv.text(), "p\n1.25e-90\n0\n0.001\n");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(number(-0.0001, 2), "0.00");
        assert_eq!(number(-0.25, 2), "−0.25");
        assert_eq!(number(f64::NAN, 2), "–");
        assert_eq!(count(1e7), "10⁷");
        assert_eq!(count(3e5), "3·10⁵");
        assert_eq!(count(2000.0), "2000");
        assert_eq!(plural(1, "run"), "1 run");
    }
}
