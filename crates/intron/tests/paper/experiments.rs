//! Section 4.1: the experimental setup, tables 1 and 2.

use crate::runs::{dataset, made_up_data, watch};
use crate::tables;
use intron::{
    ConstantSource, Event, Fitness, Instructions, LinearScaling, Linkage, Meaning, Multistart,
    Objective, Operator, Seed, Settings, Solution, Template, WhenSolved, hold_out,
};
use std::path::Path;

#[test]
fn section_4_1_r2_is_one_minus_error_over_variance() {
    let y = [1.0, 2.0, 3.0, 6.0];
    let objective = |scaling| Objective::new(&y, None, scaling, Instructions::Detected);
    let unscaled = objective(LinearScaling::Off);
    // The variance is 14 / 4, the mean squared error (1 + 0 + 0 + 9) / 4.
    assert_eq!(unscaled.fitness(&[2.0, 2.0, 3.0, 3.0]).r2(), 1.0 - 10.0 / 14.0);
    assert_eq!(unscaled.fitness(&[3.0; 4]).r2(), 0.0);
    let scaled = objective(LinearScaling::On);
    assert_eq!(scaled.fitness(&[7.25; 4]).r2(), 0.0);
    assert_eq!(scaled.fitness(&y.map(|y| 5.0 - 4.0 * y)).r2(), 1.0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for objective in [&scaled, &unscaled] {
            let fitness = objective.fitness(&[1.0, bad, 2.0, 3.0]);
            assert_eq!(fitness, Fitness::INVALID);
            assert!(!fitness.is_worse_than(Fitness::INVALID) && !fitness.is_valid());
            assert!(fitness.is_worse_than(Fitness::from_nmse(1e300)));
        }
    }
}

#[test]
fn section_4_1_a_quarter_of_the_instances_is_held_out() {
    let data = tables::read(&tables::folder().join("concrete.csv"));
    let split = hold_out(&data, 0.25, Seed(1)).unwrap();
    assert_eq!((split.train.len(), split.test.len()), (772, 258));
    let mut all = [split.train.clone(), split.test.clone()].concat();
    all.sort_unstable();
    assert_eq!(all, (0..1030).collect::<Vec<_>>());
    let again = hold_out(&data, 0.25, Seed(1)).unwrap();
    assert!(split == again && split != hold_out(&data, 0.25, Seed(2)).unwrap());
}

/// The initial genomes of every population that a run starts.
fn initial_populations(linkage: &str) -> Vec<Vec<Solution>> {
    let mut populations = Vec::new();
    // With a factor of 1 every generation belongs to a new population, as long as none is retired.
    let pairs = [("linkage", linkage), ("ims.factor", "1"), ("generations", "6"), ("seed", "3")];
    watch(&made_up_data(20), &pairs, |event| {
        if let Event::PopulationStarted { solutions, .. } = event {
            populations.push(solutions.to_vec());
        }
    });
    populations
}

#[test]
fn section_4_1_measures_share_initial_populations() {
    let expected = initial_populations("random");
    for linkage in Linkage::names() {
        let populations = initial_populations(linkage);
        let n_shared = populations.len().min(expected.len());
        assert!(n_shared >= 3, "{linkage} starts {} populations", populations.len());
        assert_eq!(populations[..n_shared], expected[..n_shared], "{linkage}");
    }
    let sizes: Vec<usize> = expected.iter().take(3).map(Vec::len).collect();
    assert_eq!(sizes, [64, 128, 256]);
    assert_ne!(expected[1][..32], expected[0][..32], "every population has solutions of its own");
}

/// The initial solutions of one large population on these targets.
fn initial_solutions(features: Vec<Vec<f64>>, target: &[f64]) -> Vec<Solution> {
    let mut solutions = Vec::new();
    let pairs = [("population", "1000"), ("generations", "1"), ("height", "3")];
    watch(&dataset(features, target.to_vec()), &pairs, |event| {
        if let Event::PopulationStarted { solutions: initial, .. } = event {
            solutions = initial.to_vec();
        }
    });
    solutions
}

