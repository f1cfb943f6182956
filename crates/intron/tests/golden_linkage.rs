//! Similarities against values of an independent implementation in plain Python (`golden/linkage.json`).

mod tokens;

use intron::{Solution, Template};
use serde_json::Value;
use tokens::{learn, solution};

const MEASURES: [&str; 5] = ["mi", "mi-masked", "mi-adjusted", "node", "cs"];

fn population(value: &Value) -> (usize, Vec<Solution>) {
    let height = value["height"].as_u64().expect("a height") as usize;
    let template = Template::full(height, 2).expect("a possible height");
    let token = |token: &Value| token.as_str().map_or_else(|| token.to_string(), str::to_owned);
    let solutions = value["solutions"].as_array().expect("solutions").iter().map(|tokens| {
        let tokens: Vec<String> = tokens.as_array().expect("tokens").iter().map(token).collect();
        solution(&template, &tokens)
    });
    (height, solutions.collect())
}

#[test]
fn every_measure_agrees_with_the_independent_values() {
    let file = include_str!("golden/linkage.json");
    let golden: Value = serde_json::from_str(file).expect("JSON");
    let cases = golden["cases"].as_array().expect("cases");
    let mut n_values = 0;
    for (number, case) in cases.iter().enumerate() {
        let (height, population_now) = population(&case["population"]);
        let (_, initial) = population(&case["initial_population"]);
        for measure in MEASURES {
            let (similarity, _) = learn(measure, height, &initial, &population_now);
            let rows = case["similarity"][measure].as_array().expect("a matrix");
            assert_eq!(rows.len(), similarity.n_positions());
            for (i, row) in rows.iter().enumerate() {
                for (j, value) in row.as_array().expect("a row").iter().enumerate() {
                    let expected = value.as_f64().expect("a number");
                    let error = (similarity.value(i, j) - expected).abs();
                    assert!(error < 1e-9, "case {number}, {measure}, {i} {j}: {error}");
                    n_values += 1;
                }
            }
        }
    }
    assert!(cases.len() >= 5 && n_values > 1000, "{} cases, {n_values} values", cases.len());
}
