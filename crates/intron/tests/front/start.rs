//! Formulas that the user knows: in the first populations, and scored beside the front.

use crate::runs::{Pairs, front, generations, made_up_data, run, settings, start};
use intron::{
    Checkpoint, Error, FeatureNames, Interrupt, Outcome, Run, Silent, Solution, active_positions,
};

fn base(formulas: &str) -> Vec<(&str, &str)> {
    vec![("population", "16"), ("generations", "3"), ("start", formulas)]
}

fn text(solution: &Solution, pairs: Pairs<'_>) -> String {
    let template = settings(pairs).template().clone();
    let names = FeatureNames::new(made_up_data(10).names());
    assert_eq!(solution.active, active_positions(&solution.genome, &template));
    solution.genome.to_formula(solution.active, &template).to_text(&names)
}

fn given(outcome: &Outcome) -> Vec<(usize, u64, bool)> {
    let line = |given: &intron::Given| {
        (given.model.size, given.model.fitness.nmse().to_bits(), given.is_searched)
    };
    outcome.given.iter().map(line).collect()
}

fn refusal(pairs: Pairs<'_>) -> String {
    let run = Run::new(&made_up_data(20), &settings(pairs), Interrupt::default());
    let error: Error = run.err().expect("refused");
    error.to_string()
}

#[test]
fn known_formulas_stand_first_and_leave_all_others_as_they_are() {
    let data = made_up_data(60);
    let (plain, _) = generations(&data, &base("none"));
    let pairs = base("a * b; sin(c) / (a * a + 1.5)");
    let (with, outcome) = generations(&data, &pairs);
    assert_eq!(text(&with[0][0], &pairs), "a * b");
    assert_eq!(text(&with[0][1], &pairs), "sin(c) / (a * a + 1.5)");
    assert_eq!(with[0][2..], plain[0][2..]);
    // Introns are those that were drawn.
    let (old, new) = (&plain[0][0], &with[0][0]);
    for position in 0..old.genome.symbols().len() {
        if new.active >> position & 1 == 0 {
            assert_eq!(new.genome.symbols()[position], old.genome.symbols()[position]);
        }
    }
    assert_eq!(outcome.given.len(), 2);
    let best = outcome.front.last().unwrap().fitness;
    for given in &outcome.given {
        assert!(given.is_searched && given.model.fitness.is_valid());
        assert!(!given.model.fitness.is_better_than(best), "the search keeps what it was given");
    }
}

#[test]
fn a_solved_problem_is_known_from_its_first_evaluation() {
    let data = made_up_data(60);
    let target = data.features()[0].iter().zip(&data.features()[1]).map(|(a, b)| a / (b + 2.0));
    let data = crate::runs::dataset(data.features().to_vec(), target.collect());
    let pairs = [("start", "3 + 2.5 * (a / (b + 2))"), ("evaluations", "64")];
    let outcome = run(&data, &pairs);
    let best = outcome.front.last().unwrap();
    assert_eq!((best.size, best.fitness.r2()), (5, 1.0), "its own scaling is left out");
    assert_eq!(given(&outcome), [(5, 0.0_f64.to_bits(), true)]);
}

#[test]
fn powers_signs_and_inverses_are_written_with_the_operators_there_are() {
    let pairs = base("a^2 + -b; c^3 - inv(a)");
    let (populations, outcome) = generations(&made_up_data(60), &pairs);
    assert_eq!(text(&populations[0][0], &pairs), "a * a - 1 * b");
    assert_eq!(text(&populations[0][1], &pairs), "c * c * c - 1 / a");
    let sizes: Vec<usize> = outcome.given.iter().map(|given| given.model.size).collect();
    assert_eq!(sizes, [5, 5], "counted as given");
}

#[test]
fn what_is_too_large_is_scored_only() {
    let large = "a + b + c + a + b + c + a + b";
    for more in [("height", "3"), ("max_size", "7")] {
        let pairs = [base(large), vec![more]].concat();
        let outcome = run(&made_up_data(60), &pairs);
        assert_eq!(outcome.given.len(), 1);
        assert!(!outcome.given[0].is_searched && outcome.given[0].model.size == 15);
    }
}

#[test]
fn what_the_search_cannot_write_is_refused() {
    for (formula, expected) in [
        ("a + exp(b)", "start: `a + exp(b)` needs `exp`; add it to the operators"),
        ("a + foo", "start: `a + foo`, character 5: unknown name `foo`"),
        ("a +", "start: `a +`, character 4"),
    ] {
        let message = refusal(&[("start", formula)]);
        assert!(message.starts_with(expected), "{message}");
    }
    let message = refusal(&[("start", "a + 2 * sin(b)"), ("constants.range", "off")]);
    assert!(message.contains("needs a constant"), "{message}");
}

#[test]
fn a_run_with_known_formulas_goes_on_from_a_checkpoint_and_with_any_number_of_threads() {
    let data = made_up_data(40);
    for linkage in ["node-static", "mi-adjusted"] {
        let pairs: Pairs<'_> = &[
            ("evaluations", "9000"),
            ("ims.start", "16"),
            ("linkage", linkage),
            ("constants.tuning", "0.2"),
            ("start", "a * b; 2.5 * c; a / (c + 3.5)"),
        ];
        let expected = run(&data, pairs);
        let mut first = start(&data, pairs);
        (0..5).for_each(|_| assert_eq!(first.step(&mut Silent), None));
        let checkpoint = Checkpoint::from_text(&first.checkpoint().to_text()).unwrap();
        let resumed = Run::resume(&data, &settings(pairs), &checkpoint, Interrupt::default());
        let resumed = resumed.unwrap().finish(&mut Silent);
        let threads = run(&data, &[pairs, &[("threads", "2")]].concat());
        for outcome in [&resumed, &threads] {
            assert_eq!(front(&data, outcome), front(&data, &expected), "{linkage}");
            assert_eq!(given(outcome), given(&expected), "{linkage}");
        }
        let other = settings(&[pairs, &[("start", "a * b")]].concat());
        assert!(Run::resume(&data, &other, &checkpoint, Interrupt::default()).is_err());
    }
}
