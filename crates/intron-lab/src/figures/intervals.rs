//! Interval estimates: one row per setting, one panel per aggregate; the bar is the interval, the black line the point
//! (figure 5 of the paper; `plot_interval_estimates` of rliable).

use super::axes::{PanelValues, Sharing};
use super::estimate::Estimate;
use super::palette::styles_of;
use super::panels::distinct;
use super::row_panels::{RowLayout, RowPanels};
use super::svg::{Frame, INK, Paint, Svg};

/// Intervals in one or more panels.
#[derive(Debug, Clone)]
pub struct IntervalFigure {
    /// What the figure is, for readers who do not see it.
    pub title: String,
    /// What the figure shows, for readers who do not see it.
    pub description: String,
    /// What the values are, with their unit.
    pub value_label: String,
    /// Number of panels next to each other.
    pub n_columns: usize,
    /// Which panels have the same limits of values.
    pub sharing: Sharing,
    /// The panels, row by row.
    pub panels: Vec<IntervalPanel>,
}

/// The intervals of one aggregate.
#[derive(Debug, Clone)]
pub struct IntervalPanel {
    /// Stands above the panel.
    pub title: String,
    /// Lowest and highest value; without them, every value fits.
    pub value_limits: Option<(f64, f64)>,
    /// One row per setting; a setting that only other panels have leaves its row empty.
    pub rows: Vec<IntervalRow>,
}

/// The interval of one setting.
#[derive(Debug, Clone)]
pub struct IntervalRow {
    /// Label of the setting.
    pub label: String,
    /// Point and interval.
    pub estimate: Estimate,
}

impl IntervalFigure {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        let rows = self.panels.iter().flat_map(|panel| &panel.rows);
        let labels = distinct(rows.map(|row| &*row.label));
        let styles = styles_of(&labels);
        let values = |panel: &IntervalPanel| PanelValues {
            limits: panel.value_limits,
            values: panel.rows.iter().flat_map(|row| row.estimate.values()).collect(),
        };
        let layout = RowPanels {
            labels: &labels,
            titles: self.panels.iter().map(|panel| &*panel.title).collect(),
            values: self.panels.iter().map(values).collect(),
            value_label: &self.value_label,
            n_columns: self.n_columns,
            sharing: self.sharing,
            row_height: 26.0,
            header: 0.0,
        }
        .place();
        let mut svg = layout.begin();
        for (panel_index, panel) in self.panels.iter().enumerate() {
            svg.clipped(layout.frame(panel_index), |svg| {
                for row in &panel.rows {
                    let row_index = labels.iter().position(|label| *label == row.label);
                    let row_index = row_index.expect("labels are those of the rows");
                    let place = (panel_index, row_index);
                    draw_interval(svg, &layout, place, row.estimate, styles[row_index].colour);
                }
            });
        }
        svg.finish(&self.title, &self.description)
    }
}

fn draw_interval(
    svg: &mut Svg,
    layout: &RowLayout,
    (panel, row): (usize, usize),
    estimate: Estimate,
    colour: &str,
) {
    let axis = layout.axis(panel);
    let middle = layout.row_middle(panel, row);
    let half = 8.0_f64.min(layout.row_height() * 0.35);
    if let (Some(low), Some(high)) = (axis.place(estimate.low), axis.place(estimate.high)) {
        // An interval of no length is still seen.
        let width = (high - low).max(1.5);
        let bar = Frame { x: low, y: middle - half, width, height: 2.0 * half };
        svg.rectangle(bar, Paint::fill(colour).faded(0.75));
    }
    if let Some(x) = axis.place(estimate.point) {
        // The white edge sets the line off from a black bar.
        for line in [Paint::stroke("#ffffff", 4.0), Paint::stroke(INK, 2.0)] {
            svg.line((x, middle - half - 2.5), (x, middle + half + 2.5), line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::well_formed::check_figure;

    fn figure(labels: &[&str], estimate: Estimate) -> IntervalFigure {
        let rows = labels.iter().map(|label| IntervalRow { label: label.to_string(), estimate });
        let panel =
            |title: &str, rows| IntervalPanel { title: title.to_owned(), value_limits: None, rows };
        IntervalFigure {
            title: "title".to_owned(),
            description: "description".to_owned(),
            value_label: "R²".to_owned(),
            n_columns: 2,
            sharing: Sharing::All,
            panels: vec![panel("IQM", rows.collect()), panel("median", Vec::new())],
        }
    }

    #[test]
    fn every_label_is_in_the_figure() {
        let estimate = Estimate { point: 0.5, low: 0.4, high: 0.6 };
        let labels =
            ["Node", "#CS", "<x>", "a long label that does not fit into one line of labels"];
        let svg = figure(&labels, estimate).draw();
        check_figure(&svg, &labels);
        check_figure(&svg, &["IQM", "median", "R²"]);
        assert_eq!(svg, figure(&labels, estimate).draw());
    }

    #[test]
    fn missing_and_equal_values_are_no_fault() {
        for value in [f64::NAN, f64::INFINITY, 0.0, -1e305, 0.7] {
            let estimate = Estimate { point: value, low: value, high: value };
            check_figure(&figure(&["Node"], estimate).draw(), &["Node"]);
        }
        check_figure(&figure(&[], Estimate { point: 0.0, low: 0.0, high: 0.0 }).draw(), &[]);
    }
}
