//! `cargo xtask exports`: exported formulas run in every language that is installed, one line each.

use crate::command::cargo;
use crate::step::Verdict;

/// The tests, one after the other.
const TESTS: [&str; 9] = [
    "test",
    "--package",
    "intron",
    "--test",
    "exports",
    "--",
    "--nocapture",
    "--test-threads=1",
    "runs_in_",
];

/// What the line of a language starts with.
const MARK: &str = "exports: ";

/// Runs the tests and shows the line of each language; everything, if one of them failed.
pub(crate) fn run() -> Result<Verdict, String> {
    let output = cargo(&TESTS).output().map_err(|error| format!("cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = lines_of_languages(&text);
    for line in &lines {
        println!("    {line}");
    }
    if !output.status.success() {
        eprintln!("{text}{}", String::from_utf8_lossy(&output.stderr));
        return Err("exported formulas do not run, or give other values".to_owned());
    }
    match lines.len() {
        0 => Err("the tests have told of no language".to_owned()),
        _ => Ok(Verdict::Passed),
    }
}

fn lines_of_languages(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once(MARK)).map(|(_, rest)| rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_line_after_the_name_of_the_test() {
        let text =
            "running 2 tests\ntest runs_in_c ... exports: c: passed\nok\nexports: r: skipped\n";
        assert_eq!(lines_of_languages(text), ["c: passed", "r: skipped"]);
    }
}
