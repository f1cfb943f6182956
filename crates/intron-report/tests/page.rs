//! The page as such: every section, sound markup, no network, names that cannot become markup, the same bytes again.

mod made_up;
mod markup;

use intron::{Dataset, Seed};
use intron_files::ModelFile;
use intron_report::{Kind, Part, Subject, page};
use serde_json::{Value, json};

use made_up::{model_of, rows, run};
use markup::check_markup;

fn page_of(model: &ModelFile, parts: &[Part], run: Option<&Value>) -> String {
    page(&Subject {
        model,
        parts,
        run,
        source: "data <b>.csv",
        sha256: Some("0123"),
        notes: &["note & <more>".to_owned()],
        seed: Seed(1),
    })
    .expect("a sound model")
}

#[test]
fn the_bar_of_the_chosen_row_is_not_drawn_at_its_link_too() {
    // The script marks the row and the link in it; only the row has room for a bar.
    let train = rows(20, 1);
    let model = model_of("y", &["f0"], train.names());
    let text = page_of(&model, &[Part { kind: Kind::Train, rows: &train }], None);
    let bar = text.lines().find(|line| line.contains("inset 3px")).expect("there is a bar");
    assert!(bar.starts_with(".front tr.is-selected "), "{bar}");
}

#[test]
fn every_section_is_there_and_the_markup_is_sound() {
    let (train, test) = (rows(80, 3), rows(30, 3));
    let model =
        model_of("y", &["f0", "1.5 + 2 * f0", "f0 * f1 - sin(f2) / (f0 + 7)"], train.names());
    let parts = [Part { kind: Kind::Train, rows: &train }, Part { kind: Kind::Test, rows: &test }];
    let run = run(&model);
    let text = page_of(&model, &parts, Some(&run));
    check_markup(&text);
    for part in [
        "<h2>The front: the best formulas of each size</h2>",
        "id=\"formula-0\"",
        "id=\"formula-2\"",
        "<math display=\"block\">",
        "<h3>Tree</h3>",
        "<title>Predicted against true</title>",
        "<title>Errors against predictions</title>",
        "<title>How errors are spread</title>",
        "<title>Importance of the features</title>",
        "<title>Effect of f2</title>",
        "<title>R² over evaluations</title>",
        "<title>R² over time</title>",
        "<title>The linkage</title>",
        "Taken from the template",
        "intron fit data.csv --seed 1",
        "Copy LaTeX",
        "<code>height</code>",
        "0123",
    ] {
        assert!(text.contains(part), "{part} is missing");
    }
    assert_eq!(text, page_of(&model, &parts, Some(&run)), "the same run gives the same bytes");
}

#[test]
fn the_page_asks_for_nothing_from_elsewhere() {
    let train = rows(50, 2);
    let model = model_of("y", &["f0 + f1"], train.names());
    let text = page_of(&model, &[Part { kind: Kind::Train, rows: &train }], None);
    let without_name_space = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in ["http:", "https:", "//cdn", "@import", "url(", " src=", "javascript:", " onclick"]
    {
        assert!(!without_name_space.contains(word), "{word}");
    }
    assert!(text.contains("default-src 'none'"));
    assert!(!text.contains(" style=\""), "the policy allows no style outside its sheet");
}

#[test]
fn names_cannot_become_markup() {
    let evil = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a&amp;b'\u{202e}"];
    let plain = rows(60, 3);
    let names: Vec<String> = evil.map(str::to_owned).to_vec();
    let train =
        Dataset::new(names.clone(), plain.features().to_vec(), plain.target().to_vec(), None)
            .expect("sound rows");
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let formula = format!("{} * {} + {}", quoted[0], quoted[1], quoted[2]);
    let model = model_of("</title><script>", &[&formula], &names);
    let text = page_of(&model, &[Part { kind: Kind::Train, rows: &train }], None);
    check_markup(&text);
    assert_eq!(text.matches("<script>").count(), 1, "the page's own alone");
    assert!(!text.contains("<img") && !text.contains("\u{202e}"));
}

#[test]
fn odd_runs_have_a_page_too() {
    let one_feature = rows(40, 1);
    let wide = rows(90, 60);
    let constant = Dataset::new(
        vec!["f0".to_owned(), "f1".to_owned()],
        vec![vec![3.0; 20], (0..20).map(f64::from).collect()],
        (0..20).map(|row| f64::from(row * row)).collect(),
        Some(vec![0.5; 20]),
    )
    .expect("sound rows");
    let all = (0..60).map(|index| format!("f{index}")).collect::<Vec<_>>().join(" + ");
    let cases: [(&Dataset, &str); 6] = [
        (&one_feature, "f0"),
        (&one_feature, "3.25"),
        (&one_feature, "1 / (f0 - f0)"),
        (&wide, &all),
        (&constant, "f0 * f1"),
        (&constant, "log(f1 - 10)"),
    ];
    for (rows, formula) in cases {
        let model = model_of("y", &[formula], rows.names());
        let text = page_of(&model, &[Part { kind: Kind::Train, rows }], None);
        check_markup(&text);
        let single = rows.rows(&[0]);
        let parts = [Part { kind: Kind::Train, rows }, Part { kind: Kind::Test, rows: &single }];
        check_markup(&page_of(&model, &parts, Some(&json!({"format": "intron-run"}))));
    }
}

#[test]
fn many_rows_and_many_formulas_make_no_large_file() {
    let (train, test) = (rows(60_000, 6), rows(20_000, 6));
    let sum =
        |n: usize| (0..n).map(|k| format!("{k}.5 * f{}", k % 6)).collect::<Vec<_>>().join(" + ");
    let formulas: Vec<String> = (1..=70).map(sum).collect();
    let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
    let model = model_of("y", &formulas, train.names());
    let parts = [Part { kind: Kind::Train, rows: &train }, Part { kind: Kind::Test, rows: &test }];
    let text = page_of(&model, &parts, None);
    assert!(text.len() < 8_000_000, "{} bytes", text.len());
    assert!(text.contains("rows are drawn in the first two pictures, chosen at random"));
}
