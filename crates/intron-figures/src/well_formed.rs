//! Checks of a figure in tests: well-formed XML, every label in it, finite numbers, legible letters, text on the page.

/// An element with its attributes as they stand, before entities are replaced.
struct Element<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

impl Element<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.0 == name).map(|attribute| attribute.1)
    }

    fn number(&self, name: &str) -> f64 {
        self.attribute(name).and_then(|text| text.parse().ok()).expect("a number")
    }
}

/// Panics unless the figure is sound and shows every label.
pub fn check_figure(svg: &str, labels: &[&str]) {
    let (elements, text) = parse(svg);
    for label in labels {
        assert!(text.contains(label), "{label:?} is missing");
    }
    for element in &elements {
        for (name, value) in &element.attributes {
            assert!(!value.contains("NaN") && !value.contains("inf"), "{name}={value}");
        }
    }
    let root = &elements[0];
    assert_eq!((root.name, root.attribute("role")), ("svg", Some("img")));
    assert_eq!((elements[1].name, elements[2].name), ("title", "desc"));
    let (width, height) = (root.number("width"), root.number("height"));
    assert!(width <= 900.0 && height > 0.0 && height < 5000.0, "{width} x {height}");
    for element in elements.iter().filter(|element| element.name == "text") {
        assert!(element.number("font-size") >= 11.0);
        assert!((0.0..=width).contains(&element.number("x")));
        assert!((0.0..=height).contains(&element.number("y")));
    }
}

/// The elements in order, and all text with its entities replaced.
fn parse(mut rest: &str) -> (Vec<Element<'_>>, String) {
    let mut elements = Vec::new();
    let mut open = Vec::new();
    let mut text = String::new();
    while let Some(start) = rest.find('<') {
        assert!(!open.is_empty() || rest[..start].trim().is_empty(), "text outside");
        text.push_str(&unescape(&rest[..start]));
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let element = parse_tag(tag.trim_end_matches('/'));
        if !tag.ends_with('/') {
            assert_eq!(elements.is_empty(), open.is_empty(), "one root");
            open.push(element.name);
        }
        elements.push(element);
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    assert!(rest.trim().is_empty());
    (elements, text)
}

fn parse_tag(tag: &str) -> Element<'_> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(name.chars().all(|character| character.is_ascii_lowercase()), "{name}");
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    while !rest.trim().is_empty() {
        let (key, after) = rest.trim_start().split_once("=\"").expect("an attribute");
        let (value, after) = after.split_once('"').expect("a closed attribute");
        assert!(!attributes.iter().any(|attribute| attribute.0 == key), "{key} twice");
        unescape(value);
        attributes.push((key, value));
        rest = after;
    }
    Element { name, attributes }
}

fn unescape(text: &str) -> String {
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("an entity ends");
        plain.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            _ => panic!("unknown entity {entity}"),
        });
        plain.push_str(after);
    }
    plain
}
