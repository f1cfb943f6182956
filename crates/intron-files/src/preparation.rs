//! What is done to the columns of a table before they are features: missing values filled in, words made 0 and 1. It is
//! learned from the training rows and kept in the model file, so that new rows are met in the same way.

use intron::{FeatureOrigin, Made};
use serde_json::{Map, Value, json};

use crate::json;
use crate::table::{Column, Words};

/// What happens to missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// They are refused.
    Error,
    /// Their rows are left out.
    Drop,
    /// They are filled in; rows without a target are left out.
    Impute,
}

impl Missing {
    /// The names, as they are typed.
    pub const NAMES: [&str; 3] = ["error", "drop", "impute"];

    /// The name, as it is typed.
    pub fn name(self) -> &'static str {
        Missing::NAMES[self as usize]
    }

    /// By its name.
    pub fn from_name(name: &str) -> Option<Missing> {
        [Missing::Error, Missing::Drop, Missing::Impute].into_iter().find(|way| way.name() == name)
    }
}

/// What stands for a missing value.
#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    /// The median of the training rows.
    Number(f64),
    /// The most frequent word of the training rows.
    Word(String),
}

/// What is done to one column.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedColumn {
    /// The name of the column in the table.
    pub name: String,
    /// For a column of words its different words, sorted: each but the first is a feature. None for numbers.
    pub levels: Option<Vec<String>>,
    /// What stands for a missing value, if anything does.
    pub fill: Option<Fill>,
    /// How many values of the rows of the fit were filled in.
    pub n_filled: usize,
}

/// What is done to a table, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Preparation {
    /// What happened to missing values.
    pub missing: Missing,
    /// Rows that were left out because of a missing value.
    pub n_rows_dropped: usize,
    /// The columns of the table that the features are made of, in their order.
    pub columns: Vec<PreparedColumn>,
}

/// Features, and what was met on the way to them.
#[derive(Debug)]
pub struct Prepared {
    /// The features; NaN where a value is missing and nothing stands for it.
    pub features: Vec<Vec<f64>>,
    /// For each column of the table the number of values that were filled in.
    pub n_filled: Vec<usize>,
    /// Words that are not among the levels of their column.
    pub unknown: Vec<Unknown>,
}

/// Words of one column that no training row has.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// The name of the column.
    pub column: String,
    /// One of the words.
    pub example: String,
    /// In how many rows such words stand.
    pub n_rows: usize,
}

impl Preparation {
    /// Nothing is done: every column is a feature.
    pub fn none(names: &[String]) -> Preparation {
        let column = |name: &String| PreparedColumn {
            name: name.clone(),
            levels: None,
            fill: None,
            n_filled: 0,
        };
        Preparation {
            missing: Missing::Error,
            n_rows_dropped: 0,
            columns: names.iter().map(column).collect(),
        }
    }

    /// Learns levels and what stands for missing values from some rows, each counted by its weight. The error is what
    /// is wrong, and goes on after the name of the table.
    pub fn learn(
        missing: Missing,
        names: &[String],
        columns: &[&Column],
        rows: &[usize],
        weights: Option<&[f64]>,
    ) -> Result<Preparation, String> {
        let mut preparation = Preparation { missing, ..Preparation::none(names) };
        let weighted: Vec<(usize, f64)> =
            rows.iter().map(|&row| (row, weights.map_or(1.0, |weights| weights[row]))).collect();
        for (prepared, column) in preparation.columns.iter_mut().zip(columns) {
            let fill = match column {
                Column::Skipped => None,
                Column::Numbers(numbers) => median(numbers, &weighted).map(Fill::Number),
                Column::Words(words) => {
                    let counts = count_words(words, &weighted);
                    let fill = most_frequent(&counts).map(Fill::Word);
                    prepared.levels = Some(counts.into_iter().map(|(word, _)| word).collect());
                    fill
                }
            };
            if missing == Missing::Impute {
                if fill.is_none() {
                    return Err(format!(
                        "`{}` has no value in any training row, so that nothing can be filled in; leave the column \
                         out with --features",
                        prepared.name
                    ));
                }
                prepared.fill = fill;
            }
        }
        Ok(preparation)
    }

    /// Whether anything is done, or was asked for.
    pub fn is_needed(&self) -> bool {
        self.missing != Missing::Error || self.columns.iter().any(|column| column.levels.is_some())
    }

    /// The names of the features that the columns become.
    pub fn feature_names(&self) -> Vec<String> {
        let names = |column: &PreparedColumn| match &column.levels {
            None => vec![column.name.clone()],
            Some(levels) => {
                levels.iter().skip(1).map(|level| format!("{}={level}", column.name)).collect()
            }
        };
        self.columns.iter().flat_map(names).collect()
    }

