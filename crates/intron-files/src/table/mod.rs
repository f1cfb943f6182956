//! Tables of numbers from text files.

mod number;
mod records;
mod reading;
#[cfg(test)]
mod tests;

pub use reading::{Table, TableError, read_columns};
