//! `checkpoint.txt` in the folder of a run: all that its search needs to go on. A header line with length and checksum, a
//! line of JSON, and the search itself as the library writes it.

use std::path::Path;

use intron::{Checkpoint, Outcome};
use intron_files::{FilesError, sha256};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::json;
use crate::kept_nulls::KeptNulls;

/// The file, and the one that it has replaced.
pub(crate) const NAMES: [&str; 2] = ["checkpoint.txt", "checkpoint-before.txt"];

const FORMAT: &str = "intron-checkpoint";
const VERSION: u64 = 1;

/// A search that can go on.
pub(crate) struct CheckpointFile {
    /// What was typed after `intron fit`.
    pub(crate) words: Vec<String>,
    pub(crate) data: DataOrigin,
    /// How the search ended; none while it goes on, or if it was killed.
    pub(crate) ended: Option<Ended>,
    /// The improvements of the best so far, for run.json.
    pub(crate) trace: Vec<Value>,
    /// The linkage so far, for run.json.
    pub(crate) linkage: Value,
    /// Searches on shuffled targets, once the search itself has ended.
    pub(crate) null: Option<KeptNulls>,
    pub(crate) search: Checkpoint,
}

/// Where the rows came from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DataOrigin {
    /// How messages and files call it.
    pub(crate) source: String,
    /// The file, from any folder; none for standard input and for data sets that are known by name.
    pub(crate) path: Option<String>,
    /// The folder with more data sets by name.
    pub(crate) data_dir: Option<String>,
    pub(crate) sha256: String,
}

/// What a search had done when it ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ended {
    pub(crate) stop_reason: String,
    pub(crate) n_evaluations: u64,
    pub(crate) n_generations: u64,
    pub(crate) seconds: f64,
}

impl Ended {
    pub(crate) fn of(outcome: &Outcome) -> Ended {
        Ended {
            stop_reason: outcome.stop_reason.name().to_owned(),
            n_evaluations: outcome.n_evaluations,
            n_generations: outcome.n_generations,
            seconds: outcome.elapsed_seconds,
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "stop_reason": self.stop_reason,
            "n_evaluations": self.n_evaluations,
            "n_generations": self.n_generations,
            "seconds": json::number(self.seconds),
        })
    }
}

impl CheckpointFile {
    /// Writes the file; the one that is there is kept beside it.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), FilesError> {
        let [path, before] = NAMES.map(|name| folder.join(name));
        intron_files::replace_keeping(&path, &before, self.to_text().as_bytes())
    }

    /// Reads the file of a folder, or where that is damaged the one before it: both lead to the same result. Says which of
    /// them could not be used.
    pub(crate) fn read(folder: &Path) -> Result<(CheckpointFile, Option<String>), Failure> {
        let shown = folder.display();
        if !folder.is_dir() {
            let problem = if folder.exists() { "is a file" } else { "there is no such folder" };
            return Err(Failure::work(format!(
                "{shown}: {problem}; --resume takes the folder of an `intron fit --out`"
            )));
        }
        let paths = NAMES.map(|name| folder.join(name));
        if !paths.iter().any(|path| path.exists()) {
            return Err(Failure::work(format!(
                "{shown}: has no {}; start the search with --out {shown}, then it can be resumed",
                NAMES[0]
            )));
        }
        let attempt = |path: &Path| -> Result<CheckpointFile, String> {
            let bytes = intron_files::read(path).map_err(|error| error.to_string())?;
            CheckpointFile::from_bytes(&bytes)
                .map_err(|problem| format!("{}: {problem}", path.display()))
        };
        match attempt(&paths[0]) {
            Ok(file) => Ok((file, None)),
            Err(problem) => match attempt(&paths[1]) {
                Ok(file) => Ok((file, Some(format!("{problem}; going on from the one before it")))),
                // Where the first is not there, what matters is the other.
                Err(other) if !paths[0].exists() => Err(Failure::work(other)),
                Err(_) if problem.contains("start anew") => Err(Failure::work(problem)),
                Err(_) => Err(Failure::work(format!("{problem}; start the search anew"))),
            },
        }
    }

    fn to_text(&self) -> String {
        let data = &self.data;
        let about = json!({
            "arguments": self.words,
            "data": {
                "source": data.source,
                "path": data.path,
                "data_dir": data.data_dir,
                "sha256": data.sha256,
            },
            "ended": self.ended.as_ref().map(Ended::to_json),
            "versions": {"intron": env!("CARGO_PKG_VERSION")},
            "trace": self.trace,
            "linkage": self.linkage,
            "null": self.null.as_ref().map(KeptNulls::to_json),
        });
        let body = format!("{about}\n{}", self.search.to_text());
        let header = json!({
            "format": FORMAT,
            "version": VERSION,
            "length": body.len(),
            "sha256": sha256(body.as_bytes()),
        });
        format!("{header}\n{body}")
    }

    /// What is wrong goes on after the name of the file.
    fn from_bytes(bytes: &[u8]) -> Result<CheckpointFile, String> {
        let damaged = |what: &str| format!("is damaged: {what}");
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
        let (header, body) = text.split_once('\n').ok_or_else(|| damaged("it is cut off"))?;
        let header: Value =
            serde_json::from_str(header).map_err(|_| damaged("its first line is not JSON"))?;
        if header["format"] != FORMAT {
            return Err(format!("is no checkpoint of this program (no \"format\": \"{FORMAT}\")"));
        }
        if header["version"] != VERSION {
            let version = &header["version"];
            return Err(format!("has version {version}; this program reads version {VERSION}"));
        }
        if header["length"] != body.len() {
            return Err(damaged("it has not the length that was written"));
        }
        if header["sha256"] != sha256(body.as_bytes()) {
            return Err(damaged("its content is not what was written"));
        }
        let (about, search) = body.split_once('\n').ok_or_else(|| damaged("a part is missing"))?;
        let about: Value =
            serde_json::from_str(about).map_err(|_| damaged("its second line is not JSON"))?;
        let search = Checkpoint::from_text(search).map_err(|error| error.to_string())?;
        read_about(&about, search).ok_or_else(|| damaged("its second line lacks something"))
    }
}

fn read_about(about: &Value, search: Checkpoint) -> Option<CheckpointFile> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let words = about["arguments"].as_array()?.iter().map(text).collect::<Option<_>>()?;
    let data = &about["data"];
    let data = DataOrigin {
        source: text(&data["source"])?,
        path: text(&data["path"]),
        data_dir: text(&data["data_dir"]),
        sha256: text(&data["sha256"])?,
    };
    let ended = match &about["ended"] {
        Value::Null => None,
        ended => Some(Ended {
            stop_reason: text(&ended["stop_reason"])?,
            n_evaluations: ended["n_evaluations"].as_u64()?,
            n_generations: ended["n_generations"].as_u64()?,
            seconds: ended["seconds"].as_f64()?,
        }),
    };
    let (trace, linkage) = (about["trace"].as_array()?.clone(), about["linkage"].clone());
    let null = match &about["null"] {
        Value::Null => None,
        null => Some(KeptNulls::from_json(null)?),
    };
    Some(CheckpointFile { words, data, ended, trace, linkage, null, search })
}
