//! A whole formula from scratch: the reference that the incremental way must equal, and the way new rows are predicted
//! (uncounted).

use super::kernels::{GROUP, Group, Instructions, Operand, apply, compute};
use super::tally::BLOCK_ROWS;
use crate::expression::{Formula, Meaning, Node, Symbol};

/// The output of a formula on every row. `features` has at least as many columns as the formula needs.
pub fn predict(formula: &Formula, features: &[Vec<f64>], n_rows: usize) -> Vec<f64> {
    let feature = |k: usize| Column::Plain(&features[k]);
    predict_with(formula, feature, n_rows, Instructions::Detected, &mut Scratch::default())
}

/// Memory for one block of every node, kept from formula to formula.
pub(super) type Scratch = Vec<Group>;

/// The values of a feature.
#[derive(Clone, Copy)]
pub(super) enum Column<'a> {
    /// In whole groups: read where they stand.
    Grouped(&'a [Group]),
    /// As they came: copied before they are read.
    Plain(&'a [f64]),
}

/// The output of a formula on every row of some columns.
pub(super) fn predict_with<'a>(
    formula: &Formula,
    feature: impl Fn(usize) -> Column<'a>,
    n_rows: usize,
    instructions: Instructions,
    scratch: &mut Scratch,
) -> Vec<f64> {
    let mut outputs = Vec::with_capacity(n_rows);
    for start in (0..n_rows).step_by(BLOCK_ROWS) {
        let n_block = BLOCK_ROWS.min(n_rows - start);
        let n_groups = n_block.div_ceil(GROUP);
        scratch.resize(scratch.len().max(n_groups * formula.size()), [0.0; GROUP]);
        forward(formula, &feature, (start, n_block), instructions, scratch);
        let root = &scratch[(formula.size() - 1) * n_groups..];
        outputs.extend_from_slice(&root.as_flattened()[..n_block]);
    }
    outputs
}

/// The values of a formula on a block of rows, given by its first row, the first of a group, and their number; each node has room for
/// as many groups as the block has. Written there are operators, the root and plain features; all else is read where it stands.
pub(super) fn forward<'a>(
    formula: &Formula,
    feature: impl Fn(usize) -> Column<'a>,
    (start, n_block): (usize, usize),
    instructions: Instructions,
    values: &mut [Group],
) {
    let n_groups = n_block.div_ceil(GROUP);
    let root = formula.size() - 1;
    for (place, node) in formula.nodes().iter().enumerate() {
        let (before, rest) = values.split_at_mut(place * n_groups);
        let out = &mut rest[..n_groups];
        match node.symbol.meaning() {
            Meaning::Feature(k) => match feature(k as usize) {
                Column::Plain(column) => {
                    out.as_flattened_mut()[..n_block].copy_from_slice(&column[start..][..n_block]);
                }
                Column::Grouped(groups) if place == root => {
                    out.copy_from_slice(&groups[start / GROUP..][..n_groups]);
                }
                Column::Grouped(_) => {}
            },
            Meaning::Constant(value) if place == root => out.fill([value; GROUP]),
            Meaning::Constant(_) => {}
            Meaning::Operator(operator) => {
                let argument = |k: usize| match operator.arity() > k {
                    true => {
                        let child = node.arguments[k] as usize;
                        let slot = &before[child * n_groups..][..n_groups];
                        operand(formula.nodes()[child].symbol, &feature, start / GROUP, slot)
                    }
                    false => Operand::Scalar(0.0),
                };
                compute(instructions, operator, argument(0), argument(1), out);
            }
        }
    }
}

/// Where the value of an argument is read; `slot` is its room.
fn operand<'s, 'a: 's>(
    symbol: Symbol,
    feature: &impl Fn(usize) -> Column<'a>,
    first_group: usize,
    slot: &'s [Group],
) -> Operand<'s> {
    match symbol.meaning() {
        Meaning::Constant(value) => Operand::Scalar(value),
        Meaning::Feature(k) => match feature(k as usize) {
            Column::Grouped(groups) => Operand::Column(&groups[first_group..][..slot.len()]),
            Column::Plain(_) => Operand::Column(slot),
        },
        Meaning::Operator(_) => Operand::Column(slot),
    }
}

/// The output of a formula on one row of feature values, one number at a time.
pub fn predict_row(formula: &Formula, row: &[f64]) -> f64 {
    let mut values: Vec<f64> = Vec::with_capacity(formula.size());
    for &Node { symbol, arguments: [a, b] } in formula.nodes() {
        let value = |place: u32| values[place as usize];
        values.push(match symbol.meaning() {
            Meaning::Feature(k) => row[k as usize],
            Meaning::Constant(value) => value,
            Meaning::Operator(operator) if operator.arity() == 1 => apply(operator, value(a), 0.0),
            Meaning::Operator(operator) => apply(operator, value(a), value(b)),
        });
    }
    *values.last().expect("a formula has at least one node")
}

#[cfg(test)]
mod tests {
    use super::super::kernels::ColumnStore;
    use super::*;
    use crate::expression::FeatureNames;

    #[test]
    fn features_in_groups_are_as_good_as_plain_ones() {
        let names = FeatureNames::new(&["a".to_owned(), "b".to_owned()]);
        for text in ["b", "2.5", "a + 1.5", "sin(a * 3.7) / (b - 2) + exp(b) * a", "2 - b"] {
            let formula = Formula::parse(text, &names).unwrap();
            for n_rows in [1, 15, 16, 512, 513, 1100] {
                let a: Vec<f64> = (0..n_rows).map(|row| row as f64 * 0.37 - 20.0).collect();
                let b: Vec<f64> = (0..n_rows).map(|row| 3.0 - row as f64 * 0.011).collect();
                let columns = [a, b];
                let store = ColumnStore::of(&columns, n_rows);
                let grouped = |k: usize| Column::Grouped(store.groups(k));
                let (found, mut scratch) = (Instructions::Detected, Scratch::default());
                let outputs = predict_with(&formula, grouped, n_rows, found, &mut scratch);
                assert_eq!(outputs, predict(&formula, &columns, n_rows), "{text}, {n_rows} rows");
            }
        }
    }

    #[test]
    fn all_rows_at_once_are_each_row_by_itself() {
        let names = FeatureNames::new(&["a".to_owned(), "b".to_owned()]);
        let formula =
            "sin(a * 3.7) / (b - cos(a)) + max(exp(b), log(a)) - 2.5 * pow(a, b) + tanh(-a)";
        let formula = Formula::parse(formula, &names).unwrap();
        for n_rows in [1, 2, 255, 256, 257, 1000] {
            let a: Vec<f64> = (0..n_rows).map(|row| row as f64 * 0.37 - 20.0).collect();
            let b: Vec<f64> = (0..n_rows).map(|row| 3.0 - row as f64 * 0.011).collect();
            let outputs = predict(&formula, &[a.clone(), b.clone()], n_rows);
            for row in 0..n_rows {
                let alone = predict_row(&formula, &[a[row], b[row]]);
                assert!(
                    alone.to_bits() == outputs[row].to_bits()
                        || alone.is_nan() && outputs[row].is_nan()
                );
            }
        }
    }
}
