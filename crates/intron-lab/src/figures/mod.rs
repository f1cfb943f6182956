//! Figures as SVG, one file per kind. They draw what they are given and compute no statistics.

mod palette;
mod panels;
mod legend;
mod row_panels;
mod estimate;
mod convergence;
mod intervals;
mod box_plots;
mod comparison;
mod critical_difference;
mod improvement_matrix;

#[cfg(test)]
use intron_figures::well_formed;
use intron_figures::{axes, colour_scale, lettering, svg};

pub use box_plots::{BoxPlot, BoxPlotFigure, BoxPlotPanel};
pub use comparison::{ComparisonFigure, ComparisonPanel, ComparisonRow};
pub use convergence::{ConvergenceFigure, ConvergencePanel, Curve, CurvePoint};
pub use critical_difference::{AverageRank, CriticalDifferenceFigure};
pub use estimate::Estimate;
pub use improvement_matrix::ImprovementMatrix;
pub use intervals::{IntervalFigure, IntervalPanel, IntervalRow};
pub use intron_figures::axes::{Scale, Sharing};
pub use intron_figures::heat_map::{HeatMapFigure, HeatMapRow, Matrix};
pub use palette::{Marker, Style, style_of, styles_of};
pub use panels::PanelFigure;
pub use row_panels::RowPanel;
