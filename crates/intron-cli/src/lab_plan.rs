//! The plan that `intron lab` was asked for: by name, from a file, or from the folder of an experiment that is to go on.

use std::path::{Path, PathBuf};

use intron_lab::{DataSets, Folder, Plan, shipped_plan, shipped_plans};

use crate::failure::Failure;
use crate::lab_arguments::PlanArguments;

/// The plan, with its changes. A plan that comes with the program goes before a file of its name.
pub(crate) fn read_plan(arguments: &PlanArguments) -> Result<Plan, Failure> {
    let about = |error| Failure::from(error).about(&arguments.plan);
    if let Some(text) = shipped_plan(&arguments.plan) {
        return Plan::read_in(Path::new(""), text, &arguments.set).map_err(about);
    }
    let mut path = PathBuf::from(&arguments.plan);
    if Folder::is_at(&path) {
        path.push("plan.toml");
    }
    if path.is_dir() {
        return Err(Failure::usage(format!(
            "{}: is a folder without a plan.toml; name a plan, a TOML file, or the folder of an experiment",
            path.display()
        )));
    }
    if !path.exists() {
        return Err(no_such_plan(&arguments.plan));
    }
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Failure::work(format!("{}: cannot be read as a plan ({error})", path.display()))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Plan::read_in(folder, &text, &arguments.set).map_err(about)
}

/// The folder of the experiment: the one that was named, the one that is to go on, or one by the name of the plan.
pub(crate) fn folder_of(out: Option<&Path>, arguments: &PlanArguments, plan: &Plan) -> PathBuf {
    let own = Path::new(&arguments.plan);
    let is_going_on = shipped_plan(&arguments.plan).is_none() && Folder::is_at(own);
    match out {
        Some(out) => out.to_owned(),
        None if is_going_on => own.to_owned(),
        None => Path::new("lab").join(&plan.name),
    }
}

pub(crate) fn no_such_plan(name: &str) -> Failure {
    let known: Vec<&str> = shipped_plans().collect();
    Failure::usage(format!(
        "{name}: there is no such plan, and no file of that name; plans: {}",
        known.join(" ")
    ))
}

/// Reads the data of a plan.
pub(crate) fn read_data(plan: &Plan, data_dir: Option<&Path>) -> Result<DataSets, Failure> {
    Ok(intron_lab::read_data(plan, data_dir)?)
}
