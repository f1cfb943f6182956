//! Constants with as few digits as matter, and simple numbers in their place.

use super::super::formula::Formula;
use super::super::simple_number::SimpleNumber;

/// Fewer significant digits than this are not tried.
const MIN_DIGITS: usize = 3;

/// So many significant digits tell every number from all others.
const MAX_DIGITS: usize = 17;

/// How much worse the score of a formula may become by rounding its constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DigitTolerance {
    /// A share of the score.
    pub relative: f64,
    /// A score of at most this is as good as none: perfect fits stay perfect to this.
    pub absolute: f64,
}

impl Default for DigitTolerance {
    /// The NMSE rises by at most 1e-4 of itself, or stays below 1e-12.
    fn default() -> DigitTolerance {
        DigitTolerance { relative: 1e-4, absolute: 1e-12 }
    }
}

/// Number of characters of a constant as it is printed.
pub(super) fn n_characters(value: f64) -> usize {
    let text = format!("{value:?}");
    text.strip_suffix(".0").unwrap_or(&text).len()
}

/// Rounds every constant to the fewest significant digits, at least three, with which the score (an error: lower is
/// better) of the whole formula stays within the tolerance. First all constants get as many digits as the neediest
/// of them, then each in turn gives up one after the other. Simple numbers stay: a third says more than 0.333. The score to
/// report is that of the result.
pub fn rounded_constants(
    formula: &Formula,
    tolerance: DigitTolerance,
    mut score: impl FnMut(&Formula) -> f64,
) -> Formula {
    let value = |place: usize| formula.nodes()[place].symbol.as_constant().expect("a constant");
    let constants = formula.constants().into_iter().map(|place| (place, value(place)));
    let places: Vec<(usize, f64)> =
        constants.filter(|&(_, value)| SimpleNumber::of(value).is_none()).collect();
    let limit = (score(formula) * (1.0 + tolerance.relative)).max(tolerance.absolute);
    let with_digits = |digits: &[usize]| {
        let mut rounded = formula.clone();
        for (&(place, value), &digits) in places.iter().zip(digits) {
            rounded = rounded.with_constant(place, rounded_to(value, digits));
        }
        rounded
    };
    let mut accepts = |digits: &[usize]| score(&with_digits(digits)) <= limit;
    let in_common = (MIN_DIGITS..MAX_DIGITS).find(|&n| accepts(&vec![n; places.len()]));
    let mut digits = vec![in_common.unwrap_or(MAX_DIGITS); places.len()];
    let mut may_shrink = vec![true; places.len()];
    while may_shrink.contains(&true) {
        for k in 0..places.len() {
            if !may_shrink[k] {
                continue;
            }
            may_shrink[k] = digits[k] > MIN_DIGITS && {
                digits[k] -= 1;
                let is_accepted = accepts(&digits);
                digits[k] += usize::from(!is_accepted);
                is_accepted
            };
        }
    }
    with_digits(&digits)
}

/// Replaces constants by simple numbers near them: integers, fractions, multiples of π. For each constant in turn the
/// simplest candidates come first. `attempt` gets the formula with one more simple constant, and the places of all
/// simple ones so far, the new one last; it may tune the other constants, and returns the formula to go on with, whose
/// nodes are at the same places, or nothing to refuse.
pub fn snap_constants(
    formula: &Formula,
    mut attempt: impl FnMut(&Formula, &[usize]) -> Option<Formula>,
) -> Formula {
    let mut current = formula.clone();
    let mut simple = Vec::new();
    for place in formula.constants() {
        let Some(value) = current.nodes()[place].symbol.as_constant() else { continue };
        simple.push(place);
        let mut candidates = SimpleNumber::values_near(value).into_iter();
        match candidates.find_map(|c| attempt(&current.with_constant(place, c), &simple)) {
            Some(accepted) => {
                assert_eq!(accepted.size(), formula.size(), "nodes stay at their places");
                current = accepted;
            }
            None => {
                simple.pop();
            }
        }
    }
    current
}

/// The number with so many significant digits.
fn rounded_to(value: f64, n_digits: usize) -> f64 {
    let text = format!("{value:.*e}", n_digits - 1);
    let rounded: f64 = text.parse().expect("a number is read as it is written");
    if rounded.is_finite() { rounded } else { value }
}
