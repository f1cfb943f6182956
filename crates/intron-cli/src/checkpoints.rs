//! Keeps the checkpoint of a search in the folder of its run: at the start, every minute, at the end. One search at a time
//! owns a folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use intron::{Checkpoint, Outcome, Settings};
use serde_json::Value;

use crate::checkpoint_file::{self, CheckpointFile, DataOrigin, Ended};
use crate::failure::Failure;
use crate::kept_linkage::KeptLinkage;
use crate::kept_nulls::KeptNulls;
use crate::{report, run_files, terminal};

/// Time between two checkpoints where none is given.
const DEFAULT_SECONDS: f64 = 60.0;
/// Writing takes at most this share of the time, however large the populations are.
const MOST_SHARE: u32 = 20;
/// Held by the search that owns a folder; the system lets go of it however the search ends.
const LOCK: &str = ".lock";

/// The right to write checkpoints to a folder.
pub(crate) struct Ownership(#[allow(dead_code, reason = "held, not read")] Option<File>);

impl Ownership {
    /// Takes a folder; none if another search has it.
    pub(crate) fn take(folder: &Path) -> Option<Ownership> {
        let Ok(file) = File::create(folder.join(LOCK)) else { return Some(Ownership(None)) };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            // Where files cannot be locked, nobody is kept out.
            Err(TryLockError::Error(_)) => Some(Ownership(None)),
            Ok(()) => Some(Ownership(Some(file))),
        }
    }
}

/// Writes the checkpoints of one search.
pub(crate) struct Keeper {
    folder: PathBuf,
    interval: Duration,
    words: Vec<String>,
    data: DataOrigin,
    /// What was last written.
    last: Option<CheckpointFile>,
    next: Instant,
    has_complained: bool,
    _ownership: Ownership,
}

impl Keeper {
    pub(crate) fn new(
        folder: &Path,
        interval: Duration,
        (words, data): (Vec<String>, DataOrigin),
        ownership: Ownership,
    ) -> Keeper {
        Keeper {
            folder: folder.to_owned(),
            interval,
            words,
            data,
            last: None,
            next: Instant::now(),
            has_complained: false,
            _ownership: ownership,
        }
    }

    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Writes a checkpoint, with the improvements until then. A disk that does not take it does not end the search.
    pub(crate) fn keep(&mut self, search: Checkpoint, trace: &[Value], linkage: &KeptLinkage) {
        let (words, data) = (self.words.clone(), self.data.clone());
        let (trace, linkage) = (trace.to_vec(), linkage.to_state());
        self.put(CheckpointFile { words, data, ended: None, trace, linkage, null: None, search });
    }

    /// Takes a checkpoint that stands in the folder for its own.
    pub(crate) fn adopt(&mut self, file: CheckpointFile) {
        self.last = Some(file);
    }

    /// Adds the searches on shuffled targets so far.
    pub(crate) fn keep_nulls(&mut self, nulls: &KeptNulls) {
        if let Some(file) = self.last.take() {
            self.put(CheckpointFile { null: Some(nulls.clone()), ..file });
        }
    }

    fn put(&mut self, file: CheckpointFile) {
        let started = Instant::now();
        self.write(&file);
        self.next = started + self.interval.max(MOST_SHARE * started.elapsed());
        self.last = Some(file);
    }

    /// Takes note that the result is kept, too.
    pub(crate) fn mark_ended(&mut self, outcome: &Outcome) {
        if let Some(mut file) = self.last.take() {
            file.ended = Some(Ended::of(outcome));
            self.write(&file);
        }
    }

    fn write(&mut self, file: &CheckpointFile) {
        if let Err(error) = file.write(&self.folder)
            && !std::mem::replace(&mut self.has_complained, true)
        {
            terminal::tell(&format!("warning: {error}; the search goes on without a checkpoint"));
        }
    }
}

/// Makes a folder that another run has left ready for a new one. Says what was set aside.
pub(crate) fn make_room(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    if !checkpoint_file::NAMES.iter().any(|name| folder.join(name).exists()) {
        // A result alone is set aside when there is a new one.
        return Ok(None);
    }
    let names = [&run_files::NAMES[..], &checkpoint_file::NAMES, &[report::PAGE]].concat();
    Ok(intron_files::set_aside(folder, &names)?)
}

/// The time between two checkpoints.
pub(crate) fn interval(text: Option<&str>) -> Result<Duration, Failure> {
    let Some(text) = text else { return Ok(Duration::from_secs_f64(DEFAULT_SECONDS)) };
    let mut settings = Settings::default();
    let seconds = settings.set("time", text).ok().and(settings.limits.seconds);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(|| {
        Failure::usage(format!("--checkpoint {text}: give a time, such as 60s, 5m or 1h"))
    })
}
