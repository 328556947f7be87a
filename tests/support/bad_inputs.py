"""Bad input, and what the error must say, through Python and on the command line.

Each case is a file (or none), options of `discover()`, and words that the message must contain.
"""

from dataclasses import dataclass, field
from typing import Any

from ancestral.search.algorithms import ALGORITHMS

__all__ = ["CASES", "FOREIGN", "GOOD", "GRAPHS", "BadInput"]


@dataclass(frozen=True)
class BadInput:
    """`content` None: there is no such file. `told`: the words of the command line, where they are others.

    `beside`: further files and what is in them.
    """

    what: str
    words: str
    content: bytes | None = b""
    options: dict[str, Any] = field(default_factory=dict)
    name: str = "study.csv"
    told: str | None = None
    beside: dict[str, bytes] = field(default_factory=dict)


def table(rows: int, *columns: str) -> bytes:
    """A table with `rows` rows."""
    header = ",".join("abcdefgh"[: len(columns)])
    out = [header]
    for i in range(rows):
        values = {"i": i, "x": (i * 1.37) % 7, "y": (i * 7.77) % 11, "z": i % 3, "w": (i * 5.5) % 13.1}
        values["sum"] = round(values["x"], 3) + round(values["y"], 3)
        out.append(",".join(column.format(**values) for column in columns))
    return ("\n".join(out) + "\n").encode()


GOOD = table(40, "{x:.3f}", "{y:.3f}", "{w:.3f}")
LABELS = table(40, "{z}", "{x:.3f}", "{y:.3f}")


def unknowing(what: str, words: str, content: bytes, name: str = "known.txt", told: str | None = None) -> BadInput:
    """A good table with a bad file of knowledge."""
    return BadInput(what, words, GOOD, {"knowledge": name}, told=told, beside={name: content})


