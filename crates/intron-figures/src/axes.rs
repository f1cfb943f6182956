//! Axes: limits that fit, ticks at round numbers, linear and logarithmic.

use crate::lettering::{NORMAL, SMALL, number_with_step, power_of_ten, width_of};
use crate::svg::{Anchor, Frame, Letters, Paint, Svg};

/// How values are spread over an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal factors are equally long; values that are not above 0 are not drawn.
    Logarithmic,
}

/// Which panels have the same limits of their value axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Every panel has its own.
    Separate,
    /// The panels of a row share them.
    Row,
    /// All panels share them.
    All,
}

/// Values beyond this would overflow when limits are widened; they are not drawn.
const LARGEST: f64 = 1e300;

/// An axis from `low` at the place `start` to `high` at the place `end`.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// How values are spread.
    pub scale: Scale,
    /// The value at its start.
    pub low: f64,
    /// The value at its end.
    pub high: f64,
    /// The place of its start.
    pub start: f64,
    /// The place of its end.
    pub end: f64,
}

/// A mark on an axis; those between the round numbers have no label.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The value.
    pub at: f64,
    /// Its text.
    pub label: String,
}

impl Axis {
    /// The place of a value; nothing if it has none on this scale.
    pub fn place(&self, value: f64) -> Option<f64> {
        if !is_drawable(value, self.scale) {
            return None;
        }
        let fraction = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        // What lies far outside is cut away anyway, and large numbers only make the file longer.
        Some(self.start + fraction.clamp(-9.0, 9.0) * (self.end - self.start))
    }

    /// Whether a value lies between the ends.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// About `n_wanted` labelled ticks, never many more.
    pub fn ticks(&self, n_wanted: usize) -> Vec<Tick> {
        let n_wanted = n_wanted.max(2);
        match self.scale {
            Scale::Linear => self.linear_ticks(n_wanted),
            Scale::Logarithmic => self.logarithmic_ticks(n_wanted),
        }
    }

    /// Ticks of a horizontal axis, as many as have room next to each other.
    pub fn ticks_with_room(&self) -> Vec<Tick> {
        let length = (self.end - self.start).abs();
        let mut n_wanted = ((length / 36.0) as usize).clamp(2, 8);
        loop {
            let ticks = self.ticks(n_wanted);
            if n_wanted == 2 || !self.is_crowded(&ticks) {
                return ticks;
            }
            n_wanted -= 1;
        }
    }

    fn is_crowded(&self, ticks: &[Tick]) -> bool {
        let labelled: Vec<&Tick> = ticks.iter().filter(|tick| !tick.label.is_empty()).collect();
        labelled.windows(2).any(|pair| {
            let places = (self.place(pair[0].at), self.place(pair[1].at));
            let (Some(a), Some(b)) = places else { return false };
            let needed = (width_of(&pair[0].label, SMALL) + width_of(&pair[1].label, SMALL)) / 2.0;
            (b - a).abs() < needed + 8.0
        })
    }

    fn linear_ticks(&self, n_wanted: usize) -> Vec<Tick> {
        let step = round_step((self.high - self.low) / (n_wanted as f64 * 1.2));
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        let n_ticks = (last - first + 1.0).clamp(0.0, 50.0) as usize;
        let values = (0..n_ticks).map(|index| (first + index as f64) * step);
        values.map(|at| Tick { at, label: number_with_step(at, step) }).collect()
    }

    fn logarithmic_ticks(&self, n_wanted: usize) -> Vec<Tick> {
        let first = (self.low.log10() + 1e-9).floor() as i32;
        let last = (self.high.log10() + 1e-9).floor() as i32;
        let n_decades = last - (self.low.log10() - 1e-9).ceil() as i32 + 1;
        if n_decades < 2 {
            return self.ticks_within_decades(first, last);
        }
        let every = (n_decades as usize).div_ceil(n_wanted) as i32;
        let is_plain = first >= -2 && last <= 3;
        let mut ticks = Vec::new();
        for exponent in first..=last {
            for factor in 1..10 {
                let at = f64::from(factor) * 10_f64.powi(exponent);
                if !self.contains_nearly(at) || (factor > 1 && every > 1) {
                    continue;
                }
                let is_labelled = factor == 1 && (last - exponent) % every == 0;
                let label = match (is_labelled, is_plain) {
                    (false, _) => String::new(),
                    (true, true) => number_with_step(at, at.min(1.0)),
                    (true, false) => power_of_ten(exponent),
                };
                ticks.push(Tick { at, label });
            }
        }
        ticks
    }

