//! Safety in the front, prediction intervals, and searches on shuffled targets.

mod harness;

use harness::{Folder, intron, list, text};
use serde_json::Value;

/// Rows of y = x0 / x1 with a little noise, so that a division is found.
fn quotients(n_rows: usize) -> String {
    let mut table = "a,b,y\n".to_owned();
    for row in 0..n_rows {
        let a = (row * 37 % 101) as f64 / 20.0 + 1.0;
        let b = (row * 53 % 89) as f64 / 40.0 + 0.5;
        let noise = ((row * 29 % 83) as f64 / 41.0 - 1.0) * 0.1;
        table += &format!("{a},{b},{}\n", a / b + noise);
    }
    table
}

const SHORT: [&str; 6] = ["--evaluations", "20000", "--height", "3", "--seed", "1"];

fn fit(folder: &Folder, more: &[&str]) -> Value {
    let data = folder.file("data.csv", quotients(120));
    intron(&[&["fit", &data, "--json"], &SHORT[..], more].concat()).json()
}

#[test]
fn the_front_says_which_formulas_are_safe() {
    let folder = Folder::new();
    let out = folder.path("run");
    let fitted = fit(&folder, &["--set", "safety_margin=0.05", "--out", &out]);
    let known = ["safe", "dangerous", "undecided"];
    for entry in list(&fitted, "front") {
        assert!(known.contains(&text(entry, "safety")), "{entry}");
        assert_eq!(entry["danger"].is_string(), entry["safety"] == "dangerous", "{entry}");
    }
    assert_eq!(fitted["safety_margin"], 0.05);
    assert_eq!(list(&fitted, "ranges").len(), 2);
    let hall = folder.read("run/hall_of_fame.csv");
    assert!(hall.lines().next().unwrap().ends_with(",R2_test,Safety"), "{hall}");
    assert!(hall.lines().skip(1).all(|line| known.iter().any(|word| line.ends_with(word))));
    let plain = fit(&folder, &["--preset", "paper"]);
    assert!(list(&plain, "front").iter().all(|entry| entry.get("safety").is_none()));
    assert_eq!(plain["chosen"].as_u64().unwrap() as usize, list(&plain, "front").len() - 1);
}

#[test]
fn unsafe_formulas_are_marked_with_a_footnote() {
    let folder = Folder::new();
    // The targets cross 0 between the rows, so that x0 stands below a fraction.
    let mut table = "x,y\n".to_owned();
    for row in 0..40 {
        let x = row as f64 / 10.0 - 2.05;
        table += &format!("{x},{}\n", 1.0 / x);
    }
    let data = folder.file("pole.csv", &table);
    let arguments = [&["fit", &data, "--set", "safety_margin=0.05"], &SHORT[..]].concat();
    let shown = intron(&arguments).expect_success().output;
    assert!(shown.contains("1.0000! "), "{shown}");
    assert!(shown.contains("! not proved finite") && shown.contains(" near x = "), "{shown}");
}

#[test]
fn intervals_come_from_the_rows_held_out() {
    let folder = Folder::new();
    let out = folder.path("run");
    fit(&folder, &["--out", &out]);
    let data = folder.path("data.csv");
    let predicted = intron(&["predict", &out, &data, "--interval", "0.9"]).expect_success();
    let mut lines = predicted.output.lines();
    assert_eq!(lines.next(), Some("prediction,lower,upper"));
    let targets = quotients(120);
    let targets = targets.lines().skip(1).map(|line| line.rsplit(',').next().unwrap());
    let mut n_inside = 0;
    for (line, target) in lines.zip(targets) {
        let values: Vec<f64> = line.split(',').map(|value| value.parse().unwrap()).collect();
        let [value, lower, upper] = values[..] else { panic!("{line}") };
        assert!(lower < value && value < upper);
        n_inside += usize::from((lower..=upper).contains(&target.parse().unwrap()));
    }
    assert!((90..=120).contains(&n_inside), "{n_inside}");
    let wide = intron(&["predict", &out, &data, "--interval", "0.99", "--json"]).expect_success();
    assert!(
        wide.errors.contains("30 rows were held out, too few for a level of 0.99"),
        "{}",
        wide.errors
    );
    let object = wide.json();
    assert_eq!(object["lower"][0], "-inf");
    assert_eq!(object["interval"], 0.99);
}

#[test]
fn intervals_that_cannot_be_had_are_refused() {
    let folder = Folder::new();
    let out = folder.path("run");
    fit(&folder, &["--out", &out, "--test-fraction", "0"]);
    let data = folder.path("data.csv");
    let refusal = |level: &str| intron(&["predict", &out, &data, "--interval", level]).refusal(2);
    assert!(refusal("0.9").contains("--test-fraction 0.25"), "{}", refusal("0.9"));
    for level in ["0", "1", "90", "-0.5", "x", "nan"] {
        assert!(refusal(level).contains(&format!("--interval {level}: give the share")));
    }
}

#[test]
fn rows_outside_the_training_ranges_are_counted_in_a_warning() {
    let folder = Folder::new();
    let out = folder.path("run");
    fit(&folder, &["--out", &out]);
    let new = folder.file("new.csv", "a,b\n2,1\n50,1\n2,9\n-7,0.1\n");
    let answer = intron(&["predict", &out, &new]).expect_success();
    assert_eq!(
        answer.errors.matches("warning: 3 of 4 rows lie outside").count(),
        1,
        "{}",
        answer.errors
    );
    let inside = folder.file("inside.csv", "a,b\n2,1\n3,1.5\n");
    assert_eq!(intron(&["predict", &out, &inside]).expect_success().errors, "");
    assert_eq!(intron(&["predict", &out, &new, "--quiet"]).expect_success().errors, "");
}

#[test]
fn shuffled_targets_tell_how_likely_noise_gives_such_a_formula() {
    let folder = Folder::new();
    let data = folder.file("data.csv", quotients(120));
    let arguments = [&["fit", &data, "--null", "4"], &SHORT[..]].concat();
    let shown = intron(&arguments).expect_success();
    let sentence =
        "0 of 4 searches on shuffled targets found a formula that is as good for its size";
    assert!(
        shown.output.contains(sentence) && shown.output.contains("(p = 0.200)"),
        "{}",
        shown.output
    );
    assert_eq!(shown.errors.matches("shuffled targets, search ").count(), 4, "{}", shown.errors);
    let out = folder.path("run");
    let fitted = fit(&folder, &["--null", "4", "--quiet", "--out", &out]);
    assert_eq!(fitted["null"], serde_json::json!({"n_runs": 4, "n_evaluations": 20000}));
    assert!(list(&fitted, "front").iter().all(|entry| entry["p_null"].as_f64().unwrap() >= 0.2));
    let kept: Value = serde_json::from_str(&folder.read("run/model.json")).unwrap();
    assert_eq!(kept["front"], fitted["front"]);
    let told = "the chance that noise gives as much: p = 0.200 (4 shuffled targets)\n";
    assert!(intron(&["show", &out]).output.ends_with(told));
    assert!(intron(&["fit", "--resume", &out]).output.ends_with(told));
    assert!(
        intron(&["fit", &data, "--null", "-1"]).refusal(2).contains("--null -1: give the number")
    );
}
