"""What is not a plain file is not skipped: links, submodules and sparse entries in the place of settings, ADRs and concepts."""

import os
import shutil
import stat
import sys

import pytest

from helix_hooks.check import trees
from tests.conftest import Repository, Result, Run
from tests.stories.check.samples import expect

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="symbolic links need a privilege on Windows"
)

GOOD = "# 7. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nWe use Kafka.\n\n## Consequences\n\nx\n"
BAD = GOOD.replace("Accepted", "Acepted")
PATH = "docs/adr/0007-kafka.md"
SETTINGS = ".helix-hooks.yaml"
RULES = "config/adr-completeness-rules.yaml"
MILD = "severities:\n  header-invalid: info\n"
"""Settings under which BAD has no error: who falls back to the defaults, finds one."""


def link(repository: Repository, path: str, target: str) -> None:
    place = repository.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink() or place.exists():
        place.unlink()
    place.symlink_to(target)
    repository.git("add", "--all")


def submodule(repository: Repository, path: str) -> None:
    """An entry for a submodule, with its folder as a clone without submodules has it: empty."""
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'a' * 40},{path}")
    (repository.root / path).mkdir(parents=True, exist_ok=True)


def branch(repository: Repository) -> None:
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")


def everywhere(run: Run) -> list[Result]:
    """The same repository, seen from the disk, the index and a pull request whose base is empty."""
    return [run("check"), run("check", "--staged", "--all"), run("check", "--since", "main")]


@pytest.fixture
def change(repository: Repository) -> Repository:
    """A repository with an empty commit on main, and the branch of a change."""
    branch(repository)
    return repository


@pytest.fixture
def branched(repository: Repository) -> Repository:
    """A repository with an accepted ADR on main, and the branch of a change."""
    repository.stage(PATH, GOOD)
    branch(repository)
    return repository


# Settings


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("way", "target"),
    [
        ({}, "conf/hooks.yaml"),
        ({"one": "conf/hooks.yaml"}, "one"),
        (
            {f"link-{number}": f"link-{number + 1}" for number in range(8)}
            | {"link-8": "conf/hooks.yaml"},
            "link-0",
        ),
        ({"folder": "conf"}, "folder/hooks.yaml"),
        ({"folder": "conf"}, "folder/../conf/./hooks.yaml"),
        ({"with\nline": "conf/hooks.yaml"}, "with\nline"),
    ],
    ids=["link", "link-to-link", "long-chain", "folder", "dots", "newline"],
)
def test_settings_behind_links_are_read_everywhere(
    way: dict[str, str], target: str, change: Repository, run: Run
) -> None:
    change.stage("conf/hooks.yaml", MILD)
    for path, end in way.items():
        link(change, path, end)
    link(change, SETTINGS, target)
    change.stage(PATH, BAD)
    for result in (run("check"), run("check", "--staged"), run("check", "--staged", "--all")):
        expect(result, 0, "[header-invalid]")
    for arguments in ((), ("--staged",)):
        assert run("check-config", *arguments).out == f"{SETTINGS}: no findings\n"
    assert "[gate-relaxed]" in run("check", "--since", "main").out


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("/etc/hostname", "leads out of the repository"),
        ("../outside.yaml", "leads out of the repository"),
        ("conf/../../repository/conf/hooks.yaml", "leads out of the repository"),
        ("nowhere.yaml", "leads to nothing in the repository"),
        ("conf/hooks.yaml/", "leads to nothing in the repository"),
        ("nowhere/../conf/hooks.yaml", "leads to nothing in the repository"),
        (SETTINGS, "is part of a loop"),
        (".git/config", "leads into git's own folder"),
        ("conf", "is a folder"),
        (".", "is a folder"),
        ("lib/hooks.yaml", "is a submodule"),
    ],
)
@pytest.mark.parametrize("path", [SETTINGS, "pyproject.toml", RULES, ".helix-hooks.yml"])
@pytest.mark.sampled
def test_settings_that_are_no_file_of_this_tree_end_every_check(
    path: str, target: str, reason: str, change: Repository, run: Run
) -> None:
    """Attack by a hostile ADR: a symbolic link, on the path or in a folder above it, that leaves the repository, leads to nothing, leads into `.git` or runs in a circle.
    Answer: not followed: an error for an ADR or concept, exit 2 for settings, rules, approvals and rubrics.
    Shown by: `test_settings_that_are_no_file_of_this_tree_end_every_check`, `test_a_link_that_leads_to_no_file_is_a_finding_everywhere`, `test_approvals_and_rubrics_behind_links`.
    """
    (change.root.parent / "outside.yaml").write_text(MILD)
    change.stage("conf/hooks.yaml", MILD)
    up = "../" * path.count("/")
    link(change, path, target if target in (SETTINGS, "/etc/hostname") else f"{up}{target}")
    if target == SETTINGS:
        link(change, path, path.rpartition("/")[2])
    submodule(change, "lib")
    change.stage(PATH, GOOD)
    checks = [*everywhere(run), run("check", "--staged")]
    for result in [*checks, run("check-config"), run("check-config", "--staged")]:
        expect(result, 2, err=reason)
        assert result.err.startswith(f"helix-hooks: {path}:1: ") and result.err.count("\n") == 1


