//! From which column of a table a feature comes, where its name does not tell: words that became 0 and 1, and what stands for a missing
//! value. Queries and sheets read the table itself, so they must do the same to it.

use super::comments::comment_text;

/// From which column of a table a feature comes, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureOrigin {
    /// The name of the column.
    pub column: String,
    /// Where it stands among the columns that features are made of: in a sheet the first is A.
    pub place: u32,
    /// How the feature is made of it.
    pub made: Made,
}

/// How a feature is made of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// It is the column, which has nothing but numbers.
    Itself,
    /// The numbers as they are; what is missing, or marked so, is this, if anything.
    OfNumbers {
        /// What stands for a missing value.
        fill: Option<f64>,
    },
    /// 1 where this word stands, 0 where another one does.
    OfWords {
        /// The word that is meant.
        word: String,
        /// What stands for a missing word, if anything.
        fill: Option<String>,
    },
    /// 1 where this number stands, 0 where another one does: words that are all numbers, which may be written in many ways.
    OfCodes {
        /// The number that is meant.
        code: f64,
        /// What stands for a missing number, if anything.
        fill: Option<f64>,
    },
}

impl FeatureOrigin {
    /// The column is the feature.
    pub fn plain(column: &str, place: u32) -> FeatureOrigin {
        FeatureOrigin { column: column.to_owned(), place, made: Made::Itself }
    }

    /// Words and marks that stand for a missing value in a table, in any case.
    pub const GAPS: [&str; 9] = ["", "na", "n/a", "#n/a", "null", "none", "nan", "?", "-"];

    /// What a comment says behind the name of the feature.
    pub(super) fn remark(&self) -> String {
        let column = comment_text(&self.column);
        let is_one = |word: &str, fill: Option<String>| {
            let missing = fill.map_or(String::new(), |fill| format!("; missing counts as {fill}"));
            format!(" (1 where {column} is {word}, else 0{missing})")
        };
        match &self.made {
            Made::Itself | Made::OfNumbers { fill: None } => String::new(),
            Made::OfNumbers { fill: Some(fill) } => format!(" (where it is missing: {fill:?})"),
            Made::OfWords { word, fill } => {
                // Among other words a number is a text like them.
                let how = if word.parse::<f64>().is_ok() { ", written so" } else { "" };
                is_one(&(comment_text(word) + how), fill.as_deref().map(comment_text))
            }
            Made::OfCodes { code, fill } => {
                is_one(&code.to_string(), fill.map(|fill| fill.to_string()))
            }
        }
    }
}

/// A name or a text between marks, which are doubled within.
pub(super) fn quoted(mark: char, text: &str) -> String {
    format!("{mark}{}{mark}", text.replace(mark, &format!("{mark}{mark}")))
}
