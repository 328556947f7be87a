"""What a report says about an effect that was asked for: the verdict, the numbers, and the edges in the way."""

from collections.abc import Callable
from dataclasses import dataclass

from ancestral.effects.effect import Effect
from ancestral.effects.identification import Identification
from ancestral.errors import AncestralError

__all__ = ["EffectPanel", "panel"]


@dataclass(frozen=True)
class EffectPanel:
    """The question, whether it is identified, lines of words, and the edges that stand in the way."""

    query: str
    identified: bool
    lines: tuple[str, ...]
    because: tuple[tuple[str, str], ...]


def panel(said: Identification, estimate: Callable[[], Effect]) -> EffectPanel:
    """The panel of a question; `estimate` computes its effect, and may raise an `AncestralError`."""
    lines = str(said).splitlines()
    if said:
        try:
            lines += str(estimate()).splitlines()
        except AncestralError as error:
            lines.append(f"No number: {error}.")
    elif not said.conditions and (condition := said.within()):
        left_out = said.left_out(condition)
        but = "" if left_out is None else f", which leaves out {left_out}"
        lines.append(f"Within levels of {', '.join(condition)} it is identified{but}.")
    return EffectPanel(said.query, said.identified, tuple(line.strip() for line in lines), said.because)
