"""Change run and bootstrap files at random, and load them: each is refused by an error of ours, or fully usable.

`python -m tests.support.hostile_runs --count 20000 --seed 1` changes valid files of every version, as they are written
and as other tools would lay them out, compressed and not: values of other types, huge, negative, nested; keys removed,
renamed, duplicated; lists cut; columns changed number by number; bytes flipped, lost, inserted; files cut off. A file
that loads must answer every question, save and load again to the same bytes and, if it is unfinished, resume to a file
that can be loaded. The first change that breaks this is printed.
"""

import argparse
import base64
import gzip
import json
import resource
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl

import ancestral as an

__all__ = ["Attacked", "Original", "attack", "laid_out", "originals"]

OLD = Path(__file__).parents[1] / "io" / "old_runs"

#: What values are replaced by.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 3, 7, 99, 1 << 31, (1 << 53) - 1, 1 << 53, 1 << 64, -(1 << 70), 10**400, 0.5, -0.5,
    1e308, -1e308, 1e-320, "", "a", "o->", "packed", "R10", ">", "icd", "fci", "pc", "normal", "chi2", "p-value",
    "decision", "\ud800", "\x00", "x" * 5000, [], {}, [0], [[0]], ["packed"], [None], [1, 2], {"a": 1}, "AAAA", "0",
)  # fmt: skip

#: Names of values that are nested more deeply than Python can copy.
NESTED = {f"nested {depth} deep": b"[" * depth + b"]" * depth for depth in (5, 13, 300, 985, 988, 100_000)}


@dataclass(frozen=True)
class Original:
    """A valid file: its name, its document, what reads it, and the source and options that its run is resumed with."""

    name: str
    document: dict[str, Any]
    kind: str
    source: Any = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attacked:
    """Outcomes of the changed files, the seconds of the slowest, and which one that was."""

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    slowest_name: str = ""

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {what}" for what, count in sorted(self.outcomes.items()))
        return f"{self.outcomes.total():,} changed files: {counts}; the slowest took {self.slowest:.2f} s"


# -- valid files --------------------------------------------------------------------------------------------------


def table_of(name: str) -> pl.DataFrame:
    """A table that an old run searched."""
    head, *rows = json.loads((OLD / f"{name}.json").read_text(encoding="utf-8"))
    return pl.DataFrame(rows, schema=head, orient="row")


DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e, e -> f", latent=["L"])
NAMES = ("f", "a", "b", "c", "d", "e")


def own(x: str, y: str, given: tuple[str, ...]) -> float:
    """A test of the user's own."""
    return 0.5 if an.is_separated(DAG, x, y, given) else 0.001


