//! `intron report`: a run, or a model on some rows, as one HTML page.

use std::path::{Path, PathBuf};

use intron::{Dataset, Seed};
use intron_files::{ModelFile, sha256};
use intron_report::{Kind, Part, Subject};
use serde_json::{Value, json};

use crate::arguments::{DataArguments, ReportArguments};
use crate::checkpoint_file::DataOrigin;
use crate::failure::Failure;
use crate::input::{self, HeldOut, Input};
use crate::{given_rows, json, model, terminal};

/// The name of a page where none is given.
pub(crate) const PAGE: &str = "report.html";

pub(crate) fn report(arguments: &ReportArguments) -> Result<(), Failure> {
    let run = &arguments.run;
    let (page, beside) = if run.is_dir() {
        (of_folder(arguments)?, run.clone())
    } else {
        (of_model(arguments)?, run.parent().unwrap_or(Path::new("")).to_owned())
    };
    let path = arguments.out.clone().unwrap_or_else(|| beside.join(PAGE));
    write(&path, &page)?;
    terminal::print(&format!("{}\n", path.display()))
}

/// Writes a page, whole.
pub(crate) fn write(path: &Path, page: &str) -> Result<(), Failure> {
    refuse_no_page(path)?;
    Ok(intron_files::replace(path, page.as_bytes())?)
}

/// Makes sure that a page can be written, before hours are spent on what it is to show.
pub(crate) fn prepare(path: &Path) -> Result<(), Failure> {
    let prepared = refuse_no_page(path).and_then(|()| Ok(intron_files::prepare_file(path)?));
    prepared.map_err(|failure| failure.about("--report"))
}

/// A page replaces what is there, so it takes only names of pages: not that of the data, or of another file of the run.
fn refuse_no_page(path: &Path) -> Result<(), Failure> {
    let ends_as_folder = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    if path.is_dir() || ends_as_folder {
        let (path, page) = (path.display(), path.join(PAGE));
        return Err(Failure::work(format!(
            "{path}: is a folder; name a file, such as {}",
            page.display()
        )));
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(()),
        _ => Err(Failure::work(format!(
            "{}: a page is written to a file that ends in .html, such as {PAGE}",
            path.display()
        ))),
    }
}

/// The page of a run that has just ended, or that was kept in a folder.
pub(crate) fn of_run(model: &ModelFile, input: &Input, run: &Value) -> Result<String, Failure> {
    let train = input.dataset.rows(&input.split.train);
    let test = (!input.split.test.is_empty()).then(|| input.dataset.rows(&input.split.test));
    let mut parts = vec![Part { kind: Kind::Train, rows: &train }];
    parts.extend(test.as_ref().map(|rows| Part { kind: Kind::Test, rows }));
    let notes: Vec<String> = input.notes.iter().chain(&input.warnings).cloned().collect();
    Ok(intron_report::page(&Subject {
        model,
        parts: &parts,
        run: Some(run),
        source: &input.source,
        sha256: Some(&input.sha256),
        notes: &notes,
        seed: Seed(run["seed"].as_u64().unwrap_or(0)),
    })?)
}

fn of_folder(arguments: &ReportArguments) -> Result<String, Failure> {
    let folder = &arguments.run;
    let model = model::read(folder)?;
    let path = folder.join("run.json");
    let name = intron_files::name_of(&path);
    let bytes = intron_files::read(&path).map_err(|error| {
        Failure::work(format!(
            "{error}; without it, give the model and its table: intron report {} --data FILE",
            folder.join("model.json").display()
        ))
    })?;
    let run = json::read(&name, &bytes)?;
    let damaged = |what: &str| {
        Failure::work(format!(
            "{name}: {what}; give the model and its table: intron report {} --data FILE",
            folder.join("model.json").display()
        ))
    };
    if run["format"] != "intron-run" {
        return Err(damaged("is not the run.json of this program"));
    }
    if run["front"] != model.to_json()["front"] {
        return Err(damaged("has other formulas than model.json beside it"));
    }
    let reading = Recorded::from_json(&run)
        .ok_or_else(|| damaged("does not say how the data was read, or is damaged"))?;
    let input = read_again(arguments, &reading)?;
    if input.dataset.names() != model.features {
        return Err(damaged("does not give the features of model.json"));
    }
    of_run(&model, &input, &run)
}

