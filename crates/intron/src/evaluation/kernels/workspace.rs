//! A list of operators to compute on columns, block of rows by block of rows. Where each stands is looked up once, when it
//! is listed, not once per block.

use std::ops::Range;
use std::sync::Arc;

use super::column_store::ColumnStore;
use super::columns::{Argument, GROUP, Group, compute_inline};
use super::instructions::Instructions;
use crate::expression::Operator;

/// Where a value stands, in one word: words are passed in registers, and copying one never waits for memory.
///
/// A number is stored as its bits, NaN as one that is positive. Columns are other NaNs.
#[derive(Clone, Copy)]
pub(crate) struct Place(u64);

/// What a [`Place`] says.
pub(crate) enum Standing {
    /// One number for all rows.
    Scalar(f64),
    /// A feature column.
    Feature(usize),
    /// A column of the workspace.
    Column(usize),
}

const FEATURE_TAG: u64 = 0xFFFB_0000_0000_0000;
const COLUMN_TAG: u64 = 0xFFFC_0000_0000_0000;
const TAG_BITS: u64 = 0xFFFF_0000_0000_0000;

impl Place {
    #[inline]
    pub(crate) fn scalar(value: f64) -> Place {
        Place(if value.is_nan() { f64::NAN.to_bits() & !SIGN_BIT } else { value.to_bits() })
    }

    #[inline]
    pub(crate) fn feature(k: u32) -> Place {
        Place(FEATURE_TAG | u64::from(k))
    }

    #[inline]
    pub(crate) fn column(k: u32) -> Place {
        Place(COLUMN_TAG | u64::from(k))
    }

    #[inline]
    pub(crate) fn standing(self) -> Standing {
        match self.0 & TAG_BITS {
            FEATURE_TAG => Standing::Feature(self.0 as u32 as usize),
            COLUMN_TAG => Standing::Column(self.0 as u32 as usize),
            _ => Standing::Scalar(f64::from_bits(self.0)),
        }
    }
}

const SIGN_BIT: u64 = 1 << 63;

/// Columns to read, columns to write, and what to compute.
pub(crate) struct Workspace {
    instructions: Instructions,
    n_rows: usize,
    features: Arc<ColumnStore>,
    columns: ColumnStore,
    steps: Vec<Step>,
}

/// One operator to compute. Its pointers stay good for as long as the workspace lives: columns never move.
struct Step {
    operator: Operator,
    a: Source,
    b: Source,
    out: *mut Group,
    /// Groups that are there already.
    n_filled: usize,
}

/// Where an argument is read: a column, or none and a number.
struct Source {
    column: *const Group,
    number: Group,
}

// SAFETY: the pointers lead to the columns of the workspace that the step belongs to, which move to another thread with it,
// and to features, which nobody writes.
#[allow(unsafe_code)]
unsafe impl Send for Step {}

impl Workspace {
    /// A workspace with nothing to do.
    pub(crate) fn new(
        instructions: Instructions,
        features: Arc<ColumnStore>,
        n_columns: usize,
        n_rows: usize,
    ) -> Workspace {
        assert!(features.n_rows() == n_rows || features.n_columns() == 0, "as many rows");
        let columns = ColumnStore::zeros(n_columns, n_rows);
        Workspace { instructions, n_rows, features, columns, steps: Vec::with_capacity(n_columns) }
    }

    /// Forgets what to compute.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }

    /// Lists an operator whose arguments are there or listed before it. The first `n_filled` rows of its column are there.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        operator: Operator,
        a: Place,
        b: Place,
        out: u32,
        n_filled: usize,
    ) {
        let (a, b) = (self.source(a, out), self.source(b, out));
        let out = self.columns.pointer_mut(out as usize).cast();
        self.steps.push(Step { operator, a, b, out, n_filled: n_filled / GROUP });
    }

    #[inline(always)]
    fn source(&self, place: Place, out: u32) -> Source {
        let (column, number) = match place.standing() {
            Standing::Scalar(number) => (std::ptr::null(), number),
            Standing::Feature(k) => (self.features.pointer(k), 0.0),
            Standing::Column(k) => {
                assert!(k != out as usize, "a column is not its own argument");
                (self.columns.pointer(k), 0.0)
            }
        };
        Source { column: column.cast(), number: [number; GROUP] }
    }

    /// A column.
    #[inline]
    pub(crate) fn column(&self, k: usize) -> &[f64] {
        self.columns.column(k)
    }

    /// Computes the listed operators on some rows, all before the first of which are there. The first is a multiple of 16, and
    /// so is the end unless it is that of the last row.
    #[inline]
    pub(crate) fn run(&mut self, rows: Range<usize>) {
        let n_rows = self.n_rows;
        let end = if rows.end < n_rows { rows.end } else { n_rows.next_multiple_of(GROUP) };
        assert!(rows.start.is_multiple_of(GROUP) && end.is_multiple_of(GROUP), "whole groups");
        let groups = rows.start / GROUP..end / GROUP;
        #[cfg(target_arch = "x86_64")]
        if self.instructions.has_avx2() {
            // SAFETY: `has_avx2` has just found both features on this machine; columns have room for all rows, rounded up.
            #[allow(unsafe_code)]
            unsafe {
                run_avx2(&self.steps, groups);
            }
            return;
        }
        // SAFETY: columns have room for all rows, rounded up to whole groups.
        #[allow(unsafe_code)]
        unsafe {
            run_inline(&self.steps, groups);
        }
    }
}

