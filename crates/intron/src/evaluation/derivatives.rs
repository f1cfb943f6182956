//! Exact derivatives of a formula by its constants, in reverse mode: one pass forward, one pass backward, for all constants
//! at once. What comes out are the sums that least squares needs, not the derivatives themselves.

use super::evaluator::Problem;
use super::full::forward;
use super::kernels::{GROUP, Group, Instructions, Operand, compute};
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
    values: Vec<Group>,
    adjoints: Vec<Group>,
    spare: Vec<Group>,
    residuals: Vec<f64>,
}

/// The places of the constants in a formula.
pub(crate) fn constants_of(formula: &Formula) -> Vec<usize> {
    let is_constant = |node: &Node| matches!(node.symbol.meaning(), Meaning::Constant(_));
    (0..formula.size()).filter(|&place| is_constant(&formula.nodes()[place])).collect()
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
        let mut sums = NormalEquations {
            matrix: vec![0.0; k * k],
            gradient: vec![0.0; k],
            squared_error: 0.0,
        };
        let needed = needed(formula, constants);
        let n_rows = problem.objective.n_rows();
        for start in (0..n_rows).step_by(BLOCK_ROWS) {
            let n_block = BLOCK_ROWS.min(n_rows - start);
            let n_groups = n_block.div_ceil(GROUP);
            self.make_room(formula.size() * n_groups, n_groups);
            forward(formula, |k| problem.features.column(k), (start, n_block), problem.instructions, &mut self.values);
            self.take_residuals(formula, problem, start, n_block);
            self.backward(formula, &needed, n_groups, problem.instructions);
            let weights = problem.objective.weights().map(|weights| &weights[start..][..n_block]);
            self.add_block(&mut sums, constants, n_block, weights);
        }
        mirror(&mut sums.matrix, k);
        sums
    }

    fn make_room(&mut self, n_values: usize, n_groups: usize) {
        for (memory, n) in
            [(&mut self.values, n_values), (&mut self.adjoints, n_values), (&mut self.spare, n_groups)]
        {
            memory.resize(memory.len().max(n), [0.0; GROUP]);
        }
    }

    fn take_residuals(&mut self, formula: &Formula, problem: &Problem, start: usize, n_block: usize) {
        let n_groups = n_block.div_ceil(GROUP);
        let outputs = self.values[(formula.size() - 1) * n_groups..].as_flattened();
        let target = &problem.objective.target()[start..][..n_block];
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
            Some(helper) => compute(instructions, helper, Operand::Column(a), Operand::Scalar(0.0), spare),
            None => spare.fill([0.0; GROUP]),
        }
        let (a, b, value, spare) =
            (a.as_flattened(), b.as_flattened(), value.as_flattened(), spare.as_flattened());
        descend_rows(operator, argument, Rows { a, b, value, helped: spare, from }, into);
    }

    fn add_block(
        &self,
        sums: &mut NormalEquations,
        constants: &[usize],
        n_block: usize,
        weights: Option<&[f64]>,
    ) {
        let (k, n_groups) = (constants.len(), n_block.div_ceil(GROUP));
        let column = |i: usize| {
            &self.adjoints[constants[i] * n_groups..][..n_groups].as_flattened()[..n_block]
        };
        let residuals = &self.residuals[..n_block];
        sums.squared_error += dot(residuals, residuals, weights);
        for i in 0..k {
            sums.gradient[i] += dot(column(i), residuals, weights);
            for j in 0..=i {
                sums.matrix[i * k + j] += dot(column(i), column(j), weights);
            }
        }
    }
}

/// Which nodes have one of these places at or below them.
fn needed(formula: &Formula, constants: &[usize]) -> Vec<bool> {
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

/// Partial sums that a dot product is made of: enough that the loop is a vector loop.
const LANES: usize = 8;

/// The sum of weighted products, in one fixed order.
fn dot(a: &[f64], b: &[f64], weights: Option<&[f64]>) -> f64 {
    let mut lanes = [0.0; LANES];
    let product = |row: usize| match weights {
        Some(weights) => weights[row] * a[row] * b[row],
        None => a[row] * b[row],
    };
    let n = a.len().min(b.len());
    let whole = n - n % LANES;
    match weights {
        None => {
            for (a, b) in a[..whole].chunks_exact(LANES).zip(b[..whole].chunks_exact(LANES)) {
                for lane in 0..LANES {
                    lanes[lane] += a[lane] * b[lane];
                }
            }
        }
        Some(_) => {
            for row in 0..whole {
                lanes[row % LANES] += product(row);
            }
        }
    }
    for row in whole..n {
        lanes[row % LANES] += product(row);
    }
    lanes.iter().sum()
}

fn mirror(matrix: &mut [f64], k: usize) {
    for i in 0..k {
        for j in 0..i {
            matrix[j * k + i] = matrix[i * k + j];
        }
    }
}
