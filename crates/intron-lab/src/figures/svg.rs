//! Writes SVG: escaped text, numbers with few digits, the same bytes for the same drawing. What has a coordinate that
//! is not finite is left out. Nothing has an id, so several figures may stand in one page.

use std::fmt::Write;

use super::lettering::{LINE, NORMAL, SMALL, TITLE};
use super::palette::Marker;

pub(super) const INK: &str = "#1a1a1a";
pub(super) const FAINT_INK: &str = "#555555";
pub(super) const GRID_LINE: &str = "#e3e3e3";
pub(super) const FRAME_LINE: &str = "#8c8c8c";

const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, \
                     'Liberation Sans', 'DejaVu Sans', sans-serif";

/// A drawing that grows element by element.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// A rectangle of the drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// Fill and line of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint<'a> {
    fill: &'a str,
    stroke: &'a str,
    width: f64,
    dash: &'a str,
    opacity: f64,
}

impl<'a> Paint<'a> {
    pub(super) fn fill(colour: &'a str) -> Paint<'a> {
        Paint { fill: colour, stroke: "", width: 0.0, dash: "", opacity: 1.0 }
    }

    pub(super) fn stroke(colour: &'a str, width: f64) -> Paint<'a> {
        Paint { fill: "none", stroke: colour, width, dash: "", opacity: 1.0 }
    }

    pub(super) fn filled(self, colour: &'a str) -> Paint<'a> {
        Paint { fill: colour, ..self }
    }

    pub(super) fn dashed(self, dash: &'a str) -> Paint<'a> {
        Paint { dash, ..self }
    }

    pub(super) fn faded(self, opacity: f64) -> Paint<'a> {
        Paint { opacity, ..self }
    }
}

/// Which part of a text stands at its place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letters<'a> {
    size: f64,
    anchor: Anchor,
    colour: &'a str,
    is_bold: bool,
    rotation: f64,
}

impl<'a> Letters<'a> {
    pub(super) fn small(anchor: Anchor) -> Letters<'a> {
        Letters { size: SMALL, anchor, colour: INK, is_bold: false, rotation: 0.0 }
    }

    pub(super) fn normal(anchor: Anchor) -> Letters<'a> {
        Letters { size: NORMAL, ..Letters::small(anchor) }
    }

