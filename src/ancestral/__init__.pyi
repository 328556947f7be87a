"""The public names, each imported from the module it lives in; `__init__.py` reads them from here."""

from ancestral import simulate as simulate
from ancestral.certainty import Certainty as Certainty
from ancestral.checking import Check as Check
from ancestral.classes import (
    Consistency as Consistency,
    Legality as Legality,
    consistent as consistent,
    equivalent as equivalent,
    equivalent_mags as equivalent_mags,
    legal as legal,
    list_mags as list_mags,
    mag_in as mag_in,
    pag_of as pag_of,
    pds_tree as pds_tree,
    sample_dags as sample_dags,
    sample_mags as sample_mags,
)
from ancestral.data import (
    Combined as Combined,
    Counts as Counts,
    DataError as DataError,
    DataWarning as DataWarning,
    Moments as Moments,
    Table as Table,
    combine as combine,
)
from ancestral.describing import Description as Description, describe as describe
from ancestral.discovery import Progress as Progress, discover as discover, stages as stages
from ancestral.effects import (
    AdjustmentSet as AdjustmentSet,
    Effect as Effect,
    EffectBounds as EffectBounds,
    Identification as Identification,
    Interventional as Interventional,
    PossibleEffects as PossibleEffects,
    Sensitivity as Sensitivity,
    adjustment_set as adjustment_set,
    effect_bounds as effect_bounds,
    identify as identify,
    is_adjustment_set as is_adjustment_set,
    possible_effects as possible_effects,
)
from ancestral.errors import (
    AncestralError as AncestralError,
    GraphError as GraphError,
    KnowledgeError as KnowledgeError,
    KnowledgeWarning as KnowledgeWarning,
    OptionError as OptionError,
    RunError as RunError,
    RunWarning as RunWarning,
    UnknownName as UnknownName,
)
from ancestral.estimator import Discoverer as Discoverer
from ancestral.graphs import (
    CPDAG as CPDAG,
    DAG as DAG,
    MAG as MAG,
    PAG as PAG,
    SeriesDAG as SeriesDAG,
    canonical_dag as canonical_dag,
    is_separated as is_separated,
    mag_of as mag_of,
)
from ancestral.independence import Oracle as Oracle
from ancestral.io.interop.causal_learn import from_causal_learn as from_causal_learn, to_causal_learn as to_causal_learn
from ancestral.io.interop.dagitty import from_dagitty as from_dagitty, to_dagitty as to_dagitty
from ancestral.io.interop.dot import from_dot as from_dot, to_dot as to_dot
from ancestral.io.interop.dowhy import to_dowhy as to_dowhy
from ancestral.io.interop.graphml import from_graphml as from_graphml, to_graphml as to_graphml
from ancestral.io.interop.networks import from_networkx as from_networkx, to_networkx as to_networkx
from ancestral.io.interop.pcalg import (
    from_pcalg as from_pcalg,
    from_pcalg_csv as from_pcalg_csv,
    to_pcalg as to_pcalg,
    to_pcalg_csv as to_pcalg_csv,
)
from ancestral.io.interop.pywhy import from_pywhy_graphs as from_pywhy_graphs, to_pywhy_graphs as to_pywhy_graphs
from ancestral.io.interop.tetrad import from_tetrad as from_tetrad, to_tetrad as to_tetrad
from ancestral.io.interop.tetrad_json import from_tetrad_json as from_tetrad_json, to_tetrad_json as to_tetrad_json
from ancestral.io.relations import relations as relations
from ancestral.knowledge import Knowledge as Knowledge, SeriesKnowledge as SeriesKnowledge
from ancestral.metrics import Comparison as Comparison, compare as compare
from ancestral.resampling import (
    Bootstrap as Bootstrap,
    Reliability as Reliability,
    RepeatsProgress as RepeatsProgress,
    ResampledEffect as ResampledEffect,
    bootstrap as bootstrap,
    load_bootstrap as load_bootstrap,
)
from ancestral.result import Discovery as Discovery, load as load
from ancestral.scores.fit import Fit as Fit
from ancestral.search import most_tests as most_tests
from ancestral.search.claims import ClaimEvidence as ClaimEvidence, Claims as Claims
from ancestral.series import (
    SeriesBootstrap as SeriesBootstrap,
    SeriesDiscovery as SeriesDiscovery,
    SummaryGraph as SummaryGraph,
    discover_series as discover_series,
    load_series as load_series,
)
from ancestral.sweeping import Suggestion as Suggestion, Sweep as Sweep, sweep as sweep

__version__: str
