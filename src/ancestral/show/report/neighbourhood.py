"""A part of a run as a small HTML page: the variables near some variables, and the reason of each of their edges.

The page of a whole run draws all variables, and lists every reason; of thousands of variables that takes minutes, and
the page megabytes. This one has no script: a picture, and reasons that unfold.
"""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import combinations

from ancestral.arguments import names_list, whole_number
from ancestral.errors import Option, OptionError
from ancestral.graphs import PAG
from ancestral.graphs.names import in_order
from ancestral.printing import counted
from ancestral.show.labels import plain
from ancestral.show.plot import MOST_SHOWN, as_svg
from ancestral.show.run import ReportedRun
from ancestral.show.summary import state_in_words

__all__ = ["names_around", "neighbourhood_page"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
body {{ color: #1a1a1a; background: #fff }}
svg {{ max-width: 100%; height: auto }}
summary {{ cursor: pointer; padding: .2rem 0 }}
pre {{ white-space: pre-wrap; font: inherit; margin: 0 0 .6rem 1.2rem }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{state}</p>
{picture}
<p>{outside}</p>
<h2>Edges</h2>
{edges}
<h2>Pairs without an edge</h2>
{separated}
</body>
</html>
"""


def names_around(pag: PAG, around: str | Iterable[str], within: int) -> tuple[str, ...]:
    """The variables that at most `within` edges join to one of these, in the order of names.

    Raises `OptionError` if they are too many for a picture, and for an option that cannot be used.
    """
    whole_number("within", within, 0)
    centres = names_list("around", (around,) if isinstance(around, str) else around)
    if not centres:
        raise OptionError("must name a variable", option="around", value=around)
    found = frontier = frozenset(pag.nodes[pag.index(name)] for name in centres)
    for _ in range(within):
        frontier = frozenset().union(*map(pag.neighbours, frontier)) - found
        found |= frontier
        if len(found) > MOST_SHOWN or not frontier:
            break
    if len(found) > MOST_SHOWN:
        raise OptionError(
            f"reaches more than {MOST_SHOWN} variables, too many for a picture",
            option="within",
            value=within,
            assigned=True,
            way_out=["pass a smaller one, or fewer variables as ", Option("around")],
        )
    return in_order(found)


def neighbourhood_page(run: ReportedRun, around: str | Iterable[str], within: int = 1) -> str:
    """The text of the page of the variables that at most `within` edges join to one of those in `around`."""
    centres = names_list("around", (around,) if isinstance(around, str) else around)
    names = names_around(run.pag, centres, within)
    part = type(run.pag)(names, run.pag.arranged(names))
    further = sum(len(run.pag.neighbours(name) - set(names)) for name in names)
    title = f"{' and '.join(map(plain, centres))}: {counted(len(names), 'variable')} of {len(run.pag.nodes):,}"
    apart = [(a, b) for a, b in combinations(names, 2) if part.edge(a, b) is None and {a, b} & set(centres)]
    return _PAGE.format(
        title=escape(title),
        state=escape(state_in_words(run)),
        picture=as_svg(part),
        outside=escape(_outside(further, within)),
        edges="\n".join(_reasons(run, part.edges())),
        separated="\n".join(_reasons(run, [(a, "and", b) for a, b in apart])),
    )


def _outside(further: int, within: int) -> str:
    """What the picture leaves out."""
    steps = f"at most {counted(within, 'edge')} away"
    if not further:
        return f"All variables {steps} are shown, and no edge leads further."
    return f"All variables {steps} are shown, with the edges between them; {counted(further, 'edge')} lead to others."


def _reasons(run: ReportedRun, pairs: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """For each pair a line that unfolds into the reason."""
    empty = True
    for a, between, b in pairs:
        empty = False
        line, reason = escape(plain(f"{a} {between} {b}")), escape(plain(str(run.why(a, b))))
        yield f"<details><summary>{line}</summary><pre>{reason}</pre></details>"
    if empty:
        yield "<p>None.</p>"
