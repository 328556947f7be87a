"""The pulse of long work: now and then it looks up.

The idea: a kernel that works for minutes without the GIL sees neither the clock nor Ctrl-C. So it beats once for each
step (a question, a circle). A beat costs a subtraction; every few beats the clock is read, and every 20 ms `look()` is
called, with the GIL, which may raise to end the work. Steps may be dear or cheap: `stride`, the number of beats between
two readings of the clock, follows what they cost, and is never so large that dear steps after cheap ones go unnoticed.
"""

from typing import Any

import cython

if not cython.compiled:
    from time import monotonic as seconds

#: How often to look up, in seconds.
LOOK_EVERY = cython.declare(cython.double, 0.02)

#: The most beats between two readings of the clock: a reading costs about as much as ten beats.
LONGEST_STRIDE = cython.declare(cython.longlong, 64)

NEVER = cython.declare(cython.longlong, 1 << 62)


@cython.cclass
class Pulse:
    """`look` None: never looks up. Each thread needs a pulse of its own."""

    def __init__(self, look: Any = None) -> None:
        self.look = look
        self.stride = NEVER if look is None else 1
        self.left = self.stride
        self.looked = 0.0
        self.read = 0.0

    def step(self) -> None:
        """One beat, from Python."""
        self.beat()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def beats(self, steps: cython.Py_ssize_t) -> cython.int:
        """So many quick steps are made at once."""
        self.left -= steps - 1
        return self.beat()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def beat(self) -> cython.int:
        """One step was made."""
        self.left -= 1
        if self.left <= 0:
            return self.read_clock()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def read_clock(self) -> cython.int:
        """Look up if it is time to, and choose when to read the clock next: between 0.2 and 2 ms from now."""
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
