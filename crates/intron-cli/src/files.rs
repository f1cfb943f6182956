//! Files that are never half-written: written beside, flushed to the disk, then renamed.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::terminal;

/// Writes files into a folder so that under each name there is always either an old content or a whole new one. What is
/// already there under these names is set aside in a folder of its own; says where. Nobody else writes meanwhile.
pub(crate) fn write_set(
    folder: &Path,
    files: &[(&str, String)],
) -> Result<Option<PathBuf>, Failure> {
    let refuse = |error: io::Error| {
        Failure::work(format!(
            "{}: the result cannot be written ({error}); it is shown, not kept: choose another folder",
            folder.display()
        ))
    };
    let attempt = || -> io::Result<Option<PathBuf>> {
        fs::create_dir_all(folder)?;
        let directory = File::open(folder)?;
        directory.lock()?;
        for (name, content) in files {
            let mut file = File::create(beside(&folder.join(name)))?;
            file.write_all(content.as_bytes())?;
            file.sync_all()?;
        }
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let earlier = set_aside(folder, &names)?;
        for name in names {
            fs::rename(beside(&folder.join(name)), folder.join(name))?;
        }
        directory.sync_all()?;
        Ok(earlier)
    };
    attempt().map_err(|error| {
        for (name, _) in files {
            let _ = fs::remove_file(beside(&folder.join(name)));
        }
        refuse(error)
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
fn set_aside(folder: &Path, names: &[&str]) -> io::Result<Option<PathBuf>> {
    let present: Vec<&&str> = names.iter().filter(|name| folder.join(name).exists()).collect();
    if present.is_empty() {
        return Ok(None);
    }
    let earlier = (1..)
        .map(|k| folder.join(format!("earlier-{k}")))
        .find(|candidate| !candidate.exists())
        .expect("some number is free");
    fs::create_dir(&earlier)?;
    present.iter().try_for_each(|name| fs::rename(folder.join(name), earlier.join(name)))?;
    Ok(Some(earlier))
}

/// Reads a file, or standard input where the path is `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let attempt = || -> io::Result<Vec<u8>> {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            if io::stdin().is_terminal() {
                terminal::tell("reading standard input; end it with Ctrl-D");
            }
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