    /// Less than two powers of ten: 1, 2 and 5 of each are labelled.
    fn ticks_within_decades(&self, first: i32, last: i32) -> Vec<Tick> {
        let mut ticks = Vec::new();
        for exponent in first..=last {
            for factor in 1..10 {
                let at = f64::from(factor) * 10_f64.powi(exponent);
                if self.contains_nearly(at) {
                    let is_labelled = [1, 2, 5].contains(&factor);
                    let step = 10_f64.powi(exponent);
                    let label =
                        if is_labelled { number_with_step(at, step) } else { String::new() };
                    ticks.push(Tick { at, label });
                }
            }
        }
        let n_labels = ticks.iter().filter(|tick| !tick.label.is_empty()).count();
        if n_labels > 1 { ticks } else { self.linear_ticks(4) }
    }

    fn contains_nearly(&self, value: f64) -> bool {
        let slack = 1e-9 * value.abs();
        value >= self.low - slack && value <= self.high + slack
    }
}

/// Whether a value has a place on such a scale.
pub fn is_drawable(value: f64, scale: Scale) -> bool {
    value.is_finite() && value.abs() < LARGEST && (scale == Scale::Linear || value > 1.0 / LARGEST)
}

/// The smallest and the largest drawable value.
pub fn extent_of(values: impl IntoIterator<Item = f64>, scale: Scale) -> Option<(f64, f64)> {
    let mut drawable = values.into_iter().filter(|&value| is_drawable(value, scale));
    let first = drawable.next()?;
    Some(drawable.fold((first, first), |(low, high), value| (low.min(value), high.max(value))))
}

/// Limits that hold all drawable values, with a little room on both sides of a linear axis.
pub fn limits_of(values: impl IntoIterator<Item = f64>, scale: Scale) -> (f64, f64) {
    let Some((low, high)) = extent_of(values, scale) else {
        return if scale == Scale::Linear { (0.0, 1.0) } else { (1.0, 10.0) };
    };
    let is_one_value = high - low <= 1e-9 * low.abs().max(high.abs());
    match scale {
        Scale::Linear if is_one_value => {
            let room = if low == 0.0 { 0.5 } else { low.abs() * 0.05 };
            (low - room, high + room)
        }
        Scale::Linear => {
            let room = (high - low) * 0.05;
            (low - room, high + room)
        }
        Scale::Logarithmic if is_one_value => (low / 2.0, high * 2.0),
        Scale::Logarithmic => (low, high),
    }
}

/// The values of a panel, and the limits asked for.
pub struct PanelValues {
    /// The limits asked for.
    pub limits: Option<(f64, f64)>,
    /// The values to show.
    pub values: Vec<f64>,
}

/// The limits of each panel: those asked for where they make sense, else those that fit the values, shared as asked.
pub fn limits_of_panels(
    panels: &[PanelValues],
    n_columns: usize,
    sharing: Sharing,
) -> Vec<(f64, f64)> {
    let together = |chosen: &[PanelValues]| {
        limits_of(chosen.iter().flat_map(|panel| panel.values.iter().copied()), Scale::Linear)
    };
    let fitting = |index: usize| match sharing {
        Sharing::Separate => together(&panels[index..=index]),
        Sharing::Row => {
            let first = index / n_columns * n_columns;
            together(&panels[first..panels.len().min(first + n_columns)])
        }
        Sharing::All => together(panels),
    };
    let is_sound = |&(low, high): &(f64, f64)| {
        is_drawable(low, Scale::Linear) && is_drawable(high, Scale::Linear) && low < high
    };
    let limits = panels.iter().enumerate();
    limits
        .map(|(index, panel)| panel.limits.filter(is_sound).unwrap_or_else(|| fitting(index)))
        .collect()
}

/// The smallest of 1, 2, 5, 10, … that is at least the given step.
fn round_step(step: f64) -> f64 {
    let unit = 10_f64.powf(step.log10().floor());
    let factor = step / unit;
    let rounded = [1.0, 2.0, 5.0].into_iter().find(|round| factor <= round + 1e-9);
    rounded.unwrap_or(10.0) * unit
}

/// Grid lines, ticks and numbers of a horizontal axis below the frame.
pub fn draw_horizontal_axis(svg: &mut Svg, frame: Frame, axis: &Axis) {
    let inks = svg.inks();
    for tick in axis.ticks_with_room() {
        let Some(x) = axis.place(tick.at) else { continue };
        let is_major = !tick.label.is_empty();
        if is_major {
            svg.line((x, frame.y), (x, frame.bottom()), Paint::stroke(inks.grid, 1.0));
        }
        let length = if is_major { 5.0 } else { 3.0 };
        let end = (x, frame.bottom() + length);
        svg.line((x, frame.bottom()), end, Paint::stroke(inks.frame, 1.0));
        let at = (x, frame.bottom() + 5.0 + SMALL);
        if is_major {
            svg.text(at, &tick.label, Letters::small(Anchor::Middle));
        }
    }
}

