//! From a DATA argument to a data set: which columns are features, which is the target.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;

use intron::{Dataset, Seed, Split};
use intron_files::{Missing, Need, Preparation, Reading, read_table};

use crate::arguments::DataArguments;
use crate::failure::Failure;
use crate::{preparing, terminal};

/// A data set with the names that files and reports give it.
pub(crate) struct Input {
    /// How the data is called in messages.
    pub(crate) source: String,
    /// SHA-256 of the table.
    pub(crate) sha256: String,
    pub(crate) dataset: Dataset,
    /// Which rows of the data set are learned from, and which are held out.
    pub(crate) split: Split,
    pub(crate) target_name: String,
    pub(crate) weights_name: Option<String>,
    /// The names of all columns.
    pub(crate) columns: Vec<String>,
    /// How the features were made of the columns; none where they are those columns.
    pub(crate) preparation: Option<Preparation>,
    /// What was done to the table.
    pub(crate) notes: Vec<String>,
    /// What is odd, but no reason to refuse.
    pub(crate) warnings: Vec<String>,
}

/// Which rows are held out.
pub(crate) struct HeldOut {
    pub(crate) fraction: f64,
    pub(crate) seed: Seed,
    /// Whether the parts are needed even where nothing is learned from the training rows.
    pub(crate) is_needed: bool,
}

/// Which columns are what.
pub(crate) struct Roles {
    pub(crate) target: usize,
    /// Whether the target is not the last column because that has the weights.
    pub(crate) is_before_weights: bool,
    pub(crate) weights: Option<usize>,
    pub(crate) features: Vec<usize>,
    /// Features that are words.
    one_hot: HashSet<usize>,
    /// Whether features with text are words, too.
    is_auto: bool,
}

/// Reads the data, finds the columns and makes features of them.
pub(crate) fn read(arguments: &DataArguments, held_out: &HeldOut) -> Result<Input, Failure> {
    let (source, bytes) = bytes_named(arguments)?;
    of_bytes(arguments, held_out, &source, &bytes)
}

/// The bytes that the arguments name, and how they are called.
pub(crate) fn bytes_named(arguments: &DataArguments) -> Result<(String, Vec<u8>), Failure> {
    let data = arguments.data.as_deref().expect("clap asks for it");
    bytes_of(data, arguments.data_dir.as_deref())
}

/// The same for bytes that are there.
pub(crate) fn of_bytes(
    arguments: &DataArguments,
    held_out: &HeldOut,
    source: &str,
    bytes: &[u8],
) -> Result<Input, Failure> {
    let missing = Missing::from_name(&arguments.missing).expect("clap knows the names");
    let reading = Reading {
        sheet: arguments.sheet.as_deref(),
        keeps_missing: missing != Missing::Error,
        mend_missing: "--missing drop leaves such rows out, --missing impute fills them in",
        mend_text: "mend the cell; for a column of words add --one-hot COLUMN, or leave it out with --features",
        most_words: preparing::MOST_LEVELS,
    };
    // The names are needed to know which columns to read, so the roles are found on the way.
    let roles = OnceCell::new();
    let table = read_table(source, bytes, &reading, |column, names| {
        let needs = roles.get_or_init(|| {
            let roles = assign_roles(arguments, names)?;
            let needs = roles.needs(names.len());
            Ok((roles, needs))
        });
        needs.as_ref().map_or(Need::Skip, |(_, needs)| needs[column])
    })?;
    let roles = roles.into_inner().expect("a table has at least one column");
    let (roles, _) = roles.map_err(|failure: Failure| failure.about(&table.source))?;
    preparing::prepare(table, &roles, missing, held_out, intron_files::sha256(bytes))
}

/// The bytes behind a DATA argument, and how they are called.
pub(crate) fn bytes_of(data: &str, data_dir: Option<&Path>) -> Result<(String, Vec<u8>), Failure> {
    terminal::announce_standard_input(Path::new(data));
    Ok(intron_files::bytes_of(data, data_dir)?)
}

