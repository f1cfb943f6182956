//! Searches that are ended or killed, and what they leave.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::{Folder, command, spawn};

/// Everything that a search keeps from one generation to the next is in use.
pub(crate) const SEARCH: [&str; 18] = [
    "--linkage",
    "cs",
    "--seed",
    "7",
    "--set",
    "constants.tuning=0.5",
    "--set",
    "constants.mutation=0.2",
    "--set",
    "constants.mutation_decay=0.5",
    "--set",
    "constants.mutation_patience=1",
    "--set",
    "ims.start=16",
    "--set",
    "polish=on",
    "--checkpoint",
    "1ms",
];

pub(crate) fn fit<'a>(data: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["fit", data, "--out", out], &SEARCH[..], more].concat()
}

/// The files of a finished run, without what was measured.
pub(crate) fn result(folder: &Folder, run: &str) -> (String, String, Value) {
    let mut object = folder.read_json(&format!("{run}/run.json"));
    object["seconds"] = Value::Null;
    object["settings"]["threads"] = Value::Null;
    object["command"] = Value::Null;
    object["reading"]["data"] = Value::Null;
    for entry in object["trace"].as_array_mut().expect("a trace") {
        entry["seconds"] = Value::Null;
    }
    let read = |name: &str| folder.read(&format!("{run}/{name}"));
    (read("hall_of_fame.csv"), read("model.json"), object)
}

/// Kills the process after some time; says whether it had ended before.
pub(crate) fn kill_after(mut child: Child, milliseconds: u64) -> bool {
    sleep(Duration::from_millis(milliseconds));
    let had_ended = child.try_wait().expect("its state").is_some();
    let _ = child.kill();
    child.wait().expect("it ends");
    had_ended
}

/// Starts a search and sends it a signal once it has begun.
pub(crate) fn end_by(signal: &str, folder: &Folder, run: &str, words: &[&str]) {
    let child = spawn(&mut command(words));
    while !folder.list(run).iter().any(|name| name == "checkpoint-before.txt") {
        sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().expect("kill starts").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        text.contains(&format!("to go on: intron fit --resume {}", folder.path(run))),
        "{text}"
    );
}