    pub(super) fn title() -> Letters<'a> {
        Letters { size: TITLE, ..Letters::small(Anchor::Middle) }.bold()
    }

    pub(super) fn bold(self) -> Letters<'a> {
        Letters { is_bold: true, ..self }
    }

    pub(super) fn coloured(self, colour: &'a str) -> Letters<'a> {
        Letters { colour, ..self }
    }

    pub(super) fn rotated(self, degrees: f64) -> Letters<'a> {
        Letters { rotation: degrees, ..self }
    }
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        let mut svg = Svg { width, height, body: String::new() };
        svg.rectangle(Frame { x: 0.0, y: 0.0, width, height }, Paint::fill("#ffffff"));
        svg
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint) {
        let mut outline = Outline::default();
        outline.start(from);
        outline.continue_to(to);
        self.outline(&outline, paint);
    }

    pub(super) fn rectangle(&mut self, frame: Frame, paint: Paint) {
        let Frame { x, y, width, height } = frame;
        if ![x, y, width, height].iter().all(|value| value.is_finite()) {
            return;
        }
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{}/>",
            attributes(paint)
        );
    }

    pub(super) fn outline(&mut self, outline: &Outline, paint: Paint) {
        if outline.data.is_empty() || !outline.is_finite {
            return;
        }
        let _ = writeln!(self.body, "<path d=\"{}\"{}/>", outline.data, attributes(paint));
    }

    /// Cells without smoothed edges: neighbours of one colour show no seam. `data` is path data.
    pub(super) fn cells(&mut self, data: &str, colour: &str, origin: (f64, f64), cell: f64) {
        let _ = writeln!(
            self.body,
            "<path d=\"{data}\" stroke=\"{colour}\" fill=\"none\" shape-rendering=\"crispEdges\" \
             transform=\"translate({} {}) scale({})\"/>",
            number(origin.0),
            number(origin.1),
            cell
        );
    }

    pub(super) fn text(&mut self, at: (f64, f64), content: &str, letters: Letters) {
        if !(at.0.is_finite() && at.1.is_finite()) {
            return;
        }
        self.open_text(at, letters);
        let _ = writeln!(self.body, "{}</text>", escape(content));
    }

    /// Lines below each other, centred around the height of `at`; the whole text is kept as the tool tip.
    pub(super) fn text_lines(
        &mut self,
        at: (f64, f64),
        lines: &[String],
        whole: &str,
        letters: Letters,
    ) {
        if let [line] = lines {
            self.text((at.0, at.1 + letters.size * 0.35), line, letters);
            return;
        }
        let height = letters.size * LINE;
        let top = at.1 - height * (lines.len() as f64 - 1.0) / 2.0 + letters.size * 0.35;
        self.open_text((at.0, top), letters);
        let _ = write!(self.body, "<title>{}</title>", escape(whole));
        for (index, line) in lines.iter().enumerate() {
            let shift = if index == 0 { 0.0 } else { height };
            let (x, shift) = (number(at.0), number(shift));
            let _ = write!(self.body, "<tspan x=\"{x}\" dy=\"{shift}\">{}</tspan>", escape(line));
        }
        self.body.push_str("</text>\n");
    }

    /// A text that was cut, with the whole of it as its tool tip.
    pub(super) fn text_with_tip(&mut self, at: (f64, f64), cut: &str, whole: &str) {
        self.open_text(at, Letters::normal(Anchor::Start));
        let _ = writeln!(self.body, "<title>{}</title>{}</text>", escape(whole), escape(cut));
    }

    fn open_text(&mut self, at: (f64, f64), letters: Letters) {
        let anchor = match letters.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, size) = (number(at.0), number(at.1), number(letters.size));
        let _ = write!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{}\"",
            letters.colour
        );
        if letters.is_bold {
            self.body.push_str(" font-weight=\"600\"");
        }
        if letters.rotation != 0.0 {
            let _ =
                write!(self.body, " transform=\"rotate({} {x} {y})\"", number(letters.rotation));
        }
        self.body.push('>');
    }

    /// Draws a marker; the shapes are scaled to look equally large.
    pub(super) fn marker(&mut self, marker: Marker, at: (f64, f64), size: f64, paint: Paint) {
        let mut outline = Outline::default();
        match marker {
            Marker::Circle => {
                self.disc(at, size, paint);
                return;
            }
            Marker::Square => outline.polygon(at, size * 1.2, &[45.0, 135.0, 225.0, 315.0]),
            Marker::Diamond => outline.polygon(at, size * 1.25, &[0.0, 90.0, 180.0, 270.0]),
            Marker::TriangleUp => outline.polygon(at, size * 1.3, &[270.0, 30.0, 150.0]),
            Marker::TriangleDown => outline.polygon(at, size * 1.3, &[90.0, 210.0, 330.0]),
            Marker::TriangleRight => outline.polygon(at, size * 1.3, &[0.0, 120.0, 240.0]),
            Marker::TriangleLeft => outline.polygon(at, size * 1.3, &[180.0, 300.0, 60.0]),
            Marker::Hexagon => {
                outline.polygon(at, size * 1.1, &[0.0, 60.0, 120.0, 180.0, 240.0, 300.0]);
            }
            Marker::Star => outline.star(at, size * 1.45),
            Marker::Cross => outline.crossed(at, size, [45.0, 135.0]),
            Marker::Plus => outline.crossed(at, size * 1.15, [0.0, 90.0]),
        }
        self.outline(&outline, paint);
    }

    pub(super) fn disc(&mut self, at: (f64, f64), radius: f64, paint: Paint) {
        if !(at.0.is_finite() && at.1.is_finite()) {
            return;
        }
        let (x, y, radius) = (number(at.0), number(at.1), number(radius));
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{}/>",
            attributes(paint)
        );
    }

    /// Draws with everything outside the frame cut away. An inner `svg` cuts without needing an id.
    pub(super) fn clipped(&mut self, frame: Frame, draw: impl FnOnce(&mut Svg)) {
        let (x, y) = (number(frame.x), number(frame.y));
        let (width, height) = (number(frame.width), number(frame.height));
        let _ = writeln!(
            self.body,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{x} {y} {width} {height}\">"
        );
        draw(self);
        self.body.push_str("</svg>\n");
    }

    pub(super) fn finish(self, title: &str, description: &str) -> String {
        let (width, height) = (number(self.width), number(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" style=\"max-width:100%;height:auto\" \
             font-family=\"{FONTS}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n{}</svg>\n",
            escape(title),
            escape(description),
            self.body
        )
    }
}

