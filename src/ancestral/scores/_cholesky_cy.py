"""Cholesky factors of small matrices; a column that others determine gets a pivot of 0, and a coefficient of 0."""

import cython

if not cython.compiled:
    from math import log, sqrt

#: A column whose variance given others is below this share of its variance counts as determined by them.
SINGULAR = cython.declare(cython.double, 1e-10)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def factorise(a: cython.double[:, ::1], size: cython.Py_ssize_t) -> cython.double:
    """Cholesky factor of a positive definite matrix, in place, and half its log determinant.

    A column that others determine gets a pivot of 0, which `solve` takes for a coefficient of 0.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    h: cython.Py_ssize_t
    s: cython.double
    half: cython.double = 0.0
    for j in range(size):
        s = a[j, j]
        for h in range(j):
            s -= a[j, h] * a[j, h]
        if s <= SINGULAR * a[j, j]:
            half += 0.5 * log(SINGULAR * a[j, j] if a[j, j] > SINGULAR else SINGULAR)
            for i in range(j, size):
                a[i, j] = 0.0
            continue
        s = sqrt(s)
        half += log(s)
        a[j, j] = s
        for i in range(j + 1, size):
            s = a[i, j]
            for h in range(j):
                s -= a[i, h] * a[j, h]
            a[i, j] = s / a[j, j]
    return half


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def solve(
    a: cython.double[:, ::1], size: cython.Py_ssize_t, r: cython.double[:, ::1], width: cython.Py_ssize_t
) -> cython.void:
    """Solve for `width` right-hand sides, in place, with the factor of `factorise`."""
    i: cython.Py_ssize_t
    h: cython.Py_ssize_t
    c: cython.Py_ssize_t
    s: cython.double
    for c in range(width):
        for i in range(size):
            s = r[i, c]
            for h in range(i):
                s -= a[i, h] * r[h, c]
            r[i, c] = 0.0 if a[i, i] == 0.0 else s / a[i, i]
        i = size - 1
        while i >= 0:
            s = r[i, c]
            for h in range(i + 1, size):
                s -= a[h, i] * r[h, c]
            r[i, c] = 0.0 if a[i, i] == 0.0 else s / a[i, i]
            i -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def invert(a: cython.double[:, ::1], size: cython.Py_ssize_t, inverse: cython.double[:, ::1]) -> cython.double:
    """The inverse of a covariance matrix, and half its log determinant; the matrix is overwritten.

    Variances count as at least `SINGULAR`.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    half: cython.double
    if size == 1:
        if a[0, 0] < SINGULAR:
            a[0, 0] = SINGULAR
        inverse[0, 0] = 1.0 / a[0, 0]
        return 0.5 * log(a[0, 0])
    for i in range(size):
        if a[i, i] < SINGULAR:
            a[i, i] = SINGULAR
        for j in range(size):
            inverse[i, j] = 1.0 if i == j else 0.0
    half = factorise(a, size)
    solve(a, size, inverse, size)
    return half
