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
    text += "the paper's claims:\n";
    claims.iter().for_each(|claim| text += &line_of(claim));
    text
}

/// A claim in one line: the verdict of the widest part of the records.
fn line_of(claim: &Claim) -> String {
    let verdict = claim.findings.first().map_or(ClaimVerdict::NotTested, |finding| finding.verdict);
    let scope = claim.findings.first().map_or("", |finding| finding.scope.as_str());
    format!("  {:<14} {} ({scope})\n", verdict.name(), claim.statement)
}
