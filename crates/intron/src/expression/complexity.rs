//! Complexity measures by name: what the front weighs against accuracy. Each is a rule that gives the complexity of a node
//! from those of its arguments, so that genomes and formulas are measured alike. Scaling is never counted.

use super::composition::{Composition, Compositions, MAX_COMPOSITIONS};
use super::formula::Formula;
use super::genome::Genome;
use super::operator::{N_OPERATORS, Operator};
use super::symbol::{Meaning, Symbol};
use super::template::{MAX_POSITIONS, PositionSet, Template, positions_of};
use crate::error::Error;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ComplexityMeasure {
    /// Nodes.
    #[default]
    Size,
    /// Nodes, each by its cost: what is hard to read, measure or compute counts more.
    Cost,
    /// Levels.
    Depth,
    /// Constants: the free parameters of a fit.
    Constants,
    /// The recursive measure of Kommenda et al. (2015): a function of a large argument is worse than the function of a
    /// small one.
    Recursive,
}

impl ComplexityMeasure {
    /// Every measure with its name.
    pub const TABLE: [(&'static str, ComplexityMeasure); 5] = [
        ("size", ComplexityMeasure::Size),
        ("cost", ComplexityMeasure::Cost),
        ("depth", ComplexityMeasure::Depth),
        ("constants", ComplexityMeasure::Constants),
        ("recursive", ComplexityMeasure::Recursive),
    ];
}

/// Larger complexities count as this: nested functions reach any number in the recursive measure.
const MOST: usize = 1_000_000_000_000;
/// The largest cost of a symbol.
const MOST_COST: usize = 1000;

/// A measure, with the costs of symbols.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Complexity {
    measure: ComplexityMeasure,
    costs: Costs,
    /// Operators of one's own, which count as one node.
    own: Compositions,
    /// Whether genomes hold features with factors.
    has_factors: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Costs {
    operators: [usize; N_OPERATORS],
    own: [usize; MAX_COMPOSITIONS],
    feature: usize,
    constant: usize,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { operators: [1; N_OPERATORS], own: [1; MAX_COMPOSITIONS], feature: 1, constant: 1 }
    }
}

impl Complexity {
    /// A measure, with operators of one's own. Costs are for operators by their names, for `feature` and for `constant`; all others are 1.
    pub fn new(
        measure: ComplexityMeasure,
        costs: &[(String, usize)],
        own: &Compositions,
    ) -> Result<Complexity, Error> {
        if !costs.is_empty() && measure != ComplexityMeasure::Cost {
            let problem = "only the complexity `cost` looks at them";
            return Err(Error::setting("costs", problem, "set complexity=cost"));
        }
        let mut complexity = Complexity { measure, own: own.clone(), ..Complexity::default() };
        for (name, cost) in costs {
            if *cost > MOST_COST {
                let problem = format!("{cost} for `{name}` is too large");
                return Err(Error::setting("costs", problem, format!("give 0 to {MOST_COST}")));
            }
            *complexity.cost_of(name)? = *cost;
        }
        Ok(complexity)
    }

    /// The same for genomes that hold features with factors.
    pub(crate) fn with_factors(self) -> Complexity {
        Complexity { has_factors: true, ..self }
    }

    fn cost_of(&mut self, name: &str) -> Result<&mut usize, Error> {
        let Costs { operators, own, feature, constant } = &mut self.costs;
        let index = self.own.find(name).and_then(Symbol::as_composition);
        if let Some(index) = index {
            return Ok(&mut own[index]);
        }
        match name {
            "feature" => return Ok(feature),
            "constant" => return Ok(constant),
            _ => {}
        }
        let operator = Operator::from_name(name).ok_or_else(|| Error::UnknownName {
            what: "cost",
            given: name.to_owned(),
            known: Operator::all().map(Operator::name).collect::<Vec<_>>().join(" ")
                + " feature constant",
        })?;
        Ok(&mut operators[operator as usize])
    }

    /// Whether nodes are counted, which needs no look at them.
    #[inline]
    pub(crate) fn is_size(&self) -> bool {
        self.measure == ComplexityMeasure::Size
    }

