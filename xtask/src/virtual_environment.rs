//! Virtual environments of Python below the target folder, made once for each list of packages.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command::repository_root;
use crate::step::Verdict;

/// What pip says, in lower case, when it cannot reach a registry.
const UNREACHABLE: [&str; 4] =
    ["connection broken", "max retries exceeded", "failed to establish", "proxyerror"];

/// Where Python keeps its program in a virtual environment, and its name outside of one.
const PYTHON: [&str; 2] =
    if cfg!(windows) { ["Scripts/python.exe", "python"] } else { ["bin/python", "python3"] };

/// A folder with a Python and packages of its own.
pub(crate) struct VirtualEnvironment {
    folder: PathBuf,
}

/// Why there is no environment.
#[derive(Debug)]
pub(crate) enum Lack {
    /// The machine has no Python or no network: the step is skipped.
    Excused(String),
    /// Something is wrong with the repository.
    Failed(String),
}

impl Lack {
    /// How a step ends that cannot go on.
    pub(crate) fn verdict(self) -> Result<Verdict, String> {
        match self {
            Lack::Excused(reason) => Ok(Verdict::Skipped(reason)),
            Lack::Failed(reason) => Err(reason),
        }
    }
}

impl VirtualEnvironment {
    /// The environment of that name with these requirements, a file from the root of the repository; made unless it is
    /// there with these very requirements.
    pub(crate) fn with(name: &str, requirements: &str) -> Result<VirtualEnvironment, Lack> {
        let folder = target_folder().join(name);
        let requirements = repository_root().join(requirements);
        let list = fs::read_to_string(&requirements)
            .map_err(|error| Lack::Failed(format!("{}: {error}", requirements.display())))?;
        let (major, minor) = python_version()?;
        let wanted = format!("# Python {major}.{minor}\n{list}");
        let stamp = folder.join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(VirtualEnvironment { folder });
        }
        println!("    installing {} into {}", requirements.display(), folder.display());
        let environment = VirtualEnvironment::empty(name)?;
        environment.install(&[Path::new("--requirement"), &requirements])?;
        // Last, so that an environment that was not finished is made again.
        fs::write(&stamp, wanted)
            .map_err(|error| Lack::Failed(format!("{}: {error}", stamp.display())))?;
        Ok(environment)
    }

    /// A new environment of that name with pip alone.
    pub(crate) fn empty(name: &str) -> Result<VirtualEnvironment, Lack> {
        let folder = target_folder().join(name);
        let made = Command::new(PYTHON[1]).args(["-m", "venv", "--clear"]).arg(&folder).output();
        if !made.is_ok_and(|output| output.status.success()) {
            return Err(Lack::Excused(format!("`{} -m venv` does not work here", PYTHON[1])));
        }
        Ok(VirtualEnvironment { folder })
    }

    /// Its Python, which finds the environment's programs before all others.
    pub(crate) fn python(&self) -> Command {
        let python = self.folder.join(PYTHON[0]);
        let programs = python.parent().expect("the program lies in a folder").to_path_buf();
        let others = env::var_os("PATH").unwrap_or_default();
        let folders = [programs].into_iter().chain(env::split_paths(&others));
        let mut command = Command::new(python);
        command.env("VIRTUAL_ENV", &self.folder);
        command.env("PATH", env::join_paths(folders).unwrap_or(others.clone()));
        command
    }

    /// Calls `pip install` with these arguments.
    pub(crate) fn install(&self, arguments: &[&Path]) -> Result<(), Lack> {
        let mut pip = self.python();
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip.args(["--retries", "2"]).args(arguments);
        match pip.output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(judge_failure(&output)),
            Err(error) => Err(Lack::Failed(format!("pip could not be started: {error}"))),
        }
    }
}

/// Major and minor version of the Python that environments are made from.
pub(crate) fn python_version() -> Result<(u32, u32), Lack> {
    let question = "import sys; print(*sys.version_info[:2])";
    let answer = Command::new(PYTHON[1]).args(["-c", question]).output();
    let text = answer.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = text.ok().and_then(|text| {
        let (major, minor) = text.trim().split_once(' ')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    version.ok_or_else(|| Lack::Excused(format!("there is no `{}` here", PYTHON[1])))
}

/// Where cargo builds.
pub(crate) fn target_folder() -> PathBuf {
    repository_root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Without a network there is nothing to install; any other failure of pip is one of ours.
fn judge_failure(installation: &Output) -> Lack {
    let message = String::from_utf8_lossy(&installation.stderr);
    if is_unreachable(&message) {
        return Lack::Excused("pip cannot reach a package registry".to_owned());
    }
    Lack::Failed(format!("pip cannot install what is asked for:\n{message}"))
}

fn is_unreachable(message: &str) -> bool {
    let message = message.to_lowercase();
    UNREACHABLE.iter().any(|sign| message.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_network_is_an_excuse() {
        let retry =
            "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError'";
        assert!(is_unreachable(retry));
        assert!(!is_unreachable("ERROR: No matching distribution found for rliable==99"));
    }
}
