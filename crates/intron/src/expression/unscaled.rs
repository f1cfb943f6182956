//! A formula without its scaling: what counts as its size where slope and intercept are free. It depends on nothing but the
//! formula as it is printed, so the same text always has the same size.

use super::formula::Formula;
use super::operator::Operator;

impl Formula {
    /// The formula without a constant that is added to it and one that it is multiplied with, wherever in its outermost sums
    /// and products they stand. Signs may be lost: this is for counting.
    pub fn without_scaling(&self) -> Formula {
        let mut formula = self.clone();
        while let Some((node, kept)) = formula.added_constant() {
            formula = formula.without(node, kept);
        }
        // A slope that was multiplied out stands in every term.
        let terms = formula.terms();
        let factors: Option<Vec<_>> = terms.iter().map(|&term| formula.factor(term)).collect();
        match factors.as_deref() {
            Some([(node, kept), ..]) => formula.without(*node, *kept),
            _ => formula,
        }
    }

    /// If all terms of the outermost sum have factors: the sum without the constant that is added to it, in units of one of these factors,
    /// with another one made the same, for every two that differ by less than this share (in size: signs stay). It has lost its slope.
    pub(crate) fn with_equal_factors(&self, share: f64) -> Vec<Formula> {
        let (constants, terms): (Vec<usize>, Vec<usize>) =
            self.terms().into_iter().partition(|&term| self.is_constant(term));
        let factors: Option<Vec<_>> =
            terms.iter().map(|&term| self.factor_constant(term)).collect();
        let Some(factors) = factors else { return Vec::new() };
        let without = |formula: Formula, &place: &usize| formula.with_constant(place, 0.0);
        let sum = constants.iter().fold(self.clone(), without);
        let in_units = |unit: usize, equal: usize| {
            let mut formula = sum.clone();
            for (k, &(place, factor, is_divisor)) in factors.iter().enumerate() {
                let ratio = factor / factors[unit].1;
                let ratio = if k == equal { ratio.signum() } else { ratio };
                formula =
                    formula.with_constant(place, if is_divisor { 1.0 / ratio } else { ratio });
            }
            formula
        };
        let mut found = Vec::new();
        for unit in 0..factors.len() {
            for equal in unit + 1..factors.len() {
                let ratio = (factors[equal].1 / factors[unit].1).abs();
                if ratio != 1.0 && (1.0 - share..1.0 / (1.0 - share)).contains(&ratio) {
                    found.push(in_units(unit, equal));
                }
            }
        }
        found
    }

    /// The constant that a term is multiplied with or divided by: its place, the factor that it is, and whether it divides.
    fn factor_constant(&self, term: usize) -> Option<(usize, f64, bool)> {
        let (node, kept) = self.factor(term)?;
        let (operator, a, b) = self.operation(node)?;
        let place = if kept == a { b } else { a };
        let value = self.nodes()[place].symbol.as_constant()?;
        let is_divisor = operator == Operator::Divide;
        Some((place, if is_divisor { 1.0 / value } else { value }, is_divisor))
    }

    fn is_constant(&self, place: usize) -> bool {
        self.nodes()[place].symbol.as_constant().is_some()
    }

    /// The operator at a place, and where its arguments are.
    fn operation(&self, place: usize) -> Option<(Operator, usize, usize)> {
        let node = self.nodes()[place];
        let [a, b] = node.arguments.map(|argument| argument as usize);
        node.symbol.as_operator().map(|operator| (operator, a, b))
    }

    /// A sum or difference of a constant and something else: where it is, and the something else.
    fn added_constant(&self) -> Option<(usize, usize)> {
        let mut left = vec![self.size() - 1];
        while let Some(place) = left.pop() {
            let Some((Operator::Add | Operator::Subtract, a, b)) = self.operation(place) else {
                continue;
            };
            match (self.is_constant(a), self.is_constant(b)) {
                (true, false) => return Some((place, b)),
                (false, true) => return Some((place, a)),
                _ => left.extend([b, a]),
            }
        }
        None
    }

    /// The terms of the outermost sum.
    fn terms(&self) -> Vec<usize> {
        let (mut terms, mut left) = (Vec::new(), vec![self.size() - 1]);
        while let Some(place) = left.pop() {
            match self.operation(place) {
                Some((Operator::Add | Operator::Subtract, a, b)) => left.extend([b, a]),
                _ => terms.push(place),
            }
        }
        terms
    }

    /// A product or quotient of a constant and something else within a term: where it is, and the something else.
    fn factor(&self, term: usize) -> Option<(usize, usize)> {
        let mut left = vec![term];
        while let Some(place) = left.pop() {
            match self.operation(place) {
                Some((Operator::Multiply, a, b)) if self.is_constant(a) => return Some((place, b)),
                Some((Operator::Multiply | Operator::Divide, a, b)) if self.is_constant(b) => {
                    return Some((place, a));
                }
                Some((Operator::Multiply, a, b)) => left.extend([b, a]),
                Some((Operator::Divide | Operator::Negate, a, _)) => left.push(a),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::FeatureNames;

    #[test]
    fn factors_that_are_nearly_equal_become_so() {
        let names = FeatureNames::new(&["a", "b", "c"].map(str::to_owned));
        for (text, expected) in [
            ("7 + 1.02 * c + 0.99 * a * b", vec!["0 + 1 * c + 1 * a * b"]),
            ("2.1 * c - 2 * (a * b) - 6.3 * sin(a)", vec!["1 * c - 1 * (a * b) - 3 * sin(a)"]),
            ("a / 4 + -0.26 * b", vec!["a / 1 + -1 * b"]),
            ("c + 0.99 * a", vec![]),
            ("3 * c + 0.99 * a", vec![]),
            ("2 * a", vec![]),
        ] {
            let formula = Formula::parse(text, &names).unwrap();
            let parse = |text: &&str| Formula::parse(text, &names).unwrap();
            let found = formula.with_equal_factors(0.2);
            assert_eq!(
                found.iter().map(|formula| formula.to_text(&names)).collect::<Vec<_>>(),
                expected.iter().map(|text| parse(text).to_text(&names)).collect::<Vec<_>>(),
                "{text}"
            );
        }
    }

    #[test]
    fn slope_and_intercept_are_found_wherever_they_stand() {
        let names = FeatureNames::new(&["a".to_owned(), "b".to_owned()]);
        for (text, expected) in [
            ("3.037 + 2.474 * a / b", "a / b"),
            ("2.474 * (a / b) + 3.037", "a / b"),
            ("a / b * 2.474", "a / b"),
            ("a / 2.5 - 1", "a"),
            ("1 - a", "a"),
            ("1.75 + b + 1000.5 * a", "b + 1000.5 * a"),
            ("b - 1.75 + 1000.5 * a", "b + 1000.5 * a"),
            ("1.75 + 2 * b + 3 * a", "b + 3 * a"),
            ("1 + 3 * (a + 2)", "a + 2"),
            ("sin(2 * a + 1)", "sin(2 * a + 1)"),
            ("2.5", "2.5"),
            ("a", "a"),
        ] {
            let formula = Formula::parse(text, &names).unwrap();
            assert_eq!(formula.without_scaling().to_text(&names), expected, "{text}");
        }
    }
}
