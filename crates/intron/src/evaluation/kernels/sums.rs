//! Sums over rows. The order of summation is part of the format: equal fitness is accepted, so the last bit
//! decides trajectories. Row `i` goes to lane `i mod 8`; the lanes are joined in one fixed order.

#[cfg(target_arch = "x86_64")]
use super::lanes::AvxLanes;
use super::instructions::Instructions;
use super::lanes::{Lanes, N_LANES, PortableLanes, join};

/// Σ w·p.
pub(crate) fn weighted_sum(instructions: Instructions, p: &[f64], weights: Option<&[f64]>) -> f64 {
    match weights {
        None => sum_rows(instructions, [p], &Values)[0],
        Some(w) => sum_rows(instructions, [p, w], &Values)[0],
    }
}

/// Σ w·d, Σ w·d² and Σ w·d·t for d = p − centre.
pub(crate) fn centred_sums(
    instructions: Instructions,
    p: &[f64],
    centre: f64,
    t: &[f64],
    weights: Option<&[f64]>,
) -> [f64; 3] {
    match weights {
        None => sum_rows(instructions, [p, t], &Centred(centre)),
        Some(w) => sum_rows(instructions, [p, t, w], &Centred(centre)),
    }
}

/// Σ w·(p − t)².
pub(crate) fn squared_error(
    instructions: Instructions,
    p: &[f64],
    t: &[f64],
    weights: Option<&[f64]>,
) -> f64 {
    match weights {
        None => sum_rows(instructions, [p, t], &SquaredError)[0],
        Some(w) => sum_rows(instructions, [p, t, w], &SquaredError)[0],
    }
}

/// Σ w·((a + b·p)·unit − t·unit)²: the error of the formula as it is printed, in units of `1 / unit`.
/// The unit is a power of two, applied before the difference so that this cannot overflow.
pub(crate) fn scaled_squared_error(
    instructions: Instructions,
    p: &[f64],
    line: [f64; 3],
    t: &[f64],
    weights: Option<&[f64]>,
) -> f64 {
    match weights {
        None => sum_rows(instructions, [p, t], &ErrorOfLine(line))[0],
        Some(w) => sum_rows(instructions, [p, t, w], &ErrorOfLine(line))[0],
    }
}

/// `K` terms to be summed, from `C` columns.
trait Terms<const C: usize, const K: usize> {
    fn of<L: Lanes>(&self, rows: [L; C]) -> [L; K];
}

struct Values;

impl Terms<1, 1> for Values {
    #[inline(always)]
    fn of<L: Lanes>(&self, rows: [L; 1]) -> [L; 1] {
        rows
    }
}

impl Terms<2, 1> for Values {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, w]: [L; 2]) -> [L; 1] {
        [w.times(p)]
    }
}

struct Centred(f64);

impl Terms<2, 3> for Centred {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, t]: [L; 2]) -> [L; 3] {
        let d = p.minus(L::all(self.0));
        [d, d.times(d), d.times(t)]
    }
}

impl Terms<3, 3> for Centred {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, t, w]: [L; 3]) -> [L; 3] {
        let d = p.minus(L::all(self.0));
        let wd = w.times(d);
        [wd, wd.times(d), wd.times(t)]
    }
}

struct SquaredError;

impl Terms<2, 1> for SquaredError {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, t]: [L; 2]) -> [L; 1] {
        let error = p.minus(t);
        [error.times(error)]
    }
}

impl Terms<3, 1> for SquaredError {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, t, w]: [L; 3]) -> [L; 1] {
        let error = p.minus(t);
        [w.times(error).times(error)]
    }
}

/// Intercept, slope and unit.
struct ErrorOfLine([f64; 3]);

impl ErrorOfLine {
    #[inline(always)]
    fn error<L: Lanes>(&self, p: L, t: L) -> L {
        let [intercept, slope, unit] = self.0.map(L::all);
        intercept.plus(slope.times(p)).times(unit).minus(t.times(unit))
    }
}

