"""Compares every statistic of intron-lab with rliable, autorank, scipy and numpy.

usage: check_statistics.py PROGRAM [ARGUMENT ...]

The program is `print_statistics`: data sets as JSON on its input, statistics as JSON on its output.

Exact statistics have to agree to 1e-9. The ends of a bootstrap interval are quantiles of random draws: with n draws,
the fraction of the distribution below the quantile p has the standard error sqrt(p (1 - p) / n). So an end passes if it
lies between the reference's own bootstrap quantiles at p - 4 and p + 4 standard errors of both sides together. That
holds for statistics with few possible values too, where the reference alone moves by a sixth of the width with its seed.
"""

import contextlib
import io
import json
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import scipy.stats
from autorank import autorank
from autorank._util import get_sorted_rank_groups
from rliable import library, metrics

EXACT = 1e-9
# autorank takes quantiles of the studentized range from an interpolated table.
TABLE = 2e-4
N_STANDARD_ERRORS = 4
CONFIDENCE = 0.95
# Draws of `print_statistics`.
N_THEIRS = 10_000
N_FAST = 4_000
# The Mann-Whitney test of scipy takes most of a millisecond for each task.
N_SLOW = 1_000


class Tally:
    """Counts comparisons by name, and keeps the largest difference and what failed."""

    def __init__(self):
        self.rows = {}
        self.failures = []

    def record(self, name, difference, is_right, detail):
        count, largest = self.rows.get(name, (0, 0.0))
        self.rows[name] = (count + 1, max(largest, difference))
        if not is_right:
            self.failures.append(f"{name}: {detail}")

    def same(self, name, found, expected, tolerance=EXACT):
        found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
        if found.shape != expected.shape:
            self.record(name, np.inf, False, f"shape {found.shape}, expected {expected.shape}")
            return
        difference = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
        largest = float(np.max(difference, initial=0.0))
        self.record(name, largest, largest <= tolerance, f"{found} expected {expected}")

    def equal(self, name, found, expected):
        self.record(name, 0.0, found == expected, f"{found} expected {expected}")

    def interval(self, name, found, draws):
        """An interval against draws of the reference's bootstrap; the difference is in widths of the interval."""
        tail = (1 - CONFIDENCE) / 2
        error = np.sqrt(tail * (1 - tail) * (1 / len(draws) + 1 / N_THEIRS))
        expected = np.quantile(draws, [tail, 1 - tail])
        width = max(expected[1] - expected[0], EXACT)
        for end, fraction, value in zip(found, [tail, 1 - tail], expected):
            span = np.clip([fraction - N_STANDARD_ERRORS * error, fraction + N_STANDARD_ERRORS * error], 0, 1)
            low, high = np.quantile(draws, span)
            is_right = low - EXACT <= end <= high + EXACT
            self.record(name, abs(end - value) / width, is_right, f"{end} not in {low} to {high}")


def comparisons(random):
    """Name and scores, settings x tasks x runs, of several kinds of comparison."""

    def scores(n_settings, n_tasks, n_runs, spread):
        task = random.normal(0.5, 0.3, (1, n_tasks, 1))
        setting = random.normal(0.0, spread, (n_settings, 1, 1))
        return task + setting + random.normal(0.0, 0.1, (n_settings, n_tasks, n_runs))

    copies = scores(4, 3, 7, 0.02)
    copies[2] = copies[1]
    uneven = scores(3, 6, 15, 0.03).tolist()
    for tasks in uneven:
        for task, runs in enumerate(tasks):
            del runs[3 + 2 * task :]
    more_uneven = scores(3, 5, 12, 0.03).tolist()
    for setting, tasks in enumerate(more_uneven):
        for task, runs in enumerate(tasks):
            del runs[5 + (setting + task) % 4 :]
    return {
        "as the paper: 8 settings, 20 tasks, 30 runs": scores(8, 20, 30, 0.03).tolist(),
        "small differences: 6 settings, 10 tasks, 10 runs": scores(6, 10, 10, 0.005).tolist(),
        "many ties: scores of one digit": np.round(scores(5, 5, 12, 0.05), 1).tolist(),
        "few runs: 3 settings, 5 tasks, 3 runs": scores(3, 5, 3, 0.05).tolist(),
        "one task, 29 runs": scores(4, 1, 29, 0.05).tolist(),
        "two settings with the same scores": copies.tolist(),
        "skewed: some scores far below zero": (1 - np.exp(3 * scores(4, 5, 11, 0.2))).tolist(),
        "unequal numbers of runs, the same in all settings": uneven,
        "unequal numbers of runs": more_uneven,
    }


