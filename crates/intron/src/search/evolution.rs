//! One population: its initial solutions, and one generation after the other (algorithm 1).

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::archive::Archive;
use super::budget::Budget;
use super::checkpoint::SavedPopulation;
use super::known::{self, Known};
use super::observer::{Event, Observer};
use super::optimal_mixing::{Forcing, Mixed, Mixing};
use super::workers::{Desk, Done, Workers};
use crate::evaluation::{Fitness, Problem};
use crate::expression::{Alphabet, Operator};
use crate::linkage::{FamilyOfSubsets, Linkage, LinkageModel, MeasureContext, Rebuild};
use crate::population::{Population, Solution, initialize};
use crate::random::StreamName;
use crate::settings::{Convergence, ForcedImprovement, Settings, Tuning};

/// What all populations of a run share.
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) problem: Arc<Problem>,
    pub(super) alphabet: Alphabet,
    pub(super) workers: Workers,
    pub(super) budget: Budget,
    pub(super) archive: Archive,
    /// Formulas that the user gave.
    pub(super) known: Vec<Known>,
    /// Rows computed since the last `Progressed`.
    pub(super) rows_since_progress: u64,
    /// Whether the observer knows that populations do not grow any more.
    pub(super) has_told_memory_limit: bool,
}

/// What tells one population of a run from the others, but for its size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) number: usize,
    /// Whether parts are put elsewhere.
    pub(super) grafts: bool,
    /// Whether initial features may have factors.
    pub(super) has_factors: bool,
}

/// One population on its way.
pub(super) struct Evolution {
    kind: Kind,
    /// Shared with checkpoints: a generation makes a new one.
    population: Arc<Population>,
    linkage: LinkageModel,
    generation: u64,
    best: Fitness,
    n_generations_without_improvement: u32,
    /// The standard deviation of a mutation, as a share of the constant: it falls while the best stands still.
    temperature: f64,
    n_evaluations_last_generation: u64,
    /// For every solution, how many generations ago it last improved.
    stretches: Arc<Vec<u32>>,
}

/// How many times as long a population that grafts waits for a better best: parts are put elsewhere one at a time.
const PATIENCE_OF_GRAFTING: u32 = 10;

/// The share of the error that a new best of such a population takes away, or it counts as standing still.
const LEAST_PROGRESS: f64 = 5e-4;

/// After so many generations in a row without a better best, one without an evaluation ends a population under every rule.
const GENERATIONS_FOR_NOTHING: u32 = 1000;

/// `Progressed` is told once for so many computed rows: some tens of milliseconds.
const ROWS_PER_PROGRESS: u64 = 20_000_000;

impl Evolution {
    /// Makes and evaluates the initial population. If the budget ends on the way, the run ends with it.
    pub(super) fn start(
        kind: Kind,
        n_solutions: usize,
        shared: &mut Shared,
        observer: &mut dyn Observer,
    ) -> Evolution {
        let number = kind.number;
        let (mut population, linkage) = initial(kind, n_solutions, shared);
        evaluate_all(&mut population, shared, observer);
        observer.notify(&Event::PopulationStarted { population: number, solutions: &population });
        Evolution {
            kind,
            best: best_of(&population),
            stretches: Arc::new(vec![0; population.len()]),
            population: Arc::new(population),
            linkage,
            generation: 0,
            n_generations_without_improvement: 0,
            temperature: shared.settings.tuning.mutation_scale,
            n_evaluations_last_generation: 0,
        }
    }

    /// What a checkpoint keeps: all that cannot be made again from the seed.
    pub(super) fn save(&self) -> SavedPopulation {
        SavedPopulation {
            generation: self.generation,
            n_generations_without_improvement: self.n_generations_without_improvement,
            temperature: self.temperature,
            population: Arc::clone(&self.population),
            stretches: Arc::clone(&self.stretches),
        }
    }

