"""The pulse of a long computation: from time to time it lets Python run, for time limits, progress and Ctrl-C.

The idea: a kernel that works for minutes without the GIL sees neither the clock nor Ctrl-C. So it beats once for each
step (a question, a circle). A beat costs a subtraction; every few beats the clock is read, and every 20 ms `look()` is
called, with the GIL, which may raise to end the work. Steps may be expensive or cheap: `stride`, the number of beats
between two readings of the clock, adapts to their cost, and is bounded so that expensive steps after cheap ones are
noticed.
"""

from typing import Any

import cython

if not cython.compiled:
    from time import monotonic as seconds

#: Seconds between two calls of `look`: short enough for Ctrl-C to feel immediate, long enough to cost nothing.
LOOK_EVERY = cython.declare(cython.double, 0.02)

#: Largest number of beats between two readings of the clock: a reading costs about as much as ten beats.
LONGEST_STRIDE = cython.declare(cython.longlong, 64)

#: Beats that are never made: the stride of a pulse that does not look.
NEVER = cython.declare(cython.longlong, 1 << 62)


@cython.cclass
class Pulse:
    """Calls `look` from time to time; with None, never. Each thread needs a pulse of its own."""

    def __init__(self, look: Any = None) -> None:
        self.look = look
        self.stride = NEVER if look is None else 1
        self.left = self.stride
        self.looked = 0.0
        self.read = 0.0

    def step(self) -> None:
        """Count one step, from Python."""
        self.beat()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def beats(self, steps: cython.Py_ssize_t) -> cython.int:
        """Count several quick steps."""
        self.left -= steps - 1
        return self.beat()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def beat(self) -> cython.int:
        """Count one step."""
        self.left -= 1
        if self.left <= 0:
            return self.read_clock()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def read_clock(self) -> cython.int:
        """Call `look` if it is due, and choose when to read the clock next: between 0.2 and 2 ms from now."""
        now: cython.double = seconds()
        if now - self.read > 0.002:
            self.stride = max(1, self.stride // 2)
        elif now - self.read < 0.0002:
            self.stride = min(LONGEST_STRIDE, self.stride * 2)
        if now - self.looked >= LOOK_EVERY:
            with cython.gil:
                self.look()
            now = seconds()
            self.looked = now
        self.read = now
        self.left = self.stride
        return 0
