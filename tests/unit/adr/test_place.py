"""Which paths are ADRs by name: tests/cases/places has a file of those, and one of paths that only look like them."""

import pytest

from helix_hooks.adr import place
from helix_hooks.adr.reference import collection, key_in_path
from helix_hooks.check import files
from helix_hooks.config.settings import load
from tests.conftest import ROOT
from tests.unit.work import MOST, calls_of, growth

PLACES = ROOT / "tests" / "cases" / "places"
SETTINGS = load(lambda _: None, files.packaged)
COLLECTIONS = (
    "adr", "ADRs", "4.adrs", "adr's", "decisions", "Decision Log", "decision_log", "decisionLog", "architecture-decision-records",
    "ArchitectureDecisionRecords", "arch_decisions", "Technical Decisions", "design decision register", "ADR (decisions)",
    "d\u00e9cisions d'architecture", "de\u0301cisions", "technische-entscheidungen", "\u8bbe\u8ba1\u51b3\u7b56",
)  # fmt: skip
NO_COLLECTIONS = (
    "adr-tools", "adr-12", "decision-tree", "decider", "adrian", "architecture", "records", "docs", "log", "rfcs", "design", "indecisive",
)  # fmt: skip


def listed(name: str) -> list[str]:
    return (PLACES / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", listed("adrs.txt"))
def test_an_adr_by_its_name(path: str) -> None:
    assert SETTINGS.is_adr(path)


@pytest.mark.parametrize("path", listed("others.txt"))
def test_no_adr_by_its_name(path: str) -> None:
    assert not SETTINGS.is_adr(path)


@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_folder_of_adrs_however_it_is_written(name: str) -> None:
    assert place.is_collection(name) and place.is_collection(f"a/{name}/b")
    assert SETTINGS.is_adr(f"docs/{name}/kafka.md")


@pytest.mark.parametrize("name", NO_COLLECTIONS)
def test_a_folder_of_other_files(name: str) -> None:
    assert not place.is_collection(name) and not SETTINGS.is_adr(f"lib/{name}/kafka.md")


@pytest.mark.parametrize(
    ("path", "folder", "key"),
    [
        ("docs/adr/0007-kafka.md", "docs/adr", "7"),
        ("docs/adr/0007-kafka/README.md", "docs/adr", "7"),
        ("docs/adr/0007-kafka/adr.md", "docs/adr", "7"),
        ("docs/adr/0007-kafka/0007-kafka.md", "docs/adr", "7"),
        ("docs/adr/adr-7/decision.md", "docs/adr", "7"),
        ("decisions/a/0001-x.md", "decisions/a", "1"),
        ("services/x/adr/0001-x.md", "services/x/adr", "1"),
        ("docs/adr/adr.md", "docs/adr", ""),
    ],
)
def test_an_adr_in_a_folder_of_its_own_is_numbered_with_its_neighbours(
    path: str, folder: str, key: str
) -> None:
    assert SETTINGS.is_adr(path)
    assert (collection(path), key_in_path(path)) == (folder, key)


@pytest.mark.parametrize("part", ["adr-", "0", "a/", "docs/", "aB", "-", "decision "])
def test_the_work_grows_with_the_path(part: str) -> None:
    def work(size: int) -> int:
        place._place.cache_clear()
        place._below.cache_clear()
        return calls_of(lambda: SETTINGS.is_adr(f"docs/{part * size}/{part * size}0001.md"))

    assert growth(work, of=50) < MOST


def test_a_quick_look_leaves_no_adr_out() -> None:
    paths = listed("adrs.txt")
    assert [path for path in paths if not place.likely([path])] == []
    others = ["src/a/0001-x.md", "src/adrian.md/x.md", "tests/adr-12.md", "plans/adr-12.md"]
    assert place.likely(others) == []
