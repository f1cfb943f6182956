//! JSON as this program writes and reads it: numbers that are not finite as strings, absent ones as null.

use serde_json::{Map, Value, json};

use crate::failure::Failure;
use intron::{Key, Settings};

/// A number; `"inf"`, `"-inf"` or `"nan"` where JSON has none.
pub(crate) fn number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else if value.is_nan() {
        json!("nan")
    } else if value > 0.0 {
        json!("inf")
    } else {
        json!("-inf")
    }
}

/// A number that may be absent.
pub(crate) fn optional(value: Option<f64>) -> Value {
    value.map_or(Value::Null, number)
}

/// Every setting by its key: numbers as numbers, `none` as null, words as strings.
pub(crate) fn settings(settings: &Settings) -> Map<String, Value> {
    let entry = |key: &Key| {
        let text = key.value(settings);
        let value = match (text.parse::<u64>(), text.parse::<f64>()) {
            (Ok(number), _) => json!(number),
            (_, Ok(decimal)) if decimal.is_finite() => json!(decimal),
            _ if text == "none" => Value::Null,
            _ => json!(text),
        };
        (key.name.to_owned(), value)
    };
    Key::all().iter().map(entry).collect()
}

/// One object as text, with a line end.
pub(crate) fn text(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("JSON values can always be written");
    text.push('\n');
    text
}

/// Reads JSON text from a file's bytes.
pub(crate) fn read(source: &str, bytes: &[u8]) -> Result<Value, Failure> {
    serde_json::from_slice(bytes).map_err(|error| {
        Failure::work(format!("{source}: is not whole JSON ({error}); is it the right file?"))
    })
}
