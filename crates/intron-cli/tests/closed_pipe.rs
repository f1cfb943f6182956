//! Readers that go away, full disks behind the outputs, and closed outputs lose no result and cause no panic.
#![cfg(unix)]

mod harness;

use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use harness::{ALL_FILES, Answer, Folder, assert_no_panic, command, list, spawn};
use serde_json::Value;

const FIT: [&str; 6] = ["fit", "airfoil", "--evaluations", "3000", "--seed", "1"];

/// A device whose disk is always full; none on systems without it.
fn full_disk() -> Option<Stdio> {
    let device = OpenOptions::new().write(true).open(Path::new("/dev/full"));
    if device.is_err() {
        skip("there is no /dev/full");
    }
    device.ok().map(Stdio::from)
}

#[allow(clippy::print_stderr, reason = "whoever runs the tests must see what was not tested")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// The outputs of a command whose standard output nobody reads.
fn run_unread(arguments: &[&str]) -> (Option<i32>, String) {
    let mut child = spawn(&mut command(arguments));
    drop(child.stdout.take());
    let mut errors = String::new();
    let mut pipe = child.stderr.take().expect("standard error is a pipe");
    pipe.read_to_string(&mut errors).expect("UTF-8");
    (child.wait().expect("intron ends").code(), errors)
}

/// Runs `intron` below a shell that redirects its outputs.
fn run_in_shell(redirection: &str, arguments: &[&str]) -> Answer {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("\"$0\" \"$@\" {redirection}"), env!("CARGO_BIN_EXE_intron")]);
    shell.args(arguments).env_remove("INTRON_DATA_DIR").stdin(Stdio::null());
    Answer::of(shell.output().expect("sh starts"))
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new();
    let out = folder.path("run");
    let with_files = [&FIT[..], &["--out", &out]].concat();
    let as_json = [&FIT[..], &["--json"]].concat();
    for arguments in [
        &with_files[..],
        &as_json,
        &["--help"],
        &["fit", "--help"],
        &["--version"],
        &["datasets"],
        &["settings"],
        &["show", &out],
        &["predict", &out, "airfoil"],
        &["evaluate", "--expression", "x0", "airfoil"],
    ] {
        let (exit_code, errors) = run_unread(arguments);
        assert_no_panic(&errors);
        assert_eq!(exit_code, Some(0), "{arguments:?}: {errors}");
    }
    assert_eq!(folder.list("run"), ALL_FILES);
}

#[test]
fn the_first_line_can_be_taken_from_a_pipe() {
    for arguments in ["--help", "settings", "fit airfoil --evaluations 3000 --quiet"] {
        let pipe = format!("\"$0\" {arguments} | head -n 1");
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &pipe, env!("CARGO_BIN_EXE_intron")]).output();
        let answer = Answer::of(output.expect("sh starts")).expect_success();
        assert_eq!(answer.output.lines().count(), 1, "{arguments}");
        assert_eq!(answer.errors, "", "{arguments}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_sends_the_result_to_standard_error() {
    let folder = Folder::new();
    let out = folder.path("run");
    for flags in [&["--json", "--quiet", "--out", &out][..], &["--quiet"]] {
        let Some(full) = full_disk() else { return };
        let mut fit = command(&[&FIT[..], flags].concat());
        let child = fit.stdout(full).stderr(Stdio::piped()).spawn().expect("intron starts");
        let answer = Answer::of(child.wait_with_output().expect("intron ends"));
        assert_eq!(answer.exit_code, Some(1), "{}", answer.errors);
        assert_no_panic(&answer.errors);
        let is_error = |line: &&str| line.starts_with("error:");
        let error = answer.errors.lines().find(is_error).expect("an error");
        assert!(error.contains("standard output"), "{error}");
        let (result, _) = answer.errors.split_once("error:").expect("an error");
        if flags.contains(&"--json") {
            let result: Value = serde_json::from_str(result).expect("the whole result");
            assert_eq!(folder.read_json("run/model.json")["front"], result["front"]);
        } else {
            assert!(result.contains("formula") && result.contains('>'), "{result}");
        }
    }
    assert_eq!(folder.list("run"), ALL_FILES);
}

#[test]
fn a_full_disk_behind_standard_error_does_not_matter() {
    let Some(full) = full_disk() else { return };
    let mut fit = command(&[&FIT[..], &["--json"]].concat());
    let child = fit.stdout(Stdio::piped()).stderr(full).spawn().expect("intron starts");
    let fitted = Answer::of(child.wait_with_output().expect("intron ends")).json();
    assert!(!list(&fitted, "front").is_empty());
}

#[test]
fn a_long_search_survives_a_full_disk_behind_its_progress() {
    let Some(full) = full_disk() else { return };
    // Lines of progress come once per second.
    let mut fit = command(&["fit", "airfoil", "--time", "1.5s", "--json"]);
    let child = fit.stdout(Stdio::piped()).stderr(full).spawn().expect("intron starts");
    let fitted = Answer::of(child.wait_with_output().expect("intron ends")).json();
    assert_eq!(fitted["stop_reason"], "time");
}

#[test]
fn closed_outputs_lose_nothing() {
    let folder = Folder::new();
    let out = folder.path("run");
    let arguments = [&FIT[..], &["--json", "--out", &out]].concat();
    let without_errors = run_in_shell("2>&-", &arguments);
    assert!(!list(&without_errors.json(), "front").is_empty());
    let without_output = run_in_shell(">&-", &arguments);
    assert_no_panic(&without_output.errors);
    let without_both = run_in_shell(">&- 2>&-", &arguments);
    assert_no_panic(&without_both.errors);
    let mut expected = vec!["earlier-1", "earlier-2"];
    expected.extend(ALL_FILES);
    expected.sort_unstable();
    assert_eq!(folder.list("run"), expected, "every run left its files");
}

#[test]
fn both_outputs_on_a_full_disk_still_leave_the_files() {
    let (Some(output), Some(errors)) = (full_disk(), full_disk()) else { return };
    let folder = Folder::new();
    let out = folder.path("run");
    let mut fit = command(&[&FIT[..], &["--out", &out]].concat());
    let status = fit.stdout(output).stderr(errors).status().expect("intron ends");
    assert_eq!(status.code(), Some(1));
    assert_eq!(folder.list("run"), ALL_FILES);
}

#[test]
fn a_refusal_keeps_its_exit_code_when_nobody_can_read_it() {
    let Some(full) = full_disk() else { return };
    let mut fit = command(&["fit", "airfoil", "--height", "30"]);
    assert_eq!(fit.stderr(full).status().expect("intron ends").code(), Some(2));
}

#[test]
fn help_on_a_full_disk_is_a_failure_without_a_panic() {
    let Some(full) = full_disk() else { return };
    let mut help = command(&["--help"]);
    let child = help.stdout(full).stderr(Stdio::piped()).spawn().expect("intron starts");
    let answer = Answer::of(child.wait_with_output().expect("intron ends"));
    assert_no_panic(&answer.errors);
}
