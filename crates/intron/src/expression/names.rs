//! Names of the features as formulas hold them: finding, quoting, and guessing what a misspelt one meant.

use crate::spelling::edit_distance;
use std::collections::HashMap;

use super::operator::Operator;

/// Names longer than this are not compared with others: comparing costs the product of two lengths.
const MAX_LENGTH_COMPARED: usize = 64;

/// Words that read as numbers in some language; a feature called so is put in backticks.
const WORDS_FOR_NUMBERS: [&str; 5] = ["e", "pi", "inf", "infinity", "nan"];

/// The names of the features by index, as the header of the data gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureNames {
    names: Vec<String>,
    indices: HashMap<String, u32>,
    has_numbered: bool,
}

impl FeatureNames {
    /// Names in the order of the features. Of equal names, the first is the one that is found.
    pub fn new(names: &[String]) -> FeatureNames {
        let mut indices = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            let index = u32::try_from(index).expect("fewer than 2^32 features");
            indices.entry(name.clone()).or_insert(index);
        }
        let has_numbered = names.iter().any(|name| is_numbered(name));
        FeatureNames { names: names.to_vec(), indices, has_numbered }
    }

    /// The same names beside columns that are no features: if one of those looks like `x0`, so may nothing else.
    pub fn beside(mut self, others: &[String]) -> FeatureNames {
        self.has_numbered |= others.iter().any(|name| is_numbered(name));
        self
    }

    /// The index of a feature by its exact name; and, where no name looks like `x0`, also by `x` and its index.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.indices.get(name).copied().or_else(|| self.find_numbered(name))
    }

    /// The name of a feature as the header gives it.
    pub fn name(&self, index: u32) -> &str {
        &self.names[index as usize]
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no feature at all.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name as a formula holds it: in backticks unless it is a plain word that means nothing else.
    pub fn quoted(&self, index: u32) -> String {
        quote(self.name(index))
    }

    /// All names as formulas hold them, separated by commas.
    pub(super) fn list(&self) -> String {
        self.names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
    }

    /// The name that a misspelt one most likely meant, as a formula holds it.
    pub(super) fn guess(&self, given: &str) -> Option<String> {
        closest(given, self.names.iter().map(String::as_str)).map(quote)
    }

    fn find_numbered(&self, name: &str) -> Option<u32> {
        if self.has_numbered || !is_numbered(name) {
            return None;
        }
        let index: u32 = name[1..].parse().ok()?;
        let is_canonical = name[1..] == index.to_string();
        (is_canonical && (index as usize) < self.len()).then_some(index)
    }
}

/// Whether a plain word in a formula can start with this character.
pub(super) fn is_word_start(character: char) -> bool {
    character == '_' || character.is_alphabetic()
}

/// Whether a plain word in a formula can go on with this character.
pub(super) fn is_word_part(character: char) -> bool {
    is_word_start(character) || character.is_ascii_digit()
}

/// The candidate at the smallest edit distance, which is at most 2 and leaves at least one character in place.
pub(super) fn closest<'a>(
    given: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let given: Vec<char> = given.chars().take(MAX_LENGTH_COMPARED + 1).collect();
    let mut best = None;
    let mut best_distance = 3;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().take(MAX_LENGTH_COMPARED + 1).collect();
        let longer = given.len().max(letters.len());
        if longer > MAX_LENGTH_COMPARED || given.len().abs_diff(letters.len()) > 2 {
            continue;
        }
        let distance = edit_distance(&given, &letters);
        if distance < best_distance && distance < longer {
            best = Some(candidate);
            best_distance = distance;
        }
    }
    best
}

fn is_numbered(name: &str) -> bool {
    let digits = name.strip_prefix('x').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn quote(name: &str) -> String {
    let is_word = name.starts_with(is_word_start) && name.chars().all(is_word_part);
    let is_number = WORDS_FOR_NUMBERS.iter().any(|word| word.eq_ignore_ascii_case(name));
    if is_word && !is_number && Operator::from_name(name).is_none() {
        return name.to_owned();
    }
    format!("`{}`", name.replace('`', "``"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> FeatureNames {
        FeatureNames::new(&list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn features_are_found_by_name_and_by_number_where_no_name_is_a_number() {
        let plain = names(&["mass", "speed", "mass"]);
        assert_eq!(plain.len(), 3);
        assert_eq!(plain.name(1), "speed");
        assert_eq!(plain.find("mass"), Some(0));
        assert_eq!(plain.find("x1"), Some(1));
        for absent in ["x3", "x01", "x", "x+1", "x99999999999", "Mass", ""] {
            assert_eq!(plain.find(absent), None, "{absent}");
        }
        let numbered = names(&["x1", "mass"]);
        assert_eq!(numbered.find("x1"), Some(0));
        assert_eq!(numbered.find("x0"), None);
    }

    #[test]
    fn names_are_quoted_unless_they_are_plain_words() {
        let plain = ["a", "_b2", "Größe", "温度", "sinus", "x0", "E1"];
        for (index, name) in plain.iter().enumerate() {
            assert_eq!(names(&plain).quoted(index as u32), *name);
        }
        let others = ["sin", "ln", "add", "pdiv", "e", "Pi", "NaN", "2a", "a b", "", "a`b", "x²"];
        for (index, name) in others.iter().enumerate() {
            let expected = format!("`{}`", name.replace('`', "``"));
            assert_eq!(names(&others).quoted(index as u32), expected);
        }
    }

    #[test]
    fn a_misspelt_name_is_guessed_within_two_edits() {
        let known = names(&["temperature", "mass", "a b"]);
        assert_eq!(known.guess("temprature").as_deref(), Some("temperature"));
        assert_eq!(known.guess("mas").as_deref(), Some("mass"));
        assert_eq!(known.guess("a_b").as_deref(), Some("`a b`"));
        assert_eq!(known.guess("speed"), None);
        assert_eq!(known.guess(&"m".repeat(1_000_000)), None);
    }
}
