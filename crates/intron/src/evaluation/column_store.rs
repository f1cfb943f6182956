//! Columns of equal length in one block of memory, placed so that vector loads are fast.

/// Bytes of a cache line; columns begin on one.
const LINE_BYTES: usize = 64;
const LINE: usize = LINE_BYTES / size_of::<f64>();
/// Loads and stores that are this far apart, or a multiple of it, slow each other down.
const ALIASING: usize = 4096 / size_of::<f64>();

/// A fixed number of columns. Memory that is never written costs nothing.
#[derive(Debug)]
pub(super) struct ColumnStore {
    data: Vec<f64>,
    first: usize,
    stride: usize,
    n_rows: usize,
}

impl ColumnStore {
    /// Columns of zeros.
    pub(super) fn zeros(n_columns: usize, n_rows: usize) -> ColumnStore {
        let mut stride = n_rows.next_multiple_of(LINE).max(LINE);
        if stride.is_multiple_of(ALIASING) {
            stride += LINE;
        }
        let data = vec![0.0; n_columns * stride + LINE];
        let offset = data.as_ptr().align_offset(LINE_BYTES);
        let first = if offset < LINE { offset } else { 0 };
        ColumnStore { data, first, stride, n_rows }
    }

    /// A copy of columns.
    pub(super) fn of(columns: &[Vec<f64>], n_rows: usize) -> ColumnStore {
        let mut store = ColumnStore::zeros(columns.len(), n_rows);
        for (k, column) in columns.iter().enumerate() {
            let start = store.start(k);
            store.data[start..start + n_rows].copy_from_slice(column);
        }
        store
    }

    /// A column.
    #[inline]
    pub(super) fn column(&self, k: usize) -> &[f64] {
        let start = self.start(k);
        &self.data[start..start + self.n_rows]
    }

    /// Some rows of one column to write, and a view of all other columns.
    #[inline]
    pub(super) fn split(&mut self, k: usize, rows: Rows) -> (&mut [f64], OtherColumns<'_>) {
        let start = self.start(k);
        let (before, rest) = self.data.split_at_mut(start);
        let (column, behind) = rest.split_at_mut(self.stride);
        let others =
            OtherColumns { before, behind, first: self.first, stride: self.stride, written: k };
        (&mut column[rows.start..rows.start + rows.len], others)
    }

    #[inline]
    fn start(&self, k: usize) -> usize {
        self.first + k * self.stride
    }
}

/// A range of rows.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) start: usize,
    pub(super) len: usize,
}

/// The columns beside the one that is being written.
#[derive(Clone, Copy)]
pub(super) struct OtherColumns<'a> {
    before: &'a [f64],
    behind: &'a [f64],
    first: usize,
    stride: usize,
    written: usize,
}

impl<'a> OtherColumns<'a> {
    /// Some rows of a column.
    #[inline]
    pub(super) fn rows(self, k: usize, rows: Rows) -> &'a [f64] {
        assert!(k != self.written, "a column is not its own argument");
        let start = rows.start
            + if k < self.written {
                self.first + k * self.stride
            } else {
                (k - self.written - 1) * self.stride
            };
        let part = if k < self.written { self.before } else { self.behind };
        &part[start..start + rows.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_kept_apart_and_aligned() {
        for n_rows in [1, 7, 8, 9, 512, 1000] {
            let columns: Vec<Vec<f64>> = (0..5).map(|k| vec![f64::from(k); n_rows]).collect();
            let mut store = ColumnStore::of(&columns, n_rows);
            for (k, column) in columns.iter().enumerate() {
                assert_eq!(store.column(k).as_ptr() as usize % LINE_BYTES, 0);
                assert_eq!(store.column(k), column);
                let rows = Rows { start: n_rows / 2, len: n_rows - n_rows / 2 };
                let (out, others) = store.split(k, rows);
                assert_eq!(out.len(), rows.len);
                for other in (0..5).filter(|&other| other != k) {
                    assert!(others.rows(other, rows).iter().all(|&x| x == other as f64));
                }
            }
        }
    }
}
