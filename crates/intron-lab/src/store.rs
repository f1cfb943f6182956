//! The folder of records, which alone says what is done. A record is written beside its place, flushed to the disk, and linked to
//! its name; a name that is taken is never replaced. Nothing is ever deleted: what is damaged is set aside.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::LabError;
use crate::naming::give_name;
use crate::owner::{is_owned, own_name};
use crate::record::Record;

/// A folder of records.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What became of a record that was to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Published {
    /// It is there now.
    New,
    /// It was there, with the same result.
    Known,
    /// Another one is there, with another result: the run is not deterministic. Says where this one was put.
    Differs(PathBuf),
}

/// What is under the name of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A record.
    Done(Box<Record>),
    /// Nothing.
    Missing,
    /// Something that is no record of that run.
    Damaged(String),
}

/// A temporary file of another machine that nobody has touched for so long belongs to nobody.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

impl Store {
    /// Opens a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> Result<Store, LabError> {
        let store = Store { folder: folder.to_owned() };
        for part in ["records", "running", "failed", "quarantine"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(|error| match error.kind() {
                // A place where no folder can be made, such as behind a link that leads nowhere.
                ErrorKind::NotFound | ErrorKind::AlreadyExists => LabError::Work(format!(
                    "{}: no folder can be made there ({error}); choose another one",
                    path.display()
                )),
                _ => LabError::at(&path, &error),
            })?;
        }
        Ok(store)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the record of a run is.
    pub fn path(&self, id: &str) -> Result<PathBuf, LabError> {
        let is_tame = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match id.get(..2).filter(|_| is_tame) {
            Some(start) => Ok(self.folder.join("records").join(start).join(format!("{id}.json"))),
            None => Err(LabError::Work(format!("`{id}` is not the id of a run"))),
        }
    }

    /// Looks for the record of a run.
    pub fn find(&self, id: &str) -> Result<Found, LabError> {
        let path = self.path(id)?;
        match fs::read(&path) {
            Ok(bytes) => Ok(match Record::from_bytes(&bytes, id) {
                Ok(record) => Found::Done(Box::new(record)),
                Err(damage) => Found::Damaged(damage.to_string()),
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Missing),
            Err(error) if is_about_us(&error) => Err(LabError::at(&path, &error)),
            Err(error) => Ok(Found::Damaged(format!("it cannot be read: {error}"))),
        }
    }

    /// Publishes a record. The first one stays; a second one is compared with it.
    pub fn publish(&self, record: &Record) -> Result<Published, LabError> {
        let id = &record.result.task.id;
        let path = self.path(id)?;
        let folder = path.parent().expect("a record is in a folder");
        let refuse = |error: io::Error| LabError::at(&path, &error);
        fs::create_dir_all(folder).map_err(refuse)?;
        let beside = folder.join(format!(".{id}.{}.tmp", own_name()));
        write_new(&beside, &record.to_bytes()).map_err(refuse)?;
        let named = give_name(&beside, &path);
        let _ = fs::remove_file(&beside);
        let is_new = match named {
            Ok(is_new) => is_new,
            // A file system may report an error although it has done what was asked.
            Err(error) => match self.find(id)? {
                Found::Done(_) => false,
                _ => return Err(refuse(error)),
            },
        };
        // Until the names are on the disk too, nothing is said to be done.
        sync_folder(folder).map_err(refuse)?;
        sync_folder(&self.folder.join("records")).map_err(refuse)?;
        if is_new { Ok(Published::New) } else { self.compare(record) }
    }

    /// Compares a record with the one that is there.
    fn compare(&self, record: &Record) -> Result<Published, LabError> {
        let id = &record.result.task.id;
        match self.find(id)? {
            Found::Done(first) if first.result.sha256() == record.result.sha256() => {
                Ok(Published::Known)
            }
            Found::Done(_) => {
                let path = self.quarantine(id, "differs");
                write_new(&path, &record.to_bytes())
                    .map_err(|error| LabError::at(&path, &error))?;
                Ok(Published::Differs(path))
            }
            Found::Damaged(_) => {
                self.set_aside(id)?;
                self.publish(record)
            }
            Found::Missing => Err(LabError::Temporary(format!(
                "{}: a record was there and is gone",
                self.path(id)?.display()
            ))),
        }
    }

    /// Moves a damaged record out of the way. Somebody else may have done so, and even have put a good one in its place.
    pub fn set_aside(&self, id: &str) -> Result<(), LabError> {
        let (from, to) = (self.path(id)?, self.quarantine(id, "damaged"));
        match fs::rename(&from, &to) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            // A file system may report an error although it has done what was asked.
            Err(error) if !to.exists() => return Err(LabError::at(&from, &error)),
            _ => {}
        }
        let is_good = fs::read(&to).is_ok_and(|bytes| Record::from_bytes(&bytes, id).is_ok());
        if is_good {
            give_name(&to, &from).map_err(|error| LabError::at(&from, &error))?;
        }
        Ok(())
    }

    /// Second results that differ from the first, kept for whoever looks into it.
    pub fn differing(&self) -> Result<Vec<String>, LabError> {
        let names = entries(&self.folder.join("quarantine"))?
            .into_iter()
            .filter_map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
        Ok(names.filter(|name| name.contains(".differs.")).collect())
    }

