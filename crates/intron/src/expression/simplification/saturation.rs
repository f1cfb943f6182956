//! Grows an e-graph with the rules until nothing new is found or a limit is met. Only counts limit it, never a
//! clock: the same formula always gives the same graph.

use egg::Applier;

use super::facts::Graph;
use super::rules::Rule;

/// How far a graph may grow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) n_nodes: usize,
    pub(super) n_iterations: usize,
    /// A rule with more matches than this in one iteration rests for some time, and then may have twice as many.
    pub(super) n_matches: usize,
}

/// How long a rule rests after its first excess.
const REST: usize = 2;

/// A rule that found too much.
#[derive(Clone, Copy, Default)]
struct Excess {
    n_times: u32,
    rests_until: usize,
}

/// Applies the rules; says whether the graph can be trusted.
pub(super) fn saturate(graph: &mut Graph, rules: &[&Rule], limits: Limits) -> bool {
    let mut excesses = vec![Excess::default(); rules.len()];
    graph.rebuild();
    for iteration in 0..limits.n_iterations {
        let mut found = Vec::with_capacity(rules.len());
        let mut is_any_resting = false;
        for (rule, excess) in rules.iter().zip(&mut excesses) {
            if iteration < excess.rests_until {
                is_any_resting = true;
                found.push(Vec::new());
                continue;
            }
            let limit = limits.n_matches << excess.n_times;
            let matches = rule.search(graph, limit + 1);
            if matches.iter().map(|matches| matches.substs.len()).sum::<usize>() > limit {
                is_any_resting = true;
                excess.rests_until = iteration + 1 + (REST << excess.n_times);
                excess.n_times += 1;
                found.push(Vec::new());
            } else {
                found.push(matches);
            }
        }
        let before = (graph.total_size(), graph.number_of_classes());
        let mut is_changed = false;
        for (rule, matches) in rules.iter().zip(&found) {
            let name = "rule".into();
            is_changed |= !rule.right.apply_matches(graph, matches, name).is_empty();
            if graph.total_size() > limits.n_nodes {
                break;
            }
        }
        graph.rebuild();
        if graph.analysis.is_contradictory {
            return false;
        }
        let is_grown = is_changed || before != (graph.total_size(), graph.number_of_classes());
        if graph.total_size() > limits.n_nodes || !(is_grown || is_any_resting) {
            break;
        }
    }
    true
}
