//! Limits of a run: evaluations, generations, time, target, interrupt. The only reader of the clock.
//! A stop is a value, not an error.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::evaluation::Fitness;
use crate::halt::Halt;
use crate::settings::{Limits, WhenSolved};

/// Why a run has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// All evaluations are used.
    Evaluations,
    /// All generations are done.
    Generations,
    /// The time is over.
    Time,
    /// The target R² is reached.
    TargetR2,
    /// The training R² is 1 to the last bit.
    Solved,
    /// The only population has converged.
    Converged,
    /// Somebody asked for it.
    Interrupted,
}

impl StopReason {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Evaluations => "evaluations",
            StopReason::Generations => "generations",
            StopReason::Time => "time",
            StopReason::TargetR2 => "target_r2",
            StopReason::Solved => "solved",
            StopReason::Converged => "converged",
            StopReason::Interrupted => "interrupted",
        }
    }

    /// Finds a reason by its name.
    pub fn from_name(name: &str) -> Option<StopReason> {
        use StopReason::{
            Converged, Evaluations, Generations, Interrupted, Solved, TargetR2, Time,
        };
        let all = [Evaluations, Generations, Time, TargetR2, Solved, Converged, Interrupted];
        all.into_iter().find(|reason| reason.name() == name)
    }
}

/// A flag that any thread may raise to end a run soon, with all that it has found.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the run to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to end.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A solved run looks for smaller formulas for as long again, and at least for this many evaluations.
const MIN_EVALUATIONS_AFTER_SOLUTION: u64 = 100_000;

/// The polish may go on for so long after an interrupt: most fronts are done by then, and only a whole polish can be repeated.
const POLISH_AFTER_INTERRUPT: Duration = Duration::from_secs(2);

/// What a run has used up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Spent {
    pub(super) n_evaluations: u64,
    pub(super) n_generations: u64,
    /// The evaluations after which the first perfect formula was found.
    pub(super) solved_at: Option<u64>,
    pub(super) seconds: f64,
}

/// What is used up and what is left.
pub(super) struct Budget {
    limits: Limits,
    started: Instant,
    interrupt: Interrupt,
    /// Its seconds are those before this run was resumed.
    spent: Spent,
    stop: Option<StopReason>,
}

impl Budget {
    /// The budget of a run that has already used up this much.
    pub(super) fn new(limits: Limits, spent: Spent, interrupt: Interrupt) -> Budget {
        Budget { limits, started: Instant::now(), interrupt, spent, stop: None }
    }

    pub(super) fn spent(&self) -> Spent {
        Spent { seconds: self.elapsed_seconds(), ..self.spent }
    }

    pub(super) fn n_evaluations(&self) -> u64 {
        self.spent.n_evaluations
    }

    pub(super) fn n_generations(&self) -> u64 {
        self.spent.n_generations
    }

    pub(super) fn elapsed_seconds(&self) -> f64 {
        self.spent.seconds + self.started.elapsed().as_secs_f64()
    }

    /// How many evaluations may still be done.
    pub(super) fn evaluations_left(&self) -> u64 {
        let limit = self.limits.evaluations.unwrap_or(u64::MAX);
        let limit = match self.spent.solved_at {
            Some(at) if self.limits.when_solved == WhenSolved::Stop => {
                limit.min(at + at.max(MIN_EVALUATIONS_AFTER_SOLUTION))
            }
            _ => limit,
        };
        limit - self.spent.n_evaluations.min(limit)
    }

    /// Counts evaluations, with the best fitness found so far, and says whether to stop.
    pub(super) fn count_evaluations(&mut self, n: u64, best: Fitness) -> Option<StopReason> {
        let Spent { n_evaluations, solved_at, .. } = &mut self.spent;
        *n_evaluations += n;
        if best.is_perfect() && solved_at.is_none() {
            *solved_at = Some(*n_evaluations);
        }
        if self.limits.target_r2.is_some_and(|target| best.r2() >= target) {
            self.stop_for(StopReason::TargetR2);
        } else if self.evaluations_left() == 0 {
            let is_limit =
                self.limits.evaluations.is_some_and(|limit| self.spent.n_evaluations >= limit);
            self.stop_for(if is_limit { StopReason::Evaluations } else { StopReason::Solved });
        }
        self.stop
    }

    /// Counts a generation, and says whether to stop.
    pub(super) fn count_generation(&mut self) -> Option<StopReason> {
        self.spent.n_generations += 1;
        if self.limits.generations.is_some_and(|limit| self.spent.n_generations >= limit) {
            self.stop_for(StopReason::Generations);
        }
        self.stop
    }

    /// Stops for this reason, unless there already was one.
    pub(super) fn stop_for(&mut self, reason: StopReason) {
        self.stop.get_or_insert(reason);
    }

    /// Stops because an alarm rang: by request or by time.
    pub(super) fn stop_for_alarm(&mut self) {
        let asked = self.interrupt.is_raised();
        self.stop_for(if asked { StopReason::Interrupted } else { StopReason::Time });
    }

    pub(super) fn stop_reason(&self) -> Option<StopReason> {
        self.stop
    }

    /// When the time is over.
    fn deadline(&self) -> Option<Instant> {
        let left = |limit: f64| Duration::from_secs_f64((limit - self.spent.seconds).max(0.0));
        self.limits.seconds.map(|limit| self.started + left(limit))
    }

    /// An alarm for one thread.
    pub(super) fn alarm(&self) -> Alarm {
        let (deadline, interrupt) = (self.deadline(), self.interrupt.clone());
        Alarm { deadline, interrupt, rows_since_look: u64::MAX / 2 }
    }

    /// The same for long work below the search: from when it is called, every alarm rings.
    pub(super) fn halt(&self) -> Halt {
        let (deadline, interrupt) = (self.deadline(), self.interrupt.clone());
        let is_late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        Halt::when(move || interrupt.is_raised() || is_late())
    }

    /// Called some time after the interrupt: what was found is brought into a nicer form for so long, and no longer.
    pub(super) fn halt_of_polish(&self) -> Halt {
        let (interrupt, first_seen) = (self.interrupt.clone(), Mutex::new(None));
        let since = move || {
            let mut first_seen = first_seen.lock().expect("nobody panics here");
            first_seen.get_or_insert_with(Instant::now).elapsed()
        };
        Halt::when(move || interrupt.is_raised() && since() >= POLISH_AFTER_INTERRUPT)
    }
}

/// Tells a thread that time is over or that somebody asked to stop.
pub(super) struct Alarm {
    deadline: Option<Instant>,
    interrupt: Interrupt,
    rows_since_look: u64,
}

/// The clock is read once for so many computed rows: some tens of microseconds.
const ROWS_PER_LOOK: u64 = 50_000;

impl Alarm {
    /// Whether to stop now; `rows` have been computed since the last question.
    #[inline]
    pub(super) fn rings(&mut self, rows: u64) -> bool {
        if self.interrupt.is_raised() {
            return true;
        }
        self.rows_since_look += rows;
        if self.rows_since_look < ROWS_PER_LOOK {
            return false;
        }
        self.rows_since_look = 0;
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
