//! `intron fit --resume`: from the folder of a run to a search that goes on. It is the search that was begun: only limits may
//! change, and what does not change results.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{CommandFactory, Parser};
use intron::{Key, Limits, Settings};
use intron_files::{ModelFile, sha256};
use serde_json::json;

use crate::arguments::{Arguments, Command, FitArguments};
use crate::checkpoint_file::{CheckpointFile, DataOrigin, Ended};
use crate::checkpoints::Ownership;
use crate::failure::Failure;
use crate::wording::counted;
use crate::{front_table, input, json, null_test, terminal};

/// What may be typed beside --resume.
const ALLOWED: [&str; 13] = [
    "resume",
    "data",
    "data_dir",
    "evaluations",
    "generations",
    "time",
    "target_r2",
    "threads",
    "evaluator",
    "set",
    "checkpoint",
    "json",
    "quiet",
];

/// What run.json has and a search does not print.
const ONLY_KEPT: [&str; 6] = ["trace", "versions", "command", "data_sha256", "reading", "linkage"];

/// A search that goes on.
pub(crate) struct Resumed {
    /// As if all of it had been typed at once.
    pub(crate) arguments: FitArguments,
    pub(crate) file: CheckpointFile,
    pub(crate) bytes: Vec<u8>,
    pub(crate) ownership: Ownership,
}

/// Reads the folder of a run.
pub(crate) fn read(folder: &Path, given: &FitArguments) -> Result<Resumed, Failure> {
    refuse_other_flags()?;
    let (mut file, note) = CheckpointFile::read(folder)?;
    let ownership = Ownership::take(folder).ok_or_else(|| {
        Failure::work(format!(
            "{}: another search is going on in this folder; wait until it ends",
            folder.display()
        ))
    })?;
    if let (Some(note), false) = (note, given.output.quiet) {
        terminal::tell(&format!("warning: {note}"));
    }
    let pairs = pairs(given);
    file.words = without(&file.words, &pairs);
    file.words.extend(pairs.iter().flat_map(|pair| ["--set".to_owned(), pair.clone()]));
    let mut arguments = parse(&file.words).ok_or_else(|| {
        Failure::work(format!(
            "{}: the search was begun with arguments that this version does not know; go on with the version \
             that began it",
            folder.display()
        ))
    })?;
    let bytes = data(given, &mut file.data)?;
    arguments.out = Some(folder.to_owned());
    arguments.output = given.output.clone();
    arguments.checkpoint.clone_from(&given.checkpoint);
    Ok(Resumed { arguments, file, bytes, ownership })
}

/// Refuses whatever would make it another search.
fn refuse_other_flags() -> Result<(), Failure> {
    let matches = Arguments::command().get_matches();
    let Some(matches) = matches.subcommand_matches("fit") else { return Ok(()) };
    let is_typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let command = Arguments::command();
    let fit = command.find_subcommand("fit").expect("there is a command `fit`");
    for argument in fit.get_arguments() {
        let id = argument.get_id().as_str();
        let is_known = matches.try_contains_id(id).unwrap_or(false);
        if is_known && is_typed(id) && !ALLOWED.contains(&id) {
            return Err(Failure::usage(format!(
                "--{}: not with --resume, which goes on with the search as it was begun; only limits (--evaluations, \
                 --time, …) and --threads may be others",
                argument.get_long().unwrap_or(id)
            )));
        }
    }
    Ok(())
}

/// Limits and the like, as --set takes them: later ones replace earlier ones.
fn pairs(given: &FitArguments) -> Vec<String> {
    let flags = [
        ("evaluations", &given.evaluations),
        ("generations", &given.generations),
        ("time", &given.time),
        ("target_r2", &given.target_r2),
        ("threads", &given.threads),
        ("evaluator", &given.evaluator),
    ];
    let typed = |(key, value): &(&str, &Option<String>)| {
        value.as_ref().map(|value| format!("{key}={value}"))
    };
    flags.iter().filter_map(typed).chain(given.set.iter().cloned()).collect()
}

