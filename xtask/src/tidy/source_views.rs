//! Rust source split into code and comments, so that rules do not stumble over words in texts.

/// Two views of a source with the same lines: what belongs to the other view, and the contents of
/// strings and characters, is blank.
#[derive(Debug, Default)]
pub(crate) struct SourceViews {
    /// Code only.
    pub(crate) code: String,
    /// Comments only, with their marks.
    pub(crate) comments: String,
}

/// What a piece of source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Code,
    Comment,
    Literal,
}

impl SourceViews {
    /// Splits a source that compiles; for any other text the views are merely some split.
    pub(crate) fn of(source: &str) -> Self {
        let characters: Vec<char> = source.chars().collect();
        let mut views = SourceViews::default();
        let mut start = 0;
        while start < characters.len() {
            let (piece, length) = next_piece(&characters[..start], &characters[start..]);
            let end = characters.len().min(start + length);
            views.push(piece, &characters[start..end]);
            start = end;
        }
        views
    }

    fn push(&mut self, piece: Piece, characters: &[char]) {
        for &character in characters {
            let blank = if character == '\n' { '\n' } else { ' ' };
            self.code.push(if piece == Piece::Code { character } else { blank });
            self.comments.push(if piece == Piece::Comment { character } else { blank });
        }
    }
}

/// Kind and length of the piece at the start of `rest`; `before` is what precedes it.
fn next_piece(before: &[char], rest: &[char]) -> (Piece, usize) {
    match rest {
        ['/', '/', ..] => (Piece::Comment, line_length(rest)),
        ['/', '*', ..] => (Piece::Comment, block_comment_length(rest)),
        ['"', ..] => match raw_string_hashes(before) {
            Some(n_hashes) => (Piece::Literal, raw_string_length(rest, n_hashes)),
            None => (Piece::Literal, quoted_length(rest)),
        },
        // A quote that is neither followed by an escape nor closed after one character is a lifetime.
        ['\'', '\\', ..] | ['\'', _, '\'', ..] => (Piece::Literal, quoted_length(rest)),
        _ => (Piece::Code, 1),
    }
}

fn line_length(rest: &[char]) -> usize {
    rest.iter().position(|character| *character == '\n').unwrap_or(rest.len())
}

/// Length of a block comment; such comments nest.
fn block_comment_length(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

/// Length of a string or character, the first character being its quote.
fn quoted_length(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            character if character == rest[0] => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Number of `#` between `r` and the quote, if what stands before the quote makes it a raw string.
fn raw_string_hashes(before: &[char]) -> Option<usize> {
    let n_hashes = before.iter().rev().take_while(|character| **character == '#').count();
    let mut prefix = before[..before.len() - n_hashes].iter().rev().copied();
    if prefix.next() != Some('r') {
        return None;
    }
    let earlier = match prefix.next() {
        Some('b' | 'c') => prefix.next(),
        other => other,
    };
    let is_word = earlier.is_some_and(|character| character.is_alphanumeric() || character == '_');
    (!is_word).then_some(n_hashes)
}

fn raw_string_length(rest: &[char], n_hashes: usize) -> usize {
    let closes =
        |window: &[char]| window[0] == '"' && window[1..].iter().all(|character| *character == '#');
    let end = rest[1..].windows(n_hashes + 1).position(closes);
    end.map_or(rest.len(), |position| 1 + position + n_hashes + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of_code(source: &str) -> Vec<String> {
        SourceViews::of(source).code.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn comments_and_code_part_ways() {
        let views = SourceViews::of("let a; // one\n/* two /* three */ four */ let b;\n");
        assert_eq!(views.code.split_whitespace().collect::<Vec<_>>(), ["let", "a;", "let", "b;"]);
        assert!(views.comments.contains("// one"));
        assert!(views.comments.contains("four */"));
        assert!(!views.comments.contains("let"));
    }

    #[test]
    fn lines_stay_where_they_are() {
        let views = SourceViews::of("a\n\"x\ny\"\n/*\n*/\nb");
        assert_eq!(views.code.lines().count(), 6);
        assert_eq!(views.code.lines().last(), Some("b"));
    }

    #[test]
    fn strings_are_blank_with_their_escapes() {
        assert_eq!(words_of_code(r#"f("} \" // {") g"#), ["f(", ")", "g"]);
        assert_eq!(words_of_code(r#"f("\\") g"#), ["f(", ")", "g"]);
    }

    #[test]
    fn raw_strings_end_at_their_hashes() {
        assert_eq!(words_of_code("a r#\"x \" { y\"# b"), ["a", "r#", "b"]);
        assert_eq!(words_of_code("a r\"\\\" b"), ["a", "r", "b"]);
        assert_eq!(words_of_code("a br##\"x \"# { \"## b"), ["a", "br##", "b"]);
    }

    #[test]
    fn a_name_that_ends_in_r_does_not_make_a_string_raw() {
        assert_eq!(words_of_code("letter\"\\\" {\" b"), ["letter", "b"]);
    }

    #[test]
    fn characters_are_blank_and_lifetimes_are_code() {
        assert_eq!(words_of_code("a '{' b '\\'' c '\"' d"), ["a", "b", "c", "d"]);
        assert_eq!(words_of_code("&'a str, 'b: loop {"), ["&'a", "str,", "'b:", "loop", "{"]);
        assert_eq!(words_of_code("x '\\u{7b}' b'{' y"), ["x", "b", "y"]);
    }

    #[test]
    fn an_unfinished_text_ends_with_the_source() {
        assert_eq!(words_of_code("a \"b"), ["a"]);
        assert_eq!(words_of_code("a /* b"), ["a"]);
        assert_eq!(words_of_code("a r#\"b"), ["a", "r#"]);
        assert_eq!(words_of_code("a \"b\\"), ["a"]);
    }
}
