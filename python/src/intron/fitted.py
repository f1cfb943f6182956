"""From a front to numbers, text and pictures: what a fitted estimator is used for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _native, front, page, plots, settings, tables

#: Formats in which a formula is an expression; in the others it is a whole function.
_EXPRESSIONS = ("text", "latex", "sympy", "python")


class Fitted:
    """What an estimator does with the formulas that it has found."""

    pareto_front_: list[dict[str, Any]]
    if TYPE_CHECKING:  # what the estimator itself brings along
        model_selection: str
        precision: int | None
        _half_width: Callable[..., float]
        _warn: Callable[..., None]

    def predict(self, X: Any, index: int | None = None, interval: float | None = None) -> Any:
        """The values of the chosen formula, or of the formula at a place of the front, for the rows of X.

        With ``interval=0.9`` three arrays: values, and the lower and upper ends of intervals that hold nine of ten true
        values. They need rows that ``fit`` has not seen: see ``calibration_fraction`` and ``calibrate``.
        """
        entry = self._entry(index)
        half_width = None if interval is None else self._half_width(entry, interval)
        X = tables.checked(self, X, reset=False)
        values = entry["formula"].predict(X)
        self._warn(entry, X, values, half_width)
        return values if half_width is None else _with_ends(values, half_width)

    def get_best(self, index: int | None = None) -> Any:
        """The chosen row of ``equations_``, or the row at a place."""
        place = self._place(index)
        return self.equations_.iloc[place]

    def get_hof(self) -> Any:
        """``equations_``, under the name that users of PySR know."""
        return self.equations_

    def get_model(self, index: int | None = None) -> str:
        """The chosen formula, or the formula at a place of the front, as text."""
        return front.shown(self._entry(index), self.precision)

    @property
    def model_(self) -> _native.Formula:
        """The chosen formula."""
        return self._entry(None)["formula"]

    @property
    def model(self) -> _native.Formula:
        """``model_``, under the name that users of gpg know."""
        return self.model_

    @property
    def equations_(self) -> Any:
        """The front as a table."""
        check_is_fitted(self)
        import pandas

        from .symbolic import to_sympy

        rows = [
            {
                "complexity": entry["complexity"],
                "loss": entry["loss"],
                "score": entry["score"],
                "safe": front.is_safe(entry),
                "equation": front.shown(entry, self.precision),
                "sympy_format": to_sympy(entry["formula"]),
                "lambda_format": entry["formula"],
            }
            for entry in self.pareto_front_
        ]
        table = pandas.DataFrame(rows)
        if any(entry["rank"] > 1 for entry in self.pareto_front_):
            table.insert(1, "rank", [entry["rank"] for entry in self.pareto_front_])
        return table

    def sympy(self, index: int | None = None) -> Any:
        """The chosen formula, or the formula at a place of the front, as a SymPy expression."""
        from .symbolic import to_sympy

        return to_sympy(self._entry(index)["formula"])

    def latex(self, index: int | None = None, precision: int | None = 3) -> str:
        """The formula for LaTeX's mathematics mode, its constants with so many significant digits (None: all)."""
        return front.latex(self._entry(index)["formula"], precision)

    def latex_table(self, indices: Sequence[int] | int | None = None, precision: int | None = 3) -> str:
        """The front, or some places of it, as a LaTeX table; needs the package ``booktabs``."""
        check_is_fitted(self)
        wanted = range(len(self.pareto_front_)) if indices is None else np.atleast_1d(indices)
        places = [self._place(i) for i in wanted]
        return front.as_latex([self.pareto_front_[place] for place in places], precision)

    def export(self, format: str = "text", index: int | None = None) -> str:
        """The formula as an expression (``text``, ``latex``, ``sympy``, ``python``), or as a whole function with points
        to try it with: ``c``, ``rust``, ``javascript``, ``julia``, ``r``, ``matlab``, ``sql``, ``excel``, ``json``."""
        formula = self._entry(index)["formula"]
        return formula.format(format) if format in _EXPRESSIONS else formula.export(format)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of the chosen formula on these rows. Targets of any size: their squares may be too small or too large for numbers."""
        from sklearn.metrics import r2_score

        y = np.asarray(y)
        predicted = self.predict(X)
        if y.dtype.kind in "fiu" and y.size and np.all(np.isfinite(y)) and np.any(y):
            # A power of two, so that no digit is lost.
            exponent = -int(np.frexp(np.max(np.abs(y.astype(float))))[1])
            # Squares of ordinary numbers are numbers; a prediction far from tiny targets may be none in their unit.
            scaled = np.ldexp(predicted, exponent) if abs(exponent) > 400 else None
            if scaled is not None and np.all(np.isfinite(scaled)):
                y, predicted = np.ldexp(y.astype(float), exponent), scaled
        return float(r2_score(y, predicted, sample_weight=sample_weight))

    def plot_front(self, ax: Any = None) -> Any:
        """Draws R² against size; returns Matplotlib's axes."""
        check_is_fitted(self)
        return plots.plot_front(self.pareto_front_, self._place(None), ax)

    def plot_fit(self, X: Any, y: Any, index: int | None = None, ax: Any = None) -> Any:
        """Draws predicted against true values; returns Matplotlib's axes."""
        return plots.plot_fit(y, self.predict(X, index), ax)

    def report(self, path: Any, X: Any, y: Any, X_test: Any = None, y_test: Any = None, sample_weight: Any = None) -> None:
        """Writes a page about the fit: one HTML file that needs no network. X, y and sample_weight are the rows of the fit, which the
        estimator does not keep; X_test and y_test are rows that were held out, if there are some."""
        check_is_fitted(self)
        if (X_test is None) != (y_test is None):
            raise ValueError("X_test and y_test belong together: give both, or none")
        X, y, weights = tables.rows(self, X, y, sample_weight, reset=False)
        test = None if X_test is None else tables.rows(self, X_test, y_test, None, reset=False)[:2]
        page.write(self, path, (X, y), weights, test)

    def _place(self, index: int | None) -> int:
        check_is_fitted(self)
        if index is None:
            return front.choose(self.pareto_front_, self.model_selection)
        n = len(self.pareto_front_)
        index = settings.whole("index", index)
        if not -n <= index < n:
            raise IndexError(f"index={index}: the front has {n} formulas, from 0 to {n - 1}")
        return index % n

    def _entry(self, index: int | None) -> dict[str, Any]:
        return self.pareto_front_[self._place(index)] if hasattr(self, "pareto_front_") else self._unfitted()

    def _unfitted(self) -> Any:
        check_is_fitted(self)

    def __str__(self) -> str:
        if not hasattr(self, "pareto_front_"):
            return repr(self)
        return front.as_text(self.pareto_front_, self._place(None), self.precision, self._start())

    def _start(self) -> list[dict[str, Any]]:
        return getattr(self, "start_", [])

    def _repr_html_(self) -> str | None:
        if not hasattr(self, "pareto_front_"):
            return None
        return front.as_html(self.pareto_front_, self._place(None), self.precision, self._start())

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        if not hasattr(self, "pareto_front_"):
            return super()._repr_mimebundle_(**options)  # type: ignore[misc]  # scikit-learn's
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def _with_ends(values: Any, half_width: float) -> tuple[Any, Any, Any]:
    """Values and the ends of their intervals; a value that is not finite has the interval of all numbers."""
    is_finite = np.isfinite(values)
    lower, upper = (np.where(is_finite, values + side, side * np.inf) for side in (-half_width, half_width))
    return values, lower, upper
