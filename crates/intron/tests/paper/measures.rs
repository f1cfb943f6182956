//! Section 3.2: the similarity measures, with the worked examples of figures 2 and 3.

use crate::runs::{made_up_data, watch};
use crate::tokens::{learn, solution, symbol};
use intron::{
    Alphabet, Binning, ConstantRange, Event, Genome, Halt, Initialization, LinkageMeasure,
    MeasureContext, Operator, Seed, SimilarityMatrix, Solution, Stream, StreamName, Template,
    initialize, positions_of,
};

/// The population of figure 2.
const FIGURE_2: [[&str; 3]; 4] =
    [["sin", "x0", "x1"], ["x0", "x1", "x0"], ["sin", "x1", "x0"], ["+", "x0", "x1"]];

fn population<const N: usize>(height: usize, rows: &[[&str; N]]) -> Vec<Solution> {
    let template = Template::full(height, 2).unwrap();
    rows.iter().map(|row| solution(&template, row)).collect()
}

fn assert_pairs(similarity: &SimilarityMatrix, expected: [f64; 3]) {
    for ((i, j), expected) in [(0, 1), (0, 2), (1, 2)].into_iter().zip(expected) {
        assert!((similarity.value(i, j) - expected).abs() < 5e-5, "{i} {j}");
        assert_eq!(similarity.value(i, j), similarity.value(j, i));
    }
}

fn unions(family: &intron::FamilyOfSubsets) -> Vec<u128> {
    family.subsets().iter().map(|subset| subset.set).filter(|set| set.count_ones() > 1).collect()
}

#[test]
fn equation_1_mutual_information_of_figure_2() {
    let solutions = population(2, &FIGURE_2);
    assert_pairs(&learn("mi", 2, &solutions, &solutions).0, [0.5, 0.5, 1.0]);
    let later = [["sin", "x0", "x1"], ["sin", "x0", "x0"], ["sin", "x1", "x0"], ["+", "x0", "x1"]];
    let later = population(2, &later);
    assert_pairs(&learn("mi", 2, &solutions, &later).0, [0.1226, 0.3113, 0.3113]);
}

#[test]
fn section_3_2_1_random_similarity_is_uniform_and_fresh() {
    let mut matrices = Vec::new();
    let pairs = [("linkage", "random"), ("population", "64"), ("generations", "3")];
    watch(&made_up_data(10), &pairs, |event| {
        if let Event::LinkageLearned { similarity, .. } = event {
            matrices.push(similarity.expect("random has similarities").clone());
        }
    });
    let values = |matrix: &SimilarityMatrix| -> Vec<f64> {
        (0..31).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| matrix.value(i, j)).collect()
    };
    for (k, matrix) in matrices.iter().enumerate() {
        let values = values(matrix);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!(values.iter().all(|value| (0.0..1.0).contains(value)));
        assert!((mean - 0.5).abs() < 0.07, "{mean}");
        assert!(matrices[..k].iter().all(|earlier| earlier != matrix));
    }
    assert_eq!(matrices.len(), 3);
}

#[test]
fn section_3_2_1_adjusted_mi_of_figure_2() {
    let initial = population(2, &FIGURE_2);
    assert_pairs(&learn("mi-adjusted", 2, &initial, &initial).0, [0.0, 0.0, 0.0]);
    let later = [["sin", "x0", "x1"], ["sin", "x0", "x0"], ["sin", "x1", "x0"], ["+", "x0", "x1"]];
    let later = population(2, &later);
    assert_pairs(&learn("mi-adjusted", 2, &initial, &later).0, [-0.1479, 0.0409, -1.1887]);
}

/// How many pairs are linked at all, by population and generation.
fn n_linked_pairs(linkage: &str) -> Vec<(usize, u64, usize)> {
    let pairs = [
        ("linkage", linkage),
        ("height", "4"),
        ("ims.factor", "2"),
        ("generations", "12"),
        ("convergence", "identical"),
    ];
    let mut counts = Vec::new();
    watch(&made_up_data(30), &pairs, |event| {
        if let Event::LinkageLearned { population, generation, similarity, .. } = event {
            let similarity = similarity.expect("a measure has similarities");
            let all = (0..15).flat_map(|j| (0..j).map(move |i| (i, j)));
            let n_linked = all.filter(|&(i, j)| similarity.value(i, j) != 0.0).count();
            counts.push((*population, *generation, n_linked));
        }
    });
    counts
}

