"""The programs that are compared, behind one function: `search`.

A method is written `kind key=value …`, for example `intron height=6 constants.tuning=0.1`; a word before a colon gives it a label
(`tuned: intron constants.tuning=0.1`). The kinds are `intron` (keys are those of `intron settings`), `estimator` (arguments of
`IntronRegressor`), `pyoperon` and `gplearn` (arguments of their estimators; gplearn's fitness is that after the best slope and
intercept, unless `linear_scaling=False`).
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Intron's name, and those of pyoperon and gplearn; a dash where there is none.
_OPERATORS = {
    "+": "add add", "-": "sub sub", "*": "mul mul", "/": "div div", "sin": "sin sin", "cos": "cos cos", "exp": "exp exp",
    "log": "log log", "sqrt": "sqrt sqrt", "square": "square square", "neg": "- neg", "abs": "abs abs", "tanh": "tanh tanh",
    "inv": "- inv", "cube": "- cube", "pow": "pow -", "min": "fmin min", "max": "fmax max", "aq": "aq -", "pdiv": "div div",
    "plog": "logabs log", "psqrt": "sqrtabs sqrt",
}  # fmt: skip
_SETS = {"small": "+,-,*,/,sin", "large": "+,-,*,/,sin,cos,exp,log,sqrt,square"}
_NO_LIMIT = 10**9
#: `best` looks among formulas whose error is at most this many times the smallest.
_BEST_WITHIN = 1.5


@dataclass(frozen=True)
class Method:
    """A kind of program with its settings."""

    label: str
    kind: str
    arguments: dict[str, str]

    @staticmethod
    def read(text: str) -> Method:
        label, colon, rest = text.partition(":")
        words = (rest if colon else text).split()
        if not words or words[0] not in KINDS or not all("=" in word for word in words[1:]):
            raise ValueError(f"method {text!r}: write [label:] kind key=value …, the kind one of {', '.join(KINDS)}")
        return Method(label.strip() if colon else text, words[0], dict(word.split("=", 1) for word in words[1:]))


@dataclass(frozen=True)
class Limits:
    """When a search ends."""

    seconds: float | None
    evaluations: int | None


@dataclass(frozen=True)
class Task:
    """What is searched for, and how."""

    X: np.ndarray
    y: np.ndarray
    names: list[str]
    operators: list[str]
    limits: Limits
    seed: int


@dataclass
class Candidate:
    """A formula that was found."""

    expression: Any
    predict: Callable[[np.ndarray], np.ndarray]
    #: What the program says of it: its size, its error, criteria.
    facts: dict[str, float]


@dataclass
class Found:
    """The formulas of a search, and which of them are chosen."""

    candidates: list[Candidate]
    #: Places among the candidates; `default` is the method's own choice.
    chosen: dict[str, int]
    seconds: float
    evaluations: int | None
    details: dict[str, Any] = field(default_factory=dict)


def search(method: Method, task: Task) -> Found:
    """Runs one method on one task, with one thread."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return KINDS[method.kind](method.arguments, task)


def operators_named(text: str | None) -> list[str]:
    """A list of operators, or those that Intron uses if it is told nothing."""
    from intron import _native

    if text is None:
        text = next(default for key, default, _ in _native.settings() if key == "operators")
    names = _SETS.get(text, text).split(",")
    unknown = [name for name in names if name not in _OPERATORS]
    if unknown:
        raise ValueError(f"unknown operator {', '.join(unknown)}; known: {' '.join(_OPERATORS)}")
    return names


def _translated(operators: list[str], place: int) -> list[str]:
    names = {name: _OPERATORS[name].split()[place] for name in operators}
    missing = [name for name, translation in names.items() if translation == "-"]
    if missing:
        raise ValueError(f"this program has no {', '.join(missing)}")
    return list(dict.fromkeys(names.values()))


def _value(text: str) -> Any:
    """The value of an argument: a number, a word, or words joined by `+`."""
    words = {"True": True, "False": False, "None": None}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


# ---- Intron ----------------------------------------------------------------------------------------------------------


