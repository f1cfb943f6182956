//! The content security policy: no network, and no script or style but the page's own, named by their checksums.

use intron_files::sha256;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The policy of a page with this style and this script.
pub(super) fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        checksum(style),
        checksum(script)
    )
}

/// SHA-256 as a policy writes it.
fn checksum(text: &str) -> String {
    let hexadecimal = sha256(text.as_bytes());
    let digit = |place: usize| u8::from_str_radix(&hexadecimal[place..place + 2], 16);
    let bytes: Vec<u8> = (0..hexadecimal.len()).step_by(2).filter_map(|p| digit(p).ok()).collect();
    base64(&bytes)
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = (0..3)
            .fold(0, |word, index| word << 8 | u32::from(group.get(index).copied().unwrap_or(0)));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // The examples of RFC 4648, section 10.
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
