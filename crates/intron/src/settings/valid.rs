//! The gate: settings are checked once, and behind it nothing can fail.

use super::knobs::{ConstantSource, PopulationSize, Settings};
use super::text::too_few;
use super::tuning::Tuning;
use crate::error::Error;
use crate::expression::{Complexity, MAX_POSITIONS, Template};
use crate::linkage::MAX_BINS;
use crate::population::GrowRule;

/// The most nodes of a formula with operators of one's own written out.
const MOST_NODES: usize = 30_000;
/// The most formulas of each complexity.
const MOST_PER_SIZE: usize = 100;

/// Settings that were checked, with the template that they describe.
#[derive(Debug, Clone)]
pub struct ValidSettings {
    settings: Settings,
    template: Template,
    complexity: Complexity,
}

impl ValidSettings {
    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The measure of the front, with its costs.
    pub fn complexity(&self) -> &Complexity {
        &self.complexity
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }
}

/// Ranges that are widened further have little to do with the training rows.
const MOST_MARGIN: f64 = 10.0;

impl Settings {
    /// Checks all settings together.
    pub fn validate(self) -> Result<ValidSettings, Error> {
        let template = Template::full(self.height, self.arity)?;
        self.check_operators()?;
        self.check_constants()?;
        self.check_tuning()?;
        self.check_limits()?;
        self.check_populations()?;
        if let GrowRule::TerminalProbability(p) = self.initialization.grow
            && !(0.0..=1.0).contains(&p)
        {
            return Err(Error::setting(
                "init.grow",
                format!("{p} is not a probability"),
                "take 0 to 1",
            ));
        }
        if self.bins == 0 || self.bins > MAX_BINS {
            let problem = format!("{} bins are not possible", self.bins);
            return Err(Error::setting("linkage.bins", problem, format!("take 1 to {MAX_BINS}")));
        }
        if self.threads > 1024 {
            let problem = format!("{} threads are too many", self.threads);
            return Err(Error::setting(
                "threads",
                problem,
                "take at most 1024, or 0 for all cores",
            ));
        }
        let complexity = Complexity::new(self.complexity, &self.costs, &self.own_operators)?;
        let complexity = if self.has_factors() { complexity.with_factors() } else { complexity };
        if self.per_size > MOST_PER_SIZE {
            let problem = format!("{} is too many", self.per_size);
            return Err(Error::setting("per_size", problem, format!("take 1 to {MOST_PER_SIZE}")));
        }
        self.check_start()?;
        Ok(ValidSettings { settings: self, template, complexity })
    }

    fn check_operators(&self) -> Result<(), Error> {
        if self.operators.is_empty() {
            return Err(Error::setting("operators", "the set is empty", "take `small` or `large`"));
        }
        let ordinary = self.operators.iter().map(|operator| (operator.name(), operator.arity()));
        let own = self.own_operators.iter().map(|own| (own.name(), own.arity()));
        if let Some((name, _)) = ordinary.chain(own).find(|(_, arity)| *arity > self.arity) {
            return Err(Error::setting(
                "template.arity",
                format!("`{name}` has more arguments than a position has children"),
                "take 2, or unary operators only",
            ));
        }
        if self.most_nodes() > MOST_NODES {
            return Err(Error::setting(
                "operators",
                "the largest formulas have too many nodes when your own operators are written out",
                "take a lower height or max_positions, or use each argument once in a definition",
            ));
        }
        Ok(())
    }

    /// The most nodes that a formula has, operators of one's own written out: with as many positions as the limits allow.
    pub(crate) fn most_nodes(&self) -> usize {
        let limits = self.size_limits();
        let n_positions = limits.n_positions.min(limits.n_nodes).clamp(1, MAX_POSITIONS);
        let leaf = if self.has_factors() { 3_usize } else { 1 };
        let mut most = vec![leaf; n_positions + 1];
        most[0] = 0;
        for _ in 1..self.height {
            most = (0..=n_positions).map(|n| self.most_nodes_of(n, leaf, &most)).collect();
        }
        most[n_positions]
    }

    /// The most nodes with so many positions, those below the first one shared between its arguments; `below` has the most for each
    /// number of them.
    fn most_nodes_of(&self, n_positions: usize, leaf: usize, below: &[usize]) -> usize {
        if n_positions == 0 {
            return 0;
        }
        let written_out = self.own_operators.iter().map(|own| {
            let n_uses = |argument| if argument < own.arity() { own.n_uses(argument) } else { 0 };
            let n_uses = [0, 1].map(n_uses);
            (own.body().size() - n_uses[0] - n_uses[1], n_uses)
        });
        let ways = written_out.chain([(1, [1, usize::from(self.arity > 1)])]);
        let shared = ways.flat_map(|(parts, [first, second])| {
            (0..n_positions).map(move |n| {
                let of_both = [(first, n), (second, n_positions - 1 - n)];
                of_both.iter().fold(parts, |sum: usize, &(n_uses, n)| {
                    sum.saturating_add(below[n].saturating_mul(n_uses))
                })
            })
        });
        shared.max().unwrap_or(leaf).max(leaf)
    }

