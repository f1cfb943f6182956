"""The front of a search: which formula is chosen, and how the front is shown."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

from . import _native, settings

#: How a formula can be chosen from the front.
SELECTIONS = tuple(_native.selections())

#: What the mark `!` means.
_NOT_PROVED = "not proved finite and near the targets on new rows like those of the fit"


def entries(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The formulas of a search as entries of a front, smallest first."""
    front = [
        {
            "formula": entry["formula"],
            "complexity": entry.get("complexity", entry["size"]),
            "size": entry["size"],
            "rank": entry.get("rank", 1),
            "loss": entry["mse"],
            "r2": entry["r2"],
            "bic": entry.get("bic", math.nan),
            "mdl": entry.get("mdl", math.nan),
            "validation_loss": entry.get("validation_mse"),
            "safety": entry.get("safety"),
            "danger": entry.get("danger"),
            "half_widths": entry.get("half_widths"),
            "equation": str(entry["formula"]),
        }
        for entry in found
    ]
    best = [entry for entry in front if entry["rank"] == 1]
    for entry, score in zip(best, _native.scores(_candidates(best))):
        entry["score"] = score
    for entry in front:
        # Others of the same complexity have no score of their own: it tells how the front falls.
        entry.setdefault("score", math.nan)
    return front


def given(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Formulas that the user gave, as entries beside a front."""
    listed = []
    for entry in found:
        (listed_entry,) = entries([entry])
        listed.append({**listed_entry, "score": math.nan})
    return listed


def _candidates(front: list[dict[str, Any]]) -> list[tuple]:
    keys = ("complexity", "loss", "bic", "mdl", "validation_loss")
    return [(*(entry[key] for key in keys), is_safe(entry)) for entry in front]


def is_safe(entry: dict[str, Any]) -> bool | None:
    """Whether the formula was proved safe; None where it was not examined."""
    return None if entry["safety"] is None else entry["safety"] == "safe"


def check_selection(selection: str) -> None:
    """Refuses a word that is no way to choose."""
    if selection not in SELECTIONS:
        raise ValueError(f"model_selection={selection!r}: give one of {', '.join(SELECTIONS)}")


def choose(front: list[dict[str, Any]], selection: str) -> int:
    """The place of the chosen formula: one that is the best of its complexity."""
    check_selection(selection)
    if selection == "validation" and front[0]["validation_loss"] is None:
        raise ValueError("model_selection='validation': set it before fit, which must leave rows out for it")
    if selection in ("bic", "mdl") and any(math.isnan(entry[selection]) for entry in front):
        raise ValueError(f"model_selection={selection!r}: the file that the model is from does not tell it; choose another way")
    places = [place for place, entry in enumerate(front) if entry["rank"] == 1]
    chosen = _native.choose(_candidates([front[place] for place in places]), selection)
    assert chosen is not None, "a front has a formula"
    return places[chosen]


def shown(entry: dict[str, Any], precision: int | None) -> str:
    """The formula of an entry as it is shown."""
    return str(rounded(entry["formula"], precision))


def rounded(formula: _native.Formula, precision: int | None) -> _native.Formula:
    """The formula with so many digits."""
    digits = settings.n_digits(precision)
    return formula if digits is None else formula.rounded(digits)


def latex(formula: _native.Formula, precision: int | None) -> str:
    """The formula in LaTeX with so many digits; a third and π have none."""
    digits = settings.n_digits(precision)
    return (formula if digits is None else formula.rounded(digits, True)).format("latex")


def as_text(front: list[dict[str, Any]], chosen: int, precision: int | None, start: Sequence[dict[str, Any]] = ()) -> str:
    """The front as a table for the terminal, the chosen row marked; below it what the user gave."""
    lines = [f"{'':4} {'complexity':>10} {'loss':>12} {'score':>8}  equation"]
    for place, entry in enumerate(front):
        mark = ">>>>" if place == chosen else ""
        numbers = f"{entry['complexity']:>10} {entry['loss']:>12.6g} {entry['score']:>8.3g}"
        lines.append(f"{mark:4} {numbers}{_flag(entry)} {shown(entry, precision)}")
    for entry in start:
        numbers = f"{entry['complexity']:>9} {entry['loss']:>12.6g} {'':>8}"
        lines.append(f"{'yours':5} {numbers}{_flag(entry)} {shown(entry, precision)}")
    if any(is_safe(entry) is False for entry in [*front, *start]):
        lines.append(f"! {_NOT_PROVED}")
    return "\n".join(lines)


def _flag(entry: dict[str, Any]) -> str:
    return "!" if is_safe(entry) is False else " "


def as_html(front: list[dict[str, Any]], chosen: int, precision: int | None, start: Sequence[dict[str, Any]] = ()) -> str:
    """The front as a table for notebooks, and what the user gave. Names of features are escaped."""
    rows = []
    for place, entry in enumerate([*front, *start]):
        mark = "▶" if place == chosen else "yours" if place >= len(front) else ""
        style = ' style="font-weight:bold"' if place == chosen else ""
        cells = (
            mark,
            str(entry["complexity"]),
            f"{entry['loss']:.6g}",
            f"{entry['r2']:.4f}",
        )
        plain = "".join(f'<td style="text-align:right">{html.escape(cell)}</td>' for cell in cells)
        plain += f'<td title="{html.escape(entry["danger"] or "")}">{_flag(entry).strip()}</td>'
        equation = html.escape(shown(entry, precision))
        rows.append(f'<tr{style}>{plain}<td style="text-align:left"><code>{equation}</code></td></tr>')
    head = "".join(f"<th>{title}</th>" for title in ("", "complexity", "loss", "R²", "", "formula"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return table + (f"<p>! {_NOT_PROVED}</p>" if any(is_safe(entry) is False for entry in [*front, *start]) else "")


def as_latex(front: list[dict[str, Any]], precision: int | None) -> str:
    """The front as a LaTeX table with the rules of `booktabs`."""
    lines = [r"\begin{tabular}{rrl}", r"\toprule", r"Complexity & Loss & Equation \\", r"\midrule"]
    for entry in front:
        loss = f"{entry['loss']:.{settings.n_digits(precision) or 17}g}"
        lines.append(rf"{entry['complexity']} & {loss} & ${latex(entry['formula'], precision)}$ \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
