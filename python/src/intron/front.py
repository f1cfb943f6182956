"""The front of a search: which formula is chosen, and how the front is shown."""

from __future__ import annotations

import html
import math
from typing import Any

#: How a formula can be chosen from the front.
SELECTIONS = ("accuracy", "best", "score")

#: `best` looks among formulas whose loss is at most this many times the smallest.
_BEST_WITHIN = 1.5


def entries(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The formulas of a search as entries of a front, smallest first."""
    front = [
        {
            "formula": entry["formula"],
            "complexity": entry["size"],
            "loss": entry["mse"],
            "r2": entry["r2"],
            "equation": str(entry["formula"]),
        }
        for entry in found
    ]
    for entry, score in zip(front, scores(front)):
        entry["score"] = score
    return front


def check_selection(selection: str) -> None:
    """Refuses a word that is no way to choose."""
    if selection not in SELECTIONS:
        raise ValueError(f"model_selection={selection!r}: give one of {', '.join(SELECTIONS)}")


def scores(front: list[dict[str, Any]]) -> list[float]:
    """How fast the loss falls with size: -d log(loss) / d complexity, from each formula to the next larger one."""
    values = [0.0]
    for smaller, larger in zip(front, front[1:]):
        if larger["loss"] <= 0.0:
            values.append(math.inf)
        else:
            fall = math.log(smaller["loss"]) - math.log(larger["loss"])
            values.append(fall / (larger["complexity"] - smaller["complexity"]))
    return values[: len(front)]


def choose(front: list[dict[str, Any]], selection: str) -> int:
    """The place of the chosen formula."""
    check_selection(selection)
    last = len(front) - 1
    if selection == "accuracy":
        return last
    most = math.inf if selection == "score" else _BEST_WITHIN * front[last]["loss"]
    candidates = [place for place in range(len(front)) if front[place]["loss"] <= most]
    return max(candidates, key=lambda place: front[place]["score"])


def shown(entry: dict[str, Any], precision: int | None) -> str:
    """The formula of an entry as it is shown."""
    formula = entry["formula"]
    return str(formula if precision is None else formula.rounded(precision))


def as_text(front: list[dict[str, Any]], chosen: int, precision: int | None) -> str:
    """The front as a table for the terminal, the chosen row marked."""
    lines = [f"{'':4} {'complexity':>10} {'loss':>12} {'score':>8}  equation"]
    for place, entry in enumerate(front):
        mark = ">>>>" if place == chosen else ""
        numbers = f"{entry['complexity']:>10} {entry['loss']:>12.6g} {entry['score']:>8.3g}"
        lines.append(f"{mark:4} {numbers}  {shown(entry, precision)}")
    return "\n".join(lines)


def as_html(front: list[dict[str, Any]], chosen: int, precision: int | None) -> str:
    """The front as a table for notebooks. Names of features are escaped."""
    rows = []
    for place, entry in enumerate(front):
        style = ' style="font-weight:bold"' if place == chosen else ""
        cells = (
            "▶" if place == chosen else "",
            str(entry["complexity"]),
            f"{entry['loss']:.6g}",
            f"{entry['r2']:.4f}",
        )
        plain = "".join(f'<td style="text-align:right">{html.escape(cell)}</td>' for cell in cells)
        equation = html.escape(shown(entry, precision))
        rows.append(f'<tr{style}>{plain}<td style="text-align:left"><code>{equation}</code></td></tr>')
    head = "".join(f"<th>{title}</th>" for title in ("", "size", "loss", "R²", "formula"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def as_latex(front: list[dict[str, Any]], precision: int) -> str:
    """The front as a LaTeX table with the rules of `booktabs`."""
    lines = [r"\begin{tabular}{rrl}", r"\toprule", r"Complexity & Loss & Equation \\", r"\midrule"]
    for entry in front:
        equation = entry["formula"].rounded(precision).format("latex")
        lines.append(rf"{entry['complexity']} & {entry['loss']:.{precision}g} & ${equation}$ \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
