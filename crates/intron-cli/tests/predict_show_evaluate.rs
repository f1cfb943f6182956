//! `intron predict`, `intron show` and `intron evaluate`: formulas applied, printed and scored.

mod harness;

use harness::{Folder, assert_close, intron, intron_reading, list, number, rows, table, text};
use serde_json::{Value, json};

/// A model of one formula, written by hand.
fn model(features: &[&str], formula: &str) -> Value {
    let entry =
        json!({"size": 3, "r2_train": 0.5, "r2_test": null, "mse_train": 2.0, "formula": formula});
    json!({"format": "intron-model", "version": 1, "features": features, "target": "y",
        "front": [entry], "chosen": 0})
}

/// Fits the small table and leaves `plain.csv` and the folder `run`.
fn fit(folder: &Folder) -> Value {
    let data = folder.file("plain.csv", table("a,b,y", ",", &rows(40)));
    let out = folder.path("run");
    let flags = ["--evaluations", "5000", "--test-fraction", "0", "--json", "--out", &out];
    intron(&[&["fit", &data], &flags[..]].concat()).json()
}

fn predictions(answer: harness::Answer) -> Vec<f64> {
    let answer = answer.expect_success();
    let mut lines = answer.output.lines();
    assert_eq!(lines.next(), Some("prediction"));
    lines.map(|line| line.parse().expect("a number")).collect()
}

fn evaluate(data: &str, expression: &str, flags: &[&str]) -> Value {
    let arguments = ["evaluate", "--json", "--expression", expression, data];
    intron(&[&arguments[..], flags].concat()).json()
}

#[test]
fn predictions_are_the_values_of_the_formula() {
    let folder = Folder::new();
    let model = model(&["wind speed", "b"], "2.5 - `wind speed` * b + sin(b)");
    let model = folder.file("model.json", model.to_string());
    let data = folder.file("new.csv", "b,name,wind speed\n2,calm,3\n0.5,gale,4\n");
    let expected = [2.5 - 6.0 + 2_f64.sin(), 2.5 - 2.0 + 0.5_f64.sin()];
    let found = predictions(intron(&["predict", &model, &data]));
    assert_eq!(found.len(), 2);
    found.iter().zip(expected).for_each(|(&found, expected)| assert_close(found, expected, 1e-14));
    let as_json = intron(&["predict", &model, &data, "--json"]).json();
    assert_eq!(as_json["predictions"], json!(found));
    assert_eq!(as_json["formula"], "2.5 - `wind speed` * b + sin(b)");
}

#[test]
fn predictions_of_a_run_have_the_score_that_the_run_reports() {
    let folder = Folder::new();
    let fitted = fit(&folder);
    let data = folder.path("plain.csv");
    let by_folder = predictions(intron(&["predict", &folder.path("run"), &data]));
    let by_file = predictions(intron(&["predict", &folder.path("run/model.json"), &data]));
    assert_eq!(by_folder, by_file);
    assert_eq!(by_folder.len(), 40);
    for (index, entry) in list(&fitted, "front").iter().enumerate() {
        let index = index.to_string();
        let predicted =
            predictions(intron(&["predict", &folder.path("run"), &data, "--index", &index]));
        let errors = predicted.iter().zip(rows(40)).map(|(p, [_, _, y])| (p - y).powi(2));
        let mse = errors.sum::<f64>() / 40.0;
        assert_close(mse / number(entry, "mse_train"), 1.0, 1e-9);
    }
}

#[test]
fn new_rows_may_come_without_a_header_or_from_standard_input() {
    let folder = Folder::new();
    let model = folder.file("model.json", model(&["a", "b"], "a - 10 * b").to_string());
    for input in ["1,2\n3,4\n", "1,2,99\n3,4,99\n", "a,b\n1,2\n3,4\n", "b,a\n2,1\n4,3\n"] {
        let answer = intron_reading(&["predict", &model, "-"], input.as_bytes());
        assert_eq!(predictions(answer), [-19.0, -37.0], "{input:?}");
    }
    let one_row = intron_reading(&["predict", &model, "-"], b"a,b\n1,2\n");
    assert_eq!(predictions(one_row), [-19.0], "one row is enough");
}

