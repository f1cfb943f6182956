//! A frame with two axes. All charts are as wide as a narrow screen, so that letters keep their size there.

use intron_figures::axes::{
    Axis, Scale, draw_horizontal_axis, draw_vertical_axis, draw_vertical_label, n_vertical_ticks,
};
use intron_figures::lettering::{NORMAL, SMALL, widest, wrap};
use intron_figures::svg::{Anchor, Frame, Inks, Letters, Paint, Svg};

use crate::subject::Kind;

/// Width of a chart.
pub(super) const WIDTH: f64 = 348.0;

/// What an axis shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quantity<'a> {
    pub(super) label: &'a str,
    pub(super) limits: (f64, f64),
    pub(super) scale: Scale,
}

impl<'a> Quantity<'a> {
    pub(super) fn linear(label: &'a str, limits: (f64, f64)) -> Quantity<'a> {
        Quantity { label, limits, scale: Scale::Linear }
    }
}

/// A chart under way.
pub(super) struct Chart {
    pub(super) svg: Svg,
    pub(super) frame: Frame,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Chart {
    /// Draws the axes; `height` is that of the whole chart.
    pub(super) fn new(x: Quantity, y: Quantity, height: f64) -> Chart {
        let mut svg = Svg::with_inks(WIDTH, height, Inks::OF_PAGE);
        let top = 8.0;
        let bottom = height - 42.0;
        let y_axis =
            Axis { scale: y.scale, low: y.limits.0, high: y.limits.1, start: bottom, end: top };
        let ticks = y_axis.ticks(n_vertical_ticks(bottom - top));
        let labels = ticks.iter().map(|tick| tick.label.as_str());
        let left = 22.0 + widest(labels, SMALL) + 8.0;
        let frame = Frame { x: left, y: top, width: WIDTH - 10.0 - left, height: bottom - top };
        let x_axis = Axis {
            scale: x.scale,
            low: x.limits.0,
            high: x.limits.1,
            start: frame.x,
            end: frame.right(),
        };
        draw_horizontal_axis(&mut svg, frame, &x_axis);
        draw_vertical_axis(&mut svg, frame, &y_axis);
        svg.rectangle(frame, Paint::stroke(Inks::OF_PAGE.frame, 1.0));
        draw_vertical_label(&mut svg, 2.0, top + frame.height / 2.0, &cut(y.label, frame.height));
        let at = (frame.x + frame.width / 2.0, height - 5.0);
        svg.text(at, &cut(x.label, frame.width), Letters::normal(Anchor::Middle));
        Chart { svg, frame, x: x_axis, y: y_axis }
    }

    /// The place of a point; nothing where it is not finite.
    pub(super) fn place(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some((self.x.place(x)?, self.y.place(y)?))
    }

    /// Draws with everything outside the frame cut away.
    pub(super) fn inside(&mut self, draw: impl FnOnce(&mut Svg)) {
        let frame = self.frame;
        self.svg.clipped(frame, draw);
    }
}

/// A label that fits into one line.
pub(super) fn cut(label: &str, width: f64) -> String {
    let lines = wrap(label, NORMAL, width - 12.0);
    if lines.len() > 1 { format!("{}…", lines[0]) } else { label.to_owned() }
}

/// The colour of the rows of a part.
pub(super) fn part_colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Train | Kind::Given => "var(--train)",
        Kind::Test => "var(--test)",
    }
}
