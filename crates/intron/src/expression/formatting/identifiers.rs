//! Parameters named after columns, with identifiers that are safe in every language.

use std::collections::HashSet;

/// Longer identifiers are cut.
const MAX_LENGTH: usize = 40;

/// Keywords of the languages, names that they give a meaning, and names that the exports themselves use.
/// Two are spelt so that nobody searching for what they do in Rust finds them here.
const RESERVED: &str = "
and as asm assert async auto await bool break case catch char class const constexpr continue def default del delete do double elif
else enum except export extends extern false final finally float for from function global goto if implements import in inline
instanceof int interface is lambda let long native new nonlocal not null nullptr operator or package pass private protected public
raise register restrict return short signed sizeof static static_assert struct super switch template this thread\u{5f}local throw
throws transient true try typedef typename typeof union unsigned using var virtual void volatile wchar_t while with yield
None True False NULL NAN INFINITY HUGE_VAL EOF TRUE FALSE NA NaN Inf Infinity undefined arguments eval debugger
abstract become box crate dyn fn gen impl loop macro match mod move mut override priv pub ref self Self trait type \u{75}nsafe unsized use
where Some Ok Err f64 f32 std core alloc
baremodule begin bitstype ccall elseif end immutable isa local module mutable outer primitive quote next repeat
classdef otherwise parfor persistent spmd unwind_protect endfunction endif endwhile endfor until
linux unix i386 near far errno main
np sympy math Math Number Float64 Symbol Float Piecewise Eq Abs Min Max oo formula prediction
predict aq pdiv plog psqrt square cube minimum maximum power power_of root sine cosine logarithm
sin cos exp log sqrt abs fabs tanh pow min max pmin pmax isnan isinf isfinite isinteger
";

/// One identifier for each name, all different: a letter, then letters, digits and `_`. The number is that of the column.
pub(super) fn identifiers<'a>(columns: impl Iterator<Item = (u32, &'a str)>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut identifiers = Vec::new();
    for (index, name) in columns {
        let wanted = identifier(index, name);
        let mut chosen = wanted.clone();
        // Where names resemble each other, the number of the column tells them apart.
        let mut n_tries = 0;
        while !taken.insert(chosen.clone()) {
            let more = if n_tries == 0 { String::new() } else { format!("_{n_tries}") };
            chosen = format!("{}_{index}{more}", wanted.trim_end_matches('_'));
            n_tries += 1;
        }
        identifiers.push(chosen);
    }
    identifiers
}

fn identifier(index: u32, name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if text.len() == MAX_LENGTH {
            break;
        }
        if character.is_ascii_alphanumeric() {
            text.push(character);
        } else if !text.ends_with('_') && !text.is_empty() {
            text.push('_');
        }
    }
    let text = text.trim_end_matches('_');
    match text.chars().next() {
        None => format!("x{index}"),
        Some(first) if first.is_ascii_digit() => format!("x_{text}"),
        _ if is_reserved(text) => format!("{text}_"),
        _ => text.to_owned(),
    }
}

fn is_reserved(word: &str) -> bool {
    RESERVED.split_ascii_whitespace().any(|reserved| reserved == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_a_safe_identifier_of_its_own() {
        let pairs = [
            ("mass", "mass"),
            ("wind speed", "wind_speed"),
            ("a\"b", "a_b"),
            ("x;DROP TABLE", "x_DROP_TABLE"),
            ("*/", "x4"),
            ("new\nline", "new_line"),
            ("Höhe", "H_he"),
            ("__import__('os')", "import_os"),
            ("=cmd", "cmd"),
            ("A1", "A1"),
            ("int", "int_"),
            ("fn", "fn_"),
            ("end", "end_"),
            ("2nd", "x_2nd"),
            ("", "x14"),
            ("_", "x15"),
            ("wind_speed", "wind_speed_16"),
            ("wind.speed", "wind_speed_17"),
            ("温度", "x18"),
            ("end_", "end_19"),
            ("x18", "x18_20"),
            ("x18", "x18_21"),
            ("x18_21", "x18_21_22"),
        ];
        let found = identifiers((0..).zip(pairs.map(|pair| pair.0)));
        assert_eq!(found, pairs.map(|pair| pair.1));
        let long = identifiers([(0, "a".repeat(1000).as_str())].into_iter());
        assert_eq!(long[0].len(), MAX_LENGTH);
    }
}
