"""Settings that watch nothing are exit 2 wherever all ADRs are asked for, and a repository without any says so."""

import json
from pathlib import Path

import pytest

from tests.conftest import Repository, Result, Run
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import approve
from tests.stories.check.samples import GOOD, expect

SETTINGS = ".helix-hooks.yaml"
ADR = "docs/adr/0007-kafka.md"
ELSEWHERE = 'paths: ["docs/decisions/**/*.md"]\n'
NOWHERE = "helix-hooks: .helix-hooks.yaml:1: paths: they match no tracked file, so no ADR would be checked; "
ALIKE = f'{ADR} looks like an ADR: write paths: ["docs/adr/**/*.md"]\n'
ADVICE = 'name the folder of your ADRs, as in paths: ["docs/adr/**/*.md"], or delete `paths`\n'
COMMANDS = tuple(
    map(str.split, ("check", "check --write-baseline", "check-config", "graph", "index --check"))
)
HEAD = ("check", "--since", "HEAD")


def refused(result: Result, start: str, end: str = "\n") -> None:
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith(start) and result.err.endswith(end), result.err


@pytest.fixture
def elsewhere(repository: Repository) -> Repository:
    """Settings watch another folder than that of the only ADR."""
    repository.stage(SETTINGS, ELSEWHERE)
    repository.stage(ADR, GOOD)
    return repository


@pytest.mark.parametrize("command", [*COMMANDS, HEAD], ids=" ".join)
def test_paths_that_match_no_tracked_file(
    command: list[str], elsewhere: Repository, run: Run
) -> None:
    elsewhere.commit()
    refused(run(*command), NOWHERE, ALIKE)


def test_doctor_says_so_too(elsewhere: Repository, run: Run) -> None:
    broken = run("doctor", "--format", "json")
    lines = {line["check"]: line for line in json.loads(broken.out)["checks"]}
    assert broken.code == 2 and lines["settings"]["state"] == "unsafe" and "adrs" not in lines
    assert f"helix-hooks: {lines['settings']['message']}\n" == f"{NOWHERE}{ALIKE}"


@pytest.mark.parametrize(("state", "message", "staged"), [
    ("ok", "1 ADR is watched", {}),
    ("unknown", f"1 ADR is watched; files that look like ADRs but are not watched: {ADR}", {SETTINGS: ELSEWHERE}),
    ("ok", "1 ADR is watched", {SETTINGS: ELSEWHERE + 'exclude: ["docs/adr/**"]\n'}),
])  # fmt: skip
def test_doctor_counts_what_is_watched(
    state: str, message: str, staged: dict[str, str], repository: Repository, run: Run
) -> None:
    other = {"docs/decisions/0001-x.md": GOOD} if staged else {}
    for path, text in {ADR: GOOD, **other, **staged}.items():
        repository.stage(path, text)
    checks = json.loads(run("doctor", "--format", "json").out)["checks"]
    lines = [(line["state"], line["message"]) for line in checks if line["check"] == "adrs"]
    assert lines == [(state, message)]


def test_the_hooks_look_only_at_what_is_staged(elsewhere: Repository, run: Run) -> None:
    for staged in (["--staged"], ["--staged", "--matching", ADR]):
        result = run("check", *staged)
        assert result.code == 1 and "[unwatched-adr]" in result.out, "not the error of the settings"
    assert run("check", "--staged", "--all").code == 0
    assert run("check-config", "--staged").code == 0
    assert run("check", ADR).code == 0, "a path given by hand is checked whatever the settings say"


@pytest.mark.parametrize(
    "command", [["check"], ["graph", "--format", "json"], ["index"], HEAD], ids=" ".join
)
def test_a_repository_without_any_adr(command: list[str], repository: Repository, run: Run) -> None:
    repository.stage("README.md", "x\n")
    repository.commit()
    result = run(*command)
    looked = "looked for folders such as docs/adr"
    assert (result.code, result.err.count("\n")) == (0, 1)
    assert result.err.startswith(f"helix-hooks: no ADR in this repository; {looked}")


def test_an_empty_repository(repository: Repository, run: Run) -> None:
    assert run("check").code == 0 == run("check-config").code
    assert "no ADR in this repository" in run("check-config").out
    repository.write(SETTINGS, ELSEWHERE)
    refused(run("check"), NOWHERE, ADVICE)


