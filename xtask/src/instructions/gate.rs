//! The gate: counts now, counts kept, and whether the difference may pass.

use std::path::{Path, PathBuf};

use super::callgrind::{CASES, Case};
use super::counts::Counts;
use super::surroundings::Surroundings;
use crate::executables::build_one;
use crate::valgrind;

/// Share by which a count may grow; the same program twice differs by less than a hundredth of this.
const TOLERANCE: f64 = 0.03;

/// How new counts are accepted.
const UPDATE: &str = "cargo xtask instructions --update";

/// Fails if a case takes more instructions than kept.
pub(crate) fn compare_with_kept() -> Result<(), String> {
    if !valgrind::is_installed() {
        return Ok(());
    }
    let program = build_program()?;
    let kept = Counts::kept()?.ok_or_else(|| format!("no counts are kept yet: run `{UPDATE}`"))?;
    let now = count_all(&program, Some(&kept))?;
    if let Some(difference) = now.surroundings.difference_to(&kept.surroundings) {
        println!("    note: {difference}, so nothing is judged: `{UPDATE}` keeps counts of here");
        return Ok(());
    }
    judge(&now, &kept, &program)
}

/// Counts, and keeps what was counted.
pub(crate) fn keep() -> Result<(), String> {
    if !valgrind::is_installed() {
        return Ok(());
    }
    let program = build_program()?;
    // What cannot be read is replaced; the table is merely poorer for it.
    let kept = Counts::kept().unwrap_or_default();
    count_all(&program, kept.as_ref())?.keep()
}

fn build_program() -> Result<PathBuf, String> {
    build_one(&["build", "--release", "--package", "intron-cli"], "intron")
}

/// Counts every case and prints the table as it grows.
fn count_all(program: &Path, kept: Option<&Counts>) -> Result<Counts, String> {
    println!(
        "    {:<14}{:>28}{:>12}{:>10}",
        "case", "instructions per evaluation", "kept", "change"
    );
    let mut now = Counts { surroundings: Surroundings::here()?, cases: Vec::new() };
    for case in &CASES {
        let count = case.count(program)?;
        let before = kept.and_then(|kept| kept.of(case.name));
        println!("    {}", table_row(case.name, count, before));
        now.cases.push((case.name.to_owned(), count));
    }
    Ok(now)
}

fn table_row(name: &str, count: f64, kept: Option<f64>) -> String {
    let (kept, change) = match kept {
        Some(kept) => (format!("{kept:.1}"), format!("{:+.2} %", 100.0 * growth(count, kept))),
        None => ("-".to_owned(), "-".to_owned()),
    };
    format!("{name:<14}{count:>28.1}{kept:>12}{change:>10}")
}

/// Share by which a count is larger than the kept one.
fn growth(count: f64, kept: f64) -> f64 {
    count / kept - 1.0
}

/// What a count means beside the kept one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    NotKept,
    Grown,
    Shrunk,
    Alike,
}

fn verdict(count: f64, kept: Option<f64>) -> Verdict {
    match kept.map(|kept| growth(count, kept)) {
        None => Verdict::NotKept,
        Some(growth) if growth > TOLERANCE => Verdict::Grown,
        Some(growth) if growth < -TOLERANCE => Verdict::Shrunk,
        Some(_) => Verdict::Alike,
    }
}

/// Says what improved; the error names what did not.
fn judge(now: &Counts, kept: &Counts, program: &Path) -> Result<(), String> {
    let with = |wanted: Verdict| -> Vec<&Case> {
        let is_wanted = |case: &&Case| {
            now.of(case.name).is_some_and(|count| verdict(count, kept.of(case.name)) == wanted)
        };
        CASES.iter().filter(is_wanted).collect()
    };
    let names = |cases: &[&Case]| cases.iter().map(|case| case.name).collect::<Vec<_>>().join(", ");
    let (grown, shrunk, not_kept) =
        (with(Verdict::Grown), with(Verdict::Shrunk), with(Verdict::NotKept));
    if !shrunk.is_empty() {
        println!("    improved: {}; run `{UPDATE}`", names(&shrunk));
    }
    if let Some(first) = grown.first() {
        return Err(format!(
            "more than {} % more instructions than kept: {}\nto see where: callgrind_annotate {}\nto accept: {UPDATE}",
            100.0 * TOLERANCE,
            names(&grown),
            first.profile(program).display(),
        ));
    }
    if not_kept.is_empty() {
        return Ok(());
    }
    Err(format!("not kept yet: {}; run `{UPDATE}`", names(&not_kept)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_percent_pass_and_more_does_not() {
        assert_eq!(verdict(102.9, Some(100.0)), Verdict::Alike);
        assert_eq!(verdict(103.1, Some(100.0)), Verdict::Grown);
        assert_eq!(verdict(97.1, Some(100.0)), Verdict::Alike);
        assert_eq!(verdict(96.9, Some(100.0)), Verdict::Shrunk);
        assert_eq!(verdict(96.9, None), Verdict::NotKept);
    }

    #[test]
    fn a_row_tells_count_kept_and_change() {
        let words = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let row = table_row("node-5", 99.0, Some(100.0));
        assert_eq!(words(&row), ["node-5", "99.0", "100.0", "-1.00", "%"]);
        assert_eq!(words(&table_row("node-5", 99.0, None)), ["node-5", "99.0", "-", "-"]);
    }
}
