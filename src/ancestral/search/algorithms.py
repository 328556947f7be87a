"""The searches by name."""

from collections.abc import Callable, Iterator

from ancestral.search.fci import fci
from ancestral.search.fci_plus import fci_plus
from ancestral.search.icd import icd
from ancestral.search.pc import pc
from ancestral.search.rfci import rfci
from ancestral.search.stage import Phase, Stage
from ancestral.search.state import Problem

__all__ = ["PHASES", "SEARCHES"]

#: Each is a generator of stages.
SEARCHES: dict[str, Callable[[Problem], Iterator[Stage]]] = {
    "icd": icd,
    "fci": fci,
    "rfci": rfci,
    "fci+": fci_plus,
    "pc": pc,
}

#: What each goes through, in this order.
PHASES: dict[str, tuple[Phase, ...]] = {
    "icd": (Phase.SEARCH,),
    "fci": (Phase.ADJACENCY, Phase.POSSIBLE_D_SEP),
    "rfci": (Phase.ADJACENCY,),
    "fci+": (Phase.ADJACENCY, Phase.D_SEP_LINKS),
    "pc": (Phase.ADJACENCY,),
}
