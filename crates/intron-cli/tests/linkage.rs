//! `intron linkage`: the golden similarities through the public command, subsets, seeds and refusals.

mod harness;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use harness::{Folder, assert_close, intron, intron_reading, list};
use serde_json::{Value, json};

const MEASURES: [&str; 8] =
    ["random", "mi", "mi-adjusted", "mi-masked", "node", "node-static", "cs", "univariate"];

/// Values of an independent implementation; none where neither copy is there.
fn golden() -> Option<Value> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = ["../intron/tests/golden/linkage.json", "../../../shared/golden/linkage.json"];
    let text = places.iter().find_map(|place| fs::read_to_string(package.join(place)).ok());
    if text.is_none() {
        skip("linkage.json is in neither of its places");
    }
    text.map(|text| serde_json::from_str(&text).expect("golden values are JSON"))
}

#[allow(clippy::print_stderr, reason = "whoever runs the tests must see what was not tested")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// A population of height 3 in which the positions differ.
fn population() -> Value {
    json!({"height": 3, "operators": ["+", "*", "sin"], "n_features": 2, "solutions": [
        ["+", "*", "sin", "x0", "x1", "x0", 1.5],
        ["*", "x0", "+", "x1", "x1", "x0", 2.5],
        ["sin", "+", "x1", "x0", 3.5, "x1", "x0"],
        ["+", "sin", "*", 1.5, "x0", "x1", "x1"],
        ["x0", "*", "sin", "x1", "x0", "x0", "x1"],
    ]})
}

fn learn(population: &str, measure: &str, flags: &[&str]) -> Value {
    intron(&[&["linkage", population, "--measure", measure], flags].concat()).json()
}

/// Checks the shape that every linkage tree has.
#[track_caller]
fn assert_linkage_tree(learned: &Value, n_positions: usize) {
    let sets: Vec<BTreeSet<u64>> = list(learned, "subsets")
        .iter()
        .map(|set| set.as_array().expect("a set").iter().map(|p| p.as_u64().expect("a position")))
        .map(Iterator::collect)
        .collect();
    assert_eq!(sets.len(), 2 * n_positions - 2);
    for (k, set) in sets.iter().enumerate() {
        assert!(!set.is_empty() && set.len() < n_positions, "the full set is left out");
        assert!(set.iter().all(|&position| position < n_positions as u64));
        for other in &sets[..k] {
            let is_laminar =
                set.is_disjoint(other) || set.is_superset(other) || set.is_subset(other);
            assert!(is_laminar && set != other, "{set:?} and {other:?}");
        }
    }
    let singles = sets.iter().filter(|set| set.len() == 1).count();
    assert_eq!(singles, n_positions, "every position is a subset of its own");
}

#[test]
fn every_measure_reproduces_the_golden_similarities() {
    let Some(golden) = golden() else { return };
    let folder = Folder::new();
    let mut n_values = 0;
    for (k, case) in list(&golden, "cases").iter().enumerate() {
        let now = folder.file("now.json", case["population"].to_string());
        let initial = folder.file("initial.json", case["initial_population"].to_string());
        let matrices = case["similarity"].as_object().expect("matrices");
        for (measure, expected) in matrices {
            let learned = learn(&now, measure, &["--initial-population", &initial]);
            assert_eq!(learned["measure"], *measure);
            let rows = list(&learned, "similarity");
            let expected = expected.as_array().expect("a matrix");
            assert_eq!(rows.len(), expected.len(), "case {k}, {measure}");
            for (row, expected) in rows.iter().zip(expected) {
                let (row, expected) = (row.as_array().expect("a row"), expected.as_array());
                let expected = expected.expect("a row");
                assert_eq!(row.len(), expected.len(), "case {k}, {measure}");
                for (value, expected) in row.iter().zip(expected) {
                    let value = value.as_f64().expect("a number");
                    assert_close(value, expected.as_f64().expect("a number"), 1e-9);
                    n_values += 1;
                }
            }
            assert_linkage_tree(&learned, expected.len());
        }
        assert_eq!(matrices.len(), 5);
    }
    assert!(n_values > 1000, "{n_values}");
}

#[test]
fn an_answer_has_the_documented_fields() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    for measure in MEASURES {
        let learned = learn(&path, measure, &["--json", "--quiet"]);
        let keys: Vec<&String> = learned.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["format", "version", "measure", "similarity", "subsets"]);
        assert_eq!(learned["measure"], measure);
    }
}

#[test]
fn trees_have_twice_the_positions_less_two_subsets() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    for measure in MEASURES.iter().filter(|&&measure| measure != "univariate") {
        let learned = learn(&path, measure, &["--quiet"]);
        assert_linkage_tree(&learned, 7);
        let rows = list(&learned, "similarity");
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in row.as_array().expect("a row").iter().enumerate() {
                assert_eq!(*value, rows[j][i], "{measure} is symmetric");
            }
        }
    }
}

#[test]
fn univariate_linkage_has_the_single_positions_only() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    let learned = learn(&path, "univariate", &[]);
    assert_eq!(learned["similarity"], Value::Null);
    let mut subsets = list(&learned, "subsets").clone();
    subsets.sort_by_key(|set| set[0].as_u64());
    assert_eq!(json!(subsets), json!([[0], [1], [2], [3], [4], [5], [6]]));
}

