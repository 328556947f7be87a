"""The rules that look at two or three edges: R0–R3 and R6–R8 of Zhang (2008), and K1–K10, for knowledge.

Without knowledge some marks never stand beside others, and the premises of Zhang's rules make use of that. K1–K4 are
what R1, R2, R8 and R3 say about ancestry, with no more premises than their proofs need: a tail at u on u–v says that
u causes v or the selection, an arrowhead that it causes neither. K5 and K6 carry what is known of two nodes that are
not adjacent to edges beside them.

The idea: only circles can change, so each rule goes through the circles that are left and asks whether its picture is
there. Each loop stops at the first witness for a mark; nodes are met in increasing order, so the witness is the first
by name where nodes are numbered by name. Letters are those of Zhang: a, b, c, d for alpha, beta, gamma, theta.

`marks[x, y]` is the mark at y on x–y; 0: not adjacent.
"""

import cython

if not cython.compiled:
    from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
    from ancestral.orientation._board_cy import Board
    from ancestral.orientation._judge_cy import Judge


def r0(board: Board, judge: Judge) -> None:
    """If a *-* b *-* c is unshielded and b is a collider between them, then a *-> b <-* c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        if not judge.knows_collider(b):
            continue
        for j in range(board.offsets[b], board.offsets[b + 1]):
            c: cython.Py_ssize_t = board.targets[j]
            # the arrowhead at b on c–b is proposed when c has the part of a
            if c != a and board.marks[a, c] == 0 and judge.collider(a, a, b, c) == 1:
                if board.marks[c, b] == TAIL:  # only knowledge comes before this rule, and it says b is no collider
                    board.propose(c, b, 0, ARROW, board.because(c, b, a, -1))
                    continue
                board.propose(a, b, 0, ARROW, board.because(a, b, c, -1))
                break


def r1(board: Board, judge: Judge) -> None:
    """If a *-> b o-* c is unshielded, then b --> c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        if not board.pointed[b]:
            continue
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == ARROW and a != c and board.marks[a, c] == 0 and judge.non_collider(a, b, c):
                board.propose(b, c, TAIL, ARROW, board.because(a, b, c, -1))
                break


def r2(board: Board, judge: Judge) -> None:
    """If a --> b *-> c or a *-> b --> c, and a *-o c, then a *-> c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        c: cython.Py_ssize_t = board.circles[i, 1]
        if not board.pointed[c]:
            continue
        for j in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == ARROW and board.marks[b, c] == ARROW:
                if board.marks[b, a] == TAIL or board.marks[c, b] == TAIL:
                    board.propose(a, c, 0, ARROW, board.because(a, b, c, -1))
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
        if not board.pointed[b]:
            continue
        found = False
        for j in range(board.offsets[d], board.offsets[d + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, d] != CIRCLE or board.marks[a, b] != ARROW:
                continue
            for k in range(j + 1, board.offsets[d + 1]):
                c: cython.Py_ssize_t = board.targets[k]
                if board.marks[c, d] != CIRCLE or board.marks[c, b] != ARROW or board.marks[a, c] != 0:
                    continue
                if judge.non_collider(a, d, c):
                    board.propose(d, b, 0, ARROW, board.because(a, b, c, d))
                    found = True
                    break
            if found:
                break


def m4(board: Board, judge: Judge) -> None:
    """Meek's fourth: if c --> d --> b and a o-o c, a is adjacent to d, and c, b are not adjacent, then a --> b."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    found: cython.bint
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        found = False
        for j in range(board.offsets[a], board.offsets[a + 1]):
            d: cython.Py_ssize_t = board.targets[j]
            if board.marks[d, b] != ARROW:
                continue
            for k in range(board.offsets[a], board.offsets[a + 1]):
                c: cython.Py_ssize_t = board.targets[k]
                if c != b and board.marks[c, a] == CIRCLE and board.marks[c, d] == ARROW and board.marks[c, b] == 0:
                    board.propose(a, b, 0, ARROW, board.because(a, b, c, d))
                    found = True
                    break
            if found:
                break


