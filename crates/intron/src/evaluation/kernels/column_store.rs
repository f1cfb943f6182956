//! Columns of equal length in one block of memory, placed so that vector loads are fast.

use super::columns::{GROUP, Group};

/// Bytes of a cache line; columns begin on one.
const LINE_BYTES: usize = 64;
const LINE: usize = LINE_BYTES / size_of::<f64>();
/// Loads and stores that are this far apart, or a multiple of it, slow each other down.
const ALIASING: usize = 4096 / size_of::<f64>();

/// A fixed number of columns. Memory that is never written costs nothing.
#[derive(Debug)]
pub(crate) struct ColumnStore {
    data: Vec<f64>,
    first: usize,
    stride: usize,
    n_columns: usize,
    n_rows: usize,
}

impl ColumnStore {
    /// Columns of zeros.
    pub(crate) fn zeros(n_columns: usize, n_rows: usize) -> ColumnStore {
        let mut stride = n_rows.next_multiple_of(GROUP).max(GROUP);
        if stride.is_multiple_of(ALIASING) {
            stride += GROUP;
        }
        let data = vec![0.0; n_columns * stride + LINE];
        let offset = data.as_ptr().align_offset(LINE_BYTES);
        let first = if offset < LINE { offset } else { 0 };
        ColumnStore { data, first, stride, n_columns, n_rows }
    }

    /// A copy of columns.
    pub(crate) fn of(columns: &[Vec<f64>], n_rows: usize) -> ColumnStore {
        let mut store = ColumnStore::zeros(columns.len(), n_rows);
        for (k, column) in columns.iter().enumerate() {
            let start = store.start(k);
            store.data[start..start + n_rows].copy_from_slice(column);
        }
        store
    }

    /// Number of columns.
    pub(crate) fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Number of rows.
    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// A column.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn column(&self, k: usize) -> &[f64] {
        // SAFETY: the column is inside `data`; who writes through a pointer does not do so while it is borrowed.
        unsafe { std::slice::from_raw_parts(self.pointer(k), self.n_rows) }
    }

    /// A column in whole groups; what stands behind its rows means nothing.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn groups(&self, k: usize) -> &[Group] {
        let n_groups = self.n_rows.div_ceil(GROUP);
        // SAFETY: the column has room for whole groups inside `data`; who writes through a pointer does not do so while it is borrowed.
        unsafe { std::slice::from_raw_parts(self.pointer(k).cast(), n_groups) }
    }

    /// Where a column begins in memory. It has room for its rows, rounded up to a multiple of [`GROUP`].
    ///
    /// No slice of the memory is made on the way, nor by the other methods, once it is filled: pointers stay good beside each
    /// other for as long as the store lives.
    #[inline]
    pub(super) fn pointer(&self, k: usize) -> *const f64 {
        self.data.as_ptr().wrapping_add(self.start(k))
    }

    /// The same, to write to.
    #[inline]
    pub(super) fn pointer_mut(&mut self, k: usize) -> *mut f64 {
        let start = self.start(k);
        self.data.as_mut_ptr().wrapping_add(start)
    }

    #[inline]
    fn start(&self, k: usize) -> usize {
        assert!(k < self.n_columns, "there is no such column");
        self.first + k * self.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_kept_apart_and_aligned() {
        for n_rows in [1, 7, 8, 9, 512, 1000] {
            let columns: Vec<Vec<f64>> = (0..5).map(|k| vec![f64::from(k); n_rows]).collect();
            let store = ColumnStore::of(&columns, n_rows);
            for (k, column) in columns.iter().enumerate() {
                assert_eq!(store.column(k).as_ptr() as usize % LINE_BYTES, 0);
                assert_eq!(store.column(k), column);
                assert!(store.stride >= n_rows.next_multiple_of(GROUP), "columns overlap");
                assert!(store.start(k) + store.stride <= store.data.len(), "the last has no room");
            }
            assert!(!(store.stride * size_of::<f64>()).is_multiple_of(4096));
        }
    }
}
