"""The estimator of gpg."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .estimator import OldEstimator, batch_note, default
from .rules import height, limit, operators, seed, words


def _disable_ims(value: Any, old: Any, X: Any) -> dict[str, Any]:
    return {"population_size": old.pop} if value else {"population_size": None, "ims_start": 64, "ims_factor": 4}


def _tset(value: Any, old: Any, X: Any) -> dict[str, Any]:
    """``'auto'``, or all features by number with or without ``erc``."""
    terminals = None if value == "auto" else {name.strip() for name in value.split(",")}
    if terminals is None:
        return {"constants_range": (-5.0, 5.0)}
    if terminals - {"erc"} != {f"x_{index}" for index in range(X.shape[1])}:
        raise ValueError("fit takes every column and no constants of your own: give it only the columns to use")
    return {"constants_range": (-5.0, 5.0) if "erc" in terminals else "off"}


class GPGRegressor(OldEstimator):
    """``pygpg.sk.GPGRegressor`` on Intron, with its arguments and defaults, which are explicit here.

    After ``fit``, ``model`` and ``models`` are SymPy expressions and ``intron_`` is an `IntronRegressor` with the whole
    front. By default gpg kept ten features at most (``feat_sel``) and mutated constants (``cmp``, ``cmt``); Intron takes
    all features and mutates none. Missing values are not filled in: put an imputer before.
    """

    _TABLE = {
        "t": limit("max_time"),
        "g": limit("generations"),
        "e": limit("max_evals"),
        "disable_ims": _disable_ims,
        "d": height,
        "ff": words("linear_scaling", ac=True, lsmse=True, mse=False),
        "fset": operators(",", {"**2": "square", "**3": "cube", "1/": "inv"}),
        "tset": _tset,
        "nolink": lambda value, old, X: {"linkage": "random" if value else "mi_adjusted"},
        "random_state": seed,
        "verbose": lambda value, old, X: {"verbose": int(bool(value))},
    }
    _FIXED = {"init_grow": 0.25, "init_duplicates": "drawn-again", "linkage_binning": "nearest"}
    _ONLY = {"ne": "evaluations of nodes are not counted: give e"}
    _WITHOUT = {
        "fset_probs": ((), "all operators are as likely"),
        "tset_probs": ((), "all terminals are as likely"),
        "compl": (("component_count",), "nodes are counted"),
        "feat_sel": ((-1, False, None), "select columns before, such as by SelectKBest in a pipeline"),
        "cmp": ((0, 0.0), "constants are not mutated"),
        "cmt": ((), "constants are not mutated"),
        "tour": ((), "there are no tournaments"),
        "no_large_fos": ((), "all subsets are used"),
        "no_univ_fos": ((), "all subsets are used"),
        "no_univ_exc_leaves_fos": ((), "all subsets are used"),
        "finetune": ((), "constants are not tuned afterwards"),
    }

    def __init__(
        self,
        *,
        pop: int = 1000,
        g: int = 20,
        t: float = -1,
        e: int = -1,
        ne: int = -1,
        disable_ims: bool = False,
        d: int = 4,
        ff: str = "ac",
        fset: str = "+,-,*,/,sin,cos,log",
        fset_probs: str = "auto",
        tset: str = "auto",
        tset_probs: str = "auto",
        bs: str | int = "auto",
        compl: str = "node_count",
        rci: float = 0.0,
        feat_sel: int = 10,
        cmp: float = 0.1,
        cmt: float = 0.05,
        tour: int = 2,
        nolink: bool = False,
        no_large_fos: bool = False,
        no_univ_fos: bool = False,
        no_univ_exc_leaves_fos: bool = False,
        finetune: bool = False,
        finetune_max_evals: int | None = None,
        random_state: int = -1,
        verbose: bool = False,
    ):
        self.pop = pop
        self.g = g
        self.t = t
        self.e = e
        self.ne = ne
        self.disable_ims = disable_ims
        self.d = d
        self.ff = ff
        self.fset = fset
        self.fset_probs = fset_probs
        self.tset = tset
        self.tset_probs = tset_probs
        self.bs = bs
        self.compl = compl
        self.rci = rci
        self.feat_sel = feat_sel
        self.cmp = cmp
        self.cmt = cmt
        self.tour = tour
        self.nolink = nolink
        self.no_large_fos = no_large_fos
        self.no_univ_fos = no_univ_fos
        self.no_univ_exc_leaves_fos = no_univ_exc_leaves_fos
        self.finetune = finetune
        self.finetune_max_evals = finetune_max_evals
        self.random_state = random_state
        self.verbose = verbose

    def _notes(self, X: np.ndarray) -> list[str]:
        notes = batch_note("bs", self.bs, X)
        if self.pop != default(self, "pop") and not self.disable_ims:
            notes.append(f"pop={self.pop!r} is not used (populations start at 64; add disable_ims=True)")
        return notes

    @property
    def model(self) -> Any:
        """The chosen formula as a SymPy expression; features of an array are x_0, x_1, …"""
        check_is_fitted(self)
        return self._sympy(self.intron_.pareto_front_[self._index()])

    @property
    def models(self) -> list[Any]:
        """The best formula of each size as SymPy expressions, smallest first."""
        check_is_fitted(self)
        return [self._sympy(entry) for entry in self.intron_.pareto_front_]

    def _sympy(self, entry: dict[str, Any]) -> Any:
        from ..symbolic import to_sympy

        formula = entry["formula"]
        if not hasattr(self, "feature_names_in_"):
            formula = formula.renamed([f"x_{index}" for index in range(self.n_features_in_)])
        return to_sympy(formula)

    def _index(self) -> int:
        """The formula with the best sum of accuracy and simplicity, where ``rci`` is the share of simplicity."""
        if not 0 <= self.rci <= 1:
            raise ValueError(f"rci={self.rci!r}: give a number from 0 to 1")
        front = self.intron_.pareto_front_
        accuracy = _relative([-entry["loss"] for entry in front])
        simplicity = _relative([-entry["complexity"] for entry in front])
        merit = (1 - self.rci) * accuracy + self.rci * simplicity
        return int(np.argmax(merit))


def _relative(entries: list[float]) -> np.ndarray:
    """Values as shares of the way from the smallest to the largest."""
    values = np.array(entries, dtype=float)
    width = np.ptp(values)
    return (values - values.min()) / width if width > 0 else np.ones_like(values)
