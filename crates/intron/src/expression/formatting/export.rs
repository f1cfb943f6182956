//! A formula as code that runs by itself: what it takes, the functions it needs, and points to try it with.

use std::collections::BTreeSet;

use super::super::formula::Formula;
use super::super::names::FeatureNames;
use super::super::operator::Operator;
use super::super::symbol::Meaning;
use super::comments::comment_text;
use super::format::Format;
use super::identifiers::identifiers;
use super::json;
use super::languages::{self, Language, Parts, excel};
use super::origin::{FeatureOrigin, Made};
use super::writer::Writer;
use crate::error::Error;

/// The values of all features on one row, and what the formula gives for them.
pub type TestPoint = (Vec<f64>, f64);

/// The features that a formula uses, by index.
pub(super) fn features_in_use(formula: &Formula) -> Vec<u32> {
    let feature = |meaning| match meaning {
        Meaning::Feature(index) => Some(index),
        _ => None,
    };
    let used = formula.nodes().iter().filter_map(|node| feature(node.symbol.meaning()));
    used.collect::<BTreeSet<u32>>().into_iter().collect()
}

impl Formula {
    /// The formula as a text that is whole: code with a function `predict` that has one parameter for each feature in use, a
    /// query, a spreadsheet's formula or a JSON object. Points to try it with stand beside it in comments.
    ///
    /// Names are input: parameters are safe identifiers, other places are quoted or escaped, and what cannot be is an error.
    pub fn export(
        &self,
        names: &FeatureNames,
        format: Format,
        points: &[TestPoint],
    ) -> Result<String, Error> {
        self.export_from(&[], names, format, points)
    }

    /// [`Formula::export`] where features are made of the columns of a table: queries and sheets read these, and do the same to them;
    /// functions say in a comment what their parameters are. Where no origin is given, the column is the feature.
    pub fn export_from(
        &self,
        origins: &[FeatureOrigin],
        names: &FeatureNames,
        format: Format,
        points: &[TestPoint],
    ) -> Result<String, Error> {
        let features = features_in_use(self);
        let export = Export { formula: self, names, origins, points, features };
        match format {
            Format::Text => Ok(export.beside("#", &self.format(names, format))),
            Format::Latex => Ok(export.beside("%", &self.format(names, format))),
            Format::Sympy => Ok(export.code(&languages::sympy::LANGUAGE)),
            Format::Python => Ok(export.code(&languages::python::LANGUAGE)),
            Format::C => Ok(export.code(&languages::c::LANGUAGE)),
            Format::Rust => Ok(export.code(&languages::rust::LANGUAGE)),
            Format::JavaScript => Ok(export.code(&languages::javascript::LANGUAGE)),
            Format::Julia => Ok(export.code(&languages::julia::LANGUAGE)),
            Format::R => Ok(export.code(&languages::r::LANGUAGE)),
            Format::Matlab => Ok(export.code(&languages::matlab::LANGUAGE)),
            Format::Sql => export.query(),
            Format::Excel => export.sheet(),
            Format::Json => Ok(json::object(self, names, points)),
        }
    }
}

/// A formula with what its text will need.
struct Export<'a> {
    formula: &'a Formula,
    names: &'a FeatureNames,
    origins: &'a [FeatureOrigin],
    points: &'a [TestPoint],
    /// The features in use.
    features: Vec<u32>,
}

