//! Slurm: how many shards, and the text of the scripts that do them and of the job that looks after them. Nothing is called here.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::error::LabError;
use crate::task::Task;

/// What the cluster is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmOptions {
    /// Time limit of one shard, as Slurm writes it.
    pub time: String,
    /// The partition; none for the cluster's default.
    pub partition: Option<String>,
    /// Memory of one shard, as Slurm writes it; none for the cluster's default.
    pub memory: Option<String>,
    /// How many shards run at a time.
    pub max_jobs: usize,
}

/// What the scripts do. All paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmWork {
    /// Name of the plan.
    pub name: String,
    /// The program `intron`.
    pub program: String,
    /// The folder of the experiment.
    pub folder: String,
    /// The folder that the paths of data files in the plan start from.
    pub working_folder: String,
    /// A folder with more data sets.
    pub data_dir: Option<String>,
}

/// What was fixed when the work was submitted; kept beside the scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Number of shards.
    pub shards: usize,
    /// How many of them run at a time.
    pub max_jobs: usize,
}

/// Slurm's own default of `MaxArraySize`.
pub const DEFAULT_MAX_ARRAY_SIZE: usize = 1001;

/// A shard that asks for another try so often is given up.
const MAX_RESTARTS: usize = 20;

impl SlurmOptions {
    /// Refuses what Slurm would misread: these words go into lines that Slurm parses by its own rules.
    pub fn check(&self) -> Result<(), LabError> {
        let only = |text: &str, is_good: fn(char) -> bool| {
            !text.is_empty() && text.chars().all(is_good) && !text.starts_with('-')
        };
        let refuse = |problem: String| Err(LabError::Plan(problem));
        if !only(&self.time, |c| c.is_ascii_digit() || c == ':' || c == '-') {
            return refuse(format!("--time {}: write it as 4:00:00 or 1-12:00:00", self.time));
        }
        if let Some(partition) = &self.partition
            && !only(partition, |c| c.is_ascii_alphanumeric() || "-_.,+".contains(c))
        {
            return refuse(format!("--partition {partition}: this is no name of a partition"));
        }
        if let Some(memory) = &self.memory {
            let digits = memory.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(memory);
            if !only(digits, |c| c.is_ascii_digit()) {
                return refuse(format!("--memory {memory}: write it as 2000M or 2G"));
            }
        }
        if self.max_jobs == 0 {
            return refuse("--max-jobs 0: at least one shard must run".to_owned());
        }
        Ok(())
    }

    /// What both scripts ask for.
    fn lines(&self) -> String {
        let mut text = "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n".to_owned();
        if let Some(partition) = &self.partition {
            let _ = writeln!(text, "#SBATCH --partition={partition}");
        }
        if let Some(memory) = &self.memory {
            let _ = writeln!(text, "#SBATCH --mem={memory}");
        }
        // A log goes on where it was: the same shard may be run several times.
        text + "#SBATCH --requeue\n#SBATCH --open-mode=append\n"
    }
}

impl SlurmWork {
    /// The script of the array: one shard per member. The number of shards is written out, since an array that does some of them
    /// again has fewer members.
    pub fn array_script(&self, options: &SlurmOptions, n_shards: usize) -> String {
        let data_dir = self.data_dir.as_ref();
        let data_dir =
            data_dir.map_or(String::new(), |path| format!("--data-dir {} ", quote(path)));
        format!(
            r#"#!/bin/bash
#SBATCH --job-name=intron-{name}
#SBATCH --array={array}
#SBATCH --time={time}
{lines}#SBATCH --signal=B:TERM@120
#SBATCH --output=shard-%a.log
cd -- {working_folder} || exit 1
me=${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID
pid=
# Slurm signals this shell only, so the signal is passed on.
trap '[ -n "$pid" ] && kill -TERM "$pid"' TERM
{program} lab run {plan} --out {folder} {data_dir}--shard "$SLURM_ARRAY_TASK_ID/{n_shards}" --threads "${{SLURM_CPUS_PER_TASK:-1}}" & pid=$!
wait "$pid"; rc=$?
# A signal cuts `wait` short.
while kill -0 "$pid" 2>/dev/null; do wait "$pid"; rc=$?; done
wait "$pid" 2>/dev/null; last=$?; [ $last -ne 127 ] && rc=$last
# 75: try again. 143: the signal came before the program could listen.
if [ $rc = 75 ] || [ $rc = 143 ]; then
  if [ "${{SLURM_RESTART_COUNT:-0}}" -lt {MAX_RESTARTS} ]; then
    # A job that was cancelled stays so. One that was signalled may still be called by that for a while.
    case "$(squeue --noheader --format=%T --jobs="$me")" in RUNNING | SIGNALING) scontrol requeue "$me" ;; esac
  fi
fi
exit $rc
"#,
            name = self.name,
            array = array_list(&(0..n_shards).collect::<Vec<_>>(), options.max_jobs),
            time = options.time,
            lines = options.lines(),
            working_folder = quote(&self.working_folder),
            program = quote(&self.program),
            plan = quote(&format!("{}/plan.toml", self.folder)),
            folder = quote(&self.folder),
        )
    }

