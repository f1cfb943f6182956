//! `intron fit`: flags, presets and `--set`, and how they reach the settings of a run.

mod harness;

use harness::{intron, number};
use serde_json::{Value, json};

const BUDGET: [&str; 5] = ["fit", "concrete", "--json", "--evaluations", "2000"];

fn settings(flags: &[&str]) -> Value {
    let mut fitted = intron(&[&BUDGET[..], flags].concat()).json();
    fitted["settings"].take()
}

fn refusal(flags: &[&str]) -> String {
    intron(&[&BUDGET[..], flags].concat()).refusal(2)
}

#[test]
fn the_defaults_are_those_of_the_documentation() {
    let settings = settings(&[]);
    for (key, value) in [
        ("height", json!(7)),
        ("max_positions", json!(28)),
        ("operators", json!("+,-,*,/,sin,cos,exp,log,sqrt,square")),
        ("linkage", json!("cs")),
        ("select", json!("mdl")),
        ("constants.factors", json!(0.5)),
        ("constants.tuning", json!(0.5)),
        ("constants.grafting", json!(1)),
        ("constants.pruning", json!(1)),
        ("constants.new_parts", json!(0.25)),
        ("linear_scaling", json!("on")),
        ("population", json!("ims")),
        ("seed", json!(0)),
        ("test_fraction", json!(0.25)),
        ("linkage.bins", json!(25)),
        ("ims.start", json!(64)),
        ("ims.factor", json!(10)),
        ("time", Value::Null),
    ] {
        assert_eq!(settings[key], value, "{key}");
    }
}

#[test]
fn a_search_without_a_budget_has_thirty_seconds() {
    // Solved at once, so the limit shows without being waited for.
    let input = b"a,y\n1,2\n2,4\n3,6\n4,8\n5,10\n";
    let arguments = ["fit", "-", "--json", "--test-fraction", "0"];
    let fitted = harness::intron_reading(&arguments, input).json();
    assert_eq!(fitted["settings"]["time"], 30);
    assert_eq!(fitted["stop_reason"], "solved");
    let arguments = [&arguments[..], &["--generations", "1000"]].concat();
    let fitted = harness::intron_reading(&arguments, input).json();
    assert_eq!(fitted["settings"]["time"], Value::Null, "another budget replaces it");
}

#[test]
fn flags_reach_the_settings_and_override_the_preset() {
    let settings = settings(&[
        "--preset",
        "paper",
        "--height",
        "3",
        "--operators",
        "+,sin,pow",
        "--linkage",
        "mi-masked",
        "--linear-scaling",
        "off",
        "--generations",
        "1e3",
        "--time",
        "5m",
        "--target-r2",
        "0.99",
        "--population",
        "32",
        "--seed",
        "18446744073709551615",
        "--threads",
        "1",
        "--test-fraction",
        "0.5",
    ]);
    for (key, value) in [
        ("height", json!(3)),
        ("operators", json!("+,sin,pow")),
        ("linkage", json!("mi-masked")),
        ("linear_scaling", json!("off")),
        ("evaluations", json!(2000)),
        ("generations", json!(1000)),
        ("time", json!(300)),
        ("target_r2", json!(0.99)),
        ("population", json!(32)),
        ("seed", json!(u64::MAX)),
        ("threads", json!(1)),
        ("test_fraction", json!(0.5)),
    ] {
        assert_eq!(settings[key], value, "{key}");
    }
}

#[test]
fn the_presets_are_known_by_name() {
    assert_eq!(settings(&["--preset", "default"]), settings(&[]));
    let paper = settings(&["--preset", "paper"]);
    for (key, value) in [
        ("height", json!(5)),
        ("max_positions", Value::Null),
        ("operators", json!("+,-,*,/,sin")),
        ("linkage", json!("node")),
        ("select", json!("accuracy")),
        ("constants.factors", json!(0)),
        ("constants.tuning", json!(0)),
        ("constants.grafting", json!(0)),
        ("constants.pruning", json!(0)),
        ("constants.new_parts", json!(0)),
        ("polish", json!("off")),
    ] {
        assert_eq!(paper[key], value, "{key}");
    }
    assert!(refusal(&["--preset", "thesis"]).contains("thesis"));
}