#[test]
fn rows_that_do_not_fit_the_model_are_refused() {
    let folder = Folder::new();
    let model = folder.file("model.json", model(&["a", "b"], "a * b").to_string());
    for (input, expected) in [
        ("a,c\n1,2\n", "has no column `b`"),
        ("1,2,3,4\n5,6,7,8\n", "the model has 2 features: a, b"),
        ("a,b\n1,two\n", "line 2, column 2 (`b`)"),
        ("a,b\n", "no rows"),
        ("", "empty"),
    ] {
        let message = intron_reading(&["predict", &model, "-"], input.as_bytes()).refusal(1);
        assert!(message.contains(expected), "{input:?}: {message}");
        assert!(message.contains("standard input"), "{message}");
    }
    let message = intron(&["predict", &model, "airfoil", "--index", "7"]).refusal(2);
    assert!(message.contains("--index 7"), "{message}");
}

#[test]
fn predictions_that_are_not_finite_are_kept_and_told() {
    let folder = Folder::new();
    let model = folder.file("model.json", model(&["a", "b"], "a / b").to_string());
    let data = folder.file("new.csv", "a,b\n1,0\n0,0\n4,2\n");
    let answer = intron(&["predict", &model, &data]);
    assert!(answer.errors.contains("2 of 3"), "{}", answer.errors);
    assert_eq!(answer.expect_success().output, "prediction\ninf\nNaN\n2.0\n");
    let as_json = intron(&["predict", &model, &data, "--json"]).json();
    assert_eq!(as_json["predictions"], json!(["inf", "nan", 2.0]));
    assert_eq!(intron(&["predict", &model, &data, "--quiet"]).errors, "");
}

#[test]
fn a_model_is_shown_in_every_format() {
    let folder = Folder::new();
    let formula = "1.5 - `wind speed` * sqrt(b) / square(b)";
    let model = folder.file("model.json", model(&["wind speed", "b"], formula).to_string());
    let show = |flags: &[&str]| intron(&[&["show", &model], flags].concat()).expect_success();
    assert!(show(&[]).output.contains(&format!("y = {formula}")), "{}", show(&[]).output);
    assert_eq!(show(&["--index", "0"]).output, format!("{formula}\n"));
    assert!(show(&["--format", "latex"]).output.contains("\\sqrt"));
    assert!(!show(&["--format", "latex"]).output.contains('%'));
    let alone = show(&["--format", "text"]).output;
    assert!(alone.starts_with("1.5 - `wind speed` * sqrt(b) / ") && alone.lines().count() == 1);
    for format in ["sympy", "python", "c", "rs", "js", "jl", "R", "octave", "sqlite", "xlsx"] {
        let answer = show(&["--format", format]);
        assert!(
            answer.output.to_lowercase().contains("sqrt(") || format == "octave" || format == "jl"
        );
        assert!(answer.output.contains("wind speed"), "{}", answer.output);
        assert_eq!(answer.output.matches(" gives ").count(), 3, "{}", answer.output);
        assert_eq!(answer.errors, "");
    }
    let shown: Value = serde_json::from_str(&show(&["--json"]).output).expect("JSON");
    assert_eq!(text(&shown["front"][0], "formula"), formula);
    let shown: Value = serde_json::from_str(&show(&["--format", "json"]).output).expect("JSON");
    assert_eq!(text(&shown, "format"), "intron-formula");
    let message = intron(&["show", &model, "--format", "html"]).refusal(2);
    assert!(message.contains("html") && message.contains("latex"), "{message}");
    assert!(intron(&["show", &model, "--index", "1"]).refusal(2).contains("--index 1"));
    assert!(intron(&["show", &model, "--json", "--index", "0"]).refusal(2).contains("'--json'"));
}

#[test]
fn rows_of_the_data_become_points_to_try_the_code_with() {
    let folder = Folder::new();
    let model = folder.file("model.json", model(&["a", "b"], "a / b").to_string());
    let data = folder.file("new.csv", "b,other,a\n0,x,1\n2,y,1\n4,z,1\n8,x,1\n");
    let shown =
        |format| intron(&["show", &model, "--data", &data, "--format", format]).expect_success();
    for (format, point) in [
        ("c", "//   a = 1.0, b = 4.0 gives 0.25\n"),
        ("excel", "#   A2 = 1.0, B2 = 4.0 gives 0.25\n"),
        ("latex", "%   a = 1.0, b = 4.0 gives 0.25\n"),
        ("text", "#   a = 1.0, b = 4.0 gives 0.25\n"),
    ] {
        let text = shown(format).output;
        assert!(text.contains(point) && text.matches("gives").count() == 3, "{text}");
    }
    let bad = folder.file("bad.csv", "a,c\n1,2\n");
    let message = intron(&["show", &model, "--data", &bad, "--format", "c"]).refusal(1);
    assert!(message.contains("`b`"), "{message}");
}

