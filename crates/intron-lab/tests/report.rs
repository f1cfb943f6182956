//! The report of made-up records: every figure is there and sound, equal records give equal bytes, and claims get the
//! verdict that the records were made for.

use intron_lab::{
    AllFacts, ClaimVerdict, DataFacts, Measured, Plan, Record, Report, RunResult, Similarity, Task,
    TracePoint,
};

const PLAN: &str = "
name = 'made-up'
title = 'Made-up <records>'
data = ['airfoil', 'concrete']
heights = [3, 5]
linear_scaling = ['on', 'off']
operators = ['small']
linkage = ['random', 'mi', 'mi-adjusted', 'mi-masked', 'node', 'node-static', 'cs', 'univariate']
repeats = 6
folds = 1
test_fraction = 0.25
[budget]
evaluations = 2000
";

fn plan(changes: &[&str]) -> Plan {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    Plan::read(PLAN, &changes).unwrap()
}

fn facts(plan: &Plan) -> AllFacts {
    let fact = |(index, name): (usize, &String)| {
        (name.clone(), DataFacts { sha256: format!("{index:064}"), n_rows: 100 })
    };
    plan.data.iter().enumerate().map(fact).collect()
}

/// A record whose final training R² is given; everything else follows from it.
fn record(task: &Task, r2: f64) -> Record {
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
fn as_in_the_paper(linkage: &str) -> f64 {
    let order =
        ["univariate", "random", "mi", "mi-adjusted", "node-static", "cs", "mi-masked", "node"];
    let place = order.iter().position(|name| *name == linkage);
    0.1 + 0.1 * place.unwrap_or(0) as f64
}

/// Some spread between runs, much smaller than the gaps.
fn spread(task: &Task) -> f64 {
    0.001 * ((task.repeat * 7 + task.linkage.len() * 3 + task.data.len()) % 5) as f64
}

fn records(plan: &Plan, score: impl Fn(&Task) -> f64) -> Vec<Record> {
    let tasks = plan.tasks(&facts(plan)).unwrap();
    tasks.iter().map(|task| record(task, score(task))).collect()
}

fn report(plan: &Plan, score: impl Fn(&Task) -> f64) -> Report {
    Report::new(plan, &facts(plan), &records(plan, score))
}

fn file<'r>(report: &'r Report, name: &str) -> &'r str {
    let found = report.files.iter().find(|file| file.0 == name);
    &found.unwrap_or_else(|| panic!("{name} is missing")).1
}

