//! Comparison of variants, such as operator sets: per problem and setting, the points of all variants next to each
//! other and joined, the first one filled.

use super::axes::Axis;
use super::estimate::Estimate;
use super::legend::Legend;
use super::palette::Marker;
use super::panels::PanelFigure;
use super::row_panels::{Band, Row, RowPanel, draw_rows};
use super::svg::{INK, Paint, Svg};

/// Paired points in one or more panels.
#[derive(Debug, Clone)]
pub struct ComparisonFigure {
    /// The panels and what they have in common.
    pub frame: PanelFigure<ComparisonPanel>,
    /// Names of the variants, in the order of the estimates in a row.
    pub variants: Vec<String>,
}

/// The points of one problem.
pub type ComparisonPanel = RowPanel<ComparisonRow>;

/// One setting under every variant.
#[derive(Debug, Clone)]
pub struct ComparisonRow {
    /// Label of the setting.
    pub label: String,
    /// One estimate per variant; nothing where it is missing.
    pub estimates: Vec<Option<Estimate>>,
}

/// Markers of the variants: each row has one colour, so the shape tells them apart.
const MARKERS: [Marker; 4] =
    [Marker::Circle, Marker::Square, Marker::TriangleUp, Marker::TriangleDown];

impl ComparisonFigure {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        let variants: Vec<&str> = self.variants.iter().map(String::as_str).collect();
        let legend = Legend::new(&variants, self.frame.width() - 20.0);
        let draw_legend = |svg: &mut Svg| {
            legend.draw(svg, (10.0, 4.0), |svg, at, index| draw_variant(svg, at, index, INK));
        };
        let row_height = 12.0 + 10.0 * self.variants.len().max(1) as f64;
        draw_rows(&self.frame, row_height, (legend.height(), &draw_legend))
    }
}

impl Row for ComparisonRow {
    fn label(&self) -> &str {
        &self.label
    }

    fn values(&self) -> Vec<f64> {
        self.estimates.iter().flatten().flat_map(Estimate::values).collect()
    }

    fn draw(&self, svg: &mut Svg, axis: &Axis, Band { middle, .. }: Band, colour: &str) {
        const STEP: f64 = 10.0;
        let top = middle - STEP * (self.estimates.len() as f64 - 1.0) / 2.0;
        let height = |index: usize| top + STEP * index as f64;
        let place = |(index, estimate): (usize, &Option<Estimate>)| {
            Some((axis.place((*estimate)?.point)?, height(index)))
        };
        let points: Vec<Option<(f64, f64)>> =
            self.estimates.iter().enumerate().map(place).collect();
        for pair in points.windows(2) {
            if let [Some(a), Some(b)] = pair {
                svg.line(*a, *b, Paint::stroke(colour, 1.2).dashed("2 2"));
            }
        }
        for (index, estimate) in self.estimates.iter().enumerate() {
            let Some(estimate) = estimate else { continue };
            let ends = (axis.place(estimate.low), axis.place(estimate.high));
            if let (Some(low), Some(high)) = ends {
                let line = Paint::stroke(colour, 2.2).faded(0.75);
                svg.line((low, height(index)), (high, height(index)), line);
            }
            if let Some(at) = points[index] {
                draw_variant(svg, at, index, colour);
            }
        }
    }
}

fn draw_variant(svg: &mut Svg, at: (f64, f64), index: usize, colour: &str) {
    let fill = if index == 0 { colour } else { "#ffffff" };
    let marker = MARKERS[index % MARKERS.len()];
    svg.marker(marker, at, 3.8, Paint::stroke(colour, 1.6).filled(fill));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::axes::Sharing;
    use crate::figures::well_formed::check_figure;

    fn figure(estimates: &[Option<Estimate>]) -> String {
        let row =
            |label: &str| ComparisonRow { label: label.to_owned(), estimates: estimates.to_vec() };
        let panel = |title: &str| ComparisonPanel {
            title: title.to_owned(),
            value_limits: None,
            rows: vec![row("Node"), row("<x>")],
        };
        let frame = PanelFigure {
            title: "title".to_owned(),
            description: "description".to_owned(),
            value_label: "R²".to_owned(),
            n_columns: 2,
            sharing: Sharing::Row,
            panels: vec![panel("Airfoil"), panel("Tower")],
        };
        let variants = vec!["small set".to_owned(), "large & set".to_owned()];
        ComparisonFigure { frame, variants }.draw()
    }

    #[test]
    fn every_label_is_in_the_figure() {
        let estimate = |point| Some(Estimate { point, low: point - 0.1, high: point + 0.1 });
        let svg = figure(&[estimate(0.5), estimate(0.6)]);
        check_figure(&svg, &["Node", "<x>", "small set", "large & set", "Airfoil", "Tower", "R²"]);
        assert_eq!(svg, figure(&[estimate(0.5), estimate(0.6)]));
    }

    #[test]
    fn missing_and_equal_values_are_no_fault() {
        let nothing = Some(Estimate { point: f64::NAN, low: f64::NAN, high: f64::INFINITY });
        let same = Some(Estimate { point: 0.5, low: 0.5, high: 0.5 });
        for estimates in [&[][..], &[None, None], &[nothing, same], &[same, same], &[same; 5]] {
            check_figure(&figure(estimates), &["Node"]);
        }
    }
}
