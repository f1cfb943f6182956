//! Bad input gets a clear error with the right exit code, and leaves nothing behind.

mod harness;

use harness::{Folder, intron, intron_reading, list, rows, table};

/// A table and what the message about it must say.
struct Case {
    name: &'static str,
    content: &'static [u8],
    expected: &'static [&'static str],
}

const fn case(
    name: &'static str,
    content: &'static [u8],
    expected: &'static [&'static str],
) -> Case {
    Case { name, content, expected }
}

const TABLES: [Case; 36] = [
    case("empty", b"", &["empty"]),
    case("blank", b" \n\n", &["empty"]),
    case("header_only", b"a,b,y\n", &["header", "no rows"]),
    case("one_row", b"a,b,y\n1,2,3\n", &["one row", "at least two"]),
    case("one_column", b"y\n1\n2\n3\n", &["one column"]),
    case(
        "text",
        b"a,b,y\n1,2,3\n4,five,6\n",
        &["line 3", "column 2", "`b`", "`five`", "--one-hot b"],
    ),
    case("text_after_blank_line", b"a,y\n\n1,2\n\n3,x\n", &["line 5", "column 2", "`y`"]),
    case("short_row", b"a,b,y\n1,2,3\n4,5\n", &["line 3", "2 fields where 3 are expected"]),
    case("long_row", b"a,b,y\n1,2,3\n4,5,6,7\n", &["line 3", "4 fields where 3 are expected"]),
    case(
        "missing",
        b"a,b,y\n1,,3\n4,5,6\n",
        &["line 2", "column 2", "`b`", "missing value", "--missing drop"],
    ),
    case("not_available", b"a,b,y\n1,2,3\nNA,5,6\n", &["line 3", "column 1", "missing value"]),
    case("nan", b"a,b,y\n1,2,NaN\n4,5,6\n", &["line 2", "column 3", "missing value", "NaN"]),
    case("infinity", b"a,b,y\n1,inf,3\n4,5,6\n", &["line 2", "column 2", "not finite"]),
    case("minus_infinity", b"a,b,y\n1,2,-Infinity\n4,5,6\n", &["line 2", "column 3", "not finite"]),
    case("too_large", b"a,b,y\n1,1e400,3\n4,5,6\n", &["line 2", "column 2", "too large"]),
    case("duplicate_names", b"a,a,y\n1,2,3\n4,5,6\n", &["line 1", "column 2", "`a`"]),
    case("empty_name", b"a,,y\n1,2,3\n4,5,6\n", &["line 1", "column 2", "no name"]),
    case("constant_target", b"a,b,y\n1,2,3\n4,5,3\n7,8,3\n", &["`y`", "constant", "--target"]),
    case("latin_1", b"gr\xf6\xdfe,y\n1,2\n3,4\n", &["line 1", "not UTF-8"]),
    case("latin_1_later", b"a,y\n1,2\n3,4\xb0\n", &["line 3", "not UTF-8"]),
    case("utf_16_little", b"\xff\xfea\0,\0y\0\n\0", &["UTF-16"]),
    case("utf_16_big", b"\xfe\xff\0a\0,\0y\0\n", &["UTF-16"]),
    case("utf_16_without_mark", b"a\0,\0y\0\n\x001\0,\x002\0\n\0", &["line 1"]),
    case("nul", b"a,y\n1,2\n3,\x004\n", &["line 3", "NUL"]),
    case("open_quote", b"a,y\n1,2\n\"3,4\n5,6\n", &["line 3", "column 1", "quote", "never closed"]),
    case("text_after_quote", b"a,y\n\"1\"2,3\n", &["line 2", "column 1", "quote"]),
    case("decimal_comma", b"a;y\n1,5;2\n3,5;4\n", &["line 2", "column 1", "decimal comma"]),
    case(
        "thousands",
        b"a,y\n\"1,000\",2\n3,4\n",
        &["line 2", "column 1", "decimal comma or a thou"],
    ),
    case("three_decimals", b"a;y\n0,125;2\n3;4\n", &["line 2", "column 1", "has a decimal comma;"]),
    case("json", b" {\"format\": \"intron-model\", \"front\": []}\n", &["is JSON, not a table"]),
    case("json_rows", b"[\n {\"a\": 1},\n {\"a\": 2}\n]\n", &["is JSON, not a table"]),
    case("hexadecimal", b"a,y\n0x10,2\n3,4\n", &["line 2", "column 1", "`0x10`"]),
    case("date", b"day,y\n2020-01-01,2\n2020-01-02,4\n", &["line 2", "column 1", "`day`", "date"]),
    case("true", b"a,y\n1,true\n2,maybe\n", &["line 3", "column 2", "`maybe`"]),
    case("escape_code", b"a,y\n\x1b[31m1,2\n3,4\n", &["line 2", "column 1", "\\u{1b}"]),
    case("image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &["NUL", "binary"]),
];

/// Runs a command that must be refused, and checks that it left nothing in its output folder.
#[track_caller]
fn refuse(folder: &Folder, data: &str, flags: &[&str], exit_code: i32) -> String {
    let out = folder.path("out");
    let arguments = [&["fit", data, "--out", &out], flags].concat();
    let message = intron(&arguments).refusal(exit_code);
    assert_eq!(folder.list("out"), [""; 0], "{arguments:?} left a file");
    message
}

#[test]
fn bad_tables_are_refused_with_the_place() {
    let folder = Folder::new();
    for Case { name, content, expected } in TABLES {
        let data = folder.file(&format!("{name}.csv"), content);
        let message = refuse(&folder, &data, &["--evaluations", "100"], 1);
        for part in expected.iter().chain(&[&*format!("{name}.csv")]) {
            assert!(message.contains(part), "{name}: no `{part}` in {message}");
        }
        assert!(!message.contains('\u{1b}'), "{name}: an escape code reaches the terminal");
    }
}

#[test]
fn bad_tables_are_refused_on_standard_input_and_by_evaluate() {
    for Case { name, content, expected } in TABLES {
        for arguments in [&["fit", "-"][..], &["evaluate", "--expression", "1", "-"]] {
            let message = intron_reading(arguments, content).refusal(1);
            for part in expected.iter().chain(&["standard input"]) {
                assert!(message.contains(part), "{name}: no `{part}` in {message}");
            }
        }
    }
}

#[test]
fn more_features_than_the_alphabet_holds_are_refused() {
    let folder = Folder::new();
    let line = |value: usize| {
        let cells: Vec<String> = (0..65_002).map(|k| ((k * value) % 91).to_string()).collect();
        cells.join(",")
    };
    let lines: Vec<String> = [1, 2, 3, 5].iter().map(|&value| line(value)).collect();
    let data = folder.file("wide.csv", lines.join("\n"));
    let flags = ["--evaluations", "100", "--test-fraction", "0"];
    let message = refuse(&folder, &data, &flags, 1);
    assert!(message.contains("65001") && message.contains("--features"), "{message}");
}

#[test]
fn meaningless_flags_are_wrong_usage() {
    let folder = Folder::new();
    let cases: [(&[&str], &str); 41] = [
        (&["--evaluations", "-5"], "`-5`"),
        (&["--evaluations", "0"], "evaluations"),
        (&["--evaluations", "abc"], "`abc`"),
        (&["--evaluations", "1.5"], "`1.5`"),
        (&["--evaluations", ""], "evaluations"),
        (&["--evaluations", "inf"], "`inf`"),
        (&["--evaluations", "1e40"], "`1e40`"),
        (&["--generations", "0"], "generations"),
        (&["--generations", "-1"], "`-1`"),
        (&["--time", "0"], "`0`"),
        (&["--time", "-1s"], "`-1s`"),
        (&["--time", "soon"], "`soon`"),
        (&["--time", "5 parsecs"], "30s"),
        (&["--time", "nan"], "`nan`"),
        (&["--time", "1e300h"], "time"),
        (&["--target-r2", "2"], "R² cannot be 2"),
        (&["--target-r2", "nan"], "`nan`"),
        (&["--target-r2", "inf"], "`inf`"),
        (&["--target-r2", "high"], "`high`"),
        (&["--test-fraction", "1.5"], "1.5"),
        (&["--test-fraction", "1"], "below 1"),
        (&["--test-fraction", "-0.1"], "-0.1"),
        (&["--test-fraction", "nan"], "nan"),
        (&["--test-fraction", "half"], "half"),
        (&["--population", "1"], "at least 2"),
        (&["--population", "0"], "at least 2"),
        (&["--population", "-8"], "`-8`"),
        (&["--population", "1e12"], "memory_limit"),
        (&["--seed", "-1"], "`-1`"),
        (&["--seed", "abc"], "`abc`"),
        (&["--threads", "abc"], "`abc`"),
        (&["--threads", "-2"], "`-2`"),
        (&["--threads", "100000"], "1024"),
        (&["--height", "0"], "height"),
        (&["--height", "30"], "height"),
        (&["--height", "8"], "127"),
        (&["--height", "tall"], "`tall`"),
        (&["--operators", "+,foo"], "`foo`"),
        (&["--operators", ""], "operator"),
        (&["--linkage", "foo"], "mi-masked"),
        (&["--linear-scaling", "maybe"], "on or off"),
    ];
    for (flags, expected) in cases {
        let message = refuse(&folder, "airfoil", flags, 2);
        assert!(message.contains(expected), "{flags:?}: no `{expected}` in {message}");
    }
}

#[test]
fn unknown_flags_commands_and_columns_are_wrong_usage() {
    let folder = Folder::new();
    assert!(refuse(&folder, "airfoil", &["--evaluation", "5"], 2).contains("--evaluation"));
    assert!(refuse(&folder, "airfoil", &["--target", "lift"], 2).contains("frequency_hz"));
    assert!(refuse(&folder, "airfoil", &["--set", "ims.begin=3"], 2).contains("did you mean"));
    assert!(intron(&["fit"]).refusal(2).contains("required"));
}

#[test]
fn data_that_cannot_be_read_is_refused() {
    let folder = Folder::new();
    let message = refuse(&folder, &folder.path("nothing.csv"), &[], 1);
    assert!(message.contains("nothing.csv") && message.contains("no such file"), "{message}");
    let message = refuse(&folder, "airfoils", &[], 1);
    assert!(message.contains("airfoil"), "known data sets are listed: {message}");
    let message = refuse(&folder, &folder.path(""), &[], 1);
    assert!(message.contains("folder"), "{message}");
}

#[test]
fn an_output_folder_that_cannot_be_used_is_refused_before_the_search() {
    let folder = Folder::new();
    let in_the_way = folder.file("file", "mine");
    let below = folder.path("file/run");
    let beyond = "/proc/nope/run".to_owned();
    for out in [&in_the_way, &below, &beyond] {
        // Without a budget that ends by itself soon: a search that starts would be noticed.
        let message = intron(&["fit", "airfoil", "--time", "1h", "--out", out]).refusal(1);
        assert!(message.contains(out.as_str()), "{message}");
        assert!(message.contains("output folder"), "{message}");
        assert_eq!(message.contains("is a file"), *out != beyond, "{message}");
    }
    assert_eq!(folder.read("file"), "mine");
    assert_eq!(folder.list(""), ["file"]);
}

#[test]
fn odd_but_usable_features_are_accepted_with_a_warning() {
    let folder = Folder::new();
    let lines: Vec<String> =
        rows(30).iter().map(|[a, b, y]| format!("{a},{b},7,{a},{y}")).collect();
    let data = folder.file("odd.csv", format!("a,b,same,again,y\n{}\n", lines.join("\n")));
    let arguments = ["fit", &data, "--evaluations", "500", "--json"];
    let answer = intron(&arguments);
    assert!(answer.errors.contains("warning: feature `same` is constant"), "{}", answer.errors);
    let repeats = "warning: feature `again` repeats feature `a`";
    assert!(answer.errors.contains(repeats), "{}", answer.errors);
    answer.json();
    assert_eq!(intron(&[&arguments[..], &["--quiet"]].concat()).errors, "");
}

#[test]
fn huge_and_tiny_values_are_accepted() {
    let folder = Folder::new();
    for (name, factors) in [
        ("huge_feature", [1e307, 1.0]),
        ("huge_target", [1.0, 4e306]),
        ("huge_both", [1e307, 4e306]),
        ("tiny", [1e-300, 1e-300]),
    ] {
        let scaled = |&[a, b, y]: &[f64; 3]| [a * factors[0], b, y * factors[1]];
        let rows: Vec<[f64; 3]> = rows(30).iter().map(scaled).collect();
        let data = folder.file(&format!("{name}.csv"), table("a,b,y", ",", &rows));
        let fitted = intron(&["fit", &data, "--evaluations", "3000", "--json"]).json();
        for entry in list(&fitted, "front") {
            let r2 = harness::number(entry, "r2_train");
            assert!((0.0..=1.0).contains(&r2), "{name}: {entry}");
        }
    }
}

#[test]
fn ten_rows_to_learn_from_are_no_reason_to_warn() {
    let folder = Folder::new();
    for (n_rows, is_warned) in [(9, true), (10, false)] {
        let data = folder.file("rows.csv", table("a,b,y", ",", &rows(n_rows)));
        let arguments = ["fit", &data, "--evaluations", "100", "--test-fraction", "0"];
        let answer = intron(&arguments).expect_success();
        assert_eq!(answer.errors.contains("coincidence"), is_warned, "{}", answer.errors);
    }
}

#[test]
fn two_rows_are_enough_when_nothing_is_held_out() {
    let input = b"a,y\n1,5\n2,9\n";
    let answer = intron_reading(&["fit", "-", "--json", "--test-fraction", "0"], input);
    let warning = "warning: only 2 rows to learn from: a formula can fit so few by coincidence";
    assert!(answer.errors.contains(warning), "{}", answer.errors);
    assert_eq!(answer.json()["stop_reason"], "solved");
    // A quarter of two rows, rounded, is one: then nothing is left to learn from.
    let message = intron_reading(&["fit", "-", "--json"], input).refusal(1);
    assert!(message.contains("test fraction"), "{message}");
}
