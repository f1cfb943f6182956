//! Evaluation: from symbols and columns of numbers to a fitness.

mod kernels;
mod objective;
mod linear_scaling;
mod tally;
mod full;
mod incremental;
mod evaluator;
mod derivatives;
mod gains;
mod least_squares;
mod criteria;
mod safety;
mod conformal;
mod outside;
mod equivalence;
mod test_points;

pub use conformal::{half_widths, interval_levels};
pub use criteria::Criteria;
pub use equivalence::is_same_on;
pub use evaluator::{Evaluator, EvaluatorKind, Problem};
pub use full::{predict, predict_row};
pub(crate) use gains::{Bringing, Gain};
pub use kernels::Instructions;
pub(crate) use least_squares::{Effort, LeastSquares, Tuned};
pub use linear_scaling::{LinearFit, LinearScaling};
pub use objective::{Fitness, Objective, Score, score};
pub use outside::Outside;
pub use safety::{Danger, Region, Safety};
pub use test_points::{made_up_points, test_points};