def _intron(arguments: dict[str, str], task: Task) -> Found:
    from intron import _native

    settings = {key: value for key, value, _ in _native.settings(arguments.get("preset", "default"))}
    settings |= {"threads": "1", "seed": str(task.seed), "operators": ",".join(task.operators)}
    if task.limits.seconds is not None:
        settings["time"] = repr(task.limits.seconds)
    if task.limits.evaluations is not None:
        settings["evaluations"] = str(task.limits.evaluations)
    settings |= {key: value for key, value in arguments.items() if key != "preset"}
    start = time.perf_counter()
    result = _native.search(task.X, task.y, None, task.names, list(settings.items()))
    seconds = time.perf_counter() - start
    if result["exception"] is not None:
        raise result["exception"]
    front = [dict(entry) for entry in result["front"]]
    chosen = _choices_of_intron(front)
    own = result.get("chosen")
    if own is not None or front:
        chosen["default"] = own if own is not None else chosen[settings["select"]]
    details = {"stop_reason": result["stop_reason"], "n_generations": result["n_generations"]}
    return Found([_of_intron(entry) for entry in front], chosen, seconds, result["n_evaluations"], details)


def _estimator(arguments: dict[str, str], task: Task) -> Found:
    import pandas

    from intron import IntronRegressor

    limits = {"max_time": task.limits.seconds, "max_evals": task.limits.evaluations}
    given = {"operators": task.operators, "random_state": task.seed, "n_jobs": 1} | limits
    given |= {key: _value(text) for key, text in arguments.items()}
    model = IntronRegressor(**given)
    start = time.perf_counter()
    model.fit(pandas.DataFrame(task.X, columns=task.names), task.y)
    seconds = time.perf_counter() - start
    renamed = {"complexity": "size", "loss": "mse"}
    front = [{renamed.get(key, key): value for key, value in entry.items()} for entry in model.pareto_front_]
    chosen = choices(front) | {"default": [entry["formula"].text for entry in front].index(model.model_.text)}
    details = {"stop_reason": model.stop_reason_, "n_generations": model.n_generations_}
    return Found([_of_intron(entry) for entry in front], chosen, seconds, model.n_evaluations_, details)


def _choices_of_intron(front: list[dict[str, Any]]) -> dict[str, int]:
    """The place that each way of `--select` chooses, which passes over formulas that are not safe where it can."""
    from intron import _native

    if not front:
        return {}
    keys = ("complexity", "mse", "bic", "mdl", "validation_mse")
    is_safe = {None: None, "safe": True}
    rows = [(*(entry[key] for key in keys), is_safe.get(entry["safety"], False)) for entry in front]
    ways = ["accuracy", "best", "score", "bic", "mdl"]
    ways += ["validation"] if front[0]["validation_mse"] is not None else []
    return {way: _native.choose(rows, way) for way in ways}


def _of_intron(entry: dict[str, Any]) -> Candidate:
    from intron.symbolic import to_sympy

    formula = entry["formula"]
    facts = {key: value for key, value in entry.items() if isinstance(value, (int, float))}
    return Candidate(to_sympy(formula), formula.predict, facts)


def choices(front: list[dict[str, Any]]) -> dict[str, int]:
    """The place that each criterion chooses from a front ordered by size; criteria that the front has no numbers for are left out."""
    if not front:
        return {}
    places = range(len(front))
    errors = [entry["mse"] for entry in front]
    scores = _scores(front)
    good = [place for place in places if errors[place] <= _BEST_WITHIN * min(errors)]
    chosen = {
        "accuracy": min(places, key=errors.__getitem__),
        "best": max(good, key=scores.__getitem__),
        "score": max(places, key=scores.__getitem__),
    }
    least = {"bic": "bic", "mdl": "mdl", "validation": "validation_mse", "validation_error": "validation_error"}
    for name, key in least.items():
        if all(entry.get(key) is not None for entry in front):
            chosen[name.removesuffix("_error")] = min(places, key=lambda place: front[place][key])
    return chosen


