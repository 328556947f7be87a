import os
from pathlib import Path

import numpy as np
import pytest

from ancestral import Knowledge, KnowledgeError

SAID = Knowledge(
    tiers=[["age", "sex"], ["bmi"], ["blood pressure"]],
    forbidden=[("bmi", "dose")],
    required=[("bmi", "blood pressure")],
    no_edge=[("bmi", "job")],
    exogenous=["age"],
    causes=[("age", "blood pressure")],
)

TEXT = """
# what the doctors agree on
age, sex <      # measured first
  bmi < "blood pressure"
exogenous: age

bmi -/-> dose
bmi --> "blood pressure"
job | bmi
age ~~> "blood pressure"
"""

TOML = """
tiers = [["sex", "age"], ["bmi"], ["blood pressure"]]
forbidden = [["bmi", "dose"]]
required = [["bmi", "blood pressure"]]
no_edge = [["job", "bmi"]]
exogenous = ["age"]
causes = [["age", "blood pressure"]]
"""

TETRAD = """/knowledge

addtemporal

1 age sex
2* bmi weight
4 cancer

forbiddirect
bmi dose

requiredirect
bmi cancer
"""


def test_the_three_formats(tmp_path: Path) -> None:
    assert Knowledge.parse(TEXT) == SAID
    assert Knowledge.parse(TOML) == SAID
    (tmp_path / "known.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "known.txt").write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert Knowledge.read(tmp_path / "known.toml") == SAID
    assert Knowledge.read(str(tmp_path / "known.txt")) == SAID
    assert Knowledge.parse("") == Knowledge()


def test_tetrad_speaks_of_edges_and_is_read_as_ancestry(tmp_path: Path) -> None:
    known = Knowledge(
        tiers=[["age", "sex"], ["bmi", "weight"], ["cancer"]],
        forbidden=[("bmi", "dose"), ("bmi", "weight"), ("weight", "bmi")],
        required=[("bmi", "cancer")],
    )
    assert Knowledge.parse(TETRAD) == known
    (tmp_path / "known.knowledge").write_text(TETRAD, encoding="utf-8")
    assert Knowledge.read(tmp_path / "known.knowledge") == known


def test_what_is_printed_can_be_read() -> None:
    rng = np.random.default_rng(1)
    names = ["a", "x y", "-->", "<", "|", "-/->", "~~>", "exogenous:", 'say "so"', "a,b", "#", "é", "tiers=", "x->y"]
    for _ in range(60):
        mixed = [str(name) for name in rng.permutation(names)]
        known = Knowledge(
            tiers=[mixed[:3], mixed[3:5], mixed[5:6]],
            forbidden=[(mixed[4], mixed[2])],
            required=[(mixed[0], mixed[7])],
            no_edge=[(mixed[8], mixed[9])],
            exogenous=mixed[10:12],
            causes=[(mixed[1], mixed[12]), (mixed[12], mixed[13])],
        )
        assert Knowledge.parse(str(known), "text") == known
        assert eval(repr(known), {"Knowledge": Knowledge}) == known


BAD = [
    ("a < b\na b", "the text, line 2: 'a b' is not a statement"),
    ("a->b", "line 1: 'a->b' is not a statement"),
    ("a ~~> b ~~> c", "line 1: 'a ~~> b ~~> c' is not a statement; write 'a, b < c', 'x -/-> y', 'x --> y', 'x ~~> y'"),
    ("a ~~> ~~>", "line 1: a name is missing before or after '~~>'"),
    ("causes = 3", "causes must be a list, got 3"),
    ("causes = [['a', 'b'], ['b', 'a']]", "a ~~> b ~~> a (causes), but a would cause itself"),
    ("a --> b --> c", "line 1: 'a --> b --> c' is not a statement"),
    ("a <", "line 1: '' is not a list of names"),
    ("a, < b", "line 1: 'a ,' is not a list of names"),
    ("a < b\n\nc < d", "line 3: tiers are given twice; write them as one"),
    ("exogenous:", "line 1: '' is not a list of names"),
    ("exogenous: a b", "line 1: 'a b' is not a list of names"),
    ("--> -/-> a", "line 1: a name is missing before or after '-->'"),
    ('a < "b', "line 1: the double quote at column 5 is not closed"),
    ('"a\\q" | b', "is not a name in double quotes"),
    ("tiers = [['a']", "is not TOML"),
    ("tiers = " + "[" * 100_000, "is not TOML"),
    ("tiers = 3", "tiers must be a list, got 3"),
    ("tiers = [[1]]", "tiers: a name must be a string that is not blank, got 1"),
    ("forbidden = [['a','b','c']]", "forbidden must have pairs of names, got ('a', 'b', 'c')"),
    ("tiers = []\nrule = 'all'", "unknown statement 'rule'; there are tiers, forbidden"),
    ("/knowledge\nfoo", "line 2: unknown section 'foo'; the sections are addtemporal"),
    ("/knowledge\naddtemporal\nx y", "line 3: a tier must begin with its number, got 'x'"),
    ("/knowledge\naddtemporal\n1 x\n1 y", "line 4: tier 1 is given twice"),
    ("/knowledge\naddtemporal\n1- x\n2 y", "line 3: '1-' says that only the next tier"),
    ("/knowledge\naddtemporal\n1 x\n2 x", "'x' is in tier 1 and in tier 2"),
    ("/knowledge\nforbiddirect\nx", "line 3: 'x' is neither a pair of variables nor a section"),
    ("/knowledge\nforbiddirect\nx y\nforbiddengroup\nz w", "line 4: 'forbiddengroup' is neither a pair of"),
    ("/knowledge of mine", "line 1: a Tetrad knowledge file must begin with '/knowledge'"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_bad_lines_are_named(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as error:
        Knowledge.parse(text)
    assert words in str(error.value)
    path = tmp_path / "known.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError) as error:
        Knowledge.read(path)
    assert str(path) in str(error.value)
    assert words.removeprefix("the text, ") in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="there is no knowledge file"):
        Knowledge.read(tmp_path / "none.txt")
    with pytest.raises(KnowledgeError, match="is a folder"):
        Knowledge.read(tmp_path)
    (tmp_path / "long.txt").write_bytes(b"a | b\n" * 1_000_000)
    with pytest.raises(KnowledgeError, match="a knowledge file must have at most 4,000,000 bytes"):
        Knowledge.read(tmp_path / "long.txt")
    (tmp_path / "latin.txt").write_bytes("a | b\ngr\xf6\xdfe | b".encode("latin-1"))
    with pytest.raises(KnowledgeError, match="line 2: is not UTF-8; save the file as"):
        Knowledge.read(tmp_path / "latin.txt")
    with pytest.raises(KnowledgeError, match="form must be one of 'text', 'toml', 'tetrad', got 'xml'"):
        Knowledge.parse("a | b", "xml")
    with pytest.raises(KnowledgeError, match="knowledge is read from text, got 3; write it like"):
        Knowledge.parse(3)  # type: ignore[arg-type]


def test_a_number_of_thousands_of_digits_is_no_toml() -> None:
    with pytest.raises(KnowledgeError, match="is not TOML: a number has thousands of digits; write lines like"):
        Knowledge.parse("tiers = " + "1" * 6000, form="toml")


def test_a_star_stands_for_so_many_pairs_at_most() -> None:
    def tier(n: int) -> str:
        return "/knowledge\naddtemporal\n1* " + " ".join(f"x{i}" for i in range(n))

    with pytest.raises(
        KnowledgeError, match=r"line 3: the star at a tier of 3,000 variables forbids 8,997,000 edges, more"
    ):
        Knowledge.parse(tier(3000))
    few = Knowledge.parse(tier(300))
    assert len(few.forbidden) == 300 * 299 and few.forbidden[:2] == (("x0", "x1"), ("x0", "x2"))
    assert few.forbidden[8] == ("x0", "x9") and few.forbidden[9] == ("x0", "x10")  # by name: 10 after 9


def test_a_text_in_the_place_of_a_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"cannot be read .File name too long"):
        Knowledge.of("a before b\n" * 1000)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KnowledgeError, match="is a named pipe, which may never end"):
        Knowledge.of(tmp_path / "pipe")
