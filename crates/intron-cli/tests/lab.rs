//! `intron lab`: runs that are done once, records that are whole or found out, kills that lose nothing.

mod harness;

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use harness::lab::{lab, record_paths, results, run_tiny, tiny};
use harness::{Answer, Folder, command, spawn};
use serde_json::Value;

#[test]
fn runs_are_done_once() {
    let folder = Folder::new();
    let first = run_tiny(&folder, "lab", &[]).expect_success();
    assert!(first.output.contains("16 runs have their record"), "{}", first.output);
    let before = results(&folder, "lab");
    assert_eq!(before.len(), 16);
    let again = run_tiny(&folder, "lab", &["--threads", "1"]).expect_success();
    assert!(again.output.contains("0 done now, 16 before"), "{}", again.output);
    assert_eq!(results(&folder, "lab"), before);
    // Without a folder it is that of the last run.
    let status = lab(&folder, &["status", "--json"]).json();
    assert_eq!((&status["runs"], &status["done"]), (&16.into(), &16.into()));
    let verified = lab(&folder, &["verify", "--sample", "3"]).expect_success();
    assert!(verified.output.contains("3 runs were done again, with the same bits"));
}

#[test]
fn linkages_share_seeds_and_rows() {
    let folder = Folder::new();
    let arguments = [&["tasks", "smoke", "--json"], &tiny(&[])[..]].concat();
    let listed = lab(&folder, &arguments).expect_success().output;
    let tasks: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(tasks.len(), 16);
    let seed = |task: &Value| {
        task["settings"].as_array().unwrap().iter().find(|pair| pair[0] == "seed").unwrap()[1]
            .clone()
    };
    for task in &tasks {
        let twin = tasks.iter().find(|other| {
            other["linkage"] != task["linkage"]
                && ["data", "height", "repeat"].iter().all(|key| other[key] == task[key])
        });
        let twin = twin.expect("the same run with the other linkage");
        assert_eq!((&twin["fold"], seed(twin)), (&task["fold"], seed(task)));
        assert_ne!(twin["id"], task["id"]);
    }
}

#[test]
fn shares_make_a_whole() {
    let folder = Folder::new();
    run_tiny(&folder, "whole", &[]).expect_success();
    for shard in ["0/3", "1/3", "2/3"] {
        run_tiny(&folder, "shares", &["--shard", shard]).expect_success();
    }
    assert_eq!(results(&folder, "shares"), results(&folder, "whole"));
    for shard in ["3/3", "x", "1", "-1/3", "1/0"] {
        let flag = format!("--shard={shard}");
        assert_eq!(run_tiny(&folder, "shares", &[&flag]).exit_code, Some(2), "{shard}");
    }
}

