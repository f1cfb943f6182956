//! Applies every rule to every file of the repository and prints what is wrong.

use std::fs;
use std::path::Path;

use super::dependency_reasons::check_reasons;
use super::finding::Finding;
use super::leftovers::check_leftovers;
use super::lengths::{check_file_length, check_function_lengths};
use super::modules::{check_folder_module, check_name, check_purpose_line};
use super::source_views::SourceViews;
use super::text_form::{check_tabs, check_text};
use super::tracked_files::list_files;

/// Prints each finding with file and line; an error says how many there are.
pub(crate) fn check_repository(root: &Path) -> Result<(), String> {
    let files = list_files(root)?;
    let mut n_findings = 0;
    for file in &files {
        let content = fs::read(root.join(file))
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        for finding in check_file(file, &content) {
            println!("{}:{}: {}", file.display(), finding.line, finding.message);
            n_findings += 1;
        }
    }
    match n_findings {
        0 => {
            println!("    {} files are tidy", files.len());
            Ok(())
        }
        n => Err(format!("tidy found {n} faults in {} files", files.len())),
    }
}

/// All findings in one file; a file that is not text has none.
fn check_file(path: &Path, content: &[u8]) -> Vec<Finding> {
    let Some(text) = str::from_utf8(content).ok().filter(|text| !text.contains('\0')) else {
        return Vec::new();
    };
    let mut findings = check_text(text);
    if path.extension().is_some_and(|extension| extension == "rs") {
        findings.extend(check_rust(path, text));
    }
    if path.file_name().is_some_and(|name| name == "Cargo.toml") {
        findings.extend(check_reasons(text));
    }
    findings.sort_by_key(|finding| finding.line);
    findings
}

fn check_rust(path: &Path, source: &str) -> Vec<Finding> {
    let views = SourceViews::of(source);
    let mut findings = check_purpose_line(source);
    findings.extend(check_name(path));
    findings.extend(check_tabs(source));
    findings.extend(check_leftovers(&views));
    findings.extend(check_function_lengths(&views.code));
    // A file of unit tests is the `#[cfg(test)]` tail of its module, moved out.
    if path.file_name().is_none_or(|name| name != "tests.rs") {
        findings.extend(check_file_length(&views.code));
    }
    // Under `tests` a `mod.rs` is how test files share code.
    let is_shared_test_code = path.components().any(|part| part.as_os_str() == "tests");
    if path.file_name().is_some_and(|name| name == "mod.rs") && !is_shared_test_code {
        findings.extend(check_folder_module(&views.code));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tidy_file_has_no_findings() {
        let source = b"//! Purpose.\n\nfn f() {\n    g('{');\n}\n";
        assert_eq!(check_file(Path::new("src/f.rs"), source), []);
    }

    #[test]
    fn rules_for_rust_apply_to_rust_only() {
        assert_eq!(check_file(Path::new("utils.py"), b"\tTODO\n"), []);
        assert_eq!(check_file(Path::new("utils.rs"), b"\t// TODO\n").len(), 4);
    }

    #[test]
    fn what_is_not_text_is_not_looked_at() {
        assert_eq!(check_file(Path::new("a.png"), b"\x89PNG \n\0"), []);
    }

    #[test]
    fn manifests_are_asked_for_reasons() {
        assert_eq!(check_file(Path::new("a/Cargo.toml"), b"[dependencies]\na = \"1\"\n").len(), 1);
    }
}
