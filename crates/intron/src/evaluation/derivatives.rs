//! Exact derivatives of a formula by its constants, in reverse mode: one pass forward, one pass backward, for all constants
//! at once. What comes out are the sums that least squares needs, not the derivatives themselves.

use std::cmp::Ordering;

use super::evaluator::Problem;
use super::full::{Column, forward};
use super::kernels::{
    GROUP, Group, Operand, Rows, Slope, add_products, add_three_products, compute, join,
    multiply_slopes,
};
use crate::expression::{Formula, Meaning};

/// Rows that are taken at once: the columns of a formula, values and derivatives, stay in the cache.
pub(super) const DERIVATIVE_ROWS: usize = 256;

/// The normal equations of a formula at its constants: `JᵀWJ`, `JᵀWr` and `rᵀWr`, where `J` holds the derivatives of the
/// output and `r = target − output`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NormalEquations {
    /// Row by row; symmetric.
    pub(crate) matrix: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) squared_error: f64,
}

/// Computes normal equations; keeps its memory from formula to formula.
#[derive(Debug, Default)]
pub(crate) struct Derivatives {
    pub(super) values: Vec<Group>,
    pub(super) adjoints: Vec<Group>,
    spare: Vec<Group>,
    pub(super) residuals: Vec<f64>,
}

impl Derivatives {
    /// The normal equations for the constants at these places. Nothing as soon as some rows show that the squared error is
    /// above a limit, or no number.
    pub(crate) fn normal_equations(
        &mut self,
        formula: &Formula,
        constants: &[usize],
        limit: f64,
        problem: &Problem,
    ) -> Option<NormalEquations> {
        let mut sums = Sums::new(constants.len());
        let needed = needed(formula, constants);
        let n_rows = problem.objective.n_rows();
        for start in (0..n_rows).step_by(DERIVATIVE_ROWS) {
            let block = Block { start, n_rows: DERIVATIVE_ROWS.min(n_rows - start) };
            self.forward(formula, block, problem);
            self.add_squared_error(&mut sums, block, problem);
            if sums.squared_error().partial_cmp(&limit).is_none_or(Ordering::is_gt) {
                return None;
            }
            self.backward(formula, &needed, block, problem);
            self.add_block(&mut sums, constants, block, problem);
        }
        Some(sums.join(constants.len()))
    }

    /// Values, derivatives of the output and residuals on a block of rows.
    pub(super) fn differentiate(
        &mut self,
        formula: &Formula,
        needed: &[bool],
        block: Block,
        problem: &Problem,
    ) {
        self.forward(formula, block, problem);
        self.backward(formula, needed, block, problem);
    }

    /// Values of operators, and residuals.
    fn forward(&mut self, formula: &Formula, block: Block, problem: &Problem) {
        let n_groups = block.n_groups();
        self.make_room(formula.size() * n_groups, n_groups);
        let feature = |k| Column::Grouped(problem.features.groups(k));
        let rows = (block.start, block.n_rows);
        forward(formula, feature, rows, problem.instructions, &mut self.values);
        let outputs = of_node(&self.values, formula.size() - 1, block);
        let target = block.of(problem.objective.target());
        self.residuals.clear();
        self.residuals.extend(target.iter().zip(outputs).map(|(y, output)| y - output));
    }

    fn make_room(&mut self, n_values: usize, n_groups: usize) {
        for (memory, n) in [
            (&mut self.values, n_values),
            (&mut self.adjoints, n_values),
            (&mut self.spare, n_groups),
        ] {
            memory.resize(memory.len().max(n), [0.0; GROUP]);
        }
    }

    /// Derivatives of the output by every needed node, from the root down: a node is used by one other at most.
    fn backward(&mut self, formula: &Formula, needed: &[bool], block: Block, problem: &Problem) {
        let n_groups = block.n_groups();
        let root = formula.size() - 1;
        self.adjoints[root * n_groups..][..n_groups].fill([1.0; GROUP]);
        for (place, node) in formula.nodes().iter().enumerate().rev() {
            let Meaning::Operator(operator) = node.symbol.meaning() else { continue };
            for (argument, &child) in node.arguments[..operator.arity()].iter().enumerate() {
                if needed[child as usize] {
                    let slope = Slope { operator, argument };
                    self.descend(slope, place, formula, block, problem);
                }
            }
        }
    }

