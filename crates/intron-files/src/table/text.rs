//! Reads a table of numbers from comma-, tab-, semicolon-, pipe- or space-separated text.
//!
//! The text is walked twice: once for its shape (quotes, row lengths, number of rows), once for its numbers. So the
//! columns are allocated at their exact size, and a malformed file is refused before anything large is allocated.

use std::borrow::Cow;

use super::columns::{Cell, Columns, Need, Reading};
use super::header;
use super::reading::{RawTable, TableError};
use super::records::{Field, Fields, Flaw, Problem, Separator, count_line_ends};
use super::shown::shown;

/// Every column costs about a hundred bytes however short it is; a hostile file must not turn that into gigabytes.
pub(super) const MAXIMUM_COLUMNS: usize = 1_000_000;

/// Reads a table from text.
pub(super) fn read_text(
    source: &str,
    bytes: &[u8],
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    let text = decode(source, bytes)?;
    let document = Document { source, text, separator: Separator::detect(text) };
    let shape = document.measure()?;
    let header = document.header()?;
    let has_header = header.is_some();
    let names =
        header.unwrap_or_else(|| (0..shape.columns).map(|index| format!("x{index}")).collect());
    let n_rows = shape.records - usize::from(has_header);
    if n_rows == 0 {
        return Err(TableError::new(format!("{source} has a header but no rows")));
    }
    let needs = (0..shape.columns).map(|index| need(index, &names)).collect();
    let mut columns = Columns::new(reading, needs, n_rows);
    document.fill(&mut columns, &names, has_header)?;
    let columns = columns.finish();
    Ok(RawTable { source: source.to_owned(), names, columns, has_header, n_rows, notes: vec![] })
}

fn decode<'a>(source: &str, bytes: &'a [u8]) -> Result<&'a str, TableError> {
    let refuse = |offset: usize, what: &str| {
        let line = 1 + count_line_ends(&bytes[..offset]);
        Err(TableError::new(format!("{source}, line {line}: {what}")))
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
            return Err(TableError::new(format!(
                "{} is empty; it needs rows of numbers",
                self.source
            )));
        }
        if columns > MAXIMUM_COLUMNS {
            let what = format!("has {columns} columns; at most {MAXIMUM_COLUMNS} can be read");
            return Err(TableError::new(format!("{} {what}", self.source)));
        }
        Ok(shape)
    }

    /// The names in the first record, or nothing if that record holds numbers already.
    fn header(&self) -> Result<Option<Vec<String>>, TableError> {
        if !self.first_record().any(|field| header::is_name(&field.text())) {
            return Ok(None);
        }
        let names: Vec<Cow<str>> = self.first_record().map(|field| field.text()).collect();
        if let Some(flaw) = header::flaw(&names) {
            let mut lines = self.first_record();
            let line = lines.nth(flaw.column).map_or(1, |field| field.line);
            return Err(self.at_column(line, flaw.column, None, &flaw.what));
        }
        Ok(Some(names.into_iter().map(Cow::into_owned).collect()))
    }

    fn first_record(&self) -> impl Iterator<Item = Field<'a>> {
        let mut is_over = false;
        self.fields()
            .map_while(Result::ok)
            .take_while(move |field| !std::mem::replace(&mut is_over, field.is_last))
    }

    /// Reads the cells of the needed columns.
    fn fill(
        &self,
        columns: &mut Columns,
        names: &[String],
        has_header: bool,
    ) -> Result<(), TableError> {
        let header_fields = if has_header { names.len() } else { 0 };
        for field in self.fields().skip(header_fields) {
            let field = field.map_err(|flaw| self.flawed(&flaw))?;
            if !columns.is_needed(field.column) {
                continue;
            }
            let text = field.text();
            let name = &names[field.column];
            if let Err(mut what) = columns.push(field.column, name, &Cell::Text(&text)) {
                if text.is_empty() && field.is_last && !has_header {
                    what.push_str("; if every line ends with a separator, remove it");
                }
                let name = has_header.then_some(name.as_str());
                return Err(self.at_column(field.line, field.column, name, &what));
            }
        }
        Ok(())
    }

    fn at_column(&self, line: usize, column: usize, name: Option<&str>, what: &str) -> TableError {
        let name = name.map(|name| format!(" (`{}`)", shown(name))).unwrap_or_default();
        TableError::new(format!(
            "{}, line {line}, column {}{name}: {what}",
            self.source,
            column + 1
        ))
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
        TableError::new(format!("{}, line {line}: {what}", self.source))
    }
}
