//! `intron lab submit` and `resubmit`: hands shards of a plan to Slurm, and again those that did not end well.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use intron_lab::slurm::{
    DEFAULT_MAX_ARRAY_SIZE, SlurmOptions, SlurmWork, Submission, array_list, max_array_size,
    n_shards, shards_of,
};
use intron_lab::{AllFacts, Folder, Plan, Status, Task, facts_of};

use crate::failure::Failure;
use crate::lab::TEMPORARY;
use crate::lab_arguments::{Engine, ResubmitArguments, SubmitArguments};
use crate::lab_memory::{folder_or_last, forget, remember};
use crate::lab_plan::{folder_of, read_data, read_plan};
use crate::terminal;

/// How often shards are submitted again before somebody has to look.
const MAX_ROUNDS: u32 = 3;

const ARRAY_SCRIPT: &str = "shards.sh";
const FOLLOW_UP_SCRIPT: &str = "follow-up.sh";
const SUBMISSION: &str = "submission.toml";
const JOBS: &str = "jobs.txt";

pub(crate) fn submit(arguments: &SubmitArguments) -> Result<(), Failure> {
    let Engine::Slurm = arguments.engine;
    let options = SlurmOptions {
        time: arguments.time.clone(),
        partition: arguments.partition.clone(),
        memory: arguments.memory.clone(),
        max_jobs: arguments.max_jobs,
    };
    options.check()?;
    let plan = read_plan(&arguments.plan)?;
    let data = read_data(&plan, arguments.plan.data_dir.as_deref())?;
    let facts = facts_of(&data);
    let path = folder_of(arguments.out.as_deref(), &arguments.plan, &plan);
    let work = SlurmWork {
        name: plan.name.clone(),
        program: text_of(&std::env::current_exe().map_err(|e| nowhere(&e))?)?,
        folder: text_of(&path)?,
        working_folder: text_of(&std::env::current_dir().map_err(|e| nowhere(&e))?)?,
        data_dir: arguments.plan.data_dir.as_deref().map(text_of).transpose()?,
    };
    let tasks = plan.tasks(&facts)?;
    let path = PathBuf::from(&work.folder);
    let max_array_size = match ask_max_array_size() {
        Ok(size) => size,
        Err(failure) if arguments.dry_run => {
            terminal::tell(&format!("{}; MaxArraySize is taken for 1001", failure.message));
            DEFAULT_MAX_ARRAY_SIZE
        }
        Err(failure) => return Err(failure),
    };
    let shards = n_shards(arguments.shards as usize, tasks.len(), max_array_size);
    let (array, follow_up) = (work.array_script(&options, shards), work.follow_up_script(&options));
    let submission = Submission { shards, max_jobs: options.max_jobs };
    let jobs = Jobs { folder: path.join("slurm") };
    if arguments.dry_run {
        let outlook = outlook(&path, (&plan, &facts), &tasks, &submission)?;
        return terminal::print(&format!(
            "# {ARRAY_SCRIPT}: {} runs in {shards} shards\n{array}\n# {FOLLOW_UP_SCRIPT}: after the array\n{follow_up}\n\
             # {outlook}\n",
            tasks.len()
        ));
    }
    forget();
    let folder = Folder::begin(&path, plan, facts)?;
    remember(&path);
    jobs.refuse_if_queued()?;
    for (name, text) in [
        (ARRAY_SCRIPT, &array),
        (FOLLOW_UP_SCRIPT, &follow_up),
        (SUBMISSION, &submission.to_text()),
    ] {
        folder.keep(&format!("slurm/{name}"), text)?;
    }
    let status = Status::of(&tasks, &folder.store)?;
    if status.missing().is_empty() {
        return terminal::print(&format!("all {} runs have their record\n", tasks.len()));
    }
    jobs.submit(&tasks, &status.missing(), &submission, 1)
}

