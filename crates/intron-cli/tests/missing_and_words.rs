//! Tables with missing values and columns of words: refused, left out, filled in or made 0 and 1, and always told.

mod harness;

use harness::{
    Answer, Folder, assert_close, colours, intron, intron_reading, list, number, rows, text,
};
use serde_json::{Value, json};

/// The small table with gaps: every fifth `a`, every seventh target, one `b`.
fn gaps(n_rows: usize) -> String {
    let mut table = "a,b,y\n".to_owned();
    for (k, [a, b, y]) in rows(n_rows).iter().enumerate() {
        let a = if k % 5 == 3 { "NA".to_owned() } else { a.to_string() };
        let b = if k == 9 { String::new() } else { b.to_string() };
        let y = if k % 7 == 6 { "?".to_owned() } else { y.to_string() };
        table += &format!("{a},{b},{y}\n");
    }
    table
}

/// The same rows without those for which `is_left_out` says so.
fn without(table: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    table.lines().filter(|line| !is_left_out(line)).map(|line| format!("{line}\n")).collect()
}

fn has_gap(line: &str) -> bool {
    line.contains("NA") || line.contains('?') || line.contains(",,")
}

const BUDGET: [&str; 3] = ["--evaluations", "10000", "--json"];

fn fit(data: &str, flags: &[&str]) -> Answer {
    intron(&[&["fit", data], &BUDGET[..], flags].concat())
}

/// What was found and on what, but for the measured time.
fn found(fitted: &Value) -> [&Value; 3] {
    [&fitted["front"], &fitted["features"], &fitted["n_evaluations"]]
}

#[test]
fn rows_with_gaps_are_left_out_and_counted() {
    let folder = Folder::new();
    let table = gaps(60);
    let n_gaps = table.lines().filter(|line| has_gap(line)).count();
    let data = folder.file("gaps.csv", &table);
    let whole = folder.file("whole.csv", without(&table, has_gap));
    let out = folder.path("run");
    let answer = fit(&data, &["--missing", "drop", "--out", &out]);
    let told = format!("note: {n_gaps} of 60 rows are left out");
    assert!(answer.errors.contains(&told), "{}", answer.errors);
    let fitted = answer.json();
    assert_eq!(found(&fitted), found(&fit(&whole, &[]).json()));
    for object in [&fitted, &folder.read_json("run/model.json"), &folder.read_json("run/run.json")]
    {
        assert_eq!(object["preparation"]["missing"], "drop");
        assert_eq!(object["preparation"]["n_rows_dropped"], n_gaps);
    }
    assert_eq!(fit(&data, &["--missing", "drop", "--quiet"]).errors, "");
    assert_eq!(fit(&whole, &[]).json().get("preparation"), None, "nothing was asked for");
}

#[test]
fn every_mark_of_a_missing_value_is_known() {
    for mark in ["", "NA", "n/a", "NaN", "nan", "null", "NULL", "None", "#N/A", "?", "-"] {
        let table = format!("a,b,y\n1,2,3\n2,{mark},9\n3,1,4\n4,8,5\n");
        let arguments = ["fit", "-", "--missing", "drop", "--test-fraction", "0"];
        let arguments = [&arguments[..], &BUDGET].concat();
        let fitted = intron_reading(&arguments, table.as_bytes()).json();
        assert_eq!(fitted["preparation"]["n_rows_dropped"], 1, "{mark:?}");
    }
}

