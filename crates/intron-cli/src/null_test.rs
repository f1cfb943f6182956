//! `intron fit --null N`: the same search on shuffled targets, to tell what noise alone gives.

use intron::{
    Dataset, Interrupt, NullFronts, Outcome, Silent, StopReason, ValidSettings, null_run,
};

use crate::arguments::FitArguments;
use crate::failure::Failure;
use crate::{front_table, terminal};

/// More searches than this would not end in a lifetime of patience.
const MOST: usize = 10_000;

/// How many searches on shuffled targets are asked for.
pub(crate) fn n_runs(arguments: &FitArguments) -> Result<usize, Failure> {
    let Some(text) = &arguments.null else { return Ok(0) };
    match text.trim().parse::<usize>() {
        Ok(n) if n <= MOST => Ok(n),
        _ => Err(Failure::usage(format!(
            "--null {text}: give the number of searches on shuffled targets, from 0 to {MOST}, such as 20"
        ))),
    }
}

/// Searches on shuffled targets, each with the evaluations of the real search, until all are done or a signal comes. Nothing
/// if not one was done.
pub(crate) fn run(
    n_runs: usize,
    arguments: &FitArguments,
    settings: &ValidSettings,
    train: &Dataset,
    outcome: &Outcome,
    interrupt: &Interrupt,
) -> Result<Option<NullFronts>, Failure> {
    let mut fronts = NullFronts::default();
    let Some(chosen) = outcome.chosen.filter(|_| n_runs > 0) else { return Ok(None) };
    let size = outcome.front[chosen].complexity;
    let tell = |text: &str| {
        if !arguments.output.quiet {
            terminal::tell(text);
        }
    };
    for repetition in 0..n_runs {
        if interrupt.is_raised() {
            break;
        }
        let run =
            null_run(train, settings, outcome.n_evaluations, repetition as u64, interrupt.clone())?;
        let null = run.finish(&mut Silent);
        if null.stop_reason == StopReason::Interrupted {
            break;
        }
        fronts.add(&null.front);
        let best = fronts.best_r2(size).last().flatten();
        let best = best.map_or("none".to_owned(), |r2| format!("R² {r2:.4}"));
        tell(&format!(
            "shuffled targets, search {} of {n_runs}: {best} at most as large as the chosen formula",
            repetition + 1
        ));
    }
    if fronts.n_runs() < n_runs {
        let n_done = fronts.n_runs();
        tell(&format!(
            "note: interrupted; {n_done} of {n_runs} searches on shuffled targets were done"
        ));
    }
    Ok((fronts.n_runs() > 0).then_some(fronts))
}

/// What came out, for the chosen formula, in one sentence.
pub(crate) fn sentence(fronts: &NullFronts, outcome: &Outcome) -> String {
    let Some(chosen) = outcome.chosen.map(|place| &outcome.front[place]) else {
        return String::new();
    };
    let (size, r2) = (chosen.complexity, chosen.fitness.r2());
    let best = fronts.best_r2(size).flatten().fold(f64::NEG_INFINITY, f64::max);
    let best = if best.is_finite() { format!("; the best had {best:.4}") } else { String::new() };
    format!(
        "{} of {} searches on shuffled targets found a formula as small with an R² of {r2:.4} or more (p = {}){best}\n",
        fronts.n_as_good(size, r2),
        fronts.n_runs(),
        front_table::p_value(fronts.p_value(size, r2)),
    )
}
