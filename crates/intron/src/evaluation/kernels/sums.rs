//! Sums over rows. The order of summation is part of the format: equal fitness is accepted, so the last bit
//! decides trajectories. Row `i` goes to partial sum `i mod 16`; these are joined in one fixed order. Sixteen are four
//! registers: as many as keep the adders busy while each waits for its last sum.

use super::columns::GROUP;
use super::instructions::Instructions;
#[cfg(target_arch = "x86_64")]
use super::lanes::AvxLanes;
use super::lanes::{Lanes, N_LANES, PortableLanes};

/// `K` sums under way, each in its parts.
pub(crate) type LaneSums<const K: usize> = [[f64; GROUP]; K];

/// Joins the parts of a sum in one fixed order.
#[inline(always)]
pub(crate) fn join(parts: &[f64; GROUP]) -> f64 {
    let four: [f64; 4] =
        std::array::from_fn(|k| (parts[k] + parts[k + 8]) + (parts[k + 4] + parts[k + 12]));
    (four[0] + four[2]) + (four[1] + four[3])
}

/// Σ w·p.
pub(crate) fn weighted_sum(instructions: Instructions, p: &[f64], weights: Option<&[f64]>) -> f64 {
    let mut sums = LaneSums::default();
    match weights {
        None => add_rows(instructions, &mut sums, [p], &Values),
        Some(w) => add_rows(instructions, &mut sums, [p, w], &Values),
    }
    join(&sums[0])
}

/// Adds Σ w·d, Σ w·d² and Σ w·d·t for d = p − centre. All blocks but the last have whole groups of lanes.
pub(crate) fn add_centred_sums(
    instructions: Instructions,
    sums: &mut LaneSums<3>,
    (p, centre): (&[f64], f64),
    t: &[f64],
    weights: Option<&[f64]>,
) {
    match weights {
        None => add_rows(instructions, sums, [p, t], &Centred(centre)),
        Some(w) => add_rows(instructions, sums, [p, t, w], &Centred(centre)),
    }
}

/// Adds Σ w·(p − t)². All blocks but the last have whole groups of lanes.
pub(crate) fn add_squared_error(
    instructions: Instructions,
    sums: &mut LaneSums<1>,
    p: &[f64],
    t: &[f64],
    weights: Option<&[f64]>,
) {
    match weights {
        None => add_rows(instructions, sums, [p, t], &SquaredError),
        Some(w) => add_rows(instructions, sums, [p, t, w], &SquaredError),
    }
}

/// Adds Σ w·a·b. All blocks but the last have whole groups of lanes.
pub(crate) fn add_products(
    instructions: Instructions,
    sums: &mut LaneSums<1>,
    a: &[f64],
    b: &[f64],
    weights: Option<&[f64]>,
) {
    match weights {
        None => add_rows(instructions, sums, [a, b], &Products),
        Some(w) => add_rows(instructions, sums, [a, b, w], &Products),
    }
}

/// Adds Σ w·a·b for three columns b at once, so that `a` is read once: the same bits as one after the other.
pub(crate) fn add_three_products(
    instructions: Instructions,
    sums: &mut LaneSums<3>,
    a: &[f64],
    [b, c, d]: [&[f64]; 3],
    weights: Option<&[f64]>,
) {
    match weights {
        None => add_rows(instructions, sums, [a, b, c, d], &ThreeProducts),
        Some(w) => add_rows(instructions, sums, [a, b, c, d, w], &ThreeProducts),
    }
}

/// Adds Σ w·d, Σ w·d² and Σ w·d·t for d = a·b. All blocks but the last have whole groups of lanes.
pub(crate) fn add_sums_of_products(
    instructions: Instructions,
    sums: &mut LaneSums<3>,
    (a, b): (&[f64], &[f64]),
    t: &[f64],
    weights: Option<&[f64]>,
) {
    match weights {
        None => add_rows(instructions, sums, [a, b, t], &Products),
        Some(w) => add_rows(instructions, sums, [a, b, t, w], &Products),
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
    let mut sums = LaneSums::default();
    match weights {
        None => add_rows(instructions, &mut sums, [p, t], &ErrorOfLine(line)),
        Some(w) => add_rows(instructions, &mut sums, [p, t, w], &ErrorOfLine(line)),
    }
    join(&sums[0])
}

/// `K` terms to be summed, from `C` columns.
trait Terms<const C: usize, const K: usize> {
    /// The sums with the terms of some rows added.
    fn add<L: Lanes>(&self, sums: [L; K], rows: [L; C]) -> [L; K];
}

struct Values;

impl Terms<1, 1> for Values {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [p]: [L; 1]) -> [L; 1] {
        [sum.plus(p)]
    }
}

impl Terms<2, 1> for Values {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [p, w]: [L; 2]) -> [L; 1] {
        [w.times_plus(p, sum)]
    }
}

struct Centred(f64);

impl Terms<2, 3> for Centred {
    #[inline(always)]
    fn add<L: Lanes>(&self, [first, second, cross]: [L; 3], [p, t]: [L; 2]) -> [L; 3] {
        let d = p.minus(L::all(self.0));
        [first.plus(d), d.times_plus(d, second), d.times_plus(t, cross)]
    }
}

