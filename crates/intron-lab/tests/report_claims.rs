//! Claims get the verdict that the records were made for.

mod made_up;

use intron_lab::{ClaimVerdict, Report, Task};
use made_up::{as_in_the_paper, check, facts, numbers, plan, records, report, spread, verdicts};

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
fn operator_sets_are_compared_under_the_same_height_and_scaling() {
    let plan = plan(&["operators=small;large"]);
    // Much easier at height 5, so that a comparison of unlike conditions would show the opposite.
    let mut records = records(&plan, |task| {
        let height = if task.height == 5 { 0.5 } else { 0.0 };
        let worse = if task.operators == "large" { 0.1 } else { 0.0 };
        0.2 * as_in_the_paper(&task.linkage) + height - worse + spread(task)
    });
    records.retain(|record| {
        let task = &record.result.task;
        let is_first = task.height == 3 && task.linear_scaling == "on";
        let is_missing = task.operators == "large" && is_first;
        !is_missing
    });
    let report = Report::new(&plan, &facts(&plan), &records);
    let claim = report.claims.iter().find(|claim| claim.id == "large-set-worse").unwrap();
    for finding in &claim.findings {
        let is_alone = finding.scope == "height 3, with linear scaling";
        assert_eq!(finding.verdict == ClaimVerdict::NotTested, is_alone, "{finding:?}");
        assert!(is_alone || finding.numbers.starts_with("small less large: 0.100"), "{finding:?}");
    }
    assert_eq!(claim.findings.len(), 5);
}

#[test]
fn no_claim_is_decided_on_a_part_of_the_problems() {
    let plan = plan(&["similarity.generations=0,5"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    records.retain(|record| record.result.task.data != "concrete");
    let report = Report::new(&plan, &facts(&plan), &records);
    let mut n_caveats = 0;
    for claim in report.claims.iter().chain(&report.time_claims) {
        for finding in &claim.findings {
            let is_decided =
                matches!(finding.verdict, ClaimVerdict::Holds | ClaimVerdict::DoesNotHold);
            // A finding on one problem alone says so.
            let is_alone = finding.scope.starts_with("Airfoil, ");
            assert!(!is_decided || is_alone, "{}: {finding:?}", claim.id);
            let has_caveat =
                ["1 of 2 problems", "4 of 8 problems"].iter().any(|c| finding.numbers.contains(c));
            let is_open = finding.verdict == ClaimVerdict::Undecided;
            assert!(!is_open || is_alone || has_caveat, "{}: {finding:?}", claim.id);
            n_caveats += usize::from(has_caveat);
        }
    }
    assert!(n_caveats > 50, "{n_caveats}");
    assert!(verdicts(&report, "problem-by-problem").contains(&ClaimVerdict::NotTested));
}

#[test]
fn generations_are_compared_on_the_same_problems() {
    let plan = plan(&["similarity.generations=0,5", "heights=3"]);
    let mut records = records(&plan, |task| as_in_the_paper(&task.linkage) + spread(task));
    for record in &mut records {
        if record.result.task.data == "concrete" {
            record.result.similarities.retain(|one| one.generation == 0);
        }
    }
    let report = Report::new(&plan, &facts(&plan), &records);
    for id in ["mi-grows-similar", "masked-degrades"] {
        let found = verdicts(&report, id);
        assert!(found.iter().all(|one| *one == ClaimVerdict::Undecided), "{id}");
        assert!(numbers(&report, id).contains("1 of 2 problems"), "{id}");
    }
}
