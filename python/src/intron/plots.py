"""Pictures of a fitted model, with Matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np

# Colours that readers with any colour vision tell apart.
_BLUE = "#0072B2"
_ORANGE = "#D55E00"


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("pictures need Matplotlib: pip install 'intron[plot]'") from None
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def plot_front(front: list[dict[str, Any]], chosen: int, ax: Any = None) -> Any:
    """R² against size, the chosen formula marked by colour and shape."""
    ax = _axes(ax, (6, 4))
    sizes = [entry["complexity"] for entry in front]
    r2 = [entry["r2"] for entry in front]
    ax.step(sizes, r2, where="post", color=_BLUE, linewidth=1)
    ax.plot(sizes, r2, "o", color=_BLUE, label="best of its size")
    ax.plot(sizes[chosen], r2[chosen], "D", color=_ORANGE, markersize=9, label="chosen")
    ax.set_xlabel("size of the formula (nodes)")
    ax.set_ylabel("R² on the training rows")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(alpha=0.3)
    ax.legend(loc="lower right")
    return ax


def plot_fit(y: Any, predicted: np.ndarray, ax: Any = None) -> Any:
    """Predicted against true values, with the line where both are equal."""
    ax = _axes(ax, (5, 5))
    name = getattr(y, "name", None) or "value"
    y = np.asarray(y, dtype=float).ravel()
    is_finite = np.isfinite(predicted)
    both = np.concatenate([y, predicted[is_finite]])
    ends = [both.min(), both.max()]
    ax.plot(ends, ends, color=_ORANGE, linewidth=1, label="equal")
    ax.scatter(y, predicted, s=14, color=_BLUE, alpha=0.6, linewidths=0, label="rows")
    ax.set_xlabel(f"true {name}", parse_math=False)
    ax.set_ylabel(f"predicted {name}", parse_math=False)
    ax.set_title(_fit_title(y, predicted, is_finite))
    ax.set_aspect("equal", adjustable="datalim")
    ax.grid(alpha=0.3)
    ax.legend(loc="lower right")
    return ax


def _fit_title(y: np.ndarray, predicted: np.ndarray, is_finite: np.ndarray) -> str:
    from sklearn.metrics import r2_score

    if not is_finite.all():
        return f"no value for {np.sum(~is_finite)} of {len(y)} rows"
    return f"{len(y)} rows" if len(y) < 2 else f"R² = {r2_score(y, predicted):.4f} on {len(y)} rows"