    /// Ids under which there are records, whatever plan they belong to, and names that are none.
    pub fn names(&self) -> Result<Vec<String>, LabError> {
        let mut names = Vec::new();
        for part in entries(&self.folder.join("records"))? {
            // A file beside the folders of records is nobody's, whatever its name.
            if !part.is_dir() {
                names.push(name_of(&part));
                continue;
            }
            let inside = entries(&part)?.iter().map(|path| name_of(path)).collect::<Vec<_>>();
            let kept = inside.iter().filter(|name| !name.ends_with(".tmp"));
            names.extend(kept.map(|name| name.strip_suffix(".json").unwrap_or(name).to_owned()));
        }
        names.sort();
        Ok(names)
    }

    /// Removes temporary files and claims that nobody owns any more.
    pub fn sweep(&self) -> Result<(), LabError> {
        let is_left = |path: &PathBuf| {
            path.extension().is_some_and(|end| end == "tmp") && !is_owned(path, ABANDONED)
        };
        for folder in entries(&self.folder.join("records"))?.into_iter().filter(|p| p.is_dir()) {
            // One folder that cannot be read is no reason not to go on.
            let paths = entries(&folder).unwrap_or_default();
            paths.into_iter().filter(is_left).for_each(|path| drop(fs::remove_file(path)));
        }
        self.sweep_claims()
    }

    /// Takes note of a run that cannot be done.
    pub fn note_failure(&self, id: &str, reason: &str) -> Result<(), LabError> {
        let path = self.folder.join("failed").join(format!("{id}.txt"));
        fs::write(&path, format!("{reason}\n")).map_err(|error| LabError::at(&path, &error))
    }

    /// Forgets an earlier failure.
    pub fn forget_failure(&self, id: &str) {
        let _ = fs::remove_file(self.folder.join("failed").join(format!("{id}.txt")));
    }

    /// Why a run could not be done.
    pub fn failure(&self, id: &str) -> Option<String> {
        let text = fs::read_to_string(self.folder.join("failed").join(format!("{id}.txt"))).ok()?;
        Some(text.trim_end().to_owned())
    }

    /// A path in the quarantine that is not taken.
    fn quarantine(&self, id: &str, why: &str) -> PathBuf {
        let folder = self.folder.join("quarantine");
        let path = |k: u32| folder.join(format!("{id}.{why}.{}.{k}", own_name()));
        (0..).map(path).find(|path| !path.exists()).expect("some number is free")
    }
}

/// Writes a file that is not there yet, down to the disk. What cannot be written whole is removed.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

/// Writes a file whole, down to the disk; what was there before is replaced.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}.tmp", own_name()));
    intron_files::replace_through(&beside, path, bytes).map_err(|error| LabError::at(path, &error))
}

/// Makes sure that the names in a folder are on the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The paths in a folder, in order.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let refuse = |error: io::Error| LabError::at(folder, &error);
    let paths: io::Result<Vec<PathBuf>> = fs::read_dir(folder)
        .map_err(refuse)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths.map_err(refuse)?;
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a file could not be read for want of something on this side, which says nothing about the file.
fn is_about_us(error: &io::Error) -> bool {
    use ErrorKind::{Interrupted, OutOfMemory, PermissionDenied, StaleNetworkFileHandle, TimedOut};
    // ENFILE and EMFILE, for which the standard library has no word.
    const TOO_MANY_FILES: [i32; 2] = [23, 24];
    matches!(
        error.kind(),
        Interrupted | OutOfMemory | PermissionDenied | StaleNetworkFileHandle | TimedOut
    ) || error.raw_os_error().is_some_and(|number| TOO_MANY_FILES.contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    const ID: &str = "ab0123456789abcdef0123456789abcd";

    #[test]
    fn what_is_no_id_has_no_path() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.folder()).unwrap();
        for id in ["", "a", "../../x", "ä", "a/b"] {
            assert!(matches!(store.find(id), Err(LabError::Work(_))), "{id}");
        }
        assert_eq!(store.find(ID).unwrap(), Found::Missing);
    }

    #[test]
    fn a_folder_under_the_name_of_a_record_is_damage_that_can_be_set_aside() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.folder()).unwrap();
        let path = store.path(ID).unwrap();
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(matches!(store.find(ID).unwrap(), Found::Damaged(_)));
        store.set_aside(ID).unwrap();
        assert_eq!(store.find(ID).unwrap(), Found::Missing);
        assert_eq!(entries(&scratch.path("quarantine")).unwrap().len(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn where_no_folder_can_be_made_trying_again_does_not_help() {
        let scratch = Scratch::new();
        std::os::unix::fs::symlink("/nowhere/at/all", scratch.path("link")).unwrap();
        let error = Store::open(&scratch.path("link")).unwrap_err();
        assert!(matches!(error, LabError::Work(_)), "{error}");
    }

    #[test]
    fn files_beside_the_folders_of_records_have_names_too() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.folder()).unwrap();
        scratch.file("records/stray.json", "");
        fs::create_dir_all(store.path(ID).unwrap()).unwrap();
        assert_eq!(store.names().unwrap(), [ID, "stray.json"]);
    }
}
