"""The estimators of pyGPGOMEA and gpg by their old names and arguments: to switch, change one import.

>>> import numpy as np
>>> from intron.compat import GPGOMEARegressor
>>> X = np.random.default_rng(0).uniform(1, 5, size=(50, 2))
>>> model = GPGOMEARegressor(gomea=True, ims='5_1', time=-1, evaluations=20_000, seed=42)
>>> model.fit(X, X[:, 0] * X[:, 1]).get_n_nodes()
3

Each old argument has its row in the table of its class. What Intron does without is refused where ignoring it would give
something else than was asked for, and warned of where it only changes how the search goes about it. ``to_intron`` gives
the estimator to use from now on, and `docs/python.md` says what else is different.
"""

from .gpg import GPGRegressor
from .gpgomea import GPGOMEARegressor

__all__ = ["GPGOMEARegressor", "GPGRegressor"]
