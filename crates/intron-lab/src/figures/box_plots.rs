//! Box plots: one row per setting, one panel per problem; box, median, whiskers and the values beyond them.

use super::axes::Axis;
use super::palette::Marker;
use super::panels::PanelFigure;
use super::row_panels::{Band, Row, RowPanel, draw_rows};
use super::svg::{Frame, INK, Paint, Svg};

/// Box plots in one or more panels.
pub type BoxPlotFigure = PanelFigure<BoxPlotPanel>;

/// The boxes of one problem. Outliers beyond its limits are triangles at the edge.
pub type BoxPlotPanel = RowPanel<BoxPlot>;

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
        draw_rows(self, 26.0, (0.0, &|_| {}))
    }
}

impl Row for BoxPlot {
    fn label(&self) -> &str {
        &self.label
    }

    fn values(&self) -> Vec<f64> {
        let summary = [self.low_whisker, self.first_quartile, self.median, self.third_quartile];
        summary
            .into_iter()
            .chain([self.high_whisker])
            .chain(self.outliers.iter().copied())
            .collect()
    }

    fn draw(&self, svg: &mut Svg, axis: &Axis, Band { middle, .. }: Band, colour: &str) {
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
            draw_outlier(svg, axis, (value, middle), colour);
        }
    }
}

fn draw_outlier(svg: &mut Svg, axis: &Axis, (value, middle): (f64, f64), colour: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::axes::Sharing;
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
            rows: vec![one("Node"), one("MI & more")],
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
