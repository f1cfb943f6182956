//! Reads the text form of a checkpoint. Whatever the text holds, the answer is a sound checkpoint or one clear error, and
//! no more memory is taken than the text itself accounts for.

use std::str::{Lines, Split};
use std::sync::Arc;

use super::state::{
    Checkpoint, Origin, SavedLane, SavedPopulation, SavedSlot, Schedule, linkage_text,
    text_fingerprint,
};
use super::writing::{FORMAT, VERSION};
use crate::error::Error;
use crate::evaluation::Fitness;
use crate::expression::{Formula, Genome, Operator, Symbol, Template};
use crate::model::Model;
use crate::population::Solution;
use crate::random::RESULTS_VERSION;
use crate::search::archive::Archive;
use crate::search::budget::Spent;
use crate::settings::{ConstantSource, Settings, ValidSettings};

/// No counter of a search comes near this; below it no sum overflows.
const LARGEST_COUNT: u64 = 1 << 48;
/// Nodes that the scaling adds to a formula.
const SCALING_NODES: usize = 4;

impl Checkpoint {
    /// Reads what [`Checkpoint::to_text`] has written.
    pub fn from_text(text: &str) -> Result<Checkpoint, Error> {
        check_version(text)?;
        let body = check_end(text)?;
        let mut reader = Reader { lines: body.lines(), number: 0 };
        reader.line(FORMAT)?;
        let results = reader.count("results")?;
        if results != u64::from(RESULTS_VERSION) {
            return Err(of_another_version(&format!(
                "searches take the course of version {results}"
            )));
        }
        let (origin, shape) = reader.origin()?;
        let spent = reader.spent()?;
        let checkpoint = Checkpoint {
            origin: Arc::new(origin),
            spent,
            rows_since_progress: reader.count("rows_since_progress")?,
            has_told_memory_limit: reader.count("memory_limit_told")? != 0,
            archive: reader.archive(&shape)?,
            lanes: reader.lanes(&shape)?,
        };
        let mut counts = checkpoint.lanes.iter().map(|lane| lane.n_evaluations);
        if counts.try_fold(0, u64::checked_add) != Some(spent.n_evaluations) {
            return Err(Error::checkpoint("its lanes have not the evaluations that were done"));
        }
        let is_over = reader.lines.next().is_none();
        is_over.then_some(checkpoint).ok_or(Error::checkpoint("there are lines past its end"))
    }
}

fn of_another_version(what: &str) -> Error {
    Error::Checkpoint {
        problem: format!("{what}, which this version of Intron does not know"),
        remedy: "go on with the version that wrote it, or start anew".to_owned(),
    }
}

fn check_version(text: &str) -> Result<(), Error> {
    let first = text.lines().next().unwrap_or_default();
    let version = first.strip_prefix(FORMAT).and_then(|rest| rest.strip_prefix(' '));
    let Some(version) = version else {
        return Err(Error::checkpoint(format!("it does not begin with `{FORMAT}`")));
    };
    if version.parse() == Ok(VERSION) {
        return Ok(());
    }
    let version: String = version.chars().take(20).collect();
    Err(of_another_version(&format!("its text has version `{version}`")))
}

/// Everything before the last line, which must have its fingerprint.
fn check_end(text: &str) -> Result<&str, Error> {
    let cut = || Error::checkpoint("its end is missing");
    let lines = text.strip_suffix('\n').ok_or_else(cut)?;
    let start = lines.rfind('\n').ok_or_else(cut)? + 1;
    let (body, last) = lines.split_at(start);
    let named = last.strip_prefix("end ").ok_or_else(cut)?;
    if read_bits(named) != Some(text_fingerprint(body)) {
        return Err(Error::checkpoint("its text is not the one that was written"));
    }
    Ok(body)
}

/// Exactly sixteen hexadecimal digits, in small letters.
fn read_bits(word: &str) -> Option<u64> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let are_digits = word.len() == 16 && word.bytes().all(is_digit);
    are_digits.then(|| u64::from_str_radix(word, 16).ok()).flatten()
}

