//! Collected sums as formulas: factors that terms share are taken out as long as that saves nodes.

use super::super::formula::Formula;
use super::super::operator::Operator::*;
use super::assembly::{call, chain, constant};
use super::collection::Collector;
use super::sums::{Atom, Product, Sum, are_close, multiplied};

/// What several terms of a sum share.
#[derive(Clone, Copy)]
enum Shared {
    /// An atom, above or below the line.
    Factor(Atom, i32),
    /// The size of a coefficient.
    Coefficient(f64),
}

impl Collector<'_> {
    /// A sum as a formula.
    pub(super) fn write(&self, sum: &Sum) -> Formula {
        let Some(shared) = self.worth_sharing(sum) else { return self.write_flat(sum) };
        let has_it = |term: &&(Product, f64)| has(term, shared);
        let others = sum.terms.iter().filter(|term| !has_it(term)).cloned().collect();
        let rest = Sum { constant: sum.constant, terms: others };
        let mut inner = Sum::default();
        for (product, coefficient) in sum.terms.iter().filter(has_it) {
            let part = match shared {
                Shared::Factor(atom, sign) => {
                    Sum::term(*coefficient, multiplied(product, &vec![(atom, -sign)]))
                }
                Shared::Coefficient(size) => Sum::term(coefficient / size, product.clone()),
            };
            inner = inner.plus(&part, 1.0);
        }
        let is_negative = inner.is_negative() && rest != Sum::default();
        let inner = self.write(&if is_negative { inner.times(-1.0) } else { inner });
        let whole = match shared {
            Shared::Factor(atom, 1) => call(Multiply, &[self.atom(atom), &inner]),
            Shared::Factor(atom, _) => call(Divide, &[&inner, self.atom(atom)]),
            Shared::Coefficient(size) => call(Multiply, &[&constant(size), &inner]),
        };
        if rest == Sum::default() {
            return whole;
        }
        call(if is_negative { Subtract } else { Add }, &[&self.write(&rest), &whole])
    }

    /// What saves the most nodes if it is taken out of the terms that share it.
    fn worth_sharing(&self, sum: &Sum) -> Option<Shared> {
        let mut best = None;
        let mut most = 0;
        let mut consider = |shared: Shared, size: usize| {
            let n_terms = sum.terms.iter().filter(|term| has(term, shared)).count();
            let is_whole = |term: &&(Product, f64)| match shared {
                Shared::Factor(atom, sign) => term.0 == [(atom, sign)] && term.1.abs() == 1.0,
                Shared::Coefficient(_) => false,
            };
            // Of a term that is nothing but the factor, a 1 stays.
            let n_left = 2 * sum.terms.iter().filter(is_whole).count();
            let saving = (n_terms.max(1) - 1) * (size + 1);
            if saving > n_left + most {
                most = saving - n_left;
                best = Some(shared);
            }
        };
        for (product, coefficient) in &sum.terms {
            for &(atom, exponent) in product {
                consider(Shared::Factor(atom, exponent.signum()), self.atom(atom).size());
            }
            if coefficient.abs() != 1.0 {
                consider(Shared::Coefficient(coefficient.abs()), 1);
            }
        }
        best
    }

    /// The terms one after the other: those with a plus first, and a constant before the others.
    fn write_flat(&self, sum: &Sum) -> Formula {
        let terms = sum.terms.iter();
        let has_plus = sum.constant > 0.0 || sum.terms.iter().any(|(_, c)| *c > 0.0);
        let mut parts: Vec<(f64, Product)> = Vec::new();
        if sum.constant != 0.0 || sum.terms.is_empty() {
            parts.push((sum.constant, Product::new()));
        }
        parts.extend(terms.map(|(product, coefficient)| (*coefficient, product.clone())));
        let first = match has_plus {
            true => parts.iter().position(|(coefficient, _)| *coefficient > 0.0),
            // A minus costs nothing where there is a number to hold it.
            false => parts.iter().position(|(c, product)| product.is_empty() || *c != -1.0),
        };
        let (coefficient, product) = parts.remove(first.unwrap_or(0));
        let mut whole = self.write_term(coefficient, &product);
        parts.sort_by_key(|(coefficient, _)| *coefficient < 0.0);
        for (coefficient, product) in parts {
            let operator = if coefficient < 0.0 { Subtract } else { Add };
            whole = call(operator, &[&whole, &self.write_term(coefficient.abs(), &product)]);
        }
        whole
    }

    fn write_term(&self, coefficient: f64, product: &Product) -> Formula {
        let powers = |sign: i32| -> Vec<Formula> {
            let factors = product.iter().filter(|(_, exponent)| exponent.signum() == sign);
            factors
                .map(|&(atom, exponent)| self.write_power(atom, exponent.unsigned_abs()))
                .collect()
        };
        let (mut above, below) = (powers(1), powers(-1));
        // A tenth squared, a hundred times, is 1 but for rounding.
        let is_one = are_close(coefficient.abs(), 1.0);
        let coefficient = if is_one { coefficient.signum() } else { coefficient };
        if coefficient == -1.0 && !above.is_empty() && self.printable.contains(&Negate) {
            above[0] = call(Negate, &[&above[0]]);
        } else if coefficient != 1.0 || above.is_empty() {
            above.insert(0, constant(coefficient));
        }
        let above = chain(Multiply, &above).expect("at least the coefficient");
        match chain(Multiply, &below) {
            Some(below) => call(Divide, &[&above, &below]),
            None => above,
        }
    }

    fn write_power(&self, atom: Atom, exponent: u32) -> Formula {
        let is_printable = |operator| self.printable.contains(&operator);
        let factor = self.atom(atom);
        match exponent {
            1 => factor.clone(),
            2 if is_printable(Square) => call(Square, &[factor]),
            3 if is_printable(Cube) => call(Cube, &[factor]),
            4.. if is_printable(Power) => call(Power, &[factor, &constant(f64::from(exponent))]),
            _ if exponent.is_multiple_of(2) && is_printable(Square) => {
                call(Square, &[&self.write_power(atom, exponent / 2)])
            }
            _ => call(Multiply, &[&self.write_power(atom, exponent - 1), factor]),
        }
    }
}

fn has(term: &(Product, f64), shared: Shared) -> bool {
    match shared {
        Shared::Factor(atom, sign) => {
            term.0.iter().any(|&(own, exponent)| own == atom && exponent.signum() == sign)
        }
        Shared::Coefficient(size) => term.1.abs() == size,
    }
}
