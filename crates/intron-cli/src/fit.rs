//! `intron fit`: search, show the front, keep it.

use std::path::{Path, PathBuf};

use intron::{
    Candidate, ComplexityMeasure, Criteria, Dataset, FeatureNames, Given, Interrupt, Listed, Model,
    NullFronts, Outcome, Run, Selection, Settings, StopReason, ValidSettings, independent_rows,
    score,
};
use intron_files::{Entry, ModelFile};
use serde_json::{Value, json};

use crate::arguments::FitArguments;
use crate::beginning::Beginning;
use crate::checkpoint_file::{CheckpointFile, DataOrigin, NAMES as CHECKPOINTS};
use crate::checkpoints::{Keeper, Ownership};
use crate::evidence::Grounds;
use crate::failure::Failure;
use crate::input::{self, HeldOut, Input};
use crate::kept_linkage::KeptLinkage;
use crate::progress::{Progress, Show};
use crate::repeating::{self, quoted};
use crate::wording::counted;
use crate::{
    fit_settings, front_table, given_formulas, json, null_test, preparing, report, run_files,
    signals, terminal,
};

pub(crate) fn fit(arguments: FitArguments) -> Result<(), Failure> {
    let beginning = match arguments.resume.clone() {
        None => Some(Beginning::new(arguments)?),
        Some(folder) => Beginning::resume(&folder, &arguments)?,
    };
    // A search that has ended has nothing left to do.
    beginning.map_or(Ok(()), run)
}

fn run(mut beginning: Beginning) -> Result<(), Failure> {
    let Beginning { arguments, settings, origin, bytes, .. } = &beginning;
    let test_fraction = fit_settings::test_fraction(&arguments.test_fraction)?;
    let n_null = null_test::n_runs(arguments)?;
    let seed = settings.settings().seed;
    let held_out = HeldOut { fraction: test_fraction, seed, is_needed: true };
    let mut input = input::of_bytes(&arguments.data, &held_out, &origin.source, bytes)?;
    input.warnings.extend(preparing::too_few_rows(&input.split));
    // A search that goes on keeps its result also where its page has no place any more.
    if let (Some(page), None) = (page_path(arguments), &beginning.from) {
        report::prepare(&page)?;
    }
    let (mut keeper, mut from) = beginning.keeper()?;
    let Beginning { arguments, settings, words, origin, .. } = &beginning;
    let had_these_limits = |from: &&CheckpointFile| from.has_limits_of(settings.settings());
    let kept = from.as_ref().filter(had_these_limits).and_then(|from| from.null.clone());
    if !arguments.output.quiet {
        input.notes.iter().for_each(|note| terminal::tell(&format!("note: {note}")));
        terminal::warn(&input.warnings);
    }
    let train = input.dataset.rows(&input.split.train);
    let test = (!input.split.test.is_empty()).then(|| input.dataset.rows(&input.split.test));
    let interrupt = Interrupt::default();
    end_on_signal(interrupt.clone(), arguments.out.as_deref().filter(|_| keeper.is_some()));
    let n_done = from.as_ref().map_or(0, |from| from.search.n_evaluations());
    let same_search =
        kept.as_ref().map(|kept| kept.settings_of_search(settings, n_done)).transpose()?;
    let of_search = same_search.as_ref().unwrap_or(settings);
    // The end of a search that is done again has its checkpoint already, with the searches on shuffled targets.
    let searching = if kept.is_some() { None } else { keeper.as_mut() };
    let (mut outcome, progress) = search(
        (arguments, of_search),
        &input,
        &train,
        from.as_ref(),
        searching,
        interrupt.clone(),
    )?;
    if let Some(kept) = &kept {
        kept.tell_of_search(&mut outcome);
        keeper.as_mut().zip(from.take()).into_iter().for_each(|(keeper, from)| keeper.adopt(from));
    }
    refuse_nothing(&outcome, &input.source)?;
    let asked = null_test::Asked { n_runs: n_null, is_quiet: arguments.output.quiet, kept };
    let null = null_test::run(asked, settings, &train, &outcome, keeper.as_mut(), &interrupt)?;
    signals::protect_result();
    let settings = settings.settings();
    let can_go_on = keeper.is_some();
    let (input, outcome, null) = (&input, &outcome, null.as_ref());
    let report = Report { arguments, words, origin, input, settings, outcome, null, can_go_on };
    let model = report.model(&train, test.as_ref());
    if !arguments.output.quiet {
        given_formulas::tell(outcome, settings);
    }
    report.deliver(&model, test_fraction, progress)?;
    if let Some(keeper) = &mut keeper {
        keeper.mark_ended(outcome);
    }
    Ok(())
}

/// A search that was not cut short and has found nothing at all says why.
fn refuse_nothing(outcome: &Outcome, source: &str) -> Result<(), Failure> {
    let was_cut_short = matches!(outcome.stop_reason, StopReason::Interrupted | StopReason::Time);
    if was_cut_short || !outcome.front.is_empty() {
        return Ok(());
    }
    Err(Failure::work(match outcome.n_evaluations {
        0 => "every initial formula was larger than max_size or max_positions allows; raise it, or init.grow"
            .to_owned(),
        n => format!(
            "{source}: no formula had a finite value on every training row in {}; search longer, or with other operators",
            counted(n, "evaluation")
        ),
    }))
}

