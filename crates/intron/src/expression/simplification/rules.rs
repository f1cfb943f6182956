//! The laws as rules of the e-graph, and which of them can matter for a formula.

use egg::{ENodeOrVar, Pattern, SearchMatches, Searcher, Subst, Var};

use super::super::operator::Operator::{self, *};
use super::facts::{Graph, Known};
use super::laws::{EXACT, WHERE_DEFINED};
use super::term::Term;

/// Which rules are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Laws {
    /// Those that hold everywhere.
    Exact,
    /// Also those that hold where both sides are defined.
    WhereDefined,
}

/// Operators that every graph may use; what cannot be printed is not extracted.
const SCAFFOLD: [Operator; 6] = [Add, Subtract, Multiply, Divide, Negate, Inverse];

/// What must be known about the class of a variable.
#[derive(Clone, Copy)]
struct Condition {
    variable: Var,
    is_met: fn(Known) -> bool,
}

/// What a pattern finds is what another one makes of it, if the condition is met.
pub(super) struct Rule {
    pub(super) left: Pattern<Term>,
    pub(super) right: Pattern<Term>,
    condition: Option<Condition>,
    pub(super) laws: Laws,
}

impl Rule {
    /// Where the rule applies; more than `limit` are not looked for.
    pub(super) fn search(&self, graph: &Graph, limit: usize) -> Vec<SearchMatches<'_, Term>> {
        let mut found = self.left.search_with_limit(graph, limit);
        if let Some(Condition { variable, is_met }) = self.condition {
            let is_allowed = |places: &Subst| is_met(graph[places[variable]].data);
            found.iter_mut().for_each(|matches| matches.substs.retain(is_allowed));
            found.retain(|matches| !matches.substs.is_empty());
        }
        found
    }

    /// Whether the condition is met by constants.
    #[cfg(test)]
    pub(super) fn admits(&self, values: &[(Var, f64)]) -> bool {
        self.condition.is_none_or(|Condition { variable, is_met }| {
            let (_, value) = values.iter().find(|(own, _)| *own == variable).unwrap();
            is_met(super::facts::about_constant(*value))
        })
    }

    fn new(left: &str, right: &str, condition: Option<&str>, laws: Laws) -> Rule {
        let pattern = |text: &str| text.trim().parse::<Pattern<Term>>().expect("a law is readable");
        let condition = condition.map(|text| {
            let (fact, variable) = text.trim().split_once(' ').expect("a fact and a variable");
            let is_met = match fact {
                "total" => |known: Known| known.is_total,
                "constant" => |known: Known| known.constant.is_some(),
                "positive" => |known: Known| known.constant.is_some_and(|value| value > 0.0),
                "whole" => |known: Known| known.constant.is_some_and(|value| value.fract() == 0.0),
                "non-negative" => |known: Known| known.is_non_negative,
                _ => panic!("no fact is called {fact}"),
            };
            Condition { variable: variable.parse().expect("a variable"), is_met }
        });
        Rule { left: pattern(left), right: pattern(right), condition, laws }
    }
}

/// All rules, exact ones first.
pub(super) fn all_rules() -> Vec<Rule> {
    let mut rules = Vec::new();
    for (lines, laws) in [(EXACT, Laws::Exact), (WHERE_DEFINED, Laws::WhereDefined)] {
        for line in lines {
            let (law, condition) = match line.split_once(" if ") {
                Some((law, condition)) => (law, Some(condition)),
                None => (*line, None),
            };
            if let Some((left, right)) = law.split_once(" <=> ") {
                rules.push(Rule::new(left, right, condition, laws));
                rules.push(Rule::new(right, left, condition, laws));
            } else {
                let (left, right) = law.split_once(" => ").expect("a law has an arrow");
                rules.push(Rule::new(left, right, condition, laws));
            }
        }
    }
    rules
}

/// The rules that can apply to a formula with these operators and lead to operators that may be printed.
pub(super) fn rules_for<'a>(
    rules: &'a [Rule],
    in_use: &[Operator],
    printable: &[Operator],
    laws: Laws,
) -> Vec<&'a Rule> {
    let mut within_reach: Vec<Operator> = SCAFFOLD.iter().chain(in_use).copied().collect();
    let is_wanted = |rule: &&Rule| {
        let is_printable = |operator| printable.contains(&operator) || SCAFFOLD.contains(&operator);
        (laws == Laws::WhereDefined || rule.laws == Laws::Exact)
            && operators_of(&rule.right).all(is_printable)
    };
    let wanted: Vec<&Rule> = rules.iter().filter(is_wanted).collect();
    loop {
        let n_before = within_reach.len();
        for rule in &wanted {
            if operators_of(&rule.left).all(|operator| within_reach.contains(&operator)) {
                for operator in operators_of(&rule.right) {
                    if !within_reach.contains(&operator) {
                        within_reach.push(operator);
                    }
                }
            }
        }
        if within_reach.len() == n_before {
            break;
        }
    }
    let applies =
        |rule: &&Rule| operators_of(&rule.left).all(|operator| within_reach.contains(&operator));
    wanted.into_iter().filter(applies).collect()
}

fn operators_of(pattern: &Pattern<Term>) -> impl Iterator<Item = Operator> + '_ {
    pattern.ast.iter().filter_map(|node| match node {
        ENodeOrVar::ENode(term) => term.as_operator(),
        ENodeOrVar::Var(_) => None,
    })
}
