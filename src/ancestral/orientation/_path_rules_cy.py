"""The rules that look along paths: R4 (discriminating), R5 (circle), R9 and R10 (potentially directed), Zhang (2008).

No path is searched for by trial and error.
- R4: all discriminating paths towards the same last node c share their middle part, which is made of parents of c
  joined by `<->`. One breadth-first search per c, from the far ends inwards, finds for each such parent a shortest way
  out. Whether a node can be added depends on its neighbour on the path only, so a shortest way is a simple path; b is
  no parent of c (it has a circle at its end) and the far end is not adjacent to c, so b is never on it.
- R5, R9, R10: uncovered walks, see `_walks_cy.py` for why walks suffice.

`marks[x, y]` is the mark at y on x–y; 0: not adjacent.
"""

import cython
import numpy as np

if not cython.compiled:
    from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
    from ancestral.orientation._board_cy import Board
    from ancestral.orientation._judge_cy import Judge
    from ancestral.orientation._walks_cy import UncoveredWalks


def r4(board: Board, judge: Judge) -> None:
    """If <d, ..., a, b, c> discriminates b and b o-* c: b --> c where b separates d from c, otherwise a <-> b <-> c."""
    # onward[u]: the next node from u on a shortest way to the far end d; -1 where there is none
    onward: cython.int[::1] = np.full(board.n, -1, dtype=np.intc)
    queue: cython.int[::1] = np.zeros(board.n, dtype=np.intc)
    length: cython.Py_ssize_t
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for c in range(board.n):
        board.pulse.beat()
        if not _has_circle_opposite(board, c):
            continue
        length = _ways_out(board, c, onward, queue)
        if length:
            for i in range(board.offsets[c], board.offsets[c + 1]):
                b: cython.Py_ssize_t = board.targets[i]
                if board.marks[c, b] != CIRCLE:
                    continue
                for j in range(board.offsets[b], board.offsets[b + 1]):
                    a: cython.Py_ssize_t = board.targets[j]
                    if onward[a] >= 0 and board.marks[b, a] == ARROW:
                        _discriminate(board, judge, onward, a, b, c)
        for i in range(length):
            onward[queue[i]] = -1


@cython.cfunc
@cython.exceptval(-1)
def _has_circle_opposite(board: Board, c: cython.Py_ssize_t) -> cython.bint:
    i: cython.Py_ssize_t
    for i in range(board.offsets[c], board.offsets[c + 1]):
        if board.marks[c, board.targets[i]] == CIRCLE:
            return True
    return False


@cython.cfunc
@cython.exceptval(-1)
def _is_parent(board: Board, u: cython.Py_ssize_t, c: cython.Py_ssize_t) -> cython.bint:
    return board.marks[u, c] == ARROW and board.marks[c, u] == TAIL


@cython.cfunc
@cython.exceptval(-1)
def _ways_out(board: Board, c: cython.Py_ssize_t, onward: cython.int[::1], queue: cython.int[::1]) -> cython.Py_ssize_t:
    """For each parent of c that is a collider on some way to a node not adjacent to c, the next node on it.

    Returns how many there are; they are at the beginning of the queue.
    """
    head: cython.Py_ssize_t = 0
    tail: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    for i in range(board.offsets[c], board.offsets[c + 1]):
        u = board.targets[i]
        if not _is_parent(board, u, c):
            continue
        for j in range(board.offsets[u], board.offsets[u + 1]):
            v = board.targets[j]
            if v != c and board.marks[v, c] == 0 and board.marks[v, u] == ARROW:
                onward[u] = cython.cast(cython.int, v)
                queue[tail] = cython.cast(cython.int, u)
                tail += 1
                break
    while head < tail:
        u = queue[head]
        head += 1
        for j in range(board.offsets[u], board.offsets[u + 1]):
            v = board.targets[j]
            if onward[v] < 0 and board.marks[u, v] == ARROW and board.marks[v, u] == ARROW and _is_parent(board, v, c):
                onward[v] = cython.cast(cython.int, u)
                queue[tail] = cython.cast(cython.int, v)
                tail += 1
    return tail


