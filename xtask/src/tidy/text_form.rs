//! Form of text files: line ends, tabs, and no paths that exist on one machine only.

use super::finding::Finding;

/// First folders of absolute paths that belong to one machine.
const MACHINE_FOLDERS: [&str; 3] = ["home", "root", "work"];

/// Reports trailing blanks, a missing newline at the end, and machine paths.
pub(crate) fn check_text(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        if line.ends_with(char::is_whitespace) {
            findings.push(Finding::new(index + 1, "blanks at the end of the line"));
        }
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| has_machine_path(line, folder)) {
            findings
                .push(Finding::new(index + 1, format!("path of one machine, below `/{folder}`")));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        findings.push(Finding::new(text.lines().count(), "no newline at the end of the file"));
    }
    findings
}

/// Reports tabs.
pub(crate) fn check_tabs(text: &str) -> Vec<Finding> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.contains('\t'));
    lines.map(|(index, _)| Finding::new(index + 1, "tab instead of blanks")).collect()
}

/// True for an absolute path; a folder of that name further down, or in an address, is no fault.
fn has_machine_path(line: &str, folder: &str) -> bool {
    let continues_path =
        |character: char| character.is_alphanumeric() || "._-~}".contains(character);
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(offset, _)| !line[..offset].ends_with(continues_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(findings: &[Finding]) -> Vec<usize> {
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn blanks_at_the_end_of_a_line_are_found() {
        assert_eq!(lines(&check_text("a\nb \nc\n")), [2]);
        assert_eq!(lines(&check_text("a\r\n")), [1]);
    }

    #[test]
    fn a_file_ends_with_a_newline_unless_it_is_empty() {
        assert_eq!(lines(&check_text("a\nb")), [2]);
        assert_eq!(check_text(""), []);
    }

    #[test]
    fn absolute_paths_of_a_machine_are_found() {
        for folder in MACHINE_FOLDERS {
            assert_eq!(lines(&check_text(&format!("a\nopen(\"/{folder}/x\")\n"))), [2]);
            assert_eq!(check_text(&format!("see docs/{folder}/x\n")), []);
        }
    }

    #[test]
    fn tabs_are_found() {
        assert_eq!(lines(&check_tabs("a\n\tb\n")), [2]);
    }
}