    /// The population of a checkpoint. What its linkage keeps is learned again from its initial solutions.
    pub(super) fn restore(kind: Kind, saved: &SavedPopulation, shared: &Shared) -> Evolution {
        let number = kind.number;
        let (mut population, mut linkage) = initial(kind, saved.population.len(), shared);
        if linkage.is_learned_once() && saved.generation > 0 {
            if matches!(shared.settings.linkage, Linkage::Custom { rebuild: Rebuild::Once, .. }) {
                // A measure of one's own may look at the fitness.
                let limits = shared.settings.size_limits();
                let allowed = |s: &&mut Solution| limits.admit(&s.genome, s.active);
                for Solution { genome, active, fitness } in population.iter_mut().filter(allowed) {
                    let formula = shared.problem.formula_of(genome, *active);
                    let outputs = shared.problem.outputs(&formula);
                    *fitness = shared.problem.objective.fitness(&outputs);
                }
            }
            let name = StreamName::Linkage { population: number as u64, generation: 0 };
            linkage.learn(&population, &mut shared.settings.seed.stream(name));
        }
        Evolution {
            kind,
            // Mixing never worsens a solution, so the best ever seen is still there.
            best: best_of(&saved.population),
            population: Arc::clone(&saved.population),
            linkage,
            generation: saved.generation,
            n_generations_without_improvement: saved.n_generations_without_improvement,
            temperature: saved.temperature,
            n_evaluations_last_generation: 0,
            stretches: Arc::clone(&saved.stretches),
        }
    }

    /// One generation: learn linkage, mix every solution, replace the population.
    pub(super) fn step(&mut self, shared: &mut Shared, observer: &mut dyn Observer) {
        let (population, generation) = (self.kind.number as u64, self.generation);
        let mut stream =
            shared.settings.seed.stream(StreamName::Linkage { population, generation });
        self.linkage.learn(&self.population, &mut stream);
        if shared.budget.alarm().rings(0) {
            // What was learned may be anything.
            return shared.budget.stop_for_alarm();
        }
        observer.notify(&Event::LinkageLearned {
            population: self.kind.number,
            generation,
            similarity: self.linkage.similarity(),
            family: self.linkage.family().expect("just learned"),
        });
        let evaluations_before = shared.budget.n_evaluations();
        let offspring = self.mix_all(shared, observer);
        self.n_evaluations_last_generation = shared.budget.n_evaluations() - evaluations_before;
        let pairs = offspring.iter().zip(self.population.iter());
        let stretches = self.stretches.iter().zip(pairs).map(|(stretch, (new, old))| {
            if new.fitness.is_better_than(old.fitness) { 0 } else { stretch + 1 }
        });
        self.stretches = Arc::new(stretches.collect());
        self.population = Arc::new(offspring);
        self.generation += 1;
        let best = best_of(&self.population);
        let is_progress = self.is_progress(best);
        if best.is_better_than(self.best) {
            self.best = best;
        }
        if is_progress {
            self.n_generations_without_improvement = 0;
        } else {
            self.n_generations_without_improvement += 1;
            self.temperature *=
                shared.settings.tuning.decay(self.n_generations_without_improvement);
        }
        shared.budget.count_generation();
        observer.notify(&Event::GenerationFinished {
            population: self.kind.number,
            generation: self.generation,
            solutions: &self.population,
            n_evaluations: shared.budget.n_evaluations(),
            elapsed_seconds: shared.budget.elapsed_seconds(),
        });
    }

    /// Whether a new best is worth waiting for another one. Where parts are grafted, constants are tuned in every generation, and a best
    /// that moves in its last digits only would keep larger populations waiting for long.
    fn is_progress(&self, best: Fitness) -> bool {
        let least_gain = if self.kind.grafts { LEAST_PROGRESS } else { 0.0 };
        best.is_better_than(self.best) && best.nmse() <= self.best.nmse() * (1.0 - least_gain)
    }

    /// The best fitness ever seen in this population.
    pub(super) fn best(&self) -> Fitness {
        self.best
    }

    /// The average error of the solutions; infinite if one is invalid.
    pub(super) fn mean_nmse(&self) -> f64 {
        self.population.iter().map(|s| s.fitness.nmse()).sum::<f64>() / self.population.len() as f64
    }

