//! `intron fit --resume`: a search that was ended or killed goes on to the very result of an undisturbed one.
#![cfg(unix)]

mod harness;

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use harness::resuming::{end_by, fit, kill_after, result};
use harness::{Folder, command, intron, intron_reading, rows, spawn, table};

/// The number of times to kill, which may be raised.
fn n_kills() -> usize {
    std::env::var("INTRON_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

#[test]
fn kills_at_any_moment_leave_the_result_of_an_undisturbed_search() {
    let folder = Folder::new();
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let budget = ["--evaluations", "150000", "--threads", "1"];
    intron(&fit("airfoil", &whole, &budget)).expect_success();
    let mut n_killed = 0;
    let mut child = spawn(&mut command(&fit("airfoil", &killed, &budget)));
    for round in 0..n_kills() as u64 {
        let had_ended = kill_after(child, 30 + round * 7919 % 331);
        let is_begun = folder.list("killed").iter().any(|name| name == "checkpoint.txt");
        n_killed += usize::from(!had_ended && is_begun);
        let again = ["fit", "--resume", &killed, "--checkpoint", "1ms", "--threads", "2"];
        let first = fit("airfoil", &killed, &budget);
        child = spawn(&mut command(if is_begun { &again[..] } else { &first[..] }));
    }
    kill_after(child, 50);
    assert!(n_killed > 2, "killed {n_killed} times");
    intron(&["fit", "--resume", &killed]).expect_success();
    assert_eq!(result(&folder, "killed"), result(&folder, "whole"));
    let is_torn = |name: &String| name.ends_with(".json") && name.starts_with(".hall");
    assert!(!folder.list("killed").iter().any(is_torn));
}

#[test]
fn an_interrupted_search_keeps_its_result_and_goes_on() {
    let folder = Folder::new();
    let (whole, ended) = (folder.path("whole"), folder.path("ended"));
    let budget = ["--evaluations", "100000"];
    intron(&fit("airfoil", &whole, &budget)).expect_success();
    end_by("-INT", &folder, "ended", &fit("airfoil", &ended, &budget));
    assert_eq!(folder.read_json("ended/run.json")["stop_reason"], "interrupted");
    let answer = intron(&["fit", "--resume", &ended]).expect_success();
    assert!(answer.errors.contains("note: going on with airfoil after"), "{}", answer.errors);
    assert_eq!(result(&folder, "ended"), result(&folder, "whole"));
    assert_eq!(folder.read_json("ended/earlier-1/run.json")["stop_reason"], "interrupted");
    let other = folder.path("other");
    end_by("-TERM", &folder, "other", &fit("airfoil", &other, &budget));
    intron(&["fit", "--resume", &other, "--quiet"]).expect_success();
    assert_eq!(result(&folder, "other"), result(&folder, "whole"));
}

#[test]
fn a_finished_search_goes_on_with_a_larger_limit() {
    let folder = Folder::new();
    let (whole, short) = (folder.path("whole"), folder.path("short"));
    intron(&fit("airfoil", &whole, &["--evaluations", "60001"])).expect_success();
    intron(&fit("airfoil", &short, &["--set", "evaluations=7000"])).expect_success();
    for limit in ["20011", "60001"] {
        intron(&["fit", "--resume", &short, "--evaluations", limit]).expect_success();
    }
    assert_eq!(result(&folder, "short"), result(&folder, "whole"));
    assert_eq!(folder.list("short")[3..5], ["earlier-1", "earlier-2"]);
    let refusal = intron(&["fit", "--resume", &short, "--evaluations", "60001", "--time", "9m"]);
    assert!(refusal.refusal(2).contains("--evaluations: the search has used 60001 already"));
    let refusal =
        intron(&["fit", "--resume", &short, "--target-r2", "0.1", "--evaluations", "1e6"]);
    assert!(refusal.refusal(2).contains("--target-r2: the search has reached 0."));
    assert_eq!(result(&folder, "short"), result(&folder, "whole"));
}

#[test]
fn a_search_without_a_limit_of_its_own_takes_any() {
    let folder = Folder::new();
    let (whole, short) = (folder.path("whole"), folder.path("short"));
    end_by("-INT", &folder, "short", &fit("airfoil", &short, &[]));
    // How far it got depends on the machine.
    let n_done = folder.read_json("short/run.json")["n_generations"].as_u64().expect("a number");
    let n = (n_done + 10).to_string();
    intron(&fit("airfoil", &whole, &["--generations", &n])).expect_success();
    intron(&["fit", "--resume", &short, "--set", &format!("generations={n}")]).expect_success();
    let (one, other) = (result(&folder, "short"), result(&folder, "whole"));
    assert_eq!((one.0, one.1), (other.0, other.1));
}

#[test]
fn a_search_that_ended_before_its_first_formula_goes_on() {
    let folder = Folder::new();
    let run = folder.path("run");
    intron(&["fit", "airfoil", "--threads", "1", "--time", "0.000001s", "--out", &run]);
    assert!(!folder.list("run").contains(&"model.json".to_owned()), "{:?}", folder.list("run"));
    intron(&["fit", "--resume", &run, "--time", "9m", "--evaluations", "3000"]).expect_success();
    assert!(folder.list("run").contains(&"model.json".to_owned()));
}

#[test]
fn a_search_that_has_ended_shows_its_result_and_changes_nothing() {
    let folder = Folder::new();
    let run = folder.path("run");
    let fitted = intron(&fit("airfoil", &run, &["--evaluations", "5000", "--json"])).json();
    let before = (folder.list("run"), folder.read("run/checkpoint.txt"));
    let answer = intron(&["fit", "--resume", &run]).expect_success();
    assert!(answer.errors.contains("to go on, give a larger limit"), "{}", answer.errors);
    assert!(answer.output.contains("R² train"), "{}", answer.output);
    let shown = intron(&["fit", "--resume", &run, "--json", "--evaluations", "5000"]).json();
    assert_eq!(shown, fitted);
    let other = intron(&["fit", "--resume", &run, "--set", "ims.start=8"]).refusal(2);
    assert!(other.contains("it was taken with ims.start = 16, not 8"), "{other}");
    assert_eq!((folder.list("run"), folder.read("run/checkpoint.txt")), before);
}

#[test]
fn folders_without_a_checkpoint_are_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path("empty")).expect("a folder");
    let empty = intron(&["fit", "--resume", &folder.path("empty")]).refusal(1);
    assert!(empty.contains("has no checkpoint.txt; start the search with --out"), "{empty}");
    let absent = intron(&["fit", "--resume", &folder.path("absent")]).refusal(1);
    assert!(absent.contains("there is no such folder"), "{absent}");
    assert_eq!(folder.list(""), ["empty"]);
    assert_eq!(folder.list("empty"), [] as [&str; 0]);
    fs::write(folder.path("file"), "x").expect("a file");
    let file = intron(&["fit", "--resume", &folder.path("file")]).refusal(1);
    assert!(file.contains("is a file; --resume takes the folder"), "{file}");
}

