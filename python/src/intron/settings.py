"""The estimator's arguments and the library's settings: one table between the two, and the text form of values."""

from __future__ import annotations

import re
import numbers
import operator
import os
from typing import Any

from . import _native

#: scikit-learn's words for settings of the library; every other argument is the setting's own name, dots as underscores.
RENAMED = {
    "seed": "random_state",
    "threads": "n_jobs",
    "evaluations": "max_evals",
    "time": "max_time",
    "population": "population_size",
    "select": "model_selection",
}

#: Every setting of the library by the name of its argument.
KEYS = {RENAMED.get(key, key.replace(".", "_")): key for key, _, _ in _native.settings()}

#: A search without any limit does this many evaluations: a few seconds for a thousand rows, and the same each time.
DEFAULT_EVALUATIONS = 1_000_000

#: What `IntronRegressor.paper` has otherwise: the paper's setting.
PAPER: dict[str, Any] = {
    "height": 5,
    "max_positions": None,
    "operators": "small",
    "constants_range": "target",
    "constants_factors": 0.0,
    "constants_tuning": 0.0,
    "constants_weighing": 0.0,
    "constants_grafting": 0.0,
    "constants_pruning": 0.0,
    "constants_new_parts": 0.0,
    "linkage": "node",
    "polish": False,
    "simplify": False,
    "model_selection": "accuracy",
    "safety_margin": None,
}

_MAX_THREADS = 1024
_DEFAULTS = {key: default for key, default, _ in _native.settings()}
_YES_NO = {"ims_retire_on_equal"}
_SWITCHES = _YES_NO | {name for name, key in KEYS.items() if _DEFAULTS[key] in ("on", "off")}
_COUNTS = {
    "height", "template_arity", "linkage_bins", "population_size", "ims_start", "ims_factor", "ims_max_populations",
    "max_evals", "generations", "random_state", "n_jobs", "max_size", "max_positions", "constants_tuning_steps",
    "constants_mutation_patience", "per_size",
}  # fmt: skip

# Mixing needs a donor, so a population has two solutions.
_LEAST = {"random_state": 0, "n_jobs": 0, "population_size": 2, "ims_start": 2}

# What None means, where it means something.
_PAPER = {key: value for key, value, _ in _native.settings("paper")}
_NONE = {name: "none" for name, key in KEYS.items() if _PAPER[key] == "none"} | {"population_size": "ims"}


