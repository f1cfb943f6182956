"""How far formulas can be trusted: safety, prediction intervals, and searches on shuffled targets."""

import json
import pickle
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from lab_tools import command_line

from intron import IntronRegressor, PredictionWarning, load
from intron._native import interval_levels


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
    lines = str(model).splitlines()
    assert lines[-1].startswith("! not proved finite")
    is_marked = [entry["safety"] != "safe" for entry in model.pareto_front_]
    assert any(is_marked) and ["! " in line for line in lines[1:-1]] == is_marked
    page = model._repr_html_()
    assert [f'">{"!" * mark}</td>' in row for mark, row in zip(is_marked, page.split("</tr>")[1:])] == [True] * len(is_marked)
    assert page.count(">!</td>") == sum(is_marked) and f'title="{best["danger"]}"' in page
    assert "<p>! not proved finite" in page


def test_formulas_of_the_user_are_marked_too():
    x = np.arange(40) / 10 - 2.05
    model = IntronRegressor.paper(
        height=2, operators=["+", "/"], max_evals=500, safety_margin=0.05, start="1 / x0", max_size=1
    ).fit(x[:, None], x)
    assert all(entry["safety"] == "safe" for entry in model.pareto_front_)
    (given,) = model.start_
    assert given["safety"] == "dangerous"
    assert str(model).count("!") == 2 and model._repr_html_().count("! ") == 1 and model._repr_html_().count(">!<") == 1


def said(call):
    """What is odd about predictions, in the words of the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {warning.category for warning in caught} <= {PredictionWarning}
    assert {warning.filename for warning in caught} <= {__file__}
    return [str(warning.message) for warning in caught]


def test_rows_outside_the_training_rows_are_told_by_column_and_number(tmp_path):
    X = pd.DataFrame(np.random.default_rng(0).uniform(1, 2, size=(100, 3)), columns=["a", "b b", "c"])
    model = IntronRegressor(max_evals=5_000, operators=["+", "*"]).fit(X, X["a"] * X["b b"])
    assert said(lambda: model.predict(X)) == []
    new = pd.DataFrame({"a": [1.5, 9, 9, 2.01], "b b": [1.5, 1.5, -9, 1.5], "c": [99.0] * 4})
    told = (
        "2 of 4 rows lie outside what the formula was learned from (ranges and 5 % more), in `a` (2), `b b` (1); their "
        "predictions are guesses"
    )
    assert said(lambda: model.predict(new)) == [told]
    assert said(lambda: pickle.loads(pickle.dumps(model)).predict(new)) == [told]
    model.save(tmp_path / "model.json")
    assert said(lambda: load(tmp_path / "model.json").predict(new)) == [told]
    model.set_params(safety_margin=None)
    assert said(lambda: model.predict(new)) == [told]
    model.set_params(safety_margin=10)
    (told,) = said(lambda: model.predict(new))
    assert told.startswith("1 of 4 rows") and "(ranges and 1000 % more), in `b b` (1);" in told


@pytest.mark.skipif(command_line() is None, reason="INTRON_COMMAND does not name the program `intron`")
def test_the_command_line_says_the_same_of_rows_outside(tmp_path):
    X, y = table(80, 0.1, 0)
    model = IntronRegressor(**SHORT).fit(pd.DataFrame(X, columns=["a", "b"]), y)
    model.save(tmp_path / "model.json")
    new = pd.DataFrame({"a": [1.5, 9.0], "b": [-1.0, 9.0]})
    new.to_csv(tmp_path / "new.csv", index=False)
    command = [command_line(), "predict", tmp_path / "model.json", tmp_path / "new.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (told,) = said(lambda: model.predict(new))
    assert f"warning: {told}\n" in done.stderr


def test_values_that_are_not_finite_and_intervals_without_end_are_told():
    X = np.linspace(1, 2, 50)[:, None]
    model = IntronRegressor(max_evals=2_000, operators=["log"], height=2).fit(X, np.log(X[:, 0]))
    model.calibrate(X[:5], np.log(X[:5, 0]))
    outside, not_finite, no_end = said(lambda: model.predict([[-1.0], [1.5]], interval=0.9))
    assert outside.startswith("1 of 2 rows lie outside")
    assert not_finite == "1 of 2 predictions are not finite; the formula is not defined there"
    assert no_end.startswith("the intervals have no end: 5 rows were held out")
    model.calibrate(X, np.log(X[:, 0]) + 0.1)
    with pytest.warns(PredictionWarning):
        values, lower, upper = model.predict([[-1.0], [1.5]], interval=0.9)
    assert np.isnan(values[0]) and lower[0] == -np.inf and upper[0] == np.inf
    assert lower[1] < values[1] < upper[1]


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
    with pytest.warns(PredictionWarning, match="5 rows were held out, too few"):
        few = model.calibrate(*table(5, 0.3, 1)).predict(X, interval=0.9)
    assert np.all(np.isinf(few[1])) and np.all(np.isinf(few[2]))


def test_formulas_of_the_user_have_intervals_too(tmp_path):
    X, y = table(80, 0.3, 0)
    arguments = {**SHORT, "start": ["x0 / x1", "x0 + x1"]}
    model = IntronRegressor(**arguments, calibration_fraction=0.25).fit(X, y)
    good, bad = (entry["half_widths"] for entry in model.start_)
    assert len(good) == len(bad) == len(model.pareto_front_[0]["half_widths"])
    assert all(low <= high for low, high in zip(good[:80], bad[:80]))
    model.save(tmp_path / "model.json")
    assert [entry["half_widths"] for entry in load(tmp_path / "model.json").start_] == [good, bad]
    # By hand: half the width at a level is one of the errors of the rows that were given.
    later = IntronRegressor(**arguments).fit(X, y)
    assert later.start_[0]["half_widths"] is None
    new, target = table(99, 0.3, 1)
    later.calibrate(new, target)
    for entry in later.start_:
        errors = np.sort(np.abs(target - entry["formula"].predict(new)))
        assert entry["half_widths"][interval_levels().index(0.9)] == errors[89]


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


def test_a_model_of_the_command_line_does_not_tell_how_to_search_again(tmp_path):
    X, y = table(40, 0.1, 0)
    IntronRegressor(**SHORT).fit(X, y).save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    del content["estimator"]
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="call fit"):
        load(tmp_path / "model.json").null_test(X, y)
