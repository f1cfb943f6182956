//! Settings as text: how values are read, and what is said when they cannot be.

use super::knobs::ConstantSource;
use crate::error::Error;

/// A whole number; `1e6` is one too.
pub(super) fn whole_number(key: &str, text: &str) -> Result<u64, Error> {
    let text = text.trim();
    if let Ok(number) = text.parse::<u64>() {
        return Ok(number);
    }
    match text.parse::<f64>() {
        // Above 2^53 a floating-point number need not be the whole number that was meant.
        Ok(number) if (0.0..=9e15).contains(&number) && number.fract() == 0.0 => Ok(number as u64),
        Ok(number) if number > 9e15 && number.is_finite() => Err(Error::setting(
            key,
            format!("`{text}` is too large"),
            "give at most 18446744073709551615, above 9e15 in digits only",
        )),
        _ => Err(Error::setting(
            key,
            format!("`{text}` is not a whole number of zero or more"),
            "write it like 1000000 or 1e6",
        )),
    }
}

/// From where constants are drawn.
pub(super) fn constant_source(key: &str, text: &str) -> Result<ConstantSource, Error> {
    let text = text.trim();
    // Not `-5...5`, which would be from -5 to 0.5.
    let ends = text.split_once("..").filter(|ends| !ends.1.starts_with('.'));
    match (text, ends) {
        ("data", _) => Ok(ConstantSource::Data),
        ("target", _) => Ok(ConstantSource::Target),
        ("off", _) => Ok(ConstantSource::Off),
        (_, Some((low, high))) => Ok(ConstantSource::Range(number(key, low)?, number(key, high)?)),
        _ => Err(Error::setting(
            key,
            format!("`{text}` is not a range"),
            "take data, target, off or LOW..HIGH",
        )),
    }
}

/// A whole number of at least 1.
pub(super) fn positive_number(key: &str, text: &str) -> Result<u64, Error> {
    match whole_number(key, text)? {
        0 => Err(Error::setting(key, "0 is too small", "give at least 1")),
        number => Ok(number),
    }
}

/// A whole number that fits a count in memory.
pub(super) fn count(key: &str, text: &str) -> Result<usize, Error> {
    let number = positive_number(key, text)?;
    usize::try_from(number)
        .map_err(|_| Error::setting(key, format!("{number} is too large"), "give a smaller one"))
}

/// How many solutions a population has.
pub(super) fn population_size(key: &str, text: &str) -> Result<usize, Error> {
    match whole_number(key, text)? {
        0 => Err(too_few(key, 0)),
        _ => count(key, text),
    }
}

/// What is said of a population that is too small.
pub(super) fn too_few(key: &str, n_solutions: usize) -> Error {
    let problem = format!("{n_solutions} is too small");
    Error::setting(key, problem, "mixing needs a donor: give at least 2")
}

/// A finite number.
pub(super) fn number(key: &str, text: &str) -> Result<f64, Error> {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(Error::setting(key, format!("`{text}` is not a number"), "write it like 0.25")),
    }
}

/// A time: seconds, or a number with the unit s, m, min or h.
pub(super) fn seconds(key: &str, text: &str) -> Result<f64, Error> {
    let text = text.trim();
    let split =
        text.find(|c: char| c.is_alphabetic() && c != 'e' && c != 'E').unwrap_or(text.len());
    let factor = match text[split..].trim() {
        "" | "s" | "sec" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    match text[..split].trim().parse::<f64>() {
        Ok(number) if number * factor > 0.0 && (number * factor).is_finite() => Ok(number * factor),
        _ => Err(Error::setting(
            key,
            format!("`{text}` is not a time"),
            "write it like 30s, 5m or 2h",
        )),
    }
}

/// A size in memory: bytes, or a number with the unit KB, MB or GB.
pub(super) fn bytes(key: &str, text: &str) -> Result<u64, Error> {
    let trimmed = text.trim().to_ascii_uppercase();
    let split = trimmed.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
    let factor: f64 = match trimmed[split..].trim() {
        "" | "B" => 1.0,
        "K" | "KB" | "KIB" => 1024.0,
        "M" | "MB" | "MIB" => 1024.0 * 1024.0,
        "G" | "GB" | "GIB" => 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    match trimmed[..split].trim().parse::<f64>() {
        Ok(number) if number * factor >= 1.0 && number * factor < 1e18 => {
            Ok((number * factor) as u64)
        }
        _ => Err(Error::setting(
            key,
            format!("`{text}` is not a size"),
            "write it like 500MB or 2GB",
        )),
    }
}

/// Writes a size in memory so that [`bytes`] reads it back.
pub(super) fn bytes_text(bytes: u64) -> String {
    for (unit, size) in [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)] {
        if bytes.is_multiple_of(size) && bytes > 0 {
            return format!("{}{unit}", bytes / size);
        }
    }
    bytes.to_string()
}

/// One of a few words.
pub(super) fn word<T: Copy>(key: &str, text: &str, choices: &[(&str, T)]) -> Result<T, Error> {
    let wanted = text.trim().replace('_', "-");
    let choice = choices.iter().find(|choice| choice.0 == wanted);
    choice.map(|choice| choice.1).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|choice| choice.0).collect();
        Error::setting(
            key,
            format!("`{text}` is not possible"),
            format!("take {}", words.join(" or ")),
        )
    })
}

