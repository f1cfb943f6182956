//! Files that are never half-written: written beside, flushed to the disk, then renamed.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes a file so that under its name there is always either the old content or the whole new one.
pub(crate) fn write_whole(path: &Path, content: &str) -> Result<(), Failure> {
    let beside = beside(path);
    let attempt = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    };
    attempt().map_err(|error| {
        let _ = fs::remove_file(&beside);
        Failure::work(format!(
            "{}: cannot be written ({error}); free some space or choose another folder",
            path.display()
        ))
    })
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Makes sure that a folder is there and can be written, before hours are spent on what it is to hold.
pub(crate) fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    let refuse = |error: io::Error| {
        Failure::work(format!(
            "{}: cannot be used as an output folder ({error}); choose another one",
            folder.display()
        ))
    };
    fs::create_dir_all(folder).map_err(refuse)?;
    let probe = beside(&folder.join("probe"));
    let written = File::create(&probe).and_then(|mut file| file.write_all(b"probe"));
    let _ = fs::remove_file(&probe);
    written.map_err(refuse)
}

/// Moves files that are already there into a folder of their own, so that nothing is overwritten. Says where.
pub(crate) fn set_aside(folder: &Path, names: &[&str]) -> Result<Option<PathBuf>, Failure> {
    let present: Vec<&&str> = names.iter().filter(|name| folder.join(name).exists()).collect();
    if present.is_empty() {
        return Ok(None);
    }
    let earlier = (1..)
        .map(|k| folder.join(format!("earlier-{k}")))
        .find(|candidate| !candidate.exists())
        .expect("some number is free");
    let attempt = || -> io::Result<()> {
        fs::create_dir(&earlier)?;
        present.iter().try_for_each(|name| fs::rename(folder.join(name), earlier.join(name)))
    };
    match attempt() {
        Ok(()) => Ok(Some(earlier)),
        Err(error) => Err(Failure::work(format!(
            "{}: an earlier result cannot be set aside ({error}); choose another folder",
            folder.display()
        ))),
    }
}

/// Reads a file, or standard input where the path is `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let attempt = || -> io::Result<Vec<u8>> {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        fs::read(path)
    };
    attempt().map_err(|error| Failure::work(format!("{}: cannot be read ({error})", name_of(path))))
}

/// How a path is called in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