def test_untracked_files_are_not_watched(repository: Repository, run: Run) -> None:
    repository.write(ADR, GOOD)
    by_default = run("check").out
    assert by_default == "1 ADR checked: no findings\n", "a new file is checked before `git add`"
    assert run("check-config").out == "no settings found; the defaults apply\n"
    repository.write(SETTINGS, 'paths: ["docs/adr/*.md"]\n')
    start = f"helix-hooks: {SETTINGS}:1: paths: they match no tracked file, only {ADR}, so no"
    for command in ("check", "check-config"):
        refused(run(command), start, "; `git add` it\n")
    repository.git("add", ADR)
    assert run("check").code == 0 == run("check-config").code


def test_what_git_ignores_is_not_there(repository: Repository, run: Run) -> None:
    repository.stage(".gitignore", "build/\n")
    repository.stage(SETTINGS, 'paths: ["build/*.md"]\n')
    repository.write("build/0001-x.md", GOOD)
    refused(run("check"), NOWHERE)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("text", ["template: auto\n", 'paths: ["docs/adr/*.md"]\n'])
def test_adrs_that_the_work_tree_lacks(
    text: str, sparse: bool, repository: Repository, run: Run
) -> None:
    repository.stage(SETTINGS, text)
    repository.stage(ADR, GOOD)
    repository.commit()
    if sparse:
        repository.git("sparse-checkout", "set", "--no-cone", SETTINGS)
    else:
        (repository.root / ADR).unlink()
        gone = f"{ADR} is tracked, but no ADR is in the work tree; check it out (`git restore`"
        refused(run("check"), f"helix-hooks: {gone}")
    from_index = "what a sparse checkout leaves out is read from the index"
    assert not sparse or run("check").out == "1 ADR checked: no findings\n", from_index
    assert run("check-config").code == 0, "the settings are right"


@pytest.mark.parametrize("kept", [SETTINGS, "/docs/"])
def test_linked_adrs_that_a_sparse_checkout_leaves_out(
    kept: str, repository: Repository, run: Run
) -> None:
    repository.stage(SETTINGS, "template: auto\n")
    repository.stage("decisions/0007-kafka.md", GOOD)
    (repository.root / "docs").mkdir()
    (repository.root / "docs" / "adr").symlink_to("../decisions")
    repository.git("add", "--all")
    repository.commit()
    repository.git("sparse-checkout", "set", "--no-cone", SETTINGS, kept)
    assert not (repository.root / "decisions").exists()
    assert run("check").out == "1 ADR checked: no findings\n"


