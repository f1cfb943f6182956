//! Changes of one active position, proposed to a good candidate and rejected: what mixing does most of the time.

#[path = "tables/made_up.rs"]
mod made_up;

use std::sync::Arc;

use divan::{Bencher, black_box, counter::ItemsCount};
use intron::{
    Alphabet, ConstantRange, Evaluator, EvaluatorKind, Fitness, Genome, Halt, Initialization,
    Instructions, LinearScaling, Objective, Operator, PositionSet, Problem, Seed, Solution,
    StreamName, Template, TrainingRows, active_positions, initialize, positions_of,
};

const HEIGHTS: [usize; 2] = [5, 7];

/// Initial solutions, from which the candidate and the changes are taken.
const N_SOLUTIONS: usize = 256;

fn main() {
    divan::main();
}

/// Only what the change touches is computed.
#[divan::bench(args = HEIGHTS)]
fn incremental(bencher: Bencher, height: usize) {
    bench_proposals(bencher, EvaluatorKind::Incremental, height, |_| Fitness::INVALID);
}

/// The same, given up as soon as it is sure to be worse than the candidate.
#[divan::bench(args = HEIGHTS)]
fn incremental_early_rejection(bencher: Bencher, height: usize) {
    bench_proposals(bencher, EvaluatorKind::Incremental, height, |fitness| fitness);
}

/// Everything is computed.
#[divan::bench(args = HEIGHTS)]
fn full(bencher: Bencher, height: usize) {
    bench_proposals(bencher, EvaluatorKind::Full, height, |_| Fitness::INVALID);
}

/// A candidate after a change of one position.
struct Proposal {
    genome: Genome,
    changed: PositionSet,
    active: PositionSet,
}

/// Proposes and rejects each change once; an item is an evaluation. `limit` is told the fitness of the candidate.
fn bench_proposals(
    bencher: Bencher,
    kind: EvaluatorKind,
    height: usize,
    limit: fn(Fitness) -> Fitness,
) {
    let rows = TrainingRows::new(&made_up::table()).expect("the target is not constant");
    let problem = problem(&rows, height);
    let mut population = initial_population(&rows, &problem.template);
    let mut evaluator = Evaluator::new(kind, Arc::clone(&problem));
    for solution in &mut population {
        solution.fitness = load(&mut evaluator, solution);
    }
    let candidate = best_large_one(&population);
    let proposals = proposals_to(candidate, &population, &problem.template);
    let limit = limit(load(&mut evaluator, candidate));
    bencher.counter(ItemsCount::new(proposals.len())).bench_local(|| {
        for Proposal { genome, changed, active } in &proposals {
            black_box(evaluator.propose_within(genome, *changed, *active, limit));
            evaluator.reject();
        }
    });
}

fn problem(rows: &TrainingRows, height: usize) -> Arc<Problem> {
    let template = Template::full(height, 2).expect("a template");
    let data = rows.dataset();
    let instructions = Instructions::Detected;
    let objective = Objective::new(data.target(), None, LinearScaling::On, instructions);
    Arc::new(Problem::new(template, data.features(), objective, instructions))
}

fn initial_population(rows: &TrainingRows, template: &Template) -> Vec<Solution> {
    let (low, high) = rows.target_range();
    let constants = Some(ConstantRange { low, high });
    let n_features = rows.dataset().features().len();
    let alphabet =
        Alphabet::new(Operator::SMALL.to_vec(), n_features, constants).expect("an alphabet");
    let mut stream = Seed(1).stream(StreamName::Initialization { population: 0 });
    initialize(
        N_SOLUTIONS,
        Initialization::default(),
        &alphabet,
        template,
        &mut stream,
        &Halt::default(),
    )
}

/// Evaluates a solution and leaves it in the evaluator.
fn load(evaluator: &mut Evaluator, solution: &Solution) -> Fitness {
    evaluator.load(solution.active);
    let fitness = evaluator.propose(&solution.genome, 0, solution.active);
    evaluator.accept();
    fitness
}

/// The best solution that uses at least half of the template.
fn best_large_one(population: &[Solution]) -> &Solution {
    let is_large = |s: &&Solution| 2 * s.size() >= s.genome.symbols().len();
    let large = population.iter().filter(is_large);
    large.min_by(|a, b| a.fitness.nmse().total_cmp(&b.fitness.nmse())).expect("some are large")
}

/// One change for every donor: an active position takes over the donor's symbol, position after position in turn.
fn proposals_to(candidate: &Solution, donors: &[Solution], template: &Template) -> Vec<Proposal> {
    let symbols = candidate.genome.symbols();
    let in_turn = positions_of(candidate.active).collect::<Vec<_>>().into_iter().cycle();
    let differs = |(donor, position): &(&Solution, usize)| {
        donor.genome.symbols()[*position] != symbols[*position]
    };
    let proposal = |(donor, position): (&Solution, usize)| {
        let mut symbols = symbols.to_vec();
        symbols[position] = donor.genome.symbols()[position];
        let genome = Genome::new(symbols, template);
        let active = active_positions(&genome, template);
        Proposal { genome, changed: 1 << position, active }
    };
    donors.iter().zip(in_turn).filter(differs).map(proposal).collect()
}
