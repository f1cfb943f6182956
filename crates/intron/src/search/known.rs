//! Formulas that the user knows: they are scored like those that are found, and those that fit the template stand in every
//! initial population.

use crate::error::Error;
use crate::evaluation::{LinearScaling, Problem};
use crate::expression::{
    Complexity, FeatureNames, Formula, Meaning, Node, Operator, Symbol, Template, active_positions,
};
use crate::model::{Model, scaled_formula, without_outer_scaling};
use crate::population::{Population, Solution};
use crate::settings::{ConstantSource, PopulationSize, Settings};

/// The most nodes of a formula that is given, operators of one's own written out.
const MOST_NODES: usize = 100_000;

/// One formula that the user gave.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) text: String,
    /// Without its own scaling where formulas are scaled anyway; operators of one's own are single nodes.
    formula: Formula,
    /// Its symbols at their positions; none if it is too large for the template.
    places: Option<Vec<(usize, Symbol)>>,
}

/// Reads the formulas of the settings.
pub(super) fn read(
    settings: &Settings,
    names: &[String],
    template: &Template,
) -> Result<Vec<Known>, Error> {
    let names = FeatureNames::new(names);
    settings.start.iter().map(|text| Known::new(text, settings, &names, template)).collect()
}

impl Known {
    fn new(
        text: &str,
        settings: &Settings,
        names: &FeatureNames,
        template: &Template,
    ) -> Result<Known, Error> {
        let formula = Formula::parse_with(text, names, &settings.own_operators).map_err(
            |error| match error {
                Error::Formula { column, problem } => refused(
                    format!("`{text}`, character {column}: {problem}"),
                    "write it as `intron evaluate` takes it",
                ),
                other => other,
            },
        )?;
        let written_out = settings.own_operators.size_written_out(&formula);
        if written_out > MOST_NODES {
            return Err(refused(
                format!("`{text}` has {written_out} nodes when your own operators are written out"),
                format!("give a formula of at most {MOST_NODES}"),
            ));
        }
        let formula = match settings.linear_scaling {
            LinearScaling::On => without_outer_scaling(&formula),
            LinearScaling::Off => formula,
        };
        let limits = settings.size_limits();
        let most = settings.most_nodes().min(limits.n_nodes);
        let places = match written_with(&formula, &settings.operators, most) {
            Some(writable) => {
                check(text, &writable, settings)?;
                let places = encode(&writable, template, settings.has_factors());
                places.filter(|places| places.len() <= limits.n_positions)
            }
            None => None,
        };
        Ok(Known { text: text.to_owned(), formula, places })
    }

    /// Whether it fits the template and its limits.
    pub(super) fn fits(&self) -> bool {
        self.places.is_some()
    }

    /// The formula as a model: its constants as given, scaling written out, scored as printed.
    pub(super) fn model(&self, complexity: &Complexity, problem: &Problem) -> Model {
        let formula = problem.compositions.expanded(&self.formula);
        let outputs = problem.outputs(&formula);
        // The best line through what is not finite would be the mean of the target, and no longer the formula.
        let is_finite = outputs.iter().all(|output| output.is_finite());
        let fit = if is_finite { problem.objective.fit(&outputs) } else { None };
        let fitness = problem.objective.fitness_as_printed(&outputs, fit);
        let size = self.formula.size();
        let complexity = complexity.of_formula(&self.formula, size - 1);
        Model { formula: scaled_formula(formula, fit), size, complexity, fitness }
    }
}

/// Which of the formulas the search starts from: those that fit, as far as the smallest population has room.
pub(super) fn are_searched(known: &[Known], settings: &Settings) -> Vec<bool> {
    let mut room = match settings.population {
        PopulationSize::Fixed(n_solutions) => n_solutions,
        PopulationSize::Multistart => settings.multistart.start,
    };
    let mut takes_place = |known: &Known| {
        let is_searched = known.fits() && room > 0;
        room -= usize::from(is_searched);
        is_searched
    };
    known.iter().map(&mut takes_place).collect()
}

/// Puts the formulas that fit in the place of the first solutions, which keep their introns.
pub(super) fn put_into(population: &mut Population, known: &[Known], template: &Template) {
    let fitting = known.iter().filter_map(|known| known.places.as_ref());
    for (solution, places) in population.iter_mut().zip(fitting) {
        for &(position, symbol) in places {
            solution.genome.set(position, symbol);
        }
        let active = active_positions(&solution.genome, template);
        *solution = Solution { active, ..solution.clone() };
    }
}

fn refused(problem: String, remedy: impl Into<String>) -> Error {
    Error::setting("start", problem, remedy)
}