    /// The derivative by one argument of a node: that by the node, times the node's by the argument.
    fn descend(
        &mut self,
        slope: Slope,
        place: usize,
        formula: &Formula,
        block: Block,
        problem: &Problem,
    ) {
        let n_groups = block.n_groups();
        let span = |place: usize| place * n_groups..(place + 1) * n_groups;
        let node = &formula.nodes()[place];
        for &child in &node.arguments[..slope.operator.arity()] {
            // Only operators were written.
            if let Meaning::Constant(value) = formula.nodes()[child as usize].symbol.meaning() {
                self.values[span(child as usize)].fill([value; GROUP]);
            }
        }
        let [a, b] =
            node.arguments.map(|child| match formula.nodes()[child as usize].symbol.meaning() {
                Meaning::Feature(k) => block.groups_of(problem.features.groups(k as usize)),
                Meaning::Constant(_) | Meaning::Operator(_) => &self.values[span(child as usize)],
            });
        let value = &self.values[span(place)];
        let (below, above) = self.adjoints.split_at_mut(place * n_groups);
        let into = below[span(node.arguments[slope.argument] as usize)].as_flattened_mut();
        let from = above[..n_groups].as_flattened();
        let spare = &mut self.spare[..n_groups];
        if let Some(helper) = slope.helper() {
            let (a, nothing) = (Operand::Column(a), Operand::Scalar(0.0));
            compute(problem.instructions, helper, a, nothing, spare);
        }
        let [a, b, value, helped] = [a, b, value, spare].map(|groups| groups.as_flattened());
        multiply_slopes(problem.instructions, slope, Rows { a, b, value, helped, from }, into);
    }

    /// The sum of squares of the residuals goes on by a block.
    fn add_squared_error(&self, sums: &mut Sums, block: Block, problem: &Problem) {
        let (instructions, weights) = (problem.instructions, block.weights(problem));
        let residuals = &self.residuals[..block.n_rows];
        let sum = std::array::from_mut(&mut sums.0[0]);
        add_products(instructions, sum, residuals, residuals, weights);
    }

    fn add_block(&self, sums: &mut Sums, constants: &[usize], block: Block, problem: &Problem) {
        let column = |i: usize| match i {
            0 => &self.residuals[..block.n_rows],
            _ => &of_node(&self.adjoints, constants[i - 1], block)[..block.n_rows],
        };
        let (instructions, weights) = (problem.instructions, block.weights(problem));
        // The first sum, that of squared residuals, is there already.
        let mut rest = &mut sums.0[1..];
        for i in 1..=constants.len() {
            let row;
            (row, rest) = rest.split_at_mut(i + 1);
            let (threes, left) = row.as_chunks_mut();
            for (at, sums) in threes.iter_mut().enumerate() {
                let others = [3 * at, 3 * at + 1, 3 * at + 2].map(column);
                add_three_products(instructions, sums, column(i), others, weights);
            }
            for (j, sum) in (3 * threes.len()..).zip(left) {
                add_products(
                    instructions,
                    std::array::from_mut(sum),
                    column(i),
                    column(j),
                    weights,
                );
            }
        }
    }
}

/// Some rows that are taken at once.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) start: usize,
    pub(super) n_rows: usize,
}

impl Block {
    fn n_groups(self) -> usize {
        self.n_rows.div_ceil(GROUP)
    }

    pub(super) fn of(self, column: &[f64]) -> &[f64] {
        &column[self.start..][..self.n_rows]
    }

    fn groups_of(self, column: &[Group]) -> &[Group] {
        &column[self.start / GROUP..][..self.n_groups()]
    }

    pub(super) fn weights(self, problem: &Problem) -> Option<&[f64]> {
        problem.objective.weights().map(|weights| self.of(weights))
    }
}

/// The rows of one node, up to the end of their last group.
pub(super) fn of_node(groups: &[Group], place: usize, block: Block) -> &[f64] {
    let n_groups = block.n_groups();
    groups[place * n_groups..][..n_groups].as_flattened()
}

