//! The data sets of table 1, read from comma separated files.

use intron::Dataset;
use std::path::{Path, PathBuf};

/// The data sets that the repository holds.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets")
}

/// A table with a header, the target in the last column.
pub(crate) fn read(path: &Path) -> Dataset {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut lines = text.lines();
    let header: Vec<String> =
        lines.next().expect("a header").split(',').map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); header.len()];
    for line in lines {
        let mut n_cells = 0;
        for (column, cell) in columns.iter_mut().zip(line.split(',')) {
            column.push(cell.parse::<f64>().expect("a number"));
            n_cells += 1;
        }
        assert_eq!(n_cells, header.len(), "every row has every column: {line}");
    }
    let target = columns.pop().expect("a target");
    let names = header[..columns.len()].to_vec();
    Dataset::new(names, columns, target, None).expect("sound data")
}