    /// The complexity of a genome's active part.
    #[inline]
    pub fn of_genome(&self, genome: &Genome, active: PositionSet, template: &Template) -> usize {
        if self.is_size() {
            // Asked for every candidate: nodes are counted one by one only where positions are not nodes.
            let n_positions = active.count_ones() as usize;
            debug_assert!(self.has_factors || n_positions == genome.n_nodes(active));
            return if self.has_factors { genome.n_nodes(active) } else { n_positions };
        }
        self.fold(genome, active, template)
    }

    fn fold(&self, genome: &Genome, active: PositionSet, template: &Template) -> usize {
        let mut values = [0; MAX_POSITIONS];
        let mut left = active;
        while left != 0 {
            // Arguments stand behind their operators.
            let position = (PositionSet::BITS - 1 - left.leading_zeros()) as usize;
            left ^= 1 << position;
            let symbol = genome.symbols()[position];
            let mut arguments = [0; 2];
            for (k, argument) in arguments[..symbol.arity()].iter_mut().enumerate() {
                *argument = values[template.child(position, k)];
            }
            values[position] = match symbol.as_weighted() {
                Some((feature, factor)) => self.of_product(feature, factor),
                None => self.of_node(symbol, &arguments[..symbol.arity()]),
            };
        }
        debug_assert!(positions_of(active).all(|p| values[p] <= MOST));
        values[0]
    }

    /// The complexity of a feature with a factor, which a genome holds as one symbol.
    fn of_product(&self, feature: u32, factor: f64) -> usize {
        let parts = [Symbol::constant(factor), Symbol::feature(feature)];
        let arguments = parts.map(|part| self.of_node(part, &[]));
        self.of_node(Symbol::operator(Operator::Multiply), &arguments)
    }

    /// The complexity of the part of a formula below and with one of its nodes.
    pub fn of_formula(&self, formula: &Formula, root: usize) -> usize {
        let mut values: Vec<usize> = Vec::with_capacity(root + 1);
        for node in &formula.nodes()[..=root] {
            let arity = node.symbol.arity();
            let arguments = node.arguments.map(|place| values.get(place as usize).copied());
            let arguments = arguments.map(Option::unwrap_or_default);
            values.push(self.of_node(node.symbol, &arguments[..arity]));
        }
        values[root]
    }

    /// The complexity of a node, given those of its arguments.
    fn of_node(&self, symbol: Symbol, arguments: &[usize]) -> usize {
        let sum: usize = arguments.iter().sum();
        let value = match self.measure {
            ComplexityMeasure::Size => 1 + sum,
            ComplexityMeasure::Cost => self.costs.of(symbol) + sum,
            ComplexityMeasure::Depth => 1 + arguments.iter().max().unwrap_or(&0),
            ComplexityMeasure::Constants => usize::from(symbol.as_constant().is_some()) + sum,
            ComplexityMeasure::Recursive => match self.own.of(symbol) {
                Some(composition) => self.recursive_of(composition, arguments),
                None => recursive(symbol, arguments),
            },
        };
        value.min(MOST)
    }
}

impl Complexity {
    /// That of the parts of a composition.
    fn recursive_of(&self, composition: &Composition, arguments: &[usize]) -> usize {
        let mut values: Vec<usize> = Vec::new();
        for node in composition.body().nodes() {
            let below = node.arguments.map(|place| values.get(place as usize).copied());
            let below = below.map(Option::unwrap_or_default);
            values.push(match node.symbol.meaning() {
                Meaning::Feature(k) => arguments[k as usize],
                _ => self.of_node(node.symbol, &below[..node.symbol.arity()]),
            });
        }
        *values.last().expect("a body has nodes")
    }
}

impl Costs {
    fn of(&self, symbol: Symbol) -> usize {
        if let Some(index) = symbol.as_composition() {
            return self.own[index];
        }
        match symbol.meaning() {
            Meaning::Operator(operator) => self.operators[operator as usize],
            Meaning::Feature(_) => self.feature,
            Meaning::Constant(_) => self.constant,
        }
    }
}