impl Terms<3, 3> for Centred {
    #[inline(always)]
    fn add<L: Lanes>(&self, [first, second, cross]: [L; 3], [p, t, w]: [L; 3]) -> [L; 3] {
        let d = p.minus(L::all(self.0));
        let wd = w.times(d);
        [first.plus(wd), wd.times_plus(d, second), wd.times_plus(t, cross)]
    }
}

struct SquaredError;

impl Terms<2, 1> for SquaredError {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [p, t]: [L; 2]) -> [L; 1] {
        let error = p.minus(t);
        [error.times_plus(error, sum)]
    }
}

impl Terms<3, 1> for SquaredError {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [p, t, w]: [L; 3]) -> [L; 1] {
        let error = p.minus(t);
        [w.times(error).times_plus(error, sum)]
    }
}

struct Products;

impl Terms<2, 1> for Products {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [a, b]: [L; 2]) -> [L; 1] {
        [a.times_plus(b, sum)]
    }
}

impl Terms<3, 1> for Products {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [a, b, w]: [L; 3]) -> [L; 1] {
        [w.times(a).times_plus(b, sum)]
    }
}

impl Terms<3, 3> for Products {
    #[inline(always)]
    fn add<L: Lanes>(&self, [first, second, cross]: [L; 3], [a, b, t]: [L; 3]) -> [L; 3] {
        let d = a.times(b);
        [first.plus(d), d.times_plus(d, second), d.times_plus(t, cross)]
    }
}

impl Terms<4, 3> for Products {
    #[inline(always)]
    fn add<L: Lanes>(&self, [first, second, cross]: [L; 3], [a, b, t, w]: [L; 4]) -> [L; 3] {
        let d = a.times(b);
        let wd = w.times(d);
        [first.plus(wd), wd.times_plus(d, second), wd.times_plus(t, cross)]
    }
}

struct ThreeProducts;

impl Terms<4, 3> for ThreeProducts {
    #[inline(always)]
    fn add<L: Lanes>(&self, [x, y, z]: [L; 3], [a, b, c, d]: [L; 4]) -> [L; 3] {
        [a.times_plus(b, x), a.times_plus(c, y), a.times_plus(d, z)]
    }
}

impl Terms<5, 3> for ThreeProducts {
    #[inline(always)]
    fn add<L: Lanes>(&self, [x, y, z]: [L; 3], [a, b, c, d, w]: [L; 5]) -> [L; 3] {
        let wa = w.times(a);
        [wa.times_plus(b, x), wa.times_plus(c, y), wa.times_plus(d, z)]
    }
}

/// Intercept, slope and unit.
struct ErrorOfLine([f64; 3]);

impl ErrorOfLine {
    #[inline(always)]
    fn error<L: Lanes>(&self, p: L, t: L) -> L {
        let [intercept, slope, unit] = self.0;
        let unit = L::all(unit);
        L::all(intercept).plus(L::all(slope).times(p)).times(unit).minus(t.times(unit))
    }
}

impl Terms<2, 1> for ErrorOfLine {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [p, t]: [L; 2]) -> [L; 1] {
        let error = self.error(p, t);
        [error.times_plus(error, sum)]
    }
}

impl Terms<3, 1> for ErrorOfLine {
    #[inline(always)]
    fn add<L: Lanes>(&self, [sum]: [L; 1], [p, t, w]: [L; 3]) -> [L; 1] {
        let error = self.error(p, t);
        [w.times(error).times_plus(error, sum)]
    }
}

