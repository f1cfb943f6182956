//! Operators of one's own: one node for the search, ordinary operators for everybody else.

use crate::runs::{Pairs, front, generations, made_up_data, run, settings, start};
use intron::{Checkpoint, FeatureNames, Formula, Interrupt, Outcome, Run, Silent, predict, score};

const OPERATORS: &str = "+,-,*,logistic(a) = 1/(1+exp(-a)),ratio(p, q) = p / (1 + q*q + abs(p)),\
    twice(u) = logistic(logistic(u) - 0.5)";

fn pairs<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("operators", OPERATORS)], more].concat()
}

/// Formulas as text, with all bits of their errors.
fn everything(outcome: &Outcome) -> Vec<(usize, u64, String)> {
    front(&made_up_data(10), outcome)
}

#[test]
fn both_evaluators_and_any_number_of_threads_give_the_same_bits() {
    let data = made_up_data(300);
    for scaling in ["on", "off"] {
        let base = pairs(&[
            ("population", "32"),
            ("generations", "4"),
            ("linear_scaling", scaling),
            ("linkage", "mi-masked"),
        ]);
        let (expected, outcome) = generations(&data, &base);
        for more in [("evaluator", "full"), ("threads", "2"), ("early_rejection", "off")] {
            let (populations, other) = generations(&data, &[&base[..], &[more]].concat());
            assert_eq!(populations, expected, "{more:?}");
            assert_eq!(everything(&other), everything(&outcome), "{more:?}");
        }
    }
}

#[test]
fn a_formula_as_printed_has_ordinary_operators_and_the_reported_score() {
    let data = made_up_data(80);
    let outcome = run(&data, &pairs(&[("evaluations", "20000")]));
    let names = FeatureNames::new(data.names());
    let mut n_expanded = 0;
    for model in &outcome.front {
        let text = model.formula.to_text(&names);
        assert!(!text.contains("logistic") && !text.contains("ratio"), "{text}");
        let read = Formula::parse(&text, &names).unwrap();
        let scored = score(&data, &predict(&read, data.features(), 80));
        let r2 = scored.fitness.r2();
        assert!((r2 - model.fitness.r2()).abs() < 1e-9, "{text}: {r2} {}", model.fitness.r2());
        // Two scaling constants and their operators are the most that is not counted otherwise.
        n_expanded += usize::from(model.formula.size() > model.size + 4);
    }
    assert!(n_expanded > 0, "no formula has an operator of one's own");
}

#[test]
fn a_target_made_with_an_operator_of_ones_own_is_found_as_a_small_formula() {
    let data = made_up_data(80);
    let [a, b] = [&data.features()[0], &data.features()[1]];
    let target = a.iter().zip(b).map(|(a, b)| 1.0 / (1.0 + (-(a * b * 4.0)).exp()));
    let data = crate::runs::dataset(data.features().to_vec(), target.collect());
    let more = [
        ("operators", "+,-,*,logistic(a) = 1/(1+exp(-a))"),
        ("evaluations", "60000"),
        ("constants.tuning", "0.5"),
        ("polish", "on"),
        ("simplify", "on"),
    ];
    let outcome = run(&data, &more);
    let best = outcome.front.last().unwrap();
    let text = best.formula.to_text(&FeatureNames::new(data.names()));
    assert!(best.fitness.r2() > 1.0 - 1e-9, "{text}");
    // logistic, two products, a, b and 4.
    assert!(best.size <= 6, "{text} has {} nodes", best.size);
    assert!(text.contains("1 / (1 + exp(-"), "{text}: the definition stays as it is");
}

#[test]
fn runs_with_own_operators_go_on_from_a_checkpoint() {
    let data = made_up_data(40);
    let more: Pairs<'_> = &[
        ("evaluations", "9000"),
        ("ims.start", "16"),
        ("constants.tuning", "0.3"),
        ("per_size", "2"),
        ("complexity", "recursive"),
        ("start", "ratio(a, logistic(b)) + 0.5; twice(c)"),
    ];
    let pairs = pairs(more);
    let expected = run(&data, &pairs);
    assert!(expected.given.iter().all(|given| given.is_searched));
    let sizes: Vec<usize> = expected.given.iter().map(|given| given.model.size).collect();
    assert_eq!(sizes, [4, 2]);
    let mut first = start(&data, &pairs);
    (0..6).for_each(|_| assert_eq!(first.step(&mut Silent), None));
    let checkpoint = Checkpoint::from_text(&first.checkpoint().to_text()).unwrap();
    let resumed = Run::resume(&data, &settings(&pairs), &checkpoint, Interrupt::default());
    let resumed = resumed.unwrap().finish(&mut Silent);
    assert_eq!(everything(&resumed), everything(&expected));
    assert_eq!(resumed.n_evaluations, expected.n_evaluations);
}

#[test]
fn own_operators_have_costs_by_their_names() {
    let more = [("complexity", "cost"), ("costs", "logistic:7"), ("evaluations", "4000")];
    assert!(!run(&made_up_data(40), &pairs(&more)).front.is_empty());
}

#[test]
fn definitions_that_would_grow_without_end_are_refused() {
    let mut settings = intron::Settings { height: 7, ..intron::Settings::default() };
    settings.set("operators", "+,f(a, b) = a*a*a*b*b*b").unwrap();
    let error = settings.validate().unwrap_err().to_string();
    assert!(error.contains("written out"), "{error}");
}

#[test]
fn given_formulas_that_would_grow_without_end_are_refused() {
    let begin = |levels: usize| {
        let nested = format!("{}a{}", "d(".repeat(levels), ")".repeat(levels));
        let pairs = [("operators", "+,*,d(u) = u + u"), ("start", nested.as_str())];
        let run = Run::new(&made_up_data(10), &settings(&pairs), Interrupt::default());
        run.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(begin(10), Ok(()));
    let refusal = begin(60).unwrap_err();
    assert!(refusal.contains("nodes when your own operators are written out"), "{refusal}");
}

#[test]
fn definitions_may_use_arguments_twice_as_far_as_the_positions_reach() {
    let mut settings = intron::Settings::recommended();
    let own = "+,*,lo(u) = 1/(1+exp(-u)),m(u, v) = lo(u)*v + lo(v)*u";
    settings.set("operators", own).unwrap();
    let valid = settings.clone().validate();
    assert!(valid.is_ok(), "{:?}", valid.err());
    settings.set("max_positions", "none").unwrap();
    assert!(settings.validate().unwrap_err().to_string().contains("written out"));
}
