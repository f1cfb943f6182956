//! The report of made-up records: every figure is there and sound, and equal records give equal bytes.

mod made_up;

use intron_lab::{ClaimVerdict, Plan, Report};
use made_up::{PLAN, as_in_the_paper, check, facts, file, plan, records, report, spread, verdicts};

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
fn what_cannot_be_compared_is_said_and_not_left_blank() {
    let plan = plan(&["heights=3", "similarity.generations=0", "repeats=1"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    let page = file(&Report::new(&plan, &facts(&plan), &records), "index.html").to_owned();
    assert!(page.contains("<td>left out</td>") && !page.contains("– to –"));
    assert!(page.contains(" (n = 2)</td>"), "correlations say how many runs they rest on");
    records.retain(|record| record.result.task.linkage == "node");
    records.truncate(1);
    let report = Report::new(&plan, &facts(&plan), &records);
    check(&report);
    for claim in report.claims.iter().chain(&report.time_claims) {
        assert!(!claim.findings.is_empty(), "{}", claim.statement);
    }
}

#[test]
fn conditions_without_runs_have_no_empty_figures() {
    let plan = plan(&["heights=3"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    records.retain(|record| record.result.task.linear_scaling == "on");
    let report = Report::new(&plan, &facts(&plan), &records);
    check(&report);
    let is_drawn = |name: &str| report.files.iter().any(|file| file.0 == format!("figures/{name}"));
    for name in ["problems-h3-ls-on-training.svg", "boxes-h3-ls-on.svg"] {
        assert!(is_drawn(name) && !is_drawn(&name.replace("-on", "-off")), "{name}");
    }
    assert!(!is_drawn("problems-h3-ls-off-time.svg"));
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
fn without_held_out_rows_there_are_no_test_scores() {
    let plan = plan(&["test_fraction=0", "heights=3", "operators=small;large", "linkage=mi,node"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    for record in &mut records {
        record.result.r2_test = f64::NAN;
        record.result.trace.iter_mut().for_each(|point| point.r2_test = f64::NAN);
    }
    let report = Report::new(&plan, &facts(&plan), &records);
    check(&report);
    for (name, content) in &report.files {
        assert!(!name.contains("-test."), "{name}");
        let is_table = name.starts_with("data/") && !name.contains("claims");
        assert!(
            !is_table || !(content.contains("test_r2") || content.contains("\ntest,")),
            "{name}"
        );
        assert!(!name.starts_with("figures/intervals") || !content.contains("test"), "{name}");
    }
    let page = file(&report, "index.html");
    assert!(page.contains("none, so there are no test scores"));
    assert!(!page.contains("test R²") && !page.contains("NaN"));
    assert!(verdicts(&report, "test-order").iter().all(|one| *one == ClaimVerdict::NotTested));
}

#[test]
fn intervals_of_few_runs_come_with_a_warning() {
    for (repeats, is_few) in [("repeats=1", true), ("repeats=2", true), ("repeats=5", false)] {
        let plan = plan(&[repeats, "heights=3", "operators=small;large", "linkage=mi,node"]);
        let report = report(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
        let page = file(&report, "index.html");
        assert_eq!(page.contains("below 5, intervals and tests mean little"), is_few, "{repeats}");
        let n_cautions = page.matches("too narrow and mean little").count();
        assert_eq!(n_cautions > 5, repeats == "repeats=2", "{repeats}: {n_cautions}");
        assert_eq!(page.contains("the tests are coarse"), is_few, "{repeats}");
    }
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
fn operator_sets_are_compared_where_there_are_two() {
    let plan = plan(&["operators=small;large", "heights=3"]);
    let report = report(&plan, |task| {
        let worse = if task.operators == "large" { 0.3 } else { 0.0 };
        as_in_the_paper(&task.linkage) - worse + spread(task)
    });
    check(&report);
    file(&report, "figures/operators-training.svg");
    file(&report, "figures/operators-test.svg");
    file(&report, "figures/intervals-all-large.svg");
    // Both aggregates of both sets, for every setting and scaling.
    let numbers = file(&report, "data/operators-test.csv");
    for aggregate in [",IQM,", ",mean of medians,"] {
        assert_eq!(numbers.matches(aggregate).count(), 2 * 2 * 8, "{numbers}");
    }
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

#[test]
fn figures_do_not_overwrite_each_other() {
    let text = PLAN
        .replace(
            "['airfoil', 'concrete']",
            "['one/all.csv', 'two/all.csv', 'all 2.csv', 'b-x.csv', 'x.csv']",
        )
        .replace("['small']", "['+,-,*', '+,-,/']");
    let changes = ["heights=3", "repeats=2", "linkage=mi,node", "similarity.generations=0"];
    let changes: Vec<String> = changes.map(str::to_owned).to_vec();
    let plan = Plan::read(&text, &changes).unwrap();
    let report = report(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    check(&report);
    let count = |start: &str| report.files.iter().filter(|file| file.0.starts_with(start)).count();
    assert_eq!(count("figures/boxes-"), 4);
    assert_eq!(count("figures/intervals-all-"), 2);
    // All problems together, each of them, and the first run of each.
    assert_eq!(count("figures/similarity-"), 4 * 11);
    let boxes = file(&report, "figures/boxes-h3-ls-on-__-__.svg");
    for title in ["all", "all 2", "all 3"] {
        assert!(boxes.contains(&format!(">{title}<")), "{title}");
    }
}
