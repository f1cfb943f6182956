//! Sine, cosine, exponential and logarithm as straight-line arithmetic: a loop over a slice becomes
//! vector code, and every machine computes the same bits, because each step is one correctly
//! rounded operation. Only the sign and payload of a NaN are left open.

use std::f64::consts::{FRAC_1_PI, LN_2, LOG2_E, PI};

/// Adding 1.5·2^52 rounds a small number to an integer and leaves that integer in the low bits.
const ROUNDER: f64 = 6755399441055744.0;

/// Largest magnitude for which [`sin`] and [`cos`] hold their accuracy.
pub(crate) const REDUCTION_LIMIT: f64 = 1073741824.0;

/// π = `PI` + `PI_MIDDLE` + `PI_LOW` to about 160 bits. No part is negative: that would turn the
/// reduction of -0 into +0.
const PI_MIDDLE: f64 = 1.224646799147353e-16;
const PI_LOW: f64 = 2.165713347843828e-32;

/// ln 2 = `LN_2` + `LN_2_LOW` to about 106 bits.
const LN_2_LOW: f64 = 2.3190468138462996e-17;

// The coefficients are minimax fits that weigh the relative error of the whole function: a Remez
// exchange at 200 bits, then rounding to doubles; the sine and the logarithm were fitted anew after
// each rounded coefficient. The errors left are 2^-61.5, 2^-56.3 and 2^-59.5.

/// (sin r - r) / r³ in powers of r² for |r| <= π/2, constant term first.
const SIN_COEFFICIENTS: [f64; 8] = [
    -0.16666666666666666,
    0.008333333333333207,
    -0.0001984126984121248,
    2.7557319211569482e-06,
    -2.5052106904422906e-08,
    1.6058941002307882e-10,
    -7.643019370510949e-13,
    2.721419495965473e-15,
];

/// (exp r - 1 - r) / r² in powers of r for |r| <= ln 2 / 2, constant term first.
const EXP_COEFFICIENTS: [f64; 10] = [
    0.5000000000000011,
    0.16666666666666413,
    0.041666666666530267,
    0.008333333333494338,
    0.0013888888943598045,
    0.0001984126950676716,
    2.480149313579163e-05,
    2.755758627754052e-06,
    2.763023406960603e-07,
    2.5000068831700067e-08,
];

/// (2 artanh s - 2 s) / s³ in powers of s² for |s| <= 3 - √8, constant term first.
const LOG_COEFFICIENTS: [f64; 7] = [
    0.6666666666666734,
    0.39999999999417046,
    0.28571428741892535,
    0.22222198621638742,
    0.18183561905090156,
    0.15314110407326834,
    0.14795368899672331,
];

/// Beyond these the exponential is infinite or zero, so the argument may be clamped to them.
const EXP_CEILING: f64 = 710.0;
const EXP_FLOOR: f64 = -746.0;

const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const MANTISSA_MASK: u64 = (1 << MANTISSA_BITS) - 1;
const EXPONENT_BIAS: u64 = 1023;
const SIGN_BIT: u64 = 1 << 63;
const ONE_BITS: u64 = 1.0f64.to_bits();
const SQRT_HALF_BITS: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
/// An integer below 2^52 put into the low bits of this number adds itself to its value.
const TWO_POW_52: f64 = 4503599627370496.0;
const TWO_POW_54: f64 = 18014398509481984.0;

/// The sine of `x`, within 2 units in the last place for |x| <= [`REDUCTION_LIMIT`]; NaN for
/// infinities and NaN, meaningless for other magnitudes beyond the limit.
#[inline(always)]
pub(crate) fn sin(x: f64) -> f64 {
    let rounded = x.mul_add(FRAC_1_PI, ROUNDER);
    sin_from_half_turn(subtract_half_turns(x, rounded - ROUNDER), rounded.to_bits())
}

/// The cosine of `x`, with the accuracy and limits of [`sin`].
#[inline(always)]
pub(crate) fn cos(x: f64) -> f64 {
    // Makes the function exactly even, which ties in the rounding would spoil.
    let x = x.abs();
    let rounded = x.mul_add(FRAC_1_PI, -0.5) + ROUNDER;
    let half_turns = (rounded - ROUNDER) + 0.5;
    // The cosine falls through zero after an even number of half turns: there the sine is negated.
    sin_from_half_turn(subtract_half_turns(x, half_turns), !rounded.to_bits())
}

