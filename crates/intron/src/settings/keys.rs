//! Every setting by its key: how it is read, how it is written, what it means. Doors get their names from here.

use super::knobs::{ConstantSource, PopulationSize, Settings};
use super::text::{
    bytes, bytes_text, constant_source, costs, costs_text, count, formulas, formulas_text, number,
    optional, optional_text, population_size, positive_number, seconds, whole_number, word,
    word_of,
};
use super::words::{
    BINNING, COMPLEXITY, CONVERGENCE, DUPLICATES, EARLY, EVALUATOR, FORCED, INSTRUCTIONS,
    MUTATION_PLACE, POLISH, RETIRE, SCALING, SELECT, SIMPLIFY, SOLVED,
};
use crate::error::Error;
use crate::expression::Compositions;
use crate::linkage::Linkage;
use crate::population::GrowRule;
use crate::random::Seed;
use crate::spelling::nearest_key;

/// One setting: its name, what it means, and its text form.
pub struct Key {
    /// The name, as in `--set name=value`.
    pub name: &'static str,
    /// What it means, and the values it takes.
    pub help: &'static str,
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str, &str) -> Result<(), Error>,
}

impl Key {
    /// All settings, in the order of the documentation.
    pub fn all() -> &'static [Key] {
        KEYS
    }

    /// The value of this setting as text; setting it to that text changes nothing.
    pub fn value(&self, settings: &Settings) -> String {
        (self.get)(settings)
    }
}

impl Settings {
    /// Sets one setting from text. A wrong key is refused with the nearest right one.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let wanted = key.trim().replace('-', "_");
        match KEYS.iter().find(|known| known.name == wanted) {
            Some(known) => (known.set)(self, known.name, value),
            None => Err(Error::UnknownSetting {
                given: key.to_owned(),
                nearest: nearest_key(KEYS.iter().map(|key| key.name), &wanted),
            }),
        }
    }
}

/// A key whose value is one of a few words.
macro_rules! word_key {
    ($name:literal, $help:literal, $choices:ident, $($field:ident).+) => {
        Key {
            name: $name,
            help: $help,
            get: |s| word_of(&s.$($field).+, $choices).to_owned(),
            set: |s, key, text| {
                s.$($field).+ = word(key, text, $choices)?;
                Ok(())
            },
        }
    };
}

/// A key whose value is read by a function and written by `to_string`.
macro_rules! number_key {
    ($name:literal, $help:literal, $read:expr, $($field:ident).+) => {
        Key {
            name: $name,
            help: $help,
            get: |s| s.$($field).+.to_string(),
            set: |s, key, text| {
                s.$($field).+ = $read(key, text)?;
                Ok(())
            },
        }
    };
}

/// A key whose value may be `none`.
macro_rules! optional_key {
    ($name:literal, $help:literal, $read:expr, $($field:ident).+) => {
        Key {
            name: $name,
            help: $help,
            get: |s| optional_text(s.$($field).+),
            set: |s, key, text| {
                s.$($field).+ = optional(key, text, $read)?;
                Ok(())
            },
        }
    };
}

