"""The estimator of pyGPGOMEA."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .estimator import OldEstimator, batch_note
from .rules import height, limit, operators, same, seed, threads, words


def _ims(value: Any, old: Any, X: Any) -> dict[str, Any]:
    """``'5_1'``: five generations for one of the next larger population, which starts twice as large."""
    if not value:
        return {"population_size": old.popsize}
    n_subgenerations, _, n_worse = ("5_1" if value is True else str(value)).partition("_")
    if n_worse not in ("", "1"):
        raise ValueError("a population is retired as soon as a larger one is better: end with _1")
    if not n_subgenerations.isdigit():
        raise ValueError("write it like '5_1', or False for one population")
    factor = int(n_subgenerations)
    return {"population_size": None, "ims_start": old.popsize, "ims_factor": factor, "ims_retire_on_equal": False}


def _erc(value: Any, old: Any, X: Any) -> dict[str, Any]:
    largest = 5.0 * float(np.max(np.abs(X)))
    return {"constants_range": (-largest, largest) if value else "off"}


_STANDARD = ((), "it is of standard genetic programming")
_COEFFICIENTS = ((), "constants are not mutated")


class GPGOMEARegressor(OldEstimator):
    """``pyGPGOMEA.GPGOMEARegressor`` on Intron, with its arguments and defaults.

    After ``fit``, ``intron_`` is an `IntronRegressor` with the whole front. ``score`` is R², as in every regressor (it
    was the negative error). There is no ``get_final_population``: populations are gone when the search ends.
    """

    _TABLE = {
        "time": limit("max_time"),
        "generations": limit("generations"),
        "evaluations": limit("max_evals"),
        "linearscaling": same("linear_scaling"),
        # √|a| was what `sqrt` meant.
        "functions": operators("_", {"p/": "pdiv", "sqrt": "psqrt", "^2": "square"}),
        "erc": _erc,
        "gomfos": words("linkage", LT="mi_adjusted", RT="random", U="univariate"),
        "ims": _ims,
        "syntuniqinit": lambda value, old, X: {"init_duplicates": "drawn-again" if value else "allowed"},
        "initmaxtreeheight": height,
        "seed": seed,
        "parallel": threads,
        "silent": lambda value, old, X: {"verbose": 0 if value else 1},
    }
    _FIXED = {"init_grow": 0.5}
    _ONLY = {
        "gomea": "Intron is GP-GOMEA and nothing else; for standard genetic programming take gplearn",
        "prob": "Intron only does symbolic regression",
        "multiobj": "the best formula of each size is always kept: see equations_",
        "classweights": "Intron does no classification; fit takes sample_weight",
    }
    _WITHOUT = {
        "subcross": _STANDARD,
        "submut": _STANDARD,
        "reproduction": _STANDARD,
        "sblibtype": _STANDARD,
        "sbrdo": _STANDARD,
        "sbagx": _STANDARD,
        "unifdepthvar": _STANDARD,
        "tournament": _STANDARD,
        "elitism": ((1,), _STANDARD[1]),
        "inittype": (("HH",), "half and half is what there is"),
        "validation": ((0, None), "set rows aside and compare the formulas of equations_ on them"),
        "coeffmut": _COEFFICIENTS,
        "gomcoeffmutstrat": _COEFFICIENTS,
        "nongomcoeffmut": _COEFFICIENTS,
        "logtofile": ((), "see get_progress_log"),
    }

    def __init__(
        self,
        time: float = 60,
        generations: int = -1,
        evaluations: int = -1,
        prob: str = "symbreg",
        multiobj: bool | str = False,
        linearscaling: bool = True,
        functions: str = "+_*_-_p/_sqrt_plog",
        erc: bool = True,
        classweights: bool | str = False,
        gomea: bool = True,
        gomfos: str = "LT",
        subcross: float = 0.5,
        submut: float = 0.5,
        reproduction: float = 0.0,
        sblibtype: bool | str = False,
        sbrdo: float = 0.0,
        sbagx: float = 0.0,
        unifdepthvar: bool = True,
        tournament: int = 4,
        elitism: int = 0,
        ims: bool | str = "5_1",
        syntuniqinit: int = 1000,
        popsize: int = 500,
        initmaxtreeheight: int = 4,
        inittype: bool | str = False,
        maxtreeheight: int = 17,
        maxsize: int = 1000,
        validation: bool | float = False,
        coeffmut: bool | str = False,
        gomcoeffmutstrat: bool | str = False,
        nongomcoeffmut: bool = False,
        batchsize: bool | int = False,
        seed: int = -1,
        parallel: int = 1,
        caching: bool = False,
        silent: bool = True,
        logtofile: bool | str = False,
    ):
        self.time = time
        self.generations = generations
        self.evaluations = evaluations
        self.prob = prob
        self.multiobj = multiobj
        self.linearscaling = linearscaling
        self.functions = functions
        self.erc = erc
        self.classweights = classweights
        self.gomea = gomea
        self.gomfos = gomfos
        self.subcross = subcross
        self.submut = submut
        self.reproduction = reproduction
        self.sblibtype = sblibtype
        self.sbrdo = sbrdo
        self.sbagx = sbagx
        self.unifdepthvar = unifdepthvar
        self.tournament = tournament
        self.elitism = elitism
        self.ims = ims
        self.syntuniqinit = syntuniqinit
        self.popsize = popsize
        self.initmaxtreeheight = initmaxtreeheight
        self.inittype = inittype
        self.maxtreeheight = maxtreeheight
        self.maxsize = maxsize
        self.validation = validation
        self.coeffmut = coeffmut
        self.gomcoeffmutstrat = gomcoeffmutstrat
        self.nongomcoeffmut = nongomcoeffmut
        self.batchsize = batchsize
        self.seed = seed
        self.parallel = parallel
        self.caching = caching
        self.silent = silent
        self.logtofile = logtofile

    def _notes(self, X: np.ndarray) -> list[str]:
        notes = batch_note("batchsize", self.batchsize, X)
        if 0 < self.maxtreeheight < self.initmaxtreeheight:
            notes.append(f"maxtreeheight={self.maxtreeheight} is not used (lower initmaxtreeheight)")
        if 0 < self.maxsize < 2 ** (self.initmaxtreeheight + 1) - 1:
            notes.append(f"maxsize={self.maxsize} is not used (choose a smaller formula of equations_)")
        return notes

    def get_model(self) -> str:
        """The chosen formula as text, scaling included; features of an array are x0, x1, …"""
        check_is_fitted(self)
        return self.intron_.get_model()

    def get_n_nodes(self) -> int:
        """Number of nodes of the chosen formula, without its scaling."""
        check_is_fitted(self)
        return int(self.intron_.pareto_front_[-1]["complexity"])

    def get_evaluations(self) -> int:
        """How many evaluations the search did, whatever the number of threads."""
        check_is_fitted(self)
        return self.intron_.n_evaluations_

    def get_progress_log(self) -> str:
        """The old table with tabs between the columns; one line for each improvement instead of each generation, and
        R² instead of the error."""
        check_is_fitted(self)
        columns = ("n_generations", "seconds", "n_evaluations", "r2", "size", "population_size")
        rows = zip(*(self.intron_.run_details_[column] for column in columns))
        lines = ["gen\ttime\tevals\tbest_r2\tbest_size\tpop_size"]
        return "\n".join(lines + ["\t".join(map(str, row)) for row in rows]) + "\n"
