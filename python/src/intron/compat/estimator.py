"""What the old estimators have in common: a table of rules, one warning, and an `IntronRegressor` that does the work."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from .. import settings, tables
from ..regressor import IntronRegressor
from .rules import Rule


class OldEstimator(RegressorMixin, BaseEstimator):
    """An estimator with old arguments around an `IntronRegressor`, which is ``intron_`` after ``fit``."""

    #: A rule for each argument that Intron has something for.
    _TABLE: dict[str, Rule]
    #: What the old program did without an argument for it.
    _FIXED: dict[str, Any]
    #: Arguments that only one value is possible for, and what to do instead.
    _ONLY: dict[str, str]
    #: Arguments that Intron does without: values besides the default that change nothing, and what to do instead.
    _WITHOUT: dict[str, tuple[tuple[Any, ...], str]]

    def to_intron(self, X: Any) -> IntronRegressor:
        """The `IntronRegressor` that searches as this estimator would for these rows."""
        X = np.asarray(X, dtype=np.float64)
        for name, advice in self._ONLY.items():
            if getattr(self, name) != default(self, name):
                raise ValueError(f"{name}={getattr(self, name)!r}: {advice}")
        arguments = dict(self._FIXED)
        for name, rule in self._TABLE.items():
            arguments |= self._translated(name, rule, X)
        self._warn(arguments, X)
        return IntronRegressor.paper(**arguments)

    def _translated(self, name: str, rule: Rule, X: np.ndarray) -> dict[str, Any]:
        """What one old argument stands for, checked, so that an error can name the old argument."""
        value = getattr(self, name)
        try:
            new = rule(value, self, X)
            settings.pairs({key: new[key] for key in new if key in settings.KEYS.keys() - {"random_state", "n_jobs"}})
        except (ValueError, TypeError, AttributeError) as error:
            raise ValueError(f"{name}={value!r}: {error}") from None
        return new

    def _warn(self, arguments: dict[str, Any], X: np.ndarray) -> None:
        """One warning for all that is done without."""
        notes = [
            f"{name}={getattr(self, name)!r} is not used ({advice})"
            for name, (harmless, advice) in self._WITHOUT.items()
            if getattr(self, name) != default(self, name) and getattr(self, name) not in harmless
        ]
        notes += self._notes(X)
        if not any(arguments.get(limit) for limit in ("max_time", "generations", "max_evals")):
            notes.append(f"without a limit the search does {settings.DEFAULT_EVALUATIONS:,} evaluations")
        if notes:
            warnings.warn(f"{type(self).__name__}: {'; '.join(notes)}", stacklevel=4)

    def _notes(self, X: np.ndarray) -> list[str]:
        return []

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OldEstimator:
        """Searches for formulas of the columns of X that give y."""
        table, target, _ = tables.rows(self, X, y, None, ensure_min_samples=2)
        self.intron_ = self.to_intron(table).fit(X, target, sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The values of the chosen formula for the rows of X."""
        check_is_fitted(self)
        return self.intron_.predict(X, self._index())

    @property
    def equations_(self) -> Any:
        """The best formula of each size, as a table."""
        check_is_fitted(self)
        return self.intron_.equations_

    def _index(self) -> int | None:
        """The place of the chosen formula on the front; None is the most accurate."""
        return None


def default(estimator: Any, name: str) -> Any:
    """The default of an argument."""
    return inspect.signature(type(estimator)).parameters[name].default


def batch_note(name: str, value: Any, X: np.ndarray) -> list[str]:
    """A batch of at least all rows is what Intron does."""
    if not value or value == "auto" or int(value) >= len(X):
        return []
    return [f"{name}={value!r} is not used (formulas are scored on all rows; give fit fewer)"]
