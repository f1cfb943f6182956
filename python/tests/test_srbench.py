"""The method for SRBench, called as SRBench's runner calls it."""

import importlib.util
import inspect
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.base import RegressorMixin, clone
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sympy.parsing.sympy_parser import parse_expr

from intron import IntronRegressor

FOLDER = Path(__file__).parents[2] / "integrations" / "srbench"
NAMES = ["mass", "E", "beta"]
unix = pytest.mark.skipif(sys.platform == "win32", reason="SRBench runs on Unix")
ODD = ["sepal length (cm)", "lambda", "log"]


class TimeOutException(Exception):
    """What SRBench raises when its alarm goes off."""


@pytest.fixture
def method():
    spec = importlib.util.spec_from_file_location("regressor", FOLDER / "regressor.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(names, n_rows=120):
    X = pd.DataFrame(np.random.default_rng(3).uniform(1, 4, size=(n_rows, len(names))), columns=names)
    y = X[names[0]] * X[names[1]] / X[names[2]] + np.log(X[names[2]])
    return X, y.to_numpy()


def fitted(method, X, y):
    """As the runner does in its test mode."""
    est = clone(method.est).set_params(random_state=42, **method.eval_kwargs["test_params"])
    return est.fit(X, y)


def values(text, names, X):
    symbols = {name: sympy.Symbol(name) for name in names}
    expression = parse_expr(text, local_dict=symbols)
    assert {str(symbol) for symbol in expression.free_symbols} <= set(names), text
    compute = sympy.lambdify([symbols[name] for name in names], expression, "numpy")
    return np.broadcast_to(compute(*X.to_numpy().T), len(X))


def test_the_module_has_what_the_runner_looks_for(method):
    assert isinstance(method.est, RegressorMixin)
    assert hasattr(method.est, "random_state") and hasattr(method.est, "max_time")
    assert list(inspect.signature(method.model).parameters) == ["est", "X"]
    for options in method.hyper_params:
        assert options.keys() <= method.est.get_params().keys()
        assert all(isinstance(choices, list) for choices in options.values())
    assert method.eval_kwargs["test_params"].keys() <= method.est.get_params().keys()
    assert method.eval_kwargs.keys() <= {
        "test_params", "max_train_samples", "scale_x", "scale_y", "pre_train", "use_dataframe",
    }  # fmt: skip


def test_a_run_as_in_the_benchmark(method):
    X, y = table(NAMES)
    X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=0.75, random_state=42)
    est = clone(method.est).set_params(random_state=42, **method.eval_kwargs["test_params"])
    folds = KFold(n_splits=3, shuffle=True, random_state=42)
    grid = GridSearchCV(est, cv=folds, param_grid=method.hyper_params, n_jobs=1, scoring="r2", error_score=0.0)
    grid.fit(X_train, y_train)
    best = grid.best_estimator_
    assert len(grid.cv_results_["params"]) == 6
    assert grid.score(X_test, y_test) > 0.9
    assert 1 <= method.complexity(best) == int(method.complexity(best)) <= 63 + 4
    np.testing.assert_allclose(values(method.model(best, X_train), NAMES, X_test), best.predict(X_test), rtol=1e-9)


def test_the_population_can_be_used_like_the_estimator(method):
    X, y = table(NAMES)
    est = fitted(method, X, y)
    population = method.get_population(est)
    assert 1 < len(population) <= 100
    for one, entry in zip(population, est.pareto_front_):
        assert isinstance(one, IntronRegressor)
        np.testing.assert_allclose(values(method.model(one, X), NAMES, X), one.predict(X), rtol=1e-9)
        # The scaling adds slope and intercept, each a constant and an operator.
        assert entry["size"] <= method.complexity(one) <= entry["size"] + 4
    (chosen,) = [one for one in population if one.model_ == est.model_]
    assert method.complexity(chosen) == method.complexity(est)
    sizes = [entry["size"] for entry in est.pareto_front_]
    assert sizes == sorted(set(sizes)) and sizes[-1] <= 31
    assert method.get_best_solution(est) is est
    assert len(est.pareto_front_) == len(population)


def test_names_that_sympy_cannot_read_are_changed_and_no_two_become_one(method):
    X, y = table(ODD)
    est = fitted(method, X, y)
    names = method.safe_names(ODD)
    assert names == ["sepal_length__cm_", "lambda_", "log_"]
    np.testing.assert_allclose(values(method.model(est, X), names, X), est.predict(X), rtol=1e-9)
    assert method.safe_names(["a b", "a_b", "a-b", "1", "", "x_1", "sin", "sin_"]) == [
        "a_b_", "a_b", "a_b__", "x_1_", "x_", "x_1", "sin__", "sin_",
    ]  # fmt: skip


def test_without_a_table_the_names_of_the_fit_are_used(method):
    X, y = table(NAMES)
    named = fitted(method, X, y)
    assert method.model(named) == method.model(named, X)
    numbered = fitted(method, X.to_numpy(), y)
    assert "x0" in method.model(numbered)
    assert "mass" in method.model(numbered, X)


@unix
def test_the_alarm_of_the_runner_comes_out_of_fit_and_the_process_goes_on(method):
    def raise_timeout(number, frame):
        raise TimeOutException

    X, y = table(NAMES)
    y = y + np.random.default_rng(0).normal(size=len(y))
    est = clone(method.est).set_params(max_evals=None, max_time=60)
    before = signal.signal(signal.SIGALRM, raise_timeout)
    try:
        started = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(TimeOutException):
            est.fit(X, y)
        assert time.monotonic() - started < 10
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert est.set_params(max_evals=1000).fit(X, y).n_evaluations_ == 1000


@unix
def test_the_other_files_are_in_order():
    yaml = pytest.importorskip("yaml")
    metadata = yaml.safe_load((FOLDER / "metadata.yml").read_text(encoding="utf-8"))
    assert metadata.keys() >= {"authors", "name", "description"}
    environment = yaml.safe_load((FOLDER / "environment.yml").read_text(encoding="utf-8"))
    assert "python>=3.10" in environment["dependencies"]
    subprocess.run(["bash", "-n", FOLDER / "install.sh"], check=True)
    assert os.access(FOLDER / "install.sh", os.X_OK)
