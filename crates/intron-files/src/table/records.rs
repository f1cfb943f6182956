//! Splits text into the fields of its records, and finds out which separator it uses.

use super::number::{Refusal, parse_number};
use std::borrow::Cow;

const SAMPLED_RECORDS: usize = 50;

const MARKS: [Separator; 4] =
    [Separator::Mark(b','), Separator::Mark(b'\t'), Separator::Mark(b';'), Separator::Mark(b'|')];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// One ASCII character between two fields.
    Mark(u8),
    /// A run of spaces between two fields; none before the first or after the last.
    Spaces,
}

impl Separator {
    pub(super) fn detect(text: &str) -> Separator {
        let marks = MARKS.map(|separator| Sample::take(text, separator));
        let spaces = Sample::take(text, Separator::Spaces);
        let even_numbers = |sample: &&Sample| sample.is_even && sample.is_numeric;
        if let Some(sample) = marks.iter().chain([&spaces]).find(even_numbers) {
            return sample.separator;
        }
        if let Some(sample) = marks.iter().find(|sample| sample.is_even) {
            return sample.separator;
        }
        // A ragged file: the header shows what was meant. Reversed, because the last of equal maxima wins.
        let split_header = marks.iter().rev().filter(|sample| sample.first_record_fields > 1);
        if let Some(sample) = split_header.max_by_key(|sample| sample.first_record_fields) {
            return sample.separator;
        }
        // Spaces come last: they also follow other separators, and stand within names such as `my column`.
        if spaces.first_record_fields > 1 && spaces.splits_last_record {
            Separator::Spaces
        } else {
            MARKS[0]
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Separator::Mark(b',') => "comma",
            Separator::Mark(b'\t') => "tab",
            Separator::Mark(b';') => "semicolon",
            Separator::Mark(_) => "pipe",
            Separator::Spaces => "spaces",
        }
    }

    fn is(self, byte: u8) -> bool {
        match self {
            Separator::Mark(mark) => byte == mark,
            Separator::Spaces => byte == b' ',
        }
    }
}

/// How the first records look when split at one separator.
struct Sample {
    separator: Separator,
    first_record_fields: usize,
    /// All records have the same number of fields, more than one, and no flaw.
    is_even: bool,
    /// The last record holds nothing but numbers, were they missing or badly written.
    is_numeric: bool,
    splits_last_record: bool,
}

impl Sample {
    fn take(text: &str, separator: Separator) -> Sample {
        let mut sample = Sample {
            separator,
            first_record_fields: 0,
            is_even: true,
            is_numeric: true,
            splits_last_record: false,
        };
        let mut records = 0;
        for field in Fields::new(text, separator) {
            let column = field.as_ref().map_or_else(|flaw| flaw.column, |field| field.column);
            if records == 0 {
                sample.first_record_fields = column + 1;
            }
            let Ok(field) = field else {
                sample.is_even = false;
                break;
            };
            let is_number = parse_number(&field.text()) != Err(Refusal::Text);
            sample.is_numeric = is_number && (sample.is_numeric || column == 0);
            sample.splits_last_record = column > 0;
            if field.is_last {
                records += 1;
                sample.is_even &= column + 1 == sample.first_record_fields;
            }
            if records == SAMPLED_RECORDS {
                break;
            }
        }
        sample.is_even &= sample.first_record_fields > 1;
        sample
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Problem {
    UnclosedQuote,
    TextAfterQuote,
}

/// A problem with the quotes of one field, and where that field begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flaw {
    pub(super) problem: Problem,
    pub(super) line: usize,
    pub(super) column: usize,
}

pub(super) struct Field<'a> {
    raw: &'a str,
    is_quoted: bool,
    /// The line on which the field begins, from 1.
    pub(super) line: usize,
    /// The index within the record, from 0.
    pub(super) column: usize,
    pub(super) is_last: bool,
}

