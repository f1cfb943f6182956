//! Settings that do nothing beside the others. They are taken, since defaults may be among them; whoever has set one by hand
//! is told.

use super::knobs::{ConstantSource, Polish, PopulationSize, Settings};
use crate::expression::Operator;

impl Settings {
    /// Why a setting does nothing beside the others; none where it acts, and where its own value says that it shall not.
    pub fn why_idle(&self, key: &str) -> Option<&'static str> {
        let tuning = &self.tuning;
        let is_tuned = tuning.probability > 0.0 || tuning.weighing > 0.0 || tuning.grafting > 0.0;
        let has_constants = self.constants != ConstantSource::Off;
        let when = |is_idle: bool, why: &'static str| is_idle.then_some(why);
        match key.trim().replace('-', "_").as_str() {
            "constants.factors" if self.factors > 0.0 => self.why_no_factors(),
            "constants.weighing" if tuning.weighing > 0.0 => self.why_no_factors().or_else(|| {
                let may_add = self.operators.contains(&Operator::Add);
                when(!may_add, "it needs the operator +")
                    .or_else(|| when(self.arity < 2, "it needs a template.arity of 2"))
            }),
            "constants.tuning" if tuning.probability > 0.0 => {
                when(!has_constants, "constants.range is off")
            }
            "constants.mutation" if tuning.mutation_probability > 0.0 => {
                when(!has_constants, "constants.range is off")
            }
            "constants.tuning_steps" => {
                when(!is_tuned, "constants.tuning, constants.weighing and constants.grafting are 0")
            }
            "constants.pruning" if tuning.pruning > 0.0 => {
                when(tuning.grafting == 0.0, "constants.grafting is 0")
            }
            "constants.new_parts" if tuning.new_parts > 0.0 => {
                when(tuning.grafting == 0.0, "constants.grafting is 0")
            }
            "constants.mutation_scale"
            | "constants.mutation_decay"
            | "constants.mutation_patience"
            | "constants.mutation_place" => {
                when(tuning.mutation_probability == 0.0, "constants.mutation is 0")
            }
            "polish" if self.polish == Polish::On => when(!has_constants, "constants.range is off"),
            "max_positions" if self.max_positions.is_some() => {
                when(self.max_size.is_some(), "max_size takes its place")
            }
            "ims.start" | "ims.factor" | "ims.max_populations" | "ims.retire_on_equal" => {
                when(self.population != PopulationSize::Multistart, "there is a single population")
            }
            _ => None,
        }
    }

    fn why_no_factors(&self) -> Option<&'static str> {
        if !self.operators.contains(&Operator::Multiply) {
            return Some("it needs the operator *");
        }
        (self.constants == ConstantSource::Off).then_some("constants.range is off")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Key;

    fn changed(pairs: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::recommended();
        pairs.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
        settings
    }

    #[test]
    fn no_default_is_idle_but_what_tells_how_to_do_what_is_not_done() {
        let idle = |settings: &Settings| {
            let keys = Key::all().iter().map(|key| key.name);
            keys.filter(|key| settings.why_idle(key).is_some()).collect::<Vec<_>>()
        };
        let is_mutation = |key: &&str| key.starts_with("constants.mutation_");
        assert!(idle(&Settings::recommended()).iter().all(is_mutation));
        let paper = idle(&Settings::default());
        assert_eq!(paper[0], "constants.tuning_steps");
        assert!(paper.len() == 5 && paper[1..].iter().all(is_mutation), "{paper:?}");
    }

    #[test]
    fn a_setting_that_cannot_act_says_what_it_lacks() {
        for (pair, key, expected) in [
            (("operators", "+,-"), "constants.factors", "operator *"),
            (("operators", "+,-"), "constants.weighing", "operator *"),
            (("operators", "-,*"), "constants.weighing", "operator +"),
            (("constants.range", "off"), "constants.factors", "constants.range is off"),
            (("constants.range", "off"), "constants.tuning", "constants.range is off"),
            (("max_size", "9"), "max_positions", "max_size"),
            (("population", "64"), "ims.start", "population"),
            (("constants.range", "off"), "polish", "constants.range is off"),
            (("constants.grafting", "0"), "constants.pruning", "constants.grafting is 0"),
            (("constants.grafting", "0"), "constants.new_parts", "constants.grafting is 0"),
        ] {
            let why = changed(&[pair]).why_idle(key).expect(key);
            assert!(why.contains(expected), "{key}: {why}");
        }
        assert_eq!(changed(&[("operators", "+,*")]).why_idle("constants.weighing"), None);
        let switched_off = [("operators", "+,-"), ("constants.factors", "0")];
        assert_eq!(changed(&switched_off).why_idle("constants.factors"), None);
    }
}
