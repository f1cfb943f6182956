//! The value of one decision variable (section 3.1): an operator, a feature or a constant (ERC), in one word.

use super::operator::{N_OPERATORS, Operator};

/// What a [`Symbol`] stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// An operator of the set in use.
    Operator(Operator),
    /// The feature with this index.
    Feature(u32),
    /// A constant; never NaN.
    Constant(f64),
}

/// One symbol of a genome, eight bytes: mixing compares and copies symbols as words.
///
/// A constant is stored as its bits. Operators and features use bit patterns that are NaNs, which no constant is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u64);

// Quiet NaNs with the sign set; the low half holds the number of the feature, or of the operator and its arity.
const OPERATOR_TAG: u64 = 0xFFFA_0000_0000_0000;
const FEATURE_TAG: u64 = 0xFFFB_0000_0000_0000;
// The number of the feature, then its factor in single precision.
const WEIGHTED_TAG: u64 = 0xFFFC_0000_0000_0000;
const WEIGHTED_SHIFT: u32 = 32;
const ARITY_SHIFT: u32 = 8;
const TAG_BITS: u64 = 0xFFFF_0000_0000_0000;

impl Symbol {
    /// The symbol of an operator.
    pub fn operator(operator: Operator) -> Symbol {
        Symbol(OPERATOR_TAG | (operator.arity() as u64) << ARITY_SHIFT | operator as u64)
    }

    /// The symbol of the feature with this index.
    pub fn feature(index: u32) -> Symbol {
        Symbol(FEATURE_TAG | u64::from(index))
    }

    /// The symbol of a constant. NaN is not a constant.
    pub fn constant(value: f64) -> Symbol {
        assert!(!value.is_nan(), "a constant must not be NaN");
        Symbol(value.to_bits())
    }

    /// The symbol of an operator of one's own: it stands in genomes only, and has no [`Meaning`].
    pub(crate) fn composition(index: usize, arity: usize) -> Symbol {
        Symbol(OPERATOR_TAG | (arity as u64) << ARITY_SHIFT | (N_OPERATORS + index) as u64)
    }

    /// The symbol of a feature times a factor, which is kept in single precision; nothing if it is too large or too small for that. It stands in
    /// genomes only, at one position, and has no [`Meaning`]: in formulas it is written out.
    pub fn weighted(feature: u32, factor: f64) -> Option<Symbol> {
        let number = u16::try_from(feature).expect("alphabets have fewer features");
        let number = u64::from(number) << WEIGHTED_SHIFT;
        let single = factor as f32;
        let is_kept = single.is_normal() || factor == 0.0;
        is_kept.then(|| Symbol(WEIGHTED_TAG | number | u64::from(single.to_bits())))
    }

    /// Feature and factor, if the symbol is such a product.
    #[inline]
    pub fn as_weighted(self) -> Option<(u32, f64)> {
        let feature = u32::from((self.0 >> WEIGHTED_SHIFT) as u16);
        self.is_weighted().then(|| (feature, f64::from(f32::from_bits(self.0 as u32))))
    }

    /// Whether the symbol is a feature times a factor.
    #[inline]
    pub(crate) fn is_weighted(self) -> bool {
        self.0 & TAG_BITS == WEIGHTED_TAG
    }

    /// The index among operators of one's own, if the symbol is one.
    #[inline]
    pub(crate) fn as_composition(self) -> Option<usize> {
        let is_operator = self.0 & TAG_BITS == OPERATOR_TAG;
        let number = usize::from(self.0 as u8);
        (is_operator && number >= N_OPERATORS).then(|| number - N_OPERATORS)
    }

    /// What the symbol stands for.
    ///
    /// # Panics
    /// If it stands in genomes only: see [`Symbol::as_weighted`].
    #[inline]
    pub fn meaning(self) -> Meaning {
        match self.0 & TAG_BITS {
            OPERATOR_TAG => Meaning::Operator(Operator::from_number(self.0 as u8)),
            FEATURE_TAG => Meaning::Feature(self.0 as u32),
            WEIGHTED_TAG => unreachable!("a feature with a factor stands for three nodes"),
            _ => Meaning::Constant(f64::from_bits(self.0)),
        }
    }

    /// The value, if it is a constant.
    pub fn as_constant(self) -> Option<f64> {
        let tag = self.0 & TAG_BITS;
        let is_constant = !matches!(tag, OPERATOR_TAG | FEATURE_TAG | WEIGHTED_TAG);
        is_constant.then(|| f64::from_bits(self.0))
    }

    /// The operator, if the symbol is one.
    #[inline]
    pub fn as_operator(self) -> Option<Operator> {
        if self.0 & TAG_BITS != OPERATOR_TAG || self.as_composition().is_some() {
            return None;
        }
        Some(Operator::from_number(self.0 as u8))
    }

    /// Number of arguments: 0 for features and constants.
    #[inline]
    pub fn arity(self) -> usize {
        // Mixing asks this for every active position of every candidate, so it is in the word itself.
        if self.0 & TAG_BITS == OPERATOR_TAG {
            usize::from((self.0 >> ARITY_SHIFT) as u8)
        } else {
            0
        }
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(index) = self.as_composition() {
            return write!(f, "own{index}");
        }
        if let Some((index, factor)) = self.as_weighted() {
            return write!(f, "{factor:?}*x{index}");
        }
        match self.meaning() {
            Meaning::Operator(operator) => f.write_str(operator.name()),
            Meaning::Feature(index) => write!(f, "x{index}"),
            Meaning::Constant(value) => write!(f, "{value:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_keeps_its_meaning() {
        for operator in Operator::all() {
            assert_eq!(Symbol::operator(operator).meaning(), Meaning::Operator(operator));
            assert_eq!(Symbol::operator(operator).arity(), operator.arity());
        }
        for value in [0.0, -0.0, 1.5, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, -f64::INFINITY] {
            match Symbol::constant(value).meaning() {
                Meaning::Constant(kept) => assert_eq!(kept.to_bits(), value.to_bits()),
                other => panic!("{other:?}"),
            }
        }
        for (index, arity) in [(0, 1), (11, 2)] {
            let symbol = Symbol::composition(index, arity);
            assert_eq!((symbol.as_composition(), symbol.arity()), (Some(index), arity));
            assert_eq!((symbol.as_operator(), symbol.as_constant()), (None, None));
        }
        assert_eq!(Symbol::feature(65_000).meaning(), Meaning::Feature(65_000));
        for (feature, factor) in [(0, 0.0), (3, -1.5), (64_999, 0.1), (7, 1e-30)] {
            let symbol = Symbol::weighted(feature, factor).unwrap();
            let single = f64::from(factor as f32);
            assert_eq!((symbol.as_weighted(), symbol.arity()), (Some((feature, single)), 0));
            assert_eq!((symbol.as_constant(), symbol.as_operator()), (None, None));
        }
        for factor in [f64::NAN, f64::INFINITY, 1e39, 1e-40, 1e-60] {
            assert_eq!(Symbol::weighted(0, factor), None);
        }
    }
}
