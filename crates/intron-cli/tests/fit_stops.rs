//! `intron fit`: ends by time, Ctrl-C and SIGTERM, and the command that repeats such a run.
#![cfg(unix)]

mod harness;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command};

use harness::{Answer, Folder, assert_no_panic, command, intron, rows, spawn, table};
use serde_json::Value;

/// The table at the top of the text, without what was measured.
fn front_of(output: &str) -> &str {
    output.split("\n\n").next().expect("a table")
}

/// The words of the command that repeats a run, without the name of the program.
fn repeating_words(output: &str) -> Vec<String> {
    let line = output.lines().find_map(|line| line.strip_prefix("the same again: intron "));
    let line = line.unwrap_or_else(|| panic!("no repeating command in\n{output}"));
    line.split(' ').map(str::to_owned).collect()
}

#[track_caller]
fn assert_repeats(flags: &[&str]) {
    let ended = intron(&[&["fit"], flags].concat()).expect_success();
    assert!(ended.output.contains("time limit"), "{}", ended.output);
    let words = repeating_words(&ended.output);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert!(words.contains(&"--evaluations") && words.contains(&"--seed"), "{words:?}");
    let is_other_budget = |word: &&str| {
        ["--time", "time=", "evaluations="].iter().any(|start| word.starts_with(start))
    };
    assert!(!words.iter().any(is_other_budget), "{words:?}");
    let repeated = intron(&words).expect_success();
    assert_eq!(front_of(&repeated.output), front_of(&ended.output), "{words:?}");
    assert!(repeated.output.contains("all evaluations used"), "{}", repeated.output);
}

#[test]
fn a_run_ended_by_time_prints_the_command_that_repeats_it() {
    assert_repeats(&["airfoil", "--time", "300ms", "--seed", "3", "--threads", "2"]);
}

#[test]
fn the_repeating_command_keeps_the_other_flags() {
    let flags = ["bike", "--time=0.2", "--height", "4", "--operators", "large", "--target", "-1"];
    assert_repeats(&flags);
}

#[test]
fn the_repeating_command_replaces_a_time_that_was_set() {
    assert_repeats(&["airfoil", "--set", "time=300ms", "--set", "seed=5"]);
}

#[test]
fn the_repeating_command_replaces_evaluations_that_were_set() {
    assert_repeats(&["airfoil", "--time", "300ms", "--set", "evaluations=3e6"]);
}

#[test]
fn the_json_of_a_run_ended_by_time_says_what_repeats_it() {
    let folder = Folder::new();
    let data = folder.file("table.csv", table("a,b,y", ",", &rows(60)));
    let ended = intron(&["fit", &data, "--time", "200ms", "--seed", "9", "--json"]).json();
    assert_eq!(ended["stop_reason"], "time");
    assert_repetition_matches(&data, &[], &ended);
}

/// Runs the search again by its number of evaluations and its seed.
#[track_caller]
fn assert_repetition_matches(data: &str, flags: &[&str], ended: &Value) {
    let evaluations = ended["n_evaluations"].to_string();
    let seed = ended["seed"].to_string();
    let arguments = ["fit", data, "--json", "--evaluations", &evaluations, "--seed", &seed];
    let repeated = intron(&[&arguments, flags].concat()).json();
    assert_eq!(repeated["front"].to_string(), ended["front"].to_string());
    assert_eq!(repeated["n_evaluations"], ended["n_evaluations"]);
}

/// Formulas that are polished in no time, however busy the machine: after a signal the polish has two seconds.
const SMALL: [&str; 2] = ["--max-size", "12"];

