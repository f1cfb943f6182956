//! `intron predict`: a model applied to new rows.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use intron_files::{ModelFile, Table, read_columns};
use serde_json::json;

use crate::arguments::PredictArguments;
use crate::failure::Failure;
use crate::{input, json, model, terminal};

pub(crate) fn predict(arguments: &PredictArguments) -> Result<(), Failure> {
    let model = model::read(&arguments.model)?;
    let entry = model::entry(&model, arguments.index)?;
    let formula = model.formula(entry)?;
    let (columns, n_rows) = rows(&model, &arguments.data, arguments.data_dir.as_deref())?;
    let predictions = intron::predict(&formula, &columns, n_rows);
    if arguments.output.json {
        let list: Vec<_> = predictions.iter().map(|&value| json::number(value)).collect();
        let object = json!({
            "format": "intron-predictions",
            "version": 1,
            "formula": entry.formula,
            "predictions": list,
        });
        return terminal::print(&json::text(&object));
    }
    let n_bad = predictions.iter().filter(|value| !value.is_finite()).count();
    if n_bad > 0 && !arguments.output.quiet {
        terminal::tell(&format!(
            "warning: {n_bad} of {} predictions are not finite; the formula is not defined there",
            predictions.len()
        ));
    }
    let mut text = "prediction\n".to_owned();
    predictions.iter().for_each(|value| text += &format!("{value:?}\n"));
    terminal::print(&text)
}

/// The model's features in its order, read from a table, and the number of rows.
pub(crate) fn rows(
    model: &ModelFile,
    data: &str,
    data_dir: Option<&Path>,
) -> Result<(Vec<Vec<f64>>, usize), Failure> {
    let (source, bytes) = input::bytes_of(data, data_dir)?;
    // Columns that the model does not know may hold anything.
    let known: HashSet<&String> = model.features.iter().collect();
    let is_counted = OnceCell::new();
    let table = read_columns(&source, &bytes, |column, names| {
        known.contains(&names[column]) || *is_counted.get_or_init(|| are_counted(names, model))
    })?;
    let n_rows = table.columns.iter().map(Vec::len).max().unwrap_or(0);
    let columns = features(table, model).map_err(|failure| failure.about(&source))?;
    Ok((columns, n_rows))
}

/// Whether the columns have no names of their own (x0, x1, …), so that only their order tells what they are.
fn are_counted(names: &[String], model: &ModelFile) -> bool {
    let are_numbers = names.iter().enumerate().all(|(k, name)| *name == format!("x{k}"));
    are_numbers && (names.len() == model.features.len() || names.len() == model.features.len() + 1)
}

/// The model's features in its order.
fn features(mut table: Table, model: &ModelFile) -> Result<Vec<Vec<f64>>, Failure> {
    let n_features = model.features.len();
    if !table.has_header {
        let n_columns = table.columns.len();
        if n_columns != n_features && n_columns != n_features + 1 {
            return Err(Failure::work(format!(
                "has no header and {n_columns} columns; the model has {n_features} features: {}",
                model.features.join(", ")
            )));
        }
        table.columns.truncate(n_features);
        return Ok(table.columns);
    }
    let place: HashMap<&String, usize> = table.names.iter().zip(0..).collect();
    let column = |name: &String| {
        place.get(name).map(|&column| table.columns[column].clone()).ok_or_else(|| {
            Failure::work(format!(
                "has no column `{name}`, which the model needs; its features: {}",
                model.features.join(", ")
            ))
        })
    };
    model.features.iter().map(column).collect()
}
