"""How checks compare the stages of two searches that ask questions: in all that they claim and count."""

from collections.abc import Sequence

from ancestral.search.stage import AskedStage
from ancestral.testing.checks import require

__all__ = ["require_same_stages"]


def require_same_stages(expected: Sequence[AskedStage], found: Sequence[AskedStage], where: str) -> None:
    """Require that two lists of stages are the same in all that they claim and count."""
    require(len(found) == len(expected), f"There are {len(found)} stages, not {len(expected)}, {where}.")
    for one, other in zip(expected, found, strict=True):
        require(one.pag == other.pag, f"The graph of radius {one.radius} is another one {where}.")
        counts = [(stage.tests, stage.verify_tests, stage.unsupported) for stage in (one, other)]
        require(counts[0] == counts[1], f"At radius {one.radius} the questions are others {where}.")
        sets = [stage.sepsets.sets(stage.sepset_count) for stage in (one, other)]
        require(repr(sets[0]) == repr(sets[1]), f"At radius {one.radius} the separating sets are others {where}.")
        reasons = [stage.trace.orientations for stage in (one, other)]
        require(reasons[0] == reasons[1], f"At radius {one.radius} the reasons of marks are others {where}.")
