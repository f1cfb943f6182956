//! How errors are spread: bars for one part, a stepped line for another.

use intron_figures::svg::{Frame, Inks, Outline, Paint};

use super::chart::{Chart, Quantity, part_colour};
use crate::numbers::Histogram;
use crate::subject::Kind;

/// The bins of each part.
pub(crate) struct HistogramFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) kinds: &'a [Kind],
    pub(crate) histogram: &'a Histogram,
}

impl HistogramFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let Histogram { low, high, shares, .. } = self.histogram;
        let largest = shares.iter().flatten().copied().fold(0.0, f64::max);
        let top = if largest > 0.0 { largest * 1.08 * 100.0 } else { 1.0 };
        let x = Quantity::linear(self.x_label, (*low, *high));
        let mut chart = Chart::new(x, Quantity::linear("% of the rows", (0.0, top)), 300.0);
        for (index, (kind, shares)) in self.kinds.iter().zip(shares).enumerate() {
            let colour = part_colour(*kind);
            let edges: Vec<(f64, f64, f64)> = self.edges(&chart, shares);
            if index == 0 {
                for (left, right, y) in edges {
                    let bottom = chart.frame.bottom();
                    let (width, height) = ((right - left - 1.0).max(0.5), bottom - y);
                    let frame = Frame { x: left + 0.5, y, width, height };
                    chart.svg.rectangle(frame, Paint::fill(colour).faded(0.55));
                }
                continue;
            }
            let mut outline = Outline::default();
            outline.start((chart.frame.x, chart.frame.bottom()));
            for (left, right, y) in edges {
                outline.continue_to((left, y));
                outline.continue_to((right, y));
            }
            outline.continue_to((chart.frame.right(), chart.frame.bottom()));
            chart.svg.outline(&outline, Paint::stroke(colour, 2.0));
        }
        if let Some(x) = chart.x.place(0.0).filter(|_| chart.x.contains(0.0)) {
            let (top, bottom) = (chart.frame.y, chart.frame.bottom());
            let paint = Paint::stroke(Inks::OF_PAGE.frame, 1.2).dashed("5 4");
            chart.svg.line((x, top), (x, bottom), paint);
        }
        chart.svg.finish(self.title, self.description)
    }

    /// Left and right edge and height of each bin.
    fn edges(&self, chart: &Chart, shares: &[f64]) -> Vec<(f64, f64, f64)> {
        let Histogram { low, high, .. } = self.histogram;
        let width = (high - low) / shares.len() as f64;
        let edge = |index: usize| chart.x.place(low + width * index as f64);
        let bin = |(index, share): (usize, &f64)| {
            Some((edge(index)?, edge(index + 1)?, chart.y.place(share * 100.0)?))
        };
        shares.iter().enumerate().filter_map(bin).collect()
    }
}
