//! `intron fit --null N`: the same search on shuffled targets, to tell what noise alone gives.

use intron::{
    Dataset, Interrupt, NullFronts, Outcome, Settings, Silent, StopReason, ValidSettings,
    null_budget, null_run,
};

use crate::arguments::FitArguments;
use crate::checkpoints::Keeper;
use crate::failure::Failure;
use crate::kept_nulls::KeptNulls;
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

/// What is asked for, and what is known already.
pub(crate) struct Asked {
    pub(crate) n_runs: usize,
    pub(crate) is_quiet: bool,
    /// Searches that an earlier process has done.
    pub(crate) kept: Option<KeptNulls>,
}

/// How many evaluations each of them may spend.
pub(crate) fn budget(settings: &Settings, outcome: &Outcome) -> u64 {
    null_budget(&settings.limits, outcome.stop_reason, outcome.n_evaluations)
}

/// Searches on shuffled targets until all are done or a signal comes; those that are done are kept with the checkpoint. Nothing if
/// not one was done.
pub(crate) fn run(
    Asked { n_runs, is_quiet, kept }: Asked,
    settings: &ValidSettings,
    train: &Dataset,
    outcome: &Outcome,
    mut keeper: Option<&mut Keeper>,
    interrupt: &Interrupt,
) -> Result<Option<NullFronts>, Failure> {
    // A search that was interrupted goes on first, when it is resumed.
    let is_wanted = n_runs > 0 && outcome.stop_reason != StopReason::Interrupted;
    let Some(chosen) = outcome.chosen.filter(|_| is_wanted) else { return Ok(None) };
    let size = outcome.front[chosen].complexity;
    let tell = |text: &str| {
        if !is_quiet {
            terminal::tell(text);
        }
    };
    let mut kept = kept.filter(|kept| kept.belong_to(outcome)).unwrap_or(KeptNulls::of(outcome));
    if let Some(keeper) = &mut keeper {
        keeper.keep_nulls(&kept);
    }
    let budget = budget(settings.settings(), outcome);
    while kept.fronts.n_runs() < n_runs && !interrupt.is_raised() {
        let repetition = kept.fronts.n_runs();
        let run = null_run(train, settings, budget, repetition as u64, interrupt.clone())?;
        let null = run.finish(&mut Silent);
        if null.stop_reason == StopReason::Interrupted {
            break;
        }
        kept.fronts.add(&null);
        if let Some(keeper) = keeper.as_mut().filter(|keeper| keeper.is_due()) {
            keeper.keep_nulls(&kept);
        }
        let best = kept.fronts.best_r2(size).last().flatten();
        let best = best.map_or("none".to_owned(), |r2| format!("R² {r2:.4}"));
        tell(&format!(
            "shuffled targets, search {} of {n_runs}: {best} at most as large as the chosen formula",
            repetition + 1
        ));
    }
    if let Some(keeper) = keeper {
        keeper.keep_nulls(&kept);
    }
    let n_done = kept.fronts.n_runs();
    if n_done < n_runs {
        tell(&format!(
            "note: interrupted; {n_done} of {n_runs} searches on shuffled targets were done"
        ));
    }
    Ok((n_done > 0).then_some(kept.fronts))
}

/// What came out, for the chosen formula, in one sentence.
pub(crate) fn sentence(fronts: &NullFronts, outcome: &Outcome) -> String {
    let Some(place) = outcome.chosen else { return String::new() };
    let (size, mdl) = (outcome.front[place].complexity, outcome.candidates[place].mdl);
    let best = fronts.best_r2(size).flatten().fold(f64::NEG_INFINITY, f64::max);
    let best = match best.is_finite() {
        true => format!("; of formulas as small the best had an R² of {best:.4}"),
        false => String::new(),
    };
    format!(
        "{} of {} searches on shuffled targets found a formula that is as good for its size (p = {}){best}\n",
        fronts.n_as_good(mdl),
        fronts.n_runs(),
        front_table::p_value(fronts.p_value(mdl)),
    )
}
