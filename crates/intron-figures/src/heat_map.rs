//! Heat maps of similarity matrices: a row per measure with its own colour scale, a column per generation (figure 7 of
//! the paper). Positions are breadth-first, so ticks mark the levels of the template.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::axes::{Axis, Scale, extent_of, is_drawable};
use crate::colour_scale::sequential;
use crate::lettering::{LINE, NORMAL, SMALL, width_of, wrap};
use crate::svg::{Anchor, Frame, Inks, Letters, Paint, Svg};

/// Matrices in rows and columns.
#[derive(Debug, Clone)]
pub struct HeatMapFigure {
    /// What the figure is, for readers who do not see it.
    pub title: String,
    /// What the figure shows, for readers who do not see it.
    pub description: String,
    /// Stand above the columns, such as "generation 5".
    pub column_titles: Vec<String>,
    /// Number of positions of each level of the template, root first: 1, 2, 4, …
    pub level_sizes: Vec<usize>,
    /// The rows from the top.
    pub rows: Vec<HeatMapRow>,
}

/// The matrices of one measure. They share one colour scale.
#[derive(Debug, Clone)]
pub struct HeatMapRow {
    /// Stands on the left.
    pub label: String,
    /// Values of the darkest and the lightest colour; without them, every value fits.
    pub value_limits: Option<(f64, f64)>,
    /// One matrix per column; nothing where a run had ended before.
    pub matrices: Vec<Option<Matrix>>,
}

/// A square matrix.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Number of rows and columns.
    pub n_positions: usize,
    /// Values row by row. One that is not finite is grey and has no part in the scale: so may be the diagonal.
    pub values: Vec<f64>,
}

/// Number of different colours. A large matrix has cells of about a pixel and fewer colours, so that neighbours more
/// often share one and the file stays small.
const N_COLOURS: usize = 48;
const N_COLOURS_OF_LARGE: usize = 16;
const LARGE: usize = 64;

const MISSING: &str = "#d9d9d9";
/// Wider than other figures: four columns of 31 positions then have cells of 5 units.
const WIDEST: f64 = 880.0;
const GAP: f64 = 24.0;
const LABEL_WIDTH: f64 = 90.0;

/// Where the matrices stand.
struct Layout {
    left: f64,
    top: f64,
    side: f64,
}

impl Layout {
    fn frame(&self, row: usize, column: usize) -> Frame {
        Frame {
            x: self.left + column as f64 * (self.side + GAP),
            y: self.top + row as f64 * (self.side + GAP),
            width: self.side,
            height: self.side,
        }
    }
}