def pairs(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """Arguments as pairs of key and text, as the library reads them. What it would refuse is refused here, by the name
    of the argument."""
    texts = [(KEYS[name], text(name, value)) for name, value in arguments.items()]
    try:
        _native.check_settings(texts)
    except ValueError as error:
        raise ValueError(_by_argument(str(error), arguments)) from None
    return texts


def idle(arguments: dict[str, Any], defaults: dict[str, Any]) -> list[str]:
    """What was set by hand, which is what differs from the defaults, but does nothing beside the other arguments."""
    why = dict(_native.idle_settings(pairs(arguments)))
    changed = [name for name, value in arguments.items() if KEYS[name] in why and text(name, value) != text(name, defaults[name])]
    return [f"{name}={arguments[name]!r} does nothing: {_with_arguments(why[KEYS[name]])}" for name in changed]


def _with_arguments(message: str) -> str:
    """A message with the names of arguments instead of the library's keys; words that are both stay."""
    for name, key in KEYS.items():
        if "." in key:
            message = re.sub(rf"{re.escape(key)}\b", name, message)
    return message


def _by_argument(message: str, arguments: dict[str, Any]) -> str:
    """A message of the library with the argument and its value instead of the library's key."""
    for name, key in KEYS.items():
        if message.startswith(f"{key}: "):
            return f"{name}={arguments[name]!r}{message[len(key):]}"
        if message.startswith(f"unknown {key.removesuffix('s')} "):
            return f"{name}={arguments[name]!r}: {message}"
    return message


def text(name: str, value: Any) -> str:
    """The text form of one argument."""
    if value is None:
        if name not in _NONE:
            wanted = "True or False" if name in _SWITCHES else f"a value; the default is {_DEFAULTS[KEYS[name]]}"
            raise TypeError(f"{name}=None: give {wanted}")
        return _NONE[name]
    if name in _COUNTS:
        return value if (name, value) == ("population_size", "ims") else str(_count(name, value))
    if isinstance(value, str):
        return value.replace("_", "-") if name == "linkage" else value
    if name in _SWITCHES:
        return _switch(name, value)
    if name == "operators":
        return ",".join(str(item) for item in _sequence(name, value, 'names such as ["+", "*", "log"]'))
    if name == "start":
        formulas = _sequence(name, value, 'formulas such as ["x0 * x1", "sin(x0)"]')
        return "; ".join(str(formula) for formula in formulas) or "none"
    if name == "costs":
        return _costs(name, value)
    if name == "constants_range":
        return _range(name, value)
    if name == "memory_limit":
        return str(whole(name, value))
    return _number(name, value)


def _switch(name: str, value: Any) -> str:
    if not _is_yes_or_no(value):
        raise TypeError(f"{name}={value!r}: give True or False")
    words = ("yes", "no") if name in _YES_NO else ("on", "off")
    return words[0] if value else words[1]


def _range(name: str, value: Any) -> str:
    wanted = 'give "data", "target", "off" or two numbers, the smaller first, such as (-5, 5)'
    try:
        low, high = (float(end) for end in value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r}: {wanted}") from None
    if not low <= high:
        raise ValueError(f"{name}={value!r}: {wanted}")
    return f"{low!r}..{high!r}"


def _costs(name: str, value: Any) -> str:
    try:
        return ",".join(f"{symbol}:{whole(name, cost)}" for symbol, cost in value.items())
    except (AttributeError, TypeError):
        raise TypeError(f'{name}={value!r}: give a dictionary of whole numbers, such as {{"sin": 3, "/": 2}}') from None


def _sequence(name: str, value: Any, wanted: str) -> list[Any]:
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: give {wanted}") from None


def _number(name: str, value: Any) -> str:
    if _is_yes_or_no(value) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}={value!r}: give a number")
    if name == "max_time" and not float(value) > 0:
        raise ValueError(f"{name}={value!r}: give a number of seconds above 0, or None for no limit")
    return repr(float(value)).removesuffix(".0")


def _count(name: str, value: Any) -> int:
    least = _LEAST.get(name, 1)
    none = ", or None for no limit" if _NONE.get(name) == "none" else ""
    number = whole(name, value, none)
    if number < least:
        raise ValueError(f"{name}={value!r}: give a whole number of at least {least}{none}")
    return number


def whole(name: str, value: Any, otherwise: str = "") -> int:
    """The argument as a whole number; a float will do where it is whole. The error says what else can be given."""
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and float(value).is_integer():
        return int(float(value))
    try:
        if _is_yes_or_no(value):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: give a whole number{otherwise}") from None


def _is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def seconds(value: Any) -> float | None:
    """`max_time` in seconds; text such as "5m" is understood as the command line does."""
    if not isinstance(value, str):
        return value
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (value[:-1], units[value[-1]]) if value[-1:] in units else (value, 1)
    try:
        return float(number) * unit
    except ValueError:
        raise ValueError(f"max_time={value!r}: give seconds, or a time such as '30s', '5m' or '2h'") from None


def n_threads(n_jobs: int | None) -> int:
    """scikit-learn's `n_jobs` as a number of threads: None is 1, -1 all, -2 all but one."""
    if n_jobs is None:
        return 1
    n_jobs = whole("n_jobs", n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs=0: give the number of threads, or -1 for all")
    if n_jobs > _MAX_THREADS:
        raise ValueError(f"n_jobs={n_jobs}: give at most {_MAX_THREADS}, or -1 for all")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def seed(random_state: Any) -> int:
    """scikit-learn's `random_state` as a seed: a number is the seed itself, everything else draws one."""
    from sklearn.utils import check_random_state

    if isinstance(random_state, numbers.Integral) and not _is_yes_or_no(random_state):
        return int(random_state)
    try:
        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        wanted = "a whole number, a RandomState or None"
        raise ValueError(f"random_state={random_state!r}: give {wanted}") from None


def n_digits(precision: Any) -> int | None:
    """`precision` as a number of digits; None is all. What is no such number is refused."""
    if precision is None:
        return None
    digits = whole("precision", precision, ", or None for all digits")
    if not 1 <= digits <= 17:
        raise ValueError(f"precision={precision!r}: give 1 to 17 digits, or None for all")
    return digits