def test_a_submodule_or_a_folder_in_the_place_of_settings(change: Repository, run: Run) -> None:
    """Attack by a hostile ADR: a submodule, a folder or a sparse entry instead of settings.
    Answer: the command exits with 2 and never uses defaults instead.
    Shown by: `test_a_submodule_or_a_folder_in_the_place_of_settings`, `test_settings_that_a_sparse_checkout_left_out`.
    """
    change.stage(PATH, GOOD)
    submodule(change, "config")
    for result in everywhere(run):
        expect(result, 2, err="config is a submodule")
        assert result.err.count("\n") == 1
    for arguments in ((), ("--staged",)):
        assert run("check-config", *arguments).err.count("config is a submodule") == 3
    (change.root / "config").rmdir()
    assert run("check").code == 2, "also where the folder is not on the disk"
    change.git("rm", "--quiet", "--cached", "config")
    change.stage(f"{SETTINGS}/x.yaml", MILD)
    for result in [*everywhere(run), run("check", "--staged")]:
        expect(result, 2, err=f"{SETTINGS} is a folder")


def test_a_submodule_that_is_checked_out_is_no_part_of_the_repository(
    change: Repository, run: Run
) -> None:
    (change.root / "config").mkdir()
    other = Repository(change.root / "config")
    other.stage("adr-completeness-rules.yaml", "contextual_rules: []\n")
    other.commit()
    change.git("-c", "advice.addEmbeddedRepo=false", "add", "config")
    change.stage(PATH, GOOD)
    for result in everywhere(run):
        expect(result, 2, err="config is a submodule")


def test_a_folder_of_settings_may_be_a_link(change: Repository, run: Run) -> None:
    change.stage("settings/adr-completeness-rules.yaml", "contextual_rule: []\n")
    link(change, "config", "settings")
    change.stage(PATH, GOOD)
    for result in everywhere(run):
        expect(result, 2, err=f"{RULES}:1: contextual_rule: unknown key")
    link(change, "config", "../elsewhere")
    for result in everywhere(run):
        expect(result, 2, err="config is a symbolic link that leads out")


def test_settings_that_a_sparse_checkout_left_out(change: Repository, run: Run) -> None:
    change.stage(PATH, BAD)
    change.stage(RULES, "contextual_rules: []\n")
    change.stage(SETTINGS, MILD)
    assert run("check").code == 0
    for path in (RULES, SETTINGS):
        change.git("update-index", "--skip-worktree", path)
        (change.root / path).unlink()
        result = run("check")
        expect(result, 2, err=f"{path} is tracked, and not on the disk")
        assert result.err.count("\n") == 1 and run("check-config").code == 2
        assert run("check", "--staged").code == 0, "the index has it"
        change.git("update-index", "--no-skip-worktree", path)
        change.git("checkout", "--", path)


