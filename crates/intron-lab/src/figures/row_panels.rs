//! Panels that share their rows: one row per setting with its label on the left, values from left to right.

use super::axes::{Axis, PanelValues, Scale, Sharing, draw_horizontal_axis, limits_of_panels};
use super::lettering::{LINE, NORMAL, widest, wrap};
use super::panels::{Grid, Spacing, figure_width};
use super::svg::{Anchor, FRAME_LINE, Frame, Letters, Paint, Svg};

/// What the panels are about.
pub(super) struct RowPanels<'a> {
    pub(super) labels: &'a [&'a str],
    pub(super) titles: Vec<&'a str>,
    /// For each panel the limits asked for and all values.
    pub(super) values: Vec<PanelValues>,
    pub(super) value_label: &'a str,
    pub(super) n_columns: usize,
    pub(super) sharing: Sharing,
    pub(super) row_height: f64,
    /// Room kept free above the panels.
    pub(super) header: f64,
}

/// Where everything stands.
pub(super) struct RowLayout<'a> {
    panels: RowPanels<'a>,
    label_lines: Vec<Vec<String>>,
    grid: Grid,
    limits: Vec<(f64, f64)>,
    row_height: f64,
    n_rows: usize,
}

/// Widest column of labels; longer ones run over several lines.
const LABEL_WIDTH: f64 = 190.0;

impl<'a> RowPanels<'a> {
    fn width(&self) -> f64 {
        figure_width(self.n_columns, self.titles.len())
    }

    pub(super) fn place(self) -> RowLayout<'a> {
        let lines: Vec<Vec<String>> =
            self.labels.iter().map(|label| wrap(label, NORMAL, LABEL_WIDTH)).collect();
        let n_lines = lines.iter().map(Vec::len).max().unwrap_or(1);
        let row_height = self.row_height.max(n_lines as f64 * NORMAL * LINE + 4.0);
        let label_width = widest(lines.iter().flatten().map(String::as_str), NORMAL);
        let spacing = Spacing {
            top: self.header + 4.0,
            left: label_width + 20.0,
            right: 18.0,
            bottom: 44.0,
            across: 34.0,
            down: 40.0,
        };
        let n_rows = self.labels.len().max(1);
        let height = n_rows as f64 * row_height + 8.0;
        let width = self.width();
        let grid = Grid::new(&self.titles, self.n_columns, width, spacing, |_| height);
        let limits = limits_of_panels(&self.values, grid.n_columns, self.sharing);
        RowLayout { panels: self, label_lines: lines, grid, limits, row_height, n_rows }
    }
}

impl RowLayout<'_> {
    /// Begins the drawing: titles, labels, axes, and a faint line for each row.
    pub(super) fn begin(&self) -> Svg {
        let mut svg = Svg::new(self.panels.width(), self.grid.height);
        self.grid.draw_titles(&mut svg);
        for (index, frame) in self.grid.frames.iter().enumerate() {
            draw_horizontal_axis(&mut svg, *frame, &self.axis(index));
            if index % self.grid.n_columns == 0 {
                self.draw_labels(&mut svg, index);
            }
            if self.grid.is_lowest(index) {
                let at = (frame.x + frame.width / 2.0, frame.bottom() + 35.0);
                svg.text(at, self.panels.value_label, Letters::normal(Anchor::Middle));
            }
            for row in 0..self.n_rows {
                let y = self.row_middle(index, row);
                let line = Paint::stroke("#efefef", 1.0);
                svg.line((frame.x, y), (frame.right(), y), line);
            }
            svg.rectangle(*frame, Paint::stroke(FRAME_LINE, 1.0));
        }
        svg
    }

    fn draw_labels(&self, svg: &mut Svg, panel: usize) {
        for (row, (label, lines)) in self.panels.labels.iter().zip(&self.label_lines).enumerate() {
            let at = (self.grid.frames[panel].x - 10.0, self.row_middle(panel, row));
            svg.text_lines(at, lines, label, Letters::normal(Anchor::End));
        }
    }

    pub(super) fn frame(&self, panel: usize) -> Frame {
        self.grid.frames[panel]
    }

    pub(super) fn axis(&self, panel: usize) -> Axis {
        let (low, high) = self.limits[panel];
        let frame = self.grid.frames[panel];
        Axis { scale: Scale::Linear, low, high, start: frame.x, end: frame.right() }
    }

    pub(super) fn row_height(&self) -> f64 {
        self.row_height
    }

    pub(super) fn row_middle(&self, panel: usize, row: usize) -> f64 {
        self.grid.frames[panel].y + 4.0 + (row as f64 + 0.5) * self.row_height
    }
}
