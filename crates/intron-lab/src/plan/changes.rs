//! Changes to a plan as they are typed: `key=value`.

use toml::{Table, Value};

use super::keys::{Shape, shape_of};
use crate::error::LabError;

/// Changes some keys, each of them once; keys inside a table are written `budget.evaluations`.
pub(super) fn apply_all(table: &mut Table, changes: &[String]) -> Result<(), LabError> {
    let mut changed: Vec<&str> = Vec::new();
    for change in changes {
        let key = apply(table, change)?;
        if changed.contains(&key) {
            return Err(LabError::Plan(format!(
                "--set {change}: `{key}` was set before; say once what it is to be"
            )));
        }
        changed.push(key);
    }
    Ok(())
}

/// Changes one key; says which.
fn apply<'c>(table: &mut Table, change: &'c str) -> Result<&'c str, LabError> {
    let refuse = |problem: &str| LabError::Plan(format!("--set {change}: {problem}"));
    let (path, text) =
        change.split_once('=').ok_or_else(|| refuse("write it as --set key=value"))?;
    let (path, text) = (path.trim(), text.trim());
    // What follows `settings.` is one key, dots and all.
    let (outer, last) = path.split_once('.').map_or((None, path), |(o, last)| (Some(o), last));
    let inner = match outer {
        None => table,
        Some(outer) => {
            let entry = table.entry(outer).or_insert_with(|| Value::Table(Table::new()));
            entry.as_table_mut().ok_or_else(|| refuse("there is no such key"))?
        }
    };
    inner.insert(last.to_owned(), value_of(path, text));
    Ok(path)
}

/// A list takes values separated by commas; operator sets, which have commas inside, are separated by semicolons. Either may
/// also be written as in a plan, in brackets.
fn value_of(path: &str, text: &str) -> Value {
    let shape = shape_of(path);
    let separator = if path == "operators" { ';' } else { ',' };
    let is_text = matches!(shape, Some(Shape::Text | Shape::Texts));
    let item = |text: &str| match parsed(text.trim()) {
        Some(value @ Value::String(_)) => value,
        Some(value) if !is_text => value,
        _ => Value::String(text.trim().to_owned()),
    };
    match (shape, parsed(text)) {
        (_, Some(value @ Value::Array(_))) => value,
        // A text in quotes is one entry, whatever is in it.
        (Some(Shape::Texts), Some(value @ Value::String(_))) => Value::Array(vec![value]),
        (Some(Shape::Texts | Shape::Wholes), _) => {
            Value::Array(text.split(separator).map(item).collect())
        }
        _ => item(text),
    }
}

fn parsed(text: &str) -> Option<Value> {
    format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(change: &str) -> Value {
        let mut table = Table::new();
        let key = apply(&mut table, change).unwrap();
        table.remove(key).unwrap()
    }

    #[test]
    fn operator_sets_are_separated_by_semicolons_and_operators_by_commas() {
        let texts = |texts: &[&str]| {
            Value::Array(texts.iter().map(|text| Value::String((*text).to_owned())).collect())
        };
        assert_eq!(changed("operators=+,*"), texts(&["+,*"]));
        assert_eq!(changed("operators=small;+,-,*"), texts(&["small", "+,-,*"]));
        assert_eq!(changed("operators=small; large"), texts(&["small", "large"]));
        assert_eq!(changed("operators=[\"small\", \"+,*\"]"), texts(&["small", "+,*"]));
        assert_eq!(changed("linkage=node,mi"), texts(&["node", "mi"]));
        assert_eq!(changed("data=\"a,b.csv\""), texts(&["a,b.csv"]));
        assert_eq!(changed("data=1,airfoil"), texts(&["1", "airfoil"]));
    }

    #[test]
    fn numbers_are_read_as_numbers_where_numbers_belong() {
        assert_eq!(changed("repeats=10"), Value::Integer(10));
        assert_eq!(changed("heights=3,4"), Value::Array(vec![3.into(), 4.into()]));
        assert_eq!(changed("name=7"), Value::String("7".to_owned()));
        assert_eq!(changed("repeats=many"), Value::String("many".to_owned()));
    }
}
