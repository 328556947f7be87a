"""Witnesses about colliders: for pairs that are not adjacent, the answers given all small sets of neighbours.

The idea: whether b is a collider between a and c shows in which sets separate them: those with b, or those without it.
One separating set decides that for each b; here all subsets of the neighbours of a and of those of c, up to a size, are
asked about, and the set that was recorded when the pair was separated. One list of answers for a pair serves all b.

Rows: pair p has the rows `starts[p]` … `starts[p + 1] - 1` of `sets` (its nodes; more than three are not written down:
then it is the recorded set), of `sizes` and of `ends`, which is the pair itself; the answers have the same rows. No set
is listed twice for a pair.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions
    from ancestral.orientation._judge_cy import Sepsets

#: Nodes of the largest set of neighbours.
LARGEST = cython.declare(cython.Py_ssize_t, 3)


def unshielded_by_pair(
    marks: Any, offsets: Any, targets: Any, sepsets: Sepsets, pulse: Pulse, most: cython.Py_ssize_t
) -> Any:
    """Rows x, y, b for each pair x < y that a known set separates, and each b adjacent to both, in increasing order.

    None if there are more than `most`. They are met by y and b, counted for each x, and met again to be written where
    those of their x belong: so they are in order without being sorted.
    """
    at: cython.const[cython.uchar][:, ::1] = marks  # type: ignore[valid-type]
    n: cython.Py_ssize_t = at.shape[0]
    places: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    found: cython.int[:, ::1] = np.zeros((0, 3), dtype=np.intc)
    count: cython.Py_ssize_t = meet_unshielded(at, offsets, targets, sepsets, pulse, most, False, places, found)
    if count > most:
        return None
    out = np.empty((count, 3), dtype=np.intc)
    places = np.cumsum(places) - np.asarray(places)
    found = out
    meet_unshielded(at, offsets, targets, sepsets, pulse, most, True, places, found)
    return out


@cython.cfunc
@cython.exceptval(-1)
def meet_unshielded(
    at: cython.const[cython.uchar][:, ::1],  # type: ignore[valid-type]
    offsets: cython.int[::1],
    targets: cython.int[::1],
    sepsets: Sepsets,
    pulse: Pulse,
    most: cython.Py_ssize_t,
    writes: cython.bint,
    places: cython.longlong[::1],
    found: cython.int[:, ::1],
) -> cython.Py_ssize_t:
    """Count the triples x, y, b for each x in `places`, or write them from there on; returns how many, or more than
    `most`."""
    count: cython.Py_ssize_t = 0
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for y in range(at.shape[0]):
            for i in range(offsets[y], offsets[y + 1]):
                pulse.beat()
                b = targets[i]
                for j in range(offsets[b], offsets[b + 1]):
                    x = targets[j]
                    if x >= y:
                        break
                    if at[y, x] != 0 or sepsets.number(y, x) == 0:
                        continue
                    if writes:
                        found[places[x], 0] = cython.cast(cython.int, x)
                        found[places[x], 1] = cython.cast(cython.int, y)
                        found[places[x], 2] = cython.cast(cython.int, b)
                    places[x] += 1
                    count += 1
            if count > most:
                break
    return count


def too_many(
    marks: Any,
    offsets: Any,
    targets: Any,
    sepsets: Sepsets,
    pulse: Pulse,
    most: cython.longlong,
) -> bool:
    """Whether the pairs of unshielded triples need more than `most` questions, if only single neighbours are given."""
    at: cython.const[cython.uchar][:, ::1] = marks  # type: ignore[valid-type]
    met: cython.int[::1] = np.full(at.shape[0], -1, dtype=np.intc)
    return bool(least_questions(at, offsets, targets, sepsets, pulse, most, met) > most)


@cython.cfunc
@cython.exceptval(-1)
def least_questions(
    at: cython.const[cython.uchar][:, ::1],  # type: ignore[valid-type]
    offsets: cython.int[::1],
    targets: cython.int[::1],
    sepsets: Sepsets,
    pulse: Pulse,
    most: cython.longlong,
    met: cython.int[::1],
) -> cython.longlong:
    """How many questions these are, or more than `most`; `met[x]`: the last y for which x has been met."""
    count: cython.longlong = 0
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for y in range(at.shape[0]):
            for i in range(offsets[y], offsets[y + 1]):
                pulse.beat()
                for j in range(offsets[targets[i]], offsets[targets[i] + 1]):
                    x = targets[j]
                    if x >= y:
                        break
                    if met[x] == y or at[y, x] != 0 or sepsets.number(y, x) == 0:
                        continue
                    met[x] = cython.cast(cython.int, y)
                    count += 1 + subsets(offsets[x + 1] - offsets[x], 1) + subsets(offsets[y + 1] - offsets[y], 1)
            if count > most:
                break
    return count


def recorded_verdicts(sepsets: Sepsets, triples: Any) -> Any:
    """For rows x, y, b: 1 where b is not in the set that separates x and y, otherwise 0."""
    rows: cython.int[:, ::1] = triples
    out = np.zeros(len(triples), dtype=np.uint8)
    verdicts: cython.uchar[::1] = out
    t: cython.Py_ssize_t
    for t in range(rows.shape[0]):
        verdicts[t] = not sepsets.has(rows[t, 0], rows[t, 1], rows[t, 2])
    return out


def found_by(sepsets: Sepsets, triples: Any, what: cython.int) -> Any:
    """For rows x, y, b: 1 where the set that separates x and y was found by this, otherwise 0."""
    rows: cython.int[:, ::1] = triples
    out = np.zeros(len(triples), dtype=np.uint8)
    found: cython.uchar[::1] = out
    t: cython.Py_ssize_t
    s: cython.Py_ssize_t
    for t in range(rows.shape[0]):
        s = sepsets.number(rows[t, 0], rows[t, 1]) - 1
        found[t] = s > 0 and sepsets.notes[s, 1] == what
    return out


def pairs_of(triples: Any) -> tuple[Any, Any]:
    """Of rows x, y, b in order: the different pairs x, y, and where the rows of each begin, and the last ones end."""
    rows: cython.int[:, ::1] = triples
    found = np.empty((len(triples), 2), dtype=np.intc)
    places = np.empty(len(triples) + 1, dtype=np.int64)
    pairs: cython.int[:, ::1] = found
    begins: cython.longlong[::1] = places
    count: cython.Py_ssize_t = 0
    t: cython.Py_ssize_t
    with cython.nogil:
        for t in range(rows.shape[0]):
            if t == 0 or rows[t, 0] != rows[t - 1, 0] or rows[t, 1] != rows[t - 1, 1]:
                pairs[count, 0] = rows[t, 0]
                pairs[count, 1] = rows[t, 1]
                begins[count] = t
                count += 1
        begins[count] = rows.shape[0]
    return found[:count], places[: count + 1]


def set_sizes(pairs: Any, offsets: Any, most_of_an_end: cython.longlong, most: cython.longlong) -> Any:
    """For pairs of nodes: the size of the largest sets of neighbours to ask about, and how many sets there are.

    Of an end with more than `most_of_an_end` sets only smaller ones are asked about, and of all pairs if there are more
    than `most` sets in all; single nodes of an end always are. None if even these are too many.
    """
    ends: cython.int[:, ::1] = pairs
    rows: cython.int[::1] = offsets
    largest = np.empty(len(pairs), dtype=np.intc)
    numbers = np.empty(len(pairs), dtype=np.int64)
    sizes: cython.int[::1] = largest
    counts: cython.longlong[::1] = numbers
    total: cython.longlong
    d: cython.longlong
    limit: cython.int
    side: cython.Py_ssize_t
    p: cython.Py_ssize_t
    for limit in range(LARGEST, 0, -1):
        total = 0
        for p in range(ends.shape[0]):
            sizes[p] = limit
            for side in range(2):
                d = rows[ends[p, side] + 1] - rows[ends[p, side]]
                while sizes[p] > 1 and subsets(d, sizes[p]) > most_of_an_end:
                    sizes[p] -= 1
            counts[p] = 1
            for side in range(2):
                d = rows[ends[p, side] + 1] - rows[ends[p, side]]
                counts[p] += subsets(d, sizes[p])
            total += counts[p]
            if total > most:
                break
        if total <= most:
            return largest, numbers
    return None


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def subsets(d: cython.longlong, largest: cython.int) -> cython.longlong:
    """The number of subsets of d nodes that have at most `largest` of them, which is 1, 2 or 3."""
    count: cython.longlong = 1 + d
    if largest > 1:
        count += d * (d - 1) // 2
    if largest > 2:
        count += d * (d - 1) * (d - 2) // 6
    return count


def weigh(
    sepsets: Sepsets,
    triples: Any,
    begins: Any,
    starts: Any,
    sets: Any,
    sizes: Any,
    independent: Any,
    p_values: Any,
    largest: Any,
    separating: Any,
) -> None:
    """Fill in what the answers say about triples, rows x, y, b; those of a pair are rows `begins[p]` … of the triples.

    `independent` and `p_values` are the answers; p-values are NaN where the data supported no question. Rows of
    `largest` get the largest p-value given a set with b, and without b, where there is any; rows of `separating` how
    many sets with b separate the pair, and how many without b.
    """
    nodes: cython.int[:, ::1] = triples
    places: cython.longlong[::1] = begins
    firsts: cython.longlong[::1] = starts
    members: cython.int[:, ::1] = sets
    lengths_of_sets: cython.int[::1] = sizes
    answers: cython.uchar[::1] = independent
    p: cython.double[::1] = p_values
    most: cython.double[:, ::1] = largest
    votes: cython.longlong[:, ::1] = separating
    pair: cython.Py_ssize_t
    t: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.Py_ssize_t
    with cython.nogil:
        for pair in range(places.shape[0] - 1):
            for t in range(places[pair], places[pair + 1]):
                for r in range(firsts[pair], firsts[pair + 1]):
                    if p[r] != p[r]:
                        continue
                    side = 1
                    if lengths_of_sets[r] > LARGEST:
                        side = 0 if sepsets.has(nodes[t, 0], nodes[t, 1], nodes[t, 2]) else 1
                    else:
                        for i in range(lengths_of_sets[r]):
                            if members[r, i] == nodes[t, 2]:
                                side = 0
                    if not most[t, side] >= p[r]:
                        most[t, side] = p[r]
                    votes[t, side] += answers[r]


def ask_rows(
    questions: Questions,
    sepsets: Sepsets,
    ends: Any,
    sets: Any,
    sizes: Any,
    independent: Any,
    evidence: Any,
    rows: Any,
    pulse: Pulse,
    first: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
) -> None:
    """Ask the questions of `rows[first]` up to `rows[stop - 1]`, and fill in answers and evidence.

    The rows are those of `NeighbourSets`.
    """
    pairs: cython.int[:, ::1] = ends
    nodes: cython.int[:, ::1] = sets
    counts: cython.int[::1] = sizes
    answers: cython.uchar[::1] = independent
    decided: cython.double[:, ::1] = evidence
    chosen: cython.longlong[::1] = rows
    given: cython.int[::1] = np.zeros(questions.n + 1, dtype=np.intc)
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    r: cython.Py_ssize_t
    s: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(first, stop):
            pulse.beat()
            r = chosen[i]
            if counts[r] > LARGEST:
                s = sepsets.number(pairs[r, 0], pairs[r, 1]) - 1
            for k in range(counts[r]):
                given[k] = sepsets.members[sepsets.starts[s] + k] if counts[r] > LARGEST else nodes[r, k]
            answers[r] = questions.independent(pairs[r, 0], pairs[r, 1], given, counts[r]) != 0
            decided[r, 0] = questions.statistic
            decided[r, 1] = cython.cast(cython.double, questions.df)


@cython.cclass
class NeighbourSets:
    """Lists sets for pairs of a skeleton, given by `offsets` and `targets`.

    `no_cause[z, x]`: z is known not to cause x. Nodes that are known to cause neither of a pair are in none of its
    sets.
    """

    def __init__(self, sepsets: Sepsets, offsets: Any, targets: Any, no_cause: Any, pulse: Pulse) -> None:
        self.sepsets = sepsets
        self.offsets, self.targets = offsets, targets
        self.pulse = pulse
        self.prunes = no_cause is not None
        self.no_cause = np.zeros((1, 1), dtype=np.uint8) if no_cause is None else no_cause
        n = len(offsets) - 1
        self.pool = np.zeros(n + 1, dtype=np.intc)
        self.given = np.zeros(n + 1, dtype=np.intc)
        self.pools = np.zeros((2, n), dtype=np.int64)  # the last pair for which a node was in the pool of either end
        self.stamp = 0  # the number of the pair

    def fill(self, pairs: Any, largest: Any, starts: Any, sets: Any, sizes: Any, ends: Any) -> int:
        """List the sets of these pairs, of up to `largest` nodes each, in rows; return the number of rows."""
        nodes: cython.int[:, ::1] = pairs
        most: cython.int[::1] = largest
        firsts: cython.longlong[::1] = starts
        p: cython.Py_ssize_t
        side: cython.Py_ssize_t
        self.sets, self.sizes, self.ends = sets, sizes, ends
        self.row = 0
        with cython.nogil:
            for p in range(nodes.shape[0]):
                self.x, self.y = nodes[p, 0], nodes[p, 1]
                firsts[p] = self.row
                self.stamp += 1
                self.add(0)
                for side in range(2):
                    self.add_subsets(side, self.find_pool(side, nodes[p, side]), most[p])
                self.add_recorded(most[p])
            firsts[nodes.shape[0]] = self.row
        return self.row

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_pool(self, side: cython.Py_ssize_t, root: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Find the neighbours of one end that may be in a set; returns their number."""
        count: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for i in range(self.offsets[root], self.offsets[root + 1]):
            v = self.targets[i]
            if self.prunes and self.no_cause[v, self.x] and self.no_cause[v, self.y]:
                continue
            self.pool[count] = cython.cast(cython.int, v)
            self.pools[side, v] = self.stamp
            count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_subsets(self, side: cython.Py_ssize_t, count: cython.Py_ssize_t, largest: cython.Py_ssize_t) -> cython.int:
        """Add the subsets of the pool, of 1 to `largest` nodes; at the second end, not those of both pools."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        if largest < 1:
            return 0
        for i in range(count):
            self.given[0] = self.pool[i]
            if side == 0 or not self.in_pool(0, 1):
                self.add(1)
            if largest < 2:
                continue
            for j in range(i + 1, count):
                self.given[1] = self.pool[j]
                if side == 0 or not self.in_pool(0, 2):
                    self.add(2)
                if largest < 3:
                    continue
                for k in range(j + 1, count):
                    self.given[2] = self.pool[k]
                    if side == 0 or not self.in_pool(0, 3):
                        self.add(3)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def in_pool(self, side: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.bint:
        """Whether the first `size` nodes of `given` are in the pool of this end."""
        i: cython.Py_ssize_t
        for i in range(size):
            if self.pools[side, self.given[i]] != self.stamp:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_recorded(self, largest: cython.Py_ssize_t) -> cython.int:
        """Add the set that was recorded, unless it is one of the sets of neighbours."""
        s: cython.Py_ssize_t = self.sepsets.number(self.x, self.y) - 1
        size: cython.Py_ssize_t = self.sepsets.starts[s + 1] - self.sepsets.starts[s]
        i: cython.Py_ssize_t
        for i in range(size):
            self.given[i] = self.sepsets.members[self.sepsets.starts[s] + i]
        if size == 0 or (size <= largest and (self.in_pool(0, size) or self.in_pool(1, size))):
            return 0
        return self.add(size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add(self, size: cython.Py_ssize_t) -> cython.int:
        """Add the first `size` nodes of `given`, as the next row."""
        i: cython.Py_ssize_t
        self.pulse.beat()
        for i in range(min(size, LARGEST)):
            self.sets[self.row, i] = self.given[i]
        self.sizes[self.row] = cython.cast(cython.int, size)
        self.ends[self.row, 0] = cython.cast(cython.int, self.x)
        self.ends[self.row, 1] = cython.cast(cython.int, self.y)
        self.row += 1
        return 0
