"""Graphs of every kind with names that break careless writers, for the tests of other programs' formats."""

import numpy as np
from hypothesis import strategies as st

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import SYMBOLS

__all__ = ["HOSTILE", "graphs", "named"]

#: Names that occur in practice, or in an attack.
HOSTILE = [
    "plain",
    "two words",
    'say "hi"',
    "it's",
    "back\\slash",
    "ends in\\",
    '\\"',
    "\\\\",
    "\\n",
    "\\N",
    "two\nlines",
    "carriage\rreturn",
    "tab\there",
    '"]};//',
    "/* a */",
    "# no comment",
    "<script>alert(1)</script>",
    "&amp;",
    "&lt",
    "&#65;",
    "&#x41;",
    "R&D",
    "]]>",
    "<!-- -->",
    "{x}|<y>",
    "a;b,c",
    "(latent)",
    "[selected]",
    "(half",
    "->",
    "-->",
    "o-o",
    "@->",
    "a -> b",
    "graph",
    "node",
    "edge",
    "subgraph",
    "strict",
    "digraph",
    "dag",
    "U(a,b)",
    "1. x",
    "12",
    "-3.5",
    "0",
    "NA",
    "TRUE",
    "\u202eright to left\u202c",
    "שלום",
    "👩‍🔬",
    "ü",
    "u\u0308",
    "\u00a0nbsp",
    "zero\u200bwidth",
    "line\u2028separator",
    "\ufeffbom",
    "x" * 200,
    "kind",
    "Graph Edges:",
    "latent:",
    "'; DROP TABLE--",
    "=1+1",
    "$(id)",
    "null",
    "bell\x07",
    "nul\x00",
    "del\x7f",
    "\ufffe",
]


def named(kind: type[MixedGraph], names: list[str], rng: np.random.Generator) -> MixedGraph:
    """A random graph of a kind with these names."""
    n = len(names)
    edges = {"PAG": SYMBOLS, "MAG": ("-->", "<->"), "CPDAG": ("-->", "---"), "DAG": ("-->",)}[kind.__name__]
    order = rng.permutation(n)
    drawn = [
        (names[order[i]], str(rng.choice(edges)), names[order[j]])
        for i in range(n)
        for j in range(i + 1, n)
        if rng.random() < 0.5
    ]
    if kind is an.MAG:
        latent = [f"L{i}" for i in range(n)] if n > 1 else []
        hidden = [(cause, "-->", str(name)) for cause in latent for name in rng.choice(names, 2, replace=False)]
        seen = [(a, "-->", b) for a, _, b in drawn]
        free = [cause for cause in latent if cause not in names]
        return an.mag_of(an.DAG.from_edges([*seen, *(e for e in hidden if e[0] in free)], [*names, *free], latent=free))
    if kind is an.DAG:
        roles = rng.choice(["", "latent", "selection"], n, p=[0.6, 0.2, 0.2])
        return an.DAG.from_edges(
            drawn,
            names,
            **{
                role: [name for name, has in zip(names, roles, strict=True) if has == role]
                for role in ("latent", "selection")
            },
        )
    return kind.from_edges(drawn, names)


@st.composite
def graphs(draw: st.DrawFn, plain: bool = False) -> MixedGraph:
    """A strategy for graphs of any kind; with plain names, if asked for."""
    letters = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True)
    written = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
    one = letters if plain else st.one_of(st.sampled_from(HOSTILE), written)
    names = draw(st.lists(one, unique=True, max_size=6))
    kind = draw(st.sampled_from([an.DAG, an.MAG, an.CPDAG, an.PAG]))
    return named(kind, names, np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