    /// From which column each feature comes, and how.
    pub fn origins(&self) -> Vec<FeatureOrigin> {
        let origins = |(place, column): (usize, &PreparedColumn)| {
            let origin =
                |made| FeatureOrigin { column: column.name.clone(), place: place as u32, made };
            let fill = match &column.fill {
                Some(Fill::Word(fill)) => Some(fill),
                _ => None,
            };
            // `inf` and `nan` are words.
            let code = |word: &String| word.parse().ok().filter(|code: &f64| code.is_finite());
            let of_words =
                |word: &String| origin(Made::OfWords { word: word.clone(), fill: fill.cloned() });
            let of_codes = |code: f64| {
                origin(Made::OfCodes { code, fill: fill.and_then(|fill| fill.parse().ok()) })
            };
            let codes = |levels: &[String]| levels.iter().map(code).collect::<Option<Vec<f64>>>();
            match (&column.levels, &column.fill) {
                (Some(levels), _) => match codes(levels) {
                    Some(codes) => codes.into_iter().skip(1).map(of_codes).collect(),
                    None => levels.iter().skip(1).map(of_words).collect(),
                },
                (None, Some(Fill::Number(fill))) => {
                    vec![origin(Made::OfNumbers { fill: Some(*fill) })]
                }
                (None, _) if self.missing == Missing::Drop => {
                    vec![origin(Made::OfNumbers { fill: None })]
                }
                (None, _) => vec![origin(Made::Itself)],
            }
        };
        self.columns.iter().enumerate().flat_map(origins).collect()
    }

    /// The features of some rows of a table; its columns stand in the order of the preparation.
    pub fn apply(&self, columns: &[&Column], rows: &[usize]) -> Prepared {
        let mut prepared =
            Prepared { features: Vec::new(), n_filled: Vec::new(), unknown: Vec::new() };
        for (way, column) in self.columns.iter().zip(columns) {
            match &way.levels {
                None => way.apply_to_numbers(column, rows, &mut prepared),
                Some(levels) => way.apply_to_words(levels, column, rows, &mut prepared),
            }
        }
        prepared
    }

    /// The object that model files and run files hold.
    pub fn to_json(&self) -> Value {
        json!({
            "missing": self.missing.name(),
            "n_rows_dropped": self.n_rows_dropped,
            "columns": self.columns.iter().map(PreparedColumn::to_json).collect::<Vec<_>>(),
        })
    }

    /// Reads the object of a model file; the error goes on after the name of the file.
    pub(crate) fn from_json(value: &Value) -> Result<Preparation, String> {
        let damaged = || "is damaged: \"preparation\" cannot be read".to_owned();
        let missing = value["missing"].as_str().and_then(Missing::from_name).ok_or_else(damaged)?;
        let columns = value["columns"].as_array().ok_or_else(damaged)?;
        let columns: Option<Vec<PreparedColumn>> =
            columns.iter().map(PreparedColumn::from_json).collect();
        Ok(Preparation {
            missing,
            n_rows_dropped: value["n_rows_dropped"].as_u64().unwrap_or(0) as usize,
            columns: columns.ok_or_else(damaged)?,
        })
    }
}

impl PreparedColumn {
    fn apply_to_numbers(&self, column: &Column, rows: &[usize], prepared: &mut Prepared) {
        let Column::Numbers(numbers) = column else { unreachable!("a column of numbers") };
        let mut n_filled = 0;
        let mut fill = |number: f64| match &self.fill {
            Some(Fill::Number(fill)) if number.is_nan() => {
                n_filled += 1;
                *fill
            }
            _ => number,
        };
        prepared.features.push(rows.iter().map(|&row| fill(numbers[row])).collect());
        prepared.n_filled.push(n_filled);
    }

    fn apply_to_words(
        &self,
        levels: &[String],
        column: &Column,
        rows: &[usize],
        prepared: &mut Prepared,
    ) {
        let Column::Words(words) = column else { unreachable!("a column of words") };
        let level_of = |word: &String| level_of(word, levels).map_or(Level::Unknown, Level::Known);
        let known: Vec<Level> = words.different.iter().map(level_of).collect();
        let fill = match &self.fill {
            Some(Fill::Word(word)) => level_of(word),
            _ => Level::Missing,
        };
        let mut n_filled = 0;
        let mut unknown: Option<Unknown> = None;
        let mut level = |row: usize| match words.rows[row] {
            None => {
                n_filled += usize::from(self.fill.is_some());
                fill
            }
            Some(word) => {
                if known[word] == Level::Unknown {
                    let met = unknown.get_or_insert_with(|| Unknown {
                        column: self.name.clone(),
                        example: words.different[word].clone(),
                        n_rows: 0,
                    });
                    met.n_rows += 1;
                }
                known[word]
            }
        };
        let found: Vec<Level> = rows.iter().map(|&row| level(row)).collect();
        for feature in 1..levels.len() {
            let value = |level: &Level| match level {
                Level::Missing => f64::NAN,
                level => f64::from(u8::from(*level == Level::Known(feature))),
            };
            prepared.features.push(found.iter().map(value).collect());
        }
        prepared.n_filled.push(n_filled);
        prepared.unknown.extend(unknown);
    }

    fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        if let Some(levels) = &self.levels {
            object.insert("levels".to_owned(), json!(levels));
        }
        if let Some(fill) = &self.fill {
            let value = match fill {
                Fill::Number(number) => json::number(*number),
                Fill::Word(word) => json!(word),
            };
            object.insert("fill".to_owned(), value);
            object.insert("n_filled".to_owned(), json!(self.n_filled));
        }
        Value::Object(object)
    }

    fn from_json(value: &Value) -> Option<PreparedColumn> {
        let levels = match value.get("levels") {
            None | Some(Value::Null) => None,
            Some(levels) => {
                let text = |level: &Value| level.as_str().map(str::to_owned);
                let levels: Vec<String> =
                    levels.as_array()?.iter().map(text).collect::<Option<_>>()?;
                // Sorted, each one once: they are found by halving.
                levels.is_sorted_by(|a, b| a < b).then_some(Some(levels))?
            }
        };
        let fill = match (value.get("fill"), &levels) {
            (None | Some(Value::Null), _) => None,
            (Some(Value::Number(number)), None) => Some(Fill::Number(number.as_f64()?)),
            (Some(Value::String(word)), Some(levels)) if levels.contains(word) => {
                Some(Fill::Word(word.clone()))
            }
            _ => return None,
        };
        let n_filled = value["n_filled"].as_u64().unwrap_or(0) as usize;
        Some(PreparedColumn { name: value["name"].as_str()?.to_owned(), levels, fill, n_filled })
    }
}

/// Where a word stands among the levels of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Known(usize),
    Unknown,
    Missing,
}

/// Where a word stands among the levels. A truth value is the same in any case: `true` of a spreadsheet is `True` in a CSV of pandas.
fn level_of(word: &str, levels: &[String]) -> Option<usize> {
    let exact = levels.binary_search_by(|level| level.as_str().cmp(word)).ok();
    let is_truth = || ["true", "false"].iter().any(|truth| truth.eq_ignore_ascii_case(word));
    let in_any_case = || levels.iter().position(|level| level.eq_ignore_ascii_case(word));
    exact.or_else(|| is_truth().then(in_any_case).flatten())
}

/// The median of the values that are there: the same whether a row is repeated or weighted.
fn median(numbers: &[f64], rows: &[(usize, f64)]) -> Option<f64> {
    let mut values: Vec<(f64, f64)> = rows
        .iter()
        .map(|&(row, weight)| (numbers[row], weight))
        .filter(|(number, weight)| !number.is_nan() && *weight > 0.0)
        .collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = values.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut below = 0.0;
    for (place, &(number, weight)) in values.iter().enumerate() {
        below += weight;
        if below > half {
            return Some(number);
        }
        if below == half {
            let next = values.get(place + 1).map_or(number, |(next, _)| *next);
            return Some(number / 2.0 + next / 2.0);
        }
    }
    values.last().map(|(number, _)| *number)
}

/// Every word of the rows with the weight it has, sorted by word.
fn count_words(words: &Words, rows: &[(usize, f64)]) -> Vec<(String, f64)> {
    let mut weights = vec![None; words.different.len()];
    for &(row, weight) in rows {
        if let Some(word) = words.rows[row] {
            *weights[word].get_or_insert(0.0) += weight;
        }
    }
    let found = words.different.iter().zip(weights);
    let mut counts: Vec<(String, f64)> =
        found.filter_map(|(word, weight)| Some((word.clone(), weight?))).collect();
    counts.sort_by(|a, b| a.0.cmp(&b.0));
    counts
}

