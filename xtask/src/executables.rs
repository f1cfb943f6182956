//! Executables: where cargo puts what it builds.

use std::path::PathBuf;
use std::process::Stdio;

use crate::command::cargo;

/// Something built that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Executable {
    /// Name of the target: the package's for its binary or unit tests, the file's for other tests.
    pub(crate) name: String,
    /// Where it lies.
    pub(crate) path: PathBuf,
}

/// Builds with these arguments of cargo and returns the executable of that name.
pub(crate) fn build_one(arguments: &[&str], name: &str) -> Result<PathBuf, String> {
    let executables = build(arguments)?;
    let found = executables.into_iter().find(|executable| executable.name == name);
    found
        .map(|executable| executable.path)
        .ok_or_else(|| format!("`cargo {}` has built no executable `{name}`", arguments.join(" ")))
}

/// Builds with these arguments of cargo and returns every executable that comes out.
fn build(arguments: &[&str]) -> Result<Vec<Executable>, String> {
    let mut command = cargo(arguments);
    command.args(["--quiet", "--message-format=json-render-diagnostics"]).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`cargo {}` ended with {}", arguments.join(" "), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(executable_of).collect())
}

/// Reads one message of cargo, a JSON object on one line; most tell of libraries.
fn executable_of(message: &str) -> Option<Executable> {
    let target = &message[message.find("\"target\":{")?..];
    Some(Executable {
        name: text_after(target, "\"name\":\"")?.to_owned(),
        path: PathBuf::from(text_after(target, "\"executable\":\"")?.replace(r"\\", r"\")),
    })
}

/// What stands between a key and the next quote, which names and paths never contain.
fn text_after<'a>(message: &'a str, key: &str) -> Option<&'a str> {
    let start = message.find(key)? + key.len();
    message[start..].split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_executable_is_found_by_the_name_of_its_target() {
        let message = r#"{"reason":"compiler-artifact","package_id":"path+file:///a#0.1.0","target":{"kind":["test"],"name":"properties","src_path":"/a/main.rs"},"executable":"/t/properties-1","fresh":true}"#;
        let expected =
            Executable { name: "properties".to_owned(), path: PathBuf::from("/t/properties-1") };
        assert_eq!(executable_of(message), Some(expected));
    }

    #[test]
    fn a_library_is_no_executable() {
        let message = r#"{"target":{"kind":["lib"],"name":"a"},"executable":null,"fresh":true}"#;
        assert_eq!(executable_of(message), None);
        assert_eq!(executable_of(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
