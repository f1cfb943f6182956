"""The line that shows how a search goes on, in a terminal and in a notebook."""

from __future__ import annotations

import sys
import time
from typing import Any


class Progress:
    """One line on standard error, written again a few times a second; where that is a file or a pipe, only the last."""

    def __init__(self, max_evals: float | None, max_time: float | None):
        self.max_evals = max_evals
        self.max_time = max_time
        self.is_live = _is_live()
        self.width = 0
        self.last = 0.0

    def __call__(self, event: str, details: dict[str, Any]) -> None:
        now = time.monotonic()
        if self.is_live and now - self.last >= 0.2:
            self.last = now
            self._write("\r" + self._line(details))

    def finish(self, details: dict[str, Any]) -> None:
        """Writes the last line, which stays."""
        line = self._line({**details, "is_done": True})
        self._write(("\r" if self.is_live else "") + line + "\n")

    def _line(self, details: dict[str, Any]) -> str:
        parts = [] if details.get("is_done") else [self._bar(details)]
        parts.append(evaluations(details["n_evaluations"]))
        parts.append(f"{details['seconds']:.1f} s")
        if details["r2"] is not None:
            parts.append(f"R² {details['r2']:.4f}, size {details['size']}")
        line = "  ".join(part for part in parts if part)
        padding = " " * max(0, self.width - len(line))
        self.width = len(line)
        return line + padding

    def _bar(self, details: dict[str, Any]) -> str:
        shares = []
        if self.max_evals:
            shares.append(details["n_evaluations"] / self.max_evals)
        if self.max_time:
            shares.append(details["seconds"] / self.max_time)
        if not shares:
            return ""
        share = min(1.0, max(shares))
        n_done = int(20 * share)
        return f"[{'#' * n_done}{'.' * (20 - n_done)}] {100 * share:3.0f} %"

    def _write(self, text: str) -> None:
        # A closed or full standard error must not cost the result.
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError, AttributeError, UnicodeError):
            pass


def evaluations(n: int) -> str:
    """So many evaluations, in words."""
    return "1 evaluation" if n == 1 else f"{n:,} evaluations"


def _is_live() -> bool:
    try:
        is_terminal = sys.stderr.isatty()
    except (AttributeError, ValueError, OSError):
        return False
    # IPython's kernel replaces standard error by a stream that honours carriage returns but is no terminal.
    return is_terminal or type(sys.stderr).__module__.startswith("ipykernel")
