"""The page about a fit: what `intron report` writes for a run of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import _native, settings, trust
from .files import _number, _write_whole


def write(estimator: Any, path: Any, rows: tuple, weights: Any, test: tuple | None) -> None:
    """Writes the page of a fitted estimator; rows are those of its fit. It replaces what is there, so it takes only names of
    pages."""
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"{path}: a page is written to a file that ends in .html, such as report.html")
    trust.refuse_other_rows(estimator, (*rows, weights), "give rows that were held out as X_test and y_test")
    model = json.dumps(estimator._to_json(), allow_nan=False)
    run = json.dumps(_run(estimator), allow_nan=False)
    _write_whole(path, _native.report(model, run, rows, weights, test))


def _run(estimator: Any) -> dict[str, Any]:
    """What is known of the search, with the names of `run.json`."""
    details = getattr(estimator, "run_details_", {})
    columns = [details.get(name, []) for name in ("n_evaluations", "seconds", "r2")]
    trace = [
        {"n_evaluations": n_evaluations, "seconds": _number(seconds), "r2_train": _number(r2)}
        for n_evaluations, seconds, r2 in zip(*columns)
    ]
    run = {
        "format": "intron-run",
        "n_evaluations": getattr(estimator, "n_evaluations_", None),
        "n_generations": getattr(estimator, "n_generations_", None),
        "seconds": _number(getattr(estimator, "seconds_", 0.0)),
        "stop_reason": getattr(estimator, "stop_reason_", None),
        "seed": getattr(estimator, "seed_", 0),
        "versions": {"intron": _native.__version__},
        "settings": dict(settings.pairs(estimator._settings())),
        "trace": trace,
    }
    return run
