//! All that a run tells, and runs that go on from a checkpoint compared with undisturbed ones.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::runs::front;
use intron::{
    Checkpoint, Dataset, Event, Interrupt, Outcome, Run, Silent, Solution, ValidSettings,
};

/// All that a run tells, as text, but for the time that it takes.
#[derive(Default)]
pub(crate) struct Diary(pub(crate) Vec<String>);

fn hash(solutions: &[Solution]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for solution in solutions {
        (&solution.genome, solution.active).hash(&mut hasher);
        solution.fitness.nmse().to_bits().hash(&mut hasher);
    }
    hasher.finish()
}

impl intron::Observer for Diary {
    fn notify(&mut self, event: &Event<'_>) {
        let mut entry = String::new();
        match event {
            Event::PopulationStarted { population, solutions } => {
                write!(entry, "start {population} {} {:x}", solutions.len(), hash(solutions))
            }
            Event::LinkageLearned { population, generation, similarity, family } => {
                let mut hasher = DefaultHasher::new();
                format!("{similarity:?} {family:?}").hash(&mut hasher);
                write!(entry, "linkage {population} {generation} {:x}", hasher.finish())
            }
            Event::Progressed { n_evaluations, .. } => write!(entry, "progress {n_evaluations}"),
            Event::BestImproved { model, n_evaluations, n_generations, n_solutions, .. } => write!(
                entry,
                "best {model:?} {:x} {n_evaluations} {n_generations} {n_solutions}",
                model.fitness.nmse().to_bits()
            ),
            Event::GenerationFinished {
                population, generation, solutions, n_evaluations, ..
            } => write!(
                entry,
                "generation {population} {generation} {:x} {n_evaluations}",
                hash(solutions)
            ),
            other => write!(entry, "{other:?}"),
        }
        .unwrap();
        self.0.push(entry);
    }
}

/// A run to its end: its diary, and how long that was after each generation.
pub(crate) fn undisturbed(
    data: &Dataset,
    settings: &ValidSettings,
) -> (Outcome, Diary, Vec<usize>) {
    let mut run = Run::new(data, settings, Interrupt::default()).unwrap();
    let (mut diary, mut lengths) = (Diary::default(), vec![0]);
    while run.step(&mut diary).is_none() {
        lengths.push(diary.0.len());
    }
    (run.outcome().unwrap(), diary, lengths)
}

/// The checkpoint, after it went through its text form.
pub(crate) fn through_text(checkpoint: &Checkpoint) -> Checkpoint {
    let text = checkpoint.to_text();
    let read = Checkpoint::from_text(&text).unwrap();
    assert_eq!(read.to_text(), text);
    read
}

pub(crate) fn assert_same(data: &Dataset, found: &Outcome, expected: &Outcome, context: &str) {
    assert_eq!(front(data, found), front(data, expected), "{context}");
    assert_eq!(found.front, expected.front, "{context}");
    assert_eq!(found.stop_reason, expected.stop_reason, "{context}");
    assert_eq!(found.n_evaluations, expected.n_evaluations, "{context}");
    assert_eq!(found.n_generations, expected.n_generations, "{context}");
}

/// Goes on from a checkpoint and compares all that is told from there on, and the end.
pub(crate) fn assert_goes_on(
    data: &Dataset,
    settings: &ValidSettings,
    checkpoint: &Checkpoint,
    (outcome, rest): (&Outcome, &[String]),
    context: &str,
) {
    let run = Run::resume(data, settings, checkpoint, Interrupt::default())
        .unwrap_or_else(|error| panic!("{error}: {context}"));
    let mut diary = Diary::default();
    let found = run.finish(&mut diary);
    assert_eq!(diary.0, rest, "{context}");
    assert_same(data, &found, outcome, context);
}

/// The checkpoint after so many generations.
pub(crate) fn checkpoint_after(
    data: &Dataset,
    settings: &ValidSettings,
    n_steps: usize,
) -> Checkpoint {
    let mut run = Run::new(data, settings, Interrupt::default()).unwrap();
    (0..n_steps).for_each(|_| assert_eq!(run.step(&mut Silent), None));
    run.checkpoint()
}
