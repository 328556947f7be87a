"""The compliance suite of an independence test: each check tests one promise of the protocol `Test`."""

import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from ancestral.data import Moments, Table
from ancestral.data.column import Column
from ancestral.data.stats.weighted import Weights, gathered
from ancestral.discovery import discover
from ancestral.errors import AncestralError, OptionError
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import MEMBERS, Resampler, Test
from ancestral.independence.evidence import Scale, p_values_on_scale
from ancestral.parallel.transports import pickled
from ancestral.printing import shown_type
from ancestral.testing.checks import Check, checks_from, require, suite
from ancestral.testing.questioning import (
    CLOSE,
    Subject,
    answer,
    answers,
    in_words,
    require_same,
    require_same_members,
    same_number,
    some_questions,
)

__all__ = ["check_test", "checks_of_test"]

#: The level at which p-values of independent columns are counted. It is large, so that few questions tell much.
LEVEL = 0.2
#: The number of p-values of independent columns that are counted, at least.
LEVEL_QUESTIONS = 400
#: The p-value that some pair of the given data must fall below.
SEEN = 0.001
#: The number of rows, and of given variables, of questions that the data cannot support.
FEW_ROWS = 10


def checks_of_test(test: Any, data: Any = None) -> Iterator[Check]:
    """The checks of an independence test, each of one promise of the protocol `ancestral.independence.Test`.

    Args:
        test: A function that makes the test of a `Table`, such as its class. For a test that is not made of data, such
            as an oracle, it is the test itself.
        data: A table, or anything that `Table.of` reads, in which some columns depend on each other; a few hundred rows
            of four to eight columns are enough. Without it, the checks that need data are left out.

    Yields:
        The checks.

    Examples:
        >>> from ancestral import DAG, Oracle
        >>> check_test(Oracle(DAG.parse("a -> c, b -> c, c -> d")))
    """
    subject = Subject.of(test, data)
    apply = [check for check, needs_data in _CHECKS.items() if not needs_data or subject.table is not None]
    return checks_from(apply, subject)


check_test = suite(checks_of_test)


# -- members ----------------------------------------------------------------------------------------------------------


def _members(subject: Subject) -> None:
    """A test has all members of the protocol, each of the right type."""
    test = subject.test
    missing = [member for member in MEMBERS if not hasattr(test, member)]
    require(not missing, f"It lacks {', '.join(missing)}.")
    name, names, kinds, rows, alpha = test.name, test.names, test.kinds, test.rows, test.alpha
    require(isinstance(name, str) and name != "", f"name must be a text, got {name!r}.")
    texts = isinstance(names, tuple) and all(isinstance(name, str) for name in names)
    require(texts and len(set(names)) == len(names) > 1, f"names must be a tuple of different names, got {names!r}.")
    known = isinstance(kinds, Mapping) and set(kinds) == set(names)
    require(
        kinds is None or (known and set(kinds.values()) <= {"continuous", "discrete", "ordinal"}),
        f"kinds must be None, or say of each variable 'continuous', 'discrete' or 'ordinal', got {kinds!r}.",
    )
    require(isinstance(rows, int) and rows >= 0, f"rows must be a whole number of at least 0, got {rows!r}.")
    require(alpha is None or 0 < alpha < 1, f"alpha must be None or between 0 and 1, got {alpha!r}.")
    require(isinstance(test.scale, Scale), f"scale must be a Scale, got {test.scale!r}.")
    require(isinstance(test.fingerprint, str) and test.fingerprint != "", "fingerprint must be a text.")


def _questions(subject: Subject) -> None:
    """questions() returns a new `Questions` object at each call, about as many variables as were named."""
    first, second = (subject.test.questions(subject.names) for _ in range(2))
    require(isinstance(first, Questions), f"It returned {shown_type(first)}.")
    require(first.n == len(subject.names), f"It is about {first.n} variables, not {len(subject.names)}.")
    require(first is not second, "Two calls returned the same object, which two threads would share.")


def _wrong_names(subject: Subject) -> None:
    """questions() raises an `AncestralError` for names that the test does not know, and for names given twice."""
    for what, names in (
        ("an unknown name", (*subject.names[1:], "no variable has this name")),
        ("a name twice", (*subject.names[1:], subject.names[1])),
    ):
        try:
            subject.test.questions(names)
        except AncestralError:
            continue
        raise AssertionError(f"It accepted {what}.")


# -- evidence ---------------------------------------------------------------------------------------------------------


