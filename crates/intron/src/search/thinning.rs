//! Smaller formulas that lie near those of the front: one with a part left out, and its constants by least squares. A search that
//! meets `c + 1.003 * a * b` first has no reason to look for `c + a * b`, which is less accurate, and still the law.

use super::archive::Archive;
use super::polish::{Polisher, shortcuts};
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
        loop {
            let is_next = |model: &&Model| model.complexity < complexity;
            let Some(model) = front.front().iter().rev().find(is_next).cloned() else { break };
            complexity = model.complexity;
            self.n_left = self.most_evaluations_each;
            for candidate in self.thinner(&model, front) {
                let new = self.made_short(candidate);
                if front.would_take(&new) {
                    tell(&new);
                    front.take(new);
                }
            }
        }
    }

    /// The best formula of each complexity that is a formula without a part, if it belongs on the front.
    fn thinner(&mut self, model: &Model, front: &Archive) -> Vec<Model> {
        let mut found: Vec<Model> = Vec::new();
        for formula in self.without_parts(&model.formula) {
            if self.is_over() {
                return Vec::new();
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
    /// leaves what that is of, and terms with equal factors.
    fn without_parts(&self, formula: &Formula) -> Vec<Formula> {
        let arguments = (0..formula.size()).flat_map(|place| {
            let node = formula.nodes()[place];
            node.arguments
                .into_iter()
                .take(node.symbol.arity())
                .map(move |below| (place, below as usize))
        });
        let shortcuts = shortcuts(formula);
        let cuts = arguments.chain(shortcuts);
        let mut variants: Vec<Formula> =
            cuts.map(|(place, below)| formula.without(place, below)).collect();
        if self.scaling == LinearScaling::On {
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
                scaled_formula(formula, fit)
            }
            LinearScaling::Off => formula,
        };
        let model = self.as_printed(formula);
        let threshold = front.threshold(model.complexity);
        let to_reach = self.problem.objective.squared_error_of(threshold);
        let tuned = if self.is_tuning {
            self.tune_towards(to_reach, &model.formula, &[], STEPS)
        } else {
            None
        };
        match tuned {
            Some(tuned) => self.as_printed(tuned),
            None => model,
        }
    }
}
