//! Running sums over the outputs of a candidate, block by block: its fitness in one pass, and the proof, often after few
//! rows, that it cannot be good enough.

use super::kernels::{GROUP, LaneSums, add_centred_sums, add_squared_error, join};
use super::linear_scaling::{CANCELLATION, CentredTarget, LinearScaling};
use super::objective::{Fitness, Objective};

/// Most rows computed at a time, so that the columns in use stay in the fastest cache.
pub(super) const BLOCK_ROWS: usize = 512;
/// Rows between two looks at whether a candidate is hopeless, without linear scaling.
const ROWS_PER_LOOK: usize = 192;
/// Blocks are made of so many rows: a multiple of the lanes of a sum, so that the sums do not depend on the blocks.
const GRAIN: usize = 64;

/// Sums over the first rows of a candidate's outputs.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    n_rows: usize,
    /// Outputs are summed as differences from this: the mean of the first few.
    shift: f64,
    sums: LaneSums<3>,
}

impl Tally {
    #[inline(always)]
    fn joined(&self) -> [f64; 3] {
        // Not `map`, which is not always inlined.
        let [first, second, cross] = &self.sums;
        [join(first), join(second), join(cross)]
    }
}

/// What the first rows of a candidate's outputs say about it.
pub(super) enum Outlook {
    /// It is worse than the limit, whatever the other rows are.
    Hopeless,
    /// It may be good enough; look again after this row.
    Open(usize),
}

/// Sums over the first rows of the target: the same for all candidates.
#[derive(Debug, Clone)]
pub(super) struct TargetSoFar {
    /// 1 / Σ w.
    per_weight: f64,
    /// Σ w·t.
    sum: f64,
    /// Σ w·t².
    squares: f64,
}

/// Where a sum of squares about the shift keeps less than this share after centring, it is taken anew about the mean.
const MIN_SPREAD_SHARE: f64 = 1e-3;
/// Sums of squares in this range have lost nothing to overflow or underflow.
const SAFE_SQUARES: std::ops::Range<f64> = 1e-250..1e250;
/// A bound counts only if it exceeds the limit by this share of the squares so far, and by this share of all squares for every
/// hundred thousand rows: far more than rounding can amount to, in the bound or in the fitness.
const BOUND_MARGIN: f64 = 1e-6;
const TOTAL_MARGIN: f64 = 1e-9;

// Blocks are whole groups of rows, for the loops and for the sums.
const _: () = assert!(GRAIN.is_multiple_of(GROUP));
const _: () = assert!(ROWS_PER_LOOK.is_multiple_of(GRAIN) && BLOCK_ROWS.is_multiple_of(GRAIN));

impl Objective {
    /// How many rows to compute first: with fewer, no candidate can be proved worse than `limit`.
    pub(super) fn n_rows_first(&self, limit: Fitness) -> usize {
        match self.scaling {
            LinearScaling::On => self.block_end(0, limit.nmse() * self.centred.sum_of_squares),
            LinearScaling::Off => GRAIN.min(self.target.len()),
        }
    }

    /// Where to end a block so that the squares of the target up to there exceed these, or else after the most rows.
    #[inline]
    fn block_end(&self, start: usize, squares: f64) -> usize {
        let most = (start + BLOCK_ROWS).min(self.target.len());
        let grains = &self.centred.so_far[start / GRAIN..most.div_ceil(GRAIN)];
        let n_below = grains.iter().position(|so_far| so_far.squares > squares);
        n_below.map_or(most, |n_below| (start + (n_below + 1) * GRAIN).min(most))
    }

    /// Adds the next block of outputs. All blocks but the last are whole groups of 64 rows.
    pub(super) fn add(&self, tally: &mut Tally, block: &[f64]) {
        let rows = tally.n_rows..tally.n_rows + block.len();
        let CentredTarget { weights, values, instructions, .. } = &self.centred;
        let weights = weights.as_ref().map(|weights| &weights[rows.clone()]);
        match self.scaling {
            LinearScaling::On => {
                if rows.start == 0 {
                    tally.shift = first_guess(block);
                }
                let (sums, shift) = (&mut tally.sums, tally.shift);
                let target = &values[rows.clone()];
                add_centred_sums(*instructions, sums, (block, shift), target, weights);
            }
            LinearScaling::Off => {
                let [sums, ..] = &mut tally.sums;
                let target = &self.target[rows.clone()];
                add_squared_error(
                    *instructions,
                    std::array::from_mut(sums),
                    block,
                    target,
                    weights,
                );
            }
        }
        tally.n_rows = rows.end;
    }

