"""Names of columns are input: whatever they are, they are never run, and come through every form of a model."""

import pickle

import numpy as np
import pytest
from helpers import front_of, made_up_table

from intron import Formula, IntronRegressor, load

pandas = pytest.importorskip("pandas")

NAMES = {
    "code": "__import__('os').system('touch hacked')",
    "code for Python's exec": "x0\nimport os; os.system('touch hacked')",
    "code for LaTeX": r"\immediate\write18{touch hacked}",
    "code for pages": "<script>alert('hacked')</script>",
    "backticks": "a`b``c`",
    "only a backtick": "`",
    "quotes": "\"it's\"",
    "newlines": "a\nb\r\nc\td",
    "backslashes": "\\n\\",
    "braces": "{0} %s {x!r} $y$ #1 & ~ ^ _",
    "empty": "",
    "blanks": "  ",
    "unicode": "температура 温度 🌡 é e\u0301",
    "right to left": "\u202eabc\u202c",
    "zero byte": "a\0b",
    "long": "very " * 20_000 + "long",
    "a number": "1.5",
    "negative": "-1e5",
    "an operator": "sin",
    "a formula": "x0 + x1",
    "a constant": "pi",
    "not a number": "nan",
    "a word of SymPy": "lambda",
    "numbered": "x1",
}


@pytest.fixture(scope="module", params=NAMES)
def fitted(request):
    X, y = made_up_table()
    table = pandas.DataFrame(X, columns=[NAMES[request.param], "second", "third"])
    return IntronRegressor(max_evals=10_000).fit(table, X[:, 0] * X[:, 1] + X[:, 0]), table


@pytest.fixture(autouse=True)
def nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "hacked").exists()


def same(model, again, table):
    assert front_of(again) == front_of(model)
    assert list(again.feature_names_in_) == list(model.feature_names_in_)
    assert np.array_equal(again.predict(table), model.predict(table))


def test_a_model_fits_and_predicts(fitted):
    model, table = fitted
    assert list(model.feature_names_in_) == list(table.columns)
    assert model.score(table, table.iloc[:, 0] * table.iloc[:, 1] + table.iloc[:, 0]) > 0.999999


def test_a_formula_reads_its_own_text(fitted):
    model, table = fitted
    formula = model.model_
    again = Formula(formula.text, formula.names)
    assert again == formula
    assert again.names == list(table.columns)


def test_pickle_and_files_bring_the_model_back(fitted, tmp_path):
    model, table = fitted
    same(model, pickle.loads(pickle.dumps(model)), table)
    model.save(tmp_path / "model.json")
    same(model, load(tmp_path / "model.json"), table)


def test_sympy_gives_the_same_values(fitted):
    import sympy

    model, table = fitted
    expression = model.sympy()
    symbols = {symbol.name: symbol for symbol in expression.free_symbols}
    assert set(symbols) == set(table.columns[:2])
    first = {symbols[name]: sympy.Float(table[name].iloc[0]) for name in symbols}
    assert float(expression.subs(first)) == pytest.approx(model.predict(table)[0])


def test_every_text_form_is_made(fitted):
    model, _ = fitted
    for form in (model.latex(), model.latex_table(), str(model), repr(model), model.get_model(), model._repr_html_()):
        assert isinstance(form, str)
    assert len(model.equations_) == len(model.pareto_front_)
    assert "<script>" not in model._repr_html_()


def test_text_for_python_has_numbers_for_names(fitted):
    model, table = fitted
    columns = {f"x{index}": table.iloc[:, index].to_numpy() for index in range(3)}
    values = eval(model.export("python"), {"np": np, **columns})
    assert values == pytest.approx(model.predict(table))


def test_latex_calls_no_command_of_a_name(fitted):
    model, _ = fitted
    assert r"\write18{" not in model.latex()


def test_two_columns_of_one_name():
    X, y = made_up_table()
    table = pandas.DataFrame(X, columns=["a", "a", "b"])
    model = IntronRegressor(max_evals=5_000)
    try:
        model.fit(table, y)
    except ValueError as error:
        assert "a" in str(error)
    else:
        same(model, pickle.loads(pickle.dumps(model)), table)


def test_names_that_are_no_text_are_numbered():
    X, y = made_up_table()
    model = IntronRegressor(max_evals=1_000).fit(pandas.DataFrame(X), y)
    assert not hasattr(model, "feature_names_in_")
    assert model.model_.names == ["x0", "x1", "x2"]


def test_columns_of_polars_appear_in_the_formula_and_are_checked():
    polars = pytest.importorskip("polars")
    X, y = made_up_table()
    table = polars.DataFrame({"wind speed": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    model = IntronRegressor(max_evals=5_000).fit(table, polars.Series("target", y))
    assert model.model_.names == ["wind speed", "b", "c"]
    same_as_array = IntronRegressor(max_evals=5_000).fit(X, y)
    assert np.array_equal(model.predict(table), same_as_array.predict(X))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table.select("b", "wind speed", "c"))
    with pytest.raises(ValueError, match="column 'b' holds 'u'"):
        model.predict(table.with_columns(b=polars.Series(["u"] * len(y))))
