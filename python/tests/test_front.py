"""What goes into the front: complexity, several formulas of a size, known formulas, own operators."""

import numpy as np
import pytest

import intron
from intron import IntronRegressor

RNG = np.random.default_rng(5)
X = RNG.uniform(-2, 2, (120, 3))
Y = 1 / (1 + np.exp(-X[:, 0] * X[:, 1])) + 0.3 * X[:, 2] + RNG.normal(0, 0.05, 120)


def test_costs_are_the_complexity():
    model = IntronRegressor(max_evals=10_000, complexity="cost", costs={"sin": 4, "/": 3}).fit(X, Y)
    for entry in model.pareto_front_:
        assert entry["complexity"] >= entry["size"]
    assert list(model.equations_["complexity"]) == sorted(set(model.equations_["complexity"]))


def test_several_formulas_of_each_size_leave_the_choice_as_it_is(tmp_path):
    plain = IntronRegressor.paper(max_evals=10_000, model_selection="best").fit(X, Y)
    several = IntronRegressor.paper(max_evals=10_000, model_selection="best", per_size=3).fit(X, Y)
    assert str(several.model_) == str(plain.model_)
    table = several.equations_
    assert len(table) > len(plain.equations_)
    assert list(table[table["rank"] == 1]["equation"]) == list(plain.equations_["equation"])
    other = int(table.index[table["rank"] == 2][0])
    assert not np.allclose(several.predict(X, index=other), several.predict(X, index=other - 1))
    several.save(tmp_path / "model.json")
    again = intron.load(tmp_path / "model.json")
    assert [entry["rank"] for entry in again.pareto_front_] == list(table["rank"])
    assert str(again.model_) == str(plain.model_)


def test_known_formulas_are_scored_beside_the_front(tmp_path):
    model = IntronRegressor.paper(max_evals=5_000, start=["x0 * x1", "sin(x2) + x0^2"]).fit(X, Y)
    assert [entry["complexity"] for entry in model.start_] == [3, 5]
    assert str(model).count("yours") == 2 and model._repr_html_().count("yours") == 2
    best = model.pareto_front_[-1]["loss"]
    assert all(best <= entry["loss"] for entry in model.start_)
    model.save(tmp_path / "model.json")
    assert len(intron.load(tmp_path / "model.json").start_) == 2
    with pytest.raises(ValueError, match="needs `exp`"):
        IntronRegressor.paper(max_evals=100, start="exp(x0)").fit(X, Y)


def test_an_operator_of_ones_own_is_written_out():
    model = IntronRegressor(max_evals=20_000, operators=["+", "*", "logistic(a) = 1/(1+exp(-a))"]).fit(X, Y)
    assert any("exp" in entry["equation"] for entry in model.pareto_front_)
    assert all("logistic" not in entry["equation"] for entry in model.pareto_front_)
    expression = model.sympy()
    rows = [{symbol: row[int(symbol.name[1:])] for symbol in expression.free_symbols} for row in X[:5]]
    values = np.asarray([float(expression.subs(row)) for row in rows])
    np.testing.assert_allclose(values, model.predict(X[:5]), rtol=1e-9)


def test_a_search_whose_initial_formulas_are_all_too_large_says_so():
    with pytest.raises(RuntimeError, match="every initial formula was larger than max_size"):
        IntronRegressor.paper(max_evals=1_000, max_size=3, init_grow=0, height=4).fit(X, Y)
    with pytest.raises(RuntimeError, match="no formula had a finite value"):
        IntronRegressor(max_time=1e-9).fit(X, Y)
