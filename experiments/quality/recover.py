"""Can the equations of equations.toml be found again from data with noise? One search for each equation, noise level, seed and method."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import equations
import runner
from checker import Checker, n_nodes
from methods import Limits, Method, Task, operators_named, search

METHODS = ["intron", "pyoperon", "gplearn"]
MEASURES = ("form", "exact", "symbolic")


def recover(task: dict[str, Any]) -> dict[str, Any]:
    """One search, and what came out of it."""
    equation = equations.read()[task["equation"]]
    data = equations.make_data(equation, task["seed"], task["noise"])
    limits = Limits(task["seconds"], task["evaluations"])
    wanted = Task(data.X_train, data.y_train, equation.names, task["operators"].split(","), limits, task["seed"])
    found = search(Method.read(task["method"]), wanted)
    start = time.perf_counter()
    checker = Checker(equation)
    front = [_facts(candidate, checker, data) for candidate in found.candidates]
    return {
        "truth": equation.formula.text,
        "front": front,
        "chosen": found.chosen,
        "search_seconds": round(found.seconds, 3),
        "check_seconds": round(time.perf_counter() - start, 3),
        "evaluations": found.evaluations,
        **found.details,
    }


def _facts(candidate: Any, checker: Checker, data: equations.Data) -> dict[str, Any]:
    with np.errstate(all="ignore"):
        errors = candidate.predict(data.X_test) - data.y_test
    return {
        "formula": str(candidate.expression),
        **{name: runner.number(value) for name, value in candidate.facts.items()},
        "nodes": n_nodes(candidate.expression),
        "test_r2": runner.number(1 - np.mean(errors**2) / np.var(data.y_test)),
        **checker.check(candidate.expression),
    }


# ---- tables ----------------------------------------------------------------------------------------------------------


def outcomes(line: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What was chosen by each criterion; `front` is the best that a choice could have got."""
    front = line.get("front") or []
    chosen = {name: front[place] for name, place in line.get("chosen", {}).items()}
    best = {measure: any(member[measure] for member in front) for measure in MEASURES}
    return chosen | ({"front": best} if len(chosen) > 1 else {})


def answers(lines: list[dict[str, Any]], measure: str) -> dict[tuple[str, str], list[tuple[dict[str, Any], bool]]]:
    """Tasks with whether they were solved, by method and criterion. A run that failed has solved nothing by any criterion."""
    labels = [Method.read(line["task"]["method"]).label for line in lines]
    found = [outcomes(line) for line in lines]
    criteria: dict[str, dict[str, None]] = {}
    for label, by_criterion in zip(labels, found):
        criteria.setdefault(label, {"default": None}).update(dict.fromkeys(by_criterion))
    solved: dict[tuple[str, str], list[tuple[dict[str, Any], bool]]] = {}
    for line, label, by_criterion in zip(lines, labels, found):
        for criterion in criteria[label] if not by_criterion else by_criterion:
            answer = bool(by_criterion.get(criterion, {}).get(measure))
            solved.setdefault((label, criterion), []).append((line["task"], answer))
    return solved


def table(lines: list[dict[str, Any]], measure: str) -> str:
    """Shares of runs that found the equation, in percent."""
    levels = sorted({line["task"]["noise"] for line in lines})
    rows = []
    for (label, criterion), solved in sorted(answers(lines, measure).items(), key=_place):
        name = label if criterion == "default" else f"{label} [{criterion}]"
        shares = [_share([answer for task, answer in solved if task["noise"] == level]) for level in levels]
        rows.append([name, *shares, str(len(solved))])
    return runner.markdown(["method", *(f"noise {level:g}" for level in levels), "runs"], rows)


def _place(item: tuple[tuple[str, str], Any]) -> tuple[str, bool]:
    """By method, its own choice first."""
    (label, criterion), _ = item
    return label, criterion != "default"


def _share(solved: list[bool]) -> str:
    return f"{100 * sum(solved) / len(solved):.1f}" if solved else ""


def by_equation(lines: list[dict[str, Any]], measure: str) -> str:
    """How often each method found each equation, all noise levels together."""
    solved = {label: tasks for (label, criterion), tasks in answers(lines, measure).items() if criterion == "default"}
    rows = []
    for name in dict.fromkeys(line["task"]["equation"] for line in lines):
        ours = [[answer for task, answer in tasks if task["equation"] == name] for tasks in solved.values()]
        rows.append([name, *(f"{sum(column)}/{len(column)}" for column in ours)])
    return runner.markdown(["equation", *solved], rows)


def report(lines: list[dict[str, Any]]) -> str:
    """All tables."""
    titles = {
        "form": "Found, but for the constants (%)",
        "exact": "Found with constants to 1e-6, by values (%)",
        "symbolic": "Found with constants to 1e-6, shown by SymPy (%)",
    }
    parts = [f"## {title}\n\n{table(lines, measure)}" for measure, title in titles.items()]
    parts.append(f"## By equation, but for the constants\n\n{by_equation(lines, 'form')}")
    failures = [line for line in lines if line["status"] != "ok"]
    undecided = sum(facts[measure] is None for line in lines for facts in line.get("front", []) for measure in MEASURES)
    parts.append(f"{len(lines)} runs, {len(failures)} failed (counted as not found), {undecided} questions undecided (as no).\n")
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    runner.add_arguments(parser, 10.0, "outputs/quality/recover.jsonl", METHODS)
    parser.add_argument("--equations", help="names separated by commas, or words of fields such as physics (all)")
    parser.add_argument("--noise", default="0,0.001,0.01,0.1", help="shares of the standard deviation (%(default)s)")
    parser.add_argument("--seeds", default="1-3", help="such as 1,2,5 or 1-5 (%(default)s)")
    parser.add_argument("--operators", default="large", help="for every method: small, large or a list (%(default)s)")
    options = parser.parse_args()
    known = equations.read()
    words = options.equations.split(",") if options.equations else list(known)
    unknown = set(words) - {word for equation in known.values() for word in (equation.name, equation.field)}
    if unknown:
        parser.error(f"no equation or field {', '.join(sorted(unknown))}")
    methods = options.method or METHODS
    for text in methods:
        Method.read(text)
    tasks = [
        {
            "equation": equation.name,
            "noise": float(noise),
            "seed": seed,
            "method": text,
            "operators": ",".join(operators_named(options.operators)),
            **runner.limits(options),
        }
        for seed in runner.numbers(options.seeds)
        for noise in options.noise.split(",")
        for equation in known.values()
        if equation.name in words or equation.field in words
        for text in methods
    ]
    lines = runner.run(tasks, recover, options)
    runner.write_table(report(list(lines.values())), options)


if __name__ == "__main__":
    main()
