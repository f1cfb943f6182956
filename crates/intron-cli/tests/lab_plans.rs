//! `intron lab` with plans of one's own: where their data is, how they go on, what operator sets are.

mod harness;

use std::fs;

use harness::lab::{lab, run_tiny, tiny};
use harness::{Answer, Folder, command};

/// A plan of two runs on a table beside it.
fn write_plan(folder: &Folder) {
    fs::create_dir_all(folder.path("plans/data")).unwrap();
    let rows: String =
        (0..60).map(|k| format!("{},{},{}\n", k % 7, k % 11, k % 7 + k % 11)).collect();
    folder.file("plans/data/mine.csv", format!("a,b,y\n{rows}"));
    folder.file(
        "plans/mine.toml",
        "name = 'mine'\ndata = ['data/mine.csv']\nheights = [3]\nlinear_scaling = ['on']\noperators = ['small']\n\
         linkage = ['node', 'mi']\nrepeats = 1\nfolds = 2\ntest_fraction = 0.25\n[budget]\nevaluations = 500\n",
    );
}

/// `intron lab` in some folder.
fn lab_in(folder: &Folder, place: &str, arguments: &[&str]) -> Answer {
    let mut command = command(&[&["lab"], arguments].concat());
    command.env("XDG_STATE_HOME", folder.path("state")).current_dir(folder.path(place));
    Answer::of(command.output().expect("intron starts"))
}

/// What it said when it failed after it had begun.
fn failed(answer: Answer) -> String {
    assert_eq!(answer.exit_code, Some(1), "{}", answer.errors);
    answer.errors
}

#[test]
fn data_is_found_from_the_folder_of_the_plan_wherever_one_is() {
    let folder = Folder::new();
    write_plan(&folder);
    let out = folder.path("out");
    lab_in(&folder, ".", &["run", "plans/mine.toml", "--out", &out, "--quiet"]).expect_success();
    for (place, plan) in [("plans", "mine.toml"), ("plans/data", "../mine.toml")] {
        let again = lab_in(&folder, place, &["run", plan, "--out", &out]).expect_success();
        assert!(again.output.contains("0 done now, 2 before"), "{place}: {}", again.output);
    }
    // The folder of the experiment is enough to go on, and to verify.
    let again = lab_in(&folder, "plans/data", &["run", &out]).expect_success();
    assert!(again.output.contains(&format!("in {out}: 0 done now, 2 before")), "{}", again.output);
    lab_in(&folder, "state", &["verify", &out]).expect_success();
    // A path that is typed starts from where one is.
    let typed = ["run", "smoke", "--set", "data=mine.csv", "--out", "x", "--set", "repeats=1"];
    let typed =
        [&typed[..], &["--set", "budget.evaluations=100", "--set", "linkage=node"]].concat();
    lab_in(&folder, "plans/data", &typed).expect_success();
}

#[test]
fn data_that_was_moved_is_found_in_the_data_folder_and_must_be_the_same() {
    let folder = Folder::new();
    write_plan(&folder);
    let out = folder.path("out");
    lab_in(&folder, ".", &["run", "plans/mine.toml", "--out", &out, "--quiet"]).expect_success();
    fs::create_dir(folder.path("new")).unwrap();
    fs::rename(folder.path("plans/data/mine.csv"), folder.path("new/mine.csv")).unwrap();
    let message = failed(lab(&folder, &["verify", &out]));
    assert!(message.contains("plans/data/mine.csv: there is no such file"), "{message}");
    let new = folder.path("new");
    lab(&folder, &["verify", &out, "--data-dir", &new]).expect_success();
    lab(&folder, &["run", &out, "--data-dir", &new]).expect_success();
    let text = folder.read("new/mine.csv").replacen("1,1,2", "1,1,3", 1);
    folder.file("new/mine.csv", text);
    let message = failed(lab(&folder, &["verify", &out, "--data-dir", &new]));
    assert!(message.contains("is not the data of the experiment any more"), "{message}");
    let message = lab(&folder, &["run", &out, "--data-dir", &new]).refusal(2);
    assert!(message.contains("mine.csv has changed"), "{message}");
}

#[test]
fn operators_separated_by_commas_are_one_set() {
    let folder = Folder::new();
    let few = ["--set", "operators=+,*", "--set", "repeats=1", "--set", "heights=3"];
    run_tiny(&folder, "one", &few).expect_success();
    let tasks = |operators: &str| {
        let arguments = [&["tasks", "smoke"], &tiny(&["--set", operators])[..]].concat();
        lab(&folder, &arguments).expect_success().output.lines().count()
    };
    assert_eq!(2 * tasks("operators=+,*"), tasks("operators=+,*;small"));
}

#[test]
fn all_that_is_wrong_with_a_plan_is_said_at_once() {
    let folder = Folder::new();
    folder.file("bad.toml", "nam = 'x'\nheights = 5\ndata = ['airfoil']\n");
    let answer = lab(&folder, &["run", "bad.toml"]);
    let message = answer.errors.clone();
    answer.refusal(2);
    for part in
        ["bad.toml", "`name` is missing", "`nam` is no key", "`heights` is a list", "`folds`"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!folder.list(".").contains(&"lab".to_owned()));
}
