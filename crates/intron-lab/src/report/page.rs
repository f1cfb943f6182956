//! The page: one HTML file with everything in it. It needs no network and no script.

use std::fmt::Write;

use intron_figures::svg::escape;

use super::analysis::Analysis;
use super::claims::{Claim, ClaimVerdict};
use super::parts::{Figure, Part, Section, Table, plural};
use crate::figures::style_of;

const STYLE: &str = include_str!("page.css");

/// Numbers of figures and tables, in the order of the page.
#[derive(Default)]
struct Numbers {
    n_figures: usize,
    n_tables: usize,
}

/// The whole page. The section on times comes last and is marked, so that two pages can be compared without it.
pub(super) fn page(analysis: &Analysis, sections: &[Section], times: &Section) -> String {
    let title = match analysis.plan.title.as_str() {
        "" => analysis.plan.name.clone(),
        title => title.to_owned(),
    };
    let mut body = String::new();
    let mut numbers = Numbers::default();
    for section in sections {
        write_section(&mut body, section, analysis, &mut numbers);
    }
    body.push_str("<!-- times: begin -->\n");
    write_section(&mut body, times, analysis, &mut numbers);
    body.push_str("<!-- times: end -->\n");
    let contents: String = sections
        .iter()
        .chain([times])
        .map(|section| {
            format!("<li><a href=\"#{}\">{}</a></li>\n", section.id, html(&section.title))
        })
        .collect();
    let n_missing = analysis.n_planned.saturating_sub(analysis.n_runs);
    let missing = if n_missing > 0 { format!(", {n_missing} missing") } else { String::new() };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – Intron lab</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p class=\"facts\">Plan <code>{name}</code>: {runs}{missing}; {budget} each.</p>\n\
         </header>\n<nav aria-label=\"Contents\">\n<ol>\n{contents}</ol>\n</nav>\n<main>\n{body}</main>\n</body>\n</html>\n",
        title = html(&title),
        name = html(&analysis.plan.name),
        runs = plural(analysis.n_runs, "run"),
        budget = html(&analysis.budget()),
    )
}

fn write_section(body: &mut String, section: &Section, analysis: &Analysis, numbers: &mut Numbers) {
    let Section { id, title, lead, parts } = section;
    let _ =
        writeln!(body, "<section id=\"{id}\">\n<h2>{}</h2>\n<p>{}</p>", html(title), html(lead));
    write_parts(body, parts, analysis, numbers);
    body.push_str("</section>\n");
}

fn write_parts(body: &mut String, parts: &[Part], analysis: &Analysis, numbers: &mut Numbers) {
    for part in parts {
        match part {
            Part::Figure(figure) => {
                numbers.n_figures += 1;
                write_figure(body, figure, numbers.n_figures);
            }
            Part::Table(table) => {
                numbers.n_tables += 1;
                write_table(body, table, analysis, numbers.n_tables);
            }
            Part::Heading(text) => {
                let _ = writeln!(body, "<h3>{}</h3>", html(text));
            }
            Part::Note(text) => {
                let _ = writeln!(body, "<p class=\"note\">{}</p>", html(text));
            }
            Part::Folded(title, parts) => {
                let _ = writeln!(body, "<details>\n<summary>{}</summary>", html(title));
                write_parts(body, parts, analysis, numbers);
                body.push_str("</details>\n");
            }
            Part::Html(text) => body.push_str(text),
        }
    }
}

fn write_figure(body: &mut String, figure: &Figure, number: usize) {
    let Figure { name, svg, caption, .. } = figure;
    let _ = writeln!(
        body,
        "<figure id=\"figure-{name}\">\n<div class=\"scroll\">{svg}</div>\n<figcaption><b>Figure {number}.</b> {} \
         <span class=\"files\"><a href=\"figures/{name}.svg\">SVG</a> <a href=\"data/{name}.csv\">CSV</a></span>\
         </figcaption>\n</figure>",
        html(caption)
    );
}

fn write_table(body: &mut String, table: &Table, analysis: &Analysis, number: usize) {
    let Table { name, caption, header, rows, .. } = table;
    let _ = write!(
        body,
        "<figure class=\"table\" id=\"table-{name}\">\n<div class=\"scroll\"><table>\n"
    );
    if !header.is_empty() {
        let cells: String =
            header.iter().map(|cell| format!("<th scope=\"col\">{}</th>", html(cell))).collect();
        let _ = writeln!(body, "<thead><tr>{cells}</tr></thead>");
    }
    body.push_str("<tbody>\n");
    for row in rows {
        body.push_str("<tr>");
        for (index, cell) in row.iter().enumerate() {
            let _ = match index {
                0 => {
                    write!(body, "<th scope=\"row\">{}{}</th>", swatch(cell, analysis), html(cell))
                }
                _ => write!(body, "<td>{}</td>", html(cell)),
            };
        }
        body.push_str("</tr>\n");
    }
    let _ = writeln!(
        body,
        "</tbody></table></div>\n<figcaption><b>Table {number}.</b> {} <span class=\"files\"><a \
         href=\"data/{name}.csv\">CSV</a></span></figcaption>\n</figure>",
        html(caption)
    );
}

/// A patch of the colour that a setting has in figures.
fn swatch(cell: &str, analysis: &Analysis) -> String {
    if !analysis.labels.iter().any(|label| label == cell) {
        return String::new();
    }
    format!("<span class=\"swatch\" style=\"background:{}\"></span>", style_of(cell).colour)
}

/// Claims with their verdicts, first in short, then with their numbers.
pub(super) fn claims(claims: &[Claim]) -> String {
    let mut text = String::new();
    let verdicts = [
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::Undecided,
        ClaimVerdict::NotTested,
    ];
    for claim in claims {
        let counts: String = verdicts
            .iter()
            .filter_map(|&verdict| {
                let n = claim.findings.iter().filter(|finding| finding.verdict == verdict).count();
                let times =
                    if claim.findings.len() == 1 { String::new() } else { format!("{n} × ") };
                (n > 0).then(|| badge(verdict, &times))
            })
            .collect();
        let _ = writeln!(
            text,
            "<details class=\"claim\" id=\"claim-{}\">\n<summary><span class=\"statement\">{}</span> \
             <span class=\"badges\">{counts}</span></summary>\n<p class=\"source\">{}</p>\n<ul>",
            claim.id,
            html(&claim.statement),
            html(&claim.source)
        );
        for finding in &claim.findings {
            let _ = writeln!(
                text,
                "<li><p>{} <b>{}</b></p><p class=\"numbers\">{}</p></li>",
                badge(finding.verdict, ""),
                html(&finding.scope),
                html(&finding.numbers)
            );
        }
        text.push_str("</ul>\n</details>\n");
    }
    text
}

fn badge(verdict: ClaimVerdict, before: &str) -> String {
    let name = verdict.name();
    format!("<span class=\"badge {}\">{before}{name}</span>", name.replace(' ', "-"))
}

/// Text as HTML; the measures with a subscript as in the paper.
fn html(text: &str) -> String {
    ["adjusted", "masked"].iter().fold(escape(text), |text, kind| {
        text.replace(&format!("MI_{kind}"), &format!("MI<sub>{kind}</sub>"))
    })
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(html("<b>&\"MI_masked\""), "&lt;b&gt;&amp;&quot;MI<sub>masked</sub>&quot;");
    }
}
