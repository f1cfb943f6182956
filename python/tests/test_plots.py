"""Pictures: what they show, and that odd values do not stop them."""

import numpy as np
import pandas as pd
import pytest

from intron import IntronRegressor, plots

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

X = pd.DataFrame(np.random.default_rng(0).uniform(1, 2, (40, 2)), columns=["a", "b"])
Y = pd.Series(X["a"] * X["b"] + np.sin(9 * X["a"]), name="y_$")


@pytest.fixture(scope="module")
def model():
    return IntronRegressor(max_evals=3000).fit(X, Y)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    matplotlib.pyplot.close("all")


def test_the_front_has_a_point_for_each_formula_and_marks_the_chosen(model):
    ax = model.plot_front()
    _, points, chosen = ax.get_lines()
    assert len(points.get_xdata()) == len(model.pareto_front_)
    assert list(chosen.get_ydata()) == [model.pareto_front_[model._place(None)]["r2"]]
    assert "R²" in ax.get_ylabel() and "size" in ax.get_xlabel()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["best of its size", "chosen"]


def test_the_fit_is_drawn_on_given_axes_with_the_name_of_the_target(model, tmp_path):
    figure, ax = matplotlib.pyplot.subplots()
    assert model.plot_fit(X, Y, index=0, ax=ax) is ax
    assert ax.get_xlabel() == "true y_$"
    assert ax.get_title() == f"R² = {model.pareto_front_[0]['r2']:.4f} on 40 rows"
    figure.savefig(tmp_path / "fit.png")


def test_rows_without_a_value_are_counted_and_not_drawn(tmp_path):
    ax = plots.plot_fit(np.array([1.0, 2.0, 3.0]), np.array([1.0, np.nan, np.inf]))
    assert ax.get_title() == "no value for 2 of 3 rows"
    ax.figure.savefig(tmp_path / "fit.png")
