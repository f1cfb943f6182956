//! `intron report` and `intron fit --report`: the page of a run, of odd runs, in a browser, and what is refused.

mod harness;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use harness::browser::{WIDTHS, opened};
use harness::{Folder, command, intron, rows, spawn, table};

const FEW: [&str; 4] = ["--evaluations", "3000", "--seed", "1"];

/// Fits a table of the folder and keeps the run.
fn fit(folder: &Folder, data: &str, more: &[&str]) -> String {
    let run = folder.path("run");
    intron(&[&["fit", &folder.path(data), "--quiet", "--out", &run], &FEW[..], more].concat())
        .expect_success();
    run
}

fn small(folder: &Folder) {
    folder.file("data.csv", table("a,b,y", ",", &rows(120)));
}

#[test]
fn a_run_has_a_page_that_is_the_same_at_once_and_later() {
    let folder = Folder::new();
    small(&folder);
    let page = folder.path("at-once.html");
    let run = fit(&folder, "data.csv", &[&format!("--report={page}")]);
    let answer = intron(&["report", &run]).expect_success();
    assert_eq!(answer.output, format!("{run}/report.html\n"));
    let later = folder.read("run/report.html");
    assert_eq!(later, folder.read("at-once.html"));
    let record = folder.read_json("run/run.json");
    assert_eq!(record["data_sha256"].as_str().map(str::len), Some(64));
    assert!(later.contains(record["data_sha256"].as_str().expect("a checksum")));
    assert!(later.contains("90 rows to learn from, 30 rows held out"), "rows and split");
    let again = record["command"].as_str().expect("a command");
    assert!(again.ends_with("--evaluations 3000 --seed 1"), "{again}");
    assert!(!again.contains("--out") && !again.contains("--report"), "{again}");
    assert_eq!(record["linkage"]["levels"], serde_json::json!([1, 2, 4, 8, 16, 32, 64]));
    assert_eq!(record["linkage"]["similarity"].as_array().map(Vec::len), Some(127 * 126 / 2));
}

#[test]
fn formulas_that_were_given_stand_below_the_front() {
    let folder = Folder::new();
    small(&folder);
    let run = fit(&folder, "data.csv", &["--report", "--start", "sin(a) + 3 * b"]);
    let page = folder.read("run/report.html");
    assert_eq!(page.matches("<span class=\"badge\">yours</span>").count(), 1, "{run}");
}

#[test]
fn without_a_name_the_page_goes_into_the_folder_of_the_run() {
    let folder = Folder::new();
    small(&folder);
    let run = folder.path("run");
    let data = folder.path("data.csv");
    let answer =
        intron(&[&["fit", &data, "--report", "--out", &run], &FEW[..]].concat()).expect_success();
    assert!(answer.errors.contains("report: "), "{}", answer.errors);
    assert!(folder.read("run/report.html").starts_with("<!DOCTYPE html>"));
    intron(&[&["fit", &data, "--out", &run], &FEW[..]].concat()).expect_success();
    let set_aside = folder.list("run/earlier-1").contains(&"report.html".to_owned());
    assert!(set_aside && !folder.list("run").contains(&"report.html".to_owned()));
}

