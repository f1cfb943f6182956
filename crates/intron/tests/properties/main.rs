//! Laws that hold for every input, tried on random ones. `PROPTEST_RNG_SEED` tries others, `PROPTEST_CASES` so many.

#[path = "../runs/mod.rs"]
mod runs;

mod evaluation;
mod linkage;
mod safety;
mod simplification;
mod whole_runs;

use proptest::test_runner::{Config, RngSeed};

/// So many cases, the same ones every time, unless the environment names another number or seed.
fn cases(n_cases: u32) -> Config {
    let config = Config::default();
    let is_named = std::env::var_os("PROPTEST_CASES").is_some();
    let n_cases = if is_named { config.cases } else { n_cases };
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        named => named,
    };
    Config { cases: n_cases, rng_seed, failure_persistence: None, ..config }
}
