//! What is broken, and what must hold all the same: every record is there after at most one resubmission, with the right result.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::cluster::{Cluster, NODES, missing_program};
use super::processes::kill;
use crate::executables::build_one;

/// A small plan on built-in data: 48 runs of about a second.
const PLAN: [&str; 7] =
    ["smoke", "--set", "repeats=3", "--set", "data=airfoil", "--set", "budget.evaluations=6e5"];
const N_RUNS: usize = 48;

/// So long may a disturbed experiment last.
const PATIENCE: Duration = Duration::from_secs(300);

/// What is done to a cluster at work, and what must hold.
struct Scenario {
    name: &'static str,
    /// More lines for the cluster's configuration.
    configuration: &'static str,
    /// How the work is submitted.
    flags: &'static [&'static str],
    /// What happens once there are some records in the folder.
    disturb: fn(&mut Cluster, &Path) -> Result<(), String>,
    /// Number of shards at the end, and how often some were submitted again.
    expected: (usize, RangeInclusive<usize>),
}

/// Nothing happens, and all is done at the first try.
const UNDISTURBED: Scenario = Scenario {
    name: "undisturbed",
    configuration: "",
    flags: &["--shards", "12"],
    disturb: |_, _| Ok(()),
    expected: (12, 0..=0),
};

const SCENARIOS: [Scenario; 7] = [
    UNDISTURBED,
    Scenario { name: "task-killed", disturb: kill_task, expected: (12, 1..=1), ..UNDISTURBED },
    Scenario { name: "node-killed", disturb: kill_node, expected: (12, 0..=1), ..UNDISTURBED },
    Scenario {
        name: "controller-killed",
        disturb: kill_controller,
        expected: (12, 0..=1),
        ..UNDISTURBED
    },
    Scenario { name: "task-held", disturb: hold_task, expected: (12, 1..=1), ..UNDISTURBED },
    Scenario {
        name: "small-arrays",
        configuration: "MaxArraySize=5\n",
        expected: (4, 0..=0),
        ..UNDISTURBED
    },
    Scenario {
        name: "time-limit",
        flags: &["--shards", "1", "--time", "0:01:00"],
        disturb: wait_for_limit,
        expected: (1, 0..=0),
        ..UNDISTURBED
    },
];

/// Runs all scenarios, each on a cluster of its own.
pub(crate) fn run() -> Result<(), String> {
    if let Some(program) = missing_program() {
        println!("    skipped: {program} is not installed (Debian: slurm-wlm and munge)");
        return Ok(());
    }
    let intron = build_one(&["build", "--release", "--package", "intron-cli"], "intron")?;
    // A path that has to be quoted, in scripts as well.
    let folder = std::env::temp_dir().join(format!("intron-slurm-{}", std::process::id()));
    let bench = Bench { intron, experiments: folder.join("it's an \"experiment\" of 5 %"), folder };
    let outcome = bench.run();
    match &outcome {
        Ok(()) => drop(fs::remove_dir_all(&bench.folder)),
        Err(_) => println!("    what was left behind is in {}", bench.folder.display()),
    }
    outcome
}

/// Where the test is done.
struct Bench {
    intron: PathBuf,
    folder: PathBuf,
    experiments: PathBuf,
}

impl Bench {
    fn run(&self) -> Result<(), String> {
        fs::create_dir_all(&self.experiments).map_err(|error| error.to_string())?;
        let reference = self.experiments.join("reference");
        let start = Instant::now();
        self.intron(Command::new(&self.intron), "run", &reference, &["--quiet"])?;
        let expected = results(&reference)?;
        expect(expected.len() == N_RUNS, || format!("{} local records", expected.len()))?;
        println!("    local: {N_RUNS} records in {:.0} s", start.elapsed().as_secs_f64());
        // Ports of their own for each, since a closed one is not free at once.
        let first_port = 20_000 + (std::process::id() % 4_000) as u16 * 10;
        for (index, scenario) in SCENARIOS.iter().enumerate() {
            let cluster = self.folder.join(format!("cluster-{index}"));
            let port = first_port + 4 * index as u16;
            let mut cluster = Cluster::start(&cluster, port, scenario.configuration)?;
            self.scenario(scenario, &mut cluster, &expected).map_err(|reason| {
                let queue = cluster.ask("squeue", &[]).unwrap_or_default();
                format!("{}: {reason}\n{queue}\nslurmctld says:\n{}", scenario.name, cluster.log())
            })?;
        }
        Ok(())
    }

