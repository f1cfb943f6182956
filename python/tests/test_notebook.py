"""The notebook runs from top to bottom, and is kept without outputs."""

import base64
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOK = Path(__file__).parents[2] / "examples" / "quickstart.ipynb"


def read():
    return nbformat.read(NOTEBOOK, as_version=4)


def outputs(cells, kind):
    """Everything of one kind that the cells put out."""
    all_outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return [output["data"][kind] for output in all_outputs if kind in output.get("data", {})]


def test_the_notebook_is_kept_without_outputs():
    for cell in read().cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_the_notebook_runs_and_finds_the_law(tmp_path):
    notebook = read()
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    pictures = outputs(notebook.cells, "image/png")
    assert len(pictures) == 2
    for place, picture in enumerate(pictures):
        content = base64.b64decode(picture)
        assert content.startswith(b"\x89PNG") and len(content) > 5000
        (tmp_path / f"{place}.png").write_bytes(content)
    tables = outputs(notebook.cells, "text/html")
    assert any("sqrt(length_m / gravity)" in table for table in tables)
    assert outputs(notebook.cells[-1:], "text/plain") == ["True"]
