//! The section of the front: a chart and a table, both to choose a formula from.

use std::fmt::Write;

use intron_files::Entry;

use super::html::{figure, html, r2};
use super::trust;
use crate::figures::{FrontFigure, FrontPoint};
use crate::numbers::Analysis;
use crate::subject::{Kind, Subject};

/// Letters of a formula that the table shows.
const MOST_LETTERS: usize = 300;

pub(super) fn section(subject: &Subject, analysis: &Analysis) -> String {
    let points: Vec<FrontPoint> =
        (0..subject.model.front.len()).map(|index| point(subject, analysis, index)).collect();
    let svg = FrontFigure {
        title: "Error against size",
        description: "Each formula of the front by its number of nodes and by the part of the variance of the target \
                      that it does not explain. The table has the same numbers.",
        complexity_label: match complexity_name(subject) {
            "size" => "size (nodes)",
            name => name,
        },
        points: &points,
        chosen: subject.model.chosen,
    }
    .draw();
    let test = match subject.parts.iter().any(|part| part.kind == Kind::Test) {
        true => "; <span class=\"key test\"></span> test rows, which the search has not seen",
        false => "",
    };
    let (key, rows) = match subject.parts[0].kind {
        Kind::Given => ("", "given"),
        _ => ("", "training"),
    };
    let caption = format!(
        "Error is 1 − R².{key} <span class=\"key train\"></span> {rows} rows{test}. What lies above the frame is drawn at \
         its edge. Click a formula, or use the arrow keys."
    );
    format!(
        "<section id=\"front\">\n<h2>The front: the best formulas of each size</h2>\n<div class=\"pair\">\n{}{}</div>\n</section>\n",
        figure(&svg, &caption),
        table(subject, analysis)
    )
}

/// The scores of a formula as the model file has them, or on the rows that were given.
fn scores(subject: &Subject, analysis: &Analysis, index: usize) -> Vec<(Kind, Option<f64>)> {
    let entry = &subject.model.front[index];
    let given = analysis.formulas.iter().find(|numbers| numbers.index == index);
    let score = |(place, kind): (usize, Kind)| match kind {
        Kind::Train => Some(entry.r2_train),
        Kind::Test => entry.r2_test,
        Kind::Given => given.and_then(|numbers| numbers.fits[place].scores.r2),
    };
    let kinds = subject.parts.iter().map(|part| part.kind).enumerate();
    kinds.map(|(place, kind)| (kind, score((place, kind)))).collect()
}

fn point(subject: &Subject, analysis: &Analysis, index: usize) -> FrontPoint {
    let entry = &subject.model.front[index];
    let scores = scores(subject, analysis, index);
    let mut label = format!("{} {}", complexity_name(subject), complexity(entry));
    for &(kind, score) in &scores {
        let _ = write!(label, ", {} R² {}", kind.name(), r2(score));
    }
    let errors = scores.iter().filter_map(|&(kind, score)| Some((kind, 1.0 - score?))).collect();
    let has_view = analysis.formulas.iter().any(|numbers| numbers.index == index);
    let complexity = complexity(entry);
    let is_best = entry.rank.is_none_or(|rank| rank == 1);
    FrontPoint { complexity, errors, label, has_view, is_best }
}

fn table(subject: &Subject, analysis: &Analysis) -> String {
    // On a phone there is room for one score, and that of test rows says more.
    let class = if subject.parts.len() > 1 { "front has-test" } else { "front" };
    let mut text = format!(
        "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"Table of the front\">\n\
         <table class=\"{class}\">\n<thead><tr><th scope=\"col\" class=\"number\">{}</th>",
        complexity_name(subject)
    );
    for part in subject.parts {
        let kind = part.kind.name();
        let _ = write!(text, "<th scope=\"col\" class=\"number {kind}\">R² {kind}</th>");
    }
    text.push_str("<th scope=\"col\">formula</th><td></td></tr></thead>\n<tbody>\n");
    for (index, entry) in subject.model.front.iter().enumerate() {
        write_row(&mut text, subject, analysis, index, entry);
    }
    subject.model.start.iter().for_each(|entry| write_given(&mut text, subject, entry));
    text.push_str("</tbody></table></div>\n");
    text
}

/// A formula that the user gave: below the front, with the scores of the model file.
fn write_given(text: &mut String, subject: &Subject, entry: &Entry) {
    let _ = write!(text, "<tr><td class=\"number\">{}</td>", complexity(entry));
    for kind in subject.parts.iter().map(|part| part.kind) {
        let score = match kind {
            Kind::Train => Some(entry.r2_train),
            Kind::Test => entry.r2_test,
            Kind::Given => None,
        };
        let _ = write!(text, "<td class=\"number {}\">{}</td>", kind.name(), r2(score));
    }
    let formula = html(&cut(&entry.formula));
    let marks = format!("{} <span class=\"badge\">yours</span>", trust::mark(entry));
    let _ =
        writeln!(text, "<td class=\"text\">{formula}</td><td class=\"marks\">{marks}</td></tr>");
}

fn write_row(
    text: &mut String,
    subject: &Subject,
    analysis: &Analysis,
    index: usize,
    entry: &Entry,
) {
    let is_chosen = index == subject.model.chosen;
    let has_view = analysis.formulas.iter().any(|numbers| numbers.index == index);
    let class = if is_chosen { " class=\"is-selected\"" } else { "" };
    let row = if has_view { format!(" data-row=\"{index}\"") } else { String::new() };
    let _ = write!(text, "<tr{row}{class}><td class=\"number\">{}</td>", complexity(entry));
    for (kind, score) in scores(subject, analysis, index) {
        let _ = write!(text, "<td class=\"number {}\">{}</td>", kind.name(), r2(score));
    }
    let chosen = if is_chosen { " <span class=\"badge\">chosen</span>" } else { "" };
    let mut formula = html(&cut(&entry.formula));
    if has_view {
        formula = format!("<a href=\"#formula-{index}\" data-pick=\"{index}\">{formula}</a>");
    }
    let marks = format!("{}{chosen}", trust::mark(entry));
    let _ =
        writeln!(text, "<td class=\"text\">{formula}</td><td class=\"marks\">{marks}</td></tr>");
}

/// What the front weighs against accuracy.
fn complexity(entry: &Entry) -> usize {
    entry.complexity.unwrap_or(entry.size)
}

fn complexity_name(subject: &Subject) -> &'static str {
    let is_size = subject.model.front.iter().all(|entry| complexity(entry) == entry.size);
    if is_size { "size" } else { "complexity" }
}

fn cut(formula: &str) -> String {
    match formula.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &formula[..end]),
        None => formula.to_owned(),
    }
}
