//! What a search tells Python while it works: notes on its own side, a listener on the side of the interpreter. The listener
//! looks at signals, and asks Python between generations whether to go on.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use intron::{Checkpoint, Event, Interrupt, Model, Observer, SimilarityMatrix};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How far a search is.
#[derive(Clone, Default)]
pub(crate) struct Progress {
    n_evaluations: u64,
    n_generations: u64,
    seconds: f64,
    /// R² and size of the most accurate formula.
    best: Option<(f64, usize)>,
}

/// What the search tells; after a generation it waits for an answer.
pub(crate) struct Told {
    progress: Progress,
    is_generation: bool,
}

/// A time at which the most accurate formula became better.
pub(crate) struct TracePoint {
    pub(crate) n_evaluations: u64,
    pub(crate) n_generations: u64,
    pub(crate) seconds: f64,
    pub(crate) r2: f64,
    pub(crate) size: usize,
    pub(crate) population_size: usize,
}

/// Similarities as they were learned: population, generation, and the matrix row by row.
type Similarity = (usize, u64, Vec<Vec<f64>>);

/// Takes down what happens, and tells it where somebody listens.
pub(crate) struct Notes<'a> {
    telling: &'a Sender<Told>,
    /// Nothing if nobody wants to hear.
    answers: Option<Receiver<()>>,
    keeps_similarity: bool,
    progress: Progress,
    pub(crate) record: Record,
}

/// What is kept of a search beside its result.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) trace: Vec<TracePoint>,
    pub(crate) similarities: Vec<Similarity>,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(
        telling: &'a Sender<Told>,
        answers: Option<Receiver<()>>,
        keeps_similarity: bool,
    ) -> Notes<'a> {
        let (progress, record) = (Progress::default(), Record::default());
        Notes { telling, answers, keeps_similarity, progress, record }
    }

    /// Counts on from a checkpoint.
    pub(crate) fn go_on_from(&mut self, checkpoint: &Checkpoint) {
        self.progress = Progress {
            n_evaluations: checkpoint.n_evaluations(),
            n_generations: checkpoint.n_generations(),
            seconds: checkpoint.elapsed_seconds(),
            best: checkpoint.front().last().map(accuracy_and_size),
        };
    }

    fn tell(&mut self, n_evaluations: u64, seconds: f64, is_generation: bool) {
        (self.progress.n_evaluations, self.progress.seconds) = (n_evaluations, seconds);
        let Some(answers) = &self.answers else { return };
        let told = Told { progress: self.progress.clone(), is_generation };
        // Nobody hears it if the listener is gone, and then there is nothing to wait for.
        let is_heard = self.telling.send(told).is_ok();
        if is_generation && is_heard {
            let _ = answers.recv();
        }
    }
}

impl Observer for Notes<'_> {
    fn notify(&mut self, event: &Event<'_>) {
        match event {
            Event::BestImproved {
                model,
                n_evaluations,
                n_generations,
                n_solutions,
                elapsed_seconds,
                ..
            } => {
                self.progress.best = Some(accuracy_and_size(model));
                self.record.trace.push(TracePoint {
                    n_evaluations: *n_evaluations,
                    n_generations: *n_generations,
                    seconds: *elapsed_seconds,
                    r2: model.fitness.r2(),
                    size: model.size,
                    population_size: *n_solutions,
                });
            }
            Event::LinkageLearned { population, generation, similarity, .. } => {
                if let (true, Some(matrix)) = (self.keeps_similarity, similarity) {
                    let learned = (*population, *generation, rows_of(matrix));
                    self.record.similarities.push(learned);
                }
            }
            Event::Progressed { n_evaluations, elapsed_seconds } => {
                self.tell(*n_evaluations, *elapsed_seconds, false);
            }
            Event::GenerationFinished { n_evaluations, elapsed_seconds, .. } => {
                self.progress.n_generations += 1;
                self.tell(*n_evaluations, *elapsed_seconds, true);
            }
            _ => {}
        }
    }
}

fn accuracy_and_size(model: &Model) -> (f64, usize) {
    (model.fitness.r2(), model.size)
}

/// The whole matrix; what is on its diagonal has no meaning and is 0.
fn rows_of(matrix: &SimilarityMatrix) -> Vec<Vec<f64>> {
    let n = matrix.n_positions();
    let value = |i: usize, j: usize| if i == j { 0.0 } else { matrix.value(i, j) };
    (0..n).map(|i| (0..n).map(|j| value(i, j)).collect()).collect()
}

/// Looks at signals, tells Python's observer, and ends the search if one of them says so.
pub(crate) struct Listener {
    observer: Option<Py<PyAny>>,
    interrupt: Interrupt,
    answering: Sender<()>,
    exception: Option<PyErr>,
    last: Progress,
    told_at: Instant,
}

/// A listener, and the answers that it gives; it wants to hear nothing without an observer.
pub(crate) fn listen(
    observer: Option<Py<PyAny>>,
    interrupt: Interrupt,
) -> (Listener, Option<Receiver<()>>) {
    let (answering, answers) = channel();
    let answers = observer.is_some().then_some(answers);
    let (exception, last, told_at) = (None, Progress::default(), Instant::now());
    (Listener { observer, interrupt, answering, exception, last, told_at }, answers)
}

impl Listener {
    /// What ended the search early, if something did.
    pub(crate) fn exception(self) -> Option<PyErr> {
        self.exception
    }

    /// Hears what the search tells; with nothing told, looks at signals and shows that time goes by.
    pub(crate) fn hear(&mut self, py: Python<'_>, told: Option<Told>) {
        match told {
            Some(Told { progress, is_generation }) => {
                (self.last, self.told_at) = (progress, Instant::now());
                if is_generation {
                    self.ask(py, "generation", self.last.seconds);
                    // Nobody waits for it if the search has ended meanwhile.
                    let _ = self.answering.send(());
                }
            }
            None => {
                if let Err(error) = py.check_signals() {
                    self.end_with(error);
                }
                self.ask(py, "progress", self.last.seconds + self.told_at.elapsed().as_secs_f64());
            }
        }
    }

    fn ask(&mut self, py: Python<'_>, event: &str, seconds: f64) {
        if self.interrupt.is_raised() {
            return;
        }
        let Some(observer) = &self.observer else { return };
        let ask = || -> PyResult<bool> {
            let details = PyDict::new(py);
            details.set_item("n_evaluations", self.last.n_evaluations)?;
            details.set_item("n_generations", self.last.n_generations)?;
            details.set_item("seconds", seconds)?;
            details.set_item("r2", self.last.best.map(|best| best.0))?;
            details.set_item("size", self.last.best.map(|best| best.1))?;
            observer.call1(py, (event, details))?.is_truthy(py)
        };
        match ask() {
            Ok(false) => {}
            Ok(true) => self.interrupt.raise(),
            Err(error) => self.end_with(error),
        }
    }

    fn end_with(&mut self, error: PyErr) {
        self.interrupt.raise();
        self.exception.get_or_insert(error);
    }
}
