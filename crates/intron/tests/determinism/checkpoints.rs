//! A run that goes on from a checkpoint takes the very course of one that was never interrupted.

use std::sync::Arc;

use crate::diary::{
    Diary, assert_goes_on, assert_same, checkpoint_after, through_text, undisturbed,
};
use crate::drawn_settings::{draw_settings, with};
use crate::runs::{Pairs, dataset, made_up_data, settings, start};
use intron::{
    Checkpoint, Dataset, Event, Interrupt, Linkage, LinkageMeasure, Rebuild, Run, Seed, Silent,
    Solution, StopReason, Stream, StreamName,
};

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
    let pairs = [("ims.start", "8"), ("evaluations", "5000"), ("max_size", "15")];
    let mut own = settings(&pairs).settings().clone();
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
    let error =
        Run::resume(&data, &settings(&pairs), &checkpoint, Interrupt::default()).err().unwrap();
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
        ("constants.tuning", "0.5"),
        ("max_size", "9"),
        ("select", "bic"),
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
