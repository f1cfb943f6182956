"""How far formulas can be trusted: prediction intervals, and searches on shuffled targets."""

from __future__ import annotations

import bisect
import math
import numbers
import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _native, settings, tables
from .fitting import _end_with


class PredictionWarning(UserWarning):
    """What is odd about predictions: rows where nothing was learned, values that are not finite, intervals without ends."""


class Trusted:
    """What an estimator needs to say how far its formulas can be trusted."""

    # What the estimator has.
    calibration_fraction: float
    safety_margin: float | None
    pareto_front_: list[dict[str, Any]]
    start_: list[dict[str, Any]]
    feature_ranges_: list[list[float]]
    seed_: int
    n_evaluations_: int
    _names: Any
    _settings: Any
    _place: Any

    def calibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns the width of prediction intervals from rows that ``fit`` has not seen; returns the estimator."""
        check_is_fitted(self)
        self._calibrate(tables.rows(self, X, y, sample_weight, reset=False))
        return self

    def null_test(self, X: Any, y: Any, n: int = 20, sample_weight: Any = None) -> dict[str, Any]:
        """Repeats the search n times on shuffled targets, with the budget of ``fit``, on the rows that it learned from.

        ``p`` is the chance that a formula as good and as small as the chosen one comes from noise (by description length);
        ``p_values`` has it for the whole front, ``best_r2`` the best R² of each search with a formula as small as the chosen one.
        """
        check_is_fitted(self)
        if not hasattr(self, "n_evaluations_") or not hasattr(self, "seed_"):
            raise ValueError(
                "null_test repeats the search, and this model comes from a file that does not tell how it was searched for: call fit, "
                "or use `intron fit --null`"
            )
        if settings.whole("n", n) < 1:
            raise ValueError(f"n={n!r}: give a whole number of at least 1")
        rows = tables.rows(self, X, y, sample_weight, reset=False)
        refuse_other_rows(self, rows, "give the rows of the fit")
        data, _ = self._split((*rows, self._names()), self.seed_)
        limits = {"max_time": None, "generations": None, "max_evals": self._null_budget()}
        chosen = {**self._settings(), **limits, "safety_margin": None}
        fronts: list[list[dict[str, Any]]] = []
        for repetition in range(n):
            table, seed = _native.shuffled_targets(*data, self.seed_, repetition)
            found = _native.search(*table, self._names(), settings.pairs({**chosen, "random_state": seed}))
            if found["exception"] is not None:
                if not fronts:
                    raise found["exception"]
                _end_with(found["exception"])
                break
            fronts.append(found["front"])
        return _summary(self.pareto_front_, self._place(None), fronts)

    def _null_budget(self) -> int:
        """As many evaluations as ``fit`` did; its whole limit where it ended early, since it had found what it wanted."""
        limit = self._settings()["max_evals"]
        ended_early = getattr(self, "stop_reason_", None) in ("solved", "target_r2", "converged")
        return max(1, self.n_evaluations_, int(limit) if ended_early and limit is not None else 0)

    def _split(self, data: tuple[Any, Any, Any, Any], seed: int) -> tuple[tuple[Any, Any, Any, Any], tuple | None]:
        """The rows to learn from, and those held out for intervals if there are to be some."""
        fraction = self.calibration_fraction
        if not isinstance(fraction, numbers.Real) or isinstance(fraction, bool) or not 0 <= float(fraction) < 1:
            wanted = "give the share of the rows that fit leaves out for intervals, from 0 to below 1"
            raise ValueError(f"calibration_fraction={fraction!r}: {wanted}")
        if fraction == 0:
            return data, None
        X, y, weights, names = data
        if weights is not None:
            # A row of weight 0 is no row.
            X, y, weights = (part[weights > 0] for part in (X, y, weights))
        try:
            train, test = _native.hold_out(X, y, weights, names, float(fraction), seed)
        except ValueError as error:
            raise ValueError(f"calibration_fraction={fraction!r}: {error}") from None

        # Equal rows that are held out together are one draw, which counts as often as there are.
        alone, counts = _native.independent_rows(X, y, weights, names, test)
        held_out = X[alone], y[alone], None if counts is None else np.array(counts)
        return (X[train], y[train], None if weights is None else weights[train], names), held_out

    def _learn_ranges(self, data: tuple) -> None:
        X, _, weights, _ = data
        rows = X if weights is None else X[weights > 0]
        self.feature_ranges_ = [[float(low), float(high)] for low, high in zip(rows.min(axis=0), rows.max(axis=0))]

    def _calibrate(self, held_out: tuple | None) -> None:
        self.n_calibration_rows_ = 0 if held_out is None else len(held_out[1])
        for entry in [*self.pareto_front_, *self.start_]:
            entry["half_widths"] = None
            if held_out is not None:
                X, y, weights = held_out
                entry["half_widths"] = _native.half_widths(y, entry["formula"].predict(X), weights)

    def _half_width(self, entry: dict[str, Any], level: Any) -> float:
        """Half the width of the interval at a level; that of the next larger one where the level is not kept."""
        if not isinstance(level, numbers.Real) or isinstance(level, bool) or not 0 < float(level) < 1:
            raise ValueError(f"interval={level!r}: give the share of true values that the intervals are to hold, such as 0.9")
        if entry["half_widths"] is None:
            raise ValueError(
                f"interval={level!r}: intervals need rows that fit has not seen; set calibration_fraction=0.25 before fit, or "
                "call calibrate(X, y) with such rows"
            )
        levels = _native.interval_levels()
        place = bisect.bisect_left(levels, level)
        if place == len(levels):
            raise ValueError(f"interval={level!r}: intervals are kept up to {levels[-1]}")
        return entry["half_widths"][place]

    def _warn(self, entry: dict[str, Any], X: Any, values: Any, half_width: float | None) -> None:
        """Says what is odd about predictions, as the command line does."""
        if hasattr(self, "feature_ranges_"):
            outside = entry["formula"].outside(X, self.feature_ranges_, self.safety_margin)
            if outside is not None:
                warnings.warn(outside, PredictionWarning, stacklevel=3)
        n_bad = len(values) - np.count_nonzero(np.isfinite(values))
        if n_bad:
            what = f"{n_bad} of {len(values)} predictions are not finite; the formula is not defined there"
            warnings.warn(what, PredictionWarning, stacklevel=3)
        if half_width is not None and math.isinf(half_width):
            why = f"{self.n_calibration_rows_} rows were held out, too few for this level, or the formula is not finite on some of them"
            warnings.warn(f"the intervals have no end: {why}", PredictionWarning, stacklevel=3)

    def _evidence(self) -> dict[str, Any]:
        """What a model file says about the rows behind the formulas."""
        evidence: dict[str, Any] = {}
        if hasattr(self, "feature_ranges_"):
            evidence["ranges"] = self.feature_ranges_
        if self.safety_margin is not None:
            evidence["safety_margin"] = float(self.safety_margin)
        if self.n_calibration_rows_:
            evidence["calibration"] = {"n_rows": self.n_calibration_rows_, "levels": _native.interval_levels()}
        return evidence

    def _take_evidence(self, content: dict[str, Any]) -> None:
        self.n_calibration_rows_ = int((content.get("calibration") or {}).get("n_rows", 0))
        if content.get("ranges") is not None:
            self.feature_ranges_ = content["ranges"]


def refuse_other_rows(estimator: Any, rows: tuple, remedy: str) -> None:
    """What is said of a fit holds on the rows that it was given: X, y and weights."""
    if tables.fingerprint(*rows) == getattr(estimator, "_rows_of_fit", None):
        return
    if hasattr(estimator, "_rows_of_fit"):
        raise ValueError(f"X and y are not the rows of the fit; {remedy}")
    # A model from a file knows its scores only, and these tell nothing where they are those on a part of the rows.
    if estimator.calibration_fraction or estimator.model_selection == "validation":
        return
    X, y, weights = rows
    entry = estimator._entry(None)
    with np.errstate(all="ignore"):
        errors = (entry["formula"].predict(X) - y) ** 2
        spread = (y - np.average(y, weights=weights)) ** 2
        r2 = 1 - np.average(errors, weights=weights) / np.average(spread, weights=weights)
    if np.isfinite(r2) and abs(r2 - entry["r2"]) > 1e-6 * max(1.0, abs(r2)):
        raise ValueError(f"X and y are not the rows of the fit: on them R² is {r2:.4f}, and it was {entry['r2']:.4f}; {remedy}")


def _summary(front: list[dict[str, Any]], chosen: int, nulls: list[list[dict[str, Any]]]) -> dict[str, Any]:
    least_mdl = [min((entry["mdl"] for entry in null), default=math.inf) for null in nulls]
    p_values = [_native.p_value(least_mdl, entry["mdl"]) for entry in front]
    size = front[chosen]["complexity"]
    best = [max((entry["r2"] for entry in null if entry["complexity"] <= size), default=math.nan) for null in nulls]
    return {"p": p_values[chosen], "p_values": p_values, "best_r2": best, "n": len(nulls)}
