//! `intron fit`: what it prints, that the same command prints the same, and that its formulas keep their scores.

mod harness;

use harness::{Folder, assert_close, command, intron, list, number, spawn, text};
use serde_json::{Value, json};

const FIELDS: [&str; 17] = [
    "format",
    "version",
    "data",
    "target",
    "weights",
    "features",
    "front",
    "chosen",
    "n_evaluations",
    "n_polish_evaluations",
    "n_generations",
    "seconds",
    "stop_reason",
    "seed",
    "settings",
    "ranges",
    "safety_margin",
];

/// Names that a formula cannot hold as plain words.
const AWKWARD: [&str; 8] = ["wind speed", "a`b", "sin", "größe 温度", "pi", "2nd", "x,\"y\"", "-"];

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The object but for the time it took and the number of threads.
fn without_measurements(mut object: Value) -> String {
    object["seconds"] = json!(null);
    object["settings"]["threads"] = json!(null);
    object.to_string()
}

/// The shared flags of the repeatability tests, with a number of threads.
fn fit_airfoil(evaluations: &str, threads: &str) -> Value {
    let budget = ["--evaluations", evaluations, "--seed", "1", "--threads", threads];
    intron(&[&["fit", "airfoil", "--json"], &budget[..]].concat()).json()
}

/// A table whose columns have the awkward names, and a target.
fn awkward_table() -> String {
    let quoted = AWKWARD.map(|name| format!("\"{}\"", name.replace('"', "\"\"")));
    let mut text = format!("{},the target\n", quoted.join(","));
    for k in 0..40_usize {
        let cells: Vec<f64> =
            (0..AWKWARD.len()).map(|c| ((k * (31 + 6 * c) + c) % 97) as f64 / 9.0 + 0.1).collect();
        let target = cells[0] * cells[1] - cells[2] / cells[3] + cells[4] * cells[6] - cells[7];
        let cells: Vec<String> = cells.iter().map(f64::to_string).collect();
        text += &format!("{},{target}\n", cells.join(","));
    }
    text
}

/// Scores every formula of a front with `intron evaluate`; all rows must have been training rows.
#[track_caller]
fn assert_formulas_keep_their_scores(data: &str, fitted: &Value) {
    let front = list(fitted, "front");
    assert!(front.len() > 3, "a front of {} formulas proves little", front.len());
    for entry in front {
        let formula = text(entry, "formula");
        let scored = intron(&["evaluate", "--json", "--expression", formula, data]).json();
        assert_eq!(scored["valid"], true, "{formula}");
        assert_close(number(&scored, "r2"), number(entry, "r2_train"), 1e-9);
        let relative = number(&scored, "mse") / number(entry, "mse_train");
        assert_close(relative, 1.0, 1e-6);
    }
}

#[test]
fn the_json_object_has_the_documented_fields() {
    let flags = ["--evaluations", "20000", "--seed", "7", "--test-fraction", "0", "--json"];
    let fitted = intron(&[&["fit", "airfoil"], &flags[..]].concat()).json();
    assert_eq!(keys(&fitted), FIELDS);
    assert_eq!((text(&fitted, "format"), &fitted["version"]), ("intron-fit", &json!(1)));
    assert_eq!((text(&fitted, "data"), text(&fitted, "target")), ("airfoil", "target"));
    assert_eq!((&fitted["seed"], &fitted["n_evaluations"]), (&json!(7), &json!(20_000)));
    assert_eq!(fitted["stop_reason"], "evaluations");
    assert!(number(&fitted, "seconds") >= 0.0);
    assert_eq!(fitted["settings"]["evaluations"], 20_000);
    assert_eq!(fitted["settings"]["test_fraction"], 0.0);
    for entry in list(&fitted, "front") {
        assert_eq!(
            keys(entry),
            [
                "size",
                "r2_train",
                "r2_test",
                "mse_train",
                "formula",
                "bic",
                "mdl",
                "safety",
                "danger"
            ]
        );
        assert_eq!(entry["r2_test"], Value::Null, "nothing is held out");
    }
}

