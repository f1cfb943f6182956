//! Convergence: curves with bands over evaluations or seconds, panels in a grid, one legend for all (figures 4 and 6
//! of the paper, per problem in its supplement).

use super::axes::{
    Axis, PanelValues, Scale, draw_horizontal_axis, draw_vertical_axis, draw_vertical_label,
    extent_of, limits_of, limits_of_panels, n_vertical_ticks,
};
use super::legend::{Legend, draw_line_sample, draw_point};
use super::lettering::{NORMAL, SMALL, widest};
use super::palette::{Marker, Style, styles_of};
use super::panels::{Grid, PanelFigure, Spacing, distinct, n_columns_within};
use super::svg::{Anchor, FRAME_LINE, Frame, INK, Letters, Outline, Paint, Svg};

/// Curves in one or more panels.
pub type ConvergenceFigure = PanelFigure<ConvergencePanel>;

/// One pair of axes with its curves.
#[derive(Debug, Clone)]
pub struct ConvergencePanel {
    /// Stands above the panel.
    pub title: String,
    /// What the horizontal axis is, with its unit: evaluations or seconds.
    pub effort_label: String,
    /// Scale of the horizontal axis.
    pub effort_scale: Scale,
    /// Lowest and highest value; without them, every value fits.
    pub value_limits: Option<(f64, f64)>,
    /// Where a vertical line marks the budget.
    pub budget: Option<f64>,
    /// The curves; their labels choose their colours.
    pub curves: Vec<Curve>,
}

/// One setting over the effort spent.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Label of the setting.
    pub label: String,
    /// The points by growing effort. A point with a value that is not finite leaves a gap.
    pub points: Vec<CurvePoint>,
    /// Where a cross marks the curve, such as the time at which the first run was finished.
    pub cross: Option<f64>,
    /// Whether a thin horizontal line shows the last value over the whole width.
    pub has_final_line: bool,
}

/// The middle of a curve at one effort, and its band.
#[derive(Debug, Clone, Copy)]
pub struct CurvePoint {
    /// Evaluations or seconds.
    pub effort: f64,
    /// The curve itself.
    pub middle: f64,
    /// Lower edge of the band.
    pub low: f64,
    /// Upper edge of the band.
    pub high: f64,
}

/// Distance of the markers on a curve, in user units.
const MARKER_DISTANCE: f64 = 90.0;

/// Points closer than this, in user units, are left out: no eye would see them.
const FINEST: f64 = 1.5;

impl ConvergenceFigure {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        let n_columns = n_columns_within(self.n_columns, self.panels.len());
        let values: Vec<PanelValues> = self
            .panels
            .iter()
            .map(|panel| PanelValues { limits: panel.value_limits, values: panel.values() })
            .collect();
        let limits = limits_of_panels(&values, n_columns, self.sharing);
        let labels =
            distinct(self.panels.iter().flat_map(|panel| &panel.curves).map(|curve| &*curve.label));
        let styles = styles_of(&labels);
        let width = self.width();
        let legend = Legend::new(&labels, width - 20.0);
        let grid = self.grid(width, &limits, legend.height());
        let mut svg = Svg::new(width, grid.height);
        legend
            .draw(&mut svg, (10.0, 6.0), |svg, at, index| draw_line_sample(svg, at, styles[index]));
        grid.draw_titles(&mut svg);
        for (index, panel) in self.panels.iter().enumerate() {
            let frame = grid.frames[index];
            if index % n_columns == 0 {
                let middle = frame.y + frame.height / 2.0;
                draw_vertical_label(&mut svg, 4.0, middle, &self.value_label);
            }
            let below = self.panels.get(index + n_columns);
            let is_repeated = below.is_some_and(|below| below.effort_label == panel.effort_label);
            if !is_repeated || grid.is_lowest(index) {
                let at = (frame.x + frame.width / 2.0, frame.bottom() + 34.0);
                svg.text(at, &panel.effort_label, Letters::normal(Anchor::Middle));
            }
            panel.draw(&mut svg, frame, limits[index], &labels, &styles);
        }
        svg.finish(&self.title, &self.description)
    }

    fn grid(&self, width: f64, limits: &[(f64, f64)], legend_height: f64) -> Grid {
        let titles: Vec<&str> = self.panels.iter().map(|panel| &*panel.title).collect();
        // The height is not known yet; the widest label hardly depends on it.
        let number_width = |&(low, high): &(f64, f64)| {
            let axis = Axis { scale: Scale::Linear, low, high, start: 0.0, end: 1.0 };
            let ticks = axis.ticks(n_vertical_ticks(200.0));
            widest(ticks.iter().map(|tick| &*tick.label), SMALL)
        };
        let numbers = limits.iter().map(number_width).fold(20.0, f64::max) + 10.0;
        let has_mixed_efforts = distinct(self.panels.iter().map(|panel| &*panel.effort_label));
        let spacing = Spacing {
            top: 6.0 + legend_height,
            left: numbers + NORMAL + 10.0,
            right: 24.0,
            bottom: 44.0,
            across: numbers + 16.0,
            down: if has_mixed_efforts.len() > 1 { 52.0 } else { 38.0 },
        };
        Grid::new(&titles, self.n_columns, width, spacing, |panel| {
            (panel * 0.66).clamp(150.0, 360.0)
        })
    }
}

