//! What a report is about: a model, the rows it is looked at on, and what is known of the search.

use intron::{Dataset, Seed};
use intron_files::ModelFile;
use serde_json::Value;

/// Everything that a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The formulas; at least one.
    pub model: &'a ModelFile,
    /// The rows, training rows first; at least one part.
    pub parts: &'a [Part<'a>],
    /// The content of `run.json`: the search, its settings and where the data came from. None for a model alone.
    pub run: Option<&'a Value>,
    /// How the data is called.
    pub source: &'a str,
    /// SHA-256 of the data, where it is known.
    pub sha256: Option<&'a str>,
    /// What was done to the table, and what is odd about it.
    pub notes: &'a [String],
    /// The seed of what is drawn at random: rows shown, columns shuffled.
    pub seed: Seed,
}

/// Rows of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// What they were used for.
    pub kind: Kind,
    /// Their values.
    pub rows: &'a Dataset,
}

/// What rows were used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The search has seen them.
    Train,
    /// They were held out.
    Test,
    /// It is not known whether the search has seen them.
    Given,
}

impl Kind {
    /// Stands before the word "rows".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Train => "training",
            Kind::Test => "test",
            Kind::Given => "given",
        }
    }
}