#[test]
fn gaps_are_filled_with_the_median_of_the_training_rows() {
    let folder = Folder::new();
    let table = gaps(61);
    let data = folder.file("gaps.csv", &table);
    let flags = ["--missing", "impute", "--test-fraction", "0", "--out", &folder.path("run")];
    let answer = fit(&data, &flags);
    assert!(answer.errors.contains("missing values are filled in: `a`"), "{}", answer.errors);
    assert!(answer.errors.contains("rows are left out: target"), "{}", answer.errors);
    let fitted = answer.json();
    let columns = list(&fitted["preparation"], "columns");
    let with_target = without(&table, |line| line.contains('?'));
    let cells = |column: usize| -> Vec<&str> {
        with_target.lines().skip(1).map(|line| line.split(',').nth(column).unwrap()).collect()
    };
    for (column, gap) in [(0, "NA"), (1, "")] {
        let mut values: Vec<f64> =
            cells(column).iter().filter(|cell| **cell != gap).map(|c| c.parse().unwrap()).collect();
        values.sort_by(f64::total_cmp);
        let half = values.len() / 2;
        let median = if values.len() % 2 == 1 {
            values[half]
        } else {
            (values[half - 1] + values[half]) / 2.0
        };
        assert_close(number(&columns[column], "fill"), median, 1e-12);
        let n = cells(column).iter().filter(|cell| **cell == gap).count();
        assert_eq!(columns[column]["n_filled"], n);
    }
    // The table filled in by hand gives the same formulas.
    let fill = |k: usize| columns[k]["fill"].to_string();
    let by_hand = with_target.replace("NA", &fill(0)).replace(",,", &format!(",{},", fill(1)));
    let by_hand = fit(&folder.file("filled.csv", by_hand), &["--test-fraction", "0"]).json();
    assert_eq!(found(&fitted), found(&by_hand));
    // New rows are filled in the same way, and only then.
    let new = format!("b,a\n2,NA\n2,{}\n,1\n{},1\n", fill(0), fill(1));
    let predict = |flags: &[&str]| {
        intron_reading(&[&["predict", &folder.path("run"), "-"], flags].concat(), new.as_bytes())
    };
    let answer = predict(&[]).expect_success();
    assert!(answer.errors.contains("2 missing values are filled in"), "{}", answer.errors);
    let lines: Vec<&str> = answer.output.lines().collect();
    assert_eq!((lines[1], lines[3], lines.len()), (lines[2], lines[4], 5));
    assert_eq!(predict(&["--json"]).json()["n_filled"], 2);
    let answer = predict(&["--missing", "drop"]).expect_success();
    let emptied: Vec<&str> = answer.output.lines().collect();
    assert_eq!(emptied, ["prediction", "\"\"", lines[2], "\"\"", lines[4]]);
    assert!(predict(&["--missing", "error"]).refusal(1).contains("line 2, column 2 (`a`)"));
}

#[test]
fn the_rows_held_out_do_not_count_for_the_median() {
    let folder = Folder::new();
    let data = folder.file("gaps.csv", gaps(80));
    let of = |seed: &str| {
        let fitted = fit(&data, &["--missing", "impute", "--seed", seed]).json();
        number(&fitted["preparation"]["columns"][0], "fill")
    };
    let fills: Vec<f64> = ["1", "2", "3", "4"].map(of).to_vec();
    assert!(fills.iter().any(|fill| *fill != fills[0]), "{fills:?}");
}

#[test]
fn an_evaluation_gives_back_the_scores_of_a_fit_with_gaps_and_words() {
    let folder = Folder::new();
    let table = colours(60).replacen("red,", "NA,", 3).replacen(",0", ",-", 2);
    let data = folder.file("colours.csv", table);
    let flags = ["--missing", "impute", "--one-hot", "auto", "--seed", "3"];
    let fitted = fit(&data, &flags).json();
    for entry in list(&fitted, "front") {
        for (part, key) in [("train", "r2_train"), ("test", "r2_test")] {
            let formula = text(entry, "formula");
            let arguments = ["evaluate", "--expression", formula, &data, "--json", "--rows", part];
            let scored = intron(&[&arguments[..], &flags].concat()).json();
            assert_close(number(&scored, "r2"), number(entry, key), 1e-9);
            assert_eq!(scored["preparation"], fitted["preparation"]);
        }
    }
}

#[test]
fn without_values_to_fill_in_a_missing_cell_has_no_prediction() {
    let folder = Folder::new();
    let data = folder.file("whole.csv", without(&gaps(60), has_gap));
    fit(&data, &["--out", &folder.path("run")]).expect_success();
    let predict = |flags: &[&str]| {
        let run = folder.path("run");
        intron_reading(&[&["predict", &run, "-"], flags].concat(), b"a,b\n1,2\nNA,2\n")
    };
    let message = predict(&[]).refusal(1);
    assert!(message.contains("line 3, column 1 (`a`)") && message.contains("--missing drop"));
    let answer = predict(&["--missing", "drop"]).expect_success();
    assert!(answer.errors.contains("1 of 2 rows"), "{}", answer.errors);
    assert_eq!(answer.output.lines().nth(2), Some("\"\""));
    let as_json = predict(&["--missing", "drop", "--json"]).json();
    assert_eq!(as_json["predictions"][1], Value::Null);
    assert!(predict(&["--missing", "impute"]).refusal(2).contains("no values to fill in"));
    // A model whose fit left such rows out does so with new ones.
    let dropped = folder.path("dropped");
    let data = folder.file("gaps.csv", gaps(60));
    fit(&data, &["--missing", "drop", "--out", &dropped]).expect_success();
    let answer = intron_reading(&["predict", &dropped, "-"], b"a,b\n1,2\nNA,2\n").expect_success();
    assert_eq!(answer.output.lines().nth(2), Some("\"\""));
}