#[test]
fn section_4_1_constants_lie_between_smallest_and_largest_target() {
    let solutions = initial_solutions(vec![vec![100.0, 200.0, 300.0]], &[-3.0, 5.0, 1.0]);
    let every = Template::full(3, 2).unwrap().all_positions();
    let constants: Vec<f64> =
        solutions.iter().flat_map(|solution| solution.genome.constants(every)).collect();
    let n = constants.len() as f64;
    assert!(constants.iter().all(|constant| (-3.0..=5.0).contains(constant)));
    let share_below = |limit: f64| constants.iter().filter(|&&c| c < limit).count() as f64 / n;
    for (limit, share) in [(-2.0, 0.125), (1.0, 0.5), (4.0, 0.875)] {
        assert!((share_below(limit) - share).abs() < 0.05, "{limit}");
    }
}

#[test]
fn table_2_half_grown_and_half_full() {
    let features = (0..5).map(|k| vec![1.0, 2.0, f64::from(k)]).collect();
    let solutions = initial_solutions(features, &[1.0, 4.0, 2.0]);
    let is_operator =
        |solution: &Solution, position: usize| solution.genome.symbols()[position].arity() > 0;
    let share = |solutions: &[Solution], position: usize| {
        let n_operators = solutions.iter().filter(|s| is_operator(s, position)).count();
        n_operators as f64 / solutions.len() as f64
    };
    let (grown, full) = solutions.split_at(500);
    for position in 0..3 {
        assert_eq!(share(full, position), 1.0);
        // Five operators among five features, one constant and themselves.
        assert!((share(grown, position) - 5.0 / 11.0).abs() < 0.1);
    }
    assert!(solutions.iter().all(|solution| (3..7).all(|leaf| !is_operator(solution, leaf))));
    let is_constant =
        |s: &&Solution| matches!(s.genome.symbols()[3].meaning(), Meaning::Constant(_));
    let n_constants = solutions.iter().filter(is_constant).count();
    assert!((n_constants as f64 / 1000.0 - 1.0 / 6.0).abs() < 0.06, "{n_constants}");
}

#[test]
fn table_2_defaults_are_the_setup_of_the_experiments() {
    let settings = Settings::default();
    assert_eq!(settings.operators, Operator::parse_set("+,-,*,/,sin").unwrap());
    assert_eq!(settings.constants, ConstantSource::Target);
    assert_eq!((settings.height, settings.arity, settings.bins), (5, 2, 25));
    assert_eq!(settings.linear_scaling, LinearScaling::On);
    assert_eq!(settings.linkage.label(), "Node");
    let Multistart { start, n_subgenerations, max_populations, .. } = settings.multistart;
    assert_eq!((start, n_subgenerations, max_populations), (64, 10, 25));
    assert_eq!(settings.limits.evaluations, None);
    assert_eq!(settings.limits.when_solved, WhenSolved::Stop);
}

/// Name, number of instances, number of features; smallest and largest target as the sources state them.
const TABLE_1: [(&str, usize, usize, f64, f64); 5] = [
    ("airfoil", 1503, 5, 103.38, 140.987),
    ("bike", 731, 12, 22.0, 8714.0),
    ("concrete", 1030, 8, 2.33, 82.6),
    ("dowchemical", 1066, 57, 2.277, 4.743),
    ("tower", 4999, 25, 51.178, 535.005),
];

#[test]
fn table_1_dataset_shapes() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let mut n_checked = 0;
    for (name, n_rows, n_features, smallest, largest) in TABLE_1 {
        let file = format!("{name}.csv");
        let (own, other) = (tables::folder().join(&file), beside.join(&file));
        let files = [own, other];
        let found: Vec<_> =
            files.iter().filter(|path| path.exists()).map(|path| tables::read(path)).collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{name}: the copies differ");
        let Some(data) = found.first() else { continue };
        assert_eq!((data.n_rows(), data.features().len()), (n_rows, n_features), "{name}");
        let target = data.target().iter().copied();
        let range = [target.clone().reduce(f64::min), target.reduce(f64::max)];
        for (found, stated) in range.into_iter().flatten().zip([smallest, largest]) {
            assert!((found - stated).abs() < 1e-3, "{name}: {found}");
        }
        n_checked += 1;
    }
    assert!(n_checked >= 3, "the repository holds airfoil, bike and concrete");
    if n_checked < TABLE_1.len() {
        skipped("dowchemical and tower may not be shipped, and are not beside the repository");
    }
}

#[allow(clippy::print_stderr, reason = "a test that checks less than it could says so")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}
