//! Tidy: the house rules that neither the compiler nor clippy checks, one file per kind of rule.

mod finding;
mod source_views;
mod lengths;
mod leftovers;
mod modules;
mod text_form;
mod dependency_reasons;
mod tracked_files;
mod repository;

pub(crate) use repository::check_repository;
