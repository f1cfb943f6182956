//! `intron settings`: every key that --set reaches.

use intron::{Key, Settings};
use serde_json::{Value, json};

use crate::arguments::SettingsArguments;
use crate::failure::Failure;
use crate::wording::{fitted, wrap};
use crate::{json, terminal};

pub(crate) fn list(arguments: &SettingsArguments) -> Result<(), Failure> {
    let defaults = Settings::preset(&arguments.preset)?;
    if arguments.output.json {
        let settings = Value::Object(json::settings(&defaults));
        let object = json!({"format": "intron-settings", "version": 1, "settings": settings});
        return terminal::print(&json::text(&object));
    }
    let mut text = String::new();
    let width = terminal::width();
    for key in Key::all() {
        text += &row(key.name, &key.value(&defaults), key.help, width);
    }
    let usage = fitted("Set one with  intron fit DATA --set key=value", width, INDENT);
    terminal::print(&format!("{text}\n{usage}\n"))
}

/// Columns before the help, where it stands beside the value.
const MARGIN: usize = 44;
/// Narrower than this the help goes below the value.
const MIN_HELP_WIDTH: usize = 30;
/// Columns before further lines.
const INDENT: usize = 3;

/// One setting, wrapped to the terminal where there is one.
fn row(name: &str, value: &str, help: &str, width: Option<usize>) -> String {
    let beside = format!("{name:<27} {value:<14}  ");
    let line = format!("{beside}{help}");
    let has_room =
        |width: usize| width >= MARGIN + MIN_HELP_WIDTH && beside.chars().count() == MARGIN;
    match width {
        None => line + "\n",
        Some(width) if line.chars().count() <= width => line + "\n",
        Some(width) if has_room(width) => {
            let lines = wrap(help, width - MARGIN);
            format!("{beside}{}\n", lines.join(&format!("\n{:MARGIN$}", "")))
        }
        Some(width) => {
            let setting = fitted(&format!("{name} {value}"), Some(width), INDENT);
            let lines = wrap(help, width.saturating_sub(INDENT).max(10));
            format!("{setting}\n{:INDENT$}{}\n", "", lines.join(&format!("\n{:INDENT$}", "")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_fits_the_terminal_and_is_one_line_in_a_pipe() {
        let defaults = Settings::recommended();
        for key in Key::all() {
            let row = |width| row(key.name, &key.value(&defaults), key.help, width);
            for width in [40, 65, 66, 80, 200] {
                let text = row(Some(width));
                assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}");
            }
            assert_eq!(row(None).lines().count(), 1);
        }
    }
}
