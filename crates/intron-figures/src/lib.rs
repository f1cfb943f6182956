//! What the figures of the lab's and of a run's report are drawn with. It draws what it is given and computes no
//! statistics.

pub mod lettering;
pub mod marker;
mod paint;
mod outline;
pub mod svg;
pub mod axes;
pub mod colour_scale;
pub mod heat_map;
pub mod well_formed;
