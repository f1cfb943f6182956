//! Section 3.2.3: during clustering ties are broken at random, so a measure stands for many linkage trees.

use crate::runs::{made_up_data, watch};
use crate::tokens::learn;
use intron::{
    Event, PositionSet, Seed, SimilarityMatrix, StreamName, Template, linkage_tree, positions_of,
};
use std::collections::BTreeMap;

/// The unions of a linkage tree without the root, in increasing order of size.
fn tree(similarity: &SimilarityMatrix, number: u64) -> Vec<PositionSet> {
    let name = StreamName::Linkage { population: number, generation: 0 };
    let mut unions = linkage_tree(similarity, &mut Seed(11).stream(name));
    let root = unions.pop().expect("the root");
    assert_eq!(root.count_ones() as usize, similarity.n_positions());
    unions.sort_by_key(|union| (union.count_ones(), *union));
    unions
}

/// How often each tree is built.
fn count_trees(linkage: &str, n_builds: u64) -> BTreeMap<Vec<PositionSet>, u64> {
    let (similarity, _) = learn(linkage, 3, &[], &[]);
    let mut counts = BTreeMap::new();
    for number in 0..n_builds {
        *counts.entry(tree(&similarity, number)).or_insert(0) += 1;
    }
    counts
}

/// Whether the positions hang together in the template: all but one have their parent among them.
fn is_connected(set: PositionSet, template: &Template) -> bool {
    let has_parent =
        |position: usize| template.parent(position).is_some_and(|parent| set >> parent & 1 == 1);
    positions_of(set).filter(|&position| !has_parent(position)).count() == 1
}

fn set(positions: &[usize]) -> PositionSet {
    positions.iter().map(|position| 1 << position).sum()
}

/// Within six standard deviations of what is expected.
fn is_near(count: u64, n_builds: u64, probability: f64) -> bool {
    let expected = n_builds as f64 * probability;
    (count as f64 - expected).abs() < 6.0 * (expected * (1.0 - probability)).sqrt()
}

#[test]
fn section_3_2_3_ties_are_broken_uniformly_for_node() {
    let n_builds = 14_400;
    let template = Template::full(3, 2).unwrap();
    let counts = count_trees("node", n_builds);
    assert_eq!(counts.len(), 24);
    for tree in counts.keys() {
        let sizes: Vec<u32> = tree.iter().map(|union| union.count_ones()).collect();
        assert_eq!(sizes, [2, 2, 3, 3, 4]);
        assert!(tree.iter().all(|&union| is_connected(union, &template)), "{tree:?}");
        let (four, three) = (set(&[0, 1, 3, 4]), set(&[2, 5, 6]));
        let (other_four, other_three) = (set(&[0, 2, 5, 6]), set(&[1, 3, 4]));
        let is_left = tree.contains(&four) && tree.contains(&three);
        assert!(is_left || tree.contains(&other_four) && tree.contains(&other_three), "{tree:?}");
    }
    let example =
        [set(&[0, 1]), set(&[2, 5]), set(&[0, 1, 3]), set(&[2, 5, 6]), set(&[0, 1, 3, 4])];
    assert!(is_near(counts[&example.to_vec()], n_builds, 5.0 / 72.0));
    let mut frequencies: Vec<u64> = counts.into_values().collect();
    frequencies.sort_unstable();
    for (frequencies, probability) in frequencies.chunks(8).zip([1.0, 3.0, 5.0]) {
        let is_right = |&count: &u64| is_near(count, n_builds, probability / 72.0);
        assert!(frequencies.iter().all(is_right), "{frequencies:?} for {probability} / 72");
    }
}

#[test]
fn section_3_2_3_ties_are_broken_uniformly_for_common_subfunctions() {
    let n_builds = 13_500;
    let counts = count_trees("cs", n_builds);
    assert_eq!(counts.len(), 27);
    for (tree, &count) in &counts {
        assert!(is_near(count, n_builds, 1.0 / 27.0), "{tree:?}: {count}");
        assert!(tree.contains(&set(&[1, 3, 4])) && tree.contains(&set(&[2, 5, 6])), "{tree:?}");
    }
    let n_with_root_last = counts.keys().filter(|tree| tree.contains(&0b111_1110)).count();
    assert_eq!(n_with_root_last, 9);
}

#[test]
fn section_3_2_3_trees_of_node_on_31_positions_follow_the_template() {
    let template = Template::full(5, 2).unwrap();
    let (similarity, _) = learn("node", 5, &[], &[]);
    let unions: Vec<PositionSet> = (0..300).flat_map(|number| tree(&similarity, number)).collect();
    let n_unions = unions.len() as f64;
    let mean = unions.iter().map(|union| f64::from(union.count_ones())).sum::<f64>() / n_unions;
    let n_connected = unions.iter().filter(|&&union| is_connected(union, &template)).count();
    assert!((4.3..4.5).contains(&mean), "{mean}");
    assert!((0.96..0.98).contains(&(n_connected as f64 / n_unions)), "{n_connected} of {n_unions}");
    assert!(unions.iter().all(|union| union.count_ones() <= 18));
}

/// The families of one population, generation after generation.
fn families(linkage: &str) -> Vec<intron::FamilyOfSubsets> {
    let mut families = Vec::new();
    let pairs = [("linkage", linkage), ("population", "16"), ("generations", "4")];
    let pairs = [&pairs[..], &[("convergence", "identical")]].concat();
    watch(&made_up_data(20), &pairs, |event| {
        if let Event::LinkageLearned { family, .. } = event {
            families.push((*family).clone());
        }
    });
    families
}

#[test]
fn section_3_2_3_the_tree_is_rebuilt_every_generation_unless_it_is_static() {
    let (rebuilt, fixed) = (families("node"), families("node-static"));
    assert_eq!((rebuilt.len(), fixed.len()), (4, 4));
    assert!(rebuilt.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(fixed.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(rebuilt[0], fixed[0]);
}
