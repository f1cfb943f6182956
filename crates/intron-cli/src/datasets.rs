//! `intron datasets`: what is known by name, and where it is.

use intron_files::{KNOWN, Known};
use serde_json::json;

use crate::arguments::DatasetsArguments;
use crate::failure::Failure;
use crate::{json, terminal};

pub(crate) fn list(arguments: &DatasetsArguments) -> Result<(), Failure> {
    let rows: Vec<(&Known, String)> =
        KNOWN.iter().map(|known| (known, known.place(arguments.data_dir.as_deref()))).collect();
    if arguments.output.json {
        let list: Vec<_> = rows.iter().map(|(known, place)| row_json(known, place)).collect();
        let object = json!({"format": "intron-datasets", "version": 1, "datasets": list});
        return terminal::print(&json::text(&object));
    }
    let mut text =
        format!("{:<12} {:>5} {:>9}  {:<12} {}\n", "name", "rows", "features", "licence", "where");
    for (known, place) in rows {
        let Known { name, n_rows, n_features, about, licence, .. } = known;
        text += &format!("{name:<12} {n_rows:>5} {n_features:>9}  {licence:<12} {place}\n");
        text += &format!("             {about}\n");
    }
    text += "\nUse one by its name:  intron fit airfoil\n";
    terminal::print(&text)
}

fn row_json(known: &Known, place: &str) -> serde_json::Value {
    json!({
        "name": known.name,
        "rows": known.n_rows,
        "features": known.n_features,
        "about": known.about,
        "licence": known.licence,
        "source": known.source,
        "sha256": known.sha256,
        "built_in": known.text.is_some(),
        "where": place,
    })
}
