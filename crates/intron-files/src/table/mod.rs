//! Tables of numbers and words from text files.

mod shown;
mod date;
mod number;
mod columns;
mod header;
mod records;
mod text;
mod reading;
#[cfg(test)]
mod tests;

pub use columns::{Column, Need, Reading, Words};
pub use reading::{RawTable, Table, TableError, read_columns, read_table};
