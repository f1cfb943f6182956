//! A run that goes on from a checkpoint takes the very course of one that was never interrupted.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::runs::{Pairs, dataset, front, made_up_data, settings, start};
use intron::{
    Checkpoint, Dataset, Event, Interrupt, Linkage, LinkageMeasure, Outcome, Rebuild, Run, Seed,
    Silent, Solution, StopReason, Stream, StreamName, ValidSettings,
};

/// All that a run tells, as text, but for the time that it takes.
#[derive(Default)]
struct Diary(Vec<String>);

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
fn undisturbed(data: &Dataset, settings: &ValidSettings) -> (Outcome, Diary, Vec<usize>) {
    let mut run = Run::new(data, settings, Interrupt::default()).unwrap();
    let (mut diary, mut lengths) = (Diary::default(), vec![0]);
    while run.step(&mut diary).is_none() {
        lengths.push(diary.0.len());
    }
    (run.outcome().unwrap(), diary, lengths)
}

/// The checkpoint, after it went through its text form.
fn through_text(checkpoint: &Checkpoint) -> Checkpoint {
    let text = checkpoint.to_text();
    let read = Checkpoint::from_text(&text).unwrap();
    assert_eq!(read.to_text(), text);
    read
}

fn assert_same(data: &Dataset, found: &Outcome, expected: &Outcome, context: &str) {
    assert_eq!(front(data, found), front(data, expected), "{context}");
    assert_eq!(found.front, expected.front, "{context}");
    assert_eq!(found.stop_reason, expected.stop_reason, "{context}");
    assert_eq!(found.n_evaluations, expected.n_evaluations, "{context}");
    assert_eq!(found.n_generations, expected.n_generations, "{context}");
}

/// Goes on from a checkpoint and compares all that is told from there on, and the end.
fn assert_goes_on(
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
fn checkpoint_after(data: &Dataset, settings: &ValidSettings, n_steps: usize) -> Checkpoint {
    let mut run = Run::new(data, settings, Interrupt::default()).unwrap();
    (0..n_steps).for_each(|_| assert_eq!(run.step(&mut Silent), None));
    run.checkpoint()
}

fn pick<'a>(stream: &mut Stream, words: &[&'a str]) -> &'a str {
    words[stream.below(words.len())]
}

/// Random settings; small populations, so that many are started and retired.
fn draw_settings(linkage: &'static str, stream: &mut Stream) -> Vec<(&'static str, String)> {
    let mut pairs: Vec<(&str, &str)> = vec![
        ("linkage", linkage),
        ("height", pick(stream, &["1", "2", "3", "4", "4"])),
        ("operators", pick(stream, &["small", "large", "+,inv,cube,plog,psqrt,pdiv,tanh"])),
        ("constants.range", pick(stream, &["target", "-2..2", "off"])),
        ("linear_scaling", pick(stream, &["on", "off"])),
        ("init.grow", pick(stream, &["domain", "0.5"])),
        ("init.duplicates", pick(stream, &["allowed", "allowed", "drawn-again"])),
        ("linkage.bins", pick(stream, &["25", "3"])),
        ("population", pick(stream, &["ims", "ims", "ims", "30"])),
        ("ims.start", pick(stream, &["2", "4", "16"])),
        ("ims.factor", pick(stream, &["1", "2", "4", "10"])),
        ("ims.max_populations", pick(stream, &["1", "3", "25"])),
        ("ims.retire_on_equal", pick(stream, &["yes", "no"])),
        (
            "convergence",
            pick(stream, &["no-improvement", "no-improvement-nor-evaluation", "identical"]),
        ),
        ("forced_improvement", pick(stream, &["on", "off"])),
        ("memory_limit", pick(stream, &["1GB", "30KB"])),
        ("early_rejection", pick(stream, &["on", "off"])),
        ("evaluations", pick(stream, &["500", "2001", "4000"])),
    ];
    match stream.below(4) {
        0 => pairs.push(("target_r2", pick(stream, &["0.2", "0.9"]))),
        1 => pairs.push(("generations", pick(stream, &["3", "12"]))),
        _ => {}
    }
    let seed = stream.below(1_000_000).to_string();
    let mut pairs: Vec<_> = pairs.into_iter().map(|(key, value)| (key, value.to_owned())).collect();
    pairs.push(("seed", seed));
    pairs
}

