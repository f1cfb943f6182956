//! A table like airfoil: 902 rows, five features of different spread, a target that no small formula meets exactly.

use intron::{Dataset, Seed, StreamName};

/// Rows that the paper trains on: 60 % of airfoil.
const N_ROWS: usize = 902;

/// Smallest and largest value of each feature.
const RANGES: [(f64, f64); 5] =
    [(200.0, 20_000.0), (0.0, 22.0), (0.025, 0.305), (31.7, 71.3), (0.0004, 0.0584)];

/// The table; the same in every bench.
pub(crate) fn table() -> Dataset {
    let mut stream = Seed(1).stream(StreamName::Split);
    let mut column = |(low, high): (f64, f64)| -> Vec<f64> {
        (0..N_ROWS).map(|_| low + (high - low) * stream.unit()).collect()
    };
    let features = RANGES.map(&mut column).to_vec();
    let noise = column((-2.0, 2.0));
    let target = (0..N_ROWS).map(|row| {
        let [frequency, angle, chord, speed, thickness] = [0, 1, 2, 3, 4].map(|k| features[k][row]);
        let peak = frequency * chord / speed / 30.0;
        130.0 - 8.0 * peak / (1.0 + thickness * angle) + 0.1 * speed + noise[row]
    });
    let target = target.collect();
    let names = ["frequency", "angle", "chord", "speed", "thickness"].map(String::from);
    Dataset::new(names.to_vec(), features, target, None).expect("sound data")
}
