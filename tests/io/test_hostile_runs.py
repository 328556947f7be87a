"""Files that nobody vouches for: refused, or fully usable, and in either case in little memory and without a hang."""

import gzip
import json
import os
import subprocess
import sys
import textwrap
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.io.files import check_writable
from ancestral.io.run import check_target
from tests.support.hostile_runs import attack, laid_out, originals

MB = 1 << 20

#: What a file of a few hundred kB unpacks to.
SIZE = 350 * MB


def test_changed_files_are_refused_or_fully_usable(tmp_path: Path) -> None:
    """`python -m tests.support.hostile_runs` tries many more."""
    found = attack(400, seed=1, folder=tmp_path)
    assert found.outcomes.total() == 400
    assert min(found.outcomes[what] for what in ("refused", "loaded", "resumed")) > 10


def test_what_the_attack_begins_with_is_good(tmp_path: Path) -> None:
    for number, original in enumerate(originals()):
        for content in (laid_out(original.document), json.dumps(original.document, indent=1).encode()):
            path = tmp_path / f"{number}.json"
            path.write_bytes(content)
            (an.load if original.kind == "run" else an.load_bootstrap)(path)


# -- memory -------------------------------------------------------------------------------------------------------


def packed(path: Path, pieces: Iterator[bytes]) -> None:
    """Write pieces into a packed file, which may be very much smaller."""
    packer = zlib.compressobj(1, wbits=31)
    with path.open("wb") as file:
        for piece in pieces:
            file.write(packer.compress(piece))
        file.write(packer.flush())


def old_head(kind: str) -> bytes:
    """The beginning of a file of version 0.1.0, up to its variables."""
    name = "bootstrap.json" if kind == "bootstrap" else "icd_complete.json"
    lines = (Path(__file__).parent / "old_runs" / name).read_bytes().splitlines(keepends=True)
    stop = next(i for i, line in enumerate(lines) if line.startswith(b'"variables"'))
    return b"".join(lines[: stop + 1])


