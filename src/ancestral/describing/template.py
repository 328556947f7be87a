"""The template of a file of knowledge: all names, ready to be sorted into tiers, in the text that `Knowledge` reads."""

from collections.abc import Sequence

from ancestral.knowledge.text import name_in_text

__all__ = ["template_of"]

_HEAD = """\
# What is known beside the data, for the option "knowledge" of a search (docs/knowledge.md).
# Lines that begin with # are comments: as it stands, this file says nothing.
#
# 1. Sort the variables below into tiers, earlier ones first. A variable of a later tier causes none of an earlier one.
#    Nothing is said within a tier, nor about variables in no tier. Write the tiers as one statement: names are
#    separated by commas, tiers by <, and a line that ends in < or , goes on in the next one. For example:
#
#        age, sex <
#        smoking <
#        "lung cancer"
#
# 2. Other statements, if you know them, on lines of their own:
#
#        smoking -/-> sex            smoking does not cause sex
#        smoking --> "lung cancer"   smoking causes lung cancer, and not only through others here
#        age ~~> "lung cancer"       age causes lung cancer, directly or through others
#        age | sex                   no edge between the two
#        exogenous: age              nothing measured causes age
#
# 3. Remove the # before the lines that are to count. A single tier says nothing: there must be a < between two.

# The variables, to be sorted:
"""


def template_of(names: Sequence[str]) -> str:
    """The text of the template; `Knowledge.parse` reads it as knowledge that says nothing.

    >>> print(template_of(["age", "lung cancer"]).splitlines()[-2:])
    ['# age,', '# "lung cancer"']
    """
    written = [name_in_text(name) for name in names]
    lines = [f"# {name}," for name in written[:-1]] + [f"# {name}" for name in written[-1:]]
    return _HEAD + "".join(line + "\n" for line in lines)