    /// The script of the job after the array. Its argument is the number of the round.
    pub fn follow_up_script(&self, options: &SlurmOptions) -> String {
        format!(
            r#"#!/bin/bash
#SBATCH --job-name=intron-{name}-follow-up
#SBATCH --time=0:10:00
{lines}#SBATCH --output=follow-up.log
# A killed shard is not begun again by Slurm: this submits the shards in which runs are missing.
cd -- {working_folder} || exit 1
{program} lab resubmit {folder} --round "$1" --after-array; rc=$?
if [ $rc = 75 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {MAX_RESTARTS} ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit $rc
"#,
            name = self.name,
            lines = options.lines(),
            working_folder = quote(&self.working_folder),
            program = quote(&self.program),
            folder = quote(&self.folder),
        )
    }
}

impl Submission {
    /// As text, to be kept.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a submission is made of what TOML has")
    }

    /// Reads it again.
    pub fn read(text: &str) -> Result<Submission, LabError> {
        let submission: Submission =
            toml::from_str(text).map_err(|error| LabError::Work(error.to_string()))?;
        if submission.shards == 0 || submission.max_jobs == 0 {
            return Err(LabError::Work("there is no shard in it".to_owned()));
        }
        Ok(submission)
    }
}

/// The largest size of an array, from what `scontrol show config` prints.
pub fn max_array_size(config: &str) -> Option<usize> {
    let mut pairs = config.lines().filter_map(|line| line.split_once('='));
    let (_, value) = pairs.find(|(key, _)| key.trim() == "MaxArraySize")?;
    value.trim().parse().ok()
}

/// How many shards there are: never more than runs, and never an index that the cluster refuses.
pub fn n_shards(wanted: usize, n_runs: usize, max_array_size: usize) -> usize {
    wanted.min(n_runs).min(max_array_size.saturating_sub(1)).max(1)
}

/// The shards that some of these runs are in.
pub fn shards_of(tasks: &[Task], ids: &[&str], n_shards: usize) -> Vec<usize> {
    let ids: HashSet<&str> = ids.iter().copied().collect();
    let is_wanted = |shard: &usize| {
        tasks.iter().skip(*shard).step_by(n_shards).any(|task| ids.contains(task.id.as_str()))
    };
    (0..n_shards).filter(is_wanted).collect()
}

/// Members of an array as Slurm lists them, such as `0-3,7%200`. The numbers are in order.
pub fn array_list(shards: &[usize], max_jobs: usize) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &shard in shards {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == shard => *last = shard,
            _ => ranges.push((shard, shard)),
        }
    }
    let text = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let list: Vec<String> = ranges.iter().map(text).collect();
    format!("{}%{max_jobs}", list.join(","))
}

