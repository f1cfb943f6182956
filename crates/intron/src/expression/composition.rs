//! Operators of one's own: compositions of ordinary ones, such as `logistic(a) = 1/(1+exp(-a))`. A genome holds one as a single
//! symbol; a formula never does, since there it is written out, so that whatever reads formulas need not know it.

use super::formula::{Formula, Node};
use super::names::{FeatureNames, is_word_part, is_word_start};
use super::operator::Operator;
use super::symbol::{Meaning, Symbol};
use crate::error::Error;

/// The most compositions that labels of 16 bits have room for.
pub(crate) const MAX_COMPOSITIONS: usize = 12;
/// The most nodes of one written out.
const MAX_NODES: usize = 100;
/// Words with a meaning of their own.
const TAKEN: [&str; 5] = ["pi", "small", "large", "feature", "constant"];

/// An operator of one's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Composition {
    name: String,
    arity: usize,
    /// The definition as it was given.
    text: String,
    /// What it stands for; feature `k` is argument `k`.
    body: Formula,
}

impl Composition {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of arguments: 1 or 2.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The definition as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it stands for, in ordinary operators; feature `k` is argument `k`.
    pub fn body(&self) -> &Formula {
        &self.body
    }

    /// How often the argument is used.
    pub(crate) fn n_uses(&self, argument: usize) -> usize {
        let symbol = Symbol::feature(argument as u32);
        self.body.nodes().iter().filter(|node| node.symbol == symbol).count()
    }
}

/// All operators of one's own of a search, in the order of their definition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Compositions(Vec<Composition>);

impl Compositions {
    /// Adds `name(a) = …` or `name(a, b) = …`; earlier ones may be used in it.
    pub fn define(&mut self, text: &str) -> Result<(), Error> {
        let composition = self.read(text.trim()).map_err(|(column, problem)| {
            let place = column.map_or(String::new(), |column| format!(", character {column}"));
            Error::setting(
                "operators",
                format!("`{}`{place}: {problem}", text.trim()),
                "write it like logistic(a) = 1/(1+exp(-a))",
            )
        })?;
        self.0.push(composition);
        Ok(())
    }

    /// Reads a set of operators: `small`, `large`, or names and definitions separated by commas.
    pub fn parse_set(text: &str) -> Result<(Vec<Operator>, Compositions), Error> {
        let mut depth = 0_i32;
        let items: Vec<&str> = text
            .split(|c: char| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                c == ',' && depth <= 0
            })
            .collect();
        let is_definition = |item: &&str| item.contains(['(', '=']);
        let (definitions, names): (Vec<&str>, Vec<&str>) =
            items.into_iter().partition(is_definition);
        let mut compositions = Compositions::default();
        definitions.iter().try_for_each(|text| compositions.define(text))?;
        Ok((Operator::parse_set(&names.join(","))?, compositions))
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Composition> {
        self.0.iter()
    }

