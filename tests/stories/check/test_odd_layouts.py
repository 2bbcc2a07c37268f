"""No repository ends a command in an internal error, however its files are called and whatever lies in their place.

Attack by a hostile ADR: odd file names, one folder per ADR, pipes, link loops, a broken index, a repository without a commit.
Answer: no command ends in an internal error.
Shown by: `tests/stories/check/test_odd_layouts.py`.
"""

import os
import shutil
from collections.abc import Callable

import pytest

from tests.conftest import Repository, Run

ADR = '---\nadr_id: "{}"\ntitle: x\nstatus: {}\n---\n\n# x\n\n## Context\n\nText [a](../b.md).\n\n## Decision\n\nWe do.\n'
NAMES: dict[str, tuple[str, ...]] = {
    "a folder an ADR": (
        "docs/adr/0007/README.md",
        "docs/adr/0008/index.md",
        "docs/adr/0009-x/README.md",
        "docs/adr/README.md",
    ),
    "README at the root": ("README.md", "0001/README.md", "adr/README.md"),
    "numbers alone": (
        "docs/adr/0001.md",
        "docs/adr/2.md",
        "docs/adr/000.md",
        "docs/adr/20240101.md",
        "docs/adr/2024-01-01.md",
        "docs/adr/2024-.md",
    ),
    "blanks": ("docs/adr/0001 a b.md", "docs/adr/ 2.md", "docs/adr/0003-x .md"),
    "newlines": ("docs/adr/0001\nx.md", "docs/adr/a\nb/0002-x.md"),
    "bytes": ("docs/adr/0001-\udcff\udcfe.md", "docs/adr/\udce4/0002-x.md"),
    "hyphens": ("docs/adr/-0001-x.md", "docs/adr/--staged.md", "docs/adr/-.md", "-adr/0001-x.md"),
    "dots": ("docs/adr/.md", "docs/adr/..md", "docs/adr/x/.md"),
    "signs": (
        "docs/adr/:0001.md",
        "docs/adr/::warning.md",
        "docs/adr/(top)*.md",
        "docs/adr/[a].md",
        'docs/adr/"q".md',
        "docs/adr/a\\b.md",
    ),
    "other digits": (
        "docs/adr/\u0661\u0662-x.md",
        "docs/adr/\u00b2-x.md",
        "docs/adr/ADR-\u0661.md",
        "docs/adr/2024-\u0661\u0662-01-x.md",
    ),
    "long": (
        "docs/adr/" + "a/" * 100 + "0001-x.md",
        "docs/adr/" + "n" * 240 + ".md",
        "docs/adr/" + "9" * 200 + ".md",
    ),
    "concepts": (
        "docs/adr/concept.md",
        "docs/adr/0001-x.md",
        "docs/adr/0001-x.concept.md",
        "docs/adr/.concept.md",
    ),
    "folders with an ending": ("docs/adr/x.md/a.md", "docs/adr/0002.md/README.md"),
}
CHECKS = ("", " .", " --format json", " --format sarif", " --staged", " --staged --all")
COMMANDS = [
    *(f"check{options}" for options in (*CHECKS, " --since HEAD~1", " --write-baseline")),
    *("check-config", "graph", "index", "new Title", "init", "doctor", "stats", "feedback"),
]


def _all_end_well(run: Run) -> None:
    for command in COMMANDS:
        result = run(*command.split())
        assert "internal error" not in result.err, f"{command}: {result.err}"
        assert result.code in (0, 1, 2, 3, 4), f"{command}: {result.err}"


@pytest.mark.parametrize("paths", NAMES.values(), ids=NAMES)
@pytest.mark.sampled
def test_any_name(repository: Repository, run: Run, paths: tuple[str, ...]) -> None:
    repository.stage("other.txt", "x\n")
    repository.commit()
    for status in ("Accepted", "Superseded"):
        for number, path in enumerate(paths):
            repository.write(path, ADR.format(number, status))
        repository.git("add", "--all")
        if status == "Accepted":
            repository.commit()
    _all_end_well(run)


def _nothing(_: Repository) -> None:
    """An empty repository."""


def _detached(repository: Repository) -> None:
    repository.stage("docs/adr/0001-x.md", ADR.format(1, "Accepted"))
    repository.commit()
    repository.git("checkout", "--quiet", "--detach")


def _unborn(repository: Repository) -> None:
    repository.stage("docs/adr/0001-x.md", ADR.format(1, "Accepted"))


def _gone(repository: Repository) -> None:
    _detached(repository)
    shutil.rmtree(repository.root / "docs")


def _pipes(repository: Repository) -> None:
    _detached(repository)
    os.mkfifo(repository.root / "docs/adr/0002-pipe.md")
    (repository.root / "docs/adr/0003-folder.md").mkdir()
    (repository.root / "docs/adr/0004-loop.md").symlink_to("0004-loop.md")


def _folders_for_files(repository: Repository) -> None:
    _detached(repository)
    of_config = ("config/adr-completeness-rules.yaml", "config/approvals.yaml")
    for path in (".helix-hooks.yaml", "pyproject.toml", ".helix-baseline.json", *of_config):
        (repository.root / path).mkdir(parents=True)


def _empty_files(repository: Repository) -> None:
    empty = (b"", b"\n", b"---", b"---\n---", b"\xef\xbb\xbf", b"\xff", b"\0")
    for number, data in enumerate((*empty, b"#", b"- [ ]", b"|", b"<!--", b"[^1]:")):
        repository.stage(f"docs/adr/{number:04}-x.md", data)
    repository.commit()
    repository.stage("docs/adr/0001-x.md", ADR.format(1, "Accepted"))


def _conflict(repository: Repository) -> None:
    repository.stage("docs/adr/0001-x.md", ADR.format(1, "Proposed"))
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "other")
    repository.stage("docs/adr/0001-x.md", ADR.format(1, "Accepted"))
    repository.commit()
    repository.git("checkout", "--quiet", "main")
    repository.stage("docs/adr/0001-x.md", ADR.format(1, "Rejected"))
    repository.commit()
    repository.git("merge", "other", check=False)


def _broken_index(repository: Repository) -> None:
    _detached(repository)
    (repository.root / ".git/index").write_bytes(b"garbage")


def _lost_objects(repository: Repository) -> None:
    _detached(repository)
    shutil.rmtree(repository.root / ".git/objects")
    (repository.root / ".git/objects").mkdir()


def _no_git_directory(repository: Repository) -> None:
    _unborn(repository)
    shutil.rmtree(repository.root / ".git")
    (repository.root / ".git").write_text("gitdir: /nowhere\n")


def _odd_records(repository: Repository) -> None:
    _detached(repository)
    place = repository.root / ".git/helix-hooks"
    place.mkdir()
    (place / "runs.jsonl").write_bytes(
        b'\xff\n[]\n{"a": 1}\n{"timestamp": 5, "findings": "x", "cost_usd": "y"}\n'
    )


STATES = (
    _nothing, _detached, _unborn, _gone, _pipes, _folders_for_files, _empty_files, _conflict, _broken_index, _lost_objects, _no_git_directory,
    _odd_records,
)  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__.strip("_"))
@pytest.mark.sampled
def test_any_state(repository: Repository, run: Run, state: Callable[[Repository], None]) -> None:
    state(repository)
    _all_end_well(run)
