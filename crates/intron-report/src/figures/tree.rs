//! A formula as a tree that grows to the right, a line for each leaf. What is not in the formula is not in the tree: it
//! has no introns.

use intron::{FeatureNames, Formula, Meaning, Operator};
use intron_figures::lettering::{NORMAL, width_of, wrap};
use intron_figures::svg::{Anchor, Frame, Inks, Letters, Outline, Paint, Svg};

use crate::math::short_number;

const ROW: f64 = 26.0;
const GAP: f64 = 20.0;
const BOX_HEIGHT: f64 = 20.0;
const WIDEST_NAME: f64 = 170.0;

/// A formula with the names of its features.
pub(crate) struct TreeFigure<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) formula: &'a Formula,
    pub(crate) names: &'a FeatureNames,
}

/// Where a node stands.
#[derive(Debug, Clone)]
struct Place {
    depth: usize,
    y: f64,
    label: String,
    whole: String,
    is_operator: bool,
}

impl TreeFigure<'_> {
    pub(crate) fn draw(&self) -> String {
        let places = self.places();
        let lefts = self.left_edges(&places);
        let right = |place: &Place| lefts[place.depth] + box_width(&place.label);
        let width = places.iter().map(right).fold(0.0, f64::max) + 6.0;
        let n_leaves = places.iter().filter(|place| !place.is_operator).count();
        let mut svg = Svg::with_inks(width, n_leaves as f64 * ROW + 4.0, Inks::OF_PAGE);
        for (node, place) in self.formula.nodes().iter().zip(&places) {
            for &argument in &node.arguments[..node.symbol.arity()] {
                let child = &places[argument as usize];
                let start = (right(place), place.y);
                let bend = lefts[child.depth] - GAP / 2.0;
                let mut edge = Outline::default();
                edge.start(start);
                edge.continue_to((bend, place.y));
                edge.continue_to((bend, child.y));
                edge.continue_to((lefts[child.depth], child.y));
                svg.outline(&edge, Paint::stroke(Inks::OF_PAGE.frame, 1.3));
            }
        }
        for place in &places {
            draw_node(&mut svg, place, lefts[place.depth]);
        }
        svg.finish(self.title, self.description)
    }

    /// Depth, height and label of each node. Leaves stand below each other in their order, operators in the middle of
    /// their arguments.
    fn places(&self) -> Vec<Place> {
        let nodes = self.formula.nodes();
        let mut depths = vec![0; nodes.len()];
        for (index, node) in nodes.iter().enumerate().rev() {
            for &argument in &node.arguments[..node.symbol.arity()] {
                depths[argument as usize] = depths[index] + 1;
            }
        }
        let mut places: Vec<Place> = Vec::with_capacity(nodes.len());
        let mut n_leaves = 0;
        for (index, node) in nodes.iter().enumerate() {
            let (label, whole) = self.label(node.symbol.meaning());
            let arguments = &node.arguments[..node.symbol.arity()];
            let y = match (arguments.first(), arguments.last()) {
                (Some(&first), Some(&last)) => {
                    (places[first as usize].y + places[last as usize].y) / 2.0
                }
                _ => {
                    n_leaves += 1;
                    (f64::from(n_leaves) - 0.5) * ROW + 2.0
                }
            };
            let is_operator = !arguments.is_empty();
            places.push(Place { depth: depths[index], y, label, whole, is_operator });
        }
        places
    }

    fn label(&self, meaning: Meaning) -> (String, String) {
        match meaning {
            Meaning::Feature(index) => {
                let name = self.names.name(index);
                let lines = wrap(name, NORMAL, WIDEST_NAME);
                let is_cut = lines.len() > 1;
                let label = if is_cut { format!("{}…", lines[0]) } else { name.to_owned() };
                (label, name.to_owned())
            }
            Meaning::Constant(value) => (short_number(value), format!("{value:?}")),
            Meaning::Operator(operator) => {
                (symbol(operator).to_owned(), operator.name().to_owned())
            }
        }
    }

    /// Where the boxes of each depth begin: after the widest operator of the depth before.
    fn left_edges(&self, places: &[Place]) -> Vec<f64> {
        let deepest = places.iter().map(|place| place.depth).max().unwrap_or(0);
        let mut lefts = vec![2.0];
        for depth in 0..deepest {
            let operators = places.iter().filter(|place| place.depth == depth && place.is_operator);
            let widest = operators.map(|place| box_width(&place.label)).fold(0.0, f64::max);
            lefts.push(lefts[depth] + widest + GAP);
        }
        lefts
    }
}

fn draw_node(svg: &mut Svg, place: &Place, left: f64) {
    let width = box_width(&place.label);
    let frame = Frame { x: left, y: place.y - BOX_HEIGHT / 2.0, width, height: BOX_HEIGHT };
    let fill = if place.is_operator { "var(--shade)" } else { Inks::OF_PAGE.paper };
    svg.within("g", &[], |svg| {
        svg.tip(&place.whole);
        let paint = Paint::stroke(Inks::OF_PAGE.frame, 1.0).filled(fill);
        svg.rounded_rectangle(frame, 5.0, paint);
        let at = (left + width / 2.0, place.y + NORMAL * 0.35);
        let letters = Letters::normal(Anchor::Middle);
        svg.text(at, &place.label, if place.is_operator { letters.bold() } else { letters });
    });
}

fn box_width(label: &str) -> f64 {
    width_of(label, NORMAL).max(10.0) + 12.0
}

/// How an operator is written in a box of its own.
fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "−",
        Operator::Multiply => "×",
        Operator::Divide => "÷",
        Operator::Sqrt => "√",
        Operator::Square => "( )²",
        Operator::Cube => "( )³",
        Operator::Negate => "− ( )",
        Operator::Abs => "| |",
        Operator::Inverse => "1 ÷",
        Operator::Power => "^",
        other => other.name(),
    }
}