/// Starts a long search and waits until it says how far it is.
fn start_long_search(flags: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let arguments =
        [&["fit", "airfoil", "--time", "120s", "--seed", "2"], &SMALL[..], flags].concat();
    let mut child = spawn(&mut command(&arguments));
    let mut errors = BufReader::new(child.stderr.take().expect("standard error is a pipe"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("a line of progress");
    assert!(line.contains("evaluations"), "{line}");
    (child, errors)
}

/// Sends a signal by the command that every Unix has, and collects what the search leaves.
fn end_by(signal: &str, (child, mut errors): (Child, BufReader<ChildStderr>)) -> Answer {
    let id = child.id().to_string();
    let status = Command::new("kill").args([signal, &id]).status().expect("kill starts");
    assert!(status.success());
    let mut rest = String::new();
    errors.read_to_string(&mut rest).expect("UTF-8");
    let answer = Answer::of(child.wait_with_output().expect("intron ends"));
    Answer { errors: rest, ..answer }
}

#[test]
fn an_interrupt_ends_the_search_with_its_whole_result() {
    let ended = end_by("-INT", start_long_search(&["--json"])).json();
    assert_eq!(ended["stop_reason"], "interrupted");
    assert_repetition_matches("airfoil", &SMALL, &ended);
}

#[test]
fn signals_that_come_together_are_one() {
    let folder = Folder::new();
    let (child, errors) = start_long_search(&["--json", "--out", &folder.path("run")]);
    let id = child.id().to_string();
    for _ in 0..3 {
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill starts").success());
    }
    let ended = end_by("-CONT", (child, errors)).json();
    assert_eq!(ended["stop_reason"], "interrupted");
    assert_eq!(folder.list("run")[3..], ["hall_of_fame.csv", "model.json", "run.json"]);
}

#[test]
fn runs_that_end_together_in_one_folder_keep_both_results() {
    let folder = Folder::new();
    let out = folder.path("run");
    let start = |seed: &str| {
        spawn(&mut command(&[
            "fit",
            "airfoil",
            "--evaluations",
            "3000",
            "--seed",
            seed,
            "--out",
            &out,
        ]))
    };
    let children: Vec<Child> = ["1", "2", "3"].map(start).into_iter().collect();
    for child in children {
        Answer::of(child.wait_with_output().expect("intron ends")).expect_success();
    }
    let mut seeds: Vec<String> = ["run", "run/earlier-1", "run/earlier-2"]
        .map(|place| folder.read_json(&format!("{place}/run.json"))["seed"].to_string())
        .into();
    seeds.sort();
    assert_eq!(seeds, ["1", "2", "3"]);
}

#[test]
fn a_termination_signal_keeps_the_files_too() {
    let folder = Folder::new();
    let out = folder.path("run");
    let answer = end_by("-TERM", start_long_search(&["--out", &out])).expect_success();
    assert!(answer.output.contains("interrupted"), "{}", answer.output);
    assert!(repeating_words(&answer.output).contains(&"--evaluations".to_owned()));
    assert_eq!(folder.list("run")[3..], ["hall_of_fame.csv", "model.json", "run.json"]);
    assert_eq!(folder.read_json("run/run.json")["stop_reason"], "interrupted");
}

#[test]
fn files_that_cannot_be_written_at_the_end_do_not_lose_the_result() {
    let folder = Folder::new();
    let out = folder.path("run");
    let search = start_long_search(&["--json", "--out", &out]);
    // The search has begun, so the folder was there and could be written.
    fs::remove_dir_all(&out).expect("the folder is there");
    folder.file("run", "in the way");
    let answer = end_by("-INT", search);
    assert_eq!(answer.exit_code, Some(1), "{}", answer.errors);
    assert_no_panic(&answer.errors);
    let error = answer.errors.lines().find(|line| line.starts_with("error:")).expect("an error");
    assert!(error.contains(&out), "{error}");
    let result: Value = serde_json::from_str(&answer.output).expect("the whole result");
    assert_eq!(result["stop_reason"], "interrupted");
    assert_eq!(folder.list(""), ["run"], "nothing is left beside");
}

#[test]
fn a_path_that_is_no_unicode_does_not_lose_the_result() {
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"run-\xff");
    let out = Path::new(&folder.path("")).join(name);
    // Ended by time, so the command that repeats the run is printed.
    let mut fit = command(&["fit", "airfoil", "--time", "200ms", "--out"]);
    let answer = Answer::of(fit.arg(&out).output().expect("intron starts")).expect_success();
    assert!(answer.output.contains("the same again: intron fit airfoil"), "{}", answer.output);
    assert!(out.join("model.json").is_file());
}