def _decisions(subject: Subject) -> None:
    """The answer is "independent" if and only if the p-value exceeds alpha; without a p-value it is "dependent"."""
    if subject.test.scale is Scale.DECISION:
        return
    alpha = 0.5 if subject.test.alpha is None else subject.test.alpha
    for question, found in zip(subject.asked, subject.answers, strict=True):
        p = found.evidence.p_value
        require(
            found.independent == (p > alpha) or abs(p - alpha) < CLOSE * alpha,
            f"{in_words(question)} have the p-value {p:.9g}, alpha is {alpha:g}, and the answer is "
            f"{'independent' if found.independent else 'dependent'}.",
        )


def _raw_numbers(subject: Subject) -> tuple[np.ndarray, np.ndarray]:
    """The raw numbers that the questions leave, and the sizes of their sets."""
    position = {name: i for i, name in enumerate(subject.names)}
    questions = subject.test.questions(subject.names)
    raw = np.zeros((len(subject.asked), 2))
    for i, (x, y, given) in enumerate(subject.asked):
        questions.ask(position[x], position[y], [position[z] for z in given])
        raw[i] = questions.statistic, questions.df
    return raw, np.array([len(given) for _, _, given in subject.asked])


def _evidence(subject: Subject) -> None:
    """evidence() of a question is what p_values() makes of its raw numbers, from at most as many rows as there are."""
    raw, sizes = _raw_numbers(subject)
    for i, (question, found) in enumerate(zip(subject.asked, subject.answers, strict=True)):
        one = subject.test.p_values(raw[i : i + 1], sizes[i : i + 1])
        a, b = found.evidence.p_value, float(one.p_value[0])
        require(
            same_number(a, b), f"{in_words(question)} have the p-value {a:.9g} by evidence(), {b:.9g} by p_values()."
        )
        used, rows = found.evidence.rows, subject.test.rows
        require(0 <= used <= rows, f"The evidence of {in_words(question)} is of {used} rows, the test has {rows}.")


def _p_values(subject: Subject) -> None:
    """p_values() of many questions are those of the single ones, numbers from 0 to 1 or NaN."""
    raw, sizes = _raw_numbers(subject)
    many = subject.test.p_values(raw, sizes)
    for i, question in enumerate(subject.asked):
        a = float(many.p_value[i])
        b = float(subject.test.p_values(raw[i : i + 1], sizes[i : i + 1]).p_value[0])
        require(same_number(a, b), f"{in_words(question)} have the p-value {a:.9g} among others, {b:.9g} alone.")
        require(a != a or 0 <= a <= 1, f"{in_words(question)} have the p-value {a!r}.")


def _scale(subject: Subject) -> None:
    """The number on the scale of the test gives the same p-value again, as it must when a run file is read."""
    raw, sizes = _raw_numbers(subject)
    found = subject.test.p_values(raw, sizes)
    scale = subject.test.scale
    numbers = found.numbers(scale)
    again = p_values_on_scale(scale, numbers, found.df)
    for i, question in enumerate(subject.asked):
        a, b, number = float(found.p_value[i]), float(again.p_value[i]), float(numbers[i])
        require(
            same_number(a, b),
            f"{in_words(question)} have the p-value {a:.9g}; {number:.9g} on the scale {scale.value!r} has {b:.9g}.",
        )


# -- the same answer in other ways ------------------------------------------------------------------------------------


def _symmetry(subject: Subject) -> None:
    """x and y can change places."""
    turned = [(y, x, given) for x, y, given in subject.asked]
    found = answers(subject.test, subject.names, turned)
    require_same(subject.asked, subject.answers, found, "with x and y in each other's place")


def _order_of_given(subject: Subject) -> None:
    """The order of the given variables does not matter."""
    turned = [(x, y, given[::-1]) for x, y, given in subject.asked]
    found = answers(subject.test, subject.names, turned)
    require_same(subject.asked, subject.answers, found, "given the same variables in another order")


def _order_of_names(subject: Subject) -> None:
    """The order in which questions() numbers the variables does not matter, nor which other variables there are."""
    found = answers(subject.test, subject.names[::-1], subject.asked)
    require_same(subject.asked, subject.answers, found, "with the variables numbered in another order")
    for question, one in zip(subject.asked, subject.answers, strict=True):
        x, y, given = question
        other = answers(subject.test, (y, *given, x), [question])
        require_same([question], [one], other, "in questions about these variables alone")


def _order_of_columns(subject: Subject) -> None:
    """The order of the columns of the data does not matter, neither for answers nor for the fingerprint."""
    other = subject.make(subject.data.select(subject.data.names[::-1]))
    found = answers(other, subject.names, subject.asked)
    require_same(subject.asked, subject.answers, found, "with the columns of the data in another order")
    require(other.fingerprint == subject.test.fingerprint, "The fingerprint depends on the order of the columns.")


