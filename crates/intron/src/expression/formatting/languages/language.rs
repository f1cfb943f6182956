//! What a language says about code, and what the code is made of.

use super::super::super::operator::Operator;
use super::super::forms::Notation;

/// A language in which a formula becomes code of its own.
pub(in super::super) struct Language {
    pub(in super::super) notation: Notation,
    /// What starts a comment that goes to the end of the line.
    pub(in super::super) comment: &'static str,
    /// Definitions of what the language lacks, and the operators that need them.
    pub(in super::super) helpers: &'static [(Operator, &'static str)],
    /// The code around the expression.
    pub(in super::super) code: fn(&Parts) -> String,
}

/// What the code is made of.
pub(in super::super) struct Parts {
    /// The parameters, as safe identifiers.
    pub(in super::super) parameters: Vec<String>,
    /// The definitions in use, each with its end of line.
    pub(in super::super) helpers: String,
    /// What is to be computed.
    pub(in super::super) expression: String,
}

impl Parts {
    /// The parameters in a list, each between two texts.
    pub(super) fn parameters(&self, before: &str, after: &str) -> String {
        let parameter = |name: &String| format!("{before}{name}{after}");
        self.parameters.iter().map(parameter).collect::<Vec<_>>().join(", ")
    }

    /// One line for each parameter, with its name in the places of `@`.
    pub(super) fn lines(&self, line: &str) -> String {
        self.parameters.iter().map(|name| line.replace('@', name)).collect()
    }
}
