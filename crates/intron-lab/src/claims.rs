//! Claims: which runs somebody is doing. They save work and decide nothing; a run that is done twice harms nobody.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};

use crate::error::LabError;
use crate::owner::{is_owned, own_name};
use crate::store::{Store, entries};

/// Whoever does a run says so again after this time.
pub(crate) const REFRESH: Duration = Duration::from_secs(60);

/// A claim of another machine that was not refreshed for so long belongs to nobody: many times [`REFRESH`], since clocks differ
/// and file systems remember what they have seen.
pub(crate) const ABANDONED: Duration = Duration::from_secs(600);

impl Store {
    /// Says that a run is being done here.
    pub fn claim(&self, id: &str) -> Result<(), LabError> {
        let path = self.own_claim(id);
        fs::write(&path, b"").map_err(|error| LabError::at(&path, &error))
    }

    /// Takes the claim back.
    pub fn release(&self, id: &str) {
        let _ = fs::remove_file(self.own_claim(id));
    }

    /// Whether somebody is doing the run.
    pub fn is_running(&self, id: &str) -> Result<bool, LabError> {
        Ok(self.claims()?.iter().any(|claimed| claimed == id))
    }

    /// Ids of the runs that somebody is doing.
    pub fn claims(&self) -> Result<Vec<String>, LabError> {
        let paths = entries(&self.running())?;
        let owned = paths.into_iter().filter(|path| is_owned(path, ABANDONED));
        Ok(owned
            .filter_map(|path| {
                let name = path.file_name()?.to_string_lossy().into_owned();
                name.split('.').next().map(str::to_owned)
            })
            .collect())
    }

    /// Removes claims that nobody owns any more.
    pub(crate) fn sweep_claims(&self) -> Result<(), LabError> {
        let left = entries(&self.running())?.into_iter().filter(|path| !is_owned(path, ABANDONED));
        left.for_each(|path| drop(fs::remove_file(path)));
        Ok(())
    }

    /// Does some work while all claims of this process are refreshed now and then.
    pub(crate) fn while_refreshing<T>(&self, every: Duration, work: impl FnOnce() -> T) -> T {
        let (at_work, end) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while end.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    self.refresh_claims();
                }
            });
            let outcome = work();
            drop(at_work);
            outcome
        })
    }

    /// Refreshes the claims of this process. Where that fails, others may do the same runs, which harms nothing.
    fn refresh_claims(&self) {
        let ending = format!(".{}.claim", own_name());
        let is_own = |path: &PathBuf| path.to_string_lossy().ends_with(&ending);
        for path in entries(&self.running()).unwrap_or_default().into_iter().filter(is_own) {
            // Opened, not made: it may just have been taken back.
            let file = fs::OpenOptions::new().write(true).open(path);
            let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        }
    }

    fn own_claim(&self, id: &str) -> PathBuf {
        self.running().join(format!("{id}.{}.claim", own_name()))
    }

    fn running(&self) -> PathBuf {
        self.folder().join("running")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scratch::Scratch;

    fn age(path: &Path) -> Duration {
        fs::metadata(path).unwrap().modified().unwrap().elapsed().unwrap_or_default()
    }

    fn make_old(path: &Path, age: Duration) {
        let file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    #[test]
    fn a_claim_of_another_machine_counts_while_it_is_refreshed() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.folder()).unwrap();
        let claim = scratch.file("running/ab12.far-away.1-2-3.claim", "");
        for (minutes, counts) in [(0, true), (9, true), (11, false)] {
            make_old(&claim, Duration::from_secs(60 * minutes));
            assert_eq!(store.is_running("ab12").unwrap(), counts, "{minutes} minutes");
        }
        store.sweep_claims().unwrap();
        assert!(!claim.exists());
    }

    #[test]
    fn claims_are_refreshed_while_work_goes_on() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.folder()).unwrap();
        ["ab12", "cd34"].iter().for_each(|id| store.claim(id).unwrap());
        let paths = entries(&store.running()).unwrap();
        let foreign = scratch.file("running/ab12.far-away.1-2-3.claim", "");
        let old = Duration::from_secs(3600);
        paths.iter().chain([&foreign]).for_each(|path| make_old(path, old));
        let is_fresh = |path: &PathBuf| age(path) < old / 2;
        let is_done = store.while_refreshing(Duration::from_millis(5), || {
            store.release("cd34");
            (0..1000).any(|_| {
                std::thread::sleep(Duration::from_millis(5));
                is_fresh(&paths[0])
            })
        });
        assert!(is_done, "the claim was not refreshed");
        assert!(!is_fresh(&foreign), "a claim of another machine is not ours to refresh");
        assert!(!paths[1].exists(), "what was taken back stays so");
    }
}
