//! Random settings for runs that are cut short and resumed.

use crate::runs::{Pairs, settings};
use intron::{Stream, ValidSettings};

fn pick<'a>(stream: &mut Stream, words: &[&'a str]) -> &'a str {
    words[stream.below(words.len())]
}

/// Random settings; small populations, so that many are started and retired.
pub(crate) fn draw_settings(
    linkage: &'static str,
    stream: &mut Stream,
) -> Vec<(&'static str, String)> {
    let mut pairs: Vec<(&str, &str)> = vec![
        ("linkage", linkage),
        ("height", pick(stream, &["1", "2", "3", "4", "4"])),
        ("operators", pick(stream, &["small", "large", "+,inv,cube,plog,psqrt,pdiv,tanh"])),
        ("constants.range", pick(stream, &["target", "-2..2", "off"])),
        ("linear_scaling", pick(stream, &["on", "off"])),
        ("init.grow", pick(stream, &["domain", "0.5"])),
        ("init.duplicates", pick(stream, &["allowed", "allowed", "drawn-again"])),
        ("linkage.bins", pick(stream, &["25", "3"])),
        ("population", pick(stream, &["ims", "ims", "ims", "30"])),
        ("ims.start", pick(stream, &["2", "4", "16"])),
        ("ims.factor", pick(stream, &["1", "2", "4", "10"])),
        ("ims.max_populations", pick(stream, &["1", "3", "25"])),
        ("ims.retire_on_equal", pick(stream, &["yes", "no"])),
        (
            "convergence",
            pick(stream, &["no-improvement", "no-improvement-nor-evaluation", "identical"]),
        ),
        ("forced_improvement", pick(stream, &["on", "off"])),
        ("memory_limit", pick(stream, &["1GB", "30KB"])),
        ("early_rejection", pick(stream, &["on", "off"])),
        ("constants.tuning", pick(stream, &["0", "0.5", "1"])),
        ("constants.factors", pick(stream, &["0", "0.5"])),
        ("constants.weighing", pick(stream, &["0", "0.5"])),
        ("constants.grafting", pick(stream, &["0", "0.5"])),
        ("constants.pruning", pick(stream, &["0", "0.5"])),
        ("constants.new_parts", pick(stream, &["0", "0.5"])),
        ("constants.tuning_steps", pick(stream, &["1", "5"])),
        ("constants.mutation", pick(stream, &["0", "0.3"])),
        ("constants.mutation_decay", pick(stream, &["1", "0.5"])),
        ("constants.mutation_patience", pick(stream, &["1", "2"])),
        ("constants.mutation_place", pick(stream, &["after", "interleaved", "within"])),
        ("max_size", pick(stream, &["none", "none", "3", "9"])),
        ("max_positions", pick(stream, &["none", "none", "7"])),
        ("polish", pick(stream, &["off", "on"])),
        ("simplify", pick(stream, &["off", "off", "off", "on"])),
        ("select", pick(stream, &["accuracy", "mdl", "validation"])),
        ("evaluations", pick(stream, &["500", "2001", "4000"])),
    ];
    match stream.below(4) {
        0 => pairs.push(("target_r2", pick(stream, &["0.2", "0.9"]))),
        1 => pairs.push(("generations", pick(stream, &["3", "12"]))),
        _ => {}
    }
    let seed = stream.below(1_000_000).to_string();
    let mut pairs: Vec<_> = pairs.into_iter().map(|(key, value)| (key, value.to_owned())).collect();
    pairs.push(("seed", seed));
    pairs
}

/// Those settings and some more.
pub(crate) fn with(pairs: &[(&'static str, String)], more: Pairs<'_>) -> ValidSettings {
    let pairs: Vec<(&str, &str)> =
        pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
    settings(&[&pairs[..], more].concat())
}
