"""Runs tasks in processes of their own and keeps the results as lines of JSON; what is there already is not done again."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import intron

Task = dict[str, Any]
Line = dict[str, Any]

_PACKAGES = ("intron", "pyoperon", "gplearn", "scikit-learn", "numpy", "sympy")


def add_arguments(parser: argparse.ArgumentParser, seconds: float, out: str, methods: list[str]) -> None:
    """The options that both experiments have."""
    parser.add_argument("--method", action="append", metavar="'[LABEL:] KIND KEY=VALUE …'", help=f"again and again; {methods}")
    parser.add_argument("--seconds", type=float, default=seconds, help="for each search (%(default)s)")
    parser.add_argument("--evaluations", type=float, help="for each search, instead of seconds: the same result each time")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time, each with one thread (%(default)s)")
    parser.add_argument("--wall", type=float, help="a run is ended after so many seconds (three times the search and 120)")
    parser.add_argument("--out", type=Path, default=Path(out), help="lines of JSON, added to (%(default)s)")
    parser.add_argument("--table", type=Path, help="where the table goes as well (beside the lines)")
    parser.add_argument("--retry", action="store_true", help="do runs again that failed or were ended")
    parser.add_argument("--table-only", action="store_true", help="run nothing, make the table")


def limits(options: argparse.Namespace) -> dict[str, Any]:
    """The budget of a task."""
    if options.evaluations is not None:
        return {"seconds": None, "evaluations": int(options.evaluations)}
    return {"seconds": options.seconds, "evaluations": None}


def numbers(text: str) -> list[int]:
    """Seeds or splits: `1,2,5` or `1-5`."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.partition("-")
        found += range(int(low), int(high) + 1) if dash else [int(low)]
    return found


def key(task: Task) -> str:
    """What tells one task from another."""
    return json.dumps(task, sort_keys=True)


def read(file: Path) -> dict[str, Line]:
    """The results by the key of their task. The last one counts; a line that was cut off does not."""
    lines: dict[str, Line] = {}
    if file.exists():
        for text in file.read_text(encoding="utf-8").splitlines():
            try:
                line = json.loads(text)
                lines[key(line["task"])] = line
            except (json.JSONDecodeError, KeyError, TypeError):
                continue
    return lines


def run(tasks: list[Task], function: Callable[[Task], Line], options: argparse.Namespace) -> dict[str, Line]:
    """Does the tasks that are not done yet; returns the results of all."""
    wanted = {key(task): task for task in tasks}
    lines = read(options.out)
    if not options.table_only:
        is_done = {name for name, line in lines.items() if line["status"] == "ok" or not options.retry}
        waiting = [task for name, task in wanted.items() if name not in is_done]
        print(f"{len(wanted)} runs, {len(wanted) - len(waiting)} done already", file=sys.stderr)
        wall = options.wall or 120 + 3 * (options.seconds if options.evaluations is None else 600)
        if waiting:
            _Pool(function, waiting, options.out, wall).work(options.jobs)
        lines = read(options.out)
    return {name: lines[name] for name in wanted if name in lines}


class _Worker:
    """A process that does one task after the other."""

    def __init__(self, context: Any, function: Callable[[Task], Line]):
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, function), daemon=True)
        self.process.start()
        other.close()
        self.task: Task | None = None
        self.deadline = math.inf

    def give(self, task: Task, wall: float) -> None:
        self.task, self.deadline = task, time.monotonic() + wall
        self.pipe.send(task)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Pool:
    """The workers, and the file that their results go to."""

    def __init__(self, function: Callable[[Task], Line], waiting: list[Task], out: Path, wall: float):
        self.context = multiprocessing.get_context("spawn")
        self.function, self.wall = function, wall
        self.waiting = waiting[::-1]
        self.n_all, self.n_done = len(waiting), 0
        out.parent.mkdir(parents=True, exist_ok=True)
        self.stream = open(out, "a+", encoding="utf-8")
        self.stream.seek(max(0, self.stream.tell() - 1))
        if self.stream.read(1) not in ("", "\n"):
            self.stream.write("\n")

    def work(self, jobs: int) -> None:
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ[variable] = "1"
        workers: list[_Worker] = []
        try:
            while self.waiting or workers:
                while self.waiting and len(workers) < jobs:
                    workers.append(_Worker(self.context, self.function))
                    workers[-1].give(self.waiting.pop(), self.wall)
                multiprocessing.connection.wait([worker.pipe for worker in workers], timeout=1.0)
                workers = [worker for worker in workers if self._goes_on(worker)]
        finally:
            for worker in workers:
                worker.end()
            self.stream.close()

    def _goes_on(self, worker: _Worker) -> bool:
        """Takes the result of a worker if there is one, and gives it more to do."""
        if worker.pipe.poll():
            try:
                line = worker.pipe.recv()
            except EOFError:
                worker.process.join()
                line = {"status": f"died with code {worker.process.exitcode}"}
        elif time.monotonic() > worker.deadline:
            line = {"status": f"ended after {self.wall:.0f} s"}
        else:
            return True
        self._keep({"task": worker.task, **line})
        may_go_on = worker.process.is_alive() and not line["status"].startswith(("ended", "died"))
        if may_go_on and self.waiting:
            worker.give(self.waiting.pop(), self.wall)
            return True
        worker.end()
        return False

    def _keep(self, line: Line) -> None:
        self.stream.write(json.dumps(line) + "\n")
        self.stream.flush()
        self.n_done += 1
        words = " ".join(str(value) for value in line["task"].values() if value is not None)
        print(f"[{self.n_done}/{self.n_all}] {words}: {line['status']}", file=sys.stderr)


def _serve(pipe: Any, function: Callable[[Task], Line]) -> None:
    installed = versions()
    while True:
        try:
            task = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            line = {"status": "ok", **function(task)}
        except Exception as error:
            line = {"status": f"{type(error).__name__}: {error}"}
        pipe.send({**line, "versions": installed})


def versions() -> dict[str, str]:
    """The packages that are installed."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    # The package may be used from its folder, not installed.
    found.setdefault("intron", intron.__version__)
    return found


def number(value: Any) -> float | None:
    """A number for JSON, which knows no infinity."""
    value = float(value)
    return value if math.isfinite(value) else None


def write_table(text: str, options: argparse.Namespace) -> None:
    """Prints a table and keeps it."""
    file = options.table or options.out.with_suffix(".md")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(text)


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown, the first column to the left."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "".join("| " + " | ".join(row) + " |\n" for row in [head, rule, *rows])
