//! The legend: what line and marker belong to which label, in centred rows.

use super::lettering::{NORMAL, width_of, wrap};
use super::palette::{Marker, Style};
use super::svg::{Anchor, Letters, Paint, Svg};

const SAMPLE: f64 = 34.0;
const GAP: f64 = 22.0;
const ROW: f64 = 21.0;

/// Labels placed in rows.
pub(super) struct Legend<'a> {
    labels: &'a [&'a str],
    rows: Vec<Vec<usize>>,
    width: f64,
}

impl<'a> Legend<'a> {
    pub(super) fn new(labels: &'a [&'a str], width: f64) -> Legend<'a> {
        let widths: Vec<f64> = labels.iter().map(|label| entry_width(label, width)).collect();
        let n_rows = fill_rows(&widths, width).len();
        // Rows about equally long look better than a last one with a single label.
        let even = (widths.iter().sum::<f64>() + GAP * labels.len() as f64) / n_rows.max(1) as f64;
        let narrower = (0..10).map(|step| even + (width - even) * f64::from(step) / 10.0);
        let mut candidates = narrower.map(|width| fill_rows(&widths, width));
        let rows = candidates.find(|rows| rows.len() <= n_rows);
        let rows = rows.unwrap_or_else(|| fill_rows(&widths, width));
        Legend { labels, rows, width }
    }

    pub(super) fn height(&self) -> f64 {
        self.rows.len() as f64 * ROW + 6.0
    }

    /// Draws the rows, centred between `x` and `x` plus the width. `draw_sample` draws what belongs to the label of an
    /// index, around the middle of the sample.
    pub(super) fn draw(
        &self,
        svg: &mut Svg,
        (x, y): (f64, f64),
        draw_sample: impl Fn(&mut Svg, (f64, f64), usize),
    ) {
        for (row_index, row) in self.rows.iter().enumerate() {
            let widths = row.iter().map(|&index| entry_width(self.labels[index], self.width));
            let filled = widths.map(|width| width + GAP).sum::<f64>() - GAP;
            let mut left = x + (self.width - filled) / 2.0;
            let middle = y + (row_index as f64 + 0.5) * ROW;
            for &index in row {
                draw_sample(svg, (left + SAMPLE / 2.0, middle), index);
                self.draw_label(svg, (left + SAMPLE + 6.0, middle), self.labels[index]);
                left += entry_width(self.labels[index], self.width) + GAP;
            }
        }
    }

    /// A label too long for the whole width is cut; its tool tip has all of it.
    fn draw_label(&self, svg: &mut Svg, at: (f64, f64), label: &str) {
        let lines = wrap(label, NORMAL, self.width - SAMPLE - 18.0);
        if lines.len() > 1 {
            let cut = format!("{}…", lines[0]);
            svg.text_with_tip((at.0, at.1 + NORMAL * 0.35), &cut, label);
        } else {
            svg.text_lines(at, &lines, label, Letters::normal(Anchor::Start));
        }
    }
}

/// The indices of each row, as many as fit.
fn fill_rows(widths: &[f64], room: f64) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut filled = 0.0;
    for (index, width) in widths.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if filled + GAP + width <= room => {
                row.push(index);
                filled += GAP + width;
            }
            _ => {
                rows.push(vec![index]);
                filled = *width;
            }
        }
    }
    rows
}

fn entry_width(label: &str, width: f64) -> f64 {
    (SAMPLE + 6.0 + width_of(label, NORMAL)).min(width)
}

/// Line and point of a setting, as long as a sample.
pub(super) fn draw_line_sample(svg: &mut Svg, middle: (f64, f64), style: Style) {
    let line = Paint::stroke(style.colour, 2.0).dashed(style.dash);
    let ends = (middle.0 - SAMPLE / 2.0, middle.0 + SAMPLE / 2.0);
    svg.line((ends.0, middle.1), (ends.1, middle.1), line);
    draw_point(svg, middle, style);
}

/// The point of a style, with a white edge that sets it off from lines.
pub(super) fn draw_point(svg: &mut Svg, at: (f64, f64), style: Style) {
    match style.marker {
        Marker::Cross | Marker::Plus => {
            svg.marker(style.marker, at, 4.2, Paint::stroke("#ffffff", 4.0));
            svg.marker(style.marker, at, 4.2, Paint::stroke(style.colour, 2.0));
        }
        marker => {
            svg.marker(marker, at, 4.2, Paint::stroke("#ffffff", 1.0).filled(style.colour));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_about_equally_long() {
        let legend = Legend::new(&["label"; 9], 8.5 * (entry_width("label", 1000.0) + GAP));
        assert_eq!(legend.rows, [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8]]);
    }

    #[test]
    fn a_label_wider_than_the_figure_has_a_row_of_its_own() {
        let long = "x".repeat(100);
        let labels = ["a", &long, "b"];
        let legend = Legend::new(&labels, 300.0);
        assert_eq!(legend.rows.len(), 3);
        assert!(Legend::new(&[], 300.0).rows.is_empty());
    }
}
