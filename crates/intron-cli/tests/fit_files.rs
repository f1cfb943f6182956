//! `intron fit --out`: the files of a run, and that an earlier run is never overwritten.

mod harness;

use harness::{ALL_FILES, Folder, assert_close, intron, list, number, text};
use serde_json::{Value, json};

const FILES: [&str; 3] = ["hall_of_fame.csv", "model.json", "run.json"];

fn fit_into(out: &str, seed: &str) -> Value {
    let flags = ["--evaluations", "20000", "--json", "--seed", seed, "--out", out];
    intron(&[&["fit", "airfoil"], &flags[..]].concat()).json()
}

#[test]
fn a_run_leaves_its_result_and_its_checkpoint_and_nothing_else() {
    let folder = Folder::new();
    // Folders that are not there are made.
    let fitted = fit_into(&folder.path("deep/run"), "1");
    assert_eq!(folder.list("deep/run"), ALL_FILES);
    let model = folder.read_json("deep/run/model.json");
    assert_eq!((text(&model, "format"), &model["version"]), ("intron-model", &json!(1)));
    for key in ["front", "chosen", "features", "target"] {
        assert_eq!(model[key], fitted[key], "{key}");
    }
}

#[test]
fn run_json_holds_what_was_printed_and_the_trace() {
    let folder = Folder::new();
    // Without the polish, which comes after the search, the trace ends with the best formula.
    let budget = ["--preset", "paper", "--evaluations", "20000", "--json"];
    let out = folder.path("run");
    let fitted = intron(&[&["fit", "airfoil", "--out", &out], &budget[..]].concat()).json();
    let run = folder.read_json("run/run.json");
    assert_eq!((text(&run, "format"), &run["version"]), ("intron-run", &json!(1)));
    for key in ["front", "chosen", "n_evaluations", "seconds", "stop_reason", "seed", "settings"] {
        assert_eq!(run[key], fitted[key], "{key}");
    }
    assert!(run["versions"]["intron"].is_string());
    let trace = list(&run, "trace");
    assert!(trace.len() > 3);
    for pair in trace.windows(2) {
        assert!(number(&pair[0], "r2_train") < number(&pair[1], "r2_train"));
        assert!(number(&pair[0], "n_evaluations") <= number(&pair[1], "n_evaluations"));
    }
    let last = trace.last().expect("an improvement");
    let best = list(&run, "front").last().expect("a formula");
    assert_close(number(last, "r2_train"), number(best, "r2_train"), 1e-12);
    assert!(number(last, "n_evaluations") <= number(&run, "n_evaluations"));
}

#[test]
fn the_hall_of_fame_has_the_columns_of_other_programs() {
    let folder = Folder::new();
    let fitted = fit_into(&folder.path("run"), "1");
    let content = folder.read("run/hall_of_fame.csv");
    let mut lines = content.lines();
    assert!(lines.next().expect("a header").starts_with("Complexity,Loss,Equation"));
    for entry in list(&fitted, "front") {
        let line = lines.next().expect("a line for every formula");
        let (complexity, rest) = line.split_once(',').expect("a comma");
        let (loss, equation) = rest.split_once(',').expect("a comma");
        assert_eq!(complexity, entry["size"].to_string());
        assert_eq!(loss.parse::<f64>().expect("a number"), number(entry, "mse_train"));
        assert!(equation.starts_with(&format!("\"{}\"", text(entry, "formula"))), "{equation}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn the_same_run_writes_the_same_model() {
    let folder = Folder::new();
    fit_into(&folder.path("one"), "1");
    fit_into(&folder.path("two"), "1");
    for name in ["model.json", "hall_of_fame.csv"] {
        assert_eq!(folder.read(&format!("one/{name}")), folder.read(&format!("two/{name}")));
    }
}

#[test]
fn a_second_run_sets_the_first_aside() {
    let folder = Folder::new();
    let out = folder.path("run");
    let fitted: Vec<Value> = ["1", "2", "3"].iter().map(|seed| fit_into(&out, seed)).collect();
    let mut expected = [&["earlier-1", "earlier-2"], &ALL_FILES[..]].concat();
    expected.sort_unstable();
    assert_eq!(folder.list("run"), expected);
    assert_eq!(folder.list("run/earlier-1"), ALL_FILES[1..]);
    let places = ["run/earlier-1", "run/earlier-2", "run"];
    for (place, fitted) in places.iter().zip(&fitted) {
        for name in FILES {
            assert!(folder.list(place).contains(&name.to_owned()), "{place}/{name}");
        }
        assert_eq!(folder.read_json(&format!("{place}/model.json"))["front"], fitted["front"]);
    }
}

#[test]
fn other_files_in_the_folder_are_left_alone() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("run")).expect("a folder");
    folder.file("run/notes.txt", "mine");
    fit_into(&folder.path("run"), "1");
    assert_eq!(folder.read("run/notes.txt"), "mine");
    assert_eq!(folder.list("run").len(), ALL_FILES.len() + 1);
}

#[test]
fn a_folder_in_the_way_of_a_file_is_set_aside_too() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("run/model.json")).expect("folders");
    folder.file("run/model.json/mine.txt", "mine");
    fit_into(&folder.path("run"), "1");
    assert_eq!(folder.read("run/earlier-1/model.json/mine.txt"), "mine");
    assert_eq!(folder.list("run").len(), ALL_FILES.len() + 1);
}

#[test]
fn quiet_is_quiet_about_an_earlier_run() {
    let folder = Folder::new();
    let out = folder.path("run");
    fit_into(&out, "1");
    let flags = ["fit", "airfoil", "--evaluations", "500", "--quiet", "--out", &out];
    assert_eq!(intron(&flags).expect_success().errors, "");
}

#[test]
fn the_scores_of_a_file_are_those_of_the_screen_to_the_last_bit() {
    let folder = Folder::new();
    let fitted = fit_into(&folder.path("run"), "4");
    let shown = intron(&["show", &folder.path("run"), "--json"]).json();
    assert_eq!(shown["front"].to_string(), fitted["front"].to_string());
}