/// What was typed, without earlier values of settings that are now given anew.
fn without(words: &[String], pairs: &[String]) -> Vec<String> {
    let key_of = |pair: &str| pair.split('=').next().unwrap_or_default().trim().replace('-', "_");
    let is_replaced = |key: &str| pairs.iter().any(|pair| key_of(pair) == key);
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value)),
            _ => (word.as_str(), None),
        };
        let key = match (flag.strip_prefix("--"), value) {
            (Some("set"), Some(pair)) => key_of(pair),
            (Some("set"), None) => key_of(words.as_slice().first().map_or("", String::as_str)),
            (Some(flag), _) => flag.replace('-', "_"),
            (None, _) => String::new(),
        };
        match (is_replaced(&key), value) {
            (false, None) if flag == "--set" => {
                kept.extend([word.clone()].into_iter().chain(words.next().cloned()))
            }
            (false, _) => kept.push(word.clone()),
            (true, None) => drop(words.next()),
            (true, Some(_)) => {}
        }
    }
    kept
}

fn parse(words: &[String]) -> Option<FitArguments> {
    let words = ["intron", "fit"].into_iter().chain(words.iter().map(String::as_str));
    match Arguments::try_parse_from(words).ok()?.command {
        Command::Fit(arguments) => Some(*arguments),
        _ => None,
    }
}

/// The bytes of the table, which must be those that the search was begun with.
fn data(given: &FitArguments, origin: &mut DataOrigin) -> Result<Vec<u8>, Failure> {
    let data_dir = given.data.data_dir.clone().or(origin.data_dir.clone().map(Into::into));
    let data = match (&given.data.data, &origin.path) {
        (Some(data), _) => data,
        (None, Some(path)) => path,
        (None, None) => &origin.source,
    };
    if given.data.data.is_none() && origin.source == intron_files::name_of(Path::new("-")) {
        return Err(Failure::usage(
            "--resume: the data came from standard input; give it again: … | intron fit - --resume DIR",
        ));
    }
    let moved = "if the table was moved, say where it is: intron fit TABLE --resume DIR";
    let (_, bytes) = input::bytes_of(data, data_dir.as_deref()).map_err(|failure| Failure {
        message: format!("{}; {moved}", failure.message),
        ..failure
    })?;
    if sha256(&bytes) != origin.sha256 {
        return Err(Failure::work(format!(
            "{data}: is not the table that the search was begun with (its SHA-256 is another); put that one back, or \
             begin a new search with --out"
        )));
    }
    if given.data.data.is_some() {
        origin.path = absolute(data);
    }
    Ok(bytes)
}

/// Where the bytes of an argument came from.
pub(crate) fn origin(arguments: &FitArguments, source: &str, bytes: &[u8]) -> DataOrigin {
    let data = arguments.data.data.as_deref().unwrap_or_default();
    let data_dir = arguments.data.data_dir.as_deref();
    let is_file = data != "-" && intron_files::is_file(data, data_dir);
    DataOrigin {
        source: source.to_owned(),
        path: is_file.then(|| absolute(data)).flatten(),
        data_dir: data_dir.and_then(|folder| absolute(&folder.to_string_lossy())),
        sha256: sha256(bytes),
    }
}

fn absolute(path: &str) -> Option<String> {
    std::path::absolute(path).ok()?.to_str().map(str::to_owned)
}

impl Resumed {
    /// Where the search ended with a limit that is still met, there is nothing to do: shows its result, and says so.
    pub(crate) fn is_done(&self, settings: &Settings) -> Result<bool, Failure> {
        let n_null = null_test::n_runs(&self.arguments)?;
        let Some(ended) = self.file.ended.as_ref().filter(|e| e.stop_reason != "interrupted")
        else {
            return Ok(false);
        };
        self.file.search.check_settings(settings)?;
        if self.file.has_limits_of(settings) {
            if self.file.null.as_ref().is_some_and(|null| null.fronts.n_runs() < n_null) {
                return Ok(false);
            }
            self.show_result(ended)?;
            return Ok(true);
        }
        refuse_met_limits(&settings.limits, ended)?;
        self.refuse_met_target(&settings.limits)?;
        Ok(false)
    }

