//! Reads a table of numbers from comma-, tab-, semicolon-, pipe- or space-separated text.
//!
//! The text is walked twice: once for its shape (quotes, row lengths, number of rows), once for its numbers. So the
//! columns are allocated at their exact size, and a malformed file is refused before anything large is allocated.

use super::number::{Refusal, parse_number};
use super::records::{Field, Fields, Flaw, Problem, Separator, count_line_ends};
use std::collections::HashMap;
use std::fmt;

/// Every column costs about a hundred bytes however short it is; a hostile file must not turn that into gigabytes.
pub(super) const MAXIMUM_COLUMNS: usize = 1_000_000;

const SHOWN_CHARACTERS: usize = 40;

/// Numbers by column: all finite, at least one row, and all columns that were read equally long.
#[derive(Debug)]
pub struct Table {
    /// One name per column; x0, x1, … where there is no header.
    pub names: Vec<String>,
    /// The columns that were asked for; the others are empty.
    pub columns: Vec<Vec<f64>>,
    /// Whether the first line holds names.
    pub has_header: bool,
}

/// Why a table was refused: what, where, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for TableError {}

/// Reads only the columns for which `is_needed` says so, given the index and all names. The other columns stay empty,
/// and what their cells hold does not matter.
pub fn read_columns(
    source: &str,
    bytes: &[u8],
    is_needed: impl Fn(usize, &[String]) -> bool,
) -> Result<Table, TableError> {
    let text = decode(source, bytes)?;
    let document = Document { source, text, separator: Separator::detect(text) };
    let shape = document.measure()?;
    let header = document.header()?;
    let has_header = header.is_some();
    let names =
        header.unwrap_or_else(|| (0..shape.columns).map(|index| format!("x{index}")).collect());
    let rows = shape.records - usize::from(has_header);
    if rows == 0 {
        return Err(TableError { message: format!("{source} has a header but no rows") });
    }
    let needed: Vec<bool> = (0..shape.columns).map(|index| is_needed(index, &names)).collect();
    let capacities = needed.iter().map(|needed| if *needed { rows } else { 0 });
    let mut table =
        Table { columns: capacities.map(Vec::with_capacity).collect(), names, has_header };
    document.fill(&mut table, &needed)?;
    Ok(table)
}

fn decode<'a>(source: &str, bytes: &'a [u8]) -> Result<&'a str, TableError> {
    let refuse = |offset: usize, what: &str| {
        let line = 1 + count_line_ends(&bytes[..offset]);
        Err(TableError { message: format!("{source}, line {line}: {what}") })
    };
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return refuse(0, "not UTF-8 text but UTF-16; save the file as CSV UTF-8");
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return refuse(offset, "a NUL byte (is this a binary file?); a table must be UTF-8 text");
    }
    match str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text)),
        Err(error) => refuse(error.valid_up_to(), "not UTF-8 text; save the file as CSV UTF-8"),
    }
}

struct Shape {
    columns: usize,
    records: usize,
}

struct Document<'a> {
    source: &'a str,
    text: &'a str,
    separator: Separator,
}

