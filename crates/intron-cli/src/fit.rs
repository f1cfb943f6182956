//! `intron fit`: search, show the front, keep it.

use intron::{
    ComplexityMeasure, Dataset, FeatureNames, Interrupt, Listed, Outcome, Run, Settings,
    StopReason, ValidSettings, score,
};
use intron_files::{Entry, ModelFile};
use serde_json::{Value, json};

use crate::arguments::FitArguments;
use crate::failure::Failure;
use crate::input::{self, HeldOut, Input};
use crate::progress::{Progress, Show};
use crate::{front_table, json, run_files, signals, terminal};

/// A search that has no other budget ends after this time.
const DEFAULT_SECONDS: f64 = 30.0;

pub(crate) fn fit(arguments: &FitArguments) -> Result<(), Failure> {
    let settings = settings(arguments)?;
    let test_fraction = test_fraction(&arguments.test_fraction)?;
    let seed = settings.settings().seed;
    let held_out = HeldOut { fraction: test_fraction, seed, is_needed: true };
    let input = input::read(&arguments.data, &held_out)?;
    if let Some(folder) = &arguments.out {
        intron_files::prepare_folder(folder)?;
    }
    if !arguments.output.quiet {
        input.notes.iter().for_each(|note| terminal::tell(&format!("note: {note}")));
        warn(&input.warnings);
    }
    let train = input.dataset.rows(&input.split.train);
    let test = (!input.split.test.is_empty()).then(|| input.dataset.rows(&input.split.test));
    let (outcome, trace) = search(arguments, &input, &settings, &train)?;
    let was_cut_short = matches!(outcome.stop_reason, StopReason::Interrupted | StopReason::Time);
    if outcome.front.is_empty() && !was_cut_short {
        return Err(Failure::work(format!(
            "{}: no formula had a finite value on every training row in {} evaluations; search longer, or \
             with other operators",
            input.source, outcome.n_evaluations
        )));
    }
    let report =
        Report { arguments, input: &input, settings: settings.settings(), outcome: &outcome };
    let model = report.model(&train, test.as_ref());
    report.deliver(&model, test_fraction, trace)
}

/// The first few warnings; the rest are counted.
fn warn(warnings: &[String]) {
    const MOST: usize = 5;
    warnings.iter().take(MOST).for_each(|warning| terminal::tell(&format!("warning: {warning}")));
    if warnings.len() > MOST {
        terminal::tell(&format!("warning: and {} more like these", warnings.len() - MOST));
    }
}

/// Preset, then flags, then --set; and a time limit if there is no other budget.
fn settings(arguments: &FitArguments) -> Result<ValidSettings, Failure> {
    // The paper's setting is the default.
    let mut settings = Settings::default();
    let flags = [
        ("height", &arguments.height),
        ("operators", &arguments.operators),
        ("linkage", &arguments.linkage),
        ("linear_scaling", &arguments.linear_scaling),
        ("evaluator", &arguments.evaluator),
        ("evaluations", &arguments.evaluations),
        ("generations", &arguments.generations),
        ("time", &arguments.time),
        ("target_r2", &arguments.target_r2),
        ("population", &arguments.population),
        ("seed", &arguments.seed),
        ("threads", &arguments.threads),
    ];
    for (key, value) in flags {
        if let Some(value) = value {
            settings.set(key, value)?;
        }
    }
    arguments.front.apply(&mut settings)?;
    for pair in &arguments.set {
        let (key, value) = pair.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "--set {pair}: write it as --set key=value; see `intron settings`"
            ))
        })?;
        settings.set(key, value)?;
    }
    let limits = &mut settings.limits;
    if limits.evaluations.is_none() && limits.generations.is_none() && limits.seconds.is_none() {
        limits.seconds = Some(DEFAULT_SECONDS);
    }
    Ok(settings.validate()?)
}