#[test]
fn odd_runs_have_a_page() {
    let words = "a,kind,y\n1,red,3\n2,blue,5\n,red,4\n4,green,9\n5,red,11\n6,blue,14\n7,green,15\n8,red,17\n9,blue,21\n";
    let constant = "a,c,y\n1,7,3\n2,7,5\n3,7,6\n4,7,9\n5,7,11\n6,7,14\n7,7,15\n8,7,17\n";
    let names: Vec<String> = (0..60).map(|k| format!("f{k}")).collect();
    let line = |row: usize| {
        let cells: Vec<String> = (0..61).map(|k| ((row * (k + 3)) % 17).to_string()).collect();
        cells.join(",")
    };
    let wide =
        format!("{},y\n{}\n", names.join(","), (0..80).map(line).collect::<Vec<_>>().join("\n"));
    let weighted = "w,<script>,y\n1,1,3\n2,2,5\n0.5,3,8\n1,4,9\n1,5,11\n3,6,14\n1,7,15\n1,8,17\n";
    let no_split = ["--test-fraction", "0"];
    let cases: [(&str, &str, &[&str]); 6] = [
        ("words", words, &["--missing", "impute", "--one-hot", "kind"]),
        ("constant", constant, &[]),
        ("wide", &wide, &[]),
        ("weights", weighted, &["--weights", "w"]),
        ("one formula", constant, &["--height", "1", "--features", "a"]),
        ("no test rows", constant, &no_split),
    ];
    for (name, content, more) in cases {
        let folder = Folder::new();
        folder.file("data.csv", content);
        let run = fit(&folder, "data.csv", more);
        intron(&["report", &run]).expect_success();
        let page = folder.read("run/report.html");
        assert!(page.trim_end().ends_with("</html>"), "{name}");
        assert_eq!(page.matches("<script>").count(), 1, "{name}");
        assert_eq!(page.contains("rows held out"), name != "no test rows", "{name}");
    }
}

#[test]
fn a_model_alone_is_looked_at_on_rows_that_are_given() {
    let folder = Folder::new();
    small(&folder);
    fit(&folder, "data.csv", &[]);
    let model = folder.path("run/model.json");
    folder.file("new.csv", table("b,a,y", ",", &rows(40)));
    let out = folder.path("new.html");
    let arguments = ["report", &model, "--data", &folder.path("new.csv"), "--out", &out];
    assert_eq!(intron(&arguments).expect_success().output, format!("{out}\n"));
    let page = folder.read("new.html");
    assert!(page.contains("40 rows") && page.contains("R² given"), "rows that are given");
    let message = intron(&["report", &model]).refusal(2);
    assert!(message.contains("--data FILE"), "{message}");
    folder.file("other.csv", "a,c,y\n1,2,3\n2,3,4\n");
    let message = intron(&["report", &model, "--data", &folder.path("other.csv")]).refusal(1);
    assert!(message.contains("has no column `b`"), "{message}");
}

