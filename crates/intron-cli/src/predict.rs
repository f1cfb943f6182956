//! `intron predict`: a model applied to new rows.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::Path;

use intron::{FeatureRanges, Formula, Outside};
use intron_files::{
    Column, Fill, Missing, ModelFile, Need, Preparation, PreparedColumn, RawTable, Reading,
    read_table,
};
use serde_json::json;

use crate::arguments::PredictArguments;
use crate::failure::Failure;
use crate::interval::{self, Interval};
use crate::{input, json, model, preparing, terminal};

pub(crate) fn predict(arguments: &PredictArguments) -> Result<(), Failure> {
    let model = model::read(&arguments.model)?;
    let entry = model::entry(&model, arguments.index)?;
    let formula = model.formula(entry)?;
    let interval = match &arguments.interval {
        Some(level) => Some(interval::find(&model, entry, level)?),
        None => None,
    };
    let preparation =
        model.preparation.clone().unwrap_or_else(|| Preparation::none(&model.features));
    let preparation = as_asked(preparation, arguments)?;
    let source = (arguments.data.as_str(), arguments.data_dir.as_deref());
    let table = read(source, arguments.sheet.as_deref(), &preparation)?;
    let n_rows = table.n_rows;
    let columns = columns(&table, &preparation).map_err(|failure| failure.about(&table.source))?;
    let prepared = preparation.apply(&columns, &(0..n_rows).collect::<Vec<_>>());
    let predictions = intron::predict(&formula, &prepared.features, n_rows);
    // A missing value that the formula does not ask for may not be seen in its result.
    let is_missing = |row: usize| prepared.features.iter().any(|column| column[row].is_nan());
    let predictions: Vec<Option<f64>> = predictions
        .into_iter()
        .enumerate()
        .map(|(row, value)| (!is_missing(row)).then_some(value))
        .collect();
    if !arguments.output.quiet {
        table.notes.iter().for_each(|note| terminal::tell(&format!("note: {note}")));
        tell(&predictions, prepared.n_filled.iter().sum());
        for unknown in &prepared.unknown {
            terminal::tell(&format!("warning: {}", preparing::describe_unknown(unknown)));
        }
        if let Some(warning) = outside(&model, &formula, &prepared.features, n_rows) {
            terminal::tell(&format!("warning: {warning}"));
        }
        if let Some(warning) = interval.as_ref().and_then(Interval::warning) {
            terminal::tell(&format!("warning: {warning}"));
        }
    }
    if arguments.output.json {
        let list: Vec<_> = predictions.iter().map(|&value| json::optional(value)).collect();
        let mut object = json!({
            "format": "intron-predictions",
            "version": 1,
            "formula": entry.formula,
            "n_filled": prepared.n_filled.iter().sum::<usize>(),
            "predictions": list,
        });
        if let Some(interval) = &interval {
            interval.write(&predictions, &mut object);
        }
        return terminal::print(&json::text(&object));
    }
    terminal::print(&as_csv(&predictions, interval.as_ref()))
}

/// The predictions as CSV.
fn as_csv(predictions: &[Option<f64>], interval: Option<&Interval>) -> String {
    let Some(interval) = interval else {
        let mut text = "prediction\n".to_owned();
        for value in predictions {
            // An empty line would be skipped by other programs, so that the rows would no longer match.
            text += &value.map_or("\"\"\n".to_owned(), |value| format!("{value:?}\n"));
        }
        return text;
    };
    let mut text = "prediction,lower,upper\n".to_owned();
    for value in predictions {
        text += &value.map_or(",,\n".to_owned(), |value| {
            let [lower, upper] = interval.around(value);
            format!("{value:?},{lower:?},{upper:?}\n")
        });
    }
    text
}

/// Which rows lie outside the ranges of the training rows, where the model knows them.
fn outside(
    model: &ModelFile,
    formula: &Formula,
    features: &[Vec<f64>],
    n_rows: usize,
) -> Option<String> {
    let ranges = FeatureRanges(model.evidence.ranges.clone()?);
    let margin = model.evidence.safety_margin.unwrap_or(FeatureRanges::MARGIN);
    let value = |feature: usize, row: usize| features[feature][row];
    let outside = Outside::of(formula, &ranges, margin, n_rows, value)?;
    Some(outside.describe(&model.names()))
}

/// What is odd about predictions.
fn tell(predictions: &[Option<f64>], n_filled: usize) {
    let n = predictions.len();
    if n_filled > 0 {
        terminal::tell(&format!("note: {} as in the fit", preparing::filled_in(n_filled)));
    }
    let n_empty = predictions.iter().filter(|value| value.is_none()).count();
    if n_empty > 0 {
        terminal::tell(&format!(
            "note: {n_empty} of {n} rows have a missing value and no prediction"
        ));
    }
    let n_bad = predictions.iter().flatten().filter(|value| !value.is_finite()).count();
    if n_bad > 0 {
        terminal::tell(&format!(
            "warning: {n_bad} of {n} predictions are not finite; the formula is not defined there"
        ));
    }
}

