//! A limit ends a search, and changes nothing before its end: not even where least squares comes upon it.

use crate::diary::{Diary, assert_goes_on, through_text, undisturbed};
use crate::runs::{Pairs, made_up_data, settings};
use intron::{Interrupt, Run};

/// Small populations in which nearly every evaluation is one of least squares.
const TUNED: [Pairs<'static>; 7] = [
    &[
        ("ims.start", "6"),
        ("constants.weighing", "0.5"),
        ("constants.grafting", "1"),
        ("constants.pruning", "1"),
        ("constants.new_parts", "0.5"),
        ("constants.factors", "0.5"),
        ("height", "4"),
        ("max_size", "9"),
    ],
    &[("ims.start", "2"), ("ims.factor", "2"), ("constants.tuning", "1"), ("height", "3")],
    &[
        ("ims.start", "6"),
        ("constants.tuning", "1"),
        ("constants.mutation", "0.5"),
        ("constants.tuning_steps", "2"),
        ("linkage", "cs"),
        ("height", "3"),
        ("max_size", "5"),
    ],
    &[
        ("ims.start", "10"),
        ("constants.tuning", "0.5"),
        ("constants.range", "-5..5"),
        ("operators", "large"),
        ("height", "2"),
        ("forced_improvement", "on"),
    ],
    &[
        ("ims.start", "4"),
        ("constants.tuning", "1"),
        ("linear_scaling", "off"),
        ("linkage", "mi-masked"),
        ("height", "2"),
    ],
    &[
        ("ims.start", "4"),
        ("constants.tuning", "0.5"),
        ("constants.mutation", "0.5"),
        ("constants.mutation_place", "interleaved"),
        ("constants.mutation_decay", "0.5"),
        ("constants.mutation_patience", "1"),
        ("height", "3"),
    ],
    &[
        ("ims.start", "6"),
        ("constants.tuning", "0.5"),
        ("constants.factors", "0.5"),
        ("constants.mutation", "1"),
        ("constants.mutation_place", "within"),
        ("constants.mutation_decay", "0.5"),
        ("constants.mutation_patience", "1"),
        ("height", "3"),
        ("max_size", "5"),
    ],
];

/// All that is told until so many evaluations are done; and how much of it before the last generation.
fn told(pairs: Pairs<'_>, evaluations: u64, threads: &str) -> (Vec<String>, usize) {
    let data = made_up_data(20);
    let evaluations = evaluations.to_string();
    let more = [("evaluations", evaluations.as_str()), ("threads", threads)];
    let settings = settings(&[pairs, &more].concat());
    let mut run = Run::new(&data, &settings, Interrupt::default()).unwrap();
    let (mut diary, mut n_whole) = (Diary::default(), 0);
    while run.step(&mut diary).is_none() {
        n_whole = diary.0.len();
    }
    assert_eq!(run.outcome().unwrap().n_evaluations.to_string(), evaluations, "{pairs:?}");
    (diary.0, n_whole)
}

#[test]
fn every_limit_leaves_the_generations_before_it_as_they_are() {
    for pairs in TUNED {
        let (longest, _) = told(pairs, 700, "1");
        for limit in 1..700 {
            let (shorter, n_whole) = told(pairs, limit, "1");
            assert_eq!(shorter[..n_whole], longest[..n_whole], "{limit} {pairs:?}");
        }
    }
}

#[test]
fn every_limit_gives_the_same_end_for_any_number_of_threads() {
    for pairs in TUNED {
        for limit in (1..700).step_by(7) {
            let expected = told(pairs, limit, "1").0;
            assert_eq!(told(pairs, limit, "3").0, expected, "{limit} {pairs:?}");
        }
    }
}

#[test]
fn a_tuned_search_goes_on_from_any_limit() {
    let data = made_up_data(20);
    for pairs in TUNED {
        let longest = settings(&[pairs, &[("evaluations", "900"), ("polish", "on")]].concat());
        let (outcome, diary, lengths) = undisturbed(&data, &longest);
        for limit in (3..700).step_by(11) {
            let limit = limit.to_string();
            let limits = [("evaluations", limit.as_str()), ("polish", "on")];
            let shorter = settings(&[pairs, &limits].concat());
            let mut run = Run::new(&data, &shorter, Interrupt::default()).unwrap();
            let mut n_steps = 0;
            while run.step(&mut Diary::default()).is_none() {
                n_steps += 1;
            }
            let expected = (&outcome, &diary.0[lengths[n_steps]..]);
            let checkpoint = through_text(&run.checkpoint());
            assert_goes_on(&data, &longest, &checkpoint, expected, &format!("{limit} {pairs:?}"));
        }
    }
}

#[test]
fn constants_are_tuned_on_the_formula_that_forcing_has_put_in_place() {
    let data = made_up_data(40);
    let pairs: Pairs<'_> = &[
        ("population", "12"),
        ("forced_improvement", "on"),
        ("constants.tuning", "0.5"),
        ("constants.mutation", "0.5"),
        ("convergence", "identical"),
        ("evaluations", "6000"),
    ];
    for seed in ["1", "2", "3", "4"] {
        let told = |evaluator| {
            let more = [("seed", seed), ("evaluator", evaluator)];
            undisturbed(&data, &settings(&[pairs, &more].concat())).1.0
        };
        assert_eq!(told("incremental"), told("full"), "{seed}");
    }
}
