"""Processes on this machine that do runs, and end with the process that started them, whatever ends it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import Connection

from . import engine

#: A pool may have so many processes: Windows cannot wait for more at once.
MOST_PROCESSES = 61 if os.name == "nt" else sys.maxsize


class LocalProcesses:
    """A pool of processes, new ones after some were lost.

    They share the reading end of a pipe that nothing is ever written to. When its writing end is closed, by a stop or by
    the end of this process, they end their runs; no record is torn.
    """

    def __init__(self, n_jobs: int | None):
        if n_jobs is not None and (n_jobs == 0 or n_jobs < -1):
            raise ValueError(f"n_jobs={n_jobs}: give the number of processes, or -1 for one per core")
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise RuntimeError(_GUARD)
        self.n_jobs = n_cores() if n_jobs in (None, -1) else n_jobs
        self.pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> LocalProcesses:
        return self

    def executor(self, n_runs: int) -> Executor:
        """A pool that nothing has happened to."""
        self._close()
        # Spawned, not forked: a fork copies locks that other threads hold.
        context = multiprocessing.get_context("spawn")
        self.reader, self.writer = context.Pipe(duplex=False)
        n_workers = max(1, min(self.n_jobs, n_runs, MOST_PROCESSES))
        self.pool = ProcessPoolExecutor(n_workers, context, _prepare, (self.reader,))
        return self.pool

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self.pool is None:
            return
        self.writer.close()
        self.pool.shutdown(wait=True, cancel_futures=True)
        self.reader.close()
        self.pool = None


class Lent:
    """An executor that belongs to somebody else, who will close it."""

    def __init__(self, executor: Executor):
        if hasattr(executor, "get_executor"):
            raise TypeError("a Dask client is no executor: give client.get_executor(retries=3, pure=False)")
        if not hasattr(executor, "submit"):
            raise TypeError(f"{executor!r} is no concurrent.futures.Executor")
        self.lent = executor

    def __enter__(self) -> Lent:
        return self

    def executor(self, n_runs: int) -> Executor:
        """The executor."""
        return self.lent

    def __exit__(self, *_: object) -> None:
        pass


def n_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_GUARD = (
    "a script that runs a plan in processes is read by each of them again, so the call must stand under "
    '`if __name__ == "__main__":`'
)


def _prepare(reader: Connection) -> None:
    # Ctrl-C in a terminal reaches all processes; the one that was called decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(reader,), daemon=True).start()


def _end_with_parent(reader: Connection) -> None:
    reader.poll(None)
    engine.end_worker()
    parent = multiprocessing.parent_process()
    if parent is not None:
        # Does not come back where the pool is shut down in order: then this process ends before its parent.
        parent.join()
    engine.wait_for_runs()
    os._exit(1)