/// SAFETY: as for [`run_inline`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code)]
unsafe fn run_avx2(steps: &[Step], groups: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { run_inline(steps, groups) };
}

/// SAFETY: every column has room for the groups.
#[inline(always)]
#[allow(unsafe_code)]
unsafe fn run_inline(steps: &[Step], groups: Range<usize>) {
    for step in steps {
        let start = groups.start.max(step.n_filled);
        if start < groups.end {
            // SAFETY: the caller's promise; `push` took care that the column to write is not among those to read.
            unsafe {
                compute_inline(
                    step.operator,
                    step.a.argument(start),
                    step.b.argument(start),
                    step.out.add(start),
                    groups.end - start,
                );
            }
        }
    }
}

impl Source {
    /// The argument from this group on.
    #[inline(always)]
    fn argument(&self, start: usize) -> Argument {
        match self.column.is_null() {
            true => Argument::number(&self.number),
            false => Argument::column(self.column.wrapping_add(start)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arithmetic::apply;
    use super::*;

    #[test]
    fn a_place_keeps_what_it_says() {
        for value in [0.0, -0.0, 1.5, -1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY] {
            let standing = Place::scalar(value).standing();
            assert!(
                matches!(standing, Standing::Scalar(kept) if kept.to_bits() == value.to_bits())
            );
        }
        // Every NaN is a number here, never a column.
        for bits in [f64::NAN.to_bits(), FEATURE_TAG | 7, COLUMN_TAG | 7, u64::MAX] {
            let standing = Place::scalar(f64::from_bits(bits)).standing();
            assert!(matches!(standing, Standing::Scalar(kept) if kept.is_nan()));
        }
        assert!(matches!(Place::feature(9).standing(), Standing::Feature(9)));
        assert!(matches!(Place::column(9).standing(), Standing::Column(9)));
    }

    /// `(f0 / 3 − f1) · sin(f0)`, block by block, some rows there before.
    #[test]
    fn blocks_and_rows_that_are_there_change_nothing() {
        for n_rows in [1, 15, 16, 17, 64, 130, 902] {
            let f0: Vec<f64> = (0..n_rows).map(|row| row as f64 * 0.7 - 30.0).collect();
            let f1: Vec<f64> = (0..n_rows).map(|row| 1.0 / (row as f64 - 3.0)).collect();
            let expected: Vec<f64> = (0..n_rows)
                .map(|row| (f0[row] / 3.0 - f1[row]) * apply(Operator::Sin, f0[row], 0.0))
                .collect();
            let features = Arc::new(ColumnStore::of(&[f0, f1], n_rows));
            for (instructions, block, n_filled) in [
                (Instructions::Detected, 64, 0),
                (Instructions::Portable, 64, 0),
                (Instructions::Detected, 1024, 0),
                (Instructions::Detected, 128, 64.min(n_rows / GROUP * GROUP)),
            ] {
                let mut workspace = Workspace::new(instructions, Arc::clone(&features), 4, n_rows);
                let (f0, f1) = (Place::feature(0), Place::feature(1));
                workspace.push(Operator::Sin, f0, Place::scalar(0.0), 3, 0);
                workspace.run(0..n_filled);
                workspace.clear();
                workspace.push(Operator::Divide, f0, Place::scalar(3.0), 0, 0);
                workspace.push(Operator::Subtract, Place::column(0), f1, 1, 0);
                workspace.push(Operator::Sin, f0, Place::scalar(0.0), 3, n_filled);
                workspace.push(Operator::Multiply, Place::column(1), Place::column(3), 2, 0);
                for start in (0..n_rows).step_by(block) {
                    workspace.run(start..(start + block).min(n_rows));
                }
                let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
                assert!(workspace.column(2).iter().zip(&expected).all(same), "{n_rows} rows");
            }
        }
    }

    #[test]
    #[should_panic(expected = "a column is not its own argument")]
    fn a_column_is_never_read_and_written_at_once() {
        let features = Arc::new(ColumnStore::of(&[], 16));
        let mut workspace = Workspace::new(Instructions::Portable, features, 2, 16);
        workspace.push(Operator::Add, Place::column(1), Place::scalar(1.0), 1, 0);
    }
}
