"""What is checked is the staged content: in real repositories, with unstaged edits on top and every kind of path.

Attack by a hostile ADR: a path that git would take for a pattern or an option.
Answer: paths are passed literally, behind `--`.
Shown by: `tests/stories/check/test_staged.py`.

Attack by an author who hides an error: a tag named like the base branch; a checkout filter; an ADR that becomes a link; a base that moved on.
Answer: refused, not read, reported.
Shown by: `tests/stories/check/test_staged.py`, `test_a_file_that_becomes_a_link_and_back`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.stories.check.samples import GOOD, expect

BAD = GOOD.replace("Accepted", "Acepted")
PATH = "docs/adr/0007-kafka.md"


def test_the_staged_content_counts_not_the_work_tree(repository: Repository, run: Run) -> None:
    repository.stage(PATH, BAD)
    repository.write(PATH, GOOD)
    assert "unknown status 'Acepted'" in run("check", "--staged").out
    repository.stage(PATH, GOOD)
    repository.write(PATH, BAD)
    assert run("check", "--staged", PATH).code == 0
    assert run("check", PATH).code == 1


def test_before_the_first_commit_and_after(repository: Repository, run: Run) -> None:
    repository.stage(PATH, BAD)
    assert run("check", "--staged").code == 1
    repository.commit()
    result = run("check", "--staged")
    assert (result.code, result.err) == (0, "helix-hooks: no ADR to check\n")
    assert run("check").code == 1


def test_settings_rules_and_concept_are_staged_too(repository: Repository, run: Run) -> None:
    repository.stage(PATH, GOOD)
    repository.write(".helix-hooks.yaml", "template: [broken\n")
    assert run("check", "--staged").code == 0, "an unstaged settings file is not part of the commit"
    repository.stage(".helix-hooks.yaml", "severities:\n  section-missing: off\n")
    repository.write(".helix-hooks.yaml", "template: [broken\n")
    assert run("check", "--staged").code == 0
    repository.stage("docs/adr/0007-kafka.concept.md", "## Migration\n\nA plan.\n")
    repository.write("docs/adr/0007-kafka.concept.md", "## Context\n\nx\n")
    lost = "'Migration' (docs/adr/0007-kafka.concept.md:1) is missing from the ADR"
    assert lost in run("check", "--staged", PATH).out


def test_colours_that_are_always_on_hide_no_concept(repository: Repository, run: Run) -> None:
    """Attack by a hostile ADR: git settings that always add colours to its output.
    Answer: git is called with colours switched off.
    """
    repository.git("config", "color.ui", "always")
    repository.stage(PATH, f"---\nconcept: ../plans/kafka.md\n---\n{GOOD}")
    repository.stage("docs/plans/kafka.md", "## Context\n\nx\n")
    repository.commit()
    repository.stage("docs/plans/kafka.md", "## Rollback\n\nA plan.\n")
    assert run("check", "--staged", "--matching", "docs/plans/kafka.md").code == 1


def test_a_concept_named_in_the_header_must_be_tracked(repository: Repository, run: Run) -> None:
    repository.stage(PATH, f"---\nconcept: docs/kafka.md\n---\n{GOOD}")
    repository.write("docs/kafka.md", "## Context\n\nx\n")
    assert "the repository has no such file" in run("check", "--staged").out
    assert "the repository has no such file" in run("check", PATH).out
    repository.git("add", "docs/kafka.md")
    assert run("check", "--staged").code == 0 == run("check", PATH).code


def test_a_huge_file_is_one_line_and_the_others_are_checked(
    repository: Repository, run: Run
) -> None:
    repository.stage(PATH, "x" * 10_000_000)
    repository.stage("docs/adr/0008-other.md", BAD)
    result = run("check", "--staged")
    assert "larger than 1 MB" in result.out and "unknown status 'Acepted'" in result.out
    assert run("check", "--staged", PATH).out.startswith(run("check", PATH).out)


def test_an_unfinished_merge(decided: Repository, run: Run) -> None:
    decided.git("checkout", "--quiet", "-b", "side")
    decided.stage(PATH, GOOD.replace("Accepted", "Rejected"))
    decided.commit()
    decided.git("checkout", "--quiet", "main")
    decided.stage(PATH, GOOD.replace("Accepted", "Proposed"))
    decided.commit()
    assert decided.git("merge", "side", check=False).returncode
    for arguments in (("--staged", PATH), ("--since", "side")):
        assert "the merge of this file is not finished" in run("check", *arguments).out
    assert "[merge-conflict]" in run("check", PATH).out


def test_an_unfinished_merge_of_the_settings(repository: Repository, run: Run) -> None:
    settings = ".helix-hooks.yaml"
    repository.stage(settings, 'paths: ["a/*.md"]\n')
    repository.commit()
    repository.git("branch", "side")
    for branch in ("main", "side"):
        repository.git("checkout", "--quiet", branch)
        repository.stage(settings, f'paths: ["{branch}/*.md"]\n')
        repository.commit()
    assert repository.git("merge", "main", check=False).returncode
    result = run("check", "--staged")
    assert (result.code, result.out) == (2, "")
    assert f"{settings}:1: the merge of this file is not finished" in result.err


@pytest.mark.parametrize(
    "name",
    [
        "0007 mit Leerzeichen.md",
        "0007-über-größe.md",
        "0007-[brackets]*.md",
        ":(top)0007.md",
        "-0007.md",
        "0007-日本.md",
        "H 0007.md",
    ],
)
def test_names_are_taken_literally(name: str, repository: Repository, run: Run) -> None:
    repository.stage(f"docs/adr/{name}", BAD)
    assert run("check", "--staged").out.startswith(f"docs/adr/{name}:5:1: error")
    assert run("check").out.startswith(f"docs/adr/{name}:5:1: error")


@pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="these file systems have no such names"
)
def test_names_that_are_no_text(repository: Repository, run: Run) -> None:
    for number, name in enumerate((b"0001-new\nline.md", b"0002-\xff.md", b"0003-\x1b[31m.md"), 1):
        os.makedirs("docs/adr", exist_ok=True)
        with open(b"docs/adr/" + name, "wb") as file:
            file.write(BAD.replace("# 7.", f"# {number}.").encode())
    repository.git("add", ".")
    result = run("check", "--staged")
    assert result.out.count("unknown status") == 3
    assert "0001-new\\nline.md:5:1" in result.out and "\x1b" not in result.out
    assert run("check").out == result.out.partition("\n\nSee also")[0] + "\n"
    assert run("check", "--staged", "--format", "json").code == 1
    assert run("check", "--staged", "--format", "github").out.count("\n") == 3


def test_from_a_folder_below_the_root(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stage(PATH, BAD)
    monkeypatch.chdir(repository.root / "docs")
    assert run("check", "--staged", "adr/0007-kafka.md").out.startswith(f"{PATH}:5:1")
    assert run("check", "adr").out.startswith(f"{PATH}:5:1")
    assert run("check", "--staged", "nowhere.md").code == 2


def test_a_partial_commit_by_git_itself(repository: Repository) -> None:
    hook = repository.write(
        ".git/hooks/pre-commit",
        f"#!/bin/sh\nexec '{sys.executable}' -I -m helix_hooks check --staged\n",
    )
    hook.chmod(0o755)
    repository.stage("docs/adr/0008-other.md", BAD)
    repository.stage(PATH, GOOD)
    assert repository.git("commit", "--message", "all", check=False).returncode == 1
    assert repository.git("commit", "--message", "one", "--", PATH, check=False).returncode == 0
    repository.write(PATH, BAD)
    assert repository.git("commit", "--message", "edited", "--", PATH, check=False).returncode == 1
    assert repository.git("commit", "--all", "--message", "edited", check=False).returncode == 1


def test_a_path_that_is_only_intended_to_be_added_has_no_content_yet(
    repository: Repository, run: Run
) -> None:
    repository.stage("README.md", "x\n")
    repository.commit()
    repository.write(PATH, BAD)
    repository.git("add", "--intent-to-add", PATH)
    assert run("check", "--staged").err == "helix-hooks: no ADR to check\n"
    repository.git("add", PATH)
    assert run("check", "--staged").code == 1


def test_a_linked_work_tree_has_an_index_of_its_own(
    decided: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = decided.root.parent / "linked"
    decided.git("worktree", "add", "--quiet", str(linked))
    monkeypatch.chdir(linked)
    (linked / PATH).write_text(BAD)
    assert run("check", "--staged", PATH).code == 0
    subprocess.run(["git", "add", PATH], cwd=linked, check=True)
    assert run("check", "--staged", PATH).code == 1
    assert run("check").code == 1
    monkeypatch.chdir(decided.root)
    assert run("check", "--staged", PATH).code == 0


@pytest.mark.parametrize("option", ["--fail-onn", "--fail-on-warning", "--quite", "-x"])
def test_a_misspelt_option_of_a_hook_is_no_path(
    option: str, repository: Repository, run: Run
) -> None:
    repository.stage(PATH, GOOD)
    result = run("check", "--staged", "--matching", option, PATH)
    assert result.code == 2 and option in result.err


def test_a_folder_that_begins_with_a_hyphen(repository: Repository, run: Run) -> None:
    repository.stage("-d/adr/0007-kafka.md", BAD)
    assert "unknown status" in run("check", "--staged", "--matching", "-d/adr/0007-kafka.md").out


def test_wrong_paths(repository: Repository, run: Run) -> None:
    repository.write("here.md", GOOD)
    for arguments, message in (
        (["nowhere.md"], "nowhere.md: there is no such file"),
        (["--staged", "nowhere.md"], "nowhere.md: the index has no such file"),
        (["--staged", "here.md"], "here.md: the index has no such file; `git add` it first"),
    ):
        assert run("check", *arguments).err == f"helix-hooks: {message}\n"


def test_the_check_never_loads_what_it_does_not_need(repository: Repository) -> None:
    repository.stage(PATH, GOOD)
    program = (
        "import sys; from helix_hooks.cli.main import main; main(['check', '--staged', '--matching', sys.argv[1]]);"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, PATH], capture_output=True, text=True, check=True
    )
    loaded = {*done.stdout.splitlines()[-1].split()}
    unused = {"json", "tomllib", "concurrent.futures", "jsonschema_rs", "git", "github"}
    assert "helix_hooks.check.run" in loaded
    assert not loaded & {*unused, "helix_hooks.config.watched"}


def test_the_whole_index_is_checked(repository: Repository, run: Run) -> None:
    repository.stage(PATH, GOOD)
    repository.stage("backend/adr/0001-x.md", BAD.replace("# 7.", "# 1."))
    repository.commit()
    repository.write(PATH, BAD)
    result = run("check", "--staged", "--all")
    expect(result, 1, "2 ADRs checked: 1 error, no warnings\n")
    assert result.out.startswith("backend/adr/0001-x.md:5:1")
    assert run("check", "--staged", "--all", PATH).code == 2 == run("check", "--all").code


def test_a_merge_is_measured_by_both_sides(repository: Repository, run: Run) -> None:
    repository.stage(PATH, GOOD)
    repository.stage("docs/adr/0008-other.md", GOOD.replace("# 7.", "# 8."))
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.stage(
        PATH, GOOD.replace("Accepted", "Deprecated") + "\n## Amendments\n\nNot any more.\n"
    )
    repository.commit()
    repository.git("checkout", "--quiet", "main")
    repository.stage("docs/adr/0009-new.md", GOOD.replace("# 7.", "# 9."))
    repository.commit()
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "side")
    assert run("check", "--staged", PATH).out == "1 ADR checked: no findings\n", (
        "what the other side did was decided there"
    )
    repository.stage(PATH, GOOD.replace("Accepted", "Proposed"))
    assert "[status-transition]" in run("check", "--staged", PATH).out, (
        "what neither side did, is this merge's"
    )


def test_since_without_commits_or_history(repository: Repository, run: Run, tmp_path: Path) -> None:
    repository.stage(PATH, GOOD)
    reason = "--since main: there is no such revision, and no commit yet"
    expect(run("check", "--since", "main"), 2, err=f"helix-hooks: {reason}\n")
    repository.commit()
    assert run("check", "--since", "nowhere").code == 2
    assert run("check", "--since", "--version").code == 2
    repository.git("checkout", "--quiet", "--orphan", "other")
    repository.commit("another beginning")
    reason = "not checked: gate-relaxed: main and HEAD share no history"
    expect(run("check", "--since", "main"), 3, reason)


def test_a_shallow_clone_says_what_it_could_not_check(
    repository: Repository, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stage(PATH, GOOD + "\n[x](nowhere.md)\n")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.stage(PATH, GOOD + "\n[x](nowhere.md) and so on\n")
    repository.commit()
    clone = tmp_path / "clone"
    source = f"file://{repository.root}"
    repository.git("clone", "--quiet", "--depth=1", "--no-single-branch", source, str(clone))
    monkeypatch.chdir(clone)
    result = run("check", "--since", "origin/main", "--format", "json")
    report = json.loads(result.out)
    assert result.code == 3 and report["files"][0]["findings"] == []
    assert [(skip["check"], skip["path"]) for skip in report["skipped"]] == [
        ("referenced-file-missing", PATH), ("gate-relaxed", ""), ("accepted-changed", ""), ("status-transition", "")
    ]  # fmt: skip
    assert all("shallow" in skip["reason"] for skip in report["skipped"])
    assert run("check", "--since", "origin/gone").err.endswith(
        "this clone is shallow, fetch it first (`git fetch --unshallow`, or fetch-depth: 0)\n"
    )


def test_numbers_that_the_other_branch_has_taken(decided: Repository, run: Run) -> None:
    decided.git("checkout", "--quiet", "-b", "side")
    decided.stage("docs/adr/0008-mine.md", GOOD.replace("# 7.", "# 8."))
    decided.commit()
    assert run("check", "--since", "main").code == 0
    decided.git("checkout", "--quiet", "main")
    decided.stage("docs/adr/0008-theirs.md", GOOD.replace("# 7.", "# 8."))
    decided.commit()
    decided.git("checkout", "--quiet", "side")
    taken = "the id 008 is also used by docs/adr/0008-theirs.md on the other branch"
    assert taken in run("check", "--since", "main").out


def test_links_in_paths_with_blanks_umlauts_and_line_ends(repository: Repository, run: Run) -> None:
    repository.stage("docs/adr/große Übersicht.md", "x\n")
    repository.stage("docs/adr/0008-new\nline.md", GOOD.replace("# 7.", "# 8."))
    repository.stage(
        PATH,
        GOOD
        + "\n[a](gro%C3%9Fe%20%C3%9Cbersicht.md) [b](<große Übersicht.md>) [c](<keine Übersicht.md>) [d](0008-new%0Aline.md)\n",
    )
    result = run("check", "--staged")
    assert result.out.count("[referenced-file-missing]") == 1
    assert "keine Übersicht.md, which does not exist" in result.out
    repository.commit()
    repository.git("mv", "docs/adr/0008-new\nline.md", "docs/adr/0008-new\nname.md")
    repository.commit()
    assert "it is now docs/adr/0008-new\\nname.md" in run("check").out


def test_a_submodule_is_another_repositorys_business(repository: Repository, run: Run) -> None:
    other = repository.root.parent / "other"
    other.mkdir()
    library = Repository(other)
    library.stage("adr/0007-x.md", BAD)
    library.commit()
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "lib"
    )
    repository.stage(PATH, GOOD + "\n[a](../../lib/adr/0007-x.md) `lib/adr/0009-y.md`\n")
    for arguments in ((), ("--staged",), ("--staged", "--all")):
        assert run("check", *arguments).out == "1 ADR checked: no findings\n", arguments
    (repository.root / "lib" / "adr" / "0007-x.md").unlink()
    assert run("check").code == 0


def test_what_a_build_writes_is_not_missed(repository: Repository, run: Run) -> None:
    repository.stage(".gitignore", "build/\n")
    repository.stage("src/x.py", "")
    repository.stage(PATH, GOOD + "\nSee `build/report.html` and [it](../../build/report.html).\n")
    repository.write("build/report.html", "")
    assert run("check", "--staged").out == "1 ADR checked: no findings\n"
    assert run("check").out == "1 ADR checked: no findings\n"


def test_gone_and_moved_are_told_from_history(repository: Repository, run: Run) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    for path in ("src/gone.py", "src/moved.py", "src/twice.py", "old/a.py", "docs/gone.md"):
        repository.stage(path, f"{path}\n{text}")
    repository.stage("src/stays.py", "")
    repository.commit("add")
    repository.git("mv", "src/twice.py", "src/second.py")
    repository.commit("move")
    repository.git("rm", "--quiet", "src/gone.py", "src/second.py", "docs/gone.md")
    repository.git("mv", "src/moved.py", "src/there.py")
    repository.git("mv", "old", "new")
    repository.commit("move")
    gone = repository.git("rev-parse", "--short", "HEAD").stdout.strip()
    links = "[a](../../src/gone.py) [b](../../src/moved.py) [c](../../src/twice.py) [d](../gone.md)"
    more = "`src/never.py` `src/gone.py` [folder](../../old/) [never](../../never/x.md)"
    repository.stage(PATH, f"{GOOD}\n{links} {more}\n")
    out = run("check", "--staged").out
    link = "the link points to ../../src/gone.py, which was deleted"
    assert f"info: {link} [referenced-file-missing]" in out and f"it was deleted in {gone};" in out
    assert "warning: the link points to ../gone.md, which was deleted" in out, "a document"
    assert "../../src/twice.py, which was moved and later deleted" in out
    assert "the text names src/gone.py" not in out, "a path in backticks is history"
    assert "the link points to ../../src/moved.py, which has moved" in out
    assert "it is now src/there.py" in out
    assert "src/never.py, which" not in out
    assert "the link points to ../../old/, which was deleted" in out
    assert "warning: the link points to ../../never/x.md, which does not exist" in out
    assert run("check").out == out
    repository.stage(PATH, f"{GOOD.replace('Accepted', 'Proposed')}\n{links}\n")
    assert f"warning: {link}" in run("check", "--staged").out, "of a proposal"
    header = '---\nadr_id: "008"\ntitle: x\nstatus: Accepted\n---\n\n# ADR-008: x\n'
    repository.stage("docs/adr/0008-x.md", f"{header}\n## Context\n\nSee `src/gone.py`.\n")
    assert "the text names src/gone.py" in run("check", "--staged").out, "of the template helix"


def test_write_baseline_and_live_with_it(repository: Repository, run: Run) -> None:
    repository.stage(PATH, BAD)
    result = run("check", "--write-baseline")
    advice = "add it to the settings: `baseline: .helix-baseline.json`"
    written = f".helix-baseline.json: 1 findings recorded; {advice}\n"
    assert (result.code, result.out) == (0, written)
    counted = run("check", "--baseline", ".helix-baseline.json").out
    assert counted == "1 ADR checked: no findings, 1 suppressed\n"
    repository.write(".helix-hooks.yaml", "baseline: .helix-baseline.json\n")
    assert run("check").code == 0
    repository.write(PATH, GOOD)
    assert "[baseline-stale]" in run("check").out
    assert run("check", "--write-baseline").out == ".helix-baseline.json: 0 findings recorded\n"
    assert run("check").out == "1 ADR checked: no findings\n"
    assert run("check", "--write-baseline", PATH).code == 2
    repository.write(".helix-hooks.yaml", "baseline: ../x.json\n")
    assert run("check").code == 2


def test_a_baseline_has_no_entry_that_would_be_stale_at_once(
    repository: Repository, run: Run
) -> None:
    repository.stage(
        PATH,
        "<!-- helix-disable placeholder - never needed here -->\n# 7. Use Kafka\n\nWe use it.\n",
    )
    assert "[suppression-invalid]" in run("check").out
    result = run("check", "--write-baseline")
    assert "fix the other 1, which no baseline can leave out" in result.out
    repository.stage(".helix-hooks.yaml", "baseline: .helix-baseline.json\n")
    assert "suppression-invalid" not in (repository.root / ".helix-baseline.json").read_text()
    assert "[baseline-stale]" not in run("check").out


def test_a_tag_named_like_the_branch_is_no_way_around(decided: Repository, run: Run) -> None:
    decided.git("checkout", "--quiet", "-b", "change")
    decided.stage(PATH, GOOD.replace("## Decision\n\nKafka.", "## Decision\n\nWe use Pulsar."))
    assert "[accepted-changed]" in run("check", "--since", "main").out
    decided.git("tag", "main")
    result = run("check", "--since", "main")
    reason = "this is ambiguous (refs/tags/main or refs/heads/main); write one of them in full"
    assert (result.code, result.err) == (2, f"helix-hooks: --since main: {reason}\n")
    assert "[accepted-changed]" in run("check", "--since", "refs/heads/main").out


def test_what_is_merged_is_read_not_what_a_filter_makes_of_it(
    decided: Repository, run: Run
) -> None:
    decided.git("checkout", "--quiet", "-b", "change")
    decided.stage(".gitattributes", "docs/adr/*.md working-tree-encoding=IBM037\n")
    decided.write("blob", GOOD.encode("cp037"))
    blob = decided.git("hash-object", "-w", "--no-filters", "blob").stdout.strip()
    decided.git("update-index", "--cacheinfo", f"100644,{blob},{PATH}")
    decided.commit()
    assert run("check", "--since", "main").code == 1


def test_a_decision_taken_on_the_other_branch_meanwhile(repository: Repository, run: Run) -> None:
    proposed = GOOD.replace("Accepted", "Proposed")
    repository.stage(PATH, proposed)
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    repository.stage(PATH, proposed.replace("Decision\n\nKafka.", "Decision\n\nWe use Pulsar."))
    repository.commit()
    assert run("check", "--since", "main").code == 0
    repository.git("checkout", "--quiet", "main")
    repository.stage(PATH, GOOD)
    repository.commit()
    repository.git("checkout", "--quiet", "change")
    changed = "the target branch has changed the status of this ADR from Proposed to Accepted"
    assert changed in run("check", "--since", "main").out