/// Every setting with a value that is not its default.
fn one_value_of_each() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("height", "4", json!(4)),
        ("template.arity", "3", json!(3)),
        ("max_size", "20", json!(20)),
        ("max_positions", "20", json!(20)),
        ("complexity", "depth", json!("depth")),
        ("costs", "sin:3", json!("sin:3")),
        ("per_size", "3", json!(3)),
        ("operators", "small", json!("+,-,*,/,sin")),
        ("constants.range", "-1.5..2", json!("-1.5..2.0")),
        ("constants.factors", "0.25", json!(0.25)),
        ("constants.tuning", "0.25", json!(0.25)),
        ("constants.tuning_steps", "3", json!(3)),
        ("constants.mutation", "0.5", json!(0.5)),
        ("constants.mutation_scale", "0.2", json!(0.2)),
        ("constants.mutation_decay", "0.9", json!(0.9)),
        ("constants.mutation_patience", "3", json!(3)),
        ("constants.mutation_place", "within", json!("within")),
        ("constants.weighing", "0.25", json!(0.25)),
        ("constants.grafting", "0.25", json!(0.25)),
        ("constants.pruning", "0.25", json!(0.25)),
        ("constants.new_parts", "0.5", json!(0.5)),
        ("linear_scaling", "off", json!("off")),
        ("start", "x0; sin(x0)", json!("x0; sin(x0)")),
        ("init.grow", "0.25", json!(0.25)),
        ("init.duplicates", "drawn-again", json!("drawn-again")),
        ("linkage", "node", json!("node")),
        ("linkage.bins", "10", json!(10)),
        ("linkage.binning", "nearest", json!("nearest")),
        ("population", "100", json!(100)),
        ("ims.start", "16", json!(16)),
        ("ims.factor", "4", json!(4)),
        ("ims.max_populations", "3", json!(3)),
        ("ims.retire_on_equal", "no", json!("no")),
        ("convergence", "identical", json!("identical")),
        ("forced_improvement", "on", json!("on")),
        ("polish", "off", json!("off")),
        ("simplify", "off", json!("off")),
        ("select", "bic", json!("bic")),
        ("safety_margin", "0.1", json!(0.1)),
        ("evaluations", "500", json!(500)),
        ("generations", "7", json!(7)),
        ("time", "2m", json!(120)),
        ("target_r2", "0.9", json!(0.9)),
        ("when_solved", "go-on", json!("go-on")),
        ("memory_limit", "500MB", json!("500MB")),
        ("evaluator", "full", json!("full")),
        ("early_rejection", "off", json!("off")),
        ("instructions", "portable", json!("portable")),
        ("seed", "9", json!(9)),
        ("threads", "1", json!(1)),
    ]
}

#[test]
fn operators_are_separated_by_commas_or_spaces() {
    for set in ["+,-,sin", "+ - sin", " + , - sin "] {
        assert_eq!(settings(&["--operators", set])["operators"], json!("+,-,sin"), "{set:?}");
    }
    assert!(refusal(&["--operators", "+,,-"]).contains("unknown operator ``"));
}

#[test]
fn set_reaches_every_setting() {
    let cases = one_value_of_each();
    let listed = intron(&["settings", "--json"]).json();
    let names: Vec<&String> = listed["settings"].as_object().expect("settings").keys().collect();
    let covered: Vec<&str> = cases.iter().map(|case| case.0).collect();
    assert_eq!(names, covered, "a setting that this test does not know");
    let defaults = settings(&[]);
    for (key, text, value) in cases {
        assert_ne!(defaults[key], value, "{key}: take a value that is not the default");
        let other = match key {
            "template.arity" => "--height=3",
            "costs" => "--complexity=cost",
            _ => "--quiet",
        };
        // A setting is said once.
        let begin = if key == "evaluations" { &BUDGET[..3] } else { &BUDGET[..] };
        let pair = format!("{key}={text}");
        let fitted = intron(&[begin, &["--set", &pair, other]].concat()).json();
        assert_eq!(fitted["settings"][key], value, "{key}");
    }
}

#[test]
fn evaluators_and_instructions_give_the_same_bits() {
    let front = |flags: &[&str]| intron(&[&BUDGET[..], flags].concat()).json()["front"].take();
    let usual = front(&[]);
    assert_eq!(front(&["--set", "evaluator=full"]), usual);
    assert_eq!(front(&["--set", "instructions=portable"]), usual);
}

