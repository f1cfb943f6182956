//! Sums over rows. The order of summation is part of the format: equal fitness is accepted, so the last bit
//! decides trajectories. Row `i` goes to lane `i mod 8`; the lanes are joined in one fixed order.

use super::instructions::Instructions;

const N_LANES: usize = 8;

/// Σ w·p.
pub(crate) fn weighted_sum(instructions: Instructions, p: &[f64], weights: Option<&[f64]>) -> f64 {
    match weights {
        None => sum_rows(instructions, [p], |[p]| [p])[0],
        Some(w) => sum_rows(instructions, [p, w], |[p, w]| [w * p])[0],
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
    let terms = |p: f64, t: f64, w: f64| {
        let d = p - centre;
        let wd = w * d;
        [wd, wd * d, wd * t]
    };
    match weights {
        None => sum_rows(instructions, [p, t], |[p, t]| {
            let d = p - centre;
            [d, d * d, d * t]
        }),
        Some(w) => sum_rows(instructions, [p, t, w], |[p, t, w]| terms(p, t, w)),
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
        None => sum_rows(instructions, [p, t], |[p, t]| [(p - t) * (p - t)])[0],
        Some(w) => sum_rows(instructions, [p, t, w], |[p, t, w]| [w * (p - t) * (p - t)])[0],
    }
}

/// Σ w·((a + b·p)·unit − t·unit)²: the error of the formula as it is printed, in units of `1 / unit`.
/// The unit is a power of two, applied before the difference so that this cannot overflow.
pub(crate) fn scaled_squared_error(
    instructions: Instructions,
    p: &[f64],
    [intercept, slope, unit]: [f64; 3],
    t: &[f64],
    weights: Option<&[f64]>,
) -> f64 {
    let error = |p: f64, t: f64| (intercept + slope * p) * unit - t * unit;
    match weights {
        None => sum_rows(instructions, [p, t], |[p, t]| [error(p, t) * error(p, t)])[0],
        Some(w) => {
            sum_rows(instructions, [p, t, w], |[p, t, w]| [w * error(p, t) * error(p, t)])[0]
        }
    }
}

/// Sums `K` terms per row over `C` columns of equal length.
#[inline(always)]
fn sum_rows<const C: usize, const K: usize>(
    instructions: Instructions,
    columns: [&[f64]; C],
    terms: impl Fn([f64; C]) -> [f64; K],
) -> [f64; K] {
    #[cfg(target_arch = "x86_64")]
    if instructions.has_avx2() {
        // SAFETY: `has_avx2` has just found both features on this machine.
        #[allow(unsafe_code)]
        return unsafe { sum_rows_avx2(columns, terms) };
    }
    let _ = instructions;
    sum_rows_inline(columns, terms)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn sum_rows_avx2<const C: usize, const K: usize>(
    columns: [&[f64]; C],
    terms: impl Fn([f64; C]) -> [f64; K],
) -> [f64; K] {
    sum_rows_inline(columns, terms)
}

#[inline(always)]
fn sum_rows_inline<const C: usize, const K: usize>(
    columns: [&[f64]; C],
    terms: impl Fn([f64; C]) -> [f64; K],
) -> [f64; K] {
    let n_rows = columns[0].len();
    let columns = columns.map(|column| &column[..n_rows]);
    let mut lanes = [[0.0; N_LANES]; K];
    let n_whole = n_rows - n_rows % N_LANES;
    let mut start = 0;
    while start < n_whole {
        let rows: [&[f64; N_LANES]; C] = columns.map(|column| {
            column[start..start + N_LANES].try_into().expect("a whole group of lanes")
        });
        for lane in 0..N_LANES {
            let values = terms(rows.map(|row| row[lane]));
            for k in 0..K {
                lanes[k][lane] += values[k];
            }
        }
        start += N_LANES;
    }
    for row in n_whole..n_rows {
        let values = terms(columns.map(|column| column[row]));
        for k in 0..K {
            lanes[k][row - n_whole] += values[k];
        }
    }
    lanes.map(join_lanes)
}

#[inline(always)]
fn join_lanes(l: [f64; N_LANES]) -> f64 {
    ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
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
