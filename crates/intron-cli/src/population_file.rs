//! A population as JSON: `{"height", "operators", "n_features", "solutions": [[token, …], …]}`.

use std::path::Path;

use intron::{Genome, MAX_FEATURES, Operator, Population, Solution, Symbol, Template};
use serde_json::Value;

use crate::failure::Failure;
use crate::{json, terminal};

/// A population and the shape of its solutions.
pub(crate) struct PopulationFile {
    pub(crate) template: Template,
    pub(crate) population: Population,
}

impl PopulationFile {
    pub(crate) fn read(path: &Path) -> Result<PopulationFile, Failure> {
        let source = intron_files::name_of(path);
        terminal::announce_standard_input(path);
        let value = json::read(&source, &intron_files::read(path)?)?;
        from_json(&value).map_err(|failure| failure.about(&source))
    }
}

fn from_json(value: &Value) -> Result<PopulationFile, Failure> {
    let whole = |key: &str| {
        let number = value[key].as_u64().filter(|&number| number <= 1_000_000);
        number.map(|number| number as usize).ok_or_else(|| {
            Failure::work(format!("\"{key}\" must be a whole number; it is {}", value[key]))
        })
    };
    let list = |key: &str| {
        value[key].as_array().ok_or_else(|| Failure::work(format!("\"{key}\" must be a list")))
    };
    let template =
        Template::full(whole("height")?, 2).map_err(|error| Failure::work(error.to_string()))?;
    let n_features = whole("n_features")?;
    if n_features > MAX_FEATURES {
        return Err(Failure::work(format!("\"n_features\" is more than {MAX_FEATURES}")));
    }
    let operators: Vec<Operator> = list("operators")?
        .iter()
        .map(|name| {
            let operator = name.as_str().and_then(Operator::from_name);
            operator
                .ok_or_else(|| Failure::work(format!("\"operators\": there is no operator {name}")))
        })
        .collect::<Result<_, _>>()?;
    let solutions = list("solutions")?;
    if solutions.is_empty() {
        return Err(Failure::work("\"solutions\" is empty; at least one is needed"));
    }
    let reader = Reader { template: &template, operators: &operators, n_features };
    let population = solutions
        .iter()
        .enumerate()
        .map(|(k, tokens)| reader.solution(tokens).map_err(|f| f.about(&format!("solution {k}"))))
        .collect::<Result<Population, _>>()?;
    Ok(PopulationFile { template, population })
}

struct Reader<'a> {
    template: &'a Template,
    operators: &'a [Operator],
    n_features: usize,
}

impl Reader<'_> {
    fn solution(&self, tokens: &Value) -> Result<Solution, Failure> {
        let n_positions = self.template.n_positions();
        let tokens = tokens.as_array().ok_or_else(|| Failure::work("must be a list of tokens"))?;
        if tokens.len() != n_positions {
            return Err(Failure::work(format!(
                "has {} tokens; height {} has {n_positions} positions",
                tokens.len(),
                self.template.height()
            )));
        }
        let symbols = tokens
            .iter()
            .enumerate()
            .map(|(position, token)| {
                self.symbol(position, token).map_err(|f| f.about(&format!("position {position}")))
            })
            .collect::<Result<Vec<Symbol>, _>>()?;
        Ok(Solution::unevaluated(Genome::new(symbols, self.template), self.template))
    }

    fn symbol(&self, position: usize, token: &Value) -> Result<Symbol, Failure> {
        if let Some(number) = token.as_f64() {
            return Ok(Symbol::constant(number));
        }
        let text = token.as_str().unwrap_or_default();
        if let Some(operator) = Operator::from_name(text) {
            if !self.operators.contains(&operator) {
                return Err(Failure::work(format!("{token} is not among \"operators\"")));
            }
            if self.template.is_leaf(position) {
                return Err(Failure::work(format!("{token} is an operator, and this is a leaf")));
            }
            return Ok(Symbol::operator(operator));
        }
        let feature = text.strip_prefix('x').and_then(|digits| digits.parse::<u32>().ok());
        match feature {
            Some(k) if (k as usize) < self.n_features => Ok(Symbol::feature(k)),
            Some(_) => Err(Failure::work(format!(
                "{token} is not a feature; there are {} (x0, x1, …)",
                self.n_features
            ))),
            None => Err(Failure::work(format!(
                "{token} is not a token; give an operator's name, x<k>, or a number"
            ))),
        }
    }
}