/// What a submission would find in the folder, and what it would submit. A folder that would be refused is refused.
fn outlook(
    path: &Path,
    (plan, facts): (&Plan, &AllFacts),
    tasks: &[Task],
    submission: &Submission,
) -> Result<String, Failure> {
    let place = path.display();
    if !Folder::is_at(path) {
        if path.exists() && !path.is_dir() {
            return Err(Failure::work(format!("{place}: is not a folder; choose another --out")));
        }
        return Ok(format!(
            "{place}: no experiment yet; all {} runs would be submitted",
            tasks.len()
        ));
    }
    let folder = Folder::open(path)?;
    folder.refuse_unless_same(plan, facts)?;
    let status = Status::of(tasks, &folder.store)?;
    let missing = status.missing();
    if missing.is_empty() {
        return Ok(format!(
            "{place}: all {} runs have their record; nothing would be submitted",
            tasks.len()
        ));
    }
    let shards = shards_of(tasks, &missing, submission.shards);
    Ok(format!(
        "{place}: {} of {} runs have their record ({} running, {} failed, {} damaged); the other {} would be submitted with \
         sbatch --array={}",
        status.done.len(),
        tasks.len(),
        status.running.len(),
        status.failed.len(),
        status.damaged.len(),
        missing.len(),
        array_list(&shards, submission.max_jobs)
    ))
}

pub(crate) fn resubmit(arguments: &ResubmitArguments) -> Result<(), Failure> {
    let path = std::path::absolute(folder_or_last(arguments.folder.as_deref())?)
        .map_err(|error| nowhere(&error))?;
    let folder = Folder::open(&path)?;
    let tasks = folder.tasks()?;
    let status = Status::of(&tasks, &folder.store)?;
    let n_missing = status.missing().len();
    if n_missing == 0 {
        return terminal::print(&format!("all {} runs have their record\n", tasks.len()));
    }
    // A run that cannot be done will not be done by trying again.
    let failed: Vec<&str> = status.failed.iter().map(|(id, _)| id.as_str()).collect();
    let again: Vec<&str> = status.missing().into_iter().filter(|id| !failed.contains(id)).collect();
    if again.is_empty() || arguments.round > MAX_ROUNDS {
        status.missing().iter().try_for_each(|id| terminal::print(&format!("missing: {id}\n")))?;
        let why = match again.is_empty() {
            true => "they cannot be done".to_owned(),
            false => format!("also after {MAX_ROUNDS} more rounds; the logs are in slurm/"),
        };
        return Err(Failure::work(format!(
            "{n_missing} of {} runs have no record: {why}; see `intron lab status {}`",
            tasks.len(),
            path.display()
        )));
    }
    let jobs = Jobs { folder: path.join("slurm") };
    // After an array, its members have ended, and the job that looks after it is this one; by hand, both may be queued.
    if !arguments.after_array {
        jobs.refuse_if_queued()?;
    }
    let submission = jobs.submission()?;
    jobs.submit(&tasks, &again, &submission, arguments.round + 1)
}

/// The scripts of an experiment, and the jobs that were submitted with them.
struct Jobs {
    folder: PathBuf,
}

impl Jobs {
    /// Submits the shards of these runs, and the job that looks after them in the round to come.
    fn submit(
        &self,
        tasks: &[Task],
        ids: &[&str],
        submission: &Submission,
        next_round: u32,
    ) -> Result<(), Failure> {
        let shards = shards_of(tasks, ids, submission.shards);
        let list = array_list(&shards, submission.max_jobs);
        let array = self.sbatch(&[&format!("--array={list}"), ARRAY_SCRIPT])?;
        let dependency = format!("--dependency=afterany:{array}");
        let follow_up = self.sbatch(&[&dependency, FOLLOW_UP_SCRIPT, &next_round.to_string()]);
        let follow_up = follow_up.map_err(|failure| {
            // Not temporary: trying again would submit the shards twice.
            Failure::work(format!(
                "job {array} is submitted, but not the one that looks after it: {}; when it has ended, type `intron \
                 lab resubmit {}`",
                failure.message,
                self.folder.parent().unwrap_or(&self.folder).display()
            ))
        })?;
        self.note(&format!("{} {array} {follow_up}\n", next_round - 1));
        terminal::print(&format!(
            "job {array}: {} of {} shards with {} runs to do\njob {follow_up}: submits again what is missing then\n\
             to stop both: scancel {follow_up} {array}\n",
            shards.len(),
            submission.shards,
            ids.len()
        ))
    }

