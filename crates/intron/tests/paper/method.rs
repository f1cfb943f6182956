//! Section 3.1: figure 1 and algorithm 1.

use crate::runs::{Pairs, data_without_information, dataset, generations, made_up_data, settings};
use crate::tokens::{learn, solution};
use intron::{
    Dataset, Event, FeatureNames, Fitness, Linkage, Objective, Solution, StreamName, Symbol,
    Template, TrainingRows, positions_of, predict,
};

#[test]
fn figure_1_template_of_sine_plus_root() {
    let template = Template::full(3, 2).unwrap();
    let solution = solution(&template, &["+", "sin", "sqrt", "x0", "x2", "x1", "x3"]);
    assert_eq!(positions_of(solution.active).collect::<Vec<_>>(), [0, 1, 2, 3, 5]);
    let formula = solution.genome.to_formula(solution.active, &template);
    let names = ["x0", "x1", "x2", "x3"].map(String::from);
    assert_eq!(formula.to_text(&FeatureNames::new(&names)), "sin(x0) + sqrt(x1)");
    assert_eq!(formula.size(), 5);
}

#[test]
fn section_3_1_root_subset_is_discarded() {
    for (height, n_subsets) in [(2, 4), (3, 12), (5, 60), (7, 252)] {
        for linkage in ["random", "node", "cs"] {
            let (_, family) = learn(linkage, height, &[], &[]);
            let all = Template::full(height, 2).unwrap().all_positions();
            assert_eq!(family.len(), n_subsets, "{linkage}");
            assert!(family.subsets().iter().all(|subset| subset.set != all), "{linkage}");
            for position in positions_of(all) {
                assert!(family.subsets().iter().any(|subset| subset.set == 1 << position));
            }
        }
    }
}

/// Algorithm 1 as it is written, without a thought for speed.
struct AlgorithmOne {
    template: Template,
    rows: Dataset,
    objective: Objective,
    seed: intron::Seed,
}

impl AlgorithmOne {
    fn new(data: &Dataset, pairs: Pairs<'_>) -> AlgorithmOne {
        let valid = settings(pairs);
        let rows = TrainingRows::new(data).unwrap().dataset().clone();
        let knobs = valid.settings();
        let objective =
            Objective::new(rows.target(), rows.weights(), knobs.linear_scaling, knobs.instructions);
        AlgorithmOne { template: valid.template().clone(), rows, objective, seed: knobs.seed }
    }

    fn evaluate(&self, solution: &Solution) -> Fitness {
        let formula = solution.genome.to_formula(solution.active, &self.template);
        self.objective.fitness(&predict(&formula, self.rows.features(), self.rows.n_rows()))
    }

    fn inherit(&self, to: &Solution, from: &Solution, subset: intron::PositionSet) -> Solution {
        let mut symbols = to.genome.symbols().to_vec();
        for position in positions_of(subset) {
            symbols[position] = from.genome.symbols()[position];
        }
        Solution::unevaluated(intron::Genome::new(symbols, &self.template), &self.template)
    }

    /// The next population, and the number of evaluations that it took.
    fn next_generation(
        &self,
        parents: &[Solution],
        family: &intron::FamilyOfSubsets,
        generation: u64,
    ) -> (Vec<Solution>, u64) {
        let mut offspring = parents.to_vec();
        let mut n_evaluations = 0;
        for (i, child) in offspring.iter_mut().enumerate() {
            let name = StreamName::Mixing { population: 0, generation, solution: i as u64 };
            let mut stream = self.seed.stream(name);
            let mut order: Vec<usize> = (0..family.len()).collect();
            stream.shuffle(&mut order);
            for s in order {
                let others: Vec<usize> = (0..parents.len()).filter(|&j| j != i).collect();
                let donor = &parents[others[stream.below(others.len())]];
                let mut trial = self.inherit(child, donor, family.subsets()[s].set);
                if trial.has_same_active_part(child) {
                    trial.fitness = child.fitness;
                } else {
                    trial.fitness = self.evaluate(&trial);
                    n_evaluations += 1;
                    if trial.fitness.is_worse_than(child.fitness) {
                        continue;
                    }
                }
                *child = trial;
            }
        }
        (offspring, n_evaluations)
    }
}

/// Follows a run generation by generation and compares; returns how many generations it followed.
fn follow(data: &Dataset, pairs: Pairs<'_>) -> usize {
    let reference = AlgorithmOne::new(data, pairs);
    let mut expected: Option<(Vec<Solution>, u64)> = None;
    let mut population: Vec<Solution> = Vec::new();
    let mut evaluations_before = 0;
    let mut n_followed = 0;
    crate::runs::watch(data, pairs, |event| match event {
        Event::PopulationStarted { solutions, .. } => {
            for solution in *solutions {
                assert_eq!(solution.fitness, reference.evaluate(solution));
            }
            population = solutions.to_vec();
            evaluations_before = solutions.len() as u64;
        }
        Event::LinkageLearned { generation, family, .. } => {
            expected = Some(reference.next_generation(&population, family, *generation));
        }
        Event::GenerationFinished { solutions, n_evaluations, .. } => {
            let (offspring, n_expected) = expected.take().expect("linkage is learned before");
            assert_eq!(solutions, &offspring);
            assert_eq!(n_evaluations - evaluations_before, n_expected);
            population = offspring;
            evaluations_before = *n_evaluations;
            n_followed += 1;
        }
        _ => {}
    });
    n_followed
}