#[test]
fn only_a_model_that_is_absent_is_one_that_a_search_has_yet_to_write() {
    let folder = Folder::new();
    fs::create_dir(folder.path("run")).expect("a folder");
    fs::write(folder.path("run/checkpoint.txt"), "").expect("a file");
    let absent = intron(&["show", &folder.path("run")]).refusal(1);
    assert!(absent.contains("has not ended"), "{absent}");
    fs::create_dir(folder.path("run/model.json")).expect("a folder");
    let unreadable = intron(&["show", &folder.path("run")]).refusal(1);
    assert!(!unreadable.contains("has not ended"), "{unreadable}");
}

#[test]
fn damaged_checkpoints_are_found_and_the_one_before_is_taken() {
    let folder = Folder::new();
    let (whole, run) = (folder.path("whole"), folder.path("run"));
    intron(&fit("airfoil", &whole, &["--evaluations", "9000"])).expect_success();
    intron(&fit("airfoil", &run, &["--evaluations", "4000"])).expect_success();
    let names = ["run/checkpoint.txt", "run/checkpoint-before.txt"];
    let sound = names.map(|name| fs::read(folder.path(name)).expect("bytes"));
    let resume = ["fit", "--resume", &run, "--evaluations", "9000"];
    let mut damages: Vec<Vec<u8>> = vec![Vec::new(), sound[0].repeat(2), b"{}\n".to_vec()];
    for k in 1..30 {
        let place = sound[0].len() * k / 30;
        damages.push(sound[0][..place].to_vec());
        let mut flipped = sound[0].clone();
        flipped[place] ^= 1 << (k % 8);
        damages.push(flipped);
    }
    for damage in &damages {
        names.iter().for_each(|name| drop(folder.file(name, damage)));
        let refusal = intron(&resume).refusal(1);
        assert!(refusal.contains("checkpoint.txt: is"), "{refusal}");
        assert!(refusal.contains("start the search anew"), "{refusal}");
    }
    folder.file(names[1], &sound[1]);
    let answer = intron(&resume).expect_success();
    assert!(answer.errors.contains("going on from the one before it"), "{}", answer.errors);
    assert_eq!(result(&folder, "run"), result(&folder, "whole"));
    // A kill between two renames leaves only the one before.
    fs::remove_file(folder.path(names[0])).expect("it was there");
    folder.file(names[1], &sound[1]);
    intron(&resume).expect_success();
    assert_eq!(result(&folder, "run"), result(&folder, "whole"));
}

