//! `model.json`: the formulas of a front with the names of their features, readable by later versions.

use std::path::Path;

use intron::{FeatureNames, Formula};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::{files, json};

const FORMAT: &str = "intron-model";
/// Objects that hold a model among other things.
const FORMATS: [&str; 3] = [FORMAT, "intron-run", "intron-fit"];
const VERSION: u64 = 1;

/// One formula of a front, as text, with its scores.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) size: usize,
    pub(crate) r2_train: f64,
    pub(crate) r2_test: Option<f64>,
    pub(crate) mse_train: f64,
    pub(crate) formula: String,
}

impl Entry {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "size": self.size,
            "r2_train": json::number(self.r2_train),
            "r2_test": json::optional(self.r2_test),
            "mse_train": json::number(self.mse_train),
            "formula": self.formula,
        })
    }
}

/// A front, its choice and its features.
#[derive(Debug)]
pub(crate) struct ModelFile {
    pub(crate) features: Vec<String>,
    pub(crate) target: String,
    pub(crate) front: Vec<Entry>,
    pub(crate) chosen: usize,
}

impl ModelFile {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "format": FORMAT,
            "version": VERSION,
            "features": self.features,
            "target": self.target,
            "front": self.front.iter().map(Entry::to_json).collect::<Vec<_>>(),
            "chosen": self.chosen,
        })
    }

    /// Reads a model from a file, or from the folder of a run.
    pub(crate) fn read(path: &Path) -> Result<ModelFile, Failure> {
        let path = if path.is_dir() { path.join("model.json") } else { path.to_owned() };
        let source = files::name_of(&path);
        let bytes = files::read(&path).map_err(|failure| {
            let hint = "give a model.json, or the folder that `intron fit --out` wrote";
            Failure::work(format!("{}; {hint}", failure.message))
        })?;
        let value = json::read(&source, &bytes)?;
        ModelFile::from_json(&value)
            .map_err(|problem| Failure::work(format!("{source}: {problem}")))
    }

    fn from_json(value: &Value) -> Result<ModelFile, String> {
        if !FORMATS.iter().any(|format| value["format"] == *format) {
            return Err(
                "is not a model of this program (no \"format\": \"intron-model\")".to_owned()
            );
        }
        if value["version"] != VERSION {
            let version = &value["version"];
            return Err(format!("has version {version}; this program reads version {VERSION}"));
        }
        let list = |key: &str| {
            value[key].as_array().ok_or_else(|| format!("is damaged: \"{key}\" is not a list"))
        };
        let text = |value: &Value, what: &str| {
            value
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| format!("is damaged: {what} is not text"))
        };
        let features: Vec<String> = list("features")?
            .iter()
            .map(|name| text(name, "a feature"))
            .collect::<Result<_, _>>()?;
        let front: Vec<Entry> = list("front")?.iter().map(read_entry).collect::<Result<_, _>>()?;
        let chosen = value["chosen"].as_u64().map(|chosen| chosen as usize);
        let chosen = chosen.filter(|&chosen| chosen < front.len());
        let chosen = chosen.ok_or("is damaged: \"chosen\" is not the number of a formula")?;
        let target = text(&value["target"], "\"target\"")?;
        let model = ModelFile { features, target, front, chosen };
        let names = FeatureNames::new(&model.features);
        for entry in &model.front {
            Formula::parse(&entry.formula, &names)
                .map_err(|error| format!("is damaged: `{}`: {error}", entry.formula))?;
        }
        Ok(model)
    }

    /// The formula with this number, or the chosen one.
    pub(crate) fn entry(&self, index: Option<usize>) -> Result<&Entry, Failure> {
        let index = index.unwrap_or(self.chosen);
        self.front.get(index).ok_or_else(|| {
            Failure::usage(format!(
                "--index {index}: the front has formulas 0 to {}",
                self.front.len().saturating_sub(1)
            ))
        })
    }

    pub(crate) fn names(&self) -> FeatureNames {
        FeatureNames::new(&self.features)
    }

    /// A formula of this model, read.
    pub(crate) fn formula(&self, entry: &Entry) -> Result<Formula, Failure> {
        Ok(Formula::parse(&entry.formula, &self.names())?)
    }
}

fn read_entry(value: &Value) -> Result<Entry, String> {
    let missing = |key: &str| format!("is damaged: a formula has no \"{key}\"");
    let score = |key: &str| match &value[key] {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse::<f64>().ok(),
        _ => None,
    };
    Ok(Entry {
        size: value["size"].as_u64().ok_or_else(|| missing("size"))? as usize,
        r2_train: score("r2_train").ok_or_else(|| missing("r2_train"))?,
        r2_test: score("r2_test"),
        mse_train: score("mse_train").ok_or_else(|| missing("mse_train"))?,
        formula: value["formula"].as_str().ok_or_else(|| missing("formula"))?.to_owned(),
    })
}
