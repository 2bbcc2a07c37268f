"""A branch without a new finding leaves a clean base clean: random corpora of ADRs, changed at random.

What `check --since` says is compared with whole checks of both sides.
"""

import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helix_hooks.cli.main import main
from tests import series
from tests.conftest import Repository, Run

STATUSES = ("Proposed", "Accepted", "Accepted", "Deprecated", "Rejected")
SLUGS = ("use-kafka", "use-kafka-streams", "events", "")
OF_THE_CHANGE = set(
    "gate-relaxed accepted-changed status-transition retired-without-successor".split()
)
SETTINGS = (
    "severities: {superseded-dependency: error, supersede-asymmetric: error, referenced-file-missing: error}\n",
    "exclude: [docs/adr/0003*]\n",
    "strict_from: 3\n",
    "paths: [docs/**/*.md]\n",
)


class Corpus:
    """The ADRs of a repository on the disk, changed at random."""

    def __init__(self, repository: Repository, random: Random) -> None:
        self.repository, self.random = repository, random
        self.folder = repository.root / "docs" / "adr"

    def adrs(self) -> list[Path]:
        return sorted(self.folder.glob("*.md"))

    def pick(self) -> Path:
        return self.random.choice(self.adrs())

    def number(self) -> int:
        return self.random.randint(1, 6)

    def add(self) -> None:
        number, slug = self.number(), self.random.choice(SLUGS)
        name = f"{number:04}-{slug}".strip("-")
        title = f"# {number}. " if self.random.random() < 0.8 else "# "
        reference = self.random.choice(
            ("", f"Supersedes ADR-{self.number()}\n", f"Superseded by ADR-{self.number()}\n")
        )
        decision = self.random.choice(("We use it, since it is known.", "See `src/m1.py`.", ""))
        related = self.random.choice(("", f"depends_on: ADR-{self.number()}\n"))
        header = f"---\n{related}---\n" if related else ""
        self.repository.write(
            f"docs/adr/{name}.md",
            f"{header}{title}Use it {number}\n\n## Status\n\n{self.random.choice(STATUSES)}\n\n{reference}\n## Context\n\nThe queue is slow.\n\n"
            f"## Decision\n\n{decision}\n\n## Consequences\n\nA broker is run, [as before](0002-events.md).\n",
        )  # fmt: skip

    def renumber(self) -> None:
        path = self.pick()
        path.rename(path.with_name(f"{self.number():04}-{path.stem[5:] or 'x'}.md"))

    def delete(self) -> None:
        if len(self.adrs()) > 1:
            self.pick().unlink()

    def edit(self) -> None:
        path = self.pick()
        text = path.read_text()
        for status in STATUSES:
            text = text.replace(f"\n{status}\n", f"\n{self.random.choice(STATUSES)}\n")
        path.write_text(text)

    def append(self) -> None:
        path = self.pick()
        path.write_text(f"{path.read_text()}\n## Links\n\nMore in ADR-{self.number()}.\n")

    def code(self) -> None:
        code = self.repository.root / "src" / f"m{self.random.randint(1, 2)}.py"
        code.unlink() if code.exists() else self.repository.write(f"src/{code.name}", "x = 1\n")

    def settings(self) -> None:
        self.repository.write(".helix-hooks.yaml", self.random.choice(SETTINGS))

    def suppress(self) -> None:
        path = self.pick()
        rule = self.random.choice(("duplicate-id", "superseded-dependency", "section-too-short"))
        path.write_text(f"{path.read_text()}\n<!-- helix-disable {rule} - it is known here -->\n")

    def move(self) -> None:
        path = self.pick()
        target = self.repository.root / "docs" / "decisions" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if len(self.adrs()) > 1:
            path.rename(target)

    def change(self) -> None:
        of_files = (self.add, self.renumber, self.delete, self.edit, self.append, self.move)
        kinds = (*of_files, self.code, self.settings, self.suppress)
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(kinds)()
        self.repository.git("add", "--all")
        self.repository.commit()


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    """Return exit code and report; no report for settings that exclude every ADR."""
    code = main(["check", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    assert code in (0, 1, 4) or "every ADR is left out" in err
    return code, json.loads(out) if out else {"files": []}


def errors(checked: dict[str, Any]) -> Counter[tuple[str, str, str]]:
    """Count the errors by rule and subject, with the path first."""
    return Counter(
        (file["path"], item["check"], item.get("subject", ""))
        for file in checked["files"]
        for item in file["findings"]
        if item["severity"] == "error" and not item.get("question")
    )


def counted(checked: dict[str, Any], new_names: dict[str, str]) -> Counter[tuple[str, str]]:
    """Count the errors by rule and subject, with the new names of renamed files."""
    counts: Counter[tuple[str, str]] = Counter()
    for (_, check, subject), count in errors(checked).items():
        words = [new_names.get(word, word) for word in subject.split(" ")]
        counts[check, " ".join(words)] += count
    return counts


def renamed(repository: Repository) -> dict[str, str]:
    rows = repository.git("diff", "--find-renames", "--name-status", "main").stdout.splitlines()
    return {old: new for _, old, new in (row.split("\t") for row in rows if row[0] == "R")}


@pytest.mark.slow
@settings(
    max_examples=series.examples(400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.integers(0, 10**9))
def test_a_branch_without_a_new_error_leaves_a_clean_base_clean(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    """Attack by an author who hides an error: an ADR renumbered that others name, the baseline deleted, a page deleted that others link to: nothing is wrong in the changed files.
    Answer: all ADRs of both sides are compared; what the base lacks is new, in any ADR.
    Shown by: `test_a_branch_without_a_new_error_leaves_a_clean_base_clean`, `since-baseline-deleted`.
    """
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        repository = Repository(Path(folder))
        corpus = Corpus(repository, random)
        for _ in range(random.randint(2, 6)):
            corpus.add()
        corpus.code()
        repository.git("add", "--all")
        repository.commit()
        _, before = report(capsys)
        repository.git("checkout", "--quiet", "-b", "change")
        corpus.change()
        code, seen = report(capsys, "--since", "main")
        _, after = report(capsys)
        new_names = renamed(repository)
        changed = repository.git("diff", "--name-only", "main").stdout.splitlines()
        os.chdir("/")
    if code == 0:
        new = counted(after, {}) - counted(before, new_names)
        assert not new, "the branch is green, and a check of all ADRs has a new error"
    # In a changed ADR a branch may report more, such as a section that the base had.
    shown = {key for key in errors(seen) if key[0] not in changed and key[1] not in OF_THE_CHANGE}
    assert shown <= errors(after).keys(), "an error that a check of all ADRs does not have"


def test_a_deleted_page_is_reported_in_the_unchanged_adr_that_links_to_it(
    repository: Repository, run: Run
) -> None:
    repository.stage("docs/load.md", "# Load\n")
    repository.stage(
        "docs/adr/0002-two.md",
        "# 2. Two\n\n## Status\n\nAccepted\n\n## Context\n\nSee [the load](../load.md) and [more](../more.md).\n\n"
        "## Decision\n\nThe services exchange events.\n\n## Consequences\n\nSomebody runs the broker.\n",
    )
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    repository.git("rm", "--quiet", "docs/load.md")
    repository.commit()
    (file,) = json.loads(run("check", "--since", "main", "--format", "json").out)["files"]
    seen = [(item["severity"], item["subject"]) for item in file["findings"]]
    assert seen == [("warning", "docs/load.md"), ("info", "docs/more.md")]
