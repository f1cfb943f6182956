"""Signals during a search: Ctrl-C keeps what was found, a second one ends the script, other handlers are heard."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers import made_up_table

from intron import IntronRegressor

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to one process")

START = """
import signal, sys, time, warnings
import numpy
from intron import IntronRegressor
# A shell that starts programs in the background has them ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
def say(*words):
    print(*words, flush=True)
def searching(details):
    if details["n_generations"] == 3:
        say("searching")
X = numpy.random.default_rng(0).normal(size=(200, 4))
y = numpy.random.default_rng(1).normal(size=200)
model = IntronRegressor(max_time=60, n_jobs=N_JOBS, callbacks=searching)
"""


class Script:
    """A script that runs, line by line."""

    def __init__(self, script, n_jobs=1):
        script = START.replace("N_JOBS", str(n_jobs)) + script
        command = [sys.executable, "-W", "always", "-c", script]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def expect(self, line):
        assert self.process.stdout.readline().strip() == line, self.process.communicate(timeout=60)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def end(self):
        """Exit code, and what was written to standard error."""
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_keeps_what_was_found_and_the_script_goes_on(n_jobs):
    rest = """
model.fit(X, y)
say("fitted")
assert numpy.isfinite(model.predict(X)).all()
say(model.stop_reason_)
"""
    with Script(rest, n_jobs) as script:
        script.expect("searching")
        start = time.monotonic()
        script.interrupt()
        script.expect("fitted")
        assert time.monotonic() - start < 1.0
        script.expect("interrupted")
        code, errors = script.end()
    assert code == 0, errors
    assert "interrupted: the formulas found until now are kept" in errors


def test_ctrl_c_between_searches_ends_the_script_as_ever():
    with Script("model.fit(X, y)\nsay('fitted')\ntime.sleep(60)") as script:
        script.expect("searching")
        script.interrupt()
        script.expect("fitted")
        script.interrupt()
        code, errors = script.end()
    assert code != 0
    assert "KeyboardInterrupt" in errors


def test_a_second_ctrl_c_within_a_second_ends_a_script_of_many_searches():
    with Script("for _ in range(100):\n    model.fit(X, y)\n    say('fitted')") as script:
        script.expect("searching")
        script.interrupt()
        script.expect("fitted")
        script.expect("searching")
        script.interrupt()
        code, errors = script.end()
    assert code != 0
    assert "KeyboardInterrupt" in errors


def test_the_formulas_are_kept_after_a_second_ctrl_c_too():
    rest = """
model.fit(X, y)
say("fitted")
again = IntronRegressor(max_time=60, callbacks=searching)
try:
    again.fit(X, y)
except KeyboardInterrupt:
    say(again.stop_reason_, numpy.isfinite(again.predict(X)).all())
"""
    with Script(rest) as script:
        script.expect("searching")
        script.interrupt()
        script.expect("fitted")
        script.expect("searching")
        script.interrupt()
        script.expect("interrupted True")
        assert script.end()[0] == 0


def test_what_a_handler_raises_is_raised_and_the_formulas_are_kept():
    class Alarm(Exception):
        pass

    def ring(number, frame):
        raise Alarm("time is over")

    X, y = made_up_table()
    model = IntronRegressor(max_time=60)
    before = signal.signal(signal.SIGALRM, ring)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Alarm, match="time is over"):
            model.fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 3.0
    assert np.isfinite(model.predict(X)).all()


def test_a_handler_that_raises_nothing_changes_nothing():
    heard = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    X, y = made_up_table()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        model = IntronRegressor(max_time=0.5).fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(heard) >= 2
    assert model.stop_reason_ == "time"


LONG_PHASES = {
    "linkage is learned": "dict(height=7, population_size=100_000, linkage='mi', memory_limit='4GB')",
    "constants are tuned on many rows": "dict(constants_tuning=1.0, polish=True, simplify=True)",
    "the front is polished": "dict(max_evals=3000, max_time=None, polish=True, simplify=True)",
}


@pytest.mark.parametrize("phase", LONG_PHASES)
def test_signals_are_heard_at_least_every_100_ms_whatever_the_search_does(phase):
    rest = f"""
n = 200 if "linkage" in {phase!r} else 200_000
X = numpy.random.default_rng(0).normal(size=(n, 4))
y = X[:, 0] * X[:, 1] + numpy.sin(X[:, 2]) + numpy.random.default_rng(1).normal(size=n)
model.set_params(**{{**dict(callbacks=None, max_time=4), **{LONG_PHASES[phase]}}})
heard = []
signal.signal(signal.SIGALRM, lambda number, frame: heard.append(time.monotonic()))
signal.setitimer(signal.ITIMER_REAL, 0.2, 0.02)
model.fit(X, y)
signal.setitimer(signal.ITIMER_REAL, 0)
say(len(heard) > 5, sorted(b - a for a, b in zip(heard, heard[1:]))[len(heard) // 2] < 0.1)
"""
    with Script(rest) as script:
        script.expect("True True")
        assert script.end()[0] == 0
