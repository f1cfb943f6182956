//! Runs every linkage of the paper briefly on the same data, with the same initial populations, and prints a table.
#![allow(clippy::print_stdout)]

use intron::{Dataset, Error, Interrupt, Linkage, Run, Settings, Silent};

/// A target that depends on three features in different ways.
fn data() -> Result<Dataset, Error> {
    let column = |step: u32, modulus: u32| -> Vec<f64> {
        (0..200).map(|row| f64::from(row * step % modulus) / f64::from(modulus)).collect()
    };
    let (a, b, c) = (column(37, 101), column(53, 89), column(71, 97));
    let target = |row: usize| 10.0 * a[row] * b[row] - 4.0 * c[row] / (1.0 + a[row] * a[row]);
    let target = (0..200).map(target).collect();
    Dataset::new(vec!["a".into(), "b".into(), "c".into()], vec![a, b, c], target, None)
}

fn main() -> Result<(), Error> {
    let data = data()?;
    println!("{:<14} {:>8} {:>8} {:>6}", "linkage", "best R²", "mean R²", "size");
    for name in Linkage::names() {
        let linkage = Linkage::from_name(name)?;
        let mut scores = Vec::new();
        let mut size = 0;
        for seed in ["1", "2", "3", "4", "5"] {
            let mut settings = Settings { linkage: linkage.clone(), ..Settings::default() };
            settings.set("linear_scaling", "off")?;
            settings.set("evaluations", "50000")?;
            settings.set("seed", seed)?;
            let run = Run::new(&data, &settings.validate()?, Interrupt::default())?;
            let outcome = run.finish(&mut Silent);
            let best = outcome.front.last().expect("a formula was found");
            scores.push(best.fitness.r2());
            size = size.max(best.size);
        }
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        println!("{:<14} {best:>8.4} {mean:>8.4} {size:>6}", linkage.label());
    }
    Ok(())
}
