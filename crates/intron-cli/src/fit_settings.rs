//! The settings of `intron fit`: a preset, changed by flags and by `--set`.

use intron::{Settings, ValidSettings};

use crate::arguments::FitArguments;
use crate::failure::Failure;

/// A search that has no other budget ends after this time.
const DEFAULT_SECONDS: f64 = 30.0;

/// The flags that are settings by another name.
fn flags(arguments: &FitArguments) -> impl Iterator<Item = (&'static str, &String)> {
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
    flags.into_iter().filter_map(|(key, value)| value.as_ref().map(|value| (key, value)))
}

/// Refuses a key that --set changes twice, or that a flag sets as well. What `--resume` adds to the words of an earlier search may replace them.
pub(crate) fn refuse_doubled(arguments: &FitArguments) -> Result<(), Failure> {
    let mut changed: Vec<&str> = Vec::new();
    let flagged: Vec<&str> =
        flags(arguments).map(|(key, _)| key).chain(arguments.front.keys()).collect();
    for pair in &arguments.set {
        let key = pair.split('=').next().unwrap_or_default().trim();
        if flagged.contains(&key) {
            let flag = key.replace('_', "-");
            return Err(Failure::usage(format!(
                "--set {pair}: --{flag} says what `{key}` is to be, too; say it once"
            )));
        }
        if changed.contains(&key) {
            return Err(Failure::usage(format!(
                "--set {pair}: `{key}` was set before; say once what it is to be"
            )));
        }
        changed.push(key);
    }
    Ok(())
}

/// Preset, then flags, then --set; and a time limit if there is no other budget.
pub(crate) fn settings(arguments: &FitArguments) -> Result<ValidSettings, Failure> {
    let mut settings = Settings::preset(&arguments.preset)?;
    for (key, value) in flags(arguments) {
        settings.set(key, value)?;
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
    arguments.front.define_operators(&mut settings)?;
    let limits = &mut settings.limits;
    if limits.evaluations.is_none() && limits.generations.is_none() && limits.seconds.is_none() {
        limits.seconds = Some(DEFAULT_SECONDS);
    }
    settings.validate().map_err(|error| arguments.front.about_cost(error))
}

/// What was set by hand, but does nothing beside the other settings.
pub(crate) fn idle(arguments: &FitArguments, settings: &Settings) -> Vec<String> {
    let note = |pair: &String| {
        let why = settings.why_idle(pair.split('=').next()?)?;
        Some(format!("--set {pair} does nothing: {why}"))
    };
    arguments.set.iter().filter_map(note).collect()
}

/// The share of the rows that is held out.
pub(crate) fn test_fraction(text: &str) -> Result<f64, Failure> {
    match text.trim().parse::<f64>() {
        Ok(fraction) if (0.0..1.0).contains(&fraction) => Ok(fraction),
        _ => Err(Failure::usage(format!(
            "--test-fraction {text}: give the share of the rows to hold out, from 0 to below 1, such as 0.25"
        ))),
    }
}
