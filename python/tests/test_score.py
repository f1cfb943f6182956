"""R² of targets whose squares are too small or too large for numbers."""

import numpy as np
import pytest
from intron import IntronRegressor
from sklearn.metrics import r2_score


@pytest.mark.parametrize("unit", [1e-200, 1e-170, 1.0, 1e160])
def test_score_is_that_of_the_target_in_any_unit(unit):
    X = np.random.default_rng(0).uniform(1, 5, size=(60, 2))
    y = X[:, 0] + 0.3 * X[:, 1] ** 2
    model = IntronRegressor(max_evals=2_000, max_size=1).fit(X, y * unit)
    expected = r2_score(y, model.predict(X) / unit)
    assert model.score(X, y * unit) == pytest.approx(expected, rel=1e-9)
    assert 0.3 < expected < 0.999


def test_score_takes_weights_and_lists():
    X = np.random.default_rng(0).uniform(1, 5, size=(40, 1))
    y = 2 * X[:, 0] + np.arange(40) % 3
    model = IntronRegressor(max_evals=2_000).fit(X, y)
    weights = np.arange(1.0, 41.0)
    assert model.score(X, list(y), weights) == pytest.approx(r2_score(y, model.predict(X), sample_weight=weights))
