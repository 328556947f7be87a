"""Graphs of every kind with names that break careless writers, for the tests of other programs' formats."""

import numpy as np
from hypothesis import strategies as st

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.testing.graph_format_checks import HOSTILE_NAMES as HOSTILE
from ancestral.testing.graph_format_checks import random_graph as named

__all__ = ["HOSTILE", "graphs", "named"]


@st.composite
def graphs(draw: st.DrawFn, plain: bool = False) -> MixedGraph:
    """A strategy for graphs of any kind; with plain names, if asked for."""
    letters = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True)
    written = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
    one = letters if plain else st.one_of(st.sampled_from(HOSTILE), written)
    names = draw(st.lists(one, unique=True, max_size=6))
    kind = draw(st.sampled_from([an.DAG, an.MAG, an.CPDAG, an.PAG]))
    return named(kind, names, np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
