//! Laws of linkage: trees against obvious clustering in exact fractions, measures against obvious counting.

use crate::cases;
use intron::{
    Alphabet, Binning, ConstantRange, FamilyOfSubsets, Halt, Initialization, LinkageMeasure,
    Meaning, MeasureContext, Operator, PositionSet, Seed, SimilarityMatrix, Solution, Stream,
    StreamName, Template, initialize, linkage_tree,
};
use proptest::prelude::*;
use std::collections::HashMap;

fn stream(seed: u64) -> Stream {
    Seed(seed).stream(StreamName::Linkage { population: 0, generation: 0 })
}

/// A symmetric matrix of whole numbers; few different ones give many ties.
fn draw_matrix(n: usize, n_values: usize, seed: u64) -> Vec<Vec<i64>> {
    let mut stream = stream(seed);
    let mut draw = || stream.below(n_values) as i64 - n_values as i64 / 2;
    let lower: Vec<Vec<i64>> = (0..n).map(|i| (0..=i).map(|_| draw()).collect()).collect();
    (0..n).map(|i| (0..n).map(|j| lower[i.max(j)][i.min(j)]).collect()).collect()
}

fn members(set: PositionSet) -> impl Iterator<Item = usize> {
    (0..128).filter(move |position| set >> position & 1 == 1)
}

/// Sum of similarities between two clusters, and over how many pairs.
fn average(matrix: &[Vec<i64>], a: PositionSet, b: PositionSet) -> (i128, i128) {
    let pairs = members(a).flat_map(|i| members(b).map(move |j| (i, j)));
    let values: Vec<i128> = pairs.map(|(i, j)| i128::from(matrix[i][j])).collect();
    (values.iter().sum(), values.len() as i128)
}

fn is_less(a: (i128, i128), b: (i128, i128)) -> bool {
    a.0 * b.1 < b.0 * a.1
}

/// Checks that every union is made of two clusters that are left, and that no others are more similar.
fn check_merges(matrix: &[Vec<i64>], unions: &[PositionSet]) -> Result<(), TestCaseError> {
    let mut clusters: Vec<PositionSet> = (0..matrix.len()).map(|position| 1 << position).collect();
    for &union in unions {
        let parts: Vec<PositionSet> =
            clusters.iter().copied().filter(|cluster| cluster & union != 0).collect();
        let &[a, b] = &parts[..] else {
            return Err(TestCaseError::fail(format!("{union:b} is made of {parts:?}")));
        };
        prop_assert_eq!(a | b, union);
        let merged = average(matrix, a, b);
        for (k, &c) in clusters.iter().enumerate() {
            for &d in &clusters[..k] {
                prop_assert!(!is_less(merged, average(matrix, c, d)), "{a:b} {b:b} {c:b} {d:b}");
            }
        }
        clusters.retain(|cluster| cluster & union == 0);
        clusters.push(union);
    }
    prop_assert_eq!(clusters.len(), 1);
    Ok(())
}

fn check_family(family: &FamilyOfSubsets, n: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(family.len(), 2 * n - 2);
    let sets: Vec<PositionSet> = family.subsets().iter().map(|subset| subset.set).collect();
    for (k, &a) in sets.iter().enumerate() {
        prop_assert!(a != 0 && a != (1 << n) - 1);
        let listed: Vec<usize> =
            family.subsets()[k].positions.iter().map(|&position| usize::from(position)).collect();
        prop_assert_eq!(listed, members(a).collect::<Vec<_>>());
        for &b in &sets[..k] {
            let common = a & b;
            prop_assert!(a != b && (common == 0 || common == a || common == b), "{a:b} {b:b}");
        }
    }
    prop_assert_eq!(sets.iter().filter(|set| set.count_ones() == 1).count(), n);
    Ok(())
}

/// Solutions with a few features and constants.
fn draw_population(height: usize, n_solutions: usize, seed: u64) -> (Template, Vec<Solution>) {
    let template = Template::full(height, 2).unwrap();
    let constants = Some(ConstantRange { low: -1.0, high: 1.0 });
    let alphabet = Alphabet::new(Operator::SMALL.to_vec(), 2, constants).unwrap();
    let init = Initialization::default();
    let population =
        initialize(n_solutions, init, &alphabet, &template, &mut stream(seed), &Halt::default());
    (template, population)
}

fn is_active(solution: &Solution, template: &Template, position: usize) -> bool {
    let Some(parent) = template.parent(position) else { return true };
    let argument = position - template.child(parent, 0);
    is_active(solution, template, parent) && argument < solution.genome.symbols()[parent].arity()
}