/// What the symbols of a search can be.
struct Shape {
    settings: ValidSettings,
    template: Template,
    most_nodes: usize,
    operators: Vec<Operator>,
    n_features: usize,
    has_constants: bool,
}

impl Shape {
    /// Whether the search draws such symbols. Compositions are found by name, features by their number.
    fn allows(&self, symbol: Symbol) -> bool {
        match (symbol.as_operator(), symbol.as_constant()) {
            (Some(operator), _) => self.operators.contains(&operator),
            (None, Some(_)) => self.has_constants,
            (None, None) => !symbol.is_weighted() || self.settings.settings().has_factors(),
        }
    }
}

/// The lines of the text, in order.
struct Reader<'a> {
    lines: Lines<'a>,
    number: usize,
}

/// The words of one line, in order.
struct Line<'a> {
    words: Split<'a, char>,
    number: usize,
}

impl<'a> Reader<'a> {
    fn any_line(&mut self) -> Result<(&'a str, usize), Error> {
        self.number += 1;
        let line = self.lines.next().ok_or_else(|| Error::checkpoint("a part is missing"))?;
        Ok((line, self.number))
    }

    /// The next line without its name.
    fn line(&mut self, name: &str) -> Result<Line<'a>, Error> {
        let (text, number) = self.any_line()?;
        let mut line = Line { words: text.split(' '), number };
        if line.words.next() == Some(name) { Ok(line) } else { Err(line.lacks(name)) }
    }

    /// The one number of the next line.
    fn count(&mut self, name: &str) -> Result<u64, Error> {
        let mut line = self.line(name)?;
        let count = line.count()?;
        line.end()?;
        Ok(count)
    }

    fn bits(&mut self, name: &str) -> Result<u64, Error> {
        let mut line = self.line(name)?;
        let bits = line.bits()?;
        line.end()?;
        Ok(bits)
    }

    fn origin(&mut self) -> Result<(Origin, Shape), Error> {
        let mut settings = Settings::default();
        let mut linkage = linkage_text(&settings.linkage);
        while let Some(pair) = self.lines.clone().next().and_then(|l| l.strip_prefix("setting ")) {
            self.any_line()?;
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            if key == "linkage" && value.starts_with("custom ") {
                value.clone_into(&mut linkage);
                continue;
            }
            settings.set(key, value).map_err(|error| Error::checkpoint(error.to_string()))?;
            if key == "linkage" {
                linkage = linkage_text(&settings.linkage);
            }
        }
        let valid = settings.validate().map_err(|error| Error::checkpoint(error.to_string()))?;
        let settings = valid.settings().clone();
        let n_features = self.count("features")? as usize;
        let shape = Shape {
            template: valid.template().clone(),
            most_nodes: settings.most_nodes(),
            settings: valid,
            operators: settings.operators.clone(),
            n_features,
            has_constants: settings.constants != ConstantSource::Off,
        };
        Ok((Origin { settings, linkage, n_features, data: self.bits("data")? }, shape))
    }

    fn spent(&mut self) -> Result<Spent, Error> {
        let seconds = f64::from_bits(self.bits("seconds")?);
        let n_evaluations = self.count("evaluations")?;
        let n_generations = self.count("generations")?;
        let (solved, number) = self.any_line()?;
        let solved_at = match solved.strip_prefix("solved ") {
            Some(at) => Some(Line { words: at.split(' '), number }.count()?),
            None if solved == "unsolved" => None,
            None => return Err(Error::checkpoint(format!("line {number} is not as it should be"))),
        };
        let is_possible = (0.0..LARGEST_COUNT as f64).contains(&seconds)
            && solved_at.is_none_or(|at| at <= n_evaluations);
        if !is_possible {
            return Err(Error::checkpoint("what the search has spent is not possible"));
        }
        Ok(Spent { n_evaluations, n_generations, solved_at, seconds })
    }

    fn archive(&mut self, shape: &Shape) -> Result<Archive, Error> {
        let models = self.models("models", shape)?;
        let shelved = self.models("shelved", shape)?;
        Archive::from_models(models, shelved, &shape.settings)
            .ok_or_else(|| Error::checkpoint("its models are no front"))
    }

    fn models(&mut self, name: &str, shape: &Shape) -> Result<Vec<Model>, Error> {
        let n_models = self.count(name)?;
        (0..n_models).map(|_| self.model(shape)).collect()
    }

    fn model(&mut self, shape: &Shape) -> Result<Model, Error> {
        let mut line = self.line("model")?;
        let size = line.count()? as usize;
        let complexity = line.count()? as usize;
        let fitness = line.fitness()?;
        let number = line.number;
        let formula = read_formula(line.words, shape);
        match formula {
            Some(formula) if (1..=shape.most_nodes).contains(&size) => {
                Ok(Model { formula, size, complexity, fitness })
            }
            _ => Err(Error::checkpoint(format!("line {number} has no formula"))),
        }
    }

    fn lanes(&mut self, shape: &Shape) -> Result<Vec<SavedLane>, Error> {
        let n_lanes = self.count("lanes")?;
        let lane = |_| -> Result<SavedLane, Error> {
            let n_evaluations = self.count("lane")?;
            Ok(SavedLane { n_evaluations, schedule: self.schedule(shape)? })
        };
        (0..n_lanes).map(lane).collect()
    }

    fn schedule(&mut self, shape: &Shape) -> Result<Schedule, Error> {
        let turn = self.count("turn")? as usize;
        let mut line = self.line("populations")?;
        let (n_gone, n_slots) = (line.count()? as usize, line.count()?);
        line.end()?;
        let slots = (0..n_slots).map(|_| self.slot(shape)).collect::<Result<Vec<_>, _>>()?;
        if turn > n_gone + slots.len() {
            return Err(Error::checkpoint("it is the turn of a population that is not there"));
        }
        Ok(Schedule { n_gone, slots, turn })
    }

    fn slot(&mut self, shape: &Shape) -> Result<SavedSlot, Error> {
        let (text, number) = self.any_line()?;
        let mut line = Line { words: text.split(' '), number };
        let kind = line.words.next();
        let ticks = line.count()?;
        match kind {
            Some("retired") => {
                line.end()?;
                Ok(SavedSlot { ticks, population: None })
            }
            Some("population") => {
                Ok(SavedSlot { ticks, population: Some(self.population(line, shape)?) })
            }
            _ => Err(line.lacks("population")),
        }
    }

    fn population(&mut self, mut line: Line<'a>, shape: &Shape) -> Result<SavedPopulation, Error> {
        let generation = line.count()?;
        let n_generations_without_improvement = line.small_count()?;
        let most = shape.settings.settings().tuning.mutation_scale;
        let temperature = Some(f64::from_bits(line.bits()?)).filter(|t| (0.0..=most).contains(t));
        let temperature = temperature.ok_or_else(|| line.lacks("a temperature"))?;
        let n_solutions = line.count()?;
        line.end()?;
        let solutions = (0..n_solutions).map(|_| self.solution(shape));
        let (population, stretches) = solutions.collect::<Result<(Vec<_>, Vec<_>), _>>()?;
        Ok(SavedPopulation {
            generation,
            n_generations_without_improvement,
            temperature,
            population: Arc::new(population),
            stretches: Arc::new(stretches),
        })
    }

    fn solution(&mut self, shape: &Shape) -> Result<(Solution, u32), Error> {
        let (text, number) = self.any_line()?;
        let mut line = Line { words: text.split(' '), number };
        let stretch = line.small_count()?;
        let fitness = line.fitness()?;
        let genome = read_genome(line.words, shape)
            .ok_or_else(|| Error::checkpoint(format!("line {number} has no genome")))?;
        Ok((Solution { fitness, ..Solution::unevaluated(genome, &shape.template) }, stretch))
    }
}

