//! Formulas read from text.

mod tokens;
mod parser;
#[cfg(test)]
mod tests;
