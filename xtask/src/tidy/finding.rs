//! What a rule reports: a line of a file and what is wrong with it.

/// A broken rule, in a file that the caller knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Line in the file, counted from 1.
    pub(crate) line: usize,
    /// What is wrong, for the reader who has to mend it.
    pub(crate) message: String,
}

impl Finding {
    /// A finding in the given line, counted from 1.
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        Finding { line, message: message.into() }
    }
}

/// The line, counted from 1, in which a byte offset lies.
pub(crate) fn line_of_offset(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count()
}