pub(crate) fn test_fraction(text: &str) -> Result<f64, Failure> {
    match text.trim().parse::<f64>() {
        Ok(fraction) if (0.0..1.0).contains(&fraction) => Ok(fraction),
        _ => Err(Failure::usage(format!(
            "--test-fraction {text}: give the share of the rows to hold out, from 0 to below 1, such as 0.25"
        ))),
    }
}

fn search(
    arguments: &FitArguments,
    input: &Input,
    settings: &ValidSettings,
    train: &Dataset,
) -> Result<(Outcome, Vec<Value>), Failure> {
    let interrupt = Interrupt::default();
    let last_words = "given up: the search did not end in time, and its result is lost";
    signals::end_on_signal(interrupt.clone(), last_words);
    let show = if arguments.output.quiet { Show::Nothing } else { Show::Progress };
    let names = FeatureNames::new(train.names());
    let mut progress = Progress::new(show, settings.settings().limits, names);
    let run = Run::new(train, settings, interrupt)
        .map_err(|error| Failure::from(error).about(&input.source))?;
    let outcome = run.finish(&mut progress);
    signals::protect_result();
    Ok((outcome, progress.trace))
}

/// Everything that is said about a finished search.
struct Report<'a> {
    arguments: &'a FitArguments,
    input: &'a Input,
    settings: &'a Settings,
    outcome: &'a Outcome,
}

impl Report<'_> {
    fn model(&self, train: &Dataset, test: Option<&Dataset>) -> ModelFile {
        let names = FeatureNames::new(train.names());
        // The score of a test part whose target is constant is not defined.
        let test = test.filter(|test| test.target().iter().any(|&y| y != test.target()[0]));
        let Settings { complexity, per_size, .. } = self.settings;
        let entry = |listed: &Listed<'_>| {
            let model = listed.model;
            let on = |rows: &Dataset| score(rows, &model.predict(rows.features(), rows.n_rows()));
            Entry {
                size: model.size,
                complexity: (*complexity != ComplexityMeasure::Size).then_some(model.complexity),
                rank: (*per_size > 1).then_some(listed.rank),
                r2_train: model.fitness.r2(),
                r2_test: test.map(|test| on(test).fitness.r2()),
                mse_train: on(train).mse,
                formula: model.formula.to_text(&names),
            }
        };
        let listed = self.outcome.listed();
        ModelFile {
            features: train.names().to_vec(),
            target: self.input.target_name.clone(),
            preparation: self.input.preparation.clone(),
            chosen: listed.iter().rposition(|listed| listed.rank == 1).unwrap_or(0),
            front: listed.iter().map(entry).collect(),
        }
    }

    fn settings_json(&self, test_fraction: f64) -> Value {
        let mut settings = json::settings(self.settings);
        settings.insert("test_fraction".to_owned(), json!(test_fraction));
        Value::Object(settings)
    }

    fn to_json(&self, model: &ModelFile, test_fraction: f64) -> Value {
        let mut object = json!({
            "format": "intron-fit",
            "version": 1,
            "data": self.input.source,
            "target": model.target,
            "weights": self.input.weights_name,
            "features": model.features,
            "front": model.front.iter().map(Entry::to_json).collect::<Vec<_>>(),
            "chosen": (!model.front.is_empty()).then_some(model.chosen),
            "n_evaluations": self.outcome.n_evaluations,
            "n_generations": self.outcome.n_generations,
            "seconds": json::number(self.outcome.elapsed_seconds),
            "stop_reason": self.outcome.stop_reason.name(),
            "seed": self.settings.seed.0,
            "settings": self.settings_json(test_fraction),
        });
        if let Some(preparation) = &model.preparation {
            object["preparation"] = preparation.to_json();
        }
        object
    }

    /// Files first, then the screen: what cannot be shown is still kept, and what cannot be kept is still shown.
    fn deliver(
        &self,
        model: &ModelFile,
        test_fraction: f64,
        trace: Vec<Value>,
    ) -> Result<(), Failure> {
        let object = self.to_json(model, test_fraction);
        let kept = match &self.arguments.out {
            // A search that ended before its first formula has nothing to keep.
            _ if model.front.is_empty() => Ok(()),
            None => Ok(()),
            Some(folder) => {
                let mut run = object.clone();
                run["format"] = json!("intron-run");
                run["versions"] = json!({"intron": env!("CARGO_PKG_VERSION")});
                run["trace"] = Value::Array(trace);
                run_files::write(folder, model, &run, &self.arguments.output)
            }
        };
        let shown = if self.arguments.output.json {
            terminal::print(&json::text(&object))
        } else {
            terminal::print(&self.text(model))
        };
        if let (Ok(()), Some(folder), false) =
            (&kept, &self.arguments.out, self.arguments.output.quiet)
        {
            terminal::tell(&match model.front.is_empty() {
                true => format!("note: nothing to keep in {}", folder.display()),
                false => format!("kept in {}", folder.display()),
            });
        }
        kept.and(shown)
    }

    fn text(&self, model: &ModelFile) -> String {
        let Outcome { n_evaluations, elapsed_seconds, stop_reason, .. } = self.outcome;
        let mut text = front_table::text(model);
        if model.front.is_empty() {
            text += "(none: the search ended before it found one)\n";
        }
        if self.arguments.output.quiet {
            return text;
        }
        if !model.front.is_empty() {
            let target = &model.target;
            text += &format!(
                "\nformulas for `{target}`; the marked one is the most accurate on the training rows\n"
            );
        }
        text += &format!(
            "{n_evaluations} evaluations in {elapsed_seconds:.1} s; ended by: {}\n",
            reason(*stop_reason)
        );
        let was_cut_short = matches!(stop_reason, StopReason::Time | StopReason::Interrupted);
        if was_cut_short && *n_evaluations > 0 {
            text += &format!(
                "the same again: {} --evaluations {n_evaluations} --seed {}\n",
                without_budget(std::env::args_os().map(|word| word.to_string_lossy().into_owned())),
                self.settings.seed.0
            );
        }
        text
    }
}

