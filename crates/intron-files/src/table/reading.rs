//! Reads a table from whatever kind of file it is in.

use std::fmt;

use super::columns::{Column, Need, Reading};
use super::text::read_text;

/// Most cells of a file in which a few bytes can stand for many of them: two gigabytes of numbers.
#[cfg(any(feature = "excel", feature = "parquet"))]
pub(super) const MAXIMUM_CELLS: usize = 1 << 28;

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

/// What a file is, by its first bytes.
enum Kind {
    Spreadsheet,
    Parquet,
    Text,
}

fn kind_of(bytes: &[u8]) -> Kind {
    const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
    const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
    if bytes.starts_with(COMPOUND) || ZIP.iter().any(|mark| bytes.starts_with(mark)) {
        return Kind::Spreadsheet;
    }
    // The mark of an encrypted Parquet file is PARE.
    if bytes.starts_with(b"PAR1") || bytes.starts_with(b"PARE") && bytes.ends_with(b"PARE") {
        return Kind::Parquet;
    }
    Kind::Text
}

/// Whether text begins as JSON does: an object, or an array of objects or arrays. A name in a header may begin with a brace or
/// bracket, so that alone does not tell.
fn is_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut marks = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (marks.next(), marks.next()) {
        (Some(b'{'), Some(next)) => matches!(next, b'"' | b'}'),
        (Some(b'['), Some(next)) => matches!(next, b'{' | b'['),
        _ => false,
    }
}

/// Reads each column as `need` says, given its index and all names.
pub fn read_table(
    source: &str,
    bytes: &[u8],
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    let kind = kind_of(bytes);
    if let (Some(sheet), Kind::Text | Kind::Parquet) = (reading.sheet, &kind) {
        return Err(TableError::new(format!(
            "{source}: has no sheets, so there is no sheet `{sheet}`; leave --sheet out"
        )));
    }
    match kind {
        #[cfg(feature = "excel")]
        Kind::Spreadsheet => super::sheets::read_sheet(source, bytes, reading, need),
        #[cfg(not(feature = "excel"))]
        Kind::Spreadsheet => Err(TableError::new(format!(
            "{source}: is a spreadsheet, which this build does not read; save it as CSV, or install Intron with \
             --features excel"
        ))),
        #[cfg(feature = "parquet")]
        Kind::Parquet => super::parquet::read_parquet(source, bytes, reading, need),
        #[cfg(not(feature = "parquet"))]
        Kind::Parquet => Err(TableError::new(format!(
            "{source}: is a Parquet file, which this build does not read; save it as CSV, or install Intron with \
             --features parquet"
        ))),
        Kind::Text if is_json(bytes) => Err(TableError::new(format!(
            "{source}: is JSON, not a table; give a CSV file, a spreadsheet or a Parquet file"
        ))),
        Kind::Text => read_text(source, bytes, reading, need),
    }
}
