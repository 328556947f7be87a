"""Questions about how certain a found graph is: methods of `Discovery`."""

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from typing import Protocol

from ancestral.arguments import MOST_SEED, whole_number
from ancestral.certainty import Certainty, RepeatsProgress, Resamples
from ancestral.certainty.resamples import DEFAULT_RESAMPLES, SEED, search_resamples
from ancestral.errors import OptionError, RunWarning
from ancestral.given_warnings import warn
from ancestral.graphs import PAG
from ancestral.independence.base import Test
from ancestral.options import RepeatsOptions
from ancestral.search.settings import Settings
from ancestral.show.progress import progress_callback
from ancestral.show.repeats_bar import RepeatsBar

__all__ = ["CertaintyQuestions"]


class _Searched(Protocol):
    """What the questions need of a search that is done."""

    test: Test
    settings: Settings
    _resamples: Resamples | None

    @property
    def complete(self) -> bool: ...

    @property
    def _certainty(self) -> Certainty: ...


class CertaintyQuestions:
    """How certain a graph is by resamples of its data, which are searched when that is asked for, and kept.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c"), rows=500, seed=1)
        >>> found = an.discover(rows, resamples=0)
        >>> found.resampled, found.known_certainty
        (0, None)
        >>> found.certainty(5).repeats, found.resampled, sorted(found.firm.nodes)
        (5, 5, ['a', 'b', 'c'])
    """

    _resamples: Resamples | None

    def certainty(
        self: _Searched,
        n: int | None = None,
        *,
        seed: int | None = None,
        workers: int = 1,
        executor: Executor | None = None,
        time_limit: float | None = None,
        progress: "bool | Callable[[RepeatsProgress], None] | None" = None,
    ) -> Certainty:
        """How certain each edge and each mark is: the share of resamples in which a search by score says the same.

        The rows are drawn with replacement, and read in two ways where they are numbers: as they are, and as normal
        scores; a certainty is the smaller share. Resamples that were searched before are kept, and only as many are
        searched as are missing.

        Args:
            n: The number of resamples; by default those that there are, or 30.
            seed: As in `bootstrap`; another seed begins anew.
            workers: As in `bootstrap`.
            executor: As in `bootstrap`.
            time_limit: As in `bootstrap`.
            progress: As in `bootstrap`.

        Returns:
            The certainty; print it.

        Raises:
            OptionError: If the search is not complete, if no rows can be drawn, for a test without a Gaussian
                likelihood, and for a run that was loaded from a file, which has no data, and no resamples.

        Warns:
            RunWarning: If it was interrupted.
        """
        known = self._resamples
        if seed is None:
            chosen = SEED if known is None else known.seed
        else:
            chosen = whole_number("seed", seed, 0, MOST_SEED)
        if known is not None and known.seed != chosen:
            known = None
        if n is None and known is not None:
            return self._certainty
        wanted = DEFAULT_RESAMPLES if n is None else whole_number("n", n, 1)
        if known is not None and known.repeats >= wanted:
            return self._certainty
        if not self.complete:
            raise OptionError("a certainty needs a complete search, and this one was stopped; resume it, and ask again")
        run = RepeatsOptions(workers=workers, executor=executor, time_limit=time_limit, progress=progress)
        with ExitStack() as stack:
            self._resamples = search_resamples(
                self.test,
                self.settings,
                wanted,
                chosen,
                known,
                workers=run.workers,
                executor=run.executor,
                seconds=run.time_limit,
                tell=progress_callback(run.progress, RepeatsBar, stack),
            )
        if self._resamples.stopped == "interrupt":
            warn(RunWarning(f"interrupted; resamples that were done: {self._resamples.repeats}"), stacklevel=2)
        return self._certainty

    @property
    def known_certainty(self: _Searched) -> Certainty | None:
        """The certainty by the resamples that were searched so far; None if there are none."""
        return None if self._resamples is None else self._certainty

    @property
    def resampled(self: _Searched) -> int:
        """The number of resamples that were searched so far, in each reading of the data."""
        return 0 if self._resamples is None else self._resamples.repeats

    @property
    def firm(self: _Searched) -> PAG:
        """The graph with circles in the place of marks that are not firm: that less than 90 % of resamples agree on.

        `found.certainty().firm(0.8)` has another level. It says less than `pag`, and need not be the PAG of any one
        class.

        Raises:
            OptionError: If no resamples were searched; `certainty` does that.
        """
        if self._resamples is None:
            raise OptionError("no resamples were searched, so nothing is known to be firm; call found.certainty()")
        return self._certainty.firm()
