//! Rows, models and runs that are made up for tests.

use intron::{Dataset, FeatureNames, Formula, predict, score};
use intron_files::ModelFile;
use intron_files::json::number;
use serde_json::{Value, json};

/// Rows with features `f0`, `f1`, … and some noise.
pub(crate) fn rows(n_rows: usize, n_features: usize) -> Dataset {
    let value = |row: usize, feature: usize| {
        ((row * (37 + 2 * feature) + 11 * feature) % 101) as f64 / 10.0
    };
    let features: Vec<Vec<f64>> = (0..n_features)
        .map(|feature| (0..n_rows).map(|row| value(row, feature)).collect())
        .collect();
    let target = (0..n_rows)
        .map(|row| {
            2.0 * value(row, 0) + value(row, n_features - 1) + ((row * 29) % 17) as f64 / 8.0
        })
        .collect();
    let names = (0..n_features).map(|feature| format!("f{feature}")).collect();
    Dataset::new(names, features, target, None).expect("sound rows")
}

/// A model with these formulas.
pub(crate) fn model_of(target: &str, formulas: &[&str], features: &[String]) -> ModelFile {
    let names = FeatureNames::new(features);
    let rows = rows(50, features.len());
    let entry = |text: &&str| {
        let formula = Formula::parse(text, &names).expect("a sound formula");
        let scored = score(&rows, &predict(&formula, rows.features(), rows.n_rows()));
        // As files have it, so that new fields of a file are none of this.
        json!({
            "size": formula.size(),
            "r2_train": number(scored.fitness.r2()),
            "r2_test": number(scored.fitness.r2() - 0.1),
            "mse_train": number(scored.mse),
            "formula": formula.to_text(&names),
        })
    };
    let front: Vec<Value> = formulas.iter().map(entry).collect();
    ModelFile::from_json(&json!({
        "format": "intron-model",
        "version": 1,
        "features": features,
        "target": target,
        "chosen": front.len() - 1,
        "front": front,
    }))
    .expect("a sound model")
}

/// What `run.json` has of a search.
pub(crate) fn run(model: &ModelFile) -> Value {
    let mut run = model.to_json();
    let point = |k: u64| json!({"n_evaluations": 64 << k, "seconds": 0.01 * (k + 1) as f64, "r2_train": 1.0 - 0.5_f64.powi(k as i32 + 1)});
    let more = json!({
        "format": "intron-run",
        "command": "intron fit data.csv --seed 1",
        "n_evaluations": 5000,
        "n_generations": 12,
        "seconds": 0.5,
        "stop_reason": "evaluations",
        "seed": 1,
        "settings": {"height": 3, "linkage": "node", "test_fraction": 0.25},
        "trace": (0..5).map(point).collect::<Vec<_>>(),
        "linkage": {
            "label": "Node",
            "population_size": 128,
            "generation": 4,
            "levels": [1, 2, 4],
            "similarity": (0..21).map(f64::from).collect::<Vec<_>>(),
        },
    });
    let fields = more.as_object().expect("an object");
    fields.iter().for_each(|(key, value)| run[key] = value.clone());
    run
}
