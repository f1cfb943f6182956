//! What the tests of `intron lab` share: a tiny plan, and the records that it leaves.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Answer, Folder, command};

/// Sixteen runs of some milliseconds.
const TINY: [&str; 6] = [
    "repeats=2",
    "budget.evaluations=2000",
    "data=airfoil,concrete",
    "linkage=node,mi",
    "heights=3,4",
    "linear_scaling=on",
];

/// The flags of the tiny plan and some more; a key that is set among them is set to that alone.
pub(crate) fn tiny<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let key = |change: &str| change.split('=').next().unwrap_or_default().to_owned();
    let is_kept = |own: &&str| !more.iter().any(|change| key(change) == key(own));
    let kept = TINY.into_iter().filter(is_kept).flat_map(|change| ["--set", change]);
    kept.chain(more.iter().copied()).collect()
}

/// `intron lab` with what it remembers kept inside the folder of the test.
pub(crate) fn lab(folder: &Folder, arguments: &[&str]) -> Answer {
    let mut command = command(&[&["lab"], arguments].concat());
    command.env("XDG_STATE_HOME", folder.path("state")).current_dir(folder.path("."));
    Answer::of(command.output().expect("intron starts"))
}

pub(crate) fn run_tiny(folder: &Folder, out: &str, more: &[&str]) -> Answer {
    let out = folder.path(out);
    lab(folder, &[&["run", "smoke", "--out", &out], &tiny(more)[..]].concat())
}

/// Every record by its id: the part that a seed determines.
pub(crate) fn results(folder: &Folder, out: &str) -> BTreeMap<String, Value> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a record");
        let (_, body) = text.split_once('\n').expect("a header line");
        let record: Value = serde_json::from_str(body).expect("a whole record");
        (path.file_stem().unwrap().to_string_lossy().into_owned(), record["result"].clone())
    };
    record_paths(folder, out).into_iter().map(read).collect()
}

pub(crate) fn record_paths(folder: &Folder, out: &str) -> Vec<PathBuf> {
    let records = PathBuf::from(folder.path(out)).join("records");
    let inside = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).map(|entries| entries.flatten().map(|e| e.path()));
        let mut paths: Vec<PathBuf> = entries.into_iter().flatten().collect();
        paths.sort();
        paths
    };
    let is_record = |path: &PathBuf| path.extension().is_some_and(|end| end == "json");
    inside(&records).iter().flat_map(|folder| inside(folder)).filter(is_record).collect()
}
