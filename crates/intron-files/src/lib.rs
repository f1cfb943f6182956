//! Everything on the disk that the doors share: tables in, model files out.

mod error;
mod checksum;
mod table;
mod whole_files;
pub mod json;
mod datasets;
mod data;
mod preparation;
mod trust;
mod model_file;

pub use checksum::sha256;
pub use data::{bytes_of, is_file, whole_table};
pub use datasets::{KNOWN, Known};
pub use error::FilesError;
pub use model_file::{Entry, ModelFile};
pub use preparation::{Fill, Missing, Preparation, Prepared, PreparedColumn, Unknown};
pub use table::{
    Column, Need, RawTable, Reading, Table, TableError, Words, read_columns, read_table,
};
pub use trust::{Calibration, Evidence, NullRuns, Trust};
pub use whole_files::{
    name_of, prepare_file, prepare_folder, read, replace, replace_keeping, replace_through,
    set_aside, write_set,
};