CASES = [
    # files that are no tables
    BadInput("there is no file", "there is no file 'study.csv'", None),
    BadInput("an empty file", "study.csv is empty"),
    BadInput("blank lines", "study.csv is empty", b"\n\n\n"),
    BadInput("no rows", "study.csv has a line of column names but no rows below it", b"a,b,c\n"),
    BadInput("a name twice", "columns 1 and 3 are both named 'a' in line 1 of study.csv", GOOD.replace(b"c", b"a", 1)),
    BadInput("a column without name", "column 2 of study.csv has no name in line 1", GOOD.replace(b",b,", b",,", 1)),
    BadInput(
        "a short line", "line 42 of study.csv has 2 fields separated by comma, but there are 3 columns", GOOD + b"1,2\n"
    ),
    BadInput("a long line", "line 42 of study.csv has 4 fields separated by comma", GOOD + b"1,2,3,4\n"),
    BadInput("bytes", "study.csv is written in UTF-16 or is not text", bytes(range(256))),
    BadInput("another encoding", "line 1 of study.csv is not written in UTF-8", GOOD.replace(b"a", b"gr\xf6\xdfe", 1)),
    BadInput("an open quote", "line 2 of study.csv has a quotation mark that is not closed", b'a,b\n"1,2\n3,4\n'),
    BadInput("a document", "'study.docx' has the unsupported ending .docx", b"PK", name="study.docx"),
    BadInput("a damaged spreadsheet", "study.xlsx cannot be read as excel", b"PK", name="study.xlsx"),
    BadInput("an encoding", "encoding must be the name of an encoding", GOOD, {"encoding": "latin-77"}),
    BadInput("rows of a table", "study.csv has 3 names and 40 lines below them", GOOD, {"rows": 500}),
    BadInput("a file without ending", "'study' has no ending that tells its format", GOOD, name="study"),
    BadInput("no parquet", "study.parquet cannot be read as parquet", b"PAR1", name="study.parquet"),
    BadInput("one column", "study.csv has one column, 'a b'", b"a b\n1 2\n"),
    # values
    BadInput("a missing value", "values are missing in 1 column of 41 rows ('b': 1)", GOOD + b"1,,3\n"),
    BadInput("NA", "values are missing in 1 column of 41 rows", GOOD + b"1,NA,3\n"),
    BadInput("an infinite value", "column 'b' holds infinite values, the first in line 42", GOOD + b"1,inf,3\n"),
    BadInput(
        "a word among numbers",
        "column 'b' holds numbers, but 'abc' (line 42 of study.csv) is not a number",
        GOOD + b"1,abc,3\n",
    ),
    BadInput("enormous numbers", "column 'a' holds numbers beyond 1e150", table(30, "{i}e200", "{x:.2f}")),
    # columns
    BadInput("a constant", "column 'b' has a single value", table(40, "{x:.3f}", "5", "{y:.3f}")),
    BadInput("a copy", "some columns are copies of others: b = a", table(40, "{x:.3f}", "{x:.3f}", "{y:.3f}")),
    BadInput("a sum", "some columns are determined by others: ", table(40, "{x:.3f}", "{y:.3f}", "{sum:.3f}")),
    BadInput("an identifier", "column 'a' has 60 levels in 60 rows, like an identifier", table(60, "p{i}", "{x:.2f}")),
    BadInput("too few rows", "there are 3 rows; a search needs at least 5", table(3, "{x:.3f}", "{y:.3f}")),
    # how a file is read
    BadInput("an unknown column", "unknown column 'bb'; did you mean 'b'?", GOOD, {"columns": ["a", "bb"]}),
    BadInput("an unknown column to drop", "unknown column 'aa'; did you mean 'a'?", GOOD, {"drop": ["aa"]}),
    BadInput("nothing left", "the table has no columns", GOOD, {"drop": ["a", "b", "c"]}),
    BadInput("a column twice", "columns 1 and 2 are both named 'a'", GOOD, {"columns": ["a", "a"]}),
    BadInput("an unknown discrete column", "unknown column 'zz'", GOOD, {"kinds": {"zz": "discrete"}}),
    BadInput("an unknown continuous column", "unknown column 'zz'", GOOD, {"kinds": {"zz": "continuous"}}),
    BadInput("measurements as levels", "column 'a' has 40 levels in 40 rows", GOOD, {"kinds": {"a": "discrete"}}),
    BadInput("labels as numbers", "column 'a' ", table(40, "p{z}", "{x:.2f}"), {"kinds": {"a": "continuous"}}),
    BadInput(
        "missing",
        "missing must be one of 'refuse', 'drop', 'testwise', 'impute', got 'ignore'",
        GOOD,
        {"missing": "ignore"},
        told="--missing must be one of 'refuse', 'drop', 'testwise', 'impute', got 'ignore'",
    ),
    BadInput("a separator", "separator must be one ASCII character", GOOD, {"separator": "::"}),
    BadInput("a decimal mark", "decimal must be one of '.', ',', got 'x'", GOOD, {"decimal": "x"}),
    BadInput("the wrong separator", "column 'a,b,c' has 40 levels in 40 rows", GOOD, {"separator": ";"}),
    BadInput(
        "too few names",
        "must have one name for each of 3 columns in line 1 of study.csv, got 2",
        GOOD,
        {"names": ["p", "q"]},
    ),
    BadInput("names twice", "columns 1 and 2 are both named 'p'", GOOD, {"names": ["p", "p", "q"]}),
    # how it is asked
    BadInput("alpha 0", "alpha must be between 0 and 1, got 0.0", GOOD, {"alpha": 0.0}),
    BadInput("alpha 1", "alpha must be between 0 and 1, got 1.0", GOOD, {"alpha": 1.0}),
    BadInput("alpha below 0", "alpha must be between 0 and 1, got -0.1", GOOD, {"alpha": -0.1}),
    BadInput("alpha in percent", "alpha must be between 0 and 1, got 5.0", GOOD, {"alpha": 5.0}),
    BadInput(
        "an unknown test",
        "got 'pearson'",
        GOOD,
        {"test": "pearson"},
    ),
    BadInput(
        "a test of levels", "test=\"g\" is for discrete columns, and 'a', 'b' and 'c' are not", GOOD, {"test": "g"}
    ),
    BadInput(
        "a test of measurements",
        "test=\"fisher-z\" is for continuous columns, and 'a' is not",
        LABELS,
        {"test": "fisher-z", "kinds": {"a": "discrete"}},
    ),
    # how it is searched
    BadInput(
        "an unknown algorithm",
        f"algorithm must be one of {', '.join(map(repr, ALGORITHMS))}, got 'magic'",
        GOOD,
        {"algorithm": "magic"},
    ),
    BadInput("a radius below 0", "max_radius must be a whole number of at least 0, got -1", GOOD, {"max_radius": -1}),
    BadInput(
        "condition 3",
        "possible_ancestors must be one of 'distant', 'all', 'off', got 'some'",
        GOOD,
        {"possible_ancestors": "some"},
        told="--possible-ancestors must be one of 'distant', 'all', 'off', got 'some'",
    ),
    BadInput("no workers", "workers must be a whole number of at least 1, got 0", GOOD, {"workers": 0}),
    BadInput("no time", "time_limit must be a number of seconds above 0, got 0.0", GOOD, {"time_limit": 0.0}),
    BadInput(
        "time below 0",
        "time_limit must be a number of seconds above 0, got -3.0",
        GOOD,
        {"time_limit": -3.0},
        told="--time-limit must be a duration, got '-3.0'",
    ),
    # what is known
    BadInput("no knowledge", "there is no knowledge file 'none.txt'", GOOD, {"knowledge": "none.txt"}),
    BadInput("a folder of knowledge", ". is a folder; name a knowledge file", GOOD, {"knowledge": "."}),
    unknowing("knowledge that is a table", "known.txt, line 1: 'a , b , c' is not a statement", GOOD),
    unknowing(
        "knowledge with a bad line", "known.txt, line 3: 'a causes b' is not a statement", b"a < b\n\na causes b\n"
    ),
    unknowing(
        "knowledge with an open quote", "known.txt, line 1: the double quote at column 5 is not closed", b'a | "b\n'
    ),
    unknowing("knowledge in bytes", "known.txt, line 1: is not UTF-8", bytes(range(128, 256))),
    unknowing("a heap of knowledge", "known.txt: a knowledge file must have at most 4,000,000 bytes", b"#" * 4_000_001),
    unknowing("knowledge that is no TOML", "known.toml: is not TOML", b"tiers = [[", "known.toml"),
    unknowing("deep TOML", "known.toml: is not TOML", b"tiers = " + b"[" * 100_000, "known.toml"),
    unknowing("TOML of something else", "known.toml: unknown statement 'project'", b"[project]\n", "known.toml"),
    unknowing(
        "TOML with numbers",
        "known.toml: tiers: a name must be a string that is not blank, got 1",
        b"tiers = [[1], [2]]",
        "known.toml",
    ),
    unknowing("Tetrad's only next tier", "line 3: '1-' says that only", b"/knowledge\naddtemporal\n1- a\n2 b\n"),
    unknowing("Tetrad without a section", "line 2: unknown section 'a'", b"/knowledge\na b\n"),
    unknowing(
        "knowledge of others",
        "the knowledge names a variable that is not in this search: 'aa' (did you mean 'a'?); correct the name, "
        "include that column, or remove the statements about it",
        b"aa < b\n",
    ),
    unknowing(
        "knowledge of several others",
        "the knowledge names 3 variables that are not in this search: 'aa' (did you mean 'a'?), 'cc' (did you mean "
        "'c'?) and 'zip'; correct the names",
        b"aa < b < zip\ncc | a\n",
    ),
    unknowing(
        "knowledge in a circle",
        "known.txt: the knowledge contradicts itself: a --> b --> a (required), but a would cause itself",
        b"a --> b\nb --> a\n",
    ),
    unknowing(
        "knowledge against itself",
        "a --> b --> c (required), but c comes before a (tiers); remove one of the statements",
        b"c < a\na --> b\nb --> c\n",
    ),
    # where it is kept
    BadInput("nothing to resume", "nothing.json: cannot be read (No such file", GOOD, {"resume": "nothing.json"}),
    BadInput(
        "data to resume",
        "study.csv: cannot be read as JSON",
        GOOD,
        {"resume": "study.csv"},
        told="study.csv: --resume would overwrite the data, which is left alone",
    ),
    BadInput("saving to a directory", ".: must be a file, got a directory", GOOD, {"save": "."}),
    BadInput("saving nowhere", "no/where.json: there is no directory", GOOD, {"save": "no/where.json"}),
    BadInput(
        "saving over the data",
        "study.csv: exists and is not a run file",
        GOOD,
        {"save": "study.csv"},
        told="study.csv: --save would overwrite the data, which is left alone",
    ),
    BadInput("saving where one cannot", "/proc/run.json: cannot be written", GOOD, {"save": "/proc/run.json"}),
]

