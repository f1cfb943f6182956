"""The estimators of pyGPGOMEA and gpg: what their users typed goes on working, or says why not."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
import sympy
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.utils.estimator_checks import parametrize_with_checks

from intron import settings
from intron.compat import GPGOMEARegressor, GPGRegressor

BOTH = [GPGOMEARegressor, GPGRegressor]


def gravity(n_rows=128, seed=42):
    """The example of both projects: masses and a distance."""
    X = np.random.default_rng(seed).uniform(1, 9, size=(n_rows, 3))
    return X, 6.67 * X[:, 0] * X[:, 1] / np.square(X[:, 2])


@pytest.fixture
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# ---- as users typed it -----------------------------------------------------------------------------------------------


def test_the_example_of_pygpgomea_works(capsys, no_warnings):
    from intron.compat import GPGOMEARegressor as GPGR

    X, y = gravity()
    model = GPGR(gomea=True, ims="5_1", generations=10, seed=42)
    model.fit(X, y)
    print("Model found:", model.get_model())
    print("RMSE:", np.sqrt(np.mean(np.square(model.predict(X) - y))))
    assert "x0" in capsys.readouterr().out
    assert model.get_n_nodes() <= 31
    assert model.get_evaluations() == model.intron_.n_evaluations_ > 500
    assert model.score(X, y) > 0.5
    header, *lines = model.get_progress_log().splitlines()
    assert header.split("\t")[0] == "gen"
    assert len(lines) == len(model.intron_.run_details_["r2"]) > 0
    assert {len(line.split("\t")) for line in lines} == {6}


def test_the_grid_search_of_pygpgomea_works():
    X, y = gravity()
    grid = [{"popsize": [50, 100], "initmaxtreeheight": [3, 5]}]
    search = GridSearchCV(GPGOMEARegressor(generations=3, parallel=2, ims=False, seed=1), grid, cv=2)
    search.fit(X, y)
    assert set(search.best_params_) == {"popsize", "initmaxtreeheight"}


def test_all_old_arguments_with_their_old_defaults_pass_without_a_word(no_warnings):
    X, y = gravity()
    model = GPGOMEARegressor(
        time=-1, generations=5, evaluations=-1, prob="symbreg", multiobj=False, linearscaling=True,
        functions="+_*_-_p/_sqrt_plog", erc=True, classweights=False, gomea=True, gomfos="LT", subcross=0.5, submut=0.5,
        reproduction=0.0, sblibtype=False, sbrdo=0.0, sbagx=0.0, unifdepthvar=True, tournament=4, elitism=0, ims="5_1",
        syntuniqinit=1000, popsize=100, initmaxtreeheight=4, inittype=False, maxtreeheight=17, maxsize=1000,
        validation=False, coeffmut=False, gomcoeffmutstrat=False, batchsize=False, seed=3, parallel=1, caching=False,
        silent=True, logtofile=False,
    )  # fmt: skip
    assert model.fit(X, y).score(X, y) > 0.5


def test_the_example_of_gpg_works(capsys):
    X, y = gravity()
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=42)
    gpg = GPGRegressor(e=50_000, t=-1, g=-1, d=3, verbose=True, random_state=42)
    gpg.fit(X_train, y_train)
    assert "evaluations" in capsys.readouterr().err
    assert r2_score(y_train, gpg.predict(X_train)) > 0.99
    assert isinstance(gpg.model, sympy.Expr)
    assert {str(symbol) for symbol in gpg.model.free_symbols} <= {"x_0", "x_1", "x_2"}
    compute = sympy.lambdify(sympy.symbols("x_0 x_1 x_2", real=True), gpg.model, "numpy")
    np.testing.assert_allclose(compute(*X_test.T), gpg.predict(X_test), rtol=1e-9)
    assert gpg.models[-1] == gpg.model


def test_the_grid_of_gpg_works():
    X, y = gravity()
    grid = [{"d": (2,), "rci": (0.0,)}, {"d": (3,), "rci": (0.0, 0.1)}]
    search = GridSearchCV(GPGRegressor(e=2000, g=-1, random_state=1), grid, cv=2, scoring="r2", error_score="raise")
    assert search.fit(X, y).best_score_ > 0.5


# ---- scikit-learn ----------------------------------------------------------------------------------------------------


@parametrize_with_checks(
    [
        GPGOMEARegressor(time=-1, evaluations=2000, popsize=64, seed=0),
        GPGRegressor(g=-1, e=2000, random_state=0),
    ]
)
def test_check_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", BOTH)
def test_clone_and_pickle_keep_everything(cls):
    X, y = gravity()
    limits = {"evaluations": 2000, "seed": 1} if cls is GPGOMEARegressor else {"e": 2000, "random_state": 1}
    model = cls(**limits).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tobytes() == model.predict(X).tobytes()
    assert clone(model).get_params() == model.get_params()
    assert clone(model).set_params(**limits).fit(X, y).predict(X).tobytes() == model.predict(X).tobytes()


# ---- the tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", BOTH)
def test_every_old_argument_is_in_a_table_or_named_here_with_its_reason(cls):
    elsewhere = {
        "popsize", "pop",  # read with ims and disable_ims
        "maxtreeheight", "maxsize", "batchsize", "bs",  # matter or not, by the other arguments and the rows
        "caching",  # always on
        "rci",  # chooses from the front
        "finetune_max_evals",  # matters with finetune only
    }  # fmt: skip
    for name in inspect.signature(cls).parameters:
        in_tables = sum(name in table for table in (cls._TABLE, cls._ONLY, cls._WITHOUT))
        assert in_tables == (0 if name in elsewhere else 1), name
    for table in (cls._TABLE, cls._ONLY, cls._WITHOUT):
        assert table.keys() <= inspect.signature(cls).parameters.keys()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"height": 5, "linear_scaling": True, "linkage": "mi_adjusted", "max_time": 60, "max_evals": None}),
        ({}, {"operators": ["+", "*", "-", "pdiv", "psqrt", "plog"], "constants_range": (-10.0, 10.0)}),
        ({"ims": "5_1", "popsize": 64}, {"population_size": None, "ims_start": 64, "ims_factor": 5}),
        ({"ims": "4", "popsize": 64}, {"ims_factor": 4}),
        ({"ims": False, "popsize": 64}, {"population_size": 64}),
        ({"gomfos": "RT"}, {"linkage": "random"}),
        ({"gomfos": "U"}, {"linkage": "univariate"}),
        ({"erc": False}, {"constants_range": "off"}),
        ({"functions": "+_-_*_aq_exp_sin_cos_^2"}, {"operators": "+ - * aq exp sin cos square".split()}),
        ({"initmaxtreeheight": 6}, {"height": 7}),
        ({"syntuniqinit": False}, {"init_duplicates": "allowed"}),
        ({"time": -1, "evaluations": 500000}, {"max_time": None, "max_evals": 500000}),
        ({"seed": 5, "parallel": 4, "silent": False}, {"random_state": 5, "n_jobs": 4, "verbose": 1}),
        ({"seed": -1, "parallel": False}, {"random_state": None, "n_jobs": 1}),
    ],
)
def test_arguments_of_pygpgomea_become_settings(old, new, no_warnings):
    arguments = GPGOMEARegressor(**old).to_intron([[1.0], [-2.0]]).get_params()
    assert {name: arguments[name] for name in new} == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"height": 5, "generations": 20, "max_time": None, "max_evals": None, "linear_scaling": True}),
        ({}, {"population_size": None, "ims_start": 64, "random_state": None, "linkage": "mi_adjusted"}),
        ({}, {"operators": ["+", "-", "*", "/", "sin", "cos", "log"], "constants_range": (-5.0, 5.0)}),
        ({"disable_ims": True, "pop": 1024, "nolink": True}, {"population_size": 1024, "linkage": "random"}),
        ({"d": 6, "ff": "mse", "random_state": 7}, {"height": 7, "linear_scaling": False, "random_state": 7}),
        ({"fset": "+,-,*,/,sqrt,**2,**3"}, {"operators": "+ - * / sqrt square cube".split()}),
        ({"tset": "x_0"}, {"constants_range": "off"}),
        ({"tset": "x_0,erc"}, {"constants_range": (-5.0, 5.0)}),
        ({"bs": 2048, "cmp": 0.0, "feat_sel": -1}, {"height": 5}),
    ],
)
def test_arguments_of_gpg_become_settings(old, new, no_warnings):
    arguments = GPGRegressor(**old).to_intron([[1.0], [-2.0]]).get_params()
    assert {name: arguments[name] for name in new} == new


@pytest.mark.parametrize(
    ("estimator", "said"),
    [
        (GPGOMEARegressor(tournament=8), "tournament=8 is not used"),
        (GPGOMEARegressor(batchsize=1), "batchsize=1 is not used"),
        (GPGOMEARegressor(coeffmut="0.5_0.5_0.5_10"), "constants are not mutated"),
        (GPGOMEARegressor(validation=0.25), "set rows aside"),
        (GPGOMEARegressor(maxsize=20), "choose a smaller formula"),
        (GPGOMEARegressor(initmaxtreeheight=5, maxtreeheight=3), "lower initmaxtreeheight"),
        (GPGOMEARegressor(time=-1), "1,000,000 evaluations"),
        (GPGRegressor(feat_sel=16), "SelectKBest"),
        (GPGRegressor(cmp=0.5), "constants are not mutated"),
        (GPGRegressor(finetune=True, finetune_max_evals=500), "finetune=True is not used"),
        (GPGRegressor(pop=500), "disable_ims=True"),
        (GPGRegressor(bs=1), "bs=1 is not used"),
        (GPGRegressor(tour=4, no_large_fos=True), "tour=4 is not used .*; no_large_fos=True"),
    ],
)
def test_what_is_done_without_is_said_in_one_warning(estimator, said):
    with pytest.warns(UserWarning, match=said) as record:
        estimator.to_intron([[1.0], [2.0]])
    assert len(record) == 1


@pytest.mark.parametrize(
    ("estimator", "said"),
    [
        (GPGOMEARegressor(gomea=False), "gomea=False: .*gplearn"),
        (GPGOMEARegressor(prob="accuracy"), "prob='accuracy'"),
        (GPGOMEARegressor(multiobj="symbreg_size"), "equations_"),
        (GPGOMEARegressor(gomfos="SC"), "gomfos='SC': give one of LT, RT, U"),
        (GPGOMEARegressor(functions="+_foo"), r"functions='\+_foo': .*unknown operator `foo`"),
        (GPGOMEARegressor(functions=3), "functions=3"),
        (GPGOMEARegressor(ims="5_3"), "ims='5_3'"),
        (GPGOMEARegressor(ims="x"), "ims='x': write it like '5_1'"),
        (GPGOMEARegressor(initmaxtreeheight="x"), "initmaxtreeheight='x'"),
        (GPGOMEARegressor(time="long"), "time='long'"),
        (GPGRegressor(d=50), "d=50"),
        (GPGRegressor(ff="mae"), "ff='mae': give one of ac, lsmse, mse"),
        (GPGRegressor(ne=1000), "ne=1000: .*give e"),
        (GPGRegressor(tset="x_0,x_1,3.14"), "tset='x_0,x_1,3.14': .*columns"),
    ],
)
def test_what_would_be_something_else_is_refused(estimator, said):
    with pytest.raises(ValueError, match=said):
        estimator.to_intron([[1.0], [2.0]])


def test_rci_trades_accuracy_for_simplicity():
    X, y = gravity()
    y = y + np.random.default_rng(1).normal(size=len(y))
    model = GPGRegressor(e=5000, g=-1, random_state=1).fit(X, y)
    sizes = [model.set_params(rci=rci).intron_.pareto_front_[model._index()]["complexity"] for rci in (0.0, 0.3, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[2] == 1
    with pytest.raises(ValueError, match="rci=2"):
        model.set_params(rci=2).predict(X)


def test_to_intron_searches_the_same(no_warnings):
    X, y = gravity()
    old = GPGOMEARegressor(time=-1, evaluations=3000, seed=4)
    assert old.fit(X, y).get_model() == old.to_intron(X).fit(X, y).get_model()
    assert settings.KEYS.keys() <= old.to_intron(X).get_params().keys()
