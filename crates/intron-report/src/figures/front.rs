//! The front: error against size, a link for each formula.

use intron_figures::axes::{Scale, extent_of, limits_of};
use intron_figures::marker::Marker;
use intron_figures::svg::{Frame, Outline, Paint};

use super::chart::{Chart, Quantity, part_colour};
use crate::subject::Kind;

/// One formula of the front.
pub(crate) struct FrontPoint {
    /// Its size, or what else the front weighs against accuracy.
    pub(crate) complexity: usize,
    /// 1 − R² on each part, with the kind of its rows.
    pub(crate) errors: Vec<(Kind, f64)>,
    /// What a reader hears of it.
    pub(crate) label: String,
    /// Whether no other formula of its size is better.
    pub(crate) is_best: bool,
    /// Whether there is something to see when it is chosen.
    pub(crate) has_view: bool,
}

/// The formulas from small to large.
pub(crate) struct FrontFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) complexity_label: &'a str,
    pub(crate) points: &'a [FrontPoint],
    pub(crate) chosen: usize,
}

/// Errors that differ by more than this factor are drawn on a logarithmic scale.
const WIDE: f64 = 30.0;

impl FrontFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let sizes =
            limits_of(self.points.iter().map(|point| point.complexity as f64), Scale::Linear);
        let x = Quantity::linear(self.complexity_label, (sizes.0.min(0.5), sizes.1));
        let (limits, scale) = self.error_limits();
        let mut chart = Chart::new(x, Quantity { label: "error (1 − R²)", limits, scale }, 290.0);
        self.draw_lines(&mut chart, limits);
        for (index, point) in self.points.iter().enumerate() {
            self.draw_point(&mut chart, index, point, limits);
        }
        chart.svg.finish_interactive(self.title, self.description)
    }

    /// Limits that hold the errors; a test error far above all others, or none at all, is drawn at the edge.
    fn error_limits(&self) -> ((f64, f64), Scale) {
        let errors = self.points.iter().flat_map(|point| &point.errors);
        let first = self.points.iter().filter_map(|point| point.errors.first().map(|e| e.1));
        let highest = first.fold(0.0_f64, f64::max).max(f64::MIN_POSITIVE) * 1.5;
        let errors: Vec<f64> = errors.map(|error| error.1.min(highest)).collect();
        let positive = extent_of(errors.iter().copied(), Scale::Logarithmic);
        match positive {
            Some((low, high)) if high > WIDE * low => ((low / 1.6, high * 1.6), Scale::Logarithmic),
            Some((_, high)) => ((0.0, high * 1.06), Scale::Linear),
            None => ((0.0, 1.0), Scale::Linear),
        }
    }

    fn draw_lines(&self, chart: &mut Chart, limits: (f64, f64)) {
        let kinds: Vec<Kind> = match self.points.first() {
            Some(point) => point.errors.iter().map(|error| error.0).collect(),
            None => return,
        };
        for kind in kinds {
            let mut outline = Outline::default();
            let mut is_first = true;
            for point in self.points.iter().filter(|point| point.is_best) {
                let Some(&(_, error)) = point.errors.iter().find(|error| error.0 == kind) else {
                    continue;
                };
                let error = error.clamp(limits.0, limits.1);
                let Some(at) = chart.place(point.complexity as f64, error) else { continue };
                if is_first {
                    outline.start(at)
                } else {
                    outline.continue_to(at)
                }
                is_first = false;
            }
            let paint = Paint::stroke(part_colour(kind), 1.4).faded(0.6);
            chart.svg.outline(&outline, paint);
        }
    }

    fn draw_point(&self, chart: &mut Chart, index: usize, point: &FrontPoint, limits: (f64, f64)) {
        let Some(x) = chart.x.place(point.complexity as f64) else { return };
        let places: Vec<(Kind, f64)> = point
            .errors
            .iter()
            .filter_map(|&(kind, error)| {
                Some((kind, chart.y.place(error.clamp(limits.0, limits.1))?))
            })
            .collect();
        let frame = chart.frame;
        let half = (self.column_width(chart) / 2.0).clamp(4.0, 22.0);
        let left = (x - half).max(frame.x);
        let width = (x + half).min(frame.right()) - left;
        let column = Frame { x: left, y: frame.y, width, height: frame.height };
        let href = format!("#formula-{index}");
        let number = index.to_string();
        let is_chosen = index == self.chosen;
        let class = if is_chosen { "pick is-selected" } else { "pick" };
        let attributes = [
            ("href", href.as_str()),
            ("class", class),
            ("data-pick", &number),
            ("aria-label", &point.label),
        ];
        let (element, attributes) = match point.has_view {
            true => ("a", &attributes[..]),
            false => ("g", &attributes[..0]),
        };
        chart.svg.within(element, attributes, |svg| {
            svg.tip(&point.label);
            // Others of the same size stand in the column of the best.
            if point.is_best && point.has_view {
                svg.within("g", &[("class", "column")], |svg| {
                    svg.rectangle(column, Paint::fill("var(--accent)"));
                });
            }
            for (kind, y) in places {
                let marker = if kind == Kind::Test { Marker::Square } else { Marker::Circle };
                let paint = Paint::stroke("var(--paper)", 1.0).filled(part_colour(kind));
                svg.marker(marker, (x, y), 4.6, paint);
            }
        });
    }

    /// The room of one formula: the distance of the closest two sizes.
    fn column_width(&self, chart: &Chart) -> f64 {
        let places: Vec<f64> =
            self.points.iter().filter_map(|point| chart.x.place(point.complexity as f64)).collect();
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0.5);
        gaps.fold(44.0, f64::min)
    }
}
