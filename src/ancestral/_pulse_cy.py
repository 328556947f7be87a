"""The pulse of long work: every so many steps it looks up.

The idea: a kernel that works for minutes without the GIL sees neither the clock nor Ctrl-C. So it beats once for each
step (a question, a circle), which costs a subtraction; and when the steps it was allowed are used up, it takes the GIL
and calls `look()`, which says how many steps may go by until the next look, and may raise to end the work.
"""

from typing import Any

import cython

NEVER = cython.declare(cython.longlong, 1 << 62)


@cython.cclass
class Pulse:
    """`look` None: never looks up. Each thread needs a pulse of its own."""

    def __init__(self, look: Any = None) -> None:
        self.look = look
        self.left = NEVER if look is None else 1

    def step(self) -> None:
        """One beat, from Python."""
        self.beat()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def beat(self) -> cython.int:
        """One step was made."""
        self.left -= 1
        if self.left <= 0:
            with cython.gil:
                self.left = self.look()
        return 0
