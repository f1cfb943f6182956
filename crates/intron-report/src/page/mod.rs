//! The page: one HTML file with everything in it, and a small script of its own.

mod html;
mod policy;
mod trust;
mod front;
mod formula;
mod fit;
mod features;
mod search;
mod origin;
mod document;

pub use document::page;
