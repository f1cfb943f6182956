//! Interval estimates: one row per setting, one panel per aggregate; the bar is the interval, the black line the point
//! (figure 5 of the paper; `plot_interval_estimates` of rliable).

use super::axes::Axis;
use super::estimate::Estimate;
use super::panels::PanelFigure;
use super::row_panels::{Band, Row, RowPanel, draw_rows};
use super::svg::{Frame, INK, Paint, Svg};

/// Intervals in one or more panels.
pub type IntervalFigure = PanelFigure<IntervalPanel>;

/// The intervals of one aggregate.
pub type IntervalPanel = RowPanel<IntervalRow>;

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
        draw_rows(self, 26.0, (0.0, &|_| {}))
    }
}

impl Row for IntervalRow {
    fn label(&self) -> &str {
        &self.label
    }

    fn values(&self) -> Vec<f64> {
        self.estimate.values().into_iter().collect()
    }

    fn draw(&self, svg: &mut Svg, axis: &Axis, Band { middle, height }: Band, colour: &str) {
        let estimate = self.estimate;
        let half = 8.0_f64.min(height * 0.35);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::axes::Sharing;
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
