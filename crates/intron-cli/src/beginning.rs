//! How a search begins: from what was typed, or from the folder of a run that goes on.

use std::path::Path;

use intron::ValidSettings;

use crate::arguments::FitArguments;
use crate::checkpoint_file::{CheckpointFile, DataOrigin};
use crate::checkpoints::{self, Keeper, Ownership};
use crate::failure::Failure;
use crate::resume::{self, Resumed};
use crate::wording::counted;
use crate::{fit_settings, input, terminal};

/// All that a search needs before its table is read.
pub(crate) struct Beginning {
    pub(crate) arguments: FitArguments,
    pub(crate) settings: ValidSettings,
    /// What was typed after `intron fit`.
    pub(crate) words: Vec<String>,
    pub(crate) origin: DataOrigin,
    pub(crate) bytes: Vec<u8>,
    /// From where it goes on, and the right to do so.
    pub(crate) from: Option<(CheckpointFile, Ownership)>,
}

impl Beginning {
    pub(crate) fn new(arguments: FitArguments) -> Result<Beginning, Failure> {
        if arguments.checkpoint.is_some() && arguments.out.is_none() {
            return Err(Failure::usage("--checkpoint: add --out, the folder to keep it in"));
        }
        checkpoints::interval(arguments.checkpoint.as_deref())?;
        let settings = fit_settings::settings(&arguments)?;
        fit_settings::refuse_doubled(&arguments)?;
        if !arguments.output.quiet {
            let idle = fit_settings::idle(&arguments, settings.settings());
            idle.iter().for_each(|note| terminal::tell(&format!("note: {note}")));
        }
        fit_settings::test_fraction(&arguments.test_fraction)?;
        let words = std::env::args_os().skip(2).map(|word| word.to_string_lossy().into_owned());
        let (source, bytes) = input::bytes_named(&arguments.data)?;
        let origin = resume::origin(&arguments, &source, &bytes);
        Ok(Beginning { settings, words: words.collect(), origin, bytes, from: None, arguments })
    }

    /// Goes on with the search of a folder; none if it has ended and nothing is left to do.
    pub(crate) fn resume(
        folder: &Path,
        given: &FitArguments,
    ) -> Result<Option<Beginning>, Failure> {
        checkpoints::interval(given.checkpoint.as_deref())?;
        let resumed = resume::read(folder, given)?;
        let settings = fit_settings::settings(&resumed.arguments)?;
        if resumed.is_done(settings.settings())? {
            return Ok(None);
        }
        let Resumed { arguments, file, bytes, ownership } = resumed;
        if !arguments.output.quiet {
            terminal::tell(&format!(
                "note: going on with {} after {} and {:.1} s",
                file.data.source,
                counted(file.search.n_evaluations(), "evaluation"),
                file.search.elapsed_seconds()
            ));
        }
        let (words, origin) = (file.words.clone(), file.data.clone());
        let from = Some((file, ownership));
        Ok(Some(Beginning { settings, words, origin, bytes, from, arguments }))
    }

    /// Makes the folder of the run ready, if it has one, and whatever keeps checkpoints there.
    pub(crate) fn keeper(&mut self) -> Result<(Option<Keeper>, Option<CheckpointFile>), Failure> {
        let Some(folder) = &self.arguments.out else { return Ok((None, None)) };
        let is_quiet = self.arguments.output.quiet;
        intron_files::prepare_folder(folder)?;
        let (from, ownership) = match self.from.take() {
            Some((from, ownership)) => (Some(from), Some(ownership)),
            None => (None, Ownership::take(folder)),
        };
        let Some(ownership) = ownership else {
            if !is_quiet {
                let shown = folder.display();
                terminal::tell(&format!(
                    "warning: another search is going on in {shown}; this one keeps its result there, but no checkpoint"
                ));
            }
            return Ok((None, None));
        };
        if from.is_none()
            && let Some(earlier) = checkpoints::make_room(folder)?
            && !is_quiet
        {
            terminal::tell(&format!("note: the earlier run is now in {}", earlier.display()));
        }
        let interval = checkpoints::interval(self.arguments.checkpoint.as_deref())?;
        let about = (self.words.clone(), self.origin.clone());
        Ok((Some(Keeper::new(folder, interval, about, ownership)), from))
    }
}
