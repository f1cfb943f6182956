//! The languages, one file each: how operators and numbers are written, and what stands around the expression.

pub(super) mod text;
pub(super) mod latex;
pub(super) mod sympy;
pub(super) mod python;
pub(super) mod c;
pub(super) mod rust;
pub(super) mod javascript;
pub(super) mod julia;
pub(super) mod r;
pub(super) mod matlab;
pub(super) mod sql;
pub(super) mod excel;

use super::super::operator::Operator;
use super::forms::Notation;

/// A language in which a formula becomes code of its own.
pub(super) struct Language {
    pub(super) notation: Notation,
    /// What starts a comment that goes to the end of the line.
    pub(super) comment: &'static str,
    /// Definitions of what the language lacks, and the operators that need them.
    pub(super) helpers: &'static [(Operator, &'static str)],
    /// The code around the expression.
    pub(super) code: fn(&Parts) -> String,
}

/// What the code is made of.
pub(super) struct Parts {
    /// The parameters, as safe identifiers.
    pub(super) parameters: Vec<String>,
    /// The definitions in use, each with its end of line.
    pub(super) helpers: String,
    /// What is to be computed.
    pub(super) expression: String,
}

impl Parts {
    /// The parameters in a list, each between two texts.
    fn parameters(&self, before: &str, after: &str) -> String {
        let parameter = |name: &String| format!("{before}{name}{after}");
        self.parameters.iter().map(parameter).collect::<Vec<_>>().join(", ")
    }

    /// One line for each parameter, with its name in the places of `@`.
    fn lines(&self, line: &str) -> String {
        self.parameters.iter().map(|name| line.replace('@', name)).collect()
    }
}
