//! What the model file says about trust in a formula: safety on new rows, prediction intervals, the chance of noise. Every
//! part is shown where the file has it.

use intron_files::{Entry, ModelFile};
use serde_json::Value;

use super::html::{html, plural};
use crate::math::short_number;

/// Fields of a formula that are told here.
pub(super) const TOLD: [&str; 4] = ["safety", "danger", "half_widths", "p_null"];

/// Levels of prediction intervals that are shown.
const LEVELS: [f64; 2] = [0.5, 0.9];

/// A warning above a formula that is not proved safe.
pub(super) fn warning(entry: &Entry) -> String {
    let object = entry.to_json();
    let danger =
        object["danger"].as_str().map_or(String::new(), |danger| format!(": {}", html(danger)));
    let text = match object["safety"].as_str() {
        Some("dangerous") => format!("<b>Not safe on new rows</b>{danger}."),
        Some("undecided") => format!("<b>Not proved safe on new rows</b>{danger}."),
        _ => return String::new(),
    };
    format!("<p class=\"warning\">{text}</p>\n")
}

/// A mark in the table of the front.
pub(super) fn mark(entry: &Entry) -> &'static str {
    match entry.to_json()["safety"].as_str() {
        Some("dangerous") => " <span class=\"badge bad\">dangerous</span>",
        Some("undecided") => " <span class=\"badge bad\">not proved safe</span>",
        _ => "",
    }
}

/// Rows for the table of scores.
pub(super) fn rows(model: &ModelFile, entry: &Entry) -> Vec<(String, String)> {
    let (model, entry) = (model.to_json(), entry.to_json());
    let mut rows = Vec::new();
    if entry["safety"] == "safe" {
        rows.push(("on new rows".to_owned(), "proved safe".to_owned()));
    }
    rows.extend(intervals(&model, &entry));
    if let Some(p) = number(&entry["p_null"]) {
        let n_runs = model["null"]["n_runs"].as_u64().unwrap_or(0) as usize;
        let title = format!("chance of noise ({})", plural(n_runs, "search"));
        rows.push((title.replace("searchs", "searches"), short_number(p)));
    }
    rows
}

/// How far true values are from predictions, at some levels.
fn intervals(model: &Value, entry: &Value) -> Vec<(String, String)> {
    let levels = model["calibration"]["levels"].as_array();
    let (Some(levels), Some(widths)) = (levels, entry["half_widths"].as_array()) else {
        return Vec::new();
    };
    let known: Vec<(f64, f64)> = levels
        .iter()
        .zip(widths)
        .filter_map(|(level, width)| Some((number(level)?, number(width)?)))
        .collect();
    let row = |wanted: &f64| {
        let (level, width) = known.iter().find(|pair| (pair.0 - wanted).abs() < 1e-9)?;
        let title = format!("interval for {} % of new rows", short_number(level * 100.0));
        Some((title, format!("± {}", short_number(*width))))
    };
    LEVELS.iter().filter_map(row).collect()
}

/// A number of a file; those that JSON does not have are words.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok(),
        _ => value.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn intervals_are_shown_at_some_levels() {
        let model = json!({"calibration": {"n_rows": 20, "levels": [0.5, 0.9, 0.99]}});
        let entry = json!({"half_widths": [0.25, 1.5, "inf"]});
        let rows = intervals(&model, &entry);
        assert_eq!(rows[0], ("interval for 50 % of new rows".to_owned(), "± 0.25".to_owned()));
        assert_eq!(rows[1].1, "± 1.5");
        assert!(intervals(&json!({}), &json!({})).is_empty());
    }
}