impl HeatMapFigure {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        self.draw_with(Inks::PRINTED)
    }

    /// Draws the figure with these inks.
    pub fn draw_with(&self, inks: Inks) -> String {
        let labels: Vec<Vec<String>> =
            self.rows.iter().map(|row| wrap(&row.label, NORMAL, LABEL_WIDTH)).collect();
        let widths = labels.iter().flatten().map(|line| width_of(line, NORMAL));
        let n_columns = self.n_columns();
        let left = widths.fold(0.0, f64::max) + 28.0;
        let bar_room = 66.0;
        let room = WIDEST - left - bar_room - GAP * (n_columns - 1) as f64;
        let side = self.whole_cells((room / n_columns as f64).min(260.0));
        let heads: Vec<Vec<String>> =
            self.column_titles.iter().map(|title| wrap(title, NORMAL, side + GAP - 6.0)).collect();
        let n_lines = heads.iter().map(Vec::len).max().unwrap_or(0);
        let head_height = n_lines as f64 * NORMAL * LINE;
        let layout = Layout { left, top: head_height + 12.0, side };
        let width = left + n_columns as f64 * (side + GAP) - GAP + bar_room;
        let n_rows = self.rows.len().max(1);
        let height = layout.top + n_rows as f64 * (side + GAP) + 18.0;
        let mut svg = Svg::with_inks(width, height, inks);
        for (column, lines) in heads.iter().enumerate().take(n_columns) {
            let frame = layout.frame(0, column);
            let at = (frame.x + side / 2.0, 6.0 + head_height / 2.0);
            svg.text_lines(at, lines, &self.column_titles[column], Letters::normal(Anchor::Middle));
        }
        for (index, row) in self.rows.iter().enumerate() {
            let frame = layout.frame(index, 0);
            let at = (frame.x - 22.0, frame.y + side / 2.0);
            let letters = Letters::normal(Anchor::End).bold();
            svg.text_lines(at, &labels[index], &row.label, letters);
            self.draw_row(&mut svg, &layout, index);
        }
        let at = (left + (width - left - bar_room) / 2.0, height - 8.0);
        svg.text(
            at,
            "level of the template",
            Letters::small(Anchor::Middle).coloured(svg.inks().faint),
        );
        svg.finish(&self.title, &self.description)
    }

    fn n_columns(&self) -> usize {
        let longest = self.rows.iter().map(|row| row.matrices.len()).max().unwrap_or(0);
        longest.max(self.column_titles.len()).max(1)
    }

    /// The largest side at which a cell is a whole number of units, so that all cells look equally large.
    fn whole_cells(&self, side: f64) -> f64 {
        let matrices = self.rows.iter().flat_map(|row| row.matrices.iter().flatten());
        let largest = matrices.map(|matrix| matrix.n_positions).max().unwrap_or(1).max(1) as f64;
        let cell = side / largest;
        if cell >= 3.0 { cell.floor() * largest } else { side }
    }

    fn draw_row(&self, svg: &mut Svg, layout: &Layout, index: usize) {
        let row = &self.rows[index];
        let limits = row.limits();
        for column in 0..self.n_columns() {
            let frame = layout.frame(index, column);
            match row.matrices.get(column) {
                Some(Some(matrix)) if matrix.n_positions > 0 => {
                    matrix.draw(svg, frame, limits);
                    self.draw_levels(svg, frame, matrix.n_positions);
                    svg.rectangle(frame, Paint::stroke(svg.inks().frame, 1.0));
                }
                Some(_) => draw_absent(svg, frame),
                None => {}
            }
        }
        let last = row.matrices.len().max(1) - 1;
        draw_colour_bar(svg, layout.frame(index, last), limits);
    }

    /// Ticks between the levels, and the number of each level where there is room for it.
    fn draw_levels(&self, svg: &mut Svg, frame: Frame, n_positions: usize) {
        if self.level_sizes.iter().sum::<usize>() != n_positions {
            return;
        }
        let cell = frame.width / n_positions as f64;
        let mut ends = vec![0.0];
        for size in &self.level_sizes {
            ends.push(ends[ends.len() - 1] + *size as f64 * cell);
        }
        let tick = Paint::stroke(svg.inks().frame, 1.0);
        for end in &ends {
            let (x, y) = (frame.x + end, frame.y + end);
            svg.line((x, frame.bottom()), (x, frame.bottom() + 4.0), tick);
            svg.line((frame.x - 4.0, y), (frame.x, y), tick);
        }
        // From the leaves up: the levels near the root are too narrow for a number in a high template.
        let mut free_until = f64::INFINITY;
        for level in (0..self.level_sizes.len()).rev() {
            let middle = (ends[level] + ends[level + 1]) / 2.0;
            let number = (level + 1).to_string();
            let half = width_of(&number, SMALL) / 2.0;
            if middle + half + 3.0 > free_until {
                break;
            }
            free_until = middle - half;
            let letters = Letters::small(Anchor::Middle).coloured(svg.inks().faint);
            svg.text((frame.x + middle, frame.bottom() + 14.0), &number, letters);
            let letters = Letters::small(Anchor::End).coloured(svg.inks().faint);
            // A line of text is higher than wide; the lowest levels need more room.
            if middle > SMALL || level == 0 && cell > SMALL {
                let at = (frame.x - 6.0, frame.y + middle + SMALL * 0.35);
                svg.text(at, &number, letters);
            }
        }
    }
}

impl HeatMapRow {
    fn limits(&self) -> (f64, f64) {
        if let Some((low, high)) = self.value_limits.filter(|(low, high)| low < high)
            && is_drawable(low, Scale::Linear)
            && is_drawable(high, Scale::Linear)
        {
            return (low, high);
        }
        let values = self.matrices.iter().flatten().flat_map(|matrix| &matrix.values);
        extent_of(values.copied(), Scale::Linear).unwrap_or((0.0, 0.0))
    }
}

impl Matrix {
    /// One path per colour: runs of cells of one colour are one stroke, and the commonest colour is the background.
    fn draw(&self, svg: &mut Svg, frame: Frame, (low, high): (f64, f64)) {
        let n_colours = if self.n_positions > LARGE { N_COLOURS_OF_LARGE } else { N_COLOURS };
        let colour_of = |value: f64| {
            let fraction = if high > low { (value - low) / (high - low) } else { 0.0 };
            let step = (fraction.clamp(0.0, 1.0) * n_colours as f64) as usize;
            is_drawable(value, Scale::Linear).then_some(step.min(n_colours - 1))
        };
        let n = self.n_positions;
        let cells: Vec<Option<usize>> = (0..n * n)
            .map(|index| self.values.get(index).and_then(|value| colour_of(*value)))
            .collect();
        let mut counts: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        cells.iter().for_each(|cell| *counts.entry(*cell).or_default() += 1);
        let commonest = counts.iter().max_by_key(|entry| entry.1).and_then(|entry| *entry.0);
        let text_of = |cell: Option<usize>| {
            let fraction = |step| step as f64 / (n_colours - 1) as f64;
            cell.map_or(MISSING.to_owned(), |step| sequential(fraction(step)))
        };
        svg.rectangle(frame, Paint::fill(&text_of(commonest)));
        let mut paths = paths_of_colours(&cells, n);
        paths.remove(&commonest);
        for (cell, data) in &paths {
            svg.cells(data, &text_of(*cell), (frame.x, frame.y), frame.width / n as f64);
        }
    }
}

