//! The page about a fit, for Python.

use intron::{Dataset, Seed};
use intron_files::{ModelFile, json};
use intron_report::{Kind, Part, Subject, page};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::dataset;
use crate::border::{detached, wrong_input};

/// A table with its target.
type Rows<'py> = (PyReadonlyArray2<'py, f64>, PyReadonlyArray1<'py, f64>);

/// Refuses the content of a model file that is damaged. The message goes on after the name of the file.
#[pyfunction]
pub(crate) fn check_model(model: &str) -> PyResult<()> {
    let value = json::read("it", model.as_bytes()).map_err(wrong_input)?;
    ModelFile::from_json(&value).map(|_| ()).map_err(wrong_input)
}

/// The page as text. `model` and `run` are the content of model.json and run.json; `test` are rows that were held out.
#[pyfunction]
#[pyo3(signature = (model, run, rows, weights=None, test=None))]
pub(crate) fn report(
    py: Python<'_>,
    model: &str,
    run: &str,
    rows: Rows<'_>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    test: Option<Rows<'_>>,
) -> PyResult<String> {
    let mut model = ModelFile::from_text("the model", model.as_bytes()).map_err(wrong_input)?;
    let run = json::read("the run", run.as_bytes()).map_err(wrong_input)?;
    let train = dataset(model.features.clone(), &rows.0, &rows.1, weights.as_ref())?;
    let train = train.without_weightless_rows();
    let test = match &test {
        Some((x, y)) => Some(dataset(model.features.clone(), x, y, None)?),
        None => None,
    };
    detached(py, || {
        score_test_rows(&mut model, test.as_ref())?;
        let mut parts = vec![Part { kind: Kind::Train, rows: &train }];
        parts.extend(test.as_ref().map(|rows| Part { kind: Kind::Test, rows }));
        let subject = Subject {
            model: &model,
            parts: &parts,
            run: Some(&run),
            source: "arrays in Python",
            sha256: None,
            notes: &[],
            seed: Seed(run["seed"].as_u64().unwrap_or(0)),
        };
        page(&subject).map_err(wrong_input)
    })
}

/// An estimator does not know the rows that were held out, so its model file has no scores on them.
fn score_test_rows(model: &mut ModelFile, test: Option<&Dataset>) -> PyResult<()> {
    let varies = |rows: &&Dataset| rows.target().iter().any(|&y| y != rows.target()[0]);
    let Some(test) = test.filter(varies) else { return Ok(()) };
    for index in 0..model.front.len() {
        let formula = model.formula(&model.front[index]).map_err(wrong_input)?;
        let predictions = intron::predict(&formula, test.features(), test.n_rows());
        model.front[index].r2_test = Some(intron::score(test, &predictions).fitness.r2());
    }
    Ok(())
}
