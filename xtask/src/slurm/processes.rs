//! Processes of the test's own cluster, told from all others by what stands in their environment.

use std::fs;
use std::process::{Command, Stdio};

/// A process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) id: u32,
    /// Its parent's number.
    pub(crate) parent: u32,
    /// The name of its program, at most 15 characters.
    pub(crate) name: String,
}

/// Processes in whose environment all these entries, `NAME=value`, stand. Ended ones have none.
pub(crate) fn with_environment(entries: &[&str]) -> Vec<Process> {
    let Ok(folders) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = folders.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id: &u32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let has = |entry: &&str| environment.split(|&b| b == 0).any(|e| e == entry.as_bytes());
        entries.iter().all(has)
    })
    .filter_map(process)
    .collect()
}

/// What is known of a process; nothing if it is gone.
pub(crate) fn process(id: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in brackets and may hold anything; then come the state and the parent.
    let (before, after) = stat.rsplit_once(") ")?;
    let parent = after.split(' ').nth(1)?.parse().ok()?;
    Some(Process { id, parent, name: before.split_once('(')?.1.to_owned() })
}

/// Ends a process as a failing machine would: at once, without a word.
pub(crate) fn kill(id: u32) {
    let mut command = Command::new("kill");
    let _ = command.args(["-9", &id.to_string()]).stderr(Stdio::null()).status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_by_its_environment_and_killed() {
        let entry = format!("INTRON_XTASK_TEST={}", std::process::id());
        let mut command = Command::new("sleep");
        let (name, value) = entry.split_once('=').unwrap();
        let Ok(mut child) = command.arg("60").env(name, value).spawn() else { return };
        // Until it has become another program, a child may show the environment of its parent.
        let found = || with_environment(&[&entry]).into_iter().find(|found| found.name == "sleep");
        let found = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            found()
        });
        kill(child.id());
        child.wait().unwrap();
        let expected =
            Process { id: child.id(), parent: std::process::id(), name: "sleep".to_owned() };
        assert_eq!(found, Some(expected));
    }
}