#[test]
fn data_that_has_moved_is_found_and_data_that_has_changed_is_refused() {
    let folder = Folder::new();
    small(&folder);
    let run = fit(&folder, "data.csv", &[]);
    fs::rename(folder.path("data.csv"), folder.path("moved.csv")).expect("the data moves");
    let message = intron(&["report", &run]).refusal(1);
    assert!(message.contains("data.csv") && message.contains("--data FILE"), "{message}");
    intron(&["report", &run, "--data", &folder.path("moved.csv")]).expect_success();
    folder.file("moved.csv", table("a,b,y", ",", &rows(121)));
    fs::remove_file(folder.path("run/report.html")).expect("the page goes");
    let message = intron(&["report", &run, "--data", &folder.path("moved.csv")]).refusal(1);
    assert!(message.contains("is not the data of this run"), "{message}");
    assert!(!folder.list("run").contains(&"report.html".to_owned()), "nothing half-written");
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_search() {
    let folder = Folder::new();
    small(&folder);
    let data = folder.path("data.csv");
    let data_before = folder.read("data.csv");
    for (page, expected) in [
        (folder.path(""), "is a folder"),
        (folder.path("pages/"), "is a folder"),
        (format!("{data}/page.html"), "data.csv, is a file"),
        (format!("{data}/pages/page.html"), "data.csv, is a file"),
        (data.clone(), "ends in .html"),
        (folder.path("run/model.json"), "ends in .html"),
    ] {
        let report = format!("--report={page}");
        let out = folder.path("run");
        let message = intron(&["fit", &data, "--time", "5", &report, "--out", &out]).refusal(1);
        assert!(message.contains("--report") && message.contains(expected), "{message}");
        assert!(!std::path::Path::new(&out).exists(), "nothing was searched");
        assert_eq!(folder.read("data.csv"), data_before);
    }
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = Folder::new();
    small(&folder);
    let message = intron(&["report", &folder.path("nothing")]).refusal(1);
    assert!(message.contains("nothing") && message.contains("model.json"), "{message}");
    let run = fit(&folder, "data.csv", &[]);
    let message = intron(&["report", &run, "--out", &folder.path("run")]).refusal(1);
    assert!(message.contains("is a folder"), "{message}");
    let record = folder.read("run/run.json");
    folder.file("run/run.json", &record[..record.len() / 2]);
    let message = intron(&["report", &run]).refusal(1);
    assert!(message.contains("run.json: is not whole JSON"), "{message}");
    folder.file("run/run.json", record.replace("\"reading\"", "\"other\""));
    let message = intron(&["report", &run]).refusal(1);
    assert!(message.contains("does not say how the data was read"), "{message}");
    folder.file("run/model.json", "{\"format\": \"intron-model\", \"version\": 1}");
    let message = intron(&["report", &run]).refusal(1);
    assert!(message.contains("is damaged"), "{message}");
}

/// What the test script writes into the page: it clicks the first formula of the table and looks around.
const CLICKS: &str = "<script>addEventListener('load', () => {\
  const shown = () => document.querySelector('[data-view].is-shown').id;\
  const before = shown();\
  document.querySelector('.front [data-pick=\"0\"]').click();\
  const after = shown();\
  const chart = document.querySelector('svg [data-pick=\"1\"]');\
  chart.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));\
  const third = shown();\
  const fits = document.documentElement.scrollWidth <= innerWidth;\
  document.body.setAttribute('data-result', [before, after, third, fits, innerWidth].join(' '));\
});</script></body>";

#[test]
fn the_page_works_in_a_browser_at_both_widths() {
    let folder = Folder::new();
    small(&folder);
    let run = fit(&folder, "data.csv", &[]);
    intron(&["report", &run]).expect_success();
    let page = folder.read("run/report.html");
    // The page forbids scripts of others, so those of the test have a copy without that rule.
    let start = page.find("<meta http-equiv").expect("a policy");
    let end = start + page[start..].find('>').expect("it ends") + 1;
    let copy = format!("{}{}", &page[..start], &page[end..]).replace("</body>", CLICKS);
    folder.file("run/copy.html", &copy);
    let pages = ["report.html", "copy.html"];
    for (width, name) in WIDTHS.into_iter().flat_map(|width| pages.map(|name| (width, name))) {
        let Some(dom) = opened(&folder, &format!("run/{name}"), width) else { return };
        assert!(dom.contains("<html lang=\"en\" class=\"js\">"), "the script has run");
        if name == "copy.html" {
            let (_, rest) = dom.split_once("data-result=\"").expect("the clicks were made");
            let words: Vec<&str> = rest.split('"').next().unwrap_or("").split(' ').collect();
            assert_ne!(words[0], "formula-0", "the chosen one is the most accurate");
            assert_eq!(words[1..4], ["formula-0", "formula-1", "true"], "at {width}: {words:?}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_search_that_was_interrupted_has_a_page() {
    let folder = Folder::new();
    small(&folder);
    let run = folder.path("run");
    let data = folder.path("data.csv");
    let arguments = ["fit", &data, "--time", "120s", "--report", "--out", &run];
    let mut child = spawn(&mut command(&arguments));
    let mut errors = BufReader::new(child.stderr.take().expect("standard error is a pipe"));
    errors.read_line(&mut String::new()).expect("a line of progress");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill starts").success());
    errors.read_to_string(&mut String::new()).expect("UTF-8");
    assert!(child.wait().expect("it ends").success());
    let page = folder.read("run/report.html");
    assert!(page.contains("It ended by: interrupted.") && page.contains("--evaluations "));
}
