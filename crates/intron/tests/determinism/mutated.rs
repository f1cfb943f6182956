//! Coefficient mutation: in every place the same course for any way of computing it, and from any checkpoint.

use crate::diary::{Diary, assert_goes_on, through_text, undisturbed};
use crate::runs::{Pairs, made_up_data, settings};
use intron::{Interrupt, Run};

const PLACES: [&str; 3] = ["after", "interleaved", "within"];

/// The best stands still for long, so that the temperature falls.
const FALLING: Pairs<'static> = &[
    ("population", "10"),
    ("convergence", "identical"),
    ("constants.mutation", "0.5"),
    ("constants.mutation_decay", "0.5"),
    ("constants.mutation_patience", "2"),
    ("constants.factors", "0.5"),
    ("height", "4"),
    ("evaluations", "8000"),
];

fn told(pairs: Pairs<'_>, more: Pairs<'_>) -> Vec<String> {
    undisturbed(&made_up_data(70), &settings(&[pairs, more].concat())).1.0
}

#[test]
fn mutated_searches_take_one_course_however_they_are_computed() {
    for place in PLACES {
        for seed in ["1", "2", "3"] {
            let common = [FALLING, &[("constants.mutation_place", place), ("seed", seed)]].concat();
            let expected = told(&common, &[("evaluator", "full"), ("early_rejection", "off")]);
            let others: [Pairs<'_>; 5] = [
                &[],
                &[("threads", "2")],
                &[("threads", "3"), ("evaluator", "full")],
                &[("early_rejection", "off")],
                &[("instructions", "portable")],
            ];
            for more in others {
                assert_eq!(told(&common, more), expected, "{place} {seed} {more:?}");
            }
        }
    }
}

#[test]
fn mutated_searches_of_templates_with_many_introns_take_one_course() {
    for place in PLACES {
        for (operators, forced) in [("large", "on"), ("+,sin,exp", "off")] {
            let common: Pairs<'_> = &[
                ("height", "6"),
                ("operators", operators),
                ("forced_improvement", forced),
                ("constants.mutation", "0.3"),
                ("constants.mutation_place", place),
                ("linkage", "mi-masked"),
                ("max_positions", "11"),
                ("evaluations", "9001"),
            ];
            let expected = told(common, &[("evaluator", "full")]);
            assert_eq!(told(common, &[("threads", "2")]), expected, "{place} {operators}");
        }
    }
}

/// The temperatures of the populations of a checkpoint, from its text.
fn temperatures(text: &str) -> Vec<f64> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("population "));
    let bits = |line: &str| u64::from_str_radix(line.split(' ').nth(3).unwrap(), 16).unwrap();
    // There is a setting of the same name, with one word.
    let lines = lines.filter(|line| line.split(' ').count() == 5);
    lines.map(|line| f64::from_bits(bits(line))).collect()
}

#[test]
fn a_search_goes_on_with_the_temperature_that_it_had() {
    let data = made_up_data(70);
    for place in PLACES {
        let more = [
            ("constants.mutation_place", place),
            ("constants.mutation_patience", "1"),
            ("evaluations", "20000"),
            ("seed", "4"),
        ];
        let pairs = [FALLING, &more].concat();
        let settings = settings(&pairs);
        let (outcome, diary, lengths) = undisturbed(&data, &settings);
        assert_ne!(diary.0, told(&pairs, &[("constants.mutation_decay", "1")]), "{place}");
        let mut run = Run::new(&data, &settings, Interrupt::default()).unwrap();
        let (mut n_steps, mut n_cooled) = (0, 0);
        while run.step(&mut Diary::default()).is_none() {
            n_steps += 1;
            if n_steps % 2 != 0 {
                continue;
            }
            let checkpoint = through_text(&run.checkpoint());
            let rest = (&outcome, &diary.0[lengths[n_steps]..]);
            assert_goes_on(&data, &settings, &checkpoint, rest, place);
            let of_populations = temperatures(&checkpoint.to_text());
            n_cooled += of_populations.into_iter().filter(|&now| now < 0.1).count();
        }
        assert!(n_cooled > 2, "{place}: only {n_cooled} in {n_steps} generations");
    }
}