#[test]
fn words_become_features_of_0_and_1_here_and_in_predictions() {
    let folder = Folder::new();
    let data = folder.file("colours.csv", colours(60));
    for flags in [&["--one-hot", "colour"][..], &["--one-hot", "auto"], &["--one-hot", "0"]] {
        let answer = fit(&data, &[flags, &["--out", &folder.path("run")]].concat());
        assert!(answer.errors.contains("`colour=green`, `colour=red`"), "{}", answer.errors);
        let fitted = answer.json();
        assert_eq!(fitted["features"], json!(["colour=green", "colour=red", "a"]));
        assert!(number(list(&fitted, "front").last().unwrap(), "r2_test") > 0.9);
        let column = &folder.read_json("run/model.json")["preparation"]["columns"][0];
        assert_eq!(*column, json!({"name": "colour", "levels": ["blue", "green", "red"]}));
    }
    // The same features made by hand get the same predictions.
    let predict = |table: &[u8]| {
        let arguments = ["predict", &folder.path("run"), "-", "--json"];
        intron_reading(&arguments, table)
    };
    let answer = predict(b"a,colour\n1,red\n1,blue\n1,pink\n1,green\n1,pink\n");
    let told =
        "warning: column `colour`: 2 rows have a value that no training row has (such as `pink`)";
    assert!(answer.errors.contains(told), "{}", answer.errors);
    let predicted = answer.json();
    let predicted = list(&predicted, "predictions");
    assert_eq!((&predicted[2], &predicted[4]), (&predicted[1], &predicted[1]));
    let formula = text(&folder.read_json("run/model.json")["front"][0], "formula").to_owned();
    let one = folder.file("one.csv", "colour=green,colour=red,a,y\n0,1,1,0\n1,0,1,1\n");
    intron(&["evaluate", "--expression", &formula, &one]).expect_success();
    assert!(predict(b"a\n1\n").refusal(1).contains("has no column `colour`"));
}

#[test]
fn numbers_can_be_words_too() {
    let folder = Folder::new();
    let table = colours(60).replace("red", "1.0").replace("blue", "2").replace("green", "3");
    let data = folder.file("codes.csv", table);
    let fitted = fit(&data, &["--one-hot", "colour", "--out", &folder.path("run")]).json();
    assert_eq!(fitted["features"], json!(["colour=2", "colour=3", "a"]));
    let auto = fit(&data, &["--one-hot", "auto"]).json();
    assert_eq!(auto["features"], json!(["colour", "a"]), "numbers stay numbers");
}

#[test]
fn words_that_cannot_be_used_are_refused() {
    let folder = Folder::new();
    let data = folder.file("colours.csv", colours(60));
    let message = fit(&data, &[]).refusal(1);
    assert!(message.contains("line 2, column 1 (`colour`)"), "{message}");
    assert!(message.contains("--one-hot colour") && message.contains("--features"), "{message}");
    for (flags, expected) in [
        (&["--one-hot", "y"][..], "is not one of the features"),
        (&["--one-hot", "size"], "there is no column `size`"),
        (&["--one-hot", "colour", "--features", "a"], "is not one of the features"),
    ] {
        assert!(fit(&data, flags).refusal(2).contains(expected), "{flags:?}");
    }
    let many: String = (0..60).map(|k| format!("w{k},{k},{}\n", k * k)).collect();
    let many = folder.file("many.csv", format!("id,a,y\n{many}"));
    for flag in ["id", "auto"] {
        let message = fit(&many, &["--one-hot", flag]).refusal(1);
        assert!(message.contains("line 52, column 1 (`id`)"), "{message}");
        assert!(message.contains("more than 50 different values"), "{message}");
    }
    let dates = folder.file("dates.csv", "day,a,y\n2020-01-01,1,2\n2020-01-02,2,4\n3,5,6\n");
    for flags in [&[][..], &["--one-hot", "auto"]] {
        let message = fit(&dates, flags).refusal(1);
        assert!(message.contains("(`day`): `2020-01-01` is a date"), "{message}");
    }
    let only = folder.file("only.csv", "c,y\nx,1\nx,2\nx,4\n");
    assert!(fit(&only, &["--one-hot", "c"]).refusal(1).contains("no feature left"));
    let twice = folder.file("twice.csv", "c,c=b,y\na,1,1\nb,2,2\na,3,5\n");
    let message = fit(&twice, &["--one-hot", "c", "--test-fraction", "0"]).refusal(1);
    assert!(message.contains("two features are named `c=b`"), "{message}");
}