#: Texts that are not graphs, and what the error must say.
GRAPHS = [
    ("a -> ", "line 1: 'a ->' is neither a node nor an edge"),
    ("a -> b\nc d", "line 2: 'c d' is neither a node nor an edge"),
    ("a -> a", "the edge a --> a joins 'a' to itself"),
    ("a -> b, b -> a", "two edges between 'b' and 'a': <-- and -->"),
    ("a => b", "line 1: '=>' is not an edge"),
    ("a->b", "line 1: 'a->b' looks like an edge; write an edge with spaces"),
    ('"a -> b', "line 1: the double quote at column 1 is not closed"),
    ("a *-> b", "line 1: '*->' is a pattern; an edge needs a mark at each end"),
    ("a -> b\nlatent: L", "unknown node 'L'"),
    ("a -> b, b -> c, c -> a\nlatent: a", "directed cycle b --> c --> a --> b"),
    ("a -> b, b -> c\nselection: d", "unknown node 'd'"),
]

#: Files of other programs that are not graphs, and what the error must say.
FOREIGN = [
    (
        "half.dot",
        b"digraph {\n a ->",
        "half.dot, read as dot: line 2: expected a node, got the end of the text",
    ),
    (
        "half.dagitty",
        b"pag {\n a @-> b\n",
        "half.dagitty, read as dagitty: line 3: expected a node, got the end of the text",
    ),
    (
        "half.graphml",
        b"<graphml>\n<graph>\n<node",
        "half.graphml, read as graphml: line 3: must be XML, failed at column",
    ),
    (
        "half.json",
        b'{"nodes": [],\n"edgesSet": [',
        "half.json, read as tetrad-json: line 2: must be JSON, failed at column",
    ),
    (
        "half.csv",
        b'"","a","b"\n"a",0,2\n"b",',
        "half.csv, read as pcalg: line 3: must have 3 fields, one for each column, got 2",
    ),
    (
        "half.txt",
        b"Graph Nodes:\na;b\n\nGraph Edges:\n1. a",
        "half.txt, read as tetrad: line 5: an edge must have two nodes, got '1. a'",
    ),
    ("deep.dot", b"graph {" + b"{" * 9999, "deep.dot, read as dot: line 1: groups must be nested at most 50 deep"),
    ("deep.json", b'{"nodes": ' + b"[" * 99999, "deep.json, read as tetrad-json: the JSON is nested too deeply"),
    (
        "deep.graphml",
        b"<graphml>" + b"<a>" * 9999,
        "deep.graphml, read as graphml: line 1: elements must be nested at most",
    ),
    (
        "bomb.graphml",
        b'<?xml version="1.0"?>\n<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n<graphml>&b;</graphml>',
        "bomb.graphml, read as graphml: line 2: a document type declaration may define entities",
    ),
    ("bytes.dot", b"digraph {\n \xff -> b }", "bytes.dot: line 2 is not written in UTF-8"),
    ("packed.dot.gz", b"\x1f\x8bnonsense", "packed.dot.gz: is compressed, but cannot be unpacked"),
    ("empty.txt", b"", "empty.txt, read as text: the text must hold at least one node, got none"),
    ("data.csv", GOOD, "data.csv, read as pcalg: line 1: a matrix must have as many rows as columns, got 40 x 3"),
    ("run.json", b'{"format": "ancestral run"}', "run.json: version is missing"),
]
