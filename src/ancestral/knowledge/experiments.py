"""From the options of an experiment to knowledge: contexts, what is assumed of them, and their targets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from ancestral.arguments import path_of
from ancestral.errors import KnowledgeError, named_with_suggestions
from ancestral.knowledge.contexts import checked_targets
from ancestral.knowledge.reading import toml_of
from ancestral.knowledge.reading import text_of as text_in
from ancestral.knowledge.statements import Knowledge

__all__ = ["known_of_experiment"]


def known_of_experiment(
    knowledge: Any,
    *,
    samples: Sequence[str] = (),
    context: Sequence[str] | None = None,
    assumptions: Sequence[str] | None = None,
    targets: Any = None,
) -> Any:
    """What is known beside the data of an experiment, as a `Knowledge`; without contexts, the knowledge as it was given.

    - `knowledge` is the value of that option, `context`, `assumptions` and `targets` are those of theirs.
    - `samples` are the names of samples, the first of which the others are compared with: what is done in it is part
      of each difference.

    Raises a `KnowledgeError` for targets of something that is neither a sample nor a context, and for statements that
    contradict each other.
    """
    if not samples and context is None and targets is None and assumptions is None:
        return knowledge
    known = Knowledge.of(knowledge) or Knowledge()
    contexts = [*dict.fromkeys((*known.contexts, *(context or ()), *samples[1:]))]
    stated = _targets_in(targets)
    if unknown := [name for name in stated if name not in {*contexts, *samples, *known.randomised}]:
        raise KnowledgeError(
            f"targets are those of samples or contexts, and there is none of the name "
            f"{named_with_suggestions(unknown, [*dict.fromkeys((*samples, *contexts))])}; correct the name, or name it "
            "in context"
        )
    everywhere = stated.pop(samples[0], ()) if samples else ()
    pairs = [(name, target) for name, some in stated.items() for target in (*some, *everywhere)]
    return replace(
        known,
        contexts=contexts,
        context_assumptions=assumptions if assumptions is not None or not known.contexts else known.context_assumptions,
        targets=[*known.target_pairs, *pairs],
    )


def _targets_in(targets: Any) -> dict[str, tuple[str, ...]]:
    """The targets of each name, from a dictionary or a TOML file."""
    if targets is None:
        return {}
    if not isinstance(targets, str | PathLike):
        return _checked(targets)
    place = path_of("targets", targets)
    content = toml_of(text_in(place), str(place))
    try:
        return _checked(content.get("targets", content))
    except KnowledgeError as error:
        raise KnowledgeError(f"{place}: {error}") from None


def _checked(targets: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Targets by name; an empty list says that nothing was done, as in a control sample."""
    some = {name: value for name, value in targets.items() if not isinstance(value, list | tuple) or value}
    out: dict[str, tuple[str, ...]] = {name: () for name in targets if name not in some}
    for name, target in checked_targets(some):
        out[name] = (*out.get(name, ()), target)
    return out