    fn check_start(&self) -> Result<(), Error> {
        // Settings are lines of text in checkpoints and files.
        match self.start.iter().find(|text| text.chars().any(char::is_control)) {
            Some(text) => Err(Error::setting(
                "start",
                format!("{text:?} has a line break or another control character"),
                "write each formula in one line",
            )),
            None => Ok(()),
        }
    }

    fn check_constants(&self) -> Result<(), Error> {
        match self.constants {
            ConstantSource::Range(low, high)
                if !(low.is_finite() && high.is_finite() && low <= high) =>
            {
                Err(Error::setting(
                    "constants.range",
                    format!("{low}..{high} is not a range"),
                    "give two numbers, the smaller one first, such as -5..5",
                ))
            }
            _ => Ok(()),
        }
    }

    fn check_tuning(&self) -> Result<(), Error> {
        let Tuning {
            probability,
            mutation_probability,
            mutation_scale,
            mutation_decay,
            mutation_patience,
            weighing,
            grafting,
            pruning,
            new_parts,
            ..
        } = self.tuning;
        for (key, p) in [
            ("constants.factors", self.factors),
            ("constants.tuning", probability),
            ("constants.mutation", mutation_probability),
            ("constants.weighing", weighing),
            ("constants.grafting", grafting),
            ("constants.pruning", pruning),
            ("constants.new_parts", new_parts),
        ] {
            if !(0.0..=1.0).contains(&p) {
                return Err(Error::setting(
                    key,
                    format!("{p} is not a probability"),
                    "take 0 to 1",
                ));
            }
        }
        if !(mutation_scale > 0.0 && mutation_scale.is_finite()) {
            return Err(Error::setting(
                "constants.mutation_scale",
                format!("{mutation_scale} is not possible"),
                "give a number above 0, such as 0.1",
            ));
        }
        if !(mutation_decay > 0.0 && mutation_decay <= 1.0) {
            return Err(Error::setting(
                "constants.mutation_decay",
                format!("{mutation_decay} is not possible"),
                "give a number above 0, at most 1, such as 0.9",
            ));
        }
        if mutation_patience == 0 {
            return Err(Error::setting(
                "constants.mutation_patience",
                "0 is too small",
                "give at least 1",
            ));
        }
        if let Some(margin) = self.safety_margin
            && !(0.0..=MOST_MARGIN).contains(&margin)
        {
            return Err(Error::setting(
                "safety_margin",
                format!("{} is not a share of a range", short(margin)),
                format!("take 0 to {MOST_MARGIN}, such as 0.05, or none"),
            ));
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), Error> {
        for (name, limit) in [("max_size", self.max_size), ("max_positions", self.max_positions)] {
            if limit == Some(0) {
                return Err(Error::setting(name, "0 is too small", "give at least 1"));
            }
        }
        let limits = &self.limits;
        for (key, limit) in
            [("evaluations", limits.evaluations), ("generations", limits.generations)]
        {
            if limit == Some(0) {
                return Err(Error::setting(key, "0 is too small", "give at least 1"));
            }
        }
        if let Some(seconds) = limits.seconds
            && !(seconds > 0.0 && seconds < 1e9)
        {
            let problem = format!("{seconds} seconds are not possible");
            return Err(Error::setting("time", problem, "give a time such as 30s"));
        }
        match limits.target_r2 {
            Some(r2) if !(r2.is_finite() && r2 <= 1.0) => Err(Error::setting(
                "target_r2",
                format!("R² cannot be {r2}"),
                "give a number up to 1, such as 0.95",
            )),
            _ => Ok(()),
        }
    }

    fn check_populations(&self) -> Result<(), Error> {
        let (key, size) = match self.population {
            PopulationSize::Fixed(size) => ("population", size),
            PopulationSize::Multistart => ("ims.start", self.multistart.start),
        };
        if size < 2 {
            return Err(too_few(key, size));
        }
        let is_double = self.n_lanes() > 1;
        let bytes = population_bytes(size, self.height, self.arity);
        // The first population of a second lane is twice as large.
        let bytes = if is_double { bytes.saturating_mul(3) } else { bytes };
        if bytes > self.memory_limit_bytes {
            let taking = if is_double { "two populations from" } else { "a population of" };
            return Err(Error::setting(
                key,
                format!("{taking} {size} would take about {} KB", bytes >> 10),
                "give a smaller one, or a larger memory_limit",
            ));
        }
        if self.multistart.max_populations == 0 || self.multistart.n_subgenerations == 0 {
            return Err(Error::setting("ims", "0 is too small", "give at least 1"));
        }
        Ok(())
    }
}

/// About how much memory a population and its offspring take.
pub(crate) fn population_bytes(n_solutions: usize, height: usize, arity: usize) -> u64 {
    const PER_POSITION: u64 = 8;
    const PER_SOLUTION: u64 = 96;
    let n_positions = Template::full(height, arity).map_or(0, |template| template.n_positions());
    let bytes_each = 2 * (n_positions as u64 * PER_POSITION + PER_SOLUTION);
    (n_solutions as u64).saturating_mul(bytes_each)
}

/// A number without hundreds of zeros.
fn short(number: f64) -> String {
    if number.abs() < 1e6 { number.to_string() } else { format!("{number:e}") }
}
