//! Whether a text is a date or a time, so that its message can say so.

/// True for the usual forms of a date, a time of day, or both: 2020-01-31, 31.1.2020, 1/31/20, 2020-01-31T12:30:00Z.
pub(super) fn looks_like_date(text: &str) -> bool {
    let text = text.trim();
    if is_time(text) {
        return true;
    }
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    is_day(date) && time.is_none_or(is_time)
}

fn is_day(text: &str) -> bool {
    ['-', '/', '.'].iter().any(|&mark| {
        let parts: Vec<&str> = text.split(mark).collect();
        let are_digits = parts
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        are_digits && matches!(lengths[..], [4, 1..=2, 1..=2] | [1..=2, 1..=2, 2 | 4])
    })
}

fn is_time(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_suffix('Z').unwrap_or(text);
    let text = text.split(['+', '-']).next().unwrap_or_default();
    let text = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let parts: Vec<&str> = text.split(':').collect();
    let is_part = |part: &&str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    (2..=3).contains(&parts.len())
        && parts.iter().all(is_part)
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::looks_like_date;

    #[test]
    fn dates_and_times_are_told_from_words() {
        for date in [
            "2020-01-31",
            "2020/1/31",
            "31.1.2020",
            "1/31/20",
            "2020-01-31T12:30:00Z",
            "2020-01-31 12:30:00.123+01:00",
            "12:30",
            "12:30:59 PM",
        ] {
            assert!(looks_like_date(date), "{date}");
        }
        for word in ["", "red", "1-2", "a-b-c", "1.2.3", "T", "2020", "x:y", "12-monkeys", "3:"] {
            assert!(!looks_like_date(word), "{word}");
        }
    }
}
