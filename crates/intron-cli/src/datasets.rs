//! The five problems of the paper (table 1): three are built in, two must be fetched by the user.

use std::path::{Path, PathBuf};

use intron_lab::sha256;
use serde_json::json;

use crate::arguments::DatasetsArguments;
use crate::failure::Failure;
use crate::{files, json, terminal};

/// A data set that is known by name.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    n_rows: usize,
    n_features: usize,
    about: &'static str,
    licence: &'static str,
    /// The text, where the licence allows to ship it.
    text: Option<&'static str>,
    sha256: &'static str,
    source: &'static str,
}

pub(crate) static KNOWN: [Known; 5] = [
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

/// The bytes of a data set by name: built in, or `NAME.csv` in the data folder. None if the name is not known.
pub(crate) fn find(name: &str, data_dir: Option<&Path>) -> Option<Result<Vec<u8>, Failure>> {
    let known = KNOWN.iter().find(|known| known.name == name);
    if let Some(Known { text: Some(text), .. }) = known {
        return Some(Ok(text.as_bytes().to_vec()));
    }
    if let Some(path) = in_folder(name, data_dir) {
        return Some(files::read(&path));
    }
    known.map(|known| {
        Err(Failure::work(format!(
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

/// `intron datasets`.
pub(crate) fn list(arguments: &DatasetsArguments) -> Result<(), Failure> {
    let rows: Vec<(&Known, String)> =
        KNOWN.iter().map(|known| (known, place(known, arguments.data_dir.as_deref()))).collect();
    if arguments.output.json {
        let list: Vec<_> = rows.iter().map(|(known, place)| row_json(known, place)).collect();
        let object = json!({"format": "intron-datasets", "version": 1, "datasets": list});
        return terminal::print(&json::text(&object));
    }
    let mut text =
        format!("{:<12} {:>5} {:>9}  {:<12} {}\n", "name", "rows", "features", "licence", "where");
    for (known, place) in rows {
        let Known { name, n_rows, n_features, about, licence, .. } = known;
        text += &format!("{name:<12} {n_rows:>5} {n_features:>9}  {licence:<12} {place}\n");
        text += &format!("             {about}\n");
    }
    text += "\nUse one by its name:  intron fit airfoil\n";
    terminal::print(&text)
}

fn place(known: &Known, data_dir: Option<&Path>) -> String {
    if known.text.is_some() {
        return "built in".to_owned();
    }
    let Some(path) = in_folder(known.name, data_dir) else {
        return format!("not found; save as {}.csv, see --data-dir; {}", known.name, known.source);
    };
    let has_known_bytes = files::read(&path).is_ok_and(|bytes| sha256(&bytes) == known.sha256);
    let note = if has_known_bytes { "" } else { " (other bytes than the copy this program knows)" };
    format!("{}{note}", path.display())
}

fn row_json(known: &Known, place: &str) -> serde_json::Value {
    json!({
        "name": known.name,
        "rows": known.n_rows,
        "features": known.n_features,
        "about": known.about,
        "licence": known.licence,
        "source": known.source,
        "sha256": known.sha256,
        "built_in": known.text.is_some(),
        "where": place,
    })
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
