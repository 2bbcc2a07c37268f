"""Folders that adr-tools and log4brains declare: trees as these tools write them in tests/cases/declared, and declarations that are not followed."""

import json
import shutil

import pytest

from helix_hooks.check import files
from helix_hooks.config.settings import load
from tests.conftest import ROOT, Repository, Run
from tests.stories.check.samples import GOOD

CASES = ROOT / "tests" / "cases" / "declared"
ADR = "team/choices/0001-kafka.md"
DECLARED = ".adr-dir"


def checked(run: Run, *arguments: str) -> list[str]:
    """Return the paths of the ADRs that a check reads."""
    return [
        file["path"]
        for file in json.loads(run("check", "--format", "json", *arguments).out)["files"]
    ]


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_a_tree_of_another_tool_is_read_as_it_is(
    name: str, repository: Repository, run: Run
) -> None:
    shutil.copytree(CASES / name / "tree", repository.root, dirs_exist_ok=True)
    repository.git("add", "--force", "--all")
    config, check = run("check-config"), run("check")
    told = [config.out, *(f"{path}\n" for path in checked(run)), check.out, check.err]
    assert (config.code, check.code) == (0, 0), check.out
    assert "".join(told) == (CASES / name / "expected.txt").read_text(encoding="utf-8")
    assert checked(run, "--staged") == checked(run)


@pytest.mark.parametrize(
    "value",
    [
        "/etc",
        "../elsewhere",
        "docs/../../x",
        ".",
        "",
        "a\nb",
        "C:/x",
        "docs\\adr",
        ".git/x",
        "\x1b[31m",
    ],
)
def test_a_declaration_that_leads_elsewhere_is_ignored_and_named(
    value: str, repository: Repository, run: Run
) -> None:
    repository.stage(DECLARED, f"{value}\n")
    repository.stage("docs/adr/0001-kafka.md", GOOD)
    result = run("check")
    assert result.code == 0
    assert (
        result.err.startswith(f"helix-hooks: {DECLARED}:1: ignored: ") and "\x1b" not in result.err
    )
    assert result.err.endswith("add the folder to `paths` in the settings\n")
    assert result.err.count("\n") == 1 and checked(run) == ["docs/adr/0001-kafka.md"]
    assert "ignored: " in run("check-config").out
    lines = json.loads(run("doctor", "--format", "json").out)["checks"]
    assert [line["state"] for line in lines if line["check"] == "declared"] == ["unknown"]


def test_a_declaration_that_can_t_be_read_stops_the_check(repository: Repository, run: Run) -> None:
    repository.stage(".log4brains.yml", "project: [\n")
    repository.stage("docs/adr/0001-kafka.md", GOOD)
    result = run("check")
    assert result.code == 2 and result.err.startswith("helix-hooks: .log4brains.yml:")
    repository.stage(".helix-hooks.yaml", 'paths: ["docs/adr/*.md"]\n')
    assert run("check").code == 0, "with `paths`, nobody asks another tool"


@pytest.mark.parametrize("text", ["[]", "x", "project:", "project: []", "project: {packages: 3}"])
def test_a_file_of_log4brains_without_a_folder_declares_nothing(text: str) -> None:
    read = {".log4brains.yml": text.encode()}.get
    settings = load(read, files.packaged)
    assert (settings.declared, settings.ignored) == ((), ())


def test_a_link_in_the_place_of_a_declared_folder_leads_nowhere_else(
    repository: Repository, run: Run
) -> None:
    outside = repository.root.parent / "outside"
    outside.mkdir()
    (outside / "0001-kafka.md").write_text(GOOD)
    (repository.root / "choices").symlink_to(outside)
    repository.stage(DECLARED, "choices\n")
    repository.git("add", "choices")
    result = run("check")
    assert result.code == 1 and "choices:1:1: error:" in result.out


@pytest.mark.parametrize("now", ["", "elsewhere\n", "../x\n"])
def test_a_branch_can_t_take_adrs_out_of_the_check(
    now: str, repository: Repository, run: Run
) -> None:
    repository.stage(DECLARED, "team/choices\n")
    repository.stage(ADR, GOOD)
    repository.commit()
    if now:
        repository.stage(DECLARED, now)
    else:
        repository.git("rm", "--quiet", DECLARED)
    result = run("check", "--since", "HEAD")
    assert result.code == 4, result.out + result.err
    assert "[gate-relaxed]" in result.out
    assert f"now leaves out 1 ADR: {ADR}" in result.out


def test_an_empty_folder_that_is_no_longer_declared_is_told(
    repository: Repository, run: Run
) -> None:
    repository.stage(DECLARED, "team/choices\n")
    repository.stage("docs/adr/0001-kafka.md", GOOD)
    repository.commit()
    repository.stage(DECLARED, "docs/adr\n")
    result = run("check", "--since", "HEAD")
    assert result.code == 4
    assert "ADRs are no longer looked for in team/choices (.adr-dir)" in result.out


@pytest.mark.parametrize("is_wider", [False, True])
def test_a_folder_of_which_fewer_names_count_is_told(
    is_wider: bool, repository: Repository, run: Run
) -> None:
    forms = [(".log4brains.yml", "project: {adrFolder: records}\n"), (DECLARED, "records\n")]
    old, new = reversed(forms) if is_wider else forms
    repository.stage(*old)
    repository.stage("records/0001-kafka.md", GOOD)
    repository.commit()
    repository.git("rm", "--quiet", old[0])
    repository.stage(*new)
    result = run("check", "--since", "HEAD")
    assert result.code == (0 if is_wider else 4), result.out
    told = "ADRs are no longer looked for in records (.log4brains.yml)"
    assert (told in result.out) is not is_wider


def test_a_declared_folder_without_adrs_is_named(repository: Repository, run: Run) -> None:
    repository.stage(DECLARED, "team/choices\n")
    result = run("check")
    assert result.code == 0
    assert "looked for team/choices (.adr-dir), folders such as docs/adr" in result.err


def test_new_follows_the_declared_folder(repository: Repository, run: Run) -> None:
    repository.stage(DECLARED, "team/choices\n")
    repository.stage(ADR, GOOD)
    assert run("new", "Use PostgreSQL").code == 0
    assert (repository.root / "team/choices/0002-use-postgresql.md").exists()