#[test]
fn the_table_must_be_the_same_wherever_it_is() {
    let folder = Folder::new();
    let content = table("a,b,y", ",", &rows(80));
    let (data, run, whole) =
        (folder.file("table.csv", &content), folder.path("run"), folder.path("whole"));
    intron(&fit(&data, &whole, &["--evaluations", "9000"])).expect_success();
    intron(&fit(&data, &run, &["--evaluations", "4000"])).expect_success();
    let resume = ["fit", "--resume", &run, "--evaluations", "9000"];
    folder.file("table.csv", content.replace("y\n", "z\n"));
    let changed = intron(&resume).refusal(1);
    assert!(changed.contains("is not the table that the search was begun with"), "{changed}");
    fs::remove_file(&data).expect("it was there");
    let absent = intron(&resume).refusal(1);
    assert!(absent.contains("if the table was moved, say where it is"), "{absent}");
    let moved = folder.file("moved.csv", &content);
    intron(&[&resume[..], &[&moved]].concat()).expect_success();
    assert_eq!(result(&folder, "run"), result(&folder, "whole"));
}

#[test]
fn a_table_from_standard_input_is_asked_for_again() {
    let folder = Folder::new();
    let (content, run) = (table("a,b,y", ",", &rows(80)), folder.path("run"));
    let begin = fit("-", &run, &["--evaluations", "4000"]);
    intron_reading(&begin, content.as_bytes()).expect_success();
    let refusal = intron(&["fit", "--resume", &run, "--evaluations", "9000"]).refusal(2);
    assert!(refusal.contains("the data came from standard input; give it again"), "{refusal}");
    let resume = ["fit", "-", "--resume", &run, "--evaluations", "9000"];
    intron_reading(&resume, content.as_bytes()).expect_success();
    assert_eq!(folder.read_json("run/run.json")["n_evaluations"], 9000);
}

