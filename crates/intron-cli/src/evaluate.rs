//! `intron evaluate`: a formula of one's own, scored.

use intron::{
    Dataset, FeatureNames, Formula, Instructions, LinearFit, LinearScaling, Objective, Settings,
};
use serde_json::{Value, json};

use crate::arguments::EvaluateArguments;
use crate::failure::Failure;
use crate::input::{self, HeldOut, Input};
use crate::{fit_settings, json, terminal};

/// What came out; nothing if the formula is not defined on some row.
struct Scored {
    nmse: f64,
    mse: f64,
    slope: f64,
    intercept: f64,
}

pub(crate) fn evaluate(arguments: &EvaluateArguments) -> Result<(), Failure> {
    let input = input::read(&arguments.data, &held_out(arguments)?)?;
    if !arguments.output.quiet {
        input.notes.iter().for_each(|note| terminal::tell(&format!("note: {note}")));
    }
    let names = FeatureNames::new(input.dataset.names()).beside(&input.columns);
    let formula = Formula::parse(&arguments.expression, &names)?;
    let scaling =
        if arguments.linear_scaling == "on" { LinearScaling::On } else { LinearScaling::Off };
    let scored = score(&formula, &chosen_rows(arguments, &input)?, scaling);
    if arguments.output.json {
        return terminal::print(&json::text(&to_json(scored.as_ref(), formula.size(), &input)));
    }
    let text = match scored {
        None => "invalid: the formula is not finite on every row\n".to_owned(),
        Some(Scored { nmse, mse, slope, intercept }) => {
            let r2 = 1.0 - nmse;
            let scale = match scaling {
                LinearScaling::On => format!("scaled    {intercept:?} + {slope:?} * (formula)\n"),
                LinearScaling::Off => String::new(),
            };
            format!(
                "R²        {r2:?}\nNMSE      {nmse:?}\nMSE       {mse:?}\nsize      {}\n{scale}",
                formula.size()
            )
        }
    };
    terminal::print(&text)
}

/// The rows that a fit would hold out.
fn held_out(arguments: &EvaluateArguments) -> Result<HeldOut, Failure> {
    let mut settings = Settings::default();
    settings.set("seed", &arguments.seed)?;
    let fraction = fit_settings::test_fraction(&arguments.test_fraction)?;
    Ok(HeldOut { fraction, seed: settings.seed, is_needed: arguments.rows != "all" })
}

/// All rows, or the part of them that a fit would learn from or hold out.
fn chosen_rows(arguments: &EvaluateArguments, input: &Input) -> Result<Dataset, Failure> {
    let rows = match arguments.rows.as_str() {
        "train" => &input.split.train,
        "test" => &input.split.test,
        _ => return Ok(input.dataset.clone()),
    };
    let part = input.dataset.rows(rows);
    if part.target().iter().all(|y| *y == part.target()[0]) {
        let (n, part) = (rows.len(), &arguments.rows);
        return Err(Failure::work(format!(
            "{}: the target of the {n} {part} rows is constant",
            input.source
        )));
    }
    Ok(part)
}

fn score(formula: &Formula, rows: &Dataset, scaling: LinearScaling) -> Option<Scored> {
    let outputs = intron::predict(formula, rows.features(), rows.n_rows());
    let objective = Objective::new(rows.target(), rows.weights(), scaling, Instructions::default());
    if !objective.fitness(&outputs).is_valid() {
        return None;
    }
    let fit = objective.fit(&outputs);
    let fitness = objective.fitness_as_printed(&outputs, fit);
    let (slope, intercept) =
        fit.map_or((1.0, 0.0), |LinearFit { slope, intercept, .. }| (slope, intercept));
    let mse = fitness.nmse() * objective.target_variance();
    fitness.is_valid().then_some(Scored { nmse: fitness.nmse(), mse, slope, intercept })
}

fn to_json(scored: Option<&Scored>, size: usize, input: &Input) -> Value {
    let field = |get: fn(&Scored) -> f64| json::optional(scored.map(get));
    let mut object = json!({
        "format": "intron-score",
        "version": 1,
        "valid": scored.is_some(),
        "r2": field(|scored| 1.0 - scored.nmse),
        "nmse": field(|scored| scored.nmse),
        "mse": field(|scored| scored.mse),
        "slope": field(|scored| scored.slope),
        "intercept": field(|scored| scored.intercept),
        "size": size,
    });
    if let Some(preparation) = &input.preparation {
        object["preparation"] = preparation.to_json();
    }
    object
}
