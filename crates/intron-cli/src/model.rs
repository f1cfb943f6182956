//! The model that a command names, and the formula of it that is meant.

use std::path::Path;

use intron_files::{Entry, ModelFile};

use crate::failure::Failure;
use crate::terminal;

pub(crate) fn read(path: &Path) -> Result<ModelFile, Failure> {
    terminal::announce_standard_input(path);
    Ok(ModelFile::read(path)?)
}

/// The formula with this number, or the chosen one.
pub(crate) fn entry(model: &ModelFile, index: Option<usize>) -> Result<&Entry, Failure> {
    model.entry(index).ok_or_else(|| {
        Failure::usage(format!(
            "--index {}: the front has formulas 0 to {}",
            index.unwrap_or(model.chosen),
            model.front.len().saturating_sub(1)
        ))
    })
}
