//! Lengths: a file fits into the head, a function onto the screen.

use super::finding::{Finding, line_of_offset};

/// Most lines of a file, blocks under `#[cfg(test)]` not counted.
const MAX_FILE_LINES: usize = 400;

/// Most lines of a function, from its signature to its closing brace.
const MAX_FUNCTION_LINES: usize = 70;

/// Marks a test block when it stands alone at the start of a line.
const TEST_ATTRIBUTE: &str = "#[cfg(test)]";

/// Reports a file that is too long; `code` is the code view of the file.
pub(crate) fn check_file_length(code: &str) -> Vec<Finding> {
    let n_lines = code.lines().count() - n_test_lines(code);
    if n_lines <= MAX_FILE_LINES {
        return Vec::new();
    }
    let message =
        format!("file has {n_lines} lines without tests, more than the {MAX_FILE_LINES} allowed");
    vec![Finding::new(1, message)]
}

/// Reports functions that are too long; `code` is the code view of the file.
pub(crate) fn check_function_lengths(code: &str) -> Vec<Finding> {
    let is_start = |offset: usize| !code[..offset].ends_with(is_word_character);
    code.match_indices("fn ")
        .filter(|(offset, _)| is_start(*offset))
        .filter_map(|(offset, _)| check_function(code, offset))
        .collect()
}

fn check_function(code: &str, offset: usize) -> Option<Finding> {
    let text = &code[offset..];
    let n_lines = line_of_offset(text, body_end(text)?);
    let name: String =
        text[2..].trim_start().chars().take_while(|c| is_word_character(*c)).collect();
    (n_lines > MAX_FUNCTION_LINES).then(|| {
        let message =
            format!("`{name}` has {n_lines} lines, more than the {MAX_FUNCTION_LINES} allowed");
        Finding::new(line_of_offset(code, offset), message)
    })
}

/// Number of lines in test blocks, attribute and closing brace included.
fn n_test_lines(code: &str) -> usize {
    let mut n_lines = 0;
    let mut end = 0;
    for (offset, attribute) in code.match_indices(TEST_ATTRIBUTE) {
        let is_line_start = offset == 0 || code[..offset].ends_with('\n');
        if offset < end || !is_line_start {
            continue;
        }
        let after = offset + attribute.len();
        if let Some(length) = body_end(&code[after..]) {
            end = after + length;
            n_lines += line_of_offset(&code[offset..], end - offset);
        }
    }
    n_lines
}

/// Offset of the brace that closes the first item of the text; nothing for an item without a body.
fn body_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_in_body = false;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b';' if depth == 0 => return None,
            b'{' if depth == 0 => {
                is_in_body = true;
                depth = 1;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if byte == b'}' && depth == 0 && is_in_body {
            return Some(offset);
        }
    }
    None
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function_of(n_lines: usize) -> String {
        format!(
            "    fn long(size: [u8; 2]) -> u8 {{\n{}    }}\n",
            "        step();\n".repeat(n_lines - 2)
        )
    }

    #[test]
    fn a_function_of_seventy_lines_passes_and_one_more_does_not() {
        assert_eq!(check_function_lengths(&function_of(70)), []);
        let code = format!("impl Thing {{\n{}}}\n", function_of(71));
        let findings = check_function_lengths(&code);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 2);
        assert!(findings[0].message.starts_with("`long` has 71 lines"));
    }

    #[test]
    fn a_declaration_has_no_length() {
        let code = format!("fn declared(array: [u8; 3]) -> u8;\n{}", "\n".repeat(100));
        assert_eq!(check_function_lengths(&code), []);
    }

    #[test]
    fn braces_inside_the_arguments_do_not_open_the_body() {
        assert_eq!(body_end("fn f(a: [u8; {2}]) { g() }"), Some(25));
    }

    #[test]
    fn a_file_is_measured_without_its_tests() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    check();\n".repeat(300));
        let code = "line();\n".repeat(400);
        assert_eq!(check_file_length(&format!("{code}{tests}")), []);
        let findings = check_file_length(&format!("{code}more();\n{tests}"));
        assert!(findings[0].message.starts_with("file has 401 lines"));
    }

    #[test]
    fn a_test_module_in_another_file_ends_nothing() {
        let code = format!("#[cfg(test)]\nmod tests;\n{}", "line();\n".repeat(399));
        assert_eq!(check_file_length(&code).len(), 1);
    }
}