impl Line<'_> {
    fn lacks(&self, what: &str) -> Error {
        Error::checkpoint(format!("line {} lacks `{what}`", self.number))
    }

    fn count(&mut self) -> Result<u64, Error> {
        let count = self.words.next().and_then(|word| word.parse().ok());
        count.filter(|&count| count <= LARGEST_COUNT).ok_or_else(|| self.lacks("a number"))
    }

    fn small_count(&mut self) -> Result<u32, Error> {
        let count = u32::try_from(self.count()?).ok().filter(|&count| count < u32::MAX / 2);
        count.ok_or_else(|| self.lacks("a small number"))
    }

    fn bits(&mut self) -> Result<u64, Error> {
        self.words.next().and_then(read_bits).ok_or_else(|| self.lacks("sixteen digits"))
    }

    fn fitness(&mut self) -> Result<Fitness, Error> {
        let nmse = f64::from_bits(self.bits()?);
        let fitness = Fitness::from_nmse(nmse);
        let is_same = fitness.nmse().to_bits() == nmse.to_bits();
        is_same.then_some(fitness).ok_or_else(|| self.lacks("an error"))
    }

    fn end(mut self) -> Result<(), Error> {
        match self.words.next() {
            None => Ok(()),
            Some(_) => Err(Error::checkpoint(format!("line {} is too long", self.number))),
        }
    }
}

