"""The estimator's arguments and the library's settings: one table between the two, and the text form of values."""

from __future__ import annotations

import operator
from typing import Any

from . import _native

#: scikit-learn's words for settings of the library; every other argument is the setting's own name, dots as underscores.
RENAMED = {
    "seed": "random_state",
    "threads": "n_jobs",
    "evaluations": "max_evals",
    "time": "max_time",
    "population": "population_size",
}

#: Every setting of the library by the name of its argument.
KEYS = {RENAMED.get(key, key.replace(".", "_")): key for key, _, _ in _native.settings()}

#: A search without any limit does this many evaluations: a second or two for a thousand rows, and the same each time.
DEFAULT_EVALUATIONS = 1_000_000

_YES_NO = {"ims_retire_on_equal"}
_COUNTS = {
    "height", "template_arity", "linkage_bins", "population_size", "ims_start", "ims_factor", "ims_max_populations",
    "max_evals", "generations", "random_state", "n_jobs",
}  # fmt: skip


def pairs(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """Arguments as pairs of key and text, as the library reads them."""
    return [(KEYS[name], text(name, value)) for name, value in arguments.items()]


def text(name: str, value: Any) -> str:
    """The text form of one argument."""
    if value is None:
        return "ims" if name == "population_size" else "none"
    if isinstance(value, str):
        return value.replace("_", "-") if name == "linkage" else value
    if isinstance(value, bool):
        if name in _COUNTS:
            raise TypeError(f"{name}={value!r}: give a whole number")
        words = ("yes", "no") if name in _YES_NO else ("on", "off")
        return words[0] if value else words[1]
    if name == "operators":
        return ",".join(str(item) for item in value)
    if name == "constants_range":
        low, high = value
        return f"{float(low)!r}..{float(high)!r}"
    if name in _COUNTS:
        return str(_whole(name, value))
    if name == "memory_limit":
        return str(_whole(name, value))
    return repr(float(value))


def _whole(name: str, value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: give a whole number") from None


def n_threads(n_jobs: int | None) -> int:
    """scikit-learn's `n_jobs` as a number of threads, where 0 means all: None is 1, -1 all, -2 all but one."""
    import os

    if n_jobs is None:
        return 1
    n_jobs = _whole("n_jobs", n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs=0: give the number of threads, or -1 for all")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
