//! Probability of improvement: how probable it is that the setting of a row is better than that of a column, as a
//! matrix with intervals, shaded around one half.

use super::colour_scale::diverging;
use super::estimate::Estimate;
use super::lettering::{LINE, NORMAL, SMALL, widest, wrap};
use super::panels::FIGURE_WIDTH;
use super::svg::{Anchor, FAINT_INK, FRAME_LINE, Frame, Letters, Paint, Svg};

/// Pairwise probabilities.
#[derive(Debug, Clone)]
pub struct ImprovementMatrix {
    /// What the figure is, for readers who do not see it.
    pub title: String,
    /// What the figure shows, for readers who do not see it.
    pub description: String,
    /// The settings, for rows and columns.
    pub labels: Vec<String>,
    /// `cells[row][column]`: P(row better than column); nothing on the diagonal and where it is not known. A number is
    /// bold if its interval does not hold one half.
    pub cells: Vec<Vec<Option<Estimate>>>,
}

/// Where the matrix stands.
struct Place {
    left: f64,
    top: f64,
    cell_width: f64,
    cell_height: f64,
}

/// Lowest cell; long labels of rows need a higher one.
const CELL_HEIGHT: f64 = 42.0;
const LABEL_WIDTH: f64 = 160.0;

impl ImprovementMatrix {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        let n = self.labels.len();
        let wrapped: Vec<Vec<String>> =
            self.labels.iter().map(|label| wrap(label, NORMAL, LABEL_WIDTH)).collect();
        let left = 34.0 + widest(wrapped.iter().flatten().map(String::as_str), NORMAL);
        let cell_width = ((FIGURE_WIDTH - left - 16.0) / n.max(1) as f64).clamp(64.0, 108.0);
        let heads: Vec<Vec<String>> =
            self.labels.iter().map(|label| wrap(label, NORMAL, cell_width - 6.0)).collect();
        let n_lines = heads.iter().map(Vec::len).max().unwrap_or(1);
        let head_height = n_lines as f64 * NORMAL * LINE;
        let n_label_lines = wrapped.iter().map(Vec::len).max().unwrap_or(1);
        let cell_height = CELL_HEIGHT.max(n_label_lines as f64 * NORMAL * LINE + 6.0);
        let place = Place { left, top: 26.0 + head_height + 8.0, cell_width, cell_height };
        let bottom = place.top + n as f64 * cell_height;
        let width = (left + n as f64 * cell_width + 16.0).max(470.0);
        let mut svg = Svg::new(width, bottom + 62.0);
        let middle = left + n as f64 * cell_width / 2.0;
        svg.text((middle.max(70.0), 16.0), "better than …", faint(Anchor::Middle));
        for (index, label) in self.labels.iter().enumerate() {
            let x = left + (index as f64 + 0.5) * cell_width;
            let at = (x, 26.0 + head_height / 2.0);
            svg.text_lines(at, &heads[index], label, Letters::normal(Anchor::Middle));
            let at = (left - 10.0, place.top + (index as f64 + 0.5) * cell_height);
            svg.text_lines(at, &wrapped[index], label, Letters::normal(Anchor::End));
        }
        for row in 0..n {
            for column in 0..n {
                self.draw_cell(&mut svg, &place, row, column);
            }
        }
        draw_colour_bar(&mut svg, (width - 320.0) / 2.0, bottom + 16.0);
        svg.finish(&self.title, &self.description)
    }

    fn draw_cell(&self, svg: &mut Svg, place: &Place, row: usize, column: usize) {
        let frame = Frame {
            x: place.left + column as f64 * place.cell_width,
            y: place.top + row as f64 * place.cell_height,
            width: place.cell_width,
            height: place.cell_height,
        };
        let edge = Paint::stroke("#ffffff", 1.5);
        let middle = frame.x + frame.width / 2.0;
        let centre = frame.y + frame.height / 2.0;
        let cell = self.cells.get(row).and_then(|cells| cells.get(column)).copied().flatten();
        let Some(cell) = cell.filter(|cell| cell.point.is_finite()) else {
            svg.rectangle(frame, edge.filled("#ededed"));
            svg.text((middle, centre + 4.0), "–", faint(Anchor::Middle));
            return;
        };
        let (colour, ink) = diverging(cell.point);
        svg.rectangle(frame, edge.filled(&colour));
        let has_interval = cell.low.is_finite() && cell.high.is_finite();
        let is_clear = has_interval && (cell.low > 0.5 || cell.high < 0.5);
        let letters = Letters::normal(Anchor::Middle).coloured(ink);
        let letters = if is_clear { letters.bold() } else { letters };
        let y = centre + if has_interval { -3.0 } else { 4.0 };
        svg.text((middle, y), &format!("{:.2}", cell.point), letters);
        if has_interval {
            let interval = format!("{:.2}–{:.2}", cell.low, cell.high).replace('-', "−");
            let letters = Letters::small(Anchor::Middle).coloured(ink);
            svg.text((middle, centre + 12.0), &interval, letters);
        }
    }
}

