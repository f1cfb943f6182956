"""Equations of textbooks, and data drawn from them."""

from __future__ import annotations

import tomllib
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from intron import Formula

FILE = Path(__file__).with_name("equations.toml")
N_TRAIN = 200
N_TEST = 200
NOISE_LEVELS = (0.0, 0.001, 0.01, 0.1)

#: Share of a range by which it is widened on either side when formulas are compared.
_WIDER = 0.25
#: Draws for each point that is wanted, where the truth is not finite everywhere in the wider ranges.
_MAX_DRAWS = 20


@dataclass(frozen=True)
class Range:
    """The values that a variable takes."""

    low: float
    high: float
    is_log: bool

    def draw(self, rng: np.random.Generator, n: int) -> np.ndarray:
        if self.is_log:
            return np.exp(rng.uniform(np.log(self.low), np.log(self.high), n))
        return rng.uniform(self.low, self.high, n)

    def wider(self) -> Range:
        """Wider on both sides, but on no other side of zero: there the laws are not meant to hold."""
        if self.is_log:
            return Range(self.low / 2, self.high * 2, True)
        more = _WIDER * (self.high - self.low)
        low, high = self.low - more, self.high + more
        if self.low >= 0:
            low = max(low, self.low / 2)
        return Range(low, high, False)


@dataclass(frozen=True)
class Equation:
    """A formula that is known to be true."""

    name: str
    field: str
    source: str
    formula: Formula
    ranges: tuple[Range, ...]

    @property
    def names(self) -> list[str]:
        return self.formula.names

    @property
    def positive(self) -> set[str]:
        """Variables that are never negative."""
        return {name for name, span in zip(self.names, self.ranges) if span.low >= 0}

    def draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows from the ranges, with their values."""
        X = np.column_stack([span.draw(rng, n) for span in self.ranges])
        return X, self.formula.predict(X)

    def draw_wider(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows from wider ranges, only those where the truth is finite."""
        ranges = [span.wider() for span in self.ranges]
        X = np.column_stack([span.draw(rng, _MAX_DRAWS * n) for span in ranges])
        y = self.formula.predict(X)
        places = np.flatnonzero(np.isfinite(y))[:n]
        return X[places], y[places]


@dataclass(frozen=True)
class Data:
    """Training rows with noise, test rows without."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def read(file: Path = FILE) -> dict[str, Equation]:
    """The equations by name."""
    with open(file, "rb") as stream:
        rows = tomllib.load(stream)["equation"]
    equations = {row["name"]: _equation(row) for row in rows}
    if len(equations) != len(rows):
        raise ValueError(f"{file}: a name is given twice")
    return equations


def _equation(row: dict) -> Equation:
    unknown = set(row) - {"name", "field", "source", "formula", "variables"}
    if unknown:
        raise ValueError(f"{row['name']}: unknown key {', '.join(sorted(unknown))}")
    names = list(row["variables"])
    ranges = tuple(_range(name, span) for name, span in row["variables"].items())
    return Equation(row["name"], row["field"], row["source"], Formula(row["formula"], names), ranges)


def _range(name: str, span: list | dict) -> Range:
    is_log = isinstance(span, dict)
    low, high = span["log"] if is_log else span
    if not low < high or (is_log and low <= 0):
        raise ValueError(f"{name}: {span} is no range")
    return Range(float(low), float(high), is_log)


def rng(equation: Equation, seed: int, purpose: str) -> np.random.Generator:
    """Random numbers of their own for each equation, seed and purpose."""
    return np.random.default_rng([zlib.crc32(f"{equation.name} {purpose}".encode()), seed])


def make_data(equation: Equation, seed: int, noise: float) -> Data:
    """Rows of an equation. All noise levels of a seed share their rows, and the same noise in different strength."""
    X_train, clean = equation.draw(rng(equation, seed, "train"), N_TRAIN)
    X_test, y_test = equation.draw(rng(equation, seed, "test"), N_TEST)
    draws = rng(equation, seed, "noise").standard_normal(N_TRAIN)
    return Data(X_train, clean + noise * np.std(clean) * draws, X_test, y_test)