/// Ends the search on a signal; says how to go on if there is a checkpoint in the folder.
fn end_on_signal(interrupt: Interrupt, folder: Option<&Path>) {
    let given_up = match folder {
        Some(folder) => format!("given up; {}", go_on_line(folder)),
        None => "given up: the search did not end in time, and its result is lost".to_owned(),
    };
    signals::end_on_signal(interrupt, given_up);
}

fn search(
    (arguments, settings): (&FitArguments, &ValidSettings),
    input: &Input,
    train: &Dataset,
    from: Option<&CheckpointFile>,
    mut keeper: Option<&mut Keeper>,
    interrupt: Interrupt,
) -> Result<(Outcome, Progress), Failure> {
    let show = if arguments.output.quiet { Show::Nothing } else { Show::Progress };
    let names = FeatureNames::new(train.names());
    let mut progress = Progress::new(show, settings.settings().limits, names);
    let run = match from {
        None => Run::new(train, settings, interrupt),
        Some(from) => {
            progress.go_on(&from.search, from.trace.clone());
            progress.linkage = KeptLinkage::from_state(&from.linkage);
            Run::resume(train, settings, &from.search, interrupt)
        }
    };
    let mut run = run.map_err(|error| Failure::from(error).about(&input.source))?;
    loop {
        if let Some(keeper) = keeper.as_mut().filter(|keeper| keeper.is_due()) {
            keeper.keep(run.checkpoint(), &progress.trace, &progress.linkage);
        }
        let n_told = progress.trace.len();
        if run.step(&mut progress).is_some() {
            // What the last generation told is told again when it is done again.
            if let Some(keeper) = keeper {
                keeper.keep(run.checkpoint(), &progress.trace[..n_told], &progress.linkage);
            }
            break;
        }
    }
    let outcome = run.outcome().expect("the run has ended");
    Ok((outcome, progress))
}

/// How to go on with the search of a folder.
fn go_on_line(folder: &Path) -> String {
    format!("to go on: intron fit --resume {}", quoted(folder.display().to_string()))
}

/// Where the page that was asked for goes.
fn page_path(arguments: &FitArguments) -> Option<PathBuf> {
    Some(match (arguments.report.as_ref()?, &arguments.out) {
        (Some(path), _) => path.clone(),
        (None, Some(folder)) => folder.join(report::PAGE),
        (None, None) => PathBuf::from(report::PAGE),
    })
}

/// Everything that is said about a finished search.
struct Report<'a> {
    arguments: &'a FitArguments,
    /// What was typed after `intron fit`.
    words: &'a [String],
    origin: &'a DataOrigin,
    input: &'a Input,
    settings: &'a Settings,
    outcome: &'a Outcome,
    null: Option<&'a NullFronts>,
    /// Whether there is a checkpoint.
    can_go_on: bool,
}

