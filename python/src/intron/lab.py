"""Experiments: plans, runs on any executor, records, reports and statistics.

A plan is a grid of runs. Every run leaves a record in a folder, and what has a record is never run again. The folder is
that of the command line: `intron lab run` goes on with what `run_plan` began, and the other way round.

>>> import tempfile
>>> from concurrent.futures import ThreadPoolExecutor
>>> from intron import lab
>>> few = {"data": "airfoil", "linkage": ["node", "mi-masked"], "repeats": 2, "budget.evaluations": 3000}
>>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as executor:
...     status = lab.run_plan("smoke", folder, executor, set=few)
...     runs = lab.results(folder)
>>> status.is_complete, len(runs)
(True, 8)
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Iterable, Mapping
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native
from . import statistics as _statistics
from .engine import MissingRuns, Round, RunError, TemporaryError, run_task
from .plan_text import changes_of, folder_of_plan, text_of_plan
from .processes import Lent, LocalProcesses
from .statistics import *

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MissingRuns",
    "RunError",
    "Status",
    "TemporaryError",
    "Verification",
    "plan_text",
    "plans",
    "report",
    "results",
    "run_plan",
    "run_task",
    "status",
    "trace",
    "verify",
    *_statistics.__all__,
]

Folder = str | os.PathLike[str]


@dataclass(frozen=True)
class Status:
    """How far an experiment is. Runs are named by their ids."""

    plan: str
    folder: Path
    done: list[str]
    running: list[str]
    failed: dict[str, str]
    damaged: dict[str, str]
    left: list[str]
    foreign: list[str]
    differing: list[str]

    @property
    def missing(self) -> list[str]:
        """Runs without a valid record."""
        return [*self.running, *self.left, *self.failed, *self.damaged]

    @property
    def n_runs(self) -> int:
        """Runs of the plan."""
        return len(self.done) + len(self.missing)

    @property
    def is_complete(self) -> bool:
        """Whether every run has a valid record."""
        return not self.missing

    def __str__(self) -> str:
        lines = [f"{self.plan} in {self.folder}: {self.n_runs} runs"]
        for name in ("done", "running", "failed", "damaged", "left"):
            lines.append(f"{len(getattr(self, name)):>7} {name}")
        lines += [f"{run_id}: {why}" for run_id, why in [*self.failed.items(), *self.damaged.items()]]
        lines += [f"{name}: not a record of this plan" for name in self.foreign]
        lines += [f"ALARM: quarantine/{name}: a second result that differs from the first" for name in self.differing]
        return "\n".join(lines)


class Verification(NamedTuple):
    """Ids of runs that were done again, by outcome, and of records that are damaged."""

    same: list[str]
    differing: list[str]
    damaged: list[str]

    @property
    def is_trusted(self) -> bool:
        """Whether nothing speaks against the records."""
        return not self.differing and not self.damaged


def plans() -> list[str]:
    """Names of the plans that come with the package.

    >>> "smoke" in plans()
    True
    """
    return _native.plans()


def plan_text(name: str) -> str:
    """The text of such a plan, to start one of your own from.

    >>> plan_text("smoke").splitlines()[1]
    'name = "smoke"'
    """
    return _native.plan_text(name)


def run_plan(
    plan: str | os.PathLike[str] | Mapping[str, Any],
    out: Folder,
    executor: Executor | None = None,
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
    data_dir: Folder | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Status:
    """Does the runs of a plan that have no record yet.

    Parameters
    ----------
    plan : a name of `plans()`, the path of a TOML file, TOML text, or a dictionary.
    out : the folder of the experiment; all workers must see it. The same call with the same folder goes on.
    executor : who does the runs: any `concurrent.futures.Executor`, such as `client.get_executor(retries=3, pure=False)`
        of Dask. Without one, `n_jobs` processes on this machine; a script must then call this under
        `if __name__ == "__main__":`.
    set : changes to the plan: `{"repeats": 10, "budget.evaluations": 1e6}` or `["repeats=10"]`.
    data_dir : a folder with more data sets by name, such as tower.csv; else the variable INTRON_DATA_DIR.
    n_jobs : number of processes, where no executor is given; one per core if None or -1.
    verbose : 1 for a line now and then on standard error, 2 for one per run.

    A run that cannot be done stops no other; a warning names it, and its reason is in `failed` of the answer. Runs that
    were lost with their worker are handed out once more; if they are lost again, `MissingRuns` names them. A full disk
    raises `TemporaryError`. Ctrl-C ends the runs under way within about a second (those on a cluster go on to their
    end); no record is torn, and the same call goes on.
    """
    if executor is not None and n_jobs is not None:
        raise ValueError("n_jobs is the number of local processes; an executor knows its own")
    engine = LocalProcesses(n_jobs) if executor is None else Lent(executor)
    folder, data_dir = os.path.abspath(out), _data_dir(data_dir)
    experiment = _native.Experiment.begin(folder, text_of_plan(plan), changes_of(set), data_dir, folder_of_plan(plan))
    progress = _Progress(len(experiment.ids()), len(experiment.status()["done"]), verbose)
    round_ = Round(folder, data_dir, progress)
    try:
        with engine:
            for heeds_claims in (True, False):
                missing = _missing(experiment, round_)
                if not missing:
                    break
                round_.go(engine.executor(len(missing)), missing, heeds_claims)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; {progress.counts()} in {folder}; the same call goes on") from None
    return _conclude(experiment, folder, round_)


def _missing(experiment: _native.Experiment, round_: Round) -> list[str]:
    """Runs to hand out, in order; those that others seem to be doing come last."""
    status = experiment.status()
    done, running = frozenset(status["done"]), frozenset(status["running"])
    ids = [run_id for run_id in experiment.ids() if run_id not in done and run_id not in round_.failed]
    return sorted(ids, key=lambda run_id: run_id in running)


def _conclude(experiment: _native.Experiment, folder: str, round_: Round) -> Status:
    status = _status_of(experiment, folder)
    missing = [run_id for run_id in status.missing if run_id not in round_.failed]
    if missing:
        names = " ".join(missing[:20]) + (f" and {len(missing) - 20} more, see `ids`" if len(missing) > 20 else "")
        first = next((run_id for run_id in missing if run_id in round_.lost), None)
        cause = round_.lost.get(first) if first else None
        why = f"; {first}: {type(cause).__name__}: {cause}" if cause else ""
        if isinstance(cause, BrokenExecutor):
            why += ' (killed, out of memory, or a script whose call does not stand under `if __name__ == "__main__":`)'
        message = f"{len(missing)} runs have no record: {names}{why}; the same call goes on"
        raise MissingRuns(message, missing) from cause
    if round_.failed:
        reasons = "\n".join(round_.failed.values())
        warnings.warn(f"{len(round_.failed)} runs could not be done:\n{reasons}", RuntimeWarning, stacklevel=3)
    return status


def status(folder: Folder) -> Status:
    """How far an experiment is."""
    return _status_of(_native.Experiment.open(os.fspath(folder), None), folder)


def _status_of(experiment: _native.Experiment, folder: Folder) -> Status:
    found = experiment.status()
    found["failed"], found["damaged"] = dict(found["failed"]), dict(found["damaged"])
    return Status(folder=Path(folder), **found)


def results(folder: Folder) -> pd.DataFrame:
    """One row per finished run: what it was, R² on the rows learned from and on those held out, size and formula of
    the most accurate formula, times. Settings that all runs share are in `.attrs["settings"]`."""
    import pandas as pd

    experiment = _native.Experiment.open(os.fspath(folder), None)
    frame = pd.DataFrame(experiment.results())
    frame.attrs["settings"] = dict(experiment.common_settings())
    return frame


def trace(folder: Folder) -> pd.DataFrame:
    """One row per improvement in a finished run, with what the run was."""
    import numpy as np
    import pandas as pd

    experiment = _native.Experiment.open(os.fspath(folder), None)
    columns, counts = experiment.traces()
    runs = pd.DataFrame(experiment.results())
    runs = runs[["id", "data", "height", "linear_scaling", "operators", "linkage", "repeat"]]
    repeated = runs.iloc[np.repeat(np.arange(len(runs)), counts)].reset_index(drop=True)
    return repeated.assign(**columns)


def report(folder: Folder) -> Path:
    """Computes statistics, draws figures and writes one page with all of them; says where the page is."""
    return Path(_native.Experiment.open(os.fspath(folder), None).report())


def verify(folder: Folder, n: int = 5, *, data_dir: Folder | None = None) -> Verification:
    """Checks every record, and does `n` of the finished runs again: they must give the same bits."""
    experiment = _native.Experiment.open(os.fspath(folder), _data_dir(data_dir))
    found = experiment.status()
    if not found["done"]:
        raise ValueError(f"{folder}: there is nothing to verify")
    same, differing = experiment.verify(n, _native.Stop())
    return Verification(same, differing, [run_id for run_id, _ in found["damaged"]])


def _data_dir(data_dir: Folder | None) -> str | None:
    # As on the command line.
    data_dir = data_dir or os.environ.get("INTRON_DATA_DIR")
    return os.path.abspath(data_dir) if data_dir else None


class _Progress:
    """Counts runs, and says so."""

    def __init__(self, n_runs: int, n_done: int, verbose: int):
        self.n_runs, self.n_before, self.verbose = n_runs, n_done, verbose
        self.done: set[str] = set()
        self.last = time.monotonic()

    def __call__(self, run_id: str, what: str) -> None:
        if what == "done":
            self.done.add(run_id)
        is_time = time.monotonic() - self.last >= 10 or self.n_before + len(self.done) == self.n_runs
        if self.verbose > 1 or (self.verbose and what != "done"):
            self._say(f"{run_id}: {what}")
        elif self.verbose and is_time:
            self.last = time.monotonic()
            self._say(self.counts())

    def counts(self) -> str:
        return f"{self.n_before + len(self.done)} of {self.n_runs} runs have their record"

    def _say(self, text: str) -> None:
        # A closed or full standard error must not cost the runs.
        try:
            print(text, file=sys.stderr, flush=True)
        except (OSError, ValueError, AttributeError, UnicodeError):
            pass
