"""Tables in: scikit-learn's checks, and the column that is at fault by its name, where scikit-learn's error has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator: Any, *arguments: Any, **options: Any) -> Any:
        return estimator._validate_data(*arguments, **options)


_DATES = "dates or times: make it numbers, such as days since the first of them, or leave it out"


def checked(estimator: Any, X: Any, *others: Any, **options: Any) -> Any:
    """The table as numbers, as scikit-learn checks it."""
    for name, table in zip(("X", "y"), (X, *others)):
        # scikit-learn would take dates for numbers of nanoseconds, and a lazy table for an odd object.
        what = _what_it_is(name, table)
        if what is not None:
            raise ValueError(what)
    try:
        return validate_data(estimator, X, *others, dtype=np.float64, **options)
    except Exception as error:
        what = fault(X)
        if what is None:
            raise
        raise ValueError(what) from error


def rows(estimator: Any, X: Any, y: Any, sample_weight: Any, **options: Any) -> tuple[Any, Any, Any]:
    """A table with its targets and weights as numbers."""
    X, y = checked(estimator, X, y, y_numeric=True, **options)
    if sample_weight is not None:
        sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        negative = np.flatnonzero(sample_weight < 0)
        if len(negative):
            place = negative[0]
            raise ValueError(f"sample_weight[{place}] is {sample_weight[place]}: weights are zero or more")
    return X, np.asarray(y, dtype=np.float64), sample_weight


def fingerprint(X: Any, y: Any, weights: Any) -> int:
    """A number that tells rows from others, whatever their order; a row of weight 0 is no row."""
    table = np.column_stack([X, y, np.ones(len(y)) if weights is None else weights])
    table = table[table[:, -1] > 0] + 0.0  # which makes 0 of -0
    mixed = np.full(len(table), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in table.T:
        mixed = (mixed ^ np.ascontiguousarray(column).view(np.uint64)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(31)
    return int(mixed.sum(dtype=np.uint64))


def _what_it_is(name: str, table: Any) -> str | None:
    if type(table).__name__ == "LazyFrame":
        return f"{name} is a lazy table: give {name}.collect()"
    if isinstance(table, Mapping) and not hasattr(table, "shape"):  # a sparse table may be one
        return f"{name} is a dictionary: give pandas.DataFrame({name})"
    if np.ma.is_masked(table):
        return f"{name} has masked values: fill them in, or leave their rows out"
    if not hasattr(table, "columns"):
        return f"{name} holds {_DATES}" if _are_dates(table) else None
    names = list(table.columns)
    if len(set(names)) == len(names):
        for column in names:
            if _are_dates(table[column]):
                return f"column {column!r} holds {_DATES}"
    return None


def _are_dates(column: Any) -> bool:
    return str(getattr(column, "dtype", "")).lower().startswith(("date", "time", "duration"))


def fault(table: Any) -> str | None:
    """What is wrong with a column of a data frame, and how to mend it; None if nothing is, or if it is no data frame."""
    if not hasattr(table, "columns") or not hasattr(table, "__getitem__"):
        return None
    names = list(table.columns)
    repeated = [name for name, n in Counter(map(str, names)).items() if n > 1]
    if repeated:
        return f"two columns are named {repeated[0]!r}: rename one"
    for name in names:
        what = _what_is_no_number(table[name])
        if what is not None:
            return f"column {name!r} holds {what}"
    return None


def _what_is_no_number(column: Any) -> str | None:
    try:
        np.asarray(column, dtype=np.float64)
        return None
    except (TypeError, ValueError):
        word = _first_word(column)
    if word is None:
        return None
    return f"{word}, which is no number: make it numbers, for example with OneHotEncoder in a pipeline, or leave it out"


def _first_word(column: Any) -> str | None:
    for value in column:
        try:
            float(value)
        except (TypeError, ValueError):
            text = repr(value)
            # What is missing is not at fault here: scikit-learn has an error of its own for that.
            if text not in ("None", "<NA>", "NaT"):
                return text if len(text) <= 40 else text[:39] + "…"
    return None