#[test]
fn tables_with_too_many_gaps_are_refused() {
    for (table, flags, expected) in [
        ("a,b,y\n1,,2\n,1,3\n4,5,6\n", &["--missing", "drop"][..], "only 1 of 3 rows"),
        ("a,b,y\n1,,2\n2,,3\n4,,6\n", &["--missing", "impute"], "`b` has no value"),
        ("a,y\n1,NA\n2,NA\n3,4\n", &["--missing", "impute"], "only 1 of 3 rows"),
    ] {
        let arguments = [&["fit", "-", "--test-fraction", "0"], flags].concat();
        let message = intron_reading(&arguments, table.as_bytes()).refusal(1);
        assert!(message.contains(expected), "{message}");
    }
    let message = intron(&["fit", "airfoil", "--missing", "maybe"]).errors;
    assert!(message.contains("maybe") && message.contains("impute"), "{message}");
}

#[test]
fn weights_are_named_in_the_result_and_count_for_medians_and_words() {
    let folder = Folder::new();
    let mut weighted = "a,c,w,y\n".to_owned();
    let mut repeated = "a,c,y\n".to_owned();
    for (k, [a, b, y]) in rows(40).iter().enumerate() {
        let a = if k % 6 == 1 { "NA".to_owned() } else { a.to_string() };
        let c = if k % 8 == 5 {
            ""
        } else if *b > 3.0 {
            "high"
        } else {
            "low"
        };
        weighted += &format!("{a},{c},{},{y}\n", k % 4);
        (0..k % 4).for_each(|_| repeated += &format!("{a},{c},{y}\n"));
    }
    weighted += "1,low,NA,5\n";
    let flags = ["--missing", "impute", "--one-hot", "c", "--test-fraction", "0"];
    let one = folder.file("weighted.csv", weighted);
    let one = fit(&one, &[&flags[..], &["--weights", "w"]].concat()).json();
    let other = fit(&folder.file("repeated.csv", repeated), &flags).json();
    assert_eq!((&one["weights"], &other["weights"]), (&json!("w"), &Value::Null));
    assert_eq!(one["preparation"]["n_rows_dropped"], 1, "a row without a weight");
    for (one, other) in [0, 1].map(|k| {
        (&one["preparation"]["columns"][k]["fill"], &other["preparation"]["columns"][k]["fill"])
    }) {
        assert_eq!(one, other);
    }
    let formulas = |fitted: &Value| -> Vec<String> {
        list(fitted, "front").iter().map(|entry| text(entry, "formula").to_owned()).collect()
    };
    assert_eq!(formulas(&one), formulas(&other));
}

#[test]
fn a_damaged_preparation_is_refused() {
    let folder = Folder::new();
    let data = folder.file("colours.csv", colours(60));
    fit(&data, &["--one-hot", "auto", "--out", &folder.path("run")]).expect_success();
    let whole = folder.read_json("run/model.json");
    for (pointer, value) in [
        ("/preparation", json!(5)),
        ("/preparation/missing", json!("perhaps")),
        ("/preparation/columns/0/levels", json!(["blue", "red"])),
        ("/preparation/columns/0/levels", json!(["red", "green", "blue"])),
        ("/preparation/columns/0/name", json!("hue")),
        ("/preparation/columns", json!([])),
    ] {
        let mut model = whole.clone();
        *model.pointer_mut(pointer).expect("a field") = value;
        let model = folder.file("damaged.json", model.to_string());
        let message = intron(&["predict", &model, &data]).refusal(1);
        assert!(message.contains("is damaged"), "{pointer}: {message}");
    }
}

#[test]
fn words_in_the_target_get_advice_of_their_own() {
    let folder = Folder::new();
    let data = folder.file("words.csv", "a,b,y\n1,2,x\n2,3,4\n3,4,5\n");
    let message = fit(&data, &[]).refusal(1);
    assert!(message.contains("line 2, column 3 (`y`)") && message.contains("name another column"));
    assert!(!message.contains("--one-hot"), "{message}");
}