/// Adds `K` terms per row over `C` columns of equal length.
#[inline(always)]
fn add_rows<const C: usize, const K: usize>(
    instructions: Instructions,
    sums: &mut LaneSums<K>,
    columns: [&[f64]; C],
    terms: &impl Terms<C, K>,
) {
    #[cfg(target_arch = "x86_64")]
    if instructions.has_avx2() {
        // SAFETY: `has_avx2` says that both features were found on this machine.
        #[allow(unsafe_code)]
        return unsafe { add_rows_avx2(sums, columns, terms) };
    }
    let _ = instructions;
    add_rows_with::<PortableLanes, C, K>(sums, columns, terms);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn add_rows_avx2<const C: usize, const K: usize>(
    sums: &mut LaneSums<K>,
    columns: [&[f64]; C],
    terms: &impl Terms<C, K>,
) {
    add_rows_with::<AvxLanes, C, K>(sums, columns, terms);
}

#[inline(always)]
fn add_rows_with<L: Lanes, const C: usize, const K: usize>(
    sums: &mut LaneSums<K>,
    columns: [&[f64]; C],
    terms: &impl Terms<C, K>,
) {
    let n_rows = columns[0].len();
    let n_groups = n_rows / GROUP;
    // Loops, not `map`: that is a function of its own, and not compiled for these instructions.
    let mut groups: [&[[f64; GROUP]]; C] = [&[]; C];
    for c in 0..C {
        groups[c] = &columns[c][..n_rows].as_chunks().0[..n_groups];
    }
    let mut lanes = [[L::all(0.0); K]; GROUP / N_LANES];
    for k in 0..K {
        for (part, lanes) in lanes.iter_mut().enumerate() {
            lanes[k] = L::load(&sums[k].as_chunks().0[part]);
        }
    }
    #[allow(clippy::needless_range_loop)] // `group` counts rows of every column, not columns
    for group in 0..n_groups {
        for (part, lanes) in lanes.iter_mut().enumerate() {
            let mut rows = [L::all(0.0); C];
            for c in 0..C {
                rows[c] = L::load(&groups[c][group].as_chunks().0[part]);
            }
            *lanes = terms.add(*lanes, rows);
        }
    }
    for k in 0..K {
        for (part, lanes) in lanes.iter().enumerate() {
            sums[k].as_chunks_mut().0[part] = lanes[k].to_array();
        }
    }
    add_rest(sums, columns.map(|column| &column[n_groups * GROUP..n_rows]), terms);
}

/// Adds the rows that do not fill a group.
#[inline(always)]
fn add_rest<const C: usize, const K: usize>(
    sums: &mut LaneSums<K>,
    rest: [&[f64]; C],
    terms: &impl Terms<C, K>,
) {
    for row in 0..rest[0].len() {
        let so_far: [f64; K] = std::array::from_fn(|k| sums[k][row]);
        let added =
            terms.add(so_far.map(PortableLanes::all), rest.map(|c| PortableLanes::all(c[row])));
        for k in 0..K {
            sums[k][row] = added[k].to_array()[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, Stream, StreamName};

    fn column(n: usize, stream: &mut Stream) -> Vec<f64> {
        (0..n).map(|_| stream.unit() * 100.0 - 30.0).collect()
    }

    /// Every sum, the running ones in blocks.
    fn all_sums(
        i: Instructions,
        [p, t, w]: [&[f64]; 3],
        weights: Option<()>,
        block: usize,
    ) -> Vec<u64> {
        let (mut centred, mut error) = (LaneSums::default(), LaneSums::default());
        let (mut product, mut products) = (LaneSums::default(), LaneSums::default());
        for start in (0..p.len()).step_by(block) {
            let rows = start..(start + block).min(p.len());
            let weights = weights.map(|()| &w[rows.clone()]);
            add_centred_sums(i, &mut centred, (&p[rows.clone()], 17.0), &t[rows.clone()], weights);
            add_squared_error(i, &mut error, &p[rows.clone()], &t[rows.clone()], weights);
            add_products(i, &mut product, &p[rows.clone()], &t[rows.clone()], weights);
            let both = (&p[rows.clone()], &w[rows.clone()]);
            add_sums_of_products(i, &mut products, both, &t[rows], weights);
        }
        let weights = weights.map(|()| w);
        let line = scaled_squared_error(i, p, [1.5, -0.3, 1.0], t, weights);
        let running = centred.iter().chain(&error).chain(&product).chain(&products).map(join);
        running.chain([weighted_sum(i, p, weights), line]).map(f64::to_bits).collect()
    }

    #[test]
    fn both_instruction_sets_and_any_blocks_give_the_same_bits() {
        let mut stream = Seed(2).stream(StreamName::Split);
        for n in [1, 2, 15, 16, 17, 63, 64, 902, 1503] {
            let (p, t, w) =
                (column(n, &mut stream), column(n, &mut stream), column(n, &mut stream));
            for weights in [None, Some(())] {
                let sums = |i, block| all_sums(i, [&p, &t, &w], weights, block);
                let expected = sums(Instructions::Portable, n);
                assert_eq!(expected, sums(Instructions::Detected, n), "{n} rows");
                assert_eq!(expected, sums(Instructions::Detected, 64), "{n} rows");
                assert_eq!(expected, sums(Instructions::Portable, 256), "{n} rows");
            }
        }
    }

    #[test]
    fn three_products_at_once_are_each_by_itself() {
        let mut stream = Seed(3).stream(StreamName::Split);
        for n in [1, 16, 37, 256] {
            let columns: [Vec<f64>; 5] = std::array::from_fn(|_| column(n, &mut stream));
            let [a, b, c, d, w] = columns.each_ref().map(Vec::as_slice);
            for instructions in [Instructions::Portable, Instructions::Detected] {
                for weights in [None, Some(w)] {
                    let mut three = LaneSums::<3>::default();
                    add_three_products(instructions, &mut three, a, [b, c, d], weights);
                    for (sum, b) in three.iter().zip([b, c, d]) {
                        let mut alone = LaneSums::<1>::default();
                        add_products(instructions, &mut alone, a, b, weights);
                        assert_eq!(sum.map(f64::to_bits), alone[0].map(f64::to_bits), "{n} rows");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_are_summed_in_lanes() {
        // Lane 0 loses the 1 beside 1e16; lane 1 keeps it.
        let mut p = vec![0.0; 18];
        (p[0], p[16], p[1]) = (1e16, 1.0, 1.0);
        assert_eq!(weighted_sum(Instructions::Portable, &p, None), 1e16);
        (p[16], p[17]) = (-1e16, 1.0);
        assert_eq!(weighted_sum(Instructions::Portable, &p, None), 2.0);
    }
}
