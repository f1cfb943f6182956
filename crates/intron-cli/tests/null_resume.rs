//! `intron fit --null --resume`: searches on shuffled targets survive kills and signals.
#![cfg(unix)]

mod harness;

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use harness::resuming::{end_by, fit, kill_after, result};
use harness::{Folder, command, intron, spawn};

/// Waits until some searches on shuffled targets are kept with the checkpoint.
fn wait_for_nulls(folder: &Folder, run: &str) {
    let path = folder.path(&format!("{run}/checkpoint.txt"));
    // While one file takes the place of the other, there may be none.
    while !fs::read_to_string(&path).is_ok_and(|text| text.matches("\"least_mdl\"").count() > 1) {
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn searches_on_shuffled_targets_survive_kills_and_signals() {
    let folder = Folder::new();
    let paths = ["whole", "killed", "ended"].map(|run| folder.path(run));
    let budget = ["--evaluations", "30000", "--null", "8", "--threads", "1"];
    let whole = intron(&fit("airfoil", &paths[0], &budget)).expect_success();
    assert_eq!(whole.errors.matches("shuffled targets, search ").count(), 8);
    let killed = spawn(&mut command(&fit("airfoil", &paths[1], &budget)));
    wait_for_nulls(&folder, "killed");
    assert!(!kill_after(killed, 0), "the searches had ended before");
    let ended = spawn(&mut command(&fit("airfoil", &paths[2], &budget)));
    wait_for_nulls(&folder, "ended");
    let id = ended.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill starts").success());
    assert!(ended.wait_with_output().expect("it ends").status.success());
    let n_runs =
        |run: &str| folder.read_json(&format!("{run}/run.json"))["null"]["n_runs"].as_u64();
    assert!(n_runs("ended").is_some_and(|n| (2..8).contains(&n)), "{:?}", n_runs("ended"));
    for (run, out) in [("killed", &paths[1]), ("ended", &paths[2])] {
        let resumed = intron(&["fit", "--resume", out]).expect_success();
        let n_told = resumed.errors.matches("shuffled targets, search ").count();
        assert!((1..=6).contains(&n_told), "{run}: {}", resumed.errors);
        assert_eq!(n_runs(run), Some(8));
        assert_eq!(result(&folder, run), result(&folder, "whole"), "{run}");
    }
    // All are done now; with a larger limit none of them counts any more.
    assert!(intron(&["fit", "--resume", &paths[1]]).errors.contains("the search has ended"));
    let larger = intron(&["fit", "--resume", &paths[1], "--evaluations", "31000"]).expect_success();
    assert_eq!(larger.errors.matches("shuffled targets, search ").count(), 8);
}

#[test]
fn a_search_that_was_interrupted_goes_on_before_targets_are_shuffled() {
    let folder = Folder::new();
    let paths = ["whole", "ended"].map(|run| folder.path(run));
    let budget = ["--evaluations", "200000", "--null", "1", "--threads", "1"];
    intron(&fit("airfoil", &paths[0], &budget)).expect_success();
    end_by("-INT", &folder, "ended", &fit("airfoil", &paths[1], &budget));
    assert!(folder.read_json("ended/run.json").get("null").is_none());
    intron(&["fit", "--resume", &paths[1]]).expect_success();
    assert_eq!(result(&folder, "ended"), result(&folder, "whole"));
}

#[test]
fn searches_on_shuffled_targets_belong_to_a_search_that_its_time_has_ended() {
    let folder = Folder::new();
    let path = folder.path("run");
    let mut child = spawn(&mut command(&fit(
        "airfoil",
        &path,
        &["--time", "0.4s", "--null", "8", "--threads", "1"],
    )));
    for round in 0..2 {
        wait_for_nulls(&folder, "run");
        assert!(!kill_after(child, 300 * round), "the searches had ended before");
        child = spawn(&mut command(&["fit", "--resume", &path, "--checkpoint", "1ms"]));
        // Searches that are kept are never lost, also while the end of the search is done again.
        sleep(Duration::from_millis(100));
        wait_for_nulls(&folder, "run");
    }
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{told}");
    assert!(told.matches("shuffled targets, search ").count() <= 6, "{told}");
    let run = folder.read_json("run/run.json");
    assert_eq!((&run["stop_reason"], &run["null"]["n_runs"]), (&"time".into(), &8.into()));
    assert_eq!(run["null"]["n_evaluations"], run["n_evaluations"]);
    assert!(intron(&["fit", "--resume", &path]).errors.contains("the search has ended"));
}
