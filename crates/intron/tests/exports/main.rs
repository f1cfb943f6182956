//! Exported formulas run in their languages and give what the library gives. Languages that are not installed are skipped
//! with a line that says so; `cargo xtask exports` shows these lines.

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
    report("sympy", scripts::sympy());
}

#[test]
fn runs_in_javascript() {
    report("javascript", scripts::javascript());
}

#[test]
fn runs_in_julia() {
    report("julia", scripts::julia());
}

#[test]
fn runs_in_r() {
    report("r", scripts::r());
}

#[test]
fn runs_in_octave() {
    report("matlab", scripts::octave());
}

#[test]
fn runs_in_sqlite() {
    report("sql, SQLite", databases::sqlite());
}

#[test]
fn runs_in_postgresql() {
    report("sql, PostgreSQL", databases::postgresql());
}

#[test]
fn runs_in_libreoffice() {
    report("excel, LibreOffice", sheets::libreoffice());
}
