//! `intron fit`: what goes into the front, by flags: complexity, several formulas of a size, known formulas, own operators.

mod harness;

use harness::{Folder, intron, list, number, text};
use serde_json::{Value, json};

const FIT: [&str; 7] =
    ["fit", "airfoil", "--preset=paper", "--evaluations", "20000", "--seed", "1"];

fn fit(flags: &[&str]) -> Value {
    intron(&[&FIT[..], &["--json", "--quiet"], flags].concat()).json()
}

#[test]
fn costs_order_the_front_and_stand_in_every_file() {
    let folder = Folder::new();
    let flags = ["--cost", "sin=5", "--cost", "feature=2", "--out", &folder.path("run")];
    let fitted = fit(&flags);
    assert_eq!(fitted["settings"]["complexity"], "cost");
    assert_eq!(fitted["settings"]["costs"], "sin:5,feature:2");
    let front = list(&fitted, "front");
    assert!(front.iter().all(|entry| number(entry, "complexity") >= number(entry, "size")));
    assert!(front.windows(2).all(|p| number(&p[0], "complexity") < number(&p[1], "complexity")));
    assert_eq!(folder.read_json("run/model.json")["front"], fitted["front"]);
    let hall = folder.read("run/hall_of_fame.csv");
    let complexity = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
    let complexities: Vec<String> = hall.lines().skip(1).map(complexity).collect();
    let expected: Vec<String> = front.iter().map(|entry| entry["complexity"].to_string()).collect();
    assert_eq!(complexities, expected);
    let shown = intron(&["show", &folder.path("run")]).expect_success().output;
    assert!(shown.trim_start().starts_with("complexity "), "{shown}");
}

#[test]
fn several_formulas_of_each_size_are_listed_behind_the_best() {
    let folder = Folder::new();
    let (plain, several) = (fit(&[]), fit(&["--per-size", "3", "--out", &folder.path("run")]));
    let front = list(&several, "front");
    let best: Vec<&Value> = front.iter().filter(|entry| entry["rank"] == 1).collect();
    let formulas = |entries: &[&Value]| -> Vec<String> {
        entries.iter().map(|entry| text(entry, "formula").to_owned()).collect()
    };
    assert_eq!(formulas(&best), formulas(&list(&plain, "front").iter().collect::<Vec<_>>()));
    assert!(front.len() > best.len() + 3);
    let chosen = |fitted: &Value| {
        let place = fitted["chosen"].as_u64().expect("a choice") as usize;
        text(&list(fitted, "front")[place], "formula").to_owned()
    };
    assert_eq!(chosen(&several), chosen(&plain));
    assert_eq!(folder.read("run/hall_of_fame.csv").lines().count(), front.len() + 1);
    let index = front.iter().position(|entry| entry["rank"] == 2).expect("a second").to_string();
    let shown = ["show", &folder.path("run"), "--index", &index, "--format", "latex"];
    intron(&shown).expect_success();
}

#[test]
fn known_formulas_are_scored_as_yours() {
    let folder = Folder::new();
    let known = "3 + 2 * frequency_hz";
    folder.file("known.txt", "\nsin(frequency_hz)\n  chord_length_m * frequency_hz\n");
    let file = format!("@{}", folder.path("known.txt"));
    let flags = ["--start", known, "--start", &file, "--out", &folder.path("run")];
    let fitted = fit(&flags);
    let start = list(&fitted, "start");
    assert_eq!(start.len(), 3);
    assert_eq!((&start[0]["size"], &start[1]["size"]), (&json!(1), &json!(2)));
    assert!(text(&start[0], "formula").contains("frequency_hz"));
    assert_eq!(folder.read_json("run/model.json")["start"], fitted["start"]);
    let shown = intron(&["show", &folder.path("run")]).expect_success().output;
    assert!(shown.contains("\nyours:\n"), "{shown}");
    let nowhere = "1 / (frequency_hz - frequency_hz)";
    let told = intron(&[&FIT[..], &["--start", nowhere]].concat()).expect_success().errors;
    assert!(told.contains(&format!("`{nowhere}` has no score: it is not finite")), "{told}");
    let crowded = ["--start", "frequency_hz", "--start", known, "--start", "chord_length_m"];
    let told = intron(&[&FIT[..], &["--population", "2"], &crowded].concat()).expect_success();
    assert_eq!(told.errors.matches("finds no room left in the population").count(), 1);
    assert!(told.errors.contains("note: `chord_length_m` finds no room"), "{}", told.errors);
    let ims = ["--set", "ims.start=2", "--generations", "1"];
    let told = intron(&[&FIT[..], &ims, &crowded].concat()).expect_success().errors;
    assert!(told.contains("first population: larger ones start from it"), "{told}");
    let refusal = |formula: &str| intron(&[&FIT[..], &["--start", formula]].concat());
    assert!(refusal("exp(frequency_hz)").refusal(2).contains("needs `exp`"));
    assert!(refusal("frequency + 1").refusal(2).contains("character 1"));
    assert!(refusal("@nowhere.txt").refusal(1).contains("nowhere.txt"));
}

#[test]
fn an_operator_of_ones_own_is_searched_with_and_written_out() {
    let definition = "logistic(a) = 1/(1+exp(-a))";
    let flags = ["--operators", "+,-,*", "--operator", definition, "--linear-scaling", "off"];
    let fitted = fit(&flags);
    assert_eq!(fitted["settings"]["operators"], format!("+,-,*,{definition}"));
    assert!(list(&fitted, "front").iter().all(|e| !text(e, "formula").contains("logistic")));
    let refused = intron(&[&FIT[..], &["--operator", "f(a) = a + b"]].concat()).refusal(2);
    assert!(refused.contains("character 12: unknown name `b`"), "{refused}");
}

#[test]
fn errors_name_the_flag_that_was_typed() {
    for (flags, start) in [
        (["--cost", "sin=-1"], "--cost: `-1`"),
        (["--cost", "foo:2"], "--cost: unknown cost `foo`"),
        (["--cost", "sin"], "--cost: `sin` is no cost"),
        (["--set", "costs=sin:2"], "costs: only the complexity `cost`"),
        (["--operator", "f()=1"], "--operator: `f()=1`"),
        (["--set", "foo=1"], "unknown setting `foo`; see `intron settings`"),
        (["--set", "heigt=5"], "unknown setting `heigt`; did you mean `height`?"),
    ] {
        let message = intron(&["fit", "airfoil", flags[0], flags[1]]).refusal(2);
        assert!(message.starts_with(&format!("error: {start}")), "{message}");
    }
    let flags = ["fit", "airfoil", "--cost", "sin=2", "--complexity", "depth"];
    let message = intron(&flags).refusal(2);
    assert!(message.starts_with("error: --cost: only the complexity `cost`"), "{message}");
}

#[test]
fn a_search_whose_initial_formulas_are_all_too_large_says_so() {
    let flags = ["--max-size", "3", "--set", "init.grow=0", "--height", "4"];
    let refused = intron(&[&FIT[..], &flags].concat()).refusal(1);
    assert!(refused.contains("every initial formula was larger than max_size"), "{refused}");
}
