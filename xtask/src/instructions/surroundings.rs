//! What counts depend on beside the source: the compiler and the processor's vector instructions.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use crate::command::repository_root;

/// Counts are comparable if these are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// Version of the compiler, as `1.95.0`.
    pub(crate) rustc: String,
    /// The instructions that the kernels choose at run time.
    pub(crate) vectors: String,
}

impl Surroundings {
    /// Those of this call.
    pub(crate) fn here() -> Result<Surroundings, String> {
        let program = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
        let answer = Command::new(program).arg("--version").current_dir(repository_root()).output();
        let answer = answer.map_err(|error| format!("`rustc` could not be started: {error}"))?;
        let text = String::from_utf8_lossy(&answer.stdout);
        let rustc = text.split_whitespace().nth(1).ok_or("`rustc --version` tells no version")?;
        Ok(Surroundings { rustc: rustc.to_owned(), vectors: vectors().to_owned() })
    }

    /// Why counts made in others do not bind here.
    pub(crate) fn difference_to(&self, others: &Surroundings) -> Option<String> {
        let minor = |version: &str| version.split('.').take(2).collect::<Vec<_>>().join(".");
        if minor(&self.rustc) != minor(&others.rustc) {
            return Some(format!("kept with rustc {}, this is {}", others.rustc, self.rustc));
        }
        (self.vectors != others.vectors)
            .then(|| format!("kept with {} vectors, these are {}", others.vectors, self.vectors))
    }
}

#[cfg(target_arch = "x86_64")]
fn vectors() -> &'static str {
    let has_both = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    if has_both { "avx2" } else { "portable" }
}

#[cfg(not(target_arch = "x86_64"))]
fn vectors() -> &'static str {
    "portable"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surroundings(rustc: &str, vectors: &str) -> Surroundings {
        Surroundings { rustc: rustc.to_owned(), vectors: vectors.to_owned() }
    }

    #[test]
    fn a_patch_of_the_compiler_makes_no_difference_but_a_minor_version_does() {
        let kept = surroundings("1.95.0", "avx2");
        assert_eq!(surroundings("1.95.1", "avx2").difference_to(&kept), None);
        let difference = surroundings("1.96.0", "avx2").difference_to(&kept).unwrap();
        assert_eq!(difference, "kept with rustc 1.95.0, this is 1.96.0");
    }

    #[test]
    fn other_vector_instructions_make_a_difference() {
        let kept = surroundings("1.95.0", "avx2");
        assert!(surroundings("1.95.0", "portable").difference_to(&kept).is_some());
    }
}