fn reason(stop_reason: StopReason) -> &'static str {
    match stop_reason {
        StopReason::Evaluations => "all evaluations used",
        StopReason::Generations => "all generations done",
        StopReason::Time => "time limit",
        StopReason::TargetR2 => "target R² reached",
        StopReason::Solved => "R² is 1",
        StopReason::Converged => "the population has converged",
        StopReason::Interrupted => "interrupted",
    }
}

/// The command as typed, without the flags that the repetition replaces.
fn without_budget(arguments: impl Iterator<Item = String>) -> String {
    const REPLACED: [&str; 4] = ["--time", "--evaluations", "--seed", "--out"];
    const REPLACED_KEYS: [&str; 3] = ["time", "evaluations", "seed"];
    let is_replaced = |setting: &str| {
        let key = setting.split('=').next().unwrap_or_default();
        REPLACED_KEYS.contains(&key.trim())
    };
    let mut words = vec!["intron".to_owned()];
    let mut arguments = arguments.skip(1);
    while let Some(argument) = arguments.next() {
        if REPLACED.contains(&argument.as_str()) {
            arguments.next();
        } else if argument == "--set" {
            let setting = arguments.next().unwrap_or_default();
            if !is_replaced(&setting) {
                words.extend([argument, quoted(setting)]);
            }
        } else {
            let (flag, value) = argument.split_once('=').unwrap_or((&argument, ""));
            if !(REPLACED.contains(&flag) || flag == "--set" && is_replaced(value)) {
                words.push(quoted(argument));
            }
        }
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: String) -> String {
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "-_./=,+:".contains(c));
    if is_plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repeating_command_has_no_other_budget() {
        let typed =
            "intron fit a:b --time 3s --seed=4 --set time=4 --set=evaluations=5 --set ims.start=8";
        let words = without_budget(typed.split(' ').map(|word| word.replace(':', " ")));
        assert_eq!(words, "intron fit 'a b' --set ims.start=8");
    }
}
