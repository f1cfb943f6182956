//! Figures as SVG, one file per kind. They draw what they are given and compute no statistics.

mod lettering;
mod palette;
mod svg;
mod axes;
mod panels;
mod legend;
mod convergence;
#[cfg(test)]
mod well_formed;

pub use axes::{Scale, Sharing};
pub use convergence::{ConvergenceFigure, ConvergencePanel, Curve, CurvePoint};
pub use palette::{Marker, Style, style_of, styles_of};
