//! Does the runs of a plan, several at a time. What has a valid record is never run again.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cpu_time::ThreadTime;
use intron::{
    Dataset, Event, FeatureNames, Format, Halt, Interrupt, Linkage, LinkageModel, MeasureContext,
    Model, Observer, Run, SimilarityMatrix, Solution, StopReason, StreamName, ValidSettings, score,
};

use crate::claims::REFRESH;
use crate::error::LabError;
use crate::owner::host;
use crate::record::{Measured, Record, RunResult, Similarity, TracePoint};
use crate::store::{Found, Published, Store};
use crate::task::{DataSets, Task};

/// How runs are done.
pub struct RunOptions {
    /// Runs at a time.
    pub threads: usize,
    /// Which share of the runs to do: number (from 0) and number of shares.
    pub shard: (usize, usize),
    /// Whether runs that others seem to be doing are left to them. Whoever was given a share does all of it: on another machine
    /// nobody can tell a worker that was killed from one at work, and doing a run twice harms nothing.
    pub heeds_claims: bool,
    /// Ends everything when it is raised.
    pub interrupt: Interrupt,
}

/// What happens while runs are done.
#[derive(Debug)]
pub enum LabEvent<'a> {
    /// A run has a valid record from before.
    Skipped(&'a Task),
    /// Somebody else is doing the run.
    Elsewhere(&'a Task),
    /// A run begins.
    Started(&'a Task),
    /// A run is done, and its record is on the disk.
    Done(&'a Record),
    /// A run cannot be done; why.
    Failed(&'a Task, &'a str),
    /// A record was damaged and set aside; what was wrong.
    SetAside(&'a Task, &'a str),
    /// A record is damaged and cannot be set aside; why. The run is left out.
    Blocked(&'a Task, &'a str),
    /// A second result of a run differs from the first: an alarm.
    Differs(&'a Task, &'a std::path::Path),
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Runs with a record from before.
    pub skipped: usize,
    /// Runs done now.
    pub done: usize,
    /// Runs that cannot be done.
    pub failed: usize,
    /// Runs that somebody else is doing.
    pub elsewhere: usize,
    /// Runs whose second result differs from the first.
    pub differing: usize,
    /// Runs with a damaged record that cannot be set aside now.
    pub blocked: usize,
    /// Runs with a damaged record that cannot be set aside until somebody mends it.
    pub barred: usize,
    /// Whether it was interrupted.
    pub is_interrupted: bool,
}

/// Does the runs of a share that have no record yet. Events come from several threads.
pub fn run_tasks(
    tasks: &[Task],
    data: &DataSets,
    store: &Store,
    options: &RunOptions,
    notify: &(dyn Fn(LabEvent<'_>) + Sync),
) -> Result<RunSummary, LabError> {
    store.sweep()?;
    let (shard, n_shards) = options.shard;
    let share: Vec<&Task> = tasks.iter().skip(shard).step_by(n_shards.max(1)).collect();
    let summary = Mutex::new(RunSummary::default());
    let later = Mutex::new(Vec::new());
    for_each(&share, options, |task| {
        if !(Step { task, data, store, options, notify }).go(&summary)? {
            later.lock().expect("no panic").push(task);
        }
        Ok(())
    })?;
    // Others may have ended by now: what they did has its record, and what they left is done here.
    let later = later.into_inner().expect("no panic");
    for_each(&later, options, |task| {
        Step { task, data, store, options, notify }.go_or_leave(&summary)
    })?;
    let mut summary = summary.into_inner().expect("no panic");
    summary.is_interrupted = options.interrupt.is_raised();
    Ok(summary)
}

/// Takes the tasks in their order, several at a time, until the interrupt is raised or something fails.
fn for_each<'t>(
    tasks: &[&'t Task],
    options: &RunOptions,
    go: impl Fn(&'t Task) -> Result<(), LabError> + Sync,
) -> Result<(), LabError> {
    let next = AtomicUsize::new(0);
    let error = Mutex::new(None);
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if options.interrupt.is_raised() {
                break;
            }
            if let Err(found) = go(task) {
                // Nothing more can be kept, so nothing more is begun.
                error.lock().expect("no panic").get_or_insert(found);
                next.store(tasks.len(), Ordering::Relaxed);
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        (0..options.threads.max(1)).for_each(|_| drop(scope.spawn(work)));
    });
    error.into_inner().expect("no panic").map_or(Ok(()), Err)
}

/// Does one run if it has no record yet. For engines that hand out runs one by one: unlike [`run_tasks`], it does not look for
/// what others have left behind in the folder.
pub fn run_one(
    task: &Task,
    data: &DataSets,
    store: &Store,
    options: &RunOptions,
    notify: &(dyn Fn(LabEvent<'_>) + Sync),
) -> Result<RunSummary, LabError> {
    let summary = Mutex::new(RunSummary::default());
    if !options.interrupt.is_raised() {
        Step { task, data, store, options, notify }.go_or_leave(&summary)?;
    }
    let mut summary = summary.into_inner().expect("no panic");
    summary.is_interrupted = options.interrupt.is_raised();
    Ok(summary)
}

/// One run on its way to its record.
struct Step<'a> {
    task: &'a Task,
    data: &'a DataSets,
    store: &'a Store,
    options: &'a RunOptions,
    notify: &'a (dyn Fn(LabEvent<'_>) + Sync),
}

impl Step<'_> {
    /// A run that panics is a defect, but no reason to lose the others.
    fn run_without_panic(&self) -> Result<Option<Record>, LabError> {
        let run = || run_task(self.task, self.data, self.options.interrupt.clone());
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text =
                text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason");
            Err(LabError::Work(format!("a defect of the program: {text}; please report it")))
        })
    }

    /// Does the run; if somebody else is doing it, it is left to them, which is counted.
    fn go_or_leave(&self, summary: &Mutex<RunSummary>) -> Result<(), LabError> {
        if !self.go(summary)? {
            summary.lock().expect("no panic").elsewhere += 1;
            (self.notify)(LabEvent::Elsewhere(self.task));
        }
        Ok(())
    }

    /// Does the run if it has no record. False if somebody else is doing it.
    fn go(&self, summary: &Mutex<RunSummary>) -> Result<bool, LabError> {
        let count = |add: &dyn Fn(&mut RunSummary)| add(&mut summary.lock().expect("no panic"));
        let Step { task, store, notify, .. } = self;
        match store.find(&task.id)? {
            Found::Done(_) => {
                count(&|s| s.skipped += 1);
                notify(LabEvent::Skipped(task));
                return Ok(true);
            }
            Found::Damaged(what) => match store.set_aside(&task.id) {
                Ok(()) => notify(LabEvent::SetAside(task, &what)),
                Err(error) => {
                    count(&|s| match error {
                        LabError::Temporary(_) => s.blocked += 1,
                        _ => s.barred += 1,
                    });
                    notify(LabEvent::Blocked(task, &format!("{what}; {error}")));
                    return Ok(true);
                }
            },
            Found::Missing => {}
        }
        if self.options.heeds_claims && store.is_running(&task.id)? {
            return Ok(false);
        }
        store.claim(&task.id)?;
        notify(LabEvent::Started(task));
        let result = store.while_refreshing(REFRESH, || self.run_without_panic());
        let published = match &result {
            Ok(Some(record)) => store.publish(record).map(Some),
            _ => Ok(None),
        };
        store.release(&task.id);
        match (result, published?) {
            (Ok(Some(record)), Some(Published::Differs(path))) => {
                count(&|s| s.differing += 1);
                notify(LabEvent::Differs(&record.result.task, &path));
            }
            (Ok(Some(record)), _) => {
                store.forget_failure(&task.id);
                count(&|s| s.done += 1);
                notify(LabEvent::Done(&record));
            }
            (Ok(None), _) => {}
            (Err(error), _) => {
                let reason = error.to_string();
                store.note_failure(&task.id, &reason)?;
                count(&|s| s.failed += 1);
                notify(LabEvent::Failed(task, &reason));
            }
        }
        Ok(true)
    }
}

/// Does one run. Nothing comes back if it was interrupted.
pub fn run_task(
    task: &Task,
    data: &DataSets,
    interrupt: Interrupt,
) -> Result<Option<Record>, LabError> {
    let dataset = match data.get(&task.data) {
        Some(data) if data.sha256 == task.data_sha256 => &data.dataset,
        Some(_) => {
            return Err(LabError::Work(format!("{}: is not the data of the plan", task.data)));
        }
        None => return Err(LabError::Work(format!("{}: is not here", task.data))),
    };
    let split = task.split(dataset)?;
    let (train, test) = (dataset.rows(&split.train), dataset.rows(&split.test));
    let settings = task.settings()?;
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let run = Run::new(&train, &settings, interrupt)?;
    let mut watch = Watch::new(task, &settings, &test, cpu);
    let outcome = run.finish(&mut watch);
    if outcome.stop_reason == StopReason::Interrupted {
        return Ok(None);
    }
    let cpu_seconds = cpu.elapsed().as_secs_f64();
    let best = outcome
        .front
        .last()
        .ok_or_else(|| LabError::Work("no formula could be computed on all rows".to_owned()))?;
    let names = FeatureNames::new(dataset.names());
    let similarities = watch.take_similarities();
    let result = RunResult {
        task: task.clone(),
        n_evaluations: outcome.n_evaluations,
        n_generations: outcome.n_generations,
        stop_reason: outcome.stop_reason.name().to_owned(),
        formula: best.formula.format(&names, Format::Text),
        size: best.size,
        r2_train: best.fitness.r2(),
        r2_test: r2_on(best, &test),
        trace: watch.trace,
        similarities,
    };
    let measured = Measured {
        cpu_seconds,
        wall_seconds: wall.elapsed().as_secs_f64(),
        trace_seconds: watch.trace_seconds,
        host: host().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Ok(Some(Record { result, measured }))
}

/// R² on some rows; not a number where there are none or their target is constant.
fn r2_on(model: &Model, rows: &Dataset) -> f64 {
    let target = rows.target();
    if target.iter().all(|&y| y == target[0]) {
        return f64::NAN;
    }
    score(rows, &model.predict(rows.features(), rows.n_rows())).fitness.r2()
}

/// Takes down what happens in a run.
struct Watch<'a> {
    task: &'a Task,
    settings: &'a ValidSettings,
    test: &'a Dataset,
    started: ThreadTime,
    trace: Vec<TracePoint>,
    trace_seconds: Vec<f64>,
    similarities: Vec<Similarity>,
    /// The first solutions of the first population.
    initial: Vec<Solution>,
    /// A generation whose similarities are wanted, and its solutions, until they are learned.
    pending: Option<(u64, Vec<Solution>)>,
}

impl<'a> Watch<'a> {
    fn new(
        task: &'a Task,
        settings: &'a ValidSettings,
        test: &'a Dataset,
        started: ThreadTime,
    ) -> Watch<'a> {
        Watch {
            task,
            settings,
            test,
            started,
            trace: Vec::new(),
            trace_seconds: Vec::new(),
            similarities: Vec::new(),
            initial: Vec::new(),
            pending: None,
        }
    }

    fn wants(&self, generation: u64) -> bool {
        self.task.similarity_generations.contains(&generation)
    }

    fn keep(&mut self, generation: u64, matrix: &SimilarityMatrix) {
        let n_positions = matrix.n_positions();
        let pairs = (0..n_positions).flat_map(|i| (0..i).map(move |j| (i, j)));
        let values = pairs.map(|(i, j)| matrix.value(i, j)).collect();
        self.similarities.push(Similarity { generation, n_positions, values });
    }

    /// All similarities. After the last generation none are learned any more, so that is done here.
    fn take_similarities(&mut self) -> Vec<Similarity> {
        if let Some((generation, solutions)) = self.pending.take() {
            let settings = self.settings.settings();
            let context = MeasureContext {
                template: self.settings.template().clone(),
                bins: (settings.bins, settings.binning),
                halt: Halt::default(),
            };
            let linkage: &Linkage = &settings.linkage;
            let mut model = LinkageModel::new(linkage, &self.initial, context);
            let name = StreamName::Linkage { population: 0, generation };
            model.learn(&solutions, &mut settings.seed.stream(name));
            if let Some(matrix) = model.similarity() {
                self.keep(generation, matrix);
            }
        }
        std::mem::take(&mut self.similarities)
    }
}

impl Observer for Watch<'_> {
    fn notify(&mut self, event: &Event<'_>) {
        match event {
            Event::BestImproved { model, n_evaluations, .. } => {
                self.trace.push(TracePoint {
                    evaluations: *n_evaluations,
                    r2_train: model.fitness.r2(),
                    r2_test: r2_on(model, self.test),
                    size: model.size,
                });
                self.trace_seconds.push(self.started.elapsed().as_secs_f64());
            }
            Event::PopulationStarted { population: 0, solutions }
                if !self.task.similarity_generations.is_empty() =>
            {
                self.initial = solutions.to_vec();
            }
            Event::GenerationFinished { population: 0, generation, solutions, .. }
                if self.wants(*generation) =>
            {
                self.pending = Some((*generation, solutions.to_vec()));
            }
            Event::LinkageLearned { population: 0, generation, similarity, .. } => {
                self.pending = None;
                if let (true, Some(matrix)) = (self.wants(*generation), similarity) {
                    self.keep(*generation, matrix);
                }
            }
            _ => {}
        }
    }
}