    pub(super) fn has_converged(&self, settings: &Settings) -> bool {
        let times = if self.kind.grafts { PATIENCE_OF_GRAFTING } else { 1 };
        let patience = times * patience(self.population.len());
        let is_stuck = self.n_generations_without_improvement >= patience;
        if self.linkage.family().is_some_and(FamilyOfSubsets::is_empty) {
            // A template of one position has nothing to mix, so nothing will ever change.
            return true;
        }
        match settings.convergence {
            Convergence::NoImprovement => is_stuck,
            Convergence::NoImprovementNorEvaluation => {
                is_stuck && self.n_evaluations_last_generation == 0
            }
            Convergence::IdenticalActiveParts => {
                let first = &self.population[0];
                self.population.iter().all(|solution| solution.has_same_active_part(first))
                    || self.will_never_change()
            }
        }
    }

    /// Different solutions may have nothing to try on each other, as where all that they could copy is too large: no limit on
    /// evaluations would ever end that.
    fn will_never_change(&self) -> bool {
        self.n_evaluations_last_generation == 0
            && self.n_generations_without_improvement >= GENERATIONS_FOR_NOTHING
    }

    /// Mixes every solution. Those that the budget does not reach stay as they are.
    fn mix_all(&self, shared: &mut Shared, observer: &mut dyn Observer) -> Population {
        let mut offspring = Population::clone(&self.population);
        let family = self.linkage.family().expect("linkage is learned before mixing");
        let best =
            self.population.iter().min_by(|a, b| a.fitness.nmse().total_cmp(&b.fitness.nmse()));
        let best = best.expect("a population has solutions");
        let problem = Arc::clone(&shared.problem);
        let complexity = Arc::clone(shared.archive.complexity());
        let alphabet = alphabet_of(self.kind, &shared.alphabet).into_owned();
        let mixing = Mixing {
            problem: &problem,
            parents: &self.population,
            family,
            alphabet: &alphabet,
            complexity: &complexity,
            thresholds: shared.archive.thresholds(),
            early_rejection: shared.settings.early_rejection,
            tuning: tuning(self.kind, self.temperature, &shared.settings),
            size_limits: shared.settings.size_limits(),
        };
        let Shared { settings, workers, budget, archive, rows_since_progress, .. } = shared;
        let n_solutions = self.population.len();
        let mut report = Report { problem: &problem, archive, rows_since_progress, n_solutions };
        let (population, generation) = (self.kind.number as u64, self.generation);
        let stretches = &self.stretches;
        let job = |index: usize, desk: Desk<'_>| {
            let solution = index as u64;
            let name = StreamName::Mixing { population, generation, solution };
            let is_long = stretches[index] > patience(n_solutions);
            let forcing = match settings.forced_improvement {
                ForcedImprovement::Off => Forcing::Off,
                ForcedImprovement::On if is_long => Forcing::Always(best),
                ForcedImprovement::On => Forcing::IfUnchanged(best),
            };
            mixing.mix(index, forcing, desk, &mut settings.seed.stream(name))
        };
        workers.in_order(n_solutions, budget, job, |index, done: Done<Mixed>, budget| {
            let Mixed { solution, candidates } = done.result;
            offspring[index] = solution;
            report.take(&candidates, done.n_evaluations, done.is_interrupted, budget, observer)
        });
        offspring
    }
}

/// The initial solutions of a population, not evaluated yet, and its linkage model.
fn initial(kind: Kind, n_solutions: usize, shared: &Shared) -> (Population, LinkageModel) {
    let Shared { settings, problem, known, budget, .. } = shared;
    let alphabet = alphabet_of(kind, &shared.alphabet);
    let name = StreamName::Initialization { population: kind.number as u64 };
    let mut stream = settings.seed.stream(name);
    let (template, halt) = (&problem.template, budget.halt());
    let mut population =
        initialize(n_solutions, settings.initialization, &alphabet, template, &mut stream, &halt);
    known::put_into(&mut population, known, template);
    let bins = (settings.bins, settings.binning);
    let context = MeasureContext { template: template.clone(), bins, halt };
    let linkage = LinkageModel::new(&settings.linkage, &population, context);
    (population, linkage)
}

/// What the solutions of a population are made of.
fn alphabet_of(kind: Kind, alphabet: &Alphabet) -> Cow<'_, Alphabet> {
    match kind.has_factors {
        true => Cow::Borrowed(alphabet),
        false => Cow::Owned(alphabet.without_factors()),
    }
}

