"""Rules: from the value of an old argument, the old estimator and the rows to arguments of `IntronRegressor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import settings

Rule = Callable[[Any, Any, Any], dict[str, Any]]


def same(name: str) -> Rule:
    """The same value by another name."""
    return lambda value, old, X: {name: value}


def limit(name: str) -> Rule:
    """Old limits are -1 where there is none."""
    return lambda value, old, X: {name: value if value is not None and value > 0 else None}


def words(name: str, **words: Any) -> Rule:
    """A value for each word."""

    def rule(value: Any, old: Any, X: Any) -> dict[str, Any]:
        if value not in words:
            raise ValueError(f"give one of {', '.join(words)}")
        return {name: words[value]}

    return rule


def operators(separator: str, spellings: dict[str, str]) -> Rule:
    """Names of operators in one text, some of them spelt otherwise."""

    def rule(value: Any, old: Any, X: Any) -> dict[str, Any]:
        names = value.split(separator) if isinstance(value, str) else list(value)
        return {"operators": [spellings.get(name, name) for name in map(str.strip, names)]}

    return rule


def height(value: Any, old: Any, X: Any) -> dict[str, Any]:
    """Old heights count edges, Intron's count levels."""
    return {"height": settings.whole("height", value) + 1}


def seed(value: Any, old: Any, X: Any) -> dict[str, Any]:
    """-1 is another seed each time."""
    is_random = isinstance(value, (int, np.integer)) and value < 0
    return {"random_state": None if is_random else value}


def threads(value: Any, old: Any, X: Any) -> dict[str, Any]:
    """Both False and 0 are one thread."""
    return {"n_jobs": -1 if value is True else value or 1}
