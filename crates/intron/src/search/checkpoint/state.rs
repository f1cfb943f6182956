//! A search between two generations, as plain data: whoever goes on from it gets the very bits of a search that was
//! never interrupted. Random streams have names, so no generator has a state to keep.

use std::sync::Arc;

use crate::data::TrainingRows;
use crate::error::Error;
use crate::linkage::Linkage;
use crate::model::Model;
use crate::population::Population;
use crate::random::fingerprint;
use crate::search::archive::Archive;
use crate::search::budget::Spent;
use crate::settings::{Key, Settings};

/// The state of a search at the end of a generation, taken with [`Run::checkpoint`](crate::Run::checkpoint); cheap to
/// take and to clone, since it shares what it holds with the search.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    pub(in crate::search) origin: Arc<Origin>,
    pub(in crate::search) spent: Spent,
    pub(in crate::search) rows_since_progress: u64,
    pub(in crate::search) has_told_memory_limit: bool,
    pub(in crate::search) archive: Archive,
    pub(in crate::search) lanes: Vec<SavedLane>,
}

/// The search that a checkpoint belongs to.
#[derive(Debug)]
pub(in crate::search) struct Origin {
    pub(super) settings: Settings,
    /// Says more than the settings can where the linkage is not one of those with a name.
    pub(super) linkage: String,
    pub(super) n_features: usize,
    /// The fingerprint of the training rows.
    pub(super) data: u64,
}

/// One of the multistarts side by side.
#[derive(Debug, Clone)]
pub(in crate::search) struct SavedLane {
    pub(in crate::search) n_evaluations: u64,
    pub(in crate::search) schedule: Schedule,
}

/// The populations and whose turn it is.
#[derive(Debug, Clone)]
pub(in crate::search) struct Schedule {
    pub(in crate::search) n_gone: usize,
    pub(in crate::search) slots: Vec<SavedSlot>,
    pub(in crate::search) turn: usize,
}

/// A place in the schedule; the population is missing once it is retired.
#[derive(Debug, Clone)]
pub(in crate::search) struct SavedSlot {
    pub(in crate::search) ticks: u64,
    pub(in crate::search) population: Option<SavedPopulation>,
}

/// What of a population cannot be made again from the seed.
#[derive(Debug, Clone)]
pub(in crate::search) struct SavedPopulation {
    pub(in crate::search) generation: u64,
    pub(in crate::search) n_generations_without_improvement: u32,
    pub(in crate::search) temperature: f64,
    pub(in crate::search) population: Arc<Population>,
    pub(in crate::search) stretches: Arc<Vec<u32>>,
}

impl Checkpoint {
    /// The settings of the search, its limits among them. A linkage without a name has no text form: in a checkpoint read
    /// from text the default stands in its place, and [`Run::resume`](crate::Run::resume) must be given the right one.
    pub fn settings(&self) -> &Settings {
        &self.origin.settings
    }

    /// The best model of every size so far, smallest first.
    pub fn front(&self) -> &[Model] {
        self.archive.front()
    }

    /// Evaluations done so far.
    pub fn n_evaluations(&self) -> u64 {
        self.spent.n_evaluations
    }

    /// Generations done so far, those of all populations added up.
    pub fn n_generations(&self) -> u64 {
        self.spent.n_generations
    }

    /// Seconds that the search took so far.
    pub fn elapsed_seconds(&self) -> f64 {
        self.spent.seconds
    }

    /// How many populations were started so far.
    pub fn n_populations(&self) -> usize {
        self.lanes.iter().map(|lane| lane.schedule.n_gone + lane.schedule.slots.len()).sum()
    }

    /// How many of them are not retired.
    pub fn n_running_populations(&self) -> usize {
        let slots = self.lanes.iter().flat_map(|lane| &lane.schedule.slots);
        slots.filter(|slot| slot.population.is_some()).count()
    }

    /// Whether a search with these settings is the one it was taken of: only limits, and what changes no result, may be others.
    pub fn check_settings(&self, settings: &Settings) -> Result<(), Error> {
        self.origin.check_settings(settings, &linkage_text(&settings.linkage))
    }

    /// Whether a search with these limits would have come this far.
    pub(in crate::search) fn check_limits(&self, settings: &Settings) -> Result<(), Error> {
        let (limits, spent) = (settings.limits, self.spent);
        for (key, limit, spent) in [
            ("evaluations", limits.evaluations, spent.n_evaluations),
            ("generations", limits.generations, spent.n_generations),
        ] {
            if limit.is_some_and(|limit| limit <= spent) {
                let problem = format!("the checkpoint has done {spent} already");
                return Err(Error::setting(
                    key,
                    problem,
                    "the limit is for all: give a larger one",
                ));
            }
        }
        Ok(())
    }
}

impl Origin {
    pub(in crate::search) fn new(settings: &Settings, rows: &TrainingRows) -> Origin {
        Origin {
            linkage: linkage_text(&settings.linkage),
            settings: settings.clone(),
            n_features: rows.dataset().features().len(),
            data: data_fingerprint(rows),
        }
    }

    /// Whether a checkpoint of this origin is one of a search with those settings and rows.
    pub(in crate::search) fn check(&self, other: &Origin) -> Result<(), Error> {
        self.check_settings(&other.settings, &other.linkage)?;
        if (self.data, self.n_features) != (other.data, other.n_features) {
            return Err(Error::Checkpoint {
                problem: "it was taken on other training rows".to_owned(),
                remedy: "give the same data, split in the same way".to_owned(),
            });
        }
        Ok(())
    }

    /// Whether a checkpoint of this origin is one of a search with those settings.
    pub(super) fn check_settings(&self, settings: &Settings, linkage: &str) -> Result<(), Error> {
        let differ = |key: &str, mine: &str, others: &str| {
            Err(Error::Checkpoint {
                problem: format!("it was taken with {key} = {mine}, not {others}"),
                remedy: "go on with the settings that it was taken with; only limits may change"
                    .to_owned(),
            })
        };
        for key in Key::all().iter().filter(|key| key.changes_the_search()) {
            let (mine, others) = (key.value(&self.settings), key.value(settings));
            if key.name != "linkage" && mine != others {
                return differ(key.name, &mine, &others);
            }
        }
        if self.linkage != linkage {
            return differ("linkage", &self.linkage, linkage);
        }
        Ok(())
    }
}

/// The name of a linkage; where it has none, what is known of it.
pub(super) fn linkage_text(linkage: &Linkage) -> String {
    match (linkage.name(), linkage) {
        ("custom", Linkage::Tree { measure, rebuild }) => format!("custom {measure:?} {rebuild:?}"),
        ("custom", Linkage::Custom { rebuild, .. }) => format!("custom {rebuild:?}"),
        (name, _) => name.to_owned(),
    }
}

/// The content of the rows that the search sees; names do not count.
fn data_fingerprint(rows: &TrainingRows) -> u64 {
    let rows = rows.dataset();
    let columns = rows.features().iter().map(Vec::as_slice);
    let columns = columns.chain([rows.target()]).chain(rows.weights());
    fingerprint(columns.flat_map(|column| {
        std::iter::once(column.len() as u64).chain(column.iter().map(|value| value.to_bits()))
    }))
}

/// The fingerprint of a text.
pub(super) fn text_fingerprint(text: &str) -> u64 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    fingerprint(text.as_bytes().chunks(8).map(word).chain([text.len() as u64]))
}
