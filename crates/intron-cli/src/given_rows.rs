//! Rows for a model that was fitted elsewhere: its features and its target, read from a table.

use std::cell::OnceCell;
use std::path::Path;

use intron::Dataset;
use intron_files::{
    Column, Missing, ModelFile, Need, Preparation, RawTable, Reading, read_table, sha256,
};

use crate::failure::Failure;
use crate::{input, preparing};

/// Rows with what is said about them.
pub(crate) struct GivenRows {
    pub(crate) rows: Dataset,
    pub(crate) source: String,
    pub(crate) sha256: String,
    pub(crate) notes: Vec<String>,
}

/// Where the columns of the model stand in a table.
struct Places {
    features: Vec<usize>,
    target: usize,
}

/// Reads the features as the model makes them, and the target. Rows without a target are left out, and those with a
/// missing value that nothing stands for.
pub(crate) fn read(
    model: &ModelFile,
    data: &str,
    data_dir: Option<&Path>,
    sheet: Option<&str>,
) -> Result<GivenRows, Failure> {
    let preparation =
        model.preparation.clone().unwrap_or_else(|| Preparation::none(&model.features));
    let (source, bytes) = input::bytes_of(data, data_dir)?;
    let reading = Reading {
        sheet,
        keeps_missing: preparation.missing != Missing::Error,
        mend_missing: "the model was fitted to a table without missing values; mend the cell",
        mend_text: "mend the cell: the model was fitted to numbers here",
        most_words: usize::MAX,
    };
    let places = OnceCell::new();
    let table = read_table(&source, &bytes, &reading, |column, names| {
        let places = places.get_or_init(|| find(names, model, &preparation));
        let Ok(Places { features, target }) = places else { return Need::Skip };
        match features.iter().position(|&place| place == column) {
            Some(place) if preparation.columns[place].levels.is_some() => Need::Words,
            Some(_) => Need::Numbers,
            None if *target == column => Need::Measured,
            None => Need::Skip,
        }
    })?;
    let places = places.into_inner().expect("a table has at least one column");
    let places = places.map_err(|problem: String| Failure::work(format!("{source}: {problem}")))?;
    prepare(model, &preparation, &table, &places, sha256(&bytes))
}

/// The columns by their names; by their order where the table has no names.
fn find(names: &[String], model: &ModelFile, preparation: &Preparation) -> Result<Places, String> {
    let n = preparation.columns.len();
    let are_counted = names.iter().enumerate().all(|(k, name)| *name == format!("x{k}"));
    if are_counted && names.len() == n + 1 {
        return Ok(Places { features: (0..n).collect(), target: n });
    }
    let place = |wanted: &String| {
        names
            .iter()
            .position(|name| name == wanted)
            .ok_or_else(|| format!("has no column `{wanted}`, which a report of this model needs"))
    };
    let features =
        preparation.columns.iter().map(|column| place(&column.name)).collect::<Result<_, _>>()?;
    Ok(Places { features, target: place(&model.target)? })
}

fn prepare(
    model: &ModelFile,
    preparation: &Preparation,
    table: &RawTable,
    places: &Places,
    sha256: String,
) -> Result<GivenRows, Failure> {
    let Column::Numbers(target) = &table.columns[places.target] else {
        return Err(Failure::work(format!(
            "{}: the target is not a column of numbers",
            table.source
        )));
    };
    let columns: Vec<&Column> =
        places.features.iter().map(|&place| &table.columns[place]).collect();
    let all: Vec<usize> = (0..table.n_rows).collect();
    let prepared = preparation.apply(&columns, &all);
    let is_whole = |row: &usize| {
        !target[*row].is_nan() && prepared.features.iter().all(|column| !column[*row].is_nan())
    };
    let kept: Vec<usize> = (0..table.n_rows).filter(is_whole).collect();
    let pick = |values: &[f64]| -> Vec<f64> { kept.iter().map(|&row| values[row]).collect() };
    let features = prepared.features.iter().map(|column| pick(column)).collect();
    let rows = Dataset::new(model.features.clone(), features, pick(target), None)
        .map_err(|error| Failure::from(error).about(&table.source))?;
    let mut notes = table.notes.clone();
    if kept.len() < table.n_rows {
        let n = table.n_rows - kept.len();
        notes.push(format!("{n} of {} rows are left out: a value is missing", table.n_rows));
    }
    notes.extend(prepared.unknown.iter().map(preparing::describe_unknown));
    Ok(GivenRows { rows, source: table.source.clone(), sha256, notes })
}
