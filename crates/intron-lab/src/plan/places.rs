//! Data files by their whole paths, so that an experiment finds them from any folder.

use std::path::Path;

use intron_files::KNOWN;
use toml::{Table, Value};

/// Makes paths among the data of a plan whole: they start from the given folder. Names of data sets stay names.
pub(super) fn make_whole(table: &mut Table, folder: &Path) {
    let Some(Value::Array(entries)) = table.get_mut("data") else { return };
    for entry in entries {
        if let Value::String(text) = entry
            && let Some(whole) = whole_path(text, folder)
        {
            *text = whole;
        }
    }
}

/// The whole path of an entry; nothing if it is the name of a data set, or standard input.
fn whole_path(entry: &str, folder: &Path) -> Option<String> {
    let path = folder.join(entry);
    let is_name = KNOWN.iter().any(|known| known.name == entry) || matches!(entry, "" | "-");
    // A word that may be the name of a data set in the data folder is a path only if there is such a file.
    let is_path = entry.contains(['/', '\\', '.']) || path.is_file();
    if is_name || !is_path {
        return None;
    }
    let path = std::path::absolute(path).ok()?;
    // Of the ways to name a folder one is taken, so that the same plan stays the same. A file keeps its own name.
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    let path = match (parent, path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path,
    };
    path.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn paths_start_from_the_folder_and_names_stay_names() {
        let scratch = Scratch::new();
        scratch.file("plain", "");
        let folder = scratch.folder().canonicalize().unwrap();
        let of = |entry: &str| whole_path(entry, scratch.folder());
        let inside = |name: &str| Some(folder.join(name).display().to_string());
        assert_eq!(of("a.csv"), inside("a.csv"));
        assert_eq!(of("./a.csv"), inside("a.csv"));
        assert_eq!(of("plain"), inside("plain"));
        assert_eq!(of("/data/a.csv").as_deref(), Some("/data/a.csv"));
        for name in ["airfoil", "tower", "unknown", "-", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