impl ConvergencePanel {
    /// All values that must fit if the limits are not given.
    fn values(&self) -> Vec<f64> {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        points.flat_map(|point| [point.middle, point.low, point.high]).collect()
    }

    fn draw(
        &self,
        svg: &mut Svg,
        frame: Frame,
        limits: (f64, f64),
        labels: &[&str],
        styles: &[Style],
    ) {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let drawn = points.filter(|point| point.middle.is_finite()).map(|point| point.effort);
        let scale = self.effort_scale;
        let efforts: Vec<f64> = drawn.chain(self.budget).collect();
        // Curves reach from edge to edge, without the room that limits leave.
        let extent = extent_of(efforts.iter().copied(), scale).filter(|extent| extent.0 < extent.1);
        let (low, high) = extent.unwrap_or_else(|| limits_of(efforts, scale));
        let across = Axis { scale, low, high, start: frame.x, end: frame.right() };
        let (low, high) = limits;
        let up = Axis { scale: Scale::Linear, low, high, start: frame.bottom(), end: frame.y };
        draw_horizontal_axis(svg, frame, &across);
        draw_vertical_axis(svg, frame, &up);
        svg.clipped(frame, |svg| {
            if let Some(x) = self.budget.and_then(|budget| across.place(budget)) {
                let line = Paint::stroke(INK, 1.0).dashed("3 3");
                svg.line((x, frame.y), (x, frame.bottom()), line);
            }
            let style_of_curve = |curve: &Curve| {
                let found = labels.iter().position(|label| *label == curve.label);
                styles[found.expect("labels are those of the curves")]
            };
            for curve in &self.curves {
                curve.draw_band(svg, &across, &up, style_of_curve(curve));
            }
            for (index, curve) in self.curves.iter().enumerate() {
                let shift = (index as f64 + 0.5) / self.curves.len() as f64;
                curve.draw_line(svg, &across, &up, style_of_curve(curve), shift);
            }
        });
        svg.rectangle(frame, Paint::stroke(FRAME_LINE, 1.0));
    }
}

impl Curve {
    fn draw_band(&self, svg: &mut Svg, across: &Axis, up: &Axis, style: Style) {
        let edges = |point: &CurvePoint| {
            let x = across.place(point.effort)?;
            Some((x, up.place(point.low)?, up.place(point.high)?))
        };
        for run in runs_without_gap(self.points.iter().map(edges), |edges| edges.0) {
            let mut outline = Outline::default();
            let there = run.iter().map(|&(x, low, _)| (x, low));
            let back = run.iter().rev().map(|&(x, _, high)| (x, high));
            for (index, at) in there.chain(back).enumerate() {
                if index == 0 { outline.start(at) } else { outline.continue_to(at) }
            }
            outline.close();
            svg.outline(&outline, Paint::fill(style.colour).faded(0.16));
        }
    }

    /// The line with its markers; `shift`, from 0 to 1, keeps the markers of different curves apart.
    fn draw_line(&self, svg: &mut Svg, across: &Axis, up: &Axis, style: Style, shift: f64) {
        let place =
            |point: &CurvePoint| Some((across.place(point.effort)?, up.place(point.middle)?));
        let placed: Vec<Option<(f64, f64)>> = self.points.iter().map(place).collect();
        let last = placed.iter().rev().flatten().next();
        if let Some(&(_, y)) = last.filter(|_| self.has_final_line) {
            let line = Paint::stroke(style.colour, 1.0).dashed("4 3").faded(0.8);
            svg.line((across.start, y), (across.end, y), line);
        }
        let mut outline = Outline::default();
        for run in runs_without_gap(placed.iter().copied(), |at| at.0) {
            outline.start(run[0]);
            run[1..].iter().for_each(|at| outline.continue_to(*at));
        }
        svg.outline(&outline, Paint::stroke(style.colour, 2.0).dashed(style.dash));
        let n_markers = ((across.end - across.start) / MARKER_DISTANCE).round().max(1.0);
        for index in 0..n_markers as usize {
            let fraction = (index as f64 + shift) / n_markers;
            let x = across.start + fraction * (across.end - across.start);
            if let Some(y) = height_at(&placed, x) {
                draw_point(svg, (x, y), style);
            }
        }
        if let Some(x) = self.cross.and_then(|effort| across.place(effort))
            && let Some(y) = height_at(&placed, x)
        {
            svg.marker(Marker::Cross, (x, y), 6.5, Paint::stroke("#ffffff", 5.0));
            svg.marker(Marker::Cross, (x, y), 6.0, Paint::stroke(style.colour, 2.5));
        }
    }
}

