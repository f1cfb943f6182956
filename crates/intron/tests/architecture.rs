//! The order of `mod` lines in `lib.rs` is the layering, and what the library may not touch it does not name.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file without its tests and comments.
struct Source {
    /// Path inside `src`, with forward slashes.
    path: String,
    /// Lines of code with their numbers.
    lines: Vec<(usize, String)>,
}

impl Source {
    fn read(path: &Path, root: &Path) -> Source {
        let text = fs::read_to_string(path).expect("a readable file");
        let name = path.strip_prefix(root).expect("a file below the root").to_string_lossy();
        // Unit tests stand at the bottom of a file.
        let code = text.lines().take_while(|line| !line.trim_start().starts_with("#[cfg(test)]"));
        let lines = code.enumerate().map(|(index, line)| {
            let code = line.split("//").next().unwrap_or_default();
            (index + 1, code.to_owned())
        });
        Source { path: name.replace('\\', "/"), lines: lines.collect() }
    }

    /// The module of `lib.rs` that the file belongs to.
    fn module(&self) -> &str {
        self.path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }

    /// Where a word stands.
    fn places_of<'a>(&'a self, word: &'a str) -> impl Iterator<Item = String> + 'a {
        let lines = self.lines.iter().filter(move |(_, line)| line.contains(word));
        lines.map(move |(number, _)| format!("{}:{number}: {word}", self.path))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            files.push(path);
        }
    }
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(&root(), &mut files);
    files.sort();
    assert!(files.len() > 40, "the library has more files than {}", files.len());
    files.iter().map(|file| Source::read(file, &root())).collect()
}

/// The modules of the library, lowest floor first.
fn floors() -> Vec<String> {
    let text = fs::read_to_string(root().join("lib.rs")).expect("a readable file");
    let name = |line: &str| Some(line.trim().strip_prefix("mod ")?.strip_suffix(';')?.to_owned());
    let floors: Vec<String> = text.lines().filter_map(name).collect();
    assert!(floors.len() > 8 && floors[0] == "error" && floors.last().unwrap() == "search");
    floors
}

/// The modules that a line of code names after `crate::`.
fn modules_in_use(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("crate::").map(|(start, found)| {
        let rest = &line[start + found.len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn a_module_uses_only_those_above_it_in_the_list() {
    let floors = floors();
    let floor = |module: &str| floors.iter().position(|floor| floor == module);
    let (mut wrong, mut n_uses) = (Vec::new(), 0);
    for source in sources().iter().filter(|source| source.path != "lib.rs") {
        let own = floor(source.module()).expect("every file belongs to a module of lib.rs");
        for (number, line) in &source.lines {
            for used in modules_in_use(line) {
                n_uses += 1;
                match floor(used) {
                    Some(other) if other <= own => {}
                    _ => wrong.push(format!("{}:{number}: crate::{used}", source.path)),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(n_uses > 50, "only {n_uses} uses were found");
}

/// How many folders and files lie between a file and the root of the crate.
fn depth(path: &str) -> usize {
    path.trim_end_matches("/mod.rs").split('/').count()
}

#[test]
fn no_module_leaves_its_floor_by_another_way() {
    for source in sources().iter().filter(|source| source.path != "lib.rs") {
        let way_out = "super::".repeat(depth(&source.path));
        for word in [way_out.as_str(), "crate::{", "crate::*"] {
            let found: Vec<String> = source.places_of(word).collect();
            assert!(found.is_empty(), "{found:#?}");
        }
    }
}

/// Words that may stand only in some places, those below a folder or in a file; mostly nowhere.
const FORBIDDEN: [(&str, &str); 30] = [
    ("println!", ""),
    ("eprintln!", ""),
    ("print!", ""),
    ("dbg!", ""),
    ("std::fs", ""),
    ("std::env", ""),
    ("std::process", ""),
    ("std::net", ""),
    ("std::io", ""),
    ("static mut", ""),
    ("thread_local", ""),
    ("OnceLock", ""),
    ("LazyLock", ""),
    ("std::thread", "search/workers.rs"),
    ("rayon", "search/workers.rs"),
    ("Instant", "search/budget.rs"),
    ("SystemTime", "search/budget.rs"),
    ("unsafe", "evaluation/kernels/"),
    (".sin(", ""),
    (".cos(", ""),
    (".tan(", ""),
    (".exp(", ""),
    (".exp2(", ""),
    (".ln(", ""),
    (".log2(", ""),
    (".log10(", ""),
    (".powf(", ""),
    (".powi(", ""),
    (".tanh(", ""),
    (".cbrt(", ""),
];

#[test]
fn what_the_library_may_not_touch_it_does_not_name() {
    let sources = sources();
    for (word, allowed) in FORBIDDEN {
        let elsewhere =
            sources.iter().filter(|source| allowed.is_empty() || !source.path.starts_with(allowed));
        let found: Vec<String> = elsewhere.flat_map(|source| source.places_of(word)).collect();
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn words_that_are_allowed_in_one_place_are_found_there() {
    let sources = sources();
    for (word, place) in [
        ("rayon", "search/workers.rs"),
        ("Instant", "search/budget.rs"),
        ("unsafe", "evaluation/kernels/"),
    ] {
        let mut there = sources.iter().filter(|source| source.path.starts_with(place));
        assert!(there.any(|source| source.places_of(word).next().is_some()), "{word}");
    }
}
