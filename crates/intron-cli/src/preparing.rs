//! From a table as it stands in a file to a data set: rows left out, values filled in, words made 0 and 1, all of it told.

use intron::{Dataset, MAX_FEATURES, Split, hold_out};
use intron_files::{Column, Fill, Missing, Preparation, Prepared, RawTable, Unknown};

use crate::failure::Failure;
use crate::input::{HeldOut, Input, Roles};

/// Most different values of a column of words.
pub(crate) const MOST_LEVELS: usize = 50;

/// How many names or values a message shows.
const MOST_SHOWN: usize = 5;

/// For the split, and for nothing else, a missing value is a value of its own.
const MISSING_IN_SPLIT: f64 = f64::MAX;

/// The numbers of one column.
fn numbers(table: &RawTable, column: usize) -> &[f64] {
    match &table.columns[column] {
        Column::Numbers(numbers) => numbers,
        Column::Skipped | Column::Words(_) => unreachable!("the column was read as numbers"),
    }
}

pub(crate) fn prepare(
    table: RawTable,
    roles: &Roles,
    missing: Missing,
    held_out: &HeldOut,
    sha256: String,
) -> Result<Input, Failure> {
    let of_table = |failure: Failure| failure.about(&table.source);
    if table.n_rows < 2 {
        return Err(of_table(Failure::work("has only one row; at least two are needed")));
    }
    let columns: Vec<&Column> =
        roles.features.iter().map(|&column| &table.columns[column]).collect();
    let (rows, n_dropped) = usable_rows(&table, roles, missing).map_err(of_table)?;
    let weights = roles.weights.map(|column| numbers(&table, column));
    // Without a header features are counted; with one they have names.
    let name = |(k, &column): (usize, &usize)| {
        if table.has_header { table.names[column].clone() } else { format!("x{k}") }
    };
    let names: Vec<String> = roles.features.iter().enumerate().map(name).collect();
    let target_name =
        if table.has_header { table.names[roles.target].clone() } else { "target".to_owned() };
    let pick = |values: &[f64]| -> Vec<f64> { rows.iter().map(|&row| values[row]).collect() };
    let target = pick(numbers(&table, roles.target));
    if target.iter().all(|&y| y == target[0]) {
        return Err(of_table(Failure::work(format!(
            "the target `{target_name}` is constant ({}); choose another with --target",
            target[0]
        ))));
    }
    let data = |names: Vec<String>, features: Vec<Vec<f64>>| {
        refuse_too_many(&names)?;
        Ok(Dataset::new(names, features, target.clone(), weights.map(pick))?)
    };
    let is_learning = missing == Missing::Impute
        || columns.iter().any(|column| matches!(column, Column::Words(_)));
    let split = if held_out.is_needed || is_learning {
        let for_split = columns.iter().map(|column| as_split_sees(column, &rows)).collect();
        let for_split = data(names.clone(), for_split).map_err(of_table)?;
        hold_out(&for_split, held_out.fraction, held_out.seed)
            .map_err(|error| of_table(Failure::from(error)))?
    } else {
        Split { train: (0..rows.len()).collect(), test: Vec::new() }
    };
    let train: Vec<usize> = split.train.iter().map(|&row| rows[row]).collect();
    let mut preparation = Preparation::learn(missing, &names, &columns, &train, weights)
        .map_err(|error| of_table(Failure::work(error)))?;
    let Prepared { features, n_filled, unknown } = preparation.apply(&columns, &rows);
    preparation.n_rows_dropped = n_dropped;
    preparation.columns.iter_mut().zip(n_filled).for_each(|(column, n)| column.n_filled = n);
    let warnings = oddities(&preparation.feature_names(), &features, (&target_name, &target));
    let dataset = data(preparation.feature_names(), features).map_err(of_table)?;
    let mut notes = table.notes.clone();
    notes.extend((!table.has_header).then(describe_missing_header));
    notes.extend(roles.is_before_weights.then(|| describe_target(&target_name)));
    notes.extend(describe(&preparation, table.n_rows));
    notes.extend(unknown.iter().map(describe_unknown));
    Ok(Input {
        dataset,
        split,
        target_name,
        weights_name: roles.weights.map(|column| table.names[column].clone()),
        preparation: preparation.is_needed().then_some(preparation),
        notes,
        warnings,
        source: table.source,
        sha256,
        columns: table.names,
    })
}

