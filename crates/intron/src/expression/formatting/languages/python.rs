//! Python with NumPy. Its functions throughout: `**` of plain numbers can raise exceptions.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Level::*, Notation, Piece::*, call, calls};
use super::{Language, Parts};

/// An expression: no definitions can stand before it, hence the `lambda`.
pub(in super::super) const ALONE: Notation = Notation { form: form_alone, ..LANGUAGE.notation };

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "np.inf"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "#",
    helpers: &[
        (
            ProtectedDivide,
            "    def pdiv(a, b):\n        return np.where(b < 0.0, -1.0, 1.0) * a / (np.abs(b) + 1e-6)\n\n",
        ),
        (
            ProtectedLog,
            "    def plog(a):\n        return np.nan_to_num(np.log(np.abs(a)), nan=0.0, posinf=0.0, neginf=0.0)\n\n",
        ),
    ],
    code,
};

fn form_alone(operator: Operator, arguments: [Argument; 2]) -> Form {
    let fixed_quotient = "(lambda a, b: np.where(b >= 0.0, 1.0, -1.0) * a / (np.abs(b) + 1e-6))";
    match operator {
        ProtectedDivide => call(fixed_quotient, operator),
        ProtectedLog => {
            calls("np.nan_to_num(np.log(np.abs(", ")), nan=0.0, posinf=0.0, neginf=0.0)")
        }
        _ => form(operator, arguments),
    }
}

fn form(operator: Operator, [first, second]: [Argument; 2]) -> Form {
    // Division of plain numbers by zero is an exception.
    let may_divide = |by: Argument| by.has_feature || by.constant.is_some_and(|x| x != 0.0);
    match operator {
        Divide if !first.has_feature && !may_divide(second) => call("np.divide", operator),
        Inverse if !may_divide(first) => calls("np.divide(1.0, ", ")"),
        Sin => call("np.sin", operator),
        Cos => call("np.cos", operator),
        Exp => call("np.exp", operator),
        Log => call("np.log", operator),
        Sqrt => call("np.sqrt", operator),
        Square => call("np.square", operator),
        Abs => call("np.abs", operator),
        Tanh => call("np.tanh", operator),
        Cube => calls("np.power(", ", 3.0)"),
        Power => call("np.power", operator),
        Minimum => call("np.minimum", operator),
        Maximum => call("np.maximum", operator),
        AnalyticQuotient => {
            let root = Fixed(" / np.sqrt(1.0 + np.square(");
            (Product, vec![First(Product), root, Second(Sum), Fixed("))")])
        }
        ProtectedSqrt => calls("np.sqrt(np.abs(", "))"),
        Negate => (Prefix, vec![Fixed("-"), First(Prefix)]),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let parameters = parts.parameters("", "");
    let arrays = parts.lines("    @ = np.asarray(@, dtype=np.float64)\n");
    format!(
        "import numpy as np\n\n\ndef predict({parameters}):\n{helpers}{arrays}    \
         with np.errstate(all=\"ignore\"):\n        return {expression}\n"
    )
}