#[test]
fn section_3_2_1_adjusted_mi_is_zero_at_generation_0() {
    let first: Vec<_> =
        n_linked_pairs("mi-adjusted").into_iter().filter(|count| count.1 == 0).collect();
    assert!(first.len() >= 2, "several populations have a generation 0");
    assert!(first.iter().all(|count| count.2 == 0), "{first:?}");
    assert!(n_linked_pairs("mi").iter().all(|count| count.2 > 90));
}

#[test]
fn section_3_2_1_adjusted_mi_is_not_zero_later_when_positions_depend() {
    let later: Vec<_> =
        n_linked_pairs("mi-adjusted").into_iter().filter(|count| count.1 > 0).collect();
    assert!(later.len() >= 6);
    assert!(later.iter().all(|count| count.2 > 90), "{later:?}");
}

#[test]
fn figure_2_masking_changes_the_linkage_tree() {
    let solutions = population(2, &FIGURE_2);
    let (similarity, family) = learn("mi-masked", 2, &solutions, &solutions);
    assert_pairs(&similarity, [1.0, 0.8113, 0.3113]);
    assert_eq!(unions(&family), [0b011]);
    let (_, family) = learn("mi", 2, &solutions, &solutions);
    assert_eq!(unions(&family), [0b110]);
}

fn stream(number: u64) -> Stream {
    Seed(number).stream(StreamName::Initialization { population: 0 })
}

/// Random solutions, and others that differ from them in every intron and nowhere else.
fn populations_that_differ_in_introns_only() -> (Vec<Solution>, Vec<Solution>) {
    let template = Template::full(4, 2).unwrap();
    let constants = Some(ConstantRange { low: -1.0, high: 1.0 });
    let alphabet = Alphabet::new(Operator::SMALL.to_vec(), 3, constants).unwrap();
    let draw = |n| {
        initialize(
            200,
            Initialization::default(),
            &alphabet,
            &template,
            &mut stream(n),
            &Halt::default(),
        )
    };
    let (solutions, noise) = (draw(1), draw(2));
    let renewed = solutions.iter().zip(&noise).map(|(solution, noise)| {
        let mut symbols = noise.genome.symbols().to_vec();
        for position in positions_of(solution.active) {
            symbols[position] = solution.genome.symbols()[position];
        }
        Solution::unevaluated(Genome::new(symbols, &template), &template)
    });
    let renewed = renewed.collect();
    (solutions, renewed)
}

#[test]
fn section_3_2_2_intron_values_do_not_matter() {
    let (solutions, renewed) = populations_that_differ_in_introns_only();
    let masked = |population: &[Solution]| learn("mi-masked", 4, population, population).0;
    let plain = |population: &[Solution]| learn("mi", 4, population, population).0;
    assert_eq!(masked(&solutions), masked(&renewed));
    assert_ne!(plain(&solutions), plain(&renewed));
}

const FIGURE_3_DISTANCES: [[u32; 7]; 7] = [
    [0, 1, 1, 2, 2, 2, 2],
    [1, 0, 2, 1, 1, 3, 3],
    [1, 2, 0, 3, 3, 1, 1],
    [2, 1, 3, 0, 2, 4, 4],
    [2, 1, 3, 2, 0, 4, 4],
    [2, 3, 1, 4, 4, 0, 2],
    [2, 3, 1, 4, 4, 2, 0],
];

const FIGURE_3_COMMON_SUBFUNCTIONS: [[u32; 7]; 7] = [
    [1, 1, 1, 1, 1, 1, 1],
    [1, 2, 1, 2, 2, 1, 1],
    [1, 1, 2, 1, 1, 2, 2],
    [1, 2, 1, 3, 2, 1, 1],
    [1, 2, 1, 2, 3, 1, 1],
    [1, 1, 2, 1, 1, 3, 2],
    [1, 1, 2, 1, 1, 2, 3],
];