fn read_genome(words: Split<'_, char>, shape: &Shape) -> Option<Genome> {
    let template = &shape.template;
    let own = &shape.settings.settings().own_operators;
    let mut symbols = Vec::with_capacity(template.n_positions());
    for word in words {
        let symbol = own.find(word).or_else(|| read_weighted(word, shape));
        let symbol = symbol.or_else(|| read_symbol(word, shape))?;
        let n_there = match symbol.arity() {
            0 => template.n_positions(),
            _ => template.n_inner_positions(),
        };
        if symbols.len() >= n_there || !shape.allows(symbol) {
            return None;
        }
        symbols.push(symbol);
    }
    (symbols.len() == template.n_positions()).then(|| Genome::new(symbols, template))
}

/// A formula is a tree: every node but the last, the root, is an argument once.
fn read_formula(words: Split<'_, char>, shape: &Shape) -> Option<Formula> {
    let mut formula = Formula::new();
    let mut is_free: Vec<bool> = Vec::new();
    for word in words {
        let mut parts = word.split(':');
        let symbol = read_symbol(parts.next()?, shape)?;
        let arguments = parts.map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
        let is_full = formula.size() == shape.most_nodes + SCALING_NODES;
        if arguments.len() != symbol.arity() || is_full {
            return None;
        }
        for &argument in &arguments {
            let is_free = is_free.get_mut(argument as usize)?;
            if !std::mem::replace(is_free, false) {
                return None;
            }
        }
        formula.push(symbol, &arguments);
        is_free.push(true);
    }
    (is_free.iter().filter(|&&is_free| is_free).count() == 1).then_some(formula)
}

fn read_symbol(word: &str, shape: &Shape) -> Option<Symbol> {
    if let Some(bits) = word.strip_prefix('#') {
        let value = f64::from_bits(read_bits(bits)?);
        return value.is_finite().then(|| Symbol::constant(value));
    }
    if let Some(operator) = Operator::from_name(word) {
        return Some(Symbol::operator(operator));
    }
    Some(Symbol::feature(read_feature(word.strip_prefix('x')?, shape)?))
}

/// A feature with a factor, which stands in genomes only.
fn read_weighted(word: &str, shape: &Shape) -> Option<Symbol> {
    let (index, bits) = word.strip_prefix('x')?.split_once('*')?;
    Symbol::weighted(read_feature(index, shape)?, f64::from_bits(read_bits(bits)?))
}

fn read_feature(index: &str, shape: &Shape) -> Option<u32> {
    index.parse().ok().filter(|&index: &u32| (index as usize) < shape.n_features)
}
