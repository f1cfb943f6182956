//! `intron fit`: the forms a table can come in, and which of its columns are used.

mod harness;

use harness::{Folder, intron, intron_reading, list, number, rows, table, text};
use serde_json::{Value, json};

const BUDGET: [&str; 5] = ["--json", "--evaluations", "5000", "--test-fraction", "0"];

fn fit(data: &str, flags: &[&str]) -> Value {
    intron(&[&["fit", data], &BUDGET[..], flags].concat()).json()
}

/// What a search found, but for errors in the units of the target, whose sum may run in another order.
fn found(fitted: &Value) -> Vec<(String, String, String)> {
    let part = |entry: &Value, key: &str| entry[key].to_string();
    let entry = |e: &Value| (part(e, "size"), part(e, "r2_train"), part(e, "formula"));
    list(fitted, "front").iter().map(entry).collect()
}

/// What the search finds in the plain CSV file.
fn found_in_plain(folder: &Folder) -> Vec<(String, String, String)> {
    found(&fit(&folder.file("plain.csv", table("a,b,y", ",", &rows(40))), &[]))
}

#[test]
fn every_form_of_a_table_gives_the_same_front() {
    let folder = Folder::new();
    let rows = rows(40);
    let plain = table("a,b,y", ",", &rows);
    let quoted = plain.lines().map(|line| format!("\"{}\"", line.replace(',', "\",\"")));
    let forms = [
        ("tab.tsv", table("a\tb\ty", "\t", &rows)),
        ("semicolons.csv", table("a;b;y", ";", &rows)),
        ("pipes.csv", table("a|b|y", "|", &rows)),
        ("spaces.txt", table("a b y", "   ", &rows)),
        ("mark.csv", format!("\u{feff}{plain}")),
        ("returns.csv", plain.replace('\n', "\r\n")),
        ("quotes.csv", quoted.collect::<Vec<_>>().join("\n")),
        ("padded.csv", plain.replace(',', " , ")),
        ("blank_lines.csv", plain.replace('\n', "\n\n")),
        ("no_last_line_end.csv", plain.trim_end().to_owned()),
    ];
    let expected = found_in_plain(&folder);
    for (name, content) in forms {
        assert_eq!(found(&fit(&folder.file(name, content), &[])), expected, "{name}");
    }
}

#[test]
fn a_table_without_a_header_counts_its_features() {
    let folder = Folder::new();
    let plain = table("a,b,y", ",", &rows(40));
    let (_, without) = plain.split_once('\n').expect("a header");
    let fitted = fit(&folder.file("bare.csv", without), &[]);
    assert_eq!(fitted["features"], json!(["x0", "x1"]));
    let scores = |found: Vec<(String, String, String)>| -> Vec<(String, String)> {
        found.into_iter().map(|(size, r2, _)| (size, r2)).collect()
    };
    assert_eq!(scores(found(&fitted)), scores(found_in_plain(&folder)));
    let formula = text(list(&fitted, "front").last().expect("a formula"), "formula");
    assert!(formula.contains("x0") && formula.contains("x1"), "{formula}");
}

#[test]
fn a_minus_as_the_data_reads_standard_input() {
    let folder = Folder::new();
    let input = table("a,b,y", ",", &rows(40));
    let arguments = [&["fit", "-"], &BUDGET[..]].concat();
    let fitted = intron_reading(&arguments, input.as_bytes()).json();
    assert_eq!(found(&fitted), found_in_plain(&folder));
    assert_eq!(fitted["data"], "standard input");
}

#[test]
fn the_target_is_found_by_name_and_by_number() {
    let folder = Folder::new();
    let swapped: Vec<[f64; 3]> = rows(40).iter().map(|&[a, b, y]| [y, a, b]).collect();
    let data = folder.file("swapped.csv", table("y,a,b", ",", &swapped));
    let expected = found_in_plain(&folder);
    for target in ["y", "0", "-3"] {
        let fitted = fit(&data, &["--target", target]);
        assert_eq!(fitted["target"], "y", "--target {target}");
        assert_eq!(found(&fitted), expected, "--target {target}");
    }
    assert_eq!(fit(&data, &[])["target"], "b", "the last column is the default");
}

#[test]
fn a_column_whose_name_is_a_number_goes_by_its_name() {
    let folder = Folder::new();
    let data = folder.file("years.csv", table("a,0,1999", ",", &rows(40)));
    for (target, name) in [("0", "0"), ("1999", "1999"), ("1", "0"), ("2", "1999"), ("-3", "a")] {
        assert_eq!(fit(&data, &["--target", target])["target"], name, "--target {target}");
    }
}

#[test]
fn only_the_named_features_are_used() {
    let folder = Folder::new();
    let plain = table("a,b,y", ",", &rows(40));
    // A column that is not used may hold anything.
    let with_words: String = plain
        .lines()
        .enumerate()
        .map(|(k, line)| format!("{},{line}\n", if k == 0 { "word" } else { "mercury" }))
        .collect();
    let data = folder.file("words.csv", with_words);
    for features in ["a,b", "1,2", "a, b", "-3,-2"] {
        let fitted = fit(&data, &["--features", features]);
        assert_eq!(fitted["features"], json!(["a", "b"]), "--features {features}");
        assert_eq!(found(&fitted), found_in_plain(&folder), "--features {features}");
    }
    let one = fit(&data, &["--features", "b"]);
    assert_eq!(one["features"], json!(["b"]));
    assert!(list(&one, "front").iter().all(|entry| !text(entry, "formula").contains('a')));
}

