//! `model.json`: the formulas of a front with the names of their features, readable by later versions.

use std::path::Path;

use intron::{Criteria, FeatureNames, FeatureOrigin, Formula};
use serde_json::{Value, json};

use crate::error::FilesError;
use crate::preparation::Preparation;
use crate::trust::{Evidence, Trust};
use crate::{json, whole_files};

const FORMAT: &str = "intron-model";
/// Objects that hold a model among other things.
const FORMATS: [&str; 3] = [FORMAT, "intron-run", "intron-fit"];
const VERSION: u64 = 1;

/// One formula of a front, as text, with its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Number of nodes, as the front counts it.
    pub size: usize,
    /// Its complexity, where the front weighs another one than the size.
    pub complexity: Option<usize>,
    /// Where several formulas of each size are kept: 1 for the best of its size, 2 for the next, ….
    pub rank: Option<usize>,
    /// R² on the training rows.
    pub r2_train: f64,
    /// R² on the rows held out, if there are any.
    pub r2_test: Option<f64>,
    /// Mean squared error on the training rows.
    pub mse_train: f64,
    /// What else the choice looks at; files of earlier versions do not have it.
    pub criteria: Option<Criteria>,
    /// Mean squared error on the validation rows, where the choice needed some.
    pub validation_mse: Option<f64>,
    /// The formula, scaling written out, with the names of the features.
    pub formula: String,
    /// How far it can be trusted, as far as that was asked for.
    pub trust: Trust,
}

impl Entry {
    /// The entry as an object.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "size": self.size,
            "r2_train": json::number(self.r2_train),
            "r2_test": json::optional(self.r2_test),
            "mse_train": json::number(self.mse_train),
            "formula": self.formula,
        });
        if let Some(Criteria { bic, mdl }) = self.criteria {
            object["bic"] = json::number(bic);
            object["mdl"] = json::number(mdl);
        }
        if let Some(error) = self.validation_mse {
            object["validation_mse"] = json::number(error);
        }
        for (key, value) in [("complexity", self.complexity), ("rank", self.rank)] {
            if let Some(value) = value {
                object[key] = json!(value);
            }
        }
        self.trust.write(&mut object);
        object
    }
}

/// A front, its choice and its features.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFile {
    /// The names of the features, in their order.
    pub features: Vec<String>,
    /// The name of the target.
    pub target: String,
    /// How the features are made of the columns of a table; none where they are those columns.
    pub preparation: Option<Preparation>,
    /// The formulas, from small to large.
    pub front: Vec<Entry>,
    /// Formulas that the user gave, scored like those of the front.
    pub start: Vec<Entry>,
    /// Which one of the front is meant where none is named.
    pub chosen: usize,
    /// The name of the way in which it was chosen; files of earlier versions do not have it.
    pub select: Option<String>,
    /// What the trust in the formulas rests on.
    pub evidence: Evidence,
}