def traces(random, n_tasks, n_runs):
    """Ascending step functions with random points; some of them in the same place."""
    tasks = []
    for _ in range(n_tasks):
        runs = []
        for _ in range(n_runs):
            n_points = random.integers(1, 30)
            x = np.sort(random.integers(0, 100, n_points)).astype(float)
            runs.append(list(zip(x.tolist(), np.sort(random.random(n_points)).tolist())))
        tasks.append(runs)
    return {"tasks": tasks, "grid": [0.0, 1.0, 5.0, 20.0, 50.5, 99.0, 150.0], "floor": -0.25}


def draws_of(function, n_draws, *scores):
    """The reference's bootstrap distribution; one table of runs x tasks is resampled alone, several independently."""
    kind = library.StratifiedBootstrap if len(scores) == 1 else library.StratifiedIndependentBootstrap
    return kind(*scores).apply(function, n_draws)


def is_rectangular(tasks):
    return len({len(runs) for runs in tasks}) == 1


def check_aggregates(tally, tasks, found):
    flat = np.concatenate([np.array(runs) for runs in tasks])
    medians = [np.median(runs) for runs in tasks]
    tally.same("interquartile mean (scipy)", found["interquartile_mean"][0], scipy.stats.trim_mean(flat, 0.25))
    tally.same("mean of medians (numpy)", found["mean_of_medians"][0], np.mean(medians))
    means = [np.mean(runs) for runs in tasks]
    tally.same("median of means (numpy)", found["median_of_means"][0], np.median(means))
    expected = [np.quantile(runs, [0.25, 0.5, 0.75]) for runs in tasks]
    tally.same("quartiles (numpy)", found["quartiles"], expected)
    if not is_rectangular(tasks):
        return
    # rliable wants runs x tasks.
    scores = np.array(tasks).T
    tally.same("interquartile mean (rliable)", found["interquartile_mean"][0], metrics.aggregate_iqm(scores))
    tally.same("median of means (rliable)", found["median_of_means"][0], metrics.aggregate_median(scores))
    functions = {
        "interquartile_mean": metrics.aggregate_iqm,
        "mean_of_medians": lambda x: np.mean(np.median(x, axis=0)),
        "median_of_means": metrics.aggregate_median,
    }
    draws = draws_of(lambda x: np.array([f(x) for f in functions.values()]), N_FAST, scores)
    for column, key in enumerate(functions):
        tally.interval(f"interval of {key.replace('_', ' ')} (rliable)", found[key][1:], draws[:, column])


def improvement(scores, others):
    def of_task(runs, against):
        return scipy.stats.mannwhitneyu(runs, against).statistic / (len(runs) * len(against))

    return np.mean([of_task(*pair) for pair in zip(scores, others)])


def check_improvements(tally, settings, found):
    for i, scores in enumerate(settings):
        for j, others in enumerate(settings):
            value = found[i][j][0]
            tally.same("probability of improvement (scipy)", value, improvement(scores, others))
            if is_rectangular(scores) and is_rectangular(others):
                expected = metrics.probability_of_improvement(np.array(scores).T, np.array(others).T)
                tally.same("probability of improvement (rliable)", value, expected)
    # One pair is enough, and slow enough.
    first, second = settings[0], settings[1]
    if is_rectangular(first) and is_rectangular(second) and len(first) <= 10:
        draws = draws_of(
            lambda x, y: np.array([metrics.probability_of_improvement(x, y)]),
            N_SLOW,
            np.array(first).T,
            np.array(second).T,
        )
        tally.interval("interval of probability of improvement (rliable)", found[0][1][1:], draws[:, 0])


def check_differences(tally, blocks, found):
    n_blocks, n_settings = blocks.shape
    expected = scipy.stats.friedmanchisquare(*blocks.T)
    tally.same("Friedman statistic (scipy)", found["statistic"], expected.statistic)
    tally.same("Friedman p value (scipy)", found["p_value"], expected.pvalue)
    if expected.pvalue > 1e-200:
        tally.same("Friedman p value, relative (scipy)", found["p_value"] / expected.pvalue, 1.0)
    ranks = scipy.stats.rankdata(-blocks, axis=1).mean(axis=0)
    tally.same("mean ranks (scipy)", found["mean_ranks"], ranks)
    tally.same("order of settings", ranks[found["order"]], np.sort(ranks))
    quantile = scipy.stats.studentized_range.ppf(0.95, n_settings, np.inf)
    distance = quantile * np.sqrt(n_settings * (n_settings + 1) / (12 * n_blocks))
    tally.same("critical difference (scipy)", found["critical_difference"], distance)
    # autorank refuses fewer than five blocks.
    if n_blocks < 5:
        return
    # It prints its table.
    with contextlib.redirect_stdout(io.StringIO()):
        result = autorank(pd.DataFrame(blocks), order="descending", force_mode="nonparametric")
    tally.same("Friedman p value (autorank)", found["p_value"], result.pvalue)
    tally.same("critical difference (autorank)", found["critical_difference"], result.cd, TABLE)
    # Reversed, since it sorts the mean ranks as it does the scores: the worst first.
    sorted_ranks, _, groups = get_sorted_rank_groups(result, True)
    tally.same("mean ranks (autorank)", ranks[found["order"]], sorted_ranks)
    tally.equal("groups (autorank)", found["groups"], [[first, last + 1] for first, last in groups])


