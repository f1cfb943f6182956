//! The data of a path: where the pen goes.

use std::fmt::Write;

/// The data of a path.
#[derive(Debug, Clone)]
pub struct Outline {
    pub(crate) data: String,
    pub(crate) is_finite: bool,
}

impl Default for Outline {
    fn default() -> Outline {
        Outline { data: String::new(), is_finite: true }
    }
}

impl Outline {
    /// Moves the pen without drawing.
    pub fn start(&mut self, at: (f64, f64)) {
        self.add('M', at);
    }

    /// Draws a straight line.
    pub fn continue_to(&mut self, at: (f64, f64)) {
        self.add('L', at);
    }

    /// Draws back to the start.
    pub fn close(&mut self) {
        self.data.push('Z');
    }

    fn add(&mut self, letter: char, (x, y): (f64, f64)) {
        self.is_finite &= x.is_finite() && y.is_finite();
        let _ = write!(self.data, "{letter}{} {}", number(x), number(y));
    }

    /// A point: a line without length, which round or square ends make visible.
    pub fn point(&mut self, at: (f64, f64)) {
        self.add('M', at);
        self.data.push_str("h0");
    }

    pub(crate) fn polygon(&mut self, centre: (f64, f64), radius: f64, degrees: &[f64]) {
        for (index, angle) in degrees.iter().enumerate() {
            let at = around(centre, radius, *angle);
            if index == 0 { self.start(at) } else { self.continue_to(at) }
        }
        self.close();
    }

    pub(crate) fn star(&mut self, centre: (f64, f64), radius: f64) {
        for index in 0..10 {
            let radius = if index % 2 == 0 { radius } else { radius * 0.45 };
            let at = around(centre, radius, f64::from(index) * 36.0 - 90.0);
            if index == 0 { self.start(at) } else { self.continue_to(at) }
        }
        self.close();
    }

    pub(crate) fn crossed(&mut self, centre: (f64, f64), radius: f64, degrees: [f64; 2]) {
        for angle in degrees {
            self.start(around(centre, radius, angle));
            self.continue_to(around(centre, radius, angle + 180.0));
        }
    }
}

fn around(centre: (f64, f64), radius: f64, degrees: f64) -> (f64, f64) {
    let angle = degrees.to_radians();
    (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin())
}

/// At most two decimals, without zeros at the end. Hundredths of a unit are below what a screen or printer shows.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