/// The sine of any `x`, within 2 units in the last place; NaN for infinities and NaN.
pub(crate) fn sin_any(x: f64) -> f64 {
    if x.abs() > REDUCTION_LIMIT { sin_exactly_reduced(x) } else { sin(x) }
}

/// The cosine of any `x`, within 2 units in the last place; NaN for infinities and NaN.
pub(crate) fn cos_any(x: f64) -> f64 {
    if x.abs() > REDUCTION_LIMIT { cos_exactly_reduced(x) } else { cos(x) }
}

/// The sine for magnitudes beyond [`REDUCTION_LIMIT`], within 1 unit in the last place.
pub(crate) fn sin_exactly_reduced(x: f64) -> f64 {
    libm::sin(x)
}

/// The cosine for magnitudes beyond [`REDUCTION_LIMIT`], within 1 unit in the last place.
pub(crate) fn cos_exactly_reduced(x: f64) -> f64 {
    libm::cos(x)
}

/// e to the power `x` for every `x`, subnormal results included, within 1.5 units in the last
/// place.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let x = if x > EXP_CEILING { EXP_CEILING } else { x };
    let x = if x < EXP_FLOOR { EXP_FLOOR } else { x };
    let rounded = x.mul_add(LOG2_E, ROUNDER);
    let exponent = rounded - ROUNDER;
    let r = (-exponent).mul_add(LN_2_LOW, (-exponent).mul_add(LN_2, x));
    let mantissa = 1.0 + polynomial(&EXP_COEFFICIENTS, r).mul_add(r * r, r);
    // Two factors, because one power of two reaches neither infinity nor the subnormals; only the
    // second product can round.
    let first = rounded.to_bits() >> 1;
    let second = rounded.to_bits().wrapping_sub(first);
    mantissa * power_of_two(first) * power_of_two(second)
}

/// The natural logarithm of `x`, subnormals included, within 1.5 units in the last place;
/// -infinity at zero, NaN below.
#[inline(always)]
pub(crate) fn log(x: f64) -> f64 {
    let subnormal = x < f64::MIN_POSITIVE;
    let normal = if subnormal { x * TWO_POW_54 } else { x };
    let offset = TWO_POW_52 + EXPONENT_BIAS as f64 + if subnormal { 54.0 } else { 0.0 };
    // Shifted so that the exponent field steps where the mantissa passes √½: the rest is then the
    // distance above √½ of a mantissa in [√½, √2).
    let shifted = normal.to_bits().wrapping_add(ONE_BITS - SQRT_HALF_BITS);
    let exponent = f64::from_bits(TWO_POW_52.to_bits() | (shifted >> MANTISSA_BITS)) - offset;
    let mantissa = f64::from_bits((shifted & MANTISSA_MASK) + SQRT_HALF_BITS);
    let finite = exponent.mul_add(LN_2, log_near_one(mantissa, exponent * LN_2_LOW));
    let at_most_zero = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    let below_infinity = if x > 0.0 { finite } else { at_most_zero };
    if x == f64::INFINITY { x } else { below_infinity }
}

/// `x` less a number of half turns. The first step rounds only if the result is large, and the other
/// two are accurate relative to the result however near to zero it falls.
#[inline(always)]
fn subtract_half_turns(x: f64, half_turns: f64) -> f64 {
    let x = (-half_turns).mul_add(PI, x);
    let x = (-half_turns).mul_add(PI_MIDDLE, x);
    (-half_turns).mul_add(PI_LOW, x)
}

/// sin `r` for |r| <= π/2, negated if the lowest bit of `half_turns` is set.
#[inline(always)]
fn sin_from_half_turn(r: f64, half_turns: u64) -> f64 {
    // The sign is kept aside, else the sum would turn -0 into +0.
    let magnitude = r.abs();
    let square = r * r;
    let sine = polynomial(&SIN_COEFFICIENTS, square).mul_add(magnitude * square, magnitude);
    // Rounding can lift the crest just above one.
    let sine = if sine > 1.0 { 1.0 } else { sine };
    f64::from_bits(sine.to_bits() ^ ((r.to_bits() ^ (half_turns << 63)) & SIGN_BIT))
}