/// Refuses what the search cannot write.
fn check(text: &str, formula: &Formula, settings: &Settings) -> Result<(), Error> {
    for node in formula.nodes().iter().filter(|node| node.symbol.as_composition().is_none()) {
        match node.symbol.meaning() {
            Meaning::Operator(operator) if !settings.operators.contains(&operator) => {
                let problem = format!("`{text}` needs `{}`", operator.name());
                return Err(refused(problem, "add it to the operators of the search"));
            }
            Meaning::Constant(_) if settings.constants == ConstantSource::Off => {
                let problem = format!("`{text}` needs a constant");
                return Err(refused(problem, "the search must have some: set constants.range"));
            }
            Meaning::Constant(value) if !value.is_finite() => {
                let problem = format!("`{text}` has a constant that is too large");
                return Err(refused(problem, "give smaller ones"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The formula with powers, signs and inverses written by other operators where the search has not got them: `x^2` is `x * x`,
/// to the last bit. None if it takes more nodes than there may be.
fn written_with(formula: &Formula, operators: &[Operator], most: usize) -> Option<Formula> {
    let has = |operator: Operator| operators.contains(&operator);
    let mut written = Formula::new();
    let mut places: Vec<u32> = Vec::with_capacity(formula.size());
    for node in formula.nodes() {
        let arguments = node.arguments.map(|place| places.get(place as usize).copied());
        let arguments = arguments.map(Option::unwrap_or_default);
        let argument = arguments[0];
        let (multiply, divide) = (Operator::Multiply, Operator::Divide);
        let place = match node.symbol.as_operator() {
            Some(Operator::Square) if !has(Operator::Square) && has(multiply) => {
                power(&mut written, argument, 2)
            }
            Some(Operator::Cube) if !has(Operator::Cube) && has(multiply) => {
                power(&mut written, argument, 3)
            }
            Some(Operator::Negate) if !has(Operator::Negate) && has(multiply) => {
                with_constant(&mut written, -1.0, multiply, argument)
            }
            Some(Operator::Inverse) if !has(Operator::Inverse) && has(divide) => {
                with_constant(&mut written, 1.0, divide, argument)
            }
            _ => written.push(node.symbol, &arguments[..node.symbol.arity()]),
        };
        if written.size() > most {
            return None;
        }
        places.push(place);
    }
    Some(written)
}

/// Multiplies the last part of a formula with copies of itself.
fn power(formula: &mut Formula, argument: u32, exponent: usize) -> u32 {
    let part = formula.part(argument as usize);
    (1..exponent).fold(argument, |product, _| {
        let copy = formula.append(&part);
        formula.push(Symbol::operator(Operator::Multiply), &[product, copy])
    })
}

fn with_constant(formula: &mut Formula, value: f64, operator: Operator, argument: u32) -> u32 {
    let constant = formula.push(Symbol::constant(value), &[]);
    formula.push(Symbol::operator(operator), &[constant, argument])
}

/// Where each symbol of a formula stands in the template; none if it does not fit. Where the search has features with factors,
/// those of the formula are such.
fn encode(
    formula: &Formula,
    template: &Template,
    has_factors: bool,
) -> Option<Vec<(usize, Symbol)>> {
    let mut places = Vec::with_capacity(formula.size());
    let mut waiting = vec![(formula.size() - 1, 0)];
    while let Some((place, position)) = waiting.pop() {
        let node = formula.nodes()[place];
        let weighted = if has_factors { weighted(formula, place) } else { None };
        if let Some(symbol) = weighted {
            places.push((position, symbol));
            continue;
        }
        if node.symbol.arity() > 0 && template.is_leaf(position) {
            return None;
        }
        places.push((position, node.symbol));
        for (k, &argument) in node.arguments[..node.symbol.arity()].iter().enumerate() {
            waiting.push((argument as usize, template.child(position, k)));
        }
    }
    Some(places)
}

/// The symbol of a product of a constant and a feature, in either order.
fn weighted(formula: &Formula, place: usize) -> Option<Symbol> {
    let Node { symbol, arguments } = formula.nodes()[place];
    if symbol != Symbol::operator(Operator::Multiply) {
        return None;
    }
    let [a, b] = arguments.map(|place| formula.nodes()[place as usize].symbol);
    let product = |constant: Symbol, feature: Symbol| {
        let Meaning::Feature(k) = plain(feature)? else { return None };
        Symbol::weighted(k, constant.as_constant()?)
    };
    product(a, b).or_else(|| product(b, a))
}

/// What a symbol stands for, unless it is an operator of one's own.
fn plain(symbol: Symbol) -> Option<Meaning> {
    symbol.as_composition().is_none().then(|| symbol.meaning())
}
