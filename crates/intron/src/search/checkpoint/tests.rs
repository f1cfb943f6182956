//! Checkpoints that are damaged, or made up by somebody who knows how to sign them.

use std::sync::Arc;

use super::state::{Checkpoint, linkage_text, text_fingerprint};
use crate::data::Dataset;
use crate::linkage::{Linkage, LinkageMeasure, Rebuild};
use crate::random::{RESULTS_VERSION, Seed, Stream, StreamName};
use crate::search::{Interrupt, Run, Silent};
use crate::settings::{Settings, ValidSettings};

fn data() -> Dataset {
    let column = |step: usize| (0..12).map(|row| (row * step % 7) as f64 - 1.5).collect();
    let names = vec!["a".to_owned(), "b".to_owned()];
    Dataset::new(names, vec![column(3), column(5)], column(2), None).unwrap()
}

fn settings(linkage: &str) -> ValidSettings {
    let mut settings = Settings { threads: 1, ..Settings::default() };
    for (key, value) in [
        ("linkage", linkage),
        ("height", "3"),
        ("ims.start", "4"),
        ("ims.factor", "2"),
        ("ims.max_populations", "3"),
        ("seed", "5"),
    ] {
        settings.set(key, value).unwrap();
    }
    settings.validate().unwrap()
}

/// The checkpoint after so many generations.
fn text_after(n_steps: usize, linkage: &str) -> String {
    let mut run = Run::new(&data(), &settings(linkage), Interrupt::default()).unwrap();
    (0..n_steps).for_each(|_| assert_eq!(run.step(&mut Silent), None));
    run.checkpoint().to_text()
}

/// The text with the fingerprint that its other lines have now.
fn signed(text: &str) -> String {
    let body = &text[..text.trim_end().rfind('\n').unwrap() + 1];
    format!("{body}end {:016x}\n", text_fingerprint(body))
}

fn problem(text: &str) -> String {
    Checkpoint::from_text(text).unwrap_err().to_string()
}

#[test]
fn a_linkage_without_a_name_is_not_taken_for_another() {
    let tree = |measure, rebuild| linkage_text(&Linkage::Tree { measure, rebuild });
    assert_eq!(tree(LinkageMeasure::NodeProximity, Rebuild::Once), "node-static");
    let texts = [
        tree(LinkageMeasure::MutualInformation, Rebuild::Once),
        tree(LinkageMeasure::Random, Rebuild::Once),
        linkage_text(&Linkage::Custom {
            measure: Arc::new(|initial, context| LinkageMeasure::Random.build(initial, context)),
            rebuild: Rebuild::Once,
        }),
    ];
    assert!(texts.iter().all(|text| text.starts_with("custom ")), "{texts:?}");
    assert!(texts[0] != texts[1] && texts[1] != texts[2] && texts[0] != texts[2], "{texts:?}");
}

#[test]
fn fingerprints_tell_texts_apart() {
    let texts = ["", "\0", "a", "a\0", "abcdefgh", "abcdefgh\0", "abcdefghi", "bacdefgh"];
    for (index, text) in texts.iter().enumerate() {
        assert!(texts[..index].iter().all(|o| text_fingerprint(o) != text_fingerprint(text)));
    }
}

#[test]
fn every_cut_and_every_flipped_byte_is_noticed() {
    let text = text_after(6, "mi-adjusted");
    assert_eq!(signed(&text), text);
    Checkpoint::from_text(&text).unwrap();
    for end in 0..text.len() {
        assert!(Checkpoint::from_text(&text[..end]).is_err(), "cut at {end}");
    }
    for place in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1 << (place % 7);
        let flipped = String::from_utf8(bytes).unwrap();
        assert!(Checkpoint::from_text(&flipped).is_err(), "flipped at {place}");
    }
    assert!(problem(&text.replace('\n', "\r\n")).contains("not the one that was written"));
}

