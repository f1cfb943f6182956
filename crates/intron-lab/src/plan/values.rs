//! Whether the values of a plan make sense. Whatever does not is said at once.

use intron::{Key, Settings};
use toml::Value;

use super::Plan;

/// More runs than this are a slip of the pen, and their list would not fit into memory.
const MOST_RUNS: usize = 1_000_000;

/// Settings that the plan has keys of its own for.
const OWN: [&str; 9] = [
    "seed",
    "threads",
    "time",
    "evaluations",
    "generations",
    "linkage",
    "height",
    "operators",
    "linear_scaling",
];

/// Settings that all runs must share: all settings are part of a run's id, and one run must not have two.
const OF_SPEED: [&str; 3] = ["evaluator", "early_rejection", "instructions"];

/// All that makes no sense in a plan.
pub(super) fn problems(plan: &Plan) -> Vec<String> {
    let mut found = Vec::new();
    let is_tame = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if plan.name.is_empty() || plan.name.len() > 100 || !plan.name.chars().all(is_tame) {
        found.push(format!(
            "`name` is {:?}; take 1 to 100 letters, digits, `-` and `_`: a folder is called by it",
            plan.name
        ));
    }
    look_at_lists(plan, &mut found);
    look_at_runs(plan, &mut found);
    look_at_budget(plan, &mut found);
    look_at_settings(plan, &mut found);
    found
}

fn look_at_lists(plan: &Plan, found: &mut Vec<String>) {
    let texts = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>();
    let heights = texts(&plan.heights);
    for (key, setting, list) in [
        ("data", None, &plan.data),
        ("heights", Some("height"), &heights),
        ("linear_scaling", Some("linear_scaling"), &plan.linear_scaling),
        ("operators", Some("operators"), &plan.operators),
        ("linkage", Some("linkage"), &plan.linkage),
    ] {
        if list.is_empty() {
            found.push(format!("`{key}` is empty: there is nothing to run"));
        }
        let mut seen: Vec<(String, &String)> = Vec::new();
        for entry in list {
            let meaning = match setting.map_or_else(|| Ok(entry.clone()), |s| meaning(s, entry)) {
                Ok(meaning) => meaning,
                Err(error) => {
                    found.push(format!("`{key}`: {error}"));
                    continue;
                }
            };
            match seen.iter().find(|(known, _)| *known == meaning) {
                Some((_, first)) if *first == entry => {
                    found.push(format!("`{key}`: {entry} is listed twice"));
                }
                Some((_, first)) => {
                    found.push(format!("`{key}`: {first} and {entry} are the same, listed twice"));
                }
                None => seen.push((meaning, entry)),
            }
        }
    }
    if plan.data.iter().any(|entry| entry == "-") {
        found.push(
            "`data`: - is standard input, which cannot be read again later; name a file".to_owned(),
        );
    }
    if plan.data.iter().any(String::is_empty) {
        found.push("`data`: an empty text is no data; name a data set or a file".to_owned());
    }
    let is_lone = |set: &&String| !matches!(set.as_str(), "small" | "large") && !set.contains(',');
    let lone: Vec<&str> = plan.operators.iter().filter(is_lone).map(String::as_str).collect();
    if lone.len() > 1 {
        found.push(format!(
            "`operators` is a list of sets, and each of {} would be a set of its own; one set of them is written \"{}\"",
            lone.join(" "),
            lone.join(",")
        ));
    }
}

/// What a setting is after it was given as a text; the same for texts that mean the same.
pub(super) fn meaning(key: &str, text: &str) -> Result<String, String> {
    let mut settings = Settings::default();
    settings.set(key, text).map_err(|error| hint(key, text, &error.to_string()))?;
    let key = Key::all().iter().find(|known| known.name == key).expect("a known key");
    let value = key.value(&settings);
    settings.limits.evaluations = Some(1);
    settings.validate().map_err(|error| error.to_string())?;
    Ok(value)
}

/// The error, with a hint where sets of operators were separated like operators.
fn hint(key: &str, text: &str, error: &str) -> String {
    let mut words = text.split(',').map(str::trim);
    if key == "operators"
        && text.contains(',')
        && words.any(|word| matches!(word, "small" | "large"))
    {
        return format!(
            "{text} is one set, and no operator is called small or large; sets are separated by `;` after --set, as in \
             'operators=small;large', and are texts of their own in a file, as in [\"small\", \"large\"]"
        );
    }
    error.to_owned()
}

fn look_at_runs(plan: &Plan, found: &mut Vec<String>) {
    if plan.repeats == 0 {
        found.push("`repeats` is 0: there is nothing to run; take at least 1".to_owned());
    }
    if plan.folds < 2 {
        found.push(format!(
            "`folds` is {}; take at least 2: a run learns from all folds but one",
            plan.folds
        ));
    }
    if !(0.0..0.9).contains(&plan.test_fraction) {
        found.push(format!(
            "`test_fraction` is {}; take a share of the rows from 0 (none is held out) to below 0.9",
            plan.test_fraction
        ));
    }
    match plan.n_runs() {
        Some(n_runs) if n_runs <= MOST_RUNS => {}
        _ => found.push(format!(
            "the lists and `repeats` = {} make more than {MOST_RUNS} runs; take fewer",
            plan.repeats
        )),
    }
    if let Some(similarity) = &plan.similarity {
        let generations = &similarity.generations;
        if generations.is_empty() {
            found.push(
                "`similarity.generations` is empty; name some, or leave `similarity` out"
                    .to_owned(),
            );
        }
        let is_double = |(place, generation)| generations[..place].contains(generation);
        if let Some((_, double)) = generations.iter().enumerate().find(|&one| is_double(one)) {
            found.push(format!("`similarity.generations`: {double} is listed twice"));
        }
    }
}

fn look_at_budget(plan: &Plan, found: &mut Vec<String>) {
    let (evaluations, generations) = (plan.budget.evaluations, plan.budget.generations);
    if evaluations.is_none() && generations.is_none() {
        found.push(
            "`budget` needs `evaluations` or `generations`, or both: a run must end".to_owned(),
        );
    }
    for (key, limit) in [("evaluations", evaluations), ("generations", generations)] {
        if let Some(limit) = limit
            && (!(1.0..=1e18).contains(&limit) || limit.fract() != 0.0)
        {
            found.push(format!("`budget.{key}` is {limit}; take a whole number from 1 to 1e18"));
        }
    }
}

fn look_at_settings(plan: &Plan, found: &mut Vec<String>) {
    for (key, value) in &plan.settings {
        if OWN.contains(&key.as_str()) {
            found.push(format!("`settings.{key}` is set by the plan itself, not here"));
        } else if OF_SPEED.contains(&key.as_str()) {
            found.push(format!(
                "`settings.{key}` changes how fast a run is, not what it finds, so it is no part of a plan"
            ));
        } else if matches!(value, Value::Array(_) | Value::Table(_) | Value::Datetime(_)) {
            found.push(format!("`settings.{key}` is one number or text, not {value}"));
        } else if let Err(error) = Settings::default().set(key, &text_of(value)) {
            found.push(format!("`settings.{key}`: {error}"));
        }
    }
}

/// The value of a setting as it would be typed.
pub(crate) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
