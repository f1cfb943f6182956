//! Standard output and standard error, without the panics that the usual macros have on a closed pipe or a full disk.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

use crate::failure::Failure;

/// Prints a result. A reader who went away (`| head`) is no failure; a full disk is, and then the result goes to
/// standard error, so that it is not lost.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            tell(text);
            Err(Failure::work(format!(
                "standard output cannot be written ({error}); the result is above, on standard error"
            )))
        }
        _ => Ok(()),
    }
}

/// Tells the user something beside the result. Where nobody listens, nothing is lost.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// The first few warnings; the rest are counted.
pub(crate) fn warn(warnings: &[String]) {
    const MOST: usize = 5;
    warnings.iter().take(MOST).for_each(|warning| tell(&format!("warning: {warning}")));
    if warnings.len() > MOST {
        tell(&format!("warning: and {} more like these", warnings.len() - MOST));
    }
}

/// Says that a path stands for standard input, where a person would otherwise wait for the program.
pub(crate) fn announce_standard_input(path: &Path) {
    if path == Path::new("-") && std::io::stdin().is_terminal() {
        tell("reading standard input; end it with Ctrl-D");
    }
}

/// The width of the terminal that results go to; none if they go to a file or pipe.
pub(crate) fn width() -> Option<usize> {
    let (_, width) = console::Term::stdout().size_checked()?;
    std::io::stdout().is_terminal().then_some(usize::from(width))
}

/// Whether results may have colours.
pub(crate) fn has_colour() -> bool {
    std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
