//! Writes SVG: escaped text, numbers with few digits, the same bytes for the same drawing. What has a coordinate that
//! is not finite is left out. Nothing has an id, so several figures may stand in one page.

use std::fmt::Write;

use crate::lettering::LINE;
use crate::marker::Marker;
pub use crate::outline::Outline;
use crate::outline::number;
pub use crate::paint::{Anchor, FAINT_INK, FRAME_LINE, GRID_LINE, INK, Inks, Letters, Paint};

const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, \
                     'Liberation Sans', 'DejaVu Sans', sans-serif";

/// A drawing that grows element by element.
pub struct Svg {
    width: f64,
    height: f64,
    inks: Inks,
    body: String,
}

/// The shape of points in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Discs.
    Round,
    /// Squares.
    Square,
}

/// A rectangle of the drawing.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

impl Frame {
    /// Its right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Its lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

impl Svg {
    /// A drawing that stands alone.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg::with_inks(width, height, Inks::PRINTED)
    }

    /// A drawing that takes these inks. Its ground is drawn only where it stands alone.
    pub fn with_inks(width: f64, height: f64, inks: Inks) -> Svg {
        let mut svg = Svg { width, height, inks, body: String::new() };
        if inks != Inks::OF_PAGE {
            svg.rectangle(Frame { x: 0.0, y: 0.0, width, height }, Paint::fill(inks.paper));
        }
        svg
    }

    /// The inks of this drawing.
    pub fn inks(&self) -> Inks {
        self.inks
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint) {
        let mut outline = Outline::default();
        outline.start(from);
        outline.continue_to(to);
        self.outline(&outline, paint);
    }

    /// A rectangle.
    pub fn rectangle(&mut self, frame: Frame, paint: Paint) {
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

    /// A rectangle with round corners.
    pub fn rounded_rectangle(&mut self, frame: Frame, radius: f64, paint: Paint) {
        let Frame { x, y, width, height } = frame;
        if ![x, y, width, height].iter().all(|value| value.is_finite()) {
            return;
        }
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"{}/>",
            number(radius),
            attributes(paint)
        );
    }

    /// The tool tip of the element that is being drawn.
    pub fn tip(&mut self, text: &str) {
        let _ = writeln!(self.body, "<title>{}</title>", escape(text));
    }

    /// A path.
    pub fn outline(&mut self, outline: &Outline, paint: Paint) {
        if outline.data.is_empty() || !outline.is_finite {
            return;
        }
        let _ = writeln!(self.body, "<path d=\"{}\"{}/>", outline.data, attributes(paint));
    }

    /// Points without lines between them: round ones, or squares.
    pub fn points(&mut self, outline: &Outline, colour: &str, size: f64, ends: Ends, opacity: f64) {
        if outline.data.is_empty() || !outline.is_finite {
            return;
        }
        let ends = match ends {
            Ends::Round => "round",
            Ends::Square => "square",
        };
        let _ = writeln!(
            self.body,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" \
             stroke-linecap=\"{ends}\" stroke-opacity=\"{}\"/>",
            outline.data,
            number(size),
            number(opacity)
        );
    }

    /// Cells without smoothed edges: neighbours of one colour show no seam. `data` is path data.
    pub fn cells(&mut self, data: &str, colour: &str, origin: (f64, f64), cell: f64) {
        let _ = writeln!(
            self.body,
            "<path d=\"{data}\" stroke=\"{colour}\" fill=\"none\" shape-rendering=\"crispEdges\" \
             transform=\"translate({} {}) scale({})\"/>",
            number(origin.0),
            number(origin.1),
            cell
        );
    }

    /// A text.
    pub fn text(&mut self, at: (f64, f64), content: &str, letters: Letters) {
        if !(at.0.is_finite() && at.1.is_finite()) {
            return;
        }
        self.open_text(at, letters);
        let _ = writeln!(self.body, "{}</text>", escape(content));
    }

    /// Lines below each other, centred around the height of `at`; the whole text is kept as the tool tip.
    pub fn text_lines(&mut self, at: (f64, f64), lines: &[String], whole: &str, letters: Letters) {
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
    pub fn text_with_tip(&mut self, at: (f64, f64), cut: &str, whole: &str) {
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
            letters.colour.unwrap_or(self.inks.ink)
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
    pub fn marker(&mut self, marker: Marker, at: (f64, f64), size: f64, paint: Paint) {
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

    /// A disc.
    pub fn disc(&mut self, at: (f64, f64), radius: f64, paint: Paint) {
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
    pub fn clipped(&mut self, frame: Frame, draw: impl FnOnce(&mut Svg)) {
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

    /// Draws inside an element of its own, such as a link. Values of attributes are escaped, names are not.
    pub fn within(
        &mut self,
        element: &str,
        attributes: &[(&str, &str)],
        draw: impl FnOnce(&mut Svg),
    ) {
        let _ = write!(self.body, "<{element}");
        for (name, value) in attributes {
            let _ = write!(self.body, " {name}=\"{}\"", escape(value));
        }
        self.body.push_str(">\n");
        draw(self);
        let _ = writeln!(self.body, "</{element}>");
    }

    /// The drawing as text; title and description are for readers who do not see it.
    pub fn finish(self, title: &str, description: &str) -> String {
        self.finish_as("img", title, description)
    }

    /// The same for a drawing with parts that readers can act on.
    pub fn finish_interactive(self, title: &str, description: &str) -> String {
        self.finish_as("group", title, description)
    }

    fn finish_as(self, role: &str, title: &str, description: &str) -> String {
        let (width, height) = (number(self.width), number(self.height));
        // A page has its own rules for the sizes of its drawings.
        let style = match self.inks {
            Inks::OF_PAGE => "",
            _ => " style=\"max-width:100%;height:auto\"",
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"{role}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\"{style} font-family=\"{FONTS}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n{}</svg>\n",
            escape(title),
            escape(description),
            self.body
        )
    }
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

/// Text that cannot become markup, in elements and in attributes of HTML and SVG. Line ends stay; other characters that control
/// rather than show become a replacement.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => escaped.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            // Marks that turn the direction of writing would also turn what stands around a name.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::well_formed::check_figure;

    #[test]
    fn numbers_have_few_digits() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(100.0), "100");
        assert_eq!(number(2.346), "2.35");
    }

    #[test]
    fn text_cannot_become_markup() {
        let text = escape("<a href='x'>&\"\n\u{1}\u{1b}\u{85}\u{202e}");
        let controls = "\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
        assert_eq!(text, format!("&lt;a href=&#39;x&#39;&gt;&amp;&quot;\n{controls}"));
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
