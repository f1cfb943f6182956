//! What `intron lab run` shows while it works: a bar with the time left in a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use intron_lab::{AllFacts, LabEvent};

use crate::terminal;

/// Time between plain lines.
const PER_LINE: Duration = Duration::from_secs(10);

pub(crate) struct LabProgress {
    bar: Option<ProgressBar>,
    is_shown: bool,
    counts: Mutex<Counts>,
    cost: u64,
    n_runs: usize,
}

struct Counts {
    n_done: usize,
    cost_done: u64,
    last_line: Instant,
}

/// The line with the bar, in one row also where the terminal is narrow. The time left is not known before the first run.
fn style(time_left: &str) -> ProgressStyle {
    let width = console::Term::stderr().size_checked().map_or(80, |(_, width)| width);
    let bar = if width < 80 { "" } else { "{bar:20} " };
    let so_far = if width < 60 && !time_left.is_empty() { "" } else { ", {elapsed} so far" };
    let template = format!("{bar}{{percent:>3}} %, {{msg}}{so_far}{time_left}");
    ProgressStyle::with_template(&template).expect("a sound template")
}

impl LabProgress {
    pub(crate) fn new(cost: u64, n_runs: usize, is_shown: bool) -> LabProgress {
        let bar = (is_shown && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(cost), ProgressDrawTarget::stderr());
            bar.set_style(style(""));
            bar.set_message(format!("0 of {n_runs} runs"));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let counts = Counts { n_done: 0, cost_done: 0, last_line: Instant::now() };
        LabProgress { bar, is_shown, counts: Mutex::new(counts), cost, n_runs }
    }

    pub(crate) fn show(&self, event: &LabEvent<'_>, facts: &AllFacts) {
        match event {
            LabEvent::Done(record) => {
                self.advance(record.result.task.cost(facts));
                self.bar.iter().for_each(|bar| bar.set_style(style(", {eta} left")));
            }
            LabEvent::Skipped(task) | LabEvent::Elsewhere(task) => {
                self.advance(task.cost(facts));
                // What cost no time says nothing about the time left.
                self.bar.iter().for_each(ProgressBar::reset_eta);
            }
            LabEvent::Failed(task, reason) => self.say(&format!("failed: {}: {reason}", task.id)),
            LabEvent::SetAside(task, what) => {
                self.say(&format!("set aside and run again: {}: {what}", task.id));
            }
            LabEvent::Blocked(task, why) => self.say(&format!("left out: {}: {why}", task.id)),
            LabEvent::Differs(task, path) => self.say(&format!(
                "ALARM: {}: the result is another than before; it is in {}",
                task.id,
                path.display()
            )),
            LabEvent::Started(_) => {}
        }
    }

    fn advance(&self, cost: u64) {
        let mut counts = self.counts.lock().expect("no panic");
        counts.n_done += 1;
        counts.cost_done += cost;
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} of {} runs", counts.n_done, self.n_runs));
            bar.set_position(counts.cost_done);
        } else if self.is_shown && counts.last_line.elapsed() >= PER_LINE {
            counts.last_line = Instant::now();
            let percent = 100.0 * counts.cost_done as f64 / self.cost.max(1) as f64;
            terminal::tell(&format!(
                "{percent:.0} % of the work, {} of {} runs",
                counts.n_done, self.n_runs
            ));
        }
    }

    fn say(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| terminal::tell(message)),
            None => terminal::tell(message),
        }
    }

    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
