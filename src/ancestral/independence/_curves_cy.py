"""Which functions of the given variables x and y are regressed on, before what is left of them is compared.

`BasisProducts`: functions of each variable, as many as the rows allow, at least two for a number; and the product of
each two variables, if there is room for it. `FourierProducts`: a few functions of each variable, and random Fourier
features of all given variables together, the cosines of random directions (Rahimi & Recht 2007; for tests of
independence Strobl, Zhang & Visweswaran 2019), which approach any smooth function of them as they become more. The
frequency of a direction for a variable does not depend on the other variables, nor on the order of columns.
"""

from typing import Any

import cython

if not cython.compiled:
    from math import cos, sqrt

    from ancestral.independence._residual_products_cy import ResidualProducts

#: The least number of functions of a given number: with less than a square, nothing but straight lines is left out.
LEAST_TERMS = cython.declare(cython.Py_ssize_t, 2)

#: The most functions of each given number beside Fourier features: these find what the variables do together.
MOST_TERMS = cython.declare(cython.Py_ssize_t, 5)

#: The number of Fourier features for up to 500 rows: so many, and so many more for each given variable. It grows with
#: the root of the number of rows.
LEAST_FEATURES = cython.declare(cython.Py_ssize_t, 20)
MORE_FEATURES = cython.declare(cython.Py_ssize_t, 10)


@cython.cclass
class BasisProducts(ResidualProducts):
    """Regresses on functions of each given variable, and on products of two."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fill_design(self, room: cython.Py_ssize_t, of_powers: cython.Py_ssize_t) -> cython.Py_ssize_t:
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        terms: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        firsts: cython.Py_ssize_t = 0
        pairs: cython.Py_ssize_t = 0
        labels: cython.Py_ssize_t = 0
        numbers: cython.Py_ssize_t = 0
        degree: cython.Py_ssize_t = LEAST_TERMS
        for k in range(self.size):
            a = self.members[k]
            pairs += firsts * self.first_terms[a]
            firsts += self.first_terms[a]
            if self.term_starts[a + 1] - self.term_starts[a] == self.first_terms[a]:
                labels += self.first_terms[a]
            else:
                numbers += 1
        if labels + degree * numbers > room:
            return 0
        room -= of_powers
        if labels + (degree + 1) * numbers + pairs > room:
            pairs = 0
        while numbers and labels + (degree + 1) * numbers + pairs <= room:
            degree += 1
            if degree > self.terms.shape[0]:
                break
        for k in range(self.size):
            a = self.members[k]
            terms = self.term_starts[a + 1] - self.term_starts[a]
            if terms > self.first_terms[a]:
                terms = min(terms, degree)
            for c in range(self.term_starts[a], self.term_starts[a] + terms):
                self.put(self.terms, c, self.design, count)
                count += 1
        if pairs == 0:
            return count
        for k in range(self.size):
            a = self.members[k]
            for j in range(k):
                b = self.members[j]
                for c in range(self.term_starts[a], self.term_starts[a] + self.first_terms[a]):
                    for d in range(self.term_starts[b], self.term_starts[b] + self.first_terms[b]):
                        for t in range(self.length):
                            self.design[count, t] = self.terms[c, self.listed[t]] * self.terms[d, self.listed[t]]
                        self.centre(self.design, count)
                        count += 1
        return count


@cython.cclass
class FourierProducts(ResidualProducts):
    """Regresses on a few functions of each given variable, and on random Fourier features of all of them together.

    `frequencies[f, c]` is that of feature f for term c, `phases[f]` its phase.
    """

    def __init__(
        self, features: Any, place: Any, threshold: Any, frequencies: Any, phases: Any, alpha: float = 0.0
    ) -> None:
        ResidualProducts.__init__(self, features, place, threshold, alpha)
        self.frequencies = frequencies
        self.phases = phases
        self.is_number = features.numbers

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fill_design(self, room: cython.Py_ssize_t, of_powers: cython.Py_ssize_t) -> cython.Py_ssize_t:
        a: cython.Py_ssize_t
        c: cython.Py_ssize_t
        f: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        terms: cython.Py_ssize_t
        most: cython.Py_ssize_t
        degree: cython.Py_ssize_t = LEAST_TERMS
        count: cython.Py_ssize_t = 0
        numbers: cython.Py_ssize_t = 0
        labels: cython.Py_ssize_t = 0
        share: cython.double
        width: cython.double
        for k in range(self.size):
            a = self.members[k]
            if self.is_number[a]:
                numbers += 1
            else:
                labels += self.first_terms[a]
        if labels + degree * numbers > room:
            return 0
        room -= of_powers
        while degree < MOST_TERMS and 2 * (labels + (degree + 1) * numbers) <= room:
            degree += 1
        for k in range(self.size):
            a = self.members[k]
            terms = self.term_starts[a + 1] - self.term_starts[a]
            if self.is_number[a]:
                terms = min(terms, degree)
            for c in range(self.term_starts[a], self.term_starts[a] + terms):
                self.put(self.terms, c, self.design, count)
                count += 1
        most = cython.cast(
            cython.Py_ssize_t, (LEAST_FEATURES + MORE_FEATURES * self.size) * sqrt(max(1.0, self.length / 500.0))
        )
        room = min(room - count, self.phases.shape[0], most)
        # half the squared distance of two draws of as many standard normal variables is chi-squared; this is its median
        width = sqrt(2.0 * numbers) * (1.0 - 2.0 / (9.0 * numbers)) ** 1.5 if numbers else 1.0
        for f in range(room):
            for t in range(self.length):
                self.design[count, t] = self.phases[f]
            for k in range(self.size):
                a = self.members[k]
                for c in range(self.term_starts[a], self.term_starts[a] + self.first_terms[a]):
                    share = self.frequencies[f, c] / (width if self.is_number[a] else 1.0)
                    for t in range(self.length):
                        self.design[count, t] += share * self.terms[c, self.listed[t]]
            for t in range(self.length):
                self.design[count, t] = cos(self.design[count, t])
            self.centre(self.design, count)
            count += 1
        return count
