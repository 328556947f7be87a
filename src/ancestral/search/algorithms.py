"""The algorithms by name, and what else one must know of each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ancestral.search.base import Problem
from ancestral.search.fci import fci
from ancestral.search.fci_plus import fci_plus
from ancestral.search.icd import icd
from ancestral.search.pc import pc
from ancestral.search.rfci import rfci
from ancestral.search.stage import Phase, Stage

__all__ = ["ALGORITHMS", "Algorithm"]


@dataclass(frozen=True)
class Algorithm:
    """A generator of stages, and the phases that it goes through, in this order.

    - `resumable_beyond_max_radius`: it asks about all sets of a size before any larger one, and does nothing else when
      it ends, so that a run which `max_radius` ended may be taken further.
    - `sufficient`: it takes it that nothing is latent and nothing was selected on.
    """

    search: Callable[[Problem], Iterator[Stage]]
    phases: tuple[Phase, ...]
    resumable_beyond_max_radius: bool = False
    sufficient: bool = False


ALGORITHMS: dict[str, Algorithm] = {
    "icd": Algorithm(icd, (Phase.SEARCH,), resumable_beyond_max_radius=True),
    "fci": Algorithm(fci, (Phase.ADJACENCY, Phase.POSSIBLE_D_SEP)),
    "rfci": Algorithm(rfci, (Phase.ADJACENCY,)),
    "fci+": Algorithm(fci_plus, (Phase.ADJACENCY, Phase.D_SEP_LINKS)),
    "pc": Algorithm(pc, (Phase.ADJACENCY,), resumable_beyond_max_radius=True, sufficient=True),
}
