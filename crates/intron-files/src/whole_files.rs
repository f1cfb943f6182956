//! Files that are never half-written: written beside, flushed to the disk, then renamed. And read.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::FilesError;

/// Writes files into a folder so that under each name there is always either an old content or a whole new one. What is
/// already there under these names is set aside in a folder of its own; says where. Nobody else writes meanwhile.
/// Some other files may be set aside with them.
pub fn write_set(
    folder: &Path,
    files: &[(&str, String)],
    others: &[&str],
) -> Result<Option<PathBuf>, FilesError> {
    let refuse = |error: io::Error| {
        FilesError::Disk(format!(
            "{}: the result cannot be written ({error}); it is shown, not kept: choose another folder",
            folder.display()
        ))
    };
    let attempt = || -> io::Result<Option<PathBuf>> {
        fs::create_dir_all(folder)?;
        let directory = File::open(folder)?;
        directory.lock()?;
        for (name, content) in files {
            fill(File::create(beside(&folder.join(name)))?, content.as_bytes())?;
        }
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let earlier = move_aside(folder, &[&names, others].concat())?;
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

/// Writes a file whole, down to the disk; what was there before is replaced. Its folder is made if it is not there.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    replace_through(&beside(path), path, bytes).map_err(|error| cannot_write(path, &error))
}

/// The same, with a temporary file of the caller's choice. It must be in the same folder, and no other writer, on any
/// machine that shares the folder, may choose the same.
pub fn replace_through(temporary: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    refuse_special(path)?;
    let _ = fs::remove_file(temporary);
    let written = File::create_new(temporary).and_then(|file| fill(file, bytes));
    written.and_then(|()| fs::rename(temporary, path)).inspect_err(|_| {
        let _ = fs::remove_file(temporary);
    })?;
    File::open(folder)?.sync_all()
}

/// Writes a file whole, down to the disk; what was there before stays under another name. At any moment one of the two
/// names has a whole content.
pub fn replace_keeping(path: &Path, before: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    let attempt = || -> io::Result<()> {
        let temporary = beside(path);
        let written = File::create(&temporary).and_then(|file| fill(file, bytes));
        written.inspect_err(|_| {
            let _ = fs::remove_file(&temporary);
        })?;
        if path.exists() {
            fs::rename(path, before)?;
        }
        fs::rename(&temporary, path)?;
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
    };
    attempt().map_err(|error| cannot_write(path, &error))
}

/// Writes down to the disk.
fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// A device or a pipe would be replaced by a file of its name, not written to.
fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(known) if !known.is_file() => Err(io::Error::other("it is not an ordinary file")),
        _ => Ok(()),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> FilesError {
    FilesError::Disk(format!(
        "{}: cannot be written ({})",
        path.display(),
        why(folder_of(path), error)
    ))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// What stands in the way of a folder: where a part of the path is a file, the system only says that it exists.
fn why(folder: &Path, error: &io::Error) -> String {
    match folder.ancestors().find(|part| part.is_file()) {
        Some(part) => format!("a part of the path, {}, is a file", part.display()),
        None => error.to_string(),
    }
}

/// Makes sure that a file can be written, before hours are spent on what it is to hold.
pub fn prepare_file(path: &Path) -> Result<(), FilesError> {
    refuse_special(path).and_then(|()| probe(path)).map_err(|error| cannot_write(path, &error))
}

/// Makes sure that a folder is there and can be written, before hours are spent on what it is to hold.
pub fn prepare_folder(folder: &Path) -> Result<(), FilesError> {
    let refuse = |error: io::Error| {
        FilesError::Disk(format!(
            "{}: cannot be used as an output folder ({}); choose another one",
            folder.display(),
            why(folder, &error)
        ))
    };
    probe(&folder.join("probe")).map_err(refuse)
}

/// Writes what a file would be written through, and takes it away again. The file's folder is made if it is not there.
fn probe(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let temporary = beside(path);
    let written = File::create(&temporary).and_then(|mut file| file.write_all(b"probe"));
    let _ = fs::remove_file(&temporary);
    written
}

/// Moves files of an earlier run into a folder of their own. Says where, if there are any.
pub fn set_aside(folder: &Path, names: &[&str]) -> Result<Option<PathBuf>, FilesError> {
    let attempt = || -> io::Result<Option<PathBuf>> {
        let directory = File::open(folder)?;
        directory.lock()?;
        let earlier = move_aside(folder, names)?;
        directory.sync_all()?;
        Ok(earlier)
    };
    attempt().map_err(|error| {
        FilesError::Disk(format!(
            "{}: the earlier run cannot be set aside ({error}); choose another folder",
            folder.display()
        ))
    })
}

/// Moves files that are already there into a folder of their own, so that nothing is overwritten. Says where.
fn move_aside(folder: &Path, names: &[&str]) -> io::Result<Option<PathBuf>> {
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

/// What comes through a pipe may never end.
const MOST_FROM_A_PIPE: u64 = 4 << 30;

fn read_up_to(pipe: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it has more than {most} bytes, too many for a pipe: give a file");
        return Err(io::Error::other(text));
    }
    Ok(bytes)
}

/// Reads a file, or standard input where the path is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, FilesError> {
    let attempt = || -> io::Result<Vec<u8>> {
        if path == Path::new("-") {
            return read_up_to(io::stdin().lock(), MOST_FROM_A_PIPE);
        }
        fs::read(path)
    };
    attempt().map_err(|error| {
        let text = format!("{}: cannot be read ({error})", name_of(path));
        let is_absent = error.kind() == io::ErrorKind::NotFound;
        if is_absent { FilesError::Absent(text) } else { FilesError::Disk(text) }
    })
}

/// How a path is called in messages.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_is_no_ordinary_file_is_not_replaced() {
        let folder = std::env::temp_dir().join(format!("intron-special-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let socket = folder.join("page.html");
        let _listener = UnixListener::bind(&socket).unwrap();
        for refused in [replace(&socket, b"page"), prepare_file(&socket)] {
            assert!(refused.unwrap_err().to_string().contains("not an ordinary file"));
        }
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
        fs::remove_dir_all(&folder).unwrap();
    }
}
