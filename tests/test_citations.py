"""docs/cite.md: what the page names is in the code, each entry is used, and the software is that of CITATION.cff."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "cite.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^@(?:article|inproceedings|book)\{(\w+),\n(.*?)^\}", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def sources() -> str:
    """All docstrings, comments and code, on one line."""
    files = sorted((ROOT / "src" / "ancestral").rglob("*.py"))
    return " ".join(re.sub(r"\s+", " ", file.read_text(encoding="utf-8")) for file in files)


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_is_what_the_code_refers_to(key: str, sources: str) -> None:
    authors = re.search(r"author = \{(.*)\}", ENTRIES[key])
    year = re.search(r"year = \{(\d{4})\}", ENTRIES[key])
    assert authors and year
    first = authors[1].split(",")[0].replace("{\\'c}", "ć")
    assert key.endswith(year[1])
    assert re.search(rf"{first}\b[^;]{{0,180}}{year[1]}", sources), f"no source refers to {first} {year[1]}"


def test_the_table_names_every_entry() -> None:
    table = PAGE.split("## Which paper for what")[1].split("## BibTeX")[0]
    named = {key for row in re.findall(r"^\| .* \| ([\w, ]+) \|$", table, re.MULTILINE) for key in row.split(", ")}
    assert named - {"cite"} == set(ENTRIES)


def test_the_software_is_that_of_the_citation_file() -> None:
    written = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    titles = re.findall(r'title: "?(.*?)"?$', written, re.MULTILINE)
    software = re.search(r"@software\{.*?title = \{(.*?)\}", PAGE, re.DOTALL)
    assert software and software[1] == titles[0]
    assert f"title = {{{titles[1]}}}" in ENTRIES["rohekar2021"]
    released = dict(re.findall(r'^(version|date-released): "?([^"\n]+)"?$', written, re.MULTILINE))
    assert f"version = {{{released['version']}}}" in PAGE and f"with ancestral {released['version']} (" in PAGE
    assert f"year = {{{released['date-released'][:4]}}}" in software[0] + PAGE.split(software[0])[1].split("}\n}")[0]
    license_there = re.search(r"^license: (.*)$", written, re.MULTILINE)
    assert license_there and f"license = {{{license_there[1]}}}" in PAGE