#[test]
fn algorithm_1_written_out_gives_the_same_populations_and_counts() {
    let data = made_up_data(20);
    for (linkage, seed) in Linkage::names().zip(["1", "2", "3", "4", "5", "6", "7", "8"]) {
        for scaling in ["on", "off"] {
            let pairs = [
                ("linkage", linkage),
                ("seed", seed),
                ("height", "3"),
                ("linear_scaling", scaling),
                ("population", "12"),
                ("generations", "4"),
                ("convergence", "identical"),
            ];
            assert!(follow(&data, &pairs) > 1, "{linkage}");
        }
    }
}

const ALWAYS_ACCEPTED: [(&str, &str); 5] = [
    ("operators", "+,*,sin"),
    ("constants.range", "1..2"),
    ("height", "3"),
    ("generations", "1"),
    ("linkage", "univariate"),
];

#[test]
fn algorithm_1_donor_is_never_the_solution_itself() {
    for seed in ["1", "2", "3", "4"] {
        let pairs = [&ALWAYS_ACCEPTED[..], &[("population", "5"), ("seed", seed)]].concat();
        let (populations, _) = generations(&data_without_information(), &pairs);
        let [before, after] = &populations[..] else { panic!("one generation was asked for") };
        for (i, child) in after.iter().enumerate() {
            for (position, symbol) in child.genome.symbols().iter().enumerate() {
                let others = before.iter().enumerate().filter(|&(j, _)| j != i);
                let mut symbols = others.map(|(_, other)| other.genome.symbols()[position]);
                assert!(symbols.any(|other| other == *symbol), "seed {seed}, solution {i}");
            }
        }
    }
}

#[test]
fn algorithm_1_equal_fitness_is_accepted() {
    // Of two solutions each is the other's only donor: if everything is accepted, they change places.
    for seed in ["1", "2", "3", "4"] {
        for linkage in ["univariate", "node", "random"] {
            let more = [("population", "2"), ("seed", seed), ("linkage", linkage)];
            let pairs = [&ALWAYS_ACCEPTED[..], &more].concat();
            let (populations, _) = generations(&data_without_information(), &pairs);
            let [before, after] = &populations[..] else { panic!("one generation was asked for") };
            assert!(!before[0].has_same_active_part(&before[1]), "seed {seed}");
            assert!(before.iter().all(|solution| solution.fitness.nmse() == 1.0));
            assert_eq!(after[0].genome, before[1].genome, "seed {seed}, {linkage}");
            assert_eq!(after[1].genome, before[0].genome, "seed {seed}, {linkage}");
        }
    }
}

/// Two solutions `sin(…)` whose second leaf is an intron, from the first seed that makes them differ only there.
fn solutions_that_differ_in_introns_only() -> (Vec<Vec<Solution>>, u64) {
    let data = dataset(vec![vec![1.0, 2.0, 3.0]], vec![1.0, 5.0, 2.0]);
    for seed in 0..100 {
        let seed = seed.to_string();
        let pairs = [
            ("operators", "sin"),
            ("height", "2"),
            ("init.grow", "0"),
            ("population", "2"),
            ("generations", "1"),
            ("seed", &seed),
        ];
        let (populations, outcome) = generations(&data, &pairs);
        let [a, b] = &populations[0][..] else { panic!("two solutions were asked for") };
        if a.has_same_active_part(b) && a.genome != b.genome {
            return (populations, outcome.n_evaluations);
        }
    }
    panic!("no seed makes such a population");
}

#[test]
fn algorithm_1_intron_changes_are_kept_and_cost_no_evaluation() {
    let (populations, n_evaluations) = solutions_that_differ_in_introns_only();
    let [before, after] = &populations[..] else { panic!("one generation was asked for") };
    assert_eq!(after[0].genome, before[1].genome);
    assert_eq!(after[1].genome, before[0].genome);
    assert_eq!(n_evaluations, 2, "the two initial ones");
}

#[test]
fn algorithm_1_a_population_of_identical_solutions_costs_no_evaluation() {
    let data = dataset(vec![vec![1.0, 2.0, 3.0]], vec![1.0, 5.0, 2.0]);
    let pairs = [
        ("operators", "sin"),
        ("constants.range", "off"),
        ("init.grow", "0"),
        ("height", "4"),
        ("population", "16"),
        ("generations", "7"),
        ("convergence", "no-improvement-nor-evaluation"),
    ];
    let (populations, outcome) = generations(&data, &pairs);
    let is_expected = |symbol: &Symbol, position: usize| {
        *symbol == crate::tokens::symbol(if position < 7 { "sin" } else { "x0" })
    };
    for solution in populations.iter().flatten() {
        assert!(solution.genome.symbols().iter().enumerate().all(|(p, s)| is_expected(s, p)));
    }
    assert_eq!(outcome.n_evaluations, 16);
}
