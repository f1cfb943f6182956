//! JSON as this program writes and reads it: that of its files, and the settings.

use intron::{Key, Settings};
pub(crate) use intron_files::json::{as_number, number, optional, read, text};
use serde_json::{Map, Value, json};

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
