//! Text that fits: numbers with the right word behind them, and lines that are no wider than the terminal.

/// A number of things: `1 evaluation`, `2 evaluations`.
pub(crate) fn counted(n: u64, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// Text in lines of at most `width` characters, all but the first indented; as it is where there is no terminal.
pub(crate) fn fitted(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width else { return text.to_owned() };
    if text.chars().count() <= width {
        return text.to_owned();
    }
    wrap(text, width.saturating_sub(indent).max(10)).join(&format!("\n{:indent$}", ""))
}

/// Breaks text at spaces into lines of at most `width` characters; a longer word is cut.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (part, piece) in letters.chunks(width).enumerate() {
            let piece: String = piece.iter().collect();
            let line = lines.last_mut().expect("there is always a line");
            let used = line.chars().count();
            if used > 0 && (part > 0 || used + 1 + piece.chars().count() > width) {
                lines.push(piece);
            } else {
                if used > 0 {
                    line.push(' ');
                }
                line.push_str(&piece);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_wrapped_at_spaces() {
        assert_eq!(wrap("a + b * c", 5), ["a + b", "* c"]);
        assert_eq!(wrap("abcdefgh + 1", 3), ["abc", "def", "gh", "+ 1"]);
        assert_eq!(wrap("a", 3), ["a"]);
    }

    #[test]
    fn lines_fit_a_terminal_and_stay_whole_in_a_pipe() {
        let text = "y = 1.25 * a + sin(b) - 17 * c";
        assert_eq!(fitted(text, None, 3), text);
        assert_eq!(fitted(text, Some(80), 3), text);
        assert_eq!(fitted(text, Some(16), 3), "y = 1.25 * a\n   + sin(b) - 17\n   * c");
    }

    #[test]
    fn one_thing_has_no_plural() {
        assert_eq!(counted(1, "evaluation"), "1 evaluation");
        assert_eq!(counted(0, "evaluation"), "0 evaluations");
        assert_eq!(counted(25, "evaluation"), "25 evaluations");
    }
}
