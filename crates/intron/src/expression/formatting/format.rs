//! The languages for formulas, and the names that users type for them.

use super::super::formula::Formula;
use super::super::names::FeatureNames;
use super::languages::{self, excel, latex, sql};
use super::writer::Writer;
use super::{forms::Notation, json, origin::FeatureOrigin};
use crate::error::Error;

/// A language for the text of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Infix with as few parentheses as keep the tree; [`Formula::parse`] reads it back to the same values.
    Text,
    /// For LaTeX's mathematics mode; feature names are escaped.
    Latex,
    /// For `sympy.sympify`; exported, Python that builds a SymPy expression.
    Sympy,
    /// Python after `import numpy as np`; exported, a function of arrays.
    Python,
    /// C with `math.h`.
    C,
    /// Rust with its standard library.
    Rust,
    /// JavaScript of the sixth edition or later.
    JavaScript,
    /// Julia; exported, a function of numbers or of columns.
    Julia,
    /// R; exported, a function of vectors.
    R,
    /// MATLAB and GNU Octave; exported, a file with a function of columns.
    Matlab,
    /// SQL that both SQLite and PostgreSQL understand; features are columns by their quoted names.
    Sql,
    /// Excel and LibreOffice Calc; the first feature is the cell A2, the second B2, ….
    Excel,
    /// The nodes of the formula as a JSON object.
    Json,
}

/// One format: the name that users type, other names for it, and what it is.
struct Row(Format, &'static str, &'static [&'static str]);

/// Every format, in the order of the help.
const TABLE: [Row; 13] = [
    Row(Format::Text, "text", &["txt"]),
    Row(Format::Latex, "latex", &["tex"]),
    Row(Format::Sympy, "sympy", &[]),
    Row(Format::Python, "python", &["numpy", "py"]),
    Row(Format::C, "c", &[]),
    Row(Format::Rust, "rust", &["rs"]),
    Row(Format::JavaScript, "javascript", &["js"]),
    Row(Format::Julia, "julia", &["jl"]),
    Row(Format::R, "r", &[]),
    Row(Format::Matlab, "matlab", &["octave"]),
    Row(Format::Sql, "sql", &["sqlite", "postgresql", "postgres"]),
    Row(Format::Excel, "excel", &["xlsx", "libreoffice", "calc"]),
    Row(Format::Json, "json", &[]),
];

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Format> {
        TABLE.iter().map(|row| row.0)
    }

    /// The name that users type.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Other names that users type.
    pub fn aliases(self) -> &'static [&'static str] {
        self.row().2
    }

    /// Finds a format by its name or another name for it, in capitals or not.
    pub fn from_name(name: &str) -> Result<Format, Error> {
        let is_meant = |row: &&Row| {
            row.1.eq_ignore_ascii_case(name)
                || row.2.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        TABLE.iter().find(is_meant).map(|row| row.0).ok_or_else(|| Error::UnknownName {
            what: "format",
            given: name.to_owned(),
            known: Format::all().map(Format::name).collect::<Vec<_>>().join(" "),
        })
    }

    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.0 == self).expect("every format has a row")
    }

    /// How an expression that stands alone is written.
    fn notation(self) -> &'static Notation {
        match self {
            Format::Text => &languages::text::NOTATION,
            Format::Latex => &latex::NOTATION,
            Format::Sympy => &languages::sympy::ALONE,
            Format::Python => &languages::python::ALONE,
            Format::C => &languages::c::LANGUAGE.notation,
            Format::Rust => &languages::rust::LANGUAGE.notation,
            Format::JavaScript => &languages::javascript::LANGUAGE.notation,
            Format::Julia => &languages::julia::LANGUAGE.notation,
            Format::R => &languages::r::LANGUAGE.notation,
            Format::Matlab => &languages::matlab::LANGUAGE.notation,
            Format::Sql => &sql::LANGUAGE.notation,
            Format::Excel | Format::Json => unreachable!("written elsewhere"),
        }
    }
}

impl Formula {
    /// The expression in the given language, in one line but for JSON. Every feature in use must have a name.
    ///
    /// Features are `x0`, `x1`, … by index, but named in text, LaTeX and SQL, and cells in Excel. Beyond text, LaTeX, SymPy
    /// and Python, operators that a language lacks are functions that only [`Formula::export`] defines.
    pub fn format(&self, names: &FeatureNames, format: Format) -> String {
        let feature = |index: u32| match format {
            Format::Text => names.quoted(index),
            Format::Latex => latex::name(names.name(index)),
            Format::Sql => sql::feature(&FeatureOrigin::plain(names.name(index), index)),
            _ => format!("x{index}"),
        };
        match format {
            Format::Excel => excel::formula(self, &excel::cell),
            Format::Json => json::object(self, names, &[]),
            _ => Writer::new(self, format.notation(), &feature).write(),
        }
    }

    /// The formula in the project's own infix form, which [`Formula::parse`] reads back to the very same values.
    pub fn to_text(&self, names: &FeatureNames) -> String {
        self.format(names, Format::Text)
    }

    /// The formula for LaTeX's mathematics mode, feature names escaped.
    pub fn to_latex(&self, names: &FeatureNames) -> String {
        self.format(names, Format::Latex)
    }

    /// The formula for `sympy.sympify`, with the features as `x0`, `x1`, … by index.
    pub fn to_sympy(&self, names: &FeatureNames) -> String {
        self.format(names, Format::Sympy)
    }

    /// The formula as a Python expression with NumPy as `np`, and the features as `x0`, `x1`, … by index.
    pub fn to_python(&self, names: &FeatureNames) -> String {
        self.format(names, Format::Python)
    }
}
