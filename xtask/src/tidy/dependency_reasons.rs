//! Reasons of dependencies: each one, or each group of them, stands under a comment that says why.

use super::finding::Finding;

/// Last part of the headers of tables that list dependencies.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Where in a manifest a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    /// A table whose keys are dependencies.
    Dependencies,
    /// A table of one dependency, `[dependencies.name]`.
    OneDependency,
    Other,
}

/// An entry of a manifest: a header, a comment, a blank line, or a key with its whole value.
#[derive(Debug)]
struct Entry {
    line: usize,
    text: String,
}

/// Reports dependencies without a reason; those within the workspace, given by path, need none.
pub(crate) fn check_reasons(manifest: &str) -> Vec<Finding> {
    let entries = entries_of(manifest);
    let mut table = Table::Other;
    let mut has_reason = false;
    let mut findings = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let text = entry.text.trim();
        if text.is_empty() {
            has_reason = false;
        } else if let Some(comment) = text.strip_prefix('#') {
            has_reason = comment.contains(char::is_alphabetic);
        } else if text.starts_with('[') {
            table = table_of(text);
            let needs_reason =
                table == Table::OneDependency && !is_path_table(&entries[index + 1..]);
            findings.extend(missing_reason(entry, needs_reason && !has_reason));
            has_reason = false;
        } else {
            let needs_reason = table == Table::Dependencies && !has_path(text);
            findings.extend(missing_reason(entry, needs_reason && !has_reason));
        }
    }
    findings
}

fn missing_reason(entry: &Entry, is_missing: bool) -> Option<Finding> {
    let name = entry.text.trim().split([' ', '=']).next().unwrap_or_default();
    is_missing.then(|| Finding::new(entry.line, format!("no comment above says why `{name}`")))
}

/// Joins the lines of values that run over several lines.
fn entries_of(manifest: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_open = false;
    for (index, line) in manifest.lines().enumerate() {
        match entries.last_mut() {
            Some(entry) if is_open => entry.text.push_str(line),
            _ => entries.push(Entry { line: index + 1, text: line.to_owned() }),
        }
        is_open = entries.last().is_some_and(|entry| has_open_bracket(&entry.text));
    }
    entries
}

fn has_open_bracket(text: &str) -> bool {
    if text.trim_start().starts_with('#') {
        return false;
    }
    let count = |brackets: [char; 2]| text.matches(brackets).count();
    count(['[', '{']) > count([']', '}'])
}

fn table_of(header: &str) -> Table {
    let name = header.split('#').next().unwrap_or_default().trim().trim_matches(['[', ']']);
    let parts: Vec<&str> = name.split('.').map(str::trim).collect();
    match parts.as_slice() {
        [.., last] if TABLES.contains(last) => Table::Dependencies,
        [.., before, _] if TABLES.contains(before) => Table::OneDependency,
        _ => Table::Other,
    }
}

/// True if a table, given by the entries after its header, has the key `path`.
fn is_path_table(entries: &[Entry]) -> bool {
    let keys = entries.iter().take_while(|entry| !entry.text.trim_start().starts_with('['));
    keys.into_iter().any(|entry| has_path(&entry.text))
}

/// True if an entry gives a path, as `path = …` alone or among other keys.
fn has_path(entry: &str) -> bool {
    entry.match_indices("path").any(|(offset, word)| {
        let is_key = entry[..offset].is_empty() || entry[..offset].ends_with(['{', ',', ' ', '.']);
        is_key && entry[offset + word.len()..].trim_start().starts_with('=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_without_reason(manifest: &str) -> Vec<usize> {
        check_reasons(manifest).iter().map(|finding| finding.line).collect()
    }

    const NONE: [usize; 0] = [];

    #[test]
    fn a_comment_gives_the_reason_of_its_group() {
        let manifest = "[dependencies]\n# random numbers\nrand = \"1\"\nrand_core = \"1\"\n";
        assert_eq!(lines_without_reason(manifest), NONE);
    }

    #[test]
    fn a_blank_line_ends_the_group() {
        let manifest = "[dependencies]\n# random numbers\nrand = \"1\"\n\nserde = \"1\"\n";
        assert_eq!(lines_without_reason(manifest), [5]);
    }

    #[test]
    fn every_kind_of_dependency_needs_a_reason() {
        assert_eq!(lines_without_reason("[dev-dependencies]\na = \"1\"\n"), [2]);
        assert_eq!(lines_without_reason("[build-dependencies]\na = \"1\"\n"), [2]);
        assert_eq!(lines_without_reason("[target.'cfg(unix)'.dependencies]\na = \"1\"\n"), [2]);
        assert_eq!(lines_without_reason("[dependencies.a]\nversion = \"1\"\n"), [1]);
    }

    #[test]
    fn paths_within_the_workspace_need_no_reason() {
        assert_eq!(lines_without_reason("[dependencies]\na = { path = \"../a\" }\n"), NONE);
        assert_eq!(lines_without_reason("[dependencies.a]\npath = \"../a\"\n"), NONE);
        assert_eq!(lines_without_reason("[dependencies]\nfilepath = \"1\"\n"), [2]);
    }

    #[test]
    fn a_value_over_several_lines_is_one_dependency() {
        let manifest = "[dependencies]\n# why\na = { version = \"1\", features = [\n    \"b\",\n\n] }\nc = \"1\"\n";
        assert_eq!(lines_without_reason(manifest), NONE);
    }

    #[test]
    fn other_tables_are_left_alone() {
        assert_eq!(lines_without_reason("[package]\nname = \"a\"\n[[bin]]\nname = \"b\"\n"), NONE);
    }

    #[test]
    fn an_empty_comment_is_no_reason() {
        assert_eq!(lines_without_reason("[dependencies]\n#\na = \"1\"\n"), [3]);
    }
}