def repeated(head: bytes, piece: bytes, size: int) -> Iterator[bytes]:
    """A beginning, and this piece again and again, up to so many bytes."""
    yield head
    block = piece * (MB // len(piece))
    for _ in range(size // len(block)):
        yield block


def not_begun(n: int) -> dict[str, Any]:
    """A run of so many variables that has not begun."""
    document = dict(next(o.document for o in originals() if o.name == "icd None 1000"))
    document.pop("agreed", None)
    nothing: list[Any] = []
    empty = {part: dict.fromkeys(document[part], nothing) for part in ("separations", "orientations", "conflicts")}
    empty["separations"] |= {"df": None}  # type: ignore[dict-item]
    return document | {
        "variables": [f"x{i}" for i in range(n)],
        "data": document["data"] | {"kinds": None},
        "radius": -1,
        "complete": False,
        "phase": "search",
        "stopped": "interrupt",
        "tests": {},
        "verify_tests": {},
        "unsupported": {},
        "marginal": None,
        "edges": None,
        "stages": [],
        "state": None,
        **empty,
    }


def too_many(n: int) -> Callable[[Path], None]:
    """A run of so many variables that has not begun."""

    def write(path: Path) -> None:
        path.write_bytes(laid_out(not_begun(n)))

    return write


def with_columns(path: Path, piece: bytes, first: bytes = b"", times: int = 1) -> None:
    """A packed file of a run of version 4 whose first packed column has these blocks, and as many times its length."""
    document = dict(next(o.document for o in originals() if o.name == "trouble 2 3"))
    head = laid_out(document).partition(b'"packed": {\n')[0]
    length = times * document["packed"]["marginal.number"]["length"]
    header = f'"packed": {{\n"marginal.number": {{"type":"f8","length":{length},"blocks":[\n'.encode()
    packed(path, repeated(head + header + first, piece, SIZE))


def many_verified(path: Path) -> None:
    """A small packed file that says it has very many questions of verification, all of them zeros."""
    document = json.loads(json.dumps(next(o.document for o in originals() if o.name == "icd 2 1000")))
    document["state"]["verified"] |= {"a": "packed"}
    head = laid_out(document | {"packed": {}}).removesuffix(b'"packed": {}\n}\n')
    header = b'"packed": {\n"state.verified.a": {"type":"i4","length":99999999,"blocks":[\n'
    packed(path, repeated(head + header, b'"' + b"A" * 1_000_000 + b'",\n', SIZE))


def huge_bootstrap(number: int) -> Callable[[Path], None]:
    """A bootstrap of 0.1.0 that says it has so many repeats."""

    def write(path: Path) -> None:
        document = json.loads((Path(__file__).parent / "old_runs" / "bootstrap.json").read_text())
        path.write_text(json.dumps(document | {"wanted": number, "repeats": number}))

    return write


def known_in_vain(path: Path) -> None:
    """Knowledge about very many variables, before there is anything to show for them."""
    document = not_begun(2_000)
    names = document["variables"]
    document["settings"] = document["settings"] | {"knowledge": {"tiers": [names[:10_000], names[10_000:]]}}
    document["variables"] = [*names, *(f"y{i}" for i in range(70_000))]
    path.write_bytes(laid_out(document))


BOMBS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "lists on one line": ("run", lambda path: packed(path, repeated(b'{"format":[', b"[],", SIZE))),
    "lists on a line of an old run": (
        "run",
        lambda path: packed(path, repeated(old_head("run") + b'"edges": [', b"[],", SIZE)),
    ),
    "lists on lines": (
        "run",
        lambda path: packed(path, repeated(b'{\n"format": "ancestral run",\n"version": 4,\n', b'"x": [],\n', SIZE)),
    ),
    "lists just below the length of a line": (
        "run",
        lambda path: packed(path, iter([old_head("run"), b'"edges": [' + b"[]," * (10 * MB) + b"[]],\n"])),
    ),
    "a string just below the length of a line": (
        "run",
        lambda path: packed(path, iter([old_head("run"), b'"edges": "' + b"\\n" * (15 * MB) + b'",\n'])),
    ),
    "wide characters": (
        "run",
        lambda path: packed(path, iter([old_head("run"), '"edges": "😀'.encode() + b"x" * (31 * MB) + b'",\n'])),
    ),
    "spaces": ("run", lambda path: packed(path, repeated(b"", b" ", SIZE))),
    "lines": ("run", lambda path: packed(path, repeated(b"{", b"\n", SIZE))),
    "digits": ("run", lambda path: packed(path, repeated(old_head("run") + b'"radius": ', b"1", SIZE))),
    "lists of an old bootstrap": (
        "bootstrap",
        lambda path: packed(path, repeated(old_head("bootstrap") + b'"estimate": [', b"[],", SIZE)),
    ),
    "repeats": ("bootstrap", huge_bootstrap(300_000_000)),
    "more repeats": ("bootstrap", huge_bootstrap(10**10)),
    "variables of a run that has not begun": ("run", too_many(60_000)),
    "too many variables": ("run", too_many(100_001)),
    "knowledge about too many variables": ("run", known_in_vain),
    "blocks": ("run", lambda path: with_columns(path, b'"' + b"A" * 1_000_000 + b'",\n')),
    "one block": ("run", lambda path: with_columns(path, b"A", first=b'"')),
    "a long column": ("run", lambda path: with_columns(path, b'"' + b"A" * 1_000_000 + b'",\n', times=10**7)),
}


@pytest.mark.parametrize("what", BOMBS)
def test_no_small_file_takes_much_memory(what: str, tmp_path: Path) -> None:
    kind, write = BOMBS[what]
    path = tmp_path / "bomb.json"
    write(path)
    assert path.stat().st_size < 3 * MB
    reader = "an.load_bootstrap" if kind == "bootstrap" else "an.load"
    assert refused_within(reader, path) < 300


def test_a_run_that_has_not_begun_is_bounded_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(laid_out(not_begun(50)))
    found = an.load(path)
    assert (found.radius, len(found.pag.edges())) == (-1, 50 * 49 // 2)
    assert found.to_frame("all")["p_value"].null_count() == 50 * 49 // 2
    path.write_bytes(laid_out(not_begun(2_001)))
    with pytest.raises(an.RunError, match="must be at most 2,000 names in a run that has not begun"):
        an.load(path)
    monkeypatch.setattr("ancestral.io.run.MOST_NOT_BEGUN", 49)  # such a run is not saved, either
    with pytest.raises(an.RunError, match="must have at most 49 variables to be saved, got 50"):
        found.save(tmp_path / "other.json")
    assert not (tmp_path / "other.json").exists()


def test_a_column_of_unknown_length_is_bounded_too(tmp_path: Path) -> None:
    """The questions of verification are not counted by anything else; but there are only so many."""
    path = tmp_path / "bomb.json.gz"
    many_verified(path)
    assert refused_within("an.load", path) < 300


def refused_within(reader: str, path: Path) -> int:
    """Read a file in a process of its own, which must refuse it; by how many MB that raised its memory."""
    code = f"""
        import resource
        import ancestral as an
        an.load, an.load_bootstrap, an.RunError
        import ancestral.result, ancestral.resampling
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        before = peak()
        resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, resource.RLIM_INFINITY))
        try:
            {reader}({str(path)!r})
        except an.RunError as error:
            print(peak() - before, "MB", str(error)[:300])
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0 and done.stdout, done.stderr
    assert str(path) in done.stdout
    return int(done.stdout.split()[0])


# -- saving over something ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_only_the_head_of_a_file_is_read_before_it_is_replaced(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.csv{suffix}"
    if suffix:
        packed(path, repeated(b"a,b\n", b"1,2\n", SIZE))
    else:
        with path.open("wb") as file:
            file.write(b"a,b\n")
            file.truncate(3000 * MB)  # takes no room on disk
    assert refused_within("an.discover(an.Oracle(an.DAG.parse('a -> b'))).save", path) < 50


def test_a_run_is_replaced_whatever_follows_its_head(tmp_path: Path) -> None:
    path = tmp_path / "run.json.gz"
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")))
    found.save(path)
    path.write_bytes(path.read_bytes()[:-8])  # cut off
    found.save(path)
    assert an.load(path).pag == found.pag
    packed(path, repeated(old_head("run"), b"[],", 300 * MB))
    check_target(path)


def test_a_pipe_is_not_opened_for_reading(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_writable(pipe)
    with pytest.raises(an.RunError, match="must be a file, got a pipe"):
        check_target(pipe)  # would wait for somebody to write into it


def test_reading_stops_where_a_packed_file_ends(tmp_path: Path) -> None:
    path = tmp_path / "run.json.gz"
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c")))
    found.save(path)
    good = path.read_bytes()
    for content in (good + b"more", gzip.compress(gzip.decompress(good) + b"{}"), good + gzip.compress(b"more")):
        path.write_bytes(content)
        with pytest.raises(an.RunError):
            an.load(path)
    path.write_bytes(good + b"\0" * 100)  # as some tools pad them
    assert an.load(path).pag == found.pag


def test_numbers_of_libraries_are_saved(tmp_path: Path) -> None:
    """What `discover` takes can be saved, and what is saved can be read."""
    eye, rows = np.eye(3), np.int64(400)
    for moments in (
        an.Moments.from_correlation(eye, rows=rows),  # type: ignore[arg-type]
        an.Moments.from_covariance(eye, rows=rows, names=[np.str_("a"), "b", "c"]),  # type: ignore[arg-type]
    ):
        found = an.discover(moments, alpha=np.float64(0.05), max_radius=np.int8(1), save=tmp_path / "t.json")  # type: ignore[arg-type]
        assert type(moments.rows) is int
        assert an.load(tmp_path / "t.json").to_json() == found.to_json()
    options: dict[str, Any] = {"repeats": np.int64(3), "seed": np.uint8(1), "subsample": np.float64(0.5)}
    boot = an.bootstrap(np.random.default_rng(1).normal(size=(50, 3)), **options)
    boot.save(tmp_path / "b.json")
    assert an.load_bootstrap(tmp_path / "b.json").to_json() == boot.to_json()


class Wrong:
    """A test whose number of rows is none."""

    names = ("a", "b", "c")

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        """Everything depends on everything."""
        return 0.001


@pytest.mark.parametrize("rows", [-5, 2.5, "many", None, True, 1 << 60])
def test_a_number_of_rows_that_is_none_is_refused_at_once(rows: Any, tmp_path: Path) -> None:
    with pytest.raises(an.OptionError, match="rows"):
        an.discover(Wrong(rows), save=tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    found = an.discover(Wrong(10))
    found.test.rows = 1 << 60  # type: ignore[misc]
    with pytest.raises(
        an.RunError, match=r"run.json: this cannot be saved: data.rows must be .*, got 1152921504606846976"
    ):
        found.save(tmp_path / "run.json")


def test_whatever_goes_wrong_while_saving_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c")))
    path = tmp_path / "run.json"
    found.save(path)
    before = path.read_bytes()
    for error in (MemoryError(), TypeError("int64 is not JSON serializable"), ZeroDivisionError(), an.GraphError("x")):

        def broken(*_: Any, error: BaseException = error) -> Any:
            raise error

        with monkeypatch.context() as patched:
            patched.setattr("ancestral.io.run.run_document", broken)
            with pytest.raises(an.RunError, match=r"run\.json: "):
                found.save(path)
            with pytest.warns(an.RunWarning, match=r"run\.json: "):  # the search itself goes on
                assert an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c")), save=path).pag == found.pag
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize("name", ["\ud800", "a\udfffb"])
def test_a_name_must_be_text(name: str, tmp_path: Path) -> None:
    with pytest.raises(an.GraphError, match="must be text, and has half of a character"):
        an.discover(lambda x, y, given: 0.001, names=["a", name])
    values = np.random.default_rng(1).normal(size=(50, 2))
    with pytest.raises(an.GraphError, match="must be text"):
        an.discover(values, names=["a", name], save=tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


def test_a_file_name_need_not_be_text(tmp_path: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")))
    found.reading = an.discover(lambda x, y, given: 0.5, names=["a", "b"]).reading.__class__("caf\udce9.csv")
    found.save(tmp_path / "run.json")
    assert an.load(tmp_path / "run.json").reading.source == "caf\udce9.csv"


def test_no_line_of_an_old_file_lifts_its_own_bound(tmp_path: Path) -> None:
    """As many variables as one likes stood for as much text, in versions without packed columns."""
    for version, names in (("3", ["0"] * 300_000), ("3", [f"v{i}" for i in range(14_000)])):
        path = tmp_path / "bomb.json.gz"
        with gzip.open(path, "wb", compresslevel=9) as file:
            file.write(b'{\n"format": "ancestral run",\n"version": ' + version.encode() + b",\n")
            file.write(b'"variables": ' + json.dumps(names).encode() + b',\n"stages": [')
            for _ in range(300):
                file.write(b"[]," * 350_000)
            file.write(b"[]]\n}\n")
        assert path.stat().st_size < 3 * MB
        assert refused_within("an.load", path) < 700


def test_all_lines_together_are_bounded_and_so_are_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b'{\n"format": "ancestral run",\n"version": 4,\n')
        for i in range(20):
            file.write(f'"k{i}": "'.encode() + b"A" * (30 * MB) + b'",\n')
        file.write(b'"end": 1\n}\n')
    assert refused_within("an.load", path) < 300
    path.unlink()
    many = tmp_path / "many.json"
    many.write_text(
        '{\n"format": "ancestral run",\n"version": 4,\n' + "".join(f'"k{i}": 1,\n' for i in range(99)) + '"end": 1\n}\n'
    )
    with pytest.raises(an.RunError, match="too many keys"):
        an.load(many)


def test_a_text_that_speaks_of_a_run_is_not_one(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text('# Notes on the "ancestral run" of May\nimportant\n')
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")))
    with pytest.raises(an.RunError, match="exists and is not a run file, so it is left alone"):
        found.save(notes)
    assert notes.read_text().endswith("important\n")


def test_a_run_is_not_saved_into_a_pipe(tmp_path: Path) -> None:
    """It is written anew after every stage, and a pipe cannot be."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(an.RunError, match="must be a file, got a pipe"):
        an.discover(an.Oracle(an.DAG.parse("a -> b")), save=tmp_path / "pipe")
