//! Made-up records, and checks of their reports that all tests share.

#![allow(dead_code, reason = "every test file is a crate of its own and uses a part of this one")]

use intron_lab::{
    AllFacts, ClaimVerdict, DataFacts, Measured, Plan, Record, Report, RunResult, Similarity, Task,
    TracePoint,
};

pub(crate) const PLAN: &str = "
name = 'made-up'
title = 'Made-up <records>'
data = ['airfoil', 'concrete']
heights = [3, 5]
linear_scaling = ['on', 'off']
operators = ['small']
linkage = ['random', 'mi', 'mi-adjusted', 'mi-masked', 'node', 'node-static', 'cs', 'univariate']
repeats = 6
folds = 2
test_fraction = 0.25
[budget]
evaluations = 2000
";

pub(crate) fn plan(changes: &[&str]) -> Plan {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    // Every run with a seed, and so with a population, of its own.
    Plan { folds: 1, ..Plan::read(PLAN, &changes).unwrap() }
}

pub(crate) fn facts(plan: &Plan) -> AllFacts {
    let fact = |(index, name): (usize, &String)| {
        (name.clone(), DataFacts { sha256: format!("{index:064}"), n_rows: 100 })
    };
    plan.data.iter().enumerate().map(fact).collect()
}

/// A record whose final training R² is given; everything else follows from it.
pub(crate) fn record(task: &Task, r2: f64) -> Record {
    let point = |evaluations, share: f64| TracePoint {
        evaluations,
        r2_train: r2 * share,
        r2_test: r2 * share - 0.02,
        size: 3,
    };
    let matrix = |&generation: &u64| {
        let n_positions = (1 << task.height) - 1;
        let n_pairs = n_positions * (n_positions - 1) / 2;
        let value = |pair: usize| match task.linkage.as_str() {
            "node" | "mi-masked" => pair as f64,
            _ => ((pair * 7919 + task.repeat * 31 + generation as usize) % 101) as f64,
        };
        Similarity { generation, n_positions, values: (0..n_pairs).map(value).collect() }
    };
    let result = RunResult {
        task: task.clone(),
        n_evaluations: 2000,
        n_generations: 9,
        stop_reason: "evaluations".to_owned(),
        formula: "x0".to_owned(),
        size: 3,
        r2_train: r2,
        r2_test: r2 - 0.02,
        trace: vec![point(1, 0.1), point(500, 0.6), point(1500, 1.0)],
        similarities: task.similarity_generations.iter().map(matrix).collect(),
    };
    let measured = Measured {
        cpu_seconds: 2.0,
        wall_seconds: 2.5,
        trace_seconds: vec![0.1, 0.5, 1.5],
        host: "here".to_owned(),
        version: "0".to_owned(),
    };
    Record { result, measured }
}

/// The paper's order with a wide gap between neighbours.
pub(crate) fn as_in_the_paper(linkage: &str) -> f64 {
    let order =
        ["univariate", "random", "mi", "mi-adjusted", "node-static", "cs", "mi-masked", "node"];
    let place = order.iter().position(|name| *name == linkage);
    0.1 + 0.1 * place.unwrap_or(0) as f64
}

/// Some spread between runs, much smaller than the gaps.
pub(crate) fn spread(task: &Task) -> f64 {
    0.001 * ((task.repeat * 7 + task.linkage.len() * 3 + task.data.len()) % 5) as f64
}

pub(crate) fn records(plan: &Plan, score: impl Fn(&Task) -> f64) -> Vec<Record> {
    let tasks = plan.tasks(&facts(plan)).unwrap();
    tasks.iter().map(|task| record(task, score(task))).collect()
}

pub(crate) fn report(plan: &Plan, score: impl Fn(&Task) -> f64) -> Report {
    Report::new(plan, &facts(plan), &records(plan, score))
}

pub(crate) fn file<'r>(report: &'r Report, name: &str) -> &'r str {
    let found = report.files.iter().find(|file| file.0 == name);
    &found.unwrap_or_else(|| panic!("{name} is missing")).1
}

/// Checks that every tag is closed, in order.
pub(crate) fn check_markup(text: &str, name: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->").expect("a comment ends") + 3..];
            continue;
        }
        let end = rest.find('>').unwrap_or_else(|| panic!("{name}: a tag does not end"));
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let word = tag.split([' ', '\n']).next().unwrap_or_default();
        if let Some(closed) = word.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{name}");
        } else if !tag.ends_with('/') && !["!DOCTYPE", "meta", "link"].contains(&word) {
            open.push(word);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} is not closed");
}

/// Checks what is true of every report.
pub(crate) fn check(report: &Report) {
    let page = file(report, "index.html");
    for (name, content) in &report.files {
        if name.ends_with(".svg") || name.ends_with(".html") {
            check_markup(content, name);
        }
        if let Some(figure) =
            name.strip_prefix("figures/").and_then(|name| name.strip_suffix(".svg"))
        {
            assert!(page.contains(&format!("<figure id=\"figure-{figure}\">")), "{figure}");
            assert!(page.contains(content.trim_end()), "{figure} is in the page itself");
            assert!(file(report, &format!("data/{figure}.csv")).lines().count() > 1, "{figure}");
        }
    }
    let mut names: Vec<&String> = report.files.iter().map(|file| &file.0).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), report.files.len(), "no two files of one name");
    assert_eq!(page.matches("<figure id=").count(), report.n_figures);
    assert_eq!(page.matches("<figcaption>").count(), page.matches("<figure").count());
    assert!(!page.contains("<script") && !page.contains("src=\"http"), "nothing is fetched");
    assert!(!page.contains("NaN"), "no number of the page is none");
}

pub(crate) fn verdicts(report: &Report, id: &str) -> Vec<ClaimVerdict> {
    let claim = report.claims.iter().find(|claim| claim.id == id);
    let claim = claim.unwrap_or_else(|| panic!("{id} is missing"));
    claim.findings.iter().map(|finding| finding.verdict).collect()
}

pub(crate) fn numbers(report: &Report, id: &str) -> String {
    let claim = report.claims.iter().find(|claim| claim.id == id).unwrap();
    claim.findings.iter().map(|finding| format!("{}\n", finding.numbers)).collect()
}
