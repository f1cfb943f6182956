"""Is a formula that was found the true one?

Three answers, from strict to lenient:

- exact: the values agree on fresh points from wider ranges, to 1e-6 of the value everywhere;
- symbolic: exact, and SymPy shows that the two are the same expression with constants that agree to 1e-6;
- form: there are constants for which the formula is exact, and no part of it is idle then. That is what can be hoped for where
  the data are noisy, and where a program computes in single precision. A slope and an intercept that are idle are allowed.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy
from scipy.optimize import least_squares

from equations import Equation, rng
from intron.symbolic import to_sympy

TOLERANCE = 1e-6
#: Below this share of the root mean square of the truth, differences are rounding.
_FLOOR = 1e-9
_N_POINTS = 1000
_N_FITTED = 300
#: Formulas with a smaller R² on rows without noise are not worth a closer look at their form.
_LEAST_R2 = 0.99
#: Constants that change no value by more than this share of the spread are dropped before the form is looked at.
_IDLE = 1e-5
_MAX_CONSTANTS = 20
#: Constants are rounded to so many digits before terms are compared, since they can stand where no coefficient does.
_DIGITS = (10, 8, 6)


class TimedOut(Exception):
    """A check took too long."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises `TimedOut` after some seconds; without limit where there are no alarms."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise TimedOut

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Checker:
    """Compares formulas, as SymPy expressions of real symbols, with one equation."""

    def __init__(self, equation: Equation, seconds: float = 5.0):
        self.seconds = seconds
        self.symbols = [sympy.Symbol(name, real=True) for name in equation.names]
        self.positive = {
            symbol: sympy.Symbol(symbol.name, positive=True)
            for symbol in self.symbols
            if symbol.name in equation.positive
        }
        self.truth = to_sympy(equation.formula)
        self.X_wide, self.y_wide = equation.draw_wider(rng(equation, 0, "wider"), _N_POINTS)
        self.X, self.y = equation.draw(rng(equation, 0, "fit"), _N_FITTED)

    def check(self, found: Any) -> dict[str, Any]:
        """All answers; None where SymPy did not come to an end."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            is_exact = self.is_exact(found)
            is_symbolic = self._within_time(self.is_symbolic, found) if is_exact else False
            is_form = True if is_exact else self._within_time(self.has_form, found)
        return {"exact": is_exact, "symbolic": is_symbolic, "form": is_form}

    def _within_time(self, question: Any, found: Any) -> bool | None:
        try:
            with at_most(self.seconds):
                return bool(question(found))
        except TimedOut:
            return None
        except (RecursionError, ArithmeticError, ValueError, TypeError, NameError, AttributeError):
            return None

    # ---- values --------------------------------------------------------------------------------------------------

    def is_exact(self, found: Any) -> bool:
        """Whether the values agree on the wider ranges."""
        return self._agrees(values(found, self.symbols, self.X_wide))

    def _agrees(self, found: np.ndarray) -> bool:
        allowed = TOLERANCE * np.abs(self.y_wide) + _FLOOR * _root_mean_square(self.y_wide)
        return bool(np.all(np.abs(found - self.y_wide) <= allowed))

    # ---- symbols -------------------------------------------------------------------------------------------------

    def is_symbolic(self, found: Any) -> bool:
        """Whether SymPy shows the two to be the same."""
        found, truth = (expression.xreplace(self.positive) for expression in (found, self.truth))
        for digits in _DIGITS:
            pair = [_rounded(expression, digits) for expression in (found, truth)]
            if _same_terms(*pair, 10.0 ** (1 - digits) + TOLERANCE):
                return True
        rational = [sympy.nsimplify(_rounded(expression, _DIGITS[-1]), rational=True) for expression in (found, truth)]
        return sympy.simplify(rational[0] - rational[1]) == 0

    # ---- form ----------------------------------------------------------------------------------------------------

    def has_form(self, found: Any) -> bool:
        """Whether other constants would make the formula exact, with none of them idle."""
        residuals = values(found, self.symbols, self.X) - self.y
        if not np.mean(residuals**2) <= (1 - _LEAST_R2) * np.var(self.y):
            return False
        form = Form(found, self.symbols)
        form.drop_idle(self.X, _IDLE * np.std(self.y))
        if not 1 <= len(form.constants) <= _MAX_CONSTANTS:
            return False
        form.fit(self.X, self.y)
        if not self._agrees(form.values(self.X_wide)):
            return False
        return not any(self._agrees(form.values(self.X_wide, without=place)) for place in form.inner_places())


class Form:
    """An expression whose numbers, but for exponents and signs, are free. Equal numbers stay equal."""

    def __init__(self, expression: Any, symbols: list[Any]):
        self.symbols = symbols
        free: dict[Any, Any] = {}
        self.expression = _freed(expression, free)
        self.parameters = list(free.values())
        self.constants = np.array([float(number) for number in free])
        self._compile()

    def _compile(self) -> None:
        arguments = [*self.symbols, *self.parameters]
        slopes = [sympy.diff(self.expression, parameter) for parameter in self.parameters]
        self._values = sympy.lambdify(arguments, self.expression, "numpy", cse=True)
        self._slopes = sympy.lambdify(arguments, slopes, "numpy", cse=True)

    def inner_places(self) -> list[int]:
        """The constants, but for an intercept."""
        outer = set(self.expression.args) if self.expression.is_Add else set()
        is_intercept = [parameter in outer and self._n_uses(parameter) == 1 for parameter in self.parameters]
        return [place for place, is_outer in enumerate(is_intercept) if not is_outer]

    def _n_uses(self, parameter: Any) -> int:
        return sum(node == parameter for node in sympy.preorder_traversal(self.expression))

    def values(self, X: np.ndarray, without: int | None = None) -> np.ndarray:
        constants = self.constants.copy()
        if without is not None:
            constants[without] = 0.0
        return _filled(self._values(*X.T, *constants), len(X))

    def drop_idle(self, X: np.ndarray, most: float) -> None:
        """Sets constants to zero where that changes next to nothing."""
        places = self.inner_places()
        whole = self.values(X)
        idle = [place for place in places if np.all(np.abs(self.values(X, without=place) - whole) <= most)]
        if not idle:
            return
        self.expression = self.expression.xreplace({self.parameters[place]: sympy.Integer(0) for place in idle})
        kept = [place for place in range(len(self.parameters)) if place not in idle]
        self.parameters = [self.parameters[place] for place in kept]
        self.constants = self.constants[kept]
        self._compile()

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        """The constants with the least squares."""
        scale = _root_mean_square(y)

        def residuals(constants: np.ndarray) -> np.ndarray:
            difference = (_filled(self._values(*X.T, *constants), len(X)) - y) / scale
            return np.where(np.isfinite(difference), difference, 1e6)

        def slopes(constants: np.ndarray) -> np.ndarray:
            columns = [_filled(column, len(X)) for column in self._slopes(*X.T, *constants)]
            matrix = np.column_stack(columns) / scale
            return np.where(np.isfinite(matrix), matrix, 0.0)

        sizes = np.maximum(np.abs(self.constants), 1e-12)
        limits = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15, "max_nfev": 500}
        self.constants = least_squares(residuals, self.constants, slopes, method="lm", x_scale=sizes, **limits).x


def _freed(expression: Any, free: dict[Any, Any]) -> Any:
    """The expression with a parameter for each number that is free; takes them down."""
    if expression.is_Number:
        if expression in (1, -1, 0):
            return expression
        return free.setdefault(expression, sympy.Dummy(f"c{len(free)}", real=True))
    if not expression.args:
        return expression
    if expression.is_Pow and expression.exp.is_Rational:
        return _freed(expression.base, free) ** expression.exp
    return expression.func(*(_freed(argument, free) for argument in expression.args))


def values(expression: Any, symbols: list[Any], X: np.ndarray) -> np.ndarray:
    """The values of an expression; not a number where it is not real."""
    if expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
        return np.full(len(X), np.nan)
    function = sympy.lambdify(symbols, expression, "numpy")
    return _filled(function(*X.T), len(X))


def n_nodes(expression: Any) -> int:
    """The size of an expression, counted the same way for every method."""
    return sum(1 for _ in sympy.preorder_traversal(expression))


def _filled(result: Any, n: int) -> np.ndarray:
    result = np.asarray(result)
    if np.iscomplexobj(result):
        result = np.where(result.imag == 0, result.real, np.nan)
    return np.broadcast_to(result.astype(float), n).copy()


def _root_mean_square(y: np.ndarray) -> float:
    return float(np.sqrt(np.mean(y**2)))


def _rounded(expression: Any, digits: int) -> Any:
    numbers = {number: sympy.Float(str(sympy.Float(number, digits))) for number in expression.atoms(sympy.Float)}
    return expression.xreplace(numbers)


def _same_terms(found: Any, truth: Any, tolerance: float) -> bool:
    """Whether numerators times the other's denominators have the same terms, with coefficients that agree."""
    (top, bottom), (true_top, true_bottom) = (sympy.fraction(sympy.together(side)) for side in (found, truth))
    left, right = _terms(top * true_bottom), _terms(true_top * bottom)
    largest = max([abs(coefficient) for coefficient in (*left.values(), *right.values())], default=0.0)
    for term in {*left, *right}:
        ours, theirs = left.get(term, 0.0), right.get(term, 0.0)
        if abs(ours - theirs) > tolerance * max(abs(ours), abs(theirs)) and abs(ours - theirs) > _FLOOR * largest:
            return False
    return True


def _terms(expression: Any) -> dict[Any, float]:
    """Coefficients by term, with exponentials and logarithms taken apart."""
    expanded = sympy.expand(sympy.expand_log(sympy.expand(expression)))
    terms: dict[Any, float] = {}
    for term in sympy.Add.make_args(expanded):
        coefficient, rest = term.as_coeff_Mul()
        constant, rest = rest.as_independent(*rest.free_symbols, as_Add=False)
        terms[rest] = terms.get(rest, 0.0) + float(coefficient * constant)
    return terms
