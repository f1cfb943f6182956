//! Colours for numbers: one scale from dark to light, and one with two hues around a middle. Both are legible for
//! colour-blind readers, and the first in grey.

use crate::svg::INK;

/// Five points of viridis from low to high.
const SEQUENTIAL: [[f64; 3]; 5] = [
    [68.0, 1.0, 84.0],
    [59.0, 82.0, 139.0],
    [33.0, 145.0, 140.0],
    [94.0, 201.0, 98.0],
    [253.0, 231.0, 37.0],
];

/// Orange over white to blue.
const DIVERGING: [[f64; 3]; 5] = [
    [179.0, 88.0, 6.0],
    [244.0, 180.0, 104.0],
    [247.0, 247.0, 247.0],
    [128.0, 178.0, 222.0],
    [8.0, 81.0, 156.0],
];

/// The colour of a fraction between 0 and 1, dark to light.
pub fn sequential(fraction: f64) -> String {
    hexadecimal(between(&SEQUENTIAL, fraction))
}

/// The colour of a fraction between 0 and 1, palest at one half, and the ink that is legible on it.
pub fn diverging(fraction: f64) -> (String, &'static str) {
    let colour = between(&DIVERGING, fraction);
    let brightness = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
    (hexadecimal(colour), if brightness < 125.0 { "#ffffff" } else { INK })
}

fn between(points: &[[f64; 3]; 5], fraction: f64) -> [f64; 3] {
    let place = fraction.clamp(0.0, 1.0) * (points.len() - 1) as f64;
    let index = (place as usize).min(points.len() - 2);
    let share = place - index as f64;
    let mix = |channel| points[index][channel] * (1.0 - share) + points[index + 1][channel] * share;
    [mix(0), mix(1), mix(2)]
}

fn hexadecimal(colour: [f64; 3]) -> String {
    let [red, green, blue] = colour.map(|channel| channel.round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_ends_of_the_scale() {
        assert_eq!(sequential(-1.0), "#440154");
        assert_eq!(sequential(2.0), "#fde725");
        assert_eq!(diverging(0.5), ("#f7f7f7".to_owned(), INK));
        assert_eq!(diverging(1.0).1, "#ffffff");
    }
}
