//! Reads a table from whatever kind of file it is in.

use std::fmt;

use super::columns::{Column, Need, Reading};
use super::text::read_text;

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

/// Columns as they stand in the file: numbers, words, missing values.
#[derive(Debug)]
pub struct RawTable {
    /// How messages call the table: the file, and the sheet if it has sheets.
    pub source: String,
    /// One name per column; x0, x1, … where there is no header.
    pub names: Vec<String>,
    /// The columns that were asked for; the others are skipped.
    pub columns: Vec<Column>,
    /// Whether the first line holds names.
    pub has_header: bool,
    /// Number of rows, at least one.
    pub n_rows: usize,
    /// What the user should know about the file.
    pub notes: Vec<String>,
}

/// Why a table was refused: what, where, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    message: String,
}

impl TableError {
    pub(super) fn new(message: String) -> TableError {
        TableError { message }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for TableError {}

/// Reads only the columns for which `is_needed` says so, given the index and all names; every cell of them must be a
/// number. The other columns stay empty, and what their cells hold does not matter.
pub fn read_columns(
    source: &str,
    bytes: &[u8],
    is_needed: impl Fn(usize, &[String]) -> bool,
) -> Result<Table, TableError> {
    let need = |column: usize, names: &[String]| {
        if is_needed(column, names) { Need::Numbers } else { Need::Skip }
    };
    let RawTable { names, columns, has_header, .. } =
        read_table(source, bytes, &Reading::STRICT, need)?;
    let numbers = |column: Column| match column {
        Column::Numbers(numbers) => numbers,
        Column::Skipped | Column::Words(_) => Vec::new(),
    };
    Ok(Table { names, columns: columns.into_iter().map(numbers).collect(), has_header })
}

/// Reads each column as `need` says, given its index and all names.
pub fn read_table(
    source: &str,
    bytes: &[u8],
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    read_text(source, bytes, reading, need)
}
