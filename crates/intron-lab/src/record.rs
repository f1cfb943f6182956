//! The record of one run: a header line with length and checksum, then exactly one JSON object. What a seed determines stands
//! apart from what was measured, so that two records of one run can be compared.

use intron_files::sha256;
use serde::{Deserialize, Serialize};

use crate::task::Task;

/// What a run leaves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What the run was, and what it found: the same whenever and wherever it is done.
    pub result: RunResult,
    /// Times and places.
    pub measured: Measured,
}

/// What a run was and what it found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// What it was made of.
    pub task: Task,
    /// Evaluations done.
    pub n_evaluations: u64,
    /// Generations done, those of all populations added up.
    pub n_generations: u64,
    /// Why it ended.
    pub stop_reason: String,
    /// The most accurate formula.
    pub formula: String,
    /// Number of active positions of it.
    pub size: usize,
    /// Its R² on the rows that were learned from.
    #[serde(with = "number")]
    pub r2_train: f64,
    /// Its R² on the rows that were held out.
    #[serde(with = "number")]
    pub r2_test: f64,
    /// Every improvement of the best.
    pub trace: Vec<TracePoint>,
    /// Similarities at some generations of the first population.
    pub similarities: Vec<Similarity>,
}

/// The best so far, after some evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TracePoint {
    /// Evaluations so far.
    pub evaluations: u64,
    /// R² on the rows that are learned from.
    #[serde(with = "number")]
    pub r2_train: f64,
    /// R² on the rows that are held out.
    #[serde(with = "number")]
    pub r2_test: f64,
    /// Number of active positions.
    pub size: usize,
}

/// A similarity matrix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Similarity {
    /// The generation, from 0: at 0 nothing was varied yet.
    pub generation: u64,
    /// Number of positions.
    pub n_positions: usize,
    /// The values below the diagonal, row by row.
    #[serde(with = "numbers")]
    pub values: Vec<f64>,
}

/// Times and places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// CPU time of the run.
    pub cpu_seconds: f64,
    /// Time that passed.
    pub wall_seconds: f64,
    /// CPU time at every point of the trace.
    pub trace_seconds: Vec<f64>,
    /// The machine.
    pub host: String,
    /// The version of the program.
    pub version: String,
}

/// What is wrong with a file that should be a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Damage(pub String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    id: String,
    length: usize,
    sha256: String,
}

const FORMAT: &str = "intron-record";
const VERSION: u32 = 1;

impl Record {
    /// The whole file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = serde_json::to_string(self).expect("a record is made of what JSON has");
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: self.result.task.id.clone(),
            length: body.len(),
            sha256: sha256(body.as_bytes()),
        };
        let header = serde_json::to_string(&header).expect("a header is made of what JSON has");
        format!("{header}\n{body}").into_bytes()
    }

    /// Reads the record of the run with this id; refuses a file that is torn, changed, doubled or another run's.
    pub fn from_bytes(bytes: &[u8], id: &str) -> Result<Record, Damage> {
        let damage = |what: &str| Damage(what.to_owned());
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| damage("the header is cut off"))?;
        let (header, body) = (&bytes[..end], &bytes[end + 1..]);
        let header: Header =
            serde_json::from_slice(header).map_err(|_| damage("the header cannot be read"))?;
        if header.format != FORMAT {
            return Err(damage("it is not a record of a run"));
        }
        if header.version != VERSION {
            return Err(Damage(format!("it is of version {}, not {VERSION}", header.version)));
        }
        if header.id != id {
            return Err(Damage(format!("it is the record of run {}", header.id)));
        }
        if header.length != body.len() {
            return Err(Damage(format!("it has {} bytes, not {}", body.len(), header.length)));
        }
        if header.sha256 != sha256(body) {
            return Err(damage("its checksum is wrong"));
        }
        let record: Record = serde_json::from_slice(body)
            .map_err(|error| Damage(format!("its content cannot be read: {error}")))?;
        if record.result.task.id != id {
            return Err(damage("its content is that of another run"));
        }
        Ok(record)
    }
}

