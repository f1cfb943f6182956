//! From columns of numbers to a formula: the shortest program that uses the library.

use intron::{Dataset, FeatureNames, Interrupt, Run, Settings, Silent};

fn main() -> Result<(), intron::Error> {
    let x: Vec<f64> = (0..50).map(|i| f64::from(i) / 10.0).collect();
    let y: Vec<f64> = x.iter().map(|x| 3.0 * x * x + 2.0).collect();
    let names = vec!["x".to_owned()];
    let data = Dataset::new(names.clone(), vec![x], y, None)?;

    let mut settings = Settings::default();
    settings.set("evaluations", "100000")?;
    let run = Run::new(&data, &settings.validate()?, Interrupt::default())?;
    let outcome = run.finish(&mut Silent);

    // The front holds the best formula of every size: the last one is the most accurate.
    let best = outcome.front.last().expect("a formula was found");
    let text = best.formula.to_text(&FeatureNames::new(&names));
    assert!(text.ends_with("* (x * x)"), "{text}");
    assert_eq!(best.fitness.r2(), 1.0);
    Ok(())
}
