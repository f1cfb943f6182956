//! `intron show`: the formulas of a model, or one of them in another language.

use intron::{Format, Formula, TestPoint, made_up_points, test_points};
use intron_files::ModelFile;

use crate::arguments::ShowArguments;
use crate::failure::Failure;
use crate::wording::fitted;
use crate::{front_table, model, predict, terminal};

/// Columns before the further lines of a formula.
const INDENT: usize = 3;

pub(crate) fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let format = arguments.format.as_deref().map(format_named).transpose()?;
    let model = model::read(&arguments.model)?;
    let entry = model::entry(&model, arguments.index)?;
    if arguments.output.json {
        return terminal::print(&model.to_text());
    }
    let Some(format) = format.or(arguments.data.as_ref().map(|_| Format::Text)) else {
        let fitted = |text: &str| fitted(text, terminal::width(), INDENT);
        let text = match arguments.index {
            Some(_) => fitted(&entry.formula),
            None => {
                let equation = fitted(&format!("{} = {}", model.target, entry.formula));
                format!(
                    "{}\n{equation}\n{}",
                    front_table::text(&model),
                    front_table::chance(&model)
                )
            }
        };
        return terminal::print(&format!("{}\n", text.trim_end()));
    };
    let formula = model.formula(entry)?;
    let points = points(arguments, format, &model, &formula)?;
    terminal::print(&formula.export_from(&model.origins(), &model.names(), format, &points)?)
}

fn format_named(name: &str) -> Result<Format, Failure> {
    Format::from_name(name).map_err(|_| {
        let known = formats();
        Failure::usage(format!("--format {name}: there is no such format; take {known}"))
    })
}

/// What stands beside the formula: rows of the data, or for code made-up ones.
fn points(
    arguments: &ShowArguments,
    format: Format,
    model: &ModelFile,
    formula: &Formula,
) -> Result<Vec<TestPoint>, Failure> {
    Ok(match &arguments.data {
        Some(data) => {
            let (columns, n_rows) = predict::rows(model, data, arguments.data_dir.as_deref())?;
            test_points(formula, &columns, n_rows)
        }
        None if matches!(format, Format::Text | Format::Latex) => Vec::new(),
        None => with_words(made_up_points(formula, model.features.len()), model, formula),
    })
}

/// Made-up points as a table with the columns of the model could have them: of the features that stand for words, one at most is 1.
fn with_words(points: Vec<TestPoint>, model: &ModelFile, formula: &Formula) -> Vec<TestPoint> {
    let Some(preparation) = model.preparation.as_ref() else { return points };
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); model.features.len()];
    for (row, (features, _)) in points.iter().enumerate() {
        let mut values = features.iter().copied();
        let mut row_of = Vec::with_capacity(features.len());
        for column in &preparation.columns {
            let n_features = column.levels.as_ref().map_or(1, |levels| levels.len() - 1);
            let own = values.by_ref().take(n_features);
            match &column.levels {
                // The first level has no feature.
                Some(levels) => {
                    let level = (row + 1) % levels.len();
                    row_of
                        .extend(own.enumerate().map(|(k, _)| f64::from(u8::from(k + 1 == level))));
                }
                None => row_of.extend(own),
            }
        }
        columns.iter_mut().zip(row_of).for_each(|(column, value)| column.push(value));
    }
    test_points(formula, &columns, points.len())
}

/// Every format by its name, with the other names that it has.
pub(crate) fn formats() -> String {
    let format = |format: Format| match format.aliases() {
        [] => format.name().to_owned(),
        aliases => format!("{} ({})", format.name(), aliases.join(", ")),
    };
    Format::all().map(format).collect::<Vec<_>>().join(", ")
}