def test_settings_without_permission_are_not_the_defaults(change: Repository, run: Run) -> None:
    change.stage(PATH, GOOD)
    change.write(SETTINGS, "template: madr\n").chmod(0)
    if os.access(change.root / SETTINGS, os.R_OK):
        pytest.skip("root may read everything")
    assert run("check").code == 2


def test_approvals_and_rubrics_behind_links(change: Repository, run: Run) -> None:
    change.stage("gate/approvals.yaml", "approvals:\n  adr: {enabled: true, chekcs: []}\n")
    link(change, "config/approvals.yaml", "../gate/approvals.yaml")
    for arguments in ((), ("--staged",)):
        assert "unknown key" in run("check-config", *arguments).err
    change.stage("gate/approvals.yaml", "approvals:\n  adr: {enabled: true}\n")
    link(change, "approvals/adr/CLAUDE.md", "/etc/hostname")
    for arguments in ((), ("--staged",)):
        result = run("check-config", *arguments)
        expect(result, 2, err="approvals/adr/CLAUDE.md is a symbolic link that leads out")
    shutil.rmtree(change.root / "approvals")
    link(change, "approvals/adr", "/etc")
    for arguments in ((), ("--staged",)):
        assert run("check-config", *arguments).code == 2


# ADRs and concepts


@pytest.mark.parametrize(
    "target", ["../../notes/real.md", "../../notes/text.txt", "../../one", "../../folder/real.md"]
)
def test_a_link_in_the_place_of_an_adr_is_a_finding_everywhere(
    target: str, change: Repository, run: Run
) -> None:
    """Attack by an author who hides an error: a link at the path of an ADR, and then a change of what it leads to.
    Answer: not read: an error, also when only its target was changed.
    Shown by: `test_a_link_in_the_place_of_an_adr_is_a_finding_everywhere`, `test_a_file_that_becomes_a_link_and_back`, `test_a_change_of_what_a_link_leads_to_is_an_error`.
    """
    for path in ("notes/real.md", "notes/text.txt"):
        change.stage(path, GOOD)
    link(change, "one", "notes/real.md")
    link(change, "folder", "notes")
    link(change, PATH, target)
    expected = f"{PATH}:1:1: error: {PATH} is a symbolic link; commit the file itself"
    for result in [*everywhere(run), run("check", "--staged"), run("check", PATH)]:
        expect(result, 1, expected, times=1)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "target",
    [
        "/etc/passwd",
        "../../../x.md",
        "nowhere.md",
        "0007-kafka.md",
        "../../.git/HEAD",
        "../../notes/real.md/",
        "../../notes",
        "../../lib/x.md",
        "",
    ],
)
def test_a_link_that_leads_to_no_file_is_a_finding_everywhere(
    target: str, change: Repository, run: Run
) -> None:
    change.stage("notes/real.md", GOOD)
    if target:
        link(change, PATH, target)
    else:
        change.write("empty", "")
        blob = change.git("hash-object", "-w", "empty").stdout.strip()
        change.git("update-index", "--add", "--cacheinfo", f"120000,{blob},{PATH}")
    submodule(change, "lib")
    calls = [("--staged", "--all"), ("--since", "main"), ("--staged",)]
    calls += [(), (PATH,)] if target else []
    for arguments in calls:
        result = run("check", *arguments)
        expect(result, 1, "[file-unreadable]")


def test_a_linked_folder_is_checked_at_its_own_path(change: Repository, run: Run) -> None:
    """Attack by a hostile ADR: a folder of ADRs that is a link; folders linked into each other; a link to another ADR.
    Answer: each ADR is checked once, at its own path; a link that leads to no such path is an error.
    Shown by: `test_a_linked_folder_is_checked_at_its_own_path`, `test_a_linked_folder_whose_own_path_has_no_adr_is_a_finding`, `test_folders_linked_into_each_other_end`.
    """
    change.stage("decisions/0007-kafka.md", BAD)
    change.stage("decisions/deep/0008-other.md", BAD.replace("# 7.", "# 8."))
    link(change, "docs/adr", "../decisions")
    for result in [*everywhere(run), run("check", "--staged"), run("check", "docs/adr")]:
        expect(result, 1, "unknown status 'Acepted'", times=2)
        expect(result, 1, "decisions/0007-kafka.md:5")