def _repetition(subject: Subject) -> None:
    """A question has the same answer whenever it is asked, whatever was asked before, here or of other questions."""
    first, second = (subject.test.questions(subject.names) for _ in range(2))
    found = []
    for question in reversed(subject.asked):
        found.append(answer(subject.test, first, subject.names, question))
        answer(subject.test, second, subject.names, subject.asked[0])
    require_same(subject.asked, subject.answers, found[::-1], "when it is asked again")


def _marginals(subject: Subject) -> None:
    """After every pair was asked about given nothing, marginals() has the raw numbers of all of them."""
    questions = subject.test.questions(subject.names)
    pairs = list(combinations(range(len(subject.names)), 2))
    single = []
    for x, y in pairs:
        questions.ask(x, y, ())
        single.append(questions.statistic)
    for (x, y), a, b in zip(pairs, single, questions.marginals()[:, 0].tolist(), strict=True):
        pair = in_words((subject.names[x], subject.names[y], ()))
        require(same_number(a, b), f"{pair} have the statistic {a:.9g} alone, {b:.9g} among all pairs.")


def _search(subject: Subject) -> None:
    """A search, which may ask many questions at a time, decides as single questions do."""
    frame = discover(subject.test, max_radius=2, progress=False).to_frame("all", library="polars")
    questions = subject.test.questions(subject.names)
    for row in frame.iter_rows(named=True):
        given = row["closest"] if row["sepset"] is None else row["sepset"]
        if given is None:  # the data supported no question about the pair
            continue
        question = row["a"], row["b"], tuple(given)
        single = answer(subject.test, questions, subject.names, question)
        separated = row["edge"] is None
        require(
            single.independent == separated,
            f"A search found {in_words(question)} {'in' if separated else ''}dependent, and a single question did not.",
        )
        a = float("nan") if row["p_value"] is None else row["p_value"]
        b = single.evidence.p_value
        require(same_number(a, b), f"{in_words(question)} have the p-value {a:.9g} in a search, {b:.9g} alone.")


# -- copies -----------------------------------------------------------------------------------------------------------


def _fingerprint(subject: Subject) -> None:
    """Tests of equal data have the same fingerprint, tests of other data another one."""
    table, fingerprint = subject.data, subject.test.fingerprint
    again = subject.make(Table(table.columns, table.dropped_rows))
    require(again.fingerprint == fingerprint, "Two tests of the same data have different fingerprints.")
    rows = np.arange(table.rows - 1, dtype=np.int64)
    fewer = subject.make(Table(tuple(column.keep(rows) for column in table.columns)))
    require(fewer.fingerprint != fingerprint, "Without the last row the fingerprint is the same.")


def _pickle(subject: Subject) -> None:
    """A test can be pickled, by cloudpickle where it is installed, and its copy is the same test."""
    copied: Test = pickle.loads(pickled(subject.test))
    require_same_members(subject.test, copied, "a pickled copy")
    found = answers(copied, subject.names, subject.asked)
    require_same(subject.asked, subject.answers, found, "in a pickled copy")


def _for_workers(subject: Subject) -> None:
    """for_workers() gives a whole test that answers alike and can be pickled."""
    copied: Test = pickle.loads(pickled(subject.test.for_workers()))
    require_same_members(subject.test, copied, "the copy for workers")
    found = answers(copied, subject.names, subject.asked)
    require_same(subject.asked, subject.answers, found, "in the copy for workers")


# -- resamples and effects --------------------------------------------------------------------------------------------


def _resampler(subject: Subject) -> Resampler | None:
    """The resampler of the test, after it was pickled; None if the test refuses to have one, as it may."""
    try:
        made = subject.test.resampler()
    except OptionError:
        return None
    copied: Resampler = pickle.loads(pickled(made))
    names, rows = copied.names, copied.rows
    require(names == subject.names, f"The names of the resampler must be {subject.names!r}, got {names!r}.")
    require(rows == subject.test.rows, f"The resampler draws from {rows} rows, the test has {subject.test.rows}.")
    return copied


def _all_rows(subject: Subject) -> None:
    """resampler() raises `OptionError`, or its test answers alike if each row is drawn once."""
    resampler = _resampler(subject)
    if resampler is None:
        return
    test = resampler.test(np.ones(resampler.rows, dtype=np.int64))
    if test is None:
        raise AssertionError("There is no test of all rows.")
    require(test.names == subject.names, f"The test of all rows is about {test.names!r}, not {subject.names!r}.")
    found = answers(test, subject.names, subject.asked)
    require_same(subject.asked, subject.answers, found, "if each row is drawn once")