#[test]
fn other_formats_and_versions_are_named() {
    let text = text_after(1, "node");
    assert!(problem("").contains("does not begin with"));
    assert!(problem("{\"format\": \"intron-model\"}\n").contains("does not begin with"));
    let newer = problem(&text.replacen("checkpoint 2", "checkpoint 3", 1));
    assert!(newer.contains("version `3`") && newer.contains("start anew"), "{newer}");
    let results = format!("results {RESULTS_VERSION}");
    let older = problem(&signed(&text.replacen(&results, "results 1", 1)));
    assert!(older.contains("the course of version 1"), "{older}");
    let unknown = problem(&signed(&text.replacen("setting height", "setting hight", 1)));
    assert!(unknown.contains("unknown setting `hight`"), "{unknown}");
}

#[test]
fn a_formula_that_is_no_tree_is_refused() {
    let text = text_after(6, "node");
    let start = text.find("\nmodel ").unwrap() + 1;
    let line = text[start..].lines().next().unwrap();
    let head: Vec<&str> = line.split(' ').take(4).collect();
    // Printed, each of these would be twice as long as the one before.
    for formula in ["x0 +:0:0 +:1:1 +:2:2", "x0 x1", "+:0:0", "x0 sin:1", "x0 sin", "x2", ""] {
        let hostile = text.replacen(line, &format!("{} {formula}", head.join(" ")), 1);
        assert!(problem(&signed(&hostile)).contains("has no formula"), "{formula}");
    }
}

/// A word that might do harm in the place of another.
fn nasty(word: &str, stream: &mut Stream) -> String {
    const WORDS: [&str; 26] = [
        "0",
        "1",
        "2",
        "3",
        "7",
        "-1",
        "281474976710656",
        "18446744073709551615",
        "99999999999999999999",
        "x0",
        "x1",
        "x2",
        "x4294967295",
        "+",
        "sin",
        "exp",
        "#7ff8000000000000",
        "#7ff0000000000000",
        "#0000000000000001",
        "7ff0000000000000",
        "fff0000000000000",
        "bff0000000000000",
        "retired",
        "population",
        "+:0:1",
        "",
    ];
    match stream.below(4) {
        0 => word.parse().map_or("1".to_owned(), |number: u64| number.wrapping_add(1).to_string()),
        1 => word.parse().map_or("4".to_owned(), |number: u64| (number / 2).to_string()),
        _ => WORDS[stream.below(WORDS.len())].to_owned(),
    }
}

/// The text with a word replaced, or with a line dropped, doubled or moved.
fn mangled(text: &str, stream: &mut Stream) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = stream.below(lines.len() - 1);
    match stream.below(10) {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[place].clone()),
        2 => lines.swap(place, place.saturating_sub(1)),
        _ => {
            let mut words: Vec<String> = lines[place].split(' ').map(str::to_owned).collect();
            let word = stream.below(words.len());
            words[word] = nasty(&words[word], stream);
            lines[place] = words.join(" ");
        }
    }
    signed(&(lines.join("\n") + "\n"))
}

#[test]
fn signed_nonsense_neither_panics_nor_runs_wild() {
    let mut stream = Seed(1).stream(StreamName::Split);
    let (mut n_read, mut n_run) = (0, 0);
    for linkage in ["mi-masked", "node-static", "univariate"] {
        let text = text_after(8, linkage);
        let settings = settings(linkage);
        for _ in 0..3_000 {
            let Ok(checkpoint) = Checkpoint::from_text(&mangled(&text, &mut stream)) else {
                continue;
            };
            n_read += 1;
            assert_eq!(
                Checkpoint::from_text(&checkpoint.to_text()).unwrap().to_text(),
                checkpoint.to_text()
            );
            let resumed = Run::resume(&data(), &settings, &checkpoint, Interrupt::default());
            let Ok(mut run) = resumed else { continue };
            n_run += 1;
            for _ in 0..8 {
                run.step(&mut Silent);
            }
        }
    }
    assert!(n_read > 100 && n_run > 100, "only {n_read} could be read, and {n_run} resumed");
}