#[test]
fn figure_3_common_subfunction_count() {
    let (similarity, _) = learn("cs", 3, &[], &[]);
    for (i, row) in FIGURE_3_COMMON_SUBFUNCTIONS.iter().enumerate() {
        for (j, &count) in row.iter().enumerate() {
            assert_eq!(similarity.value(i, j), f64::from(count), "{i} {j}");
        }
    }
}

#[test]
fn figure_3_node_proximity() {
    let template = Template::full(3, 2).unwrap();
    let (similarity, _) = learn("node", 3, &[], &[]);
    for (i, row) in FIGURE_3_DISTANCES.iter().enumerate() {
        for (j, &distance) in row.iter().enumerate() {
            assert_eq!(template.distance(i, j), distance as usize, "{i} {j}");
            let proximity = f64::from(5 - distance) / 5.0;
            assert!((similarity.value(i, j) - proximity).abs() < 1e-15, "{i} {j}");
        }
    }
}

#[test]
fn equation_4_divides_by_one_more_than_the_largest_distance() {
    for (height, divisor) in [(3, 5.0), (5, 9.0), (7, 13.0)] {
        let (similarity, _) = learn("node", height, &[], &[]);
        let last = similarity.n_positions() - 1;
        let first_leaf = last / 2;
        assert_eq!(similarity.value(0, 1), (divisor - 1.0) / divisor);
        assert_eq!(similarity.value(1, 2), (divisor - 2.0) / divisor);
        assert_eq!(similarity.value(first_leaf, last), 1.0 / divisor);
        assert_eq!(similarity.value(last, last), 1.0);
    }
}

/// Solutions with these constants in one place, and in two others features that show their bins and tell them apart.
fn solutions_with_constants(constants: &[f64], bins: &[usize]) -> Vec<Solution> {
    let template = Template::full(3, 2).unwrap();
    let rows = constants.iter().zip(bins).enumerate().map(|(index, (constant, bin))| {
        let tokens = ["+", "+", "+", &constant.to_string(), &format!("x{bin}"), "x0", "x0"];
        let mut symbols: Vec<_> = tokens.iter().map(|token| symbol(token)).collect();
        symbols[5] = symbol(&format!("x{index}"));
        Solution::unevaluated(Genome::new(symbols, &template), &template)
    });
    rows.collect()
}

/// Whether the constants fall into just these bins: both share all their information.
fn has_bins(constants: &[f64], bins: &[usize], n_bins: usize, binning: Binning) -> bool {
    let solutions = solutions_with_constants(constants, bins);
    let template = Template::full(3, 2).unwrap();
    let context = MeasureContext { template, bins: (n_bins, binning), halt: Halt::default() };
    let mut measure = LinkageMeasure::MutualInformation.build(&solutions, &context);
    let similarity = measure.estimate_similarity(&solutions, &context, &mut stream(0));
    let [shared, entropy, expected] = [(3, 4), (3, 5), (4, 5)].map(|(i, j)| similarity.value(i, j));
    (shared - entropy).abs() < 1e-9 && (shared - expected).abs() < 1e-9
}

#[test]
fn section_4_1_constants_fall_into_bins_of_the_first_distinct_ones() {
    let constants = [5.0, 1.0, 3.0, 1.0, 2.0, 9.0, 0.0];
    let (edges, nearest) = ([2, 0, 1, 0, 1, 2, 0], [2, 0, 1, 0, 0, 2, 0]);
    assert!(has_bins(&constants, &edges, 3, Binning::UpperEdge));
    assert!(!has_bins(&constants, &edges, 3, Binning::Nearest));
    assert!(has_bins(&constants, &nearest, 3, Binning::Nearest));
    assert!(!has_bins(&constants, &nearest, 3, Binning::UpperEdge));
}

#[test]
fn section_4_1_there_are_25_bins() {
    let constants: Vec<f64> = (0..64).map(f64::from).collect();
    let bins: Vec<usize> = (0..64).map(|index: usize| index.min(24)).collect();
    let n_bins = intron::Settings::default().bins;
    assert_eq!(n_bins, 25);
    assert!(has_bins(&constants, &bins, n_bins, Binning::UpperEdge));
}
