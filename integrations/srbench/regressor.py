"""Intron in SRBench: the estimator, what to tune, and the model as text that SymPy reads."""

import copy
import keyword
import re

from intron import IntronRegressor

#: The estimator. Ten million evaluations take a minute or two for a thousand rows; the runner sets `max_time`.
est = IntronRegressor(
    height=5,
    operators="large",
    max_evals=10_000_000,
    max_time=3600,
    n_jobs=1,
    random_state=0,
)

#: What is tuned: size and operators of the formulas.
hyper_params = [
    {"height": [4, 5, 6], "operators": ["small", "large"]},
]

#: The runner's options. Linear scaling makes scaled data needless, and formulas stay those of the data as it is.
eval_kwargs = {
    "test_params": {"max_time": 10, "max_evals": 20_000},
    "scale_x": False,
    "scale_y": False,
    "use_dataframe": True,
}

# What a formula may call; a feature of this name would hide it.
_CALLED = {"sin", "cos", "exp", "log", "sqrt", "tanh", "Abs", "Min", "Max", "Lambda", "Piecewise", "Eq", "sign"}


def model(est, X=None):
    """The chosen formula as text that SymPy reads, with the names of the columns of X.

    Names that are no identifiers, words of Python or functions of SymPy are changed: see `safe_names`.
    """
    names = safe_names(_names(est, X))
    formula = est.model_.renamed([f"x{index}" for index in range(est.n_features_in_)])
    return re.sub(r"\bx(\d+)\b", lambda place: names[int(place.group(1))], formula.format("sympy"))


def complexity(est):
    """Number of nodes of the chosen formula, slope and intercept included."""
    return est.model_.n_nodes


def get_population(est):
    """One estimator for each formula of the front, at most the hundred most accurate."""
    return [_with_one(est, entry) for entry in est.pareto_front_[-100:]]


def get_best_solution(est):
    """The estimator itself: its formula is the chosen one."""
    return est


def safe_names(names):
    """Names that Python and SymPy read as symbols, each for one column; those that are so already stay."""
    safe = [name if _is_safe(name) else None for name in names]
    for place, name in enumerate(names):
        if safe[place] is None:
            safe[place] = _made_safe(name, set(safe))
    return safe


def _made_safe(name, taken):
    word = re.sub(r"\W", "_", name)
    if not word.isidentifier():
        word = f"x_{word}"
    while not _is_safe(word) or word in taken:
        word += "_"
    return word


def _is_safe(name):
    return name.isidentifier() and not keyword.iskeyword(name) and name not in _CALLED


def _names(est, X):
    columns = getattr(X, "columns", None)
    if columns is None:
        columns = getattr(est, "feature_names_in_", None)
    if columns is None:
        columns = [f"x{index}" for index in range(est.n_features_in_)]
    return [str(name) for name in columns]


def _with_one(est, entry):
    one = copy.copy(est)
    one.pareto_front_ = [entry]
    return one
