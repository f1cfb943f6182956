"""scikit-learn's own checks, and the company that estimators keep: weights, pipelines, searches over arguments, clones."""

import inspect
import warnings

import numpy as np
import pytest
from helpers import front_of, made_up_table
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import SkipTestWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from intron import IntronRegressor


HAS_RESULTS = "on_skip" in inspect.signature(check_estimator).parameters


@pytest.mark.parametrize("arguments", [{"max_evals": 5_000}, {"generations": 2, "model_selection": "best", "n_jobs": 2}], ids=str)
def test_every_check_of_scikit_learn_passes_and_none_is_left_out(arguments):
    if HAS_RESULTS:
        check_and_look_at_results(IntronRegressor(**arguments))
    else:  # scikit-learn before 1.6
        with warnings.catch_warnings():
            warnings.simplefilter("error", SkipTestWarning)
            check_estimator(IntronRegressor(**arguments))


@pytest.mark.skipif(not HAS_RESULTS, reason="takes long, and once is enough")
def test_every_check_passes_without_any_argument():
    check_and_look_at_results(IntronRegressor())


def check_and_look_at_results(model):
    results = check_estimator(model, on_skip=None)
    assert len(results) > 50
    assert {result["status"] for result in results} == {"passed"}


@pytest.mark.parametrize("held_out", [0, 0.3])
def test_weights_are_repeated_rows(held_out):
    X, y = made_up_table()
    weights = np.random.default_rng(1).integers(0, 4, size=len(y))
    arguments = {"max_evals": 20_000, "calibration_fraction": held_out}
    weighted = IntronRegressor(**arguments).fit(X, y, sample_weight=weights)
    repeated = IntronRegressor(**arguments).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert [formula_of(entry) for entry in weighted.pareto_front_] == [formula_of(entry) for entry in repeated.pareto_front_]
    assert weighted.equations_["loss"].tolist() == pytest.approx(repeated.equations_["loss"].tolist(), rel=1e-14)


def formula_of(entry):
    return entry["formula"], entry["complexity"], entry["r2"]


def test_a_pipeline_passes_data_on():
    X, y = made_up_table()
    pipeline = make_pipeline(StandardScaler(), IntronRegressor(max_evals=20_000)).fit(X, y)
    alone = IntronRegressor(max_evals=20_000).fit(StandardScaler().fit_transform(X), y)
    assert front_of(pipeline[-1]) == front_of(alone)
    assert pipeline.score(X, y) > 0.5


def test_a_search_over_arguments_in_two_processes():
    X, y = made_up_table()
    search = GridSearchCV(IntronRegressor.paper(max_evals=3_000), {"height": [2, 4], "linkage": ["node", "mi_masked"]}, n_jobs=2, cv=2)
    search.fit(X, y)
    assert search.best_params_["height"] == 4
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    alone = clone(search.best_estimator_).fit(X, y)
    assert front_of(search.best_estimator_) == front_of(alone)


def test_cross_validation():
    X, y = made_up_table()
    scores = cross_val_score(IntronRegressor(max_evals=20_000), X, y, cv=3)
    assert (scores > 0.3).all()


def test_a_clone_is_unfitted_and_fits_to_the_same():
    X, y = made_up_table()
    model = IntronRegressor(max_evals=3_000, random_state=5, operators=("+", "*", "sin")).fit(X, y)
    copy = clone(model)
    assert not hasattr(copy, "pareto_front_")
    assert copy.get_params() == model.get_params()
    assert front_of(copy.fit(X, y)) == front_of(model)


def test_a_target_that_is_transformed():
    X, y = made_up_table()
    model = TransformedTargetRegressor(IntronRegressor(max_evals=3_000), func=np.arcsinh, inverse_func=np.sinh).fit(X, y)
    alone = IntronRegressor(max_evals=3_000).fit(X, np.arcsinh(y))
    assert model.predict(X) == pytest.approx(np.sinh(alone.predict(X)))


def test_tables_of_pandas_keep_their_names():
    pandas = pytest.importorskip("pandas")
    X, y = made_up_table()
    table = pandas.DataFrame(X, columns=["wind speed", "b", "c"])
    model = IntronRegressor(max_evals=3_000).fit(table, pandas.Series(y))
    assert list(model.feature_names_in_) == ["wind speed", "b", "c"]
    assert "`wind speed`" in model.model_.text
    unnamed = IntronRegressor(max_evals=3_000).fit(X, y)
    assert np.array_equal(model.predict(table), unnamed.predict(X))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table[["b", "wind speed", "c"]])