#[test]
fn wrong_columns_are_refused_as_wrong_usage() {
    let folder = Folder::new();
    let data = folder.file("plain.csv", table("a,b,y", ",", &rows(40)));
    let cases: [(&[&str], &str); 9] = [
        (&["--target", "z"], "there is no column `z`; columns: a, b, y"),
        (&["--target", "3"], "columns are numbered 0 to 2"),
        (&["--target", "-4"], "columns are numbered 0 to 2"),
        (&["--target", ""], "--target"),
        (&["--features", "a,z"], "there is no column `z`"),
        (&["--features", "a,a"], "twice"),
        (&["--features", "a,y"], "target"),
        (&["--weights", "w"], "there is no column `w`"),
        (&["--weights", "y", "--target", "y"], "same column, `y`"),
    ];
    for (flags, expected) in cases {
        let arguments = [&["fit", &data], &BUDGET[..], flags].concat();
        let message = intron(&arguments).refusal(2);
        assert!(message.contains(expected), "{flags:?}: {message}");
        assert!(message.contains("plain.csv"), "the message names the file: {message}");
    }
}

#[test]
fn a_first_line_of_numbers_is_told_to_be_data() {
    let folder = Folder::new();
    let years = folder.file("years.csv", "2019,2020,2021\n1,2,3\n2,3,5\n4,1,5\n");
    let told = intron(&[&["fit", &years], &BUDGET[..]].concat()).expect_success().errors;
    assert!(told.contains("note: no word stands in the first line, so it is data"), "{told}");
}

#[test]
fn weights_are_repeated_rows() {
    let folder = Folder::new();
    let rows = rows(40);
    let mut weighted = "a,w,b,y\n".to_owned();
    let mut repeated = "a,b,y\n".to_owned();
    for (k, [a, b, y]) in rows.iter().enumerate() {
        weighted += &format!("{a},{},{b},{y}\n", k % 4);
        (0..k % 4).for_each(|_| repeated += &format!("{a},{b},{y}\n"));
    }
    let weighted = fit(&folder.file("weighted.csv", weighted), &["--weights", "w"]);
    let repeated = fit(&folder.file("repeated.csv", repeated), &[]);
    assert_eq!(weighted["features"], json!(["a", "b"]), "the weights are no feature");
    assert_eq!(found(&weighted), found(&repeated));
    for (one, other) in list(&weighted, "front").iter().zip(list(&repeated, "front")) {
        harness::assert_close(number(one, "mse_train") / number(other, "mse_train"), 1.0, 1e-9);
    }
    assert_ne!(found(&repeated), found_in_plain(&folder), "the weights matter");
}

#[test]
fn weights_that_are_no_weights_are_refused() {
    let folder = Folder::new();
    for (name, weights, expected) in [
        ("negative", ["1", "-2", "1"], "--weights: column `w`, row 2: -2 is negative"),
        ("zero", ["0", "0", "0"], "--weights: column `w`: every weight is zero"),
        ("huge", ["1e308", "1e308", "1"], "--weights: column `w`: the sum"),
    ] {
        let lines: Vec<String> =
            weights.iter().enumerate().map(|(k, w)| format!("{k},{w},{}", k * k + 1)).collect();
        let content = format!("a,w,y\n{}\n", lines.join("\n"));
        let data = folder.file(&format!("{name}.csv"), content);
        let arguments = [&["fit", &data, "--weights", "w"], &BUDGET[..]].concat();
        let message = intron(&arguments).refusal(1);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn truth_values_of_a_csv_are_0_and_1() {
    let folder = Folder::new();
    let text = |words: [&str; 2]| {
        let row = |k: usize| {
            let is_even = usize::from(k.is_multiple_of(2));
            format!("{k},{},{}\n", words[is_even], k * 2 + 7 * is_even)
        };
        "a,even,y\n".to_owned() + &(0..40).map(row).collect::<String>()
    };
    let plain = found(&fit(&folder.file("plain.csv", text(["0", "1"])), &[]));
    for (name, words) in [("t.csv", ["false", "true"]), ("p.csv", ["False", "True"])] {
        assert_eq!(found(&fit(&folder.file(name, text(words)), &[])), plain);
    }
}

#[test]
fn one_target_that_stands_out_is_told() {
    let folder = Folder::new();
    let told = |largest: f64| {
        let row = |k: usize| format!("{k},{}\n", if k == 17 { largest } else { k as f64 });
        let data = folder.file("t.csv", "a,y\n".to_owned() + &(0..40).map(row).collect::<String>());
        intron(&["fit", &data, "--evaluations", "500"]).expect_success().errors
    };
    let warning = "warning: one value of `y`, 1000000000, makes up 99 % of its variation alone";
    assert!(told(1e9).contains(warning), "{}", told(1e9));
    assert!(!told(80.0).contains("makes up"));
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    let folder = Folder::new();
    let mut backwards = rows(40);
    backwards.reverse();
    let data = folder.file("backwards.csv", table("a,b,y", ",", &backwards));
    assert_eq!(found(&fit(&data, &[])), found_in_plain(&folder));
    let split = |data: &str| {
        let flags = ["--json", "--evaluations", "2000", "--test-fraction", "0.25"];
        found(&intron(&[&["fit", data], &flags[..]].concat()).json())
    };
    assert_eq!(split(&data), split(&folder.path("plain.csv")), "the same rows are held out");
}
