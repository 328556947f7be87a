"""Check that a release may be made, and pack what was built: used by `make release`; nothing is uploaded.

python -m tools.release check          the tree is committed; version, changelog and citation say the same
python -m tools.release pack           the site as an archive in dist/, and SHA256SUMS over all files there
"""

import ast
import gzip
import hashlib
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

__all__ = ["Release", "disagreements", "pack", "release_of", "uncommitted"]

ROOT = Path(__file__).resolve().parents[1]
SITE, DIST = Path("build/site"), Path("dist")
SUMS = "SHA256SUMS"

#: The head of the changelog's first section: a version, and the day of its release.
HEAD = re.compile(r"^## (?P<version>\S+?)(?:, (?P<date>.+))?$", re.MULTILINE)

#: What a version looks like that is released.
FINAL = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True)
class Release:
    """What version.py, CHANGELOG.md and CITATION.cff say of the release; None where one of them says nothing."""

    version: str
    changelog: str | None
    date: str | None
    cited: str | None
    cited_date: str | None


def release_of(root: Path) -> Release:
    """Read the three files."""
    module = ast.parse((root / "src/ancestral/version.py").read_text(encoding="utf-8"))
    version = next(
        node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )
    head = HEAD.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")

    def cited(field: str) -> str | None:
        found = re.search(rf"^{field}: *[\"']?([^\"'\s]+)", citation, re.MULTILINE)
        return found and found.group(1)

    changelog, day = (head.group("version"), head.group("date")) if head else (None, None)
    return Release(version, changelog, day, cited("version"), cited("date-released"))


def disagreements(release: Release) -> Iterator[str]:
    """What keeps a release from being made, each with the way out."""
    if not FINAL.fullmatch(release.version):
        yield (
            f"the version must have three numbers, got {release.version!r}; "
            "write that of the release, such as '0.2.0', into src/ancestral/version.py"
        )
    if release.changelog != release.version:
        yield (
            f"the first section of CHANGELOG.md must be about {release.version}, it is about {release.changelog}; "
            f"write '## {release.version}, <date>' above what has changed, or change src/ancestral/version.py"
        )
    if not _is_day(release.date):
        yield (
            f"the first section of CHANGELOG.md must have the day of the release, got {release.date!r}; "
            f"write '## {release.version}, {date.today()}'"
        )
    if release.cited != release.version:
        yield f"CITATION.cff must name version {release.version}, it names {release.cited}; change its line 'version:'"
    if release.cited_date != release.date:
        yield (
            f"CITATION.cff must have the day of CHANGELOG.md, {release.date}, it has {release.cited_date}; "
            "change its line 'date-released:'"
        )


def _is_day(text: str | None) -> bool:
    try:
        return text is not None and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def uncommitted(root: Path) -> list[str]:
    """The files that differ from the last commit, and those that git does not know."""
    command = ["git", "-C", str(root), "status", "--porcelain"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line[3:] for line in answer.stdout.splitlines()]


def pack(site: Path, dist: Path, version: str, seconds: int) -> None:
    """Put the site into an archive, with names in order and one time for all files, and write the checksums.

    The same files give the same bytes. `seconds` is the time of the files, since 1970.
    """
    archive = dist / f"ancestral-{version}-site.tar.gz"
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=seconds) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(path for path in site.rglob("*") if path.is_file()):
            info = tarfile.TarInfo(f"ancestral-{version}-site/{path.relative_to(site).as_posix()}")
            info.size, info.mtime, info.mode = path.stat().st_size, seconds, 0o644
            with path.open("rb") as file:
                tar.addfile(info, file)
    files = sorted(path for path in dist.iterdir() if path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (dist / SUMS).write_text("".join(lines), encoding="utf-8")


def _commit_time() -> int:
    """The time of the last commit, in seconds since 1970."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(arguments: list[str]) -> str | None:
    """Do what the argument says; the answer is what went wrong."""
    release = release_of(ROOT)
    if arguments == ["check"]:
        problems = list(disagreements(release))
        if changed := uncommitted(ROOT):
            shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
            problems.append(f"everything must be committed, these files are not: {shown}; commit or remove them")
        if problems:
            return "\n".join(["no release was made:", *(f"- {problem}" for problem in problems)])
        print(f"ancestral {release.version}, {release.date}: tree, version, changelog and citation agree")
        return None
    if arguments == ["pack"]:
        if not (ROOT / SITE / "index.html").exists():
            return f"{SITE} must have the site, it has no index.html; run `make docs`"
        pack(ROOT / SITE, ROOT / DIST, release.version, _commit_time())
        print((ROOT / DIST / SUMS).read_text(encoding="utf-8"), end="")
        return None
    return __doc__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
