//! The final polish: constants by least squares, the smallest equal form, simple constants, and only digits that matter.
//! It runs after the search on every formula of the front, and its evaluations are counted apart.

use super::archive::{Archive, model_as_printed};
use super::shelves::{Shelves, are_same};
use crate::evaluation::{Effort, LeastSquares, LinearScaling, Problem};
use crate::expression::{
    Complexity, DigitTolerance, Formula, Operator, Simplifier, rounded_constants, snap_constants,
};
use crate::halt::Halt;
use crate::model::Model;
use crate::settings::{ConstantSource, Polish, Settings, Simplify};

/// Steps of least squares for each formula.
const STEPS: usize = 50;
/// Least squares of a whole front computes about this many rows at most: some seconds on a large table.
const MOST_ROWS: u64 = 1_000_000_000;
/// An error of at most this share of the variance is none.
const NO_ERROR: f64 = 1e-24;
/// A factor that differs from 1 by at most this much may be none.
const NEARLY_ONE: f64 = 0.2;

/// A front after the polish.
pub(super) struct Polished {
    pub(super) front: Vec<Model>,
    /// More formulas of the complexities on the front, in increasing complexity and best first among equals.
    pub(super) alternatives: Vec<Model>,
    pub(super) n_evaluations: u64,
    /// Whether the halt was not called before the end.
    pub(super) is_whole: bool,
}

/// Polishes every formula, and drops those that are then no better than a smaller one. Once the halt is called, formulas
/// stay as they are.
pub(super) fn polish(
    archive: &Archive,
    problem: &Problem,
    settings: &Settings,
    halt: &Halt,
) -> Polished {
    let front: Vec<&Model> = archive.front().iter().collect();
    let is_beside = |model: &&Model| {
        let same = front.iter().find(|other| other.complexity == model.complexity);
        same.is_some_and(|other| other.formula != model.formula)
    };
    let others: Vec<&Model> = archive.shelved().iter().filter(is_beside).collect();
    let (mut polished, mut shelves) = (Archive::default(), Shelves::new(settings.per_size));
    let mut n_evaluations = 0;
    for models in [front, others] {
        if models.is_empty() {
            continue;
        }
        let mut polisher =
            Polisher::new(models.len(), archive.complexity(), problem, settings, halt);
        for model in models {
            let model = polisher.polished(model, settings.simplify);
            if settings.per_size > 1 {
                shelves.take(&model, problem);
            }
            polished.take(model);
        }
        n_evaluations += polisher.n_evaluations;
    }
    if settings.simplify == Simplify::On && !polished.front().is_empty() {
        let n_models = polished.front().len();
        let mut polisher = Polisher::new(n_models, archive.complexity(), problem, settings, halt);
        polisher.thin_out(&mut polished, |model| {
            if settings.per_size > 1 {
                shelves.take(model, problem);
            }
        });
        n_evaluations += polisher.n_evaluations;
    }
    let front = polished.front().to_vec();
    let beside = |best: &Model| {
        let others = shelves.of(best.complexity).iter().filter(|m| !are_same(m, best, problem));
        others.take(settings.per_size - 1).cloned().collect::<Vec<_>>()
    };
    let alternatives = front.iter().flat_map(beside).collect();
    Polished { alternatives, front, n_evaluations, is_whole: !halt.is_called() }
}

/// Whether constants may move. Where there are to be none, those that simplification leaves (a / (a + a) is a half) stay what they
/// are: least squares would make constants of them that fit, and were not wanted. Slope and intercept fit already.
fn is_tuning(settings: &Settings) -> bool {
    settings.polish == Polish::On && settings.constants != ConstantSource::Off
}

pub(super) struct Polisher<'a> {
    pub(super) problem: &'a Problem,
    complexity: &'a Complexity,
    halt: &'a Halt,
    pub(super) scaling: LinearScaling,
    pub(super) is_tuning: bool,
    max_size: usize,
    pub(super) simplifier: Simplifier,
    least_squares: LeastSquares,
    pub(super) most_evaluations_each: u64,
    /// What least squares may still spend on the formula that is being polished.
    pub(super) n_left: u64,
    pub(super) n_evaluations: u64,
}

