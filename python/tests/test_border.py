"""Between Python and native code: arrays, panics, callbacks, and an interpreter that goes on."""

import doctest
import multiprocessing
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from helpers import front_of, made_up_table, run_script

import intron
from intron import Formula, IntronRegressor, _native


def test_other_threads_go_on_while_a_search_runs():
    X, y = made_up_table()
    ticks = []
    is_over = threading.Event()

    def count():
        while not is_over.wait(0.01):
            ticks.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    start = time.monotonic()
    IntronRegressor(max_time=1.0).fit(X, y)
    end = time.monotonic()
    is_over.set()
    counter.join()
    assert sum(start < tick < end for tick in ticks) > 10


def test_a_panic_is_an_ordinary_exception():
    with pytest.raises(RuntimeError, match="a bug in intron, please report it: on purpose") as caught:
        _native._panic_on_purpose()
    assert isinstance(caught.value, Exception)


def test_a_panic_in_a_pool_of_processes_does_not_hang():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        with pytest.raises(RuntimeError, match="on purpose"):
            pool.apply_async(_native._panic_on_purpose).get(timeout=60)
        assert pool.apply_async(len, ([1, 2],)).get(timeout=60) == 2


def test_two_searches_at_once_find_what_each_finds_alone():
    tables = [made_up_table(seed=seed) for seed in range(4)]
    alone = [front_of(IntronRegressor(max_evals=20_000, n_jobs=2).fit(X, y)) for X, y in tables]
    models = [IntronRegressor(max_evals=20_000, n_jobs=2) for _ in tables]
    threads = [threading.Thread(target=model.fit, args=table) for model, table in zip(models, tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [front_of(model) for model in models] == alone


def test_a_thousand_searches_do_not_grow_the_process():
    pytest.importorskip("psutil")
    grown = run_script(
        """
import numpy, psutil
from intron import IntronRegressor
X = numpy.random.default_rng(0).normal(size=(30, 3))
y = X[:, 0] * X[:, 1] + X[:, 2]
def resident():
    return psutil.Process().memory_info().rss
for index in range(1000):
    model = IntronRegressor(max_evals=300, random_state=index).fit(X, y)
    model.predict(X)
    if index == 100:
        before = resident()
print(resident() - before)
""",
        seconds=600,
    )
    assert int(grown) < 5_000_000


def test_importing_loads_nothing_large():
    large = run_script("import sys, intron; print([name for name in ('sklearn', 'scipy', 'pandas', 'sympy') if name in sys.modules])")
    assert large.strip() == "[]"


def test_names_that_are_loaded_later_are_there():
    assert set(intron.__all__) <= set(dir(intron))
    assert intron.IntronRegressor is IntronRegressor
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        intron.nothing


def layouts():
    X, y = made_up_table(n_rows=40)
    X, y = X.astype(np.float32).astype(np.float64), y.astype(np.float32).astype(np.float64)
    read_only = X.copy(), y.copy()
    for array in read_only:
        array.flags.writeable = False
    return {
        "C": (np.ascontiguousarray(X), y),
        "Fortran": (np.asfortranarray(X), y),
        "read-only": read_only,
        "float32": (X.astype(np.float32), y.astype(np.float32)),
        "strided": (np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3], np.repeat(y, 2)[::2]),
        "backwards": (X[::-1].copy()[::-1], y[::-1].copy()[::-1]),
        "big-endian": (X.astype(">f8"), y.astype(">f8")),
        "lists": (X.tolist(), y.tolist()),
    }


@pytest.mark.parametrize("layout", layouts())
def test_the_layout_of_an_array_changes_nothing(layout):
    X, y = layouts()["C"]
    model = IntronRegressor(max_evals=3_000).fit(X, y)
    same_X, same_y = layouts()[layout]
    same = IntronRegressor(max_evals=3_000).fit(same_X, same_y)
    assert front_of(same) == front_of(model)
    assert np.array_equal(same.predict(same_X), model.predict(X))


@pytest.mark.parametrize("layout", [layout for layout in layouts() if layout not in ("float32", "big-endian", "lists")])
def test_a_formula_takes_any_layout_of_float64(layout):
    X, _ = layouts()["C"]
    formula = Formula("x0 * x1 - sin(x2)", ["x0", "x1", "x2"])
    assert np.array_equal(formula.predict(layouts()[layout][0]), formula.predict(X))


def test_arrays_are_not_changed_by_a_search():
    X, y = made_up_table()
    weights = np.linspace(0, 2, len(y))
    kept = X.copy(), y.copy(), weights.copy()
    IntronRegressor(max_evals=1_000).fit(X, y, sample_weight=weights)
    assert all(np.array_equal(now, before) for now, before in zip((X, y, weights), kept))


def bad(change):
    X, y = made_up_table(n_rows=10)
    return change(X, y)


def with_value(array, value):
    array = array.copy()
    array.flat[3] = value
    return array


BAD_TABLES = {
    "NaN in X": (lambda X, y: (with_value(X, np.nan), y), "contains NaN"),
    "infinity in X": (lambda X, y: (with_value(X, -np.inf), y), "contains infinity"),
    "NaN in y": (lambda X, y: (X, with_value(y, np.nan)), "contains NaN"),
    "infinity in y": (lambda X, y: (X, with_value(y, np.inf)), "contains infinity"),
    "too large for float64": (lambda X, y: (with_value(X.astype(object), "1e400"), y), "contains infinity"),
    "text in X": (lambda X, y: (with_value(X.astype(object), "many"), y), "could not convert"),
    "text in y": (lambda X, y: (X, with_value(y.astype(object), "many")), "could not convert"),
    "complex numbers": (lambda X, y: (X + 1j, y), "Complex data not supported"),
    "no rows": (lambda X, y: (X[:0], y[:0]), "0 sample"),
    "one row": (lambda X, y: (X[:1], y[:1]), "1 sample"),
    "no columns": (lambda X, y: (X[:, :0], y), "0 feature"),
    "one dimension": (lambda X, y: (X[:, 0], y), "Expected 2D array"),
    "three dimensions": (lambda X, y: (X[None], y), "3"),
    "two targets": (lambda X, y: (X, np.column_stack([y, y])), "y should be a 1d array"),
    "unequal lengths": (lambda X, y: (X, y[:-1]), "inconsistent numbers of samples"),
    "ragged rows": (lambda X, y: ([[1.0, 2.0], [3.0]], y[:2]), "inhomogeneous|sequence"),
    "no y": (lambda X, y: (X, None), "y cannot be None|requires y"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_a_bad_table_gives_the_usual_error(name):
    change, message = BAD_TABLES[name]
    X, y = bad(change)
    with pytest.raises(ValueError, match=message):
        IntronRegressor(max_evals=1_000).fit(X, y)


FAULTY_COLUMNS = {
    "words": (["u", "v"] * 5, "column 'b' holds 'u', which is no number"),
    "categories": (pd.Categorical(["u", "v"] * 5), "column 'b' holds 'u', which is no number"),
    "words after numbers": ([1.0] * 9 + ["many"], "column 'b' holds 'many', which is no number"),
    "dates": (pd.date_range("2026", periods=10), "column 'b' holds dates or times"),
    "durations": (pd.to_timedelta(range(10), unit="s"), "column 'b' holds dates or times"),
    "gaps": (pd.array([None, *range(9)], dtype="Int64"), "contains NaN"),
}


@pytest.mark.parametrize("name", FAULTY_COLUMNS)
def test_a_column_without_numbers_is_named(name):
    column, message = FAULTY_COLUMNS[name]
    X, y = made_up_table(n_rows=10)
    good = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    with pytest.raises(ValueError, match=message):
        IntronRegressor(max_evals=1_000).fit(good.assign(b=column), y)
    with pytest.raises(ValueError, match=message):
        IntronRegressor(max_evals=1_000).fit(good, y).predict(good.assign(b=column))


WRONG_KINDS = {
    "dates alone": (lambda X, y: (pd.DataFrame({"d": pd.date_range("2026", periods=10)}), y), "column 'd' holds dates or times"),
    "an array of dates": (lambda X, y: (X.astype("datetime64[D]"), y), "X holds dates or times"),
    "dates to learn": (lambda X, y: (X, pd.Series(pd.date_range("2026", periods=10))), "y holds dates or times"),
    "a date of polars": (lambda X, y: (polars().DataFrame({"d": list(pd.date_range("2026", periods=10).date)}), y), "column 'd' holds dates"),
    "a dictionary": (lambda X, y: ({"a": y}, y), r"X is a dictionary: give pandas.DataFrame\(X\)"),
    "masked cells": (lambda X, y: (np.ma.masked_less(X, np.median(X)), y), "X has masked values"),
    "masked targets": (lambda X, y: (X, np.ma.masked_less(y, np.median(y))), "y has masked values"),
    "a lazy table": (lambda X, y: (polars().DataFrame(X).lazy(), y), r"X is a lazy table: give X.collect\(\)"),
}


def polars():
    return pytest.importorskip("polars")


@pytest.mark.parametrize("name", WRONG_KINDS)
def test_what_is_no_table_of_numbers_is_never_taken_for_one(name):
    change, message = WRONG_KINDS[name]
    with pytest.raises(ValueError, match=message):
        IntronRegressor(max_evals=1_000).fit(*change(*made_up_table(n_rows=10)))


def test_a_formula_takes_whatever_is_a_table_of_numbers():
    formula = intron.Formula("a + 2 * b", ["a", "b"])
    rows = [[1.0, 2.0], [3.0, 4.0]]
    frame = pd.DataFrame(rows, columns=["a", "b"])
    for table in (rows, np.array(rows, dtype=int), np.array(rows, dtype=np.float32), np.asfortranarray(rows), frame):
        assert list(formula(table)) == list(formula.predict(table)) == [5.0, 11.0]
    for table in (rows[0], [rows], 3.0):
        with pytest.raises(ValueError, match="a table has rows and columns, not [013] dimensions"):
            formula(table)
    with pytest.raises((ValueError, TypeError)):
        formula([["x", "y"]])


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    X, y = made_up_table(n_rows=10)
    model = IntronRegressor(max_evals=1_000).fit(X, y)
    with pytest.raises(FileNotFoundError, match=r"model.json: there is no folder .*none; make it first"):
        model.save(tmp_path / "none" / "model.json")
    with pytest.raises(IsADirectoryError, match="is a folder; give the name of a file"):
        model.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_two_columns_of_one_name_are_refused():
    X, y = made_up_table(n_rows=10)
    with pytest.raises(ValueError, match="two columns are named 'a'|two features are named `a`"):
        IntronRegressor(max_evals=1_000).fit(pd.DataFrame(X[:, :2], columns=["a", "a"]), y)


@pytest.mark.parametrize("change", [lambda X: X[:, :-1], lambda X: np.column_stack([X, X]), lambda X: X[0]])
def test_predicting_another_width_gives_the_usual_error(change):
    X, y = made_up_table()
    model = IntronRegressor(max_evals=1_000).fit(X, y)
    with pytest.raises(ValueError, match="features|2D"):
        model.predict(change(X))


@pytest.mark.parametrize("weights", [np.full(60, -1.0), np.full(60, np.nan), np.ones(59), np.zeros(60), np.full(60, 1e308)])
def test_weights_that_make_no_sense_are_an_error(weights):
    X, y = made_up_table()
    with pytest.raises(ValueError, match=r"(?i)sample.?weight|weights" if weights[0] > 0 else r"sample_weight\[0\] is -1|non-zero|NaN|every weight is zero"):
        IntronRegressor(max_evals=1_000).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("value", [0.0, -0.0, 3.25, -1e300, 5e-324])
def test_a_constant_target_is_fitted_by_that_constant(value):
    X, _ = made_up_table()
    model = IntronRegressor().fit(X, np.full(len(X), value))
    assert np.array_equal(model.predict(X), np.full(len(X), value))
    assert len(model.pareto_front_) == 1


ENDS_OF_FLOAT64 = {
    "huge": lambda X, y: (1e307 * X, 1e307 * y),
    "tiny": lambda X, y: (5e-324 * np.round(X), 5e-324 * np.round(4 * y)),
    "constant columns": lambda X, y: (np.ones_like(X), y),
    "two rows": lambda X, y: (X[:2], y[:2]),
    "equal rows": lambda X, y: (np.repeat(X[:1], len(y), axis=0), y),
    "many columns": lambda X, y: (np.tile(X, 500), y),
}


@pytest.mark.parametrize("name", ENDS_OF_FLOAT64)
def test_a_strange_table_gives_finite_predictions_or_an_ordinary_error(name):
    X, y = ENDS_OF_FLOAT64[name](*made_up_table())
    try:
        model = IntronRegressor(max_evals=3_000).fit(X, y)
    except (ValueError, RuntimeError) as error:
        assert "a bug in intron" not in str(error)
    else:
        assert np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize(
    "arguments",
    [
        {"height": 0}, {"height": 10**6}, {"height": "high"}, {"height": 2.5}, {"height": True}, {"height": -1}, {"height": 10**30},
        {"max_evals": -1}, {"max_evals": 0.5}, {"max_evals": float("nan")}, {"max_time": -1}, {"max_time": float("inf")},
        {"max_time": float("nan")}, {"operators": []}, {"operators": ["__import__('os')"]}, {"operators": [1, 2]},
        {"linkage": "none of these"}, {"constants_range": (2, 1)}, {"constants_range": (float("nan"), 1)}, {"constants_range": 7},
        {"n_jobs": 0}, {"n_jobs": "all"}, {"random_state": -1}, {"random_state": "seed"}, {"model_selection": "worst"},
        {"population_size": 0}, {"memory_limit": -1}, {"target_r2": float("nan")}, {"callbacks": 3}, {"init_grow": 7.0},
    ],
    ids=str,
)  # fmt: skip
def test_an_argument_that_makes_no_sense_is_an_error(arguments):
    X, y = made_up_table()
    with pytest.raises((ValueError, TypeError)):
        IntronRegressor(**{"max_evals": 1_000, **arguments}).fit(X, y)


DEEP_FORMULAS = {
    "parentheses": "'(' * 100_000 + 'x' + ')' * 100_000",
    "functions": "'sin(' * 90_000 + 'x' + ')' * 90_000",
    "signs": "'-' * 90_000 + 'x'",
    "powers": "'x' + '^x' * 10_000",
    "sums": "'x' + '+x' * 5_000",
    "too many nodes": "'x' + '+x' * 100_000",
    "never closed": "'(' * 1_000_000",
    "a long name": "'x' * 10_000_000",
    "a long number": "'1' * 1_000_000",
}


@pytest.mark.parametrize("name", DEEP_FORMULAS)
def test_a_deep_formula_does_not_end_the_interpreter(name):
    printed = run_script(
        f"""
import copy, pickle, numpy, threading
from intron import Formula
from intron.symbolic import to_sympy
def use():
    try:
        formula = Formula({DEEP_FORMULAS[name]}, ["x"])
    except ValueError:
        print("refused")
        return
    values = formula.predict(numpy.array([[0.5], [1.0]]))
    assert values.shape == (2,)
    assert pickle.loads(pickle.dumps(formula)) == formula == copy.deepcopy(formula)
    assert hash(pickle.loads(pickle.dumps(formula))) == hash(formula)
    assert len(formula.nodes()) == formula.n_nodes
    for format in ("text", "latex", "sympy", "python"):
        formula.format(format)
    formula.rounded(3), str(formula), repr(formula)
    try:
        to_sympy(formula)
    except RecursionError:
        pass
    print("used")
# A thread's stack is smaller than that of the main thread.
thread = threading.Thread(target=use)
thread.start()
thread.join()
"""
    )
    assert printed.strip() in ("used", "refused")


def test_a_callback_ends_the_search():
    X, y = made_up_table()
    seen = []

    def third(details):
        seen.append(details)
        return len(seen) == 3

    model = IntronRegressor(callbacks=third).fit(X, y)
    assert len(seen) == 3
    assert model.n_generations_ == 3
    assert model.stop_reason_ == "interrupted"
    assert set(seen[0]) == {"n_evaluations", "n_generations", "seconds", "r2", "size"}
    assert [details["n_generations"] for details in seen] == [1, 2, 3]


def test_callbacks_count_on_after_a_warm_start():
    X, y = made_up_table()
    seen = []
    model = IntronRegressor(population_size=50, generations=3, height=4, warm_start=True, callbacks=seen.append)
    model.fit(X, y)
    assert [details["n_generations"] for details in seen] == [1, 2, 3]
    r2 = seen[-1]["r2"]
    seen.clear()
    model.fit(X, y)
    assert seen[-1]["n_generations"] == model.n_generations_ > 3
    # The last generation before a limit is done again, in whole.
    assert [details["n_generations"] for details in seen][0] in (3, 4)
    assert all(details["r2"] >= r2 and details["seconds"] > 0 for details in seen)


def test_every_callback_is_asked_and_sees_its_own_details():
    X, y = made_up_table()
    seen = []
    IntronRegressor(generations=2, callbacks=[lambda details: details.clear(), lambda details: seen.append(len(details))]).fit(X, y)
    assert seen == [5, 5]


@pytest.mark.parametrize("raised", [ZeroDivisionError("of the callback"), SystemExit(3), KeyError("key")], ids=repr)
def test_what_a_callback_raises_is_raised_and_the_formulas_are_kept(raised):
    X, y = made_up_table()

    def raising(details):
        if details["n_generations"] == 2:
            raise raised

    model = IntronRegressor(callbacks=raising)
    with pytest.raises(type(raised)) as caught:
        model.fit(X, y)
    assert caught.value is raised
    assert model.n_generations_ == 2
    assert np.isfinite(model.predict(X)).all()


def test_a_callback_may_search_itself():
    X, y = made_up_table()
    found = []

    def searching(details):
        found.append(front_of(IntronRegressor(max_evals=1_000).fit(X, y)))

    IntronRegressor(generations=2, callbacks=searching).fit(X, y)
    assert found == [front_of(IntronRegressor(max_evals=1_000).fit(X, y))] * 2


def test_examples_in_native_documentation_hold():
    results = doctest.testmod(sys.modules["intron._native"])
    assert results.attempted > 0
    assert results.failed == 0
