//! The one error enum. Only wrong input produces it: bugs panic by assertion, and a stop is a value.

/// What is wrong with the input, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The data cannot be used.
    #[error("{problem}; {remedy}")]
    Data {
        /// What is wrong, and where.
        problem: String,
        /// What the user can do.
        remedy: String,
    },
    /// A setting has a value that it cannot take.
    #[error("{key}: {problem}; {remedy}")]
    Setting {
        /// The key, as `--set` spells it.
        key: String,
        /// What is wrong.
        problem: String,
        /// What the user can do.
        remedy: String,
    },
    /// A name that is not known.
    #[error("unknown {what} `{given}`; known: {known}")]
    UnknownName {
        /// What kind of name.
        what: &'static str,
        /// The name as given.
        given: String,
        /// The names that would have been right.
        known: String,
    },
    /// A key that is not known.
    #[error("unknown setting `{given}`{}", nearest.map_or(String::new(), |key| format!("; did you mean `{key}`?")))]
    UnknownSetting {
        /// The key as given.
        given: String,
        /// A key that is much like it.
        nearest: Option<&'static str>,
    },
    /// A formula that cannot be read.
    #[error("formula, character {column}: {problem}")]
    Formula {
        /// Where, counted in characters from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint cannot be read, or is not one of this search.
    #[error("checkpoint: {problem}; {remedy}")]
    Checkpoint {
        /// What is wrong, and where.
        problem: String,
        /// What the user can do.
        remedy: String,
    },
    /// A population given as tokens cannot be used.
    #[error("{0}")]
    Population(String),
}

impl Error {
    pub(crate) fn data(problem: impl Into<String>, remedy: impl Into<String>) -> Error {
        Error::Data { problem: problem.into(), remedy: remedy.into() }
    }

    /// A checkpoint that does not hold what it should.
    pub(crate) fn checkpoint(problem: impl Into<String>) -> Error {
        let remedy = "it is damaged: take an earlier one, or start anew".to_owned();
        Error::Checkpoint { problem: problem.into(), remedy }
    }

    pub(crate) fn setting(
        key: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Error {
        Error::Setting { key: key.into(), problem: problem.into(), remedy: remedy.into() }
    }
}
