//! From cells to columns of numbers or of words, whatever file the cells come from.

use std::collections::HashMap;

use super::date::looks_like_date;
use super::number::{Refusal, parse_number};
use super::shown::shown;

/// How a column is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Not at all: its cells may hold anything.
    Skip,
    /// As numbers; text is refused.
    Numbers,
    /// As numbers that nothing can stand for, such as a target or weights.
    Measured,
    /// As numbers, or as words if a cell holds text.
    Either,
    /// As words: numbers too are names of groups.
    Words,
}

/// What is allowed in a table, and what messages say about the rest.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The sheet of a spreadsheet; the first one where none is named.
    pub sheet: Option<&'a str>,
    /// Whether missing values are kept; otherwise the first one is refused.
    pub keeps_missing: bool,
    /// How to mend a missing value.
    pub mend_missing: &'a str,
    /// How to mend text where a number is wanted; `COLUMN` stands for the name of the column.
    pub mend_text: &'a str,
    /// Most different words of a column.
    pub most_words: usize,
}

impl Reading<'_> {
    /// Every cell a number.
    pub const STRICT: Reading<'static> = Reading {
        sheet: None,
        keeps_missing: false,
        mend_missing: "drop the row or fill it in",
        mend_text: "mend the cell, or remove the row or the column",
        most_words: 0,
    };
}

/// One column as it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// A column that was not asked for.
    Skipped,
    /// Finite numbers; NaN where the value is missing.
    Numbers(Vec<f64>),
    /// Words.
    Words(Words),
}

/// A column of words: every different one once, and which of them each row holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Words {
    /// The different words, in the order in which they appear.
    pub different: Vec<String>,
    /// For each row its word; none where the value is missing.
    pub rows: Vec<Option<usize>>,
    index: HashMap<String, usize>,
}

impl Words {
    /// The word of a row, if there is one.
    pub fn word(&self, row: usize) -> Option<&str> {
        self.rows[row].map(|word| self.different[word].as_str())
    }