@cache
def originals() -> tuple[Original, ...]:
    """Valid files of every version, with lists and with packed columns."""
    out = []
    tables = {name: table_of(name) for name in ("gaussian", "discrete", "mixed", "trouble")}
    known = an.Knowledge(tiers=[["b10", "b2"], ["d"]], no_edge=[("a", "z")], forbidden=[("c3", "größe")])
    searches: dict[str, tuple[Any, dict[str, Any]]] = {
        "icd": (tables["gaussian"], {"alpha": 0.05}),
        "fci": (tables["gaussian"], {"alpha": 0.05, "algorithm": "fci"}),
        "fci+": (tables["trouble"], {"alpha": 0.1, "algorithm": "fci+"}),
        "pc": (tables["gaussian"], {"alpha": 0.05, "algorithm": "pc"}),
        "rfci": (tables["trouble"], {"alpha": 0.1, "algorithm": "rfci"}),
        "discrete": (tables["discrete"], {"alpha": 0.05}),
        "mixed": (tables["mixed"], {"alpha": 0.05}),
        "trouble": (tables["trouble"], {"alpha": 0.1}),
        "unstable": (tables["trouble"], {"alpha": 0.1, "stable": False}),
        "knowledge": (tables["gaussian"], {"alpha": 0.05, "knowledge": known}),
        "function": (own, {"names": NAMES, "alpha": 0.05}),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, (source, options) in searches.items():
            for radius in (None, 0, 2):
                found = an.discover(source, max_radius=radius, **options)
                for listed in (1_000, 3):
                    with patch("ancestral.io.columns.LISTED", listed), patch("ancestral.io.columns.BLOCK_BYTES", 48):
                        text = found.to_json()
                    out.append(Original(f"{name} {radius} {listed}", json.loads(text), "run", source, options))
        boot = an.bootstrap(tables["gaussian"], repeats=12, seed=3, alpha=0.05, subsample=0.7)
        for listed in (1_000, 3):
            with patch("ancestral.io.columns.LISTED", listed), patch("ancestral.io.columns.BLOCK_BYTES", 48):
                out.append(Original(f"bootstrap {listed}", json.loads(boot.to_json()), "bootstrap"))
    for path in sorted(OLD.glob("*_*.json*")):
        name = path.name.split("_")[0]
        source, options = searches.get(name, (None, {}))
        content = path.read_bytes()
        document = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
        out.append(Original(f"old {path.name}", document, "run", source, options))
    old = json.loads((OLD / "bootstrap.json").read_text())
    out += [Original("old bootstrap", old, "bootstrap")] * 3
    return tuple(out)


def laid_out(document: dict[str, Any]) -> bytes:
    """A document on lines, as the package writes it."""
    lines = []
    for key, value in document.items():
        if key == "packed" and isinstance(value, dict) and value:
            columns = []
            for where, column in value.items():
                blocks = column.get("blocks") if isinstance(column, dict) else None
                if not isinstance(blocks, list):
                    columns.append(f"{json.dumps(where)}: {json.dumps(column)}")
                    continue
                others = {name: value for name, value in column.items() if name != "blocks"}
                header = json.dumps({**others, "blocks": []}, separators=(",", ":"))
                shown = ",\n".join(json.dumps(block) for block in blocks)
                columns.append(f"{json.dumps(where)}: {header.removesuffix(']}')}\n{shown}\n]}}")
            lines.append('"packed": {\n' + ",\n".join(columns) + "\n}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


# -- changes ------------------------------------------------------------------------------------------------------


class _Changes:
    """Draw random changes."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def below(self, count: int) -> int:
        """A random number below this one."""
        return int(self.rng.integers(count))

    def any_of(self, choices: Any) -> Any:
        """One of these, at random."""
        return choices[self.below(len(choices))]

    def document(self, document: dict[str, Any]) -> None:
        """Change a document in one place."""
        place, key = self._place(document)
        change = self.below(10)
        if change > 6 and isinstance(place, list):  # a value that may well stand there
            place[key] = deepcopy(self.any_of(place))
        elif change == 0 and isinstance(place, dict):
            del place[key]
        elif change == 1 and isinstance(place, dict):
            place[self.any_of(["x", "a", "format", "packed", "", key + "_"])] = place.pop(key)
        elif change == 2 and isinstance(place[key], list) and place[key]:
            del place[key][self.below(len(place[key])) :]
        elif change == 3 and isinstance(place, list):
            place.insert(self.below(len(place) + 1), deepcopy(place[key]))
        elif change == 4 and type(place[key]) in (int, float) and abs(place[key]) < 1e300:
            place[key] = place[key] + self.any_of([-1, 1, 0.5, -0.5, 1 << 40])
        elif change == 5:
            other, there = self._place(document)
            place[key] = deepcopy(other[there])
        else:
            place[key] = deepcopy(self._value())

    def _value(self) -> Any:
        return self.any_of(list(NESTED) if self.below(20) == 0 else VALUES)

    def _place(self, document: dict[str, Any]) -> tuple[Any, Any]:
        place: Any = document
        while True:
            key = self.any_of(list(place) if isinstance(place, dict) else range(len(place)))
            if not isinstance(place[key], dict | list) or not place[key] or self.below(6) == 0:
                return place, key
            place = place[key]

    def column(self, document: dict[str, Any]) -> None:
        """Change a number of a packed column."""
        packed = document.get("packed")
        column = packed[self.any_of(list(packed))] if isinstance(packed, dict) and packed else None
        if not isinstance(column, dict) or not column.keys() >= {"type", "length", "blocks"}:
            self.document(document)
            return
        dtype = {"f8": "<f8", "i4": "<i4", "u1": "u1"}[column["type"]]
        values = np.frombuffer(b"".join(map(base64.b64decode, column["blocks"])), dtype).copy()
        hostile = {
            "f8": [np.nan, np.inf, -np.inf, -1.0, 0.0, -0.0, 2.0, 1e308, 1e-320],
            "i4": [-1, 0, 1, 2, 5, 8, 9, -(1 << 31), (1 << 31) - 1],
            "u1": [0, 1, 2, 8, 9, 255],
        }[column["type"]]
        if len(values):
            values[self.below(len(values))] = self.any_of(hostile)
        column["blocks"] = [base64.b64encode(values.tobytes()).decode()]

    def content(self, content: bytes) -> bytes:
        """Change bytes."""
        out = bytearray(content)
        for _ in range(1 + self.below(3)):
            at = self.below(max(len(out), 1))
            length = self.any_of([1, 1, 3, 40, 1000])
            change = self.below(5)
            if change == 0 and out:
                out[at] ^= 1 << self.below(8)
            elif change == 1:
                del out[at : at + length]
            elif change == 2:
                out[at:at] = out[at : at + length]
            elif change == 3:
                out[at:at] = self.any_of([b"0", b"9" * 400, b"[" * 50, b"\n", b'"', b",", b"}", b"-", b"\xff", b"1e9"])
            else:
                out[at : at + 1] = bytes([self.below(256)])
        return bytes(out[: self.below(len(out) + 1)]) if self.below(20) == 0 else bytes(out)

    def file(self, original: Original) -> bytes:
        """A changed file."""
        document = deepcopy(original.document)
        way = self.below(10)
        if way < 8:
            if self.below(4) == 0:
                self.column(document)
            for _ in range(self.below(3)):
                self.document(document)
        content = laid_out(document) if self.below(2) else json.dumps(document).encode()
        for name, value in NESTED.items():
            content = content.replace(json.dumps(name).encode(), value)
        if way >= 8:
            content = self.content(content)
        if self.below(6) == 0:
            content = gzip.compress(content, 1, mtime=0)
            if self.below(2):
                content = self.content(content)
        return content


# -- what must hold -----------------------------------------------------------------------------------------------


def attack(
    count: int,
    seed: int,
    folder: Path,
    tell: Callable[[str], None] | None = None,
    only: int | None = None,
    files: Sequence[Original] | None = None,
) -> Attacked:
    """Change files, `count` times, and check what becomes of each; raises AssertionError with the number of the change.

    Each number below `count` is a change of its own; `only` tries a single one again. `files` are others to change.
    """
    out = Attacked()
    files = originals() if files is None else files
    for number in range(count) if only is None else [only]:
        rng = np.random.default_rng([seed, number])
        original = files[int(rng.integers(len(files)))]
        path = folder / "hostile.json"
        path.write_bytes(_Changes(rng).file(original))
        began = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                outcome = (_run if original.kind == "run" else _bootstrap)(path, original)
        except Exception as error:
            raise AssertionError(f"seed {seed}, number {number} ({original.name}), {path}: {error!r}") from error
        taken = time.perf_counter() - began
        out.outcomes[outcome] += 1
        if taken > out.slowest:
            out.slowest, out.slowest_name = taken, f"{number} ({original.name})"
        if tell is not None and number % 1000 == 999:
            tell(f"{number + 1:,}: {out}")
    return out


def _run(path: Path, original: Original) -> str:
    try:
        found = an.load(path)
    except an.RunError as error:
        return _refused(error, path)
    _ask(found)
    again = path.with_name("again.json")
    again.unlink(missing_ok=True)
    found.save(again)
    loaded = an.load(again)
    assert loaded.to_frame("all").equals(found.to_frame("all")) and loaded.pag == found.pag
    before = again.read_bytes()
    loaded.save(again)
    assert again.read_bytes() == before
    if found.complete or original.source is None:
        return "loaded"
    settings = found.settings
    options = {
        **original.options,
        "algorithm": settings.algorithm,
        "alpha": settings.alpha or 0.05,
        "max_radius": None if settings.chosen.resumable_beyond_max_radius else settings.max_radius,
        "possible_ancestors": settings.possible_ancestors,
        "stable": settings.stable,
        "verify": settings.verify,
        "selection_bias": settings.selection_bias,
        "knowledge": settings.knowledge,
    }
    try:
        resumed = an.discover(original.source, resume=again, **options)
    except an.AncestralError:
        return "not resumed"
    _ask(an.load(again))
    assert an.load(again).pag == resumed.pag
    return "resumed"


def _refused(error: an.RunError, path: Path) -> str:
    """Check that an error names the file and is readable."""
    assert str(path) in str(error) and len(str(error)) < 10_000
    return "refused"


def _ask(found: an.Discovery) -> None:
    """Ask every question that a user may ask."""
    assert str(found) and repr(found) and found.graphs is not None
    found.to_frame("all")
    found.relations()
    assert found.trace.orientations is not None and found.trace.conflicts is not None
    for a in found.pag.nodes:
        for b in found.pag.nodes:
            if a != b:
                assert str(found.why(a, b)) and str(found.causes(a, b))


def _bootstrap(path: Path, original: Original) -> str:
    try:
        boot = an.load_bootstrap(path)
    except an.RunError as error:
        return _refused(error, path)
    assert str(boot) and repr(boot) and boot.graphs is not None and boot.consensus() is not None
    boot.to_frame()
    again = path.with_name("again.json")
    again.unlink(missing_ok=True)
    boot.save(again)
    loaded = an.load_bootstrap(again)
    assert loaded.to_json() == boot.to_json() and loaded.to_frame().equals(boot.to_frame())
    return "loaded"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    chosen = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, resource.RLIM_INFINITY))
    with tempfile.TemporaryDirectory() as place:
        print(attack(chosen.count, chosen.seed, Path(place), print, chosen.only))
