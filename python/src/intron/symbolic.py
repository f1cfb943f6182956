"""Formulas as SymPy objects, built from the tree by a table: no text is ever parsed, so no name can run as code."""

from __future__ import annotations

from typing import Any

from ._native import Formula


def to_sympy(formula: Formula) -> Any:
    """The formula as a SymPy expression, with one real symbol for each feature.

    >>> from intron import Formula
    >>> to_sympy(Formula("a * a + 1.5", ["a"]))
    a**2 + 1.5
    """
    import sympy

    operators = _operators(sympy)
    names = formula.names
    built: list[Any] = []
    for kind, content in formula.nodes():
        if kind == "feature":
            built.append(sympy.Symbol(names[content], real=True))
        elif kind == "constant":
            built.append(_number(sympy, content))
        else:
            built.append(operators[kind](*(built[place] for place in content)))
    return built[-1]


def _number(sympy: Any, value: float) -> Any:
    return sympy.Integer(int(value)) if value.is_integer() and abs(value) < 1e15 else sympy.Float(value)


def _operators(sympy: Any) -> dict[str, Any]:
    return {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "sin": sympy.sin,
        "cos": sympy.cos,
        "exp": sympy.exp,
        "log": sympy.log,
        "sqrt": sympy.sqrt,
        "square": lambda a: a**2,
        "neg": lambda a: -a,
        "abs": sympy.Abs,
        "tanh": sympy.tanh,
        "inv": lambda a: 1 / a,
        "cube": lambda a: a**3,
        "pow": lambda a, b: a**b,
        "min": sympy.Min,
        "max": sympy.Max,
        "aq": lambda a, b: a / sympy.sqrt(1 + b**2),
        "pdiv": lambda a, b: a * sympy.Piecewise((1, b >= 0), (-1, True)) / (sympy.Abs(b) + sympy.Float(1e-6)),
        "plog": lambda a: sympy.Piecewise((0, sympy.Eq(a, 0)), (sympy.log(sympy.Abs(a)), True)),
        "psqrt": lambda a: sympy.sqrt(sympy.Abs(a)),
    }
