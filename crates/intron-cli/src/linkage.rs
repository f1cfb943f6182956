//! `intron linkage`: what linkage learning makes of a population.

use intron::{Halt, Linkage, LinkageModel, MeasureContext, Settings, StreamName, positions_of};
use serde_json::{Value, json};

use crate::arguments::LinkageArguments;
use crate::failure::Failure;
use crate::population_file::PopulationFile;
use crate::{json, terminal};

pub(crate) fn linkage(arguments: &LinkageArguments) -> Result<(), Failure> {
    let linkage = Linkage::from_name(&arguments.measure)?;
    let mut settings = Settings::default();
    settings.set("seed", &arguments.seed)?;
    let PopulationFile { template, population } = PopulationFile::read(&arguments.population)?;
    let initial = match &arguments.initial_population {
        None => None,
        Some(path) => {
            let initial = PopulationFile::read(path)?;
            if initial.template != template {
                return Err(Failure::work(format!(
                    "{}: has height {}, the population has height {}",
                    path.display(),
                    initial.template.height(),
                    template.height()
                )));
            }
            Some(initial.population)
        }
    };
    if linkage.name() == "mi-adjusted" && initial.is_none() && !arguments.output.quiet {
        terminal::tell(
            "warning: no --initial-population, so the population is taken for its own initial one: pairs of positions \
             that vary get 0",
        );
    }
    let bins = (settings.bins, settings.binning);
    let context = MeasureContext { template, bins, halt: Halt::default() };
    let n_positions = context.template.n_positions();
    let mut model = LinkageModel::new(&linkage, initial.as_ref().unwrap_or(&population), context);
    let name = StreamName::Linkage { population: 0, generation: 0 };
    let family = model.learn(&population, &mut settings.seed.stream(name));
    let subsets: Vec<Vec<usize>> =
        family.subsets().iter().map(|subset| positions_of(subset.set).collect()).collect();
    let similarity = model.similarity().map_or(Value::Null, |similarity| {
        let row =
            |i: usize| (0..n_positions).map(|j| json::number(similarity.value(i, j))).collect();
        Value::Array((0..n_positions).map(|i| Value::Array(row(i))).collect())
    });
    let object = json!({
        "format": "intron-linkage",
        "version": 1,
        "measure": linkage.name(),
        "similarity": similarity,
        "subsets": subsets,
    });
    terminal::print(&(object.to_string() + "\n"))
}
