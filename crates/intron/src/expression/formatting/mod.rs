//! Formulas written as text: infix, LaTeX, SymPy, Python.

mod forms;
mod writer;
#[cfg(test)]
mod tests;

pub use writer::Format;
