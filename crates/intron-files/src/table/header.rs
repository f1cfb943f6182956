//! The names of columns: whether a first row holds them, and whether they can be used.

use std::collections::HashMap;

use super::number::{Refusal, parse_number};
use super::shown::shown;

/// A name that cannot be used.
pub(super) struct NameFlaw {
    pub(super) column: usize,
    /// What is wrong and how to mend it.
    pub(super) what: String,
}

/// Whether a cell of the first row shows that the row holds names.
pub(super) fn is_name(text: &str) -> bool {
    parse_number(text) == Err(Refusal::Text)
}

/// The first name that cannot be used, if there is one.
pub(super) fn flaw(names: &[impl AsRef<str>]) -> Option<NameFlaw> {
    let mut seen = HashMap::new();
    for (column, name) in names.iter().map(AsRef::as_ref).enumerate() {
        let twin = seen.insert(name, column);
        if let Some(what) = what_is_wrong(name, column + 1 == names.len(), twin) {
            return Some(NameFlaw { column, what });
        }
    }
    None
}

fn what_is_wrong(name: &str, is_last: bool, twin: Option<usize>) -> Option<String> {
    let shown_name = shown(name);
    if name.contains(char::is_control) {
        return Some(format!(
            "the name `{shown_name}` holds a control character; rename the column"
        ));
    }
    if name.trim().is_empty() {
        let mend = if is_last {
            "name the column, or, if every line ends with a separator, remove that separator"
        } else {
            "name the column or remove it (an index of pandas: index=False when writing)"
        };
        return Some(format!("the header has no name here; {mend}"));
    }
    twin.map(|twin| {
        format!("the name `{shown_name}` is also that of column {}; rename one", twin + 1)
    })
}
