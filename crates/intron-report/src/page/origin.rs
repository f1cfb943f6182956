//! Where the result comes from: data, rows, settings, and the command that repeats it.

use std::fmt::Write;

use intron::{Key, Settings};
use serde_json::Value;

use super::html::{html, plural};
use crate::numbers::N_REPEATS;
use crate::subject::{Kind, Subject};

pub(super) fn section(subject: &Subject) -> String {
    format!(
        "<section id=\"origin\">\n<h2>Data and settings</h2>\n{}{}{}</section>\n",
        command(subject),
        data(subject),
        subject.run.map_or(String::new(), settings),
    )
}

fn command(subject: &Subject) -> String {
    let Some(command) = subject.run.and_then(|run| run["command"].as_str()) else {
        return String::new();
    };
    format!(
        "<h3>The same again</h3>\n<pre id=\"command\" tabindex=\"0\">{}</pre>\n\
         <div class=\"buttons\"><button type=\"button\" data-copy=\"command\">Copy command</button></div>\n",
        html(command)
    )
}

fn data(subject: &Subject) -> String {
    let mut rows: Vec<(&str, String)> = vec![("data", html(subject.source))];
    if let Some(sha256) = subject.sha256 {
        rows.push(("SHA-256", format!("<code>{}</code>", html(sha256))));
    }
    for part in subject.parts {
        let title = match part.kind {
            Kind::Train => "training rows",
            Kind::Test => "test rows",
            Kind::Given => "rows",
        };
        rows.push((title, super::html::count(part.rows.n_rows())));
    }
    let model = subject.model;
    rows.push(("target", html(&model.target)));
    if let Some(weights) = subject.run.and_then(|run| run["weights"].as_str()) {
        rows.push(("weights", html(weights)));
    }
    rows.push((
        "features",
        format!("{}: {}", model.features.len(), html(&model.features.join(", "))),
    ));
    if let Some(run) = subject.run {
        rows.push(("seed", html(&run["seed"].to_string())));
        let fraction = &run["settings"]["test_fraction"];
        if !fraction.is_null() {
            rows.push(("share held out", html(&fraction.to_string())));
        }
        if let Some(version) = run["versions"]["intron"].as_str() {
            rows.push(("version of Intron", html(version)));
        }
    }
    let mut text = "<h3>Data</h3>\n<dl>\n".to_owned();
    for (title, value) in rows {
        let _ = writeln!(text, "<div><dt>{title}</dt><dd>{value}</dd></div>");
    }
    text.push_str("</dl>\n");
    if !subject.notes.is_empty() {
        text.push_str("<ul class=\"note\">\n");
        for note in subject.notes {
            let _ = writeln!(text, "<li>{}</li>", html(note));
        }
        text.push_str("</ul>\n");
    }
    let _ = writeln!(
        text,
        "<p class=\"note\">Rows that are drawn and the {N_REPEATS} shuffles of each feature follow from the seed: the same \
         run gives the same page.</p>"
    );
    text
}

/// The settings, those that are not the default first.
fn settings(run: &Value) -> String {
    let Some(settings) = run["settings"].as_object() else { return String::new() };
    let defaults = Settings::default();
    let default_of =
        |name: &str| Key::all().iter().find(|key| key.name == name).map(|key| key.value(&defaults));
    let text_of = |value: &Value| match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let is_changed = |name: &str, value: &Value| match default_of(name) {
        Some(default) => default != text_of(value),
        None => true,
    };
    let row = |(name, value): (&String, &Value)| {
        let class = if is_changed(name, value) { " class=\"changed\"" } else { "" };
        format!(
            "<tr{class}><th scope=\"row\"><code>{}</code></th><td>{}</td></tr>\n",
            html(name),
            html(&text_of(value))
        )
    };
    let n_changed = settings.iter().filter(|(name, value)| is_changed(name, value)).count();
    let (changed, same): (Vec<_>, Vec<_>) =
        settings.iter().partition(|(name, value)| is_changed(name, value));
    let rows: String = changed.into_iter().chain(same).map(row).collect();
    format!(
        "<details><summary>All settings ({} other than in the paper)</summary>\n\
         <div class=\"scroll\"><table class=\"settings\"><tbody>\n{rows}</tbody></table></div>\n</details>\n",
        plural(n_changed, "setting")
    )
}
