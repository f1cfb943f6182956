//! Exported formulas run in their languages and give what the library gives. Languages that are not installed are skipped
//! with a line that says so. `cargo xtask exports` runs all; the ordinary tests only C, Rust and Python.

#![allow(clippy::print_stdout, reason = "one line for each language is what a reader wants")]

mod cases;
mod programs;
mod compiled;
mod scripts;
mod databases;
mod sheets;
mod snapshots;

use cases::Verdict;

/// Prints one line for a language; `cargo xtask exports` shows those that start like this.
fn report(language: &str, verdict: Verdict) {
    println!("exports: {language}: {verdict}");
    assert!(!matches!(verdict, Verdict::Failed(_)), "{language}: {verdict}");
}

/// For languages that take a while or are seldom installed: run with `INTRON_EXPORTS=all`.
fn report_if_asked(language: &str, run: fn() -> Verdict) {
    let is_asked = std::env::var_os("INTRON_EXPORTS").is_some_and(|value| value == "all");
    let left_out = || Verdict::Skipped("`cargo xtask exports` runs it".to_owned());
    report(language, if is_asked { run() } else { left_out() });
}

#[test]
fn runs_in_c() {
    report("c", compiled::c());
}

#[test]
fn runs_in_rust() {
    report("rust", compiled::rust());
}

#[test]
fn runs_in_python_with_numpy() {
    report("python", scripts::python());
}

#[test]
fn runs_in_sympy() {
    report_if_asked("sympy", scripts::sympy);
}

#[test]
fn runs_in_javascript() {
    report_if_asked("javascript", scripts::javascript);
}

#[test]
fn runs_in_julia() {
    report_if_asked("julia", scripts::julia);
}

#[test]
fn runs_in_r() {
    report_if_asked("r", scripts::r);
}

#[test]
fn runs_in_octave() {
    report_if_asked("matlab", scripts::octave);
}

#[test]
fn runs_in_sqlite() {
    report_if_asked("sql, SQLite", databases::sqlite);
}

#[test]
fn runs_in_postgresql() {
    report_if_asked("sql, PostgreSQL", databases::postgresql);
}

#[test]
fn runs_in_libreoffice() {
    report_if_asked("excel, LibreOffice", sheets::libreoffice);
}