fn describe_missing_header() -> String {
    "no word stands in the first line, so it is data; features are called x0, x1, …".to_owned()
}

fn describe_target(name: &str) -> String {
    format!("the last column has the weights; the target is the one before it, `{name}`")
}

fn refuse_too_many(names: &[String]) -> Result<(), Failure> {
    match names.len() {
        0 => Err(Failure::work(
            "has no feature left: every column of words has only one value; at least one feature is needed",
        )),
        n if n > MAX_FEATURES => Err(Failure::work(format!(
            "{n} features are more than the alphabet holds ({MAX_FEATURES}); choose some with --features"
        ))),
        _ => Ok(()),
    }
}

/// The rows that count, and how many are left out because of a missing value. Rows of weight 0 say nothing, whatever
/// they hold.
fn usable_rows(
    table: &RawTable,
    roles: &Roles,
    missing: Missing,
) -> Result<(Vec<usize>, usize), Failure> {
    let target = numbers(table, roles.target);
    let weights = roles.weights.map(|column| numbers(table, column));
    let is_missing = |column: &usize, row: usize| match &table.columns[*column] {
        Column::Numbers(numbers) => numbers[row].is_nan(),
        Column::Words(words) => words.rows[row].is_none(),
        Column::Skipped => false,
    };
    let is_whole = |row: &usize| {
        !target[*row].is_nan()
            && weights.is_none_or(|weights| !weights[*row].is_nan())
            && (missing == Missing::Impute
                || roles.features.iter().all(|column| !is_missing(column, *row)))
    };
    let whole: Vec<usize> = (0..table.n_rows).filter(is_whole).collect();
    if whole.len() < 2 {
        let (n, all) = (whole.len(), table.n_rows);
        return Err(Failure::work(format!(
            "only {n} of {all} rows are without a missing value, at least two are needed; fill values in with \
             --missing impute, or leave columns out with --features"
        )));
    }
    let n_dropped = table.n_rows - whole.len();
    let Some(weights) = weights else { return Ok((whole, n_dropped)) };
    refuse_weights(table, roles, weights, &whole)?;
    let weighty = whole.iter().copied().filter(|&row| weights[row] > 0.0).collect();
    Ok((weighty, n_dropped))
}

/// Refuses weights that are none, and says in which column.
fn refuse_weights(
    table: &RawTable,
    roles: &Roles,
    weights: &[f64],
    rows: &[usize],
) -> Result<(), Failure> {
    let name = roles.weights.map_or("", |column| &table.names[column]);
    let refuse = |what: String| Err(Failure::work(format!("--weights: column `{name}`{what}")));
    if let Some(&row) = rows.iter().find(|&&row| weights[row] < 0.0) {
        let (place, weight) = (row + 1, weights[row]);
        return refuse(format!(", row {place}: {weight} is negative; weights are zero or more"));
    }
    if rows.iter().all(|&row| weights[row] == 0.0) {
        return refuse(": every weight is zero; give at least two rows a weight above zero".into());
    }
    if !rows.iter().map(|&row| weights[row]).sum::<f64>().is_finite() {
        return refuse(": the sum of the weights overflows; divide them by their largest".into());
    }
    Ok(())
}

/// Fewer rows to learn from than this, and even a small formula is likely to fit them by coincidence.
const FEW_ROWS: usize = 10;

/// A warning where there are too few rows to tell a formula from a coincidence.
pub(crate) fn too_few_rows(split: &Split) -> Option<String> {
    let n = split.train.len();
    (n < FEW_ROWS).then(|| {
        format!("only {n} rows to learn from: a formula can fit so few by coincidence; give {FEW_ROWS} or more")
    })
}

/// A column as numbers before anything is learned: words by their place in the alphabet.
fn as_split_sees(column: &Column, rows: &[usize]) -> Vec<f64> {
    match column {
        Column::Skipped => Vec::new(),
        Column::Numbers(numbers) => {
            let value = |number: f64| if number.is_nan() { MISSING_IN_SPLIT } else { number };
            rows.iter().map(|&row| value(numbers[row])).collect()
        }
        Column::Words(words) => {
            let mut sorted: Vec<usize> = (0..words.different.len()).collect();
            sorted.sort_by_key(|&word| &words.different[word]);
            let mut places = vec![0.0; sorted.len()];
            sorted.iter().enumerate().for_each(|(place, &word)| places[word] = place as f64);
            let value =
                |row: &usize| words.rows[*row].map_or(MISSING_IN_SPLIT, |word| places[word]);
            rows.iter().map(value).collect()
        }
    }
}