impl<'a> Field<'a> {
    pub(super) fn text(&self) -> Cow<'a, str> {
        if self.is_quoted && self.raw.contains('"') {
            Cow::Owned(self.raw.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

/// The fields of all records that are not blank lines, in order. There is nothing sensible after a flaw.
pub(super) struct Fields<'a> {
    text: &'a str,
    separator: Separator,
    position: usize,
    line: usize,
    column: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(text: &'a str, separator: Separator) -> Fields<'a> {
        Fields { text, separator, position: 0, line: 1, column: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn is_at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b'\r'))
    }

    fn skip_line_end(&mut self) {
        let rest = &self.text.as_bytes()[self.position..];
        let length = if rest.starts_with(b"\r\n") { 2 } else { rest.len().min(1) };
        self.position += length;
        self.line += 1;
    }

    fn skip_while(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start_matches(is_skipped).len();
    }

    fn skip_blank_lines(&mut self) {
        loop {
            let line_start = self.position;
            self.skip_while(is_blank);
            if !self.is_at_line_end() {
                self.position = line_start;
                return;
            }
            if self.peek().is_none() {
                return;
            }
            self.skip_line_end();
        }
    }

    /// Skips white space within the line, but no separator that is itself white space.
    fn skip_padding(&mut self) {
        let is_tab_kept = self.separator == Separator::Mark(b'\t');
        self.skip_while(|character| is_blank(character) && !(is_tab_kept && character == '\t'));
    }

    /// Moves over a field without quotes.
    fn bare(&mut self) -> &'a str {
        let rest = &self.text.as_bytes()[self.position..];
        let ends = |byte: &u8| matches!(byte, b'\n' | b'\r') || self.separator.is(*byte);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let raw = &self.text[self.position..self.position + length];
        self.position += length;
        raw.trim_end()
    }

    /// Moves over a field in quotes, from the opening quote to the separator or the line end.
    fn quoted(&mut self) -> Result<&'a str, Problem> {
        let start = self.position + 1;
        let bytes = self.text.as_bytes();
        let mut end = start;
        loop {
            let closing = bytes[end..].iter().position(|byte| *byte == b'"');
            end += closing.ok_or(Problem::UnclosedQuote)?;
            if bytes.get(end + 1) != Some(&b'"') {
                break;
            }
            end += 2;
        }
        self.position = end + 1;
        self.skip_padding();
        let is_separated = match self.separator {
            Separator::Mark(mark) => self.peek() == Some(mark),
            Separator::Spaces => self.position > end + 1,
        };
        if !is_separated && !self.is_at_line_end() {
            return Err(Problem::TextAfterQuote);
        }
        let raw = &self.text[start..end];
        self.line += count_line_ends(raw.as_bytes());
        Ok(raw)
    }

    /// Moves to the next field or record, and tells whether the record is over.
    fn finish_field(&mut self) -> bool {
        if self.separator == Separator::Spaces {
            self.skip_padding();
        }
        let is_last = self.is_at_line_end();
        if is_last {
            self.skip_line_end();
            self.column = 0;
        } else {
            self.column += 1;
            self.position += usize::from(self.separator != Separator::Spaces);
        }
        is_last
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Flaw>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.column == 0 {
            self.skip_blank_lines();
            self.peek()?;
        }
        self.skip_padding();
        let (line, column, is_quoted) = (self.line, self.column, self.peek() == Some(b'"'));
        let raw = if is_quoted { self.quoted() } else { Ok(self.bare()) };
        Some(match raw {
            Ok(raw) => Ok(Field { raw, is_quoted, line, column, is_last: self.finish_field() }),
            Err(problem) => Err(Flaw { problem, line, column }),
        })
    }
}

/// White space that does not end a line.
fn is_blank(character: char) -> bool {
    character.is_whitespace() && !matches!(character, '\n' | '\r')
}

pub(super) fn count_line_ends(bytes: &[u8]) -> usize {
    let line_feeds = bytes.iter().filter(|byte| **byte == b'\n').count();
    let returns = bytes.iter().filter(|byte| **byte == b'\r').count();
    line_feeds + returns - bytes.windows(2).filter(|pair| pair == b"\r\n").count()
}
