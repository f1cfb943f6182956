"""How far formulas can be trusted: safety, prediction intervals, and searches on shuffled targets."""

import numpy as np
import pytest

from intron import IntronRegressor, load


def table(n_rows, noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.5, 3, size=(n_rows, 2))
    return X, X[:, 0] / X[:, 1] + noise * rng.normal(size=n_rows)


SHORT = {"height": 3, "max_evals": 5_000}


def test_formulas_are_examined_where_that_is_asked_for():
    X, y = table(80, 0.1, 0)
    plain = IntronRegressor(**SHORT, safety_margin=None).fit(X, y)
    examined = IntronRegressor(**SHORT, safety_margin=0.05).fit(X, y)
    assert [entry["equation"] for entry in plain.pareto_front_] == [entry["equation"] for entry in examined.pareto_front_]
    assert set(plain.equations_["safe"]) == {None}
    assert set(examined.equations_["safe"]) <= {True, False}
    assert all((entry["danger"] is not None) == (entry["safety"] == "dangerous") for entry in examined.pareto_front_)


def test_dangerous_formulas_are_marked_and_told():
    x = np.arange(40) / 10 - 2.05
    model = IntronRegressor(height=2, operators=["/"], max_evals=2_000, safety_margin=0.05).fit(x[:, None], 1 / x)
    best = model.pareto_front_[-1]
    assert best["safety"] == "dangerous" and " near x0 = " in best["danger"]
    assert "!" in str(model) and "! not proved finite" in str(model)


def test_intervals_hold_what_they_promise():
    covered = []
    for seed in range(60):
        X, y = table(80, 0.3, seed)
        model = IntronRegressor(height=3, max_evals=500, calibration_fraction=0.25, random_state=seed).fit(X, y)
        assert model.n_calibration_rows_ == 20
        new, target = table(50, 0.3, 1000 + seed)
        values, lower, upper = model.predict(new, interval=0.8)
        np.testing.assert_array_equal(values, model.predict(new))
        covered.append(np.mean((lower <= target) & (target <= upper)))
    # Of 20 rows the 17th: 17/21. A fit's coverage has a standard deviation of sqrt(0.81 · 0.19 / 22).
    assert abs(np.mean(covered) - 17 / 21) < 4 * np.sqrt(0.81 * 0.19 / 22 / 60) + 0.01


def test_rows_for_intervals_can_be_given_later_and_are_kept_in_files(tmp_path):
    X, y = table(80, 0.3, 0)
    model = IntronRegressor(**SHORT).fit(X, y)
    with pytest.raises(ValueError, match="calibration_fraction=0.25 before fit, or call calibrate"):
        model.predict(X, interval=0.9)
    model.calibrate(*table(99, 0.3, 1))
    ends = model.predict(X, interval=0.95)
    model.save(tmp_path / "model.json")
    for mine, theirs in zip(ends, load(tmp_path / "model.json").predict(X, interval=0.95)):
        np.testing.assert_array_equal(mine, theirs)
    assert np.all(model.predict(X, index=0, interval=0.9)[1] < model.predict(X, index=0, interval=0.9)[2])
    few = model.calibrate(*table(5, 0.3, 1)).predict(X, interval=0.9)
    assert np.all(np.isinf(few[1])) and np.all(np.isinf(few[2]))


@pytest.mark.parametrize("level", [0, 1, 90, -0.5, "x", True, float("nan")])
def test_levels_that_mean_nothing_are_refused(level):
    X, y = table(40, 0.1, 0)
    model = IntronRegressor(**SHORT, calibration_fraction=0.25).fit(X, y)
    with pytest.raises(ValueError, match="interval="):
        model.predict(X, interval=level)


def test_a_formula_is_told_from_noise():
    X, y = table(60, 0.05, 0)
    model = IntronRegressor(height=3, max_evals=2_000).fit(X, y)
    told = model.null_test(X, y, n=4)
    assert told["p"] == 0.2 and told["n"] == 4 and len(told["best_r2"]) == 4
    assert len(told["p_values"]) == len(model.pareto_front_)
    assert told == model.null_test(X[::-1], y[::-1], n=4)
    noise = np.random.default_rng(0).normal(size=60)
    assert IntronRegressor(height=3, max_evals=2_000).fit(X, noise).null_test(X, noise, n=9)["p"] > 0.1
    with pytest.raises(ValueError, match="n=0"):
        model.null_test(X, y, n=0)