/// log `mantissa` + `low` for a mantissa in [√½, √2).
#[inline(always)]
fn log_near_one(mantissa: f64, low: f64) -> f64 {
    // log(1 + f) = 2 artanh s for s = f / (2 + f). As 2 s = f - s f, it equals f, which is exact,
    // plus a correction so much smaller that its rounding hardly counts.
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let square = s * s;
    let correction = square.mul_add(polynomial(&LOG_COEFFICIENTS, square), -f);
    f + s.mul_add(correction, low)
}

/// 2 to the power held in the low bits of `exponent`, which must lie within the normal range.
#[inline(always)]
fn power_of_two(exponent: u64) -> f64 {
    f64::from_bits(exponent.wrapping_add(EXPONENT_BIAS) << MANTISSA_BITS)
}

/// The polynomial with these coefficients, constant term first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for &coefficient in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(x, coefficient);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    // Pairs of the bits of an argument and of the correctly rounded value, from 300-bit arithmetic:
    // the worst arguments of over 100,000, multiples of π/2 and of ln 2 / 2, the ends of
    // the ranges, and random ones.

    #[rustfmt::skip]
    const SIN_TABLE: [(u64, u64); 62] = [
        (0x40572b601978de30, 0xbfefffff661afbdd), (0x40533df84f4a9091, 0x3fefffff6d3f4325),
        (0x406502600a08214d, 0xbfeffffefc628bb9), (0x403dd8324a5d03b0, 0xbfefffff9b2f0fca),
        (0x4051abe2e34b3ae9, 0x3feffffffca8994b), (0x4012d8a84ab80d0f, 0xbfefffff50190a05),
        (0x40630bc5911bf408, 0x3fefffff97b25a2f), (0x408153cacc3c372c, 0x3feffece130a4a28),
        (0x40630bb9151ceed1, 0x3fefffff26440990), (0x40131d911bd3125c, 0xbfefede6c02365c9),
        (0x3ffa679535bd2197, 0x3fefe6217bda67fb), (0x41b691a8d302f870, 0x3fefffffffffff8d),
        (0x4072f29e60b04060, 0x3fefffffffd6445d), (0xbff9efe7129dc9e0, 0xbfeff5a65863281a),
        (0x400921fb54442d18, 0x3ca1a62633145c07), (0x401921fb54442d18, 0xbcb1a62633145c07),
        (0x400921fb54442d19, 0xbcb72cece675d1fd), (0x4022d97c7f3321d2, 0x3cba79394c9e8a0a),
        (0x4059eb0b2ee64e81, 0x3cc19abb2567f739), (0x402921fb54442d18, 0xbcc1a62633145c07),
        (0x4053a28c59d5433b, 0xbcc1b19140c0c0d5), (0x400921fb54442d17, 0x3cc469898cc51702),
        (0x402f6a7a2955385e, 0x3cc60fafbfd97309), (0x401921fb54442d19, 0x3cc72cece675d1fd),
        (0x0000000000000001, 0x0000000000000001), (0x8010000000000000, 0x8010000000000000),
        (0x01a56e1fc2f8f359, 0x01a56e1fc2f8f359), (0xbbc79ca10c924223, 0xbbc79ca10c924223),
        (0x3e50000000000000, 0x3e50000000000000), (0xbe45798ee2308c3a, 0xbe45798ee2308c3a),
        (0x3f1a36e2eb1c432d, 0x3f1a36e2ea609cc8), (0xbf847ae147ae147b, 0xbf847acae915e807),
        (0x3fc0000000000000, 0x3fbfeaaeee86ee36), (0x3fe0000000000000, 0x3fdeaee8744b05f0),
        (0x3ff0000000000000, 0x3feaed548f090cee), (0xbff0000000000000, 0xbfeaed548f090cee),
        (0x4000000000000000, 0x3fed18f6ead1b446), (0x4008000000000000, 0x3fc210386db6d55b),
        (0xc010000000000000, 0x3fe837b9dddc1eae), (0x4024000000000000, 0xbfe1689ef5f34f52),
        (0x4059000000000000, 0xbfe03425b78c4db8), (0x412e848000000000, 0xbfd6664b2568d867),
        (0xc1cdcd6500000000, 0xbfe1778cae83c69b), (0x41d0000000000000, 0xbfe3c12353728caf),
        (0xc1d0000000000000, 0x3fe3c12353728caf), (0x41cfffffffffffff, 0xbfe3c12385cbf55d),
        (0x4051475cc9eedf01, 0x3cf3ddc5bce200bb), (0xc0916d0fc2ed4544, 0xbd353cb37c6a9dcf),
        (0x4113f0be944cf159, 0x3db14bb749c1d4be), (0x41cffffffec30a25, 0xbe63f88372a8c69b),
        (0x3ff921fb54442d18, 0x3ff0000000000000), (0x4012d97c7f3321d2, 0xbff0000000000000),
        (0xbfee7a224abd9920, 0xbfea12f599b99c0f), (0x3ff3208dca4646f0, 0x3fedc5ac0726707b),
        (0x4020f7ea97e7f588, 0x3fe9da403b587392), (0xbfe5fbe47bda7970, 0xbfe44b86b0fc0695),
        (0x3fc412db519d5680, 0x3fc3fdd177dfcb9d), (0xc06fafedc976a510, 0xbfea6b257c851799),
        (0x4130137272fa3ed6, 0x3fe311b2e3f2ce9a), (0xc04748fa5a11f3ba, 0xbfe0d402c907fc7f),
        (0x405c69ac76f09641, 0x3fe0d478df5a609e), (0xc120dfe90cbd9dd6, 0xbface73607f0328b),
    ];

    #[rustfmt::skip]
    const COS_TABLE: [(u64, u64); 62] = [
        (0xbf07bf99fbc5c870, 0x3fefffffff7300bb), (0x3e453bfb9197b822, 0x3ff0000000000000),
        (0x4072a73b560bd442, 0xbfefffff82502e0a), (0xbf2c33300f87339a, 0x3feffffff3930d02),
        (0xbe8cab56018d0c7d, 0x3fefffffffffff33), (0xc180538589be5802, 0x3feffb42695744f2),
        (0x3fa266e1d041499d, 0x3feffab5a0eb5e8e), (0x405f6a874ddf48bf, 0x3fefffff5344c3d3),
        (0x3e8be439da5c4798, 0x3fefffffffffff3e), (0x406858efe8549ed4, 0x3fefffffb16a35f0),
        (0x406f6a80cb2dbf76, 0x3fefffff500e1f09), (0x4066623c53a18673, 0xbfefffff1e32b2a3),
        (0x4060e2d170f5e97d, 0xbfefffffd1332b7a), (0xbf50316509eee893, 0x3feffffef9c9d853),
        (0x3ff921fb54442d18, 0x3c91a62633145c07), (0x3ff921fb54442d19, 0xbca72cece675d1fd),
        (0x4012d97c7f3321d2, 0xbcaa79394c9e8a0a), (0x4049eb0b2ee64e81, 0x3cb19abb2567f739),
        (0x4043a28c59d5433b, 0xbcb1b19140c0c0d5), (0x3ff921fb54442d17, 0x3cb469898cc51702),
        (0x401f6a7a2955385e, 0x3cb60fafbfd97309), (0x3ff921fb54442d1a, 0xbcbb9676733ae8fe),
        (0x4025fdbbe9bba775, 0xbcbee2c2d963a10c), (0x40800d3404518acd, 0xbcc1675967e03199),
        (0x0000000000000001, 0x3ff0000000000000), (0x8010000000000000, 0x3ff0000000000000),
        (0x01a56e1fc2f8f359, 0x3ff0000000000000), (0xbbc79ca10c924223, 0x3ff0000000000000),
        (0x3e50000000000000, 0x3fefffffffffffff), (0xbe45798ee2308c3a, 0x3ff0000000000000),
        (0x3f1a36e2eb1c432d, 0x3feffffffd50ce24), (0xbf847ae147ae147b, 0x3fefff9724ad97aa),
        (0x3fc0000000000000, 0x3fefc015527d5bd3), (0x3fe0000000000000, 0x3fec1528065b7d50),
        (0x3ff0000000000000, 0x3fe14a280fb5068c), (0xbff0000000000000, 0x3fe14a280fb5068c),
        (0x4000000000000000, 0xbfdaa22657537205), (0x4008000000000000, 0xbfefae04be85e5d2),
        (0xc010000000000000, 0xbfe4eaa606db24c1), (0x4024000000000000, 0xbfead9ac890c6b1f),
        (0x4059000000000000, 0x3feb981dbf665fdf), (0x412e848000000000, 0x3fedf9df9906d32c),
        (0xc1cdcd6500000000, 0x3feacff8c7364234), (0x41d0000000000000, 0x3fe92cb46a920144),
        (0xc1d0000000000000, 0x3fe92cb46a920144), (0x41cfffffffffffff, 0x3fe92cb4430fba6a),
        (0x4031475cc9eedf01, 0x3cd3ddc5bce200bb), (0x4051abe4b73fefb5, 0x3cd1a34b6fa942d3),
        (0xc09166c744183439, 0x3d0dc24f96eec5be), (0x4113f0c4dccbc66a, 0xbdb41d3bb34b6183),
        (0x41cfffffff8c19ff, 0xbe648fd6bde46a94), (0x4002d97c7f3321d2, 0xbfe6a09e667f3bcc),
        (0x4015fdbbe9bba775, 0x3fe6a09e667f3bcb), (0xc0009d4990b470b2, 0xbfdf05186b04da27),
        (0xbfee15523bafaaa0, 0x3fe2dedd3835aa52), (0x40131cff4a27d72a, 0x3fb0dd919f136378),
        (0x400802e837265ea4, 0xbfefafa6bf47b4d9), (0x4003b357644ccdc0, 0xbfe8e6e6ed91e5a2),
        (0xc0386260959c1a8c, 0x3fe7729d9101c112), (0xc19ae04af89b3086, 0xbfeb44b1e24702e8),
        (0xc170196c65eaf048, 0xbfe3ff23b4ab7b07), (0x40ddbd7aa5b48bd6, 0x3fe8d352f884d5ad),
    ];

    #[rustfmt::skip]
    const EXP_TABLE: [(u64, u64); 62] = [
        (0x40798a2418f529ac, 0x64c72aa748e808ff), (0xc07164c70972b8ee, 0x26d6a09e667f3c45),
        (0x3fd6d83479625ce0, 0x3ff6dd03f56c2953), (0x3fd6794a9ace6940, 0x3ff6bb34e37ef8a9),
        (0xc084eef581c5af7b, 0x0387f39d43d1702b), (0x3fd9d0b254dcfd20, 0x3ff7f318e0328bff),
        (0xc02998b61b086c80, 0x3ec7330355e7a055), (0xc08427c9a0f220e2, 0x05c6a09e667f4443),
        (0x4084b27e0d4d8ae4, 0x7ba6d76e1a5614dd), (0xc05c7fceca6b6648, 0x35a73781825e4913),
        (0x405404cdada2e3b0, 0x4727014f2fed99f9), (0x40761df44e3103e4, 0x5fd718a5bc0d51f9),
        (0xc0605456fbc04b4c, 0x3427252c584866db), (0x0000000000000000, 0x3ff0000000000000),
        (0x0000000000000001, 0x3ff0000000000000), (0x8000000000000001, 0x3ff0000000000000),
        (0x01a56e1fc2f8f359, 0x3ff0000000000000), (0x3c9cd2b297d889bc, 0x3ff0000000000000),
        (0xbc9cd2b297d889bc, 0x3fefffffffffffff), (0x3ca0000000000000, 0x3ff0000000000001),
        (0x3cb0000000000000, 0x3ff0000000000001), (0xbc90000000000000, 0x3ff0000000000000),
        (0x3e45798ee2308c3a, 0x3ff0000002af31dc), (0xbee4f8b588e368f1, 0x3fefffeb07515653),
        (0x3fb999999999999a, 0x3ff1aec7b35a00d4), (0xbfb999999999999a, 0x3fecf46d99d52b3a),
        (0x3fe0000000000000, 0x3ffa61298e1e069c), (0x3ff0000000000000, 0x4005bf0a8b145769),
        (0xbff0000000000000, 0x3fd78b56362cef38), (0x4000000000000000, 0x401d8e64b8d4ddae),
        (0xc000000000000000, 0x3fc152aaa3bf81cc), (0x4024000000000000, 0x40d5829dcf950560),
        (0x4059000000000000, 0x48f3494a9b171bf5), (0xc059000000000000, 0x36ea8c1f14e2af5d),
        (0x4085e00000000000, 0x7f0d945df4f8ec8e), (0x4086280000000000, 0x7fdd422d2be5dc9b),
        (0x40862e42fefa39ef, 0x7fefffffffffff2a), (0xc086200000000000, 0x0017c8ab2288c9ab),
        (0xc086232bdd7abcd2, 0x001000000000007c), (0xc086233333333333, 0x000ff15b469edf89),
        (0xc086800000000000, 0x0000000993b4dc95), (0xc087200000000000, 0x0000000000000055),
        (0xc087400000000000, 0x0000000000000002), (0xc087480000000000, 0x0000000000000001),
        (0xc0874910d52d3051, 0x0000000000000001), (0x3fd62e42fefa39ef, 0x3ff6a09e667f3bcc),
        (0xbfd62e42fefa39ef, 0x3fe6a09e667f3bcd), (0x3ff0a2b23f3bab73, 0x4006a09e667f3bcc),
        (0xbff0a2b23f3bab73, 0x3fd6a09e667f3bcd), (0x3fe62e42fefa39ef, 0x4000000000000000),
        (0xbfe62e42fefa39ef, 0x3fe0000000000000), (0x4075aeb8fdc01b22, 0x5f36a09e667f3bad),
        (0xc07e58cb2959d9c4, 0x1426a09e667f3b21), (0x40862b7d369a5aa8, 0x7fe6a09e667f3be4),
        (0x401672592de20e54, 0x4071199ade141dd3), (0xbf829557d0f5c000, 0x3fefb600b3e77594),
        (0x4019fdeecdb32478, 0x4084be66e95ef25a), (0xbffb4f127b9da9a0, 0x3fc73993e1c364b0),
        (0xc07548d17c411665, 0x2139c9632aae75c1), (0x40860cbca7098b14, 0x7f8f0045cf90fa85),
        (0x4085f5e29ae0ab98, 0x7f4c81bc03efeeef), (0x407dcac64879f4a8, 0x6ae9e40649d61a4b),
    ];

    #[rustfmt::skip]
    const LOG_TABLE: [(u64, u64); 62] = [
        (0x3ff69d7312b2e425, 0x3fd6254b96783c59), (0x3ff67933c3f21fcd, 0x3fd5be64d2d7ff71),
        (0x3ff684203b808053, 0x3fd5dd7910feca71), (0x3ff45ca32136352f, 0x3fcedb8be2bb01f9),
        (0x3ff69b88fd97b051, 0x3fd61fe06fe739ed), (0x3fe69b9e9172fd57, 0xbfd63c68789db087),
        (0x3fe68cab8eb3ed6f, 0xbfd666c8420f2b0f), (0x3ff6848511b99cc1, 0x3fd5de97ad0da881),
        (0x3fe6835052acffbf, 0xbfd6815bee4ffe13), (0x3ff478447e8989af, 0x3fcf88c778dffc5f),
        (0x3fe674b401be90a9, 0xbfd6aaf26f943eaf), (0x3fe3c05e2e113c1d, 0xbfdee17028b850cb),
        (0x3fe67d7295e51391, 0xbfd6920b41f60f15), (0x3ff4802365fe9c39, 0x3fcfb9f572d52e41),
        (0x0000000000000001, 0xc0874385446d71c3), (0x0000000000000002, 0xc0873df9b3adb335),
        (0x000fffffffffffff, 0xc086232bdd7abcd2), (0x0008000000000000, 0xc08628b76e3a7b61),
        (0x00000002dfdc1c35, 0xc08689a0c49781b0), (0x0000000040000001, 0xc0869d2a4df4fd11),
        (0x0010000000000000, 0xc086232bdd7abcd2), (0x01a56e1fc2f8f359, 0xc085963447f87fb5),
        (0x2b2bff2ee48e0530, 0xc06cc845b54b54f2), (0x3ddb7cdfd9d7bdbb, 0xc037069e2aa2aa5b),
        (0x3fb999999999999a, 0xc0026bb1bbb55515), (0x3fd0000000000000, 0xbff62e42fefa39ef),
        (0x3fe0000000000000, 0xbfe62e42fefa39ef), (0x3fe8000000000000, 0xbfd269621134db92),
        (0x3fefffffffffffff, 0xbca0000000000000), (0x3ff0000000000001, 0x3cafffffffffffff),
        (0x3fefffffff768fa1, 0xbe112e0be024e4bc), (0x3ff000000044b830, 0x3e112e0bffdb1b44),
        (0x3fefff2e48e8a71e, 0xbf1a3738d2cf1cc2), (0x3ff00068db8bac71, 0x3f1a368d0657fcd4),
        (0x3fefae147ae147ae, 0xbf8495453e6fd4bc), (0x3ff028f5c28f5c29, 0x3f8460d6ccca367c),
        (0x3ff4000000000000, 0x3fcc8ff7c79a9a22), (0x3ff8000000000000, 0x3fd9f323ecbf984c),
        (0x4000000000000000, 0x3fe62e42fefa39ef), (0x4008000000000000, 0x3ff193ea7aad030b),
        (0x4005bf0a8b145769, 0x3ff0000000000000), (0x4024000000000000, 0x40026bb1bbb55516),
        (0x40f86a0000000000, 0x4027069e2aa2aa5b), (0x54b249ad2594c37d, 0x406cc845b54b54f2),
        (0x7e37e43c8800759c, 0x4085963447f87fb5), (0x7fefffffffffffff, 0x40862e42fefa39ef),
        (0x3fe6a09e667f3bcd, 0xbfd62e42fefa39ee), (0x3ff6a09e667f3bcd, 0x3fd62e42fefa39f0),
        (0x3fd6a09e667f3bcd, 0xbff0a2b23f3bab73), (0x4626a09e667f3bcd, 0x40513df614348309),
        (0x3fe6a09e667f3bcc, 0xbfd62e42fefa39f1), (0x3ff6a09e667f3bce, 0x3fd62e42fefa39f3),
        (0x2860a59e8c468559, 0xc070546df8f39af6), (0x1d6dc88a61c5129d, 0xc077eb0643fa2aea),
        (0x2504c28d28c0cbdf, 0xc072a7c6a4e5ee14), (0x090996010e41609f, 0xc083067490dbc7ee),
        (0x620c5849347fa5b9, 0x4077a564a42ebfd2), (0x3ff19c0e7052caf3, 0x3fb889f7ba0e3c6b),
        (0x3ffc5168e6df69d6, 0x3fe244e34d3fbbc6), (0x3ff146bd383352a0, 0x3fb3a5c753f74cf4),
        (0x3ffefe36600cf8cd, 0x3fe52854b5b127d5), (0x3ffc55df0a0e0052, 0x3fe249ed8bded3fc),
    ];

    /// How many doubles lie between two numbers, both zeros counting as one.
    fn distance(a: f64, b: f64) -> u64 {
        let rank = |x: f64| {
            let magnitude = (x.to_bits() & !SIGN_BIT) as i64;
            if x.is_sign_negative() { -magnitude } else { magnitude }
        };
        rank(a).abs_diff(rank(b))
    }

    fn assert_near(table: &[(u64, u64)], function: fn(f64) -> f64, bound: u64) {
        for &(argument, value) in table {
            let (x, expected) = (f64::from_bits(argument), f64::from_bits(value));
            let found = function(x);
            let off = distance(found, expected);
            assert!(off <= bound, "at {x:e}: {found:e}, not {expected:e}, {off} places off");
        }
    }

    fn assert_rising(function: fn(f64) -> f64, from: f64, to: f64) {
        let steps = 10_000;
        let point = |i: i32| from + (to - from) * (f64::from(i) / f64::from(steps));
        for i in 0..steps {
            let (here, next) = (point(i), point(i + 1));
            assert!(function(here) < function(next), "not rising from {here:e} to {next:e}");
        }
    }

    #[test]
    fn tables_are_met() {
        assert_near(&SIN_TABLE, sin, 2);
        assert_near(&COS_TABLE, cos, 2);
        // An error below 1.5 places lies at most one place from the correctly rounded value.
        assert_near(&EXP_TABLE, exp, 1);
        assert_near(&LOG_TABLE, log, 1);
    }

    #[test]
    fn special_sines_and_cosines() {
        assert_eq!(sin(0.0).to_bits(), 0.0f64.to_bits());
        assert_eq!(sin(-0.0).to_bits(), (-0.0f64).to_bits());
        assert_eq!(cos(0.0), 1.0);
        assert_eq!(cos(-0.0), 1.0);
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for function in [sin, cos, sin_any, cos_any] {
                assert!(function(x).is_nan(), "at {x}");
            }
        }
    }

    #[test]
    fn special_exponentials() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-0.0), 1.0);
        assert_eq!(exp(f64::INFINITY), f64::INFINITY);
        assert_eq!(exp(f64::NEG_INFINITY).to_bits(), 0.0f64.to_bits());
        assert_eq!(exp(709.7827128933841), f64::INFINITY);
        assert_eq!(exp(f64::MAX), f64::INFINITY);
        assert_eq!(exp(-745.1332191019412), 0.0);
        assert_eq!(exp(f64::MIN), 0.0);
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn special_logarithms() {
        assert_eq!(log(1.0).to_bits(), 0.0f64.to_bits());
        assert_eq!(log(0.0), f64::NEG_INFINITY);
        assert_eq!(log(-0.0), f64::NEG_INFINITY);
        assert_eq!(log(f64::INFINITY), f64::INFINITY);
        for x in [f64::NAN, f64::NEG_INFINITY, -1.0, -f64::from_bits(1)] {
            assert!(log(x).is_nan(), "at {x}");
        }
    }

    #[test]
    fn functions_rise_where_they_should() {
        assert_rising(sin, -FRAC_PI_2, FRAC_PI_2);
        assert_rising(cos, -PI, 0.0);
        assert_rising(exp, -730.0, 709.0);
        assert_rising(exp, -1.0, 1.0);
        assert_rising(log, 1e-3, 3.0);
        assert_rising(log, f64::from_bits(1), f64::MIN_POSITIVE);
        assert_rising(log, 1.0, f64::MAX);
    }

    #[test]
    fn waves_are_symmetric_and_bounded() {
        for i in 0..20_000 {
            let x = f64::from(i / 100) * FRAC_PI_2 + f64::from(i % 100) * 1e-9;
            assert_eq!(sin(-x).to_bits(), (-sin(x)).to_bits(), "at {x:e}");
            assert_eq!(cos(-x).to_bits(), cos(x).to_bits(), "at {x:e}");
            assert!(sin(x).abs() <= 1.0 && cos(x).abs() <= 1.0, "at {x:e}");
        }
    }

    #[test]
    fn both_reductions_agree_at_the_limit() {
        for x in [REDUCTION_LIMIT, -REDUCTION_LIMIT, REDUCTION_LIMIT.next_down()] {
            assert_eq!(sin_any(x), sin(x));
            assert_eq!(cos_any(x), cos(x));
            assert!(distance(sin_exactly_reduced(x), sin(x)) <= 2, "at {x:e}");
            assert!(distance(cos_exactly_reduced(x), cos(x)) <= 2, "at {x:e}");
        }
        let beyond = REDUCTION_LIMIT.next_up();
        assert_eq!(sin_any(beyond), libm::sin(beyond));
        assert_eq!(cos_any(beyond), libm::cos(beyond));
    }
}
