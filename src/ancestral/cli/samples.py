"""Files with names on the command line, such as `"drug A=a.csv"`: samples of an experiment, or tables to combine."""

from pathlib import Path

from ancestral.errors import OptionError

__all__ = ["by_name", "data_files", "source_of"]


def source_of(data: list[Path]) -> Path | list[Path] | dict[str, Path]:
    """The source that paths stand for: one is a file, a folder or a pattern; several are files of one table.

    If one of several has a name in front, as in NAME=PATH, each is a sample; others are named after their files.
    """
    if len(data) == 1 or not any(name for name, _ in map(_named, data)):
        return data[0] if len(data) == 1 else data
    return by_name(data)


def by_name(data: list[Path]) -> dict[str, Path]:
    """The paths by the names in front of them; those without one are named after their files."""
    out: dict[str, Path] = {}
    for name, path in map(_named, data):
        called = name or path.name.split(".")[0]
        if called in out:
            raise OptionError(f"two files are called {called!r}; give them names of their own: 'NAME={path}'")
        out[called] = path
    return out


def data_files(data: list[Path]) -> list[Path]:
    """The paths alone, without the names of samples."""
    return [path for _, path in map(_named, data)] if len(data) > 1 else data


def _named(path: Path) -> tuple[str | None, Path]:
    """The name in front of a path, or None if it has none or a file of the whole text exists; and the path."""
    name, sign, rest = str(path).partition("=")
    return (name.strip(), Path(rest)) if sign and name.strip() and rest and not path.exists() else (None, path)