#[test]
fn wrong_settings_are_refused_with_the_nearest_right_one() {
    for (pair, expected) in [
        ("ims.strat=3", "did you mean `ims.start`?"),
        ("bins=3", "did you mean `linkage.bins`?"),
        ("grow=0.5", "did you mean `init.grow`?"),
        ("Height=3", "did you mean `height`?"),
        ("=3", "unknown setting"),
        ("height", "key=value"),
        ("height=tall", "height"),
        ("linkage.bins=0", "linkage.bins"),
        ("init.grow=1.5", "not a probability"),
        ("constants.range=5..1", "not a range"),
        ("constants.range=-5...5", "is not a range"),
        ("convergence=never", "no-improvement"),
        ("memory_limit=lots", "not a size"),
        ("ims.start=1", "at least 2"),
        ("template.arity=1", "template.arity"),
    ] {
        let message = refusal(&["--set", pair]);
        assert!(message.contains(expected), "--set {pair}: {message}");
    }
}

#[test]
fn a_setting_that_is_given_twice_is_refused() {
    let message = refusal(&["--set", "ims.start=32", "--set", "ims.start=64"]);
    assert!(message.contains("was set before"), "{message}");
    for (flag, value, pair) in [
        ("--seed", "4", "seed=3"),
        ("--linear-scaling", "off", "linear_scaling=on"),
        ("--select", "mdl", "select=accuracy"),
    ] {
        let message = refusal(&[flag, value, "--set", pair]);
        assert!(message.contains("say it once") && message.contains(flag), "{message}");
    }
    let message = refusal(&["--seed", "18446744073709551616"]);
    assert!(message.contains("at most 18446744073709551615"), "{message}");
}

#[test]
fn one_population_can_replace_the_multistart() {
    let fitted = intron(&["fit", "airfoil", "--json", "--population", "8", "--time", "60s"]).json();
    assert_eq!(fitted["settings"]["population"], 8);
    assert_eq!(fitted["stop_reason"], "converged", "the best of eight solutions soon stands still");
    assert!(number(&fitted, "n_evaluations") > 8.0);
}

#[test]
fn every_linkage_searches() {
    for name in ["random", "mi", "mi-adjusted", "mi-masked", "node", "node-static", "cs"] {
        assert_eq!(settings(&["--linkage", name])["linkage"], name);
    }
    assert_eq!(settings(&["--linkage", "univariate"])["linkage"], "univariate");
}

#[test]
fn every_operator_searches() {
    for name in [
        "+", "-", "*", "/", "sin", "cos", "exp", "log", "sqrt", "square", "neg", "abs", "tanh",
        "inv", "cube", "pow", "min", "max", "aq", "pdiv", "plog", "psqrt",
    ] {
        assert_eq!(settings(&["--operators", name])["operators"], name);
    }
}

#[test]
fn every_height_searches() {
    for height in ["1", "2", "3", "4", "5", "6", "7"] {
        let fitted = intron(&["fit", "bike", "--json", "--height", height, "--generations", "2"]);
        assert_eq!(fitted.json()["settings"]["height"].to_string(), height);
    }
}

#[test]
fn a_setting_that_does_nothing_is_told_to_whoever_has_set_it() {
    let told = |flags: &[&str]| {
        let answer = intron(&[&BUDGET[..], flags].concat());
        let notes = answer.errors.lines().filter(|line| line.contains("does nothing"));
        let notes: Vec<String> = notes.map(str::to_owned).collect();
        answer.json();
        notes
    };
    for (flags, expected) in [
        (["--operators", "+,-", "--set", "constants.factors=0.9"], "it needs the operator *"),
        (["--operators", "+,-", "--set", "constants.weighing=0.9"], "it needs the operator *"),
        (["--operators", "-,*", "--set", "constants.weighing=0.9"], "it needs the operator +"),
        (["--max-size", "9", "--set", "max_positions=9"], "max_size takes its place"),
    ] {
        let pair = flags[3];
        assert_eq!(told(&flags), [format!("note: --set {pair} does nothing: {expected}")]);
        assert_eq!(told(&[&flags[..], &["--quiet"]].concat()), [""; 0]);
        assert_eq!(told(&flags[..2]), [""; 0], "a default is no reason for a note");
    }
    assert_eq!(told(&["--set", "constants.factors=0.9"]), [""; 0]);
}

#[test]
fn one_evaluation_is_no_plural() {
    let answer = intron(&["fit", "concrete", "--evaluations", "1", "--seed", "3"]);
    let text = format!("{}{}", answer.output, answer.errors);
    assert!(text.contains("1 evaluation ") || text.contains("1 evaluation;"), "{text}");
}