#[test]
fn the_front_rises_in_size_and_score_and_its_best_is_chosen() {
    for (preset, most) in [("paper", 31.0), ("default", 45.0)] {
        let flags = ["--evaluations", "50000", "--seed", "2", "--preset", preset];
        let fitted = intron(
            &[&["fit", "airfoil", "--json", "--set", "safety_margin=none"], &flags[..]].concat(),
        )
        .json();
        let front = list(&fitted, "front");
        for pair in front.windows(2) {
            assert!(number(&pair[0], "size") < number(&pair[1], "size"));
            assert!(number(&pair[0], "r2_train") < number(&pair[1], "r2_train"));
        }
        let lengths: Vec<f64> = front.iter().map(|entry| number(entry, "mdl")).collect();
        let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        match preset {
            "paper" => assert_eq!(fitted["chosen"], front.len() - 1, "the most accurate"),
            _ => assert_eq!(lengths[fitted["chosen"].as_u64().unwrap() as usize], shortest),
        }
        for entry in front {
            assert!((1.0..=most).contains(&number(entry, "size")));
            assert!(number(entry, "r2_test") <= 1.0, "a quarter of the rows is held out");
        }
    }
}

#[test]
fn the_same_command_gives_the_same_bytes_for_any_number_of_threads() {
    let first = without_measurements(fit_airfoil("1e5", "1"));
    for threads in ["1", "2", "3", "0"] {
        let again = without_measurements(fit_airfoil("1e5", threads));
        assert_eq!(again, first, "{threads} threads");
    }
}

#[test]
fn a_million_evaluations_give_the_same_bytes_on_one_and_on_three_threads() {
    let fitted = fit_airfoil("1e6", "1");
    assert_eq!(fitted["n_evaluations"], 1_000_000);
    let best = &list(&fitted, "front")[number(&fitted, "chosen") as usize];
    assert!(number(best, "r2_train") > 0.6, "{best}");
    assert_eq!(without_measurements(fit_airfoil("1e6", "3")), without_measurements(fitted));
}

#[test]
fn the_c_library_of_the_platform_does_not_matter() {
    let flags = ["--operators", "large", "--evaluations", "20000", "--json"];
    let arguments = [&["fit", "concrete"], &flags[..]].concat();
    let usual = without_measurements(intron(&arguments).json());
    // The C library then computes sine, exponential and logarithm as on an older processor.
    let older = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX";
    let output = command(&arguments).env("GLIBC_TUNABLES", older).output();
    let answer = harness::Answer::of(output.expect("intron starts"));
    assert_eq!(without_measurements(answer.json()), usual);
}

#[test]
fn another_seed_gives_another_search() {
    let flags = ["--evaluations", "5000", "--json", "--test-fraction", "0"];
    let front = |seed| {
        let fitted = intron(&[&["fit", "airfoil", "--seed", seed], &flags[..]].concat()).json();
        fitted["front"].to_string()
    };
    assert_ne!(front("1"), front("2"));
}

#[test]
fn seed_zero_is_the_default() {
    let flags = ["fit", "bike", "--json", "--evaluations", "3000"];
    let by_default = without_measurements(intron(&flags).json());
    let by_flag = without_measurements(intron(&[&flags[..], &["--seed", "0"]].concat()).json());
    assert_eq!(by_default, by_flag);
}

#[test]
fn every_formula_on_airfoil_keeps_its_score_when_evaluated() {
    let flags = ["--evaluations", "60000", "--test-fraction", "0", "--json"];
    let fitted = intron(&[&["fit", "airfoil"], &flags[..]].concat()).json();
    assert_formulas_keep_their_scores("airfoil", &fitted);
}

#[test]
fn every_formula_with_large_operators_and_no_scaling_keeps_its_score() {
    let budget = ["--evaluations", "60000", "--test-fraction", "0", "--json"];
    let search = ["fit", "concrete", "--operators", "large", "--linear-scaling", "off"];
    let fitted = intron(&[&search[..], &budget[..]].concat()).json();
    assert_formulas_keep_their_scores("concrete", &fitted);
}

