"""Plans on a Dask cluster: killed workers, panics, and calls that last longer than a worker may be silent."""

import os
import signal
import threading
import time

import psutil
import pytest
from lab_tools import SMALL, deterministic_parts, records
from test_lab import constant_target, wait_until

from intron import _native, lab

distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install intron[dask]")


@pytest.fixture(scope="module")
def client():
    """Two workers of one thread, which are given up when they are silent for some seconds."""
    import dask

    with dask.config.set({"distributed.scheduler.worker-ttl": "3s"}):
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with cluster, distributed.Client(cluster) as client:
            yield client


@pytest.fixture
def executor(client):
    return client.get_executor(retries=3, pure=False)


def pids(client):
    return sorted(client.run(os.getpid).values())


def test_a_long_native_call_costs_no_worker(client):
    # Dask gives up a worker that is silent for three seconds, but at the earliest after ten heartbeats, which are five.
    before = pids(client)
    futures = [client.submit(_native._work_on_purpose, 9.0, pure=False) for _ in range(2)]
    distributed.wait(futures, timeout=60)
    assert [future.status for future in futures] == ["finished", "finished"]
    assert pids(client) == before


def test_a_panic_is_an_ordinary_exception_at_once(client, executor, tmp_path):
    before = pids(client)
    begun = time.monotonic()
    with pytest.raises(RuntimeError, match="on purpose"):
        client.submit(_native._panic_on_purpose, pure=False).result(timeout=20)
    assert time.monotonic() - begun < 2
    assert lab.run_plan("smoke", tmp_path, executor, set=SMALL).is_complete
    assert pids(client) == before


def test_a_run_that_fails_is_an_ordinary_exception_and_stops_no_other(client, executor, tmp_path):
    with pytest.warns(RuntimeWarning, match="2 runs could not be done"):
        status = lab.run_plan("smoke", tmp_path / "lab", executor, set=constant_target(tmp_path))
    assert (len(status.done), len(status.failed)) == (2, 2)
    begun = time.monotonic()
    with pytest.raises(lab.RunError, match=next(iter(status.failed))):
        client.submit(lab.run_task, str(tmp_path / "lab"), next(iter(status.failed))).result(timeout=20)
    assert time.monotonic() - begun < 2


def test_a_client_is_no_executor(client, tmp_path):
    with pytest.raises(TypeError, match="get_executor"):
        lab.run_plan("smoke", tmp_path, client, set=SMALL)


def test_a_killed_worker_costs_no_run(client, executor, tmp_path):
    changes = SMALL | {"repeats": 5, "budget.evaluations": 30_000}
    before = pids(client)

    def kill_one():
        wait_until(lambda: len(records(tmp_path / "lab")) >= 2)
        os.kill(before[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    status = lab.run_plan("smoke", tmp_path / "lab", executor, set=changes)
    killer.join()
    assert status.is_complete and status.n_runs == 10
    assert not psutil.pid_exists(before[0]) or psutil.Process(before[0]).status() == psutil.STATUS_ZOMBIE
    lab.run_plan("smoke", tmp_path / "alone", set=changes, n_jobs=1)
    assert deterministic_parts(tmp_path / "lab") == deterministic_parts(tmp_path / "alone")