/// How constants change now. To add a feature with a factor takes a sum and room for its two arguments.
fn tuning(kind: Kind, temperature: f64, settings: &Settings) -> Tuning {
    let may_add = settings.operators.contains(&Operator::Add) && settings.arity >= 2;
    let weighing = if may_add && settings.has_factors() { settings.tuning.weighing } else { 0.0 };
    let in_grafting = |probability: f64| if kind.grafts { probability } else { 0.0 };
    let grafting = in_grafting(settings.tuning.grafting);
    let pruning = in_grafting(settings.tuning.pruning);
    Tuning { weighing, grafting, pruning, mutation_scale: temperature, ..settings.tuning }
}

/// 1 + ⌊log₁₀ n⌋ generations.
fn patience(n_solutions: usize) -> u32 {
    1 + n_solutions.ilog10()
}

fn best_of(population: &[Solution]) -> Fitness {
    let better = |a: Fitness, b: Fitness| if b.is_better_than(a) { b } else { a };
    population.iter().map(|solution| solution.fitness).fold(Fitness::INVALID, better)
}

/// Evaluates the initial solutions in order, as far as the budget reaches.
fn evaluate_all(population: &mut Population, shared: &mut Shared, observer: &mut dyn Observer) {
    let problem = Arc::clone(&shared.problem);
    let n_solutions = population.len();
    let Shared { settings, workers, budget, archive, rows_since_progress, .. } = shared;
    let mut report = Report { problem: &problem, archive, rows_since_progress, n_solutions };
    let unevaluated = population.clone();
    let size_limits = settings.size_limits();
    let job = |index: usize, mut desk: Desk<'_>| {
        let Solution { genome, active, .. } = &unevaluated[index];
        let is_interrupted = desk.alarm.rings(0);
        if is_interrupted || desk.evaluations_left == 0 {
            return Done { result: Fitness::INVALID, n_evaluations: 0, is_interrupted };
        }
        if !size_limits.admit(genome, *active) {
            return Done { result: Fitness::INVALID, n_evaluations: 0, is_interrupted };
        }
        desk.evaluator.load(*active);
        let fitness = desk.evaluator.propose(genome, 0, *active);
        desk.evaluator.accept();
        Done { result: fitness, n_evaluations: 1, is_interrupted: false }
    };
    workers.in_order(n_solutions, budget, job, |index, done, budget| {
        population[index].fitness = done.result;
        let candidate = std::slice::from_ref(&population[index]);
        report.take(candidate, done.n_evaluations, done.is_interrupted, budget, observer)
    });
}

/// Takes results in order: counts, offers candidates to the archive, tells the observer.
struct Report<'a> {
    problem: &'a Problem,
    archive: &'a mut Archive,
    rows_since_progress: &'a mut u64,
    n_solutions: usize,
}

impl Report<'_> {
    fn take(
        &mut self,
        candidates: &[Solution],
        n_evaluations: u64,
        is_interrupted: bool,
        budget: &mut Budget,
        observer: &mut dyn Observer,
    ) -> ControlFlow<()> {
        let mut is_new_best = false;
        for candidate in candidates {
            is_new_best |= self.archive.offer(candidate, self.problem);
        }
        let stop = budget.count_evaluations(n_evaluations, self.archive.best_fitness());
        if is_new_best && let Some(model) = self.archive.best() {
            observer.notify(&Event::BestImproved {
                model,
                n_evaluations: budget.n_evaluations(),
                n_generations: budget.n_generations(),
                n_solutions: self.n_solutions,
                elapsed_seconds: budget.elapsed_seconds(),
            });
        }
        *self.rows_since_progress += n_evaluations * self.problem.objective.n_rows() as u64;
        if *self.rows_since_progress > ROWS_PER_PROGRESS {
            *self.rows_since_progress = 0;
            observer.notify(&Event::Progressed {
                n_evaluations: budget.n_evaluations(),
                elapsed_seconds: budget.elapsed_seconds(),
            });
        }
        if is_interrupted {
            budget.stop_for_alarm();
            return ControlFlow::Break(());
        }
        if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