#[test]
fn formulas_with_awkward_names_keep_their_scores() {
    let folder = Folder::new();
    let data = folder.file("awkward.csv", awkward_table());
    let flags = ["--evaluations", "40000", "--test-fraction", "0", "--json"];
    let fitted = intron(&[&["fit", &data], &flags[..]].concat()).json();
    assert_eq!(fitted["features"], json!(AWKWARD));
    let formulas = list(&fitted, "front").iter().map(|entry| text(entry, "formula"));
    assert!(formulas.collect::<String>().contains('`'), "awkward names stand in backticks");
    assert_formulas_keep_their_scores(&data, &fitted);
}

#[test]
fn the_budget_of_evaluations_is_exact() {
    for evaluations in ["1", "63", "64", "1000", "12345"] {
        let flags = ["--evaluations", evaluations, "--json", "--linkage", "univariate"];
        let fitted = intron(&[&["fit", "concrete"], &flags[..]].concat()).json();
        assert_eq!(fitted["n_evaluations"].to_string(), evaluations);
        assert_eq!(fitted["stop_reason"], "evaluations");
    }
}

#[test]
fn other_budgets_end_the_search_and_say_so() {
    let run = |flags: &[&str]| intron(&[&["fit", "airfoil", "--json"], flags].concat()).json();
    let generations = run(&["--generations", "3"]);
    assert_eq!((text(&generations, "stop_reason"), number(&generations, "n_generations")), {
        ("generations", 3.0)
    });
    let target = run(&["--target-r2", "0.4", "--evaluations", "1e6"]);
    assert_eq!(target["stop_reason"], "target_r2");
    let best = list(&target, "front").last().expect("a formula");
    assert!(number(best, "r2_train") >= 0.4);
}

#[test]
fn a_problem_with_an_exact_formula_is_solved_and_ends() {
    let folder = Folder::new();
    let lines: Vec<String> = (1..30).map(|k| format!("{k},{},{}", k % 7, k * (k % 7))).collect();
    let data = folder.file("product.csv", format!("a,b,y\n{}\n", lines.join("\n")));
    let fitted = intron(&["fit", &data, "--json", "--test-fraction", "0"]).json();
    assert_eq!(fitted["stop_reason"], "solved");
    let best = list(&fitted, "front").last().expect("a formula");
    assert_eq!((number(best, "r2_train"), number(best, "size")), (1.0, 3.0));
}

#[test]
fn the_table_for_people_marks_the_chosen_formula_and_has_no_escape_codes_in_a_pipe() {
    for no_color in [None, Some("1")] {
        let mut fit = command(&["fit", "airfoil", "--evaluations", "20000"]);
        no_color.map(|value| fit.env("NO_COLOR", value));
        let output = spawn(&mut fit).wait_with_output().expect("intron ends");
        let answer = harness::Answer::of(output).expect_success();
        assert!(!answer.output.contains('\u{1b}') && !answer.errors.contains('\u{1b}'));
        let marked: Vec<&str> = answer.output.lines().filter(|l| l.starts_with('>')).collect();
        assert_eq!(marked.len(), 1, "{}", answer.output);
        for word in ["size", "R² train", "R² test", "formula", "20000 evaluations"] {
            assert!(answer.output.contains(word), "no `{word}` in\n{}", answer.output);
        }
    }
}

#[test]
fn quiet_prints_the_table_and_nothing_else() {
    let flags = ["fit", "airfoil", "--evaluations", "5000", "--quiet"];
    let answer = intron(&flags).expect_success();
    assert_eq!(answer.errors, "");
    let lines: Vec<&str> = answer.output.lines().collect();
    assert!(lines[0].contains("formula"));
    let is_row =
        |line: &&str| line.trim_start_matches('>').trim_start().starts_with(char::is_numeric);
    assert!(lines.len() > 1 && lines[1..].iter().all(is_row), "{}", answer.output);
    let as_json = intron(&[&flags[..], &["--json"]].concat());
    assert_eq!(as_json.errors, "");
    assert_eq!(list(&as_json.json(), "front").len(), lines.len() - 1);
}
