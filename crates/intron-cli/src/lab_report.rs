//! `intron lab report`: the page of an experiment, and a short summary.

use std::path::Path;

use intron_lab::{Claim, ClaimVerdict, Folder, Report};

use crate::failure::Failure;
use crate::lab::folder_or_last;
use crate::terminal;

pub(crate) fn report(folder: Option<&Path>) -> Result<(), Failure> {
    let path = folder_or_last(folder)?;
    let folder = Folder::open(&path)?;
    let report = Report::of(&folder)?;
    let page = report.write(&folder)?;
    terminal::print(&summary(&report, &folder.plan.name))?;
    terminal::print(&format!("{}\n", page.display()))
}

fn summary(report: &Report, plan: &str) -> String {
    let Report { claims, n_figures, n_runs, n_planned, .. } = report;
    let mut text = format!("{plan}: {n_runs} of {n_planned} runs, {n_figures} figures\n");
    text += "the paper's claims, and how many parts of the records say what of them:\n";
    claims.iter().for_each(|claim| text += &line_of(claim));
    text
}

/// A claim in one line, with how often each verdict was given.
fn line_of(claim: &Claim) -> String {
    let all = [
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::Undecided,
        ClaimVerdict::NotTested,
    ];
    let count = |verdict: &ClaimVerdict| {
        let n = claim.findings.iter().filter(|finding| finding.verdict == *verdict).count();
        (n > 0).then(|| format!("{n} {}", verdict.name()))
    };
    let verdicts: Vec<String> = all.iter().filter_map(count).collect();
    format!("  {} [{}]\n", claim.statement, verdicts.join(", "))
}
