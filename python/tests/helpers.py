"""Made-up tables, fronts as plain values, and scripts run by another Python."""

import subprocess
import sys

import numpy as np


def made_up_table(n_rows=60, n_columns=3, seed=0):
    """Columns of numbers, and a target that no small formula meets."""
    random = np.random.default_rng(seed)
    X = random.uniform(-2, 3, size=(n_rows, n_columns))
    y = X[:, 0] * X[:, 1] + np.sin(3 * X[:, -1]) + random.normal(scale=0.1, size=n_rows)
    return X, y


def front_of(model):
    """Every formula with its numbers, to be compared bit by bit."""
    return [
        (entry["complexity"], entry["formula"].text, entry["loss"].hex(), entry["r2"].hex())
        for entry in model.pareto_front_
    ]


def run_script(script, *arguments, seconds=120):
    """What a script prints, run by a Python of its own that has to end well."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, f"ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout
