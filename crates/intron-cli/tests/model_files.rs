//! Model files that are truncated, foreign, damaged or hostile are refused by every command that reads them.

mod harness;

use std::fs;

use harness::{Folder, intron};
use serde_json::{Value, json};

/// The refusals of `show` and `predict` for one file; they must agree.
#[track_caller]
fn refusal(path: &str) -> String {
    let shown = intron(&["show", path]).refusal(1);
    let predicted = intron(&["predict", path, "airfoil"]).refusal(1);
    assert_eq!(shown, predicted);
    shown
}

fn fit(folder: &Folder) -> String {
    let out = folder.path("run");
    let flags = ["--evaluations", "2000", "--quiet", "--out", &out];
    intron(&[&["fit", "airfoil"], &flags[..]].concat()).expect_success();
    out
}

/// A sound model with one field replaced.
fn changed(folder: &Folder, key: &str, value: Value) -> String {
    let mut model = folder.read_json("run/model.json");
    model[key] = value;
    folder.file("changed.json", model.to_string())
}

#[test]
fn a_truncated_model_is_refused_wherever_it_was_cut() {
    let folder = Folder::new();
    fit(&folder);
    let whole = folder.read("run/model.json");
    let n_bytes = whole.trim_end().len();
    for length in [0, 1, n_bytes / 4, n_bytes / 2, n_bytes - 20, n_bytes - 1] {
        let cut = folder.file("cut.json", &whole.as_bytes()[..length]);
        let message = refusal(&cut);
        assert!(message.contains("cut.json") && message.contains("is not whole JSON"), "{message}");
    }
}

#[test]
fn trailing_bytes_are_refused() {
    let folder = Folder::new();
    fit(&folder);
    let whole = folder.read("run/model.json");
    let doubled = folder.file("doubled.json", format!("{whole}{whole}"));
    assert!(refusal(&doubled).contains("is not whole JSON"));
}

#[test]
fn foreign_files_are_refused() {
    let folder = Folder::new();
    for (name, content, expected) in [
        ("list.json", &b"[1, 2, 3]"[..], "is not a model"),
        ("other.json", b"{\"format\": \"other\", \"version\": 1}", "is not a model"),
        ("number.json", b"7", "is not a model"),
        ("table.csv", b"a,b\n1,2\n", "is not whole JSON"),
        ("pickle.pkl", b"\x80\x04\x95\x10\x00\x00\x00", "is not whole JSON"),
        ("later.json", b"{\"format\": \"intron-model\", \"version\": 2}", "version 2"),
    ] {
        let message = refusal(&folder.file(name, content));
        assert!(message.contains(name) && message.contains(expected), "{message}");
    }
    let deep = folder.file("deep.json", "[".repeat(100_000));
    assert!(refusal(&deep).contains("deep.json"));
}

#[test]
fn a_run_is_read_from_its_folder_and_from_its_file() {
    let folder = Folder::new();
    let run = fit(&folder);
    intron(&["show", &run]).expect_success();
    intron(&["show", &folder.path("run/run.json")]).expect_success();
}

#[test]
fn damaged_fields_are_refused() {
    let folder = Folder::new();
    fit(&folder);
    let entry = |formula: &str| json!([{"size": 1, "r2_train": 0.5, "r2_test": null, "mse_train": 1.0, "formula": formula}]);
    for (key, value) in [
        ("chosen", json!(999)),
        ("chosen", json!(-1)),
        ("chosen", json!(u64::MAX)),
        ("chosen", Value::Null),
        ("front", json!([])),
        ("front", json!({})),
        ("front", json!([1])),
        ("front", entry("no_such_feature + 1")),
        ("front", entry("")),
        ("features", json!([1, 2])),
        ("features", json!("frequency_hz")),
        ("target", json!(5)),
        (
            "front",
            json!([{"formula": "1", "size": 1, "r2_train": 0.0, "mse_train": 1.0, "half_widths": [1.0, -2.0]}]),
        ),
        (
            "front",
            json!([{"formula": "1", "size": 1, "r2_train": 0.0, "mse_train": 1.0, "half_widths": [2.0, 1.0]}]),
        ),
        ("calibration", json!({"n_rows": 9, "levels": [0.9, 0.5]})),
        ("safety_margin", json!(-5)),
        ("ranges", json!([[1, 0], [0, 1], [0, 1], [0, 1], [0, 1]])),
    ] {
        let message = refusal(&changed(&folder, key, value.clone()));
        assert!(message.contains("is damaged"), "{key} = {value}: {message}");
    }
}

#[test]
fn features_that_the_formulas_do_not_fit_are_refused() {
    let folder = Folder::new();
    fit(&folder);
    let message = refusal(&changed(&folder, "features", json!(["a", "b", "c", "d", "e"])));
    assert!(message.contains("is damaged"), "{message}");
}

#[test]
fn a_model_that_is_not_there_is_refused_by_its_path() {
    let folder = Folder::new();
    assert!(refusal(&folder.path("nothing.json")).contains("nothing.json"));
    fs::create_dir(folder.path("empty")).expect("a folder");
    assert!(refusal(&folder.path("empty")).contains("model.json"));
}
