//! Which symbols may stand at which position, and the range of constants (ERCs; section 4.1).

use super::composition::Compositions;
use super::operator::Operator;
use super::symbol::Symbol;
use crate::error::Error;
use crate::random::Stream;

/// The most features that labels of 16 bits can tell apart beside operators, constant bins and the mask.
pub const MAX_FEATURES: usize = 65_000;

/// From where constants are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantRange {
    /// Smallest constant.
    pub low: f64,
    /// Largest constant.
    pub high: f64,
}

/// Factors of features.
#[derive(Debug, Clone, PartialEq)]
struct Factors {
    /// How often a feature that is drawn has one.
    share: f64,
    /// For each feature how large they are.
    scales: Vec<f64>,
}

/// Terminals (features and one symbol for constants) may stand everywhere, operators at inner positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Alphabet {
    operators: Vec<Operator>,
    /// Operators of one's own.
    own: Vec<Symbol>,
    n_features: usize,
    constants: Option<ConstantRange>,
    /// Sizes of features that every second constant is drawn for; often none.
    sizes: Vec<f64>,
    factors: Option<Factors>,
}

/// Constants that are drawn for a feature are at most so many times as large.
const REACH: f64 = 10.0;

impl Alphabet {
    /// An alphabet; without a range there are no constants.
    pub fn new(
        operators: Vec<Operator>,
        n_features: usize,
        constants: Option<ConstantRange>,
    ) -> Result<Alphabet, Error> {
        if n_features > MAX_FEATURES {
            return Err(Error::data(
                format!("{n_features} features are more than the alphabet holds ({MAX_FEATURES})"),
                "choose some of them",
            ));
        }
        if n_features == 0 && constants.is_none() {
            return Err(Error::data(
                "there is no feature and no constant",
                "give at least one feature",
            ));
        }
        if operators.is_empty() {
            return Err(Error::setting("operators", "the set is empty", "take `small` or `large`"));
        }
        let (own, sizes) = (Vec::new(), Vec::new());
        Ok(Alphabet { operators, own, n_features, constants, sizes, factors: None })
    }

    /// The same with operators of one's own.
    pub fn with_compositions(self, compositions: &Compositions) -> Alphabet {
        Alphabet { own: compositions.symbols(), ..self }
    }

    /// The same with factors for this share of the features that are drawn, so that a product is about as large as a normal
    /// deviate: `sizes` are those of the features.
    pub fn with_factors(self, share: f64, sizes: &[f64]) -> Alphabet {
        let scale = |size: &f64| if *size > 0.0 && size.is_finite() { 1.0 / size } else { 1.0 };
        let scales = sizes.iter().map(scale).collect();
        let factors = (share > 0.0).then_some(Factors { share, scales });
        Alphabet { factors, ..self }
    }

    /// The same with features that have no factors.
    pub fn without_factors(&self) -> Alphabet {
        Alphabet { factors: None, ..self.clone() }
    }

    /// The same with every second constant for a feature: of either sign, up to ten times as large as it, small ones more
    /// often. What is added to a feature, or compared with it, must be of its size to matter.
    pub fn with_constants_for(self, sizes: &[f64]) -> Alphabet {
        let is_size = |size: &f64| *size > 0.0 && (REACH * size).is_finite();
        Alphabet { sizes: sizes.iter().copied().filter(is_size).collect(), ..self }
    }

    /// The operators in use.
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// Number of terminal symbols: every feature, and one for all constants together.
    pub fn n_terminals(&self) -> usize {
        self.n_features + usize::from(self.constants.is_some())
    }

    fn n_operators(&self) -> usize {
        self.operators.len() + self.own.len()
    }

    /// A uniformly random operator.
    pub fn draw_operator(&self, stream: &mut Stream) -> Symbol {
        let choice = stream.below(self.n_operators());
        match self.operators.get(choice) {
            Some(&operator) => Symbol::operator(operator),
            None => self.own[choice - self.operators.len()],
        }
    }

    /// A uniformly random terminal; a constant gets its value at once.
    pub fn draw_terminal(&self, stream: &mut Stream) -> Symbol {
        let choice = stream.below(self.n_terminals());
        if choice < self.n_features {
            return self.draw_factor(choice, stream);
        }
        Symbol::constant(self.draw_constant(stream))
    }

    fn draw_constant(&self, stream: &mut Stream) -> f64 {
        if !self.sizes.is_empty() && stream.unit() < 0.5 {
            let size = self.sizes[stream.below(self.sizes.len())];
            let share = 2.0 * stream.unit() - 1.0;
            return REACH * size * share * share * share;
        }
        let ConstantRange { low, high } =
            self.constants.expect("the last terminal is the constant");
        let share = stream.unit();
        // Not low + share·(high − low): that difference can overflow.
        low * (1.0 - share) + high * share
    }

    /// A feature, with a factor or without.
    fn draw_factor(&self, feature: usize, stream: &mut Stream) -> Symbol {
        let plain = Symbol::feature(feature as u32);
        match &self.factors {
            Some(Factors { share, scales }) if stream.unit() < *share => {
                let factor = stream.normal() * scales[feature];
                Symbol::weighted(feature as u32, factor).unwrap_or(plain)
            }
            _ => plain,
        }
    }

    /// A uniformly random symbol of the whole alphabet of an inner position.
    pub fn draw_any(&self, stream: &mut Stream) -> Symbol {
        let n_symbols = self.n_operators() + self.n_terminals();
        if stream.below(n_symbols) < self.n_operators() {
            self.draw_operator(stream)
        } else {
            self.draw_terminal(stream)
        }
    }
}
