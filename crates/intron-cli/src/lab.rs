//! `intron lab`: plans, runs and records.

use std::path::Path;

use intron::{Interrupt, Seed, StreamName};
use intron_lab::{
    Folder, LabError, Plan, RunOptions, RunSummary, Status, Verdict, facts_of, run_tasks,
    shipped_plan, shipped_plans, verify_task,
};
use serde_json::json;

use crate::failure::Failure;
use crate::lab_arguments::{
    LabCommand, LabRunArguments, PlansArguments, StatusArguments, TasksArguments, VerifyArguments,
};
use crate::lab_memory::{folder_or_last, forget, remember};
use crate::lab_plan::{folder_of, no_such_plan, read_data, read_plan};
use crate::lab_progress::LabProgress;
use crate::lab_report::report;
use crate::{json, lab_submit, signals, terminal};

/// Try again: what stands in the way may go away.
pub(crate) const TEMPORARY: u8 = 75;

/// What a second signal is answered with.
const GIVEN_UP: &str = "given up: the runs under way did not end in time and are lost; those that have their record are not, \
                        and the same command goes on";

pub(crate) fn lab(command: &LabCommand) -> Result<(), Failure> {
    match command {
        LabCommand::Plans(arguments) => plans(arguments),
        LabCommand::Run(arguments) => run(arguments),
        LabCommand::Submit(arguments) => lab_submit::submit(arguments),
        LabCommand::Resubmit(arguments) => lab_submit::resubmit(arguments),
        LabCommand::Tasks(arguments) => tasks(arguments),
        LabCommand::Status(arguments) => status(arguments),
        LabCommand::Report(arguments) => report(&arguments.folders, arguments.out.as_deref()),
        LabCommand::Verify(arguments) => verify(arguments),
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        let message = error.to_string();
        let exit_code = match error {
            LabError::Plan(_) => 2,
            LabError::Work(_) => 1,
            LabError::Temporary(_) => TEMPORARY,
        };
        Failure { message, exit_code }
    }
}

fn plans(arguments: &PlansArguments) -> Result<(), Failure> {
    if let Some(name) = &arguments.show {
        let text = shipped_plan(name).ok_or_else(|| no_such_plan(name))?;
        return terminal::print(text);
    }
    for name in shipped_plans() {
        let plan = Plan::read(shipped_plan(name).unwrap_or_default(), &[])?;
        let n_runs = plan.n_runs().unwrap_or(usize::MAX);
        terminal::print(&format!("{name:<18} {n_runs:>5} runs  {}\n", plan.title))?;
    }
    Ok(())
}

fn run(arguments: &LabRunArguments) -> Result<(), Failure> {
    forget();
    let shard = read_shard(arguments.shard.as_deref())?;
    let plan = read_plan(&arguments.plan)?;
    let data = read_data(&plan, arguments.plan.data_dir.as_deref())?;
    let path = folder_of(arguments.out.as_deref(), &arguments.plan, &plan);
    // Before anything is written: a plan that cannot be run leaves nothing behind.
    let tasks = plan.tasks(&facts_of(&data))?;
    let folder = Folder::begin(&path, plan, facts_of(&data))?;
    remember(&path);
    let interrupt = Interrupt::default();
    signals::end_on_signal(interrupt.clone(), GIVEN_UP);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if arguments.threads == 0 { cores() } else { arguments.threads };
    let heeds_claims = arguments.shard.is_none();
    let options = RunOptions { threads, shard, heeds_claims, interrupt };
    let share = tasks.iter().skip(shard.0).step_by(shard.1);
    let cost = share.clone().map(|task| task.cost(&folder.facts)).sum();
    let progress = LabProgress::new(cost, share.count(), !arguments.quiet);
    let notify = |event: intron_lab::LabEvent<'_>| progress.show(&event, &folder.facts);
    let summary = run_tasks(&tasks, &data, &folder.store, &options, &notify)?;
    progress.end();
    conclude(&summary, &path)
}

/// Says what was done; anything that is missing is a failure.
fn conclude(summary: &RunSummary, path: &Path) -> Result<(), Failure> {
    let RunSummary { skipped, done, failed, elsewhere, differing, blocked, barred, is_interrupted } =
        summary;
    let path = path.display();
    let there = match done + skipped {
        1 => "1 run has its record".to_owned(),
        n => format!("{n} runs have their record"),
    };
    let printed =
        terminal::print(&format!("{there} in {path}: {done} done now, {skipped} before\n"));
    let failure = |exit_code: u8, message: String| Err(Failure { message, exit_code });
    if *differing > 0 {
        return failure(
            1,
            format!(
                "ALARM: {differing} runs gave another result than before, which must never happen; both are kept, see \
                 {path}/quarantine, and please report it"
            ),
        );
    }
    // As long as something is left that can be done, trying again helps.
    if *is_interrupted {
        return failure(TEMPORARY, "stopped by a signal; the same command goes on".to_owned());
    }
    if *blocked > 0 {
        return failure(
            TEMPORARY,
            format!(
                "{blocked} damaged records in {path} could be neither read nor moved, see above; the same command tries again"
            ),
        );
    }
    if *elsewhere > 0 {
        return failure(
            TEMPORARY,
            format!(
                "others are doing {elsewhere} of the runs, see `intron lab status {path}`; the same command later does what they \
                 leave"
            ),
        );
    }
    if *barred > 0 {
        return failure(
            1,
            format!(
                "{barred} damaged records in {path} can be neither read nor moved; mend what is said above, then the same \
                 command goes on"
            ),
        );
    }
    if *failed > 0 {
        return failure(
            1,
            format!("{failed} runs cannot be done; `intron lab status {path}` says why"),
        );
    }
    // The records are what counts, and they are there: once the disk has room, the same command says so at once.
    printed.map_err(|failure| Failure { exit_code: TEMPORARY, ..failure })
}

