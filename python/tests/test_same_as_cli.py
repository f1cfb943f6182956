"""The package and the command line are two doors to one search: same seed, same formulas, same files."""

import copy
import json
import pickle
import subprocess

import joblib
import numpy as np
import pytest
from helpers import front_of, made_up_table
from lab_tools import command_line

from intron import IntronRegressor, load
from intron.front import choose

CLI = command_line()

pytestmark = pytest.mark.skipif(CLI is None, reason="INTRON_COMMAND does not name the program `intron`; `cargo xtask python` sets it")

N_EVALUATIONS = 50_000
NAMES = ["first", "wind speed", "x7"]


@pytest.fixture(scope="module")
def table():
    return made_up_table(n_rows=80)


@pytest.fixture(scope="module")
def csv(table, tmp_path_factory):
    X, y = table
    lines = [",".join([*NAMES, "y"])]
    lines += [",".join(repr(float(value)) for value in (*row, target)) for row, target in zip(X, y)]
    path = tmp_path_factory.mktemp("data") / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def intron(*arguments):
    command = [CLI, *map(str, arguments), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fit_by_cli(csv, *options):
    limits = ("--test-fraction", 0, "--evaluations", N_EVALUATIONS)
    return json.loads(intron("fit", csv, *limits, "--json", *options))


def formulas_of(fitted):
    """The front of the command line, as `front_of` gives that of a model."""
    return [
        (entry["size"], entry["formula"], entry["mse_train"].hex(), entry["r2_train"].hex()) for entry in fitted["front"]
    ]


def named(X):
    import pandas

    return pandas.DataFrame(X, columns=NAMES)


OPTIONS = [
    ({}, ()),
    ({"random_state": 7}, ("--seed", 7)),
    ({"height": 4, "operators": "large", "linkage": "mi_masked"}, ("--height", 4, "--operators", "large", "--linkage", "mi-masked")),
    ({"linear_scaling": False, "population_size": 200}, ("--linear-scaling", "off", "--population", 200)),
    ({"constants_range": (-3, 5), "ims_factor": 4}, ("--set", "constants.range=-3..5", "--set", "ims.factor=4")),
]


@pytest.mark.parametrize(("arguments", "options"), OPTIONS, ids=lambda value: str(value))
def test_the_same_seed_finds_the_same_formulas(table, csv, arguments, options):
    X, y = table
    model = IntronRegressor(max_evals=N_EVALUATIONS, **arguments).fit(named(X), y)
    fitted = fit_by_cli(csv, *options)
    assert front_of(model) == formulas_of(fitted)
    assert (model.n_evaluations_, model.n_generations_) == (fitted["n_evaluations"], fitted["n_generations"])
    assert model.stop_reason_ == fitted["stop_reason"]
    assert len(model.pareto_front_) > 3


@pytest.mark.parametrize("n_jobs", [1, 2, 3, -1])
def test_the_number_of_threads_changes_nothing(table, csv, n_jobs):
    X, y = table
    model = IntronRegressor(max_evals=N_EVALUATIONS, n_jobs=n_jobs).fit(named(X), y)
    assert front_of(model) == formulas_of(fit_by_cli(csv, "--threads", 1))


def test_fitting_twice_gives_the_same(table):
    X, y = table
    model = IntronRegressor(max_evals=N_EVALUATIONS)
    first = front_of(model.fit(X, y))
    assert front_of(model.fit(X, y)) == first


def through_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib")


def through_a_file(model, folder):
    model.save(folder / "model.json")
    return load(folder / "model.json")


COPIES = {
    "pickle": lambda model, folder: pickle.loads(pickle.dumps(model)),
    "joblib": through_joblib,
    "copy": lambda model, folder: copy.copy(model),
    "deepcopy": lambda model, folder: copy.deepcopy(model),
    "file": through_a_file,
}


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_is_the_same_model_and_searches_the_same(table, csv, tmp_path, way):
    X, y = named(table[0]), table[1]
    model = IntronRegressor(max_evals=N_EVALUATIONS).fit(X, y)
    again = COPIES[way](model, tmp_path)
    assert again.get_params() == model.get_params()
    assert front_of(again) == front_of(model) == formulas_of(fit_by_cli(csv))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert front_of(again.fit(X, y)) == front_of(model)


def test_the_command_line_reads_what_save_writes(table, csv, tmp_path):
    X = named(table[0])
    model = IntronRegressor(max_evals=N_EVALUATIONS, model_selection="best").fit(X, table[1])
    path = tmp_path / "model.json"
    model.save(path)
    predicted = json.loads(intron("predict", path, csv, "--json"))
    assert predicted["formula"] == model.model_.text
    assert predicted["predictions"] == model.predict(X).tolist()
    assert len(intron("show", path).splitlines()) >= len(model.pareto_front_)
    for index in range(len(model.pareto_front_)):
        for format in ("text", "latex"):
            shown = intron("show", path, "--index", index, "--format", format)
            assert shown.strip() == model.export(format, index)


def test_a_model_without_names_is_read_too(table, tmp_path):
    X, y = table
    model = IntronRegressor(max_evals=N_EVALUATIONS).fit(X, y)
    model.save(tmp_path / "model.json")
    np.savetxt(tmp_path / "new.csv", X, delimiter=",", header="x0,x1,x2", comments="", fmt="%.17g")
    predicted = json.loads(intron("predict", tmp_path / "model.json", tmp_path / "new.csv", "--json"))
    assert predicted["predictions"] == model.predict(X).tolist()


@pytest.mark.parametrize("file", [".", "model.json", "run.json"])
def test_the_package_reads_what_the_command_line_writes(table, csv, tmp_path, file):
    X = named(table[0])
    fitted = fit_by_cli(csv, "--out", tmp_path / "run")
    model = load(tmp_path / "run" / file)
    assert front_of(model) == formulas_of(fitted)
    assert list(model.feature_names_in_) == NAMES
    predicted = json.loads(intron("predict", tmp_path / "run", csv, "--json"))["predictions"]
    assert model.predict(X).tolist() == predicted
    assert model.model_.text == fitted["front"][fitted["chosen"]]["formula"]


@pytest.mark.parametrize("way", ["accuracy", "best", "score", "bic", "mdl", "validation"])
def test_the_choice_of_the_command_line_is_taken_and_can_be_made_anew(table, csv, tmp_path, way):
    X = named(table[0])
    fitted = fit_by_cli(csv, "--out", tmp_path / "run", "--select", way)
    for file in ("model.json", "run.json"):
        model = load(tmp_path / "run" / file)
        assert model.model_selection == way and model.safety_margin == 0.05
        assert model.model_.text == fitted["front"][fitted["chosen"]]["formula"]
        here = IntronRegressor(max_evals=N_EVALUATIONS, model_selection=way).fit(X, table[1])
        assert here.model_.text == model.model_.text
        for other in ("accuracy", "bic", "mdl"):
            here.set_params(model_selection=other)
            assert model.set_params(model_selection=other).model_.text == here.model_.text


def as_earlier(content):
    """A model file as earlier versions wrote it: the choice, but not the numbers behind it."""
    del content["select"]
    for entry in content["front"]:
        del entry["bic"], entry["mdl"]


@pytest.mark.parametrize("way", ["accuracy", "best", "score"])
def test_files_that_do_not_tell_how_the_choice_was_made_are_read(csv, tmp_path, way):
    fit_by_cli(csv, "--out", tmp_path, "--select", way)
    content = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    as_earlier(content)
    (tmp_path / "model.json").write_text(json.dumps(content), encoding="utf-8")
    model = load(tmp_path)
    assert model.model_.text == content["front"][content["chosen"]]["formula"]
    with pytest.raises(ValueError, match="model_selection='mdl': the file that the model is from does not tell it"):
        model.set_params(model_selection="mdl").predict(np.ones((2, 3)))


def test_a_choice_that_nothing_explains_is_told(csv, tmp_path):
    fit_by_cli(csv, "--out", tmp_path)
    content = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    as_earlier(content)
    front = load(tmp_path).pareto_front_
    explained = {choose(front, way) for way in ("accuracy", "best", "score")}
    content["chosen"] = next(place for place in range(len(front)) if place not in explained)
    (tmp_path / "model.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.warns(UserWarning, match=f"does not tell how formula {content['chosen']} was chosen"):
        model = load(tmp_path)
    assert model.model_.text == content["front"][choose(front, "accuracy")]["formula"]


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("chosen", 99, '"chosen" is not the number of a formula'),
        ("front", [], '"chosen" is not the number of a formula'),
        ("target", None, '"target" is not text'),
        ("ranges", [[2, 1]] * 3, "ranges"),
    ],
)
def test_damaged_files_are_refused_as_the_command_line_does(csv, tmp_path, key, value, problem):
    fit_by_cli(csv, "--out", tmp_path)
    content = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    content[key] = value
    (tmp_path / "model.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=f"model.json: is damaged: .*{problem}"):
        load(tmp_path)


def test_weights_are_those_of_the_command_line(table, tmp_path):
    X, y = table
    weights = np.random.default_rng(3).integers(0, 3, len(y)) + 0.5
    lines = ["a,b,c,weight,y"]
    lines += [",".join(repr(float(value)) for value in (*row, weight, target)) for row, weight, target in zip(X, weights, y)]
    path = tmp_path / "weighted.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    import pandas

    model = IntronRegressor(max_evals=N_EVALUATIONS)
    model.fit(pandas.DataFrame(X, columns=["a", "b", "c"]), y, sample_weight=weights)
    assert front_of(model) == formulas_of(fit_by_cli(path, "--weights", "weight"))
