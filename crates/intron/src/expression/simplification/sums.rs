//! Sums of products with like terms collected. What an e-graph finds by trying all orders of a sum, this finds at once,
//! however long the sum is: the e-graph starts from both the formula and its collected form.

/// A factor that is not taken apart: a feature, a call, or a sum within a product, by its number.
pub(super) type Atom = usize;

/// Factors with whole exponents, none of them zero, in the order of their numbers.
pub(super) type Product = Vec<(Atom, i32)>;

/// A constant and products with coefficients, none of them zero, in the order of the products.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sum {
    pub(super) constant: f64,
    pub(super) terms: Vec<(Product, f64)>,
}

/// Coefficients that differ by no more than this share are equal, and what is left of them when they cancel is zero.
const ROUNDING: f64 = 1e-13;

pub(super) fn are_close(a: f64, b: f64) -> bool {
    a == b || ((a - b).abs() <= ROUNDING * a.abs().max(b.abs()) && (a - b).is_finite())
}

/// A sum of two numbers in which rounding does not survive cancellation.
fn plus(a: f64, b: f64) -> f64 {
    if are_close(a, -b) { 0.0 } else { a + b }
}

impl Sum {
    pub(super) fn constant(value: f64) -> Sum {
        Sum { constant: value, terms: Vec::new() }
    }

    /// A coefficient times a product.
    pub(super) fn term(coefficient: f64, product: Product) -> Sum {
        if product.is_empty() || coefficient == 0.0 {
            return Sum::constant(coefficient);
        }
        Sum { constant: 0.0, terms: vec![(product, coefficient)] }
    }

    /// The value of a sum without features.
    pub(super) fn value(&self) -> Option<f64> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub(super) fn plus(&self, other: &Sum, sign: f64) -> Sum {
        let mut terms = self.terms.clone();
        for (product, coefficient) in &other.terms {
            match terms.binary_search_by(|(own, _)| own.cmp(product)) {
                Ok(place) => terms[place].1 = plus(terms[place].1, sign * coefficient),
                Err(place) => terms.insert(place, (product.clone(), sign * coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| *coefficient != 0.0);
        Sum { constant: plus(self.constant, sign * other.constant), terms }
    }

    pub(super) fn times(&self, factor: f64) -> Sum {
        if factor == 0.0 {
            return Sum::default();
        }
        let terms = self.terms.iter().map(|(product, c)| (product.clone(), c * factor)).collect();
        Sum { constant: self.constant * factor, terms }
    }

    /// The sum over a number, each coefficient divided for itself: times a third, 5 is not five thirds. Three tenths over a tenth
    /// are three, whatever rounding makes of them.
    pub(super) fn over(&self, divisor: f64) -> Sum {
        let quotient = |c: f64| {
            let quotient = c / divisor;
            if are_close(quotient, quotient.round()) { quotient.round() } else { quotient }
        };
        let terms = self.terms.iter().map(|(product, c)| (product.clone(), quotient(*c))).collect();
        Sum { constant: quotient(self.constant), terms }
    }

    /// Whether nothing was lost to overflow or underflow.
    pub(super) fn is_ordinary(&self) -> bool {
        self.constant.is_finite() && self.terms.iter().all(|(_, c)| c.is_normal())
    }

    /// Whether the first coefficient is negative: of a sum and its opposite, one is.
    pub(super) fn is_negative(&self) -> bool {
        self.terms.first().map_or(self.constant, |(_, coefficient)| *coefficient) < 0.0
    }

    /// Whether two sums are equal but for rounding.
    pub(super) fn is_close_to(&self, other: &Sum) -> bool {
        let is_same =
            |((a, x), (b, y)): (&(Product, f64), &(Product, f64))| a == b && are_close(*x, *y);
        are_close(self.constant, other.constant)
            && self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(is_same)
    }

    /// The factor that leaves the fewest coefficients if it is taken out, 1 if none does better; negative if the sum is.
    pub(super) fn content(&self) -> f64 {
        if self.is_negative() { -self.positive_content() } else { self.positive_content() }
    }

    /// The same without the sign.
    pub(super) fn positive_content(&self) -> f64 {
        let n_with =
            |size: f64| self.terms.iter().filter(|(_, c)| are_close(c.abs(), size)).count();
        let mut best = (1.0, n_with(1.0));
        for size in self.terms.iter().map(|(_, c)| c.abs()).filter(|size| size.is_normal()) {
            let n_terms = n_with(size);
            if n_terms > best.1 {
                best = (size, n_terms);
            }
        }
        let rest = self.over(best.0);
        let is_whole = rest.constant.is_normal() || self.constant == 0.0;
        if rest.is_ordinary() && is_whole { best.0 } else { 1.0 }
    }
}

/// The product of two products.
pub(super) fn multiplied(a: &Product, b: &Product) -> Product {
    let mut product = a.clone();
    for &(atom, exponent) in b {
        match product.binary_search_by_key(&atom, |&(own, _)| own) {
            Ok(place) => product[place].1 = product[place].1.saturating_add(exponent),
            Err(place) => product.insert(place, (atom, exponent)),
        }
    }
    product.retain(|&(_, exponent)| exponent != 0);
    product
}

/// A product raised to a whole power.
pub(super) fn raised(product: &Product, exponent: i32) -> Product {
    product.iter().map(|&(atom, own)| (atom, own.saturating_mul(exponent))).collect()
}
