//! The languages, one file each: how operators and numbers are written, and what stands around the expression.

mod language;
pub(super) mod text;
pub(super) mod latex;
pub(super) mod sympy;
pub(super) mod python;
pub(super) mod c;
pub(super) mod rust;
pub(super) mod javascript;
pub(super) mod julia;
pub(super) mod r;
pub(super) mod matlab;
pub(super) mod sql;
pub(super) mod excel;

pub(super) use language::{Language, Parts};
