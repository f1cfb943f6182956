"""Small formulas out of data: symbolic regression by GP-GOMEA.

>>> import numpy as np
>>> from intron import IntronRegressor
>>> X = np.random.default_rng(0).uniform(1, 5, size=(100, 2))
>>> y = 2 * X[:, 0] / X[:, 1] + 3
>>> model = IntronRegressor(max_evals=20_000).fit(X, y)
>>> round(model.score(X, y), 6)
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._native import RESULTS_VERSION, Formula, __version__

if TYPE_CHECKING:
    from . import compat, lab
    from .files import load
    from .regressor import IntronRegressor
    from .trust import PredictionWarning

__all__ = ["Formula", "IntronRegressor", "PredictionWarning", "RESULTS_VERSION", "__version__", "compat", "lab", "load"]

# Loaded on first use: scikit-learn and pandas take longer to import than most searches take to run.
_LATER = {"IntronRegressor": ".regressor", "PredictionWarning": ".trust", "load": ".files"}
_MODULES = ("compat", "lab")


def __getattr__(name: str):
    from importlib import import_module

    if name in _LATER:
        value = getattr(import_module(_LATER[name], __name__), name)
    elif name in _MODULES:
        value = import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
