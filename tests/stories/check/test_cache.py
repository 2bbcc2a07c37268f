"""A second check reuses what nothing has changed, and says what a check without a cache says."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helix_hooks import api, parallel
from helix_hooks.adr.check_report import FileReport
from helix_hooks.adr.examine import Source, examine
from helix_hooks.adr.mention import Present
from helix_hooks.adr.rules.registry import Ruleset
from helix_hooks.check import cache, cache_file, cache_key
from helix_hooks.check import run as check_run
from helix_hooks.check.options import CheckOptions
from tests.conftest import Repository, Run
from tests.series import examples

FOLDER = "docs/adr"
MANY = 6
ADR = "# {number}. Use queue {number}\n\n## Status\n\nAccepted\n\n## Context\n\nWe grow.\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"
OWN = (
    "# 4. Use the cloud\n\n## The store\n\nOur data is relational.\n\n## The bill\n\nIt is cheap.\n"
)
HELIX = (
    '---\nadr_id: "{number:03}"\ntitle: T\nstatus: Accepted\nchange_scope: minor\n---\n\n# T\n\n'
    "## Kontext\n\nx\n\n## Entscheidung\n\nx\n\n## Migration\n\nx\n"
)


class Examined:
    """The paths that were examined anew since `taken` was called."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def taken(self) -> list[str]:
        taken, self.paths = sorted(self.paths), []
        return taken


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> Examined:
    """Let few ADRs be many, in one process, right after a change of the program."""
    seen = Examined()

    def noting(source: Source, ruleset: Ruleset, present: Present | None = None) -> FileReport:
        seen.paths.append(source.doc.path)
        return examine(source, ruleset, present)

    monkeypatch.setattr(cache, "examine", noting)
    monkeypatch.setattr(check_run, "examine", noting)
    monkeypatch.setattr(check_run, "FEWEST_IN_CACHE", 2)
    monkeypatch.setattr(parallel, "_MAX_PROCESSES", 1)
    monkeypatch.setattr(cache_key, "_FRESH", 0)
    return seen


def path_of(number: int) -> str:
    return f"{FOLDER}/{number:04}-queue.md"


def adr(number: int, text: str = "") -> str:
    return ADR.format(number=number) + text


@pytest.fixture
def many(repository: Repository, examined: Examined) -> Repository:
    """A repository with a few ADRs of several kinds, all committed."""
    for number in range(1, MANY + 1):
        repository.write(path_of(number), adr(number))
    repository.write(
        path_of(2), adr(2, "\nSee [code](../../src/app.py) and [it](0001-queue.md).\n")
    )
    repository.write(path_of(3), adr(3, "\nSee [notes](notes.txt).\n"))
    repository.write(path_of(4), OWN)
    repository.write(path_of(5), HELIX.format(number=5))
    repository.write(f"{FOLDER}/0005-queue.concept.md", "## Migration\n\nIn two steps.\n")
    repository.write(path_of(6), adr(6).replace("## Decision", "## Beacon"))
    repository.write("docs/one/decisions/0001-alone.md", adr(1))
    repository.write("src/app.py", "x = 1\n")
    repository.git("add", ".")
    repository.commit()
    return repository


def paths_in(repository: Repository) -> list[str]:
    found = (repository.root / "docs").rglob("*.md")
    names = (place.relative_to(repository.root).as_posix() for place in found)
    return sorted(name for name in names if not name.endswith("concept.md"))


def report(run: Run, *options: str) -> object:
    result = run("check", "--format", "json", *options)
    return (result.code, result.err, json.loads(result.out) if result.out else None)


def files_of(repository: Repository) -> list[Path]:
    return sorted((repository.root / ".git/helix-hooks/check").glob("*.json"))


def test_a_second_check_examines_only_what_changed(
    many: Repository, run: Run, examined: Examined
) -> None:
    first = report(run)
    assert examined.taken() == paths_in(many)
    assert report(run) == first
    assert examined.taken() == []
    many.write(path_of(1), adr(1, "\nMore.\n"))
    report(run)
    assert examined.taken() == [path_of(1)]
    many.git("commit", "--quiet", "--all", "--message", "x")
    report(run)
    assert examined.taken() == [path_of(1)], (
        "a changed ADR is not cached, and is compared with HEAD"
    )
    report(run)
    assert examined.taken() == []


