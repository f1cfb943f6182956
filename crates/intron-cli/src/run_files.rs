//! The files of a run: `hall_of_fame.csv`, `model.json` and `run.json`.

use std::path::Path;

use intron_files::ModelFile;
use serde_json::Value;

use crate::arguments::OutputArguments;
use crate::failure::Failure;
use crate::{json, terminal};

/// Writes all three. What an earlier run left there is set aside, not overwritten.
pub(crate) fn write(
    folder: &Path,
    model: &ModelFile,
    run: &Value,
    output: &OutputArguments,
) -> Result<(), Failure> {
    let set = [
        ("hall_of_fame.csv", hall_of_fame(model)),
        ("model.json", model.to_text()),
        ("run.json", json::text(run)),
    ];
    if let Some(earlier) = intron_files::write_set(folder, &set)?
        && !output.quiet
    {
        terminal::tell(&format!("note: the earlier result is now in {}", earlier.display()));
    }
    Ok(())
}

/// One row per formula; the first three columns are those of other programs' halls of fame.
fn hall_of_fame(model: &ModelFile) -> String {
    let mut text = "Complexity,Loss,Equation,R2_train,R2_test\n".to_owned();
    for entry in &model.front {
        let quoted = entry.formula.replace('"', "\"\"");
        let test = entry.r2_test.map_or(String::new(), |r2| format!("{r2:?}"));
        let complexity = entry.complexity.unwrap_or(entry.size);
        let (loss, train) = (entry.mse_train, entry.r2_train);
        text += &format!("{complexity},{loss:?},\"{quoted}\",{train:?},{test}\n");
    }
    text
}
