//! The law of safety: a formula that was proved safe is finite, and near the target, wherever one looks in the box.

use crate::cases;
use crate::simplification::draw_formula;
use intron::{FeatureRanges, Region, Safety, Seed, Stream, StreamName, predict_row};
use proptest::prelude::*;

const TARGET: (f64, f64) = (-20.0, 30.0);

fn draw_ranges(stream: &mut Stream) -> FeatureRanges {
    let mut range = || {
        let number = |stream: &mut Stream| match stream.below(3) {
            0 => stream.below(7) as f64 - 3.0,
            1 => stream.unit() * 10.0 - 5.0,
            _ => stream.unit() * 1e3,
        };
        let (a, b) = (number(stream), number(stream));
        [a.min(b), a.max(b)]
    };
    FeatureRanges((0..4).map(|_| range()).collect())
}

fn draw_row(ranges: &FeatureRanges, stream: &mut Stream) -> Vec<f64> {
    let mut value = |&[low, high]: &[f64; 2]| match stream.below(8) {
        0 => low,
        1 => high,
        2 => 0.0_f64.clamp(low, high),
        3 => stream.unit().round().clamp(low, high),
        _ => (low + stream.unit() * (high - low)).clamp(low, high),
    };
    ranges.0.iter().map(&mut value).collect()
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn what_is_proved_safe_is_finite_at_every_point(seed in any::<u64>(), size in 1_usize..24, kind in 0..3) {
        let stream = &mut Seed(seed).stream(StreamName::Split);
        let formula = draw_formula(size, kind == 0, kind == 2, stream);
        let ranges = draw_ranges(stream);
        let region = Region { ranges: ranges.clone(), target: TARGET };
        if region.examine(&formula) == Safety::Safe {
            for _ in 0..200 {
                let row = draw_row(&ranges, stream);
                let value = predict_row(&formula, &row);
                let room = 100.0 * (TARGET.1 - TARGET.0);
                prop_assert!(value.is_finite(), "{value} at {row:?}: {formula:?}");
                prop_assert!((TARGET.0 - room..=TARGET.1 + room).contains(&value));
            }
        }
    }
}

#[test]
fn most_verdicts_are_found_and_both_are_met() {
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..600 {
        let stream = &mut Seed(seed).stream(StreamName::Split);
        let formula = draw_formula(3 + seed as usize % 20, true, false, stream);
        let region = Region { ranges: draw_ranges(stream), target: TARGET };
        let verdict = region.examine(&formula);
        *counts.entry(verdict.name()).or_insert(0) += 1;
    }
    assert!(counts["safe"] > 100 && counts["dangerous"] > 100, "{counts:?}");
    assert!(counts.get("undecided").is_none_or(|&n| n < 60), "{counts:?}");
}
