"""Models as JSON files: the same files as the command line's, so each reads what the other writes. No code is in them."""

from __future__ import annotations

import json
import math
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

_FORMATS = ("intron-model", "intron-run", "intron-fit")
_VERSION = 1
_ATTRIBUTES = ("n_evaluations_", "n_polish_evaluations_", "n_generations_", "stop_reason_", "seconds_", "seed_", "run_details_")


def load(path: str | os.PathLike[str]) -> Any:
    """A fitted `IntronRegressor` from a file of `save`, or from what `intron fit --out` wrote."""
    from .regressor import IntronRegressor

    return IntronRegressor.load(path)


class Saved:
    """What an estimator needs to be written to a file and read again."""

    pareto_front_: list[dict[str, Any]]
    n_features_in_: int
    feature_names_in_: Any
    if TYPE_CHECKING:  # what the estimator itself brings along
        get_params: Callable[..., dict[str, Any]]
        _get_param_names: Callable[..., list[str]]
        _names: Callable[[], list[str]]
        _place: Callable[[int | None], int]
        _evidence: Callable[[], dict[str, Any]]
        _take_evidence: Callable[[dict[str, Any]], None]
        start_: list[dict[str, Any]]
        model_selection: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the fitted model as JSON. `intron predict` and `intron show` read the file too."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        text = json.dumps(self._to_json(), indent=1, allow_nan=False, ensure_ascii=False)
        _write_whole(Path(path), text + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """Reads a file of `save`, or a `model.json`, `run.json` or folder of the command line."""
        from . import _native

        path = Path(path)
        if path.is_dir():
            path = path / "model.json"
        try:
            text = path.read_text(encoding="utf-8")
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: is not a model of intron: {error}") from None
        if not isinstance(content, dict) or content.get("format") not in _FORMATS:
            raise ValueError(f'{path}: is not a model of intron (no "format": "intron-model")')
        if content.get("version") != _VERSION:
            raise ValueError(f"{path}: has version {content.get('version')!r}; this package reads version {_VERSION}")
        try:
            _native.check_model(text)
            return cls._from_json(content)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise ValueError(f"{path}: is damaged: {type(error).__name__}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def _to_json(self) -> dict[str, Any]:
        return {
            "format": _FORMATS[0],
            "version": _VERSION,
            "features": self._names(),
            "target": "y",
            "front": [_entry_to_json(entry) for entry in self.pareto_front_],
            "start": [_entry_to_json(entry) for entry in getattr(self, "start_", [])],
            "chosen": self._place(None),
            "select": self.model_selection,
            **self._evidence(),
            "estimator": {
                "arguments": {name: _scalar(value) for name, value in self.get_params().items() if _is_plain(_scalar(value))},
                "attributes": {name: _plain(getattr(self, name)) for name in _ATTRIBUTES if hasattr(self, name)},
                "has_names": hasattr(self, "feature_names_in_"),
            },
        }

    @classmethod
    def _from_json(cls, content: dict[str, Any]) -> Any:
        import numpy as np

        from . import front

        kept = content.get("estimator", {})
        known = cls._get_param_names()
        arguments = kept.get("arguments") or {"safety_margin": content.get("safety_margin")}
        model = cls(**{name: _argument(value) for name, value in arguments.items() if name in known})
        _refuse_words(content.get("preparation"))
        names = [str(name) for name in content["features"]]
        found = [_entry_from_json(entry, names) for entry in content["front"]]
        model.pareto_front_ = front.entries(found)
        model.start_ = front.given([_entry_from_json(entry, names) for entry in content.get("start", [])])
        model.n_features_in_ = len(names)
        if not kept:
            model.model_selection = _selection(content, model.pareto_front_)
        model._take_evidence(content)
        if kept.get("has_names", True):
            model.feature_names_in_ = np.array(names, dtype=object)
        for name in _ATTRIBUTES:
            value = kept.get("attributes", {}).get(name, content.get(name.rstrip("_")))
            if value is not None:
                setattr(model, name, value)
        return model


def _selection(content: dict[str, Any], found: list[dict[str, Any]]) -> str:
    """How the command line chose. Its earlier files have the choice only: then the way that gives it."""
    from . import front

    told = content.get("select", content.get("settings", {}).get("select"))
    if told is not None and not any(math.isnan(entry["mdl"]) for entry in found):
        front.check_selection(told)
        return told
    for selection in ("accuracy", "best", "score"):
        if front.choose(found, selection) == content.get("chosen"):
            return selection
    warnings.warn(
        f"the file does not tell how formula {content.get('chosen')} was chosen: the most accurate one predicts unless you "
        "set model_selection or give an index",
        stacklevel=5,
    )
    return "accuracy"


def _refuse_words(preparation: Any) -> None:
    """Columns of words are made 0 and 1 by the command line only; missing values are refused by `predict` here."""
    words = [column["name"] for column in (preparation or {}).get("columns", []) if column.get("levels") is not None]
    if words:
        raise ValueError(
            f"was fitted with --one-hot to columns of words ({', '.join(words)}), which this package does not encode: "
            "use `intron predict`, or encode them in the table before the fit"
        )


def _number(value: float) -> float | str:
    """A number as JSON holds it; those that JSON has not are words."""
    if math.isnan(value):
        return "nan"
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def _numbers(values: Any) -> list[float] | None:
    """A list of numbers from JSON, those that it has not among them."""
    return None if values is None else [float(value) for value in values]


def _scalar(value: Any) -> Any:
    """A number of NumPy as one of Python's."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def _entry_to_json(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "size": entry["size"],
        "complexity": entry["complexity"],
        "rank": entry["rank"],
        "r2_train": _number(entry["r2"]),
        "r2_test": None,
        "mse_train": _number(entry["loss"]),
        "bic": _number(entry["bic"]),
        "mdl": _number(entry["mdl"]),
        "validation_mse": entry["validation_loss"],
        "safety": entry["safety"],
        "danger": entry["danger"],
        "half_widths": _plain(entry["half_widths"]),
        "formula": entry["formula"].text,
    }


def _entry_from_json(entry: dict[str, Any], names: list[str]) -> dict[str, Any]:
    from ._native import Formula

    return {
        "formula": Formula(entry["formula"], names),
        "size": int(entry["size"]),
        "complexity": int(entry.get("complexity", entry["size"])),
        "rank": int(entry.get("rank", 1)),
        "r2": float(entry["r2_train"]),
        "mse": float(entry["mse_train"]),
        "bic": float(entry.get("bic", "nan")),
        "mdl": float(entry.get("mdl", "nan")),
        "validation_mse": entry.get("validation_mse"),
        "safety": entry.get("safety"),
        "danger": entry.get("danger"),
        "half_widths": _numbers(entry.get("half_widths")),
    }


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_plain(item) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(item) for key, item in value.items())
    return value is None or isinstance(value, (bool, int, float, str))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return _number(value) if isinstance(value, float) else value


def _argument(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _write_whole(path: Path, text: str) -> None:
    """Written beside and renamed: a file is whole or not there."""
    folder = path.parent
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a folder; give the name of a file")
    if not folder.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {folder}; make it first")
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
