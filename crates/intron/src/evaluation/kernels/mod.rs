//! The only inner numeric loops, and the only `unsafe` code of the library.

mod elementary;
mod arithmetic;
mod instructions;
mod columns;
mod slopes;
mod column_store;
mod workspace;
mod lanes;
mod sums;

pub(crate) use arithmetic::apply;
pub(crate) use column_store::ColumnStore;
pub(crate) use columns::{GROUP, Group, Operand, compute};
pub use instructions::Instructions;
pub(crate) use slopes::{Rows, Slope, multiply_slopes};
pub(crate) use sums::{
    LaneSums, add_centred_sums, add_products, add_squared_error, add_sums_of_products,
    add_three_products, join, scaled_squared_error, weighted_sum,
};
pub(crate) use workspace::{Place, Standing, Workspace};
