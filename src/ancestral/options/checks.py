"""Checks of values that single options need: text settings, executors, progress, and values that may be None."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

from ancestral.arguments import listed as list_of
from ancestral.arguments import one_of, real, text_of
from ancestral.errors import Option, OptionError

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["choice", "encoding_of", "executor_of", "none_or", "progress_of", "separator_of", "words_of"]


def none_or(check: Callable[..., Any], *more: Any) -> Callable[[str, Any], Any]:
    """The check of an option that may also be None."""

    def checked(option: str, value: object) -> Any:
        return None if value is None else check(option, value, *more)

    return checked


def choice(kind: Any) -> Callable[[str, Any], Any]:
    """The check of an option that is one of the words of a `Literal`."""
    words = get_args(kind)
    return lambda option, value: one_of(option, value, words)


def words_of(option: str, value: object) -> tuple[str, ...]:
    """Pieces of text in a list; numbers are written out, and a single piece of text is a list of one."""
    if isinstance(value, str):
        return (str(value),)
    items = list_of(option, value, "values", ["for example ", Option(option, ["NA", "-999"])])
    return tuple(_word(option, item) for item in items)


def _word(option: str, item: object) -> str:
    if isinstance(item, str):
        return str(item)
    number = real(item)
    if number is None:
        raise OptionError("must be a list of values, which are strings or numbers", option=option, value=item)
    return str(int(number)) if number.is_integer() else repr(number)


def separator_of(option: str, value: object) -> str:
    """The separator of a text file: one ASCII character."""
    if not isinstance(value, str) or len(value) != 1 or value in '"\n\r\0' or not value.isascii():
        raise OptionError(
            "must be one ASCII character other than a quotation mark or a line end",
            option=option,
            value=value,
            way_out="common choices are ',' and '\\t'",
        )
    return value


def encoding_of(option: str, value: object) -> str:
    """The name of a text encoding."""
    import codecs

    name = text_of(option, value)
    try:
        if codecs.lookup(name)._is_text_encoding:
            return name
    except (LookupError, ValueError, UnicodeError):
        pass
    raise OptionError(
        "must be the name of an encoding that Python knows",
        option=option,
        value=value,
        way_out="common choices are 'utf-8', 'latin-1', 'cp1252' and 'utf-16'",
    )


def executor_of(option: str, value: object) -> "Executor":
    """An executor; the client of a Dask cluster is refused with the way to get one."""
    from concurrent.futures import Executor

    if not isinstance(value, Executor):
        is_client = hasattr(value, "get_executor")  # of a Dask cluster
        raise OptionError(
            "must be a concurrent.futures.Executor",
            option=option,
            value=value,
            way_out="pass client.get_executor()" if is_client else "for example ProcessPoolExecutor(4)",
        )
    return value


def progress_of(option: str, value: object) -> Any:
    """Whether progress is shown, or the function that is told."""
    if not isinstance(value, bool) and not callable(value):
        raise OptionError("must be True, False, None or a function", option=option, value=value)
    return value