def test_a_link_hides_one_adr_beside_those_that_are_checked(
    repository: Repository, run: Run
) -> None:
    repository.stage(SETTINGS, "paths: ['docs/adr/**/*.md', 'records/0007*']\n")
    branch(repository)
    repository.stage("records/0007-kafka.md", GOOD)
    link(repository, "docs/adr", "../records")
    assert run("check").code == 0
    repository.stage("records/0008-other.md", GOOD.replace("# 7.", "# 8."))
    for result in everywhere(run):
        expect(result, 1, "docs/adr:1:1: error: docs/adr is a symbolic link")


def test_a_linked_folder_whose_own_path_has_no_adr_is_a_finding(
    repository: Repository, run: Run
) -> None:
    repository.stage(SETTINGS, "paths: ['docs/adr/**/*.md']\n")
    branch(repository)
    repository.stage("decisions/0007-kafka.md", GOOD)
    link(repository, "docs/adr", "../decisions")
    for result in [*everywhere(run), run("check", "--staged"), run("check", "docs/adr")]:
        expect(result, 1, "docs/adr:1:1: error: docs/adr is a symbolic link")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "target", ["/etc", "../../elsewhere", "nowhere", "adr", "../.git", "../lib/adr"]
)
def test_a_folder_of_adrs_that_leads_out_is_a_finding(
    target: str, change: Repository, run: Run
) -> None:
    (change.root.parent / "elsewhere").mkdir()
    (change.root.parent / "elsewhere/0007-kafka.md").write_text(GOOD)
    link(change, "docs/adr", target)
    submodule(change, "lib")
    for result in [*everywhere(run), run("check", "--staged"), run("check", "docs/adr")]:
        expect(result, 1, "docs/adr:1:1: error:")
    if target == "../../elsewhere":
        assert run("check", PATH).code == 1


@pytest.mark.parametrize("folder", ["docs/adr.d", "docs/adr"])
def test_a_link_beside_adrs_is_no_folder_of_them(
    folder: str, repository: Repository, run: Run
) -> None:
    repository.stage(SETTINGS, f"paths: ['{folder}/**/*.md']\n")
    branch(repository)
    repository.stage(f"{folder}/0007-kafka.md", GOOD)
    for name in ("README.md", "picture.svg"):
        link(repository, f"{folder}/{name}", "nowhere")
    for result in [*everywhere(run), run("check", "--staged")]:
        expect(result, 0, "1 ADR checked: no findings\n")
    shutil.rmtree(repository.root / folder)
    link(repository, folder, "/etc")
    for result in [*everywhere(run), run("check", "--staged")]:
        expect(result, 1, f"{folder}:1:1: error:")


def test_a_link_to_an_adr_is_that_adr_and_no_second_one(change: Repository, run: Run) -> None:
    change.stage(PATH, GOOD)
    link(change, "docs/adr/0009-latest.md", "0007-kafka.md")
    link(change, "docs/adr/up", "..")
    for result in [
        *everywhere(run),
        run("check", "--staged"),
        run("check", "docs/adr/0009-latest.md"),
    ]:
        expect(result, 0, "1 ADR checked: no findings\n")


def test_folders_linked_into_each_other_end(change: Repository, run: Run) -> None:
    change.stage(PATH, BAD)
    for number in range(6):
        link(change, f"docs/adr/{number}", "..")
        link(change, f"docs/{number}", "adr")
    for result in everywhere(run):
        expect(result, 1, "unknown status 'Acepted'", times=1)


@pytest.mark.parametrize("concept", ["docs/adr/0007-kafka.concept.md", "docs/plan.md"])
def test_a_concept_behind_a_link_is_a_finding_everywhere(
    concept: str, change: Repository, run: Run
) -> None:
    named = "" if "concept" in concept else "---\nconcept: ../plan.md\n---\n"
    change.stage(PATH, f"{named}{GOOD}")
    change.stage("notes/plan.txt", "## Migration\n\nA plan.\n")
    up = "../" * concept.count("/")
    link(change, concept, f"{up}notes/plan.txt")
    for result in everywhere(run):
        expect(result, 1, f"{concept} is a symbolic link")
    link(change, concept, "/etc/passwd")
    for result in everywhere(run):
        expect(result, 1, "leads out of the repository")