    /// What the rows so far, of which `block` are the last, say about a candidate that is to be no worse than `limit`.
    ///
    /// Without scaling the error so far is a lower bound of the whole error. With scaling, the error that the best line
    /// for the rows so far leaves on them is one: no line for all rows can do better there.
    #[inline]
    pub(super) fn outlook(&self, tally: &Tally, block: &[f64], limit: Fitness) -> Outlook {
        let n_rows = tally.n_rows;
        if !limit.is_valid() || self.centred.unit != 1.0 {
            return Outlook::Open((n_rows + BLOCK_ROWS).min(self.target.len()));
        }
        let allowed = limit.nmse() * self.centred.sum_of_squares;
        let margin = TOTAL_MARGIN * (self.target.len() as f64 / 1e5).max(1.0);
        let margin = margin * self.centred.sum_of_squares;
        let [first, second, cross] = tally.joined();
        if self.scaling == LinearScaling::Off {
            let is_hopeless = first > (allowed + margin) * (1.0 + BOUND_MARGIN);
            let next = (n_rows + ROWS_PER_LOOK).min(self.target.len());
            return if is_hopeless { Outlook::Hopeless } else { Outlook::Open(next) };
        }
        let next = |squares: f64| Outlook::Open(self.block_end(n_rows, squares));
        if !first.is_finite() {
            let is_hopeless = block.iter().any(|output| !output.is_finite());
            return if is_hopeless { Outlook::Hopeless } else { next(0.0) };
        }
        let TargetSoFar { per_weight, sum, squares } = self.centred.so_far[(n_rows - 1) / GRAIN];
        let spread = second - first * (first * per_weight);
        if !(spread > MIN_SPREAD_SHARE * second && SAFE_SQUARES.contains(&spread)) {
            return next(0.0);
        }
        let covariance = cross - first * (sum * per_weight);
        let of_target = squares - sum * (sum * per_weight) - BOUND_MARGIN * squares;
        let unexplained = of_target - covariance * (covariance / spread);
        if unexplained > allowed + margin {
            return Outlook::Hopeless;
        }
        // Where the bound will bite if the line goes on leaving the same share of the squares.
        next(allowed * (squares / unexplained.max(f64::MIN_POSITIVE)))
    }

    /// The fitness, once all rows are added; `outputs` are all of them.
    pub(super) fn finish(&self, tally: &Tally, outputs: &[f64]) -> Fitness {
        let target = &self.centred;
        let [first, second, cross] = tally.joined();
        if self.scaling == LinearScaling::Off {
            return if target.unit == 1.0 {
                Fitness::from_nmse(first / target.sum_of_squares)
            } else {
                self.fitness_as_printed(outputs, None)
            };
        }
        let spread = second - first * (first / target.total_weight);
        let mean = tally.shift + first / target.total_weight;
        let is_sound = spread > MIN_SPREAD_SHARE * second && SAFE_SQUARES.contains(&spread);
        if is_sound && !target.counts_as_constant(spread, mean) {
            let explained = cross / spread.sqrt();
            let nmse = 1.0 - explained * (explained / target.sum_of_squares);
            if nmse > CANCELLATION {
                return Fitness::from_nmse(nmse);
            }
        }
        target.fit(outputs).map_or(Fitness::INVALID, |fit| Fitness::from_nmse(fit.nmse))
    }
}

/// A number near the mean of the outputs: the mean of the first eight. Where it is a bad guess, `finish` finds out.
fn first_guess(block: &[f64]) -> f64 {
    let first = &block[..block.len().min(8)];
    let mean = first.iter().sum::<f64>() / first.len() as f64;
    if mean.is_finite() { mean } else { 0.0 }
}

/// The target's sums after each grain of rows.
pub(super) fn sums_of_target(values: &[f64], weights: Option<&[f64]>) -> Vec<TargetSoFar> {
    let (mut total, mut sum, mut squares) = (0.0, 0.0, 0.0);
    let mut so_far = Vec::with_capacity(values.len().div_ceil(GRAIN));
    for (row, &value) in values.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        total += weight;
        sum += weight * value;
        squares += weight * value * value;
        if (row + 1).is_multiple_of(GRAIN) || row + 1 == values.len() {
            so_far.push(TargetSoFar { per_weight: 1.0 / total, sum, squares });
        }
    }
    so_far
}