/// Reads the data of a run as the run has read it, and makes sure that it is the same.
fn read_again(arguments: &ReportArguments, recorded: &Recorded) -> Result<Input, Failure> {
    let mut data = recorded.arguments.clone();
    if let Some(place) = &arguments.data {
        data.data = Some(place.clone());
    } else if data.data.as_deref() == Some("-") {
        return Err(Failure::usage(
            "the data of this run came from standard input; name the same table with --data FILE",
        ));
    }
    if arguments.data_dir.is_some() {
        data.data_dir = arguments.data_dir.clone();
    }
    let (source, bytes) = input::bytes_named(&data).map_err(|failure| {
        let moved = "if the data of this run has moved, name its place with --data FILE";
        Failure { message: format!("{}; {moved}", failure.message), ..failure }
    })?;
    let now = sha256(&bytes);
    if now != recorded.sha256 {
        return Err(Failure::work(format!(
            "{source}: is not the data of this run (SHA-256 {now}, then {}); name the table as it was with --data FILE, or \
             look at the model on this one: intron report {} --data FILE",
            recorded.sha256,
            arguments.run.join("model.json").display()
        )));
    }
    let held_out =
        HeldOut { fraction: recorded.test_fraction, seed: recorded.seed, is_needed: true };
    let mut input = input::of_bytes(&data, &held_out, &source, &bytes)?;
    input.source.clone_from(&recorded.source);
    Ok(input)
}

/// What a run keeps of how its data was read.
struct Recorded {
    arguments: DataArguments,
    source: String,
    sha256: String,
    test_fraction: f64,
    seed: Seed,
}

/// How data was read, for `run.json`. A file goes by its whole path, so that it is found from anywhere.
pub(crate) fn reading_json(arguments: &DataArguments, origin: &DataOrigin) -> Value {
    json!({
        "data": origin.path.as_ref().or(arguments.data.as_ref()),
        "target": arguments.target,
        "features": arguments.features,
        "weights": arguments.weights,
        "missing": arguments.missing,
        "one_hot": arguments.one_hot,
        "sheet": arguments.sheet,
        "data_dir": origin.data_dir,
    })
}

impl Recorded {
    fn from_json(run: &Value) -> Option<Recorded> {
        let reading = run.get("reading")?;
        let text = |key: &str| reading[key].as_str().map(str::to_owned);
        let words = reading["one_hot"].as_array()?.iter();
        Some(Recorded {
            arguments: DataArguments {
                data: Some(text("data")?),
                target: text("target"),
                features: text("features"),
                weights: text("weights"),
                missing: text("missing")
                    .filter(|way| intron_files::Missing::from_name(way).is_some())?,
                one_hot: words
                    .map(|word| word.as_str().map(str::to_owned))
                    .collect::<Option<_>>()?,
                sheet: text("sheet"),
                data_dir: text("data_dir").map(PathBuf::from),
            },
            source: run["data"].as_str()?.to_owned(),
            sha256: run["data_sha256"].as_str()?.to_owned(),
            test_fraction: run["settings"]["test_fraction"].as_f64()?,
            seed: Seed(run["seed"].as_u64()?),
        })
    }
}

/// A model alone: nothing is known of its search, and which rows it has seen.
fn of_model(arguments: &ReportArguments) -> Result<String, Failure> {
    let model = model::read(&arguments.run)?;
    let Some(data) = &arguments.data else {
        return Err(Failure::usage(format!(
            "{}: a model alone has no rows to look at; name a table with --data FILE, or give the folder that `intron fit \
             --out` wrote",
            arguments.run.display()
        )));
    };
    let given =
        given_rows::read(&model, data, arguments.data_dir.as_deref(), arguments.sheet.as_deref())?;
    let rows: &Dataset = &given.rows;
    Ok(intron_report::page(&Subject {
        model: &model,
        parts: &[Part { kind: Kind::Given, rows }],
        run: None,
        source: &given.source,
        sha256: Some(&given.sha256),
        notes: &given.notes,
        seed: Seed(0),
    })?)
}
