//! The choice of one formula from a front.

use crate::error::Error;

/// How a formula is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// The smallest error on the training rows.
    Accuracy,
    /// Where the error falls fastest with size, among those with at most 1.5 times the smallest error.
    Best,
    /// Where the error falls fastest with size.
    Score,
    /// The smallest Bayesian information criterion.
    Bic,
    /// The smallest description length.
    Mdl,
    /// The smallest error on rows that the search does not see.
    Validation,
}

/// What is known of one formula of a front.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Its complexity, which is its size unless another measure was asked for.
    pub complexity: usize,
    /// Its error on the training rows.
    pub error: f64,
    /// Its Bayesian information criterion.
    pub bic: f64,
    /// Its description length.
    pub mdl: f64,
    /// Its error on the validation rows, where there are some.
    pub validation_error: Option<f64>,
    /// Whether it was proved safe near the training rows; nothing where it was not examined.
    pub is_safe: Option<bool>,
}

/// An unsafe formula is passed over for a safe one whose error is at most this many times as large.
const NEARLY_AS_GOOD: f64 = 1.1;
/// `Best` looks among formulas whose error is at most this many times the smallest.
const BEST_WITHIN: f64 = 1.5;

impl Selection {
    /// Every way with its name.
    pub const TABLE: [(&'static str, Selection); 6] = [
        ("accuracy", Selection::Accuracy),
        ("best", Selection::Best),
        ("score", Selection::Score),
        ("bic", Selection::Bic),
        ("mdl", Selection::Mdl),
        ("validation", Selection::Validation),
    ];

    /// Finds a way by its name.
    pub fn from_name(name: &str) -> Result<Selection, Error> {
        let row = Selection::TABLE.iter().find(|row| row.0 == name);
        row.map(|row| row.1).ok_or_else(|| Error::UnknownName {
            what: "selection",
            given: name.to_owned(),
            known: Selection::TABLE.map(|row| row.0).join(" "),
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let row = Selection::TABLE.iter().find(|row| row.1 == self);
        row.expect("every way is in the table").0
    }

    /// The place of the chosen formula in a front that is ordered by complexity; nothing if the front is empty.
    pub fn choose(self, front: &[Candidate]) -> Option<usize> {
        let chosen = self.choose_among(front, |_| true)?;
        if front[chosen].is_safe != Some(false) {
            return Some(chosen);
        }
        let most = front[chosen].error * NEARLY_AS_GOOD;
        let is_good =
            |candidate: &Candidate| candidate.is_safe != Some(false) && candidate.error <= most;
        Some(self.choose_among(front, is_good).unwrap_or(chosen))
    }

    fn choose_among(self, front: &[Candidate], may: impl Fn(&Candidate) -> bool) -> Option<usize> {
        let places = (0..front.len()).filter(|&place| may(&front[place]));
        let smallest = front.iter().map(|candidate| candidate.error).fold(f64::INFINITY, f64::min);
        let scores = scores(front);
        let cost = |place: usize| match self {
            Selection::Accuracy => front[place].error,
            Selection::Score => -scores[place],
            Selection::Best if front[place].error <= BEST_WITHIN * smallest => -scores[place],
            Selection::Best => f64::INFINITY,
            Selection::Bic => front[place].bic,
            Selection::Mdl => front[place].mdl,
            Selection::Validation => front[place].validation_error.unwrap_or(f64::INFINITY),
        };
        // Of equals the smaller formula is taken: it comes first.
        places.min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
    }
}

/// How fast the error falls with complexity, −d ln(error) / d complexity, from each formula of a front to the next larger one; 0 for the first.
pub fn scores(front: &[Candidate]) -> Vec<f64> {
    let mut scores = vec![0.0; front.len()];
    for (place, pair) in front.windows(2).enumerate() {
        let [smaller, larger] = [pair[0], pair[1]];
        let fall = libm::log(smaller.error) - libm::log(larger.error);
        let score = fall / (larger.complexity as f64 - smaller.complexity as f64);
        scores[place + 1] = if score.is_nan() { 0.0 } else { score };
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(complexity: usize, error: f64) -> Candidate {
        let bic = error + complexity as f64;
        Candidate { complexity, error, bic, mdl: bic, validation_error: None, is_safe: None }
    }

    #[test]
    fn each_way_chooses_as_it_says() {
        let front = [candidate(1, 10.0), candidate(3, 1.0), candidate(9, 0.9), candidate(20, 0.8)];
        assert_eq!(Selection::Accuracy.choose(&front), Some(3));
        assert_eq!(Selection::Score.choose(&front), Some(1));
        assert_eq!(Selection::Best.choose(&front), Some(1));
        assert_eq!(Selection::Bic.choose(&front), Some(1));
        assert_eq!(Selection::Accuracy.choose(&[]), None);
        let mut validated = front;
        for (candidate, error) in validated.iter_mut().zip([9.0, 2.0, 1.5, 4.0]) {
            candidate.validation_error = Some(error);
        }
        assert_eq!(Selection::Validation.choose(&validated), Some(2));
    }

    #[test]
    fn best_asks_for_an_error_near_the_smallest() {
        let front = [candidate(1, 10.0), candidate(2, 1.0), candidate(9, 0.1), candidate(20, 0.09)];
        assert_eq!(Selection::Score.choose(&front), Some(1));
        assert_eq!(Selection::Best.choose(&front), Some(2));
    }

    #[test]
    fn a_safe_formula_that_is_nearly_as_good_is_preferred() {
        let mut front = [candidate(1, 2.0), candidate(3, 1.05), candidate(9, 1.0)];
        assert_eq!(Selection::Accuracy.choose(&front), Some(2));
        front.iter_mut().for_each(|candidate| candidate.is_safe = Some(true));
        front[2].is_safe = Some(false);
        assert_eq!(Selection::Accuracy.choose(&front), Some(1));
        front[1].error = 1.5;
        assert_eq!(Selection::Accuracy.choose(&front), Some(2));
    }

    #[test]
    fn a_perfect_formula_has_the_best_score() {
        let front = [candidate(1, 1.0), candidate(3, 0.5), candidate(5, 0.0)];
        assert_eq!(scores(&front)[2], f64::INFINITY);
        assert_eq!(Selection::Best.choose(&front), Some(2));
    }
}