def test_a_hook_on_all_files_uses_what_a_check_has_found(
    many: Repository, run: Run, examined: Examined
) -> None:
    report(run)
    examined.taken()
    paths = paths_in(many)
    for options in (["--staged", "--all"], ["--staged", "--matching", *paths]):
        assert report(run, *options) == report(run, *options, "--no-cache")
        assert examined.taken() == paths, "those without a cache only"


def test_a_check_of_some_keeps_what_was_found_in_the_others(
    many: Repository, run: Run, examined: Examined
) -> None:
    report(run)
    some = [path_of(1), path_of(2), path_of(3)]
    many.write(path_of(1), adr(1, "\nMore.\n"))
    many.git("commit", "--quiet", "--all", "--message", "x")
    examined.taken()
    report(run, *some)
    assert examined.taken() == [path_of(1)]
    report(run)
    assert examined.taken() == []


def dead_link(repository: Repository) -> None:
    repository.git("rm", "--quiet", "src/app.py")
    repository.commit()


def hidden_file(repository: Repository) -> None:
    repository.git("rm", "--quiet", "--cached", "src/app.py")
    repository.write(".gitignore", "src/\n")


def renamed_file(repository: Repository) -> None:
    repository.git("mv", "src/app.py", "src/main.py")


def healed_link(repository: Repository) -> None:
    repository.write(f"{FOLDER}/notes.txt", "x")


