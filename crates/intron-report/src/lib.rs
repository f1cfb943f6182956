//! The report of one run: `numbers/` computes, `figures/` draws what it is given, `page/` puts both into one HTML file
//! that needs no network. The same run always gives the same bytes.

mod subject;
mod numbers;
mod figures;
mod math;
mod page;

pub use page::page;
pub use subject::{Kind, Part, Subject};