impl Roles {
    /// How each column is to be read.
    fn needs(&self, n_columns: usize) -> Vec<Need> {
        let mut needs = vec![Need::Skip; n_columns];
        for &column in &self.features {
            needs[column] = if self.one_hot.contains(&column) {
                Need::Words
            } else if self.is_auto {
                Need::Either
            } else {
                Need::Numbers
            };
        }
        [self.target]
            .into_iter()
            .chain(self.weights)
            .for_each(|column| needs[column] = Need::Measured);
        needs
    }
}

fn assign_roles(arguments: &DataArguments, names: &[String]) -> Result<Roles, Failure> {
    if names.len() < 2 {
        return Err(Failure::work(
            "has only one column; at least a feature and a target are needed (columns are separated by \
             commas, tabs, semicolons, pipes or spaces)",
        ));
    }
    let weights = match &arguments.weights {
        Some(text) => Some(find_column("--weights", text, names)?),
        None => None,
    };
    let last = (0..names.len()).rev().find(|&column| Some(column) != weights);
    let target = match &arguments.target {
        Some(text) => find_column("--target", text, names)?,
        None => last.expect("there are at least two columns"),
    };
    if Some(target) == weights {
        let name = &names[target];
        return Err(Failure::usage(format!(
            "--weights and --target name the same column, `{name}`; name another one for the weights"
        )));
    }
    let mut features: Vec<usize> =
        (0..names.len()).filter(|&column| column != target && Some(column) != weights).collect();
    if let Some(list) = &arguments.features {
        features = choose_features(list, names, target, weights)?;
    }
    if features.is_empty() {
        return Err(Failure::work("has no column left for a feature; at least one is needed"));
    }
    let one_hot = choose_words(&arguments.one_hot, names, &features)?;
    let is_auto = arguments.one_hot.iter().any(|text| text == AUTO);
    let is_before_weights = arguments.target.is_none() && weights == Some(names.len() - 1);
    Ok(Roles { target, is_before_weights, weights, features, one_hot, is_auto })
}

/// Means every feature that has text in it.
const AUTO: &str = "auto";

fn choose_words(
    list: &[String],
    names: &[String],
    features: &[usize],
) -> Result<HashSet<usize>, Failure> {
    let find = |text: &String| {
        let column = find_column("--one-hot", text, names)?;
        if features.contains(&column) {
            return Ok(column);
        }
        Err(Failure::usage(format!("--one-hot: `{text}` is not one of the features")))
    };
    list.iter().filter(|text| *text != AUTO).map(find).collect()
}

fn choose_features(
    list: &str,
    names: &[String],
    target: usize,
    weights: Option<usize>,
) -> Result<Vec<usize>, Failure> {
    let (mut features, mut seen) = (Vec::new(), HashSet::new());
    // A name may hold a comma; then the whole list can be that one name.
    let parts: Vec<&str> =
        if names.iter().any(|name| name == list) { vec![list] } else { list.split(',').collect() };
    for part in parts {
        let column = find_column("--features", part.trim(), names)?;
        if column == target || Some(column) == weights {
            let problem =
                format!("--features: `{part}` is the target or the weights; leave it out");
            return Err(Failure::usage(problem));
        }
        if !seen.insert(column) {
            return Err(Failure::usage(format!("--features: `{part}` is named twice")));
        }
        features.push(column);
    }
    Ok(features)
}

/// A column by its name, or else by its number from 0; negative numbers count from the end.
fn find_column(flag: &str, text: &str, names: &[String]) -> Result<usize, Failure> {
    if let Some(column) = names.iter().position(|name| name == text) {
        return Ok(column);
    }
    let n = names.len() as i64;
    match text.parse::<i64>() {
        Ok(number) if (-n..n).contains(&number) => Ok(number.rem_euclid(n) as usize),
        Ok(number) => Err(Failure::usage(format!(
            "{flag}: there is no column {number}; columns are numbered 0 to {}",
            n - 1
        ))),
        Err(_) => {
            let shown: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
            let more = if names.len() > 12 { ", …" } else { "" };
            Err(Failure::usage(format!(
                "{flag}: there is no column `{text}`; columns: {}{more}",
                shown.join(", ")
            )))
        }
    }
}
