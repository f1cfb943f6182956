//! The files of the repository: those git tracks, or all but the ignored ones where git cannot tell.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths relative to the root, sorted; files deleted but still tracked are left out.
pub(crate) fn list_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = match files_of_git(root) {
        Some(files) => files,
        // A source archive has no git history; its files deserve the same rules.
        None => files_of_folder(root).map_err(|error| format!("cannot list the files: {error}"))?,
    };
    files.retain(|file| root.join(file).is_file());
    files.sort();
    Ok(files)
}

/// What git tracks; nothing without git, outside of a repository or if nothing is tracked.
fn files_of_git(root: &Path) -> Option<Vec<PathBuf>> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().ok()?;
    let listing = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let files: Vec<PathBuf> = listing.split_terminator('\0').map(PathBuf::from).collect();
    (!files.is_empty()).then_some(files)
}

/// All files below the root but those of ignored folders.
fn files_of_folder(root: &Path) -> io::Result<Vec<PathBuf>> {
    let ignored = ignored_folders(&fs::read_to_string(root.join(".gitignore")).unwrap_or_default());
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if !entry.file_type()?.is_dir() {
                files.push(path);
            } else if !ignored.contains(&path) {
                folders.push(path);
            }
        }
    }
    Ok(files)
}

/// Git's own folder and those that the ignore file names from the root, as `/target`.
fn ignored_folders(ignore_file: &str) -> Vec<PathBuf> {
    let named = ignore_file.lines().filter_map(|line| line.strip_prefix('/'));
    named.chain([".git"]).map(|name| PathBuf::from(name.trim_end_matches('/'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_named_from_the_root_are_ignored() {
        let expected = ["target", "outputs", ".git"].map(PathBuf::from);
        assert_eq!(ignored_folders("/target\n# comment\n*.tmp\n/outputs/\n"), expected);
    }
}
