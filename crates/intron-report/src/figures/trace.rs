//! The best R² so far against work or time.

use intron_figures::axes::{Scale, limits_of};
use intron_figures::svg::{Outline, Paint};

use super::chart::{Chart, Quantity};

/// A curve that goes up in steps.
pub(crate) struct TraceFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) x_label: &'a str,
    /// Work or time, and R² from then on; work grows.
    pub(crate) points: Vec<(f64, f64)>,
    /// Where the search ended.
    pub(crate) end: f64,
}

impl TraceFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let xs = self.points.iter().map(|point| point.0).chain([self.end]);
        let x_limits = limits_of(xs.filter(|&x| x > 0.0), Scale::Logarithmic);
        // R² far below zero is the first formula of a search; it must not flatten the rest.
        let (low, high) = limits_of(self.points.iter().map(|point| point.1), Scale::Linear);
        let y_limits = (low.max(-0.1), high.min(1.02).max(low.max(-0.1) + 0.01));
        let x = Quantity { label: self.x_label, limits: x_limits, scale: Scale::Logarithmic };
        let mut chart = Chart::new(x, Quantity::linear("training R² of the best", y_limits), 260.0);
        let mut outline = Outline::default();
        let mut last_y = None;
        for &(x, r2) in &self.points {
            let Some((x, y)) = chart.place(x.max(x_limits.0), r2) else { continue };
            match last_y {
                None => outline.start((x, y)),
                Some(last) => {
                    outline.continue_to((x, last));
                    outline.continue_to((x, y));
                }
            }
            last_y = Some(y);
        }
        if let (Some(y), Some(x)) = (last_y, chart.x.place(self.end)) {
            outline.continue_to((x, y));
        }
        chart.inside(|svg| svg.outline(&outline, Paint::stroke("var(--accent)", 2.0)));
        chart.svg.finish(self.title, self.description)
    }
}
