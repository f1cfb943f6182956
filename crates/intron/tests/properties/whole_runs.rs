//! Laws of whole runs: mixing never worsens, text reads back, and only the content of the rows counts.

use crate::cases;
use crate::runs::{dataset, front, made_up_data, run, watch};
use intron::{
    Dataset, Event, FeatureNames, Formula, Genome, Linkage, Operator, Seed, Solution, StreamName,
    Symbol, Template, TrainingRows, predict, score,
};
use proptest::prelude::*;

fn any_linkage() -> impl Strategy<Value = &'static str> {
    prop::sample::select(Linkage::names().collect::<Vec<_>>())
}

fn any_operators() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "small",
        "large",
        "+,-,pow,min,max,aq",
        "+,inv,cube,plog,psqrt,pdiv,tanh",
    ])
}

/// Whole-number columns, so that rows repeat and values tie.
fn any_rows() -> impl Strategy<Value = Vec<[i8; 4]>> {
    let row = [-3..4_i8, 0..3_i8, -9..9_i8, 1..4_i8];
    prop::collection::vec(row, 5..25)
}

/// Two features and a target; the fourth number of a row is its weight, used or not.
fn data_of(rows: &[[i8; 4]], is_weighted: bool) -> Dataset {
    let column = |k: usize| -> Vec<f64> { rows.iter().map(|row| f64::from(row[k])).collect() };
    let target = rows.iter().map(|row| f64::from(row[2]) + 0.25 * f64::from(row[1])).collect();
    let weights = is_weighted.then(|| column(3));
    Dataset::new(vec!["a".into(), "b".into()], vec![column(0), column(1)], target, weights)
        .expect("sound data")
}

fn is_constant(data: &Dataset) -> bool {
    data.target().iter().all(|&y| y == data.target()[0])
}

fn bits(values: &[f64]) -> Vec<u64> {
    let bits = |value: &f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    values.iter().map(bits).collect()
}

fn check_round_trip(formula: &Formula, data: &Dataset) -> Result<(), TestCaseError> {
    let names = FeatureNames::new(data.names());
    let text = formula.to_text(&names);
    let again = Formula::parse(&text, &names);
    prop_assert!(again.is_ok(), "{text}: {again:?}");
    let values = |formula: &Formula| bits(&predict(formula, data.features(), data.n_rows()));
    prop_assert_eq!(values(formula), values(&again.unwrap()), "{}", text);
    Ok(())
}

/// The bits of the error of a formula, from its text alone.
fn printed_error(formula: &Formula, data: &Dataset) -> u64 {
    let names = FeatureNames::new(data.names());
    let formula = Formula::parse(&formula.to_text(&names), &names).expect("its own text");
    let rows = TrainingRows::new(data).expect("data to learn from");
    let predictions = predict(&formula, rows.dataset().features(), rows.dataset().n_rows());
    score(rows.dataset(), &predictions).fitness.nmse().to_bits()
}

fn draw_formula(height: usize, seed: u64) -> Formula {
    let mut stream = Seed(seed).stream(StreamName::Split);
    let operators: Vec<Operator> = Operator::all().collect();
    let template = Template::full(height, 2).unwrap();
    let constants = [0.0, -0.0, 1.0, -1.0, 2.5e-310, 1e300, -0.1, 3.0];
    let mut symbol = |is_leaf: bool| match stream.below(6) {
        0..4 if !is_leaf => Symbol::operator(operators[stream.below(operators.len())]),
        0 | 4 => Symbol::constant(constants[stream.below(constants.len())]),
        1 => Symbol::constant(20.0 * stream.unit() - 10.0),
        _ => Symbol::feature(stream.below(3) as u32),
    };
    let symbols = (0..template.n_positions()).map(|p| symbol(template.is_leaf(p))).collect();
    let solution = Solution::unevaluated(Genome::new(symbols, &template), &template);
    solution.genome.to_formula(solution.active, &template)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn mixing_never_worsens_any_solution(
        linkage in any_linkage(),
        operators in any_operators(),
        scaling in prop::sample::select(vec!["on", "off"]),
        forced in prop::sample::select(vec!["on", "off"]),
        seed in any::<u32>(),
    ) {
        let seed = seed.to_string();
        let pairs = [
            ("linkage", linkage),
            ("operators", operators),
            ("linear_scaling", scaling),
            ("forced_improvement", forced),
            ("seed", &seed),
            ("height", "4"),
            ("population", "20"),
            ("generations", "6"),
        ];
        let mut before: Vec<Solution> = Vec::new();
        let mut n_worse = 0;
        watch(&made_up_data(20), &pairs, |event| {
            if let Event::PopulationStarted { solutions, .. }
            | Event::GenerationFinished { solutions, .. } = event
            {
                let pairs = solutions.iter().zip(&before);
                n_worse += pairs.filter(|(new, old)| new.fitness.is_worse_than(old.fitness)).count();
                before = solutions.to_vec();
            }
        });
        prop_assert_eq!(n_worse, 0);
        prop_assert_eq!(before.len(), 20);
    }

    #[test]
    fn formulas_of_runs_read_back_to_the_same_bits_and_score(
        operators in any_operators(),
        scaling in prop::sample::select(vec!["on", "off"]),
        seed in any::<u32>(),
    ) {
        let data = made_up_data(25);
        let seed = seed.to_string();
        let pairs = [("operators", operators), ("linear_scaling", scaling), ("seed", &seed)];
        let outcome = run(&data, &[&pairs[..], &[("evaluations", "3000")]].concat());
        for model in &outcome.front {
            check_round_trip(&model.formula, &data)?;
            prop_assert_eq!(printed_error(&model.formula, &data), model.fitness.nmse().to_bits());
        }
    }

    #[test]
    fn only_the_content_of_the_rows_counts(
        rows in any_rows(),
        scaling in prop::sample::select(vec!["on", "off"]),
        seed in any::<u32>(),
    ) {
        let plain = data_of(&rows, false);
        prop_assume!(!is_constant(&plain));
        let seed_text = seed.to_string();
        let pairs = [
            ("seed", seed_text.as_str()),
            ("linear_scaling", scaling),
            ("height", "4"),
            ("evaluations", "3000"),
        ];
        let found = |data: &Dataset| front(data, &run(data, &pairs));
        let mut shuffled = rows.clone();
        Seed(u64::from(seed)).stream(StreamName::Split).shuffle(&mut shuffled);
        prop_assert_eq!(found(&plain), found(&data_of(&shuffled, false)));
        let repeat = |row: &[i8; 4]| vec![*row; row[3] as usize];
        let repeated: Vec<[i8; 4]> = shuffled.iter().flat_map(repeat).collect();
        let weighted = found(&data_of(&rows, true));
        prop_assert_eq!(&weighted, &found(&data_of(&repeated, false)));
        let with_nothing: Vec<[i8; 4]> =
            rows.iter().flat_map(|row| [*row, [99, 7, 120, 0]]).collect();
        prop_assert_eq!(&weighted, &found(&data_of(&with_nothing, true)));
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn any_formula_reads_back_to_the_same_bits(height in 1..=5_usize, seed in any::<u64>()) {
        let columns = vec![vec![0.0, -0.0, 1.5, -2.0, 1e200], vec![-1.0, 3.0, 0.0, 0.5, 7.0], vec![2.0; 5]];
        let data = dataset(columns, vec![1.0, 2.0, 3.0, 4.0, 5.0]);
        check_round_trip(&draw_formula(height, seed), &data)?;
    }
}
