"""What is said of a file that an ADR names and that the tree lacks, by what history tells of it."""

import pytest

from helix_hooks.adr.corpus import Corpus, PathHistory
from helix_hooks.adr.reference import Mention
from helix_hooks.adr.rules.corpus.referenced_file_missing import referenced_file_missing
from tests.unit.adr.rules.entries import entry

MOVED = PathHistory("moved", "src/there.py")
GONE = PathHistory("gone", "1234567")


def _found(
    kind: str, path: str, status: str, fate: PathHistory, *there: str, is_helix: bool = False
) -> list[str]:
    mention = Mention(kind, path, path, 5)
    mine = entry("adr/0004-x.md", 4, status=status, lost=(mention,), is_helix=is_helix)
    corpus = Corpus(lambda path: None, there.__contains__, fates={path: fate})
    found = referenced_file_missing.check(mine, corpus)
    return [f"{item.severity or 'warning'}: {item.message}; {item.help}" for item in found]


def test_a_place_is_proposed_only_where_the_file_is() -> None:
    there = _found("link", "src/old.py", "Proposed", MOVED, "src/there.py")
    assert there == [
        "warning: the link points to src/old.py, which has moved; it is now src/there.py"
    ]
    lost = _found("link", "src/old.py", "Proposed", MOVED)
    said = "warning: the link points to src/old.py, which was moved and later deleted"
    assert lost == [f"{said}; name the file that replaced it, or say that it was deleted"]


@pytest.mark.parametrize(
    ("kind", "path", "status", "severity"),
    [
        ("link", "src/old.py", "Accepted", "info"),
        ("link", "src/old.py", "Proposed", "warning"),
        ("link", "docs/old.md", "Accepted", "warning"),
        ("link", "docs/old.png", "Implemented", "warning"),
    ],
)
def test_old_paths_of_code_are_information(
    kind: str, path: str, status: str, severity: str
) -> None:
    assert [found.partition(":")[0] for found in _found(kind, path, status, GONE)] == [severity]


@pytest.mark.parametrize("status", ["Accepted", "Superseded", ""])
def test_a_path_in_backticks_is_history_unless_this_change_takes_the_file(status: str) -> None:
    assert not _found("quoted", "src/old.py", status, GONE)
    assert len(_found("quoted", "src/old.py", status, GONE._replace(recent=True))) == 1
    assert len(_found("quoted", "src/old.py", status, GONE, is_helix=True)) == 1