    /// Calls sbatch where the scripts are, so that no path has to be quoted for Slurm; the number of the job.
    fn sbatch(&self, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = Command::new("sbatch");
        command.current_dir(&self.folder).arg("--parsable").args(arguments);
        // Inside a job: what is said of that job is not meant for the new one.
        let of_job = |name: &OsString| {
            let name = name.to_string_lossy();
            name.starts_with("SLURM_") && name != "SLURM_CONF"
        };
        for (name, _) in std::env::vars_os().filter(|(name, _)| of_job(name)) {
            command.env_remove(name);
        }
        let output = answer(&mut command)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let number = text.trim().split(';').next().unwrap_or_default().to_owned();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Failure::work(format!("sbatch gave no job number but `{}`", text.trim())));
        }
        Ok(number)
    }

    fn submission(&self) -> Result<Submission, Failure> {
        let path = self.folder.join(SUBMISSION);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            Failure::work(format!(
                "{}: {error}; was this experiment submitted with `intron lab submit`?",
                path.display()
            ))
        })?;
        Submission::read(&text).map_err(|error| Failure::from(error).about(SUBMISSION))
    }

    /// Takes note of jobs: round, array, follow-up. Only a convenience, so that failing is no failure.
    fn note(&self, line: &str) {
        let file =
            std::fs::OpenOptions::new().create(true).append(true).open(self.folder.join(JOBS));
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }

    /// Shards that are still queued would be done twice.
    fn refuse_if_queued(&self) -> Result<(), Failure> {
        let Ok(text) = std::fs::read_to_string(self.folder.join(JOBS)) else { return Ok(()) };
        let Some(last) = text.lines().last() else { return Ok(()) };
        let ids: Vec<&str> = last.split(' ').skip(1).collect();
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--format=%i", &format!("--jobs={}", ids.join(","))]);
        // Slurm refuses numbers of jobs that it has forgotten: they have ended.
        match command.output() {
            Ok(output) if output.status.success() && !output.stdout.trim_ascii().is_empty() => {
                Err(Failure {
                    message: format!(
                        "jobs {} of this experiment are still in the queue; wait for them (see `squeue`), or stop them \
                         with `scancel {}`",
                        ids.join(" and "),
                        ids.iter().rev().copied().collect::<Vec<_>>().join(" ")
                    ),
                    exit_code: TEMPORARY,
                })
            }
            _ => Ok(()),
        }
    }
}

fn ask_max_array_size() -> Result<usize, Failure> {
    let output = answer(Command::new("scontrol").args(["show", "config"]))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    max_array_size(&text)
        .ok_or_else(|| Failure::work("`scontrol show config` does not say MaxArraySize"))
}

/// Runs a program of Slurm; says why if it does not succeed.
fn answer(command: &mut Command) -> Result<Output, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::work(format!(
            "{program}: is not on this machine; submit from a node of a Slurm cluster, or give `intron lab run --shard \
             K/N` to another scheduler"
        )),
        _ => Failure::work(format!("{program}: {error}")),
    })?;
    if output.status.success() {
        return Ok(output);
    }
    let reason = String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ");
    let is_temporary =
        ["contact slurm controller", "timed out", "Connection refused", "temporarily"]
            .iter()
            .any(|words| reason.contains(words));
    let hint = match reason.contains("limit") {
        true => "; fewer --shards may be allowed",
        false => "",
    };
    Err(Failure {
        message: format!("{program} refused ({}): {reason}{hint}", output.status),
        exit_code: if is_temporary { TEMPORARY } else { 1 },
    })
}

/// An absolute path as text, which a script needs.
fn text_of(path: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(path).map_err(|error| nowhere(&error))?;
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Failure::usage(format!("{}: a path in a script must be UTF-8", path.display()))
    })
}

fn nowhere(error: &std::io::Error) -> Failure {
    Failure::work(format!("the folder that this runs in cannot be told: {error}"))
}
