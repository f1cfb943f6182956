//! `intron lab report`: the page of an experiment, and a short summary.

use std::path::{Path, PathBuf};

use intron_lab::{Claim, ClaimVerdict, Folder, LabError, Report};

use crate::failure::Failure;
use crate::lab_memory::folder_or_last;
use crate::terminal;

pub(crate) fn report(folders: &[PathBuf], out: Option<&Path>) -> Result<(), Failure> {
    let first = folder_or_last(folders.first().map(PathBuf::as_path))?;
    let paths = std::iter::once(&first).chain(folders.iter().skip(1));
    let folders =
        paths.map(|path| Folder::open(path)).collect::<Result<Vec<Folder>, LabError>>()?;
    let report = Report::of_all(&folders)?;
    // The report of the first experiment alone stays what it is.
    let name = if folders.len() == 1 { "report" } else { "joint-report" };
    let page = report.write_to(out.unwrap_or(&first.join(name)))?;
    let names: Vec<&str> = folders.iter().map(|folder| folder.plan.name.as_str()).collect();
    terminal::print(&summary(&report, &names.join(" and ")))?;
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
