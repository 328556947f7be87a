"""Formulas in writing: as plain text, and as LaTeX.

A variable that a sum binds is written with a prime where the same name has a meaning outside of the sum.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ancestral.effects.identification.formulas import Conditional, Factor, Product, Sum
from ancestral.graphs.names import by_name, quoted
from ancestral.printing import visible

__all__ = ["LATEX", "TEXT", "Style", "query_in", "written"]

_SPECIAL = {"\\": r"\backslash{}", "{": r"\{", "}": r"\}", "~": r"\sim{}", "^": r"\hat{}"}


@dataclass(frozen=True)
class Style:
    """How the parts of a formula are written."""

    given: str
    sum: str
    open: str
    close: str
    fraction: str
    latex: bool = False

    def name(self, name: str, primes: int) -> str:
        """A variable; the same name with primes is another variable."""
        if not self.latex:
            return quoted(name) + "'" * primes
        plain = "".join(_SPECIAL.get(c, f"\\{c}" if c in "&%$#_" else c) for c in visible(name))
        short = re.fullmatch(r"[A-Za-z]([0-9]*)", plain)
        if short:
            plain = plain[0] + (f"_{{{plain[1:]}}}" if len(plain) > 1 else "")
        else:
            plain = rf"\mathrm{{{plain.replace(' ', '~')}}}"
        return plain + "'" * primes


TEXT = Style(" | ", "sum_{{{over}}} {body}", "[", "]", "{above} / {below}")
LATEX = Style(r" \mid ", r"\sum_{{{over}}} {body}", r"\left[", r"\right]", r"\frac{{{above}}}{{{below}}}", latex=True)


def query_in(style: Style, y: Iterable[str], do: Iterable[str], given: Iterable[str]) -> str:
    """P(y | do(x), z)."""
    names = {name: 0 for side in (y, do, given) for name in side}
    operator = r"\mathrm{do}" if style.latex else "do"
    right = [f"{operator}({_listed(style, do, names)})", *([_listed(style, given, names)] if given else [])]
    return f"P({_listed(style, y, names)}{style.given}{', '.join(right)})"


def written(formula: Product, style: Style, outside: Iterable[str] = ()) -> str:
    """A formula in this style; names that are in use outside of it are not bound by its sums."""
    return _product(formula, style, dict.fromkeys({*formula.free, *outside}, 0))


def _product(formula: Product, style: Style, names: Mapping[str, int]) -> str:
    """The product, a single sum at its end without brackets."""
    plain = sorted((f for f in formula.factors if isinstance(f, Conditional)), key=_by_heads)
    sums = sorted((f for f in formula.factors if isinstance(f, Sum)), key=_by_over)
    parts = [_factor(factor, style, names) for factor in plain]
    bare = len(sums) == 1 and not formula.divided_by
    if bare:
        parts.append(_sum(sums[0], style, names))
    else:
        parts += [f"{style.open}{_sum(one, style, names)}{style.close}" for one in sums]
    above = " ".join(parts) or "1"
    if not formula.divided_by:
        return above
    below = _product(Product(formula.divided_by), style, names)
    if not style.latex and (len(formula.divided_by) > 1 or isinstance(formula.divided_by[0], Sum)):
        below = f"{style.open}{below}{style.close}"
    return style.fraction.format(above=above, below=below)


def _factor(factor: Factor, style: Style, names: Mapping[str, int]) -> str:
    if isinstance(factor, Sum):
        return _sum(factor, style, names)
    given = f"{style.given}{_listed(style, factor.given, names)}" if factor.given else ""
    return f"P({_listed(style, factor.heads, names)}{given})"


def _sum(one: Sum, style: Style, names: Mapping[str, int]) -> str:
    inside = {**names, **{name: names[name] + 1 if name in names else 0 for name in one.over}}
    return style.sum.format(over=_listed(style, one.over, inside), body=_product(one.body, style, inside))


def _listed(style: Style, group: Iterable[str], names: Mapping[str, int]) -> str:
    return ", ".join(style.name(name, names[name]) for name in sorted(group, key=by_name))


def _by_heads(factor: Conditional) -> tuple[int, list[object]]:
    return len(factor.given), [by_name(name) for name in sorted(factor.heads, key=by_name)]


def _by_over(one: Sum) -> list[object]:
    return [by_name(name) for name in sorted(one.over, key=by_name)]
