"""Knowledge about processes: what each statement says about the nodes of a window, and how it is written."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from ancestral import Knowledge, KnowledgeError
from ancestral.graphs.window import Window
from ancestral.knowledge import SeriesKnowledge

TWO = Window(("rain", "sales"), 1)
ORDER = "rain[t-1], sales[t-1] < rain[t], sales[t]"


def window(text: str, of: Window = TWO) -> str:
    return str(SeriesKnowledge.parse(text).window(of))


# -- pictures -----------------------------------------------------------------------------------------------------


def test_time_has_an_order_without_any_statement() -> None:
    assert window("") == ORDER
    assert str(SeriesKnowledge().window(Window(("x", "y"), 2))) == "x[t-2], y[t-2] < x[t-1], y[t-1] < x[t], y[t]"


def test_own_past_is_a_direct_cause_at_every_step() -> None:
    assert window("own past: sales") == f"{ORDER}\nsales[t-1] --> sales[t]"
    assert window("own past: all") == f"{ORDER}\nrain[t-1] --> rain[t]\nsales[t-1] --> sales[t]"
    known = SeriesKnowledge(own_past=["x"]).window(Window(("x",), 2))
    assert known.required == (("x[t-1]", "x[t]"), ("x[t-2]", "x[t-1]"))


def test_what_is_forbidden_is_so_at_every_lag() -> None:
    assert window("sales -/-> rain") == (
        f"{ORDER}\nsales[t-1] -/-> rain[t-1]\nsales[t-1] -/-> rain[t]\nsales[t] -/-> rain[t]"
    )


def test_tiers_order_processes_within_a_step_alone() -> None:
    assert window("rain < sales") == f"{ORDER}\nsales[t-1] -/-> rain[t-1]\nsales[t] -/-> rain[t]"


def test_where_nothing_acts_within_a_step_neither_causes_the_other() -> None:
    assert window("within step: nothing") == (
        f"{ORDER}\nrain[t-1] -/-> sales[t-1]\nrain[t] -/-> sales[t]\nsales[t-1] -/-> rain[t-1]\nsales[t] -/-> rain[t]"
    )


def test_a_lag_is_kept_at_every_step() -> None:
    three = Window(("x", "y"), 2)
    known = SeriesKnowledge.parse("x[t-1] --> y[t]\nx[t-2] ~~> x[t]\nx[t] ~~> y[t]").window(three)
    assert set(known.required) == {("x[t-1]", "y[t]"), ("x[t-2]", "y[t-1]")}
    assert set(known.causes) == {("x[t]", "y[t]"), ("x[t-1]", "y[t-1]"), ("x[t-2]", "y[t-2]"), ("x[t-2]", "x[t]")}


def test_a_cause_at_an_unknown_lag_marks_no_edge() -> None:
    assert window("rain ~~> sales") == ORDER


def test_a_cause_at_an_unknown_lag_passes_on_what_is_forbidden() -> None:
    # if wind caused rain, sales would cause rain
    known = SeriesKnowledge.parse("sales -/-> rain\nsales ~~> wind").window(Window(("rain", "sales", "wind"), 1))
    assert known.why_not("wind[t-1]", "rain[t]") == "wind[t-1] does not cause rain[t] (forbidden)"
    assert known.why_not("wind[t]", "rain[t]") is not None
    assert known.why_not("rain[t-1]", "wind[t]") is None and known.why_not("wind[t-1]", "sales[t]") is None


# -- contradictions -----------------------------------------------------------------------------------------------

CONTRADICTIONS = [
    ("a -/-> b\na ~~> b", "a ~~> b (causes), but a does not cause b (forbidden)"),
    (
        "a -/-> c\na[t-1] --> b[t]\nb ~~> c",
        "a[t-1] --> b[t] (required), b ~~> c (causes), but a does not cause c (forbidden)",
    ),
    ("a -/-> b\na[t-2] ~~> b[t]", "a[t-2] ~~> b[t] (causes), but a does not cause b (forbidden)"),
    ("a < b\nb[t] --> a[t]", "b[t] --> a[t] (required), but a[t] comes before b[t] (tiers)"),
    (
        "a < b\nb[t] --> c[t]\nc[t] ~~> a[t]",
        "b[t] --> c[t] ~~> a[t] (required, causes), but a[t] comes before b[t] (tiers)",
    ),
    ("a[t] ~~> b[t]\nb[t] ~~> a[t]", "a[t] ~~> b[t] ~~> a[t] (causes), but a[t] would cause itself"),
    ("within step: nothing\na[t] --> b[t]", "a[t] --> b[t] (required), but nothing acts within a step (within_step)"),
    ('"a b" -/-> c\n"a b" ~~> c', '"a b" ~~> c (causes), but "a b" does not cause c (forbidden)'),
]


@pytest.mark.parametrize(("text", "chain"), CONTRADICTIONS)
def test_a_contradiction_is_shown_as_a_chain(text: str, chain: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        SeriesKnowledge.parse(text)
    assert str(error.value) == f"the knowledge contradicts itself: {chain}; remove one of the statements"


def test_feedback_from_step_to_step_is_no_contradiction() -> None:
    known = SeriesKnowledge.parse("a ~~> b\nb ~~> a\na[t-1] --> b[t]\nb[t-1] --> a[t]\na < b")
    assert known.window(Window(("a", "b"), 1)).why("a[t-1]", "a[t]") is None
    assert known.window(Window(("a", "b"), 2)).why("a[t-2]", "a[t]") == "a[t-2] --> b[t-1] --> a[t] (required)"


# -- what is no statement -----------------------------------------------------------------------------------------

BAD = [
    ({"own_past": "rain"}, "own_past must be \"all\" or a list, got 'rain'; write own_past=['rain']"),
    ({"own_past": 3}, "own_past must be a list, got 3"),
    ({"own_past": ["a", "a"]}, "own_past: the name 'a' occurs twice"),
    ({"forbidden": [("a", 1, "b")]}, "forbidden must have pairs of names, got ('a', 1, 'b')"),
    ({"forbidden": [("a", "a")]}, "forbidden: a pair must be two different processes, got 'a' twice"),
    ({"required": [("a", "b")]}, "required must have two processes around a lag, got ('a', 'b'); write required="),
    ({"required": [("a", 0, "a")]}, "required: within a step, a process must cause another one, got 'a' twice"),
    ({"required": [("a", -1, "b")]}, "required: a lag must be a whole number of steps from 0 to 1,000, got -1 in"),
    ({"required": [("a", True, "b")]}, "required: a lag must be a whole number of steps from 0 to 1,000, got True"),
    ({"required": [("a", 1001, "b")]}, "a lag must be a whole number of steps from 0 to 1,000, got 1001"),
    ({"required": "ab"}, 'required must be a list, got \'ab\'; write required=[("x", 1, "y")]'),
    ({"causes": [("a",)]}, "causes must have pairs of processes, or two processes around a lag, got ('a',); write"),
    ({"causes": ["abc"]}, "causes must have pairs of processes, or two processes around a lag, got 'abc'; write"),
    ({"causes": [("a", 1.5, "b")]}, "causes: a lag must be a whole number of steps from 0 to 1,000, got 1.5"),
    ({"causes": [("a", "a")]}, "causes: a pair must be two different processes, got 'a' twice"),
    ({"causes": [("a", 1, 3)]}, "causes: a name must be a string that is not blank, got 3"),
    ({"causes": [([], 1, [])]}, "causes: a name must be a string that is not blank, got []"),
    ({"tiers": [["a"], ["a"]]}, "'a' is in tier 1 and in tier 2"),
    ({"within_step": "no"}, "within_step must be True or False, got 'no'"),
    ({"forbidden": [("a[t-1]", "b[t]")]}, "a process must be named without a step, got 'a[t-1]'; write a lag between"),
]


@pytest.mark.parametrize(("statements", "words"), BAD)
def test_what_is_no_statement_is_refused(statements: dict[str, object], words: str) -> None:
    with pytest.raises(KnowledgeError) as error:
        SeriesKnowledge(**statements)  # type: ignore[arg-type]
    assert words in str(error.value)


def test_unknown_processes_are_listed_with_the_closest() -> None:
    known = SeriesKnowledge(own_past=["sale"], forbidden=[("sale", "rains")], causes=[("sales", "x")])
    with pytest.raises(KnowledgeError) as error:
        known.window(TWO)
    assert str(error.value) == (
        "the knowledge names 3 processes that are not in this series: 'rains' (did you mean 'rain'?), 'sale' (did you "
        "mean 'sales'?) and 'x'; correct the names, include these columns, or remove the statements about them"
    )
    with pytest.raises(KnowledgeError, match="a process that is not in this series: 'wind'; correct the name"):
        SeriesKnowledge(own_past=["wind"]).window(TWO)


def test_a_lag_beyond_the_window_is_refused() -> None:
    with pytest.raises(KnowledgeError) as error:
        SeriesKnowledge(required=[("rain", 2, "sales")]).window(TWO)
    assert str(error.value) == (
        "the knowledge has a lag of 2, rain[t-2] --> sales[t] (required), and the window only 1; pass lags=2, or "
        "remove the statement"
    )
    assert error.value.worded(lambda option: f"--{option.name} {option.value}").count("--lags 2") == 1
    assert SeriesKnowledge(causes=[("rain", 1, "sales")]).window(TWO).causes == (("rain[t-1]", "sales[t]"),)


# -- comparing, reading and writing -------------------------------------------------------------------------------

SAID = SeriesKnowledge(
    own_past=["rain", "ice cream"],
    forbidden=[("ice cream", "rain")],
    required=[("rain", 1, "sales")],
    causes=[("rain", "ice cream"), ("rain", 2, "sales"), ("sales", 1, "sales")],
    tiers=[["rain"], ["ice cream", "sales"]],
    within_step=False,
)

TEXT = """
# the shop
own past: rain,
   "ice cream"
