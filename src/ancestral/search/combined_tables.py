"""Which searches are sound for tables that measured different columns; the others are refused by name."""

from ancestral.errors import Option, OptionError
from ancestral.printing import listed
from ancestral.search.settings import Settings

__all__ = ["refuse_unsound"]


def refuse_unsound(settings: Settings) -> None:
    """Raise `OptionError` if a search of combined tables could say what no answer supports (docs/combine.md)."""
    chosen, name = settings.chosen, settings.algorithm
    instead: list[str | Option] = ["pass ", Option("algorithm", "icd")]
    reason = None
    if chosen.sufficient:
        reason = "it takes every edge for a cause, and an edge between columns that no table has together may be none"
    elif not chosen.asks or chosen.within_scored:
        reason = "it scores rows that have all columns"
    if reason is not None:
        raise OptionError(
            f"does not apply to combined tables: {reason}",
            option="algorithm",
            value=name,
            assigned=True,
            way_out=instead,
        )
    for option, value, reason in (
        ("verify", False, "without verification, marks would rest on edges that nobody could ask about"),
        ("fdr", settings.fdr, "edges that nobody could ask about have no p-value"),
    ):
        if value is not None and getattr(settings, option) == value:
            raise OptionError(
                f"does not apply to combined tables: {reason}",
                option=option,
                value=value,
                assigned=True,
                way_out=["leave ", Option(option), " out"],
            )
    _refuse_of_experiments(settings)


def _refuse_of_experiments(settings: Settings) -> None:
    """Raise `OptionError` for statements that say something of an edge only if it is there."""
    known = settings.knowledge
    stated = [
        field for field in ("randomised", "unconfounded", "contexts", "targets") if known and getattr(known, field)
    ]
    if stated:
        raise OptionError(
            f"must not have {listed(stated, spell=str)} where tables are combined: these statements are about edges "
            "that are there, and nobody could ask about some",
            option="knowledge",
            way_out="leave them out, or state causes and tiers instead",
        )