    /// The checkpoint is older than the result, so a target that is met by now could end the search with less.
    fn refuse_met_target(&self, limits: &Limits) -> Result<(), Failure> {
        let Some(target) = limits.target_r2 else { return Ok(()) };
        let folder = self.arguments.out.as_deref().expect("a resumed search has a folder");
        // A search that ended before its first formula has no model.
        let Ok(ModelFile { front, .. }) = ModelFile::read(folder) else { return Ok(()) };
        let best = front.iter().map(|entry| entry.r2_train).fold(f64::NEG_INFINITY, f64::max);
        if target <= best {
            return Err(Failure::usage(format!(
                "--target-r2: the search has reached {best} already; give a higher one"
            )));
        }
        Ok(())
    }

    fn show_result(&self, ended: &Ended) -> Result<(), Failure> {
        let folder = self.arguments.out.as_deref().expect("a resumed search has a folder");
        if self.arguments.output.json {
            let path = folder.join("run.json");
            let mut run = json::read(&path.display().to_string(), &intron_files::read(&path)?)?;
            run["format"] = json!("intron-fit");
            if let Some(run) = run.as_object_mut() {
                run.retain(|key, _| !ONLY_KEPT.contains(&key.as_str()));
            }
            terminal::print(&json::text(&run))?;
        } else {
            let model = ModelFile::read(folder)?;
            terminal::print(&(front_table::text(&model) + &front_table::chance(&model)))?;
        }
        if !self.arguments.output.quiet {
            terminal::tell(&format!(
                "note: the search has ended after {} and {:.1} s; {}",
                counted(ended.n_evaluations, "evaluation"),
                ended.seconds,
                what_to_do(ended)
            ));
        }
        Ok(())
    }
}

/// What makes a search that has ended go on.
fn what_to_do(ended: &Ended) -> String {
    let larger = |limit: String| format!("to go on, give a larger limit, such as --{limit}");
    match ended.stop_reason.as_str() {
        "evaluations" => larger(format!("evaluations {}", 2 * ended.n_evaluations)),
        "generations" => larger(format!("generations {}", 2 * ended.n_generations)),
        "time" => larger(format!("time {:.0}s", (2.0 * ended.seconds).ceil())),
        "target_r2" => larger("target-r2 1".to_owned()),
        "solved" => "its R² is 1: --set when_solved=go-on looks for smaller formulas".to_owned(),
        _ => "its population has converged: begin another with a larger --population".to_owned(),
    }
}

impl CheckpointFile {
    /// Whether the search had these limits.
    pub(crate) fn has_limits_of(&self, settings: &Settings) -> bool {
        limits_text(settings) == limits_text(self.search.settings())
    }
}

fn limits_text(settings: &Settings) -> Vec<String> {
    const LIMITS: [&str; 5] = ["evaluations", "generations", "time", "target_r2", "when_solved"];
    let is_limit = |key: &&Key| LIMITS.contains(&key.name);
    Key::all().iter().filter(is_limit).map(|key| key.value(settings)).collect()
}

fn refuse_met_limits(limits: &Limits, ended: &Ended) -> Result<(), Failure> {
    let count = |n: u64| (n as f64, n.to_string());
    let done = [
        ("evaluations", limits.evaluations.map(|n| n as f64), count(ended.n_evaluations)),
        ("generations", limits.generations.map(|n| n as f64), count(ended.n_generations)),
        ("time", limits.seconds, (ended.seconds, format!("{:.1}s", ended.seconds))),
    ];
    for (flag, limit, (used, shown)) in done {
        if limit.is_some_and(|limit| limit <= used) {
            return Err(Failure::usage(format!(
                "--{flag}: the search has used {shown} already, and the limit, which still stands, is for all of it: give a larger one"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_is_given_anew_is_there_once() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let typed = "a.csv --evaluations 5 --set time=3 --target-r2=0.5 --set=evaluations=7 --set ims.start=8 --out r";
        let given = words("evaluations=9 target-r2=0.9");
        assert_eq!(
            without(&words(typed), &given),
            words("a.csv --set time=3 --set ims.start=8 --out r")
        );
    }
}
