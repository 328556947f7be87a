"""The rules that look at two or three edges: R0–R3 and R6–R8 of Zhang (2008).

The idea: only circles can change, so each rule goes through the circles that are left and asks whether its picture is
there. Each loop stops at the first witness for a mark; nodes are met in increasing order, so the witness is the first
by name where nodes are numbered by name. Letters are those of Zhang: a, b, c, d for alpha, beta, gamma, theta.

`marks[x, y]` is the mark at y on x–y; 0: not adjacent.
"""

import cython

if not cython.compiled:
    from ancestral.orientation._board_cy import Board
    from ancestral.orientation._judge_cy import Judge

CIRCLE = cython.declare(cython.int, 1)
ARROW = cython.declare(cython.int, 2)
TAIL = cython.declare(cython.int, 3)


def r0(board: Board, judge: Judge) -> None:
    """If a *-* b *-* c is unshielded and b is a collider between them, then a *-> b <-* c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            c: cython.Py_ssize_t = board.targets[j]
            # the arrowhead at b on c–b is proposed when c has the part of a
            if c != a and board.marks[a, c] == 0 and judge.collider(a, a, b, c) == 1:
                board.propose(0, a, b, 0, ARROW, board.because(a, b, c, -1))
                break


def r1(board: Board, judge: Judge) -> None:
    """If a *-> b o-* c is unshielded, then b --> c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == ARROW and a != c and board.marks[a, c] == 0:
                board.propose(1, b, c, TAIL, ARROW, board.because(a, b, c, -1))
                break


def r2(board: Board, judge: Judge) -> None:
    """If a --> b *-> c or a *-> b --> c, and a *-o c, then a *-> c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        c: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == ARROW and board.marks[b, c] == ARROW:
                if board.marks[b, a] == TAIL or board.marks[c, b] == TAIL:
                    board.propose(2, a, c, 0, ARROW, board.because(a, b, c, -1))
                    break


def r3(board: Board, judge: Judge) -> None:
    """If a *-> b <-* c, a *-o d o-* c, d *-o b, and a, c are not adjacent, then d *-> b."""
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
            if board.marks[a, d] != CIRCLE or board.marks[a, b] != ARROW:
                continue
            for k in range(j + 1, board.offsets[d + 1]):
                c: cython.Py_ssize_t = board.targets[k]
                if board.marks[c, d] == CIRCLE and board.marks[c, b] == ARROW and board.marks[a, c] == 0:
                    board.propose(3, d, b, 0, ARROW, board.because(a, b, c, d))
                    found = True
                    break
            if found:
                break


def r6(board: Board, judge: Judge) -> None:
    """If a --- b o-* c, then b --* c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == TAIL and board.marks[b, a] == TAIL:
                board.propose(6, b, c, TAIL, 0, board.because(a, b, c, -1))
                break


def r7(board: Board, judge: Judge) -> None:
    """If a --o b o-* c is unshielded, then b --* c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[b, a] == TAIL and board.marks[a, b] == CIRCLE and a != c and board.marks[a, c] == 0:
                board.propose(7, b, c, TAIL, 0, board.because(a, b, c, -1))
                break


def r8(board: Board, judge: Judge) -> None:
    """If a --> b --> c or a --o b --> c, and a o-> c, then a --> c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        a: cython.Py_ssize_t = board.circles[i, 1]
        if board.marks[a, c] != ARROW:
            continue
        for j in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[j]
            if board.marks[b, a] == TAIL and board.marks[a, b] != TAIL:
                if board.marks[b, c] == ARROW and board.marks[c, b] == TAIL:
                    board.propose(8, a, c, TAIL, 0, board.because(a, b, c, -1))
                    break
