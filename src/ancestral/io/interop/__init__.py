"""Graphs for other programs, and from them: one module a format. docs/interop.md has the table of what each can carry.

A graph, or what `discover()` found, goes out with `to_…` and comes back with `from_…`. Other packages are imported
where they are used. What a format cannot say is refused with the reason, never left out silently.
"""

from ancestral.io.interop.causal_learn import from_causal_learn, to_causal_learn
from ancestral.io.interop.dagitty import from_dagitty, to_dagitty
from ancestral.io.interop.dot import from_dot, to_dot
from ancestral.io.interop.dowhy import to_dowhy
from ancestral.io.interop.graphml import from_graphml, to_graphml
from ancestral.io.interop.networks import from_networkx, to_networkx
from ancestral.io.interop.pcalg import from_pcalg, from_pcalg_csv, to_pcalg, to_pcalg_csv
from ancestral.io.interop.pywhy import from_pywhy_graphs, to_pywhy_graphs
from ancestral.io.interop.tetrad import from_tetrad, to_tetrad
from ancestral.io.interop.tetrad_json import from_tetrad_json, to_tetrad_json

__all__ = [
    "from_causal_learn",
    "from_dagitty",
    "from_dot",
    "from_graphml",
    "from_networkx",
    "from_pcalg",
    "from_pcalg_csv",
    "from_pywhy_graphs",
    "from_tetrad",
    "from_tetrad_json",
    "to_causal_learn",
    "to_dagitty",
    "to_dot",
    "to_dowhy",
    "to_graphml",
    "to_networkx",
    "to_pcalg",
    "to_pcalg_csv",
    "to_pywhy_graphs",
    "to_tetrad",
    "to_tetrad_json",
]