def _scores(front: list[dict[str, Any]]) -> list[float]:
    """How fast the error falls with size, from each formula to the next larger one."""
    scores = [0.0]
    for smaller, larger in zip(front, front[1:]):
        if larger["mse"] <= 0:
            scores.append(math.inf if smaller["mse"] > 0 else 0.0)
        else:
            scores.append(math.log(smaller["mse"] / larger["mse"]) / (larger["size"] - smaller["size"]))
    return scores


# ---- pyoperon --------------------------------------------------------------------------------------------------------


def _pyoperon(arguments: dict[str, str], task: Task) -> Found:
    from pyoperon.sklearn import SymbolicRegressor

    seconds = task.limits.seconds
    given = {
        "allowed_symbols": ",".join([*_translated(task.operators, 0), "constant", "variable"]),
        "max_length": 31,
        "optimizer": "lm",
        "optimizer_iterations": 5,
        "generations": _NO_LIMIT,
        "max_evaluations": task.limits.evaluations or _NO_LIMIT,
        "max_time": None if seconds is None else max(1, round(seconds)),
        "n_threads": 1,
        "random_state": task.seed,
    }
    given |= {key: _value(text) for key, text in arguments.items()}
    if isinstance(given.get("objectives"), str):
        given["objectives"] = given["objectives"].split("+")
    model = SymbolicRegressor(**given)
    start = time.perf_counter()
    model.fit(task.X, task.y)
    seconds = time.perf_counter() - start
    front = sorted(model.pareto_front_, key=lambda entry: entry["length"])
    names = {"accuracy": "mean_squared_error", "bic": "bayesian_information_criterion", "mdl": "minimum_description_length"}
    chosen = {name: min(range(len(front)), key=lambda place: front[place][key]) for name, key in names.items()}
    chosen = {"default": min(range(len(front)), key=lambda place: front[place][model.model_selection_criterion])} | (
        chosen if len(front) > 1 else {}
    )
    evaluations = model.stats_["residual_evaluations"] + model.stats_["jacobian_evaluations"]
    candidates = [_of_operon(model, entry, task.names) for entry in front]
    return Found(candidates, chosen, seconds, evaluations, {"n_generations": model.stats_["generations"]})


def _of_operon(model: Any, entry: dict[str, Any], names: list[str]) -> Candidate:
    import sympy
    from sympy.parsing import sympy_parser

    placeholders = [f"feature{place}" for place in range(len(names))]
    text = model.get_model_string(entry["tree"], 40, names=placeholders)
    known = {placeholder: sympy.Symbol(name, real=True) for placeholder, name in zip(placeholders, names)}
    known |= {
        "aq": lambda a, b: a / sympy.sqrt(1 + b**2),
        "square": lambda a: a**2,
        "pow": lambda a, b: a**b,
        "logabs": lambda a: sympy.log(sympy.Abs(a)),
        "sqrtabs": lambda a: sympy.sqrt(sympy.Abs(a)),
        "abs": sympy.Abs,
    }
    rules = (*sympy_parser.standard_transformations, sympy_parser.convert_xor)
    expression = sympy_parser.parse_expr(text, local_dict=known, transformations=rules)
    # The text has forty digits; doubles are enough for numbers of single precision.
    numbers = {number: sympy.Float(float(number)) for number in expression.atoms(sympy.Float)}
    facts = {
        "size": entry["length"],
        "mse": entry["mean_squared_error"],
        "bic": entry["bayesian_information_criterion"],
        "mdl": entry["minimum_description_length"],
    }
    tree = entry["tree"]
    return Candidate(expression.xreplace(numbers), lambda X: model.evaluate_model(tree, X), facts)


# ---- gplearn ---------------------------------------------------------------------------------------------------------