    fn push(&mut self, word: &str) {
        let next = self.different.len();
        let place = *self.index.entry(word.to_owned()).or_insert(next);
        if place == next {
            self.different.push(word.to_owned());
        }
        self.rows.push(Some(place));
    }
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    not(any(feature = "excel", feature = "parquet")),
    allow(dead_code, reason = "a CSV file has nothing but text")
)]
pub(super) enum Cell<'a> {
    Empty,
    Number(f64),
    Boolean(bool),
    /// Anything, also a number or a mark for a missing value.
    Text(&'a str),
    /// A value that the file itself calls a date or a time.
    Date(&'a str),
    /// A value that can be no number; says what it is.
    Fault(&'a str),
}

/// Takes cells row by row and makes columns of them.
pub(super) struct Columns<'a> {
    reading: &'a Reading<'a>,
    needs: Vec<Need>,
    columns: Vec<Column>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(reading: &'a Reading<'a>, needs: Vec<Need>, n_rows: usize) -> Columns<'a> {
        let column = |need: &Need| match need {
            Need::Skip => Column::Skipped,
            Need::Numbers | Need::Measured | Need::Either => {
                Column::Numbers(Vec::with_capacity(n_rows))
            }
            Need::Words => Column::Words(Words::default()),
        };
        let columns = needs.iter().map(column).collect();
        Columns { reading, needs, columns }
    }

    pub(super) fn is_needed(&self, column: usize) -> bool {
        self.needs[column] != Need::Skip
    }

    pub(super) fn finish(self) -> Vec<Column> {
        self.columns
    }

    /// Adds the next cell of a column; the error is what is wrong with it and how to mend it.
    pub(super) fn push(&mut self, column: usize, name: &str, cell: &Cell) -> Result<(), String> {
        let number = match *cell {
            Cell::Empty => Err(Refusal::Missing),
            Cell::Number(number) if number.is_finite() => Ok(number),
            Cell::Number(number) if number.is_nan() => Err(Refusal::Missing),
            Cell::Number(_) => Err(Refusal::NotFinite),
            Cell::Boolean(is_true) => Ok(f64::from(u8::from(is_true))),
            Cell::Text(text) => match parse_number(text) {
                // The truth values of a CSV are those of a sheet; where words may stand they are words.
                Err(Refusal::Text) if self.needs[column] != Need::Either => truth_of(text),
                number => number,
            },
            Cell::Date(text) => return Err(date_refusal(text)),
            Cell::Fault(text) => return Err(format!("{}; mend the cell", shown(text))),
        };
        if number == Err(Refusal::Missing) && !self.reading.keeps_missing {
            return Err(self.refuse(Refusal::Missing, cell, (column, name)));
        }
        match (&mut self.columns[column], number) {
            (Column::Skipped, _) => Ok(()),
            (Column::Numbers(numbers), Ok(number)) => {
                numbers.push(number);
                Ok(())
            }
            (Column::Numbers(numbers), Err(Refusal::Missing)) => {
                numbers.push(f64::NAN);
                Ok(())
            }
            (Column::Numbers(numbers), Err(Refusal::Text))
                if self.needs[column] == Need::Either && !looks_like_date(&text_of(cell)) =>
            {
                let words = numbers_as_words(numbers);
                self.columns[column] = Column::Words(words);
                self.push_word(column, &text_of(cell))
            }
            (Column::Numbers(_), Err(refusal)) => Err(self.refuse(refusal, cell, (column, name))),
            (Column::Words(words), Err(Refusal::Missing)) => {
                words.rows.push(None);
                Ok(())
            }
            (Column::Words(_), _) => self.push_word(column, &text_of(cell)),
        }
    }

    fn push_word(&mut self, column: usize, word: &str) -> Result<(), String> {
        let Column::Words(words) = &mut self.columns[column] else { return Ok(()) };
        if word.contains(char::is_control) {
            return Err(format!("`{}` holds a control character; rename the value", shown(word)));
        }
        words.push(word);
        let most = self.reading.most_words;
        if words.different.len() > most {
            let word = shown(word);
            let what = format!("with `{word}` the column has more than {most} different values");
            let mend = "too many for --one-hot: leave it out with --features, or group its values";
            return Err(match self.needs[column] {
                Need::Either => format!("`{word}` is not a number, and {what}, {mend}"),
                _ => format!("{what}, {mend}"),
            });
        }
        if self.needs[column] == Need::Either && looks_like_date(word) {
            return Err(date_refusal(word));
        }
        Ok(())
    }

    fn refuse(&self, refusal: Refusal, cell: &Cell, (column, name): (usize, &str)) -> String {
        let text = text_of(cell);
        match refusal {
            Refusal::Missing => {
                let what = if text.is_empty() {
                    "empty cell".to_owned()
                } else {
                    format!("`{}`", shown(&text))
                };
                format!("missing value ({what}); {}", self.reading.mend_missing)
            }
            Refusal::Text if looks_like_date(&text) => date_refusal(&text),
            Refusal::Text if self.needs[column] == Need::Measured => {
                let mend =
                    "the target and weights are numbers: mend the cell, or name another column";
                format!("`{}` is not a number; {mend}", shown(&text))
            }
            Refusal::Text => {
                let mend = self.reading.mend_text.replace("COLUMN", &as_argument(name));
                format!("`{}` is not a number; {mend}", shown(&text))
            }
            _ => refusal.describe(&shown(&text)),
        }
    }
}

/// A name as one types it after a flag.
fn as_argument(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "-_./=,+:".contains(c));
    if is_plain { shown(name) } else { format!("'{}'", shown(name).replace('\'', "'\\''")) }
}

fn truth_of(text: &str) -> Result<f64, Refusal> {
    let truths = [("true", 1.0), ("false", 0.0)];
    let found = truths.iter().find(|(truth, _)| text.trim().eq_ignore_ascii_case(truth));
    found.map(|(_, number)| *number).ok_or(Refusal::Text)
}

/// A number is called the same whatever file it comes from.
fn text_of(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Boolean(is_true) => is_true.to_string(),
        Cell::Text(text) => match parse_number(text) {
            Ok(number) => number.to_string(),
            Err(_) => text.trim().to_owned(),
        },
        Cell::Date(text) | Cell::Fault(text) => (*text).to_owned(),
    }
}

fn numbers_as_words(numbers: &[f64]) -> Words {
    let mut words = Words::default();
    for number in numbers {
        if number.is_nan() {
            words.rows.push(None);
        } else {
            words.push(&number.to_string());
        }
    }
    words
}

fn date_refusal(text: &str) -> String {
    format!(
        "`{}` is a date or a time, not a number; write it as a number, such as days since a start, or leave the \
         column out with --features",
        shown(text)
    )
}