/// The word with the largest weight, the first of them where several have it.
fn most_frequent(counts: &[(String, f64)]) -> Option<String> {
    let largest = counts.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    counts.iter().find(|(_, weight)| *weight == largest).map(|(word, _)| word.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Need, Reading, read_table};

    fn columns(text: &str) -> Vec<Column> {
        let reading = Reading { keeps_missing: true, most_words: 50, ..Reading::STRICT };
        read_table("t", text.as_bytes(), &reading, |_, _| Need::Either).unwrap().columns
    }

    fn learned(missing: Missing, columns: &[&Column], rows: &[usize]) -> Preparation {
        let names: Vec<String> = (0..columns.len()).map(|k| format!("c{k}")).collect();
        Preparation::learn(missing, &names, columns, rows, None).unwrap()
    }

    #[test]
    fn a_median_is_that_of_repeated_rows() {
        let numbers = [3.0, f64::NAN, 1.0, 2.0, 10.0];
        let of = |rows: &[(usize, f64)]| median(&numbers, rows);
        assert_eq!(of(&[(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)]), Some(2.0));
        assert_eq!(of(&[(0, 1.0), (2, 1.0)]), Some(2.0));
        assert_eq!(of(&[(0, 3.0), (2, 1.0), (3, 1.0)]), Some(3.0));
        assert_eq!(of(&[(0, 2.0), (2, 1.0), (3, 1.0)]), Some(2.5));
        assert_eq!(of(&[(4, 5.0), (2, 0.0)]), Some(10.0));
        assert_eq!(of(&[(1, 1.0)]), None);
        assert_eq!(median(&[f64::MAX, f64::MAX], &[(0, 1.0), (1, 1.0)]), Some(f64::MAX));
    }

    #[test]
    fn levels_and_fills_come_from_the_training_rows_only() {
        let table = columns("n,w\n1,b\n,a\n5,b\n7,\n9,z\n");
        let table: Vec<&Column> = table.iter().collect();
        let preparation = learned(Missing::Impute, &table, &[0, 1, 2, 3]);
        assert_eq!(preparation.columns[0].fill, Some(Fill::Number(5.0)));
        assert_eq!(preparation.columns[1].fill, Some(Fill::Word("b".to_owned())));
        assert_eq!(preparation.feature_names(), ["c0", "c1=b"]);
        let prepared = preparation.apply(&table, &[0, 1, 2, 3, 4]);
        assert_eq!(prepared.features[0], [1.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(prepared.features[1], [1.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(prepared.n_filled, [1, 1]);
        let unknown = Unknown { column: "c1".to_owned(), example: "z".to_owned(), n_rows: 1 };
        assert_eq!(prepared.unknown, [unknown]);
    }

    #[test]
    fn truth_values_are_the_same_in_any_case_and_other_words_are_not() {
        let table = columns("w,v\ntrue,b\nfalse,a\n");
        let preparation = learned(Missing::Error, &table.iter().collect::<Vec<_>>(), &[0, 1]);
        let table = columns("w,v\nTrue,B\nFALSE,a\n");
        let prepared = preparation.apply(&table.iter().collect::<Vec<_>>(), &[0, 1]);
        assert_eq!(prepared.features, [[1.0, 0.0], [0.0, 0.0]]);
        let unknown: Vec<&str> =
            prepared.unknown.iter().map(|word| word.example.as_str()).collect();
        assert_eq!(unknown, ["B"]);
    }

    #[test]
    fn a_word_that_rust_reads_as_infinity_is_a_word() {
        let names = ["c".to_owned()];
        let column = PreparedColumn {
            name: "c".to_owned(),
            levels: Some(["1", "2", "inf"].map(str::to_owned).to_vec()),
            fill: None,
            n_filled: 0,
        };
        let preparation = Preparation { columns: vec![column], ..Preparation::none(&names) };
        let made = preparation.origins().into_iter().map(|origin| origin.made);
        let of_words = |word: &str| Made::OfWords { word: word.to_owned(), fill: None };
        assert_eq!(made.collect::<Vec<_>>(), [of_words("2"), of_words("inf")]);
    }

    #[test]
    fn what_is_not_filled_in_stays_missing() {
        let table = columns("n,w\n1,b\n,a\n5,\n");
        let table: Vec<&Column> = table.iter().collect();
        let preparation = learned(Missing::Drop, &table, &[0, 1]);
        let prepared = preparation.apply(&table, &[0, 1, 2]);
        let is_missing: Vec<Vec<bool>> = prepared
            .features
            .iter()
            .map(|column| column.iter().map(|value| value.is_nan()).collect())
            .collect();
        assert_eq!(is_missing, [[false, true, false], [false, false, true]]);
    }

    #[test]
    fn a_preparation_is_read_back() {
        let table = columns("n,w\n0.1,b\n,a\n0.3,b\n");
        let table: Vec<&Column> = table.iter().collect();
        let preparation = learned(Missing::Impute, &table, &[0, 1, 2]);
        assert_eq!(Preparation::from_json(&preparation.to_json()), Ok(preparation));
        for damaged in [
            json!(7),
            json!({"missing": "drop"}),
            json!({"missing": "drop", "columns": [{"name": "a", "levels": ["b", "a"]}]}),
            json!({"missing": "drop", "columns": [{"name": "a", "levels": ["a"], "fill": "b"}]}),
            json!({"missing": "drop", "columns": [{"name": "a", "fill": "b"}]}),
        ] {
            assert!(Preparation::from_json(&damaged).is_err(), "{damaged}");
        }
    }
}
