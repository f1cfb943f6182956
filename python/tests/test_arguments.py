"""Arguments of the estimator: each setting has one, and wrong ones get one clear error that names them."""

import inspect
import pickle
import warnings

import numpy as np
import pytest

import intron
from intron import IntronRegressor, settings

X = np.random.default_rng(0).uniform(1, 2, (20, 2))
Y = X[:, 0] + 1.0

WRONG = {
    "height": ["x", 0, 2.5, True, None, 99],
    "template_arity": [0, 1],
    "operators": [["foo"], [], None, 5, ["+", "+"], "foo", ["+", "f(a) = a + b"], ["+", "f(a)"]],
    "constants_range": [(3, 1), (1,), 5, "x", None, (0, float("nan"))],
    "linear_scaling": ["maybe", 3, None],
    "init_grow": [3, "x", True],
    "linkage": ["nod", 3, None],
    "linkage_bins": [0],
    "max_size": [0, 2.5],
    "max_positions": [0, 2.5],
    "complexity": ["length", 3, None],
    "costs": [{"sin": -1}, {"sine": 2}, {"sin": 2}, 3, {"sin": 1.5}],
    "start": [3, ["a\nb"]],
    "per_size": [0, 1.5, None, 1000],
    "constants_factors": [-0.1, 1.5, "x", None, True, float("nan")],
    "constants_tuning": [-0.1, 2, "x"],
    "constants_mutation": [1.5],
    "constants_mutation_scale": [-1, 0],
    "constants_mutation_decay": [-1, 0, 1.5],
    "constants_mutation_patience": [0, 1.5],
    "constants_mutation_place": ["before", 3, None],
    "constants_weighing": [-0.1, 1.5, "x", None, True, float("nan")],
    "constants_grafting": [-0.1, 1.5, "x", None, True, float("nan")],
    "constants_pruning": [-0.1, 1.5, "x", None, True, float("nan")],
    "constants_new_parts": [-0.1, 1.5, "x", None, True, float("nan")],
    "polish": ["maybe", 3],
    "population_size": [0, 1, "big", 10**9],
    "ims_start": [0, 1, "x"],
    "ims_factor": [0],
    "max_evals": [-1, 0, 1.5, "a"],
    "generations": [-3],
    "max_time": [-1, 0, "5x", float("nan"), True],
    "target_r2": [2, "x"],
    "when_solved": ["x"],
    "memory_limit": ["x", -5],
    "model_selection": ["x", None],
    "safety_margin": [-0.1, 11, "x"],
    "calibration_fraction": [-0.1, 1, "x", None, 0.99],
    "precision": [0, 99, "x"],
    "callbacks": [3, ["x"]],
    "random_state": ["a", -1, 2.5],
    "n_jobs": ["a", 0, 5000],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_a_wrong_argument_is_refused_by_its_name_and_value(name, value):
    model = IntronRegressor(**{"max_evals": 100, name: value})
    with pytest.raises((ValueError, TypeError)) as refusal:
        model.fit(X, Y)
    message = str(refusal.value)
    assert message.startswith(f"{name}={value!r}: "), message
    assert "\n" not in message


@pytest.mark.parametrize("name", ["population_size", "ims_start"])
@pytest.mark.parametrize("value", [0, 1])
def test_a_population_has_at_least_two_solutions(name, value):
    with pytest.raises(ValueError, match="at least 2"):
        IntronRegressor(**{"max_evals": 100, name: value}).fit(X, Y)


def test_costs_alone_are_refused_with_what_they_need():
    with pytest.raises(ValueError, match="complexity=cost"):
        IntronRegressor(max_evals=100, costs={"sin": 2}).fit(X, Y)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"constants_factors": 0.9, "operators": ["+", "-"]}, r"constants_factors=0\.9 does nothing: it needs the operator \*"),
        ({"constants_weighing": 0.9, "operators": ["-", "*"]}, r"constants_weighing=0\.9 does nothing: it needs the operator \+"),
        ({"max_positions": 9, "max_size": 9}, "max_positions=9 does nothing: max_size takes its place"),
    ],
)
def test_an_argument_that_does_nothing_is_told(arguments, expected):
    with pytest.warns(UserWarning, match=expected):
        IntronRegressor(max_evals=100, **arguments).fit(X, Y)


