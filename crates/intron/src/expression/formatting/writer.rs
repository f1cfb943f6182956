//! Writes an expression in a notation: from the root down with an explicit stack, so that any depth is fine and the time
//! is linear in the output.

use super::super::formula::Formula;
use super::super::operator::Operator::{self, *};
use super::super::symbol::Meaning;
use super::forms::{Argument, Level, Level::*, Notation, Piece::*, Surroundings};

/// Whether the minus of the number at the front of a product is written, or has become a subtraction.
#[derive(Clone, Copy, PartialEq)]
enum Front {
    Kept,
    Negated,
}

/// What remains to be written.
enum Task {
    Fixed(&'static str),
    Node { place: u32, least: Level, front: Front, surroundings: Surroundings },
}

/// One expression on its way into text.
pub(super) struct Writer<'a> {
    formula: &'a Formula,
    notation: &'a Notation,
    feature: &'a dyn Fn(u32) -> String,
    /// Per node: the text starts with the minus of a negative number.
    is_front_negative: Vec<bool>,
    /// Per node: a feature is below it.
    has_feature: Vec<bool>,
    tasks: Vec<Task>,
    text: String,
}

impl<'a> Writer<'a> {
    /// `feature` gives the text of a feature by its index.
    pub(super) fn new(
        formula: &'a Formula,
        notation: &'a Notation,
        feature: &'a dyn Fn(u32) -> String,
    ) -> Writer<'a> {
        let mut is_front_negative: Vec<bool> = Vec::with_capacity(formula.size());
        let mut has_feature: Vec<bool> = Vec::with_capacity(formula.size());
        for node in formula.nodes() {
            let [first, second] = node.arguments.map(|place| place as usize);
            let (is_negative, depends) = match node.symbol.meaning() {
                Meaning::Feature(_) => (false, true),
                Meaning::Constant(value) => (value.is_sign_negative(), false),
                Meaning::Operator(operator) => {
                    let is_product =
                        operator == Multiply || (operator == Divide && !notation.has_fractions);
                    let is_second_used = operator.arity() == 2;
                    let depends = has_feature[first] || (is_second_used && has_feature[second]);
                    (is_product && is_front_negative[first], depends)
                }
            };
            is_front_negative.push(is_negative);
            has_feature.push(depends);
        }
        let (tasks, text) = (Vec::new(), String::new());
        Writer { formula, notation, feature, is_front_negative, has_feature, tasks, text }
    }

    /// The text of the whole formula.
    pub(super) fn write(self) -> String {
        self.write_within(usize::MAX).expect("no text is that long")
    }

    /// The text of the whole formula, or nothing as soon as it is longer than so many bytes.
    pub(super) fn write_within(mut self, limit: usize) -> Option<String> {
        let root = self.formula.size().checked_sub(1).expect("a usable formula has a node");
        let place = u32::try_from(root).expect("fewer than 2^32 nodes");
        let (least, front, surroundings) = (Sum, Front::Kept, Surroundings::Alone);
        self.tasks.push(Task::Node { place, least, front, surroundings });
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Fixed(text) => self.text += text,
                Task::Node { place, least, front, surroundings } => {
                    self.write_node(place, least, front, surroundings);
                }
            }
            if self.text.len() > limit {
                return None;
            }
        }
        Some(self.text)
    }

    fn write_node(&mut self, place: u32, least: Level, front: Front, surroundings: Surroundings) {
        match self.formula.nodes()[place as usize].symbol.meaning() {
            Meaning::Feature(index) => self.text += &(self.feature)(index),
            Meaning::Constant(value) => {
                let value = if front == Front::Negated { -value } else { value };
                let (text, level) = (self.notation.number)(value, surroundings);
                self.open(level, least);
                self.text += &text;
                self.close(level, least);
            }
            Meaning::Operator(operator) => self.write_operator(operator, place, least, front),
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
        let arguments = [self.argument(first), self.argument(second)];
        let (mut level, pieces) = (self.notation.form)(written, arguments);
        let is_front_negative = self.is_front_negative[place as usize];
        if self.notation.has_fractions && is_front_negative && front == Front::Kept {
            level = Sum;
        }
        self.open(level, least);
        if level < least {
            self.tasks.push(Task::Fixed(self.notation.parentheses[1]));
        }
        let second_front = if is_absorbed { Front::Negated } else { Front::Kept };
        let is_arithmetic = matches!(operator, Add | Subtract | Multiply | Divide);
        let surroundings = if is_arithmetic && self.has_feature[place as usize] {
            Surroundings::Arithmetic
        } else {
            Surroundings::Alone
        };
        for piece in pieces.into_iter().rev() {
            self.tasks.push(match piece {
                Fixed(text) => Task::Fixed(text),
                First(least) => {
                    // The number at the front of a product needs no parentheses for its minus.
                    let least = if is_front_negative { Sum } else { least };
                    Task::Node { place: first, least, front, surroundings }
                }
                Second(least) => {
                    Task::Node { place: second, least, front: second_front, surroundings }
                }
            });
        }
    }

    fn argument(&self, place: u32) -> Argument {
        let symbol = self.formula.nodes()[place as usize].symbol;
        let constant = match symbol.meaning() {
            Meaning::Constant(value) => Some(value),
            _ => None,
        };
        let (is_leaf, has_feature) = (symbol.arity() == 0, self.has_feature[place as usize]);
        Argument { constant, is_leaf, has_feature }
    }

    fn open(&mut self, level: Level, least: Level) {
        if level < least {
            self.text += self.notation.parentheses[0];
        }
    }

    fn close(&mut self, level: Level, least: Level) {
        if level < least {
            self.text += self.notation.parentheses[1];
        }
    }
}
