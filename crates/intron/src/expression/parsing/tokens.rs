//! The tokens of a formula: numbers, names, operators and punctuation, each with its place in the text.

use super::super::names::{is_word_part, is_word_start};
use super::super::operator::Operator;

/// A token and its place.
#[derive(Clone)]
pub(super) struct Token<'a> {
    /// Where it starts, counted in characters from 1.
    pub(super) column: usize,
    pub(super) kind: Kind<'a>,
}

/// What a token is.
#[derive(Clone, PartialEq)]
pub(super) enum Kind<'a> {
    Number(f64),
    Word(&'a str),
    Quoted(String),
    /// Plus or minus, which can also stand before an operand.
    Sign(Operator),
    Infix(Operator),
    Power,
    Open,
    Close,
    Comma,
    /// Text that is no token, with what is wrong with it; always the last token.
    Wrong(String),
    End,
}

/// How an error names a token that was found.
pub(super) fn describe(kind: &Kind<'_>) -> String {
    match kind {
        Kind::Number(value) => format!("the number {value:?}"),
        Kind::Word(word) => format!("`{word}`"),
        Kind::Quoted(name) => format!("the name `{name}`"),
        Kind::Sign(operator) | Kind::Infix(operator) => format!("`{}`", operator.name()),
        Kind::Power => "`^`".to_owned(),
        Kind::Open => "`(`".to_owned(),
        Kind::Close => "`)`".to_owned(),
        Kind::Comma => "`,`".to_owned(),
        Kind::Wrong(problem) => problem.clone(),
        Kind::End => "the end".to_owned(),
    }
}

/// The tokens up to and with the end or the first text that is none.
pub(super) fn read_tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut column = 1;
    loop {
        let start = rest.trim_start();
        column += rest[..rest.len() - start.len()].chars().count();
        let (kind, length) = read_token(start);
        let is_last = matches!(kind, Kind::End | Kind::Wrong(_));
        tokens.push(Token { column, kind });
        if is_last {
            return tokens;
        }
        column += start[..length].chars().count();
        rest = &start[length..];
    }
}

/// The token at the start of the text and its length in bytes.
fn read_token(text: &str) -> (Kind<'_>, usize) {
    let Some(first) = text.chars().next() else {
        return (Kind::End, 0);
    };
    let kind = match first {
        '*' if text.starts_with("**") => return (Kind::Power, 2),
        '^' => Kind::Power,
        '+' => Kind::Sign(Operator::Add),
        '-' | '−' => Kind::Sign(Operator::Subtract),
        '*' | '×' => Kind::Infix(Operator::Multiply),
        '/' | '÷' => Kind::Infix(Operator::Divide),
        '(' => Kind::Open,
        ')' => Kind::Close,
        ',' => Kind::Comma,
        '`' => return read_quoted(text),
        '.' | '0'..='9' => return read_number(text),
        _ if is_word_start(first) => {
            let length = text.find(|part| !is_word_part(part)).unwrap_or(text.len());
            return (Kind::Word(&text[..length]), length);
        }
        _ => Kind::Wrong(format!("unexpected character {first:?}")),
    };
    (kind, first.len_utf8())
}

fn read_quoted(text: &str) -> (Kind<'_>, usize) {
    let mut name = String::new();
    let mut start = 1;
    while let Some(length) = text[start..].find('`') {
        let end = start + length;
        name += &text[start..end];
        start = end + 1;
        if !text[start..].starts_with('`') {
            return (Kind::Quoted(name), start);
        }
        name.push('`');
        start += 1;
    }
    (Kind::Wrong("expected a second backtick to close this one".to_owned()), 0)
}

fn read_number(text: &str) -> (Kind<'_>, usize) {
    let n_digits = |start: usize| text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = n_digits(0);
    if text[length..].starts_with('.') {
        length += 1 + n_digits(length + 1);
    }
    if length > 0 && text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let n_exponent = n_digits(length + 1 + sign);
        if n_exponent > 0 {
            length += 1 + sign + n_exponent;
        }
    }
    let kind = match text[..length].parse::<f64>() {
        Ok(value) if value.is_finite() => Kind::Number(value),
        Ok(_) => Kind::Wrong("the number is too large".to_owned()),
        Err(_) => Kind::Wrong("expected a digit beside the `.`".to_owned()),
    };
    (kind, length)
}