impl Terms<2, 1> for ErrorOfLine {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, t]: [L; 2]) -> [L; 1] {
        let error = self.error(p, t);
        [error.times(error)]
    }
}

impl Terms<3, 1> for ErrorOfLine {
    #[inline(always)]
    fn of<L: Lanes>(&self, [p, t, w]: [L; 3]) -> [L; 1] {
        let error = self.error(p, t);
        [w.times(error).times(error)]
    }
}

/// Sums `K` terms per row over `C` columns of equal length.
#[inline(always)]
fn sum_rows<const C: usize, const K: usize>(
    instructions: Instructions,
    columns: [&[f64]; C],
    terms: &impl Terms<C, K>,
) -> [f64; K] {
    #[cfg(target_arch = "x86_64")]
    if instructions.has_avx2() {
        // SAFETY: `has_avx2` has just found both features on this machine.
        #[allow(unsafe_code)]
        return unsafe { sum_rows_avx2(columns, terms) };
    }
    let _ = instructions;
    sum_rows_with::<PortableLanes, C, K>(columns, terms)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sum_rows_avx2<const C: usize, const K: usize>(
    columns: [&[f64]; C],
    terms: &impl Terms<C, K>,
) -> [f64; K] {
    sum_rows_with::<AvxLanes, C, K>(columns, terms)
}

#[inline(always)]
fn sum_rows_with<L: Lanes, const C: usize, const K: usize>(
    columns: [&[f64]; C],
    terms: &impl Terms<C, K>,
) -> [f64; K] {
    let n_rows = columns[0].len();
    let columns = columns.map(|column| column[..n_rows].as_chunks::<N_LANES>());
    let mut sums = [L::all(0.0); K];
    for group in 0..n_rows / N_LANES {
        let values = terms.of(columns.map(|(groups, _)| L::load(&groups[group])));
        for k in 0..K {
            sums[k] = sums[k].plus(values[k]);
        }
    }
    let mut sums = sums.map(L::to_array);
    let n_rest = n_rows % N_LANES;
    if n_rest > 0 {
        let padded = columns.map(|(_, rest)| {
            let mut rows = [0.0; N_LANES];
            rows[..n_rest].copy_from_slice(rest);
            L::load(&rows)
        });
        let values = terms.of(padded).map(L::to_array);
        for k in 0..K {
            for lane in 0..n_rest {
                sums[k][lane] += values[k][lane];
            }
        }
    }
    sums.map(join)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, StreamName};

    #[test]
    fn both_instruction_sets_give_the_same_bits() {
        let mut stream = Seed(2).stream(StreamName::Split);
        let column = |n: usize, stream: &mut crate::random::Stream| -> Vec<f64> {
            (0..n).map(|_| stream.unit() * 100.0 - 30.0).collect()
        };
        for n in [1, 2, 7, 8, 9, 63, 64, 902, 1503] {
            let (p, t, w) =
                (column(n, &mut stream), column(n, &mut stream), column(n, &mut stream));
            for weights in [None, Some(&w[..])] {
                let all = |i| {
                    let [a, b, c] = centred_sums(i, &p, 17.0, &t, weights);
                    let d = scaled_squared_error(i, &p, [1.5, -0.3, 1.0], &t, weights);
                    [a, b, c, weighted_sum(i, &p, weights), squared_error(i, &p, &t, weights), d]
                        .map(f64::to_bits)
                };
                assert_eq!(all(Instructions::Detected), all(Instructions::Portable), "{n} rows");
            }
        }
    }

    #[test]
    fn rows_are_summed_in_lanes() {
        // Lane 0 loses the 1 beside 1e16; lane 1 keeps it.
        let mut p = vec![0.0; 10];
        (p[0], p[8], p[1]) = (1e16, 1.0, 1.0);
        assert_eq!(weighted_sum(Instructions::Portable, &p, None), 1e16);
        (p[8], p[9]) = (-1e16, 1.0);
        assert_eq!(weighted_sum(Instructions::Portable, &p, None), 2.0);
    }
}
