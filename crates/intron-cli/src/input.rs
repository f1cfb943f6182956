//! From a DATA argument to a data set: which columns are features, which is the target.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;

use intron::{Dataset, MAX_FEATURES};
use intron_files::{Table, read_columns};

use crate::arguments::DataArguments;
use crate::failure::Failure;
use crate::terminal;

/// A data set with the names that files and reports give it.
pub(crate) struct Input {
    /// How the data is called in messages.
    pub(crate) source: String,
    pub(crate) dataset: Dataset,
    pub(crate) target_name: String,
    /// The names of all columns.
    pub(crate) columns: Vec<String>,
    /// What is odd, but no reason to refuse.
    pub(crate) warnings: Vec<String>,
}

/// Which columns are what.
struct Roles {
    target: usize,
    weights: Option<usize>,
    features: Vec<usize>,
}

/// Reads the data and finds the columns.
pub(crate) fn read(arguments: &DataArguments) -> Result<Input, Failure> {
    let (source, bytes) = bytes_of(&arguments.data, arguments.data_dir.as_deref())?;
    // The names are needed to know which columns to read, so the roles are found on the way.
    let roles = OnceCell::new();
    let table = read_columns(&source, &bytes, |column, names| {
        let needed = roles.get_or_init(|| {
            let roles = assign_roles(arguments, names)?;
            let needed = roles.needed(names.len());
            Ok((roles, needed))
        });
        needed.as_ref().is_ok_and(|(_, needed)| needed[column])
    })?;
    let roles = roles.into_inner().expect("a table has at least one column");
    let (roles, _) = roles.map_err(|failure: Failure| failure.about(&source))?;
    build(source, table, &roles)
}

/// The bytes behind a DATA argument, and how they are called.
pub(crate) fn bytes_of(data: &str, data_dir: Option<&Path>) -> Result<(String, Vec<u8>), Failure> {
    terminal::announce_standard_input(Path::new(data));
    Ok(intron_files::bytes_of(data, data_dir)?)
}

impl Roles {
    /// For each column whether it is needed.
    fn needed(&self, n_columns: usize) -> Vec<bool> {
        let mut needed = vec![false; n_columns];
        let used = self.features.iter().copied().chain([self.target]).chain(self.weights);
        used.for_each(|column| needed[column] = true);
        needed
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
        return Err(Failure::usage("--weights and --target name the same column"));
    }
    let mut features: Vec<usize> =
        (0..names.len()).filter(|&column| column != target && Some(column) != weights).collect();
    if let Some(list) = &arguments.features {
        features = choose_features(list, names, target, weights)?;
    }
    if features.is_empty() {
        return Err(Failure::work("has no column left for a feature; at least one is needed"));
    }
    Ok(Roles { target, weights, features })
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

fn build(source: String, mut table: Table, roles: &Roles) -> Result<Input, Failure> {
    let n_rows = table.columns[roles.target].len();
    if n_rows < 2 {
        return Err(Failure::work(format!("{source}: has only one row; at least two are needed")));
    }
    let mut take = |column: usize| std::mem::take(&mut table.columns[column]);
    let target = take(roles.target);
    let weights = roles.weights.map(&mut take);
    let columns: Vec<Vec<f64>> = roles.features.iter().map(|&column| take(column)).collect();
    // Without a header features are counted; with one they have names.
    let name = |(k, &column): (usize, &usize)| {
        if table.has_header { table.names[column].clone() } else { format!("x{k}") }
    };
    let names: Vec<String> = roles.features.iter().enumerate().map(name).collect();
    let target_name =
        if table.has_header { table.names[roles.target].clone() } else { "target".to_owned() };
    if names.len() > MAX_FEATURES {
        return Err(Failure::work(format!(
            "{source}: {} features are more than the alphabet holds ({MAX_FEATURES}); choose some with --features",
            names.len()
        )));
    }
    let warnings = oddities(&names, &columns);
    let dataset = Dataset::new(names, columns, target, weights)
        .map_err(|error| Failure::from(error).about(&source))?
        .without_weightless_rows();
    let target = dataset.target();
    if target.iter().all(|&y| y == target[0]) {
        return Err(Failure::work(format!(
            "{source}: the target `{target_name}` is constant ({}); choose another with --target",
            target[0]
        )));
    }
    Ok(Input { source, dataset, target_name, columns: table.names, warnings })
}

/// Constant and duplicate features: harmless, but perhaps not meant.
fn oddities(names: &[String], columns: &[Vec<f64>]) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut first_with = std::collections::HashMap::new();
    for (name, column) in names.iter().zip(columns) {
        if column.iter().all(|&x| x == column[0]) {
            warnings.push(format!("feature `{name}` is constant ({})", column[0]));
            continue;
        }
        let bits: Vec<u64> = column.iter().map(|x| x.to_bits()).collect();
        match first_with.entry(bits) {
            std::collections::hash_map::Entry::Occupied(entry) => {
                warnings.push(format!("feature `{name}` repeats feature `{}`", entry.get()));
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(name);
            }
        }
    }
    warnings
}