/// The word of a value.
pub(super) fn word_of<T: PartialEq>(value: &T, choices: &[(&'static str, T)]) -> &'static str {
    choices.iter().find(|choice| choice.1 == *value).map_or("?", |choice| choice.0)
}

/// `none`, or what `read` makes of the text.
pub(super) fn optional<T>(
    key: &str,
    text: &str,
    read: impl Fn(&str, &str) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    if text.trim() == "none" { Ok(None) } else { read(key, text).map(Some) }
}

/// `none`, or the value as text.
pub(super) fn optional_text<T: ToString>(value: Option<T>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

/// Names with their costs, such as `sin:3,/:2`; `none` for none.
pub(super) fn costs(key: &str, text: &str) -> Result<Vec<(String, usize)>, Error> {
    if matches!(text.trim(), "none" | "") {
        return Ok(Vec::new());
    }
    let mut costs: Vec<(String, usize)> = Vec::new();
    for pair in text.split(',') {
        let (name, cost) = pair.rsplit_once([':', '=']).ok_or_else(|| {
            let problem = format!("`{}` is no cost", pair.trim());
            Error::setting(key, problem, "write names with their costs, such as sin:3,/:2")
        })?;
        let (name, cost) = (name.trim().to_owned(), whole_number(key, cost)? as usize);
        if costs.iter().any(|(known, _)| *known == name) {
            let problem = format!("`{name}` is named twice");
            return Err(Error::setting(key, problem, "name each symbol once"));
        }
        costs.push((name, cost));
    }
    Ok(costs)
}

/// Formulas between semicolons; `none` for none. A semicolon in backticks belongs to a name.
pub(super) fn formulas(text: &str) -> Vec<String> {
    let mut is_quoted = false;
    let parts = text.split(|c: char| {
        is_quoted ^= c == '`';
        c == ';' && !is_quoted
    });
    let parts = parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
    if text.trim() == "none" { Vec::new() } else { parts.collect() }
}

/// Writes formulas so that [`formulas`] reads them back.
pub(super) fn formulas_text(formulas: &[String]) -> String {
    if formulas.is_empty() { "none".to_owned() } else { formulas.join("; ") }
}

/// Writes costs so that [`costs`] reads them back.
pub(super) fn costs_text(costs: &[(String, usize)]) -> String {
    let pairs: Vec<String> = costs.iter().map(|(name, cost)| format!("{name}:{cost}")).collect();
    if pairs.is_empty() { "none".to_owned() } else { pairs.join(",") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_times_and_sizes_are_read() {
        assert_eq!(whole_number("k", "1e6"), Ok(1_000_000));
        assert_eq!(whole_number("k", "18446744073709551615"), Ok(u64::MAX));
        let error = whole_number("k", "18446744073709551616").unwrap_err().to_string();
        assert!(error.contains("at most 18446744073709551615"), "{error}");
        for bad in ["-1", "1.5", "ten", "", "1e30", "nan", "inf"] {
            assert!(whole_number("k", bad).is_err(), "{bad}");
        }
        let error = population_size("population", "0").unwrap_err().to_string();
        assert!(error.contains("at least 2"), "{error}");
        assert_eq!(seconds("k", "30s"), Ok(30.0));
        assert_eq!(seconds("k", "1e1"), Ok(10.0));
        assert_eq!(seconds("k", "1.5m"), Ok(90.0));
        assert_eq!(seconds("k", "500ms"), Ok(0.5));
        for bad in ["0", "-3s", "s", "10 parsecs", "inf", "nan"] {
            assert!(seconds("k", bad).is_err(), "{bad}");
        }
        assert_eq!(bytes("k", "2gb"), Ok(2 << 30));
        assert_eq!(bytes_text(3 << 20), "3MB");
        for bad in ["", "-1MB", "MB", "1XB", "1e30GB"] {
            assert!(bytes("k", bad).is_err(), "{bad}");
        }
    }
}
