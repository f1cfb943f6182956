"""Five data sets, split five times: how well do formulas predict rows that were held out, and how large are they?"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path
from typing import Any

import numpy as np

import runner
from checker import n_nodes
from methods import Limits, Method, Task, operators_named, search

METHODS = ["intron", "pyoperon", "gplearn"]
PROBLEMS = ["airfoil", "bike", "concrete", "dowchemical", "tower"]
TEST_FRACTION = 0.25
_REPOSITORY = Path(__file__).parents[2]
DATA_DIR = Path(os.environ.get("INTRON_DATA_DIR", _REPOSITORY.parent / "shared" / "data"))


def read_problem(file: Path) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """A table whose last column is the target."""
    with open(file, encoding="utf-8") as stream:
        names = stream.readline().strip().split(",")
    rows = np.loadtxt(file, delimiter=",", skiprows=1)
    return np.ascontiguousarray(rows[:, :-1]), rows[:, -1], names[:-1]


def compare(task: dict[str, Any]) -> dict[str, Any]:
    """One search, and its scores. `data_dir` comes by the environment: it does not change the result."""
    from sklearn.model_selection import train_test_split

    X, y, names = read_problem(Path(os.environ["INTRON_DATA_DIR"]) / f"{task['problem']}.csv")
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=TEST_FRACTION, random_state=task["split"])
    limits = Limits(task["seconds"], task["evaluations"])
    wanted = Task(X_train, y_train, names, task["operators"].split(","), limits, task["split"])
    found = search(Method.read(task["method"]), wanted)
    front = [
        {
            "formula": str(candidate.expression),
            **{name: runner.number(value) for name, value in candidate.facts.items()},
            "nodes": n_nodes(candidate.expression),
            "train_r2": r2(candidate, X_train, y_train),
            "test_r2": r2(candidate, X_test, y_test),
        }
        for candidate in found.candidates
    ]
    return {
        "front": front,
        "chosen": found.chosen,
        "search_seconds": round(found.seconds, 3),
        "evaluations": found.evaluations,
        **found.details,
    }


def r2(candidate: Any, X: np.ndarray, y: np.ndarray) -> float | None:
    """R²; None where a prediction is not finite."""
    with np.errstate(all="ignore"):
        errors = np.asarray(candidate.predict(X), dtype=float) - y
        return runner.number(1 - np.mean(errors**2) / np.var(y))


# ---- tables ----------------------------------------------------------------------------------------------------------


def report(lines: list[dict[str, Any]]) -> str:
    """Medians over the splits, with the smallest and the largest value."""
    groups: dict[tuple[str, str], list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for line in lines:
        label = Method.read(line["task"]["method"]).label
        for criterion, place in line.get("chosen", {}).items():
            name = label if criterion == "default" else f"{label} [{criterion}]"
            groups.setdefault((line["task"]["problem"], name), []).append((line, line["front"][place]))
    head = ["problem, method", "test R²", "train R²", "nodes", "seconds", "evaluations", "splits"]
    rows = []
    for problem, name in sorted(groups, key=lambda place: (PROBLEMS.index(place[0]), place[1])):
        members = groups[problem, name]
        facts = [member for _, member in members]
        rows.append(
            [
                f"{problem}, {name}",
                _spread([member["test_r2"] for member in facts], "{:.3f}"),
                _spread([member["train_r2"] for member in facts], "{:.3f}"),
                _spread([member["nodes"] for member in facts], "{:.0f}"),
                f"{statistics.median(line['search_seconds'] for line, _ in members):.0f}",
                f"{statistics.median(line['evaluations'] for line, _ in members):.2g}",
                str(len(members)),
            ]
        )
    failures = "".join(f"- {line['task']}: {line['status']}\n" for line in lines if line["status"] != "ok")
    return runner.markdown(head, rows) + (f"\nFailed:\n\n{failures}" if failures else "")


def _spread(values: list[float | None], form: str) -> str:
    """Median (least to most). What is not finite counts as worse than anything."""
    known = [-np.inf if value is None else value for value in values]
    return f"{form.format(statistics.median(known))} ({form.format(min(known))} to {form.format(max(known))})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    runner.add_arguments(parser, 60.0, "outputs/quality/compare.jsonl", METHODS)
    parser.add_argument("--problems", default=",".join(PROBLEMS), help="names separated by commas (%(default)s)")
    parser.add_argument("--splits", default="1-5", help="such as 1,2,5 or 1-5 (%(default)s); also the seeds of the methods")
    parser.add_argument("--operators", help="for every method: small, large or a list (what Intron uses by default)")
    parser.add_argument("--data-dir", type=Path, default=DATA_DIR, help="where the CSV files are (%(default)s)")
    options = parser.parse_args()
    problems = options.problems.split(",")
    for problem in problems:
        if problem not in PROBLEMS:
            parser.error(f"no problem {problem}; known: {' '.join(PROBLEMS)}")
        if not (options.data_dir / f"{problem}.csv").exists():
            parser.error(f"no {problem}.csv in {options.data_dir}; give --data-dir or set INTRON_DATA_DIR")
    os.environ["INTRON_DATA_DIR"] = str(options.data_dir.resolve())
    methods = options.method or METHODS
    for text in methods:
        Method.read(text)
    tasks = [
        {
            "problem": problem,
            "split": split,
            "method": text,
            "operators": ",".join(operators_named(options.operators)),
            **runner.limits(options),
        }
        for split in runner.numbers(options.splits)
        for problem in problems
        for text in methods
    ]
    lines = runner.run(tasks, compare, options)
    runner.write_table(report(list(lines.values())), options)


if __name__ == "__main__":
    main()