/// The model's way of preparing rows, with missing values met as the flag says.
fn as_asked(
    mut preparation: Preparation,
    arguments: &PredictArguments,
) -> Result<Preparation, Failure> {
    let can_fill = preparation.columns.iter().all(|column| column.fill.is_some());
    let asked = arguments.missing.as_deref().and_then(Missing::from_name);
    preparation.missing = match asked {
        Some(Missing::Impute) if !can_fill => {
            return Err(Failure::usage(
                "--missing impute: the model has no values to fill in; fit it with --missing impute",
            ));
        }
        Some(asked) => asked,
        None if can_fill => Missing::Impute,
        None if preparation.missing == Missing::Drop => Missing::Drop,
        None => Missing::Error,
    };
    if preparation.missing != Missing::Impute {
        preparation.columns.iter_mut().for_each(|column| column.fill = None::<Fill>);
    }
    Ok(preparation)
}

/// The model's features in its order, read from a table, and the number of rows.
pub(crate) fn rows(
    model: &ModelFile,
    data: &str,
    data_dir: Option<&Path>,
) -> Result<(Vec<Vec<f64>>, usize), Failure> {
    let preparation =
        model.preparation.clone().unwrap_or_else(|| Preparation::none(&model.features));
    let table = read((data, data_dir), None, &preparation)?;
    let columns = columns(&table, &preparation).map_err(|failure| failure.about(&table.source))?;
    let prepared = preparation.apply(&columns, &(0..table.n_rows).collect::<Vec<_>>());
    Ok((prepared.features, table.n_rows))
}

fn read(
    (data, data_dir): (&str, Option<&Path>),
    sheet: Option<&str>,
    preparation: &Preparation,
) -> Result<RawTable, Failure> {
    let (source, bytes) = input::bytes_of(data, data_dir)?;
    let reading = Reading {
        sheet,
        keeps_missing: preparation.missing != Missing::Error,
        mend_missing: "--missing drop leaves the prediction of such rows empty",
        mend_text: "mend the cell: the model was fitted to numbers here",
        most_words: usize::MAX,
    };
    let place: HashMap<&String, usize> =
        preparation.columns.iter().map(|column| &column.name).zip(0..).collect();
    let is_counted = OnceCell::new();
    // Columns that the model does not know may hold anything.
    Ok(read_table(&source, &bytes, &reading, |column, names| {
        let is_counted = *is_counted.get_or_init(|| are_counted(names, preparation));
        let place = place.get(&names[column]).copied().or(is_counted.then_some(column));
        match place.and_then(|place| preparation.columns.get(place)) {
            None => Need::Skip,
            Some(column) if column.levels.is_some() => Need::Words,
            Some(_) => Need::Numbers,
        }
    })?)
}

/// Whether the columns have no names of their own (x0, x1, …), so that only their order tells what they are.
fn are_counted(names: &[String], preparation: &Preparation) -> bool {
    let n = preparation.columns.len();
    let are_numbers = names.iter().enumerate().all(|(k, name)| *name == format!("x{k}"));
    are_numbers && (names.len() == n || names.len() == n + 1)
}

/// The columns that the model takes, in its order.
fn columns<'a>(table: &'a RawTable, preparation: &Preparation) -> Result<Vec<&'a Column>, Failure> {
    let names: Vec<&str> = preparation.columns.iter().map(|column| column.name.as_str()).collect();
    if !table.has_header {
        let (n_columns, n) = (table.columns.len(), names.len());
        if n_columns != n && n_columns != n + 1 {
            return Err(Failure::work(format!(
                "has no header and {n_columns} columns; the model has {n} features: {}",
                names.join(", ")
            )));
        }
        let is_read = |(column, way): (&Column, &PreparedColumn)| {
            matches!(column, Column::Words(_)) == way.levels.is_some()
        };
        if !table.columns.iter().zip(&preparation.columns).all(is_read) {
            return Err(Failure::work("has no header; give it one, so that columns go by name"));
        }
        return Ok(table.columns.iter().take(n).collect());
    }
    let place: HashMap<&str, usize> = table.names.iter().map(String::as_str).zip(0..).collect();
    let column = |name: &&str| {
        place.get(name).map(|&column| &table.columns[column]).ok_or_else(|| {
            Failure::work(format!(
                "has no column `{name}`, which the model needs; its features: {}",
                names.join(", ")
            ))
        })
    };
    names.iter().map(column).collect()
}
