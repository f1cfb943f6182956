//! The smallest term of a class: dynamic programming over the e-graph, with a fixed order among equals.

use egg::{Id, Language};

use super::super::formula::Formula;
use super::super::operator::Operator;
use super::digits::n_characters;
use super::facts::Graph;
use super::term::Term;

/// What a term costs; the first difference decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// Nodes that may not be printed.
    n_forbidden: u32,
    size: u32,
    /// Constants that are not whole numbers.
    n_constants: u32,
    n_features: u32,
    depth: u32,
    /// Characters of all constants.
    n_characters: u32,
}

/// The best term of every class, by the number of the class.
struct Choice {
    best: Vec<Option<(Cost, Term)>>,
}

/// The smallest formula equal to a class, if there is one that can be printed.
pub(super) fn extract(graph: &Graph, root: Id, printable: &[Operator]) -> Option<Formula> {
    let choice = Choice::new(graph, printable);
    let (cost, _) = choice.of(graph, root)?;
    (cost.n_forbidden == 0).then(|| choice.write(graph, root))
}

impl Choice {
    fn new(graph: &Graph, printable: &[Operator]) -> Choice {
        let n_ids = graph.classes().map(|class| usize::from(class.id) + 1).max().unwrap_or(0);
        let mut choice = Choice { best: vec![None; n_ids] };
        // Costs only fall, and a term costs more than its arguments: this ends.
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for class in graph.classes() {
                for term in &class.nodes {
                    let Some(cost) = choice.cost(graph, term, printable) else { continue };
                    let best = &mut choice.best[usize::from(class.id)];
                    if best.is_none_or(|(least, _)| cost < least) {
                        *best = Some((cost, *term));
                        is_changed = true;
                    }
                }
            }
        }
        choice
    }

    fn of(&self, graph: &Graph, id: Id) -> Option<(Cost, Term)> {
        self.best[usize::from(graph.find(id))]
    }

    fn cost(&self, graph: &Graph, term: &Term, printable: &[Operator]) -> Option<Cost> {
        let is_forbidden =
            term.as_operator().is_some_and(|operator| !printable.contains(&operator));
        let mut cost = Cost {
            n_forbidden: u32::from(is_forbidden),
            size: 1,
            n_constants: 0,
            n_features: u32::from(matches!(term, Term::Feature(_))),
            depth: 0,
            n_characters: 0,
        };
        if let Term::Constant(bits) = term {
            let value = f64::from_bits(*bits);
            cost.n_constants = u32::from(value.fract() != 0.0);
            cost.n_characters = n_characters(value) as u32;
        }
        for &argument in term.children() {
            let (of_argument, _) = self.of(graph, argument)?;
            cost.n_forbidden = cost.n_forbidden.saturating_add(of_argument.n_forbidden);
            cost.size = cost.size.saturating_add(of_argument.size);
            cost.n_constants = cost.n_constants.saturating_add(of_argument.n_constants);
            cost.n_features = cost.n_features.saturating_add(of_argument.n_features);
            cost.depth = cost.depth.max(of_argument.depth);
            cost.n_characters = cost.n_characters.saturating_add(of_argument.n_characters);
        }
        cost.depth += 1;
        Some(cost)
    }

    /// Writes the chosen term with all its arguments, each in full where it is used.
    fn write(&self, graph: &Graph, root: Id) -> Formula {
        enum Task {
            Visit(Id),
            Push(Term),
        }
        let mut formula = Formula::new();
        let mut operands: Vec<u32> = Vec::new();
        let mut tasks = vec![Task::Visit(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(id) => {
                    let (_, term) = self.of(graph, id).expect("arguments of a choice are chosen");
                    tasks.push(Task::Push(term));
                    tasks.extend(term.children().iter().rev().map(|&id| Task::Visit(id)));
                }
                Task::Push(term) => {
                    let first = operands.len() - term.children().len();
                    let place = formula.push(term.symbol(), &operands[first..]);
                    operands.truncate(first);
                    operands.push(place);
                }
            }
        }
        formula
    }
}