impl<'a> Polisher<'a> {
    fn new(
        n_models: usize,
        complexity: &'a Complexity,
        problem: &'a Problem,
        settings: &Settings,
        halt: &'a Halt,
    ) -> Polisher<'a> {
        let most = MOST_ROWS / problem.objective.n_rows().max(1) as u64;
        // A subtraction or a division that the search could not write is shorter than what it wrote instead.
        let mut operators = settings.operators.clone();
        operators.extend([Operator::Subtract, Operator::Divide]);
        Polisher {
            problem,
            complexity,
            scaling: settings.linear_scaling,
            is_tuning: is_tuning(settings),
            max_size: settings.max_size.unwrap_or(usize::MAX),
            simplifier: Simplifier::new(&operators),
            least_squares: LeastSquares::new(halt.clone()),
            halt,
            most_evaluations_each: most / n_models.max(1) as u64,
            n_left: 0,
            n_evaluations: 0,
        }
    }

    fn polished(&mut self, model: &Model, simplify: Simplify) -> Model {
        self.n_left = self.most_evaluations_each;
        let tuned = self.tuned(model.clone());
        match simplify {
            Simplify::On => self.made_short(tuned),
            Simplify::Off => tuned,
        }
    }

    /// The simplified model, unless it has become larger: snapped and rounded constants can leave less of the scaling to be taken
    /// away than there was. Then the model as it was, with short constants; nothing is larger than the limit.
    pub(super) fn made_short(&mut self, before: Model) -> Model {
        let simplified = self.simplified(before.clone());
        if simplified.size <= before.size {
            return simplified;
        }
        let short = self.shortened(before.clone());
        let is_smaller = short.size < simplified.size && short.complexity <= simplified.complexity;
        let smaller = if is_smaller { short } else { simplified };
        if smaller.size <= self.max_size { smaller } else { before }
    }

    /// The model with its constants by least squares, if it is better so.
    fn tuned(&mut self, model: Model) -> Model {
        if !self.is_tuning {
            return model;
        }
        let Some(formula) = self.tune(&model.formula, &[], STEPS) else { return model };
        let tuned = model_as_printed(formula, (model.size, model.complexity), self.problem);
        if tuned.fitness.is_better_than(model.fitness) { tuned } else { model }
    }

    /// The smallest equal form, with constants that are as simple and as short as they can be at no cost in accuracy.
    fn simplified(&mut self, model: Model) -> Model {
        let smallest = self.smallest(model);
        let tuned = self.tuned(smallest);
        let needed = self.without_idle_functions(tuned);
        let needed = self.without_idle_constants(needed);
        let snapped = self.snapped(needed);
        let snapped = self.smallest(snapped);
        let short = self.shortened(snapped);
        // Rounding can leave a factor of 1.
        let smallest = self.smallest(short.clone());
        if smallest.formula.size() < short.formula.size() {
            self.shortened(smallest)
        } else {
            short
        }
    }

    fn smallest(&mut self, model: Model) -> Model {
        let most = self.bearable(model.fitness.nmse());
        self.smallest_within(model, most)
    }

    /// The smallest equal form, if its error is at most this.
    fn smallest_within(&mut self, model: Model, most: f64) -> Model {
        if self.halt.is_called() {
            return model;
        }
        let formula = self.problem.simplified(&self.simplifier, &model.formula);
        let smallest = self.as_printed(formula);
        let is_good = smallest.fitness.nmse() <= most;
        let is_small = smallest.formula.size() <= model.formula.size()
            && self.keeps_own_operators(&smallest, &model)
            && (self.complexity.is_size() || smallest.complexity <= model.complexity);
        if is_good && is_small { smallest } else { model }
    }

    /// Without the functions that the data cannot tell from a line or from the inverse of another one: the sine of small
    /// numbers, the root of the square of what is nowhere negative, or the square of what is 0 or 1.
    fn without_idle_functions(&mut self, model: Model) -> Model {
        let most = self.bearable(model.fitness.nmse());
        let mut model = model;
        let mut left = model.formula.shortcuts();
        while let Some((function, below)) = left.pop() {
            if self.is_over() {
                break;
            }
            let without = self.retuned(&model.formula.without(function, below), &[]);
            let smaller = self.as_printed(without);
            if smaller.fitness.nmse() <= most && self.keeps_own_operators(&smaller, &model) {
                model = smaller;
                left = model.formula.shortcuts();
            }
        }
        model
    }

    /// Without the constants that the data cannot tell from 0, such as an intercept of a thousandth, and factors that they cannot
    /// tell from 1.
    fn without_idle_constants(&mut self, model: Model) -> Model {
        let mut model = model;
        let mut place = 0;
        while let Some(&at) = model.formula.constants().get(place) {
            if self.is_over() {
                break;
            }
            let value = model.formula.nodes()[at].symbol.as_constant().expect("a constant");
            let is_near_one = (value.abs() - 1.0).abs() <= NEARLY_ONE;
            let unit = is_near_one.then_some(value.signum());
            let smaller = [Some(0.0), unit]
                .into_iter()
                .flatten()
                .find_map(|idle| self.without(&model, at, idle));
            place += 1;
            if let Some(smaller) = smaller {
                // Other constants stand at these places now.
                (model, place) = (smaller, 0);
            }
        }
        model
    }

    /// The smaller model with another value for a constant; nothing if it is not smaller, or worse. A part of the front's size may
    /// cost what noise gives one constant; slope and intercept, which no other formula of the front will ever lack, are kept if they
    /// matter beyond what the Bayesian information criterion asks of a constant.
    fn without(&mut self, model: &Model, at: usize, idle: f64) -> Option<Model> {
        let (most, most_of_scaling) =
            (self.bearable(model.fitness.nmse()), self.bearable_by_bic(model.fitness.nmse()));
        let replaced = model.formula.with_constant(at, idle);
        let retuned = self.retuned(&replaced, &[at]);
        let retuned = self.as_printed(retuned);
        // Most constants are needed, and to look for a smaller form takes longer than to find out.
        if retuned.fitness.nmse() > most_of_scaling {
            return None;
        }
        let smaller = self.smallest_within(retuned, most_of_scaling);
        let most = if smaller.size < model.size { most } else { most_of_scaling };
        let is_smaller = smaller.formula.size() < model.formula.size();
        (is_smaller && smaller.fitness.nmse() <= most).then_some(smaller)
    }

    /// Whole numbers, fractions and multiples of pi where the data cannot tell them from the constants.
    fn snapped(&mut self, model: Model) -> Model {
        if self.is_over() {
            return model;
        }
        let most = self.bearable(model.fitness.nmse());
        let formula = snap_constants(&model.formula, |candidate, simple| {
            if self.is_over() {
                return None;
            }
            let retuned = self.retuned(candidate, simple);
            let retuned = self.as_printed(retuned);
            let is_good = retuned.fitness.nmse() <= most;
            (is_good && self.keeps_own_operators(&retuned, &model)).then_some(retuned.formula)
        });
        self.as_printed(formula)
    }

    /// The formula with all constants but these by least squares.
    fn retuned(&mut self, formula: &Formula, frozen: &[usize]) -> Formula {
        if !self.is_tuning {
            return formula.clone();
        }
        self.tune(formula, frozen, 5).unwrap_or_else(|| formula.clone())
    }

    fn tune(&mut self, formula: &Formula, frozen: &[usize], n_steps: usize) -> Option<Formula> {
        self.tune_towards(f64::INFINITY, formula, frozen, n_steps)
    }

    /// Least squares for all constants but these, as far as there are evaluations left for it; nothing if the squared error to be
    /// reached is too far away.
    pub(super) fn tune_towards(
        &mut self,
        to_reach: f64,
        formula: &Formula,
        frozen: &[usize],
        n_steps: usize,
    ) -> Option<Formula> {
        let mut places = self.free_constants(formula);
        places.retain(|place| !frozen.contains(place));
        let effort = Effort { n_steps, most_evaluations: self.n_left, to_reach };
        let tuned = self.least_squares.tune(formula, &places, effort, self.problem);
        self.n_left -= self.least_squares.n_evaluations();
        self.n_evaluations += self.least_squares.n_evaluations();
        tuned.moved()
    }

    /// Whether nothing more is to be tried with least squares.
    pub(super) fn is_over(&self) -> bool {
        self.halt.is_called() || (self.is_tuning && self.n_left == 0)
    }

    /// The constants with only as many digits as matter.
    fn shortened(&mut self, model: Model) -> Model {
        if self.halt.is_called() {
            return model;
        }
        let n = self.problem.objective.n_observations();
        let relative = (0.01 / n).min(1e-4);
        let tolerance = DigitTolerance { relative, absolute: NO_ERROR };
        let formula = rounded_constants(&model.formula, tolerance, |formula| {
            if self.halt.is_called() {
                // No number is within any tolerance of what is not a number.
                return f64::NAN;
            }
            let other = self.as_printed(formula.clone());
            let is_kept = self.keeps_own_operators(&other, &model);
            if is_kept { other.fitness.nmse() } else { f64::INFINITY }
        });
        self.as_printed(formula)
    }

    /// The largest error that is within the noise of this one: one constant moved by about one standard error. What is better
    /// than the mean of the target stays so.
    fn bearable(&self, nmse: f64) -> f64 {
        self.grown(nmse, 1.0)
    }

    /// The largest error with which a formula that has one constant less is as good by the Bayesian information criterion.
    fn bearable_by_bic(&self, nmse: f64) -> f64 {
        self.grown(nmse, libm::log(self.problem.objective.n_observations()).max(1.0))
    }

    /// An error that has grown by so many observations' share of itself.
    fn grown(&self, nmse: f64, n_shares: f64) -> f64 {
        let growth = 1.0 + n_shares / self.problem.objective.n_observations();
        let most = (nmse * growth).max(NO_ERROR);
        if nmse <= 1.0 { most.min(1.0) } else { most }
    }

    /// The constants that may move: those of definitions may not.
    fn free_constants(&self, formula: &Formula) -> Vec<usize> {
        let mut places = formula.constants();
        if !self.problem.compositions.is_empty() {
            let fixed = self.problem.compositions.fixed_constants(formula);
            places.retain(|place| !fixed.contains(place));
        }
        places
    }

    /// Whether no operator of one's own was taken apart, which makes a formula larger, since each counts as one node.
    fn keeps_own_operators(&self, new: &Model, old: &Model) -> bool {
        self.problem.compositions.is_empty() || new.size <= old.size
    }

    pub(super) fn as_printed(&mut self, formula: Formula) -> Model {
        self.n_evaluations += 1;
        let own = &self.problem.compositions;
        let folded = if own.is_empty() { None } else { Some(own.folded(&formula)) };
        let counted = folded.as_ref().unwrap_or(&formula);
        let unscaled = match self.scaling {
            LinearScaling::On => Some(counted.without_scaling()),
            LinearScaling::Off => None,
        };
        let counted = unscaled.as_ref().unwrap_or(counted);
        let (size, root) = (counted.size(), counted.size() - 1);
        let complexity = self.complexity.of_formula(counted, root);
        model_as_printed(formula, (size, complexity), self.problem)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::data::Dataset;
    use crate::evaluation::{Instructions, Objective};
    use crate::expression::{FeatureNames, Template};

    fn problem(data: &Dataset) -> Problem {
        let (scaling, instructions) = (LinearScaling::On, Instructions::Detected);
        let objective = Objective::new(data.target(), None, scaling, instructions);
        Problem::new(Template::full(4, 2).unwrap(), data.features(), objective, instructions)
    }

    #[test]
    fn functions_that_the_data_cannot_tell_from_a_line_go() {
        let a: Vec<f64> = (0..60).map(|row| 0.5 + f64::from(row) * 0.05).collect();
        let b: Vec<f64> = (0..60).map(|row| f64::from(row * 17 % 60) * 0.1 - 3.0).collect();
        let of = |y: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&a, &b)| y(a, b)).collect();
        let c: Vec<f64> = (0..60).map(|row| f64::from(u8::from(row % 3 == 0))).collect();
        let of_c = a.iter().zip(&c).map(|(&a, &c)| 3.0 * c + a * a).collect();
        let cases: [(Vec<f64>, &str, &str); 4] = [
            (of_c, "3 * (c * c) + a * a", "square(a) + 3 * c"),
            (of(&|a, b| 2.0 * a - b), "1000000 * sin(2e-6 * a) - b", "2 * a - b"),
            (of(&|a, b| a * a + b), "sqrt(square(a * a)) + b", "b + square(a)"),
            (of(&|a, b| a + b.abs()), "a + sqrt(square(b))", "a + sqrt(square(b))"),
        ];
        for (y, found, expected) in cases {
            let names = vec!["a".into(), "b".into(), "c".into()];
            let columns = vec![a.clone(), b.clone(), c.clone()];
            let data = Dataset::new(names, columns, y, None).unwrap();
            let problem = problem(&data);
            let formula = Formula::parse(found, &FeatureNames::new(data.names())).unwrap();
            let mut archive = Archive::default();
            archive.take(model_as_printed(formula, (7, 7), &problem));
            let settings =
                Settings { operators: Operator::LARGE.to_vec(), ..Settings::recommended() };
            let polished = polish(&archive, &problem, &settings, &Halt::default());
            let text =
                polished.front.last().unwrap().formula.to_text(&FeatureNames::new(data.names()));
            let same = Formula::parse(expected, &FeatureNames::new(data.names())).unwrap();
            assert_eq!(text, same.to_text(&FeatureNames::new(data.names())), "{found}");
        }
    }

    #[test]
    fn a_halted_polish_leaves_sound_formulas_wherever_it_stops() {
        let a: Vec<f64> = (0..60).map(|row| 0.5 + f64::from(row) * 0.05).collect();
        let y = a.iter().map(|a| 2.5 * a * a + 1.5 * a + (7.0 * a).sin()).collect();
        let data = Dataset::new(vec!["a".into()], vec![a], y, None).unwrap();
        let problem = problem(&data);
        let model = |text: &str, size: usize| {
            let formula = Formula::parse(text, &FeatureNames::new(data.names())).unwrap();
            model_as_printed(formula, (size, size), &problem)
        };
        let front = [model("0.9 + 2.4 * a", 1), model("0.9 + 2.4 * ((a + 0.7) * (a * 1))", 7)];
        let mut settings = Settings::default();
        settings.set("polish", "on").unwrap();
        settings.set("simplify", "on").unwrap();
        let mut archive = Archive::default();
        for model in &front {
            assert!(archive.take(model.clone()));
        }
        let polished = |halt: Halt| polish(&archive, &problem, &settings, &halt);
        let whole = polished(Halt::default());
        assert!(whole.is_whole && whole.front != front);
        for n_questions in 0.. {
            let n_asked = AtomicUsize::new(0);
            let halted = polished(Halt::when(move || {
                n_asked.fetch_add(1, Ordering::Relaxed) >= n_questions
            }));
            for (polished, found) in halted.front.iter().zip(&front) {
                let (size, complexity) = (polished.size, polished.complexity);
                let formula = polished.formula.clone();
                let again = model_as_printed(formula, (size, complexity), &problem);
                assert_eq!(*polished, again, "its score is that of the formula");
                assert!(polished.fitness.nmse() <= found.fitness.nmse() * 1.1);
            }
            if n_questions == 0 {
                assert_eq!((&halted.front[..], halted.n_evaluations), (&front[..], 0));
            }
            if halted.is_whole {
                assert!(n_questions > 10);
                return assert_eq!(halted.front, whole.front);
            }
        }
    }
}
