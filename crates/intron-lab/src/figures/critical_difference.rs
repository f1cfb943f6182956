//! The critical-difference diagram: average ranks on an axis, bars join settings that do not differ (figure 8 of the
//! paper; Demšar 2006).

use super::axes::{Axis, Scale};
use super::lettering::{LINE, NORMAL, SMALL, minus, width_of, wrap};
use super::palette::{Style, styles_of};
use super::panels::FIGURE_WIDTH;
use super::svg::{Anchor, FAINT_INK, INK, Letters, Outline, Paint, Svg};

/// Average ranks and who does not differ from whom.
#[derive(Debug, Clone)]
pub struct CriticalDifferenceFigure {
    /// What the figure is, for readers who do not see it.
    pub title: String,
    /// What the figure shows, for readers who do not see it.
    pub description: String,
    /// The settings, in any order. A rank that is not finite is not drawn.
    pub ranks: Vec<AverageRank>,
    /// Two settings differ if their average ranks are further apart; not drawn if it is not finite.
    pub critical_difference: f64,
    /// Labels of settings of which no two differ; a bar joins those of each group.
    pub groups: Vec<Vec<String>>,
}

/// The average rank of one setting, 1 being the best.
#[derive(Debug, Clone)]
pub struct AverageRank {
    /// Label of the setting.
    pub label: String,
    /// Average over all problems and runs.
    pub rank: f64,
}

/// A setting with the place of its label.
struct Leader {
    lines: Vec<String>,
    label: String,
    rank: f64,
    style: Style,
    /// Height of the middle of the label.
    y: f64,
}

const LABEL_WIDTH: f64 = 170.0;
const AXIS_Y: f64 = 58.0;
const BAR_STEP: f64 = 9.0;

impl CriticalDifferenceFigure {
    /// Draws the figure.
    pub fn draw(&self) -> String {
        let mut ranks: Vec<&AverageRank> =
            self.ranks.iter().filter(|rank| rank.rank.is_finite()).collect();
        ranks.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        let bars = self.bars();
        let n_layers = bars.iter().map(|bar| bar.2 + 1).max().unwrap_or(0);
        let top = AXIS_Y + 22.0 + n_layers as f64 * BAR_STEP;
        let labels: Vec<&str> = ranks.iter().map(|rank| &*rank.label).collect();
        let styles = styles_of(&labels);
        let leaders = |chosen: &mut dyn Iterator<Item = usize>| {
            let mut y = top;
            let mut leaders = Vec::new();
            for index in chosen {
                let lines = wrap(&ranks[index].label, NORMAL, LABEL_WIDTH);
                let half = (lines.len() as f64 * NORMAL * LINE + 7.0) / 2.0;
                y += half;
                let (label, rank) = (ranks[index].label.clone(), ranks[index].rank);
                leaders.push(Leader { lines, label, rank, style: styles[index], y });
                y += half;
            }
            (leaders, y)
        };
        // The better half stands on the left, the best on top; on the right the worst on top, so that no lines cross.
        let n_left = ranks.len().div_ceil(2);
        let (left, left_end) = leaders(&mut (0..n_left));
        let (right, right_end) = leaders(&mut (n_left..ranks.len()).rev());
        let margin = |side: &[Leader]| {
            let widths = side.iter().flat_map(|leader| &leader.lines);
            widths.map(|line| width_of(line, NORMAL)).fold(60.0, f64::max) + 70.0
        };
        let axis = self.axis(margin(&left), FIGURE_WIDTH - margin(&right));
        let mut svg = Svg::new(FIGURE_WIDTH, left_end.max(right_end) + 10.0);
        draw_axis(&mut svg, &axis);
        self.draw_critical_difference(&mut svg, &axis);
        left.iter().for_each(|leader| leader.draw(&mut svg, &axis, axis.start, Anchor::End));
        right.iter().for_each(|leader| leader.draw(&mut svg, &axis, axis.end, Anchor::Start));
        for &(low, high, layer) in &bars {
            let y = AXIS_Y + 13.0 + layer as f64 * BAR_STEP;
            if let (Some(low), Some(high)) = (axis.place(low), axis.place(high)) {
                svg.line((low - 4.0, y), (high + 4.0, y), Paint::stroke(INK, 4.0));
            }
        }
        svg.finish(&self.title, &self.description)
    }

    /// Whole ranks that hold all ranks, and the critical difference if it is longer.
    fn axis(&self, start: f64, end: f64) -> Axis {
        let ranks = || self.ranks.iter().map(|rank| rank.rank).filter(|rank| rank.is_finite());
        let lowest = ranks().fold(f64::INFINITY, f64::min);
        let low = if lowest.is_finite() { lowest.floor() } else { 1.0 };
        let highest = ranks().fold(low + 1.0, f64::max);
        let needed =
            if self.critical_difference.is_finite() { self.critical_difference } else { 0.0 };
        Axis { scale: Scale::Linear, low, high: highest.max(low + needed).ceil(), start, end }
    }

