//! The files of a run: `hall_of_fame.csv`, `model.json` and `run.json`.

use std::path::Path;

use intron_files::ModelFile;
use serde_json::Value;

use crate::arguments::OutputArguments;
use crate::failure::Failure;
use crate::{json, terminal};

/// The result of a run.
pub(crate) const NAMES: [&str; 3] = ["hall_of_fame.csv", "model.json", "run.json"];

/// Writes all three. What an earlier run left there is set aside, not overwritten, together with some other files of it.
pub(crate) fn write(
    folder: &Path,
    model: &ModelFile,
    run: &Value,
    others: &[&str],
    output: &OutputArguments,
) -> Result<(), Failure> {
    let [hall_of_fame_csv, model_json, run_json] = NAMES;
    let set = [
        (hall_of_fame_csv, hall_of_fame(model)),
        (model_json, model.to_text()),
        (run_json, json::text(run)),
    ];
    if let Some(earlier) = intron_files::write_set(folder, &set, others)?
        && !output.quiet
    {
        terminal::tell(&format!("note: the earlier result is now in {}", earlier.display()));
    }
    Ok(())
}

/// One row per formula; the first three columns are those of other programs' halls of fame.
fn hall_of_fame(model: &ModelFile) -> String {
    let mut text = "Complexity,Loss,Equation,R2_train,R2_test,Safety\n".to_owned();
    for entry in &model.front {
        let quoted = entry.formula.replace('"', "\"\"");
        let test = entry.r2_test.map_or(String::new(), |r2| format!("{r2:?}"));
        let complexity = entry.complexity.unwrap_or(entry.size);
        let (loss, train) = (entry.mse_train, entry.r2_train);
        let safety = entry.trust.safety.as_deref().unwrap_or_default();
        text += &format!("{complexity},{loss:?},\"{quoted}\",{train:?},{test},{safety}\n");
    }
    text
}
