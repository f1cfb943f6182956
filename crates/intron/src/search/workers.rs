//! Spreads the solutions of a generation over threads: the only place with threads.
//! Results are taken in the order of the solutions, so their number changes nothing.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::budget::{Alarm, Budget};
use crate::evaluation::{Evaluator, LeastSquares, Problem};
use crate::halt::Halt;
use crate::settings::Settings;

/// One evaluator per thread.
pub(super) struct Workers {
    pool: Option<rayon::ThreadPool>,
    evaluators: Vec<Mutex<(Evaluator, LeastSquares)>>,
    batch_per_thread: usize,
}

/// What a job may use: an evaluator of its own, an alarm, and how many evaluations it may do.
pub(super) struct Desk<'a> {
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) least_squares: &'a mut LeastSquares,
    pub(super) alarm: Alarm,
    pub(super) evaluations_left: u64,
}

/// What a job did.
pub(super) struct Done<T> {
    pub(super) result: T,
    pub(super) n_evaluations: u64,
    /// The alarm rang before the job was finished.
    pub(super) is_interrupted: bool,
}

/// Solutions that a thread takes up before results are looked at: enough that threads seldom wait for each other, and few
/// where one takes long, so that progress is seen.
fn batch_per_thread(n_rows: usize) -> usize {
    (2_000_000 / n_rows).clamp(4, 256)
}

impl Workers {
    pub(super) fn new(settings: &Settings, problem: &Arc<Problem>, halt: &Halt) -> Workers {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if settings.threads == 0 { cores() } else { settings.threads };
        // Where no threads can be had, one does the work: the result is the same.
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        let n_evaluators = if pool.is_some() { threads } else { 1 };
        let new = || {
            let evaluator = Evaluator::new(settings.evaluator, Arc::clone(problem));
            (evaluator, LeastSquares::new(halt.clone()))
        };
        Workers {
            pool,
            evaluators: (0..n_evaluators).map(|_| Mutex::new(new())).collect(),
            batch_per_thread: batch_per_thread(problem.objective.n_rows()),
        }
    }

    /// Does a job for every index in `0..n_jobs` and takes the results in order, until `take` breaks off.
    ///
    /// A job sees how many evaluations are left. In parallel it may see too many, since those before it are not done
    /// yet; where that can matter it is done once more with the right number. So the budget is exact for any number of threads.
    pub(super) fn in_order<T: Send>(
        &self,
        n_jobs: usize,
        budget: &mut Budget,
        job: impl Fn(usize, Desk<'_>) -> Done<T> + Sync,
        mut take: impl FnMut(usize, Done<T>, &mut Budget) -> ControlFlow<()>,
    ) {
        let batch =
            if self.pool.is_some() { self.evaluators.len() * self.batch_per_thread } else { 1 };
        for start in (0..n_jobs).step_by(batch) {
            let indices = start..(start + batch).min(n_jobs);
            let assumed_left = budget.evaluations_left();
            for (index, done) in
                indices.clone().zip(self.batch(indices, assumed_left, budget, &job))
            {
                let left = budget.evaluations_left();
                let done = if done.n_evaluations >= left && assumed_left > left {
                    self.at_a_desk(0, left, budget, |desk| job(index, desk))
                } else {
                    done
                };
                if take(index, done, budget).is_break() {
                    return;
                }
            }
        }
    }

    fn batch<T: Send>(
        &self,
        indices: std::ops::Range<usize>,
        left: u64,
        budget: &Budget,
        job: &(impl Fn(usize, Desk<'_>) -> Done<T> + Sync),
    ) -> Vec<Done<T>> {
        let alone = |index: usize| self.at_a_desk(0, left, budget, |desk| job(index, desk));
        match &self.pool {
            None => indices.map(alone).collect(),
            Some(pool) => pool.install(|| {
                let one = |index: usize| {
                    let thread = rayon::current_thread_index().unwrap_or(0);
                    self.at_a_desk(thread, left, budget, |desk| job(index, desk))
                };
                indices.into_par_iter().map(one).collect()
            }),
        }
    }

    fn at_a_desk<T>(
        &self,
        thread: usize,
        evaluations_left: u64,
        budget: &Budget,
        work: impl FnOnce(Desk<'_>) -> T,
    ) -> T {
        let mut place = self.evaluators[thread].lock().expect("no job panics");
        let (evaluator, least_squares) = &mut *place;
        work(Desk { evaluator, least_squares, alarm: budget.alarm(), evaluations_left })
    }
}
