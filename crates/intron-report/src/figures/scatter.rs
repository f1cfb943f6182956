//! Points: predictions against the truth, or errors against predictions.

use intron_figures::axes::{Scale, limits_of};
use intron_figures::svg::{Ends, Inks, Outline, Paint};

use super::chart::{Chart, Quantity, part_colour};
use crate::subject::Kind;

/// Points of each part, over a line that perfect predictions would lie on.
pub(crate) struct ScatterFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) x_limits: (f64, f64),
    pub(crate) y_limits: (f64, f64),
    /// The ends of that line.
    pub(crate) line: [(f64, f64); 2],
    pub(crate) parts: Vec<(Kind, Vec<(f64, f64)>)>,
}

impl ScatterFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let x = Quantity::linear(self.x_label, self.x_limits);
        let y = Quantity::linear(self.y_label, self.y_limits);
        let mut chart = Chart::new(x, y, 300.0);
        let n_points: usize = self.parts.iter().map(|part| part.1.len()).sum();
        // Few points are large and dense, many are small and faint.
        let (size, opacity) = match n_points {
            0..=200 => (5.5, 0.8),
            201..=800 => (4.5, 0.55),
            _ => (3.6, 0.42),
        };
        let mut line = Outline::default();
        for (index, &(x, y)) in self.line.iter().enumerate() {
            let Some(at) = chart.place(x, y) else { continue };
            if index == 0 { line.start(at) } else { line.continue_to(at) }
        }
        let outlines: Vec<(Kind, Outline)> = self
            .parts
            .iter()
            .map(|(kind, points)| (*kind, outline_of(&chart, points, self)))
            .collect();
        chart.inside(|svg| {
            svg.outline(&line, Paint::stroke(Inks::OF_PAGE.frame, 1.2).dashed("5 4"));
            for (kind, outline) in &outlines {
                let ends = if *kind == Kind::Test { Ends::Square } else { Ends::Round };
                // A square of the same width looks larger.
                let size = if *kind == Kind::Test { size * 0.85 } else { size };
                svg.points(outline, part_colour(*kind), size, ends, opacity);
            }
        });
        chart.svg.finish(self.title, self.description)
    }
}

fn outline_of(chart: &Chart, points: &[(f64, f64)], figure: &ScatterFigure) -> Outline {
    let is_inside = |value: f64, limits: (f64, f64)| (limits.0..=limits.1).contains(&value);
    let mut outline = Outline::default();
    for &(x, y) in points {
        if !(is_inside(x, figure.x_limits) && is_inside(y, figure.y_limits)) {
            continue;
        }
        if let Some(at) = chart.place(x, y) {
            outline.point(at);
        }
    }
    outline
}

/// Limits that hold these values, with a little room.
pub(crate) fn limits_of_pairs(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    limits_of(values, Scale::Linear)
}
