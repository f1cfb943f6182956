//! `intron lab submit` and `resubmit` with stand-ins for the programs of Slurm; `cargo xtask slurm` has the real ones.

#![cfg(unix)]

mod harness;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use harness::{Answer, Folder, command};

/// Two runs of no work at all.
const PLAN: [&str; 9] = [
    "smoke",
    "--set",
    "repeats=1",
    "--set",
    "linkage=node",
    "--set",
    "data=airfoil",
    "--set",
    "budget.evaluations=100",
];

/// Writes a program that a shell runs.
fn stand_in(folder: &Folder, name: &str, text: &str) {
    fs::create_dir_all(folder.path("bin")).unwrap();
    let path = folder.file(&format!("bin/{name}"), format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A cluster that takes every job: numbers from 41, all calls noted.
fn cluster(folder: &Folder) {
    stand_in(folder, "scontrol", "echo 'MaxArraySize            = 1001'");
    stand_in(folder, "squeue", "exit 1");
    let calls = folder.path("calls.txt");
    stand_in(folder, "sbatch", &format!("echo \"$@\" >>{calls}; expr 40 + $(wc -l <{calls})"));
}

fn calls(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path("calls.txt")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn lab(folder: &Folder, arguments: &[&str]) -> Answer {
    // Where there are no stand-ins, there is no Slurm, even if the machine has one.
    let bin = folder.path("bin");
    let path = if Path::new(&bin).exists() { format!("{bin}:/usr/bin:/bin") } else { bin };
    let mut command = command(&["lab"]);
    command.args(arguments).env("PATH", path).env("XDG_STATE_HOME", folder.path("state"));
    // As in a job of something else, which must not matter.
    command.current_dir(folder.path("")).env("SLURM_JOB_ID", "7");
    Answer::of(command.output().unwrap())
}

fn submit(folder: &Folder, more: &[&str]) -> Answer {
    lab(folder, &[&["submit"], &PLAN[..], &["--out", "out"], more].concat())
}

#[test]
fn a_dry_run_prints_the_scripts_and_does_nothing() {
    let folder = Folder::new();
    cluster(&folder);
    let answer = submit(&folder, &["--dry-run", "--engine", "slurm"]).expect_success();
    assert!(answer.output.contains("#SBATCH --array=0-1%200\n"), "{}", answer.output);
    assert!(answer.output.contains("lab resubmit '"));
    assert!(!Path::new(&folder.path("out")).exists());
    assert_eq!(calls(&folder), [""; 0]);
}

#[test]
fn a_dry_run_looks_at_the_folder_and_at_the_data() {
    let folder = Folder::new();
    cluster(&folder);
    let dry = |more: &[&str]| submit(&folder, &[&["--dry-run"], more].concat());
    let answer = dry(&[]).expect_success();
    assert!(answer.output.contains("out: no experiment yet; all 2 runs"), "{}", answer.output);
    let share = [&["run"], &PLAN[..], &["--out", "out", "--shard", "0/2", "--quiet"]].concat();
    lab(&folder, &share).expect_success();
    let answer = dry(&[]).expect_success();
    assert!(answer.output.contains("1 of 2 runs have their record"), "{}", answer.output);
    assert!(answer.output.contains("sbatch --array=1%200"), "{}", answer.output);
    let message = dry(&["--set", "folds=3"]).refusal(2);
    assert!(message.contains("`folds` is 5 there and 3 here"), "{message}");
    let share = [&["run"], &PLAN[..], &["--out", "out", "--quiet"]].concat();
    lab(&folder, &share).expect_success();
    let answer = dry(&[]).expect_success();
    assert!(answer.output.contains("nothing would be submitted"), "{}", answer.output);
    let absent = ["submit", "smoke", "--set", "data=absent.csv", "--dry-run"];
    assert!(lab(&folder, &absent).refusal(1).contains("absent.csv"));
    assert_eq!(calls(&folder), [""; 0]);
}

#[test]
fn without_slurm_a_dry_run_still_works_and_a_submission_says_what_to_do() {
    let folder = Folder::new();
    submit(&folder, &["--dry-run"]).expect_success();
    let message = submit(&folder, &[]).refusal(1);
    assert!(message.contains("scontrol: is not on this machine"), "{message}");
    assert!(!Path::new(&folder.path("out")).exists());
}

#[test]
fn a_submission_is_an_array_and_a_job_after_it() {
    let folder = Folder::new();
    cluster(&folder);
    let answer = submit(&folder, &[]).expect_success();
    assert!(answer.output.contains("scancel 42 41"), "{}", answer.output);
    let expected = [
        "--parsable --array=0-1%200 shards.sh",
        "--parsable --dependency=afterany:41 follow-up.sh 1",
    ];
    assert_eq!(calls(&folder), expected);
}

#[test]
fn only_shards_with_missing_runs_are_submitted_again_and_not_for_ever() {
    let folder = Folder::new();
    cluster(&folder);
    submit(&folder, &[]).expect_success();
    let share = [&["run"], &PLAN[..], &["--out", "out", "--shard", "1/2", "--quiet"]].concat();
    lab(&folder, &share).expect_success();
    lab(&folder, &["resubmit", "out", "--round", "3"]).expect_success();
    let expected = [
        "--parsable --array=0%200 shards.sh",
        "--parsable --dependency=afterany:43 follow-up.sh 4",
    ];
    assert_eq!(calls(&folder)[2..], expected);
    let answer = lab(&folder, &["resubmit", "out", "--round", "4"]);
    assert_eq!(answer.exit_code, Some(1));
    assert!(answer.output.starts_with("missing: "), "{}", answer.output);
    assert_eq!(calls(&folder).len(), 4);
    let share = [&["run"], &PLAN[..], &["--out", "out", "--shard", "0/2", "--quiet"]].concat();
    lab(&folder, &share).expect_success();
    let answer = lab(&folder, &["resubmit", "out", "--round", "4"]).expect_success();
    assert_eq!(answer.output, "all 2 runs have their record\n");
    assert_eq!(submit(&folder, &[]).expect_success().output, "all 2 runs have their record\n");
}

#[test]
fn a_refusal_of_slurm_is_passed_on_and_an_absent_controller_is_temporary() {
    let folder = Folder::new();
    cluster(&folder);
    stand_in(&folder, "sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1");
    let message = submit(&folder, &[]).refusal(1);
    assert!(message.contains("invalid partition"), "{message}");
    stand_in(&folder, "sbatch", "echo 'Unable to contact slurm controller' >&2; exit 1");
    submit(&folder, &[]).refusal(75);
}

#[test]
fn jobs_that_are_still_queued_are_not_submitted_twice() {
    let folder = Folder::new();
    cluster(&folder);
    submit(&folder, &[]).expect_success();
    stand_in(&folder, "squeue", "echo 41_0");
    for message in [submit(&folder, &[]), lab(&folder, &["resubmit", "out"])] {
        let message = message.refusal(75);
        assert!(message.contains("scancel 42 41"), "{message}");
    }
    // The job after the array is in the queue itself.
    lab(&folder, &["resubmit", "out", "--after-array"]).expect_success();
    assert_eq!(calls(&folder).len(), 4);
}

#[test]
fn words_that_a_script_cannot_hold_are_refused() {
    let folder = Folder::new();
    cluster(&folder);
    for (flag, value) in [("--time", "4 hours"), ("--partition", "a b"), ("--memory", "much")] {
        let message = submit(&folder, &[flag, value]).refusal(2);
        assert!(message.contains(flag), "{message}");
    }
    assert_eq!(submit(&folder, &["--shards", "0"]).exit_code, Some(2));
}