def _drawn_rows(subject: Subject) -> None:
    """The test of a resample answers as one made of a table with the drawn rows, of the columns that vary in them."""
    resampler = _resampler(subject)
    if resampler is None:
        return
    rng = np.random.default_rng(2)
    weights: Weights = np.bincount(rng.integers(0, resampler.rows, resampler.rows), minlength=resampler.rows)
    test = resampler.test(weights)
    if test is None:
        raise AssertionError("There is no test of a resample.")
    plain = subject.make(gathered(subject.data, weights).select(test.names))
    asked = some_questions(test.names)
    found, expected = answers(test, test.names, asked), answers(plain, test.names, asked)
    require_same(asked, found, expected, "of a table with the drawn rows")
    same_row = np.zeros(resampler.rows, dtype=np.int64)
    same_row[0] = resampler.rows
    require(resampler.test(same_row) is None, "There is a test of a resample in which no column varies.")


def _effect_moments(subject: Subject) -> None:
    """effect_moments() raises `OptionError`, or has the moments of the variables."""
    try:
        source = subject.test.effect_moments()
    except OptionError:
        return
    some = subject.names[:2]
    moments = source.select(some)
    require(isinstance(moments, Moments), f"select() must give Moments, got {shown_type(moments)}.")
    fitting = (moments.names, moments.rows) == (some, subject.test.rows)
    require(fitting, f"The moments of {some!r} are those of {moments.names!r}, {moments.rows} rows.")


# -- level, power, too few rows ---------------------------------------------------------------------------------------


def _level(subject: Subject) -> None:
    """If the columns are independent, about as many p-values fall below a level as it says."""
    if subject.test.scale is Scale.DECISION:
        return
    rng = np.random.default_rng(3)
    p_values: list[float] = []
    for _ in range(LEVEL_QUESTIONS // len(subject.asked) + 1):
        columns = tuple(column.keep(rng.permutation(subject.data.rows)) for column in subject.data.columns)
        found = answers(subject.make(Table(columns)), subject.names, subject.asked)
        p_values += [one.evidence.p_value for one in found if one.evidence.p_value == one.evidence.p_value]
    require(len(p_values) > 0, "The data support no question; pass more rows.")
    share = float(np.mean(np.array(p_values) <= LEVEL))
    chance = 4 * np.sqrt(LEVEL * (1 - LEVEL) / len(p_values))
    require(
        LEVEL / 2 - chance < share < 1.5 * LEVEL + chance,
        f"{share:.1%} of {len(p_values)} p-values are below {LEVEL} after each column was shuffled.",
    )


def _power(subject: Subject) -> None:
    """In data in which some columns depend on each other, the test sees it."""
    if subject.test.scale is Scale.DECISION:
        return
    pairs = [(x, y, ()) for x, y in combinations(subject.names, 2)]
    smallest = min(found.evidence.p_value for found in answers(subject.test, subject.names, pairs))
    require(smallest < SEEN, f"The smallest p-value of two columns given nothing is {smallest:.3g}.")


def _too_few_rows(subject: Subject) -> None:
    """Given as many variables as there are rows, no two variables are called independent."""
    rng = np.random.default_rng(4)
    columns = []
    for i in range(FEW_ROWS + 2):  # the columns of the data again and again, each time shuffled
        column = subject.data.columns[i % len(subject.data.columns)]
        few = column.keep(rng.permutation(subject.data.rows)[:FEW_ROWS])
        columns.append(Column(f"{column.name} {i}", few.values, few.levels))
    names = tuple(column.name for column in columns)
    asked = [(x, y, tuple(z for z in names if z not in (x, y))) for x, y in combinations(names, 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = answers(subject.make(Table(tuple(columns))), names, asked)
        except AncestralError:  # such data may be refused
            return
    called = [(x, y) for (x, y, _), one in zip(asked, found, strict=True) if one.independent]
    require(
        not called,
        f"{len(called)} of {len(asked)} pairs are, of {FEW_ROWS} rows given {FEW_ROWS} variables; answer NaN where "
        "there are too few rows.",
    )


#: The checks, and whether each needs data.
_CHECKS: Mapping[Callable[[Subject], None], bool] = {
    _members: False,
    _questions: False,
    _wrong_names: False,
    _decisions: False,
    _evidence: False,
    _p_values: False,
    _scale: False,
    _symmetry: False,
    _order_of_given: False,
    _order_of_names: False,
    _order_of_columns: True,
    _repetition: False,
    _marginals: False,
    _search: False,
    _fingerprint: True,
    _pickle: False,
    _for_workers: False,
    _all_rows: False,
    _drawn_rows: True,
    _effect_moments: False,
    _level: True,
    _power: True,
    _too_few_rows: True,
}
