//! Panels that share their rows: one row per setting with its label on the left, values from left to right.

use super::axes::{Axis, PanelValues, Scale, draw_horizontal_axis, limits_of_panels};
use super::lettering::{LINE, NORMAL, widest, wrap};
use super::palette::styles_of;
use super::panels::{Grid, PanelFigure, Spacing, distinct};
use super::svg::{Anchor, FRAME_LINE, Letters, Paint, Svg};

/// The rows of one problem or aggregate.
#[derive(Debug, Clone)]
pub struct RowPanel<R> {
    /// Stands above the panel.
    pub title: String,
    /// Lowest and highest value; without them, every value fits. What lies beyond is cut off, or a triangle at the edge.
    pub value_limits: Option<(f64, f64)>,
    /// One row per setting; a setting that only other panels have leaves its row empty.
    pub rows: Vec<R>,
}

/// What stands in a row.
pub(super) trait Row {
    /// Label of the setting.
    fn label(&self) -> &str;

    /// All that should fit into the panel.
    fn values(&self) -> Vec<f64>;

    /// Draws it along an axis.
    fn draw(&self, svg: &mut Svg, axis: &Axis, band: Band, colour: &str);
}

/// Where a row stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    pub(super) middle: f64,
    pub(super) height: f64,
}

/// What stands above the panels: its height, and how it is drawn.
pub(super) type Header<'a> = (f64, &'a dyn Fn(&mut Svg));

/// Draws a whole figure whose rows have at least a given height.
pub(super) fn draw_rows<R: Row>(
    figure: &PanelFigure<RowPanel<R>>,
    row_height: f64,
    (header_height, draw_header): Header,
) -> String {
    let labels = distinct(figure.panels.iter().flat_map(|panel| &panel.rows).map(Row::label));
    let styles = styles_of(&labels);
    let layout = RowLayout::new(figure, &labels, row_height, header_height);
    let mut svg = layout.begin(figure.width(), &figure.value_label);
    draw_header(&mut svg);
    for (index, panel) in figure.panels.iter().enumerate() {
        let axis = layout.axis(index);
        svg.clipped(layout.grid.frames[index], |svg| {
            for row in &panel.rows {
                let place = labels.iter().position(|label| *label == row.label());
                let place = place.expect("labels are those of the rows");
                let middle = layout.row_middle(index, place);
                let band = Band { middle, height: layout.row_height };
                row.draw(svg, &axis, band, styles[place].colour);
            }
        });
    }
    svg.finish(&figure.title, &figure.description)
}

/// Where everything stands.
struct RowLayout<'a> {
    labels: &'a [&'a str],
    label_lines: Vec<Vec<String>>,
    grid: Grid,
    limits: Vec<(f64, f64)>,
    row_height: f64,
}

/// Widest column of labels; longer ones run over several lines.
const LABEL_WIDTH: f64 = 190.0;

impl<'a> RowLayout<'a> {
    fn new<R: Row>(
        figure: &PanelFigure<RowPanel<R>>,
        labels: &'a [&'a str],
        row_height: f64,
        header: f64,
    ) -> RowLayout<'a> {
        let lines: Vec<Vec<String>> =
            labels.iter().map(|label| wrap(label, NORMAL, LABEL_WIDTH)).collect();
        let n_lines = lines.iter().map(Vec::len).max().unwrap_or(1);
        let row_height = row_height.max(n_lines as f64 * NORMAL * LINE + 4.0);
        let label_width = widest(lines.iter().flatten().map(String::as_str), NORMAL);
        let spacing = Spacing {
            top: header + 4.0,
            left: label_width + 20.0,
            right: 18.0,
            bottom: 44.0,
            across: 34.0,
            down: 40.0,
        };
        let height = labels.len().max(1) as f64 * row_height + 8.0;
        let titles: Vec<&str> = figure.panels.iter().map(|panel| &*panel.title).collect();
        let grid = Grid::new(&titles, figure.n_columns, figure.width(), spacing, |_| height);
        let values = |panel: &RowPanel<R>| PanelValues {
            limits: panel.value_limits,
            values: panel.rows.iter().flat_map(Row::values).collect(),
        };
        let values: Vec<PanelValues> = figure.panels.iter().map(values).collect();
        let limits = limits_of_panels(&values, grid.n_columns, figure.sharing);
        RowLayout { labels, label_lines: lines, grid, limits, row_height }
    }

    /// Begins the drawing: titles, labels, axes, and a faint line for each row.
    fn begin(&self, width: f64, value_label: &str) -> Svg {
        let mut svg = Svg::new(width, self.grid.height);
        self.grid.draw_titles(&mut svg);
        for (index, frame) in self.grid.frames.iter().enumerate() {
            draw_horizontal_axis(&mut svg, *frame, &self.axis(index));
            if index % self.grid.n_columns == 0 {
                self.draw_labels(&mut svg, index);
            }
            if self.grid.is_lowest(index) {
                let at = (frame.x + frame.width / 2.0, frame.bottom() + 35.0);
                svg.text(at, value_label, Letters::normal(Anchor::Middle));
            }
            for row in 0..self.labels.len().max(1) {
                let y = self.row_middle(index, row);
                let line = Paint::stroke("#efefef", 1.0);
                svg.line((frame.x, y), (frame.right(), y), line);
            }
            svg.rectangle(*frame, Paint::stroke(FRAME_LINE, 1.0));
        }
        svg
    }

    fn draw_labels(&self, svg: &mut Svg, panel: usize) {
        for (row, (label, lines)) in self.labels.iter().zip(&self.label_lines).enumerate() {
            let at = (self.grid.frames[panel].x - 10.0, self.row_middle(panel, row));
            svg.text_lines(at, lines, label, Letters::normal(Anchor::End));
        }
    }

    fn axis(&self, panel: usize) -> Axis {
        let (low, high) = self.limits[panel];
        let frame = self.grid.frames[panel];
        Axis { scale: Scale::Linear, low, high, start: frame.x, end: frame.right() }
    }

    fn row_middle(&self, panel: usize, row: usize) -> f64 {
        self.grid.frames[panel].y + 4.0 + (row as f64 + 0.5) * self.row_height
    }
}