/// A word for the shell that stands for exactly this text.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, shipped_plan};
    use crate::task::{AllFacts, DataFacts};

    fn options() -> SlurmOptions {
        let time = "4:00:00".to_owned();
        SlurmOptions { time, partition: None, memory: None, max_jobs: 200 }
    }

    fn work() -> SlurmWork {
        SlurmWork {
            name: "smoke".to_owned(),
            program: "/opt/it's here/intron".to_owned(),
            folder: "/data/a \"b\" $c".to_owned(),
            working_folder: "/data".to_owned(),
            data_dir: Some("/more data".to_owned()),
        }
    }

    #[test]
    fn the_size_of_arrays_is_read_from_the_configuration() {
        let config =
            "MaxArrayNonsense        = 3\nMaxArraySize            = 1001\nMaxJobCount = 10000\n";
        assert_eq!(max_array_size(config), Some(1001));
        assert_eq!(max_array_size("MaxJobCount = 3"), None);
        assert_eq!(max_array_size("MaxArraySize = many"), None);
    }

    #[test]
    fn there_are_never_more_shards_than_runs_or_indices() {
        assert_eq!(n_shards(200, 4800, 1001), 200);
        assert_eq!(n_shards(200, 48, 1001), 48);
        assert_eq!(n_shards(9600, 9600, 1001), 1000);
        assert_eq!(n_shards(5, 5, 0), 1);
    }

    #[test]
    fn members_in_a_row_are_listed_as_a_range() {
        assert_eq!(array_list(&[0, 1, 2, 5, 7, 8], 30), "0-2,5,7-8%30");
        assert_eq!(array_list(&[4], 1), "4%1");
    }

    #[test]
    fn the_shards_of_missing_runs_are_those_that_a_worker_takes_them_from() {
        let plan = Plan::read(shipped_plan("smoke").unwrap(), &[]).unwrap();
        let facts = |name: &String| (name.clone(), DataFacts { sha256: name.clone(), n_rows: 99 });
        let facts: AllFacts = plan.data.iter().map(facts).collect();
        let tasks = plan.tasks(&facts).unwrap();
        let ids = [tasks[7].id.as_str(), tasks[17].id.as_str(), tasks[12].id.as_str()];
        assert_eq!(shards_of(&tasks, &ids, 10), [2, 7]);
        assert_eq!(shards_of(&tasks, &[], 10), [0; 0]);
    }

    #[test]
    fn paths_reach_the_program_as_they_are() {
        let script = work().array_script(&options(), 20);
        assert!(script.contains(r"'/opt/it'\''s here/intron' lab run '/data/a "), "{script}");
        assert!(script.contains(r#"--out '/data/a "b" $c' --data-dir '/more data' --shard"#));
        let mut shell = std::process::Command::new("bash");
        let text = "a 'b' \"c\" $d `e` \\ %f\n!g";
        let output = shell.arg("-c").arg(format!("printf %s {}", quote(text))).output();
        // Where there is no bash, there is no Slurm either.
        if let Ok(output) = output {
            assert_eq!(String::from_utf8_lossy(&output.stdout), text);
        }
    }

    #[test]
    fn the_script_has_what_slurm_needs_to_stop_it_well_and_begin_it_again() {
        let options = SlurmOptions {
            partition: Some("long".to_owned()),
            memory: Some("2G".to_owned()),
            ..options()
        };
        let script = work().array_script(&options, 20);
        for line in [
            "#SBATCH --array=0-19%200",
            "#SBATCH --time=4:00:00",
            "#SBATCH --requeue",
            "#SBATCH --open-mode=append",
            "#SBATCH --signal=B:TERM@120",
            "#SBATCH --partition=long",
            "#SBATCH --mem=2G",
        ] {
            assert!(script.lines().any(|found| found == line), "{line}\n{script}");
        }
        assert!(script.contains("--shard \"$SLURM_ARRAY_TASK_ID/20\""));
        assert!(script.contains("me=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"));
        let follow_up = work().follow_up_script(&options);
        assert!(
            follow_up.contains("lab resubmit '/data/a \"b\" $c' --round \"$1\" --after-array;")
        );
        assert!(follow_up.contains("#SBATCH --partition=long\n"));
    }

    #[test]
    #[cfg(unix)]
    fn a_shard_that_was_stopped_is_put_back_unless_it_was_cancelled() {
        let scratch = crate::scratch::Scratch::new();
        let stand_in = |name: &str, text: &str| {
            use std::os::unix::fs::PermissionsExt;
            let path = scratch.file(name, &format!("#!/bin/sh\n{text}\n"));
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path.display().to_string()
        };
        let folder = scratch.folder().display().to_string();
        let program = stand_in("intron", "exit 75");
        let work = SlurmWork { program, working_folder: folder.clone(), ..work() };
        let script = scratch.file("shards.sh", &work.array_script(&options(), 20));
        for (state, is_put_back) in
            [("RUNNING", true), ("SIGNALING", true), ("COMPLETING", false), ("CANCELLED", false)]
        {
            stand_in("squeue", &format!("echo {state}"));
            stand_in("scontrol", "echo \"$@\"");
            let mut shell = std::process::Command::new("bash");
            let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
            shell.arg(&script).env("PATH", path).env_remove("SLURM_RESTART_COUNT");
            shell.env("SLURM_ARRAY_JOB_ID", "41").env("SLURM_ARRAY_TASK_ID", "3");
            // Where there is no bash, there is no Slurm either.
            let Ok(output) = shell.output() else { return };
            assert_eq!(output.status.code(), Some(75), "{state}");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(said == "requeue 41_3\n", is_put_back, "{state}: {said}");
        }
    }

    #[test]
    fn words_that_slurm_would_misread_are_refused() {
        options().check().unwrap();
        let bad = |change: fn(&mut SlurmOptions)| {
            let mut options = options();
            change(&mut options);
            options.check().unwrap_err();
        };
        bad(|options| options.time = "4 hours".to_owned());
        bad(|options| options.time = String::new());
        bad(|options| options.partition = Some("a b".to_owned()));
        bad(|options| options.partition = Some("a\n#SBATCH --x".to_owned()));
        bad(|options| options.memory = Some("G".to_owned()));
        bad(|options| options.memory = Some("2 G".to_owned()));
        bad(|options| options.max_jobs = 0);
    }

    #[test]
    fn a_submission_is_read_as_it_was_written() {
        let submission = Submission { shards: 20, max_jobs: 7 };
        assert_eq!(Submission::read(&submission.to_text()).unwrap(), submission);
        Submission::read("shards = 0\nmax_jobs = 1\n").unwrap_err();
        Submission::read("shards = 3").unwrap_err();
    }
}
