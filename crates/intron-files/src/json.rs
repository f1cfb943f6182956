//! JSON as this program writes and reads it: numbers that are not finite as strings, absent ones as null.

use serde_json::{Value, json};

use crate::error::FilesError;

/// A number; `"inf"`, `"-inf"` or `"nan"` where JSON has none.
pub fn number(value: f64) -> Value {
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
pub fn optional(value: Option<f64>) -> Value {
    value.map_or(Value::Null, number)
}

/// What [`number`] wrote; nothing where it is neither a number nor the word for one.
pub fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok(),
        _ => value.as_f64(),
    }
}

/// One object as text, with a line end.
pub fn text(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("JSON values can always be written");
    text.push('\n');
    text
}

/// Reads JSON text from a file's bytes; `source` is how messages call the file.
pub fn read(source: &str, bytes: &[u8]) -> Result<Value, FilesError> {
    serde_json::from_slice(bytes).map_err(|error| {
        FilesError::Content(format!("{source}: is not whole JSON ({error}); is it the right file?"))
    })
}
