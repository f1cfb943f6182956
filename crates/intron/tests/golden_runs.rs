//! Seed → trace, exact: every improvement of the best of five small runs, as `golden/*.txt` holds them.
//! `UPDATE_GOLDEN=1` writes the files anew; a change of theirs is a change of results and belongs in the changelog.

mod runs;

use intron::{Event, FeatureNames, Key, Settings};
use runs::{Pairs, made_up_data, watch};
use std::fmt::Write;
use std::path::Path;

/// One line per improvement: evaluations, bits of the error, size, formula.
fn trace(pairs: Pairs<'_>) -> String {
    let data = made_up_data(60);
    let names = FeatureNames::new(data.names());
    let mut lines = String::new();
    let outcome = watch(&data, pairs, |event| {
        if let Event::BestImproved { model, n_evaluations, .. } = event {
            let bits = model.fitness.nmse().to_bits();
            let (size, text) = (model.size, model.formula.to_text(&names));
            writeln!(lines, "{n_evaluations} {bits:016x} {size} {text}").expect("text can grow");
        }
    });
    let (n_evaluations, n_generations) = (outcome.n_evaluations, outcome.n_generations);
    writeln!(lines, "{n_evaluations} evaluations, {n_generations} generations")
        .expect("text can grow");
    lines
}

fn check(name: &str, pairs: Pairs<'_>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    let found = trace(pairs);
    assert!(found.lines().count() > 5, "{found}");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&file, &found).expect("a file that can be written");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", number + 1);
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "{name}: set UPDATE_GOLDEN=1");
}

#[test]
fn node_at_height_5_with_scaling() {
    check("node_5_scaled", &[("evaluations", "20000"), ("seed", "1")]);
}

#[test]
fn masked_mi_at_height_7_without_scaling() {
    let pairs = [("linkage", "mi-masked"), ("height", "7"), ("linear_scaling", "off")];
    check("mi_masked_7", &[&pairs[..], &[("evaluations", "20000"), ("seed", "2")]].concat());
}

#[test]
fn adjusted_mi_with_the_large_operator_set() {
    let pairs = [("linkage", "mi-adjusted"), ("operators", "large")];
    check("mi_adjusted_large", &[&pairs[..], &[("evaluations", "20000"), ("seed", "3")]].concat());
}

#[test]
fn a_single_population_with_every_other_choice() {
    let pairs = [
        ("population", "200"),
        ("generations", "12"),
        ("height", "4"),
        ("linkage", "mi"),
        ("linkage.binning", "nearest"),
        ("linkage.bins", "7"),
        ("operators", "+,-,*,pow,tanh,plog,pdiv,aq,min"),
        ("init.grow", "0.5"),
        ("init.duplicates", "drawn-again"),
        ("forced_improvement", "on"),
        ("seed", "4"),
    ];
    check("single_population", &pairs);
}

/// Least squares, features with factors, weighing and grafting, in both multistarts.
#[test]
fn the_default_preset() {
    let preset = Settings::recommended();
    let text: Vec<(&str, String)> =
        Key::all().iter().map(|key| (key.name, key.value(&preset))).collect();
    let mut pairs: Vec<(&str, &str)> = text.iter().map(|(k, v)| (*k, v.as_str())).collect();
    pairs.extend([("evaluations", "100000"), ("seed", "5")]);
    check("default_preset", &pairs);
}
