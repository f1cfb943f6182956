//! Operators (functions) that may stand at inner positions of the template: names, arity, the sets of section 4.1.

use crate::error::Error;

/// One operator. Its arithmetic is in `evaluation/kernels`; its text forms are in `expression/formatting`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Operator {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`, unprotected
    Divide,
    /// sine
    Sin,
    /// cosine
    Cos,
    /// `e^a`
    Exp,
    /// natural logarithm, unprotected
    Log,
    /// square root, unprotected
    Sqrt,
    /// `a²`
    Square,
    /// `-a`
    Negate,
    /// `|a|`
    Abs,
    /// hyperbolic tangent
    Tanh,
    /// `1 / a`, unprotected
    Inverse,
    /// `a³`
    Cube,
    /// `a^b`, unprotected
    Power,
    /// the smaller of two
    Minimum,
    /// the larger of two
    Maximum,
    /// analytic quotient `a / √(1 + b²)`
    AnalyticQuotient,
    /// protected division `sign(b)·a / (|b| + 1e-6)`, with sign(0) = +1
    ProtectedDivide,
    /// protected logarithm `ln|a|`, and 0 where that is not finite
    ProtectedLog,
    /// protected square root `√|a|`
    ProtectedSqrt,
}

use Operator::*;

/// Number of operators; symbols and labels count on it.
pub(crate) const N_OPERATORS: usize = 22;

/// Every operator with its name, in the order of its number. Names are what users type and what files hold.
const TABLE: [(Operator, &str, usize); N_OPERATORS] = [
    (Add, "+", 2),
    (Subtract, "-", 2),
    (Multiply, "*", 2),
    (Divide, "/", 2),
    (Sin, "sin", 1),
    (Cos, "cos", 1),
    (Exp, "exp", 1),
    (Log, "log", 1),
    (Sqrt, "sqrt", 1),
    (Square, "square", 1),
    (Negate, "neg", 1),
    (Abs, "abs", 1),
    (Tanh, "tanh", 1),
    (Inverse, "inv", 1),
    (Cube, "cube", 1),
    (Power, "pow", 2),
    (Minimum, "min", 2),
    (Maximum, "max", 2),
    (AnalyticQuotient, "aq", 2),
    (ProtectedDivide, "pdiv", 2),
    (ProtectedLog, "plog", 1),
    (ProtectedSqrt, "psqrt", 1),
];

/// Other spellings that users of similar programs type.
const ALIASES: [(&str, Operator); 14] = [
    ("add", Add),
    ("sub", Subtract),
    ("mul", Multiply),
    ("×", Multiply),
    ("div", Divide),
    ("÷", Divide),
    ("ln", Log),
    ("√", Sqrt),
    ("^2", Square),
    ("^3", Cube),
    ("^", Power),
    ("**", Power),
    ("p/", ProtectedDivide),
    ("−", Subtract),
];

impl Operator {
    /// The set of the paper's main experiments: `+ - * / sin`.
    pub const SMALL: [Operator; 5] = [Add, Subtract, Multiply, Divide, Sin];
    /// The larger set of the paper's supplement: `+ - * / sin cos exp log sqrt square`.
    pub const LARGE: [Operator; 10] =
        [Add, Subtract, Multiply, Divide, Sin, Cos, Exp, Log, Sqrt, Square];

    /// All operators, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Operator> {
        TABLE.iter().map(|row| row.0)
    }

    /// The name that users type and files hold.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Number of arguments: 1 or 2. The first `arity` children of a position are its arguments.
    pub fn arity(self) -> usize {
        TABLE[self as usize].2
    }

    /// The operator with this number (its place in the table).
    pub(crate) fn from_number(number: u8) -> Operator {
        TABLE[usize::from(number)].0
    }

    /// Finds an operator by its name or by a usual other spelling.
    pub fn from_name(name: &str) -> Option<Operator> {
        let named = TABLE.iter().find(|row| row.1 == name).map(|row| row.0);
        named.or_else(|| ALIASES.iter().find(|alias| alias.0 == name).map(|alias| alias.1))
    }

    /// Reads a set of operators: `small`, `large`, or names separated by commas.
    pub fn parse_set(text: &str) -> Result<Vec<Operator>, Error> {
        match text.trim() {
            "small" => return Ok(Operator::SMALL.to_vec()),
            "large" => return Ok(Operator::LARGE.to_vec()),
            "" => {
                return Err(Error::setting("operators", "the set is empty", "take small or large"));
            }
            _ => {}
        }
        let mut set = Vec::new();
        // Spaces do as well as commas.
        let names = text.split(',').map(str::trim);
        let names = names.flat_map(|part| match part {
            "" => vec![part],
            _ => part.split_whitespace().collect(),
        });
        for name in names {
            let operator = Operator::from_name(name).ok_or_else(|| Error::UnknownName {
                what: "operator",
                given: name.to_owned(),
                known: TABLE.iter().map(|row| row.1).collect::<Vec<_>>().join(" "),
            })?;
            if set.contains(&operator) {
                return Err(Error::Setting {
                    key: "operators".to_owned(),
                    problem: format!("`{name}` is named twice"),
                    remedy: "name each operator once".to_owned(),
                });
            }
            set.push(operator);
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_numbers() {
        for (number, operator) in Operator::all().enumerate() {
            assert_eq!(operator as usize, number);
            assert_eq!(Operator::from_number(number as u8), operator);
            assert_eq!(Operator::from_name(operator.name()), Some(operator));
        }
    }

    #[test]
    fn sets_are_read_by_name_and_by_list() {
        assert_eq!(Operator::parse_set("small").unwrap(), Operator::SMALL);
        assert_eq!(Operator::parse_set("+, ln,p/").unwrap(), [Add, Log, ProtectedDivide]);
        assert!(Operator::parse_set("+,foo").unwrap_err().to_string().contains("`foo`"));
        assert!(Operator::parse_set("+,+").is_err());
        assert!(Operator::parse_set("").is_err());
    }
}
