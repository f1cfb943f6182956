//! What a search shows while it works: a bar in a terminal, plain lines elsewhere; and the trace it leaves.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use intron::{Checkpoint, Event, FeatureNames, Limits, Observer};
use serde_json::{Value, json};

use crate::kept_linkage::KeptLinkage;
use crate::{json, terminal};

/// Seconds between plain lines.
const SECONDS_PER_LINE: f64 = 1.0;
/// Steps of the bar.
const BAR_LENGTH: u64 = 1000;

/// Whether progress is shown at all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    Progress,
    Nothing,
}

/// Watches a run.
pub(crate) struct Progress {
    limits: Limits,
    names: FeatureNames,
    display: Display,
    n_populations: usize,
    n_running: usize,
    n_generations: u64,
    best: Option<(f64, usize)>,
    /// The improvements of the best, for run.json.
    pub(crate) trace: Vec<Value>,
    /// The linkage for run.json.
    pub(crate) linkage: KeptLinkage,
}

enum Display {
    Bar(ProgressBar),
    Lines { last_seconds: f64 },
    Nothing,
}

impl Progress {
    pub(crate) fn new(show: Show, limits: Limits, names: FeatureNames) -> Progress {
        let display = match show {
            Show::Nothing => Display::Nothing,
            Show::Progress if std::io::stderr().is_terminal() => Display::Bar(bar()),
            Show::Progress => Display::Lines { last_seconds: 0.0 },
        };
        Progress {
            limits,
            names,
            display,
            n_populations: 0,
            n_running: 0,
            n_generations: 0,
            best: None,
            trace: Vec::new(),
            linkage: KeptLinkage::default(),
        }
    }

    /// Takes up where a checkpoint was taken, after these improvements.
    pub(crate) fn go_on(&mut self, from: &Checkpoint, trace: Vec<Value>) {
        (self.n_populations, self.n_running) = (from.n_populations(), from.n_running_populations());
        self.n_generations = from.n_generations();
        self.best = from.front().last().map(|model| (model.fitness.r2(), model.size));
        self.trace = trace;
        match &mut self.display {
            Display::Bar(bar) => {
                let elapsed = Duration::try_from_secs_f64(from.elapsed_seconds());
                *bar = bar.clone().with_elapsed(elapsed.unwrap_or_default());
            }
            Display::Lines { last_seconds } => *last_seconds = from.elapsed_seconds(),
            Display::Nothing => {}
        }
    }

    /// How much of the nearest limit is used, from 0 to 1.
    fn share(&self, n_evaluations: u64, seconds: f64) -> f64 {
        let of = |used: f64, limit: Option<f64>| limit.map_or(0.0, |limit| used / limit);
        let evaluations =
            of(n_evaluations as f64, self.limits.evaluations.map(|limit| limit as f64));
        let generations =
            of(self.n_generations as f64, self.limits.generations.map(|limit| limit as f64));
        evaluations.max(generations).max(of(seconds, self.limits.seconds)).min(1.0)
    }

    fn status(&self, n_evaluations: u64, seconds: f64) -> String {
        let best = match self.best {
            Some((r2, size)) => format!("R² {r2:.4}, size {size}"),
            None => "no formula yet".to_owned(),
        };
        let rate = n_evaluations as f64 / seconds.max(1e-3);
        format!(
            "{best}, {} evaluations, {}/s, {} of {} populations",
            short(n_evaluations as f64),
            short(rate),
            self.n_running.max(1),
            self.n_populations.max(1)
        )
    }

    fn update(&mut self, n_evaluations: u64, seconds: f64) {
        let share = self.share(n_evaluations, seconds);
        let status = self.status(n_evaluations, seconds);
        match &mut self.display {
            Display::Nothing => {}
            Display::Bar(bar) => {
                bar.set_message(status);
                bar.set_position((share * BAR_LENGTH as f64) as u64);
            }
            Display::Lines { last_seconds } if seconds - *last_seconds >= SECONDS_PER_LINE => {
                *last_seconds = seconds;
                terminal::tell(&format!("{seconds:7.1} s  {:3.0} %  {status}", share * 100.0));
            }
            Display::Lines { .. } => {}
        }
    }

    fn note(&self, text: &str) {
        match &self.display {
            Display::Bar(bar) => bar.suspend(|| terminal::tell(text)),
            Display::Lines { .. } => terminal::tell(text),
            Display::Nothing => {}
        }
    }
}

impl Observer for Progress {
    fn notify(&mut self, event: &Event<'_>) {
        self.linkage.notify(event);
        match *event {
            Event::PopulationStarted { .. } => {
                self.n_populations += 1;
                self.n_running += 1;
            }
            Event::PopulationRetired { .. } => self.n_running -= 1,
            Event::Progressed { n_evaluations, elapsed_seconds } => {
                self.update(n_evaluations, elapsed_seconds);
            }
            Event::BestImproved {
                model, n_evaluations, n_generations, n_solutions, elapsed_seconds,
            } => {
                self.best = Some((model.fitness.r2(), model.size));
                self.trace.push(json!({
                    "n_evaluations": n_evaluations,
                    "n_generations": n_generations,
                    "population_size": n_solutions,
                    "seconds": json::number(elapsed_seconds),
                    "r2_train": json::number(model.fitness.r2()),
                    "size": model.size,
                    "formula": model.formula.to_text(&self.names),
                }));
                self.update(n_evaluations, elapsed_seconds);
            }
            Event::GenerationFinished { n_evaluations, elapsed_seconds, .. } => {
                self.n_generations += 1;
                self.update(n_evaluations, elapsed_seconds);
            }
            Event::MemoryLimitReached { n_solutions } => self.note(&format!(
                "note: a population of {n_solutions} would exceed the memory limit; populations stop \
                 growing, the search goes on (raise it with --set memory_limit=4GB)"
            )),
            Event::Finished { .. } => {
                if let Display::Bar(bar) = &self.display {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
    }
}

fn bar() -> ProgressBar {
    // In a narrow terminal the numbers matter more than the bar.
    let is_narrow = console::Term::stderr().size().1 < 90;
    let template = if is_narrow {
        "{percent:>3}% {wide_msg}"
    } else {
        "{elapsed:>4} [{bar:20}] {percent:>3}% {wide_msg}"
    };
    let style = ProgressStyle::with_template(template)
        .expect("the template is sound")
        .progress_chars("=> ");
    ProgressBar::with_draw_target(Some(BAR_LENGTH), ProgressDrawTarget::stderr()).with_style(style)
}

/// A number with three digits and a letter: 1.23M.
pub(crate) fn short(number: f64) -> String {
    for (letter, size) in [("G", 1e9), ("M", 1e6), ("k", 1e3)] {
        if number >= size {
            return format!("{:.3}", number / size)[..4].trim_end_matches('.').to_owned() + letter;
        }
    }
    format!("{number:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(7.0, "7"), (999.0, "999"), (1234.0, "1.23k"), (123_456.0, "123k"), (2e7, "20.0M")];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }
}
