//! Exact derivatives of a formula by its constants, in reverse mode: one pass forward, one pass backward, for all constants
//! at once. What comes out are the sums that least squares needs, not the derivatives themselves.

use super::evaluator::Problem;
use super::full::forward;
use super::kernels::{GROUP, Group, Instructions, LaneSums, Operand, add_products, compute, join};
use super::tally::BLOCK_ROWS;
use crate::expression::{Formula, Meaning, Node, Operator};

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
    /// The normal equations for the constants at these places.
    pub(crate) fn normal_equations(
        &mut self,
        formula: &Formula,
        constants: &[usize],
        problem: &Problem,
    ) -> NormalEquations {
        let k = constants.len();
        let n_pairs = k * (k + 1) / 2;
        let mut sums = Sums {
            of_pairs: vec![LaneSums::default(); n_pairs],
            of_residuals: vec![LaneSums::default(); k],
            squared_error: LaneSums::default(),
        };
        let needed = needed(formula, constants);
        let n_rows = problem.objective.n_rows();
        for start in (0..n_rows).step_by(BLOCK_ROWS) {
            let block = Block { start, n_rows: BLOCK_ROWS.min(n_rows - start) };
            self.differentiate(formula, &needed, block, problem);
            self.add_block(&mut sums, constants, block, problem);
        }
        sums.join()
    }

    /// Values, derivatives of the output and residuals on a block of rows.
    pub(super) fn differentiate(
        &mut self,
        formula: &Formula,
        needed: &[bool],
        block: Block,
        problem: &Problem,
    ) {
        let n_groups = block.n_groups();
        self.make_room(formula.size() * n_groups, n_groups);
        let feature = |k| problem.features.column(k);
        let rows = (block.start, block.n_rows);
        forward(formula, feature, rows, problem.instructions, &mut self.values);
        self.take_residuals(formula, problem, block);
        self.backward(formula, needed, n_groups, problem.instructions);
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

    fn take_residuals(&mut self, formula: &Formula, problem: &Problem, block: Block) {
        let outputs = of_node(&self.values, formula.size() - 1, block);
        let target = block.of(problem.objective.target());
        self.residuals.clear();
        self.residuals.extend(target.iter().zip(outputs).map(|(y, output)| y - output));
    }

    /// Derivatives of the output by every needed node, from the root down: a node is used by one other at most.
    fn backward(
        &mut self,
        formula: &Formula,
        needed: &[bool],
        n_groups: usize,
        instructions: Instructions,
    ) {
        let root = formula.size() - 1;
        self.adjoints[root * n_groups..][..n_groups].fill([1.0; GROUP]);
        for (place, node) in formula.nodes().iter().enumerate().rev() {
            let Meaning::Operator(operator) = node.symbol.meaning() else { continue };
            for (argument, &child) in node.arguments[..operator.arity()].iter().enumerate() {
                if needed[child as usize] {
                    self.descend(operator, argument, place, node, n_groups, instructions);
                }
            }
        }
    }

    /// The derivative by one argument of a node: that by the node, times the node's by the argument.
    fn descend(
        &mut self,
        operator: Operator,
        argument: usize,
        place: usize,
        node: &Node,
        n_groups: usize,
        instructions: Instructions,
    ) {
        let span = |place: usize| place * n_groups..(place + 1) * n_groups;
        let child = node.arguments[argument] as usize;
        let [a, b] = node.arguments.map(|place| &self.values[span(place as usize)]);
        let value = &self.values[span(place)];
        let (below, above) = self.adjoints.split_at_mut(place * n_groups);
        let into = below[span(child)].as_flattened_mut();
        let from = above[..n_groups].as_flattened();
        let spare = &mut self.spare[..n_groups];
        match helper(operator, argument) {
            Some(helper) => {
                compute(instructions, helper, Operand::Column(a), Operand::Scalar(0.0), spare)
            }
            None => spare.fill([0.0; GROUP]),
        }
        let (a, b, value, spare) =
            (a.as_flattened(), b.as_flattened(), value.as_flattened(), spare.as_flattened());
        descend_rows(operator, argument, Rows { a, b, value, helped: spare, from }, into);
    }

    fn add_block(&self, sums: &mut Sums, constants: &[usize], block: Block, problem: &Problem) {
        let weights = block.weights(problem);
        let add = |sum: &mut LaneSums<1>, a: &[f64], b: &[f64]| {
            add_products(problem.instructions, sum, a, b, weights);
        };
        let column = |i: usize| &of_node(&self.adjoints, constants[i], block)[..block.n_rows];
        let residuals = &self.residuals[..block.n_rows];
        add(&mut sums.squared_error, residuals, residuals);
        let mut pairs = sums.of_pairs.iter_mut();
        for (i, of_residuals) in sums.of_residuals.iter_mut().enumerate() {
            add(of_residuals, column(i), residuals);
            for (j, of_pair) in (0..=i).zip(&mut pairs) {
                add(of_pair, column(i), column(j));
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

    pub(super) fn weights(self, problem: &Problem) -> Option<&[f64]> {
        problem.objective.weights().map(|weights| self.of(weights))
    }
}

/// The rows of one node, up to the end of their last group.
pub(super) fn of_node(groups: &[Group], place: usize, block: Block) -> &[f64] {
    let n_groups = block.n_groups();
    groups[place * n_groups..][..n_groups].as_flattened()
}

/// Normal equations under way: each sum in its parts.
struct Sums {
    /// The lower half of the matrix, row by row.
    of_pairs: Vec<LaneSums<1>>,
    of_residuals: Vec<LaneSums<1>>,
    squared_error: LaneSums<1>,
}

impl Sums {
    fn join(&self) -> NormalEquations {
        let k = self.of_residuals.len();
        let mut matrix = vec![0.0; k * k];
        let mut pairs = self.of_pairs.iter();
        for i in 0..k {
            for (j, sum) in (0..=i).zip(&mut pairs) {
                matrix[i * k + j] = join(&sum[0]);
                matrix[j * k + i] = matrix[i * k + j];
            }
        }
        let gradient = self.of_residuals.iter().map(|sum| join(&sum[0])).collect();
        NormalEquations { matrix, gradient, squared_error: join(&self.squared_error[0]) }
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

/// An operator of the first argument that the derivative needs.
fn helper(operator: Operator, argument: usize) -> Option<Operator> {
    match (operator, argument) {
        (Operator::Sin, _) => Some(Operator::Cos),
        (Operator::Cos, _) => Some(Operator::Sin),
        (Operator::Power, 1) => Some(Operator::Log),
        _ => None,
    }
}

/// What the derivative of an operator is made of, row by row.
struct Rows<'a> {
    a: &'a [f64],
    b: &'a [f64],
    value: &'a [f64],
    /// What [`helper`] asked for.
    helped: &'a [f64],
    /// The derivative of the output by the operator.
    from: &'a [f64],
}

impl Rows<'_> {
    /// Multiplies with the slope of each row. One loop per operator, so that each is a vector loop.
    #[inline(always)]
    fn times(&self, into: &mut [f64], slope: impl Fn(f64, f64, f64, f64) -> f64) {
        let n = into.len();
        let (a, b, value) = (&self.a[..n], &self.b[..n], &self.value[..n]);
        let (helped, from) = (&self.helped[..n], &self.from[..n]);
        for row in 0..n {
            into[row] = from[row] * slope(a[row], b[row], value[row], helped[row]);
        }
    }
}

/// The derivative by the first (0) or second (1) argument. At a kink it is that of one side.
fn descend_rows(operator: Operator, argument: usize, rows: Rows<'_>, into: &mut [f64]) {
    use Operator::*;
    match (operator, argument) {
        (Add, _) | (Subtract, 0) => rows.times(into, |_, _, _, _| 1.0),
        (Subtract, _) | (Negate, _) => rows.times(into, |_, _, _, _| -1.0),
        (Multiply, 0) => rows.times(into, |_, b, _, _| b),
        (Multiply, _) => rows.times(into, |a, _, _, _| a),
        (Divide, 0) => rows.times(into, |_, b, _, _| 1.0 / b),
        (Divide, _) => rows.times(into, |_, b, value, _| -value / b),
        (Sin, _) => rows.times(into, |_, _, _, cos| cos),
        (Cos, _) => rows.times(into, |_, _, _, sin| -sin),
        (Exp, _) => rows.times(into, |_, _, value, _| value),
        (Log, _) => rows.times(into, |a, _, _, _| 1.0 / a),
        (Sqrt, _) => rows.times(into, |_, _, value, _| 0.5 / value),
        (Square, _) => rows.times(into, |a, _, _, _| 2.0 * a),
        (Cube, _) => rows.times(into, |a, _, _, _| 3.0 * a * a),
        (Abs, _) => rows.times(into, |a, _, _, _| sign(a)),
        (Tanh, _) => rows.times(into, |_, _, value, _| 1.0 - value * value),
        (Inverse, _) => rows.times(into, |_, _, value, _| -value * value),
        (Power, 0) => rows.times(into, |a, b, value, _| b * value / a),
        (Power, _) => rows.times(into, |_, _, value, log| value * log),
        (Minimum, 0) | (Maximum, 1) => rows.times(into, |a, b, _, _| indicator(a <= b)),
        (Minimum, _) | (Maximum, _) => rows.times(into, |a, b, _, _| indicator(a > b)),
        (AnalyticQuotient, 0) => rows.times(into, |_, b, _, _| 1.0 / (1.0 + b * b).sqrt()),
        (AnalyticQuotient, _) => rows.times(into, |_, b, value, _| -value * b / (1.0 + b * b)),
        (ProtectedDivide, 0) => rows.times(into, |_, b, _, _| sign(b) / (b.abs() + 1e-6)),
        (ProtectedDivide, _) => {
            rows.times(into, |_, b, value, _| -value * sign(b) / (b.abs() + 1e-6));
        }
        (ProtectedLog, _) => rows.times(into, |a, _, _, _| if a == 0.0 { 0.0 } else { 1.0 / a }),
        (ProtectedSqrt, _) => rows.times(into, |a, _, value, _| sign(a) * 0.5 / value),
    }
}

fn indicator(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn sign(a: f64) -> f64 {
    if a < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{LinearScaling, Objective};
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
                let sums = Derivatives::default().normal_equations(&formula, &places, &problem);
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
        let sums = Derivatives::default().normal_equations(&formula, &places, &problem);
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
    fn instructions_change_no_bit() {
        for text in FORMULAS {
            let formula = formula(text);
            let places = formula.constants();
            let sums = [Instructions::Detected, Instructions::Portable].map(|instructions| {
                let problem = Problem { instructions, ..problem(None) };
                Derivatives::default().normal_equations(&formula, &places, &problem)
            });
            assert_eq!(sums[0], sums[1], "{text}");
        }
    }
}
