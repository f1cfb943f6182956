//! `intron settings`: every key that --set reaches.

use intron::{Key, Settings};
use serde_json::{Value, json};

use crate::arguments::SettingsArguments;
use crate::failure::Failure;
use crate::{json, terminal};

pub(crate) fn list(arguments: &SettingsArguments) -> Result<(), Failure> {
    let defaults = Settings::preset(&arguments.preset)?;
    if arguments.output.json {
        let settings = Value::Object(json::settings(&defaults));
        let object = json!({"format": "intron-settings", "version": 1, "settings": settings});
        return terminal::print(&json::text(&object));
    }
    let mut text = String::new();
    for key in Key::all() {
        text += &format!("{:<20} {:<14} {}\n", key.name, key.value(&defaults), key.help);
    }
    text += "\nSet one with  intron fit DATA --set key=value\n";
    terminal::print(&text)
}
