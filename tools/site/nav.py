"""Patterns in the navigation: `decisions/*.md` stands for all pages that match, in the order of their paths."""

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any

__all__ = ["expanded"]


def expanded(items: Iterable[Any], pages: Iterable[str]) -> list[Any]:
    """The entries of a navigation with each pattern replaced by the pages that match it.

    A section of which nothing is left is left out.

    >>> expanded(["index.md", {"Studies": ["studies/*.md"]}, {"More": ["more/*.md"]}], ["studies/b.md", "studies/a.md"])
    ['index.md', {'Studies': ['studies/a.md', 'studies/b.md']}]
    """
    pages = sorted(pages)
    entries: list[Any] = []
    for item in items:
        if isinstance(item, str) and "*" in item:
            entries += [page for page in pages if fnmatch(page, item)]
        elif isinstance(item, dict):
            for title, content in item.items():
                inside = expanded(content, pages) if isinstance(content, list) else content
                if inside:
                    entries.append({title: inside})
        else:
            entries.append(item)
    return entries