fn faint<'a>(anchor: Anchor) -> Letters<'a> {
    Letters::normal(anchor).coloured(FAINT_INK)
}

fn draw_colour_bar(svg: &mut Svg, x: f64, y: f64) {
    const N_STEPS: usize = 80;
    const STEP: f64 = 4.0;
    for index in 0..N_STEPS {
        let (colour, _) = diverging((index as f64 + 0.5) / N_STEPS as f64);
        // A little broader than a step, so that no seam shows.
        let width = if index + 1 < N_STEPS { STEP + 0.5 } else { STEP };
        let frame = Frame { x: x + index as f64 * STEP, y, width, height: 10.0 };
        svg.rectangle(frame, Paint::fill(&colour));
    }
    let width = N_STEPS as f64 * STEP;
    svg.rectangle(Frame { x, y, width, height: 10.0 }, Paint::stroke(FRAME_LINE, 1.0));
    for (fraction, text) in [(0.0, "0: column better"), (0.5, "0.5: equal"), (1.0, "1: row better")]
    {
        let at = (x + fraction * width, y + 12.0 + SMALL + 2.0);
        svg.text(at, text, Letters::small(Anchor::Middle));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::well_formed::check_figure;

    fn figure(labels: &[&str], cell: Option<Estimate>) -> String {
        let n = labels.len();
        ImprovementMatrix {
            title: "title".to_owned(),
            description: "description".to_owned(),
            labels: labels.iter().map(|label| label.to_string()).collect(),
            cells: vec![vec![cell; n]; n],
        }
        .draw()
    }

    #[test]
    fn every_label_and_number_is_in_the_figure() {
        let cell = Some(Estimate { point: 0.75, low: 0.7, high: 0.8 });
        let labels = ["Node", "<x>", "a long label that needs more than one line of text in a row"];
        let svg = figure(&labels, cell);
        check_figure(&svg, &labels);
        check_figure(&svg, &["0.75", "0.70–0.80"]);
        assert_eq!(svg, figure(&labels, cell));
    }

    #[test]
    fn a_number_is_bold_only_if_its_interval_leaves_out_one_half() {
        let cell = |low| Some(Estimate { point: 0.6, low, high: 0.7 });
        assert!(figure(&["a"], cell(0.55)).contains("font-weight"));
        assert!(!figure(&["a"], cell(0.45)).contains("font-weight"));
    }

    #[test]
    fn ten_settings_fit_the_page_and_missing_cells_are_no_fault() {
        let labels = ["Node (static)"; 10];
        let cell = Estimate { point: 0.5, low: f64::NAN, high: f64::NAN };
        check_figure(&figure(&labels, Some(cell)), &labels);
        check_figure(&figure(&labels, Some(Estimate { point: f64::NAN, ..cell })), &labels);
        check_figure(&figure(&["a"], None), &["a"]);
        check_figure(&figure(&[], None), &[]);
    }
}
