//! A page in headless Chromium, where there is one.

use std::process::Command;

use super::Folder;

/// Widths that a page must work at: a desk, and a telephone.
pub(crate) const WIDTHS: [u32; 2] = [1280, 380];

/// Opens a page of the folder, which must cause no message, and gives what it has become. Nothing without a browser, which is
/// said.
#[allow(clippy::print_stderr, reason = "a check that is skipped says so")]
pub(crate) fn opened(folder: &Folder, page: &str, width: u32) -> Option<String> {
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = browsers.iter().find(is_there) else {
        eprintln!("skipped: no Chromium here to open the page in");
        return None;
    };
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--window-size={width},1000"))
        .arg(format!("--user-data-dir={}", folder.path("profile")))
        .arg(format!("file://{}", folder.path(page)))
        .output()
        .expect("the browser starts");
    let (dom, log) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{log}");
    assert!(!log.contains("CONSOLE"), "the page causes messages: {log}");
    assert!(dom.trim_end().ends_with("</html>"), "the page is whole");
    Some(dom.into_owned())
}
