//! Reads a formula from infix text. Operators wait on an explicit stack until their operands are complete
//! (shunting-yard), so no depth of nesting can exhaust the stack, and the time is linear in the text.

use super::super::composition::Compositions;
use super::super::formula::Formula;
use super::super::names::{FeatureNames, closest};
use super::super::operator::Operator;
use super::super::symbol::Symbol;
use super::tokens::{Kind, Token, describe, read_tokens};
use crate::error::Error;

/// Formulas with more nodes are refused.
const MAX_NODES: usize = 100_000;

/// An error about an unknown name lists the known ones if there are at most this many.
const MAX_NAMES_LISTED: usize = 12;

impl Formula {
    /// Reads a formula: numbers, `pi`, feature names (in backticks where they are no plain words), `+ - * /`,
    /// `^` or `**`, parentheses, and every operator as a function by its name.
    ///
    /// `-x^2` is `-(x^2)`; a power associates to the right; the exponents 2 and 3 give the operators `square` and
    /// `cube`; a minus directly before a number that is not the base of a power belongs to the number.
    pub fn parse(text: &str, names: &FeatureNames) -> Result<Formula, Error> {
        Formula::parse_with(text, names, &Compositions::default())
    }

    /// The same with operators of one's own, each of which becomes one node: such a formula must be expanded before it is used.
    pub(crate) fn parse_with(
        text: &str,
        names: &FeatureNames,
        own: &Compositions,
    ) -> Result<Formula, Error> {
        let mut parser = Parser {
            names,
            own,
            tokens: read_tokens(text),
            next: 0,
            formula: Formula::new(),
            operands: Vec::new(),
            pending: Vec::new(),
        };
        loop {
            parser.read_operand()?;
            if let Continuation::End = parser.read_after_operand()? {
                return Ok(parser.formula);
            }
        }
    }
}

/// What is not complete yet: everything after it, up to its end, is an operand or an argument of it.
enum Pending {
    Group { column: usize },
    Call { function: Symbol, column: usize, n_arguments: usize },
    Operator(Operator),
}

/// What follows a complete operand.
enum Continuation {
    Operand,
    End,
}

struct Parser<'a> {
    names: &'a FeatureNames,
    own: &'a Compositions,
    tokens: Vec<Token<'a>>,
    /// The token to be read next; the last token is never passed.
    next: usize,
    formula: Formula,
    /// Roots of the complete parts that no operator has taken yet.
    operands: Vec<u32>,
    pending: Vec<Pending>,
}

impl<'a> Parser<'a> {
    /// Reads signs, opening parentheses and function names up to and with a number or a name.
    fn read_operand(&mut self) -> Result<(), Error> {
        loop {
            let Token { column, kind } = self.tokens[self.next].clone();
            self.next += 1;
            match kind {
                Kind::Sign(Operator::Subtract) => match self.kind() {
                    &Kind::Number(value) if !self.is_power(self.next + 1) => {
                        self.next += 1;
                        return self.push(Symbol::constant(-value), column);
                    }
                    _ => self.pending.push(Pending::Operator(Operator::Negate)),
                },
                Kind::Sign(Operator::Add) => {}
                Kind::Open => self.pending.push(Pending::Group { column }),
                Kind::Number(value) => return self.push(Symbol::constant(value), column),
                Kind::Word(word) if *self.kind() == Kind::Open => {
                    let function = self.find_function(word, column)?;
                    self.next += 1;
                    self.pending.push(Pending::Call { function, column, n_arguments: 0 });
                }
                Kind::Word(word) => {
                    let symbol = self.find_word(word, column)?;
                    return self.push(symbol, column);
                }
                Kind::Quoted(name) => {
                    let index =
                        self.names.find(&name).ok_or_else(|| self.unknown_name(&name, column))?;
                    return self.push(Symbol::feature(index), column);
                }
                other => return Err(self.missing_operand(&other, column)),
            }
        }
    }

