//! Exports character by character, what is refused, and what needs no other program to be tried.

use std::path::Path;
use std::{env, fs};

use intron::{FeatureNames, Format, Formula, Operator, Symbol, predict_row};
use serde_json::Value;

use crate::cases::{NAMES, cases, names};

const FORMULA: &str =
    "1.5 + -2.25e-9 * pdiv(`wind\nspeed */`, int) - min(sqrt(int), plog(pow(mass, 0.1)))";

fn example() -> (Formula, FeatureNames) {
    let names = ["unused", "wind\nspeed */", "int", "mass"].map(str::to_owned);
    let names = FeatureNames::new(&names);
    (Formula::parse(FORMULA, &names).expect("a formula"), names)
}

#[test]
fn exports_are_as_they_were() {
    let (formula, names) = example();
    let rows = [[0.0, 1.0, 4.0, 2.5], [0.0, -0.5, 0.0, 1e-3], [0.0, 1e6, 0.1, -1.0]];
    let points = rows.map(|row| (row.to_vec(), predict_row(&formula, &row)));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports/golden");
    for format in Format::all() {
        let found = formula.export(&names, format, &points).expect("an export");
        let path = folder.join(format!("{}.txt", format.name()));
        if env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            fs::write(&path, &found).expect("a writable file");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(found, expected, "{}: UPDATE_GOLDEN=1 keeps what is new", path.display());
    }
}

#[test]
fn an_export_without_points_has_none() {
    let (formula, names) = example();
    let text = formula.export(&names, Format::Text, &[]).expect("an export");
    assert_eq!(text, format!("{}\n", formula.to_text(&names)));
    for format in Format::all() {
        let text = formula.export(&names, format, &[]).expect("an export");
        assert!(!text.contains("Points"), "{text}");
    }
}

#[test]
fn the_object_is_the_formula_with_its_points() {
    for case in cases() {
        let object: Value = serde_json::from_str(&case.export(Format::Json)).expect("JSON");
        assert_eq!((&object["format"], &object["version"]), (&"intron-formula".into(), &1.into()));
        let mut again = Formula::new();
        for node in object["nodes"].as_array().expect("a list") {
            let (symbol, arguments) = read_node(node);
            again.push(symbol, &arguments);
        }
        assert_eq!(again, case.formula);
        let text = object["formula"].as_str().expect("a text");
        assert_eq!(Formula::parse(text, &names()).expect("a formula").to_text(&names()), text);
        let features = case.features();
        for (found, (row, output)) in
            object["points"].as_array().expect("a list").iter().zip(&case.points)
        {
            let inputs: Vec<f64> = features.iter().map(|&k| row[k]).collect();
            assert_eq!(found["inputs"], Value::from(inputs));
            match output.is_finite() {
                true => assert_eq!(found["output"], Value::from(*output)),
                false => {
                    assert!(["nan", "inf", "-inf"].iter().any(|word| found["output"] == *word))
                }
            }
        }
        let named = object["features"].as_array().expect("a list").iter();
        let named: Vec<&str> = named.map(|one| one["name"].as_str().expect("a name")).collect();
        assert_eq!(named, features.iter().map(|&k| NAMES[k]).collect::<Vec<_>>());
    }
}

fn read_node(node: &Value) -> (Symbol, Vec<u32>) {
    if let Some(index) = node["feature"].as_u64() {
        return (Symbol::feature(index as u32), Vec::new());
    }
    if let Some(value) = node["constant"].as_f64() {
        return (Symbol::constant(value), Vec::new());
    }
    let operator = node["operator"].as_str().and_then(Operator::from_name).expect("an operator");
    let places = node["arguments"].as_array().expect("a list").iter();
    let places = places.map(|place| place.as_u64().expect("a place") as u32).collect();
    (Symbol::operator(operator), places)
}

#[test]
fn the_text_is_read_back_past_its_points() {
    for case in cases() {
        let text = case.export(Format::Text);
        let formula = text.lines().find(|line| !line.starts_with('#')).expect("the formula");
        // One name has a line end in it, and the formula then too.
        if !case.features().contains(&3) {
            assert!(Formula::parse(formula, &names()).is_ok(), "{text}");
        }
    }
}

/// A feature with an operator applied to it again and again.
fn chain(operator: Operator, n_nodes: usize) -> Formula {
    let mut formula = Formula::new();
    let mut root = formula.push(Symbol::feature(0), &[]);
    for _ in 0..n_nodes {
        let arguments = [0, root];
        root = formula.push(Symbol::operator(operator), &arguments[2 - operator.arity()..]);
    }
    formula
}

#[test]
fn what_a_language_cannot_hold_is_refused() {
    let plain = FeatureNames::new(&["a".to_owned()]);
    let refusal = |formula: &Formula, names: &FeatureNames, format| {
        formula.export(names, format, &[]).expect_err("a refusal").to_string()
    };
    let long = refusal(&chain(Operator::Add, 5000), &plain, Format::Excel);
    assert!(long.contains("8192"), "{long}");
    let deep = refusal(&chain(Operator::Sin, 100), &plain, Format::Excel);
    assert!(deep.contains("64"), "{deep}");
    // A divisor is written twice, until that would be too long.
    let few = chain(Operator::ProtectedDivide, 3).export(&plain, Format::Excel, &[]);
    assert!(!few.expect("an export").contains("LET"));
    let many = chain(Operator::ProtectedDivide, 20).export(&plain, Format::Excel, &[]);
    assert!(many.expect("an export").contains("LET"));
    for name in ["", "a\0b"] {
        let names = FeatureNames::new(&[name.to_owned()]);
        assert!(refusal(&chain(Operator::Sin, 1), &names, Format::Sql).contains("rename"));
    }
    let mut infinite = Formula::new();
    infinite.push(Symbol::constant(f64::INFINITY), &[]);
    for format in [Format::Sql, Format::Excel] {
        refusal(&infinite, &plain, format);
    }
    let mut formula = Formula::new();
    formula.push(Symbol::feature(16_384), &[]);
    let names = FeatureNames::new(&vec![String::from("a"); 16_385]);
    assert!(refusal(&formula, &names, Format::Excel).contains("16384"));
}