#[test]
fn a_score_has_the_documented_fields() {
    let folder = Folder::new();
    let data = folder.file("line.csv", "x,y\n1,2\n2,4\n3,7\n");
    let scored = evaluate(&data, "x", &[]);
    let keys: Vec<&String> = scored.as_object().expect("an object").keys().collect();
    let expected =
        ["format", "version", "valid", "r2", "nmse", "mse", "slope", "intercept", "size"];
    assert_eq!(keys, expected);
    // The errors of x are 1, 2 and 4; the target varies by 38/9.
    assert_eq!((&scored["valid"], &scored["size"]), (&json!(true), &json!(1)));
    assert_close(number(&scored, "mse"), 7.0, 1e-12);
    assert_close(number(&scored, "nmse"), 63.0 / 38.0, 1e-12);
    assert_close(number(&scored, "r2"), 1.0 - 63.0 / 38.0, 1e-12);
    assert_eq!((number(&scored, "slope"), number(&scored, "intercept")), (1.0, 0.0));
}

#[test]
fn linear_scaling_fits_slope_and_intercept() {
    let folder = Folder::new();
    let data = folder.file("line.csv", "x,y\n1,2\n2,4\n3,7\n");
    let scored = evaluate(&data, "x", &["--linear-scaling", "on"]);
    assert_close(number(&scored, "slope"), 2.5, 1e-12);
    assert_close(number(&scored, "intercept"), -2.0 / 3.0, 1e-12);
    assert_close(number(&scored, "mse"), 1.0 / 18.0, 1e-12);
    assert_eq!(number(&scored, "size"), 1.0, "the two scaling constants are not counted");
    let people = ["evaluate", "--expression", "x", &data, "--linear-scaling", "on"];
    let answer = intron(&people).expect_success();
    assert!(answer.output.contains("R²") && answer.output.contains("scaled"), "{}", answer.output);
}

#[test]
fn weights_count_in_a_score() {
    let folder = Folder::new();
    let data = folder.file("weighted.csv", "x,w,y\n1,1,2\n2,0,4\n3,3,7\n");
    let scored = evaluate(&data, "x", &["--weights", "w"]);
    assert_close(number(&scored, "mse"), (1.0 + 3.0 * 16.0) / 4.0, 1e-12);
    let not_defined_at_weight_zero = evaluate(&data, "1 / (x - 2)", &["--weights", "w"]);
    assert_eq!(not_defined_at_weight_zero["valid"], true, "a row of weight 0 does not count");
}

#[test]
fn a_formula_that_is_not_finite_is_invalid_and_no_failure() {
    let folder = Folder::new();
    let data = folder.file("line.csv", "x,y\n0,2\n2,4\n3,7\n");
    for expression in ["log(-1)", "x/0", "1/x", "sqrt(-x)", "exp(exp(exp(x + 3)))", "0/0"] {
        for scaling in ["on", "off"] {
            let scored = evaluate(&data, expression, &["--linear-scaling", scaling]);
            assert_eq!(scored["valid"], false, "{expression}: {scored}");
            for key in ["r2", "nmse", "mse", "slope", "intercept"] {
                assert_eq!(scored[key], Value::Null, "{expression}: {key}");
            }
        }
    }
    let people = intron(&["evaluate", "--expression", "1/x", &data]).expect_success();
    assert!(people.output.contains("invalid"), "{}", people.output);
}

