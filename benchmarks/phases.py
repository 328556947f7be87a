"""Where the time of a search goes: asking, verifying, agreement on colliders, orienting and bookkeeping, by radius.

The functions of the package are wrapped in a clock here; the package itself contains no timing code. The time of a
function does not include that of wrapped functions it calls.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import ancestral as an
from ancestral.search import agreement, ask, orienter
from ancestral.search.verify import Verifier
from benchmarks.gaussian import correlation, sample
from benchmarks.measure import apart, short, table

NODES, ROWS = 1000, 1_000
PARTS: dict[str, list[tuple[Any, str]]] = {
    "asking": [(ask, "_ask"), (ask, "_ask_rows")],
    "verifying": [(Verifier, name) for name in ("not_minimal", "not_colliders", "not_discriminating", "evidence")],
    "agreeing": [(agreement.Agreement, "orient")],
    "orienting": [(orienter, "orient_checked"), (agreement, "orient_checked")],
}


class Clock:
    """Seconds of each part, without the parts that it calls."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._inner = [0.0]

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function so that its time is counted."""

        @wraps(function)
        def on_the_clock(*args: Any, **kwargs: Any) -> Any:
            self._inner.append(0.0)
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                whole = time.perf_counter() - start
                self.spent[part] += whole - self._inner.pop()  # type: ignore[assignment]
                self._inner[-1] += whole

        return on_the_clock


def case(path: Path) -> list[tuple[int, dict[str, float]]]:
    """The seconds of each part in each radius; the second of two searches."""
    moments = an.Moments.from_correlation(np.load(path), rows=ROWS)
    an.discover(moments, algorithm="icd", progress=False)
    clock = Clock()
    out = []
    with ExitStack() as stack:
        for part, places in PARTS.items():
            for owner, name in places:
                stack.enter_context(patch.object(owner, name, clock.timed(part, getattr(owner, name))))
        begin = time.perf_counter()
        for stage in an.stages(moments, algorithm="icd"):
            whole = time.perf_counter() - begin
            spent = {part: float(clock.spent[part]) for part in PARTS}
            out.append((stage.radius or 0, spent | {"bookkeeping": whole - sum(spent.values()), "whole": whole}))
            clock.spent.clear()
            begin = time.perf_counter()
    return out


def report() -> None:
    """Print the table."""
    path = correlation(sample(NODES, ROWS))

    def lines() -> Iterator[tuple[str, ...]]:
        stages = apart(case, path)
        total = {part: sum(spent[part] for _, spent in stages) for part in stages[0][1]}
        for radius, spent in [*((str(r), s) for r, s in stages), ("all", total)]:
            shares = (f"{spent[part] / spent['whole']:.0%}" for part in (*PARTS, "bookkeeping"))
            yield (radius, short(spent["whole"]), *shares)

    print(f"## Where the time goes: {NODES} nodes, Gaussian, {ROWS:,} rows\n")
    table(("radius", "seconds", *PARTS, "bookkeeping"), lines())
