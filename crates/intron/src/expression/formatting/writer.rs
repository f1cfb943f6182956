//! Writes a formula as text: the project's own infix form, LaTeX, SymPy and Python with NumPy.
//! Written from the root down with an explicit stack, so that any depth is fine and the time is linear in the output.

use super::super::formula::Formula;
use super::super::names::FeatureNames;
use super::super::operator::Operator::{self, *};
use super::super::symbol::Meaning;
use super::forms::{self, Level, Level::*, Piece, Piece::*};
use crate::error::Error;

/// A language for the text of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Infix with as few parentheses as keep the tree; [`Formula::parse`] reads it back to the same values.
    Text,
    /// For LaTeX's mathematics mode; feature names are escaped.
    Latex,
    /// For `sympy.sympify`; features are `x0`, `x1`, … by index.
    Sympy,
    /// Python after `import numpy as np`; features are `x0`, `x1`, … by index, holding NumPy values.
    Python,
}

impl Format {
    /// Every format with the name that users type.
    pub(super) const TABLE: [(Format, &str); 4] = [
        (Format::Text, "text"),
        (Format::Latex, "latex"),
        (Format::Sympy, "sympy"),
        (Format::Python, "python"),
    ];

    /// Finds a format by its name: `text`, `latex`, `sympy` or `python`.
    pub fn from_name(name: &str) -> Result<Format, Error> {
        let row = Format::TABLE.iter().find(|row| row.1 == name);
        row.map(|row| row.0).ok_or_else(|| Error::UnknownName {
            what: "format",
            given: name.to_owned(),
            known: Format::TABLE.map(|row| row.1).join(" "),
        })
    }
}

