//! Modules: purpose lines, names that say something, and `mod.rs` files without definitions.

use std::path::Path;

use super::finding::{Finding, line_of_offset};

/// Names of roles instead of things: such a file cannot be found, it only grows.
const FORBIDDEN_NAMES: [&str; 9] =
    ["utils", "common", "helpers", "misc", "types", "algorithm", "core", "base", "manager"];

/// Reports a file that does not start with its purpose.
pub(crate) fn check_purpose_line(source: &str) -> Vec<Finding> {
    let purpose = source.lines().next().and_then(|line| line.strip_prefix("//!"));
    if purpose.is_some_and(|text| !text.trim().is_empty()) {
        return Vec::new();
    }
    vec![Finding::new(1, "file does not start with a purpose line `//! …`")]
}

/// Reports a module with a forbidden name; the module of a `mod.rs` is named by its folder.
pub(crate) fn check_name(path: &Path) -> Vec<Finding> {
    let is_folder_module = path.file_name().is_some_and(|name| name == "mod.rs");
    let named = if is_folder_module { path.parent().unwrap_or(path) } else { path };
    let name = named.file_stem().unwrap_or_default().to_string_lossy();
    if !FORBIDDEN_NAMES.contains(&name.as_ref()) {
        return Vec::new();
    }
    vec![Finding::new(1, format!("`{name}` names a role; name the file for the thing in it"))]
}

/// Reports the first definition in a `mod.rs`; `code` is the code view of the file.
pub(crate) fn check_folder_module(code: &str) -> Vec<Finding> {
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        let Some(length) = allowed_item_length(rest) else {
            let line = line_of_offset(code, code.len() - rest.len());
            return vec![Finding::new(line, "only attributes, `mod …;` and `use …;` in a mod.rs")];
        };
        rest = rest[length..].trim_start();
    }
    Vec::new()
}

/// Length of the attribute, `mod` line or `use` line at the start; nothing for anything else.
fn allowed_item_length(text: &str) -> Option<usize> {
    if text.starts_with("#[") || text.starts_with("#![") {
        return attribute_length(text);
    }
    let item = &text[..=text.find(';')?];
    let without_visibility = strip_visibility(item);
    let is_module = without_visibility.starts_with("mod ") && !item.contains('{');
    let is_use = without_visibility.starts_with("use ");
    (is_module || is_use).then_some(item.len())
}

fn attribute_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(offset + 1),
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The item without `pub` or `pub(…)`.
fn strip_visibility(item: &str) -> &str {
    let Some(rest) = item.strip_prefix("pub") else {
        return item;
    };
    let scope_length =
        if rest.starts_with('(') { rest.find(')').map_or(0, |end| end + 1) } else { 0 };
    rest[scope_length..].trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_purpose_comes_first() {
        assert_eq!(check_purpose_line("//! Purpose.\n\nfn f() {}\n"), []);
        assert_eq!(check_purpose_line("use std::fs;\n//! Purpose.\n").len(), 1);
        assert_eq!(check_purpose_line("//!\n").len(), 1);
        assert_eq!(check_purpose_line("").len(), 1);
    }

    #[test]
    fn names_of_roles_are_refused() {
        assert_eq!(check_name(Path::new("src/upgma.rs")), []);
        assert_eq!(check_name(Path::new("src/utils.rs")).len(), 1);
        assert_eq!(check_name(Path::new("tests/common/mod.rs")).len(), 1);
        assert_eq!(check_name(Path::new("core/upgma.rs")), []);
    }

    #[test]
    fn a_folder_module_lists_and_exports() {
        let code = "#[cfg(test)]\nmod a;\npub(crate) mod b;\npub use b::{\n    C,\n    D,\n};\n";
        assert_eq!(check_folder_module(code), []);
    }

    #[test]
    fn a_folder_module_defines_nothing() {
        assert_eq!(check_folder_module("mod a;\n\nfn f() {}\n")[0].line, 3);
        assert_eq!(check_folder_module("mod a {\n    use super::B;\n}\n")[0].line, 1);
        assert_eq!(check_folder_module("mod a;\npub const B: u8 = 1;\n")[0].line, 2);
    }
}
