"""Types: the package and its stubs as a type checker sees them."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy")


def check(*arguments):
    answer = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=600)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_package_has_no_type_error(tmp_path):
    check("mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path), "--package", "intron")


def test_the_stubs_of_the_native_module_name_all_that_it_has(tmp_path):
    # `statistics` is a module inside a module, which stubs of one file can only show as a class.
    allowed = tmp_path / "allowed.txt"
    allowed.write_text("intron._native.statistics\nintron._native.__all__\n")
    check("mypy.stubtest", "intron._native", "--allowlist", str(allowed))


def test_a_script_that_uses_the_estimator_is_checked(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n"
        "from intron import IntronRegressor, load\n"
        "model = IntronRegressor(max_evals=1000).fit(np.ones((3, 1)), [1, 2, 3])\n"
        "text: str = model.get_model() + model.latex() + model.export('c')\n"
        "values: np.ndarray = model.predict([[1.0]])\n"
    )
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path), str(script)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert answer.returncode == 0, answer.stdout + answer.stderr
