"""From what a user calls a plan to its text: a name, a file, TOML or a dictionary."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _native


def text_of_plan(plan: str | os.PathLike[str] | Mapping[str, Any]) -> str:
    """The TOML text of a plan."""
    if isinstance(plan, Mapping):
        return toml_of(plan)
    if isinstance(plan, str) and plan in _native.plans():
        return _native.plan_text(plan)
    if isinstance(plan, str) and ("=" in plan or "\n" in plan) and not os.path.exists(plan):
        return plan
    if not os.path.isfile(plan):
        known = " ".join(_native.plans())
        raise ValueError(f"{plan}: there is no such plan, and no file of that name; plans: {known}")
    return Path(plan).read_text(encoding="utf-8")


def folder_of_plan(plan: str | os.PathLike[str] | Mapping[str, Any]) -> str | None:
    """The folder that paths in a plan start from: that of its file. Others start from the working folder."""
    if isinstance(plan, Mapping) or plan in _native.plans() or not os.path.isfile(plan):
        return None
    return os.path.dirname(os.path.abspath(plan))


def changes_of(changes: Mapping[str, Any] | Iterable[str] | str | None) -> list[str]:
    """Changes to a plan as `key=value`.

    >>> changes_of({"repeats": 3, "data": ["airfoil", "bike"]})
    ['repeats=3', 'data=["airfoil", "bike"]']
    >>> changes_of(["budget.evaluations=1e5"])
    ['budget.evaluations=1e5']
    """
    if changes is None:
        return []
    if isinstance(changes, str):
        return [changes]
    if isinstance(changes, Mapping):
        return [f"{key}={_value(value, key)}" for key, value in changes.items()]
    return [str(change) for change in changes]


def toml_of(table: Mapping[str, Any]) -> str:
    """A dictionary as TOML.

    >>> print(toml_of({"name": "mine", "heights": [4, 5], "budget": {"evaluations": 1e5}}), end="")
    "name" = "mine"
    "heights" = [4, 5]
    "budget" = {"evaluations" = 100000.0}
    """
    return "".join(f"{_text(key)} = {_value(value, key)}\n" for key, value in table.items())


def _value(value: Any, key: str) -> str:
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return _text(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(name)} = {_value(inner, key)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item, key) for item in value) + "]"
    raise ValueError(f"{key}: a plan holds numbers, texts, lists and tables, not {type(value).__name__}")


def _text(text: Any) -> str:
    # TOML has the escapes of JSON, but no pairs of surrogates, and it wants the last control character escaped too.
    return json.dumps(str(text), ensure_ascii=False).replace("\x7f", "\\u007f")
