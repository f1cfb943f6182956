//! What a model file says about trust: whether formulas are safe on new rows, how wide prediction intervals are, and how likely
//! formulas come from noise. Every part is absent where it was not asked for.

use serde_json::{Value, json};

use crate::json;

/// How far one formula can be trusted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trust {
    /// `safe`, `dangerous` or `undecided`; none where it was not examined.
    pub safety: Option<String>,
    /// What is wrong with a dangerous formula, and where.
    pub danger: Option<String>,
    /// Half the width of its prediction intervals, one for each level of the calibration.
    pub half_widths: Option<Vec<f64>>,
    /// The chance that a formula so good and so small comes from noise.
    pub p_null: Option<f64>,
}

/// What the trust in the formulas of a front rests on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// The smallest and the largest value of each feature on the training rows.
    pub ranges: Option<Vec<[f64; 2]>>,
    /// The share by which these ranges were widened for the examination of safety.
    pub safety_margin: Option<f64>,
    /// The rows that prediction intervals come from.
    pub calibration: Option<Calibration>,
    /// The searches on shuffled targets.
    pub null: Option<NullRuns>,
}

/// Rows that had no part in the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Their number.
    pub n_rows: usize,
    /// The levels of the intervals, rising.
    pub levels: Vec<f64>,
}

/// Searches on shuffled targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullRuns {
    /// Their number.
    pub n_runs: usize,
    /// The evaluations of each.
    pub n_evaluations: u64,
}

impl Trust {
    /// Adds the fields that are there to the object of a formula.
    pub(crate) fn write(&self, object: &mut Value) {
        if let Some(safety) = &self.safety {
            object["safety"] = json!(safety);
            object["danger"] = json!(self.danger);
        }
        if let Some(widths) = &self.half_widths {
            object["half_widths"] = numbers(widths);
        }
        if let Some(p) = self.p_null {
            object["p_null"] = json::number(p);
        }
    }

    /// Reads them; the error goes on after the name of the file.
    pub(crate) fn read(value: &Value) -> Result<Trust, String> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Ok(Trust {
            safety: text("safety"),
            danger: text("danger"),
            half_widths: optional(value, "half_widths", |list| {
                read_numbers(list)
                    .filter(|widths| rises(widths) && widths.iter().all(|w| *w >= 0.0))
            })?,
            p_null: optional(value, "p_null", |value| {
                json::as_number(value).filter(|p| (0.0..=1.0).contains(p))
            })?,
        })
    }
}

impl Evidence {
    /// Adds the fields that are there to the object of a model.
    pub fn write(&self, object: &mut Value) {
        if let Some(ranges) = &self.ranges {
            object["ranges"] = ranges.iter().map(|range| numbers(range)).collect();
        }
        if let Some(margin) = self.safety_margin {
            object["safety_margin"] = json!(margin);
        }
        if let Some(Calibration { n_rows, levels }) = &self.calibration {
            object["calibration"] = json!({"n_rows": n_rows, "levels": levels});
        }
        if let Some(NullRuns { n_runs, n_evaluations }) = self.null {
            object["null"] = json!({"n_runs": n_runs, "n_evaluations": n_evaluations});
        }
    }

    /// Reads them; the error goes on after the name of the file.
    pub(crate) fn read(value: &Value, n_features: usize) -> Result<Evidence, String> {
        let ranges = optional(value, "ranges", |list| {
            let range =
                |pair: &Value| read_numbers(pair).filter(|pair| rises(pair))?.try_into().ok();
            list.as_array()?.iter().map(range).collect::<Option<Vec<[f64; 2]>>>()
        })?;
        if ranges.as_ref().is_some_and(|ranges| ranges.len() != n_features) {
            return Err("is damaged: \"ranges\" are not one for each feature".to_owned());
        }
        Ok(Evidence {
            ranges,
            safety_margin: optional(value, "safety_margin", |value| {
                value.as_f64().filter(|margin| *margin >= 0.0)
            })?,
            calibration: optional(value, "calibration", |value| {
                let n_rows = value["n_rows"].as_u64()? as usize;
                let levels = read_numbers(&value["levels"]).filter(|levels| rises(levels))?;
                Some(Calibration { n_rows, levels })
            })?,
            null: optional(value, "null", |value| {
                let n_runs = value["n_runs"].as_u64()? as usize;
                Some(NullRuns { n_runs, n_evaluations: value["n_evaluations"].as_u64()? })
            })?,
        })
    }
}

fn numbers(values: &[f64]) -> Value {
    values.iter().map(|&value| json::number(value)).collect()
}

fn read_numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(json::as_number).collect()
}

/// Whether no number is below the one before it, nor is none at all.
fn rises(values: &[f64]) -> bool {
    values.is_sorted() && values.iter().all(|value| !value.is_nan())
}

/// A field that may be absent; what is there must be readable.
fn optional<T>(
    value: &Value,
    key: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, String> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(found) => {
            let read = read(found);
            read.map(Some).ok_or_else(|| format!("is damaged: \"{key}\" cannot be read"))
        }
    }
}
