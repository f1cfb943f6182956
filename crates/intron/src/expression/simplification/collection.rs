//! A formula with like terms and factors collected, equal to it where both are defined: from a formula to sums of
//! products, and back through `writing.rs`.

use super::super::formula::{Formula, Node};
use super::super::operator::Operator::{self, *};
use super::super::symbol::{Meaning, Symbol};
use super::assembly::{call, leaf};
use super::facts::{Arithmetic, folded};
use super::sums::{Atom, Product, Sum, multiplied, raised};

/// Larger exponents are left to the operator `pow`.
const MAX_EXPONENT: i32 = 8;

/// What an atom is.
enum Content {
    Feature(u32),
    Call(Operator, Vec<Sum>),
    Group(Sum),
}

/// What an argument of a function was given up, beside the function.
enum Outside {
    Factor(f64),
    Summand(f64),
}

/// The atoms found so far, with the text of each as a formula.
pub(super) struct Collector<'a> {
    arithmetic: Arithmetic,
    pub(super) printable: &'a [Operator],
    contents: Vec<Content>,
    written: Vec<Formula>,
}

/// The formula with like terms collected.
pub(super) fn collected(
    formula: &Formula,
    arithmetic: Arithmetic,
    printable: &[Operator],
) -> Formula {
    let (contents, written) = (Vec::new(), Vec::new());
    let mut collector = Collector { arithmetic, printable, contents, written };
    let mut sums: Vec<Sum> = Vec::with_capacity(formula.size());
    for node in formula.nodes() {
        let sum = collector.sum_of(node, &sums);
        sums.push(sum);
    }
    collector.write(sums.last().expect("a formula has at least one node"))
}

