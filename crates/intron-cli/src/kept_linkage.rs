//! The linkage that `run.json` keeps: the last one of the largest population.

use intron::{Event, Settings, SimilarityMatrix, Template};
use serde_json::{Value, json};

/// The last linkage of the largest population that has varied its solutions, or of the largest at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct KeptLinkage {
    /// Number of solutions of each population so far.
    sizes: Vec<usize>,
    last: Option<Learned>,
}

#[derive(Debug, Clone, PartialEq)]
struct Learned {
    population: usize,
    generation: u64,
    /// Values below the diagonal, row by row.
    similarity: Option<Vec<f64>>,
}

impl KeptLinkage {
    pub(crate) fn notify(&mut self, event: &Event<'_>) {
        match *event {
            Event::PopulationStarted { population, solutions } => {
                self.sizes.resize(self.sizes.len().max(population + 1), 0);
                self.sizes[population] = solutions.len();
            }
            Event::LinkageLearned { population, generation, similarity, .. } => {
                // At generation 0 nothing was selected yet, so that little can be learned.
                let is_later = self.last.as_ref().is_none_or(|last| {
                    population >= last.population && (generation > 0 || last.generation == 0)
                });
                if is_later {
                    let similarity = similarity.map(below_diagonal);
                    self.last = Some(Learned { population, generation, similarity });
                }
            }
            _ => {}
        }
    }

    /// What `run.json` says of it; nothing where no linkage was learned.
    pub(crate) fn to_json(&self, settings: &Settings) -> Value {
        let Some(Learned { population, generation, similarity }) = &self.last else {
            return Value::Null;
        };
        let levels =
            Template::full(settings.height, settings.arity).map_or(Vec::new(), |template| {
                let mut levels = vec![0; template.height()];
                let positions = 0..template.n_positions();
                positions.for_each(|position| levels[template.depth(position)] += 1);
                levels
            });
        json!({
            "label": settings.linkage.label(),
            "population_size": self.sizes.get(*population),
            "generation": generation,
            "levels": levels,
            "similarity": similarity,
        })
    }

    /// All of it, for a checkpoint.
    pub(crate) fn to_state(&self) -> Value {
        let last = self.last.as_ref().map(|last| {
            json!({
                "population": last.population,
                "generation": last.generation,
                "similarity": last.similarity,
            })
        });
        json!({"sizes": self.sizes, "last": last})
    }

    /// Reads what `to_state` has written; what is not there is learned again.
    pub(crate) fn from_state(state: &Value) -> KeptLinkage {
        let numbers = |value: &Value| -> Option<Vec<f64>> {
            value.as_array()?.iter().map(Value::as_f64).collect()
        };
        let last = |value: &Value| {
            Some(Learned {
                population: value["population"].as_u64()? as usize,
                generation: value["generation"].as_u64()?,
                similarity: numbers(&value["similarity"]),
            })
        };
        let sizes = numbers(&state["sizes"]).unwrap_or_default();
        let sizes = sizes.into_iter().map(|size| size as usize).collect();
        KeptLinkage { sizes, last: last(&state["last"]) }
    }
}

fn below_diagonal(matrix: &SimilarityMatrix) -> Vec<f64> {
    let below = |row: usize| (0..row).map(move |column| (row, column));
    let pairs = (0..matrix.n_positions()).flat_map(below);
    pairs.map(|(row, column)| matrix.value(row, column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Learns in this order: numbers of populations with their generations.
    fn kept(order: &[(usize, u64)]) -> (usize, u64) {
        let mut kept = KeptLinkage::default();
        let family = intron::FamilyOfSubsets::univariate(3);
        for &(population, generation) in order {
            let (similarity, family) = (None, &family);
            kept.notify(&Event::LinkageLearned { population, generation, similarity, family });
        }
        let last = kept.last.expect("something was learned");
        (last.population, last.generation)
    }

    #[test]
    fn the_largest_population_counts_once_it_has_varied() {
        assert_eq!(kept(&[(0, 0)]), (0, 0));
        assert_eq!(kept(&[(0, 0), (0, 1), (1, 0), (0, 2)]), (0, 2));
        assert_eq!(kept(&[(0, 0), (0, 1), (1, 0), (1, 1), (0, 2)]), (1, 1));
    }

    #[test]
    fn a_checkpoint_has_all_of_it() {
        let last = Learned { population: 1, generation: 3, similarity: Some(vec![0.1, 1.0 / 3.0]) };
        let kept = KeptLinkage { sizes: vec![64, 128], last: Some(last) };
        assert_eq!(KeptLinkage::from_state(&kept.to_state()), kept);
        assert_eq!(KeptLinkage::from_state(&Value::Null), KeptLinkage::default());
    }
}
