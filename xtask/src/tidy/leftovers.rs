//! Leftovers: marks of unfinished work and tests that nobody runs.

use super::finding::Finding;
use super::source_views::SourceViews;

/// Code that says "not done yet", or that switches a test off.
const CODE: [&str; 4] = ["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];

/// Words of comments that postpone work; a list of tasks has a better place for it.
const WORDS: [&str; 2] = ["TODO", "FIXME"];

/// Reports leftovers in code and comments; texts in strings are not looked at.
pub(crate) fn check_leftovers(views: &SourceViews) -> Vec<Finding> {
    let in_code = find_each(&views.code, &CODE);
    let in_comments = find_each(&views.comments, &WORDS);
    in_code.chain(in_comments).collect()
}

fn find_each<'a>(view: &'a str, patterns: &'a [&str]) -> impl Iterator<Item = Finding> + 'a {
    view.lines().enumerate().flat_map(move |(index, line)| {
        let present = patterns.iter().filter(move |pattern| line.contains(**pattern));
        present.map(move |pattern| Finding::new(index + 1, format!("leftover `{pattern}`")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_with_leftovers(source: &str) -> Vec<usize> {
        check_leftovers(&SourceViews::of(source)).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn unfinished_code_is_found() {
        assert_eq!(lines_with_leftovers("fn f() {\n    todo!()\n}\n"), [2]);
        assert_eq!(lines_with_leftovers("let a = dbg!(b);"), [1]);
        assert_eq!(lines_with_leftovers("#[ignore = \"slow\"]\nfn f() {}"), [1]);
    }

    #[test]
    fn postponing_words_are_found_in_comments() {
        assert_eq!(lines_with_leftovers("a();\nb(); // TODO later"), [2]);
    }

    #[test]
    fn strings_may_say_anything() {
        assert_eq!(lines_with_leftovers("f(\"TODO todo!() #[ignore]\")"), [] as [usize; 0]);
    }
}
