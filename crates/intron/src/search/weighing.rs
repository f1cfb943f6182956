//! Features times constants, brought into a formula after it was mixed: added to a part of it, or instead of the part.
//! Derivatives tell which feature helps most, least squares finds the constants. In the paper there is no such step; without it
//! a feature can only come with a constant that happens to fit.

use super::optimal_mixing::Pass;
use crate::evaluation::{Bringing, Gain};
use crate::expression::{Genome, Operator, Symbol, active_positions, positions_of};
use crate::random::Stream;

/// How often a feature is added to a part; else it is put in its place.
const SHARE_BESIDE: f64 = 2.0 / 3.0;
/// How many of the features are asked, so that not all solutions take the same one.
const SHARE_ASKED: f64 = 0.5;
/// A feature beside a part makes a formula larger by four nodes, so it must take away at least this share of the error.
const LEAST_GAIN: f64 = 1e-3;

impl Pass<'_> {
    /// Brings a feature to a random part of the formula, where the template has room for it, and tunes all constants; keeps
    /// what is not worse.
    pub(super) fn weigh_a_feature(&mut self, n_steps: usize, stream: &mut Stream) {
        let bringing =
            if stream.unit() < SHARE_BESIDE { Bringing::Beside } else { Bringing::InPlace };
        let template = &self.mixing.problem.template;
        // Instead of the whole formula there would be nothing but the feature.
        let first = usize::from(bringing == Bringing::InPlace);
        let has_room = |at: usize| bringing == Bringing::InPlace || !template.is_leaf(at);
        let is_part = |&at: &usize| at >= first && has_room(at);
        let parts: Vec<usize> = positions_of(self.offspring.active).filter(is_part).collect();
        if parts.is_empty() || self.is_over || !self.offspring.fitness.is_valid() {
            return;
        }
        let at = parts[stream.below(parts.len())];
        let Some((mut genome, place)) = self.with_room(at, bringing) else { return };
        let active = active_positions(&genome, template);
        if self.is_too_large(&genome, active) {
            return;
        }
        let Some((k, gain)) = self.most_helpful_feature(at, bringing, stream) else { return };
        let Some(symbol) = Symbol::weighted(k as u32, gain.factor) else { return };
        genome.set(place, symbol);
        let least_gain = if bringing == Bringing::Beside { LEAST_GAIN } else { 0.0 };
        self.try_tuned(genome, active, n_steps, least_gain);
    }

    /// The genome with a feature times a constant, both yet to be chosen, beside a part or in its place; and where they are.
    fn with_room(&self, at: usize, bringing: Bringing) -> Option<(Genome, usize)> {
        let template = &self.mixing.problem.template;
        let genome = &self.offspring.genome;
        let (mut genome, place) = match bringing {
            Bringing::Beside => {
                let mut moved = genome.with_part(template.child(at, 1), (genome, at), template)?;
                moved.set(at, Symbol::operator(Operator::Add));
                (moved, template.child(at, 0))
            }
            Bringing::InPlace => (genome.clone(), at),
        };
        genome.set(place, Symbol::weighted(0, 1.0)?);
        Some((genome, place))
    }

    /// The feature, of some that are drawn, that takes away most of the error; none if none does.
    fn most_helpful_feature(
        &mut self,
        at: usize,
        bringing: Bringing,
        stream: &mut Stream,
    ) -> Option<(usize, Gain)> {
        let (scaled, of_positions) = self.as_scaled(&self.offspring.genome, self.offspring.active);
        self.desk.evaluator.count(1);
        let place = of_positions[at] as usize;
        // A formula that is as good as constant has lost its parts.
        if place >= scaled.size() {
            return None;
        }
        let (left, problem) = (self.evaluations_left(), self.mixing.problem);
        let asked = (place, bringing);
        let gains = self.desk.least_squares.gains_of_features(&scaled, asked, left, problem);
        self.count_least_squares();
        let n_features = gains.len();
        let mut is_asked = || n_features == 1 || stream.unit() < SHARE_ASKED;
        let asked = gains.into_iter().enumerate().filter(|_| is_asked());
        let helpful = asked.filter(|(_, gain)| gain.fall > 0.0);
        helpful.reduce(|best, next| if next.1.fall > best.1.fall { next } else { best })
    }
}
