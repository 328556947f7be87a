"""What contexts and randomised variables act on, by a graph: a line of words for each, with the same as data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from ancestral.graphs.names import in_order
from ancestral.printing import listed
from ancestral.show.actions import Action, Actions

__all__ = ["Intervention", "Interventions"]

#: Names of each sort that a line lists; of the others it gives the number.
MOST_NAMED = 8


@dataclass(frozen=True)
class Intervention:
    """What one context, or randomised variable, acts on; print it for a line of words.

    - `context`: its name.
    - `acts_on`: the variables that it acts on, directly or through something unmeasured.
    - `through`: those that it causes only through others.
    - `open`: those on which it may act: an edge does not tell, or might come about in another way.
    - `one_of`: groups of open variables of which it acts on at least one each.
    - `known`: whether its targets were known; then `acts_on` are these.
    - `or_selection`: whether it may act on what the sample was selected on instead of on `acts_on` and `one_of`.
    - `words`: the line.
    """

    context: str
    acts_on: tuple[str, ...]
    through: tuple[str, ...]
    open: tuple[str, ...]
    one_of: tuple[tuple[str, ...], ...]
    known: bool
    or_selection: bool
    words: str

    def __str__(self) -> str:
        return self.words


class Interventions(Sequence[Intervention]):
    """What each context and each randomised variable acts on; print it for a line each.

    >>> import ancestral as an
    >>> dag = an.DAG.parse("drug -> x, x -> y, y -> z, L -> y, L -> z", latent=["L"])
    >>> found = an.discover(an.Oracle(dag), context=["drug"], selection_bias=False)
    >>> print(found.interventions)
    drug acts on x, directly or through something unmeasured; through others on y and z.
    >>> found.interventions[0].acts_on, found.interventions[0].through
    (('x',), ('y', 'z'))
    """

    def __init__(self, actions: Actions) -> None:
        self._actions = actions
        self._items = tuple(_intervention(actions, name) for name in actions.outside)

    @overload
    def __getitem__(self, index: int) -> Intervention: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Intervention]: ...

    def __getitem__(self, index: int | slice) -> Intervention | Sequence[Intervention]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __str__(self) -> str:
        return "\n".join(map(str, self._items))

    def __repr__(self) -> str:
        return f"<Interventions: {', '.join(item.context for item in self._items) or 'none'}>"

    def about(self, a: str, b: str) -> Action | None:
        """What one of two variables does to the other, with a sentence; None unless just one was set from outside."""
        return self._actions.about(a, b)


def _intervention(actions: Actions, c: str) -> Intervention:
    """What c acts on."""
    found = {x: actions.of(c, x) for x in actions.system}
    acts_on = _of_kind(found, "acts", "known")
    through = _of_kind(found, "through", "only through")
    may_act = {x: action.by for x, action in found.items() if action.kind == "may act"}
    one_of = _least({tuple(in_order((x, *by))) for x, by in may_act.items() if not {*acts_on} & {*by}})
    known = bool(actions.known.targets_of(c))
    words = "; ".join(_clauses(actions, c, found, acts_on, one_of))
    return Intervention(
        c,
        acts_on,
        through,
        _of_kind(found, "may act", "open", "against targets"),
        one_of,
        known,
        actions.may_select(c) and actions.complete,
        actions.as_claim(c, f"{words}."),
    )


def _of_kind(found: dict[str, Action], *kinds: str) -> tuple[str, ...]:
    return tuple(x for x, action in found.items() if action.kind in kinds)


def _least(groups: set[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The groups that hold no other group."""
    return tuple(sorted(one for one in groups if not any({*other} < {*one} for other in groups)))


def _clauses(
    actions: Actions, c: str, found: dict[str, Action], acts_on: tuple[str, ...], one_of: tuple[tuple[str, ...], ...]
) -> Iterator[str]:
    """The parts of the line about c; the first one has it as its subject."""
    certain = [f"on {part}" for part in _parts(actions, c, acts_on)]
    certain += [f"on at least one of {_named(group)}" for group in one_of]
    unclear = _of_kind(found, "open")
    if certain:
        instead = ", or only on what the sample was selected on" * actions.may_select(c)
        yield f"{c} acts {'; '.join(certain)}{instead}"
    elif not unclear:
        yield f"{c} acts on none of the variables"
    for x in _of_kind(found, "may act"):
        if not any(x in group for group in one_of):
            yield f"{x} is acted on, too, unless {actions.instead(c, found[x].by, x)}"
    if unclear:
        yield f"{'it' if certain else c} may act on {_named(unclear)}"
    for x in _of_kind(found, "only through"):
        yield f"on {x} only through {_named(found[x].by, 'or')}, with something unmeasured behind"
    for x in _of_kind(found, "against targets"):
        yield f"the edge to {x} contradicts that"
    if through := _of_kind(found, "through"):
        yield f"through others on {_named(through)}"


def _parts(actions: Actions, c: str, acts_on: tuple[str, ...]) -> list[str]:
    """What is acted on for certain, in groups: variables that the same unmeasured one may drive stand together."""
    if actions.known.targets_of(c):
        return [f"{_named(acts_on)} (known: targets)"] if acts_on else []
    groups: list[tuple[str, ...]] = []
    for x in acts_on:
        if not any(x in group for group in groups):
            groups.append(_linked(actions, x, acts_on))
    alone = tuple(group[0] for group in groups if len(group) == 1)
    out = []
    if alone:
        each = "" if len(alone) == 1 else "on each "
        how = f", {each}directly or through something unmeasured" if actions.pag.may_hide else " directly"
        out.append(f"{_named(alone)}{how}")
    for group in groups:
        if len(group) > 1:
            both = "both" if len(group) == 2 else "some of them"
            out.append(f"{_named(group)}, or on something unmeasured that drives {both}")
    return out


def _linked(actions: Actions, x: str, among: tuple[str, ...]) -> tuple[str, ...]:
    """The variables among these that are linked with x by something unmeasured, itself among them."""
    group = [x]
    for y in group:
        group += [z for z in actions.partners(y, among) if z not in group]
    return tuple(in_order(tuple(group)))


def _named(names: tuple[str, ...], last: str = "and") -> str:
    return listed(names, MOST_NAMED, last=last, spell=str)