    /// The symbol of the one with this name.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        let index = self.0.iter().position(|composition| composition.name == name)?;
        Some(Symbol::composition(index, self.0[index].arity))
    }

    /// The symbols of all.
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        self.iter().filter_map(|composition| self.find(&composition.name)).collect()
    }

    /// The one that a symbol stands for.
    #[inline]
    pub(crate) fn of(&self, symbol: Symbol) -> Option<&Composition> {
        symbol.as_composition().map(|index| &self.0[index])
    }

    /// The most nodes that any of them has.
    pub(crate) fn largest(&self) -> usize {
        self.iter().map(|composition| composition.body.size()).max().unwrap_or(0)
    }

    /// The number of nodes of a formula when its compositions are written out.
    pub(crate) fn size_written_out(&self, formula: &Formula) -> usize {
        let mut sizes: Vec<usize> = Vec::with_capacity(formula.size());
        for node in formula.nodes() {
            let uses = |argument| self.of(node.symbol).map_or(1, |own| own.n_uses(argument));
            let arity = node.symbol.arity();
            let own_parts = self.of(node.symbol).map_or(1, |own| {
                own.body.size() - (0..arity).map(|argument| own.n_uses(argument)).sum::<usize>()
            });
            let parts = (0..arity).map(|argument| {
                sizes[node.arguments[argument] as usize].saturating_mul(uses(argument))
            });
            sizes.push(parts.fold(own_parts, usize::saturating_add));
        }
        sizes.last().copied().unwrap_or(0)
    }

    /// Appends a symbol whose arguments are there; a composition is written out, and so is a feature with a factor. Returns the
    /// place of its root.
    pub(crate) fn push(&self, formula: &mut Formula, symbol: Symbol, arguments: &[u32]) -> u32 {
        if let Some((feature, factor)) = symbol.as_weighted() {
            let factor = formula.push(Symbol::constant(factor), &[]);
            let feature = formula.push(Symbol::feature(feature), &[]);
            return formula.push(Symbol::operator(Operator::Multiply), &[factor, feature]);
        }
        let Some(composition) = self.of(symbol) else { return formula.push(symbol, arguments) };
        // The first use of an argument takes it as it stands, every other one a copy: formulas are trees.
        let parts: Vec<Formula> =
            arguments.iter().map(|&place| formula.part(place as usize)).collect();
        let mut is_used = [false; 2];
        let mut places: Vec<u32> = Vec::with_capacity(composition.body.size());
        for node in composition.body.nodes() {
            let place = match node.symbol.meaning() {
                Meaning::Feature(k) if is_used[k as usize] => formula.append(&parts[k as usize]),
                Meaning::Feature(k) => {
                    is_used[k as usize] = true;
                    arguments[k as usize]
                }
                _ => {
                    let below = node.arguments.map(|place| places.get(place as usize).copied());
                    let below = below.map(Option::unwrap_or_default);
                    formula.push(node.symbol, &below[..node.symbol.arity()])
                }
            };
            places.push(place);
        }
        *places.last().expect("a body has nodes")
    }

    /// The formula with every composition written out.
    pub(crate) fn expanded(&self, formula: &Formula) -> Formula {
        if self.is_empty() {
            return formula.clone();
        }
        let mut expanded = Formula::new();
        let mut places: Vec<u32> = Vec::with_capacity(formula.size());
        for node in formula.nodes() {
            let below = node.arguments.map(|place| places.get(place as usize).copied());
            let below = below.map(Option::unwrap_or_default);
            places.push(self.push(&mut expanded, node.symbol, &below[..node.symbol.arity()]));
        }
        expanded
    }

    fn read(&self, text: &str) -> Result<Composition, (Option<usize>, String)> {
        let wrong = |problem: &str| (None, problem.to_owned());
        let (head, body) = text.split_once('=').ok_or_else(|| wrong("it has no `=`"))?;
        let (name, rest) = head.split_once('(').ok_or_else(|| wrong("it has no `(` before `=`"))?;
        let inside =
            rest.trim().strip_suffix(')').ok_or_else(|| wrong("it has no `)` before `=`"))?;
        let name = name.trim();
        let arguments: Vec<String> = inside.split(',').map(|word| word.trim().to_owned()).collect();
        self.check_head(name, &arguments).map_err(|problem| (None, problem))?;
        if text.chars().any(char::is_control) {
            return Err(wrong("it has a line break or another control character"));
        }
        let before = text.len() - body.len();
        let n_before = text[..before].chars().count();
        let names = FeatureNames::new(&arguments);
        let body = Formula::parse_with(body, &names, self).map_err(|error| match error {
            Error::Formula { column, problem } => (Some(n_before + column), problem),
            other => (None, other.to_string()),
        })?;
        let body = self.expanded(&body);
        let arity = arguments.len();
        let composition = Composition { name: name.to_owned(), arity, text: text.to_owned(), body };
        composition.check_body(&arguments).map_err(|problem| (None, problem))?;
        Ok(composition)
    }

    fn check_head(&self, name: &str, arguments: &[String]) -> Result<(), String> {
        for word in arguments.iter().map(String::as_str).chain([name]) {
            if !(word.starts_with(is_word_start) && word.chars().all(is_word_part)) {
                return Err(format!("`{word}` is no plain word"));
            }
            if Operator::from_name(word).is_some() || TAKEN.contains(&word) {
                return Err(format!("`{word}` has a meaning of its own"));
            }
        }
        let digits = name.strip_prefix('x').unwrap_or_default();
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) {
            return Err(format!("`{name}` is the name of a feature"));
        }
        if self.find(name).is_some() {
            return Err(format!("`{name}` is defined twice"));
        }
        if arguments.len() > 2 {
            return Err("it has more than two arguments".to_owned());
        }
        if arguments.len() == 2 && arguments[0] == arguments[1] {
            return Err("both arguments have the same name".to_owned());
        }
        if self.0.len() == MAX_COMPOSITIONS {
            return Err(format!("there are {MAX_COMPOSITIONS} definitions already"));
        }
        Ok(())
    }
}