# Changes


REWRITTEN = GOOD.replace("We use Kafka.", "We use Pulsar, which a provider runs.")


@pytest.mark.parametrize("same", [True, False])
def test_a_file_that_becomes_a_link_and_back(same: bool, branched: Repository, run: Run) -> None:
    branched.stage("notes/real.md", GOOD if same else REWRITTEN)
    link(branched, PATH, "../../notes/real.md")
    assert "the ADR was replaced by a symbolic link" in run("check", "--since", "main").out
    for result in (run("check"), run("check", "--staged"), run("check", "--since", "main")):
        expect(result, 1, "[file-unreadable]")
    branched.commit()
    branched.git("branch", "--force", "main")
    (branched.root / PATH).unlink()
    branched.stage(PATH, BAD)
    for result in (run("check"), run("check", "--staged"), run("check", "--since", "main")):
        expect(result, 1, "[header-invalid]")


def test_an_adr_that_becomes_another_name_of_one_is_gone(repository: Repository, run: Run) -> None:
    repository.stage(PATH, GOOD)
    repository.stage("docs/adr/0008-other.md", GOOD.replace("# 7.", "# 8."))
    branch(repository)
    link(repository, PATH, "0008-other.md")
    result = run("check", "--since", "main")
    assert result.code == 4
    assert f"{PATH}:1:1: error: the ADR was replaced by a symbolic link" in result.out


def test_settings_made_milder_behind_a_link_are_reported(repository: Repository, run: Run) -> None:
    """Attack by an author who hides an error: settings, a policy or a rubric relaxed behind a link.
    Answer: `gate-relaxed`; a person decides.
    Shown by: `test_settings_made_milder_behind_a_link_are_reported`, `test_the_approvals_file_by_any_name`, `test_a_rubric_changed_behind_a_link_is_a_relaxation`.
    """
    repository.stage("conf/hooks.yaml", "severities:\n  header-invalid: error\n")
    link(repository, SETTINGS, "conf/hooks.yaml")
    repository.stage(PATH, GOOD)
    branch(repository)
    repository.stage("conf/hooks.yaml", MILD)
    result = run("check", "--since", "main")
    expect(result, 4, f"{SETTINGS}:1:1: error: the change relaxes the settings")


# Submodules


@pytest.mark.parametrize("before", [True, False])
def test_a_submodule_in_the_place_of_adrs(before: bool, repository: Repository, run: Run) -> None:
    """Attack by an author who hides an error: ADRs put behind a submodule; an ADR replaced by a link to another ADR.
    Answer: `gate-relaxed`, whatever `.gitmodules` says.
    Shown by: `test_a_submodule_in_the_place_of_adrs`, `test_an_adr_that_becomes_another_name_of_one_is_gone`.
    """
    if before:
        repository.stage(PATH, GOOD.replace("Accepted", "Proposed"))
    branch(repository)
    shutil.rmtree(repository.root / "docs", ignore_errors=True)
    repository.git("rm", "--quiet", "-r", "--cached", "--ignore-unmatch", "docs")
    submodule(repository, "docs/adr")
    repository.stage(
        ".gitmodules", '[submodule "adr"]\n\tpath = docs/adr\n\turl = ../adr\n\tignore = all\n'
    )
    result = run("check", "--since", "main")
    expect(result, 4, "docs/adr:1:1: error: the change puts a submodule")
    for arguments in ((), ("--staged", "--all"), ("--staged", "docs/adr")):
        result = run("check", *arguments)
        expect(result, 0, "docs/adr: not checked: this is a submodule")
    repository.commit()
    repository.git("branch", "--force", "main")
    assert run("check", "--since", "main").code == 0


