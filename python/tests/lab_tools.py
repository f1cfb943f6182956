"""Small plans, and what the tests of the lab look at."""

import json
import os
from pathlib import Path

SMALL = {
    "data": "airfoil",
    "linear_scaling": "on",
    "linkage": ["node", "univariate"],
    "repeats": 2,
    "budget.evaluations": 3000,
}
"""Four runs of a few milliseconds."""

ENDLESS = SMALL | {"budget.evaluations": 1e15}
"""Runs that only a stop ends."""


def records(folder):
    """Paths of all records, by id."""
    return {path.stem: path for path in Path(folder, "records").glob("*/*.json")}


def deterministic_parts(folder):
    """What the seed decides, byte by byte, by id. It comes first in the body of a record."""
    parts = {}
    for run_id, path in records(folder).items():
        body = path.read_text().split("\n", 1)[1]
        assert list(json.loads(body)) == ["result", "measured"]
        parts[run_id] = body[: body.rindex(',"measured":')]
    return parts


def leftovers(folder):
    """Files that belong to nothing: half-written ones and claims."""
    names = [path.name for path in Path(folder).rglob("*") if path.is_file()]
    return [name for name in names if name.endswith((".tmp", ".claim"))]


def command_line():
    """The program `intron`, as cargo leaves it, or nothing."""
    target = Path(__file__).parents[2] / "target"
    places = [target / profile / "intron" for profile in ("debug", "release")]
    named = [Path(os.environ["INTRON_COMMAND"])] if "INTRON_COMMAND" in os.environ else []
    return next((place for place in named + places if place.is_file()), None)