    fn scenario(
        &self,
        Scenario { name, flags, disturb, expected: (n_shards, n_again), .. }: &Scenario,
        cluster: &mut Cluster,
        expected: &BTreeMap<String, String>,
    ) -> Result<(), String> {
        let out = self.experiments.join(name);
        let start = Instant::now();
        let program = cluster.command(&self.intron.display().to_string());
        self.intron(program, "submit", &out, &[&["--engine", "slurm"], *flags].concat())?;
        wait(|| n_records(&out) >= 3, "the first records")?;
        disturb(cluster, &out)?;
        let disturbed = start.elapsed().as_secs_f64();
        let n_then = n_records(&out);
        wait(|| n_records(&out) == N_RUNS, "all records")?;
        println!(
            "    {name}: disturbed after {disturbed:.0} s at {n_then} records, {N_RUNS} after {:.0} s, {} resubmitted",
            start.elapsed().as_secs_f64(),
            n_resubmissions(&out)
        );
        let n_found = n_resubmissions(&out);
        expect(n_again.contains(&n_found), || format!("{n_found} resubmissions"))?;
        let submission = fs::read_to_string(out.join("slurm/submission.toml")).unwrap_or_default();
        let has_shards = submission.contains(&format!("shards = {n_shards}\n"));
        expect(has_shards, || format!("not {n_shards} shards: {submission}"))?;
        let status =
            Command::new(&self.intron).args(["lab", "status", "--json"]).arg(&out).output();
        let status = status.map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&status.stdout).into_owned();
        let is_done = status.status.success() && text.contains(&format!("\"done\": {N_RUNS},"));
        expect(is_done, || format!("status is not all done:\n{text}"))?;
        let n_aside = fs::read_dir(out.join("quarantine")).map_or(0, Iterator::count);
        expect(n_aside == 0, || format!("{n_aside} records were set aside"))?;
        expect(results(&out)? == *expected, || {
            "results differ from those of a local run".to_owned()
        })
    }

    fn intron(
        &self,
        mut program: Command,
        command: &str,
        out: &Path,
        more: &[&str],
    ) -> Result<(), String> {
        program.args(["lab", command]).args(PLAN).arg("--out").arg(out).args(more);
        // The user's own last experiment is not to be forgotten for a test.
        let output = program.env("XDG_STATE_HOME", &self.folder).output();
        let output = output.map_err(|error| format!("intron: {error}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        expect(output.status.success(), || format!("intron lab {command}: {errors}"))
    }
}

/// Kills a worker, as one that takes too much memory is killed.
fn kill_task(cluster: &mut Cluster, _: &Path) -> Result<(), String> {
    let mut workers = Vec::new();
    wait(
        || {
            workers = cluster.jobs(None);
            workers.retain(|process| process.name == "intron");
            !workers.is_empty()
        },
        "a worker",
    )?;
    kill(workers[0].id);
    Ok(())
}

fn kill_node(cluster: &mut Cluster, _: &Path) -> Result<(), String> {
    let is_busy = || cluster.jobs(Some(NODES[0])).iter().any(|process| process.name == "intron");
    wait(is_busy, "a worker on the first node")?;
    cluster.kill_node(0);
    Ok(())
}

fn kill_controller(cluster: &mut Cluster, _: &Path) -> Result<(), String> {
    cluster.kill_controller();
    std::thread::sleep(Duration::from_secs(3));
    cluster.restart_controller()
}

/// Holds the last shard, as Slurm does with one that it could not launch; the others are done, and then it is cancelled, as the
/// documentation says.
fn hold_task(cluster: &mut Cluster, out: &Path) -> Result<(), String> {
    let held = format!("{}_11", array_of(out)?);
    cluster.ask("scontrol", &["hold", &held])?;
    wait(|| n_records(out) == N_RUNS - N_RUNS / 12, "all records but those of the held shard")?;
    let state = || cluster.ask("squeue", &["--noheader", "--format=%i %r"]).unwrap_or_default();
    wait(|| state().lines().count() == 2, "the other shards to end")?;
    expect(state().contains(&format!("{held} JobHeld")), state)?;
    cluster.ask("scancel", &[&held]).map(drop)
}

/// Waits until the only shard was stopped at its limit and put back into the queue, then gives it the time that it needs.
fn wait_for_limit(cluster: &mut Cluster, out: &Path) -> Result<(), String> {
    let log = || fs::read_to_string(out.join("slurm/shard-0.log")).unwrap_or_default();
    let is_stopped = || log().contains("stopped by a signal; the same command goes on");
    wait(|| is_stopped() || n_records(out) == N_RUNS, "the limit")?;
    expect(is_stopped(), || "all was done before the limit".to_owned())?;
    let array = array_of(out)?;
    let state = || cluster.ask("squeue", &["--noheader", "--format=%T", "--jobs", &array]);
    wait(|| state().is_ok_and(|state| state.trim() == "PENDING"), "the shard in the queue")?;
    let job = format!("JobId={array}");
    cluster.ask("scontrol", &["update", &job, "TimeLimit=10:00"]).map(drop)
}

/// The number of the array that was submitted first.
fn array_of(out: &Path) -> Result<String, String> {
    let jobs = fs::read_to_string(out.join("slurm/jobs.txt")).map_err(|error| error.to_string())?;
    jobs.split(' ').nth(1).map(str::to_owned).ok_or_else(|| "jobs.txt names no array".to_owned())
}

fn expect(holds: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint()) }
}

fn wait(mut is_over: impl FnMut() -> bool, what: &str) -> Result<(), String> {
    let start = Instant::now();
    while !is_over() {
        expect(start.elapsed() < PATIENCE, || format!("waited in vain for {what}"))?;
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Files of records in the folder of an experiment.
fn records(out: &Path) -> Vec<PathBuf> {
    let entries = |path: PathBuf| fs::read_dir(path).into_iter().flatten().flatten();
    let files = entries(out.join("records")).flat_map(|folder| entries(folder.path()));
    files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect()
}

fn n_records(out: &Path) -> usize {
    records(out).len()
}

/// The part of each record that does not depend on when and where it was made.
fn results(out: &Path) -> Result<BTreeMap<String, String>, String> {
    let result = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let body = text.split_once('\n').map(|(_, body)| body);
        let result = body.and_then(|body| body.rsplit_once(",\"measured\":"));
        let (result, _) = result.ok_or_else(|| format!("{}: no record", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, result.to_owned()))
    };
    records(out).into_iter().map(result).collect()
}

/// How often shards were submitted again: a line per submission, the first of which is none.
fn n_resubmissions(out: &Path) -> usize {
    let jobs = fs::read_to_string(out.join("slurm/jobs.txt")).unwrap_or_default();
    jobs.lines().count().saturating_sub(1)
}
