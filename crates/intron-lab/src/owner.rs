//! Who made a file: the machine and the process are part of its name, and whether they still work on it can be told.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// A name for files of this process.
pub(crate) fn own_name() -> String {
    format!("{}.{}", host(), own_process())
}

/// Whether the process that made a file is still there, as far as that can be known. On another machine it can not, so there
/// a file counts as left behind once nobody has touched it for so long.
pub(crate) fn is_owned(path: &Path, patience: Duration) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut parts = name.rsplit('.').skip(1);
    let (process, machine) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if machine == host() && Path::new("/proc/self").exists() {
        return process == own_process() || is_alive(process);
    }
    let age = fs::metadata(path).and_then(|data| data.modified()).ok();
    age.and_then(|at| SystemTime::now().duration_since(at).ok()).is_none_or(|age| age < patience)
}

/// Whether a process is there and has not ended: with its number, its start and the start of the machine, since numbers come
/// again. One that has ended may stay listed where nobody waits for it.
fn is_alive(process: &str) -> bool {
    let number = process.split('-').next().unwrap_or_default();
    process_name(number).is_some_and(|name| name == process)
}

/// Found out once: a file must be known by the same name when it is removed, even if nothing can be read by then.
fn own_process() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let number = std::process::id().to_string();
        process_name(&number).unwrap_or(number)
    })
}

/// Number and start of a process, and the start of the machine; none if it has ended or nothing can be known.
fn process_name(number: &str) -> Option<String> {
    let stat = fs::read_to_string(Path::new("/proc").join(number).join("stat")).ok()?;
    // The state comes after the name, which is in brackets and may hold anything; the start is the 20th field from there.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    let start = fields.nth(18)?;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Some(format!("{number}-{start}-{}", boot.get(..8).unwrap_or_default()))
}

/// The name of this machine, with nothing in it that a file name cannot have; found out once as well.
pub(crate) fn host() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let name = fs::read_to_string("/proc/sys/kernel/hostname")
            .ok()
            .or_else(|| std::env::var("HOSTNAME").ok())
            .or_else(|| std::env::var("COMPUTERNAME").ok())
            .unwrap_or_else(|| "unknown".to_owned());
        let is_tame = |c: char| c.is_ascii_alphanumeric() || c == '-';
        name.trim().chars().map(|c| if is_tame(c) { c } else { '-' }).collect()
    })
}