def k1(board: Board, judge: Judge) -> None:
    """If a *-> b --o c, then b --> c: b does not cause the selection, so it causes c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        b: cython.Py_ssize_t = board.circles[i, 0]
        c: cython.Py_ssize_t = board.circles[i, 1]
        if board.marks[c, b] != TAIL:
            continue
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == ARROW:
                board.propose(b, c, 0, ARROW, board.because(a, b, c, -1))
                break


def k2(board: Board, judge: Judge) -> None:
    """If a --* b *-> c or a *-> b --* c, and a *-o c, then a *-> c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        a: cython.Py_ssize_t = board.circles[i, 0]
        c: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[j]
            if (board.marks[b, a] == TAIL and board.marks[b, c] == ARROW) or (
                board.marks[a, b] == ARROW and board.marks[c, b] == TAIL
            ):
                board.propose(a, c, 0, ARROW, board.because(a, b, c, -1))
                break


def k3(board: Board, judge: Judge) -> None:
    """If a --* b --* c and a o-* c, then a --* c."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        a: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[a], board.offsets[a + 1]):
            b: cython.Py_ssize_t = board.targets[j]
            if board.marks[b, a] == TAIL and board.marks[c, b] == TAIL:
                board.propose(a, c, TAIL, 0, board.because(a, b, c, -1))
                break


@cython.cfunc
@cython.exceptval(-1)
def _is_non_collider(
    board: Board, judge: Judge, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t
) -> cython.bint:
    """Whether b is certainly no collider on the unshielded a–b–c: by a tail, or by the judge if it is not one."""
    if board.marks[a, b] == TAIL or board.marks[c, b] == TAIL:
        return True
    return not (board.marks[a, b] == ARROW and board.marks[c, b] == ARROW) and judge.non_collider(a, b, c)


def k4(board: Board, judge: Judge) -> None:
    """If a *-> b <-* c, d is no collider between a and c, which are not adjacent, and d *-o b, then d *-> b."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    found: cython.bint
    for i in range(board.circle_count):
        board.pulse.beat()
        d: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        if not board.pointed[b]:
            continue
        found = False
        for j in range(board.offsets[d], board.offsets[d + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] != ARROW:
                continue
            for k in range(j + 1, board.offsets[d + 1]):
                c: cython.Py_ssize_t = board.targets[k]
                if board.marks[c, b] != ARROW or board.marks[a, c] != 0:
                    continue
                if not _is_non_collider(board, judge, a, d, c):
                    continue
                board.propose(d, b, 0, ARROW, board.because(a, b, c, d))
                found = True
                break
            if found:
                break


def k5(board: Board, judge: Judge) -> None:
    """If a is known not to cause c, and b --* c, or b is no collider between a, c that are not adjacent: a <-* b.

    Such a b causes a, c or the selection; if a caused b, it would cause itself, c or the selection.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    if not board.knows:
        return
    for i in range(board.circle_count):
        board.pulse.beat()
        b: cython.Py_ssize_t = board.circles[i, 0]
        a: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            c: cython.Py_ssize_t = board.targets[j]
            if not board.no_cause[a, c]:
                continue
            if board.marks[c, b] == TAIL or (board.marks[a, c] == 0 and _is_non_collider(board, judge, a, b, c)):
                board.propose(b, a, 0, ARROW, board.because(a, b, c, -1))
                break


def k6(board: Board, judge: Judge) -> None:
    """If a is known not to cause c, and a --* b, then b <-* c: what a causes does not cause c either."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    if not board.knows:
        return
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.no_cause[a, c] and board.marks[b, a] == TAIL:
                board.propose(c, b, 0, ARROW, board.because(a, b, c, -1))
                break


def k7(board: Board, judge: Judge) -> None:
    """If a *-> b o-- c, then b <-- c: a node with an arrowhead has no undirected edge."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(board.circle_count):
        board.pulse.beat()
        c: cython.Py_ssize_t = board.circles[i, 0]
        b: cython.Py_ssize_t = board.circles[i, 1]
        if board.marks[b, c] != TAIL:
            continue
        for j in range(board.offsets[b], board.offsets[b + 1]):
            a: cython.Py_ssize_t = board.targets[j]
            if board.marks[a, b] == ARROW:
                board.propose(c, b, 0, ARROW, board.because(a, b, c, -1))
                break


def k8(board: Board, judge: Judge) -> None:
    """If a o-> b, and nothing unmeasured stands behind a and b, then a --> b."""
    i: cython.Py_ssize_t
    since: cython.Py_ssize_t
    if not board.knows_unconfounded:
        return
    for i in range(board.circle_count):
        board.pulse.beat()
        b: cython.Py_ssize_t = board.circles[i, 0]
        a: cython.Py_ssize_t = board.circles[i, 1]
        if board.marks[a, b] == ARROW and board.unconfounded[a, b]:
            since = board.witness_count
            board.witness(a)
            board.witness(b)
            board.propose(a, b, TAIL, 0, since)


@cython.cfunc
@cython.exceptval(check=False)
def _only_target(board: Board, c: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The one target of c that is adjacent to z and may cause it; -1 if z is a target, or it is not just one."""
    j: cython.Py_ssize_t
    found: cython.Py_ssize_t = -1
    if board.target[c, z]:
        return -1
    for j in range(board.offsets[z], board.offsets[z + 1]):
        t: cython.Py_ssize_t = board.targets[j]
        if board.target[c, t] and board.marks[z, t] != ARROW:
            if found >= 0:
                return -1
            found = t
    return found


def k9(board: Board, judge: Judge) -> None:
    """If c, with known targets, is adjacent to z, no target, and t is the only target that may cause z: t --* z.

    c acts on z through its targets alone. If c and z are adjacent all the same, a target that causes z or the selection
    is adjacent to z, too: something unmeasured stands behind the two.
    """
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    t: cython.Py_ssize_t
    if not board.knows_targets:
        return
    for c in range(board.n):
        if not board.has_targets(c):
            continue
        for i in range(board.offsets[c], board.offsets[c + 1]):
            board.pulse.beat()
            z: cython.Py_ssize_t = board.targets[i]
            t = _only_target(board, c, z)
            if t >= 0 and board.marks[z, t] == CIRCLE:
                board.propose(t, z, TAIL, 0, board.because(c, t, z, -1))


def k10(board: Board, judge: Judge) -> None:
    """If t is such a target of c, beside z, and w o-* t, but w and z are not adjacent: t --* w.

    Something unmeasured stands behind t and z, and t causes z or the selection. With an arrowhead at t, w could not be
    separated from z.
    """
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    if not board.knows_targets:
        return
    for c in range(board.n):
        if not board.has_targets(c):
            continue
        for i in range(board.offsets[c], board.offsets[c + 1]):
            board.pulse.beat()
            z: cython.Py_ssize_t = board.targets[i]
            t = _only_target(board, c, z)
            if t < 0:
                continue
            for j in range(board.offsets[t], board.offsets[t + 1]):
                w: cython.Py_ssize_t = board.targets[j]
                if w != z and board.marks[w, t] == CIRCLE and board.marks[w, z] == 0:
                    board.propose(t, w, TAIL, 0, board.because(c, t, z, w))


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
                board.propose(b, c, TAIL, 0, board.because(a, b, c, -1))
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
            if board.marks[b, a] != TAIL or board.marks[a, b] != CIRCLE or a == c or board.marks[a, c] != 0:
                continue
            if judge.non_collider(a, b, c):
                board.propose(b, c, TAIL, 0, board.because(a, b, c, -1))
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
                    board.propose(a, c, TAIL, 0, board.because(a, b, c, -1))
                    break
