//! Complexity measures, and several different formulas of each size.

use crate::runs::{Pairs, front, generations, made_up_data, run, settings, start};
use intron::{
    Checkpoint, Complexity, ComplexityMeasure, Compositions, FeatureNames, Interrupt, Outcome, Run,
    Silent, is_same_on, predict,
};

const MEASURES: [&str; 5] = ["size", "cost", "depth", "constants", "recursive"];

/// Listed alternatives as text, with their errors to the last bit.
fn alternatives(outcome: &Outcome) -> Vec<(usize, u64, String)> {
    let names = FeatureNames::new(made_up_data(10).names());
    let line = |(model, _): &(intron::Model, intron::Candidate)| {
        (model.complexity, model.fitness.nmse().to_bits(), model.formula.to_text(&names))
    };
    outcome.alternatives.iter().map(line).collect()
}

#[test]
fn every_complexity_gives_a_front_of_its_own() {
    let data = made_up_data(60);
    for (name, measure) in ComplexityMeasure::TABLE {
        let mut pairs = vec![("evaluations", "20000"), ("linear_scaling", "off")];
        pairs.push(("complexity", name));
        let is_cost = measure == ComplexityMeasure::Cost;
        if is_cost {
            pairs.push(("costs", "*:3,feature:2"));
        }
        let outcome = run(&data, &pairs);
        let own = Compositions::default();
        let costs = [("*".to_owned(), 3), ("feature".to_owned(), 2)];
        let complexity =
            Complexity::new(measure, if is_cost { &costs } else { &[] }, &own).unwrap();
        // A formula without constants may be the best of all.
        let least = if measure == ComplexityMeasure::Constants { 1 } else { 2 };
        assert!(outcome.front.len() >= least, "{name}");
        for model in &outcome.front {
            let root = model.formula.size() - 1;
            assert_eq!(model.complexity, complexity.of_formula(&model.formula, root), "{name}");
            assert_eq!(model.size, model.formula.size(), "{name}");
        }
        for pair in outcome.front.windows(2) {
            assert!(pair[0].complexity < pair[1].complexity, "{name}");
            assert!(pair[1].fitness.is_better_than(pair[0].fitness), "{name}");
        }
    }
}

#[test]
fn the_complexity_and_the_number_per_size_leave_the_search_as_it_is() {
    let data = made_up_data(60);
    let base = [("population", "32"), ("generations", "4")];
    let (expected, plain) = generations(&data, &base);
    for more in [("complexity", "recursive"), ("complexity", "depth"), ("per_size", "4")] {
        let (populations, outcome) = generations(&data, &[base[0], base[1], more]);
        assert_eq!(populations, expected, "{more:?}");
        assert_eq!(outcome.n_evaluations, plain.n_evaluations, "{more:?}");
        // Of formulas that are equal but for rounding, each front has the one that it met first.
        let best = |outcome: &Outcome| outcome.front.last().unwrap().fitness.nmse();
        assert!((best(&outcome) / best(&plain) - 1.0).abs() < 1e-9, "{more:?}");
    }
}

#[test]
fn several_formulas_of_a_size_are_different_and_the_front_stays() {
    let data = made_up_data(60);
    let base = [("evaluations", "30000"), ("seed", "3")];
    let plain = run(&data, &base);
    let outcome = run(&data, &[base[0], base[1], ("per_size", "3")]);
    assert_eq!(front(&data, &outcome), front(&data, &plain));
    assert!(plain.alternatives.is_empty());
    assert_eq!(outcome.chosen, plain.chosen);
    let listed = outcome.listed();
    assert!(listed.len() > 2 * outcome.front.len(), "{} are few", listed.len());
    assert_eq!(listed.iter().filter(|listed| listed.is_chosen).count(), 1);
    for group in listed.chunk_by(|a, b| a.model.complexity == b.model.complexity) {
        assert!(group.len() <= 3);
        for (k, listed) in group.iter().enumerate() {
            assert_eq!(listed.rank, k + 1);
            assert!(!listed.model.fitness.is_better_than(group[0].model.fitness));
            let outputs = |k: usize| predict(&group[k].model.formula, data.features(), 60);
            for other in 0..k {
                let (a, b) = (&group[k].model.formula, &group[other].model.formula);
                assert!(!is_same_on(a, b, data.features(), 60, 1e-7));
                assert_ne!(outputs(k), outputs(other));
            }
        }
    }
}

#[test]
fn alternatives_are_polished_and_the_same_for_any_number_of_threads() {
    let data = made_up_data(60);
    let pairs: Pairs<'_> = &[
        ("evaluations", "6000"),
        ("per_size", "3"),
        ("constants.tuning", "0.3"),
        ("polish", "on"),
        ("simplify", "on"),
    ];
    let one = run(&data, pairs);
    let two = run(&data, &[pairs, &[("threads", "2")]].concat());
    assert!(!one.alternatives.is_empty());
    assert_eq!(alternatives(&one), alternatives(&two));
    for (model, candidate) in &one.alternatives {
        assert!(one.front.iter().any(|best| best.complexity == model.complexity));
        assert!(candidate.bic.is_finite() && candidate.complexity == model.complexity);
    }
}

#[test]
fn fronts_of_any_kind_go_on_from_a_checkpoint() {
    let data = made_up_data(40);
    for measure in MEASURES {
        let pairs: Pairs<'_> = &[
            ("evaluations", "9000"),
            ("ims.start", "16"),
            ("complexity", measure),
            ("per_size", "3"),
        ];
        let expected = run(&data, pairs);
        let mut first = start(&data, pairs);
        (0..6).for_each(|_| assert_eq!(first.step(&mut Silent), None));
        let text = first.checkpoint().to_text();
        let checkpoint = Checkpoint::from_text(&text).unwrap();
        let run = Run::resume(&data, &settings(pairs), &checkpoint, Interrupt::default());
        let outcome = run.unwrap().finish(&mut Silent);
        assert_eq!(front(&data, &outcome), front(&data, &expected), "{measure}");
        assert_eq!(alternatives(&outcome), alternatives(&expected), "{measure}");
        assert_eq!(outcome.n_evaluations, expected.n_evaluations);
    }
}
