"""Pictures of a fitted model, with Matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np

# Colours that readers with any colour vision tell apart.
_BLUE = "#0072B2"
_ORANGE = "#D55E00"


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("pictures need Matplotlib: pip install 'intron[plot]'") from None
    return pyplot.subplots(figsize=(6, 4), layout="constrained")[1]


def plot_front(front: list[dict[str, Any]], chosen: int, ax: Any = None) -> Any:
    """Error against size, the chosen formula marked."""
    ax = _axes(ax)
    sizes = [entry["complexity"] for entry in front]
    r2 = [entry["r2"] for entry in front]
    ax.step(sizes, r2, where="post", color=_BLUE, linewidth=1)
    ax.plot(sizes, r2, "o", color=_BLUE)
    ax.plot(sizes[chosen], r2[chosen], "o", color=_ORANGE, markersize=10, label="chosen")
    ax.set_xlabel("size of the formula (nodes)")
    ax.set_ylabel("R² on the training rows")
    ax.legend(loc="lower right")
    return ax


def plot_fit(y: Any, predicted: np.ndarray, r2: float | None, ax: Any = None) -> Any:
    """Predicted against true values, with the line where both are equal."""
    ax = _axes(ax)
    y = np.asarray(y, dtype=float).ravel()
    ax.scatter(y, predicted, s=12, color=_BLUE, alpha=0.6, linewidths=0)
    ends = [min(y.min(), np.nanmin(predicted)), max(y.max(), np.nanmax(predicted))]
    ax.plot(ends, ends, color=_ORANGE, linewidth=1)
    ax.set_xlabel("true value")
    ax.set_ylabel("predicted value")
    if r2 is not None:
        ax.set_title(f"R² = {r2:.4f} on {len(y)} rows")
    return ax
