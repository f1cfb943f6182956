//! Gives a finished file its name, unless the name is taken. Not every file system has every way to do so.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// One way to give a file its name; where it is taken, nothing is done and the error says so.
type Way<'a> = &'a dyn Fn(&Path, &Path) -> io::Result<()>;

/// The best one first. The last one is not done at once, so that a kill may leave a part of the file; its checksum tells.
const WAYS: &[Way] = &[
    &|from, to| fs::hard_link(from, to),
    #[cfg(target_os = "linux")]
    &rename,
    &copy,
];

/// Gives a file a name that is not taken; false if it is. The file may keep its old name as well.
pub(crate) fn give_name(from: &Path, to: &Path) -> io::Result<bool> {
    by_first_way(WAYS, from, to)
}

fn by_first_way(ways: &[Way], from: &Path, to: &Path) -> io::Result<bool> {
    let mut refusal = io::Error::from(ErrorKind::Unsupported);
    for way in ways {
        match way(from, to) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            Err(error) if has_no_other_way(&error) => return Err(error),
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

/// Whether an error is about the disk or the file, not about the way. File systems without a way have many words for that.
fn has_no_other_way(error: &io::Error) -> bool {
    use ErrorKind::{NotFound, QuotaExceeded, StorageFull};
    // A failing disk or server, for which the standard library has no word.
    const EIO: i32 = 5;
    matches!(error.kind(), NotFound | QuotaExceeded | StorageFull)
        || cfg!(unix) && error.raw_os_error() == Some(EIO)
}

#[cfg(target_os = "linux")]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = OpenOptions::new().write(true).create_new(true).open(to)?;
    let copied = io::copy(&mut source, &mut target).and_then(|_| target.sync_all());
    copied.inspect_err(|_| {
        let _ = fs::remove_file(to);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn no_way_replaces_what_is_there() {
        let scratch = Scratch::new();
        for (index, way) in WAYS.iter().enumerate() {
            let (first, second) = (scratch.file("first", "1"), scratch.file("second", "2"));
            let name = scratch.path(&format!("name-{index}"));
            assert!(by_first_way(&[*way], &first, &name).unwrap(), "{index}");
            assert!(!by_first_way(&[*way], &second, &name).unwrap(), "{index}");
            assert_eq!(fs::read_to_string(&name).unwrap(), "1", "{index}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn where_links_cannot_be_had_another_way_is_taken() {
        // EPERM, EACCES, EXDEV, EINVAL, EMLINK, ENOSYS, EOPNOTSUPP and ENOTSUPP: all seen where there are no links.
        for number in [1, 13, 18, 22, 31, 38, 95, 524] {
            let scratch = Scratch::new();
            let without_links = |_: &Path, _: &Path| Err(io::Error::from_raw_os_error(number));
            let ways: Vec<Way> = [&[&without_links as Way], &WAYS[1..]].concat();
            let (first, second) = (scratch.file("first", "1"), scratch.file("second", "2"));
            let name = scratch.path("name");
            assert!(by_first_way(&ways, &first, &name).unwrap(), "{number}");
            assert!(!by_first_way(&ways, &second, &name).unwrap(), "{number}");
            assert_eq!(fs::read_to_string(&name).unwrap(), "1", "{number}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_full_or_failing_disk_is_said_at_once() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        // ENOENT, EIO, ENOSPC.
        for number in [2, 5, 28] {
            let n_tries = AtomicUsize::new(0);
            let fail = |_: &Path, _: &Path| {
                n_tries.fetch_add(1, Ordering::Relaxed);
                Err(io::Error::from_raw_os_error(number))
            };
            let error = by_first_way(&[&fail, &fail], Path::new("a"), Path::new("b")).unwrap_err();
            assert_eq!((error.raw_os_error(), n_tries.into_inner()), (Some(number), 1));
        }
    }
}
