"""Installs the only wheel or source archive of a folder into a clean environment and searches with it.

    python try_wheel.py FOLDER [--native]

With --native only NumPy is installed beside it, and only what is native is tried.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

WHOLE = """
import numpy, intron
X = numpy.random.default_rng(0).uniform(1, 5, size=(100, 2))
y = 2 * X[:, 0] / X[:, 1] + 3
model = intron.IntronRegressor(max_evals=20_000).fit(X, y)
assert model.score(X, y) > 0.999999
print("intron", intron.__version__, "finds", model.sympy())
"""

NATIVE = """
import numpy
from intron import Formula, _native
X = numpy.random.default_rng(0).uniform(1, 5, size=(100, 2))
y = 2 * X[:, 0] / X[:, 1] + 3
found = _native.search(X, y, None, ["a", "b"], [("evaluations", "20000")])["front"][-1]
assert found["r2"] > 0.999999
print("finds", found["formula"])
"""


def main(folder: str, *options: str) -> None:
    archives = [path for path in Path(folder).iterdir() if path.suffix in (".whl", ".gz")]
    if len(archives) != 1:
        sys.exit(f"{folder}: has {len(archives)} wheels and source archives, not one")
    archive = archives[0].resolve()
    is_native = "--native" in options
    with tempfile.TemporaryDirectory() as clean:
        venv.create(clean, with_pip=True)
        python = Path(clean, "Scripts/python.exe" if os.name == "nt" else "bin/python")
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if is_native:
            subprocess.run([*pip, "numpy"], check=True)
        subprocess.run([*pip, *(["--no-deps"] if is_native else []), archive], check=True)
        # Far from the sources, which Python would import instead.
        subprocess.run([python, "-c", NATIVE if is_native else WHOLE], check=True, cwd=clean)
    print(f"{archive.name}: {archive.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
