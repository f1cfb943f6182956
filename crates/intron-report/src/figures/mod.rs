//! The figures of the report. They draw what they are given, in the inks of the page.

mod chart;
mod front;
mod scatter;
mod histogram;
mod effect;
mod importance;
mod trace;
mod tree;

pub(crate) use effect::{EffectFigure, limits_of_effects};
pub(crate) use front::{FrontFigure, FrontPoint};
pub(crate) use histogram::HistogramFigure;
pub(crate) use importance::ImportanceFigure;
pub(crate) use scatter::{ScatterFigure, limits_of_pairs};
pub(crate) use trace::TraceFigure;
pub(crate) use tree::TreeFigure;
