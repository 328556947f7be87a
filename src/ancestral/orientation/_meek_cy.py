"""V-structures and the rules of Meek (1995) that complete a CPDAG, where nothing is latent and nothing selected on.

An edge is open, with a circle at both ends, or directed. As elsewhere a rule goes through the circles that are left,
looks for the first witness, and proposes; each proposal directs a whole edge. Meek's fourth rule has nothing to do
unless there is knowledge beside the data. M0 stands for the v-structures.

`marks[x, y]` is the mark at y on x–y; 0: not adjacent.
"""

import cython

if not cython.compiled:
    from ancestral.orientation._board_cy import Board
    from ancestral.orientation._judge_cy import Judge

CIRCLE = cython.declare(cython.int, 1)
ARROW = cython.declare(cython.int, 2)
TAIL = cython.declare(cython.int, 3)
M0 = cython.declare(cython.int, 20)  # the numbers by which the board knows the rules


@cython.cfunc
@cython.exceptval(-1)
def _leads(board: Board, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
    """Whether u → v."""
    return board.marks[u, v] == ARROW and board.marks[v, u] == TAIL


def m0(board: Board, judge: Judge) -> None:
    """If a – b – c is unshielded and b is not in what separates a and c, then a → b ← c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            c: cython.Py_ssize_t = board.targets[j]
            if c != a and board.marks[a, c] == 0 and judge.collider(a, a, b, c) == 1:
                board.propose(M0, a, b, TAIL, ARROW, board.because(a, b, c, -1))
                break


def m1(board: Board, judge: Judge) -> None:
    """If a → b – c is unshielded, then b → c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        b: cython.Py_ssize_t = board.circles[i, 0]
        c: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if a != c and board.marks[a, c] == 0 and _leads(board, a, b):
                board.propose(M0 + 1, b, c, TAIL, ARROW, board.because(a, b, c, -1))
                break


def m2(board: Board, judge: Judge) -> None:
    """If a → b → c and a – c, then a → c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        c: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[j]
            if _leads(board, a, b) and _leads(board, b, c):
                board.propose(M0 + 2, a, c, TAIL, ARROW, board.because(a, b, c, -1))
                break


def m3(board: Board, judge: Judge) -> None:
    """If a – d – c, a → b ← c, d – b, and a, c are not adjacent, then d → b."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    found: cython.bint
    for i in range(board.circle_count):
        board.pulse.beat()
        d: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        found = False
        for j in range(board.offsets[d], board.offsets[d + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, d] != CIRCLE or not _leads(board, a, b):
                continue
            for k in range(j + 1, board.offsets[d + 1]):
                c: cython.Py_ssize_t = board.targets[k]
                if board.marks[c, d] == CIRCLE and _leads(board, c, b) and board.marks[a, c] == 0:
                    board.propose(M0 + 3, d, b, TAIL, ARROW, board.because(a, b, c, d))
                    found = True
                    break
            if found:
                break