fn read_shard(text: Option<&str>) -> Result<(usize, usize), Failure> {
    let Some(text) = text else { return Ok((0, 1)) };
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((k, n)) if k < n => Ok((k, n)),
        _ => Err(Failure::usage(format!(
            "--shard {text}: write it as K/N, with K from 0 to N - 1, such as 0/20"
        ))),
    }
}

fn tasks(arguments: &TasksArguments) -> Result<(), Failure> {
    let plan = read_plan(&arguments.plan)?;
    let data = read_data(&plan, arguments.plan.data_dir.as_deref())?;
    let mut text = String::new();
    for task in plan.tasks(&facts_of(&data))? {
        match arguments.json {
            true => {
                text += &serde_json::to_string(&task).expect("a task is made of what JSON has");
            }
            false => text += &task.id,
        }
        text.push('\n');
    }
    terminal::print(&text)
}

fn status(arguments: &StatusArguments) -> Result<(), Failure> {
    let path = folder_or_last(arguments.folder.as_deref())?;
    let folder = Folder::open(&path)?;
    let tasks = folder.tasks()?;
    let status = Status::of(&tasks, &folder.store)?;
    if arguments.missing {
        let ids: String = status.missing().iter().map(|id| format!("{id}\n")).collect();
        return terminal::print(&ids);
    }
    let Status { done, running, failed, damaged, left, foreign } = &status;
    let differing = folder.store.differing()?;
    if arguments.json {
        let object = json!({
            "format": "intron-lab-status", "version": 1, "plan": folder.plan.name, "runs": tasks.len(),
            "done": done.len(), "running": running, "failed": failed, "damaged": damaged,
            "left": left.len(), "foreign": foreign, "differing": differing,
        });
        terminal::print(&json::text(&object))?;
    } else {
        let mut text = format!(
            "{} in {}: {} runs\n{:>7} done\n{:>7} running\n{:>7} failed\n{:>7} damaged\n{:>7} left\n",
            folder.plan.name,
            path.display(),
            tasks.len(),
            done.len(),
            running.len(),
            failed.len(),
            damaged.len(),
            left.len()
        );
        for (id, reason) in failed.iter().chain(damaged) {
            text += &format!("{id}: {reason}\n");
        }
        text += &out_of_place(&status, &differing);
        terminal::print(&text)?;
    }
    if !failed.is_empty() || !damaged.is_empty() {
        return Err(Failure::work(
            "some runs failed or have damaged records, see above; the same `intron lab run` does them again",
        ));
    }
    if !foreign.is_empty() || !differing.is_empty() {
        return Err(Failure::work(OUT_OF_PLACE));
    }
    Ok(())
}

const OUT_OF_PLACE: &str =
    "there is something that does not belong here, see above; move it away, or look into the alarm";

/// What does not belong in the folder, a line for each.
fn out_of_place(status: &Status, differing: &[String]) -> String {
    let foreign = status.foreign.iter().map(|name| format!("{name}: not a record of this plan\n"));
    let differing = differing.iter().map(|name| {
        format!("ALARM: quarantine/{name}: a second result that differs from the first\n")
    });
    foreign.chain(differing).collect()
}

fn verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    let path = folder_or_last(arguments.folder.as_deref())?;
    let folder = Folder::open(&path)?;
    let tasks = folder.tasks()?;
    let status = Status::of(&tasks, &folder.store)?;
    let differing = folder.store.differing()?;
    for (id, what) in &status.damaged {
        terminal::tell(&format!("{id}: {what}"));
    }
    out_of_place(&status, &differing).lines().for_each(terminal::tell);
    terminal::print(&format!(
        "{} records are whole, {} are damaged, {} are missing\n",
        status.done.len(),
        status.damaged.len(),
        status.missing().len() - status.damaged.len()
    ))?;
    if status.done.is_empty() {
        return Err(Failure::work(format!(
            "{}: no run has a whole record yet, so there is nothing to verify; `intron lab run` does the runs",
            path.display()
        )));
    }
    let data = read_data(&folder.plan, arguments.data_dir.as_deref())?;
    if let Some((name, _)) =
        facts_of(&data).iter().find(|(n, own)| folder.facts.get(*n) != Some(own))
    {
        return Err(Failure::work(format!(
            "{name}: is not the data of the experiment any more, its checksum is another; put the file back as it was"
        )));
    }
    let interrupt = Interrupt::default();
    signals::end_on_signal(interrupt.clone(), "given up: the run did not end in time");
    let mut order: Vec<_> = tasks.iter().filter(|task| status.done.contains(&task.id)).collect();
    Seed(0).stream(StreamName::Split).shuffle(&mut order);
    let (mut n_same, mut n_other) = (0, status.damaged.len());
    for task in order.into_iter().take(arguments.sample) {
        match verify_task(task, &data, &folder.store, interrupt.clone())? {
            Some(Verdict::Same) => n_same += 1,
            Some(Verdict::Differs) => {
                n_other += 1;
                terminal::tell(&format!("ALARM: {}: run again, the result is another", task.id));
            }
            None => {
                return Err(Failure {
                    message: "stopped by a signal; the same command begins anew".to_owned(),
                    exit_code: TEMPORARY,
                });
            }
        }
    }
    terminal::print(&format!("{n_same} runs were done again, with the same bits\n"))?;
    if n_other > 0 {
        return Err(Failure::work(
            "not every record can be trusted, see above; damaged ones are set aside and done again by `intron lab run`",
        ));
    }
    if !status.foreign.is_empty() || !differing.is_empty() {
        return Err(Failure::work(OUT_OF_PLACE));
    }
    Ok(())
}