impl ModelFile {
    /// The content of `model.json`.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "format": FORMAT,
            "version": VERSION,
            "features": self.features,
            "target": self.target,
            "front": self.front.iter().map(Entry::to_json).collect::<Vec<_>>(),
            "chosen": self.chosen,
        });
        if let Some(select) = &self.select {
            object["select"] = json!(select);
        }
        if let Some(preparation) = &self.preparation {
            object["preparation"] = preparation.to_json();
        }
        if !self.start.is_empty() {
            object["start"] = self.start.iter().map(Entry::to_json).collect();
        }
        self.evidence.write(&mut object);
        object
    }

    /// Reads a model from a file (`-` is standard input), or from the folder of a run.
    pub fn read(path: &Path) -> Result<ModelFile, FilesError> {
        let has_not_ended = path.join("checkpoint.txt").is_file();
        let path = if path.is_dir() { path.join("model.json") } else { path.to_owned() };
        let source = whole_files::name_of(&path);
        let bytes = whole_files::read(&path).map_err(|error| {
            let hint = if has_not_ended && matches!(error, FilesError::Absent(_)) {
                "the search of this folder has not ended: `intron fit --resume` goes on with it"
            } else {
                "give a model.json, or the folder that `intron fit --out` wrote"
            };
            error.reworded(|text| format!("{text}; {hint}"))
        })?;
        ModelFile::from_text(&source, &bytes)
    }

    /// Reads a model from the bytes of a file; `source` is how messages call it.
    pub fn from_text(source: &str, bytes: &[u8]) -> Result<ModelFile, FilesError> {
        ModelFile::from_json(&json::read(source, bytes)?)
            .map_err(|error| error.reworded(|problem| format!("{source}: {problem}")))
    }

    /// The bytes of `model.json`.
    pub fn to_text(&self) -> String {
        json::text(&self.to_json())
    }

    /// Writes a model file, whole; what was there before is replaced.
    pub fn write(&self, path: &Path) -> Result<(), FilesError> {
        whole_files::replace(path, self.to_text().as_bytes())
    }

    /// Reads a model from the content of its file, or of another object of this program that holds one. The text of an
    /// error goes on after the name of the file.
    pub fn from_json(value: &Value) -> Result<ModelFile, FilesError> {
        read_model(value).map_err(FilesError::Content)
    }

    /// The formula with this number, or the chosen one; none if the front has no such number.
    pub fn entry(&self, index: Option<usize>) -> Option<&Entry> {
        self.front.get(index.unwrap_or(self.chosen))
    }

    /// The names of the features, as formulas use them.
    pub fn names(&self) -> FeatureNames {
        FeatureNames::new(&self.features)
    }

    /// From which columns of a table the features come, where they are not those columns.
    pub fn origins(&self) -> Vec<FeatureOrigin> {
        self.preparation.as_ref().map(Preparation::origins).unwrap_or_default()
    }

    /// A formula of this model, read.
    pub fn formula(&self, entry: &Entry) -> Result<Formula, intron::Error> {
        Formula::parse(&entry.formula, &self.names())
    }
}

fn read_model(value: &Value) -> Result<ModelFile, String> {
    if !FORMATS.iter().any(|format| value["format"] == *format) {
        return Err("is not a model of this program (no \"format\": \"intron-model\")".to_owned());
    }
    if value["version"] != VERSION {
        let version = &value["version"];
        return Err(format!("has version {version}; this program reads version {VERSION}"));
    }
    let list = |key: &str| {
        value[key].as_array().ok_or_else(|| format!("is damaged: \"{key}\" is not a list"))
    };
    let text = |value: &Value, what: &str| {
        value.as_str().map(str::to_owned).ok_or_else(|| format!("is damaged: {what} is not text"))
    };
    let features: Vec<String> =
        list("features")?.iter().map(|name| text(name, "a feature")).collect::<Result<_, _>>()?;
    let front: Vec<Entry> = list("front")?.iter().map(read_entry).collect::<Result<_, _>>()?;
    let start: Vec<Entry> = match value.get("start") {
        None | Some(Value::Null) => Vec::new(),
        Some(_) => list("start")?.iter().map(read_entry).collect::<Result<_, _>>()?,
    };
    let chosen = value["chosen"].as_u64().map(|chosen| chosen as usize);
    let chosen = chosen.filter(|&chosen| chosen < front.len());
    let chosen = chosen.ok_or("is damaged: \"chosen\" is not the number of a formula")?;
    let target = text(&value["target"], "\"target\"")?;
    let select = value["select"].as_str().map(str::to_owned);
    let preparation = match value.get("preparation") {
        None | Some(Value::Null) => None,
        Some(preparation) => Some(Preparation::from_json(preparation)?),
    };
    if preparation.as_ref().is_some_and(|preparation| preparation.feature_names() != features) {
        return Err("is damaged: \"preparation\" does not make its features".to_owned());
    }
    let evidence = Evidence::read(value, features.len())?;
    let model = ModelFile { features, target, preparation, front, start, chosen, select, evidence };
    let names = FeatureNames::new(&model.features);
    for entry in model.front.iter().chain(&model.start) {
        Formula::parse(&entry.formula, &names)
            .map_err(|error| format!("is damaged: `{}`: {error}", entry.formula))?;
    }
    Ok(model)
}

