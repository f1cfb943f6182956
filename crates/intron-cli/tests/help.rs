//! Help pages, versions, and the lists of data sets and settings.

mod harness;

use std::path::{Path, PathBuf};

use harness::{Answer, Folder, command, intron, list, text};

const COMMANDS: [&str; 7] =
    ["fit", "predict", "show", "evaluate", "linkage", "datasets", "settings"];

/// The folder with the data sets that cannot be shipped; none where it is not beside the repository.
fn shared_data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let is_there = folder.join("tower.csv").is_file();
    if !is_there {
        skip("there is no tower.csv in ../shared/data");
    }
    is_there.then_some(folder)
}

#[allow(clippy::print_stderr, reason = "whoever runs the tests must see what was not tested")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

#[test]
fn every_command_has_a_help_page_with_an_example() {
    for name in COMMANDS {
        for flag in ["--help", "-h"] {
            let answer = intron(&[name, flag]).expect_success();
            assert!(answer.output.contains("Example"), "{name}: {}", answer.output);
            assert!(answer.output.contains(&format!("intron {name}")), "{name}");
            assert!(!answer.output.contains('\u{1b}'), "{name}: escape codes in a pipe");
            assert_eq!(answer.errors, "");
        }
    }
}

#[test]
fn the_first_page_lists_every_command_and_says_how_to_start() {
    let page = intron(&["--help"]).expect_success().output;
    for name in COMMANDS {
        assert!(page.contains(&format!("  {name}")), "no {name} in\n{page}");
    }
    assert!(page.contains("intron fit airfoil"), "{page}");
    let version = intron(&["--version"]).expect_success().output;
    assert_eq!(version, format!("intron {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn fit_names_every_flag_of_the_documentation() {
    let page = intron(&["fit", "--help"]).expect_success().output;
    for flag in [
        "preset",
        "target",
        "features",
        "weights",
        "missing",
        "one-hot",
        "sheet",
        "height",
        "operators",
        "linkage",
        "linear-scaling",
        "evaluations",
        "generations",
        "time",
        "target-r2",
        "population",
        "seed",
        "threads",
        "test-fraction",
        "null",
        "out",
        "resume",
        "checkpoint",
        "set",
        "json",
        "quiet",
        "data-dir",
    ] {
        assert!(page.contains(&format!("--{flag}")), "no --{flag} in\n{page}");
    }
}

#[test]
fn unknown_commands_are_wrong_usage() {
    assert!(intron(&["fitt"]).refusal(2).contains("fitt"));
    assert!(intron(&["airfoil"]).refusal(2).contains("airfoil"));
    let nothing = intron(&[]);
    assert_eq!((nothing.exit_code, nothing.output.as_str()), (Some(2), ""));
    assert!(nothing.errors.contains("Usage") && nothing.errors.contains("fit"));
}

#[test]
fn five_data_sets_are_listed_and_two_must_be_fetched() {
    let answer = intron(&["datasets"]).expect_success();
    for name in ["airfoil", "bike", "concrete", "dowchemical", "tower"] {
        let line = answer.output.lines().find(|line| line.starts_with(name)).expect("a line");
        let is_fetched = ["dowchemical", "tower"].contains(&name);
        assert_eq!(line.contains("built in"), !is_fetched, "{line}");
        assert_eq!(line.contains("--data-dir") && line.contains("public copies"), is_fetched);
    }
    let listed = intron(&["datasets", "--json"]).json();
    let datasets = list(&listed, "datasets");
    let shapes: Vec<(&str, u64, u64)> = datasets
        .iter()
        .map(|d| (text(d, "name"), d["rows"].as_u64(), d["features"].as_u64()))
        .map(|(name, rows, features)| (name, rows.expect("rows"), features.expect("features")))
        .collect();
    let table_1 = [
        ("airfoil", 1503, 5),
        ("bike", 731, 12),
        ("concrete", 1030, 8),
        ("dowchemical", 1066, 57),
        ("tower", 4999, 25),
    ];
    assert_eq!(shapes, table_1);
}

#[test]
fn every_built_in_data_set_can_be_fitted() {
    for name in ["airfoil", "bike", "concrete"] {
        let fitted = intron(&["fit", name, "--evaluations", "500", "--json"]).json();
        assert_eq!(fitted["data"], name);
        assert_eq!(fitted["target"], "target");
    }
}

#[test]
fn a_data_set_that_is_not_there_fails_with_instructions() {
    let folder = Folder::new();
    let empty = folder.path("");
    for flags in [&[][..], &["--data-dir", &empty]] {
        for name in ["tower", "dowchemical"] {
            let message = intron(&[&["fit", name], flags].concat()).refusal(1);
            for part in [name, "--data-dir", "INTRON_DATA_DIR", "PonyGE2"] {
                assert!(message.contains(part), "no `{part}` in {message}");
            }
        }
    }
}

#[test]
fn a_data_folder_gives_names_to_its_tables() {
    let folder = Folder::new();
    folder.file("mine.csv", harness::table("a,b,y", ",", &harness::rows(20)));
    let data_dir = folder.path("");
    let arguments = ["fit", "mine", "--evaluations", "500", "--json"];
    let by_flag = intron(&[&arguments[..], &["--data-dir", &data_dir]].concat()).json();
    let by_variable = command(&arguments).env("INTRON_DATA_DIR", &data_dir).output();
    let by_variable = Answer::of(by_variable.expect("intron starts")).json();
    assert_eq!(by_flag["front"], by_variable["front"]);
    let elsewhere = ["fit", "../mine", "--data-dir", &data_dir];
    assert!(intron(&elsewhere).refusal(1).contains("../mine"), "a name is no path");
}

#[test]
fn tower_is_found_in_the_shared_data() {
    let Some(folder) = shared_data() else { return };
    let folder = folder.to_str().expect("the path is UTF-8");
    let arguments = ["fit", "tower", "--evaluations", "2000", "--json"];
    let by_flag = intron(&[&arguments[..], &["--data-dir", folder]].concat()).json();
    let by_variable = command(&arguments).env("INTRON_DATA_DIR", folder).output();
    let by_variable = Answer::of(by_variable.expect("intron starts")).json();
    assert_eq!(by_flag["front"], by_variable["front"]);
    assert_eq!(list(&by_flag, "features").len(), 25);
    let listed = intron(&["datasets", "--data-dir", folder]).expect_success().output;
    assert!(!listed.contains("other bytes") && !listed.contains("not found"), "{listed}");
}

#[test]
fn settings_are_listed_with_defaults_and_meanings() {
    let answer = intron(&["settings"]).expect_success();
    let listed = intron(&["settings", "--json"]).json();
    let settings = listed["settings"].as_object().expect("settings");
    assert!(settings.len() > 20);
    for name in settings.keys() {
        let line = answer.output.lines().find(|line| line.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("no {name} in\n{}", answer.output));
        assert!(line.split_whitespace().count() > 3, "no meaning: {line}");
    }
    assert_eq!(settings["height"], 7);
    let paper = intron(&["settings", "--json", "--preset", "paper"]).json();
    assert_eq!(paper["settings"]["height"], 5);
}