    /// Reads closing parentheses, squares and cubes up to and with what demands another operand, or the end.
    fn read_after_operand(&mut self) -> Result<Continuation, Error> {
        loop {
            let Token { column, kind } = self.tokens[self.next].clone();
            if let Kind::End = kind {
                return self.finish(column);
            }
            self.next += 1;
            match kind {
                Kind::Sign(operator) | Kind::Infix(operator) => {
                    self.apply_pending(binding(operator), column)?;
                    self.pending.push(Pending::Operator(operator));
                    return Ok(Continuation::Operand);
                }
                Kind::Power => match self.literal_power() {
                    Some(operator) => {
                        self.next += 1;
                        self.apply(operator, column)?;
                    }
                    None => {
                        self.pending.push(Pending::Operator(Operator::Power));
                        return Ok(Continuation::Operand);
                    }
                },
                Kind::Close => self.close(column)?,
                Kind::Comma => {
                    self.end_argument(column)?;
                    return Ok(Continuation::Operand);
                }
                Kind::Wrong(problem) => return Err(error(column, problem)),
                other => {
                    return Err(error(
                        column,
                        format!("expected an operator or the end, found {}", describe(&other)),
                    ));
                }
            }
        }
    }

    fn kind(&self) -> &Kind<'a> {
        &self.tokens[self.next].kind
    }

    fn is_power(&self, place: usize) -> bool {
        self.tokens.get(place).is_some_and(|token| token.kind == Kind::Power)
    }

    /// The operator of an exponent that is exactly the number 2 or 3 and not itself the base of a power.
    fn literal_power(&self) -> Option<Operator> {
        match *self.kind() {
            _ if self.is_power(self.next + 1) => None,
            Kind::Number(2.0) => Some(Operator::Square),
            Kind::Number(3.0) => Some(Operator::Cube),
            _ => None,
        }
    }

    fn push(&mut self, symbol: Symbol, column: usize) -> Result<(), Error> {
        if self.formula.size() == MAX_NODES {
            return Err(error(column, format!("the formula has more than {MAX_NODES} nodes")));
        }
        let first = self.operands.len() - symbol.arity();
        let place = self.formula.push(symbol, &self.operands[first..]);
        self.operands.truncate(first);
        self.operands.push(place);
        Ok(())
    }

    fn apply(&mut self, operator: Operator, column: usize) -> Result<(), Error> {
        self.push(Symbol::operator(operator), column)
    }

    /// Applies the operators on top of the stack that bind at least this tightly.
    fn apply_pending(&mut self, least: u8, column: usize) -> Result<(), Error> {
        while let Some(&Pending::Operator(operator)) = self.pending.last() {
            if binding(operator) < least {
                break;
            }
            self.pending.pop();
            self.apply(operator, column)?;
        }
        Ok(())
    }

    fn close(&mut self, column: usize) -> Result<(), Error> {
        self.apply_pending(0, column)?;
        match self.pending.pop() {
            Some(Pending::Call { function, column: start, n_arguments }) => {
                if n_arguments + 1 != function.arity() {
                    return Err(self.wrong_count(function, start, n_arguments + 1));
                }
                self.push(function, column)
            }
            Some(_) => Ok(()),
            None => Err(error(column, "this `)` closes nothing".to_owned())),
        }
    }

    fn end_argument(&mut self, column: usize) -> Result<(), Error> {
        self.apply_pending(0, column)?;
        match self.pending.last_mut() {
            Some(Pending::Call { function, n_arguments, column: start }) => {
                *n_arguments += 1;
                if *n_arguments == function.arity() {
                    let (function, start, n_found) = (*function, *start, *n_arguments + 1);
                    return Err(self.wrong_count(function, start, n_found));
                }
                Ok(())
            }
            _ => Err(error(column, "expected an operator, found `,` outside a call".to_owned())),
        }
    }

    fn finish(&mut self, column: usize) -> Result<Continuation, Error> {
        self.apply_pending(0, column)?;
        match self.pending.last() {
            Some(Pending::Group { column: start }) => {
                Err(error(*start, "expected `)`, but this `(` is never closed".to_owned()))
            }
            Some(Pending::Call { function, column: start, .. }) => {
                let name = self.word_for(*function);
                Err(error(*start, format!("expected `)`, but this `{name}(` is never closed")))
            }
            _ => Ok(Continuation::End),
        }
    }

    fn find_function(&self, word: &str, column: usize) -> Result<Symbol, Error> {
        let ordinary = Operator::from_name(word).map(Symbol::operator);
        ordinary.or_else(|| self.own.find(word)).ok_or_else(|| {
            if self.names.find(word).is_some() {
                let problem = format!("`{word}` is a feature; expected an operator before `(`");
                return error(column, problem);
            }
            let own = self.own.iter().map(|composition| composition.name());
            let mut known: Vec<&str> = Operator::all().map(word_of).collect();
            known.extend(own);
            let guess = closest(word, known.iter().copied());
            let guess = guess.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            error(column, format!("unknown function `{word}`{guess}; known: {}", known.join(" ")))
        })
    }

    fn find_word(&self, word: &str, column: usize) -> Result<Symbol, Error> {
        if let Some(index) = self.names.find(word) {
            return Ok(Symbol::feature(index));
        }
        if word == "pi" {
            return Ok(Symbol::constant(std::f64::consts::PI));
        }
        Err(match Operator::from_name(word).map(Symbol::operator).or_else(|| self.own.find(word)) {
            Some(_) => error(column, format!("expected `(` after the function `{word}`")),
            None => self.unknown_name(word, column),
        })
    }

    fn unknown_name(&self, name: &str, column: usize) -> Error {
        let mut problem = format!("unknown name `{name}`");
        if let Some(guess) = self.names.guess(name) {
            let quotes = if guess.starts_with('`') { "" } else { "`" };
            problem += &format!("; did you mean {quotes}{guess}{quotes}?");
        }
        if self.names.is_empty() {
            problem += "; there are no features";
        } else if self.names.len() <= MAX_NAMES_LISTED {
            problem += &format!("; known: {}", self.names.list());
        }
        error(column, problem)
    }

    /// The word by which a function is called.
    fn word_for(&self, function: Symbol) -> &str {
        let own = || self.own.of(function).map(|composition| composition.name());
        function.as_operator().map(word_of).or_else(own).unwrap_or("?")
    }

    fn wrong_count(&self, function: Symbol, column: usize, n_found: usize) -> Error {
        let name = self.word_for(function);
        let arguments = if function.arity() == 1 { "1 argument" } else { "2 arguments" };
        let found = match n_found {
            _ if n_found > function.arity() => "more".to_owned(),
            0 => "none".to_owned(),
            _ => n_found.to_string(),
        };
        error(column, format!("`{name}` takes {arguments}, found {found}"))
    }

    fn missing_operand(&self, found: &Kind<'_>, column: usize) -> Error {
        match (found, self.pending.last()) {
            (Kind::Wrong(problem), _) => error(column, problem.clone()),
            (Kind::End, _) if self.tokens.len() == 1 => {
                error(column, "the formula is empty".to_owned())
            }
            (Kind::Close, Some(&Pending::Call { function, column: start, n_arguments })) => {
                self.wrong_count(function, start, n_arguments)
            }
            _ => {
                let found = describe(found);
                error(column, format!("expected a number, a name or `(`, found {found}"))
            }
        }
    }
}

/// How tightly an operator holds its operands; calls and parentheses never ask.
fn binding(operator: Operator) -> u8 {
    match operator {
        Operator::Add | Operator::Subtract => 1,
        Operator::Multiply | Operator::Divide => 2,
        Operator::Negate => 3,
        _ => 4,
    }
}

fn error(column: usize, problem: String) -> Error {
    Error::Formula { column, problem }
}

/// The word by which an operator is called as a function.
pub(super) fn word_of(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "add",
        Operator::Subtract => "sub",
        Operator::Multiply => "mul",
        Operator::Divide => "div",
        _ => operator.name(),
    }
}