impl Report<'_> {
    fn model(&self, train: &Dataset, test: Option<&Dataset>) -> ModelFile {
        let names = FeatureNames::new(train.names());
        let calibration = test.map(|_| {
            let (rows, weights) = independent_rows(&self.input.dataset, &self.input.split.test);
            (self.input.dataset.rows(&rows), weights)
        });
        let grounds = Grounds { outcome: self.outcome, train, test, calibration, null: self.null };
        // The score of a test part whose target is constant is not defined.
        let test = test.filter(|test| test.target().iter().any(|&y| y != test.target()[0]));
        let Settings { complexity, per_size, .. } = self.settings;
        let entry = |model: &Model, candidate: &Candidate, rank: Option<usize>| {
            let on = |rows: &Dataset| score(rows, &model.predict(rows.features(), rows.n_rows()));
            Entry {
                size: model.size,
                complexity: (*complexity != ComplexityMeasure::Size).then_some(model.complexity),
                rank,
                r2_train: model.fitness.r2(),
                r2_test: test.map(|test| on(test).fitness.r2()),
                mse_train: on(train).mse,
                criteria: Some(Criteria { bic: candidate.bic, mdl: candidate.mdl }),
                validation_mse: candidate.validation_error,
                formula: model.formula.to_text(&names),
                trust: grounds.trust(model, candidate, &names),
            }
        };
        let listed = self.outcome.listed();
        let listed_entry = |listed: &Listed<'_>| {
            entry(listed.model, listed.candidate, (*per_size > 1).then_some(listed.rank))
        };
        let given_entry = |given: &Given| entry(&given.model, &given.candidate, None);
        ModelFile {
            features: train.names().to_vec(),
            target: self.input.target_name.clone(),
            preparation: self.input.preparation.clone(),
            chosen: listed.iter().position(|listed| listed.is_chosen).unwrap_or(0),
            front: listed.iter().map(listed_entry).collect(),
            select: Some(self.settings.selection.name().to_owned()),
            start: self.outcome.given.iter().map(given_entry).collect(),
            evidence: grounds.evidence(self.settings),
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
            "n_polish_evaluations": self.outcome.n_polish_evaluations,
            "n_generations": self.outcome.n_generations,
            "seconds": json::number(self.outcome.elapsed_seconds),
            "stop_reason": self.outcome.stop_reason.name(),
            "seed": self.settings.seed.0,
            "settings": self.settings_json(test_fraction),
        });
        if let Some(preparation) = &model.preparation {
            object["preparation"] = preparation.to_json();
        }
        if !model.start.is_empty() {
            object["start"] = model.start.iter().map(Entry::to_json).collect();
        }
        model.evidence.write(&mut object);
        object
    }

    /// What `run.json` has beyond the result: how the data was read, the course of the search, the linkage learned.
    fn run_json(&self, object: &Value, progress: Progress) -> Value {
        let mut run = object.clone();
        run["format"] = json!("intron-run");
        run["versions"] = json!({"intron": env!("CARGO_PKG_VERSION")});
        run["command"] = json!(self.command());
        run["data_sha256"] = json!(self.origin.sha256);
        run["reading"] = report::reading_json(&self.arguments.data, self.origin);
        run["linkage"] = progress.linkage.to_json(self.settings);
        run["trace"] = Value::Array(progress.trace);
        run
    }

    /// The command that gives the same result: as many evaluations, whatever has ended the search.
    fn command(&self) -> String {
        let (same, seed) = (repeating::without_budget(self.words), self.settings.seed.0);
        format!("{same} --evaluations {} --seed {seed}", self.outcome.n_evaluations)
    }

    /// Writes the page that was asked for, and says where.
    fn write_page(&self, model: &ModelFile, run: &Value) -> Result<Option<PathBuf>, Failure> {
        let Some(path) = page_path(self.arguments) else { return Ok(None) };
        if model.front.is_empty() {
            return Ok(None);
        }
        report::write(&path, &report::of_run(model, self.input, run)?)?;
        Ok(Some(path))
    }

    /// Files first, then the screen: what cannot be shown is still kept, and what cannot be kept is still shown.
    fn deliver(
        &self,
        model: &ModelFile,
        test_fraction: f64,
        progress: Progress,
    ) -> Result<(), Failure> {
        let object = self.to_json(model, test_fraction);
        let run = self.run_json(&object, progress);
        let kept = match &self.arguments.out {
            // A search that ended before its first formula has nothing to keep.
            _ if model.front.is_empty() => Ok(()),
            None => Ok(()),
            Some(folder) => {
                // A checkpoint that another run has left belongs to its result.
                let ownership = (!self.can_go_on).then(|| Ownership::take(folder)).flatten();
                let others: &[&str] = if ownership.is_some() { &CHECKPOINTS } else { &[] };
                run_files::write(folder, model, &run, others, &self.arguments.output)
            }
        };
        let page = self.write_page(model, &run);
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
        if let (Ok(Some(path)), false) = (&page, self.arguments.output.quiet) {
            terminal::tell(&format!("report: {}", path.display()));
        }
        kept.and(shown).and(page.map(|_| ()))
    }

    fn text(&self, model: &ModelFile) -> String {
        let Outcome { n_evaluations, elapsed_seconds, stop_reason, is_polish_whole, .. } =
            self.outcome;
        let mut text = front_table::text(model);
        if model.front.is_empty() {
            text += "(none: the search ended before it found one)\n";
        }
        if self.arguments.output.quiet {
            return text;
        }
        text += &front_table::footnote(model);
        if !model.front.is_empty() {
            let target = &model.target;
            text += &format!(
                "\nformulas for `{target}`; the marked one {}\n",
                why_chosen(self.settings.selection)
            );
        }
        text +=
            &self.null.map_or(String::new(), |fronts| null_test::sentence(fronts, self.outcome));
        text += &format!(
            "{} in {elapsed_seconds:.1} s; ended by: {}\n",
            counted(*n_evaluations, "evaluation"),
            reason(*stop_reason)
        );
        let was_cut_short = matches!(stop_reason, StopReason::Time | StopReason::Interrupted);
        if was_cut_short && *n_evaluations > 0 {
            let polished = if *is_polish_whole { "" } else { ", and all of it polished" };
            text += &format!("the same again{polished}: {}\n", self.command());
        }
        if let (Some(folder), true, true) = (&self.arguments.out, self.can_go_on, was_cut_short) {
            let time = match (stop_reason, self.settings.limits.seconds) {
                (StopReason::Time, Some(seconds)) => format!(" --time {}s", 2.0 * seconds),
                _ => String::new(),
            };
            text += &format!("{}{time}\n", go_on_line(folder));
        }
        text
    }
}

/// What speaks for the marked formula.
fn why_chosen(selection: Selection) -> &'static str {
    match selection {
        Selection::Accuracy => "is the most accurate on the training rows",
        Selection::Best => "gains most per node, among those nearly as accurate as the best",
        Selection::Score => "gains most per node",
        Selection::Bic => "has the smallest Bayesian information criterion",
        Selection::Mdl => "has the shortest description: it weighs accuracy against size",
        Selection::Validation => "is the most accurate on rows that the search did not see",
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