#[test]
fn damaged_records_are_found_set_aside_and_run_again() {
    let folder = Folder::new();
    run_tiny(&folder, "lab", &[]).expect_success();
    let before = results(&folder, "lab");
    let paths = record_paths(&folder, "lab");
    let whole: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    let flipped = |bit: usize| {
        let mut bytes = whole[0].clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    let n_bits = 8 * whole[0].len();
    let mut damaged: Vec<Vec<u8>> = vec![
        Vec::new(),
        whole[0][..whole[0].len() / 2].to_vec(),
        whole[0][..40].to_vec(),
        [&whole[0][..], &whole[0][..]].concat(),
        [&whole[0][..], b"\n"].concat(),
        vec![0; whole[0].len()],
        whole[1].clone(),
        String::from_utf8_lossy(&whole[0])
            .replacen("\"version\":1", "\"version\":2", 1)
            .into_bytes(),
    ];
    damaged.extend((0..20).map(|k| flipped(k * 7919 % n_bits)));
    let shown = folder.path("lab");
    for (k, bytes) in damaged.iter().enumerate() {
        fs::write(&paths[0], bytes).unwrap();
        assert_eq!(lab(&folder, &["status", &shown]).exit_code, Some(1), "{k}");
        if k < 8 {
            let mended = run_tiny(&folder, "lab", &[]).expect_success();
            assert!(mended.errors.contains("set aside and run again"), "{k}: {}", mended.errors);
            assert_eq!(results(&folder, "lab"), before, "{k}");
        }
    }
    run_tiny(&folder, "lab", &[]).expect_success();
    assert!(folder.list("lab/quarantine").len() >= 8);
    // A file that is no record of this plan is said and left alone.
    let foreign = paths[0].with_file_name("stranger.json");
    fs::write(&foreign, "{}").unwrap();
    let status = lab(&folder, &["status", &shown]);
    assert!(status.exit_code == Some(1) && status.output.contains("stranger"), "{}", status.output);
    let verified = lab(&folder, &["verify", &shown, "--sample", "0"]);
    assert!(verified.exit_code == Some(1) && verified.errors.contains("stranger"), "{verified:?}");
    assert!(foreign.exists());
}

#[test]
fn claims_of_processes_that_have_ended_count_for_nothing() {
    let folder = Folder::new();
    run_tiny(&folder, "lab", &[]).expect_success();
    let path = record_paths(&folder, "lab").remove(0);
    let id = path.file_stem().unwrap().to_string_lossy().into_owned();
    fs::remove_file(&path).unwrap();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    // Process 1 is there, but it is not the one that made the claim.
    fs::write(folder.path(&format!("lab/running/{id}.{host}.1.claim")), "").unwrap();
    fs::write(folder.path(&format!("lab/running/{id}.{host}.1-5-00000000.claim")), "").unwrap();
    let answer = run_tiny(&folder, "lab", &[]).expect_success();
    assert!(answer.output.contains("1 done now, 15 before"), "{}", answer.output);
}

#[test]
fn what_others_did_or_left_meanwhile_is_seen_at_the_end() {
    let folder = Folder::new();
    let long = ["--set", "budget.evaluations=20000"];
    run_tiny(&folder, "lab", &long).expect_success();
    let expected = results(&folder, "lab");
    let tasks = lab(&folder, &[&["tasks", "smoke"], &tiny(&long)[..]].concat()).expect_success();
    let ids: Vec<&str> = tasks.output.lines().take(3).collect();
    let paths = record_paths(&folder, "lab");
    let first = paths.iter().find(|path| path.to_string_lossy().contains(ids[0])).expect("one");
    let record = fs::read(first).unwrap();
    paths.iter().for_each(|path| fs::remove_file(path).unwrap());
    let claim = |id: &str| folder.path(&format!("lab/running/{id}.far-away.1-2-3.claim"));
    ids.iter().for_each(|id| fs::write(claim(id), "").unwrap());
    let out = folder.path("lab");
    let arguments = ["lab", "run", "smoke", "--quiet", "--threads", "1", "--out", &out];
    let mut command = command(&[&arguments, &tiny(&long)[..]].concat());
    let child = spawn(command.env("XDG_STATE_HOME", folder.path("state")));
    while record_paths(&folder, "lab").is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    // Another machine does the first run, gives up the second, and keeps the third.
    fs::write(first, record).unwrap();
    ids[..2].iter().for_each(|id| fs::remove_file(claim(id)).unwrap());
    let answer = Answer::of(child.wait_with_output().expect("it ends"));
    assert_eq!(answer.exit_code, Some(75), "{answer:?}");
    assert!(answer.output.contains("14 done now, 1 before"), "{answer:?}");
    assert!(answer.errors.contains("others are doing 1 of the runs"), "{answer:?}");
    let mut found = results(&folder, "lab");
    assert!(!found.contains_key(ids[2]));
    found.insert(ids[2].to_owned(), expected[ids[2]].clone());
    assert_eq!(found, expected);
}

#[test]
fn a_second_result_that_differs_is_an_alarm_for_good() {
    let folder = Folder::new();
    run_tiny(&folder, "lab", &[]).expect_success();
    folder.file("lab/quarantine/00.differs.host.1.0", "");
    let status = lab(&folder, &["status", &folder.path("lab")]);
    assert!(status.exit_code == Some(1) && status.output.contains("ALARM"), "{}", status.output);
    fs::remove_dir_all(folder.path("lab/records")).unwrap();
    fs::create_dir(folder.path("lab/records")).unwrap();
    assert_eq!(lab(&folder, &["verify", &folder.path("lab")]).exit_code, Some(1));
}

/// Kills the program again and again while it works; `INTRON_KILLS` says how often.
#[test]
fn kills_lose_nothing() {
    let n_kills: u64 = std::env::var("INTRON_KILLS").map_or(12, |n| n.parse().expect("a number"));
    let folder = Folder::new();
    let long = ["--set", "repeats=20", "--set", "budget.evaluations=500"];
    run_tiny(&folder, "undisturbed", &long).expect_success();
    let expected = results(&folder, "undisturbed");
    let mut seen: BTreeMap<String, Value> = BTreeMap::new();
    let mut round = 0;
    for kill in 0..n_kills {
        let out = folder.path(&format!("killed-{round}"));
        let arguments = [&["lab", "run", "smoke", "--out", &out], &tiny(&long)[..]].concat();
        let mut command = command(&arguments);
        let mut child = spawn(command.env("XDG_STATE_HOME", folder.path("state")));
        std::thread::sleep(Duration::from_micros(500 + kill * 7_919 % 60_000));
        child.kill().expect("it can be killed");
        let is_done = child.wait().expect("it ends").success();
        let now = results(&folder, &format!("killed-{round}"));
        assert!(seen.iter().all(|(id, result)| now.get(id) == Some(result)), "a record was lost");
        assert!(
            now.iter().all(|(id, result)| expected.get(id) == Some(result)),
            "a record is torn"
        );
        seen = now;
        if is_done || seen.len() == expected.len() {
            (round, seen) = (round + 1, BTreeMap::new());
        }
    }
    let killed = format!("killed-{round}");
    run_tiny(&folder, &killed, &long).expect_success();
    assert_eq!(results(&folder, &killed), expected);
    for out in ["undisturbed", &killed] {
        lab(&folder, &["report", &folder.path(out)]).expect_success();
    }
    assert_eq!(report(&folder, &killed), report(&folder, "undisturbed"));
}

/// Every file of a report by its name, without what was measured in seconds.
fn report(folder: &Folder, out: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for part in ["report", "report/figures", "report/data"] {
        let name = |file: &String| format!("{out}/{part}/{file}");
        let is_kept = |file: &String| file.contains('.') && !file.contains("-time.");
        for file in folder.list(&format!("{out}/{part}")).into_iter().filter(is_kept) {
            let text = fs::read_to_string(folder.path(&name(&file))).expect("a file of the report");
            files.insert(format!("{part}/{file}"), without_times(&text));
        }
    }
    assert!(files.contains_key("report/index.html") && files.len() > 10, "{:?}", files.keys());
    files
}

fn without_times(page: &str) -> String {
    let (mut kept, mut rest) = (String::new(), page);
    while let Some((before, after)) = rest.split_once("<!-- times: begin -->") {
        kept += before;
        rest = after.split_once("<!-- times: end -->").expect("the block ends").1;
    }
    kept + rest
}

#[test]
fn a_signal_stops_it_and_the_same_command_goes_on() {
    let folder = Folder::new();
    let long = ["--set", "budget.evaluations=3e6"];
    let out = folder.path("lab");
    let arguments = [&["lab", "run", "smoke", "--out", &out], &tiny(&long)[..]].concat();
    let mut command = command(&arguments);
    let child = spawn(command.env("XDG_STATE_HOME", folder.path("state")));
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    let killed =
        std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    let answer = Answer::of(child.wait_with_output().expect("it ends"));
    assert_eq!(answer.exit_code, Some(75), "{}", answer.errors);
    assert!(asked.elapsed() < Duration::from_secs(5));
    assert!(answer.errors.contains("the same command goes on"), "{}", answer.errors);
    assert!(folder.list("lab/running").is_empty(), "no claim is left");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let out = folder.path("lab");
    for (arguments, exit_code, reason) in [
        (vec!["run", "nonsense"], 2, "there is no such plan"),
        (vec!["run", "smoke", "--set", "repeats=x"], 2, "repeats"),
        (vec!["run", "smoke", "--set", "linkage=none"], 2, "unknown linkage"),
        (vec!["run", "smoke", "--set", "data=nowhere"], 1, "nowhere"),
        (vec!["run", "linkage-measures", "--out", &out], 1, "dowchemical"),
        (vec!["run", "smoke", "--set", "heights=5,5"], 2, "listed twice"),
        (vec!["run", "smoke", "--set", "folds=1"], 2, "smoke: `folds` is 1; take at least 2"),
        (vec!["run", "smoke", "--set", "folds=900"], 2, "too many for"),
        (vec!["run", "smoke", "--set", "operators=small,large"], 2, "separated by `;`"),
        (vec!["run", "."], 2, "a folder without a plan.toml"),
        (vec!["status", "/nowhere"], 1, "not the folder of an experiment"),
        (vec!["verify", &out], 1, "not the folder of an experiment"),
    ] {
        let answer = lab(&folder, &arguments);
        assert_eq!(answer.exit_code, Some(exit_code), "{arguments:?}: {}", answer.errors);
        assert!(answer.errors.contains(reason), "{arguments:?}: {}", answer.errors);
    }
    run_tiny(&folder, "lab", &[]).expect_success();
    let other = run_tiny(&folder, "lab", &["--set", "repeats=3"]);
    assert_eq!(other.exit_code, Some(2));
    assert!(other.errors.contains("holds another experiment"), "{}", other.errors);
    assert!(other.errors.contains("`repeats` is 2 there and 3 here"), "{}", other.errors);
    for change in ["settings.operators=large", "settings.linear_scaling=off", "test_fraction=2"] {
        assert_eq!(run_tiny(&folder, "other", &["--set", change]).exit_code, Some(2), "{change}");
    }
    // Where nothing can be kept nothing is begun, and trying again does not help.
    let below_a_file = folder.file("file", "");
    let answer = run_tiny(&folder, "file/lab", &[]);
    assert_eq!(answer.exit_code, Some(1), "{below_a_file}: {}", answer.errors);
    assert!(answer.errors.contains("choose another folder"), "{}", answer.errors);
}
