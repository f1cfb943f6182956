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
}

struct Counts {
    n_done: usize,
    cost_done: u64,
    last_line: Instant,
}

impl LabProgress {
    pub(crate) fn new(cost: u64, is_shown: bool) -> LabProgress {
        let bar = (is_shown && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(cost), ProgressDrawTarget::stderr());
            let style = "{bar:30} {percent:>3} %  {msg}  {elapsed} so far, {eta} left";
            bar.set_style(ProgressStyle::with_template(style).expect("a sound template"));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let counts = Counts { n_done: 0, cost_done: 0, last_line: Instant::now() };
        LabProgress { bar, is_shown, counts: Mutex::new(counts), cost }
    }

    pub(crate) fn show(&self, event: &LabEvent<'_>, facts: &AllFacts) {
        match event {
            LabEvent::Done(record) => self.advance(record.result.task.cost(facts)),
            LabEvent::Skipped(task) | LabEvent::Elsewhere(task) => self.advance(task.cost(facts)),
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
            bar.set_message(format!("{} runs", counts.n_done));
            bar.set_position(counts.cost_done);
        } else if self.is_shown && counts.last_line.elapsed() >= PER_LINE {
            counts.last_line = Instant::now();
            let percent = 100.0 * counts.cost_done as f64 / self.cost.max(1) as f64;
            terminal::tell(&format!("{percent:.0} % of the work, {} runs", counts.n_done));
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
