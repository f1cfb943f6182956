//! `intron lab` where files are in the way, disks are full or fail: what was kept stays whole, and the same command goes on.

#![cfg(unix)]

mod harness;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use harness::lab::{lab, record_paths, results, run_tiny, tiny};
use harness::{Answer, Folder, assert_no_panic, command};

#[allow(clippy::print_stderr, reason = "whoever runs the tests must see what was not tested")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// `intron lab run` of the tiny plan, to be started in some other way than usual.
fn tiny_command(folder: &Folder, out: &str) -> Command {
    let out = folder.path(out);
    let mut command = command(&[&["lab", "run", "smoke", "--out", &out], &tiny(&[])[..]].concat());
    command.env("XDG_STATE_HOME", folder.path("state"));
    command
}

#[test]
fn what_is_in_the_way_of_one_record_does_not_stop_the_others() {
    let folder = Folder::new();
    run_tiny(&folder, "lab", &[]).expect_success();
    let before = results(&folder, "lab");
    let paths = record_paths(&folder, "lab");
    fs::remove_file(&paths[3]).unwrap();
    fs::create_dir_all(paths[3].join("inside")).unwrap();
    fs::remove_file(&paths[9]).unwrap();
    let shown = folder.path("lab");
    let status = lab(&folder, &["status", &shown]);
    assert_eq!(status.exit_code, Some(1), "{}", status.errors);
    assert!(status.output.contains("1 damaged"), "{}", status.output);
    let mended = run_tiny(&folder, "lab", &[]).expect_success();
    assert!(mended.output.contains("2 done now, 14 before"), "{}", mended.output);
    assert_eq!(results(&folder, "lab"), before);
    // A file beside the folders of records is said and left alone.
    let stray = folder.file("lab/records/stray.txt", "");
    let status = lab(&folder, &["status", &shown]);
    assert!(status.exit_code == Some(1) && status.output.contains("stray.txt"));
    run_tiny(&folder, "lab", &[]).expect_success();
    assert!(Path::new(&stray).exists());
}

#[test]
fn a_record_that_cannot_be_moved_is_said_and_the_others_are_done() {
    let folder = Folder::new();
    run_tiny(&folder, "lab", &[]).expect_success();
    let paths = record_paths(&folder, "lab");
    let parent = paths[0].parent().unwrap();
    let n_inside = fs::read_dir(parent).unwrap().count();
    // Where the folder of a record is a file, its records can be neither read nor moved.
    fs::remove_dir_all(parent).unwrap();
    fs::write(parent, "").unwrap();
    let last = paths.iter().rev().find(|path| path.parent() != Some(parent)).unwrap();
    fs::remove_file(last).unwrap();
    let answer = run_tiny(&folder, "lab", &[]);
    assert_eq!(answer.exit_code, Some(1), "{}", answer.errors);
    assert!(answer.output.contains("1 done now"), "{}", answer.output);
    let said = answer.errors.lines().filter(|line| line.starts_with("left out: "));
    assert_eq!(said.count(), n_inside, "{}", answer.errors);
    assert!(answer.errors.contains(&parent.display().to_string()), "{}", answer.errors);
}

/// Permissions do not hold back root, who must become somebody else first.
fn as_somebody_else(run: &Command) -> Option<Command> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    if !is_root {
        let mut same = Command::new(run.get_program());
        same.args(run.get_args());
        return Some(same);
    }
    let mut other = Command::new("setpriv");
    other.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    other.arg(run.get_program()).args(run.get_args());
    // Nobody may not even be allowed to reach the program.
    let mut probe = Command::new("setpriv");
    probe.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(run.get_program());
    probe.arg("--version").output().is_ok_and(|output| output.status.success()).then_some(other)
}

#[test]
fn what_is_not_allowed_is_said_and_trying_again_is_not_advised() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    run_tiny(&folder, "lab", &[]).expect_success();
    let Some(mut other) = as_somebody_else(&tiny_command(&folder, "lab")) else {
        return skip("nobody else can run the program here");
    };
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let refused = |command: &mut Command| {
        let answer = Answer::of(command.stdin(Stdio::null()).output().unwrap());
        let message = answer.refusal(1);
        assert!(message.contains("ermission denied"), "{message}");
        assert!(message.contains("readable and writable for you"), "{message}");
    };
    // A record that may not be read is no damaged one.
    let path = record_paths(&folder, "lab").remove(0);
    mode(&path, 0o000);
    refused(&mut other);
    assert!(path.exists() && folder.list("lab/quarantine").is_empty());
    mode(&path, 0o644);
    // A folder that may not be written.
    fs::remove_file(&path).unwrap();
    mode(Path::new(&folder.path("lab/running")), 0o555);
    refused(&mut other);
    mode(Path::new(&folder.path("lab/running")), 0o755);
    fs::create_dir(folder.path("closed")).unwrap();
    mode(Path::new(&folder.path("closed")), 0o555);
    refused(&mut as_somebody_else(&tiny_command(&folder, "closed/lab")).unwrap());
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let folder = Folder::new();
    let mut run = tiny_command(&folder, "lab");
    run.env("XDG_STATE_HOME", "").env("HOME", folder.path("home"));
    run.current_dir(folder.path(""));
    Answer::of(run.output().unwrap()).expect_success();
    let last = folder.read("home/.local/state/intron/last-lab");
    assert_eq!(last.trim_end(), folder.path("lab"));
    assert!(folder.list("intron").is_empty());
}

