"""Every changed file in a folder of ADRs is read by a rule, or the output names it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.paths import MARKDOWN, OTHER_TEXTS
from tests.conftest import Repository, Run

FOLDER = "docs/adr"
FIRST = f"{FOLDER}/0001-orders.md"
ORDERS = (
    "# 1. Take orders\n\n## Status\n\nAccepted\n\n## Context\n\nOrders come by telephone, and some are lost.\n\n"
    "## Decision\n\nWe will take orders on a web page.\n\n## Consequences\n\nSomebody has to keep the page running.\n"
)
KAFKA = ORDERS.replace("1. Take orders", "2. Use Kafka").replace("Accepted", "Proposed")
EDITED = KAFKA.replace("web page", "new web page")
PICTURES = (".png", ".puml", ".yaml", "", ".md.bak")
KINDS = ("added", "edited", "renamed", "became a link")
EXEMPT = (
    "index.md",
    "README.MD",
    "template.md",
    "CHANGELOG.md",
    "CLAUDE.md",
    "0000-adr-template.mdx",
)


def spelt(suffix: str) -> Iterator[str]:
    yield from dict.fromkeys((suffix, suffix.upper(), suffix.title()))


NAMES = [
    f"0002-kafka{spelling}"
    for suffix in (*MARKDOWN, *OTHER_TEXTS, *PICTURES)
    for spelling in spelt(suffix)
]


def lay(repository: Repository, path: str, kind: str) -> None:
    """Commit the state before a change on main, and stage the change of one file."""
    repository.stage(FIRST, ORDERS)
    if kind in ("edited", "became a link"):
        repository.stage(path, KAFKA)
    if kind == "renamed":
        repository.stage(f"{FOLDER}/0002-streams.md", KAFKA)
    repository.stage("src/other.md", KAFKA)
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    if kind == "renamed":
        (repository.root / path).parent.mkdir(parents=True, exist_ok=True)
        repository.git("mv", f"{FOLDER}/0002-streams.md", path)
    elif kind == "became a link":
        (repository.root / path).unlink()
        (repository.root / path).symlink_to("../../src/other.md")
        repository.git("add", path)
    else:
        repository.stage(path, EDITED)


def told(text: str, path: str) -> bool:
    """Return whether a report is on a path, or names it among those that were not checked."""
    report = json.loads(text)
    if any(file["path"] == path for file in report["files"]):
        return True
    name = path.rpartition("/")[2]
    return any(item["path"] == path or name in item["reason"] for item in report["skipped"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sampled
def test_it_is_read_or_named(name: str, kind: str, repository: Repository, run: Run) -> None:
    path = f"{FOLDER}/{name}"
    lay(repository, path, kind)
    staged = run("check", "--staged", "--format", "json")
    hook = run("check", "--staged", "--matching", "--format", "json", path)
    repository.commit()
    branch = run("check", "--since", "main", "--format", "json")
    suffix = name.removeprefix("0002-kafka").lower()
    assert told(staged.out, path) and told(branch.out, path)
    assert (
        told(hook.out, path) or suffix in PICTURES or (suffix in OTHER_TEXTS and kind != "added")
    ), hook.out
    if suffix in OTHER_TEXTS and kind == "added":
        assert (hook.code, branch.code) == (1, 1) and "unwatched-adr" in hook.out


@pytest.mark.parametrize("kind", ["added", "edited", "renamed"])
@pytest.mark.parametrize("name", [*EXEMPT, "vendor/lib/docs/adr/0002-kafka.md"])
@pytest.mark.sampled
def test_an_exempt_name_with_a_decision_is_named(
    name: str, kind: str, repository: Repository, run: Run
) -> None:
    path = name if name.startswith("vendor") else f"{FOLDER}/{name}"
    lay(repository, path, kind)
    hook = run("check", "--staged", "--matching", "--format", "json", path)
    repository.commit()
    branch = run("check", "--since", "main", "--format", "json")
    assert told(hook.out, path) and told(branch.out, path)


def test_a_deleted_adr_is_told_by_the_branch_alone(repository: Repository, run: Run) -> None:
    repository.stage(FIRST, ORDERS)
    repository.stage(f"{FOLDER}/0002-kafka.MDX", KAFKA.replace("Proposed", "Accepted"))
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    repository.git("rm", "--quiet", f"{FOLDER}/0002-kafka.MDX")
    repository.commit()
    branch = run("check", "--since", "main", "--format", "json")
    assert told(branch.out, f"{FOLDER}/0002-kafka.MDX") and branch.code == 1


@pytest.mark.parametrize(
    "text",
    ["", "x" * 2_000_000, "\0", "---\n[", "# 2. Kafka\n"],
    ids=["empty", "large", "binary", "yaml", "short"],
)
@pytest.mark.parametrize("name", ["0002-kafka.adoc", "0002-kafka.MDX", "index.md"])
def test_whatever_the_file_holds(name: str, text: str, repository: Repository, run: Run) -> None:
    lay(repository, f"{FOLDER}/{name}", "added")
    repository.stage(f"{FOLDER}/{name}", text)
    repository.commit()
    branch = run("check", "--since", "main", "--format", "json")
    assert told(branch.out, f"{FOLDER}/{name}") and branch.code in (0, 1)
    assert branch.code == 1 or name == "index.md"


def test_settings_of_the_team_exclude_another_format(repository: Repository, run: Run) -> None:
    repository.stage(".helix-hooks.yaml", 'exclude: ["docs/adr/*.html"]\n')
    lay(repository, f"{FOLDER}/0002-kafka.html", "added")
    assert run("check", "--staged", "--matching", f"{FOLDER}/0002-kafka.html").code == 0


def test_a_page_generated_from_an_adr_is_no_decision(repository: Repository, run: Run) -> None:
    lay(repository, f"{FOLDER}/0001-orders.html", "added")
    result = run("check", "--staged", "--matching", f"{FOLDER}/0001-orders.html")
    assert result.code == 0 and "unwatched" not in result.out
    assert Path(f"{FOLDER}/0001-orders.html").exists()
