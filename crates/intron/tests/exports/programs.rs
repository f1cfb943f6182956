//! Other programs, in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("intron-exports-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a new folder");
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("a new folder");
        fs::write(path, text).expect("a new file");
    }

    /// Runs a program in the folder and returns what it prints; the error is what it says instead.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        let output = command.output().map_err(|error| format!("{program}: {error}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if !output.status.success() {
            let (printed, said) = (text(&output.stdout), text(&output.stderr));
            return Err(format!("{program} ended with {}: {said}{printed}", output.status));
        }
        Ok(text(&output.stdout))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is left behind harms nothing.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The first line of what a program says about itself; nothing if it is not installed.
pub(crate) fn version(program: &str, flag: &str) -> Option<String> {
    let output = Command::new(program).arg(flag).stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// One number per line; what is no number counts as NaN.
pub(crate) fn numbers(printed: &str) -> Vec<f64> {
    printed.lines().map(|line| line.trim().parse().unwrap_or(f64::NAN)).collect()
}
