"""The board on which rules propose marks and one loop writes them.

The idea: a rule never changes the graph. It proposes marks for an edge together with the nodes that made it do so,
and `settle` writes, after all rules of a pass have spoken. So the answer does not depend on the order in which a rule
meets the edges. A mark for which both an arrowhead and a tail were ever proposed is contested and stays a circle; a
proposal that touches a contested mark, or asks against a mark that stands, is refused whole and remembered.
With a perfect oracle nothing is ever contested. What is known is written before any rule speaks (`know`).

Invariants: only circles are written over; two nodes that are known not to be adjacent, without a separating set, have
KNOWN_NO_EDGE where others have 0, so no rule takes them for an unshielded pair; `circles` lists exactly the (x, y) with
a circle at y; `pointed[y]` tells whether an arrowhead stands at y; the skeleton, `offsets` and `targets`, does not
change. Rows of `proposals` are rule, x, y, mark at x,
mark at y (0: leave it), and where its witnesses begin and end; rows of `refusals` are such rows, with the place of
their reasons; rows of `written` are x, y, mark, rule, and where its reasons begin and end. A proposal may be refused
once in every pass. The number of a rule is the one that `rule` has while it speaks; its meaning is up to the caller
(`rules.NAMES`).
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW, CIRCLE, TAIL

KNOWN_NO_EDGE = cython.declare(cython.int, 4)


def _grown(array: Any) -> Any:
    """An array twice as long that begins with the same content; the rest has no meaning."""
    return np.concatenate([array, array])


@cython.cfunc
def _copied(rows: cython.int[:, ::1], count: cython.Py_ssize_t) -> Any:
    """An array with the first rows."""
    out = np.empty((count, rows.shape[1]), dtype=np.intc)
    copy: cython.int[:, ::1] = out
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for i in range(count):
        for k in range(rows.shape[1]):
            copy[i, k] = rows[i, k]
    return out


@cython.final
@cython.cclass
class Board:
    """A graph that is being oriented; `array` is its marks: the matrix that was given, not a copy, if it is of bytes.

    `rule` is the number of the rule that speaks, set before it is called. Rules beat the `pulse` for each circle they
    look at. `sufficient`: nothing is latent or selected on, so an arrowhead at one end of an edge brings a tail at the
    other; R0–R3 are then the rules of Meek. `no_edge`: rows x, y of pairs that are known not to be adjacent, without a
    separating set. `neighbours`: the offsets and targets of the graph as compressed rows, if they are at hand.
    """

    def __init__(
        self,
        marks: Any,
        pulse: Pulse | None = None,
        sufficient: bool = False,
        no_edge: Any = None,
        neighbours: Any = None,
    ) -> None:
        self.sufficient = sufficient
        self.rule = 0
        self.pulse = Pulse() if pulse is None else pulse
        self.array = np.ascontiguousarray(marks, dtype=np.uint8)
        self.marks = self.array
        self.n = len(self.array)
        if neighbours is None:
            _, heads, offsets = compressed(self.array)
        else:
            offsets, heads = neighbours
        self.offsets = offsets
        self.targets = heads
        self.pointed = np.zeros(self.n, dtype=np.uint8)
        self.circles = np.empty((len(heads), 2), dtype=np.intc)
        self.find_circles()
        self.has_no_edge = no_edge is not None and len(no_edge) > 0
        if self.has_no_edge:
            x, y = np.asarray(no_edge).T
            self.array[x, y] = self.array[y, x] = KNOWN_NO_EDGE
        self.knows = False  # whether there are marks that no rule has put there
        self.knows_unconfounded = False
        self.knows_targets = False
        self.begun = False  # whether anything was ever settled
        self.votes = np.zeros(len(heads), dtype=np.uint8)  # of each entry of `targets`
        room = len(heads) + 4  # enough for a mark at each end of each edge; arrays grow when needed
        rows: cython.int[:, :, ::1] = np.empty((2, room, 7), dtype=np.intc)
        nodes: cython.int[:, ::1] = np.empty((2, 4 * room), dtype=np.intc)
        self.proposals, self.refusals = rows[0], rows[1]
        self.witnesses, self.reasons = nodes[0], nodes[1]
        self.written = np.empty((room, 6), dtype=np.intc)
        self.proposal_count = self.refusal_count = self.written_count = self.witness_count = self.reason_count = 0
        self.directed_walks: Any = None  # kept by the rules that follow them ...
        self.walked_at = 0  # ... until more marks are written than this number

    def know(self, rows: Any, no_cause: Any, unconfounded: Any = None, target: Any = None) -> None:
        """Write what is known, before any rule speaks: rows x, y, mark at x, mark at y (0: nothing is known).

        `no_cause[x, y]`: x is known to cause neither y nor the selection, whether they are adjacent or not.
        `unconfounded[x, y]`: nothing unmeasured stands behind x–y; `target[c, x]`: c is known to act on x, and directly
        on nothing else than its targets. None where nothing is known of either.
        """
        self.knows = True
        self.no_cause = np.ascontiguousarray(no_cause, dtype=np.uint8)
        self.knows_unconfounded = unconfounded is not None
        if unconfounded is not None:
            self.unconfounded = np.ascontiguousarray(unconfounded, dtype=np.uint8)
        self.knows_targets = target is not None
        if target is not None:
            self.target = np.ascontiguousarray(target, dtype=np.uint8)
        since: cython.Py_ssize_t
        for x, y, at_x, at_y in rows.tolist():
            if at_x == 0:
                x, y, at_x, at_y = y, x, at_y, at_x
            since = self.witness_count
            self.witness(x)
            self.witness(y)
            if self.sufficient and at_x == at_y:  # one of them must cause the other: both ways are refused
                self.propose(x, y, TAIL, ARROW, since)
                self.propose(x, y, ARROW, TAIL, since)
            elif self.sufficient and at_y == 0:
                self.propose(x, y, at_x, TAIL if at_x == ARROW else ARROW, since)
            else:
                self.propose(x, y, at_x, at_y, since)
        self.settle()
        self.begun = False

    def follow(self, rows: Any, no_cause: Any) -> int:
        """Write marks that follow from elsewhere: rows x, y, mark at x, mark at y (0: leave it), and two witnesses.

        `no_cause` takes the place of what was known not to cause what. Returns the number of marks written.
        """
        since: cython.Py_ssize_t
        self.no_cause = np.ascontiguousarray(no_cause, dtype=np.uint8)
        for x, y, at_x, at_y, a, b in rows.tolist():
            since = self.witness_count
            self.witness(a)
            self.witness(b)
            self.propose(x, y, at_x, at_y, since)
        return self.settle()

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_targets(self, c: cython.Py_ssize_t) -> cython.bint:
        """Whether the targets of a node are known."""
        x: cython.Py_ssize_t
        for x in range(self.n):
            if self.target[c, x]:
                return True
        return False

    @property
    def shown(self) -> Any:
        """The matrix of marks: `array`, with 0 wherever two nodes are not adjacent, for whatever reason."""
        return np.where(self.array == KNOWN_NO_EDGE, np.uint8(0), self.array) if self.has_no_edge else self.array

    def contest(self, ends: Any) -> None:
        """Let nothing be written at these ends: rows x, y for the mark at y on x–y."""
        for x, y in ends.tolist():
            if self.array[x, y] not in (0, KNOWN_NO_EDGE):
                self.votes[self.place(x, y)] = 1 << ARROW | 1 << TAIL

    def detach(self) -> None:
        """Go on with a copy of the matrix of marks, and leave the matrix itself as it is to those who hold it."""
        self.array = self.array.copy()
        self.marks = self.array

    def log(self) -> Any:
        """The rows of `written` and of `refusals`, and the array of reasons into which they point."""
        reasons = np.empty(self.reason_count, dtype=np.intc)
        out: cython.int[::1] = reasons
        i: cython.Py_ssize_t
        for i in range(self.reason_count):
            out[i] = self.reasons[i]
        return _copied(self.written, self.written_count), _copied(self.refusals, self.refusal_count), reasons

    def pending(self) -> list[tuple[int, ...]]:
        """The witnesses of the proposals that wait to be settled, each once."""
        if self.proposal_count == 0:
            return []
        spans = np.asarray(self.proposals)[: self.proposal_count, 5:7].tolist()
        witnesses = np.asarray(self.witnesses)[: self.witness_count].tolist()
        return [tuple(witnesses[a:b]) for a, b in dict.fromkeys(map(tuple, spans))]

    def proposed(self) -> Any:
        """The proposals that wait to be settled: rows rule, x, y, mark at x, mark at y, and the span of witnesses."""
        return _copied(self.proposals, self.proposal_count)

    def withhold(self, rows: Any) -> None:
        """Refuse these of the proposals that wait to be settled: an array with 1 for each of them, 0 for others."""
        kept: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for k in range(self.proposal_count):
            if rows[k]:
                self.refuse(k)
                continue
            for i in range(7):
                self.proposals[kept, i] = self.proposals[k, i]
            kept += 1
        self.proposal_count = kept

    # -- proposing --------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1)
    def witness(self, node: cython.Py_ssize_t) -> cython.int:
        """Add a witness for the next proposal."""
        if self.witness_count == self.witnesses.shape[0]:
            self.witnesses = _grown(self.witnesses)
        self.witnesses[self.witness_count] = cython.cast(cython.int, node)
        self.witness_count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def because(
        self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t, d: cython.Py_ssize_t
    ) -> cython.int:
        """Add three or four (d = -1: three) witnesses; return where they begin."""
        since: cython.int = cython.cast(cython.int, self.witness_count)
        if since + 4 > self.witnesses.shape[0]:
            self.witnesses = _grown(self.witnesses)
        self.witnesses[since] = cython.cast(cython.int, a)
        self.witnesses[since + 1] = cython.cast(cython.int, b)
        self.witnesses[since + 2] = cython.cast(cython.int, c)
        self.witnesses[since + 3] = cython.cast(cython.int, d)
        self.witness_count += 3 if d < 0 else 4
        return since

    @cython.cfunc
    @cython.exceptval(-1)
    def propose(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        at_x: cython.int,
        at_y: cython.int,
        since: cython.Py_ssize_t,
    ) -> cython.int:
        """Propose marks on the edge x–y (0: leave as it is), because of all witnesses from `since` on."""
        k: cython.Py_ssize_t = self.proposal_count
        if self.sufficient and at_x == 0:
            at_x = TAIL
        if k == self.proposals.shape[0]:
            self.proposals = _grown(self.proposals)
        self.proposals[k, 0] = self.rule
        self.proposals[k, 1] = cython.cast(cython.int, x)
        self.proposals[k, 2] = cython.cast(cython.int, y)
        self.proposals[k, 3] = at_x
        self.proposals[k, 4] = at_y
        self.proposals[k, 5] = cython.cast(cython.int, since)
        self.proposals[k, 6] = cython.cast(cython.int, self.witness_count)
        self.proposal_count = k + 1
        return 0

    # -- writing ----------------------------------------------------------------------------------------------

    def settle(self) -> int:
        """Write what was proposed in this pass and is not contradicted; return the number of marks written."""
        before: cython.Py_ssize_t = self.written_count
        k: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        for k in range(self.proposal_count):
            x, y = self.proposals[k, 1], self.proposals[k, 2]
            self.vote(y, x, self.proposals[k, 3])
            self.vote(x, y, self.proposals[k, 4])
        for k in range(self.proposal_count):
            x, y = self.proposals[k, 1], self.proposals[k, 2]
            if self.open_to(y, x, self.proposals[k, 3]) and self.open_to(x, y, self.proposals[k, 4]):
                self.write(k, y, x, self.proposals[k, 3])
                self.write(k, x, y, self.proposals[k, 4])
            else:
                self.refuse(k)
        self.begun = True
        self.proposal_count = 0
        self.witness_count = 0
        if self.written_count > before:
            self.drop_written_circles()
        return self.written_count - before

    @cython.cfunc
    @cython.exceptval(check=False)
    def place(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where y, which is adjacent to x, stands among the targets of x, by bisection."""
        low: cython.Py_ssize_t = self.offsets[x]
        high: cython.Py_ssize_t = self.offsets[x + 1]
        middle: cython.Py_ssize_t
        while high - low > 1:
            middle = (low + high) // 2
            if self.targets[middle] <= y:
                low = middle
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.exceptval(-1)
    def vote(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, mark: cython.int) -> cython.int:
        """Remember that this mark was proposed where there is a circle now."""
        if mark and self.marks[x, y] == CIRCLE:
            self.votes[self.place(x, y)] |= 1 << mark
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def open_to(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, mark: cython.int) -> cython.int:
        """Whether the mark at y on x–y is this one already, or a circle for which no other mark was proposed."""
        if mark == 0 or self.marks[x, y] == mark:
            return True
        return self.marks[x, y] == CIRCLE and self.votes[self.place(x, y)] == 1 << mark

    @cython.cfunc
    @cython.exceptval(-1)
    def write(self, k: cython.Py_ssize_t, x: cython.Py_ssize_t, y: cython.Py_ssize_t, mark: cython.int) -> cython.int:
        """Write the mark at y on x–y for proposal k, and keep the reason; marks that stand keep theirs."""
        row: cython.Py_ssize_t = self.written_count
        if mark == 0 or self.marks[x, y] == mark:
            return 0
        self.marks[x, y] = cython.cast(cython.uchar, mark)
        if mark == ARROW:
            self.pointed[y] = True
        if row == self.written.shape[0]:
            self.written = _grown(self.written)
        self.written[row, 0] = cython.cast(cython.int, x)
        self.written[row, 1] = cython.cast(cython.int, y)
        self.written[row, 2] = mark
        self.written[row, 3] = self.proposals[k, 0]
        self.written[row, 4] = self.keep_reasons(k)
        self.written[row, 5] = cython.cast(cython.int, self.reason_count)
        self.written_count = row + 1
        return 1

    @cython.cfunc
    @cython.exceptval(-1)
    def refuse(self, k: cython.Py_ssize_t) -> cython.int:
        """Keep proposal k among those that were refused, with its reasons."""
        i: cython.Py_ssize_t
        row: cython.Py_ssize_t = self.refusal_count
        if row == self.refusals.shape[0]:
            self.refusals = _grown(self.refusals)
        for i in range(5):
            self.refusals[row, i] = self.proposals[k, i]
        self.refusals[row, 5] = self.keep_reasons(k)
        self.refusals[row, 6] = cython.cast(cython.int, self.reason_count)
        self.refusal_count = row + 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def keep_reasons(self, k: cython.Py_ssize_t) -> cython.int:
        """Copy the witnesses of proposal k into the reasons; return where they begin."""
        i: cython.Py_ssize_t
        since: cython.int = cython.cast(cython.int, self.reason_count)
        for i in range(self.proposals[k, 5], self.proposals[k, 6]):
            if self.reason_count == self.reasons.shape[0]:
                self.reasons = _grown(self.reasons)
            self.reasons[self.reason_count] = self.witnesses[i]
            self.reason_count += 1
        return since

    @cython.cfunc
    @cython.exceptval(-1)
    def find_circles(self) -> cython.int:
        """List the circles, and find the nodes at which there are arrowheads."""
        x: cython.Py_ssize_t
        i: cython.Py_ssize_t
        mark: cython.int
        self.circle_count = 0
        for x in range(self.n):
            for i in range(self.offsets[x], self.offsets[x + 1]):
                mark = self.marks[x, self.targets[i]]
                if mark == CIRCLE:
                    self.circles[self.circle_count, 0] = cython.cast(cython.int, x)
                    self.circles[self.circle_count, 1] = self.targets[i]
                    self.circle_count += 1
                elif mark == ARROW:
                    self.pointed[self.targets[i]] = True
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def drop_written_circles(self) -> cython.int:
        kept: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(self.circle_count):
            if self.marks[self.circles[i, 0], self.circles[i, 1]] == CIRCLE:
                self.circles[kept, 0] = self.circles[i, 0]
                self.circles[kept, 1] = self.circles[i, 1]
                kept += 1
        self.circle_count = kept
        return 0