def test_defaults_that_do_nothing_are_not_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        IntronRegressor(max_evals=100, operators=["+", "-"]).fit(X, Y)
        IntronRegressor(max_evals=100, max_size=9, population_size=16).fit(X, Y)
        IntronRegressor.paper(max_evals=100).fit(X, Y)


def test_a_few_rows_are_told():
    with pytest.warns(UserWarning, match="only 9 rows to learn from"):
        IntronRegressor(max_evals=100).fit(X[:9], Y[:9])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        IntronRegressor(max_evals=100).fit(X[:10], Y[:10])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("linear_scaling", np.True_),
        ("linear_scaling", "off"),
        ("height", np.int64(3)),
        ("height", 3.0),
        ("max_time", "30s"),
        ("operators", ("+", "*")),
        ("operators", "+,*"),
        ("constants_range", np.array([-1.0, 1.0])),
        ("constants_range", "-1..1"),
        ("linkage", "mi_masked"),
        ("linkage", "mi-masked"),
        ("memory_limit", 2**28),
        ("population_size", "ims"),
        ("random_state", np.random.RandomState(3)),
        ("random_state", None),
        ("callbacks", [lambda details: False]),
        ("precision", 3.0),
    ],
)
def test_other_spellings_of_a_value_are_understood(name, value):
    model = IntronRegressor(**{"max_evals": 200, name: value}).fit(X, Y)
    assert model.n_evaluations_ <= 200
    assert str(model) and model.latex_table(precision=3.0)
    assert model.latex_table(0) == model.latex_table([0]) == model.latex_table(np.array([0]))


def test_every_setting_of_the_library_is_an_argument_with_the_same_default():
    parameters = inspect.signature(IntronRegressor).parameters
    for name, key in settings.KEYS.items():
        default = parameters[name].default
        if name == "n_jobs":
            continue  # scikit-learn's default is one thread, the library's all
        written = settings.text(name, default)
        wanted = settings._DEFAULTS[key]
        assert written == wanted or (name == "operators" and written == "large"), name


def test_a_warm_start_goes_on_to_the_same_formulas_as_one_long_search():
    rng = np.random.default_rng(1)
    x = rng.uniform(1, 5, (60, 3))
    y = x[:, 0] * np.sin(x[:, 1]) + x[:, 2] ** 2 + rng.normal(0, 0.1, 60)
    model = IntronRegressor(max_evals=3000, warm_start=True).fit(x, y)
    model = pickle.loads(pickle.dumps(model)).fit(x, y)
    long = IntronRegressor(max_evals=6000).fit(x, y)
    assert model.n_evaluations_ == long.n_evaluations_ == 6000
    assert list(model.equations_["equation"]) == list(long.equations_["equation"])


def test_a_warm_start_on_other_data_says_that_it_starts_anew():
    model = IntronRegressor(max_evals=100, warm_start=True).fit(X, Y)
    with pytest.warns(UserWarning, match="starts anew"):
        model.fit(X, Y + X[:, 1])
    assert model.n_evaluations_ == 100


def test_paper_is_the_setting_of_the_paper():
    model = IntronRegressor.paper(max_evals=5)
    assert model.max_evals == 5
    for key, value, _ in intron._native.settings("paper"):
        name = next(name for name, known in settings.KEYS.items() if known == key)
        if name in ("n_jobs", "max_evals"):
            continue
        written = settings.text(name, getattr(model, name))
        assert written == value or (name == "operators" and written == "small"), name
