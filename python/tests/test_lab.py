"""Plans on local processes and threads: records, failures, stops."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import psutil
import pytest
from lab_tools import ENDLESS, SMALL, command_line, deterministic_parts, leftovers, records

from intron import _native, engine, lab, processes


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small plan, done by local processes."""
    folder = tmp_path_factory.mktemp("finished") / "lab"
    status = lab.run_plan("smoke", folder, set=SMALL, n_jobs=2)
    assert status.is_complete and status.n_runs == 4
    return folder


@pytest.fixture
def threads():
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_a_plan_is_a_name_a_file_a_text_or_a_dictionary(tmp_path, threads):
    text = lab.plan_text("smoke")
    file = tmp_path / "mine.toml"
    file.write_text(text)
    table = {
        "name": "smoke", "title": "Smoke test", "data": ["airfoil", "concrete"], "heights": [5],
        "linear_scaling": ["on", "off"], "operators": ["small"], "repeats": 5, "folds": 5, "test_fraction": 0.25,
        "linkage": ["random", "mi", "mi-adjusted", "mi-masked", "node", "node-static", "cs", "univariate"],
        "budget": {"evaluations": 2e5}, "similarity": {"generations": [0, 1, 2]},
    }  # fmt: skip
    written = []
    for k, plan in enumerate(["smoke", file, str(file), text, table]):
        lab.run_plan(plan, tmp_path / f"lab{k}", threads, set={**SMALL, "repeats": 1})
        written.append((tmp_path / f"lab{k}" / "plan.toml").read_text())
    assert len(set(written)) == 1


def test_paths_in_a_plan_start_from_its_folder(tmp_path, threads, monkeypatch):
    (tmp_path / "plans").mkdir()
    rows = "".join(f"{k % 7},{k % 11},{k % 7 + k % 11}\n" for k in range(60))
    (tmp_path / "plans" / "mine.csv").write_text("a,b,y\n" + rows)
    plan = tmp_path / "plans" / "mine.toml"
    plan.write_text(lab.plan_text("smoke").replace('["airfoil", "concrete"]', '["mine.csv"]'))
    small = {key: value for key, value in SMALL.items() if key != "data"}
    monkeypatch.chdir(tmp_path)
    assert lab.run_plan("plans/mine.toml", "lab", threads, set=small).is_complete
    monkeypatch.chdir(tmp_path / "plans")
    assert lab.run_plan("mine.toml", tmp_path / "lab", threads, set=small).is_complete


def test_more_processes_than_the_system_can_wait_for_are_not_started(monkeypatch):
    monkeypatch.setattr(processes, "MOST_PROCESSES", 61)
    with processes.LocalProcesses(100) as pools:
        assert pools.executor(1000)._max_workers == 61


def test_what_is_done_is_not_run_again(finished):
    times = {run_id: path.stat().st_mtime_ns for run_id, path in records(finished).items()}
    assert len(times) == 4
    assert lab.run_plan("smoke", finished, set=SMALL).is_complete
    assert {run_id: path.stat().st_mtime_ns for run_id, path in records(finished).items()} == times


def test_threads_and_processes_give_the_same_bytes(finished, tmp_path, threads):
    lab.run_plan("smoke", tmp_path, threads, set=SMALL)
    assert deterministic_parts(tmp_path) == deterministic_parts(finished)
    assert leftovers(tmp_path) == leftovers(finished) == []


def test_the_command_line_begins_and_python_goes_on(finished, tmp_path, threads):
    program = command_line()
    if program is None:
        pytest.skip("the command line is not built: cargo build -p intron-cli")

    def intron(*arguments):
        environment = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
        return subprocess.run(
            [program, "lab", *map(str, arguments)], capture_output=True, text=True, env=environment, check=True
        ).stdout

    changes = [f"{key}={','.join(v) if isinstance(v, list) else v}" for key, v in SMALL.items()]
    options = [part for change in changes for part in ("--set", change)]
    folder = tmp_path / "lab"
    intron("run", "smoke", "--out", folder, "--shard", "0/2", "--quiet", *options)
    first = records(folder)
    assert len(first) == 2
    times = [path.stat().st_mtime_ns for path in first.values()]
    assert lab.run_plan("smoke", folder, threads, set=changes).is_complete
    assert [path.stat().st_mtime_ns for path in first.values()] == times
    assert deterministic_parts(folder) == deterministic_parts(finished)
    assert "4 done" in intron("status", folder)
    assert "4 records are whole" in intron("verify", folder, "--sample", "4")
    # And the other way round: the command line finds nothing to do in a folder of Python's.
    assert "0 done now, 4 before" in intron("run", "smoke", "--out", finished, "--quiet", *options)


