//! A linkage measure of one's own: positions are linked if they tend to be active together.
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use intron::{
    Dataset, FeatureNames, Interrupt, Linkage, MeasureContext, Rebuild, Run, Settings, Silent,
    SimilarityMatrix, SimilarityMeasure, Solution, Stream,
};

/// The share of solutions in which both positions are active, or both introns.
struct SharedActivity;

impl SimilarityMeasure for SharedActivity {
    fn estimate_similarity(
        &mut self,
        population: &[Solution],
        context: &MeasureContext,
        _stream: &mut Stream,
    ) -> SimilarityMatrix {
        let is_active = |solution: &Solution, position: usize| solution.active >> position & 1 == 1;
        SimilarityMatrix::from_pairs(context.template.n_positions(), |i, j| {
            let agrees = |solution: &&Solution| is_active(solution, i) == is_active(solution, j);
            population.iter().filter(agrees).count() as f64 / population.len() as f64
        })
    }
}

fn main() -> Result<(), intron::Error> {
    let a: Vec<f64> = (0..60).map(|row| f64::from(row * 37 % 101) / 10.0).collect();
    let b: Vec<f64> = (0..60).map(|row| f64::from(row * 53 % 89) / 10.0).collect();
    let target = a.iter().zip(&b).map(|(a, b)| 2.0 * a * b - a + 1.0).collect();
    let names = vec!["a".to_owned(), "b".to_owned()];
    let data = Dataset::new(names.clone(), vec![a, b], target, None)?;

    let measure = Arc::new(|_: &[Solution], _: &MeasureContext| -> Box<dyn SimilarityMeasure> {
        Box::new(SharedActivity)
    });
    let linkage = Linkage::Custom { measure, rebuild: Rebuild::EveryGeneration };
    let mut settings = Settings { linkage, ..Settings::default() };
    settings.set("evaluations", "100000")?;
    let run = Run::new(&data, &settings.validate()?, Interrupt::default())?;
    for model in run.finish(&mut Silent).front {
        let text = model.formula.to_text(&FeatureNames::new(&names));
        println!("{:>3} {:.6} {text}", model.size, model.fitness.r2());
    }
    Ok(())
}
