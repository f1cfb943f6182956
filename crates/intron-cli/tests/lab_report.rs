//! `intron lab report`: files, page and summary of a small experiment, and what is refused.

mod harness;

use std::fs;
use std::process::Command;

use harness::browser::{WIDTHS, opened};
use harness::{Answer, Folder, command, intron};

/// Does a small experiment in a folder of its own; the folder of the last run is remembered there too.
fn experiment(folder: &Folder) -> String {
    experiment_with(folder, "small")
}

/// The same with an operator set, in the folder of that name.
fn experiment_with(folder: &Folder, operators: &str) -> String {
    let out = folder.path(operators);
    let operators = format!("operators={operators}");
    let arguments = [
        "lab",
        "run",
        "smoke",
        "--quiet",
        "--out",
        &out,
        "--set",
        "data=airfoil",
        "--set",
        "repeats=2",
        "--set",
        "linkage=mi,mi-masked,node",
        "--set",
        "budget.evaluations=2e3",
        "--set",
        &operators,
    ];
    Answer::of(with_memory(folder, &arguments).output().expect("intron starts")).expect_success();
    out
}

fn with_memory(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = command(arguments);
    command.env("XDG_STATE_HOME", folder.path("state"));
    command
}

#[test]
fn experiments_with_other_operators_share_a_report() {
    let folder = Folder::new();
    let (small, large) = (experiment(&folder), experiment_with(&folder, "large"));
    let answer = intron(&["lab", "report", &small, &large]).expect_success();
    assert!(answer.output.starts_with("smoke and smoke: 24 of 24 runs"), "{}", answer.output);
    assert!(answer.output.trim_end().ends_with("small/joint-report/index.html"));
    let page = folder.read("small/joint-report/index.html");
    assert!(page.contains("<h2>Operator sets</h2>"));
    let numbers = folder.read("small/joint-report/data/operators-training.csv");
    assert!(numbers.contains(",small,") && numbers.contains(",large,"), "{numbers}");
    assert!(folder.list("small/report").is_empty() && folder.list("large/report").is_empty());
    let elsewhere = folder.path("elsewhere/page");
    let answer = intron(&["lab", "report", &small, "--out", &elsewhere]).expect_success();
    assert!(answer.output.trim_end().ends_with("elsewhere/page/index.html"), "{}", answer.output);
    assert!(folder.list("elsewhere/page/figures").len() > 10);
    assert!(folder.list("small/report").is_empty(), "nothing is written to the experiment");
    let refused = intron(&["lab", "report", &small, &large, &small]).refusal(2);
    assert!(refused.contains("nothing but their operator sets"), "{refused}");
}

#[test]
fn a_small_experiment_has_a_page_with_every_figure() {
    let folder = Folder::new();
    let out = experiment(&folder);
    let answer = intron(&["lab", "report", &out]).expect_success();
    assert!(answer.output.starts_with("smoke: 12 of 12 runs"), "{}", answer.output);
    assert!(answer.output.trim_end().ends_with("report/index.html"), "{}", answer.output);
    let page = fs::read_to_string(folder.path("small/report/index.html")).expect("the page");
    let figures = folder.list("small/report/figures");
    assert!(figures.len() > 10, "{figures:?}");
    for name in &figures {
        let name = name.strip_suffix(".svg").expect("a drawing");
        assert!(page.contains(&format!("<figure id=\"figure-{name}\">")), "{name}");
        assert!(page.contains(&format!("href=\"figures/{name}.svg\"")), "{name}");
        fs::metadata(folder.path(&format!("small/report/data/{name}.csv"))).expect("its numbers");
    }
    assert_eq!(page.matches("role=\"img\"").count(), figures.len(), "every drawing is in the page");
    assert_eq!(page.matches("<figcaption>").count(), page.matches("<figure").count());
    for heading in
        ["What was run", "Against the paper", "Average ranks", "Learned structure", "Times"]
    {
        assert!(page.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    for width in WIDTHS {
        let Some(dom) = opened(&folder, "small/report/index.html", width) else { return };
        assert!(dom.contains("id=\"times\""), "down to the last section");
    }
}

#[test]
fn without_a_folder_it_is_that_of_the_last_run_and_an_earlier_report_is_replaced() {
    let folder = Folder::new();
    experiment(&folder);
    let report = || {
        let answer = with_memory(&folder, &["lab", "report"]).output().expect("intron starts");
        Answer::of(answer).expect_success();
        fs::read(folder.path("small/report/index.html")).expect("the page")
    };
    let first = report();
    fs::write(folder.path("small/report/figures/old.svg"), "<svg/>").expect("a stale file");
    assert_eq!(report(), first, "the same records give the same page");
    assert!(!folder.list("small/report/figures").contains(&"old.svg".to_owned()));
}

#[test]
fn a_run_that_could_not_begin_is_not_reported_as_an_earlier_one() {
    let folder = Folder::new();
    let out = experiment(&folder);
    let lab = |arguments: &[&str]| {
        let arguments = [&["lab"], arguments].concat();
        Answer::of(with_memory(&folder, &arguments).output().expect("intron starts"))
    };
    // Which folder it is is said.
    let answer = lab(&["status"]).expect_success();
    assert!(
        answer.errors.contains(&out) && answer.errors.contains("last run"),
        "{}",
        answer.errors
    );
    assert_eq!(lab(&["run", "smoke", "--set", "data=absent.csv"]).exit_code, Some(1));
    for command in ["report", "status", "verify"] {
        let message = lab(&[command]).refusal(2);
        assert!(message.contains("which experiment?"), "{message}");
    }
}

#[test]
fn what_is_no_experiment_is_refused() {
    let folder = Folder::new();
    let message = intron(&["lab", "report", &folder.path("nothing")]).refusal(1);
    assert!(message.contains("is not the folder of an experiment"), "{message}");
    let answer = with_memory(&folder, &["lab", "report"]).output().expect("intron starts");
    let message = Answer::of(answer).refusal(2);
    assert!(message.contains("which experiment?"), "{message}");
    let out = experiment(&folder);
    fs::remove_dir_all(folder.path("small/records")).expect("records go");
    let message = intron(&["lab", "report", &out]).refusal(1);
    assert!(message.contains("no run has a record yet"), "{message}");
}
