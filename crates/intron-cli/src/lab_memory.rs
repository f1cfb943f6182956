//! The folder of the last `lab run` or `lab submit`, for whoever does not name one. One that could not be begun leaves none: nobody
//! is shown an earlier experiment for the one that failed.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::terminal;

/// The folder that was named, or else that of the last run, which is said.
pub(crate) fn folder_or_last(folder: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(folder) = folder {
        return Ok(folder.to_owned());
    }
    let last = memory().and_then(|path| std::fs::read_to_string(path).ok());
    let last = last.map(|text| text.trim_end().to_owned()).filter(|text| !text.is_empty());
    let last = last.ok_or_else(|| {
        Failure::usage(
            "which experiment? The last `intron lab run` began none; name the folder, or begin one",
        )
    })?;
    terminal::tell(&format!("{last} (the folder of the last run)"));
    Ok(PathBuf::from(last))
}

/// Takes note of the folder; a convenience, so that failing is no failure.
pub(crate) fn remember(folder: &Path) {
    if let Ok(folder) = std::path::absolute(folder) {
        write(&format!("{}\n", folder.display()));
    }
}

/// Forgets the folder of the last run: another run is to begin.
pub(crate) fn forget() {
    write("");
}

fn write(text: &str) {
    if let Some(path) = memory() {
        let _ = path.parent().map(std::fs::create_dir_all);
        // Better none than a wrong one.
        let _ = std::fs::write(&path, text).or_else(|_| std::fs::remove_file(&path));
    }
}

fn memory() -> Option<PathBuf> {
    // Empty counts as not set: so says the standard that has the variable.
    let state = std::env::var_os("XDG_STATE_HOME").filter(|state| !state.is_empty());
    let state = state.map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/state"));
    Some(state.or_else(home)?.join("intron/last-lab"))
}