impl RunResult {
    /// A checksum of what the seed determines.
    pub fn sha256(&self) -> String {
        let text = serde_json::to_string(self).expect("a result is made of what JSON has");
        sha256(text.as_bytes())
    }
}

/// A number as JSON has it; those that it does not have are written as words.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Word(String),
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        if value.is_finite() { Number::Finite(value) } else { Number::Word(value.to_string()) }
    }
}

impl Number {
    fn value<E: serde::de::Error>(self) -> Result<f64, E> {
        match self {
            Number::Finite(value) => Ok(value),
            Number::Word(word) => match word.as_str() {
                "NaN" => Ok(f64::NAN),
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                _ => Err(E::custom("not a number")),
            },
        }
    }
}

/// One number.
mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Number;

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Number::from(*value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Number::deserialize(deserializer)?.value()
    }
}

/// A list of numbers.
mod numbers {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Number;

    pub(super) fn serialize<S: Serializer>(
        values: &[f64],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|&value| Number::from(value)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<f64>, D::Error> {
        Vec::<Number>::deserialize(deserializer)?.into_iter().map(Number::value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let task = Task {
            id: "0123456789abcdef0123456789abcdef".to_owned(),
            data: "airfoil".to_owned(),
            data_sha256: "00".to_owned(),
            height: 5,
            linear_scaling: "on".to_owned(),
            operators: "small".to_owned(),
            linkage: "node".to_owned(),
            repeat: 0,
            fold: 0,
            folds: 5,
            test_fraction: 0.25,
            split_seed: 0,
            settings: vec![("height".to_owned(), "5".to_owned())],
            similarity_generations: Vec::new(),
        };
        let point =
            TracePoint { evaluations: 1, r2_train: 0.1, r2_test: f64::NEG_INFINITY, size: 3 };
        let result = RunResult {
            task,
            n_evaluations: 10,
            n_generations: 1,
            stop_reason: "evaluations".to_owned(),
            formula: "x".to_owned(),
            size: 1,
            r2_train: 0.1 + 0.2,
            r2_test: f64::NEG_INFINITY,
            trace: vec![point],
            similarities: vec![Similarity { generation: 0, n_positions: 2, values: vec![0.3] }],
        };
        let measured = Measured {
            cpu_seconds: 0.1,
            wall_seconds: 0.2,
            trace_seconds: vec![0.05],
            host: "here".to_owned(),
            version: "0".to_owned(),
        };
        Record { result, measured }
    }

    #[test]
    fn a_record_comes_back_to_the_last_bit() {
        let record = record();
        assert_eq!(Record::from_bytes(&record.to_bytes(), &record.result.task.id), Ok(record));
    }

    #[test]
    fn similarities_that_are_not_finite_come_back_too() {
        let mut record = record();
        let values = vec![0.1 + 0.2, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0, 1.0];
        record.result.similarities[0].values = values.clone();
        let read = Record::from_bytes(&record.to_bytes(), &record.result.task.id).unwrap();
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read.result.similarities[0].values), bits(&values));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let record = record();
        let (bytes, id) = (record.to_bytes(), &record.result.task.id);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // A flip may turn a letter of a key of the header into another spelling of the same JSON, but never change the content.
            if let Ok(read) = Record::from_bytes(&flipped, id) {
                assert_eq!(read, record, "bit {bit}");
            }
        }
        for length in 0..bytes.len() {
            assert!(Record::from_bytes(&bytes[..length], id).is_err(), "{length} bytes");
        }
        assert!(Record::from_bytes(&[&bytes[..], &bytes[..]].concat(), id).is_err());
        assert!(Record::from_bytes(&[&bytes[..], b" "].concat(), id).is_err());
        assert!(Record::from_bytes(&bytes, "ffffffffffffffffffffffffffffffff").is_err());
    }
}