impl Collector<'_> {
    /// The text of an atom.
    pub(super) fn atom(&self, atom: Atom) -> &Formula {
        &self.written[atom]
    }

    fn sum_of(&mut self, node: &Node, sums: &[Sum]) -> Sum {
        let operator = match node.symbol.meaning() {
            Meaning::Constant(value) => return Sum::constant(value),
            Meaning::Feature(index) => return self.atom_of(Content::Feature(index)),
            Meaning::Operator(operator) => operator,
        };
        let arguments = &node.arguments[..operator.arity()];
        let arguments: Vec<&Sum> = arguments.iter().map(|&place| &sums[place as usize]).collect();
        let values: Option<Vec<f64>> = arguments.iter().map(|argument| argument.value()).collect();
        if let Some(values) = values {
            let second = values.get(1).copied().unwrap_or(0.0);
            if let Some(value) = folded(self.arithmetic, operator, values[0], second) {
                return Sum::constant(value);
            }
        }
        let sum = self.arithmetic_of(operator, &arguments);
        sum.filter(Sum::is_ordinary).unwrap_or_else(|| self.call_of(operator, &arguments))
    }

    /// The sum of an operator that can be taken apart.
    fn arithmetic_of(&mut self, operator: Operator, arguments: &[&Sum]) -> Option<Sum> {
        match (operator, arguments) {
            (Add, [a, b]) => Some(a.plus(b, 1.0)),
            (Subtract, [a, b]) => Some(a.plus(b, -1.0)),
            (Negate, [a]) => Some(a.times(-1.0)),
            (Multiply, [a, b]) => self.product(a, b),
            (Divide, [a, b]) => {
                let inverse = self.power(b, -1)?;
                self.product(a, &inverse)
            }
            (Inverse, [a]) => self.power(a, -1),
            (Square, [a]) => self.power(a, 2),
            (Cube, [a]) => self.power(a, 3),
            (Power, [a, b]) => {
                let exponent = b.value().filter(|value| value.fract() == 0.0)?;
                let is_small = exponent != 0.0 && exponent.abs() <= f64::from(MAX_EXPONENT);
                is_small.then(|| self.power(a, exponent as i32)).flatten()
            }
            _ => None,
        }
    }

    /// The sum of an operator that is an atom; signs and factors that it lets through come first.
    fn call_of(&mut self, operator: Operator, arguments: &[&Sum]) -> Sum {
        let mut arguments: Vec<Sum> = arguments.iter().map(|&argument| argument.clone()).collect();
        let mut factor = 1.0;
        let is_odd = matches!(operator, Sin | Tanh | AnalyticQuotient | ProtectedDivide);
        let is_even = matches!(operator, Cos | Abs | ProtectedSqrt | ProtectedLog);
        if (is_odd || is_even) && arguments[0].is_negative() {
            arguments[0] = arguments[0].times(-1.0);
            factor = if is_odd { -1.0 } else { 1.0 };
        }
        if operator == AnalyticQuotient && arguments[1].is_negative() {
            arguments[1] = arguments[1].times(-1.0);
        }
        if matches!(operator, AnalyticQuotient | ProtectedDivide) {
            let content = arguments[0].content();
            arguments[0] = arguments[0].over(content);
            factor *= content;
        }
        let outside = self.taken_out(operator, &mut arguments[0]);
        let sum = self.atom_of(Content::Call(operator, arguments));
        match outside {
            Some(Outside::Factor(root)) => sum.times(factor * root),
            Some(Outside::Summand(logarithm)) => sum.plus(&Sum::constant(logarithm), 1.0),
            None => sum.times(factor),
        }
    }

    /// Takes out of an argument what its function lets through: factors of roots and logarithms, summands of exponentials.
    /// Outside, they often meet a number that takes them in.
    fn taken_out(&self, operator: Operator, argument: &mut Sum) -> Option<Outside> {
        let inside = match operator {
            Sqrt | ProtectedSqrt | Abs | Log | ProtectedLog => argument.positive_content(),
            Exp => argument.constant,
            _ => return None,
        };
        let outside = folded(self.arithmetic, operator, inside, 0.0)?;
        if operator == Exp {
            let is_possible = outside.is_normal() && !argument.terms.is_empty();
            argument.constant = if is_possible { 0.0 } else { inside };
            return is_possible.then_some(Outside::Factor(outside));
        }
        *argument = argument.over(inside);
        let is_logarithm = matches!(operator, Log | ProtectedLog);
        Some(if is_logarithm { Outside::Summand(outside) } else { Outside::Factor(outside) })
    }

    fn atom_of(&mut self, content: Content) -> Sum {
        Sum::term(1.0, vec![(self.intern(content), 1)])
    }

    /// The number of an atom, a new one if there is none like it.
    fn intern(&mut self, content: Content) -> Atom {
        if let Some(atom) = self.contents.iter().position(|known| known.is_like(&content)) {
            return atom;
        }
        let written = match &content {
            Content::Feature(index) => leaf(Symbol::feature(*index)),
            Content::Group(sum) => self.write(sum),
            Content::Call(operator, arguments) => {
                let arguments: Vec<Formula> = arguments.iter().map(|sum| self.write(sum)).collect();
                call(*operator, &arguments.iter().collect::<Vec<_>>())
            }
        };
        self.contents.push(content);
        self.written.push(written);
        self.contents.len() - 1
    }

    /// A sum as a coefficient and a product: more than one term is a group.
    fn single(&mut self, sum: &Sum) -> (f64, Product) {
        match (sum.value(), sum.terms.as_slice()) {
            (Some(value), _) => (value, Product::new()),
            (_, [(product, coefficient)]) if sum.constant == 0.0 => (*coefficient, product.clone()),
            _ => {
                let content = sum.content();
                let group = self.intern(Content::Group(sum.over(content)));
                (content, vec![(group, 1)])
            }
        }
    }

    /// The product of two sums, unless it underflows.
    fn product(&mut self, a: &Sum, b: &Sum) -> Option<Sum> {
        match (a.value(), b.value()) {
            (Some(value), _) => return Some(b.times(value)),
            (_, Some(value)) => return Some(a.times(value)),
            _ => {}
        }
        let (x, first) = self.single(a);
        let (y, second) = self.single(b);
        (x * y).is_normal().then(|| self.opened(x * y, multiplied(&first, &second)))
    }

    /// A sum raised to a whole power that is not zero, unless it is the inverse of zero, overflows or underflows.
    fn power(&mut self, sum: &Sum, exponent: i32) -> Option<Sum> {
        let (coefficient, product) = self.single(sum);
        let mut factor = 1.0;
        (0..exponent.abs()).for_each(|_| factor *= coefficient);
        if exponent < 0 {
            factor = 1.0 / factor;
        }
        factor.is_normal().then(|| self.opened(factor, raised(&product, exponent)))
    }

    /// A coefficient times a product; a group alone is a sum again.
    fn opened(&self, coefficient: f64, product: Product) -> Sum {
        if let [(atom, 1)] = product[..]
            && let Content::Group(sum) = &self.contents[atom]
        {
            return sum.times(coefficient);
        }
        Sum::term(coefficient, product)
    }
}

impl Content {
    fn is_like(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Feature(a), Content::Feature(b)) => a == b,
            (Content::Group(a), Content::Group(b)) => a.is_close_to(b),
            (Content::Call(a, x), Content::Call(b, y)) => {
                a == b && x.iter().zip(y).all(|(x, y)| x.is_close_to(y))
            }
            _ => false,
        }
    }
}