/// The data of a path.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    data: String,
    is_finite: bool,
}

impl Default for Outline {
    fn default() -> Outline {
        Outline { data: String::new(), is_finite: true }
    }
}

impl Outline {
    pub(super) fn start(&mut self, at: (f64, f64)) {
        self.add('M', at);
    }

    pub(super) fn continue_to(&mut self, at: (f64, f64)) {
        self.add('L', at);
    }

    pub(super) fn close(&mut self) {
        self.data.push('Z');
    }

    fn add(&mut self, letter: char, (x, y): (f64, f64)) {
        self.is_finite &= x.is_finite() && y.is_finite();
        let _ = write!(self.data, "{letter}{} {}", number(x), number(y));
    }

    fn polygon(&mut self, centre: (f64, f64), radius: f64, degrees: &[f64]) {
        for (index, angle) in degrees.iter().enumerate() {
            let at = around(centre, radius, *angle);
            if index == 0 { self.start(at) } else { self.continue_to(at) }
        }
        self.close();
    }

    fn star(&mut self, centre: (f64, f64), radius: f64) {
        for index in 0..10 {
            let radius = if index % 2 == 0 { radius } else { radius * 0.45 };
            let at = around(centre, radius, f64::from(index) * 36.0 - 90.0);
            if index == 0 { self.start(at) } else { self.continue_to(at) }
        }
        self.close();
    }

    fn crossed(&mut self, centre: (f64, f64), radius: f64, degrees: [f64; 2]) {
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

fn attributes(paint: Paint) -> String {
    let mut text = format!(" fill=\"{}\"", paint.fill);
    if !paint.stroke.is_empty() {
        let _ =
            write!(text, " stroke=\"{}\" stroke-width=\"{}\"", paint.stroke, number(paint.width));
        text.push_str(" stroke-linejoin=\"round\"");
    }
    if !paint.dash.is_empty() {
        let _ = write!(text, " stroke-dasharray=\"{}\"", paint.dash);
    }
    if paint.opacity < 1.0 {
        let _ = write!(text, " opacity=\"{}\"", number(paint.opacity));
    }
    text
}

/// At most two decimals, without zeros at the end. Hundredths of a unit are below what a screen or printer shows.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text safe in elements and attributes; characters that XML does not know become a replacement.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::well_formed::check_figure;

    #[test]
    fn numbers_have_few_digits() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(100.0), "100");
        assert_eq!(number(2.346), "2.35");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b> & \"c\"\u{1}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let mut svg = Svg::new(100.0, 100.0);
        let empty = svg.body.len();
        svg.line((0.0, f64::NAN), (1.0, 1.0), Paint::stroke(INK, 1.0));
        svg.disc((f64::INFINITY, 0.0), 1.0, Paint::fill(INK));
        svg.marker(Marker::Star, (f64::NAN, 0.0), 1.0, Paint::fill(INK));
        svg.text((f64::NAN, 0.0), "gone", Letters::small(Anchor::Start));
        svg.rectangle(Frame { x: 0.0, y: 0.0, width: f64::NAN, height: 1.0 }, Paint::fill(INK));
        assert_eq!(svg.body.len(), empty);
    }

    #[test]
    fn a_drawing_is_well_formed() {
        let mut svg = Svg::new(100.0, 100.0);
        svg.text((1.0, 20.0), "a < b", Letters::title().rotated(-90.0));
        let lines = ["one".to_owned(), "two".to_owned()];
        svg.text_lines((50.0, 50.0), &lines, "one two", Letters::normal(Anchor::End));
        let frame = Frame { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        svg.clipped(frame, |svg| svg.disc((1.0, 1.0), 2.0, Paint::fill(INK)));
        check_figure(&svg.finish("t & t", "d"), &["a < b", "one two", "t & t"]);
    }
}