rain < sales, "ice cream"   # within a day
within step: nothing
"ice cream" -/-> rain
rain[t-1] --> sales[t]
rain ~~> "ice cream"
rain[t-2] ~~> sales[t]
sales[t-1] ~~> sales[t]
"""

TOML = """
own_past = ["ice cream", "rain"]
forbidden = [["ice cream", "rain"]]
required = [["rain", 1, "sales"]]
causes = [["rain", "ice cream"], ["sales", 1, "sales"], ["rain", 2, "sales"]]
tiers = [["rain"], ["sales", "ice cream"]]
within_step = false
"""


def test_text_and_toml_say_the_same(tmp_path: Path) -> None:
    assert SeriesKnowledge.parse(TEXT) == SAID
    assert SeriesKnowledge.parse(TOML) == SAID
    (tmp_path / "known.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "known.txt").write_text(TEXT, encoding="utf-8")
    assert SeriesKnowledge.read(tmp_path / "known.toml") == SAID
    assert SeriesKnowledge.of(str(tmp_path / "known.txt")) == SAID
    assert SeriesKnowledge.parse("own_past = 'all'").own_past == "all"


def test_what_is_said_is_compared_not_how() -> None:
    one = SeriesKnowledge(own_past=("b", "a"), causes=[["a", 1, "b"], ("a", 1, "b")], tiers=[["a"], []])  # type: ignore[list-item]
    other = SeriesKnowledge(own_past=["a", "b"], causes=[("a", np.int64(1), "b")])  # type: ignore[list-item]
    assert one == other and hash(one) == hash(other) and pickle.loads(pickle.dumps(one)) == one
    assert SeriesKnowledge(own_past="all") != SeriesKnowledge(own_past=["all"])
    assert not SeriesKnowledge() and SeriesKnowledge(within_step=False)
    assert SeriesKnowledge.of(None) is None and SeriesKnowledge.of(SeriesKnowledge()) is None
    assert SAID.names == ("ice cream", "rain", "sales")
    assert SeriesKnowledge(own_past="all").names == ()


def test_as_plain_values_it_can_be_made_again() -> None:
    assert SAID.as_dict() == {
        "own_past": ["ice cream", "rain"],
        "forbidden": [["ice cream", "rain"]],
        "required": [["rain", 1, "sales"]],
        "causes": [["rain", "ice cream"], ["rain", 2, "sales"], ["sales", 1, "sales"]],
        "tiers": [["rain"], ["ice cream", "sales"]],
        "within_step": False,
    }
    assert SeriesKnowledge(**SAID.as_dict()) == SAID
    assert SeriesKnowledge(own_past="all").as_dict() == {"own_past": "all"}
    assert eval(repr(SAID), {"SeriesKnowledge": SeriesKnowledge}) == SAID


def test_what_is_printed_can_be_read() -> None:
    rng = np.random.default_rng(2)
    names = [
        "a",
        "x y",
        "-->",
        "<",
        "|",
        "-/->",
        "~~>",
        "own",
        "past:",
        "all",
        'say "so"',
        "a,b",
        "#",
        "é",
        "x[1]",
        "t",
    ]
    for _ in range(60):
        mixed = [str(name) for name in rng.permutation(names)]
        known = SeriesKnowledge(
            own_past="all" if rng.random() < 0.2 else mixed[: int(rng.integers(0, 4))],
            tiers=[mixed[3:5], mixed[5:6]] if rng.random() < 0.7 else [],
            forbidden=[(mixed[6], mixed[7])],
            required=[(mixed[8], int(rng.integers(0, 12)), mixed[9])],
            causes=[(mixed[10], mixed[11]), (mixed[12], 3, mixed[12]), (mixed[13], mixed[14])],
            within_step=True,
        )
        assert SeriesKnowledge.parse(str(known), "text") == known
        assert SeriesKnowledge(**known.as_dict()) == known


def test_a_process_may_be_called_all() -> None:
    one = SeriesKnowledge(own_past=["all"])
    assert str(one) == 'own past: "all"' and SeriesKnowledge.parse(str(one)) == one
    assert SeriesKnowledge.parse("own past: all\nown past: rain") == SeriesKnowledge(own_past="all")


BAD_TEXT = [
    ("a | b", "the text, line 1: 'a | b' is not a statement; write 'own past: x, y', 'x < y'"),
    ("a\n", "line 1: 'a' is not a statement"),
    ("own past:", "line 1: '' is not a list of names"),
    ("own past: a b", "line 1: 'a b' is not a list of names"),
    ("within step: some", "line 1: 'within step: some' is not a statement"),
    ("a < b\nc < d", "line 2: tiers are given twice"),
    ("\na --> b", "line 2: a lag must be written as in 'x[t-1] --> y[t]', got 'a --> b'"),
    ("a[t-1] ~~> b", "line 1: a lag must be written as in 'x[t-1] ~~> y[t]', got 'a[t-1] ~~> b'"),
    ("a[t-2] ~~> b[t-1]", "line 1: a lag must be written as in 'x[t-1] ~~> y[t]', got 'a[t-2] ~~> b[t-1]'"),
    ("a[t-1] -/-> b[t]", "line 1: -/-> must stand between processes, got a[t-1] -/-> b[t]; it is about all lags"),
    ("--> ~~> a", "line 1: a name is missing before or after '-->'"),
    ('a < "b', "line 1: the double quote at column 5 is not closed"),
    ("own_past = [", "is not TOML"),
    ("own_past = 'some'", "own_past must be \"all\" or a list, got 'some'"),
    ("within_step = 0", "within_step must be True or False, got 0"),
    ("tiers = []\nno_edge = []", "unknown statement 'no_edge'; there are own_past, forbidden"),
    ("/knowledge\naddtemporal\n1 a", "line 1: '/knowledge' is not a statement"),
]


@pytest.mark.parametrize(("text", "words"), BAD_TEXT)
def test_bad_lines_are_named(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as error:
        SeriesKnowledge.parse(text)
    assert words in str(error.value)
    path = tmp_path / "known.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError) as error:
        SeriesKnowledge.read(path)
    assert str(path) in str(error.value) and words.removeprefix("the text, ") in str(error.value)


def test_what_is_no_knowledge_about_a_series_is_refused() -> None:
    with pytest.raises(KnowledgeError, match="must be a SeriesKnowledge or the path of a file, got Knowledge"):
        SeriesKnowledge.of(Knowledge(exogenous=["a"]))
    with pytest.raises(KnowledgeError, match="form must be one of 'text', 'toml', got 'tetrad'"):
        SeriesKnowledge.parse("", "tetrad")
    with pytest.raises(KnowledgeError, match="knowledge is read from text, got 3; write it like"):
        SeriesKnowledge.parse(3)  # type: ignore[arg-type]
    with pytest.raises(KnowledgeError, match="there is no knowledge file"):
        SeriesKnowledge.of("none.txt")