def blocks_of_runs(settings):
    return np.array([np.concatenate(tasks) for tasks in settings]).T


def check_comparison(tally, settings, found):
    for tasks, aggregates in zip(settings, found["aggregates"]):
        check_aggregates(tally, tasks, aggregates)
    check_improvements(tally, settings, found["improvements"])
    can_be_paired = all([len(a) for a in tasks] == [len(a) for a in settings[0]] for tasks in settings)
    tally.equal("runs can be paired", found["by_run"] is not None, can_be_paired)
    if can_be_paired:
        check_differences(tally, blocks_of_runs(settings), found["by_run"])
    medians = np.array([[np.median(runs) for runs in tasks] for tasks in settings]).T
    check_differences(tally, medians, found["by_median"])


def check_convergence(tally, convergence, found):
    grid, floor = np.array(convergence["grid"]), convergence["floor"]

    def on_grid(trace):
        x, values = np.array(trace).T
        return np.concatenate([[floor], values])[np.searchsorted(x, grid, side="right")]

    # Tasks x runs x places.
    values = np.array([[on_grid(trace) for trace in runs] for runs in convergence["tasks"]])
    expected = np.quantile(values[0], [0.25, 0.5, 0.75], axis=0).T
    tally.same("median curve (numpy)", found["medians"], expected)
    scores = values.transpose(1, 0, 2)

    def means(x):
        return np.array([metrics.aggregate_iqm(x[..., place]) for place in range(len(grid))])

    tally.same("interquartile mean curve (rliable)", [row[0] for row in found["interquartile_means"]], means(scores))
    draws = draws_of(means, N_FAST, scores)
    for place, row in enumerate(found["interquartile_means"]):
        tally.interval("band of the interquartile mean curve (rliable)", row[1:], draws[:, place])


def check_correlations(tally, pairs, matrices, found):
    expected = [scipy.stats.spearmanr(*pair).statistic for pair in pairs]
    tally.same("rank correlation (scipy)", found["rank_correlations"], expected)
    above = np.triu_indices(len(matrices[0]), 1)
    expected = scipy.stats.spearmanr(*(np.array(matrix)[above] for matrix in matrices)).statistic
    tally.same("rank correlation of matrices (scipy)", found["matrix_rank_correlation"], expected)


def main():
    start = time.monotonic()
    random = np.random.default_rng(4)
    # rliable draws from numpy's global generator.
    np.random.seed(4)
    named = comparisons(random)
    pairs = [random.random((2, 50)).tolist(), random.integers(0, 5, (2, 80)).tolist()]
    matrices = [random.random((15, 15)).tolist(), random.integers(0, 9, (15, 15)).tolist()]
    convergence = traces(random, 4, 9)
    data = {"comparisons": list(named.values()), "convergence": convergence, "pairs": pairs, "matrices": matrices}
    answer = subprocess.run(sys.argv[1:], input=json.dumps(data), capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit(f"`{' '.join(sys.argv[1:])}` failed:\n{answer.stderr}")
    found = json.loads(answer.stdout)
    print(f"Rust: {time.monotonic() - start:.1f} s")

    tally = Tally()
    for (name, settings), statistics in zip(named.items(), found["comparisons"], strict=True):
        before = time.monotonic()
        check_comparison(tally, settings, statistics)
        print(f"{name}: {time.monotonic() - before:.1f} s")
    check_convergence(tally, convergence, found["convergence"])
    check_correlations(tally, pairs, matrices, found)
    for k, distance in enumerate(found["critical_differences"], start=2):
        expected = scipy.stats.studentized_range.ppf(0.95, k, np.inf) * np.sqrt(k * (k + 1) / 12)
        tally.same("critical difference, 2 to 20 settings (scipy)", distance, expected)
    tally.equal("floor", found["floored"], [[0.5, -1.0, -1.0, -1.0], 3])

    print(f"\n{'statistic':<52} {'compared':>8}   largest difference")
    for name, (count, largest) in tally.rows.items():
        unit = " of the width" if "interval" in name or "band" in name else ""
        print(f"{name:<52} {count:>8}   {largest:.1e}{unit}")
    n_compared = sum(count for count, _ in tally.rows.values())
    if tally.failures:
        print("\n".join(tally.failures[:20]), file=sys.stderr)
        sys.exit(f"{len(tally.failures)} of {n_compared} comparisons FAILED")
    print(f"\nall {n_compared} comparisons agree, in {time.monotonic() - start:.1f} s")


main()