def same_size_and_time(repository: Repository) -> None:
    place = repository.root / path_of(1)
    before = place.stat()
    place.write_text(place.read_text().replace("Accepted", "Acceptec"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    repository.git("commit", "--quiet", "--all", "--message", "x")


def committed(repository: Repository) -> None:
    repository.write(path_of(1), adr(1).replace("Kafka", "We use no Kafka, but pigeons."))
    repository.git("commit", "--quiet", "--all", "--message", "x")


def not_committed(repository: Repository) -> None:
    repository.write(path_of(1), adr(1).replace("Kafka", "We use no Kafka, but pigeons."))


def other_head(repository: Repository) -> None:
    """Move HEAD, and nothing else: the work tree now differs from it."""
    not_committed(repository)
    repository.git("commit", "--quiet", "--all", "--message", "x")
    repository.git("reset", "--quiet", "--soft", "HEAD^")


def changed_concept(repository: Repository) -> None:
    repository.write(f"{FOLDER}/0005-queue.concept.md", "## Rollback\n\nIn two steps.\n")
    repository.git("commit", "--quiet", "--all", "--message", "x")


def added_concept(repository: Repository) -> None:
    repository.stage(f"{FOLDER}/0001-queue.concept.md", "## Rollback\n\nIn two steps.\n")
    repository.commit()


def removed_concept(repository: Repository) -> None:
    repository.git("rm", "--quiet", f"{FOLDER}/0005-queue.concept.md")
    repository.commit()


def shared_concept(repository: Repository) -> None:
    repository.stage("docs/one/decisions/concept.md", "## Rollback\n\nIn two steps.\n")
    repository.commit()


def unreadable_concept(repository: Repository) -> None:
    repository.write(f"{FOLDER}/0005-queue.concept.md", b"\xff\xfe")


def fewer_adrs(repository: Repository) -> None:
    """Fewer ADRs than show a style of the team's own."""
    for number in (1, 2, 3):
        (repository.root / path_of(number)).unlink()
    repository.git("commit", "--quiet", "--all", "--message", "x")


def other_severity(repository: Repository) -> None:
    repository.stage(".helix-hooks.yaml", "severities:\n  section-missing: info\n")


def other_template(repository: Repository) -> None:
    repository.stage(".helix-hooks.yaml", "template: madr\n")


def other_aliases(repository: Repository) -> None:
    repository.stage(".helix-hooks.yaml", "aliases:\n  sections:\n    Decision: [Beacon]\n")


def other_rules(repository: Repository) -> None:
    rules = (
        "contextual_rules:\n  - id: asks-why\n    name: x\n    when:\n      all: []\n    require:\n"
        "      sections: [Why]\n    severity: error\n    message: say why\n    help: add it\n"
    )
    repository.stage("config/adr-completeness-rules.yaml", rules)


def link_in_its_place(repository: Repository) -> None:
    place = repository.root / path_of(1)
    place.unlink()
    place.symlink_to("nowhere.md")


def merge(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "other")
    repository.write(path_of(1), adr(1).replace("Kafka", "Rabbits."))
    repository.git("commit", "--quiet", "--all", "--message", "x")
    repository.git("checkout", "--quiet", "-")
    repository.write(path_of(1), adr(1).replace("Kafka", "Pigeons."))
    repository.git("commit", "--quiet", "--all", "--message", "x")
    repository.git("merge", "other", check=False)


def other_name(repository: Repository) -> None:
    repository.git("mv", path_of(1), f"{FOLDER}/0011-queue.md")


def hidden_change(repository: Repository) -> None:
    repository.git("update-index", "--assume-unchanged", path_of(1))
    repository.write(path_of(1), adr(1).replace("Accepted", "Almost"))


Edit = Callable[[Repository], None]
EDITS: tuple[Edit, ...] = (
    dead_link, hidden_file, renamed_file, healed_link, same_size_and_time, committed, not_committed, other_head, changed_concept, added_concept,
    removed_concept, shared_concept, unreadable_concept, fewer_adrs, other_severity, other_template, other_aliases, other_rules, link_in_its_place, merge,
    other_name, hidden_change,
)  # fmt: skip
SILENT = (committed, other_head)
"""Edits after which there may be no other finding; the next ones show that nothing is stale."""


@pytest.mark.sampled
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_nothing_stale_is_served(
    edit: Edit, many: Repository, run: Run, examined: Examined
) -> None:
    assert_nothing_stale(edit, many, run)


def assert_nothing_stale(edit: Edit, repository: Repository, run: Run) -> None:
    before = {options: report(run, *options) for options in ((), ("--staged", "--all"))}
    edit(repository)
    for options, former in before.items():
        for _ in range(2):
            now = report(run, *options)
            assert now == report(run, *options, "--no-cache")
        assert now != former or edit in SILENT or options, "the edit shows nothing"


ALONE = "docs/two/decisions/0001-alone.md"


def shared(repository: Repository) -> None:
    repository.stage(ALONE, adr(1))
    repository.stage("docs/two/decisions/concept.md", "## Rollback\n\nIn two steps.\n")


def second_adr(repository: Repository) -> None:
    repository.stage("docs/two/decisions/0002-more.md", adr(2))


def shared_and_linked(repository: Repository) -> None:
    shared(repository)
    repository.stage("docs/notes.md", adr(2))
    (repository.root / "docs/two/decisions/0002-more.md").symlink_to("0001-alone.md")
    repository.git("add", ".")


def other_target(repository: Repository) -> None:
    place = repository.root / "docs/two/decisions/0002-more.md"
    place.unlink()
    place.symlink_to("../../notes.md")
    repository.git("add", ".")


def copied_concept(repository: Repository) -> None:
    repository.stage(ALONE, adr(1))
    repository.stage(ALONE.replace(".md", ".concept.md"), adr(1))


def linked_concept(repository: Repository) -> None:
    place = repository.root / ALONE.replace(".md", ".concept.md")
    place.unlink()
    place.symlink_to("0001-alone.md")
    repository.git("add", ".")
    repository.commit()


def named_concept(repository: Repository) -> None:
    repository.stage(ALONE, "---\nstatus: Accepted\nconcept: plan.txt\n---\n" + adr(1))
    repository.stage("docs/two/decisions/plan.txt", "## Context\n\nIn two steps.\n")


def untracked_concept(repository: Repository) -> None:
    repository.git("rm", "--quiet", "--cached", "docs/two/decisions/plan.txt")


def unreadable_adr(repository: Repository) -> None:
    link_in_its_place(repository)
    repository.git("add", ".")


def readable_adr(repository: Repository) -> None:
    (repository.root / path_of(1)).unlink()
    repository.stage(path_of(1), adr(1))
    repository.commit()


@pytest.mark.parametrize(
    ("prepare", "edit"),
    [
        (unreadable_adr, readable_adr),
        (shared, second_adr),
        (shared_and_linked, other_target),
        (copied_concept, linked_concept),
        (named_concept, untracked_concept),
    ],
    ids=lambda edit: edit.__name__,
)
def test_nothing_stale_is_served_after(
    prepare: Edit, edit: Edit, many: Repository, run: Run, examined: Examined
) -> None:
    prepare(many)
    many.commit()
    assert_nothing_stale(edit, many, run)


def test_each_option_has_a_cache_of_its_own(many: Repository, run: Run, examined: Examined) -> None:
    plain = report(run)
    for name in ("madr", "nygard", "auto"):
        for _ in range(2):
            assert report(run, "--template", name) == report(run, "--template", name, "--no-cache")
    examined.taken()
    assert report(run) == plain
    assert examined.taken() == []
    assert len(files_of(many)) == 3, "`auto` is what a check without the option does"


def test_a_branch_is_checked_without_a_cache(
    many: Repository, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(run)
    many.git("branch", "base")
    for number in (1, 2, 3):
        many.write(path_of(number), adr(number, "\nMore.\n"))
    many.git("commit", "--quiet", "--all", "--message", "x")
    monkeypatch.setattr(cache_key, "program", pytest.fail)
    examined.taken()
    report(run, "--since", "base")
    assert {path_of(1), path_of(2), path_of(3)} <= set(examined.taken())


def test_a_report_is_not_kept_with_an_answer_of_another_one(
    many: Repository, run: Run, examined: Examined
) -> None:
    """A check of some finds that a file is gone, and keeps the reports on the others."""
    many.write(path_of(3), adr(3, "\nSee [code](../../src/app.py).\n"))
    many.git("commit", "--quiet", "--all", "--message", "x")
    report(run)
    dead_link(many)
    report(run, path_of(1), path_of(3))
    assert report(run) == report(run, "--no-cache")


def test_nobody_but_the_command_line_uses_a_cache(many: Repository, examined: Examined) -> None:
    api.check(CheckOptions())
    assert not files_of(many)
    api.check(CheckOptions(uses_cache=True))
    assert files_of(many)


def test_no_cache_reads_and_writes_none(many: Repository, run: Run, examined: Examined) -> None:
    report(run, "--no-cache")
    assert not files_of(many)
    report(run)
    before = [(place, place.stat().st_mtime_ns) for place in files_of(many)]
    examined.taken()
    report(run, "--no-cache")
    assert len(examined.taken()) == MANY + 1
    assert before == [(place, place.stat().st_mtime_ns) for place in files_of(many)]


def test_few_adrs_need_no_cache(
    many: Repository, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_run, "FEWEST_IN_CACHE", MANY + 2)
    report(run)
    assert not files_of(many)


def test_a_changed_program_finds_anew(
    many: Repository, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = report(run)
    monkeypatch.setattr(cache_key, "program", lambda: "another")
    examined.taken()
    assert report(run) == first
    assert len(examined.taken()) == MANY + 1


def test_what_the_program_found_while_it_was_changed_is_not_kept(
    many: Repository, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = iter(("one", "another"))
    monkeypatch.setattr(cache_key, "program", lambda: next(states))
    report(run)
    assert not files_of(many)


def test_a_program_that_was_just_written_uses_no_cache(
    many: Repository, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_key, "_FRESH", 10**18 * 5)
    report(run)
    assert not files_of(many)


def cut(place: Path, number: int) -> None:
    place.write_bytes(place.read_bytes()[: number * 97])


def flipped(place: Path, number: int) -> None:
    data = bytearray(place.read_bytes())
    data[number * 397 % len(data)] ^= 1
    place.write_bytes(data)


_BODIES = (
    "null", "[]", "[[],{}]", "[[],[]]", '[[],{"PATH":[[0],[]]}]', '[[["there","x",false]],{"PATH":[[0],[]]}]', '[[["there","x",false]],{"PATH":[[0],[1,2]]}]',
    '[[["read","x",false]],{"PATH":[[0],null]}]', '[[],{"PATH":[[],{}]}]', '[[],{"PATH":[[-1],"xxxxxxxxxxxxx"]}]', '[[],{"PATH":[["x"],"xxxxxxxxxxxxx"]}]',
    "[" * 100_000, '[[[1,2,3],[[],[],[]]],{"PATH":[[0,1],1]}]',
)  # fmt: skip


def foreign(place: Path, number: int) -> None:
    """Write what another program may have written under the name, with the right hash."""
    body = _BODIES[number % len(_BODIES)].replace("PATH", path_of(1)).encode()
    place.write_bytes(cache_file._signed(body, place.stem) + body)


def empty(place: Path, number: int) -> None:
    place.write_bytes(b"")


def folder(place: Path, number: int) -> None:
    place.unlink()
    place.mkdir()


def no_rights(place: Path, number: int) -> None:
    place.chmod(0)


@pytest.mark.sampled
@pytest.mark.parametrize("damage", [cut, flipped, foreign, empty, folder, no_rights])
def test_a_damaged_file_counts_as_none(
    damage: Callable[[Path, int], None], many: Repository, run: Run, examined: Examined
) -> None:
    first = report(run)
    for number in range(len(_BODIES) if damage is foreign else 3):
        (place,) = files_of(many)
        damage(place, number)
        examined.taken()
        assert report(run) == first
        assert len(examined.taken()) in (0 if damage is no_rights else MANY + 1, MANY + 1)
        assert report(run) == first
        if place.is_dir():
            place.rmdir()
            report(run)


def test_a_file_of_another_key_counts_as_none(
    many: Repository, run: Run, examined: Examined
) -> None:
    report(run)
    (plain,) = files_of(many)
    first = report(run, "--template", "madr")
    (other,) = set(files_of(many)) - {plain}
    other.write_bytes(plain.read_bytes())
    examined.taken()
    assert report(run, "--template", "madr") == first
    assert len(examined.taken()) == MANY + 1


def test_the_cache_is_private_and_not_in_the_work_tree(
    many: Repository, run: Run, examined: Examined
) -> None:
    report(run)
    (place,) = files_of(many)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert many.git("status", "--porcelain", "--ignored").stdout == ""


@pytest.mark.parametrize("name", ["helix-hooks", "helix-hooks/check"])
def test_a_link_is_not_followed(
    name: str, many: Repository, run: Run, examined: Examined, tmp_path: Path
) -> None:
    first = report(run)
    elsewhere = tmp_path / "elsewhere"
    folder = many.root / ".git" / name
    shutil.move(folder, elsewhere)
    folder.symlink_to(elsewhere)
    before = sorted((item, item.stat().st_mtime_ns) for item in elsewhere.rglob("*"))
    examined.taken()
    assert report(run) == first
    assert len(examined.taken()) == MANY + 1
    assert before == sorted((item, item.stat().st_mtime_ns) for item in elsewhere.rglob("*"))


def test_a_linked_file_is_neither_read_nor_written(
    many: Repository, run: Run, examined: Examined, tmp_path: Path
) -> None:
    first = report(run)
    (place,) = files_of(many)
    target = tmp_path / "target"
    place.rename(target)
    place.symlink_to(target)
    before = target.read_bytes(), target.stat().st_mtime_ns
    examined.taken()
    assert report(run) == first
    assert len(examined.taken()) == MANY + 1
    assert (target.read_bytes(), target.stat().st_mtime_ns) == before


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", ["os.mkdir", "helix_hooks.writing.replace", "os.scandir"])
def test_a_cache_that_cannot_be_written_changes_nothing(
    name: str, many: Repository, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = report(run, "--no-cache")
    monkeypatch.setattr(name, full)
    assert report(run) == first
    assert not files_of(many)


def test_four_files_are_kept_those_of_latest_use(
    many: Repository, run: Run, examined: Examined
) -> None:
    names = [f"{number}.json" for number in range(8)]
    report(run)
    (place,) = files_of(many)
    for number, name in enumerate([*names, ".12ab.new"]):
        other = place.with_name(name)
        other.write_text("{}")
        os.utime(other, (10**9 + number, 10**9 + number))
    place.unlink()
    report(run)
    assert {item.name for item in place.parent.iterdir()} == {place.name, *names[5:]}


def test_a_path_that_is_no_utf_8(many: Repository, run: Run, examined: Examined) -> None:
    name = f"{FOLDER}/0009-\udcff-\udc80.md"
    many.write(name, adr(9, "\nSee [x](gone-\\xff.md).\n"))
    many.git("add", ".")
    many.commit()
    first = report(run)
    examined.taken()
    assert report(run) == first
    assert examined.taken() == []


def test_two_checks_at_once(many: Repository) -> None:
    for number in range(10, 80):
        many.write(path_of(number), adr(number))
    command = [sys.executable, "-m", "helix_hooks", "check", "--format", "json"]
    running = [subprocess.Popen(command, cwd=many.root, stdout=subprocess.PIPE) for _ in range(3)]
    shown = {process.communicate()[0] for process in running}
    assert len(shown) == 1
    assert subprocess.run(command, cwd=many.root, capture_output=True, check=False).stdout in shown


def test_a_linked_work_tree_has_a_cache_of_its_own(
    many: Repository, run: Run, examined: Examined, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many.git("worktree", "add", "--quiet", str(tmp_path / "beside"))
    monkeypatch.chdir(tmp_path / "beside")
    first = report(run)
    assert not files_of(many)
    examined.taken()
    assert report(run) == first
    assert examined.taken() == []


def test_a_folder_outside_of_git_has_no_cache(
    tmp_path: Path, run: Run, examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, MANY):
        place = tmp_path / path_of(number)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(adr(number), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    report(run, "docs")
    assert before == sorted(tmp_path.rglob("*"))


_TEXTS = (
    adr(1), OWN, HELIX.format(number=2), adr(2, "\nSee [x](notes.txt), [y](../../src/app.py) and [z](0002-queue.md).\n"),
    adr(3).replace("Accepted", "Superseded by [ADR-1](0001-queue.md)"), adr(3).replace("Kafka", "TBD"), "", "x", "<<<<<<< a\n",
    adr(1, "<!-- helix-disable section-missing - no need -->\n"), adr(4).replace("## Decision", "## Choice"),
)  # fmt: skip
_OTHERS = (
    f"{FOLDER}/notes.txt", "src/app.py", f"{FOLDER}/0001-queue.concept.md", f"{FOLDER}/concept.md", "docs/one/decisions/concept.md",
    "docs/one/decisions/0002-more.md", f"{FOLDER}/template.md",
)  # fmt: skip
_SETTINGS = (
    "", "template: madr\n", "severities:\n  section-missing: info\n", "strict_from: 3\n", "exclude: [docs/one/**]\n", "paths: [docs/adr/*.md]\n",
)  # fmt: skip
_ADRS = st.integers(1, MANY + 1).map(path_of)
_STEPS = st.one_of(
    st.tuples(st.just("write"), _ADRS, st.sampled_from(_TEXTS)),
    st.tuples(st.just("write"), st.sampled_from(_OTHERS), st.sampled_from(_TEXTS)),
    st.tuples(st.just("write"), st.just(".helix-hooks.yaml"), st.sampled_from(_SETTINGS)),
    st.tuples(st.just("remove"), st.one_of(_ADRS, st.sampled_from(_OTHERS)), st.just("")),
    st.tuples(st.just("rename"), st.one_of(_ADRS, st.sampled_from(_OTHERS)), _ADRS),
    st.tuples(st.just("link"), _ADRS, st.sampled_from(("0001-queue.md", "../../src/app.py", "0009.md"))),
    st.tuples(st.sampled_from(("add", "commit", "reset", "stash")), st.just(""), st.just("")),
)  # fmt: skip


def take(repository: Repository, step: tuple[str, str, str]) -> None:
    what, path, other = step
    place = repository.root / path
    if what == "write":
        place.unlink(missing_ok=True)
        repository.write(path, other)
    elif what == "remove":
        place.unlink(missing_ok=True)
    elif what == "rename" and place.exists():
        place.replace(repository.root / other)
    elif what == "link":
        place.unlink(missing_ok=True)
        place.symlink_to(other)
    elif what in ("add", "commit"):
        repository.git("add", "--all")
        repository.commit() if what == "commit" else None
    elif what == "reset":
        repository.git("reset", "--quiet", "--soft", "HEAD^", check=False)
    elif what == "stash":
        repository.git("stash", "--include-untracked", check=False)


@settings(
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(_STEPS, min_size=1, max_size=5))
def test_a_cache_never_changes_what_is_reported(
    steps: list[tuple[str, str, str]],
    many: Repository,
    run: Run,
    examined: Examined,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("drawn") / "repository"
    shutil.copytree(many.root, place, symlinks=True)
    drawn = Repository(place)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        report(run)
        for number, step in enumerate(steps):
            take(drawn, step)
            options = ("--staged", "--all") if number % 2 else ()
            assert report(run, *options) == report(run, *options, "--no-cache")
    shutil.rmtree(place.parent)
