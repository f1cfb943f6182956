//! The view of one formula: mathematics, text to copy, scores, tree, fit and features.

use std::fmt::Write;

use intron::{FeatureNames, Format, made_up_points};
use intron_files::Entry;
use serde_json::Value;

use super::html::{html, plural, r2};
use super::{features, fit, trust};
use crate::figures::TreeFigure;
use crate::math::{equation, short_number};
use crate::numbers::{Analysis, FormulaNumbers, Scores};
use crate::subject::{Kind, Subject};

/// A larger tree is no picture any more.
const LARGEST_TREE: usize = 400;

/// What every formula of a model file has; what else is there is shown as it is.
const KNOWN: [&str; 5] = ["size", "r2_train", "r2_test", "mse_train", "formula"];

pub(super) fn view(subject: &Subject, analysis: &Analysis, numbers: &FormulaNumbers) -> String {
    let FormulaNumbers { index, .. } = numbers;
    let names = subject.model.names();
    let entry = &subject.model.front[*index];
    let is_chosen = *index == subject.model.chosen;
    let shown = if is_chosen { " is-shown" } else { "" };
    let badge = if is_chosen { " <span class=\"badge\">chosen</span>" } else { "" };
    format!(
        "<section class=\"view{shown}\" id=\"formula-{index}\" data-view=\"{index}\">\n\
         <h2>Formula of size {}{badge}</h2>\n{}{}{}{}<div class=\"pair\">\n{}{}</div>\n{}{}</section>\n",
        entry.size,
        steps(analysis, *index),
        mathematics(subject, numbers, &names, entry),
        trust::warning(entry),
        code(subject, numbers, &names, entry),
        scores(subject, numbers, entry),
        tree(numbers, &names),
        fit::part(subject, analysis, numbers),
        features::part(subject, analysis, numbers, &names),
    )
}

/// Links to the next smaller and the next larger formula.
fn steps(analysis: &Analysis, index: usize) -> String {
    let place = analysis.formulas.iter().position(|numbers| numbers.index == index).unwrap_or(0);
    let link = |place: Option<usize>, text: &str| {
        let numbers = place.and_then(|place| analysis.formulas.get(place));
        numbers.map_or(String::new(), |numbers| {
            let index = numbers.index;
            format!("<a href=\"#formula-{index}\" data-pick=\"{index}\" data-step>{text}</a>\n")
        })
    };
    format!(
        "<p class=\"steps\">{}{}</p>\n",
        link(place.checked_sub(1), "← smaller"),
        link(Some(place + 1), "larger →")
    )
}

fn mathematics(
    subject: &Subject,
    numbers: &FormulaNumbers,
    names: &FeatureNames,
    entry: &Entry,
) -> String {
    let target = &subject.model.target;
    match equation(target, &numbers.formula, names) {
        Some(math) => format!(
            "<div class=\"math scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The formula\">{math}</div>\n\
             <p class=\"note\">Numbers are shown to five digits; the forms below have all of them.</p>\n"
        ),
        None => format!("<p class=\"plain\">{} = {}</p>\n", html(target), html(&entry.formula)),
    }
}

/// The formula in text, LaTeX and Python, each with a button that copies it.
fn code(
    subject: &Subject,
    numbers: &FormulaNumbers,
    names: &FeatureNames,
    entry: &Entry,
) -> String {
    let FormulaNumbers { formula, index, .. } = numbers;
    let origins = subject.model.origins();
    let points = made_up_points(formula, names.len());
    let python = formula.export_from(&origins, names, Format::Python, &points);
    let forms = [
        ("text", "Text", Some(entry.formula.clone())),
        ("latex", "LaTeX", Some(formula.to_latex(names))),
        ("python", "Python", python.ok()),
    ];
    let (mut buttons, mut blocks) = (String::new(), String::new());
    for (name, title, content) in forms {
        let Some(content) = content else { continue };
        let id = format!("{name}-{index}");
        let _ = writeln!(
            buttons,
            "<button type=\"button\" data-copy=\"{id}\">Copy {}</button>",
            if name == "text" { "text" } else { title }
        );
        let _ = writeln!(
            blocks,
            "<h4>{title}</h4>\n<pre id=\"{id}\" tabindex=\"0\">{}</pre>",
            html(content.trim_end())
        );
    }
    format!(
        "<div class=\"buttons\">{buttons}</div>\n<details class=\"forms\"><summary>As text, LaTeX and Python</summary>\n\
         {blocks}</details>\n"
    )
}

