//! What the tests of the command line share: starting `intron`, its answers, and a folder for files.

#![allow(dead_code, reason = "every test file is a crate of its own and uses a part of this one")]

pub(crate) mod browser;
pub(crate) mod lab;
pub(crate) mod resuming;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// What `fit --out` leaves: results, and what the search needs to go on.
pub(crate) const ALL_FILES: [&str; 6] = [
    ".lock",
    "checkpoint-before.txt",
    "checkpoint.txt",
    "hall_of_fame.csv",
    "model.json",
    "run.json",
];

/// What a finished `intron` left behind.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) exit_code: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Answer {
    pub(crate) fn of(output: Output) -> Answer {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("intron writes UTF-8");
        let exit_code = output.status.code();
        Answer { exit_code, output: text(output.stdout), errors: text(output.stderr) }
    }

    #[track_caller]
    pub(crate) fn expect_success(self) -> Answer {
        assert_eq!(self.exit_code, Some(0), "{}\n{}", self.errors, self.output);
        assert_no_panic(&self.errors);
        self
    }

    /// The object on standard output, after checking that the command succeeded.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        let answer = self.expect_success();
        serde_json::from_str(&answer.output).expect("standard output is one JSON value")
    }

    /// The message of a refusal: one line after `error: `, with nothing on standard output.
    #[track_caller]
    pub(crate) fn refusal(self, exit_code: i32) -> String {
        assert_eq!(self.exit_code, Some(exit_code), "{}\n{}", self.errors, self.output);
        assert_no_panic(&self.errors);
        assert_eq!(self.output, "", "a refusal prints nothing on standard output");
        let is_error = |line: &&str| line.starts_with("error:");
        let lines: Vec<&str> = self.errors.lines().filter(is_error).collect();
        assert_eq!(lines.len(), 1, "one line starts with `error:`\n{}", self.errors);
        lines[0].to_owned()
    }
}

#[track_caller]
pub(crate) fn assert_no_panic(errors: &str) {
    for word in ["panicked", "RUST_BACKTRACE"] {
        assert!(!errors.contains(word), "{errors}");
    }
}

/// The program, without what the surroundings of the tests might set.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_intron"));
    command.args(arguments).env_remove("INTRON_DATA_DIR").env_remove("NO_COLOR");
    command.stdin(Stdio::null());
    command
}

pub(crate) fn intron(arguments: &[&str]) -> Answer {
    Answer::of(command(arguments).output().expect("intron starts"))
}

/// With these bytes on standard input.
pub(crate) fn intron_reading(arguments: &[&str], input: &[u8]) -> Answer {
    let mut child = spawn(command(arguments).stdin(Stdio::piped()));
    let mut pipe = child.stdin.take().expect("standard input is a pipe");
    // Whoever refuses its arguments does not read; the pipe is then closed early.
    let _ = pipe.write_all(input);
    drop(pipe);
    Answer::of(child.wait_with_output().expect("intron ends"))
}

/// Starts a command with both outputs in pipes.
pub(crate) fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("intron starts")
}

/// A folder that is empty at first and removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("intron-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is UTF-8").to_owned()
    }

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("a file for the test");
        path
    }

    /// The names in a folder inside this one, sorted; none if it is not there.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join(name)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file of text")
    }

    pub(crate) fn read_json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).expect("a file of JSON")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A small table with noise, so that no formula is perfect: `a`, `b` and the target `y`.
pub(crate) fn rows(n_rows: usize) -> Vec<[f64; 3]> {
    let row = |k: usize| {
        let a = (k * 37 % 101) as f64 / 8.0 - 5.0;
        let b = (k * 53 % 89) as f64 / 16.0 + 0.5;
        let noise = (k * 29 % 17) as f64 / 64.0;
        [a, b, a * b + (2.0 * a).sin() + noise]
    };
    (0..n_rows).map(row).collect()
}

/// A target that depends on a word: red adds 10, green 20.
pub(crate) fn colours(n_rows: usize) -> String {
    let mut table = "colour,a,y\n".to_owned();
    for (k, [a, b, _]) in rows(n_rows).iter().enumerate() {
        let (word, shift) = [("red", 10.0), ("blue", 0.0), ("green", 20.0)][k % 3];
        table += &format!("{word},{a},{}\n", a + shift + b / 64.0);
    }
    table
}

/// A table as text, with a header.
pub(crate) fn table(header: &str, separator: &str, rows: &[[f64; 3]]) -> String {
    let line = |row: &[f64; 3]| row.map(|cell| cell.to_string()).join(separator);
    let lines: Vec<String> = rows.iter().map(line).collect();
    format!("{header}\n{}\n", lines.join("\n"))
}

/// The number under a key.
#[track_caller]
pub(crate) fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("`{key}` is no number in {object}"))
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance, "found {found}, expected {expected}, apart by {error}");
}

/// The list under a key.
#[track_caller]
pub(crate) fn list<'a>(object: &'a Value, key: &str) -> &'a Vec<Value> {
    object[key].as_array().unwrap_or_else(|| panic!("`{key}` is no list in {object}"))
}

/// The text under a key.
#[track_caller]
pub(crate) fn text<'a>(object: &'a Value, key: &str) -> &'a str {
    object[key].as_str().unwrap_or_else(|| panic!("`{key}` is no text in {object}"))
}