/// Those settings and some more.
fn with(pairs: &[(&'static str, String)], more: Pairs<'_>) -> ValidSettings {
    let pairs: Vec<(&str, &str)> =
        pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
    settings(&[&pairs[..], more].concat())
}

#[test]
fn a_resumed_run_is_the_undisturbed_one_bit_by_bit() {
    let mut stream = Seed(3).stream(StreamName::Split);
    let (mut n_points, mut n_retired) = (0, 0);
    for round in 0..6 {
        for linkage in Linkage::names() {
            let data = made_up_data(10 + stream.below(60));
            let pairs = draw_settings(linkage, &mut stream);
            let context = format!("round {round}: {pairs:?}");
            let settings = with(&pairs, &[]);
            let (outcome, diary, lengths) = undisturbed(&data, &settings);
            n_retired += diary.0.iter().filter(|entry| entry.contains("Retired")).count();
            let n_steps = stream.below(lengths.len());
            let checkpoint = checkpoint_after(&data, &settings, n_steps);
            let expected = (&outcome, &diary.0[lengths[n_steps]..]);
            assert_goes_on(&data, &settings, &checkpoint, expected, &context);
            let threads = with(&pairs, &[("threads", "3"), ("instructions", "portable")]);
            assert_goes_on(&data, &threads, &through_text(&checkpoint), expected, &context);
            n_points += 2;
        }
    }
    assert!(n_points > 100 && n_retired > 100, "{n_points} {n_retired}");
}

#[test]
fn a_run_that_a_limit_ended_goes_on_with_a_larger_one() {
    let mut stream = Seed(4).stream(StreamName::Split);
    for round in 0..4 {
        for linkage in Linkage::names() {
            let data = made_up_data(10 + stream.below(60));
            let pairs = draw_settings(linkage, &mut stream);
            let settings = with(&pairs, &[]);
            let (outcome, diary, lengths) = undisturbed(&data, &settings);
            let evaluations = (1 + stream.below(outcome.n_evaluations as usize)).to_string();
            let generations = 1 + stream.below(outcome.n_generations.max(1) as usize);
            let generations = generations.to_string();
            for limit in [
                ("evaluations", evaluations.as_str()),
                ("generations", generations.as_str()),
                ("target_r2", "0.1"),
            ] {
                let context = format!("round {round}: {limit:?} {pairs:?}");
                let mut run =
                    Run::new(&data, &with(&pairs, &[limit]), Interrupt::default()).unwrap();
                let mut n_steps = 0;
                while run.step(&mut Silent).is_none() {
                    n_steps += 1;
                }
                let checkpoint = through_text(&run.checkpoint());
                assert!(checkpoint.n_evaluations() <= run.outcome().unwrap().n_evaluations);
                let expected = (&outcome, &diary.0[lengths[n_steps]..]);
                assert_goes_on(&data, &settings, &checkpoint, expected, &context);
            }
        }
    }
}

#[test]
fn a_run_may_be_resumed_after_every_generation() {
    let data = made_up_data(40);
    for linkage in ["mi-adjusted", "node-static", "random"] {
        let pairs = [
            ("linkage", linkage),
            ("ims.start", "8"),
            ("ims.factor", "2"),
            ("forced_improvement", "on"),
            ("evaluations", "20000"),
        ];
        let settings = settings(&pairs);
        let (outcome, diary, lengths) = undisturbed(&data, &settings);
        assert!(lengths.len() > 10, "{}", lengths.len());
        let (mut run, mut told) = (start(&data, &pairs), Diary::default());
        while run.step(&mut told).is_none() {
            let checkpoint = through_text(&run.checkpoint());
            run = Run::resume(&data, &settings, &checkpoint, Interrupt::default()).unwrap();
        }
        assert_eq!(told.0, diary.0, "{linkage}");
        assert_same(&data, &run.outcome().unwrap(), &outcome, linkage);
    }
}

#[test]
fn a_run_that_was_interrupted_goes_on_to_the_same_end() {
    let data = made_up_data(1000);
    let pairs = [("evaluations", "30000"), ("ims.start", "16")];
    let (outcome, diary, lengths) = undisturbed(&data, &settings(&pairs));
    assert!(diary.0.iter().any(|entry| entry.starts_with("progress")));
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    let mut n_seen = 0;
    let mut observer = |event: &Event<'_>| {
        // In the middle of a generation.
        if let Event::BestImproved { n_evaluations, .. } = event {
            n_seen += 1;
            if n_seen > 8 && *n_evaluations > 1000 {
                flag.raise();
            }
        }
    };
    let mut run = Run::new(&data, &settings(&pairs), interrupt).unwrap();
    let mut n_steps = 0;
    while run.step(&mut observer).is_none() {
        n_steps += 1;
    }
    let cut = run.outcome().unwrap();
    assert_eq!(cut.stop_reason, StopReason::Interrupted);
    let checkpoint = run.checkpoint();
    assert!(checkpoint.n_evaluations() < cut.n_evaluations);
    let rest = (&outcome, &diary.0[lengths[n_steps]..]);
    assert_goes_on(&data, &settings(&pairs), &checkpoint, rest, "interrupted");
}

/// A sum of two features, which is found exactly.
fn solvable_data() -> Dataset {
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    let y = x.iter().map(|x| x * x + x).collect();
    dataset(vec![x], y)
}

#[test]
fn a_solved_run_goes_on_for_as_long_as_it_should() {
    let data = solvable_data();
    let pairs = [("linear_scaling", "off"), ("constants.range", "off"), ("operators", "+,*")];
    let settings = settings(&pairs);
    let (outcome, diary, lengths) = undisturbed(&data, &settings);
    assert_eq!(outcome.stop_reason, StopReason::Solved);
    let is_solved =
        |checkpoint: &Checkpoint| checkpoint.front().iter().any(|m| m.fitness.is_perfect());
    for n_steps in [1, lengths.len() / 2, lengths.len() - 1] {
        let checkpoint = through_text(&checkpoint_after(&data, &settings, n_steps));
        assert!(n_steps == 1 || is_solved(&checkpoint));
        let rest = (&outcome, &diary.0[lengths[n_steps]..]);
        assert_goes_on(&data, &settings, &checkpoint, rest, "solved");
    }
}

#[test]
fn a_measure_of_ones_own_that_looks_at_the_fitness_once_is_made_again() {
    let mut own = settings(&[("ims.start", "8"), ("evaluations", "5000")]).settings().clone();
    /// Positions are alike where fit solutions have the same symbols.
    struct Fit;
    impl intron::SimilarityMeasure for Fit {
        fn estimate_similarity(
            &mut self,
            population: &[Solution],
            context: &intron::MeasureContext,
            _: &mut Stream,
        ) -> intron::SimilarityMatrix {
            let weight = |s: &Solution| 1.0 / (1.0 + s.fitness.nmse());
            intron::SimilarityMatrix::from_pairs(context.template.n_positions(), |i, j| {
                let shared = |s: &&Solution| s.genome.symbols()[i] == s.genome.symbols()[j];
                population.iter().filter(shared).map(weight).sum::<f64>()
            })
        }
    }
    own.linkage =
        Linkage::Custom { measure: Arc::new(|_, _| Box::new(Fit)), rebuild: Rebuild::Once };
    let (data, own) = (made_up_data(30), own.validate().unwrap());
    let (outcome, diary, lengths) = undisturbed(&data, &own);
    let checkpoint = through_text(&checkpoint_after(&data, &own, 9));
    assert_goes_on(&data, &own, &checkpoint, (&outcome, &diary.0[lengths[9]..]), "own measure");
    let named = settings(&[("ims.start", "8"), ("evaluations", "5000")]);
    let error = Run::resume(&data, &named, &checkpoint, Interrupt::default()).err().unwrap();
    assert!(error.to_string().contains("linkage = custom Once, not node"), "{error}");
}

#[test]
fn other_data_settings_or_spent_limits_are_refused() {
    let data = made_up_data(30);
    let pairs = [("ims.start", "8"), ("evaluations", "5000")];
    let checkpoint = through_text(&checkpoint_after(&data, &settings(&pairs), 5));
    let refusal = |data: &Dataset, more: Pairs<'_>| {
        let settings = settings(&[&pairs[..], more].concat());
        let run = Run::resume(data, &settings, &checkpoint, Interrupt::default());
        run.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refusal(&data, &[("threads", "2"), ("time", "1h"), ("evaluator", "full")]), "");
    for (key, value) in [
        ("height", "4"),
        ("operators", "large"),
        ("seed", "1"),
        ("linkage", "mi"),
        ("ims.factor", "9"),
        ("memory_limit", "2GB"),
        ("constants.range", "-1..1"),
    ] {
        let refusal = refusal(&data, &[(key, value)]);
        assert!(refusal.contains(&format!("taken with {key} = ")), "{refusal}");
        assert!(refusal.contains("go on with the settings"), "{refusal}");
    }
    let rows: Vec<usize> = (0..29).collect();
    for other in [data.rows(&rows), made_up_data(31), solvable_data()] {
        assert!(refusal(&other, &[]).contains("other training rows"));
    }
    let spent = checkpoint.n_evaluations().to_string();
    assert!(refusal(&data, &[("evaluations", &spent)]).contains("already"));
    assert!(refusal(&data, &[("generations", "5")]).contains("the checkpoint has done 5 already"));
    assert_eq!(refusal(&data, &[("generations", "6")]), "");
}