@cython.cfunc
@cython.exceptval(-1)
def _discriminate(
    board: Board,
    judge: Judge,
    onward: cython.int[::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    c: cython.Py_ssize_t,
) -> cython.int:
    since: cython.Py_ssize_t = board.witness_count
    verdict: cython.int
    d: cython.Py_ssize_t = a
    board.witness(c)
    board.witness(b)
    while board.marks[d, c] != 0:  # all but the far end are adjacent to c
        board.witness(d)
        d = onward[d]
    board.witness(d)
    verdict = judge.collider(d, a, b, c)
    if verdict == 0:
        board.propose(b, c, TAIL, ARROW, since)
    elif verdict == 1:
        board.propose(a, b, ARROW, ARROW, since)
        board.propose(b, c, ARROW, ARROW, since)
    return 0


def r5(board: Board, judge: Judge) -> None:
    """If a o-o b lies on a closed uncovered walk of circle edges, then every edge of that walk is ---."""
    walks: UncoveredWalks = UncoveredWalks(board.marks, board.offsets, board.targets, True, board.knows, judge)
    no_goals: cython.uchar[::1] = np.zeros(board.n, dtype=np.uint8)
    covered: cython.uchar[:, ::1] = np.zeros((board.n, board.n), dtype=np.uint8)
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    length: cython.Py_ssize_t
    since: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    for e in range(walks.targets.shape[0]):
        board.pulse.beat()
        # a step lies on a closed walk exactly if its component has more than one step
        if walks.component[e] < 0 or walks.size[walks.component[e]] < 2:
            continue
        if covered[walks.sources[e], walks.targets[e]]:
            continue
        length = walks.shortest(e, no_goals, True)
        since = board.witness_count
        for i in range(length):
            board.witness(walks.walk[i])
        for i in range(length):
            u = walks.walk[i]
            v = walks.walk[(i + 1) % length]
            if not covered[u, v]:
                covered[u, v] = covered[v, u] = 1
                board.propose(u, v, TAIL, TAIL, since)


@cython.cfunc
def _directed_walks(board: Board, judge: Judge) -> UncoveredWalks:
    """The uncovered potentially directed walks of the board as it stands: R9 and R10 follow the same ones."""
    if board.directed_walks is None or board.walked_at != board.written_count:
        board.directed_walks = UncoveredWalks(board.marks, board.offsets, board.targets, False, False, judge)
        board.walked_at = board.written_count
    return board.directed_walks


def r9(board: Board, judge: Judge) -> None:
    """If a o-> c, and an uncovered potentially directed walk <a, b, ..., c> has b, c not adjacent, then a --> c."""
    walks: UncoveredWalks = _directed_walks(board, judge)
    goal: cython.uchar[::1] = np.zeros(board.n, dtype=np.uint8)
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        a: cython.Py_ssize_t = board.circles[i, 1]
        if board.marks[a, c] != ARROW:
            continue
        for e in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[e]
            if b != c and board.marks[b, c] == 0 and walks.reaches(e, c) and walks.passes(c, a, b):
                since: cython.Py_ssize_t = board.witness_count
                goal[c] = 1
                _witness_walk(board, walks, e, goal)
                goal[c] = 0
                board.propose(a, c, TAIL, 0, since)
                break


def r10(board: Board, judge: Judge) -> None:
    """If a o-> c, b --> c <-- d, uncovered potentially directed walks lead from a to b and from a to d, and their
    second nodes are different and not adjacent, then a --> c."""
    walks: UncoveredWalks = _directed_walks(board, judge)
    parents: cython.uchar[::1] = np.zeros(board.n, dtype=np.uint8)
    found: cython.bint
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    e: cython.Py_ssize_t
    f: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        a: cython.Py_ssize_t = board.circles[i, 1]
        if board.marks[a, c] != ARROW:
            continue
        for j in range(board.offsets[c], board.offsets[c + 1]):
            parents[board.targets[j]] = _is_parent(board, board.targets[j], c)
        found = False
        for e in range(board.offsets[a], board.offsets[a + 1]):
            if not _reaches_any(board, walks, e, c, parents):
                continue
            for f in range(e + 1, board.offsets[a + 1]):
                if board.marks[board.targets[e], board.targets[f]] != 0:
                    continue
                if not walks.passes(board.targets[e], a, board.targets[f]):
                    continue
                if _reaches_any(board, walks, f, c, parents):
                    since: cython.Py_ssize_t = board.witness_count
                    _witness_walk(board, walks, e, parents)
                    board.witness(c)
                    _witness_walk(board, walks, f, parents)
                    board.propose(a, c, TAIL, 0, since)
                    found = True
                    break
            if found:
                break
        for j in range(board.offsets[c], board.offsets[c + 1]):
            parents[board.targets[j]] = 0


@cython.cfunc
@cython.exceptval(-1)
def _reaches_any(
    board: Board, walks: UncoveredWalks, e: cython.Py_ssize_t, c: cython.Py_ssize_t, goals: cython.uchar[::1]
) -> cython.bint:
    """Whether an uncovered walk that begins with step e comes to one of the goals, all of which are adjacent to c."""
    j: cython.Py_ssize_t
    for j in range(board.offsets[c], board.offsets[c + 1]):
        if goals[board.targets[j]] and walks.reaches(e, board.targets[j]):
            return True
    return False


@cython.cfunc
@cython.exceptval(-1)
def _witness_walk(board: Board, walks: UncoveredWalks, e: cython.Py_ssize_t, goals: cython.uchar[::1]) -> cython.int:
    i: cython.Py_ssize_t
    length: cython.Py_ssize_t = walks.shortest(e, goals, False)
    for i in range(length):
        board.witness(walks.walk[i])
    return 0