def test_tables_hold_every_run(finished):
    runs = lab.results(finished)
    assert sorted(runs["id"]) == sorted(records(finished))
    assert set(runs["linkage"]) == {"node", "univariate"}
    assert runs["r2_train"].between(0, 1).all() and (runs["n_evaluations"] == 3000).all()
    assert runs.attrs["settings"]["height"] == "5"
    trace = lab.trace(finished)
    assert trace.groupby("id")["r2_train"].last().to_dict() == dict(zip(runs["id"], runs["r2_train"]))
    assert trace.groupby("id")["evaluations"].apply(lambda e: e.is_monotonic_increasing).all()
    assert (trace.groupby("id", sort=False)["cpu_seconds"].max().to_numpy() <= runs["cpu_seconds"].to_numpy()).all()


def test_report_and_verification(finished):
    page = lab.report(finished)
    assert page.name == "index.html" and "Smoke test" in page.read_text()
    checked = lab.verify(finished, 2)
    assert len(checked.same) == 2 and checked.is_trusted


def test_a_damaged_record_is_found_set_aside_and_done_again(tmp_path, threads):
    lab.run_plan("smoke", tmp_path, threads, set=SMALL)
    before = deterministic_parts(tmp_path)
    run_id, path = next(iter(records(tmp_path).items()))
    path.write_bytes(path.read_bytes()[:-10])
    assert list(lab.status(tmp_path).damaged) == [run_id]
    assert not lab.verify(tmp_path, 0).is_trusted
    assert lab.run_plan("smoke", tmp_path, threads, set=SMALL).is_complete
    assert deterministic_parts(tmp_path) == before


def constant_target(folder):
    """A plan of which two runs work and two cannot be done: where the target never changes there is nothing to learn."""
    (folder / "constant.csv").write_text("x,y\n" + "".join(f"{x},1\n" for x in range(20)))
    return SMALL | {"data": ["airfoil", str(folder / "constant.csv")], "repeats": 1}


def test_a_run_that_fails_is_named_and_stops_no_other(tmp_path):
    changes = constant_target(tmp_path)
    with pytest.warns(RuntimeWarning, match="2 runs could not be done") as warned:
        status = lab.run_plan("smoke", tmp_path / "lab", set=changes, n_jobs=1)
    assert (len(status.done), len(status.failed), status.is_complete) == (2, 2, False)
    assert all(run_id in str(warned[0].message) for run_id in status.failed)
    run_id = next(iter(status.failed))
    with pytest.raises(lab.RunError, match=run_id):
        lab.run_task(tmp_path / "lab", run_id)
    assert run_id in str(lab.status(tmp_path / "lab"))


class Losing(Executor):
    """Loses every run, as a pool does whose workers die; or all but the last so many."""

    def __init__(self, n_lost):
        self.n_lost = n_lost

    def submit(self, function, /, *arguments, **options):
        future = Future()
        self.n_lost -= 1
        if self.n_lost >= 0:
            future.set_exception(BrokenProcessPool("a worker died"))
        else:
            future.set_result(function(*arguments, **options))
        return future


def test_runs_lost_once_are_handed_out_again(tmp_path):
    assert lab.run_plan("smoke", tmp_path, Losing(3), set=SMALL).is_complete


def test_runs_lost_twice_are_named(tmp_path):
    with pytest.raises(lab.MissingRuns, match="a worker died") as caught:
        lab.run_plan("smoke", tmp_path, Losing(7), set=SMALL)
    assert len(caught.value.ids) == 3 and all(run_id in str(caught.value) for run_id in caught.value.ids)
    assert sorted(caught.value.ids) == sorted(lab.status(tmp_path).left)


def test_a_killed_process_costs_no_run(tmp_path):
    changes = SMALL | {"repeats": 4, "budget.evaluations": 30_000}

    def kill_one():
        wait_until(lambda: len(records(tmp_path)) >= 1)
        workers(os.getpid())[0].kill()

    killer = threading.Thread(target=kill_one)
    killer.start()
    status = lab.run_plan("smoke", tmp_path, set=changes, n_jobs=2)
    killer.join()
    assert status.is_complete and status.n_runs == 8 and status.running == []
    # What the dead have left behind is swept by whoever comes next.
    lab.run_plan("smoke", tmp_path, set=changes)
    assert leftovers(tmp_path) == []


def workers(pid):
    """The processes that do runs for a process, without the one that tracks its resources."""
    children = psutil.Process(pid).children()
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def wait_until(is_so, seconds=30):
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "this takes too long"
        time.sleep(0.02)


SCRIPT = """
import signal, sys
from intron import lab
# As polars does where it is loaded.
signal.siginterrupt(signal.SIGINT, False)
if __name__ == "__main__":
    lab.run_plan("smoke", sys.argv[1], set={changes!r}, n_jobs=2)
"""