fn read_entry(value: &Value) -> Result<Entry, String> {
    let missing = |key: &str| format!("is damaged: a formula has no \"{key}\"");
    let score = |key: &str| json::as_number(&value[key]);
    let count = |key: &str| value[key].as_u64().map(|count| count as usize);
    Ok(Entry {
        size: value["size"].as_u64().ok_or_else(|| missing("size"))? as usize,
        complexity: count("complexity"),
        rank: count("rank"),
        r2_train: score("r2_train").ok_or_else(|| missing("r2_train"))?,
        r2_test: score("r2_test"),
        mse_train: score("mse_train").ok_or_else(|| missing("mse_train"))?,
        criteria: score("bic").zip(score("mdl")).map(|(bic, mdl)| Criteria { bic, mdl }),
        validation_mse: score("validation_mse"),
        formula: value["formula"].as_str().ok_or_else(|| missing("formula"))?.to_owned(),
        trust: Trust::read(value)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::{Calibration, NullRuns};

    fn model() -> ModelFile {
        let entry = Entry {
            size: 3,
            complexity: Some(5),
            rank: Some(2),
            r2_train: 0.1 + 0.2,
            r2_test: Some(f64::NEG_INFINITY),
            mse_train: 1e-300,
            criteria: Some(Criteria { bic: -0.1, mdl: f64::NEG_INFINITY }),
            validation_mse: Some(0.7),
            formula: "a + `b c`".to_owned(),
            trust: Trust {
                safety: Some("dangerous".to_owned()),
                danger: Some("divides by 0 near a = 1".to_owned()),
                half_widths: Some(vec![0.1, 2.5, f64::INFINITY]),
                p_null: Some(1.0 / 21.0),
            },
        };
        let features = vec!["a".to_owned(), "b c".to_owned()];
        let preparation = Some(Preparation::none(&features));
        let evidence = Evidence {
            ranges: Some(vec![[-1.5, 0.1 + 0.2], [0.0, 7.0]]),
            safety_margin: Some(0.05),
            calibration: Some(Calibration { n_rows: 25, levels: vec![0.5, 0.9, 0.99] }),
            null: Some(NullRuns { n_runs: 20, n_evaluations: 1_000_000 }),
        };
        let (target, start, front) = ("y".to_owned(), vec![entry.clone()], vec![entry]);
        let select = Some("bic".to_owned());
        ModelFile { features, target, preparation, front, start, chosen: 0, select, evidence }
    }

    #[test]
    fn a_model_is_read_back_to_the_last_bit() {
        let text = model().to_text();
        assert_eq!(ModelFile::from_text("m", text.as_bytes()), Ok(model()));
        assert_eq!(ModelFile::from_json(&model().to_json()), Ok(model()));
    }

    #[test]
    fn files_without_what_the_choice_looked_at_are_read() {
        let mut earlier = model().to_json();
        let entry = earlier["front"][0].as_object_mut().unwrap();
        for key in ["bic", "mdl", "validation_mse"] {
            entry.remove(key).unwrap();
        }
        earlier.as_object_mut().unwrap().remove("select").unwrap();
        let mut read = ModelFile::from_json(&earlier).unwrap();
        assert_eq!((read.front[0].criteria, read.front[0].validation_mse), (None, None));
        assert_eq!(read.select.take(), None);
        read.front = model().front;
        assert_eq!(read, ModelFile { select: None, ..model() });
    }

    #[test]
    fn a_model_is_written_whole_and_replaced() {
        let folder = std::env::temp_dir().join(format!("intron-model-{}", std::process::id()));
        let path = folder.join("model.json");
        ModelFile { chosen: 0, target: "other".to_owned(), ..model() }.write(&path).unwrap();
        model().write(&path).unwrap();
        assert_eq!(ModelFile::read(&folder), Ok(model()));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
