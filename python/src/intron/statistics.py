"""The statistics of the paper. Scores are tables, tasks × runs, where higher is better; every number comes from the
native code, the same as in a report of the lab.

A table is a two-dimensional array, or a list of arrays where tasks have different numbers of runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import statistics as _native

__all__ = [
    "Friedman",
    "Interval",
    "Nemenyi",
    "Quartiles",
    "blocks_of_medians",
    "blocks_of_runs",
    "critical_difference",
    "floored",
    "friedman",
    "interquartile_mean",
    "interquartile_mean_curve",
    "interquartile_mean_interval",
    "matrix_rank_correlation",
    "mean_of_medians",
    "mean_ranks",
    "median",
    "median_curve",
    "median_of_means",
    "medians",
    "nemenyi",
    "probability_of_improvement",
    "probability_of_improvement_interval",
    "quantile",
    "quartiles",
    "rank_correlation",
    "ranks",
    "stratified_bootstrap",
    "trace_on_grid",
]

Table = Any


class Interval(NamedTuple):
    """A value, and the interval in which it lies at the stated confidence."""

    estimate: float
    lower: float
    upper: float


class Quartiles(NamedTuple):
    """Lower quartile, median and upper quartile."""

    lower: float
    median: float
    upper: float


class Friedman(NamedTuple):
    """What the Friedman test says. A mean rank of 1 is the best."""

    statistic: float
    degrees_of_freedom: int
    p_value: float
    n_blocks: int
    mean_ranks: list[float]


class Nemenyi(NamedTuple):
    """All that a critical-difference diagram shows: settings from the best to the worst, and stretches of that order in
    which no two settings differ significantly."""

    critical_difference: float
    order: list[int]
    groups: list[range]


def interquartile_mean(scores: Table) -> float:
    """The mean of the middle half of all runs of all tasks.

    >>> interquartile_mean([[100, 2, 3, 4], [1, 5, -50, 6]])
    3.5
    """
    return _native.interquartile_mean(_rows(scores))


def interquartile_mean_interval(
    scores: Table, n_resamples: int = 2000, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """The interquartile mean with its interval: runs are drawn anew, with replacement, within each task.

    >>> interquartile_mean_interval([[1, 2, 3, 4], [2, 3, 4, 5]]).estimate
    3.0
    """
    return Interval(*_native.interquartile_mean_interval(_rows(scores), (n_resamples, confidence, seed)))


def mean_of_medians(scores: Table) -> float:
    """The mean over tasks of the median over the runs of a task.

    >>> mean_of_medians([[0, 0, 9], [1, 2, 3]])
    1.0
    """
    return _native.mean_of_medians(_rows(scores))


def median_of_means(scores: Table) -> float:
    """The median over tasks of the mean over the runs of a task.

    >>> median_of_means([[0, 0, 9], [1, 2], [4, 4, 4, 8]])
    3.0
    """
    return _native.median_of_means(_rows(scores))


def medians(scores: Table) -> list[float]:
    """The median over the runs of each task.

    >>> medians([[0, 0, 9], [1, 2]])
    [0.0, 1.5]
    """
    return _native.medians(_rows(scores))


def stratified_bootstrap(
    scores: Table,
    statistic: str = "interquartile_mean",
    n_resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """A statistic with its interval: runs are drawn anew, with replacement, within each task. The statistic is
    `interquartile_mean`, `mean_of_medians` or `median_of_means`. The same seed gives the same bits.

    >>> stratified_bootstrap([[1, 1, 1], [3, 3, 3]], "mean_of_medians")
    Interval(estimate=2.0, lower=2.0, upper=2.0)
    """
    return Interval(*_native.stratified_bootstrap(_rows(scores), statistic, (n_resamples, confidence, seed)))


def probability_of_improvement(scores: Table, others: Table) -> float:
    """How often a run of one setting beats a run of another in the same task; a tie is half a win.

    >>> probability_of_improvement([[1, 3]], [[2, 2]])
    0.5
    """
    return _native.probability_of_improvement(_rows(scores), _rows(others))


def probability_of_improvement_interval(
    scores: Table, others: Table, n_resamples: int = 2000, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """The probability of improvement with its interval; the runs of both settings are drawn independently.

    >>> probability_of_improvement_interval([[3, 4]], [[1, 2]])
    Interval(estimate=1.0, lower=1.0, upper=1.0)
    """
    draws = (n_resamples, confidence, seed)
    return Interval(*_native.probability_of_improvement_interval(_rows(scores), _rows(others), draws))


def quantile(values: ArrayLike, fraction: float) -> float:
    """The value below which the given fraction of the values lies, with linear interpolation.

    >>> quantile([1, 2, 3, 4], 0.25)
    1.75
    """
    return _some(_native.quantile(_list(values), fraction), "a fraction from 0 to 1 of")


def median(values: ArrayLike) -> float:
    """The middle value, or the mean of the two in the middle.

    >>> median([3, 1, 2, 10])
    2.5
    """
    return quantile(values, 0.5)


def quartiles(values: ArrayLike) -> Quartiles:
    """Lower quartile, median and upper quartile.

    >>> quartiles([1, 2, 3, 4, 5])
    Quartiles(lower=2.0, median=3.0, upper=4.0)
    """
    return Quartiles(*_some(_native.quartiles(_list(values)), "quartiles need"))


def floored(values: ArrayLike, floor: float) -> tuple[list[float], int]:
    """Raises to `floor` every score that is below it, infinite or not a number; and says how many changed.

    >>> floored([0.5, float("nan"), -3.0], 0.0)
    ([0.5, 0.0, 0.0], 2)
    """
    return _native.floored(_list(values), floor)


def ranks(scores: ArrayLike) -> list[float]:
    """The rank of each score, 1 for the highest; equal scores share the mean of their ranks.

    >>> ranks([0.5, 0.9, 0.5])
    [2.5, 1.0, 2.5]
    """
    return _native.ranks(_list(scores))


def mean_ranks(blocks: Table) -> list[float]:
    """The mean rank of each setting over blocks; a block has one score for each setting.

    >>> mean_ranks([[3, 2, 1], [3, 1, 2]])
    [1.0, 2.5, 2.5]
    """
    return _native.mean_ranks(_rows(blocks))


def blocks_of_runs(settings: Sequence[Table]) -> NDArray[np.float64]:
    """One block for each run of each task, from the scores of each setting.

    >>> blocks_of_runs([[[1, 2]], [[3, 4]]])
    array([[1., 3.],
           [2., 4.]])
    """
    return np.array(_native.blocks_of_runs([_rows(scores) for scores in settings]))


def blocks_of_medians(settings: Sequence[Table]) -> NDArray[np.float64]:
    """One block for each task: the medians over its runs, from the scores of each setting.

    >>> blocks_of_medians([[[1, 2, 9]], [[3, 4]]])
    array([[2. , 3.5]])
    """
    return np.array(_native.blocks_of_medians([_rows(scores) for scores in settings]))


def friedman(blocks: Table) -> Friedman:
    """Friedman test: do the settings differ at all? A block has one score for each setting.

    >>> friedman([[3, 2, 1]] * 4).statistic
    8.0
    """
    return Friedman(*_native.friedman(_rows(blocks)))


def nemenyi(test: Friedman) -> Nemenyi:
    """Which settings differ, after a Friedman test that has found a difference; at the 5 % level.

    >>> nemenyi(friedman([[1, 2, 3]] * 20)).order
    [2, 1, 0]
    """
    difference, order, groups = _native.nemenyi(list(test.mean_ranks), test.n_blocks)
    return Nemenyi(difference, order, [range(*group) for group in groups])


def critical_difference(n_settings: int, n_blocks: int) -> float:
    """Mean ranks that are further apart than this differ significantly, at the 5 % level.

    >>> round(critical_difference(8, 100), 3)
    1.05
    """
    return _native.critical_difference(n_settings, n_blocks)


def rank_correlation(values: ArrayLike, others: ArrayLike) -> float:
    """Spearman's rank correlation; not a number where one list has no two different values.

    >>> rank_correlation([1, 2, 3], [10, 30, 20])
    0.5
    """
    values, others = _list(values), _list(others)
    if len(values) != len(others):
        raise ValueError(f"{len(values)} values and {len(others)} others; they have to be equally many")
    found = _native.rank_correlation(values, others)
    return math.nan if found is None else found


def matrix_rank_correlation(matrix: Table, other: Table) -> float:
    """The rank correlation of the entries above the diagonals of two square matrices, such as similarities.

    >>> matrix_rank_correlation([[0, 1, 2], [1, 0, 3], [2, 3, 0]], [[0, 5, 6], [5, 0, 7], [6, 7, 0]])
    1.0
    """
    matrix, other = _rows(matrix), _rows(other)
    if len(matrix) != len(other):
        raise ValueError(f"{len(matrix)} rows and {len(other)} rows; they have to be equally many")
    if any(len(row) != len(matrix) for row in matrix + other):
        raise ValueError("a matrix of similarities has as many columns as rows")
    found = _native.matrix_rank_correlation(matrix, other)
    return math.nan if found is None else found


def trace_on_grid(trace: ArrayLike, grid: ArrayLike, floor: float) -> list[float]:
    """The value of a trace, rows of place and value, at each place of an ascending grid; `floor` before its first point.

    >>> trace_on_grid([(10, 0.5), (100, 0.8)], [1, 10, 50, 1000], 0.0)
    [0.0, 0.5, 0.5, 0.8]
    """
    return _native.trace_on_grid(_trace(trace), _list(grid), floor)


def median_curve(traces: Sequence[ArrayLike], grid: ArrayLike, floor: float) -> list[Quartiles]:
    """Median and quartiles over the traces of one task, at each place of an ascending grid.

    >>> median_curve([[(1, 0.2)], [(2, 0.4)]], [1, 2], 0.0)[1].median
    0.30000000000000004
    """
    return [Quartiles(*at) for at in _native.median_curve([_trace(t) for t in traces], _list(grid), floor)]


def interquartile_mean_curve(
    tasks: Sequence[Sequence[ArrayLike]],
    grid: ArrayLike,
    floor: float,
    n_resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[Interval]:
    """Interquartile mean over all traces of all tasks with its interval, at each place of an ascending grid.

    >>> interquartile_mean_curve([[[(1, 0.5)], [(2, 0.5)]]], [2], 0.0)
    [Interval(estimate=0.5, lower=0.5, upper=0.5)]
    """
    traces = [[_trace(trace) for trace in runs] for runs in tasks]
    curve = _native.interquartile_mean_curve(traces, _list(grid), floor, (n_resamples, confidence, seed))
    return [Interval(*at) for at in curve]


def _rows(table: Table) -> list[NDArray[np.float64]]:
    # A data frame would hand out the names of its columns.
    rows = table.to_numpy() if hasattr(table, "to_numpy") else table
    if np.ndim(rows[0] if len(rows) else []) != 1:
        raise ValueError("scores are a table, tasks × runs: give a two-dimensional array or a list of lists")
    return [_list(row) for row in rows]


def _list(values: ArrayLike) -> NDArray[np.float64]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"an array of one dimension is needed, not of {array.ndim}")
    return array


def _trace(points: ArrayLike) -> NDArray[np.float64]:
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.size == 0:
        return np.empty((0, 2))
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError("a trace is rows of two numbers: place and value")
    return array


def _some(value: Any, what: str) -> Any:
    if value is None:
        raise ValueError(f"{what} at least one value, all of them finite")
    return value
