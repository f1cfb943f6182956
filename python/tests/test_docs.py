"""What the documents say is so: examples run, tables name every argument, attribute and method, and no other."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin

import intron
from intron import IntronRegressor, settings
from intron.compat import GPGOMEARegressor, GPGRegressor

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def blocks(text):
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def rows(head):
    """The cells of a table of the guide, found by the first word of its head."""
    table = GUIDE.split(f"| {head} |")[1].split("\n\n")[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()[2:]]


def words(head):
    return [name for row in rows(head) for name in re.findall(r"`(\w+)", row[0])]


@pytest.fixture(scope="module")
def model():
    X = np.random.default_rng(0).uniform(1, 2, (30, 2))
    return IntronRegressor(max_evals=1000, linkage="mi", similarity=True).fit(X, X[:, 0] + X[:, 1] ** 2)


@pytest.mark.parametrize("document", ["README.md", "python/README.md", "docs/python.md"])
def test_the_examples_of_a_document_run(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    known = {}
    examples = blocks((ROOT / document).read_text(encoding="utf-8"))
    assert examples
    accuracies = []
    for example in examples:
        exec(compile(example, document, "exec"), known)
        accuracies += [known["model"].pareto_front_[-1]["r2"]] if "model" in known else []
    # The first model of each document is of data without noise.
    assert accuracies[0] > 0.99 and min(accuracies) > 0.9
    assert "* " in capsys.readouterr().out


def test_both_readmes_show_the_same_lines(tmp_path, monkeypatch):
    first, second = (blocks((ROOT / name).read_text(encoding="utf-8"))[0] for name in ("README.md", "python/README.md"))
    assert first == second
    monkeypatch.chdir(tmp_path)
    known = {}
    exec(first, known)
    assert intron.load("model.json").get_model() == known["model"].get_model()


def test_the_table_of_arguments_is_the_signature():
    written = {row[0].strip("`"): row[1].strip("`") for row in rows("argument")}
    actual = {name: repr(p.default) for name, p in inspect.signature(IntronRegressor).parameters.items()}
    for name in actual.keys() - written.keys():
        helps = {key: text for key, _, text in intron._native.settings()}
        print(f"add: | `{name}` | `{actual[name]}` | {helps.get(settings.KEYS.get(name), '')} |")
    assert written == actual
    assert settings.KEYS.keys() <= written.keys()


def test_the_docstring_of_the_estimator_names_only_what_there_is():
    named = re.findall(r"^    (\w[\w, ]*) : ", IntronRegressor.__doc__, flags=re.MULTILINE)
    known = inspect.signature(IntronRegressor).parameters.keys() | set(words("attribute"))
    assert {name for names in named for name in names.split(", ")} <= known


def test_the_table_of_attributes_is_what_a_fit_leaves(model):
    written = set(words("attribute"))
    left = {name for name in vars(model) if name.endswith("_")}
    assert left <= written
    assert all(hasattr(model, name) for name in written - {"feature_names_in_"})


def test_the_table_of_methods_is_what_there_is():
    of_scikit_learn = set(dir(BaseEstimator)) | set(dir(RegressorMixin)) | {"set_fit_request", "set_predict_request"}
    methods = {
        name
        for name, value in inspect.getmembers(IntronRegressor, callable)
        if not name.startswith("_") and name not in of_scikit_learn | {"set_score_request"}
    }
    found = set()
    for row in rows("method"):
        for name, arguments in re.findall(r"`(\w+)\(([^`]*)\)`", row[0]):
            parameters = list(inspect.signature(getattr(IntronRegressor, name)).parameters.values())
            given = [p for p in parameters if p.name not in ("self", "sample_weight") or name == "fit"]
            shown = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in given if p.name != "self"]
            assert arguments == ", ".join(shown), name
            found.add(name)
    assert found == methods | {"score"}


def test_what_switching_says_is_refused_and_not_used_is_in_the_tables():
    switching = GUIDE.split("## Switching")[1].split("**From PySR**")[0]
    assert GPGOMEARegressor._ONLY.keys() | GPGRegressor._ONLY.keys() <= set(re.findall(r"\w+", switching))
    without = GPGOMEARegressor._WITHOUT | GPGRegressor._WITHOUT
    assert {"coeffmut", "cmp", "cmt", "validation", "finetune", "feat_sel"} <= without.keys()
    assert GPGRegressor(d=4).to_intron([[1.0], [2.0]]).height == 5


def test_links_lead_somewhere():
    for document in ("README.md", "docs/python.md", "integrations/srbench/README.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
            assert target.startswith("http") or (ROOT / document).parent.joinpath(target).exists(), target
