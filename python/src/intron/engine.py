"""Runs handed to an executor. The folder of records says what is done, the executor does not: whatever it loses is
handed out once more, and what is done twice harms nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any

from . import _native


class RunError(RuntimeError):
    """A run that cannot be done; trying again does not help."""


class TemporaryError(OSError):
    """A full disk, or a stop: trying again helps."""


class MissingRuns(RuntimeError):
    """Runs without a record, though they were handed out twice. Their ids are in `ids`; the same call goes on."""

    def __init__(self, message: str, ids: Iterable[str] = ()):
        super().__init__(message)
        self.ids = list(ids)


# The runs under way in this process, each with its folder. Runs in threads can be ended only through these.
_under_way: dict[_native.Stop, str] = {}
# Set in a worker that is to end: nothing more is begun.
_is_ending = False


def run_task(
    folder: str | os.PathLike[str],
    run_id: str,
    data_dir: str | os.PathLike[str] | None = None,
    *,
    heeds_claims: bool = False,
) -> str:
    """Does one run of an experiment, if it has no record yet, and returns its id: the record is in the folder.

    This is what `run_plan` hands to executors. A run that cannot be done raises `RunError`, and its reason is kept in the
    folder. A full disk raises `TemporaryError`. With `heeds_claims`, a run that somebody else is doing is left to them.
    """
    folder = os.path.abspath(folder)
    stop = _native.Stop()
    _under_way[stop] = folder
    try:
        if _is_ending:
            stop.set()
        experiment = _experiment(folder, None if data_dir is None else os.path.abspath(data_dir))
        try:
            outcome, why = experiment.run(run_id, stop, heeds_claims)
        except OSError as error:
            raise TemporaryError(f"{run_id}: {error}") from None
    finally:
        del _under_way[stop]
    if outcome == "failed":
        raise RunError(f"{run_id}: {why}")
    if outcome == "differs":
        raise RunError(
            f"{run_id}: ALARM: the result is another than that of the first record, which must never happen; both are "
            f"kept, see {why}, and please report it"
        )
    if outcome == "stopped":
        raise TemporaryError(f"{run_id}: stopped before its end")
    return run_id


def _experiment(folder: str, data_dir: str | None) -> _native.Experiment:
    try:
        plan = os.stat(os.path.join(folder, "plan.toml"))
        stamp = (plan.st_ino, plan.st_mtime_ns, plan.st_size)
    except OSError:
        stamp = None
    return _opened(folder, data_dir, stamp)


@lru_cache(maxsize=4)
def _opened(folder: str, data_dir: str | None, stamp: tuple[int, ...] | None) -> _native.Experiment:
    # Listing thousands of runs and reading their data takes longer than a short run.
    return _native.Experiment.open(folder, data_dir)


def stop_runs(folder: str | None = None) -> None:
    """Ends the runs under way in this process, in one folder or in all."""
    for stop, its_folder in list(_under_way.items()):
        if folder in (None, its_folder):
            stop.set()


def end_worker() -> None:
    """Ends all runs of this process, and lets none begin."""
    global _is_ending
    _is_ending = True
    stop_runs()


def wait_for_runs(folder: str | None = None, seconds: float = 5.0) -> None:
    """Waits until the runs under way in this process have ended, but not for ever."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(folder in (None, its) for its in list(_under_way.values())):
        time.sleep(0.02)


def _as_completed(futures: Iterable[Future[str]]) -> Iterator[Future[str]]:
    """Futures as they end. Whoever waits looks up now and then: a library that was loaded, such as polars, can have the
    system go on waiting after Ctrl-C, so that a wait without end would never hear of it."""
    ended: SimpleQueue[Future[str]] = SimpleQueue()
    n_left = 0
    for future in futures:
        future.add_done_callback(ended.put)
        n_left += 1
    while n_left:
        try:
            yield ended.get(timeout=0.1)
        except Empty:
            continue
        n_left -= 1


class Round:
    """Hands out runs, once, and takes down what becomes of each."""

    def __init__(self, folder: str, data_dir: str | None, tell: Callable[[str, str], None]):
        self.folder = folder
        self.data_dir = data_dir
        self.tell = tell
        self.failed: dict[str, str] = {}
        self.lost: dict[str, BaseException] = {}

    def go(self, executor: Executor, ids: list[str], heeds_claims: bool) -> None:
        """Hands out runs and waits for them. One that fails or is lost stops no other; a full disk does."""
        self.lost.clear()
        futures: dict[Future[str], str] = {}
        try:
            self._submit(executor, ids, heeds_claims, futures)
            for future in _as_completed(futures):
                self._take_down(futures[future], future)
        except BaseException:
            for future in futures:
                future.cancel()
            stop_runs(self.folder)
            wait_for_runs(self.folder)
            raise

    def _submit(self, executor: Executor, ids: list[str], heeds_claims: bool, futures: dict[Any, str]) -> None:
        for k, run_id in enumerate(ids):
            try:
                future = executor.submit(run_task, self.folder, run_id, self.data_dir, heeds_claims=heeds_claims)
            except BrokenExecutor as error:
                # So it is with all that are left.
                self.lost.update(dict.fromkeys(ids[k:], error))
                return
            futures[future] = run_id

    def _take_down(self, run_id: str, future: Future[str]) -> None:
        try:
            future.result()
        except RunError as error:
            self.failed[run_id] = str(error)
            self.tell(run_id, f"failed: {error}")
        except TemporaryError as error:
            raise TemporaryError(f"{error}; once there is room the same call goes on") from error
        except Exception as error:
            # A worker that died, data that is not where the worker is: whatever it was, the record is not there.
            self.lost[run_id] = error
            self.tell(run_id, f"lost: {type(error).__name__}: {error}")
        else:
            self.tell(run_id, "done")
