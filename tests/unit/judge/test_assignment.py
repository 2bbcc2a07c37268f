"""Which files of a change each approval type reviews: of all that changed, and of files that were named."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.check.settings import settings_of
from helix_hooks.errors import UsageError
from helix_hooks.judge.approvals import approvals_of, chosen
from helix_hooks.judge.assignment import Assignment, IsAdr, assigned, named_files
from helix_hooks.judge.change import Change
from helix_hooks.judge.options import Range
from tests.conftest import Repository
from tests.fakes.change import lay_out
from tests.stories.approve.scene import main_has

ADR = "docs/adr/0007-kafka.md"
TWO_TYPES = "approvals: {adr: {}, code: {enabled: true, paths: ['src/**'], checks: [tests]}}\n"


@pytest.fixture
def change(repository: Repository, tmp_path: Path) -> Iterator[Change]:
    lay_out(repository)
    main_has(repository, "config/approvals.yaml", TWO_TYPES)
    main_has(repository, "src/old.py", "x = 1\n")
    repository.stage("src/new.py", "y = 1\n")
    repository.stage("notes.txt", "n\n")
    repository.stage("docs/adr/CLAUDE.md", "# Instructions\n")
    repository.git("rm", "--quiet", "src/old.py")
    repository.commit()
    opened = Change(str(repository.root), str(tmp_path), Range(base="main"))
    yield opened
    opened.close()


def assign(change: Change, *paths: str) -> Assignment:
    types = chosen(approvals_of(change.rules), ())
    settings = settings_of(change.rules)
    is_adr = IsAdr(change, settings, settings)
    named = named_files(change, types, settings, is_adr, list(paths))
    return assigned(change, types, is_adr, list(paths), named)


@pytest.mark.slow
def test_each_type_reviews_what_changed_of_its_own(change: Change) -> None:
    found = assign(change)
    assert found.files["code"] == ["src/new.py"] and ADR in found.files["adr"]
    assert found.withheld == ["docs/adr/CLAUDE.md", "src/old.py"], "instructions, and what is gone"
    assert not {*found.withheld, "notes.txt"} & {*found.reviewed}


def test_of_a_named_folder_what_changed_in_it_is_reviewed(change: Change) -> None:
    found = assign(change, "src")
    assert found.files == {"adr": [], "code": ["src/new.py"]} and found.withheld == ["src/old.py"]
    assert assign(change, ".").reviewed == assign(change).reviewed


def test_a_named_file_must_be_reviewed_by_a_type(change: Change) -> None:
    with pytest.raises(
        UsageError, match=r"notes\.txt: none of the approval types adr, code reviews it"
    ):
        assign(change, "notes.txt")
    with pytest.raises(UsageError, match=r"none\.md: no such file is reviewed by adr, code"):
        assign(change, "none.md")
