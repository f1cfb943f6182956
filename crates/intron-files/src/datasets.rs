//! The five problems of the paper (table 1): three are built in, two must be fetched by the user.

use std::path::{Path, PathBuf};

use crate::checksum::sha256;
use crate::error::FilesError;
use crate::whole_files::read;

/// A data set that is known by name.
#[derive(Debug)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// How many rows it has.
    pub n_rows: usize,
    /// How many columns it has beside the target.
    pub n_features: usize,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Its licence.
    pub licence: &'static str,
    /// The text, where the licence allows to ship it.
    pub text: Option<&'static str>,
    /// The checksum of the copy that this program knows.
    pub sha256: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// Every data set that is known by name, in the order of their names.
pub static KNOWN: [Known; 5] = [
    Known {
        name: "airfoil",
        n_rows: 1503,
        n_features: 5,
        about: "Airfoil self-noise (NASA): sound pressure in dB",
        licence: "CC BY 4.0",
        text: Some(include_str!("../../../datasets/airfoil.csv")),
        sha256: "931e38ee04ac1c9412cc014224045f7c32f1e36c3fbc1a0c4f5ded96338a754f",
        source: "UCI data set 291",
    },
    Known {
        name: "bike",
        n_rows: 731,
        n_features: 12,
        about: "Bike sharing, daily: number of rentals",
        licence: "CC BY 4.0",
        text: Some(include_str!("../../../datasets/bike.csv")),
        sha256: "91d01e879b73472f8bdda14f83d7f3c8df050f5893b065eb168154f1bed58483",
        source: "UCI data set 275",
    },
    Known {
        name: "concrete",
        n_rows: 1030,
        n_features: 8,
        about: "Concrete compressive strength in MPa",
        licence: "CC BY 4.0",
        text: Some(include_str!("../../../datasets/concrete.csv")),
        sha256: "4e4f926d89d4c82fb284682476ffffded4d26e717f9370ffe7465b57f75485ce",
        source: "UCI data set 165",
    },
    Known {
        name: "dowchemical",
        n_rows: 1066,
        n_features: 57,
        about: "Dow Chemical: composition in a process",
        licence: "none stated",
        text: None,
        sha256: "d9b48d9537ee18282e063a511a2585b08f531e7c989c5a539e3c470fefad3329",
        source: "public copies: PonyGE2 datasets/Dow/, Operon data/Chemical-II.csv",
    },
    Known {
        name: "tower",
        n_rows: 4999,
        n_features: 25,
        about: "Tower: gas chromatography of a distillation tower",
        licence: "none stated",
        text: None,
        sha256: "8cc4acc09b999d700bd273f63854302ff2972ea0183a9c5fee7bf1c07b669cbd",
        source: "public copies: PonyGE2 datasets/towerData.txt, Operon data/Chemical-I.csv",
    },
];

impl Known {
    /// Where it is, in words.
    pub fn place(&self, data_dir: Option<&Path>) -> String {
        if self.text.is_some() {
            return "built in".to_owned();
        }
        let Some(path) = in_folder(self.name, data_dir) else {
            return format!(
                "not found; save as {}.csv, see --data-dir; {}",
                self.name, self.source
            );
        };
        let has_known_bytes = read(&path).is_ok_and(|bytes| sha256(&bytes) == self.sha256);
        let note =
            if has_known_bytes { "" } else { " (other bytes than the copy this program knows)" };
        format!("{}{note}", path.display())
    }
}

/// The bytes of a data set by name: built in, or `NAME.csv` in the data folder. None if the name is not known.
pub(crate) fn find(name: &str, data_dir: Option<&Path>) -> Option<Result<Vec<u8>, FilesError>> {
    let known = KNOWN.iter().find(|known| known.name == name);
    if let Some(Known { text: Some(text), .. }) = known {
        return Some(Ok(text.as_bytes().to_vec()));
    }
    if let Some(path) = in_folder(name, data_dir) {
        return Some(read(&path));
    }
    known.map(|known| {
        Err(FilesError::Absent(format!(
            "the data set `{name}` cannot be shipped (licence: {}); get it yourself ({}), save it as {name}.csv \
             with a header and the target last, and name its folder with --data-dir or INTRON_DATA_DIR",
            known.licence, known.source
        )))
    })
}

fn in_folder(name: &str, data_dir: Option<&Path>) -> Option<PathBuf> {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let path = data_dir?.join(format!("{name}.csv"));
    (is_plain && path.is_file()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read_columns;

    #[test]
    fn built_in_data_sets_are_what_they_say() {
        for known in KNOWN.iter().filter(|known| known.text.is_some()) {
            let text = known.text.unwrap();
            assert_eq!(sha256(text.as_bytes()), known.sha256, "{}", known.name);
            let table = read_columns(known.name, text.as_bytes(), |_, _| true).unwrap();
            assert_eq!(table.columns.len(), known.n_features + 1, "{}", known.name);
            assert_eq!(table.columns[0].len(), known.n_rows, "{}", known.name);
            assert_eq!(table.names.last().unwrap(), "target");
        }
    }
}