#[test]
fn full_outputs_lose_no_record() {
    if !Path::new("/dev/full").exists() {
        return skip("there is no /dev/full");
    }
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let folder = Folder::new();
    run_tiny(&folder, "undisturbed", &[]).expect_success();
    let expected = results(&folder, "undisturbed");
    let mut run = tiny_command(&folder, "output");
    let child = run.stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
    let answer = Answer::of(child.wait_with_output().unwrap());
    assert_eq!(answer.exit_code, Some(75), "{}", answer.errors);
    assert!(answer.errors.contains("standard output cannot be written"), "{}", answer.errors);
    assert_no_panic(&answer.errors);
    let errors = tiny_command(&folder, "errors").stderr(full()).status().unwrap();
    assert_eq!(errors.code(), Some(0));
    let both = tiny_command(&folder, "both").stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(both.code(), Some(75));
    for out in ["output", "errors", "both"] {
        assert_eq!(results(&folder, out), expected, "{out}");
    }
}

/// A disk of its own, as small as one likes; removed at the end.
struct Disk(String);

impl Disk {
    fn mount(path: String, size: &str) -> Option<Disk> {
        fs::create_dir_all(&path).unwrap();
        let disk = Disk(path);
        disk.call("mount", &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).then_some(disk)
    }

    fn resize(&self, size: &str) {
        assert!(self.call("mount", &["-o", &format!("remount,size={size}")]));
    }

    fn call(&self, program: &str, arguments: &[&str]) -> bool {
        let mut command = Command::new(program);
        let output = command.args(arguments).arg(&self.0).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.call("umount", &[]);
    }
}

#[test]
fn a_full_disk_keeps_what_is_there_and_the_same_command_goes_on_once_there_is_room() {
    let folder = Folder::new();
    let Some(disk) = Disk::mount(folder.path("small"), "48k") else {
        return skip("a small disk cannot be mounted here; only root can");
    };
    run_tiny(&folder, "undisturbed", &[]).expect_success();
    let expected = results(&folder, "undisturbed");
    let answer = run_tiny(&folder, "small/lab", &[]);
    assert_eq!(answer.exit_code, Some(75), "{}", answer.errors);
    assert_no_panic(&answer.errors);
    let shown = folder.path("small/lab");
    assert!(answer.errors.contains(&shown), "{}", answer.errors);
    assert!(answer.errors.contains("No space left"), "{}", answer.errors);
    let kept = results(&folder, "small/lab");
    assert!(!kept.is_empty() && kept.len() < expected.len(), "{} records", kept.len());
    assert!(kept.iter().all(|(id, result)| expected[id] == *result));
    let status = lab(&folder, &["status", &shown, "--json"]).json();
    assert_eq!(status["done"], kept.len());
    disk.resize("8m");
    run_tiny(&folder, "small/lab", &[]).expect_success();
    assert_eq!(results(&folder, "small/lab"), expected);
    drop(disk);
}

/// Runs the tiny plan below libfiu, which lets calls of the system fail now and then.
fn run_with_faults(folder: &Folder, out: &str, fault: &str) -> Answer {
    let run = tiny_command(folder, out);
    let mut command = Command::new("fiu-run");
    command.args(["-x", "-f", "", "-c", &format!("enable_random name=posix/io/{fault}")]);
    command.arg(run.get_program()).args(run.get_args());
    command.env("XDG_STATE_HOME", folder.path("state")).stdin(Stdio::null());
    Answer::of(command.output().expect("fiu-run starts"))
}

/// Only where `INTRON_FAULTS` says how often: it needs `fiu-run` (Debian: fiu-utils).
#[test]
fn failing_calls_of_the_system_lose_nothing() {
    let n_rounds: u32 = match std::env::var("INTRON_FAULTS") {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => return skip("INTRON_FAULTS is not set"),
    };
    let folder = Folder::new();
    run_tiny(&folder, "undisturbed", &[]).expect_success();
    let expected = results(&folder, "undisturbed");
    for call in ["rw/write", "rw/read", "sync/fsync", "dir/rename", "dir/unlink", "oc/open"] {
        let mut n_refused = 0;
        // EIO and ENOSPC.
        for (number, probability) in [(5, 0.05), (28, 0.05), (5, 0.3), (28, 0.3)] {
            for round in 0..n_rounds {
                let out = format!("{call}-{number}-{probability}-{round}");
                let fault = format!("{call},probability={probability},failinfo={number}");
                for _ in 0..3 {
                    let answer = run_with_faults(&folder, &out, &fault);
                    let said = format!("{fault}, round {round}: {answer:?}");
                    assert_no_panic(&answer.errors);
                    assert!(matches!(answer.exit_code, Some(0 | 75)), "{said}");
                    let kept = results(&folder, &out);
                    assert!(kept.iter().all(|(id, result)| expected[id] == *result), "{said}");
                    assert!(answer.exit_code == Some(75) || kept.len() == expected.len(), "{said}");
                    n_refused += u32::from(answer.exit_code == Some(75));
                }
                run_tiny(&folder, &out, &[]).expect_success();
                assert_eq!(results(&folder, &out), expected, "{out}");
            }
        }
        // What cannot be removed does not matter.
        assert!(n_refused > 0 || call == "dir/unlink", "{call}: no fault came through");
    }
}