const KEYS: &[Key] = &[
    number_key!("height", "template height in levels: 5 is 31 positions, 7 is 127", count, height),
    number_key!("template.arity", "children of each inner position", count, arity),
    optional_key!(
        "max_size",
        "formulas have at most this many nodes; none for no limit but max_positions",
        count,
        max_size
    ),
    optional_key!(
        "max_positions",
        "formulas use at most this many positions of the template, where a feature with a factor of its own takes one; none for all; max_size takes its place",
        count,
        max_positions
    ),
    word_key!(
        "complexity",
        "what the front weighs against accuracy: size, cost, depth, constants or recursive",
        COMPLEXITY,
        complexity
    ),
    Key {
        name: "costs",
        help: "with complexity=cost: none, or what operators, feature and constant cost, such as sin:3,/:2; others cost 1",
        get: |s| costs_text(&s.costs),
        set: |s, key, text| {
            s.costs = costs(key, text)?;
            Ok(())
        },
    },
    number_key!(
        "per_size",
        "how many different formulas of each size (or other complexity) on the front are kept",
        count,
        per_size
    ),
    Key {
        name: "operators",
        help: "small, large, or names separated by commas; also definitions such as logistic(a) = 1/(1+exp(-a))",
        get: |s| {
            let own = s.own_operators.iter().map(|composition| composition.text());
            s.operators.iter().map(|o| o.name()).chain(own).collect::<Vec<_>>().join(",")
        },
        set: |s, _, text| {
            (s.operators, s.own_operators) = Compositions::parse_set(text)?;
            Ok(())
        },
    },
    Key {
        name: "constants.range",
        help: "from where constants are drawn: data (-5..5 and the sizes of the features), target, LOW..HIGH, or off; then formulas have none but slope, intercept, and what simplification makes of equal parts",
        get: |s| match s.constants {
            ConstantSource::Data => "data".to_owned(),
            ConstantSource::Target => "target".to_owned(),
            ConstantSource::Range(low, high) => format!("{low:?}..{high:?}"),
            ConstantSource::Off => "off".to_owned(),
        },
        set: |s, key, text| {
            s.constants = constant_source(key, text)?;
            Ok(())
        },
    },
    number_key!(
        "constants.factors",
        "how often a feature of an initial solution comes with a factor of its own; needs *",
        number,
        factors
    ),
    number_key!(
        "constants.tuning",
        "probability that a solution is tuned by least squares after mixing; 0 is never",
        number,
        tuning.probability
    ),
    number_key!(
        "constants.tuning_steps",
        "steps of least squares each time, at most: what stays far from worth keeping is given up",
        count,
        tuning.n_steps
    ),
    number_key!(
        "constants.mutation",
        "probability that an active constant is mutated, each time; 0 is never",
        number,
        tuning.mutation_probability
    ),
    number_key!(
        "constants.mutation_scale",
        "standard deviation of a mutation, as a share of the constant",
        number,
        tuning.mutation_scale
    ),
    number_key!(
        "constants.mutation_decay",
        "what mutation_scale is multiplied by while the best of a population stands still; 1 leaves it",
        number,
        tuning.mutation_decay
    ),
    number_key!(
        "constants.mutation_patience",
        "generations in a row without a better best before each such decay",
        count,
        tuning.mutation_patience
    ),
    word_key!(
        "constants.mutation_place",
        "when constants are mutated and tested: after (once, after mixing), interleaved (after each subset) or within (those of a subset just copied, in the same test)",
        MUTATION_PLACE,
        tuning.mutation_place
    ),
    number_key!(
        "constants.weighing",
        "probability that a feature times a constant, both found by derivatives, is added to a part of a solution or takes its place after mixing; needs + and *",
        number,
        tuning.weighing
    ),
    number_key!(
        "constants.grafting",
        "probability that a part of some solution, with all constants tuned, takes the place of a part of a solution after mixing; in the multistart a quarter of the evaluations goes to populations without",
        number,
        tuning.grafting
    ),
    number_key!(
        "constants.pruning",
        "probability that a part of a solution is taken away and others are weighed or grafted in before it is judged, after mixing; in populations that graft",
        number,
        tuning.pruning
    ),
    number_key!(
        "constants.new_parts",
        "probability that a part that is grafted is drawn at random instead of taken from a solution",
        number,
        tuning.new_parts
    ),
    word_key!("linear_scaling", "on or off", SCALING, linear_scaling),
    Key {
        name: "start",
        help: "none, or formulas to start from, separated by semicolons",
        get: |s| formulas_text(&s.start),
        set: |s, _, text| {
            s.start = formulas(text);
            Ok(())
        },
    },
    Key {
        name: "init.grow",
        help: "terminals at inner positions when growing: domain, or a probability such as 0.5",
        get: |s| match s.initialization.grow {
            GrowRule::Domain => "domain".to_owned(),
            GrowRule::TerminalProbability(p) => p.to_string(),
        },
        set: |s, key, text| {
            s.initialization.grow = match text.trim() {
                "domain" => GrowRule::Domain,
                text => GrowRule::TerminalProbability(number(key, text)?),
            };
            Ok(())
        },
    },
    word_key!("init.duplicates", "allowed or drawn-again", DUPLICATES, initialization.duplicates),
    Key {
        name: "linkage",
        help: "random, mi, mi-adjusted, mi-masked, node, node-static, cs, univariate or node-subtrees",
        get: |s| s.linkage.name().to_owned(),
        set: |s, _, text| {
            s.linkage = Linkage::from_name(text)?;
            Ok(())
        },
    },
    number_key!("linkage.bins", "bins for constants when linkage is learned", count, bins),
    word_key!("linkage.binning", "upper-edge or nearest", BINNING, binning),
    Key {
        name: "population",
        help: "ims (interleaved multistart), or the size of a single population",
        get: |s| match s.population {
            PopulationSize::Multistart => "ims".to_owned(),
            PopulationSize::Fixed(n) => n.to_string(),
        },
        set: |s, key, text| {
            s.population = match text.trim() {
                "ims" => PopulationSize::Multistart,
                text => PopulationSize::Fixed(population_size(key, text)?),
            };
            Ok(())
        },
    },
    number_key!(
        "ims.start",
        "size of the first population, twice as large where parts are grafted",
        population_size,
        multistart.start
    ),
    number_key!(
        "ims.factor",
        "generations of a population for one of the next larger, three times as many where parts are grafted",
        positive_number,
        multistart.n_subgenerations
    ),
    number_key!(
        "ims.max_populations",
        "no more than this many populations, in each of the two multistarts where parts are grafted",
        count,
        multistart.max_populations
    ),
    word_key!(
        "ims.retire_on_equal",
        "whether a larger population that is only as good retires a smaller one: yes or no",
        RETIRE,
        multistart.retire_on_equal
    ),
    word_key!(
        "convergence",
        "no-improvement (of the best for two or more generations; where parts are grafted for ten times as many, and less than 0.05 % of the error is none), no-improvement-nor-evaluation, or identical (active parts; also after 1000 generations without a better best, once one has nothing to evaluate)",
        CONVERGENCE,
        convergence
    ),
    word_key!("forced_improvement", "off or on", FORCED, forced_improvement),
    word_key!(
        "polish",
        "tune the constants of the front after the search: on or off",
        POLISH,
        polish
    ),
    word_key!(
        "simplify",
        "bring the front to its smallest equal form, with simple constants and only digits that matter: on or off",
        SIMPLIFY,
        simplify
    ),
    word_key!(
        "select",
        "which formula of the front is chosen: accuracy, best, score, bic, mdl or validation",
        SELECT,
        selection
    ),
    optional_key!("safety_margin", "prove safety so far beyond the ranges", number, safety_margin),
    optional_key!(
        "evaluations",
        "stop after exactly this many",
        positive_number,
        limits.evaluations
    ),
    optional_key!(
        "generations",
        "stop after this many, those of all populations added up",
        positive_number,
        limits.generations
    ),
    optional_key!("time", "stop after this time, such as 30s, 5m or 2h", seconds, limits.seconds),
    optional_key!("target_r2", "stop at this training R²", number, limits.target_r2),
    word_key!(
        "when_solved",
        "once the training R² is 1: stop (after a look for smaller formulas: as long again, at least 1e5 evaluations) or go-on",
        SOLVED,
        limits.when_solved
    ),
    Key {
        name: "memory_limit",
        help: "populations stop growing here, such as 500MB or 2GB",
        get: |s| bytes_text(s.memory_limit_bytes),
        set: |s, key, text| {
            s.memory_limit_bytes = bytes(key, text)?;
            Ok(())
        },
    },
    word_key!("evaluator", "incremental or full; the same bits", EVALUATOR, evaluator),
    word_key!(
        "early_rejection",
        "give up a candidate as soon as it is sure to be rejected: on or off; the same decisions",
        EARLY,
        early_rejection
    ),
    word_key!("instructions", "detected or portable; the same bits", INSTRUCTIONS, instructions),
    Key {
        name: "seed",
        help: "a whole number; it also sets which rows are held out",
        get: |s| s.seed.0.to_string(),
        set: |s, key, text| {
            s.seed = Seed(whole_number(key, text)?);
            Ok(())
        },
    },
    Key {
        name: "threads",
        help: "number of threads, 0 for all; the same result for any number",
        get: |s| s.threads.to_string(),
        set: |s, key, text| {
            s.threads = whole_number(key, text)? as usize;
            Ok(())
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::description::LEAVES_THE_SEARCH;

    #[test]
    fn every_key_reads_what_it_writes() {
        let defaults = Settings::default();
        let mut settings = Settings::default();
        for key in Key::all() {
            let value = key.value(&defaults);
            settings.set(key.name, &value).unwrap_or_else(|e| panic!("{}: {e}", key.name));
            assert_eq!(key.value(&settings), value, "{}", key.name);
        }
        for (key, value) in [
            ("constants.range", "-1.5..2.0"),
            ("init.grow", "0.25"),
            ("population", "1024"),
            ("time", "90"),
            ("memory_limit", "500MB"),
            ("linkage", "mi_masked"),
            ("costs", "sin:3,/:2"),
            ("operators", "+,sin,hyp(a, b) = sqrt(a*a + b*b),f(a)=a+1"),
            ("start", "a + `b;c`; 2 * a"),
        ] {
            settings.set(key, value).unwrap();
            let key = KEYS.iter().find(|known| known.name == key).unwrap();
            assert_eq!(key.value(&settings), value.replace('_', "-"), "{}", key.name);
        }
    }

    #[test]
    fn settings_that_leave_the_search_are_known() {
        let n_known = Key::all().iter().filter(|key| !key.changes_the_search()).count();
        assert_eq!(n_known, LEAVES_THE_SEARCH.len());
    }

    #[test]
    fn a_wrong_key_is_refused_with_the_nearest() {
        let message = |key: &str| Settings::default().set(key, "1").unwrap_err().to_string();
        for (wrong, right) in [
            ("ims.strat", "ims.start"),
            ("bins", "linkage.bins"),
            ("hight", "height"),
            ("init.growth", "init.grow"),
        ] {
            assert!(
                message(wrong).contains(&format!("did you mean `{right}`?")),
                "{}",
                message(wrong)
            );
        }
    }
}
