//! Names in comments. They are input: none may end the comment, go on as code, or change how the line is displayed.

/// Longer names are cut.
const MAX_CHARACTERS: usize = 200;

/// Marks besides letters, digits and spaces that may stay as they are.
const HARMLESS: &str = "_.,:;()[]{}+-*/=%&@#~^|<>!?$";

/// Pairs that start or end comments, or stand for another mark, in some language.
const PAIRS: [&str; 6] = ["*/", "/*", "--", "??", "//", "|#"];

/// A name as it may stand in a comment: other characters by their number.
pub(super) fn comment_text(name: &str) -> String {
    let mut text = String::new();
    let mut previous = ' ';
    for character in name.chars().take(MAX_CHARACTERS) {
        let is_plain = character.is_alphanumeric() || character == ' ';
        let is_harmless = HARMLESS.contains(character);
        let is_pair = PAIRS.iter().any(|pair| pair.chars().eq([previous, character]));
        if (is_plain || is_harmless) && !is_pair {
            text.push(character);
        } else {
            text += &format!("<U+{:04X}>", u32::from(character));
        }
        previous = character;
    }
    if name.chars().nth(MAX_CHARACTERS).is_some() {
        text += "...";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_leave_its_comment() {
        for (name, expected) in [
            ("wind speed (m/s)", "wind speed (m/s)"),
            ("温度 °C", "温度 <U+00B0>C"),
            ("a*/b", "a*<U+002F>b"),
            ("a--b", "a-<U+002D>b"),
            ("a\nb\r\u{85}\u{2028}c", "a<U+000A>b<U+000D><U+0085><U+2028>c"),
            ("\"'`\\", "<U+0022><U+0027><U+0060><U+005C>"),
            ("??/", "?<U+003F>/"),
            ("\u{202e}abc", "<U+202E>abc"),
        ] {
            assert_eq!(comment_text(name), expected);
        }
        assert_eq!(comment_text(&"é".repeat(1_000_000)).chars().count(), MAX_CHARACTERS + 3);
    }
}
