//! The effect of one feature: the mean prediction as a line, most rows as a band, where the data is as ticks below.

use intron_figures::axes::{Scale, limits_of};
use intron_figures::marker::Marker;
use intron_figures::svg::{Inks, Outline, Paint};

use super::chart::{Chart, Quantity};
use crate::numbers::{Effect, EffectPoint};

/// One effect.
pub(crate) struct EffectFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) feature_label: &'a str,
    pub(crate) target_label: &'a str,
    /// The limits of the predictions, the same for all effects of a formula.
    pub(crate) limits: (f64, f64),
    pub(crate) effect: &'a Effect,
}

/// Limits that hold all effects, so that they can be compared.
pub(crate) fn limits_of_effects(effects: &[Effect]) -> (f64, f64) {
    let points = effects.iter().flat_map(|effect| &effect.points);
    let ends = points.flat_map(|point| {
        let (low, high) = point.band.unwrap_or((f64::NAN, f64::NAN));
        [point.mean.unwrap_or(f64::NAN), low, high]
    });
    limits_of(ends, Scale::Linear)
}

impl EffectFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let points = &self.effect.points;
        let x_limits = limits_of(points.iter().map(|point| point.value), Scale::Linear);
        let x = Quantity::linear(self.feature_label, x_limits);
        let mut chart = Chart::new(x, Quantity::linear(self.target_label, self.limits), 240.0);
        let runs: Vec<&[EffectPoint]> =
            points.split(|point| point.mean.is_none()).filter(|run| !run.is_empty()).collect();
        let mut bands = Outline::default();
        let mut lines = Outline::default();
        for run in &runs {
            draw_band(&mut bands, &chart, run);
            draw_line(&mut lines, &chart, run);
        }
        let marks: Vec<(f64, f64)> = points
            .iter()
            .filter(|_| self.effect.is_discrete || runs.iter().any(|run| run.len() == 1))
            .filter_map(|point| chart.place(point.value, point.mean?))
            .collect();
        chart.inside(|svg| {
            svg.outline(&bands, Paint::fill("var(--accent)").faded(0.16));
            svg.outline(&lines, Paint::stroke("var(--accent)", 2.2));
            for &at in &marks {
                svg.marker(Marker::Circle, at, 3.6, Paint::fill("var(--accent)"));
            }
        });
        let bottom = chart.frame.bottom();
        for &decile in &self.effect.deciles {
            if let Some(x) = chart.x.place(decile) {
                let paint = Paint::stroke(Inks::OF_PAGE.faint, 1.2);
                chart.svg.line((x, bottom - 7.0), (x, bottom), paint);
            }
        }
        chart.svg.finish(self.title, self.description)
    }
}

fn draw_line(outline: &mut Outline, chart: &Chart, run: &[EffectPoint]) {
    let places = run.iter().filter_map(|point| chart.place(point.value, point.mean?));
    for (index, at) in places.enumerate() {
        if index == 0 { outline.start(at) } else { outline.continue_to(at) }
    }
}

fn draw_band(outline: &mut Outline, chart: &Chart, run: &[EffectPoint]) {
    let upper = run.iter().filter_map(|point| chart.place(point.value, point.band?.1));
    let lower = run.iter().rev().filter_map(|point| chart.place(point.value, point.band?.0));
    for (index, at) in upper.chain(lower).enumerate() {
        if index == 0 { outline.start(at) } else { outline.continue_to(at) }
    }
    if !run.is_empty() {
        outline.close();
    }
}