#[test]
fn a_seed_repeats_its_answer() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    for measure in ["random", "node-static"] {
        let once = learn(&path, measure, &["--seed", "4"]);
        assert_eq!(learn(&path, measure, &["--seed", "4"]), once, "{measure}");
        assert_ne!(learn(&path, measure, &["--seed", "5"]), once, "{measure}");
    }
    assert_eq!(learn(&path, "random", &["--seed", "0"]), learn(&path, "random", &[]));
}

#[test]
fn without_an_initial_population_adjusted_similarities_are_zero_and_a_warning_says_so() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    let arguments = ["linkage", &path, "--measure", "mi-adjusted"];
    let answer = intron(&arguments);
    assert!(answer.errors.starts_with("warning:"), "{}", answer.errors);
    for row in list(&answer.json(), "similarity") {
        row.as_array().expect("a row").iter().for_each(|value| {
            assert_close(value.as_f64().expect("a number"), 0.0, 1e-12);
        });
    }
    assert_eq!(intron(&[&arguments[..], &["--quiet"]].concat()).errors, "");
}

#[test]
fn a_population_comes_from_standard_input_too() {
    let arguments = ["linkage", "-", "--measure", "node"];
    let learned = intron_reading(&arguments, population().to_string().as_bytes()).json();
    assert_linkage_tree(&learned, 7);
}

#[test]
fn wrong_usage_is_told() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    let measure = intron(&["linkage", &path, "--measure", "mutual"]).refusal(2);
    assert!(measure.contains("mutual") && measure.contains("mi-masked"), "{measure}");
    let arguments = ["linkage", &path, "--measure", "mi", "--seed", "-1"];
    assert!(intron(&arguments).refusal(2).contains("seed"));
    assert!(intron(&["linkage", &path]).refusal(2).contains("required"));
    assert!(
        intron(&["linkage", &folder.path("no.json"), "--measure", "mi"])
            .refusal(1)
            .contains("no.json")
    );
}

#[test]
fn bad_populations_are_refused_with_the_place() {
    let folder = Folder::new();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut value = population();
        change(&mut value);
        value.to_string()
    };
    let token = |token: Value| with(&|value| value["solutions"][2][1] = token.clone());
    let leaf = with(&|value| value["solutions"][3][5] = json!("sin"));
    let short = with(&|value| value["solutions"][1] = json!(["+", "x0", "x1"]));
    let cases: [(String, &[&str]); 16] = [
        (token(json!("foo")), &["solution 2", "position 1", "foo"]),
        (token(json!("x2")), &["solution 2", "position 1", "x2"]),
        (token(json!("cos")), &["solution 2", "position 1", "operators"]),
        (token(Value::Null), &["solution 2", "position 1"]),
        (token(json!(["x0"])), &["solution 2", "position 1"]),
        (token(json!("")), &["solution 2", "position 1"]),
        (leaf, &["solution 3", "position 5", "leaf"]),
        (short, &["solution 1", "3 tokens", "7 positions"]),
        (with(&|value| value["solutions"][4] = json!(7)), &["solution 4"]),
        (with(&|value| value["solutions"] = json!([])), &["solutions", "empty"]),
        (with(&|value| value["solutions"] = Value::Null), &["solutions"]),
        (with(&|value| value["operators"] = json!(["+", "foo"])), &["operators", "foo"]),
        (with(&|value| value["n_features"] = json!(-2)), &["n_features"]),
        (with(&|value| value["height"] = json!(2.5)), &["height"]),
        ("[]".to_owned(), &["height"]),
        (population().to_string()[..90].to_owned(), &["not whole JSON"]),
    ];
    for (content, expected) in cases {
        let path = folder.file("bad.json", &content);
        let message = intron(&["linkage", &path, "--measure", "mi"]).refusal(1);
        for part in expected.iter().chain(&["bad.json"]) {
            assert!(message.contains(part), "no `{part}` in {message}\n{content}");
        }
    }
}

#[test]
fn heights_that_no_template_has_are_refused() {
    let folder = Folder::new();
    for height in [0, 8, 30, 1_000_000] {
        let mut value = population();
        value["height"] = json!(height);
        let path = folder.file("bad.json", value.to_string());
        let message = intron(&["linkage", &path, "--measure", "mi"]).refusal(1);
        assert!(message.contains("height") && message.contains("bad.json"), "{message}");
    }
}

#[test]
fn an_initial_population_of_another_shape_is_refused() {
    let folder = Folder::new();
    let path = folder.file("population.json", population().to_string());
    let other = json!({"height": 2, "operators": ["+"], "n_features": 2,
        "solutions": [["+", "x0", "x1"]]});
    let initial = folder.file("initial.json", other.to_string());
    let arguments =
        ["linkage", &path, "--measure", "mi-adjusted", "--initial-population", &initial];
    let message = intron(&arguments).refusal(1);
    assert!(message.contains("initial.json") && message.contains("height 2"), "{message}");
}
