"""The statistics of the lab against SciPy and NumPy."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from intron import lab

RANDOM = np.random.default_rng(3)
SCORES = RANDOM.normal(size=(5, 30))
OTHERS = RANDOM.normal(0.2, size=(5, 30))


def test_means_of_the_middle():
    assert lab.interquartile_mean(SCORES) == pytest.approx(stats.trim_mean(SCORES.ravel(), 0.25), abs=1e-14)
    assert lab.mean_of_medians(SCORES) == pytest.approx(np.median(SCORES, axis=1).mean(), abs=1e-14)
    assert lab.median_of_means(SCORES) == pytest.approx(np.median(SCORES.mean(axis=1)), abs=1e-14)
    assert lab.medians(SCORES) == pytest.approx(np.median(SCORES, axis=1), abs=1e-14)


def test_tables_of_any_kind():
    expected = lab.interquartile_mean(SCORES)
    columns = np.asfortranarray(SCORES)
    for table in (columns, SCORES.tolist(), list(SCORES), pd.DataFrame(SCORES), [pd.Series(runs) for runs in SCORES]):
        assert lab.interquartile_mean(table) == expected
    ragged = [SCORES[0], SCORES[1][:7]]
    assert lab.mean_of_medians(ragged) == pytest.approx(np.mean([np.median(runs) for runs in ragged]))


def test_intervals_hold_the_estimate_and_depend_on_the_seed_alone():
    interval = lab.interquartile_mean_interval(SCORES)
    assert interval == lab.interquartile_mean_interval(SCORES) == lab.stratified_bootstrap(SCORES)
    assert interval != lab.interquartile_mean_interval(SCORES, seed=1)
    for found in (
        interval,
        lab.stratified_bootstrap(SCORES, "mean_of_medians", n_resamples=500),
        lab.probability_of_improvement_interval(SCORES, OTHERS, 500),
    ):
        assert found.lower < found.estimate < found.upper
    wide = lab.interquartile_mean_interval(SCORES, confidence=0.99)
    narrow = lab.interquartile_mean_interval(SCORES, confidence=0.5)
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


def test_probability_of_improvement_is_the_mann_whitney_statistic():
    pairs = SCORES.shape[1] * OTHERS.shape[1]
    expected = np.mean([stats.mannwhitneyu(a, b).statistic / pairs for a, b in zip(SCORES, OTHERS)])
    assert lab.probability_of_improvement(SCORES, OTHERS) == pytest.approx(expected, abs=1e-14)


def test_friedman_and_nemenyi():
    blocks = lab.blocks_of_runs([SCORES, OTHERS, OTHERS + 0.3])
    assert blocks.shape == (150, 3)
    test = lab.friedman(blocks)
    expected = stats.friedmanchisquare(*blocks.T)
    assert (test.statistic, test.p_value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)
    assert test.mean_ranks == pytest.approx(stats.rankdata(-blocks, axis=1).mean(axis=0))
    assert test.mean_ranks == lab.mean_ranks(blocks)
    after = lab.nemenyi(test)
    assert after.critical_difference == lab.critical_difference(3, 150)
    assert after.order == list(np.argsort(test.mean_ranks))
    q = stats.studentized_range.ppf(0.95, 3, np.inf)
    assert after.critical_difference == pytest.approx(q / math.sqrt(2) * math.sqrt(3 * 4 / (6 * 150)), rel=1e-6)
    assert all(max(group) < 3 and len(group) > 1 for group in after.groups)


def test_ranks_quantiles_and_correlations():
    values, others = SCORES[0], OTHERS[0]
    assert lab.ranks([1, 5, 5, 0]) == [3.0, 1.5, 1.5, 4.0]
    assert lab.quartiles(values) == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]), abs=1e-15)
    assert lab.rank_correlation(values, others) == pytest.approx(stats.spearmanr(values, others).statistic, abs=1e-12)
    assert math.isnan(lab.rank_correlation([1, 1], [1, 2]))
    matrix = RANDOM.normal(size=(6, 6))
    assert lab.matrix_rank_correlation(matrix, matrix**3) == pytest.approx(1.0)


def test_curves():
    traces = [[(1, 0.1), (5, 0.5)], [(2, 0.2), (4, 0.9)], []]
    assert [at.median for at in lab.median_curve(traces, [0, 1, 2, 5], 0.0)] == [0.0, 0.0, 0.1, 0.5]
    curve = lab.interquartile_mean_curve([traces], [0, 5], 0.0, n_resamples=100)
    assert curve[0].estimate == 0.0 and curve[1].lower <= curve[1].estimate <= curve[1].upper


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lab.interquartile_mean([]), "no task"),
        (lambda: lab.interquartile_mean([[]]), "no run"),
        (lambda: lab.interquartile_mean([1.0, 2.0]), "tasks × runs"),
        (lambda: lab.interquartile_mean([[1.0, math.nan]]), "not finite"),
        (lambda: lab.interquartile_mean([["a"]]), "could not convert"),
        (lambda: lab.stratified_bootstrap([[1.0]], "mean"), "no such statistic"),
        (lambda: lab.stratified_bootstrap([[1.0]], n_resamples=0), "resamples"),
        (lambda: lab.probability_of_improvement([[1.0]], [[1.0], [2.0]]), "number of tasks"),
        (lambda: lab.friedman([[1.0, 1.0]]), "nothing to rank"),
        (lambda: lab.quantile([], 0.5), "at least one value"),
        (lambda: lab.rank_correlation([1], [1, 2]), "equally many"),
        (lambda: lab.trace_on_grid([1, 2, 3], [1], 0.0), "rows of two numbers"),
        (lambda: lab.median_curve([[(2, 0.1), (1, 0.2)]], [1], 0.0), "before the previous"),
    ],
)
def test_wrong_input_is_refused_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()
