"""`IntronRegressor`: a search behind scikit-learn's interface."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _native, front, page, plots, settings, tables
from .files import Saved
from .progress import Progress
from .trust import Trusted

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator: Any, *arguments: Any, **options: Any) -> Any:
        return estimator._validate_data(*arguments, **options)


#: Formats in which a formula is an expression; in the others it is a whole function.
_EXPRESSIONS = ("text", "latex", "sympy", "python")

#: Two interrupts within this many seconds end the script, not only the search.
_SECONDS_BETWEEN_INTERRUPTS = 1.0
_last_interrupt = -np.inf


class IntronRegressor(Saved, Trusted, RegressorMixin, BaseEstimator):
    """Symbolic regression: finds small formulas that fit, by GP-GOMEA.

    The arguments are the settings of the library (``intron settings`` on the command line lists them), with
    scikit-learn's words where it has some.

    Parameters
    ----------
    height : int
        Levels of the template that every formula fills: 5 is at most 31 nodes, 7 is at most 127.
    operators : str or sequence of str
        ``"small"``, ``"large"``, or names such as ``["+", "*", "log"]``.
    linkage : str
        How positions that belong together are found: ``"node"``, ``"mi_masked"``, ``"cs"``, …
    linear_scaling : bool
        Whether a formula is scored after the best slope and intercept.
    max_evals, generations, max_time : number or None
        The search ends at the first limit it meets: evaluations, generations, seconds. Without any limit it does
        1,000,000 evaluations. Only a search without a time limit gives the same result each time.
    target_r2 : float or None
        The search ends when the training R² reaches this.
    population_size : int or None
        Solutions of the only population; None lets the interleaved multistart find out.
    model_selection : {"accuracy", "best", "score", "bic", "mdl", "validation"}
        Which formula of the front predicts: the most accurate; the one where the loss falls fastest with size among
        those with at most 1.5 times the smallest loss; the same among all; the one with the smallest Bayesian
        information criterion or description length; or the most accurate on a fifth of the rows, which the search then
        does not see.
    safety_margin : float or None
        Whether the formulas of the front are proved finite over the ranges of the features and this share more, such as
        0.05; one that is not is passed over for one that is and nearly as good. None leaves them unexamined.
    calibration_fraction : float
        The share of the rows that ``fit`` leaves out, so that ``predict`` can give intervals; 0 is none.
    max_size : int or None
        Formulas have at most this many nodes, scaling not counted.
    complexity : {"size", "cost", "depth", "constants", "recursive"}
        What the front weighs against accuracy: nodes; nodes by their ``costs``; levels; constants; or the recursive
        measure of Kommenda et al., in which a function of a large argument counts more.
    costs : dict or None
        With ``complexity="cost"``: what operators, ``"feature"`` and ``"constant"`` cost, such as ``{"sin": 3}``; others cost 1.
    per_size : int
        How many different formulas of each complexity ``equations_`` shows; the choice is among the best ones.
    constants_tuning, constants_mutation : float
        How often constants are tuned by least squares, or mutated, after a solution was mixed; 0 is never.
    constants_weighing : float
        How often a feature times a constant is added to a part of a solution, or takes its place, after it was mixed:
        the feature that helps most, with constants by least squares. Needs ``+`` and ``*``.
    polish, simplify : bool
        Whether the formulas of the front are tuned by least squares after the search, and brought to their smallest equal
        form, with simple constants and only the digits that matter.
    start : str, sequence of str or None
        Formulas to start from, such as ``["x0 * x1", "sin(x0)"]``: they stand in the first populations if they fit the
        template, and ``start_`` scores them like those of the front.
    precision : int or None
        Significant digits of the constants that are shown; None shows all. Predictions always use all.
    similarity : bool
        Whether ``similarity_`` keeps the similarities that linkage was learned from.
    callbacks : callable, sequence of callables or None
        Each is called after every generation with a dictionary (``n_evaluations``, ``n_generations``, ``seconds``,
        ``r2``, ``size``); a true answer ends the search.
    random_state : int, RandomState or None
        The seed; an int gives the same formulas as the same ``--seed`` on the command line.
    n_jobs : int or None
        Threads; None is 1, -1 all. The result is the same for any number.
    verbose : int
        1 shows a progress line on standard error.
    warm_start : bool
        Whether a second ``fit`` on the same data goes on with the search; the result is that of one longer search.

    Attributes
    ----------
    model_ : Formula
        The chosen formula.
    equations_ : pandas.DataFrame
        The front: ``complexity``, ``loss``, ``score``, ``safe``, ``equation``, ``sympy_format``, ``lambda_format``.
    pareto_front_ : list of dict
        The same without pandas: ``formula``, ``complexity``, ``loss``, ``score``, ``r2``, ``equation``.
    start_ : list of dict
        The formulas of ``start``, as in ``pareto_front_``.
    n_evaluations_, n_generations_, stop_reason_, seconds_, seed_
        How the search went.
    run_details_ : dict of lists
        One entry for each time the most accurate formula became better.
    similarity_ : list of dict
        ``population``, ``generation``, ``matrix``; only with ``similarity=True``.
    n_features_in_, feature_names_in_
        As in every estimator.

    Examples
    --------
    >>> import numpy as np
    >>> from intron import IntronRegressor
    >>> X = np.random.default_rng(0).uniform(1, 5, size=(50, 2))
    >>> model = IntronRegressor(max_evals=20_000).fit(X, X[:, 0] * X[:, 1])
    >>> model.sympy()
    x0*x1
    """

    similarity_: list[dict[str, Any]]

    def __init__(
        self,
        *,
        height: int = 7,
        template_arity: int = 2,
        max_size: int | None = 45,
        complexity: str = "size",
        costs: dict[str, int] | None = None,
        per_size: int = 1,
        operators: str | Sequence[str] = "large",
        constants_range: str | tuple[float, float] = (-5, 5),
        constants_tuning: float = 0.5,
        constants_tuning_steps: int = 5,
        constants_mutation: float = 0.0,
        constants_mutation_scale: float = 0.1,
        constants_weighing: float = 0.5,
        linear_scaling: bool | str = True,
        start: str | Sequence[str] | None = None,
        init_grow: str | float = "domain",
        init_duplicates: str = "allowed",
        linkage: str = "cs",
        linkage_bins: int = 25,
        linkage_binning: str = "upper-edge",
        population_size: int | None = None,
        ims_start: int = 64,
        ims_factor: int = 10,
        ims_max_populations: int = 25,
        ims_retire_on_equal: bool | str = True,
        convergence: str = "no-improvement",
        forced_improvement: bool | str = False,
        polish: bool | str = True,
        simplify: bool | str = True,
        max_evals: int | None = None,
        generations: int | None = None,
        max_time: float | None = None,
        target_r2: float | None = None,
        when_solved: str = "stop",
        memory_limit: str | int = "1GB",
        evaluator: str = "incremental",
        early_rejection: bool | str = True,
        instructions: str = "detected",
        model_selection: str = "mdl",
        safety_margin: float | None = 0.05,
        calibration_fraction: float = 0.0,
        precision: int | None = None,
        similarity: bool = False,
        callbacks: Callable | Sequence[Callable] | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ):
        self.height = height
        self.template_arity = template_arity
        self.max_size = max_size
        self.complexity = complexity
        self.costs = costs
        self.per_size = per_size
        self.operators = operators
        self.constants_range = constants_range
        self.constants_tuning = constants_tuning
        self.constants_tuning_steps = constants_tuning_steps
        self.constants_mutation = constants_mutation
        self.constants_mutation_scale = constants_mutation_scale
        self.constants_weighing = constants_weighing
        self.linear_scaling = linear_scaling
        self.start = start
        self.init_grow = init_grow
        self.init_duplicates = init_duplicates
        self.linkage = linkage
        self.linkage_bins = linkage_bins
        self.linkage_binning = linkage_binning
        self.population_size = population_size
        self.ims_start = ims_start
        self.ims_factor = ims_factor
        self.ims_max_populations = ims_max_populations
        self.ims_retire_on_equal = ims_retire_on_equal
        self.convergence = convergence
        self.forced_improvement = forced_improvement
        self.polish = polish
        self.simplify = simplify
        self.max_evals = max_evals
        self.generations = generations
        self.max_time = max_time
        self.target_r2 = target_r2
        self.when_solved = when_solved
        self.memory_limit = memory_limit
        self.evaluator = evaluator
        self.early_rejection = early_rejection
        self.instructions = instructions
        self.model_selection = model_selection
        self.safety_margin = safety_margin
        self.calibration_fraction = calibration_fraction
        self.precision = precision
        self.similarity = similarity
        self.callbacks = callbacks
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.warm_start = warm_start

    @classmethod
    def paper(cls, **arguments: Any) -> IntronRegressor:
        """An estimator with the settings of the paper, but for these arguments: constants never change, and the most
        accurate formula is chosen.

        >>> from intron import IntronRegressor
        >>> IntronRegressor.paper(max_evals=20_000).linkage
        'node'
        """
        return cls(**{**settings.PAPER, **arguments})

    # ---- fitting -------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> IntronRegressor:
        """Searches for formulas of the columns of X that give y.

        Ctrl-C ends the search and keeps what it has found; a second one within a second ends the script.
        """
        front.check_selection(self.model_selection)
        settings.check_precision(self.precision)
        chosen_settings = self._settings()
        settings.pairs(chosen_settings)
        callbacks = self._callbacks()
        X, y = self._validated(X, y, y_numeric=True, ensure_min_samples=2)
        y = np.asarray(y, dtype=np.float64)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        progress = self._progress(chosen_settings)
        observer = _observer(progress, callbacks)
        data, held_out = self._split((X, y, sample_weight, self._names()), chosen_settings["random_state"])
        result = self._search(data, chosen_settings, observer)
        if progress is not None:
            best = result["front"][-1] if result["front"] else {"r2": None, "size": None}
            progress.finish({**result, "r2": best["r2"], "size": best["size"]})
        self._keep(result, chosen_settings["random_state"], data, held_out)
        return self

    def _validated(self, X: Any, *others: Any, **options: Any) -> Any:
        try:
            return validate_data(self, X, *others, dtype=np.float64, **options)
        except Exception as error:
            fault = tables.fault(X)
            if fault is None:
                raise
            raise ValueError(fault) from error

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

    def _keep(self, result: dict[str, Any], seed: int, data: tuple, held_out: tuple | None) -> None:
        exception = result["exception"]
        if not result["front"]:
            raise exception or RuntimeError(
                f"no formula had a finite value on every row in {result['n_evaluations']} evaluations; search longer, "
                "or with other operators"
            )
        self.pareto_front_ = front.entries(result["front"])
        self.start_ = front.given(result["start"])
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

    # ---- using ---------------------------------------------------------------------------------------------------

    def predict(self, X: Any, index: int | None = None, interval: float | None = None) -> Any:
        """The values of the chosen formula, or of the formula at a place of the front, for the rows of X.

        With ``interval=0.9`` three arrays: values, and the lower and upper ends of intervals that hold nine of ten true
        values. They need rows that ``fit`` has not seen: see ``calibration_fraction`` and ``calibrate``.
        """
        entry = self._entry(index)
        half_width = None if interval is None else self._half_width(entry, interval)
        X = self._validated(X, reset=False)
        values = entry["formula"].predict(X)
        return values if half_width is None else (values, values - half_width, values + half_width)

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
        formula = self._entry(index)["formula"]
        return (formula if precision is None else formula.rounded(precision)).format("latex")

    def latex_table(self, indices: Sequence[int] | None = None, precision: int | None = 3) -> str:
        """The front, or some places of it, as a LaTeX table; needs the package ``booktabs``."""
        check_is_fitted(self)
        places = range(len(self.pareto_front_)) if indices is None else [self._place(i) for i in indices]
        return front.as_latex([self.pareto_front_[place] for place in places], precision)

    def export(self, format: str = "text", index: int | None = None) -> str:
        """The formula as an expression (``text``, ``latex``, ``sympy``, ``python``), or as a whole function with points
        to try it with: ``c``, ``rust``, ``javascript``, ``julia``, ``r``, ``matlab``, ``sql``, ``excel``, ``json``."""
        formula = self._entry(index)["formula"]
        return formula.format(format) if format in _EXPRESSIONS else formula.export(format)

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
        rows = self._rows(X, y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, rows[0], dtype=np.float64)
        test = None if X_test is None else self._rows(X_test, y_test)
        page.write(self, path, rows, weights, test)

    def _rows(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, reset=False)
        return np.asarray(X), np.asarray(y, dtype=np.float64)

    def _place(self, index: int | None) -> int:
        check_is_fitted(self)
        if index is None:
            kept = getattr(self, "_chosen_by_file", None)
            if kept is not None and self.model_selection == "mdl" and math.isnan(self.pareto_front_[kept]["mdl"]):
                return kept  # A file of the command line has its choice, not the numbers behind it.
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

    # ---- showing -------------------------------------------------------------------------------------------------

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
            return super()._repr_mimebundle_(**options)
        return {"text/plain": str(self), "text/html": self._repr_html_()}


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
