"""The experiments on quality: their equations, and the judge of what was found."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from intron import Formula
from intron.symbolic import to_sympy

pytest.importorskip("tomllib", reason="from Python 3.11 on")
sys.path.insert(0, str(Path(__file__).parents[2] / "experiments" / "quality"))

import equations  # noqa: E402
import methods  # noqa: E402
import recover  # noqa: E402
import runner  # noqa: E402
from checker import Checker  # noqa: E402

EQUATIONS = equations.read()
TASK = {
    "equation": "kinetic-energy", "noise": 0.0, "seed": 1, "method": "intron height=4", "operators": "+,*,square",
    "seconds": None, "evaluations": 20_000,
}  # fmt: skip


def answers(name, text):
    equation = EQUATIONS[name]
    return Checker(equation).check(to_sympy(Formula(text, equation.names)))


@pytest.mark.parametrize("name", EQUATIONS)
def test_an_equation_is_finite_on_its_ranges_and_mostly_beyond(name):
    equation = EQUATIONS[name]
    _, y = equation.draw(equations.rng(equation, 0, "test of ranges"), 5000)
    assert np.isfinite(y).all()
    assert np.std(y) > 1e-3
    assert len(equation.draw_wider(equations.rng(equation, 0, "test of ranges"), 1000)[1]) == 1000


def test_there_are_equations_of_many_fields():
    assert len(EQUATIONS) >= 40
    fields = {"physics", "chemistry", "biology", "engineering", "finance", "statistics", "synthetic"}
    assert {equation.field for equation in EQUATIONS.values()} == fields


def test_noise_is_on_training_rows_only_and_the_rows_stay_the_same():
    equation = EQUATIONS["hill"]
    clean, noisy = (equations.make_data(equation, 3, level) for level in (0.0, 0.1))
    assert (clean.X_train == noisy.X_train).all()
    assert (clean.y_test == noisy.y_test).all()
    share = np.std(noisy.y_train - clean.y_train) / np.std(clean.y_train)
    assert 0.08 < share < 0.12


EQUAL = [
    ("parallel-resistors", "1 / (1 / r1 + 1 / r2)"),
    ("kinetic-energy", "v * (m * v) / 2.0000000001"),
    ("log-wind-profile", "2.5 * u * log(z) - 2.5 * u * log(z0)"),
    ("compound-interest", "c * square(exp(r * t / 2))"),
    ("michaelis-menten", "2.5 - 2 / (0.8 + s)"),
    ("beats", "2 * sin((w1 + w2) * t / 2) * cos((w1 - w2) * t / 2)"),
    ("newton-cooling", "T1 * exp(-k * t) + T0 - T0 * exp(-k * t) + 1e-12"),
    ("pendulum-period", "6.2832 / sqrt(g / l)"),
]


@pytest.mark.parametrize(("name", "text"), EQUAL)
def test_rewritten_forms_are_equal(name, text):
    assert answers(name, text) == {"exact": True, "symbolic": True, "form": True}


RIGHT_FORM = [
    ("kinetic-energy", "0.003 + 0.4998 * (m * square(v))"),
    ("michaelis-menten", "2.53 * s / (s + 0.81)"),
    ("lotka-volterra-prey", "0.01 + 0.41 * (x * (2.7 - y))"),
    ("barometric-formula", "1.01 * p0 * exp(-0.12 * h)"),
    # As programs of single precision leave it.
    ("kinetic-energy", "0.500002 * m * square(v) + 0.0001 * v"),
]


@pytest.mark.parametrize(("name", "text"), RIGHT_FORM)
def test_the_right_form_with_other_constants_is_told_apart(name, text):
    assert answers(name, text) == {"exact": False, "symbolic": False, "form": True}


WRONG = [
    # A part that is idle once the constants are right.
    ("kinetic-energy", "0.5 * m * square(v) + 0.5 * m"),
    ("michaelis-menten", "2.5 * s / (0.8 + s + 0.002 * square(s))"),
    # Good fits, but other formulas.
    ("hill", "square(x) / (square(k) + square(x) + 0.01 * k)"),
    ("nguyen-two-waves", "sin(x) + sin(y * sqrt(y * y * y * y * y) / sqrt(y * y * y + 0.1))"),
    ("pendulum-period", "6.2832 * sqrt(l / (g + 0.01 * l))"),
    ("lotka-volterra-prey", "1.1 * x - 1.1 * x * y"),
    ("kinetic-energy", "m * v"),
    ("kinetic-energy", "0 / (m - m)"),
]


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_near_misses_are_no_solutions(name, text):
    assert answers(name, text) == {"exact": False, "symbolic": False, "form": False}


def test_every_criterion_chooses_from_the_same_front():
    front = [
        {"size": 1, "mse": 1.0, "bic": 9.0, "mdl": 4.0},
        {"size": 3, "mse": 0.10, "bic": 5.0, "mdl": 3.0},
        {"size": 5, "mse": 0.09, "bic": 4.0, "mdl": 5.0},
        {"size": 9, "mse": 0.08, "bic": 6.0, "mdl": 6.0},
    ]
    assert methods.choices(front) == {"accuracy": 3, "best": 1, "score": 1, "bic": 2, "mdl": 1}
    without = [{key: entry[key] for key in ("size", "mse")} for entry in front]
    assert set(methods.choices(without)) == {"accuracy", "best", "score"}
    assert methods.choices([]) == {}


def test_a_search_is_judged_and_counted():
    line = {"task": TASK, "status": "ok", **json.loads(json.dumps(recover.recover(TASK)))}
    assert line["front"][line["chosen"]["default"]]["symbolic"] is True
    failed = {"task": {**TASK, "seed": 2}, "status": "ended after 1 s"}
    rows = recover.table([line, failed], "exact").splitlines()[2:]
    assert "| intron height=4 | 50.0 | 2 |" in rows
    assert "| intron height=4 [score] | 50.0 | 2 |" in rows


def test_results_are_read_again_but_for_a_line_that_was_cut_off(tmp_path):
    file = tmp_path / "lines.jsonl"
    whole = json.dumps({"task": TASK, "status": "ok"})
    file.write_text(whole + "\n" + whole[:30])
    assert list(runner.read(file)) == [runner.key(TASK)]


def test_a_method_that_cannot_be_read_is_refused():
    assert methods.Method.read("tuned: intron height=6").arguments == {"height": "6"}
    for text in ("", "introns", "intron height"):
        with pytest.raises(ValueError, match="write"):
            methods.Method.read(text)