def test_a_linked_work_tree_and_a_folder_below(
    elsewhere: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere.commit()
    elsewhere.git("worktree", "add", "--quiet", "../linked", "-b", "linked")
    monkeypatch.chdir(elsewhere.root.parent / "linked" / "docs")
    refused(run("check"), NOWHERE, ALIKE)
    refused(run("check-config"), NOWHERE, ALIKE)


def test_paths_that_lead_into_a_submodule(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = repository.root.parent / "library"
    library.mkdir()
    other = Repository(library)
    other.stage("0001-x.md", GOOD)
    other.commit()
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "docs/adr"
    )
    repository.stage(SETTINGS, 'paths: ["docs/adr/**/*.md"]\n')
    repository.commit()
    for command in (["check"], ["check-config"], HEAD):
        refused(run(*command), NOWHERE, f"no file here looks like an ADR; {ADVICE}")
    monkeypatch.chdir(repository.root / "docs" / "adr")
    assert "1 ADR checked" in run("check").out, "the submodule is a repository of its own"


@pytest.mark.parametrize(("path", "line"), [
    ("docs/adr/0001-x.md", '["docs/adr/**/*.md"]'),
    ("docs/adr/0001-x/README.md", '["docs/adr/**/*.md"]'),
    ("a/decisions/2020/01/0001-x.md", '["a/decisions/**/*.md"]'),
    ("docs/architecture/003-x.md", '["docs/architecture/0*.md"]'),
    ("docs/decision-log/x.md", '["docs/decision-log/**/*.md"]'),
    ("src/adr-7/README.md", '["src/adr-7/*.md"]'),
    ("papers/ADR012.md", '["papers/ADR*.md"]'),
    ("ADR-001.md", '["ADR-*.md"]'),
    ("a b/ADR-001.md", '["a b/ADR-*.md"]'),
    ("a[1]{b}*?, \"c\"\\'/ADR-001.md", '["a?1??b???? ?c??\'/ADR-*.md"]'),
    ("über/日本/adr/x.md", '["über/日本/adr/**/*.md"]'),
])  # fmt: skip
@pytest.mark.parametrize(
    ("place", "before"), [(SETTINGS, "paths: "), ("pyproject.toml", "[tool.helix-hooks]\npaths = ")]
)
@pytest.mark.sampled
def test_the_suggested_line_repairs_the_settings(
    path: str, line: str, place: str, before: str, repository: Repository, run: Run
) -> None:
    repository.stage(path, GOOD)
    repository.stage(place, f'{before}["x.md"]\n')
    suggested = before.rpartition("\n")[2] + line
    expect(run("check-config"), 2, err=f"looks like an ADR: write {suggested}\n")
    repository.stage(place, f"{before}{line}\n")
    assert "1 ADR checked: " in run("check").out


def test_what_looks_like_an_adr(repository: Repository, run: Run) -> None:
    repository.stage(SETTINGS, 'paths: ["docs/decisions/*.md"]\nexclude: ["old/**"]\n')
    beside = ("README.md", "template.md", "0002-x.concept.md", "0005-x.txt")
    other = ("vendor/adr/0003-x.md", "old/adr/0004-x.md", "approvals/adr/CLAUDE.md", "n/0006-x.md")
    for path in (ADR, *other, *(f"docs/adr/{name}" for name in beside)):
        repository.stage(path, GOOD)
    refused(run("check"), NOWHERE, ALIKE)


def judge(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "tmp").mkdir()
    place = judges.programs(
        tmp_path / "programs",
        {"as": "claude", "result": {}, "environment": str(tmp_path / "asked.json")},
    )
    return {
        **judges.without_claude(judges.environment(None, place)),
        "TMPDIR": str(tmp_path / "tmp"),
    }


@pytest.mark.parametrize(
    "arguments",
    [[], ["--base", "main"], ["--base", "main", "--head", "change"], [ADR]],
    ids=" ".join,
)
def test_approve_refuses_settings_that_watch_nothing(
    arguments: list[str], repository: Repository, tmp_path: Path
) -> None:
    repository.stage(SETTINGS, ELSEWHERE)
    lay_out(repository)
    done = approve(*arguments, env=judge(tmp_path))
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(NOWHERE), done
    assert not (tmp_path / "asked.json").exists(), "no judge was asked"


@pytest.mark.parametrize("arguments", [[], ["--base", "main"]], ids=" ".join)
def test_approve_without_any_adr(
    arguments: list[str], repository: Repository, tmp_path: Path
) -> None:
    repository.stage("README.md", "x\n")
    repository.commit()
    done = approve(*arguments, env=judge(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (0, 1), done
    assert done.stderr.startswith("helix-hooks: no ADR in this repository")


def test_an_enabled_type_reviews_its_packaged_paths(repository: Repository, tmp_path: Path) -> None:
    """Attack on the judge: an approval type that reviews nothing: without `paths`, or with an empty list.
    Answer: without `paths` the packaged ones count; a new type or an empty list is exit 2.
    Shown by: `test_an_enabled_type_reviews_its_packaged_paths`, `tests/cases/config/approvals-new-type-*`.
    """
    repository.stage("config/approvals.yaml", "approvals:\n  code: {enabled: true}\n")
    lay_out(repository)
    repository.stage("src/login.py", "import os\n\nos.system(input())\n")
    repository.commit()
    done = approve("--base", "main", "--format", "json", env=judge(tmp_path))
    (verdict,) = json.loads(done.stdout)["approvals"]
    assert verdict["approval_type"] == "code"
    assert [item["path"] for item in verdict["files"]] == ["src/login.py"]
    assert (tmp_path / "asked.json").exists(), "a judge has read it"


def test_a_type_that_reviews_nothing_says_so(
    repository: Repository, run: Run, tmp_path: Path
) -> None:
    repository.stage(
        "config/approvals.yaml",
        "approvals:\n  adr: {}\n  code: {paths: ['scr/**'], semantic: 'false'}\n",
    )
    lay_out(repository)
    line = "the approval type code reviews nothing: its `paths` match no tracked file"
    assert f"helix-hooks: {line}\n" in approve("--base", "main", env=judge(tmp_path)).stderr
    assert line in run("check-config").out
    checks = json.loads(run("doctor", "--format", "json").out)["checks"]
    of_types = [item for item in checks if item["check"] == "approval-type"]
    assert [(item["state"], item["message"]) for item in of_types] == [("unknown", line)]