/// What stands at every position of every solution, as text.
fn labels(
    population: &[Solution],
    template: &Template,
    n_bins: usize,
    is_masked: bool,
) -> Vec<Vec<String>> {
    let is_shown = |s: &Solution, position: usize| !is_masked || is_active(s, template, position);
    let mut edges: Vec<f64> = Vec::new();
    for solution in population {
        for (position, symbol) in solution.genome.symbols().iter().enumerate() {
            if let Meaning::Constant(value) = symbol.meaning()
                && is_shown(solution, position)
                && edges.len() < n_bins
                && !edges.contains(&value)
            {
                edges.push(value);
            }
        }
    }
    edges.sort_by(f64::total_cmp);
    let label = |solution: &Solution, position: usize| {
        if !is_shown(solution, position) {
            return "intron".to_owned();
        }
        match solution.genome.symbols()[position].meaning() {
            Meaning::Constant(value) => {
                let edge = edges.iter().find(|&&edge| edge >= value).or(edges.last());
                format!("bin up to {edge:?}")
            }
            other => format!("{other:?}"),
        }
    };
    let all = |solution: &Solution| {
        (0..template.n_positions()).map(|position| label(solution, position)).collect()
    };
    population.iter().map(all).collect()
}

/// The entropy in bits of what stands at some positions together.
fn entropy(labels: &[Vec<String>], positions: &[usize]) -> f64 {
    let mut counts: HashMap<Vec<&str>, usize> = HashMap::new();
    for row in labels {
        *counts.entry(positions.iter().map(|&p| row[p].as_str()).collect()).or_insert(0) += 1;
    }
    let share = |count: usize| count as f64 / labels.len() as f64;
    counts.into_values().map(|count| -share(count) * share(count).log2()).sum()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_merge_is_one_of_the_most_similar_pairs(
        n in 2..24_usize,
        n_values in prop_oneof![Just(2_usize), Just(5), Just(1_000_000_000_000)],
        seed in any::<u64>(),
    ) {
        let matrix = draw_matrix(n, n_values, seed);
        let similarity = SimilarityMatrix::from_units(n, 1.0, |i, j| matrix[i][j]);
        let unions = linkage_tree(&similarity, &mut stream(seed ^ 1));
        prop_assert_eq!(unions.len(), n - 1);
        check_merges(&matrix, &unions)?;
    }

    #[test]
    fn a_linkage_tree_is_laminar_and_has_2n_minus_2_subsets(n in 2..=127_usize, seed in any::<u64>()) {
        let mut values = stream(seed);
        let similarity = SimilarityMatrix::from_pairs(n, |_, _| values.unit() - 0.5);
        check_family(&FamilyOfSubsets::linkage_tree(&similarity, &mut stream(seed)), n)?;
    }

    #[test]
    fn measures_equal_obvious_counting(
        height in 1..=4_usize,
        n_solutions in 1..40_usize,
        n_bins in prop_oneof![1..6_usize, Just(25_usize)],
        seed in any::<u64>(),
    ) {
        let (template, initial) = draw_population(height, n_solutions, seed);
        let (_, population) = draw_population(height, n_solutions, seed ^ 1);
        let bins = (n_bins, Binning::UpperEdge);
        let context = MeasureContext { template, bins, halt: Halt::default() };
        let measured = |measure: LinkageMeasure| {
            let mut measure = measure.build(&initial, &context);
            measure.estimate_similarity(&population, &context, &mut stream(0))
        };
        let labels = |solutions: &[Solution], is_masked: bool| {
            labels(solutions, &context.template, n_bins, is_masked)
        };
        let (before, plain, masked) =
            (labels(&initial, false), labels(&population, false), labels(&population, true));
        let [mi, adjusted, mi_masked] = [
            measured(LinkageMeasure::MutualInformation),
            measured(LinkageMeasure::AdjustedMutualInformation),
            measured(LinkageMeasure::MaskedMutualInformation),
        ];
        let factor = |numerator: f64, positions: &[usize]| match entropy(&before, positions) {
            initial if initial > 0.0 => numerator / initial,
            _ => 1.0,
        };
        for j in 0..context.template.n_positions() {
            for i in 0..j {
                let information = |labels: &[Vec<String>], [a, b, both]: [f64; 3]| {
                    a * entropy(labels, &[i]) + b * entropy(labels, &[j])
                        - both * entropy(labels, &[i, j])
                };
                let factors = [factor(1.0, &[i]), factor(1.0, &[j]), factor(2.0, &[i, j])];
                for (measured, expected) in [
                    (mi.value(i, j), information(&plain, [1.0; 3])),
                    (mi_masked.value(i, j), information(&masked, [1.0; 3])),
                    (adjusted.value(i, j), information(&plain, factors)),
                ] {
                    prop_assert!((measured - expected).abs() < 1e-10, "{measured} {expected}");
                }
            }
        }
    }
}