def test_an_adr_replaced_by_a_submodule(branched: Repository, run: Run) -> None:
    branched.git("rm", "--quiet", "--cached", PATH)
    (branched.root / PATH).unlink()
    submodule(branched, PATH)
    branched.git("config", "diff.ignoreSubmodules", "all")
    result = run("check", "--since", "main")
    expect(result, 1, "the change puts a submodule")


# What git can be told


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_does_not_look_at_is_checked(flag: str, repository: Repository, run: Run) -> None:
    """Attack by a hostile ADR: assume-unchanged, skip-worktree, `-diff`, `binary`, `working-tree-encoding`, replaced objects, `core.symlinks=false`.
    Answer: they hide nothing: `check` reads the disk, `--staged` and `--since` read the index.
    Shown by: `test_what_git_does_not_look_at_is_checked`, `test_attributes_and_settings_of_git_hide_nothing`, `test_objects_put_in_the_place_of_others_are_not_read`, `test_links_that_were_checked_out_as_text`.
    """
    repository.stage(PATH, GOOD)
    repository.commit()
    repository.git("update-index", flag, PATH)
    repository.write(PATH, REWRITTEN)
    for arguments in ((), (PATH,)):
        assert "[accepted-changed]" in run("check", *arguments).out, "the disk counts"
    assert run("check", "--staged", "--all").code == 0, "the index counts"
    repository.write(PATH, BAD)
    assert run("check").code == 1


def test_adrs_that_a_sparse_checkout_left_out_are_read_from_the_index(
    repository: Repository, run: Run
) -> None:
    repository.stage(PATH, BAD)
    repository.stage(
        "docs/adr/0008-other.md", GOOD.replace("# 7.", "# 8.") + "\nSee [ADR-7](0007-kafka.md).\n"
    )
    repository.stage("src/x.py", "")
    repository.commit()
    repository.git("sparse-checkout", "set", "--cone", "src")
    assert not (repository.root / PATH).exists()
    for arguments in ((), ("docs/adr",), (PATH,), ("--staged", "--all")):
        result = run("check", *arguments)
        expect(result, 1, "unknown status 'Acepted'", times=1)
        assert "[referenced-file-missing]" not in result.out
        assert "[dangling-reference]" not in result.out


@pytest.mark.parametrize(
    "attributes", ["-diff", "binary", "-text", "filter=x", "working-tree-encoding=UTF-16"]
)
@pytest.mark.parametrize(
    "settings",
    ["", "core.fileMode=false core.ignoreCase=true core.quotePath=true diff.renames=false"],
)
@pytest.mark.sampled
def test_attributes_and_settings_of_git_hide_nothing(
    attributes: str, settings: str, repository: Repository, run: Run
) -> None:
    plan = f"---\nconcept: ../plans/große Pläne.md\n---\n{GOOD}\n## Rollback\n\nA plan.\n"
    repository.stage("docs/adr/0006-plan.md", plan.replace("# 7.", "# 6."))
    repository.stage("docs/plans/große Pläne.md", "## Rollback\n\nA plan.\n")
    repository.stage(PATH, GOOD)
    branch(repository)
    for setting in settings.split():
        repository.git("config", *setting.split("="))
    repository.write(".gitattributes", f"*.md {attributes}\n")
    concept = "## Security\n\nA plan.\n"
    for path, text in {PATH: REWRITTEN, "docs/plans/große Pläne.md": concept}.items():
        repository.write("blob", text)
        blob = repository.git("hash-object", "-w", "--no-filters", "blob").stdout.strip()
        repository.git("update-index", "--cacheinfo", f"100644,{blob},{path}")
    for arguments in (("--staged",), ("--since", "main")):
        out = run("check", *arguments).out
        assert "[accepted-changed]" in out and "'Security'" in out, out


def test_links_that_were_checked_out_as_text(repository: Repository, run: Run) -> None:
    repository.stage("notes/real.md", GOOD)
    repository.stage("conf/hooks.yaml", "severities:\n  section-missing: error\n")
    link(repository, PATH, "../../notes/real.md")
    link(repository, SETTINGS, "conf/hooks.yaml")
    repository.commit()
    repository.git("config", "core.symlinks", "false")
    for path in (PATH, SETTINGS):
        (repository.root / path).unlink()
        repository.git("checkout", "--", path)
        assert stat.S_ISREG(os.lstat(repository.root / path).st_mode)
    for result in (run("check"), run("check", "--staged", "--all")):
        expect(result, 1, f"{PATH} is a symbolic link")


