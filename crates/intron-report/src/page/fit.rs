//! How a formula fits: predictions against the truth, errors against predictions, and how errors are spread.

use super::html::{count, figure, html, plural};
use crate::figures::{HistogramFigure, ScatterFigure, limits_of_pairs};
use crate::numbers::{Analysis, FormulaNumbers, PartFit};
use crate::subject::{Kind, Subject};

/// Predictions further from the range of the targets than this part of it are not drawn.
const ROOM: f64 = 0.5;

pub(super) fn part(subject: &Subject, analysis: &Analysis, numbers: &FormulaNumbers) -> String {
    let kinds: Vec<Kind> = subject.parts.iter().map(|part| part.kind).collect();
    let limits = Limits::new(subject, numbers);
    let drawn = drawn_rows(analysis, &numbers.fits);
    let keys = keys(&kinds);
    let outside = match limits.n_outside {
        0 => String::new(),
        n => format!(" {} far outside or not finite.", plural(n, "prediction")),
    };
    format!(
        "<h3>Fit</h3>\n<div class=\"charts\">\n{}{}{}</div>\n<p class=\"note\">{drawn}</p>\n",
        figure(
            &predictions(subject, numbers, &kinds, &limits),
            &format!("Predicted against true; on the dashed line they are equal. {keys}{outside}")
        ),
        figure(
            &errors(numbers, &kinds, &limits),
            &format!("Errors (true − predicted) against the prediction. {keys}")
        ),
        figure(&histogram(numbers, &kinds), &histogram_caption(numbers, &keys)),
    )
}

/// What the pictures hold.
struct Limits {
    values: (f64, f64),
    predictions: (f64, f64),
    errors: (f64, f64),
    /// Rows whose prediction is outside, or not finite.
    n_outside: usize,
}

impl Limits {
    fn new(subject: &Subject, numbers: &FormulaNumbers) -> Limits {
        let targets = subject.parts.iter().flat_map(|part| part.rows.target().iter().copied());
        let (low, high) = limits_of_pairs(targets);
        let room = (high - low) * ROOM;
        let is_inside = |value: &f64| (low - room..=high + room).contains(value);
        let points = || numbers.fits.iter().flat_map(|fit| fit.points.iter().copied());
        let inside = points().map(|point| point.1).filter(is_inside);
        let predictions = limits_of_pairs(inside);
        let both = points().flat_map(|(y, prediction)| [y, prediction]).filter(is_inside);
        let errors = points().filter(|point| is_inside(&point.1)).map(|(y, p)| y - p);
        let all = subject.parts.iter().zip(&numbers.fits);
        let n_outside = all
            .map(|(part, fit)| {
                let rows = part.rows.target().iter().zip(&fit.residuals);
                rows.filter(|(y, residual)| !is_inside(&(*y - *residual))).count()
            })
            .sum();
        let values = limits_of_pairs(both.chain([low, high]));
        Limits { values, predictions, errors: limits_of_pairs(errors), n_outside }
    }
}

fn predictions(
    subject: &Subject,
    numbers: &FormulaNumbers,
    kinds: &[Kind],
    limits: &Limits,
) -> String {
    let (low, high) = limits.values;
    ScatterFigure {
        title: "Predicted against true",
        description: "A point for each row. The closer to the diagonal, the better the prediction.",
        x_label: &format!("true {}", subject.model.target),
        y_label: "predicted",
        x_limits: limits.values,
        y_limits: limits.values,
        line: [(low, low), (high, high)],
        parts: kinds
            .iter()
            .zip(&numbers.fits)
            .map(|(&kind, fit)| (kind, fit.points.clone()))
            .collect(),
    }
    .draw()
}

fn errors(numbers: &FormulaNumbers, kinds: &[Kind], limits: &Limits) -> String {
    let (low, high) = limits.predictions;
    let points = |fit: &PartFit| {
        fit.points.iter().map(|&(y, prediction)| (prediction, y - prediction)).collect()
    };
    ScatterFigure {
        title: "Errors against predictions",
        description: "A point for each row. A pattern here is something that the formula has missed.",
        x_label: "predicted",
        y_label: "error",
        x_limits: limits.predictions,
        y_limits: limits.errors,
        line: [(low, 0.0), (high, 0.0)],
        parts: kinds.iter().zip(&numbers.fits).map(|(&kind, fit)| (kind, points(fit))).collect(),
    }
    .draw()
}

fn histogram(numbers: &FormulaNumbers, kinds: &[Kind]) -> String {
    HistogramFigure {
        title: "How errors are spread",
        description: "The share of the rows in each range of errors.",
        x_label: "error",
        kinds,
        histogram: &numbers.histogram,
    }
    .draw()
}

fn histogram_caption(numbers: &FormulaNumbers, keys: &str) -> String {
    let outside = match numbers.histogram.n_outside {
        0 => String::new(),
        n => format!(" Not shown: {} with errors beyond the frame.", plural(n, "row")),
    };
    format!("How errors are spread, all rows counted. {keys}{outside}")
}

/// Which colour is which part.
fn keys(kinds: &[Kind]) -> String {
    let key = |kind: &Kind| {
        let class = if *kind == Kind::Test { "test" } else { "train" };
        format!("<span class=\"key {class}\"></span> {} rows", kind.name())
    };
    format!("{}.", kinds.iter().map(key).collect::<Vec<_>>().join(", "))
}

/// Whether all rows are drawn.
fn drawn_rows(analysis: &Analysis, fits: &[PartFit]) -> String {
    if fits.iter().all(|fit| fit.points.len() == fit.scores.n_rows) {
        return "Every row is drawn.".to_owned();
    }
    let most = analysis.most_drawn;
    html(&format!(
        "Of each kind at most {} rows are drawn in the first two pictures, chosen at random once for all formulas, and those with \
         the largest errors.",
        count(most)
    ))
}
