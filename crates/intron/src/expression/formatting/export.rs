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
        let export = Export::new(self, names, points);
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
    points: &'a [TestPoint],
    /// The features in use.
    features: Vec<u32>,
}

impl<'a> Export<'a> {
    fn new(formula: &'a Formula, names: &'a FeatureNames, points: &'a [TestPoint]) -> Export<'a> {
        Export { formula, names, points, features: features_in_use(formula) }
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
            text += &format!("{}   {parameter}: {}\n", language.comment, self.escaped(index));
        }
        text += &self.named_points(language.comment, parameter);
        let helpers = self.helpers(language);
        text + &(language.code)(&Parts { parameters, helpers, expression })
    }

    fn query(&self) -> Result<String, Error> {
        let is_refused = |index: &&u32| {
            let name = self.names.name(**index);
            name.is_empty() || name.contains('\0')
        };
        if let Some(index) = self.features.iter().find(is_refused) {
            let problem = format!("SQL has no column with the name of feature {index}");
            return Err(Error::data(problem, "rename the column"));
        }
        if self.formula.nodes().iter().any(|node| is_infinite(node.symbol.meaning())) {
            return Err(Error::data("SQL has no infinite numbers", "take another formula"));
        }
        let points = self.named_points("--", |index| self.escaped(index));
        let expression = self.formula.format(self.names, Format::Sql);
        let parts = Parts { parameters: Vec::new(), helpers: String::new(), expression };
        let notes = "-- A formula found by Intron, for SQLite and PostgreSQL. Put the name of the table for \"data\".\n\
                     -- Where the formula is not defined, the prediction is NULL.\n";
        Ok(format!("{notes}{points}{}", (languages::sql::LANGUAGE.code)(&parts)))
    }

    /// A formula for a spreadsheet. All other lines start with `#`, so that no name is taken for a formula.
    fn sheet(&self) -> Result<String, Error> {
        let formula = excel::checked_formula(self.formula)?;
        let mut text = format!("{formula}\n# A formula found by Intron, for row 2. Fill it down.");
        text += " In a language with decimal commas, the separator of arguments is a semicolon.\n";
        for &index in &self.features {
            text += &format!("#   {}: {}\n", excel::cell(index), self.escaped(index));
        }
        Ok(text + &self.named_points("#", excel::cell))
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
