"""Rating scales: columns of few whole numbers, such as 1 to 5, whose order a test for labels does not use."""

from collections.abc import Mapping, Sequence

from ancestral.data.column_kinds import is_number

__all__ = ["scales"]

#: The numbers of different values that a scale has, and its largest number.
FEWEST, MOST, LARGEST = 3, 11, 10


def scales(levels: Mapping[str, Sequence[str]]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The scales among columns with these levels: the columns of each, and all levels that occur in them.

    Columns whose levels lie in the same range are one scale, as the questions of a questionnaire are.

    >>> scales({"q1": ["1", "2", "5"], "q2": ["1", "3", "5"], "sex": ["0", "1"], "city": ["Bonn", "Rome", "York"]})
    [(('q1', 'q2'), ('1', '2', '3', '5'))]
    """
    found: dict[tuple[int, int], list[str]] = {}
    for name, own in levels.items():
        if not FEWEST <= len(own) <= MOST or not all(level.isdecimal() and is_number(level) for level in own):
            continue
        numbers = [int(level) for level in own]
        if max(numbers) <= LARGEST:
            found.setdefault((min(numbers), max(numbers)), []).append(name)
    return [(tuple(names), _together(levels, names)) for names in found.values()]


def _together(levels: Mapping[str, Sequence[str]], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({level for name in names for level in levels[name]}, key=int))