impl Export<'_> {
    /// From where a feature comes.
    fn origin(&self, index: u32) -> FeatureOrigin {
        let given = self.origins.get(index as usize).cloned();
        given.unwrap_or_else(|| FeatureOrigin::plain(self.names.name(index), index))
    }

    /// The name of a feature and how it is made, for a comment.
    fn described(&self, index: u32) -> String {
        self.escaped(index) + &self.origin(index).remark()
    }

    /// An expression with its points, for languages without functions.
    fn beside(&self, comment: &str, expression: &str) -> String {
        format!("{}{expression}\n", self.named_points(comment, |index| self.escaped(index)))
    }

    /// Code with a function `predict`, or for SymPy with an expression.
    fn code(&self, language: &Language) -> String {
        let columns = self.features.iter().map(|&index| (index, self.names.name(index)));
        let parameters = identifiers(columns);
        let parameter = |index: u32| {
            let place = self.features.binary_search(&index).expect("a feature in use");
            parameters[place].clone()
        };
        let expression = Writer::new(self.formula, &language.notation, &parameter).write();
        let mut text = format!("{} A formula found by Intron.", language.comment);
        if !parameters.is_empty() {
            text += " The parameters are these columns:";
        }
        text.push('\n');
        for (parameter, &index) in parameters.iter().zip(&self.features) {
            text += &format!("{}   {parameter}: {}\n", language.comment, self.described(index));
        }
        text += &self.named_points(language.comment, parameter);
        let helpers = self.helpers(language);
        text + &(language.code)(&Parts { parameters, helpers, expression })
    }

    fn query(&self) -> Result<String, Error> {
        let is_refused = |index: &&u32| {
            let FeatureOrigin { column, made, .. } = self.origin(**index);
            let is_text = |text: &str| !text.contains('\0');
            let has_texts = match &made {
                Made::Itself | Made::OfNumbers { .. } | Made::OfCodes { .. } => true,
                Made::OfWords { word, fill } => {
                    is_text(word) && fill.as_deref().is_none_or(is_text)
                }
            };
            column.is_empty() || !is_text(&column) || !has_texts
        };
        if let Some(index) = self.features.iter().find(is_refused) {
            let problem = format!("SQL has no column with the name of feature {index}");
            return Err(Error::data(problem, "rename the column"));
        }
        if self.formula.nodes().iter().any(|node| is_infinite(node.symbol.meaning())) {
            return Err(Error::data("SQL has no infinite numbers", "take another formula"));
        }
        let points = self.named_points("--", |index| self.escaped(index));
        let feature = |index| languages::sql::feature(&self.origin(index));
        let notation = &languages::sql::LANGUAGE.notation;
        let expression = Writer::new(self.formula, notation, &feature).write();
        let parts = Parts { parameters: Vec::new(), helpers: String::new(), expression };
        let notes = "-- A formula found by Intron, for SQLite and PostgreSQL. Put the name of the table for \"data\".\n\
                     -- Where the formula is not defined, the prediction is NULL.\n";
        let made = self.features.iter().filter(|&&index| !self.origin(index).remark().is_empty());
        let made: String = made.map(|&index| format!("--   {}\n", self.described(index))).collect();
        let reads_numbers = |index: &u32| {
            matches!(self.origin(*index).made, Made::OfNumbers { .. } | Made::OfCodes { .. })
        };
        let numbers = if self.features.iter().any(reads_numbers) {
            "-- Where a column of numbers holds other texts than marks for a gap, SQLite takes them for 0.\n"
        } else {
            ""
        };
        Ok(format!("{notes}{numbers}{made}{points}{}", (languages::sql::LANGUAGE.code)(&parts)))
    }

    /// A formula for a spreadsheet. All other lines start with `#`, so that no name is taken for a formula.
    fn sheet(&self) -> Result<String, Error> {
        let formula = excel::checked_formula(self.formula, |index| self.origin(index))?;
        let mut text = format!("{formula}\n# A formula found by Intron, for row 2. Fill it down.");
        text += " In a language with decimal commas, the separator of arguments is a semicolon.\n";
        for &index in &self.features {
            let cell = excel::cell(self.origin(index).place);
            text += &format!("#   {cell}: {}\n", self.described(index));
        }
        let name = |index| match self.origin(index) {
            // The cell holds the word, not the feature.
            FeatureOrigin { made: Made::OfWords { .. } | Made::OfCodes { .. }, .. } => {
                self.escaped(index)
            }
            FeatureOrigin { place, .. } => excel::cell(place),
        };
        Ok(text + &self.named_points("#", name))
    }

    /// One line for each point: what the features are, and what comes out.
    fn named_points(&self, comment: &str, name: impl Fn(u32) -> String) -> String {
        if self.points.is_empty() {
            return String::new();
        }
        let mut text = format!("{comment} Points to try it with, computed by Intron:\n");
        for (row, output) in self.points {
            let input = |&index: &u32| format!("{} = {:?}", name(index), row[index as usize]);
            let inputs: Vec<String> = self.features.iter().map(input).collect();
            text += &format!("{comment}   {}", inputs.join(", "));
            text += &format!("{}gives {output:?}\n", if inputs.is_empty() { "" } else { " " });
        }
        text
    }

    /// The name of a feature, for a comment.
    fn escaped(&self, index: u32) -> String {
        comment_text(self.names.name(index))
    }

    /// The definitions that the operators of the formula need.
    fn helpers(&self, language: &Language) -> String {
        let operators = self.formula.nodes().iter().filter_map(|node| node.symbol.as_operator());
        let used: Vec<bool> =
            operators.fold(vec![false; Operator::all().count()], |mut used, one| {
                used[one as usize] = true;
                used
            });
        language.helpers.iter().filter(|row| used[row.0 as usize]).map(|row| row.1).collect()
    }
}

fn is_infinite(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Constant(value) if value.is_infinite())
}