/// What was done, one line each.
fn describe(preparation: &Preparation, n_rows: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let n_dropped = preparation.n_rows_dropped;
    if n_dropped > 0 {
        let why = match preparation.missing {
            Missing::Impute => "target or weight is missing",
            _ => "a value is missing",
        };
        notes.push(format!("{n_dropped} of {n_rows} rows are left out: {why}"));
    }
    let filled: Vec<String> = preparation
        .columns
        .iter()
        .filter(|column| column.n_filled > 0)
        .map(|column| {
            let value = match &column.fill {
                Some(Fill::Number(number)) => number.to_string(),
                Some(Fill::Word(word)) => format!("`{word}`"),
                None => String::new(),
            };
            format!("`{}` {} × {value}", column.name, column.n_filled)
        })
        .collect();
    if !filled.is_empty() {
        let n: usize = preparation.columns.iter().map(|column| column.n_filled).sum();
        notes.push(format!("{}: {}", filled_in(n), few(&filled)));
    }
    for column in &preparation.columns {
        let Some(levels) = &column.levels else { continue };
        let Some((first, others)) = levels.split_first() else { continue };
        let features: Vec<String> =
            others.iter().map(|level| format!("`{}={level}`", column.name)).collect();
        notes.push(match others.len() {
            0 => format!("column `{}` has only the value `{first}` and is no feature", column.name),
            _ => format!(
                "column `{}` is {} of 0 and 1: {}; all are 0 for `{first}`",
                column.name,
                if others.len() == 1 {
                    "one feature".to_owned()
                } else {
                    format!("{} features", others.len())
                },
                few(&features)
            ),
        });
    }
    notes
}

/// Says what happens to words that were not learned from.
pub(crate) fn describe_unknown(unknown: &Unknown) -> String {
    let Unknown { column, example, n_rows } = unknown;
    let rows =
        if *n_rows == 1 { "1 row has a value" } else { &format!("{n_rows} rows have a value") };
    format!(
        "column `{column}`: {rows} that no training row has (such as `{example}`); its features are all 0 there"
    )
}

/// The first few of a list.
fn few(list: &[String]) -> String {
    let shown = list[..list.len().min(MOST_SHOWN)].join(", ");
    if list.len() > MOST_SHOWN { format!("{shown}, …") } else { shown }
}

/// Constant and duplicate features: harmless, but perhaps not meant.
fn oddities(
    names: &[String],
    columns: &[Vec<f64>],
    (target_name, target): (&str, &[f64]),
) -> Vec<String> {
    let mut warnings: Vec<String> = odd_target(target_name, target).into_iter().collect();
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
/// With fewer rows one of them may well stand out.
const FEWEST_ROWS_TO_STAND_OUT_OF: usize = 10;

/// A target that makes up most of the variation alone is all that a search would explain.
fn odd_target(name: &str, target: &[f64]) -> Option<String> {
    if target.len() < FEWEST_ROWS_TO_STAND_OUT_OF {
        return None;
    }
    let mut sorted = target.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let farthest =
        target.iter().copied().max_by(|a, b| (a - median).abs().total_cmp(&(b - median).abs()))?;
    // In units of the largest distance, so that no square is too large.
    let share = |y: f64| ((y - median) / (farthest - median)).powi(2);
    let others: f64 = target.iter().map(|&y| share(y)).sum::<f64>() - 1.0;
    (others < 1.0).then(|| {
        let percent = (100.0 / (1.0 + others)).floor();
        format!("one value of `{name}`, {farthest}, makes up {percent} % of its variation alone; is it right?")
    })
}

/// That so many missing values are filled in.
pub(crate) fn filled_in(n: usize) -> String {
    match n {
        1 => "1 missing value is filled in".to_owned(),
        _ => format!("{n} missing values are filled in"),
    }
}
