//! The linkage that a search has learned, as `run.json` has it.

use intron_figures::heat_map::Matrix;
use serde_json::Value;

/// The last linkage of the largest population.
#[derive(Debug, Clone)]
pub(crate) struct Linkage {
    /// The measure, as figures call it.
    pub(crate) label: String,
    /// Whether the template alone gives the similarities.
    pub(crate) is_of_template: bool,
    /// Number of solutions of the population.
    pub(crate) population_size: u64,
    /// Its generation.
    pub(crate) generation: u64,
    /// Number of positions of each level of the template.
    pub(crate) levels: Vec<usize>,
    /// The similarities; the diagonal is not a number. None for a measure without any.
    pub(crate) matrix: Option<Matrix>,
}

impl Linkage {
    /// Nothing where the run has none, or where it is not whole.
    pub(super) fn of_run(run: &Value) -> Option<Linkage> {
        let linkage = run.get("linkage")?;
        let setting = run["settings"]["linkage"].as_str().unwrap_or_default();
        let size = |value: &Value| value.as_u64().map(|size| size as usize);
        Some(Linkage {
            label: linkage["label"].as_str()?.to_owned(),
            is_of_template: intron::Linkage::from_name(setting)
                .is_ok_and(|linkage| linkage.is_of_template()),
            population_size: linkage["population_size"].as_u64()?,
            generation: linkage["generation"].as_u64()?,
            levels: linkage["levels"].as_array()?.iter().map(size).collect::<Option<_>>()?,
            matrix: matrix_of(&linkage["similarity"]),
        })
    }
}

/// A square matrix from its values below the diagonal, row by row.
fn matrix_of(values: &Value) -> Option<Matrix> {
    let values: Vec<f64> =
        values.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>()?;
    let n_positions = (1..).find(|n| n * (n - 1) / 2 >= values.len())?;
    if n_positions * (n_positions - 1) / 2 != values.len() {
        return None;
    }
    let mut whole = vec![f64::NAN; n_positions * n_positions];
    let pairs = (1..n_positions).flat_map(|row| (0..row).map(move |column| (row, column)));
    for ((row, column), value) in pairs.zip(values) {
        whole[row * n_positions + column] = value;
        whole[column * n_positions + row] = value;
    }
    Some(Matrix { n_positions, values: whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_matrix_is_symmetric_around_an_empty_diagonal() {
        let matrix = matrix_of(&json!([1.0, 2.0, 3.0])).unwrap();
        assert_eq!(matrix.n_positions, 3);
        assert_eq!(matrix.values[3..6].iter().map(|v| v.to_bits()).collect::<Vec<_>>(), {
            [1.0, f64::NAN, 3.0].map(f64::to_bits)
        });
        assert!(matrix_of(&json!([1.0, 2.0])).is_none());
        assert!(matrix_of(&json!(null)).is_none());
    }
}
