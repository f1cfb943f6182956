//! Text as HTML, and numbers as people read them.

use intron_figures::lettering::minus;
pub(super) use intron_figures::svg::escape as html;

/// A figure with its caption.
pub(super) fn figure(svg: &str, caption: &str) -> String {
    format!("<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n")
}

/// R², to four decimals.
pub(super) fn r2(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value.is_nan() => "–".to_owned(),
        Some(value) if value.is_infinite() => "−∞".to_owned(),
        Some(value) if value < 1.0 && value > 0.99995 => "0.9999…".to_owned(),
        Some(value) if value.abs() >= 1e4 => minus(format!("{value:.1e}")),
        Some(value) => minus(format!("{value:.4}")),
    }
}

/// A whole number with thin spaces between thousands.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    if digits.len() <= 4 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun.
pub(super) fn plural(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(r2(Some(0.12345)), "0.1235");
        assert_eq!(r2(Some(-0.5)), "−0.5000");
        assert_eq!(r2(Some(f64::NEG_INFINITY)), "−∞");
        assert_eq!(r2(Some(1.0)), "1.0000");
        assert_eq!(r2(Some(0.999_999)), "0.9999…");
        assert_eq!(r2(Some(-123456.0)), "−1.2e5");
        assert_eq!(count(1503), "1503");
        assert_eq!(count(1234567), "1\u{202f}234\u{202f}567");
        assert_eq!(plural(1, "row"), "1 row");
    }
}