    /// Lowest rank, highest rank and layer of each bar; bars of one layer do not touch.
    fn bars(&self) -> Vec<(f64, f64, usize)> {
        let span = |group: &Vec<String>| {
            let members = self.ranks.iter().filter(|rank| group.contains(&rank.label));
            let ranks: Vec<f64> =
                members.map(|rank| rank.rank).filter(|rank| rank.is_finite()).collect();
            let low = ranks.iter().copied().fold(f64::INFINITY, f64::min);
            let high = ranks.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (ranks.len() > 1).then_some((low, high))
        };
        let mut spans: Vec<(f64, f64)> = self.groups.iter().filter_map(span).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut ends: Vec<f64> = Vec::new();
        let mut bars = Vec::new();
        for (low, high) in spans {
            // The caps of the bars are a little longer than the ranks they join.
            let free = ends.iter().position(|end| *end + 0.15 < low);
            let layer = free.unwrap_or(ends.len());
            if layer == ends.len() {
                ends.push(high);
            }
            ends[layer] = high;
            bars.push((low, high, layer));
        }
        bars
    }

    fn draw_critical_difference(&self, svg: &mut Svg, axis: &Axis) {
        if !(self.critical_difference.is_finite() && self.critical_difference > 0.0) {
            return;
        }
        let end = axis.place(axis.low + self.critical_difference).unwrap_or(axis.start);
        let y = 22.0;
        let line = Paint::stroke(INK, 1.5);
        svg.line((axis.start, y), (end, y), line);
        for x in [axis.start, end] {
            svg.line((x, y - 4.0), (x, y + 4.0), line);
        }
        let text = format!("CD = {:.2}", self.critical_difference);
        svg.text((axis.start - 8.0, y + NORMAL * 0.35), &text, Letters::normal(Anchor::End));
    }
}

fn draw_axis(svg: &mut Svg, axis: &Axis) {
    let line = Paint::stroke(INK, 1.2);
    svg.line((axis.start, AXIS_Y), (axis.end, AXIS_Y), line);
    // Whole ranks, unless there are hardly any.
    for tick in axis.ticks(((axis.high - axis.low) as usize).min(12)) {
        let Some(x) = axis.place(tick.at) else { continue };
        svg.line((x, AXIS_Y - 6.0), (x, AXIS_Y), line);
        svg.text((x, AXIS_Y - 10.0), &tick.label, Letters::small(Anchor::Middle));
    }
    let at = (axis.end + 12.0, AXIS_Y + SMALL * 0.35);
    svg.text(at, "average rank", Letters::small(Anchor::Start).coloured(FAINT_INK));
}

impl Leader {
    fn draw(&self, svg: &mut Svg, axis: &Axis, side: f64, anchor: Anchor) {
        let Some(x) = axis.place(self.rank) else { return };
        let outward = if matches!(anchor, Anchor::End) { -1.0 } else { 1.0 };
        let end = side + outward * 8.0;
        let mut outline = Outline::default();
        outline.start((x, AXIS_Y));
        outline.continue_to((x, self.y));
        outline.continue_to((end, self.y));
        svg.outline(&outline, Paint::stroke(self.style.colour, 1.5));
        svg.disc((x, AXIS_Y), 4.2, Paint::stroke("#ffffff", 1.0).filled(self.style.colour));
        // The rank stands next to the line, the label outside of it.
        let rank = minus(format!("{:.2}", self.rank));
        let at = (end + outward * 6.0, self.y + SMALL * 0.35);
        svg.text(at, &rank, Letters::small(anchor).coloured(FAINT_INK));
        let at = (end + outward * (14.0 + width_of(&rank, SMALL)), self.y);
        svg.text_lines(at, &self.lines, &self.label, Letters::normal(anchor));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::well_formed::check_figure;

    fn figure(ranks: &[(&str, f64)], groups: &[&[&str]]) -> CriticalDifferenceFigure {
        let rank = |&(label, rank): &(&str, f64)| AverageRank { label: label.to_owned(), rank };
        let owned = |group: &&[&str]| group.iter().map(|label| label.to_string()).collect();
        CriticalDifferenceFigure {
            title: "title".to_owned(),
            description: "description".to_owned(),
            ranks: ranks.iter().map(rank).collect(),
            critical_difference: 0.8,
            groups: groups.iter().map(owned).collect(),
        }
    }

    #[test]
    fn every_label_and_the_critical_difference_are_in_the_figure() {
        let ranks = [("MI", 3.2), ("Node", 1.5), ("a<b", 2.9), ("#CS", 1.9), ("Random", 4.8)];
        let figure = figure(&ranks, &[&["MI", "a<b"], &["Node", "#CS"]]);
        let svg = figure.draw();
        check_figure(&svg, &["MI", "Node", "a<b", "#CS", "Random", "CD = 0.80", "1.50"]);
        assert_eq!(svg, figure.draw());
    }

    #[test]
    fn bars_that_would_touch_lie_in_different_layers() {
        let ranks = [("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0)];
        let bars = figure(&ranks, &[&["a", "b"], &["b", "c"], &["c", "d"]]).bars();
        assert_eq!(bars, [(1.0, 2.0, 0), (2.0, 3.0, 1), (3.0, 4.0, 0)]);
    }

    #[test]
    fn a_group_of_one_or_of_strangers_has_no_bar() {
        assert!(figure(&[("a", 1.0)], &[&["a"], &["x", "y"], &[]]).bars().is_empty());
    }

    #[test]
    fn missing_and_equal_ranks_are_no_fault() {
        check_figure(&figure(&[], &[]).draw(), &[]);
        check_figure(&figure(&[("a", 1.0)], &[]).draw(), &["a"]);
        let same = [("a", 2.0), ("b", 2.0), ("c", 2.0), ("d", f64::NAN)];
        let mut figure = figure(&same, &[&["a", "b", "d"]]);
        figure.critical_difference = f64::NAN;
        check_figure(&figure.draw(), &["a", "b", "c"]);
    }
}
