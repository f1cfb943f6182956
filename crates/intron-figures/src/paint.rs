//! How shapes and letters look: fills, lines, sizes, and the inks that a drawing takes where none is named.

use crate::lettering::{NORMAL, SMALL, TITLE};

/// The colour of text and of what matters.
pub const INK: &str = "#1a1a1a";
/// The colour of what matters less.
pub const FAINT_INK: &str = "#555555";
/// The colour of lines behind the data.
pub const GRID_LINE: &str = "#e3e3e3";
/// The colour of frames and ticks.
pub const FRAME_LINE: &str = "#8c8c8c";

/// The colours of everything that is not data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inks {
    /// Text and what matters.
    pub ink: &'static str,
    /// What matters less.
    pub faint: &'static str,
    /// Lines behind the data.
    pub grid: &'static str,
    /// Frames and ticks.
    pub frame: &'static str,
    /// The ground.
    pub paper: &'static str,
}

impl Inks {
    /// Dark on white, for a drawing that stands alone.
    pub const PRINTED: Inks =
        Inks { ink: INK, faint: FAINT_INK, grid: GRID_LINE, frame: FRAME_LINE, paper: "#ffffff" };
    /// As the page around it says, by its variables: so a drawing is light or dark with its page.
    pub const OF_PAGE: Inks = Inks {
        ink: "var(--ink)",
        faint: "var(--faint)",
        grid: "var(--grid)",
        frame: "var(--frame)",
        paper: "var(--paper)",
    };
}

/// Fill and line of a shape.
#[derive(Debug, Clone, Copy)]
pub struct Paint<'a> {
    pub(crate) fill: &'a str,
    pub(crate) stroke: &'a str,
    pub(crate) width: f64,
    pub(crate) dash: &'a str,
    pub(crate) opacity: f64,
}

impl<'a> Paint<'a> {
    /// An area.
    pub fn fill(colour: &'a str) -> Paint<'a> {
        Paint { fill: colour, stroke: "", width: 0.0, dash: "", opacity: 1.0 }
    }

    /// A line.
    pub fn stroke(colour: &'a str, width: f64) -> Paint<'a> {
        Paint { fill: "none", stroke: colour, width, dash: "", opacity: 1.0 }
    }

    /// The same with an area inside.
    pub fn filled(self, colour: &'a str) -> Paint<'a> {
        Paint { fill: colour, ..self }
    }

    /// The same with lengths of dashes and gaps.
    pub fn dashed(self, dash: &'a str) -> Paint<'a> {
        Paint { dash, ..self }
    }

    /// The same, less opaque: from 0 to 1.
    pub fn faded(self, opacity: f64) -> Paint<'a> {
        Paint { opacity, ..self }
    }
}

/// Which part of a text stands at its place.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub struct Letters<'a> {
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    /// None: the ink of the drawing.
    pub(crate) colour: Option<&'a str>,
    pub(crate) is_bold: bool,
    pub(crate) rotation: f64,
}

impl<'a> Letters<'a> {
    /// The smallest letters.
    pub fn small(anchor: Anchor) -> Letters<'a> {
        Letters { size: SMALL, anchor, colour: None, is_bold: false, rotation: 0.0 }
    }

    /// Letters of labels.
    pub fn normal(anchor: Anchor) -> Letters<'a> {
        Letters { size: NORMAL, ..Letters::small(anchor) }
    }

    /// Letters above a panel, centred.
    pub fn title() -> Letters<'a> {
        Letters { size: TITLE, ..Letters::small(Anchor::Middle) }.bold()
    }

    /// The same in bold.
    pub fn bold(self) -> Letters<'a> {
        Letters { is_bold: true, ..self }
    }

    /// The same in a colour.
    pub fn coloured(self, colour: &'a str) -> Letters<'a> {
        Letters { colour: Some(colour), ..self }
    }

    /// The same, turned clockwise around its place.
    pub fn rotated(self, degrees: f64) -> Letters<'a> {
        Letters { rotation: degrees, ..self }
    }
}
