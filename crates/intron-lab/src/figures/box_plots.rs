//! Box plots: one row per setting, one panel per problem; box, median, whiskers and the values beyond them.

use super::axes::{Axis, PanelValues, Sharing};
use super::palette::{Marker, styles_of};
use super::panels::distinct;
use super::row_panels::RowPanels;
use super::svg::{Frame, INK, Paint, Svg};

/// Box plots in one or more panels.
#[derive(Debug, Clone)]
pub struct BoxPlotFigure {
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
    pub panels: Vec<BoxPlotPanel>,
}

/// The boxes of one problem.
#[derive(Debug, Clone)]
pub struct BoxPlotPanel {
    /// Stands above the panel.
    pub title: String,
    /// Lowest and highest value; without them, every value fits. Outliers beyond are triangles at the edge.
    pub value_limits: Option<(f64, f64)>,
    /// One box per setting.
    pub boxes: Vec<BoxPlot>,
}

/// The values of one setting in short.
#[derive(Debug, Clone)]
pub struct BoxPlot {
    /// Label of the setting.
    pub label: String,
    /// End of the lower whisker.
    pub low_whisker: f64,
    /// Lower end of the box.
    pub first_quartile: f64,
    /// Line in the box.
    pub median: f64,
    /// Upper end of the box.
    pub third_quartile: f64,
    /// End of the upper whisker.
    pub high_whisker: f64,
    /// Values beyond the whiskers.
    pub outliers: Vec<f64>,
}

impl BoxPlotFigure {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        let boxes = self.panels.iter().flat_map(|panel| &panel.boxes);
        let labels = distinct(boxes.map(|one| &*one.label));
        let styles = styles_of(&labels);
        let values = |panel: &BoxPlotPanel| PanelValues {
            limits: panel.value_limits,
            values: panel.boxes.iter().flat_map(BoxPlot::values).collect(),
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
        for (index, panel) in self.panels.iter().enumerate() {
            let axis = layout.axis(index);
            svg.clipped(layout.frame(index), |svg| {
                for one in &panel.boxes {
                    let row = labels.iter().position(|label| *label == one.label);
                    let row = row.expect("labels are those of the boxes");
                    let middle = layout.row_middle(index, row);
                    one.draw(svg, &axis, middle, styles[row].colour);
                }
            });
        }
        svg.finish(&self.title, &self.description)
    }
}

impl BoxPlot {
    fn values(&self) -> Vec<f64> {
        let summary = [self.low_whisker, self.first_quartile, self.median, self.third_quartile];
        summary
            .into_iter()
            .chain([self.high_whisker])
            .chain(self.outliers.iter().copied())
            .collect()
    }

    fn draw(&self, svg: &mut Svg, axis: &Axis, middle: f64, colour: &str) {
        const HALF: f64 = 7.5;
        let whiskers =
            [(self.low_whisker, self.first_quartile), (self.high_whisker, self.third_quartile)];
        for (end, quartile) in whiskers {
            if let (Some(end), Some(quartile)) = (axis.place(end), axis.place(quartile)) {
                let line = Paint::stroke(INK, 1.0);
                svg.line((end, middle), (quartile, middle), line);
                svg.line((end, middle - 4.0), (end, middle + 4.0), line);
            }
        }
        let quartiles = (axis.place(self.first_quartile), axis.place(self.third_quartile));
        if let (Some(first), Some(third)) = quartiles {
            let width = (third - first).max(1.0);
            let frame = Frame { x: first, y: middle - HALF, width, height: 2.0 * HALF };
            svg.rectangle(frame, Paint::fill("#ffffff"));
            svg.rectangle(frame, Paint::fill(colour).faded(0.7));
            svg.rectangle(frame, Paint::stroke(INK, 1.0));
        }
        if let Some(x) = axis.place(self.median) {
            // The white edge sets the line off from a black box.
            for line in [Paint::stroke("#ffffff", 4.5), Paint::stroke(INK, 2.2)] {
                svg.line((x, middle - HALF), (x, middle + HALF), line);
            }
        }
        for &value in &self.outliers {
            self.draw_outlier(svg, axis, (value, middle), colour);
        }
    }

    fn draw_outlier(&self, svg: &mut Svg, axis: &Axis, (value, middle): (f64, f64), colour: &str) {
        let paint = Paint::stroke(colour, 1.3).filled("#ffffff");
        if axis.contains(value) {
            if let Some(x) = axis.place(value) {
                svg.disc((x, middle), 2.6, paint);
            }
        } else if value > axis.high {
            let at = (axis.end - 6.0, middle);
            svg.marker(Marker::TriangleRight, at, 3.8, Paint::fill(colour));
        } else if value < axis.low {
            let at = (axis.start + 6.0, middle);
            svg.marker(Marker::TriangleLeft, at, 3.8, Paint::fill(colour));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::well_formed::check_figure;

    fn figure(median: f64, outliers: &[f64], value_limits: Option<(f64, f64)>) -> String {
        let one = |label: &str| BoxPlot {
            label: label.to_owned(),
            low_whisker: median - 0.2,
            first_quartile: median - 0.1,
            median,
            third_quartile: median + 0.1,
            high_whisker: median + 0.2,
            outliers: outliers.to_vec(),
        };
        let panel = |title: &str| BoxPlotPanel {
            title: title.to_owned(),
            value_limits,
            boxes: vec![one("Node"), one("MI & more")],
        };
        BoxPlotFigure {
            title: "title".to_owned(),
            description: "description".to_owned(),
            value_label: "R²".to_owned(),
            n_columns: 3,
            sharing: Sharing::Separate,
            panels: vec![panel("Airfoil"), panel("Tower")],
        }
        .draw()
    }

    #[test]
    fn every_label_is_in_the_figure() {
        let svg = figure(0.5, &[0.1, 0.9], None);
        check_figure(&svg, &["Node", "MI & more", "Airfoil", "Tower", "R²"]);
        assert_eq!(svg.matches("<circle").count(), 8);
        assert_eq!(svg, figure(0.5, &[0.1, 0.9], None));
    }

    #[test]
    fn outliers_beyond_the_limits_stand_at_the_edge() {
        let svg = figure(0.5, &[-100.0, 0.4, 100.0], Some((0.0, 1.0)));
        check_figure(&svg, &["Node"]);
        assert_eq!(svg.matches("<circle").count(), 4);
    }

    #[test]
    fn missing_values_are_no_fault() {
        check_figure(&figure(f64::NAN, &[f64::NAN, f64::NEG_INFINITY], None), &["Node"]);
    }
}
