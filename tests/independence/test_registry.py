"""The registry of tests, and the places that list the tests: none forgets one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ancestral as an
from ancestral.independence import TESTS
from ancestral.independence.base import MEMBERS, BaseTest, Makers, Test
from ancestral.independence.contingency import GTest
from ancestral.independence.custom import CustomTest
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.registry import TestKind, default_test
from ancestral.independence.saved_test import SavedTest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", TESTS)
def test_a_test_can_be_made(name: str) -> None:
    assert isinstance(TESTS[name].makers, Makers)


def test_a_test_of_any_module_can_be_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "independence_tests.py").write_text(
        "from ancestral.independence.fisher_z import FisherZ\n"
        "from ancestral.independence.base import Makers\n"
        "from ancestral.data import Moments\n"
        "class Mine(FisherZ):\n"
        "    name = 'mine'\n"
        "MINE = Makers(of_table=lambda table, alpha: Mine(Moments.of(table), alpha))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    kind = TestKind(frozenset({"continuous"}), "a test of one's own", "elsewhere.independence_tests.MINE")
    monkeypatch.setitem(TESTS, "mine", kind)
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=500, seed=1)
    found = an.discover(rows, test="mine")
    assert found.settings.test == "mine" and found.pag == an.discover(rows, algorithm="icd").pag
    assert an.discover(rows).settings.test == "fisher-z"


def test_the_first_test_for_all_kinds_of_columns_is_chosen() -> None:
    assert [default_test(kinds) for kinds in ({"continuous"}, {"discrete"}, {"continuous", "discrete"})] == [
        "fisher-z", "labels", "mixed",
    ]  # fmt: skip


def test_the_table_in_the_documentation_is_that_of_the_registry() -> None:
    section = (DOCS / "data.md").read_text("utf-8").partition("\n## Tests\n")[2].partition("\n## ")[0]
    rows = re.findall(r'^\| `"([\w-]+)"` \| ([a-z ]+) \| ([^|]+) \|', section, re.M)
    listed = [(name, frozenset(kinds.split(" or ")), about) for name, kinds, about in rows]
    assert listed == [(name, kind.kinds, kind.about) for name, kind in TESTS.items()]


def test_docstrings_and_help_name_every_test() -> None:
    shell = subprocess.run(
        [sys.executable, "-m", "ancestral", "discover", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={"COLUMNS": "200", "PYTHONPATH": ":".join(sys.path)},
    ).stdout
    for name in TESTS:
        assert re.search(rf'"{name}"', an.discover.__doc__ or "")
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", shell)


def test_the_registry_imports_no_test() -> None:
    """So that the command line can list the tests, and start quickly."""
    lines = "import ancestral.independence.registry, sys; "
    lines += "print([m for m in ('numpy', 'ancestral.independence.base', 'ancestral.data') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", [FisherZ, GTest, LikelihoodRatio, CustomTest, an.Oracle, SavedTest])
def test_every_test_fulfils_the_protocol(kind: type) -> None:
    """Members that are attributes of objects are declared by the base class."""
    declared = {*BaseTest.__annotations__, *dir(kind)}
    assert set(MEMBERS) <= declared and issubclass(kind, BaseTest)


def test_every_member_of_the_protocol_has_a_sentence() -> None:
    for member in MEMBERS:
        assert (getattr(Test, member).__doc__ or "").strip().endswith(".")
