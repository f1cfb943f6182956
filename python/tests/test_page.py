"""The page about a fit: whole, with both kinds of rows, and the same again."""

import numpy as np
import pytest

from intron import IntronRegressor


@pytest.fixture(scope="module")
def fitted():
    X = np.random.default_rng(0).uniform(1, 5, size=(120, 2))
    y = 2.5 * X[:, 0] / X[:, 1] + np.sin(X[:, 0])
    return IntronRegressor(max_evals=5_000, random_state=1).fit(X[:90], y[:90]), X, y


def test_a_fit_has_a_page_that_needs_no_network(fitted, tmp_path):
    model, X, y = fitted
    model.report(tmp_path / "page.html", X[:90], y[:90], X[90:], y[90:])
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert "90 rows to learn from, 30 rows held out" in page
    assert "default-src 'none'" in page
    assert f"{len(model.pareto_front_)} formulas" in page
    assert "R² over evaluations" in page
    model.report(tmp_path / "again.html", X[:90], y[:90], X[90:], y[90:])
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_the_page_takes_weights_and_refuses_half_a_test_set(fitted, tmp_path):
    model, X, y = fitted
    model.report(tmp_path / "page.html", X[:90], y[:90], sample_weight=np.ones(90))
    assert "held out" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="belong together"):
        model.report(tmp_path / "other.html", X, y, X_test=X)
    with pytest.raises(ValueError, match="features"):
        model.report(tmp_path / "other.html", X[:, :1], y)
    assert not (tmp_path / "other.html").exists()


def test_rows_of_another_fit_are_refused(fitted, tmp_path):
    model, X, y = fitted
    for rows in [(X[:90], y[89::-1]), (X[:10], y[:10])]:
        with pytest.raises(ValueError, match="not the rows of the fit"):
            model.report(tmp_path / "other.html", *rows)
        with pytest.raises(ValueError, match="not the rows of the fit"):
            model.null_test(*rows, n=1)
    assert not (tmp_path / "other.html").exists()


@pytest.mark.parametrize("arguments", [{"calibration_fraction": 0.25}, {"model_selection": "validation"}])
def test_rows_of_another_fit_are_refused_where_scores_are_those_on_a_part(arguments, tmp_path):
    X = np.random.default_rng(2).uniform(1, 5, size=(90, 2))
    y = X[:, 0] / X[:, 1] + np.sin(X[:, 0])
    model = IntronRegressor(max_evals=3000, random_state=0, **arguments).fit(X, y)
    for rows in [(X[::-1], y[::-1]), (X, y, np.ones(90))]:
        weights = {"sample_weight": rows[2]} if len(rows) == 3 else {}
        assert model.null_test(*rows[:2], n=1, **weights)["n"] == 1
        model.report(tmp_path / "page.html", *rows[:2], **weights)
    model.set_params(model_selection="accuracy").null_test(X, y, n=1)
    model.set_params(**arguments)
    with pytest.raises(ValueError, match="not the rows of the fit"):
        model.null_test(X + 1, y, n=1)
    with pytest.raises(ValueError, match="not the rows of the fit"):
        model.report(tmp_path / "other.html", X, y[::-1])
    assert not (tmp_path / "other.html").exists()


@pytest.mark.parametrize("name", ["data.csv", "model.json", "page"])
def test_a_page_is_never_written_over_another_kind_of_file(fitted, tmp_path, name):
    model, X, y = fitted
    (tmp_path / name).write_text("mine")
    with pytest.raises(ValueError, match=r"ends in \.html"):
        model.report(tmp_path / name, X[:90], y[:90])
    assert (tmp_path / name).read_text() == "mine"