def test_objects_put_in_the_place_of_others_are_not_read(branched: Repository, run: Run) -> None:
    base = branched.git("rev-parse", f"HEAD:{PATH}").stdout.strip()
    parent = branched.git("rev-parse", "HEAD").stdout.strip()
    branched.stage(PATH, REWRITTEN)
    branched.commit()
    changed, head = (
        branched.git("rev-parse", name).stdout.strip() for name in (f"HEAD:{PATH}", "HEAD")
    )
    branched.git("replace", base, changed)
    assert "[accepted-changed]" in run("check", "--since", "main").out
    branched.git("replace", "-d", base)
    branched.git("replace", parent, head)
    assert "[accepted-changed]" in run("check", "--since", "main").out


def test_a_target_that_is_no_text_is_a_finding(change: Repository, run: Run) -> None:
    os.makedirs("docs/adr")
    os.symlink(b"../../notes/re\xffal.md", PATH)
    change.git("add", "--all")
    for result in everywhere(run):
        expect(result, 1, "[file-unreadable]")


def test_a_split_index_hides_no_link(change: Repository, run: Run) -> None:
    change.stage("notes/real.md", BAD)
    link(change, PATH, "../../notes/real.md")
    change.git("update-index", "--split-index")
    assert run("check", "--staged", "--all").code == 1


def test_a_target_without_end_is_not_followed() -> None:
    target = "folder/../" * trees.LONGEST_TARGET
    place = trees.resolve(
        "link", lambda path: (trees.LINK, f"{target}x.md") if path == "link" else (trees.FOLDER, "")
    )
    assert (place.kind, place.reason) == (
        trees.WRONG,
        "link is a symbolic link that leads to nothing in the repository",
    )


def test_a_way_of_many_links_ends() -> None:
    ends = {f"{number}": (trees.LINK, f"{number + 1}") for number in range(100)} | {
        "100": (trees.FILE, "")
    }

    def look(path: str) -> tuple[str, str]:
        return ends.get(path, (trees.NOTHING, ""))

    assert trees.resolve(str(100 - trees.MOST_LINKS), look).path == "100"
    assert "is part of a loop" in trees.resolve(str(99 - trees.MOST_LINKS), look).reason


def test_a_baseline_is_not_written_through_a_link_that_leads_out(
    repository: Repository, run: Run
) -> None:
    """Attack by a hostile ADR: writing a baseline through a link that leads out of the repository.
    Answer: exit 2, and nothing is written.
    """
    outside = repository.root.parent / "outside.json"
    outside.write_text("mine", encoding="utf-8")
    repository.stage("docs/adr/0007-kafka.md", "# 7. Kafka\n")
    (repository.root / ".helix-baseline.json").symlink_to(outside)
    result = run("check", "--write-baseline")
    assert (result.code, outside.read_text(encoding="utf-8")) == (2, "mine")
    reason = "a symbolic link that leads out of the repository; nothing is written there"
    assert f".helix-baseline.json is {reason}" in result.err


@pytest.mark.parametrize(
    ("folder", "target", "code"),
    [("docs/adr", "free", 1), ("docs/adr", "decisions", 4), ("docs", "free", 4)],
)
def test_a_folder_of_adrs_that_becomes_a_link_is_a_question(
    folder: str, target: str, code: int, branched: Repository, run: Run
) -> None:
    """The owners of the new folder in CODEOWNERS are others."""
    branched.git("mv", folder, target)
    link(branched, folder, f"../{target}" if "/" in folder else target)
    expect(run("check", "--since", "main"), code, f"{folder}:1:1: error: the ADR was replaced")
    branched.stage(PATH.replace(folder, target), REWRITTEN)
    assert ("[accepted-changed]" in run("check", "--since", "main").out) == (code == 4)