#[test]
fn other_settings_are_refused_by_name() {
    let folder = Folder::new();
    let run = folder.path("run");
    intron(&fit("airfoil", &run, &["--evaluations", "4000"])).expect_success();
    let before = folder.read("run/checkpoint.txt");
    for (flag, value, word) in [
        ("--height", "4", "--height: not with --resume"),
        ("--test-fraction", "0.25", "--test-fraction: not with --resume"),
        ("--seed", "8", "--seed: not with --resume"),
        ("--out", "elsewhere", "--out: not with --resume"),
        ("--missing", "drop", "--missing: not with --resume"),
        ("--set", "height=4", "taken with height = 7, not 4"),
        ("--set", "polish=off", "taken with polish = on, not off"),
        ("--checkpoint", "often", "--checkpoint often: give a time"),
    ] {
        let words = ["fit", "--resume", &run, "--evaluations", "9000", flag, value];
        let refusal = intron(&words).refusal(2);
        assert!(refusal.contains(word), "{refusal}");
    }
    assert_eq!(folder.read("run/checkpoint.txt"), before);
    let refusal = intron(&["fit", "airfoil", "--checkpoint", "5s"]).refusal(2);
    assert!(refusal.contains("--checkpoint: add --out"), "{refusal}");
}

#[test]
fn only_one_search_goes_on_in_a_folder() {
    let folder = Folder::new();
    let run = folder.path("run");
    intron(&fit("airfoil", &run, &["--evaluations", "4000"])).expect_success();
    let before = folder.read("run/checkpoint.txt");
    // Should this test fail, the search must not go on for ever.
    let long =
        ["fit", "--resume", &run, "--evaluations", "1e12", "--time", "2m", "--checkpoint", "1ms"];
    let child = spawn(&mut command(&long));
    // For a moment, while one takes the place of the other, only one of them is there.
    let is_new =
        |name: &str| fs::read_to_string(folder.path(name)).is_ok_and(|text| text != before);
    while !(is_new("run/checkpoint-before.txt") && is_new("run/checkpoint.txt")) {
        sleep(Duration::from_millis(10));
    }
    let refusal = intron(&["fit", "--resume", &run, "--evaluations", "9000"]).refusal(1);
    assert!(refusal.contains("another search is going on in this folder"), "{refusal}");
    // A new search keeps its result beside it.
    let beside = intron(&fit("airfoil", &run, &["--evaluations", "2000"])).expect_success();
    assert!(beside.errors.contains("but no checkpoint"), "{}", beside.errors);
    kill_after(child, 0);
    intron(&["fit", "--resume", &run, "--evaluations", "1e12", "--time", "1ms"]).expect_success();
}

#[test]
fn gaps_words_and_weights_are_as_they_were() {
    let folder = Folder::new();
    let colours = ["red", "green", "", "blue"];
    let line = |(k, row): (usize, &[f64; 3])| {
        let gap = if k % 9 == 4 { String::new() } else { row[0].to_string() };
        format!("{gap},{},{},{},{}\n", row[1], colours[k % 4], 1 + k % 3, row[2])
    };
    let lines: String = rows(90).iter().enumerate().map(line).collect();
    let data = folder.file("table.csv", format!("a,b,colour,weight,y\n{lines}"));
    let (whole, run) = (folder.path("whole"), folder.path("run"));
    let flags =
        ["--missing", "impute", "--one-hot", "colour", "--weights", "weight", "--target", "y"];
    intron(&[fit(&data, &whole, &["--evaluations", "9000"]), flags.to_vec()].concat())
        .expect_success();
    intron(&[fit(&data, &run, &["--evaluations", "4000"]), flags.to_vec()].concat())
        .expect_success();
    intron(&["fit", "--resume", &run, "--evaluations", "9000"]).expect_success();
    assert_eq!(result(&folder, "run"), result(&folder, "whole"));
    let predicted = intron(&["predict", &run, &data]).expect_success().output;
    assert_eq!(predicted.lines().count(), 91);
    assert_eq!(predicted, intron(&["predict", &whole, &data]).expect_success().output);
}
