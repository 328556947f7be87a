"""Write docs/series-examples.md, small time series that tell searches apart, with their pictures.

python -m tools.series_examples
"""

import textwrap
from dataclasses import dataclass
from pathlib import Path

import ancestral as an

DOCS = Path(__file__).resolve().parents[1] / "docs"

_HEAD = """# Small time series, and what their windows tell

Each of these processes needs one idea that a search of windows must have, or breaks a search that lacks it. What is
shown is the graph of the window that an oracle allows, which answers every question about independence as the true
process does. A[t-1] is A one step before t. In the pictures, edges that end at t are dark, their earlier copies grey,
and edges that exist only early dashed; [series.md](series.md) says what the graph of a window means. Each graph was
compared with all stationary processes that have the same separations, one by one
(`tests/search/test_series_examples.py`). `python -m tools.series_examples` writes this page and its pictures.
"""


@dataclass(frozen=True)
class Example:
    """A process: its edges, the lags of the window, what is special, and which marks the search leaves open.

    Each of `left_open` is a pair of nodes: the mark at the first, on its edge with the second, follows only from a
    comparison of all processes.
    """

    edges: str
    lags: int
    words: str
    latent: tuple[str, ...] = ()
    left_open: tuple[tuple[str, str], ...] = ()

    @property
    def dag(self) -> an.SeriesDAG:
        """The true process."""
        return an.SeriesDAG.parse(self.edges, latent=self.latent)

    def found(self) -> an.SeriesDiscovery:
        """What the search finds if it asks the process itself."""
        return an.discover_series(self.dag, lags=self.lags)


EXAMPLES = {
    "echo": Example(
        "A -1-> A, A -1-> B",
        1,
        "A[t-2] lies before the window and drives both A[t-1] and B[t-1], so these are joined, while A[t] and B[t] "
        "are not: an edge may exist only early. It must neither be copied to t nor be left out: that A[t-1] and "
        "B[t-1] are joined is what gives A[t-1] its tails.",
    ),
    "carry": Example(
        "A -1-> A, B -0-> A",
        1,
        "A[t] is a collider, so B[t] points at it, and what holds at t holds one step earlier: B[t-1] points at "
        "A[t-1]. Only this mark, carried from copy to copy, shows that A[t-1] causes A[t].",
    ),
    "mirror": Example(
        "A -0-> B, A -1-> A, B -1-> B",
        1,
        "That A[t-1] causes A[t] follows, but only because no stationary process with A[t-1] <-> A[t] has the same "
        "separations. That takes a comparison of all candidates, which the search does not make: it leaves the "
        "circle at A[t-1], and says nothing false.",
        left_open=(("A[t-1]", "A[t]"),),
    ),
    "half edge": Example(
        "A -1-> A, A -2-> B, B -1-> B",
        2,
        "A[t-2] and B[t-1] are joined, by A[t-3], and their copy A[t-1] and B[t] is not. A search that carries "
        "marks to every copy of a pair, whether or not it is an edge, ends with an edge that has one mark only.",
    ),
    "half edge, two causes": Example(
        "B -0-> A, B -1-> B, C -1-> A, C -1-> C",
        1,
        "The same within a step: C[t-2] joins A[t-1] and C[t-1], and nothing joins A[t] and C[t]. Here the circle "
        "at B[t-1] belongs to the answer: processes with the same separations differ in it.",
    ),
    "unasked past": Example(
        "A -1-> A, B -1-> B, B -1-> C, C -1-> A, C -1-> C",
        2,
        "Some sets that separate a pair at t leave the window when they are moved back, and then another set "
        "separates the earlier copy. A search that asks only about pairs that end at t keeps such an early edge, "
        "and may rest a false arrowhead on it.",
    ),
    "latent loop": Example(
        "A -1-> B, A -1-> L, L -1-> A, L -1-> B",
        2,
        "L is not measured: A drives it, and it drives A and B one step later. So A acts on itself over two steps, "
        "without an edge over one, and A[t] and B[t] are joined within the step although neither acts on the other "
        "so fast.",
        latent=("L",),
    ),
    "far set": Example(
        "A -1-> A, A -1-> B, B -1-> B, C -1-> C, C -2-> A",
        2,
        "The edge from C to A spans the whole window, so what separates a pair at t may lie before the window for "
        "its earlier copy: five edges exist only early. A search that asks only about pairs that end at t gives "
        "false marks here.",
    ),
    "names": Example(
        "B -1-> A, B -1-> B",
        2,
        "Two sets separate A from its own past, and which of them is found first depends on the order of the "
        "questions. The answer must not: it is the same if the processes are renamed, or their columns reordered.",
    ),
}


def picture_of(name: str) -> str:
    """The file name of the picture of an example."""
    return f"series-{name.replace(',', '').replace(' ', '-')}.svg"


def page() -> str:
    """The text of the page."""
    parts = [_HEAD]
    for number, (name, example) in enumerate(EXAMPLES.items()):
        latent = f", latent={list(example.latent)!r}".replace("'", '"') if example.latent else ""
        imported = "" if number else ">>> import ancestral as an\n"
        parts.append(
            f"## {name[0].upper()}{name[1:]}\n\n{textwrap.fill(example.words, 118, break_on_hyphens=False)}\n\n"
            f"![The window of {name}](pictures/{picture_of(name)})\n\n"
            f"```python\n{imported}"
            f'>>> dag = an.SeriesDAG.parse("{example.edges}"{latent})\n'
            f">>> print(an.discover_series(dag, lags={example.lags}).window)\n{example.found().window}\n\n```\n"
        )
    return "\n".join(parts)


def main() -> None:
    """Write the page and its pictures."""
    (DOCS / "series-examples.md").write_text(page(), encoding="utf-8")
    for name, example in EXAMPLES.items():
        example.found().plot(DOCS / "pictures" / picture_of(name), what="window")


if __name__ == "__main__":
    main()