impl Formula {
    /// The formula in the given language. Every feature in use must have a name.
    pub fn format(&self, names: &FeatureNames, format: Format) -> String {
        Writer::new(self, names, format).write()
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

/// Whether the minus of the number at the front of a product is written, or has become a subtraction.
#[derive(Clone, Copy, PartialEq)]
enum Front {
    Kept,
    Negated,
}

/// What remains to be written.
enum Task {
    Fixed(&'static str),
    Node { place: u32, least: Level, front: Front },
}

struct Writer<'a> {
    formula: &'a Formula,
    names: &'a FeatureNames,
    format: Format,
    /// Per node: the text starts with the minus of a negative number.
    is_front_negative: Vec<bool>,
    /// Per node: a feature is below it.
    has_feature: Vec<bool>,
    tasks: Vec<Task>,
    text: String,
}

impl<'a> Writer<'a> {
    fn new(formula: &'a Formula, names: &'a FeatureNames, format: Format) -> Writer<'a> {
        let mut is_front_negative: Vec<bool> = Vec::with_capacity(formula.size());
        let mut has_feature: Vec<bool> = Vec::with_capacity(formula.size());
        for node in formula.nodes() {
            let [first, second] = node.arguments.map(|place| place as usize);
            let (is_negative, depends) = match node.symbol.meaning() {
                Meaning::Feature(_) => (false, true),
                Meaning::Constant(value) => (value.is_sign_negative(), false),
                Meaning::Operator(operator) => {
                    let is_product =
                        operator == Multiply || (operator == Divide && format != Format::Latex);
                    let is_second_used = operator.arity() == 2;
                    let depends = has_feature[first] || (is_second_used && has_feature[second]);
                    (is_product && is_front_negative[first], depends)
                }
            };
            is_front_negative.push(is_negative);
            has_feature.push(depends);
        }
        let (tasks, text) = (Vec::new(), String::new());
        Writer { formula, names, format, is_front_negative, has_feature, tasks, text }
    }

    fn write(mut self) -> String {
        let root = self.formula.size().checked_sub(1).expect("a usable formula has a node");
        let root = u32::try_from(root).expect("fewer than 2^32 nodes");
        self.tasks.push(Task::Node { place: root, least: Sum, front: Front::Kept });
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Fixed(text) => self.text += text,
                Task::Node { place, least, front } => self.write_node(place, least, front),
            }
        }
        self.text
    }

    fn write_node(&mut self, place: u32, least: Level, front: Front) {
        match self.formula.nodes()[place as usize].symbol.meaning() {
            Meaning::Feature(index) => self.write_feature(index),
            Meaning::Constant(value) => {
                let value = if front == Front::Negated { -value } else { value };
                let (text, level) = forms::number(value, self.format);
                self.open(level, least);
                self.text += &text;
                self.close(level, least);
            }
            Meaning::Operator(operator) => self.write_operator(operator, place, least, front),
        }
    }

    fn write_feature(&mut self, index: u32) {
        match self.format {
            Format::Text => self.text += &self.names.quoted(index),
            Format::Latex => self.text += &forms::latex_name(self.names.name(index)),
            Format::Sympy | Format::Python => self.text += &format!("x{index}"),
        }
    }

    /// Writes the opening parenthesis of an operator and leaves the rest to later tasks.
    fn write_operator(&mut self, operator: Operator, place: u32, least: Level, front: Front) {
        let [first, second] = self.formula.nodes()[place as usize].arguments;
        let is_absorbed =
            matches!(operator, Add | Subtract) && self.is_front_negative[second as usize];
        let written = match operator {
            Add if is_absorbed => Subtract,
            Subtract if is_absorbed => Add,
            _ => operator,
        };
        let (mut level, pieces) = self.form(written, first, second);
        let is_front_negative = self.is_front_negative[place as usize];
        if self.format == Format::Latex && is_front_negative && front == Front::Kept {
            level = Sum;
        }
        self.open(level, least);
        if level < least {
            self.tasks.push(Task::Fixed(self.parentheses()[1]));
        }
        let second_front = if is_absorbed { Front::Negated } else { Front::Kept };
        for piece in pieces.into_iter().rev() {
            self.tasks.push(match piece {
                Fixed(text) => Task::Fixed(text),
                // The number at the front of a product needs no parentheses for its minus.
                First(_) if is_front_negative => Task::Node { place: first, least: Sum, front },
                First(least) => Task::Node { place: first, least, front },
                Second(least) => Task::Node { place: second, least, front: second_front },
            });
        }
    }

    /// The level and the text of an operator, where it depends on the arguments or is common to the languages.
    fn form(&self, operator: Operator, first: u32, second: u32) -> (Level, Vec<Piece>) {
        let constant = |place: u32| match self.formula.nodes()[place as usize].symbol.meaning() {
            Meaning::Constant(value) => Some(value),
            _ => None,
        };
        let is_numpy = |place: u32| self.has_feature[place as usize];
        // Division of plain numbers by zero is an exception in Python.
        let may_divide = |place: u32| is_numpy(place) || constant(place).is_some_and(|x| x != 0.0);
        match (self.format, operator) {
            (Format::Latex, _) => forms::latex(operator),
            (Format::Text, Negate) if constant(first).is_some() => forms::call("neg", operator),
            (Format::Text, Power) if matches!(constant(second), Some(2.0 | 3.0)) => {
                forms::call("pow", operator)
            }
            (Format::Python, Divide) if !is_numpy(first) && !may_divide(second) => {
                forms::call("np.divide", operator)
            }
            (Format::Python, Inverse) if !may_divide(first) => {
                (Atom, vec![Fixed("np.divide(1.0, "), First(Sum), Fixed(")")])
            }
            (_, Add) => (Sum, vec![First(Sum), Fixed(" + "), Second(Product)]),
            (_, Subtract) => (Sum, vec![First(Sum), Fixed(" - "), Second(Product)]),
            (_, Multiply) => (Product, vec![First(Product), Fixed(" * "), Second(Prefix)]),
            (_, Divide) => (Product, vec![First(Product), Fixed(" / "), Second(Prefix)]),
            (_, Negate) => (Prefix, vec![Fixed("-"), First(Prefix)]),
            (Format::Text, _) => forms::text(operator),
            (Format::Sympy, _) => forms::sympy(operator),
            (Format::Python, _) => forms::python(operator),
        }
    }

    fn parentheses(&self) -> [&'static str; 2] {
        if self.format == Format::Latex { [r"\left(", r"\right)"] } else { ["(", ")"] }
    }

    fn open(&mut self, level: Level, least: Level) {
        if level < least {
            self.text += self.parentheses()[0];
        }
    }

    fn close(&mut self, level: Level, least: Level) {
        if level < least {
            self.text += self.parentheses()[1];
        }
    }
}