#[test]
fn formulas_are_read_as_they_are_written() {
    let folder = Folder::new();
    let data =
        folder.file("names.csv", "a,wind speed,sin,a`b,t\n1,2,3,4,1\n2,3,5,7,2\n5,1,1,2,3\n");
    let mse = |expression: &str| number(&evaluate(&data, expression, &[]), "mse");
    for (one, other) in [
        ("-a + 2", "2 - a"),
        ("-2.5 * a", "a * (-2.5)"),
        ("-a^2", "-(square(a))"),
        ("`wind speed`", "x1"),
        ("`sin` + sin(a)", "x2 + sin(x0)"),
        ("`a``b`", "x3"),
        ("`a`", "a"),
        ("a^2", "a*a"),
        ("2^3^a", "pow(2, pow(3, a))"),
        ("a - 1 - 1", "a - 2"),
        ("1.5e0 + .5 + a", "2 + a"),
    ] {
        assert_close(mse(one), mse(other), 1e-9 * mse(other).abs());
    }
    let sign = intron(&["evaluate", "--json", "--expression=-a", &data]).json();
    assert_eq!(sign["size"], 2);
}

#[test]
fn features_go_by_number_only_where_no_name_looks_like_one() {
    let folder = Folder::new();
    let numbered = folder.file("numbered.csv", "x1,b,y\n1,5,2\n2,3,4\n3,9,7\n");
    let by_name = evaluate(&numbered, "x1", &[]);
    assert_close(number(&by_name, "mse"), 7.0, 1e-12);
    let arguments = ["evaluate", "--expression", "x0", &numbered];
    assert!(intron(&arguments).refusal(2).contains("x0"));
    let bare = folder.file("bare.csv", "1,5,2\n2,3,4\n3,9,7\n");
    assert_close(number(&evaluate(&bare, "x0", &[]), "mse"), 7.0, 1e-12);
}

#[test]
fn a_target_called_like_a_number_also_forbids_numbers() {
    let folder = Folder::new();
    let data = folder.file("target.csv", "a,b,x0\n1,5,2\n2,3,4\n3,9,7\n");
    let arguments = ["evaluate", "--json", "--expression", "x0", &data];
    assert!(intron(&arguments).refusal(2).contains("x0"));
}

#[test]
fn formulas_that_cannot_be_read_are_wrong_usage() {
    let folder = Folder::new();
    let data = folder.file("line.csv", "x,y\n1,2\n2,4\n3,7\n");
    let deep = "(".repeat(50_000) + "x";
    for (expression, expected) in [
        ("", "empty"),
        ("x +", "character"),
        ("x + z", "z"),
        ("sin x", "sin"),
        ("sine(x)", "did you mean `sin`?"),
        ("(x", "never closed"),
        ("x)", "closes nothing"),
        ("sin(x, x)", "sin"),
        ("y", "y"),
        ("x $ 2", "character 3"),
        ("`x", "character 1"),
        ("x; import os", "character 2"),
        ("x + 1e999", "too large"),
        (deep.as_str(), "character"),
    ] {
        let message = intron(&["evaluate", "--json", "--expression", expression, &data]).refusal(2);
        assert!(message.contains(expected), "{expression:.20}: {message}");
    }
}

#[test]
fn the_rows_of_a_fit_give_back_both_its_scores() {
    let flags = ["--seed", "5", "--test-fraction", "0.4"];
    let fitted =
        intron(&[&["fit", "airfoil", "--evaluations", "5000", "--json"], &flags[..]].concat())
            .json();
    for entry in fitted["front"].as_array().expect("a front") {
        let formula = entry["formula"].as_str().expect("a formula");
        for (part, key) in [("train", "r2_train"), ("test", "r2_test")] {
            let arguments =
                ["evaluate", "--expression", formula, "airfoil", "--json", "--rows", part];
            let scored = intron(&[&arguments, &flags[..]].concat()).json();
            let (expected, got) = (entry[key].as_f64().unwrap(), scored["r2"].as_f64().unwrap());
            assert!((expected - got).abs() < 1e-9, "{part} {formula} {expected} {got}");
        }
    }
}

#[test]
fn a_search_that_has_not_ended_is_known_by_its_checkpoint() {
    let folder = Folder::new();
    let message = intron(&["predict", &folder.path(""), "airfoil"]).refusal(1);
    assert!(message.contains("the folder that `intron fit --out` wrote"), "{message}");
    folder.file("checkpoint.txt", "");
    let message = intron(&["predict", &folder.path(""), "airfoil"]).refusal(1);
    assert!(message.contains("`intron fit --resume` goes on with it"), "{message}");
}