/// Grid lines, ticks and numbers of a vertical axis on the left of the frame.
pub fn draw_vertical_axis(svg: &mut Svg, frame: Frame, axis: &Axis) {
    let inks = svg.inks();
    for tick in axis.ticks(n_vertical_ticks(frame.height)) {
        let Some(y) = axis.place(tick.at) else { continue };
        svg.line((frame.x, y), (frame.right(), y), Paint::stroke(inks.grid, 1.0));
        svg.line((frame.x - 5.0, y), (frame.x, y), Paint::stroke(inks.frame, 1.0));
        let at = (frame.x - 8.0, y + SMALL * 0.35);
        svg.text(at, &tick.label, Letters::small(Anchor::End));
    }
}

/// How many ticks a vertical axis of this length should have.
pub fn n_vertical_ticks(height: f64) -> usize {
    ((height / 30.0) as usize).clamp(2, 8)
}

/// The label of a vertical axis, upwards, centred at `y`.
pub fn draw_vertical_label(svg: &mut Svg, x: f64, y: f64, label: &str) {
    svg.text((x + NORMAL, y), label, Letters::normal(Anchor::Middle).rotated(-90.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, low: f64, high: f64) -> Axis {
        Axis { scale, low, high, start: 0.0, end: 300.0 }
    }

    fn labels(axis: &Axis, n_wanted: usize) -> Vec<String> {
        let ticks = axis.ticks(n_wanted).into_iter();
        ticks.map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(
            labels(&axis(Scale::Linear, 0.0, 1.0), 5),
            ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(labels(&axis(Scale::Linear, 0.0, 1e7), 2), ["0", "5·10⁶", "10⁷"]);
        assert_eq!(
            labels(&axis(Scale::Linear, -0.31, 0.12), 4),
            ["−0.3", "−0.2", "−0.1", "0", "0.1"]
        );
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(
            labels(&axis(Scale::Logarithmic, 100.0, 1e6), 8),
            ["10²", "10³", "10⁴", "10⁵", "10⁶"]
        );
        assert_eq!(labels(&axis(Scale::Logarithmic, 0.1, 100.0), 8), ["0.1", "1", "10", "100"]);
        let long = axis(Scale::Logarithmic, 1.0, 1e9);
        assert_eq!(labels(&long, 3), ["10¹", "10⁵", "10⁹"]);
    }

    #[test]
    fn short_logarithmic_axes_still_have_ticks() {
        assert_eq!(labels(&axis(Scale::Logarithmic, 1.5, 6.0), 5), ["2", "5"]);
        assert!(labels(&axis(Scale::Logarithmic, 3.1, 3.9), 5).len() > 1);
    }

    #[test]
    fn limits_leave_out_what_cannot_be_drawn() {
        let values = [f64::NAN, 1.0, f64::INFINITY, 3.0];
        assert_eq!(limits_of(values, Scale::Linear), (0.9, 3.1));
        assert_eq!(limits_of([0.0, -1.0, 10.0, 100.0], Scale::Logarithmic), (10.0, 100.0));
    }

    #[test]
    fn equal_and_missing_values_have_limits() {
        for values in [&[][..], &[f64::NAN], &[0.0, 0.0], &[0.7; 3], &[-1e12, -1e12]] {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let (low, high) = limits_of(values.iter().copied(), scale);
                assert!(low < high);
                assert!(!labels(&Axis { scale, low, high, start: 0.0, end: 100.0 }, 4).is_empty());
            }
        }
    }

    #[test]
    fn limits_are_shared_as_asked() {
        let panel = |limits, values: &[f64]| PanelValues { limits, values: values.to_vec() };
        let panels = [[0.0, 1.0], [1.0, 2.0], [4.0, 5.0]].map(|values| panel(None, &values));
        assert_eq!(limits_of_panels(&panels, 2, Sharing::Row)[0], (-0.1, 2.1));
        assert_eq!(limits_of_panels(&panels, 2, Sharing::Row)[2], (3.95, 5.05));
        let asked = [panel(Some((0.0, 1.0)), &[9.0]), panel(Some((1.0, 1.0)), &[9.0])];
        let limits = limits_of_panels(&asked, 1, Sharing::All);
        assert_eq!(limits[0], (0.0, 1.0));
        assert!(limits[1].0 < limits[1].1);
    }
}
