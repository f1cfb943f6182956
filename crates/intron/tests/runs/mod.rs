//! Small runs on data made from whole numbers and + − × ÷ alone, so that every machine has the same bits.
#![allow(dead_code, reason = "no test file uses every function")]

use intron::{
    Dataset, Event, FeatureNames, Interrupt, Outcome, Run, Settings, Silent, Solution,
    ValidSettings,
};

/// Key and value, as `--set` takes them.
pub(crate) type Pairs<'a> = &'a [(&'a str, &'a str)];

/// Three features and a target that no small formula meets exactly.
pub(crate) fn made_up_data(n_rows: usize) -> Dataset {
    let column = |step: usize, modulus: usize| -> Vec<f64> {
        (0..n_rows).map(|row| (row * step % modulus) as f64 / modulus as f64 - 0.25).collect()
    };
    let features = vec![column(37, 101), column(53, 89), column(71, 97)];
    let noise = column(29, 83);
    let target = (0..n_rows).map(|row| {
        let [a, b, c] = [features[0][row], features[1][row], features[2][row]];
        3.0 * a * b - 2.0 * c / (a * a + 1.0) + b + 0.125 * noise[row]
    });
    let target = target.collect();
    dataset(features, target)
}

/// Rows on which every scaled formula without division has the same fitness: the only feature is constant.
pub(crate) fn data_without_information() -> Dataset {
    dataset(vec![vec![2.0; 4]], vec![1.0, 2.0, 4.0, 8.0])
}

/// A data set without weights; the features are called a, b, c, ….
pub(crate) fn dataset(features: Vec<Vec<f64>>, target: Vec<f64>) -> Dataset {
    let names = ('a'..='z').take(features.len()).map(String::from).collect();
    Dataset::new(names, features, target, None).expect("sound data")
}

/// Default settings, one thread, and these.
pub(crate) fn settings(pairs: Pairs<'_>) -> ValidSettings {
    let mut settings = Settings { threads: 1, ..Settings::default() };
    for (key, value) in pairs {
        settings.set(key, value).expect("a known setting");
    }
    settings.validate().expect("valid settings")
}

/// A whole run.
pub(crate) fn run(data: &Dataset, pairs: Pairs<'_>) -> Outcome {
    start(data, pairs).finish(&mut Silent)
}

/// A whole run, watched.
pub(crate) fn watch(
    data: &Dataset,
    pairs: Pairs<'_>,
    mut observer: impl FnMut(&Event<'_>),
) -> Outcome {
    start(data, pairs).finish(&mut observer)
}

/// A run that has not begun.
pub(crate) fn start(data: &Dataset, pairs: Pairs<'_>) -> Run {
    Run::new(data, &settings(pairs), Interrupt::default()).expect("a possible run")
}

/// What must not change: size, bits of the error and text of every formula on the front.
pub(crate) fn front(data: &Dataset, outcome: &Outcome) -> Vec<(usize, u64, String)> {
    let names = FeatureNames::new(data.names());
    let line = |model: &intron::Model| {
        (model.size, model.fitness.nmse().to_bits(), model.formula.to_text(&names))
    };
    outcome.front.iter().map(line).collect()
}

/// The populations of a run with a single one: as it started, and after every generation.
pub(crate) fn generations(data: &Dataset, pairs: Pairs<'_>) -> (Vec<Vec<Solution>>, Outcome) {
    let mut populations = Vec::new();
    let outcome = watch(data, pairs, |event| {
        if let Event::PopulationStarted { solutions, .. }
        | Event::GenerationFinished { solutions, .. } = event
        {
            populations.push(solutions.to_vec());
        }
    });
    (populations, outcome)
}
