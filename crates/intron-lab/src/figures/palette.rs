//! One colour, dash and marker per linkage setting, the same in every figure. The colours are those of Okabe and Ito,
//! which colour-blind readers can tell apart; dashes and markers tell the settings apart in grey.

pub use intron_figures::marker::Marker;

/// How a setting is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colour, as `#rrggbb`.
    pub colour: &'static str,
    /// Lengths of dashes and gaps in user units; empty for an unbroken line.
    pub dash: &'static str,
    /// Shape of the points.
    pub marker: Marker,
}

const fn style(colour: &'static str, dash: &'static str, marker: Marker) -> Style {
    Style { colour, dash, marker }
}

/// The settings of the paper and of the lab, by their labels in figures.
const KNOWN: [(&str, Style); 9] = [
    ("Random", style("#7f7f7f", "2 2.5", Marker::Plus)),
    ("MI", style("#56b4e9", "7 3", Marker::Square)),
    ("MI_adjusted", style("#e69f00", "7 3 2 3", Marker::Diamond)),
    ("MI_masked", style("#0072b2", "", Marker::TriangleUp)),
    ("Node", style("#d55e00", "", Marker::Circle)),
    ("Node (static)", style("#cc79a7", "4 2.5", Marker::TriangleDown)),
    ("#CS", style("#009e73", "10 3", Marker::Star)),
    ("Univariate", style("#000000", "1.5 3.5", Marker::Cross)),
    ("Node subtrees", style("#882255", "10 3 2 3 2 3", Marker::Hexagon)),
];

/// For all other labels.
const SPARE: [Style; 10] = [
    style("#332288", "", Marker::Square),
    style("#999933", "6 3", Marker::TriangleRight),
    style("#44aa99", "3 2", Marker::Diamond),
    style("#8b5a2b", "9 3 2 3", Marker::Circle),
    style("#aa4499", "", Marker::TriangleDown),
    style("#117733", "1.5 3", Marker::Hexagon),
    style("#cc6677", "12 3", Marker::TriangleUp),
    style("#6a3d9a", "5 2 5 4", Marker::Star),
    style("#88ccee", "8 2 2 2", Marker::Cross),
    style("#b8860b", "2 2", Marker::Plus),
];

/// The style of a label. Labels that are not known get one by their letters: fixed, but two may share it.
pub fn style_of(label: &str) -> Style {
    known_style(label).unwrap_or_else(|| SPARE[spare_index(label)])
}

/// The styles of labels that stand in one figure: as `style_of`, but no two share a style while there are enough.
pub fn styles_of(labels: &[&str]) -> Vec<Style> {
    let mut owners: [Option<&str>; SPARE.len()] = [None; SPARE.len()];
    let spare = |owners: &mut [Option<&str>; SPARE.len()], label| {
        let first = spare_index(label);
        let mut candidates = (0..SPARE.len()).map(|offset| (first + offset) % SPARE.len());
        let is_open = |index: &usize| owners[*index].is_none_or(|owner| owner == label);
        candidates.find(is_open).unwrap_or(first)
    };
    let mut styles = Vec::with_capacity(labels.len());
    for &label in labels {
        styles.push(known_style(label).unwrap_or_else(|| {
            let index = spare(&mut owners, label);
            owners[index] = Some(label);
            SPARE[index]
        }));
    }
    styles
}

fn known_style(label: &str) -> Option<Style> {
    KNOWN.iter().find(|known| known.0 == label).map(|known| known.1)
}

/// FNV-1a: the same on every machine and in every version, unlike the hash of the standard library.
fn spare_index(label: &str) -> usize {
    let hash = label.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash % SPARE.len() as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_settings_differ_in_colour_and_without_colour() {
        for (index, (_, a)) in KNOWN.iter().enumerate() {
            for (_, b) in &KNOWN[index + 1..] {
                assert_ne!(a.colour, b.colour);
                assert_ne!(a.marker, b.marker);
            }
        }
    }

    #[test]
    fn every_linkage_of_the_library_has_its_own_style() {
        for name in intron::Linkage::names() {
            let label = intron::Linkage::from_name(name).expect("listed").label();
            assert!(known_style(label).is_some(), "{label}");
        }
    }

    #[test]
    fn unknown_labels_in_one_figure_do_not_share_a_style() {
        let labels: Vec<String> = (0..10).map(|index| format!("setting {index}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let styles = styles_of(&labels);
        for (index, a) in styles.iter().enumerate() {
            assert!(!styles[index + 1..].contains(a));
        }
        assert_eq!(styles, styles_of(&labels));
    }

    #[test]
    fn a_label_given_twice_keeps_its_style() {
        let styles = styles_of(&["Node", "x", "x", "Node"]);
        assert_eq!(styles[0], styles[3]);
        assert_eq!(styles[1], styles[2]);
    }

    #[test]
    fn more_labels_than_styles_are_no_fault() {
        let labels: Vec<String> = (0..25).map(|index| index.to_string()).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert_eq!(styles_of(&labels).len(), 25);
    }
}
