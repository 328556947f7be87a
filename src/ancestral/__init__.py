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

import importlib

from ancestral.version import VERSION

__version__ = VERSION
_HOMES: dict[str, tuple[str, str]] = {}


def _homes() -> dict[str, tuple[str, str]]:
    """Each public name with its module and its name there, as `__init__.pyi` declares them for editors."""
    if not _HOMES:
        import ast  # when a name is first used, so that the command line starts at once
        import pkgutil

        for node in ast.parse(pkgutil.get_data(__name__, "__init__.pyi") or b"").body:
            if isinstance(node, ast.ImportFrom):
                _HOMES.update({alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names})
    return _HOMES


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name == "__all__":
        return __dir__()
    if name not in _homes():
        raise AttributeError(f"module 'ancestral' has no attribute {name!r}")
    from ancestral._cython import warn_if_interpreted

    module, original = _homes()[name]
    # `from ancestral import simulate` names a module of this package
    home = importlib.import_module(f"{module}.{original}" if module == __name__ else module)
    globals()[name] = value = home if module == __name__ else getattr(home, original)
    warn_if_interpreted()
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_homes()])
