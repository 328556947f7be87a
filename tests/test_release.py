"""What `make release` makes: one version everywhere, and archives that can be made again."""

import hashlib
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from setuptools.command.egg_info import FileList

import ancestral as an
from tools.release import ROOT, Release, disagreements, pack, release_of, uncommitted

AGREED = Release("1.2.3", "1.2.3", "2026-01-31", "1.2.3", "2026-01-31")


def test_version_changelog_and_citation_of_this_tree_agree() -> None:
    release = release_of(ROOT)
    assert release.version == an.__version__
    assert list(disagreements(release)) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"version": "1.2.4.dev0"}, "three numbers, got '1.2.4.dev0'"),
        ({"changelog": "1.2.2"}, "must be about 1.2.3, it is about 1.2.2"),
        ({"changelog": None}, "it is about None"),
        ({"date": "in progress"}, "must have the day of the release, got 'in progress'"),
        ({"date": None}, "must have the day of the release, got None"),
        ({"date": "20260131"}, "must have the day"),
        ({"cited": "0.1.0"}, "must name version 1.2.3, it names 0.1.0"),
        ({"cited_date": None}, "2026-01-31, it has None"),
    ],
)
def test_what_disagrees_is_named(wrong: dict[str, str | None], words: str) -> None:
    assert list(disagreements(AGREED)) == []
    assert any(words in problem for problem in disagreements(replace(AGREED, **wrong)))  # type: ignore[arg-type]


def test_the_three_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "src/ancestral").mkdir(parents=True)
    (tmp_path / "src/ancestral/version.py").write_text('"""The version."""\n\n__all__ = ["V"]\n\nV = "3.0.1"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 3.0.0, 2026-02-01\n\n- Less.\n\n## 2.0.0\n")
    (tmp_path / "CITATION.cff").write_text('cff-version: 1.2.0\nversion: "3.0.2"\ndate-released: "2026-02-03"\n')
    assert release_of(tmp_path) == Release("3.0.1", "3.0.0", "2026-02-01", "3.0.2", "2026-02-03")


def test_the_sources_have_every_file_that_is_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what the pages say can be done "in the folder with the sources" can be done with the archive, too."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    monkeypatch.chdir(ROOT)
    picked = FileList()
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        picked.process_template_line(line)
    always = {"LICENSE", "README.md", "pyproject.toml", "setup.py", "MANIFEST.in"}
    missing = set(listed.stdout.splitlines()) - {Path(name).as_posix() for name in picked.files} - always
    assert {name for name in missing if not name.startswith(".")} == set()


def test_files_that_are_not_committed_are_listed(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(tmp_path), *name, *arguments], check=True, capture_output=True)

    git("init")
    for name in ("kept", "changed"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "-m", "all")
    assert uncommitted(tmp_path) == []
    (tmp_path / "changed").write_text("2")
    (tmp_path / "new").write_text("3")
    assert uncommitted(tmp_path) == ["changed", "new"]


def test_the_same_site_gives_the_same_archive_and_right_checksums(tmp_path: Path) -> None:
    sums = []
    for number, names in enumerate([("index.html", "a/b.css"), ("a/b.css", "index.html")]):
        site, dist = tmp_path / f"site{number}", tmp_path / f"dist{number}"
        dist.mkdir()
        (dist / "ancestral-1.0.0.tar.gz").write_bytes(b"sources")
        for name in names:
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(f"about {name}")
        pack(site, dist, "1.0.0", 1_700_000_000)
        sums.append((dist / "SHA256SUMS").read_text())
    assert sums[0] == sums[1]
    lines = {line.split("  ")[1]: line.split("  ")[0] for line in sums[0].splitlines()}
    assert lines["ancestral-1.0.0.tar.gz"] == hashlib.sha256(b"sources").hexdigest()
    archive = tmp_path / "dist0/ancestral-1.0.0-site.tar.gz"
    assert set(lines) == {"ancestral-1.0.0-site.tar.gz", "ancestral-1.0.0.tar.gz"}
    assert lines[archive.name] == hashlib.sha256(archive.read_bytes()).hexdigest()
    with tarfile.open(archive) as tar:
        assert [(one.name, one.mtime) for one in tar] == [
            ("ancestral-1.0.0-site/a/b.css", 1_700_000_000),
            ("ancestral-1.0.0-site/index.html", 1_700_000_000),
        ]
        member = tar.extractfile("ancestral-1.0.0-site/a/b.css")
        assert member is not None and member.read() == b"about a/b.css"
