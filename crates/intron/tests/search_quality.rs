//! The search is as good as it should be: wide margins around measured medians, so that only a real loss fails.

mod tables;

use intron::{Interrupt, Run, Settings, Silent, hold_out};
use std::sync::Mutex;

/// Training R² on what is left of a data set after a share was held out, the seed choosing the rows.
fn training_r2(name: &str, held_out: f64, pairs: &[(&str, &str)], seed: u64) -> f64 {
    let data = tables::read(&tables::folder().join(format!("{name}.csv")));
    let mut settings = Settings { threads: 1, ..Settings::default() };
    for (key, value) in pairs {
        settings.set(key, value).expect("a known setting");
    }
    settings.set("seed", &seed.to_string()).expect("a seed");
    let split = hold_out(&data, held_out, settings.seed).expect("a possible split");
    let training = data.rows(&split.train);
    let valid = settings.validate().expect("valid settings");
    let run = Run::new(&training, &valid, Interrupt::default()).expect("a possible run");
    let outcome = run.finish(&mut Silent);
    outcome.front.last().expect("a formula").fitness.r2()
}

/// The median over ten seeds, two runs at a time.
fn median_r2(name: &str, held_out: f64, pairs: &[(&str, &str)]) -> f64 {
    let seeds = Mutex::new(0..10);
    let scores = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = seeds.lock().expect("no run panics").next();
                    let Some(seed) = next else { break };
                    let score = training_r2(name, held_out, pairs, seed);
                    scores.lock().expect("no run panics").push(score);
                }
            });
        }
    });
    let mut scores = scores.into_inner().expect("no run panics");
    scores.sort_by(f64::total_cmp);
    (scores[4] + scores[5]) / 2.0
}

#[test]
fn node_with_scaling_reaches_the_expected_accuracy() {
    for (name, at_least) in [("airfoil", 0.60), ("concrete", 0.75)] {
        let median = median_r2(name, 0.25, &[("linkage", "node"), ("evaluations", "1e6")]);
        tell(&format!("{name}: Node, height 5, scaled, 1e6 evaluations: median R² {median:.4}"));
        assert!(median > at_least, "{name}: {median}");
    }
}

#[test]
fn node_beats_random_on_large_templates_without_scaling() {
    for name in ["airfoil", "concrete"] {
        let median = |linkage: &str| {
            let pairs = [("height", "7"), ("linear_scaling", "off"), ("evaluations", "2e5")];
            // A quarter of the rows shows the difference too, at a third of the time.
            median_r2(name, 0.75, &[&pairs[..], &[("linkage", linkage)]].concat())
        };
        let (node, random) = (median("node"), median("random"));
        tell(&format!("{name}: Node {node:.4}, Random {random:.4}"));
        assert!(node > random + 0.03, "{name}: Node {node}, Random {random}");
    }
}

#[allow(clippy::print_stdout, reason = "measured numbers are shown with --nocapture")]
fn tell(line: &str) {
    println!("{line}");
}
