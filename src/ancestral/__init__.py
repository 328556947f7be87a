"""Causal discovery when not everything was measured.

A search asks independence questions, removes edges, orients marks, writes down why, and after every radius yields a
correct partial ancestral graph (PAG).

>>> import ancestral as an
>>> dag = an.DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"])
>>> print(an.pag_of(dag))
a o-> b
b <-> c
d o-> c
"""

import ast
import importlib
import pkgutil
from typing import Any

from ancestral.version import VERSION

__version__ = VERSION


def _declared() -> dict[str, tuple[str, str]]:
    """Each public name with its module and its name there, as `__init__.pyi` declares them for editors."""
    stub = ast.parse(pkgutil.get_data(__name__, "__init__.pyi") or b"")
    return {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


_HOMES = _declared()
__all__ = sorted(["__version__", *_HOMES])


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts at once."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ancestral' has no attribute {name!r}")
    from ancestral._cython import warn_if_interpreted

    module, original = _HOMES[name]
    # `from ancestral import simulate` names a module of this package
    home = importlib.import_module(f"{module}.{original}" if module == __name__ else module)
    globals()[name] = value = home if module == __name__ else getattr(home, original)
    warn_if_interpreted()
    return value


def __dir__() -> list[str]:
    return __all__
