//! The whole document.

use super::html::{html, plural};
use super::policy::policy;
use super::{formula, front, origin, search};
use crate::numbers::Analysis;
use crate::subject::{Kind, Subject};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The report as one HTML file. The same subject always gives the same bytes. It is an error if a formula cannot be read.
pub fn page(subject: &Subject) -> Result<String, intron::Error> {
    let analysis = Analysis::new(subject)?;
    let target = html(&subject.model.target);
    let views: String = analysis
        .formulas
        .iter()
        .map(|numbers| formula::view(subject, &analysis, numbers))
        .collect();
    let policy = policy(STYLE, SCRIPT);
    let search = search::section(subject, &analysis);
    let search_link =
        if search.is_empty() { "" } else { "<li><a href=\"#search\">Search</a></li>\n" };
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Formulas for {target} – Intron</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n<script>{SCRIPT}</script>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#front\">Skip to the front</a>\n<header>\n<h1>Formulas for {target}</h1>\n\
         <p class=\"facts\">{facts}</p>\n</header>\n<nav aria-label=\"Contents\">\n<ul>\n\
         <li><a href=\"#front\">Front</a></li>\n<li><a href=\"#formula\">Formula</a></li>\n{search_link}\
         <li><a href=\"#origin\">Data and settings</a></li>\n</ul>\n</nav>\n<main>\n{front}<div id=\"formula\">\n\
         <p class=\"said\" id=\"said\" role=\"status\"></p>\n{views}</div>\n{search}{origin}</main>\n</body>\n</html>\n",
        facts = facts(subject),
        front = front::section(subject, &analysis),
        origin = origin::section(subject),
    ))
}

/// Data, rows and formulas in one line.
fn facts(subject: &Subject) -> String {
    let rows: Vec<String> = subject
        .parts
        .iter()
        .map(|part| {
            let rows = plural(part.rows.n_rows(), "row");
            match part.kind {
                Kind::Train => format!("{rows} to learn from"),
                Kind::Test => format!("{rows} held out"),
                Kind::Given => rows,
            }
        })
        .collect();
    let n_formulas = plural(subject.model.front.len(), "formula");
    format!("{}: {}; {n_formulas}.", html(subject.source), rows.join(", "))
}