/// The height of a line at a place between two of its points; nothing in a gap and outside.
fn height_at(placed: &[Option<(f64, f64)>], x: f64) -> Option<f64> {
    placed.windows(2).find_map(|pair| {
        let (a, b) = (pair[0]?, pair[1]?);
        // The ends of an axis are rounded, so a place at its very end counts as on it.
        let is_between = a.0 <= x + 1e-6 && x <= b.0 + 1e-6 && a.0 < b.0;
        is_between.then(|| a.1 + (b.1 - a.1) * ((x - a.0) / (b.0 - a.0)).clamp(0.0, 1.0))
    })
}

/// Splits places at gaps, and leaves out those that are too close to the one before; the last of a run always stays.
fn runs_without_gap<T: Copy>(
    places: impl Iterator<Item = Option<T>>,
    horizontal: impl Fn(&T) -> f64,
) -> Vec<Vec<T>> {
    let mut runs: Vec<Vec<T>> = Vec::new();
    let mut run: Vec<T> = Vec::new();
    let mut skipped: Option<T> = None;
    for place in places.chain([None]) {
        match place {
            Some(at) => {
                let is_close =
                    run.last().is_some_and(|last| horizontal(&at) - horizontal(last) < FINEST);
                skipped = is_close.then_some(at);
                if !is_close {
                    run.push(at);
                }
            }
            None => {
                run.extend(skipped.take());
                if !run.is_empty() {
                    runs.push(std::mem::take(&mut run));
                }
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::axes::Sharing;
    use crate::figures::well_formed::check_figure;

    fn curve(label: &str, middles: &[f64]) -> Curve {
        let point = |(index, &middle): (usize, &f64)| CurvePoint {
            effort: 10_f64.powi(index as i32),
            middle,
            low: middle - 0.1,
            high: middle + 0.1,
        };
        let points = middles.iter().enumerate().map(point).collect();
        Curve { label: label.to_owned(), points, cross: Some(10.0), has_final_line: true }
    }

    fn panel(curves: Vec<Curve>, effort_scale: Scale) -> ConvergencePanel {
        ConvergencePanel {
            title: "height < 7".to_owned(),
            effort_label: "evaluations".to_owned(),
            effort_scale,
            value_limits: None,
            budget: Some(50.0),
            curves,
        }
    }

    fn figure(panels: Vec<ConvergencePanel>) -> ConvergenceFigure {
        ConvergenceFigure {
            title: "title".to_owned(),
            description: "description".to_owned(),
            value_label: "R²".to_owned(),
            n_columns: 2,
            sharing: Sharing::Row,
            panels,
        }
    }

    #[test]
    fn every_label_is_in_the_figure() {
        let curves = vec![curve("Node", &[0.1, 0.2, 0.3]), curve("a & b", &[0.2, 0.3, 0.4])];
        let scales = [Scale::Linear, Scale::Logarithmic, Scale::Linear];
        let panels = scales.map(|scale| panel(curves.clone(), scale));
        let svg = figure(panels.into()).draw();
        check_figure(&svg, &["Node", "a & b", "height < 7", "evaluations", "R²", "title"]);
        assert_eq!(svg, figure(scales.map(|scale| panel(curves.clone(), scale)).into()).draw());
    }

    #[test]
    fn missing_and_equal_values_are_no_fault() {
        let middles: [&[f64]; 5] =
            [&[], &[f64::NAN; 3], &[0.5; 4], &[0.1, f64::INFINITY, 0.3], &[0.7]];
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let panels = middles.map(|middles| panel(vec![curve("x", middles)], scale));
            check_figure(&figure(panels.into()).draw(), &["x"]);
        }
        check_figure(&figure(Vec::new()).draw(), &[]);
        check_figure(&figure(vec![panel(Vec::new(), Scale::Linear)]).draw(), &[]);
    }

    #[test]
    fn a_gap_parts_the_line_and_close_points_are_left_out() {
        let places = [Some(0.0), Some(1.0), Some(1.2), Some(5.0), None, Some(7.0), Some(7.1)];
        let runs = runs_without_gap(places.into_iter(), |place| *place);
        assert_eq!(runs, [vec![0.0, 5.0], vec![7.0, 7.1]]);
    }

    #[test]
    fn heights_between_points_lie_on_the_line() {
        let placed = [Some((0.0, 0.0)), Some((2.0, 4.0)), None, Some((6.0, 1.0))];
        assert_eq!(height_at(&placed, 1.0), Some(2.0));
        assert_eq!(height_at(&placed, 4.0), None);
    }
}
