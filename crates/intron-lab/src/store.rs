//! The folder of records, which alone says what is done. A record is written beside its place, flushed to the disk, and linked to
//! its name; a name that is taken is never replaced. Nothing is ever deleted: what is damaged is set aside.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::LabError;
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

/// A temporary file or a claim that nobody has touched for so long belongs to nobody.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

impl Store {
    /// Opens a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> Result<Store, LabError> {
        let store = Store { folder: folder.to_owned() };
        for part in ["records", "running", "failed", "quarantine"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(|error| LabError::at(&path, &error))?;
        }
        Ok(store)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the record of a run is.
    pub fn path(&self, id: &str) -> PathBuf {
        self.folder.join("records").join(&id[..2]).join(format!("{id}.json"))
    }

    /// Looks for the record of a run.
    pub fn find(&self, id: &str) -> Result<Found, LabError> {
        let path = self.path(id);
        match fs::read(&path) {
            Ok(bytes) => Ok(match Record::from_bytes(&bytes, id) {
                Ok(record) => Found::Done(Box::new(record)),
                Err(damage) => Found::Damaged(damage.to_string()),
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Missing),
            Err(error) => Err(LabError::at(&path, &error)),
        }
    }

    /// Publishes a record. The first one stays; a second one is compared with it.
    pub fn publish(&self, record: &Record) -> Result<Published, LabError> {
        let id = &record.result.task.id;
        let path = self.path(id);
        let folder = path.parent().expect("a record is in a folder");
        let refuse = |error: io::Error| LabError::at(&path, &error);
        fs::create_dir_all(folder).map_err(refuse)?;
        let beside = folder.join(format!(".{id}.{}.tmp", own_name()));
        write_new(&beside, &record.to_bytes()).map_err(refuse)?;
        let linked = link(&beside, &path);
        let _ = fs::remove_file(&beside);
        let is_new = match linked {
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
                self.path(id).display()
            ))),
        }
    }

    /// Moves a damaged record out of the way. Somebody else may have done so, and even have put a good one in its place.
    pub fn set_aside(&self, id: &str) -> Result<(), LabError> {
        let (from, to) = (self.path(id), self.quarantine(id, "damaged"));
        match fs::rename(&from, &to) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            moved => moved.map_err(|error| LabError::at(&from, &error))?,
        }
        let is_good = fs::read(&to).is_ok_and(|bytes| Record::from_bytes(&bytes, id).is_ok());
        if is_good {
            link(&to, &from).map_err(|error| LabError::at(&from, &error))?;
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
        let records = self.folder.join("records");
        for folder in entries(&records)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if !name.ends_with(".tmp") {
                    names.push(name.strip_suffix(".json").unwrap_or(&name).to_owned());
                }
            }
        }
        names.sort();
        Ok(names)
    }

    /// Removes temporary files and claims that nobody owns any more.
    pub fn sweep(&self) -> Result<(), LabError> {
        for folder in entries(&self.folder.join("records"))?.into_iter().filter(|p| p.is_dir()) {
            for path in entries(&folder)? {
                if path.extension().is_some_and(|end| end == "tmp") && !self.is_owned(&path) {
                    let _ = fs::remove_file(path);
                }
            }
        }
        for path in entries(&self.folder.join("running"))? {
            if !self.is_owned(&path) {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Says that a run is being done here.
    pub fn claim(&self, id: &str) -> Result<(), LabError> {
        let path = self.folder.join("running").join(format!("{id}.{}.claim", own_name()));
        fs::write(&path, b"").map_err(|error| LabError::at(&path, &error))
    }

    /// Takes the claim back.
    pub fn release(&self, id: &str) {
        let _ =
            fs::remove_file(self.folder.join("running").join(format!("{id}.{}.claim", own_name())));
    }

    /// Whether somebody is doing the run.
    pub fn is_running(&self, id: &str) -> Result<bool, LabError> {
        Ok(self.claims()?.iter().any(|claimed| claimed == id))
    }

    /// Ids of the runs that somebody is doing.
    pub fn claims(&self) -> Result<Vec<String>, LabError> {
        let paths = entries(&self.folder.join("running"))?;
        let owned = paths.into_iter().filter(|path| self.is_owned(path));
        Ok(owned
            .filter_map(|path| {
                let name = path.file_name()?.to_string_lossy().into_owned();
                name.split('.').next().map(str::to_owned)
            })
            .collect())
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

    /// Whether the process that made a file is still there, as far as that can be known.
    fn is_owned(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut parts = name.rsplit('.').skip(1);
        let (process, machine) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if machine == host() && Path::new("/proc/self").exists() {
            return process == own_process() || is_alive(process);
        }
        let age = fs::metadata(path).and_then(|data| data.modified()).ok();
        age.and_then(|at| SystemTime::now().duration_since(at).ok())
            .is_none_or(|age| age < ABANDONED)
    }
}

/// Whether a process is there and has not ended: with its number, its start and the start of the machine, since numbers come
/// again. One that has ended may stay listed where nobody waits for it.
fn is_alive(process: &str) -> bool {
    let number = process.split('-').next().unwrap_or_default();
    process_name(number).is_some_and(|name| name == process)
}

/// A name for files of this process.
fn own_name() -> String {
    format!("{}.{}", host(), own_process())
}

fn own_process() -> String {
    let number = std::process::id().to_string();
    process_name(&number).unwrap_or(number)
}

/// Number and start of a process, and the start of the machine; none if it has ended or nothing can be known.
fn process_name(number: &str) -> Option<String> {
    let stat = fs::read_to_string(Path::new("/proc").join(number).join("stat")).ok()?;
    // The state comes after the name, which is in brackets and may hold anything; the start is the 20th field from there.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    let start = fields.nth(18)?;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Some(format!("{number}-{start}-{}", boot.get(..8).unwrap_or_default()))
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

/// Gives a file a second name that is not taken; false if it is. Where links cannot be had, it is renamed.
fn link(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error)
            if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::PermissionDenied) =>
        {
            if to.exists() {
                return Ok(false);
            }
            fs::rename(from, to)?;
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// Makes sure that the names in a folder are on the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let refuse = |error: io::Error| LabError::at(folder, &error);
    let paths: io::Result<Vec<PathBuf>> = fs::read_dir(folder)
        .map_err(refuse)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths.map_err(refuse)?;
    paths.sort();
    Ok(paths)
}

/// The name of this machine, with nothing in it that a file name cannot have.
pub(crate) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .unwrap_or_else(|| "unknown".to_owned());
    let is_tame = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.trim().chars().map(|c| if is_tame(c) { c } else { '-' }).collect()
}
