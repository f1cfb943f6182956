//! Counts of all cases, and the file that keeps them.

use std::fs;
use std::path::PathBuf;

use super::surroundings::Surroundings;
use crate::command::repository_root;

/// First lines of the file.
const HEADER: &str = "\
# Instructions per evaluation, start and end of the program included, as `cargo xtask instructions --update` counts them.
";

/// Instructions per evaluation of each case, and where they were counted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Counts {
    /// Compiler and processor.
    pub(crate) surroundings: Surroundings,
    /// Name of a case and its count, in the order of the table.
    pub(crate) cases: Vec<(String, f64)>,
}

impl Counts {
    /// Reads the file; nothing if there is none yet.
    pub(crate) fn kept() -> Result<Option<Counts>, String> {
        if !path().is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(path());
        let text = text.map_err(|error| format!("{}: {error}", path().display()))?;
        let counts = Counts::from_text(&text);
        counts.map(Some).map_err(|line| format!("{}: cannot read `{line}`", path().display()))
    }

    /// Writes the file.
    pub(crate) fn keep(&self) -> Result<(), String> {
        fs::write(path(), self.to_text()).map_err(|error| format!("{}: {error}", path().display()))
    }

    /// The count of a case.
    pub(crate) fn of(&self, case: &str) -> Option<f64> {
        self.cases.iter().find(|(name, _)| name == case).map(|(_, count)| *count)
    }

    fn to_text(&self) -> String {
        let Surroundings { rustc, vectors } = &self.surroundings;
        let mut text =
            format!("{HEADER}{:<14}{rustc:>10}\n{:<14}{vectors:>10}\n", "rustc", "vectors");
        for (name, count) in &self.cases {
            text.push_str(&format!("{name:<14}{count:>10.1}\n"));
        }
        text
    }

    /// Reads what `to_text` writes; the error is the first line that is wrong.
    fn from_text(text: &str) -> Result<Counts, String> {
        let surroundings = Surroundings { rustc: String::new(), vectors: String::new() };
        let mut counts = Counts { surroundings, cases: Vec::new() };
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for line in lines {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["rustc", version] => counts.surroundings.rustc = (*version).to_owned(),
                ["vectors", name] => counts.surroundings.vectors = (*name).to_owned(),
                [name, count] => {
                    let count = count.parse().map_err(|_| line.to_owned())?;
                    counts.cases.push(((*name).to_owned(), count));
                }
                _ => return Err(line.to_owned()),
            }
        }
        Ok(counts)
    }
}

fn path() -> PathBuf {
    repository_root().join("xtask/instructions.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let surroundings = Surroundings { rustc: "1.95.0".to_owned(), vectors: "avx2".to_owned() };
        let cases = vec![("node-5".to_owned(), 10684.5), ("node-7".to_owned(), 2.0)];
        let counts = Counts { surroundings, cases };
        assert_eq!(Counts::from_text(&counts.to_text()), Ok(counts.clone()));
        assert_eq!(counts.of("node-7"), Some(2.0));
        assert_eq!(counts.of("node-9"), None);
    }

    #[test]
    fn a_wrong_line_is_named() {
        assert_eq!(Counts::from_text("# fine\nnode-5 many\n"), Err("node-5 many".to_owned()));
        assert_eq!(Counts::from_text("node-5\n"), Err("node-5".to_owned()));
    }
}
