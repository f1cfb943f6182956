//! `cargo xtask python`: the Python package, installed as users do, against the newest and the oldest packages it works with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::command::{repository_root, run_command};
use crate::executables::build_one;
use crate::step::Verdict;
use crate::virtual_environment::{Lack, VirtualEnvironment, python_version, target_folder};

/// Packages of the two rounds.
const NEWEST: &str = "python/tests/requirements-newest.txt";
const OLDEST: &str = "python/tests/requirements-oldest.txt";

/// All tests, and the examples in the documentation of the package that is installed.
const TESTS_WITH_NEWEST: [&str; 3] = ["tests", "--pyargs", "intron"];

/// The tests that are run with the oldest packages: the estimator's manners, and what crosses the border.
const TESTS_WITH_OLDEST: [&str; 6] = [
    "tests/test_estimator_checks.py",
    "tests/test_border.py",
    "tests/test_signals.py",
    "tests/test_names.py",
    "tests/test_same_as_cli.py",
    "tests/test_arguments.py",
];

/// The first Python that the package works with, and the first that has no wheels of the oldest packages.
const FIRST_PYTHON: (u32, u32) = (3, 10);
const FIRST_WITHOUT_OLDEST: (u32, u32) = (3, 13);

/// A test that takes as many seconds hangs: it says where, and ends the round.
const PATIENCE: [&str; 2] = ["faulthandler_timeout=900", "faulthandler_exit_on_timeout=true"];

/// Tells the tests where the command line is.
const COMMAND_LINE: &str = "INTRON_COMMAND";

/// Builds, installs and tests the package; skipped where there is no Python or no network.
pub(crate) fn test() -> Result<Verdict, String> {
    let version = match python_version() {
        Ok(version) if version >= FIRST_PYTHON => version,
        Ok((major, minor)) => {
            let reason = format!("Python {major}.{minor} is too old, the package needs 3.10");
            return Ok(Verdict::Skipped(reason));
        }
        Err(lack) => return lack.verdict(),
    };
    let (newest, oldest) = environments(version);
    let newest = match newest {
        Ok(newest) => newest,
        Err(lack) => return lack.verdict(),
    };
    let wheel = build_wheel(&newest)?;
    let command_line = build_one(&["build", "--package", "intron-cli"], "intron")?;
    let tests = Tests { wheel, command_line };
    match oldest {
        Ok(oldest) => tests.run_with_both(&newest, &oldest)?,
        Err(Lack::Excused(reason)) => {
            println!("    oldest packages skipped: {reason}");
            run_command(&mut tests.with(&newest, &TESTS_WITH_NEWEST)?)?;
        }
        Err(Lack::Failed(reason)) => return Err(reason),
    }
    Ok(Verdict::Passed)
}

type Environment = Result<VirtualEnvironment, Lack>;

/// Both environments, made at the same time.
fn environments(version: (u32, u32)) -> (Environment, Environment) {
    thread::scope(|scope| {
        let oldest = scope.spawn(|| oldest_environment(version));
        let newest = VirtualEnvironment::with("python-newest", NEWEST);
        (newest, oldest.join().expect("making an environment does not panic"))
    })
}

fn oldest_environment(version: (u32, u32)) -> Environment {
    if version >= FIRST_WITHOUT_OLDEST {
        let (major, minor) = version;
        return Err(Lack::Excused(format!("they have no wheels for Python {major}.{minor}")));
    }
    VirtualEnvironment::with("python-oldest", OLDEST)
}

/// Builds the package with the profile of tests, so that what cargo has built already is used again.
fn build_wheel(environment: &VirtualEnvironment) -> Result<PathBuf, String> {
    let folder = empty_folder("python-wheels")?;
    let mut maturin = environment.python();
    maturin.args(["-m", "maturin", "build", "--quiet", "--locked", "--profile", "dev"]);
    maturin.args(["--compatibility", "linux"].iter().filter(|_| cfg!(target_os = "linux")));
    maturin.arg("--target-dir").arg(target_folder()).arg("--out").arg(&folder);
    run_command(maturin.current_dir(package_folder()))?;
    let mut files = fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let wheel = files.find_map(|file| Some(file.ok()?.path()));
    wheel.ok_or_else(|| format!("{}: maturin has put no wheel there", folder.display()))
}

/// A folder of that name below the target folder, without what it had in it.
pub(crate) fn empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = target_folder().join(name);
    let emptied = if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
    let made = emptied.and_then(|()| fs::create_dir_all(&folder));
    made.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Where `pyproject.toml` is.
pub(crate) fn package_folder() -> PathBuf {
    repository_root().join("python")
}

/// What is tested.
struct Tests {
    wheel: PathBuf,
    command_line: PathBuf,
}

impl Tests {
    /// Runs both rounds at the same time, each on a core of its own; the oldest packages are heard after the newest.
    fn run_with_both(
        &self,
        newest: &VirtualEnvironment,
        oldest: &VirtualEnvironment,
    ) -> Result<(), String> {
        let mut with_newest = self.with(newest, &TESTS_WITH_NEWEST)?;
        let mut with_oldest = self.with(oldest, &TESTS_WITH_OLDEST)?;
        thread::scope(|scope| {
            let second = scope.spawn(move || with_oldest.output());
            let first = run_command(&mut with_newest);
            let second = second.join().expect("calling pytest does not panic");
            let second = second.map_err(|error| format!("pytest could not be started: {error}"))?;
            print!("with the oldest packages:\n{}", String::from_utf8_lossy(&second.stdout));
            first?;
            let errors = String::from_utf8_lossy(&second.stderr);
            let complaint = || format!("pytest ended with {}\n{errors}", second.status);
            second.status.success().then_some(()).ok_or_else(complaint)
        })
    }

    /// Installs the package and returns a call of pytest with these arguments.
    fn with(
        &self,
        environment: &VirtualEnvironment,
        arguments: &[&str],
    ) -> Result<Command, String> {
        let options = ["--no-deps", "--no-index", "--force-reinstall"].map(Path::new);
        let installed = environment.install(&[&options[..], &[&self.wheel]].concat());
        installed.map_err(|lack| format!("the package cannot be installed: {lack:?}"))?;
        let mut pytest = environment.python();
        pytest.args(["-m", "pytest", "-rs", "-p", "no:cacheprovider"]);
        pytest.args(PATIENCE.iter().flat_map(|option| ["-o", option])).args(arguments);
        pytest.env(COMMAND_LINE, &self.command_line).current_dir(package_folder());
        Ok(pytest)
    }
}