@pytest.fixture
def endless(tmp_path):
    """A process that does runs without end in two others."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(changes=ENDLESS))
    process = subprocess.Popen([sys.executable, script, tmp_path / "lab"], stderr=subprocess.PIPE, text=True)
    wait_until(lambda: (tmp_path / "lab" / "plan.toml").exists() and len(lab.status(tmp_path / "lab").running) == 2)
    yield process, tmp_path / "lab", workers(process.pid)
    process.kill()


def test_an_interrupt_ends_processes_in_order_and_says_how_to_go_on(endless):
    process, folder, pool = endless
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert time.monotonic() - begun < 5
    assert "KeyboardInterrupt: stopped; 0 of 4 runs have their record" in errors and "goes on" in errors
    assert len(pool) == 2 and not any(worker.is_running() for worker in pool)
    status = lab.status(folder)
    assert (len(status.left), status.running, leftovers(folder)) == (4, [], [])


def test_processes_end_with_a_parent_that_is_killed(endless):
    process, folder, pool = endless
    process.kill()
    _, alive = psutil.wait_procs(pool, timeout=15)
    assert len(pool) == 2 and not alive
    assert len(lab.status(folder).left) == 4


def interrupt_when(is_so):
    """Ctrl-C, as soon as something is so; gives the list that will hold the time."""
    pressed = []

    def press():
        try:
            wait_until(is_so)
        finally:  # without it the test would never end
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    return pressed


@pytest.fixture(params=["interrupted", "restarted"])
def waits(request):
    """How the system takes up a wait after a signal: with polars loaded it goes on waiting."""
    signal.siginterrupt(signal.SIGINT, request.param == "interrupted")
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_an_interrupt_ends_runs_in_threads(tmp_path, waits):
    pressed = interrupt_when(lambda: len(engine._under_way) == 2)
    with ThreadPoolExecutor(2) as threads, pytest.raises(KeyboardInterrupt, match="goes on"):
        lab.run_plan("smoke", tmp_path, threads, set=ENDLESS)
    assert time.monotonic() - pressed[0] < 2
    assert (engine._under_way, leftovers(tmp_path)) == ({}, [])


def test_an_interrupt_ends_a_run_of_the_main_thread(tmp_path, waits):
    run_id = _native.Experiment.begin(str(tmp_path), lab.plan_text("smoke"), ["budget.evaluations=1e15"], None).ids()[0]
    pressed = interrupt_when(lambda: len(engine._under_way) == 1)
    with pytest.raises(KeyboardInterrupt):
        lab.run_task(tmp_path, run_id)
    assert time.monotonic() - pressed[0] < 1
    assert leftovers(tmp_path) == []


FULL = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
from intron import lab
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, resource.RLIM_INFINITY))
try:
    lab.run_plan("smoke", sys.argv[1], ThreadPoolExecutor(1), set={changes!r})
except lab.TemporaryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be limited there")
def test_a_full_disk_is_temporary(tmp_path, threads):
    script = [sys.executable, "-c", FULL.format(changes=SMALL), tmp_path]
    said = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    assert "records" in said and "File too large" in said and "goes on" in said
    assert leftovers(tmp_path) == []
    assert lab.run_plan("smoke", tmp_path, threads, set=SMALL).is_complete


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda folder: lab.run_plan("nothing", folder), ValueError, "plans: smoke"),
        (lambda folder: lab.run_plan("smoke", folder, set={"repeats": 0}), ValueError, "nothing to run"),
        (lambda folder: lab.run_plan("smoke", folder, set={"colour": "red"}), ValueError, "no key of a plan"),
        (lambda folder: lab.run_plan("smoke", folder, set={"data": "-"}), ValueError, "standard input"),
        (lambda folder: lab.run_plan("smoke", folder, set={"data": "nowhere"}), ValueError, "nowhere"),
        (lambda folder: lab.run_plan("smoke", folder, n_jobs=0), ValueError, "n_jobs"),
        (lambda folder: lab.run_plan("smoke", folder, Losing(0), n_jobs=2), ValueError, "n_jobs"),
        (lambda folder: lab.run_plan("smoke", folder, 7), TypeError, "Executor"),
        (lambda folder: lab.run_plan({"name": None}, folder), ValueError, "name"),
        (lambda folder: lab.status(folder), ValueError, "not the folder of an experiment"),
        (lambda folder: lab.run_task(folder, "ab"), ValueError, "not the folder of an experiment"),
        (lambda folder: lab.plan_text("nothing"), ValueError, "smoke"),
    ],
)
def test_wrong_input_is_refused_in_words(call, error, words, tmp_path):
    with pytest.raises(error, match=words):
        call(tmp_path / "lab")
    assert not (tmp_path / "lab" / "plan.toml").exists()


def test_a_folder_holds_one_experiment(finished):
    with pytest.raises(ValueError, match="another experiment"):
        lab.run_plan("smoke", finished, set=SMALL | {"repeats": 3})
    with pytest.raises(ValueError, match="no such run"):
        lab.run_task(finished, "0" * 32)