impl<'a> Document<'a> {
    fn fields(&self) -> Fields<'a> {
        Fields::new(self.text, self.separator)
    }

    /// Checks the quotes and that all records are equally long.
    fn measure(&self) -> Result<Shape, TableError> {
        let mut shape = Shape { columns: 0, records: 0 };
        let mut record_line = 1;
        for field in self.fields() {
            let field = field.map_err(|flaw| self.flawed(&flaw))?;
            if field.column == 0 {
                record_line = field.line;
            }
            if field.is_last {
                if shape.records == 0 {
                    shape.columns = field.column + 1;
                }
                if field.column + 1 != shape.columns {
                    return Err(self.ragged(record_line, shape.columns, &field));
                }
                shape.records += 1;
            }
        }
        let Shape { columns, records } = shape;
        if records == 0 {
            return Err(TableError {
                message: format!("{} is empty; it needs rows of numbers", self.source),
            });
        }
        if columns > MAXIMUM_COLUMNS {
            let what = format!("has {columns} columns; at most {MAXIMUM_COLUMNS} can be read");
            return Err(TableError { message: format!("{} {what}", self.source) });
        }
        Ok(shape)
    }

    /// The names in the first record, or nothing if that record holds numbers already.
    fn header(&self) -> Result<Option<Vec<String>>, TableError> {
        let is_text = |field: Field| parse_number(&field.text()) == Err(Refusal::Text);
        if !self.first_record().any(is_text) {
            return Ok(None);
        }
        let (mut names, mut seen) = (Vec::new(), HashMap::new());
        for field in self.first_record() {
            let name = field.text();
            let twin = seen.insert(name.clone(), field.column);
            if let Some(flaw) = name_flaw(&name, &field, twin) {
                return Err(self.at_column(field.line, field.column, None, &flaw));
            }
            names.push(name.into_owned());
        }
        Ok(Some(names))
    }

    fn first_record(&self) -> impl Iterator<Item = Field<'a>> {
        let mut is_over = false;
        self.fields()
            .map_while(Result::ok)
            .take_while(move |field| !std::mem::replace(&mut is_over, field.is_last))
    }

    /// Parses the cells of the needed columns.
    fn fill(&self, table: &mut Table, needed: &[bool]) -> Result<(), TableError> {
        let header_fields = if table.has_header { needed.len() } else { 0 };
        for field in self.fields().skip(header_fields) {
            let field = field.map_err(|flaw| self.flawed(&flaw))?;
            if !needed[field.column] {
                continue;
            }
            let text = field.text();
            match parse_number(&text) {
                Ok(number) => table.columns[field.column].push(number),
                Err(refusal) => {
                    let mut what = refusal.describe(&shown(text.trim()));
                    if text.is_empty() && field.is_last && !table.has_header {
                        what.push_str("; if every line ends with a separator, remove it");
                    }
                    let name = table.has_header.then(|| table.names[field.column].as_str());
                    return Err(self.at_column(field.line, field.column, name, &what));
                }
            }
        }
        Ok(())
    }

    fn at_column(&self, line: usize, column: usize, name: Option<&str>, what: &str) -> TableError {
        let name = name.map(|name| format!(" (`{}`)", shown(name))).unwrap_or_default();
        TableError {
            message: format!("{}, line {line}, column {}{name}: {what}", self.source, column + 1),
        }
    }

    fn flawed(&self, flaw: &Flaw) -> TableError {
        let what = match flaw.problem {
            Problem::UnclosedQuote => "the quote opened here is never closed",
            Problem::TextAfterQuote => "there is text after the closing quote",
        };
        let what = format!("{what}; mend it, or write `\"\"` for a quote within a quoted cell");
        self.at_column(flaw.line, flaw.column, None, &what)
    }

    fn ragged(&self, line: usize, expected: usize, last: &Field) -> TableError {
        let found = last.column + 1;
        let mend = if found == expected + 1 && last.text().is_empty() {
            "remove the separator at the end of the line"
        } else {
            "mend the row or remove it"
        };
        let fields = if found == 1 { "field" } else { "fields" };
        let separator = self.separator.name();
        let what = format!(
            "{found} {fields} where {expected} are expected (separator: {separator}); {mend}"
        );
        TableError { message: format!("{}, line {line}: {what}", self.source) }
    }
}

fn name_flaw(name: &str, field: &Field, twin: Option<usize>) -> Option<String> {
    let shown_name = shown(name);
    if name.contains(char::is_control) {
        return Some(format!(
            "the name `{shown_name}` holds a control character; rename the column"
        ));
    }
    if name.trim().is_empty() {
        let mend = if field.is_last {
            "name the column, or, if every line ends with a separator, remove that separator"
        } else {
            "name the column or remove it"
        };
        return Some(format!("the header has no name here; {mend}"));
    }
    twin.map(|twin| {
        format!("the name `{shown_name}` is also that of column {}; rename one", twin + 1)
    })
}

/// The beginning of a text, safe to print.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == SHOWN_CHARACTERS {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}
