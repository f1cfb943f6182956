//! A formula as a JSON object: `intron-formula`, version 1, as docs/files.md describes it.

use super::super::formula::{Formula, Node};
use super::super::names::FeatureNames;
use super::super::symbol::Meaning;
use super::export::{TestPoint, features_in_use};

/// The object, one node or point on a line.
pub(super) fn object(formula: &Formula, names: &FeatureNames, points: &[TestPoint]) -> String {
    let used = features_in_use(formula);
    let feature =
        |&index: &u32| format!("{{\"index\": {index}, \"name\": {}}}", string(names.name(index)));
    let point = |(row, output): &TestPoint| {
        let inputs: Vec<String> = used.iter().map(|&index| number(row[index as usize])).collect();
        format!("{{\"inputs\": [{}], \"output\": {}}}", inputs.join(", "), number(*output))
    };
    format!(
        "{{\n  \"format\": \"intron-formula\",\n  \"version\": 1,\n  \"formula\": {},\n  \"features\": [{}],\n  \
         \"nodes\": [{}],\n  \"points\": [{}]\n}}\n",
        string(&formula.to_text(names)),
        lines(used.iter().map(feature)),
        lines(formula.nodes().iter().map(node)),
        lines(points.iter().map(point)),
    )
}

fn node(node: &Node) -> String {
    match node.symbol.meaning() {
        Meaning::Feature(index) => format!("{{\"feature\": {index}}}"),
        Meaning::Constant(value) => format!("{{\"constant\": {}}}", number(value)),
        Meaning::Operator(operator) => {
            let places = node.arguments[..operator.arity()].iter().map(u32::to_string);
            let places: Vec<String> = places.collect();
            let name = string(operator.name());
            format!("{{\"operator\": {name}, \"arguments\": [{}]}}", places.join(", "))
        }
    }
}

/// The entries of a list, each on a line of its own.
fn lines(entries: impl Iterator<Item = String>) -> String {
    let entries: Vec<String> = entries.map(|entry| format!("\n    {entry}")).collect();
    match entries.len() {
        0 => String::new(),
        _ => entries.join(",") + "\n  ",
    }
}

/// A number; `"inf"`, `"-inf"` or `"nan"` where JSON has none.
fn number(value: f64) -> String {
    match value {
        _ if value.is_nan() => "\"nan\"".to_owned(),
        f64::INFINITY => "\"inf\"".to_owned(),
        f64::NEG_INFINITY => "\"-inf\"".to_owned(),
        _ => format!("{value:?}"),
    }
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                quoted += &format!("\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
