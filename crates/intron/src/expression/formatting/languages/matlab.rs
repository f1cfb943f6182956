//! MATLAB and GNU Octave, element by element, so that columns work.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Level::*, Notation, Piece::*, call, calls};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "Inf"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "%",
    // Roots, logarithms and powers of negative numbers would be complex, and min and max would hide NaN.
    helpers: &[
        (Log, "\nfunction r = logarithm(a)\n  a(a < 0) = NaN;\n  r = log(a);\nend\n"),
        (Sqrt, "\nfunction r = root(a)\n  a(a < 0) = NaN;\n  r = sqrt(a);\nend\n"),
        (Power, POWER),
        (
            Minimum,
            "\nfunction r = minimum(a, b)\n  r = min(a, b);\n  r(isnan(a) | isnan(b)) = NaN;\nend\n",
        ),
        (
            Maximum,
            "\nfunction r = maximum(a, b)\n  r = max(a, b);\n  r(isnan(a) | isnan(b)) = NaN;\nend\n",
        ),
        (AnalyticQuotient, "\nfunction r = aq(a, b)\n  r = a ./ sqrt(1.0 + b .* b);\nend\n"),
        (
            ProtectedDivide,
            "\nfunction r = pdiv(a, b)\n  r = (1.0 - 2.0 * (b < 0)) .* a ./ (abs(b) + 1e-6);\nend\n",
        ),
        (
            ProtectedLog,
            "\nfunction r = plog(a)\n  r = log(abs(a));\n  r(~isfinite(r)) = 0.0;\nend\n",
        ),
    ],
    code,
};

const POWER: &str = "
function r = power_of(a, b)
  a = a .* ones(size(b));
  b = b .* ones(size(a));
  is_negative = a < 0 | 1.0 ./ a == -Inf;
  r = abs(a) .^ b;
  is_odd = is_negative & mod(b, 2) == 1;
  r(is_odd) = -r(is_odd);
  r(a < 0 & isfinite(a) & isfinite(b) & b ~= fix(b)) = NaN;
end
";

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Multiply => (Product, vec![First(Product), Fixed(" .* "), Second(Prefix)]),
        Divide => (Product, vec![First(Product), Fixed(" ./ "), Second(Prefix)]),
        Inverse => (Product, vec![Fixed("1.0 ./ "), First(Prefix)]),
        Square => (Raised, vec![First(Atom), Fixed(" .^ 2")]),
        Cube => (Raised, vec![First(Atom), Fixed(" .^ 3")]),
        Log => call("logarithm", operator),
        Sqrt => call("root", operator),
        Power => call("power_of", operator),
        Minimum => call("minimum", operator),
        Maximum => call("maximum", operator),
        ProtectedSqrt => calls("sqrt(abs(", "))"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let parameters = parts.parameters("", "");
    let columns = parts.lines("  @ = double(@);\n");
    format!(
        "function prediction = predict({parameters})\n{columns}  prediction = {expression};\nend\n{helpers}"
    )
}
