//! Tables of numbers and words from files: text, spreadsheets, Parquet.

mod shown;
mod date;
mod number;
mod columns;
mod header;
mod records;
mod text;
#[cfg(any(feature = "excel", feature = "parquet"))]
mod guard;
#[cfg(feature = "excel")]
mod sheets;
#[cfg(feature = "parquet")]
mod thrift;
#[cfg(feature = "parquet")]
mod parquet_claims;
#[cfg(feature = "parquet")]
mod parquet;
mod reading;
#[cfg(test)]
mod tests;
#[cfg(all(test, feature = "excel"))]
mod sheets_tests;
#[cfg(all(test, feature = "parquet"))]
mod parquet_tests;

pub use columns::{Column, Need, Reading, Words};
pub use reading::{RawTable, Table, TableError, read_columns, read_table};