/// The paper's rules for its operators; ours beside them by what they are made of.
fn recursive(symbol: Symbol, arguments: &[usize]) -> usize {
    use Operator::*;
    let sum: usize = arguments.iter().sum();
    let product = || arguments.iter().fold(1_usize, |product, &a| product.saturating_mul(a));
    match symbol.meaning() {
        Meaning::Constant(_) => 1,
        Meaning::Feature(_) => 2,
        Meaning::Operator(operator) => match operator {
            Add | Subtract | Negate => sum,
            Multiply | Divide | Inverse | AnalyticQuotient | ProtectedDivide | Minimum
            | Maximum => product().saturating_add(1),
            Square | Abs => sum.saturating_pow(2),
            Cube | Sqrt | ProtectedSqrt => sum.saturating_pow(3),
            Sin | Cos | Exp | Log | Tanh | Power | ProtectedLog => {
                2_usize.saturating_pow(u32::try_from(sum).unwrap_or(u32::MAX))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::FeatureNames;

    fn of(measure: ComplexityMeasure, costs: &[(&str, usize)], text: &str) -> usize {
        let costs: Vec<_> = costs.iter().map(|&(name, cost)| (name.to_owned(), cost)).collect();
        let names = FeatureNames::new(&["a".to_owned(), "b".to_owned()]);
        let formula = Formula::parse(text, &names).unwrap();
        let complexity = Complexity::new(measure, &costs, &Compositions::default()).unwrap();
        complexity.of_formula(&formula, formula.size() - 1)
    }

    #[test]
    fn each_measure_counts_what_it_says() {
        let text = "sin(a * 2.5) / (b + 1.5)";
        assert_eq!(of(ComplexityMeasure::Size, &[], text), 8);
        assert_eq!(of(ComplexityMeasure::Cost, &[], text), 8);
        assert_eq!(of(ComplexityMeasure::Cost, &[("sin", 3), ("/", 2)], text), 11);
        assert_eq!(of(ComplexityMeasure::Cost, &[("feature", 0), ("constant", 5)], text), 14);
        assert_eq!(of(ComplexityMeasure::Depth, &[], text), 4);
        assert_eq!(of(ComplexityMeasure::Constants, &[], text), 2);
        // 2·1 + 1 = 3 below the sine, 2³ = 8; 2 + 1 = 3 below the fraction: 8·3 + 1.
        assert_eq!(of(ComplexityMeasure::Recursive, &[], text), 25);
    }

    #[test]
    fn a_feature_with_a_factor_counts_as_it_is_written() {
        let template = Template::full(3, 2).unwrap();
        let (add, sin) = (Symbol::operator(Operator::Add), Symbol::operator(Operator::Sin));
        let weighted = |feature| Symbol::weighted(feature, 2.5).unwrap();
        let x = Symbol::feature;
        let symbols = vec![add, weighted(0), sin, x(0), x(0), weighted(1), x(0)];
        let genome = Genome::new(symbols, &template);
        let active = super::super::active_positions(&genome, &template);
        let formula = genome.to_formula(active, &template);
        assert_eq!((genome.n_nodes(active), formula.size()), (8, 8));
        for (_, measure) in ComplexityMeasure::TABLE {
            let complexity = Complexity::new(measure, &[], &Compositions::default()).unwrap();
            let complexity = complexity.with_factors();
            let of_formula = complexity.of_formula(&formula, formula.size() - 1);
            assert_eq!(complexity.of_genome(&genome, active, &template), of_formula);
        }
    }

    #[test]
    fn nested_functions_reach_the_largest_complexity_and_stay_there() {
        let text = "exp(exp(exp(exp(a)))) * exp(exp(exp(exp(b))))";
        assert_eq!(of(ComplexityMeasure::Recursive, &[], text), MOST);
    }

    #[test]
    fn wrong_costs_are_refused() {
        let costs = |name: &str, cost| vec![(name.to_owned(), cost)];
        let own = Compositions::default();
        let refused = |measure, costs: &[_]| Complexity::new(measure, costs, &own).unwrap_err();
        let error = refused(ComplexityMeasure::Size, &costs("sin", 2)).to_string();
        assert!(error.contains("set complexity=cost"), "{error}");
        let error = refused(ComplexityMeasure::Cost, &costs("sine", 2)).to_string();
        assert!(error.contains("`sine`"), "{error}");
        refused(ComplexityMeasure::Cost, &costs("sin", 1001));
    }
}