/// Scores on each part, and whatever else the model file knows of the formula.
fn scores(subject: &Subject, numbers: &FormulaNumbers, entry: &Entry) -> String {
    let mut text =
        "<div>\n<h3>Scores</h3>\n<div class=\"scroll\"><table>\n<thead><tr><td></td>".to_owned();
    for part in subject.parts {
        let _ = write!(text, "<th scope=\"col\" class=\"number\">{} rows</th>", part.kind.name());
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    let r2_of = |place: usize, scores: &Scores| match subject.parts[place].kind {
        Kind::Train => Some(entry.r2_train),
        Kind::Test => entry.r2_test,
        Kind::Given => scores.r2,
    };
    let short = |value: Option<f64>| value.map_or("–".to_owned(), short_number);
    let all: Vec<&Scores> = numbers.fits.iter().map(|fit| &fit.scores).collect();
    let rows: [(&str, Vec<String>); 5] = [
        ("R²", all.iter().enumerate().map(|(k, scores)| r2(r2_of(k, scores))).collect()),
        ("root mean squared error", all.iter().map(|scores| short(scores.rmse)).collect()),
        ("mean absolute error", all.iter().map(|s| short(s.mean_absolute_error)).collect()),
        ("median absolute error", all.iter().map(|s| short(s.median_absolute_error)).collect()),
        ("rows", all.iter().map(|scores| super::html::count(scores.n_rows)).collect()),
    ];
    for (title, cells) in rows {
        let cells: String =
            cells.iter().map(|cell| format!("<td class=\"number\">{cell}</td>")).collect();
        let _ = writeln!(text, "<tr><th scope=\"row\">{title}</th>{cells}</tr>");
    }
    for (name, value) in trust::rows(subject.model, entry).into_iter().chain(more(entry)) {
        let span = subject.parts.len();
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td class=\"number\" colspan=\"{span}\">{}</td></tr>",
            html(&name),
            html(&value)
        );
    }
    text.push_str("</tbody></table></div>\n");
    let n_not_finite: usize = all.iter().map(|scores| scores.n_not_finite).sum();
    if n_not_finite > 0 {
        let rows = plural(n_not_finite, "row");
        let _ = writeln!(
            text,
            "<p class=\"warning\">The formula is not finite on {rows}; errors are those of the other rows.</p>"
        );
    }
    text.push_str("</div>\n");
    text
}

/// Fields of the model file beyond the usual ones, by name and value.
fn more(entry: &Entry) -> Vec<(String, String)> {
    let object = entry.to_json();
    let fields = object.as_object().into_iter().flatten();
    let is_told = |name: &str| KNOWN.contains(&name) || trust::TOLD.contains(&name);
    let shown = fields.filter(|(name, _)| !is_told(name));
    let value = |value: &Value| match value {
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Number(number) => number.as_f64().map(short_number),
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    shown.filter_map(|(name, content)| Some((name.replace('_', " "), value(content)?))).collect()
}

fn tree(numbers: &FormulaNumbers, names: &FeatureNames) -> String {
    let formula = &numbers.formula;
    let n_nodes = plural(formula.size(), "node");
    if formula.size() > LARGEST_TREE {
        return format!(
            "<div>\n<h3>Tree</h3>\n<p class=\"note\">{n_nodes} are too many for a picture.</p>\n</div>\n"
        );
    }
    let svg = TreeFigure {
        title: "The formula as a tree",
        description: "The root stands on the left, the arguments of an operator on its right. The text form of the \
                      formula says the same.",
        formula,
        names,
    }
    .draw();
    format!(
        "<div>\n<h3>Tree</h3>\n<figure><div class=\"scroll tree\" tabindex=\"0\" role=\"region\" \
         aria-label=\"The formula as a tree\">{svg}</div>\n<figcaption>{n_nodes} with the constants of the scaling; \
         introns are not part of the formula and not shown.</figcaption></figure>\n</div>\n"
    )
}