#[test]
fn a_target_that_is_met_and_time_that_is_over_end_a_resumed_run_at_once() {
    let data = made_up_data(30);
    let pairs = [("ims.start", "8"), ("evaluations", "5000")];
    let checkpoint = through_text(&checkpoint_after(&data, &settings(&pairs), 5));
    for (limit, reason) in
        [(("target_r2", "0.01"), StopReason::TargetR2), (("time", "1e-9"), StopReason::Time)]
    {
        let settings = settings(&[&pairs[..], &[limit]].concat());
        let run = Run::resume(&data, &settings, &checkpoint, Interrupt::default()).unwrap();
        let outcome = run.finish(&mut Silent);
        assert_eq!(outcome.stop_reason, reason);
        assert_eq!(outcome.n_evaluations, checkpoint.n_evaluations());
        assert_eq!(outcome.front, checkpoint.front());
        assert!(outcome.elapsed_seconds >= checkpoint.elapsed_seconds());
    }
}

#[test]
fn the_text_has_the_settings_of_the_run() {
    let data = made_up_data(30);
    let pairs = [("height", "3"), ("linkage", "mi-adjusted"), ("time", "90"), ("seed", "77")];
    let checkpoint = through_text(&checkpoint_after(&data, &settings(&pairs), 2));
    for key in intron::Key::all() {
        let expected = key.value(settings(&pairs).settings());
        assert_eq!(key.value(checkpoint.settings()), expected, "{}", key.name);
    }
    assert_eq!(checkpoint.n_generations(), 2);
    let other = checkpoint_after(&data, &settings(&[("linkage", "mi")]), 1);
    assert!(matches!(
        other.settings().linkage,
        Linkage::Tree { measure: LinkageMeasure::MutualInformation, .. }
    ));
}