/// Normal equations under way: sums of products, each in its parts, of the residuals and the derivatives by every constant with
/// themselves and all before them. The lower half of a matrix, row by row.
struct Sums(Vec<[f64; GROUP]>);

impl Sums {
    fn new(n_constants: usize) -> Sums {
        Sums(vec![[0.0; GROUP]; (n_constants + 1) * (n_constants + 2) / 2])
    }

    /// Of the rows so far.
    fn squared_error(&self) -> f64 {
        join(&self.0[0])
    }

    fn join(&self, n_constants: usize) -> NormalEquations {
        let k = n_constants;
        let mut sums = self.0.iter().map(join);
        let mut next = || sums.next().expect("there is a sum for each pair");
        let squared_error = next();
        let (mut matrix, mut gradient) = (vec![0.0; k * k], vec![0.0; k]);
        for i in 0..k {
            gradient[i] = next();
            for j in 0..=i {
                matrix[i * k + j] = next();
                matrix[j * k + i] = matrix[i * k + j];
            }
        }
        NormalEquations { matrix, gradient, squared_error }
    }
}

/// Which nodes have one of these places at or below them.
pub(super) fn needed(formula: &Formula, constants: &[usize]) -> Vec<bool> {
    let mut needed = vec![false; formula.size()];
    constants.iter().for_each(|&place| needed[place] = true);
    for (place, node) in formula.nodes().iter().enumerate() {
        let arguments = &node.arguments[..node.symbol.arity()];
        needed[place] |= arguments.iter().any(|&argument| needed[argument as usize]);
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Instructions, LinearScaling, Objective};
    use crate::expression::{FeatureNames, Template};

    fn problem(weights: Option<&[f64]>) -> Problem {
        let n_rows = 700;
        let a: Vec<f64> = (0..n_rows).map(|row| 0.3 + row as f64 * 0.004).collect();
        let b: Vec<f64> = (0..n_rows).map(|row| 2.5 - row as f64 * 0.003).collect();
        let y: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 2.0 * a - b * b).collect();
        let objective = Objective::new(&y, weights, LinearScaling::Off, Instructions::Detected);
        Problem::new(Template::full(2, 2).unwrap(), &[a, b], objective, Instructions::Detected)
    }

    fn formula(text: &str) -> Formula {
        Formula::parse(text, &FeatureNames::new(&["a".to_owned(), "b".to_owned()])).unwrap()
    }

    /// Every operator, with constants below every argument.
    const FORMULAS: [&str; 22] = [
        "a * 1.5 + 0.7",
        "(a * 1.5 - 0.7) * (b + 2.25)",
        "(a + 0.5) / (b * b + 1.75)",
        "sin(a * 1.5) * 2.5",
        "cos(a * 1.5 + 0.25)",
        "exp(a * 0.5) + 1.5",
        "log(a * 1.5 + b * b * 0.25)",
        "sqrt(a * 1.5 + b * b * 0.5)",
        "square(a * 1.5 - 0.25)",
        "neg(a * 1.5) + 0.5",
        "abs(b - 0.7501) * 2.5",
        "tanh(a * 0.5)",
        "inv(a + 1.25)",
        "cube(a * 0.75 - 0.5)",
        "pow(a * 1.5, b * 0.5)",
        "min(a * 1.5, b * 0.5003)",
        "max(a * 1.5, b * 0.5003)",
        "aq(a * 1.5, b * 0.5)",
        "pdiv(a * 1.5, b * 0.5003 - 0.2)",
        "plog(b * 1.5 - 0.0003)",
        "psqrt(b * 1.5 - 0.0003)",
        "3.5",
    ];

    #[test]
    fn derivatives_are_those_of_small_differences() {
        let weights: Vec<f64> = (0..700).map(|row| 1.0 + f64::from(row % 3)).collect();
        for weights in [None, Some(weights.as_slice())] {
            let problem = problem(weights);
            for text in FORMULAS {
                let formula = formula(text);
                let places = formula.constants();
                let sums = Derivatives::default()
                    .normal_equations(&formula, &places, f64::INFINITY, &problem)
                    .unwrap();
                let error =
                    |formula: &Formula| problem.objective.squared_error(&problem.outputs(formula));
                assert!((sums.squared_error / error(&formula) - 1.0).abs() < 1e-12, "{text}");
                for (i, &place) in places.iter().enumerate() {
                    let value = formula.nodes()[place].symbol.as_constant().unwrap();
                    let step = 1e-5 * value;
                    let [up, down] =
                        [step, -step].map(|s| error(&formula.with_constant(place, value + s)));
                    let by_difference = -(up - down) / (4.0 * step);
                    let scale =
                        sums.matrix[i * places.len() + i].sqrt() * sums.squared_error.sqrt();
                    let apart = (sums.gradient[i] - by_difference).abs();
                    assert!(apart < 2e-5 * scale, "{text}, constant {i}: {apart} of {scale}");
                }
            }
        }
    }

    #[test]
    fn the_matrix_is_made_of_products_of_derivatives() {
        let problem = problem(None);
        let formula = formula("sin(a * 1.5) * 2.5 + exp(b * 0.25)");
        let places = formula.constants();
        let sums = Derivatives::default()
            .normal_equations(&formula, &places, f64::INFINITY, &problem)
            .unwrap();
        let column = |k: usize| -> Vec<f64> {
            let value = formula.nodes()[places[k]].symbol.as_constant().unwrap();
            let [up, down] = [1e-6, -1e-6]
                .map(|s| problem.outputs(&formula.with_constant(places[k], value + s)));
            up.iter().zip(&down).map(|(up, down)| (up - down) / 2e-6).collect()
        };
        for i in 0..3 {
            for j in 0..3 {
                let expected: f64 = column(i).iter().zip(column(j)).map(|(a, b)| a * b).sum();
                assert!((sums.matrix[i * 3 + j] - expected).abs() < 1e-6 * expected.abs().max(1.0));
            }
        }
    }

    #[test]
    fn rows_are_looked_at_until_they_show_that_the_error_is_above_the_limit() {
        let weights: Vec<f64> = (0..700).map(|row| 1.0 + f64::from(row % 3)).collect();
        for weights in [None, Some(weights.as_slice())] {
            let problem = problem(weights);
            let formula = formula("sin(a * 1.5) * 2.5 + exp(b * 0.25)");
            let places = formula.constants();
            let within = |limit: f64| {
                Derivatives::default().normal_equations(&formula, &places, limit, &problem)
            };
            let whole = within(f64::INFINITY).unwrap();
            assert_eq!(within(whole.squared_error), Some(whole.clone()));
            // Most of the error is in the last block, then in all.
            for share in [0.999, 0.5, 1e-3, 0.0] {
                assert_eq!(within(whole.squared_error * share), None, "{share}");
            }
        }
    }

    #[test]
    fn an_error_that_is_no_number_is_above_every_limit() {
        let problem = problem(None);
        // The logarithm is none in the last rows only.
        let formula = formula("log(b - 0.41) * 1.5");
        let outputs = problem.outputs(&formula);
        assert!(outputs[..600].iter().all(|output| output.is_finite()));
        assert!(outputs[699].is_nan());
        let places = formula.constants();
        let sums =
            Derivatives::default().normal_equations(&formula, &places, f64::INFINITY, &problem);
        assert_eq!(sums, None);
    }

    #[test]
    fn instructions_change_no_bit() {
        let weights: Vec<f64> = (0..700).map(|row| 1.0 + f64::from(row % 3)).collect();
        let all = FORMULAS.iter().flat_map(|text| [(text, None), (text, Some(weights.as_slice()))]);
        for (text, weights) in all {
            let formula = formula(text);
            let places = formula.constants();
            let sums = [Instructions::Detected, Instructions::Portable].map(|instructions| {
                let problem = Problem { instructions, ..problem(weights) };
                Derivatives::default()
                    .normal_equations(&formula, &places, f64::INFINITY, &problem)
                    .unwrap()
            });
            assert_eq!(sums[0], sums[1], "{text}");
        }
    }
}
