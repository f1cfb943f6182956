//! A check that a page is sound: elements nest, attributes are quoted and stand once, ids are not doubled.

use std::collections::HashSet;

/// Elements of HTML without an end.
const EMPTY: [&str; 2] = ["meta", "link"];

/// Panics where the markup is not sound.
pub(crate) fn check_markup(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = HashSet::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a page of HTML");
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{}", &rest[..rest.len().min(200)]);
            continue;
        }
        let is_closed = tag.ends_with('/');
        let (name, attributes) =
            tag.trim_end_matches('/').split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
        check_attributes(attributes, &mut ids);
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("it ends");
            rest = &rest[end + close.len()..];
        } else if !is_closed && !EMPTY.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}

fn check_attributes<'a>(mut rest: &'a str, ids: &mut HashSet<&'a str>) {
    let mut seen = HashSet::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let name = &rest[..end];
        assert!(seen.insert(name), "{name} stands twice");
        assert!(!name.starts_with("on"), "{name} would run something");
        let Some(after) = rest[end..].strip_prefix("=\"") else {
            rest = &rest[end..];
            continue;
        };
        let (value, after) = after.split_once('"').expect("a closed attribute");
        check_text(value);
        assert!(!value.contains("NaN"), "{name}={value}");
        assert!(name != "id" || ids.insert(value), "the id {value} is doubled");
        rest = after;
    }
}

/// Every ampersand begins one of the entities that the page writes.
fn check_text(text: &str) {
    for part in text.split('&').skip(1) {
        let (entity, _) = part.split_once(';').expect("an entity ends");
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&entity), "{entity}");
    }
}
