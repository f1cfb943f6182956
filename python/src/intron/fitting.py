"""From a table to a front: what an estimator does in `fit`."""

from __future__ import annotations

import inspect
import time
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native, front, settings, tables
from .progress import Progress, evaluations

if TYPE_CHECKING:
    from typing_extensions import Self

#: Two interrupts within this many seconds end the script, not only the search.
_SECONDS_BETWEEN_INTERRUPTS = 1.0
_last_interrupt = -np.inf

#: Fewer rows to learn from than this, and even a small formula is likely to fit them by coincidence.
_FEW_ROWS = 10


class Fitting:
    """What an estimator needs to search, and to keep what was found."""

    pareto_front_: list[dict[str, Any]]
    start_: list[dict[str, Any]]
    similarity_: list[dict[str, Any]]
    if TYPE_CHECKING:  # what the estimator itself brings along
        n_features_in_: int
        feature_names_in_: Any
        model_selection: str
        precision: int | None
        callbacks: Callable | Sequence[Callable] | None
        similarity: bool
        random_state: Any
        n_jobs: int | None
        max_time: float | None
        verbose: int
        warm_start: bool
        _split: Callable[..., Any]
        _learn_ranges: Callable[..., None]
        _calibrate: Callable[..., None]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Searches for formulas of the columns of X that give y.

        Ctrl-C ends the search and keeps what it has found; a second one within a second ends the script.
        """
        front.check_selection(self.model_selection)
        settings.n_digits(self.precision)
        chosen_settings = self._settings()
        settings.pairs(chosen_settings)
        callbacks = self._callbacks()
        rows = tables.rows(self, X, y, sample_weight, ensure_min_samples=2)
        self._warn_of_idle(chosen_settings)
        progress = self._progress(chosen_settings)
        observer = _observer(progress, callbacks)
        data, held_out = self._split((*rows, self._names()), chosen_settings["random_state"])
        if len(data[1]) < _FEW_ROWS:
            few = f"only {len(data[1])} rows to learn from: a formula can fit so few by coincidence; give {_FEW_ROWS} or more"
            warnings.warn(few, stacklevel=2)
        result = self._search(data, chosen_settings, observer)
        if progress is not None:
            best = result["front"][-1] if result["front"] else {"r2": None, "size": None}
            progress.finish({**result, "r2": best["r2"], "size": best["size"]})
        self._keep(result, chosen_settings["random_state"], data, held_out, tables.fingerprint(*rows))
        return self

    def _search(self, data: tuple[Any, Any, Any, list[str]], chosen: dict[str, Any], observer: Callable | None) -> dict[str, Any]:
        kept = getattr(self, "_checkpoint", None) if self.warm_start else None
        if kept is not None:
            further = {**chosen, "random_state": self.seed_}
            for limit, spent in (("max_evals", "n_evaluations_"), ("generations", "n_generations_"), ("max_time", "seconds_")):
                if chosen[limit] is not None:
                    further[limit] = chosen[limit] + getattr(self, spent)
            try:
                result = _native.search(*data, settings.pairs(further), observer, bool(self.similarity), kept)
                chosen["random_state"] = self.seed_
                return {**result, "earlier": self.run_details_}
            except ValueError as error:
                warnings.warn(f"warm_start=True: this fit starts anew: {error}", stacklevel=3)
        start = "" if self.warm_start else None
        return _native.search(*data, settings.pairs(chosen), observer, bool(self.similarity), start)

    def _settings(self) -> dict[str, Any]:
        chosen = {name: getattr(self, name) for name in settings.KEYS}
        if not any(chosen[limit] is not None for limit in ("max_evals", "generations", "max_time")):
            chosen["max_evals"] = settings.DEFAULT_EVALUATIONS
        chosen["n_jobs"] = settings.n_threads(self.n_jobs)
        chosen["random_state"] = settings.seed(self.random_state)
        chosen["max_time"] = settings.seconds(self.max_time)
        return chosen

    def _warn_of_idle(self, chosen: dict[str, Any]) -> None:
        parameters = inspect.signature(type(self)).parameters
        own = {name: value for name, value in chosen.items() if name in parameters and name not in ("random_state", "n_jobs")}
        for note in settings.idle(own, {name: parameters[name].default for name in own}):
            warnings.warn(note, stacklevel=3)

    def _progress(self, chosen_settings: dict[str, Any]) -> Progress | None:
        if not self.verbose:
            return None
        return Progress(chosen_settings["max_evals"], chosen_settings["max_time"])

    def _callbacks(self) -> list[Callable]:
        if self.callbacks is None:
            return []
        callbacks = [self.callbacks] if callable(self.callbacks) else self.callbacks
        if not isinstance(callbacks, Sequence) or not all(callable(callback) for callback in callbacks):
            raise TypeError(f"callbacks={self.callbacks!r}: give a function, or a list of functions")
        return list(callbacks)

    def _names(self) -> list[str]:
        if hasattr(self, "feature_names_in_"):
            return [str(name) for name in self.feature_names_in_]
        return [f"x{index}" for index in range(self.n_features_in_)]

    def _keep(self, result: dict[str, Any], seed: int, data: tuple, held_out: tuple | None, fingerprint: int) -> None:
        exception = result["exception"]
        if not result["front"]:
            if result["n_evaluations"] == 0 and exception is None and result["stop_reason"] != "time":
                raise RuntimeError("every initial formula was larger than max_size or max_positions allows; raise it, or init_grow")
            raise exception or RuntimeError(
                f"no formula had a finite value on every row in {evaluations(result['n_evaluations'])}; search longer, "
                "or with other operators"
            )
        self.pareto_front_ = front.entries(result["front"])
        self.start_ = front.given(result["start"])
        self._rows_of_fit = fingerprint
        self._learn_ranges(data)
        self._calibrate(held_out)
        self.n_evaluations_ = result["n_evaluations"]
        self.n_generations_ = result["n_generations"]
        self.seconds_ = result["seconds"]
        self.seed_ = seed
        self.stop_reason_ = result["stop_reason"]
        self.n_polish_evaluations_ = result["n_polish_evaluations"]
        self._checkpoint = result["checkpoint"]
        names = ("n_evaluations", "n_generations", "seconds", "r2", "size", "population_size")
        columns = zip(*result["trace"]) if result["trace"] else [()] * len(names)
        earlier = result.get("earlier", {})
        self.run_details_ = {name: earlier.get(name, []) + list(column) for name, column in zip(names, columns)}
        if hasattr(self, "similarity_"):
            del self.similarity_
        if self.similarity:
            self.similarity_ = [
                {"population": population, "generation": generation, "matrix": np.array(matrix)}
                for population, generation, matrix in result["similarities"]
            ]
        if exception is not None:
            _end_with(exception)


def _observer(progress: Progress | None, callbacks: list[Callable]) -> Callable | None:
    if progress is None and not callbacks:
        return None

    def observe(event: str, details: dict[str, Any]) -> bool:
        if progress is not None:
            progress(event, details)
        if event != "generation":
            return False
        # Every callback is asked, even if an earlier one has already ended the search.
        return any([bool(callback(dict(details))) for callback in callbacks])

    return observe


def _end_with(exception: BaseException) -> None:
    """Raises what ended the search early, but for Ctrl-C, which only ends the search unless it comes twice."""
    global _last_interrupt
    if not isinstance(exception, KeyboardInterrupt):
        raise exception
    now = time.monotonic()
    is_second = now - _last_interrupt < _SECONDS_BETWEEN_INTERRUPTS
    _last_interrupt = now
    if is_second:
        raise exception
    warnings.warn("interrupted: the formulas found until now are kept", stacklevel=4)
