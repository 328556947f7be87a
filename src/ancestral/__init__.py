"""Causal discovery when not everything was measured.

A search asks independence questions, removes edges, orients marks, writes down why, and after every radius yields a
correct partial ancestral graph (PAG).

>>> import ancestral as an
>>> dag = an.DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"])
>>> print(an.pag_of(dag))
a o-> b
b <-> c
d o-> c
"""

import importlib
from typing import TYPE_CHECKING, Any

from ancestral.version import VERSION

if TYPE_CHECKING:
    from ancestral import simulate
    from ancestral.classes import (
        Legality,
        equivalent,
        equivalent_mags,
        legal,
        mag_in,
        pag_of,
        pds_tree,
        sample_dags,
        sample_mags,
    )
    from ancestral.data import Counts, DataError, DataWarning, Moments, Table
    from ancestral.discovery import Progress, discover, stages
    from ancestral.effects import AdjustmentSet, Effect, adjustment_set, is_adjustment_set
    from ancestral.errors import (
        AncestralError,
        GraphError,
        KnowledgeError,
        KnowledgeWarning,
        OptionError,
        RunError,
        RunWarning,
        UnknownName,
    )
    from ancestral.estimator import Discoverer
    from ancestral.graphs import CPDAG, DAG, MAG, PAG, canonical_dag, is_separated, mag_of
    from ancestral.independence import Oracle
    from ancestral.io.interop import (
        from_causal_learn,
        from_dagitty,
        from_dot,
        from_graphml,
        from_networkx,
        from_pcalg,
        from_pcalg_csv,
        from_pywhy_graphs,
        from_tetrad,
        from_tetrad_json,
        to_causal_learn,
        to_dagitty,
        to_dot,
        to_dowhy,
        to_graphml,
        to_networkx,
        to_pcalg,
        to_pcalg_csv,
        to_pywhy_graphs,
        to_tetrad,
        to_tetrad_json,
    )
    from ancestral.io.relations import relations
    from ancestral.knowledge import Knowledge
    from ancestral.metrics import Comparison, compare
    from ancestral.resampling import Bootstrap, Reliability, RepeatsProgress, bootstrap, load_bootstrap
    from ancestral.result import Discovery, load
    from ancestral.search import most_tests

__all__ = [
    "CPDAG",
    "DAG",
    "MAG",
    "PAG",
    "AdjustmentSet",
    "AncestralError",
    "Bootstrap",
    "Comparison",
    "Counts",
    "DataError",
    "DataWarning",
    "Discoverer",
    "Discovery",
    "Effect",
    "GraphError",
    "Knowledge",
    "KnowledgeError",
    "KnowledgeWarning",
    "Legality",
    "Moments",
    "OptionError",
    "Oracle",
    "Progress",
    "Reliability",
    "RepeatsProgress",
    "RunError",
    "RunWarning",
    "Table",
    "UnknownName",
    "__version__",
    "adjustment_set",
    "bootstrap",
    "canonical_dag",
    "compare",
    "discover",
    "equivalent",
    "equivalent_mags",
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
    "is_adjustment_set",
    "is_separated",
    "legal",
    "load",
    "load_bootstrap",
    "mag_in",
    "mag_of",
    "most_tests",
    "pag_of",
    "pds_tree",
    "relations",
    "sample_dags",
    "sample_mags",
    "simulate",
    "stages",
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

__version__ = VERSION

#: Where each public name lives; it is imported when it is first asked for, so that the command line starts at once.
_HOMES = {
    "ancestral.classes": "Legality equivalent equivalent_mags legal mag_in pag_of pds_tree sample_dags sample_mags",
    "ancestral.data": "Counts DataError DataWarning Moments Table",
    "ancestral.discovery": "Progress discover stages",
    "ancestral.result": "Discovery load",
    "ancestral.effects": "AdjustmentSet Effect adjustment_set is_adjustment_set",
    "ancestral.errors": "AncestralError GraphError KnowledgeError KnowledgeWarning OptionError RunError RunWarning "
    "UnknownName",
    "ancestral.estimator": "Discoverer",
    "ancestral.graphs": "CPDAG DAG MAG PAG canonical_dag is_separated mag_of",
    "ancestral.independence": "Oracle",
    "ancestral.io.interop": """
        from_causal_learn from_dagitty from_dot from_graphml from_networkx from_pcalg from_pcalg_csv from_pywhy_graphs
        from_tetrad from_tetrad_json to_causal_learn to_dagitty to_dot to_dowhy to_graphml to_networkx to_pcalg
        to_pcalg_csv to_pywhy_graphs to_tetrad to_tetrad_json
    """,
    "ancestral.io.relations": "relations",
    "ancestral.knowledge": "Knowledge",
    "ancestral.metrics": "Comparison compare",
    "ancestral.resampling": "Bootstrap Reliability RepeatsProgress bootstrap load_bootstrap",
    "ancestral.search": "most_tests",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


if not TYPE_CHECKING:  # to a type checker the names above are all there is

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'ancestral' has no attribute {name!r}")
        from ancestral._cython import warn_if_interpreted

        module = importlib.import_module(_HOME.get(name, f"ancestral.{name}"))
        globals()[name] = value = getattr(module, name) if name in _HOME else module
        warn_if_interpreted()
        return value


def __dir__() -> list[str]:
    return __all__