/// Checks that every tag is closed, in order.
fn check_markup(text: &str, name: &str) {
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
fn check(report: &Report) {
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

fn verdicts(report: &Report, id: &str) -> Vec<ClaimVerdict> {
    let claim = report.claims.iter().find(|claim| claim.id == id);
    let claim = claim.unwrap_or_else(|| panic!("{id} is missing"));
    claim.findings.iter().map(|finding| finding.verdict).collect()
}

fn numbers(report: &Report, id: &str) -> String {
    let claim = report.claims.iter().find(|claim| claim.id == id).unwrap();
    claim.findings.iter().map(|finding| format!("{}\n", finding.numbers)).collect()
}

#[test]
fn a_complete_experiment_has_every_figure() {
    let plan = plan(&["similarity.generations=0,5"]);
    let report = report(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    check(&report);
    let conditions = ["h3-ls-on", "h3-ls-off", "h5-ls-on", "h5-ls-off"];
    let mut expected: Vec<String> = vec!["convergence".to_owned(), "convergence-time".to_owned()];
    for scope in conditions.iter().chain(&["all"]) {
        expected
            .extend(["intervals", "ranks", "improvement"].map(|kind| format!("{kind}-{scope}")));
    }
    for condition in conditions {
        expected.extend(
            ["training", "test", "time"].map(|kind| format!("problems-{condition}-{kind}")),
        );
        expected.push(format!("boxes-{condition}"));
        for what in ["all", "airfoil", "concrete", "airfoil-first-run", "concrete-first-run"] {
            expected.push(format!("similarity-{condition}-{what}"));
        }
    }
    for name in &expected {
        file(&report, &format!("figures/{name}.svg"));
    }
    assert_eq!(report.n_figures, expected.len());
    for table in [
        "overview",
        "medians-h5-ls-on-training",
        "medians-h5-ls-on-test",
        "runtime-h5-ls-on-time",
        "claims",
    ] {
        file(&report, &format!("data/{table}.csv"));
    }
    let page = file(&report, "index.html");
    assert!(page.contains("Made-up &lt;records&gt;") && page.contains("MI<sub>masked</sub>"));
    assert!(page.contains("Every run of the plan has a record."));
}

#[test]
fn equal_records_give_equal_bytes_and_times_are_confined() {
    let plan = plan(&["heights=3", "similarity.generations=0"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    let first = Report::new(&plan, &facts(&plan), &records);
    records.reverse();
    assert_eq!(Report::new(&plan, &facts(&plan), &records).files, first.files);
    for (index, record) in records.iter_mut().enumerate() {
        record.measured.cpu_seconds += 0.1 * index as f64;
        record
            .measured
            .trace_seconds
            .iter_mut()
            .for_each(|seconds| *seconds += 0.01 * index as f64);
        record.measured.host = "elsewhere".to_owned();
    }
    let second = Report::new(&plan, &facts(&plan), &records);
    let without_times = |page: &str| {
        let (before, rest) = page.split_once("<!-- times: begin -->").unwrap();
        let (_, after) = rest.split_once("<!-- times: end -->").unwrap();
        format!("{before}{after}")
    };
    assert_eq!(first.files.len(), second.files.len());
    for ((name, content), (other_name, other)) in first.files.iter().zip(&second.files) {
        assert_eq!(name, other_name);
        if name == "index.html" {
            assert_ne!(content, other);
            assert_eq!(without_times(content), without_times(other));
        } else if !name.contains("-time.") {
            assert_eq!(content, other, "{name}");
        }
    }
}

#[test]
fn missing_runs_are_counted_and_only_complete_blocks_are_compared() {
    let plan = plan(&["heights=3"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    // One run of Node on one problem, and with scaling off all of Univariate.
    records.retain(|record| {
        let task = &record.result.task;
        let is_lone = task.linkage == "node" && task.data == "airfoil" && task.repeat == 2;
        let is_late = task.linkage == "univariate" && task.linear_scaling == "off";
        !(is_lone && task.linear_scaling == "on" || is_late)
    });
    let report = Report::new(&plan, &facts(&plan), &records);
    check(&report);
    let page = file(&report, "index.html");
    assert!(page.contains("13 of 192 runs have no record yet"), "the number of missing runs");
    assert!(page.contains("7 finished runs that not every setting has are left out"));
    assert!(page.contains("no run yet of Univariate"));
    let ranks = file(&report, "data/ranks-h3-ls-on.csv");
    assert!(ranks.lines().skip(1).all(|line| line.ends_with(",11")), "{ranks}");
}

#[test]
fn test_scores_that_are_not_finite_are_raised_to_the_floor_and_counted() {
    let plan = plan(&["heights=3", "linear_scaling=on"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    let bad = [f64::NAN, f64::NEG_INFINITY, f64::INFINITY, -1e9];
    for (record, value) in records.iter_mut().zip(bad) {
        record.result.r2_test = value;
        record.result.trace[2].r2_test = value;
    }
    let report = Report::new(&plan, &facts(&plan), &records);
    check(&report);
    let page = file(&report, "index.html");
    assert!(page.contains("4 of 96 runs, 3 of them not finite"));
    assert!(page.contains("counts as −1"));
}

#[test]
fn one_setting_one_problem_or_one_run_leave_out_what_needs_more() {
    for changes in [
        &["linkage=node", "heights=3"][..],
        &["linkage=mi", "data=airfoil", "heights=3", "linear_scaling=off", "repeats=1"],
        &["linkage=mi,node", "data=airfoil", "heights=3", "linear_scaling=on", "repeats=1"],
    ] {
        let plan = plan(changes);
        let report = report(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
        check(&report);
        let page = file(&report, "index.html");
        let is_lone = plan.linkage.len() == 1;
        assert_eq!(page.contains("a comparison needs at least two settings"), is_lone);
        assert_eq!(page.contains("Intervals are left out"), plan.repeats == 1);
        let all = report.claims.iter().flat_map(|claim| &claim.findings);
        let is_decided =
            |verdict| matches!(verdict, ClaimVerdict::Holds | ClaimVerdict::DoesNotHold);
        assert!(is_lone || plan.repeats > 1 || !all.into_iter().any(|f| is_decided(f.verdict)));
    }
}

#[test]
fn equal_scores_everywhere_are_no_fault() {
    let report = report(&plan(&["heights=3", "linear_scaling=on"]), |_| 0.5);
    check(&report);
    assert!(file(&report, "index.html").contains("there is nothing to rank"));
    assert_eq!(verdicts(&report, "node-best"), [ClaimVerdict::Undecided]);
}

#[test]
fn claims_hold_on_records_made_as_the_paper_says() {
    // So many runs that neighbours in the order differ by more than the critical difference.
    let plan = plan(&["similarity.generations=0,5", "repeats=15"]);
    let report = report(&plan, |task| {
        let height = if task.height == 5 { 1.1 } else { 1.0 };
        let scaling = if task.linear_scaling == "on" { 0.2 } else { 0.0 };
        let gap = if task.linear_scaling == "on" { 0.5 } else { 1.0 };
        as_in_the_paper(&task.linkage) * height * gap + scaling + spread(task)
    });
    assert_eq!(verdicts(&report, "rank-order")[0], ClaimVerdict::Holds);
    for id in [
        "node-best",
        "masked-second",
        "proposed-better",
        "static-worse",
        "test-order",
        "problem-by-problem",
        "random-worst",
        "subfunctions-below-node",
        "subfunctions-above-existing",
        "univariate-worst",
        "ahead-throughout",
        "height-widens",
        "scaling-narrows",
        "masked-resembles-template",
        "masked-resembles-more",
    ] {
        let found = verdicts(&report, id);
        assert!(
            found.iter().all(|one| *one == ClaimVerdict::Holds),
            "{id}: {}",
            numbers(&report, id)
        );
    }
}

#[test]
fn claims_do_not_hold_on_records_made_the_other_way_round() {
    let plan = plan(&[]);
    let report = report(&plan, |task| {
        let height = if task.height == 5 { 0.05 } else { 0.1 };
        height + 0.9 - as_in_the_paper(&task.linkage) + spread(task)
    });
    for id in [
        "rank-order",
        "node-best",
        "masked-second",
        "static-worse",
        "mi-adjusted-alike",
        "random-worst",
        "univariate-worst",
        "node-third",
        "half-budget",
        "height-helps",
    ] {
        let found = verdicts(&report, id);
        assert!(
            found.iter().all(|one| *one == ClaimVerdict::DoesNotHold),
            "{id}: {}",
            numbers(&report, id)
        );
    }
}

#[test]
fn claims_are_undecided_where_settings_overlap_or_runs_are_few() {
    let noise = |task: &Task| 0.05 * ((task.repeat * 7 + task.linkage.len() * 5) % 11) as f64;
    let overlapping = report(&plan(&[]), noise);
    for id in ["rank-order", "node-best", "proposed-better", "node-third"] {
        let found = verdicts(&overlapping, id);
        assert!(found.contains(&ClaimVerdict::Undecided), "{id}: {}", numbers(&overlapping, id));
        assert!(!found.contains(&ClaimVerdict::Holds), "{id}");
    }
    let few = report(&plan(&["repeats=4"]), |task| as_in_the_paper(&task.linkage) + spread(task));
    assert!(verdicts(&few, "node-best").iter().all(|one| *one == ClaimVerdict::Undecided));
    assert!(numbers(&few, "node-best").contains("a verdict needs 5"));
}

#[test]
fn settings_that_were_not_run_leave_a_claim_untested() {
    let report = report(&plan(&["linkage=node,node-subtrees"]), |task| {
        if task.linkage == "node" { 0.4 + spread(task) } else { 0.6 + spread(task) }
    });
    check(&report);
    assert!(verdicts(&report, "static-worse").iter().all(|one| *one == ClaimVerdict::NotTested));
    assert!(
        verdicts(&report, "beyond-subtrees").iter().all(|one| *one == ClaimVerdict::DoesNotHold)
    );
}

#[test]
fn operator_sets_are_compared_where_there_are_two() {
    let plan = plan(&["operators=small,large", "heights=3"]);
    let report = report(&plan, |task| {
        let worse = if task.operators == "large" { 0.3 } else { 0.0 };
        as_in_the_paper(&task.linkage) - worse + spread(task)
    });
    check(&report);
    file(&report, "figures/operators-training.svg");
    file(&report, "figures/operators-test.svg");
    file(&report, "figures/intervals-all-large.svg");
    let found = verdicts(&report, "large-set-worse");
    assert!(found.iter().all(|one| *one == ClaimVerdict::Holds));
    let found = verdicts(&report, "large-set-random");
    assert!(found.iter().all(|one| *one == ClaimVerdict::DoesNotHold));
}

#[test]
fn a_plan_that_ends_by_generations_has_curves_too() {
    let text = PLAN.replace("evaluations = 2000", "generations = 20");
    let plan = Plan::read(&text, &["heights=3".to_owned()]).unwrap();
    let report = report(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    check(&report);
    assert!(verdicts(&report, "node-third").iter().all(|one| *one == ClaimVerdict::NotTested));
    assert!(file(&report, "index.html").contains("20 generations"));
}
