//! The section of the search: its course, and the linkage that it has learned.

use intron_figures::heat_map::{HeatMapFigure, HeatMapRow};
use intron_figures::svg::Inks;

use super::html::{count, figure, html};
use crate::figures::TraceFigure;
use crate::numbers::{Analysis, Linkage, Trace};
use crate::subject::Subject;

/// Nothing for a model alone, of whose search nothing is known.
pub(super) fn section(subject: &Subject, analysis: &Analysis) -> String {
    let Some(run) = subject.run else { return String::new() };
    let n_evaluations = run["n_evaluations"].as_u64().unwrap_or(0) as usize;
    let n_generations = run["n_generations"].as_u64().unwrap_or(0) as usize;
    let seconds =
        run["seconds"].as_f64().map_or(String::new(), |seconds| format!(" in {seconds:.1} s"));
    let reason = run["stop_reason"].as_str().map_or(String::new(), |reason| {
        format!(" It ended by: {}.", html(&reason.replace('_', " ")))
    });
    let figures = [
        analysis.trace.as_ref().map(over_evaluations),
        analysis.trace.as_ref().and_then(over_time),
        analysis.linkage.as_ref().map(linkage),
    ];
    let figures: String = figures.into_iter().flatten().collect();
    format!(
        "<section id=\"search\">\n<h2>The search</h2>\n<p>{} evaluations and {} generations{seconds}.{reason}</p>\n\
         <div class=\"charts\">\n{figures}</div>\n</section>\n",
        count(n_evaluations),
        count(n_generations),
    )
}

fn over_evaluations(trace: &Trace) -> String {
    let svg = TraceFigure {
        title: "R² over evaluations",
        description: "The training R² of the best formula so far against the number of evaluations.",
        x_label: "evaluations",
        points: trace.points.iter().map(|point| (point.n_evaluations, point.r2)).collect(),
        end: trace.n_evaluations,
    }
    .draw();
    figure(&svg, "Training R² of the best formula so far against the number of evaluations.")
}

/// Nothing where the search was over before its clock had moved.
fn over_time(trace: &Trace) -> Option<String> {
    if trace.seconds <= 0.0 {
        return None;
    }
    let svg = TraceFigure {
        title: "R² over time",
        description: "The training R² of the best formula so far against the seconds of the search.",
        x_label: "seconds",
        points: trace.points.iter().map(|point| (point.seconds, point.r2)).collect(),
        end: trace.seconds,
    }
    .draw();
    Some(figure(&svg, "The same against time."))
}

fn linkage(linkage: &Linkage) -> String {
    let Linkage { label, is_of_template, population_size, generation, levels, matrix } = linkage;
    let population = count(*population_size as usize);
    let Some(matrix) = matrix else {
        return format!(
            "<figure><figcaption>Linkage: {} learns no similarities; every position is a subset of its own.\
             </figcaption></figure>\n",
            html(label)
        );
    };
    let svg = HeatMapFigure {
        title: "The linkage".to_owned(),
        description: "How strongly each pair of template positions is linked; light is strong."
            .to_owned(),
        column_titles: vec![label.clone()],
        level_sizes: levels.clone(),
        rows: vec![HeatMapRow {
            label: String::new(),
            value_limits: None,
            matrices: vec![Some(matrix.clone())],
        }],
    }
    .draw_with(Inks::OF_PAGE);
    let source = if *is_of_template {
        "Taken from the template: it is the same for every table. Choose --linkage mi-masked to have it learned.".to_owned()
    } else {
        format!(
            "Learned from the largest population ({population} solutions) at its generation {generation}, the last one \
             of the search."
        )
    };
    figure(
        &svg,
        &format!(
            "Linkage {}: how strongly pairs of template positions are linked, from the root to the leaves, level by \
             level. {source} Light is strong.",
            html(label)
        ),
    )
}
