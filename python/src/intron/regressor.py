"""`IntronRegressor`: a search behind scikit-learn's interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sklearn.base import BaseEstimator, RegressorMixin

from . import settings
from .files import Saved
from .fitted import Fitted
from .fitting import Fitting
from .trust import Trusted


class IntronRegressor(Fitting, Fitted, Saved, Trusted, RegressorMixin, BaseEstimator):
    """Symbolic regression: finds small formulas that fit, by GP-GOMEA.

    The arguments are the settings of the library (``intron settings`` on the command line lists them), with
    scikit-learn's words where it has some.

    Parameters
    ----------
    height : int
        Levels of the template that every formula fills: 5 has 31 positions, 7 has 127.
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
    max_positions : int or None
        Formulas use at most this many positions of the template: a feature with a factor of its own takes one, though it has
        three nodes. ``max_size``, if given, takes its place.
    complexity : {"size", "cost", "depth", "constants", "recursive"}
        What the front weighs against accuracy: nodes; nodes by their ``costs``; levels; constants; or the recursive
        measure of Kommenda et al., in which a function of a large argument counts more.
    costs : dict or None
        With ``complexity="cost"``: what operators, ``"feature"`` and ``"constant"`` cost, such as ``{"sin": 3}``; others cost 1.
    per_size : int
        How many different formulas of each complexity ``equations_`` shows; the choice is among the best ones.
    constants_factors : float
        How often a feature of an initial solution comes with a factor of its own, which is tuned with the other constants.
        Needs ``*``.
    constants_tuning : float
        How often the constants of a solution are tuned by least squares after it was mixed; 0 is never.
    constants_mutation : float
        How often each constant of a formula is mutated; 0 is never. It moves by a share of itself, with the standard deviation
        ``constants_mutation_scale``, which is multiplied by ``constants_mutation_decay`` after every
        ``constants_mutation_patience`` generations in a row without a better best; what is not worse is kept.
    constants_mutation_place : {"after", "interleaved", "within"}
        Once after a solution was mixed, after each subset of the linkage tree, or within the test of a subset just copied.
    constants_weighing : float
        How often a feature times a constant is added to a part of a solution, or takes its place, after it was mixed:
        the feature that helps most, with constants by least squares. Needs ``+`` and ``*``.
    constants_grafting : float
        How often a part of some solution takes the place of a part of a solution, wherever it has room, after it was mixed,
        with constants by least squares. In the multistart a quarter of the evaluations goes to populations without.
    constants_pruning : float
        How often a part of a solution is taken away and others are weighed or grafted in before it is judged, after it was mixed.
        Needs ``constants_grafting``.
    constants_new_parts : float
        How often a part that is grafted is drawn at random instead of taken from a solution.
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

    def __init__(
        self,
        *,
        height: int = 7,
        template_arity: int = 2,
        max_size: int | None = None,
        max_positions: int | None = 28,
        complexity: str = "size",
        costs: dict[str, int] | None = None,
        per_size: int = 1,
        operators: str | Sequence[str] = "large",
        constants_range: str | tuple[float, float] = "data",
        constants_factors: float = 0.5,
        constants_tuning: float = 0.5,
        constants_tuning_steps: int = 5,
        constants_mutation: float = 0.0,
        constants_mutation_scale: float = 0.1,
        constants_mutation_decay: float = 1.0,
        constants_mutation_patience: int = 5,
        constants_mutation_place: str = "after",
        constants_weighing: float = 0.5,
        constants_grafting: float = 1.0,
        constants_pruning: float = 1.0,
        constants_new_parts: float = 0.25,
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
        self.max_positions = max_positions
        self.complexity = complexity
        self.costs = costs
        self.per_size = per_size
        self.operators = operators
        self.constants_range = constants_range
        self.constants_factors = constants_factors
        self.constants_tuning = constants_tuning
        self.constants_tuning_steps = constants_tuning_steps
        self.constants_mutation = constants_mutation
        self.constants_mutation_scale = constants_mutation_scale
        self.constants_mutation_decay = constants_mutation_decay
        self.constants_mutation_patience = constants_mutation_patience
        self.constants_mutation_place = constants_mutation_place
        self.constants_weighing = constants_weighing
        self.constants_grafting = constants_grafting
        self.constants_pruning = constants_pruning
        self.constants_new_parts = constants_new_parts
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
