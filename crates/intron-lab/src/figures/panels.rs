//! Panels in a grid, each below its title.

use super::axes::Sharing;
use super::lettering::{LINE, TITLE, wrap};
use super::svg::{Frame, Letters, Svg};

/// Width of a figure: a page of 900 units less a margin.
pub(super) const FIGURE_WIDTH: f64 = 860.0;

/// A figure of panels in a grid.
#[derive(Debug, Clone)]
pub struct PanelFigure<P> {
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
    pub panels: Vec<P>,
}

impl<P> PanelFigure<P> {
    pub(super) fn width(&self) -> f64 {
        figure_width(self.n_columns, self.panels.len())
    }
}

/// Room around and between panels, for the numbers and labels of their axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spacing {
    pub(super) top: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    /// Between two columns.
    pub(super) across: f64,
    /// Below the panels of every row but the last.
    pub(super) down: f64,
}

/// The frames of all panels, row by row.
pub(super) struct Grid {
    pub(super) n_columns: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) height: f64,
    titles: Vec<Vec<String>>,
}

impl Grid {
    /// Divides the width; `panel_height` says how high a panel of a given width is.
    pub(super) fn new(
        titles: &[&str],
        n_columns: usize,
        width: f64,
        spacing: Spacing,
        panel_height: impl FnOnce(f64) -> f64,
    ) -> Grid {
        let n_columns = n_columns_within(n_columns, titles.len());
        let inner = width - spacing.left - spacing.right - spacing.across * (n_columns - 1) as f64;
        let panel_width = inner / n_columns as f64;
        let height = panel_height(panel_width);
        let titles: Vec<Vec<String>> =
            titles.iter().map(|title| wrap(title, TITLE, panel_width * 0.95)).collect();
        let n_lines = titles.iter().map(Vec::len).max().unwrap_or(1);
        let has_titles = titles.iter().flatten().any(|line| !line.is_empty());
        let header = if has_titles { n_lines as f64 * TITLE * LINE + 6.0 } else { 6.0 };
        let n_rows = titles.len().div_ceil(n_columns).max(1);
        let row_height = header + height + spacing.down;
        let frame = |index: usize| Frame {
            x: spacing.left + (index % n_columns) as f64 * (panel_width + spacing.across),
            y: spacing.top + (index / n_columns) as f64 * row_height + header,
            width: panel_width,
            height,
        };
        Grid {
            n_columns,
            frames: (0..titles.len()).map(frame).collect(),
            height: spacing.top + n_rows as f64 * row_height - spacing.down + spacing.bottom,
            titles,
        }
    }

    pub(super) fn draw_titles(&self, svg: &mut Svg) {
        for (frame, lines) in self.frames.iter().zip(&self.titles) {
            let middle = frame.y - 6.0 - lines.len() as f64 * TITLE * LINE / 2.0;
            let at = (frame.x + frame.width / 2.0, middle);
            svg.text_lines(at, lines, &lines.join(" "), Letters::title());
        }
    }

    /// True if no panel stands below this one.
    pub(super) fn is_lowest(&self, index: usize) -> bool {
        index + self.n_columns >= self.frames.len()
    }
}

/// At least one column, and no more than there are panels.
pub(super) fn n_columns_within(n_columns: usize, n_panels: usize) -> usize {
    n_columns.clamp(1, n_panels.max(1))
}

/// The figure is narrower when it has but one column, so that a panel is not stretched.
pub(super) fn figure_width(n_columns: usize, n_panels: usize) -> f64 {
    if n_columns_within(n_columns, n_panels) == 1 { 640.0 } else { FIGURE_WIDTH }
}

/// Labels without repetition, in the order in which they first appear.
pub(super) fn distinct<'a>(labels: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for label in labels {
        if !distinct.contains(&label) {
            distinct.push(label);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: Spacing =
        Spacing { top: 0.0, left: 10.0, right: 10.0, bottom: 20.0, across: 20.0, down: 30.0 };

    #[test]
    fn panels_fill_the_width_row_by_row() {
        let grid = Grid::new(&["a", "b", "c"], 2, 240.0, SPACING, |width| width / 2.0);
        assert_eq!(grid.frames[1].x, 130.0);
        assert_eq!(grid.frames[1].right(), 230.0);
        assert_eq!(grid.frames[2].x, grid.frames[0].x);
        assert_eq!(grid.frames[2].bottom() + 20.0, grid.height);
        assert!(grid.is_lowest(1) && grid.is_lowest(2) && !grid.is_lowest(0));
    }

    #[test]
    fn no_panels_and_no_columns_are_no_fault() {
        let grid = Grid::new(&[], 0, 240.0, SPACING, |width| width);
        assert!(grid.frames.is_empty() && grid.height > 0.0);
    }
}