/// Path data for each colour, in units of cells, each run of equal cells as one stroke of width 1. Moves are relative:
/// that is shorter.
fn paths_of_colours(cells: &[Option<usize>], n: usize) -> BTreeMap<Option<usize>, String> {
    // The data so far and where its pen is: column and row.
    let mut paths: BTreeMap<Option<usize>, (String, (i64, i64))> = BTreeMap::new();
    for (row, line) in cells.chunks(n).enumerate() {
        let mut column = 0;
        for run in line.chunk_by(|a, b| a == b) {
            let (data, pen) = paths.entry(run[0]).or_default();
            let (x, y) = (column as i64, row as i64);
            // Strokes lie in the middle of a row, hence the half at the beginning.
            let _ = if data.is_empty() {
                write!(data, "M{x} {y}.5h{}", run.len())
            } else {
                write!(data, "m{} {}h{}", x - pen.0, y - pen.1, run.len())
            };
            *pen = (x + run.len() as i64, y);
            column += run.len();
        }
    }
    paths.into_iter().map(|(cell, (data, _))| (cell, data)).collect()
}

fn draw_absent(svg: &mut Svg, frame: Frame) {
    svg.rectangle(frame, Paint::stroke(svg.inks().frame, 1.0).filled("#fafafa").dashed("3 3"));
    let at = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    svg.text(at, "none", Letters::small(Anchor::Middle).coloured(svg.inks().faint));
}

fn draw_colour_bar(svg: &mut Svg, beside: Frame, (low, high): (f64, f64)) {
    const N_STEPS: usize = 32;
    let bar = Frame { x: beside.right() + 12.0, width: 12.0, ..beside };
    let axis = Axis { scale: Scale::Linear, low, high, start: bar.bottom(), end: bar.y };
    for index in 0..N_STEPS {
        let step = bar.height / N_STEPS as f64;
        let colour = sequential(index as f64 / (N_STEPS - 1) as f64);
        // A little higher than a step, so that no seam shows; the next one covers it.
        let y = bar.bottom() - (index + 1) as f64 * step;
        let height = if index == 0 { step } else { step + 0.5 };
        svg.rectangle(Frame { y, height, ..bar }, Paint::fill(&colour));
    }
    svg.rectangle(bar, Paint::stroke(svg.inks().frame, 1.0));
    let ticks = if high > low { axis.ticks(5) } else { Vec::new() };
    for tick in &ticks {
        let Some(y) = axis.place(tick.at) else { continue };
        svg.line((bar.right(), y), (bar.right() + 4.0, y), Paint::stroke(svg.inks().frame, 1.0));
        let at = (bar.right() + 7.0, y + SMALL * 0.35);
        svg.text(at, &tick.label, Letters::small(Anchor::Start));
    }
    if ticks.is_empty() {
        let at = (bar.right() + 7.0, bar.bottom());
        svg.text(at, &format!("{low}"), Letters::small(Anchor::Start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::well_formed::check_figure;

    fn figure(height: u32, n_rows: usize, value: impl Fn(usize) -> f64) -> String {
        let n_positions = (1 << height) - 1;
        let matrix =
            Matrix { n_positions, values: (0..n_positions * n_positions).map(value).collect() };
        let row = |index: usize| HeatMapRow {
            label: format!("row <{index}>"),
            value_limits: None,
            matrices: vec![Some(matrix.clone()), None, Some(matrix.clone()), Some(matrix.clone())],
        };
        HeatMapFigure {
            title: "title".to_owned(),
            description: "description".to_owned(),
            column_titles: [0, 5, 10, 20].map(|index| format!("generation {index}")).into(),
            level_sizes: (0..height).map(|level| 1 << level).collect(),
            rows: (0..n_rows).map(row).collect(),
        }
        .draw()
    }

    fn scrambled(index: usize) -> f64 {
        ((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64
    }

    #[test]
    fn every_label_is_in_the_figure() {
        let svg = figure(5, 2, scrambled);
        check_figure(&svg, &["row <0>", "row <1>", "generation 0", "generation 20", "none"]);
        assert_eq!(svg, figure(5, 2, scrambled));
    }

    #[test]
    fn even_noise_makes_no_large_file() {
        assert!(figure(5, 4, scrambled).len() < 300_000);
        assert!(figure(7, 1, scrambled).len() < 400_000);
    }

    #[test]
    fn missing_and_equal_values_are_no_fault() {
        check_figure(&figure(3, 1, |_| f64::NAN), &["row <0>"]);
        check_figure(&figure(3, 1, |_| 0.25), &["0.25"]);
        check_figure(&figure(3, 1, |index| 1.0 / index as f64), &["row <0>"]);
        check_figure(&figure(1, 1, |_| 1.0), &["row <0>"]);
        check_figure(&figure(5, 0, scrambled), &["generation 5"]);
    }

    #[test]
    fn equal_neighbours_are_one_stroke() {
        let (a, b) = (Some(1), Some(2));
        let paths = paths_of_colours(&[a, a, b, b, a, a, b, b, b], 3);
        assert_eq!(paths[&a], "M0 0.5h2m-1 1h2");
        assert_eq!(paths[&b], "M2 0.5h1m-3 1h1m-1 1h3");
    }
}
