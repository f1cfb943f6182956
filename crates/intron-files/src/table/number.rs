//! One cell to one finite number, or the reason why not.

use intron::FeatureOrigin;

const GROUP_MARKS: [char; 7] = [',', '.', '_', ' ', '\'', '\u{A0}', '\u{202F}'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Missing,
    NotFinite,
    TooLarge,
    DecimalComma,
    Thousands,
    /// Either of the two before.
    Comma,
    Text,
}

impl Refusal {
    /// What is wrong and how to mend it; `cell` must be safe to print.
    pub(super) fn describe(self, cell: &str) -> String {
        match self {
            Refusal::NotFinite => {
                format!("`{cell}` is not finite; drop the row or replace the value")
            }
            Refusal::TooLarge => format!(
                "`{cell}` is too large for a 64-bit number; drop the row or rescale the column"
            ),
            Refusal::DecimalComma => {
                format!("`{cell}` has a decimal comma; write numbers with a decimal point")
            }
            Refusal::Thousands => {
                format!(
                    "`{cell}` has a thousands separator; write numbers without it, and with a decimal point"
                )
            }
            Refusal::Comma => {
                format!(
                    "`{cell}` has a decimal comma or a thousands separator; write numbers with a decimal point, and \
                     without separators"
                )
            }
            Refusal::Missing | Refusal::Text => format!("`{cell}` is not a number"),
        }
    }
}

pub(super) fn parse_number(cell: &str) -> Result<f64, Refusal> {
    let cell = cell.trim();
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(number) if number.is_nan() => Err(Refusal::Missing),
        Ok(_) if cell.contains(|character: char| character.is_ascii_digit()) => {
            Err(Refusal::TooLarge)
        }
        Ok(_) => Err(Refusal::NotFinite),
        Err(_) if FeatureOrigin::GAPS.iter().any(|word| cell.eq_ignore_ascii_case(word)) => {
            Err(Refusal::Missing)
        }
        Err(_) => Err(match (has_thousands(cell), has_decimal_comma(cell)) {
            (true, true) => Refusal::Comma,
            (true, false) => Refusal::Thousands,
            (false, true) => Refusal::DecimalComma,
            (false, false) => Refusal::Text,
        }),
    }
}

fn has_thousands(cell: &str) -> bool {
    let (whole, fraction) = cell.split_once('.').unwrap_or((cell, ""));
    is_digits(fraction) && is_grouped(whole) || is_grouped(cell)
}

fn has_decimal_comma(cell: &str) -> bool {
    let Some((whole, fraction)) = cell.rsplit_once(',') else { return false };
    let digits = fraction.split(['e', 'E']).next().unwrap_or_default();
    let is_fraction =
        !digits.is_empty() && is_digits(digits) && format!("0.{fraction}").parse::<f64>().is_ok();
    let is_whole = is_digits(without_sign(whole)) || (is_grouped(whole) && !whole.contains(','));
    is_fraction && is_whole
}

/// Whether the digits come in groups of three with one kind of mark between them.
fn is_grouped(whole: &str) -> bool {
    let whole = without_sign(whole);
    let Some(mark) = whole.chars().find(|character| GROUP_MARKS.contains(character)) else {
        return false;
    };
    let mut groups = whole.split(mark);
    // No number of thousands begins with 0, so 0,125 is a fraction.
    let leads = groups.next().is_some_and(|group| {
        (1..=3).contains(&group.len()) && is_digits(group) && !group.starts_with('0')
    });
    leads && groups.all(|group| group.len() == 3 && is_digits(group))
}

fn without_sign(number: &str) -> &str {
    number.strip_prefix(['+', '-']).unwrap_or(number)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
