//! Text in figures: how wide it is about, where it breaks, and how numbers are written.

/// Sizes in user units; no text is smaller than the smallest of these.
pub const SMALL: f64 = 11.0;
/// Letters of labels.
pub const NORMAL: f64 = 12.0;
/// Letters above a panel.
pub const TITLE: f64 = 13.0;

/// Height of a line of text, as a multiple of its size.
pub const LINE: f64 = 1.25;

/// Numbers from here on are written as powers of ten.
const LARGE: f64 = 1e5;

/// About the width of a text. The reader's font is not known, so the widths are those of a broad one.
pub fn width_of(text: &str, size: f64) -> f64 {
    text.chars().map(width_of_character).sum::<f64>() * size
}

fn width_of_character(character: char) -> f64 {
    match character {
        'i' | 'l' | 'j' | '.' | ',' | '\'' | '|' | '!' | ':' | ';' => 0.3,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '-' | '/' => 0.38,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' | '·' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.93,
        'A'..='Z' | '#' | '&' | '+' | '=' | '×' | '−' => 0.7,
        character if character.is_ascii() => 0.6,
        'À'..='ɏ' | 'Ͱ'..='ӿ' => 0.68,
        '–' | '…' => 0.6,
        // Broad scripts fill a square.
        _ => 1.0,
    }
}

/// The widest of some texts, 0 for none.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: f64) -> f64 {
    texts.into_iter().map(|text| width_of(text, size)).fold(0.0, f64::max)
}

/// Breaks a text into lines of at most the given width: between words, within a word only where it alone is too wide.
pub fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or("", String::as_str);
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width_of(&longer, size) <= width {
            lines.pop();
            lines.push(longer);
            continue;
        }
        if line.is_empty() {
            lines.pop();
        }
        lines.extend(break_word(word, size, width));
    }
    lines
}

fn break_word(word: &str, size: f64, width: f64) -> Vec<String> {
    let mut parts = vec![String::new()];
    for character in word.chars() {
        let part = parts.last().map_or("", String::as_str);
        let longer = format!("{part}{character}");
        if part.is_empty() || width_of(&longer, size) <= width {
            parts.pop();
            parts.push(longer);
        } else {
            parts.push(character.to_string());
        }
    }
    parts
}

/// A power of ten with raised digits.
pub fn power_of_ten(exponent: i32) -> String {
    let raise = |character| match character {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    };
    format!("10{}", exponent.to_string().chars().map(raise).collect::<String>())
}

/// A number to as many decimals as the step between its neighbours needs.
pub fn number_with_step(value: f64, step: f64) -> String {
    let value = if value.abs() < step / 2.0 { 0.0 } else { value };
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= LARGE || step < 1e-6 {
        return scientific(value, step);
    }
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    minus(format!("{value:.decimals$}"))
}

fn scientific(value: f64, step: f64) -> String {
    let exponent = value.abs().log10().floor() as i32;
    let unit = 10_f64.powi(exponent);
    let decimals = (-((step / unit).log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    let factor = format!("{:.decimals$}", value / unit);
    let factor = factor.strip_suffix(&format!(".{}", "0".repeat(decimals))).unwrap_or(&factor);
    let power = power_of_ten(exponent);
    match factor {
        "1" => power,
        "-1" => format!("−{power}"),
        _ => minus(format!("{factor}·{power}")),
    }
}

/// The number with a minus sign in the place of the hyphen.
pub fn minus(number: String) -> String {
    number.replacen('-', "−", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_what_their_step_needs() {
        assert_eq!(number_with_step(0.25, 0.05), "0.25");
        assert_eq!(number_with_step(-0.2, 0.1), "−0.2");
        assert_eq!(number_with_step(3.0, 1.0), "3");
        assert_eq!(number_with_step(1e-18, 0.1), "0");
        assert_eq!(number_with_step(1e6, 1e6), "10⁶");
        assert_eq!(number_with_step(2.5e6, 5e5), "2.5·10⁶");
    }

    #[test]
    fn long_text_breaks_between_words_and_long_words_within() {
        assert_eq!(wrap("one two", 10.0, 1000.0), ["one two"]);
        assert_eq!(wrap("one two", 10.0, 25.0), ["one", "two"]);
        assert_eq!(wrap("abcdef", 10.0, 12.5), ["ab", "cd", "ef"]);
        assert_eq!(wrap("", 10.0, 20.0), [""]);
    }

    #[test]
    fn exponents_are_raised() {
        assert_eq!(power_of_ten(-12), "10⁻¹²");
    }
}