def _gplearn(arguments: dict[str, str], task: Task) -> Found:
    from gplearn.fitness import make_fitness
    from gplearn.genetic import SymbolicRegressor

    given = {
        "function_set": [_gplearn_function(name) for name in _translated(task.operators, 1)],
        "population_size": 1000,
        "const_range": (-10.0, 10.0),
        "metric": "mse",
        "linear_scaling": True,
        "parsimony_coefficient": "auto",
        "stopping_criteria": 0.0,
        "warm_start": True,
        "low_memory": True,
        "n_jobs": 1,
        "random_state": task.seed,
    }
    given |= {key: _value(text) for key, text in arguments.items()}
    is_scaled = given.pop("linear_scaling")
    if is_scaled:
        given["metric"] = make_fitness(function=_unexplained, greater_is_better=False, wrap=False)
    model = SymbolicRegressor(**given)
    most = _NO_LIMIT if task.limits.evaluations is None else max(1, task.limits.evaluations // given["population_size"])
    start = before = time.perf_counter()
    n_generations = 0
    while n_generations < most:
        n_generations += 1
        model.set_params(generations=n_generations).fit(task.X, task.y)
        now = time.perf_counter()
        # The next generation would take as long as this one did.
        if task.limits.seconds is not None and now - start + (now - before) > task.limits.seconds:
            break
        if model._program.raw_fitness_ <= 0.0:
            break
        before = now
    seconds = time.perf_counter() - start
    slope, intercept = _line(model.predict(task.X), task.y) if is_scaled else (1.0, 0.0)
    expression = slope * _of_gplearn(model._program.program, task.names) + intercept

    def predict(X: np.ndarray) -> np.ndarray:
        return slope * model.predict(X) + intercept

    facts = {"size": model._program.length_, "mse": float(np.mean((predict(task.X) - task.y) ** 2))}
    candidate = Candidate(expression, predict, facts)
    evaluations = n_generations * given["population_size"]
    return Found([candidate], {"default": 0}, seconds, evaluations, {"n_generations": n_generations})


def _line(found: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The slope and the intercept with the least squares, as Intron and Operon have them within their searches."""
    centred = found - np.mean(found)
    spread = float(np.dot(centred, centred))
    slope = float(np.dot(centred, y)) / spread if spread > 0 else 0.0
    slope = slope if math.isfinite(slope) else 0.0
    return slope, float(np.mean(y) - (slope * np.mean(found) if slope else 0.0))


def _unexplained(y: np.ndarray, found: np.ndarray, weights: np.ndarray) -> float:
    """The share of the variance that is left after slope and intercept."""
    slope, intercept = _line(found, y)
    share = float(np.mean((slope * found + intercept - y) ** 2) / np.var(y)) if slope else 1.0
    return share if math.isfinite(share) else 1.0


def _gplearn_function(name: str) -> Any:
    from gplearn.functions import make_function

    own = {
        "exp": lambda a: np.exp(np.clip(a, -100, 100)),
        "square": np.square,
        "cube": lambda a: a * a * a,
        "tanh": np.tanh,
    }
    return make_function(function=own[name], name=name, arity=1, wrap=False) if name in own else name


def _of_gplearn(program: list[Any], names: list[str]) -> Any:
    """The formula that is meant: gplearn's guards against division by nearly zero are left out."""
    import sympy

    def size(a: Any) -> Any:
        # What SymPy makes of the sign of a large expression can take minutes.
        return sympy.Abs(a, evaluate=False)

    functions = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "sin": sympy.sin, "cos": sympy.cos, "exp": sympy.exp, "log": lambda a: sympy.log(size(a)),
        "sqrt": lambda a: sympy.sqrt(size(a)), "square": lambda a: a**2, "neg": lambda a: -a, "abs": size,
        "tanh": sympy.tanh, "inv": lambda a: 1 / a, "cube": lambda a: a**3, "min": sympy.Min, "max": sympy.Max,
    }  # fmt: skip
    built: list[Any] = []
    for node in reversed(program):
        if isinstance(node, (int, np.integer)):
            built.append(sympy.Symbol(names[node], real=True))
        elif isinstance(node, (float, np.floating)):
            built.append(sympy.Float(float(node)))
        else:
            built.append(functions[node.name](*(built.pop() for _ in range(node.arity))))
    return built[0]


KINDS = {"intron": _intron, "estimator": _estimator, "pyoperon": _pyoperon, "gplearn": _gplearn}
