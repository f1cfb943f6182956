//! Smaller formulas that lie near those of the front: one with a part left out, and its constants by least squares. A search that
//! meets `c + 1.003 * a * b` first has no reason to look for `c + a * b`, which is less accurate, and still the law.

use super::archive::Archive;
use super::polish::Polisher;
use crate::evaluation::LinearScaling;
use crate::expression::Formula;
use crate::model::{Model, scaled_formula};

/// Steps of least squares for each formula that is tried.
const STEPS: usize = 5;
/// Terms whose factors differ by less than this share may have the same one.
const NEARLY_EQUAL: f64 = 0.2;

impl Polisher<'_> {
    /// From the largest formula of the front to the smallest, those that were found on the way among them: leaves out one part
    /// after the other, and keeps what belongs on the front. Tells of each formula that is new.
    pub(super) fn thin_out(&mut self, front: &mut Archive, mut tell: impl FnMut(&Model)) {
        let mut complexity = usize::MAX;
        // As much as the polish of the front may cost.
        let mut left = self.most_evaluations_each.saturating_mul(front.front().len() as u64);
        loop {
            let is_next = |model: &&Model| model.complexity < complexity;
            let Some(model) = front.front().iter().rev().find(is_next).cloned() else { break };
            complexity = model.complexity;
            self.n_left = self.most_evaluations_each.min(left);
            let before = self.n_left;
            for candidate in self.thinner(&model, front) {
                let new = self.made_short(candidate);
                if front.would_take(&new) {
                    tell(&new);
                    front.take(new);
                }
            }
            left -= before - self.n_left;
        }
    }

    /// The best formula of each complexity that is a formula without a part, if it belongs on the front.
    fn thinner(&mut self, model: &Model, front: &Archive) -> Vec<Model> {
        let mut found: Vec<Model> = Vec::new();
        for formula in self.without_parts(&model.formula) {
            if self.is_over() {
                break;
            }
            let candidate = self.with_scaling_anew(formula, front);
            let is_smaller = candidate.complexity < model.complexity;
            if !is_smaller || !front.would_take(&candidate) {
                continue;
            }
            match found.iter_mut().find(|known| known.complexity == candidate.complexity) {
                None => found.push(candidate),
                Some(known) if candidate.fitness.is_better_than(known.fitness) => {
                    *known = candidate
                }
                Some(_) => {}
            }
        }
        found
    }

    /// The formula without one part, in every way: an operator that leaves one of its arguments, a function of a function that
    /// leaves what that is of, and terms with equal factors. Operators of one's own go as a whole or not at all.
    fn without_parts(&self, formula: &Formula) -> Vec<Formula> {
        let own = &self.problem.compositions;
        let whole = if own.is_empty() { formula.clone() } else { own.folded(formula) };
        let arguments = (0..whole.size()).flat_map(|place| {
            let node = whole.nodes()[place];
            let below = node.arguments.into_iter().take(node.symbol.arity());
            below.map(move |below| (place, below as usize))
        });
        let cut = |(place, below): (usize, usize)| {
            let cut = whole.without(place, below);
            if own.is_empty() { cut } else { own.expanded(&cut) }
        };
        let mut variants: Vec<Formula> = arguments.chain(whole.shortcuts()).map(cut).collect();
        // The constants of definitions stay as they are.
        if self.scaling == LinearScaling::On && own.is_empty() {
            let equal = formula.with_equal_factors(NEARLY_EQUAL);
            let short = |formula: &Formula| self.problem.simplified(&self.simplifier, formula);
            variants.extend(equal.iter().map(short));
        }
        variants
    }

    /// The formula with a new slope and intercept, and all constants by least squares.
    fn with_scaling_anew(&mut self, formula: Formula, front: &Archive) -> Model {
        let formula = match self.scaling {
            LinearScaling::On => {
                let fit = self.problem.objective.fit(&self.problem.outputs(&formula));
                self.n_evaluations += 1;
                scaled_formula(formula, fit)
            }
            LinearScaling::Off => formula,
        };
        let model = self.as_printed(formula);
        let threshold = front.threshold(model.complexity);
        let to_reach = self.problem.objective.squared_error_of(threshold);
        let tune =
            |polisher: &mut Self| polisher.tune_towards(to_reach, &model.formula, &[], STEPS);
        match self.is_tuning.then(|| tune(self)).flatten() {
            Some(tuned) => self.as_printed(tuned),
            None => model,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::model_as_printed;
    use super::super::polish::polish;
    use super::*;
    use crate::data::Dataset;
    use crate::evaluation::{Instructions, Objective, Problem};
    use crate::expression::{FeatureNames, Template};
    use crate::halt::Halt;
    use crate::random::{Seed, StreamName};
    use crate::settings::Settings;

    /// The front after the polish, as text: what the search has found is one formula of y = a · b + c with noise.
    fn polished(found: &str, noise: f64) -> Vec<String> {
        let stream = &mut Seed(3).stream(StreamName::Split);
        let column = |stream: &mut crate::random::Stream| -> Vec<f64> {
            (0..120).map(|_| 1.0 + 4.0 * stream.unit()).collect()
        };
        let columns = [column(stream), column(stream), column(stream)];
        let row = |row: usize| columns[0][row] * columns[1][row] + columns[2][row];
        let target = (0..120).map(|k| row(k) + noise * stream.normal()).collect();
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let data = Dataset::new(names, columns.to_vec(), target, None).unwrap();
        let (scaling, instructions) = (LinearScaling::On, Instructions::Detected);
        let objective = Objective::new(data.target(), None, scaling, instructions);
        let template = Template::full(4, 2).unwrap();
        let problem = Problem::new(template, data.features(), objective, instructions);
        let names = FeatureNames::new(data.names());
        let formula = Formula::parse(found, &names).unwrap();
        let size = formula.size();
        let mut archive = Archive::default();
        archive.take(model_as_printed(formula, (size, size), &problem));
        let front = polish(&archive, &problem, &Settings::recommended(), &Halt::default()).front;
        front.iter().map(|model| model.formula.to_text(&names)).collect()
    }

    #[test]
    fn the_law_near_a_formula_joins_the_front() {
        for noise in [0.3, 1e-2, 1e-5] {
            for found in [
                "0.01 + 0.99 * c + 1.002 * a * b",
                "c + a * (b - 0.002) + 0.001 * sin(9 * a)",
                "c + b * (a + 1e-6 * c) - exp(-1e15 * a)",
                "1.001 * (c + 0.999 * a * b)",
            ] {
                let front = polished(found, noise);
                assert!(front.contains(&"c + a * b".to_owned()), "{noise}, {found}: {front:?}");
            }
        }
    }

    #[test]
    fn a_formula_with_nothing_to_spare_stays() {
        let front = polished("c + a * b", 0.1);
        assert_eq!(front.last().map(String::as_str), Some("c + a * b"), "{front:?}");
    }
}