impl Composition {
    fn check_body(&self, arguments: &[String]) -> Result<(), String> {
        if self.body.size() == 1 {
            return Err("it does nothing: the right side has no operator".to_owned());
        }
        if self.body.size() > MAX_NODES {
            return Err(format!("it has more than {MAX_NODES} nodes, written out"));
        }
        let is_finite = |node: &Node| node.symbol.as_constant().is_none_or(f64::is_finite);
        if !self.body.nodes().iter().all(is_finite) {
            return Err("a constant is too large".to_owned());
        }
        match (0..self.arity).find(|&k| self.n_uses(k) == 0) {
            Some(k) => Err(format!("the argument `{}` is not used", arguments[k])),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> FeatureNames {
        FeatureNames::new(&["u".to_owned(), "v".to_owned()])
    }

    fn compositions() -> Compositions {
        let mut all = Compositions::default();
        all.define("logistic(a) = 1/(1+exp(-a))").unwrap();
        all.define("hyp(a, b) = sqrt(a*a + b*b)").unwrap();
        all.define("gate(p, q) = q * logistic(p)").unwrap();
        all
    }

    #[test]
    fn a_composition_is_written_out_and_found_again() {
        let all = compositions();
        for (text, expected) in [
            ("logistic(u) + v", "1 / (1 + exp(-u)) + v"),
            ("hyp(u + 1, v)", "sqrt((u + 1) * (u + 1) + v * v)"),
            ("gate(sin(u), hyp(u, v))", "sqrt(u * u + v * v) * (1 / (1 + exp(-sin(u))))"),
        ] {
            let formula = Formula::parse_with(text, &names(), &all).unwrap();
            let expanded = all.expanded(&formula);
            assert_eq!(expanded.to_text(&names()), expected);
            assert_eq!(all.folded(&expanded).size(), formula.size(), "{text}");
        }
    }

    #[test]
    fn sets_may_have_definitions_among_names() {
        let (operators, own) =
            Compositions::parse_set("+, hyp(a, b) = sqrt(a*a + b*b), sin,f(a)=a+1").unwrap();
        assert_eq!(operators, [Operator::Add, Operator::Sin]);
        assert_eq!(own.iter().map(Composition::name).collect::<Vec<_>>(), ["hyp", "f"]);
        assert_eq!(Compositions::parse_set("small").unwrap().0, Operator::SMALL);
    }

    #[test]
    fn a_bad_definition_is_refused_with_its_place() {
        for (text, expected) in [
            ("soft(a) = 1/(1+expp(-a))", "character 16: unknown function `expp`"),
            ("f(a) = a + b", "character 12: unknown name `b`"),
            ("f(a, b) = a + 1", "the argument `b` is not used"),
            ("f(a) = a", "it does nothing"),
            ("f(a, b, c) = a + b + c", "more than two"),
            ("sin(a) = a + 1", "`sin` has a meaning"),
            ("f(a, a) = a + 1", "the same name"),
            ("x3(a) = a + 1", "name of a feature"),
            ("f a = a + 1", "no `(`"),
            ("f(a = a + 1", "no `)`"),
            ("f(a)", "no `=`"),
            ("f() = 1 + 2", "`` is no plain word"),
            ("hyp(a, b) = a + b", "defined twice"),
            ("f(a) = f(a) + 1", "unknown function `f`"),
        ] {
            let error = compositions().define(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
            assert!(error.starts_with("operators: "), "{error}");
        }
    }
}
