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
    /// The numbers as they are; a missing one is this, if anything.
    OfNumbers {
        /// What stands for a missing value.
        fill: Option<f64>,
    },
    /// 1 where this word stands, 0 where another one does; a missing one is that, if anything.
    OfWords {
        /// The word that is meant.
        word: String,
        /// What stands for a missing word.
        fill: Option<String>,
    },
}

impl FeatureOrigin {
    /// The column is the feature.
    pub fn plain(column: &str, place: u32) -> FeatureOrigin {
        FeatureOrigin { column: column.to_owned(), place, made: Made::OfNumbers { fill: None } }
    }

    /// What a comment says behind the name of the feature.
    pub(super) fn remark(&self) -> String {
        let column = comment_text(&self.column);
        match &self.made {
            Made::OfNumbers { fill: None } => String::new(),
            Made::OfNumbers { fill: Some(fill) } => format!(" (where it is missing: {fill:?})"),
            Made::OfWords { word, fill } => {
                let missing = |fill: &String| format!("; missing counts as {}", comment_text(fill));
                let missing = fill.as_ref().map_or(String::new(), missing);
                format!(" (1 where {column} is {}, else 0{missing})", comment_text(word))
            }
        }
    }
}
