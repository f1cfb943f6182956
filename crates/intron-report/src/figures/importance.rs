//! Permutation importance: a bar for each feature, with the range of the shuffles.

use intron_figures::axes::{Axis, Scale, draw_horizontal_axis};
use intron_figures::lettering::{NORMAL, widest, wrap};
use intron_figures::svg::{Anchor, Frame, Inks, Letters, Paint, Svg};

use super::chart::WIDTH;
use crate::numbers::Importance;

const ROW: f64 = 24.0;
const WIDEST_NAME: f64 = 130.0;

/// Bars, the longest first.
pub(crate) struct ImportanceFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) names: Vec<&'a str>,
    pub(crate) importances: &'a [Importance],
}

impl ImportanceFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let names: Vec<Vec<String>> =
            self.names.iter().map(|name| wrap(name, NORMAL, WIDEST_NAME)).collect();
        let first = |lines: &Vec<String>| match lines.len() {
            1 => lines[0].clone(),
            _ => format!("{}…", lines[0]),
        };
        let labels: Vec<String> = names.iter().map(first).collect();
        let left = widest(labels.iter().map(String::as_str), NORMAL) + 14.0;
        let height = self.importances.len() as f64 * ROW;
        let frame = Frame { x: left, y: 6.0, width: WIDTH - left - 12.0, height };
        let mut svg = Svg::with_inks(WIDTH, height + 50.0, Inks::OF_PAGE);
        let ends = self.importances.iter().flat_map(|one| one.range).map(|(low, high)| [low, high]);
        let (low, high) = ends
            .flatten()
            .fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
        let (low, high) = if high > low { (low, high) } else { (0.0, 1.0) };
        let room = (high - low) * 0.04;
        let low = if low < 0.0 { low - room } else { low };
        let axis = Axis {
            scale: Scale::Linear,
            low,
            high: high + room,
            start: frame.x,
            end: frame.right(),
        };
        draw_horizontal_axis(&mut svg, frame, &axis);
        svg.rectangle(frame, Paint::stroke(Inks::OF_PAGE.frame, 1.0));
        for (index, importance) in self.importances.iter().enumerate() {
            let y = frame.y + (index as f64 + 0.5) * ROW;
            let letters = Letters::normal(Anchor::End);
            let whole = self.names[index];
            svg.within("g", &[], |svg| {
                svg.tip(whole);
                svg.text((left - 8.0, y + NORMAL * 0.35), &labels[index], letters);
            });
            draw_bar(&mut svg, &axis, y, importance);
        }
        let at = (frame.x + frame.width / 2.0, height + 45.0);
        svg.text(at, "loss of R²", Letters::normal(Anchor::Middle));
        svg.finish(self.title, self.description)
    }
}

fn draw_bar(svg: &mut Svg, axis: &Axis, y: f64, importance: &Importance) {
    let (Some(mean), Some((low, high))) = (importance.mean, importance.range) else {
        let letters = Letters::small(Anchor::Start).coloured(Inks::OF_PAGE.faint);
        svg.text((axis.start + 6.0, y + 4.0), "not defined when shuffled", letters);
        return;
    };
    let places = [0.0, mean, low, high].map(|value| axis.place(value).unwrap_or(axis.start));
    let [zero, end, low, high] = places;
    let (x, width) = (zero.min(end), (end - zero).abs().max(1.0));
    let frame = Frame { x, y: y - 7.0, width, height: 14.0 };
    svg.rectangle(frame, Paint::fill("var(--accent)").faded(0.75));
    let whisker = Paint::stroke(Inks::OF_PAGE.ink, 1.3);
    svg.line((low, y), (high, y), whisker);
    for x in [low, high] {
        svg.line((x, y - 3.5), (x, y + 3.5), whisker);
    }
}
