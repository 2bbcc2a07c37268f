"""What a hostile round against `approve` found, each with the case that showed it."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_hooks.judge import workspace
from helix_hooks.verdict.quote import place_of
from tests.conftest import Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import approve, program
from tests.fakes.scripted_model import Model
from tests.stories.approve.scene import ADR, APPROVES, SECOND, Place, left_behind, main_has, outcome

CODE = SECOND + "approvals:\n  adr: {}\n  code: {paths: ['src/**'], checks: [tests]}\n"


def test_what_is_moved_away_is_for_a_person(change: Repository, place: Place) -> None:
    main_has(change, "config/approvals.yaml", CODE)
    change.git("mv", "src/orders.py", "orders.py")
    change.commit()
    assert approve("--base", "main", "--type", "code", env=place({"answer": {}})).returncode == 4


def test_a_submodule_is_not_reviewed(change: Repository, place: Place) -> None:
    main_has(change, "config/approvals.yaml", CODE)
    head = change.git("rev-parse", "HEAD").stdout.strip()
    change.git("update-index", "--add", "--cacheinfo", f"160000,{head},src/vendored")
    change.commit()
    done = approve("--base", "main", "--head", "HEAD", "--type", "code", env=place({"answer": {}}))
    assert done.returncode == 3 and "src/vendored is not a regular file" in done.stdout


@pytest.mark.double
def test_attributes_do_not_blind_the_change(
    change: Repository, place: Place, good: Model, tmp_path: Path
) -> None:
    """Attack on the judge: `.ignore` and `-diff` that hide files from search and from the diff.
    Answer: not copied; the diff takes every file for text.
    """
    change.stage(".gitattributes", "*.md -diff binary\n")
    change.stage(".ignore", "docs/\n")
    change.commit()
    assert approve("--base", "main", "--keep-workspace", env=place(model=good)).returncode == 0
    (folder,) = (tmp_path / "tmp").glob("helix-judge-*")
    assert "+We will use Kafka" in (folder / "judge/change.diff").read_text()
    assert not (folder / "repo/.ignore").exists()


def test_cleaning_up_touches_nothing_above(tmp_path: Path) -> None:
    """Attack on the judge: folders without rights or end, a workspace that is gone.
    Answer: removed, and nothing above is touched.
    """
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o1777)
    folder = above / "gone"
    workspace.Workspace(str(folder)).remove()
    folder.mkdir()
    inner = folder / "a/b/c"
    inner.mkdir(parents=True)
    (inner / "d").write_text("d")
    for closed in (inner, inner.parent, inner.parent.parent):
        closed.chmod(0)
    workspace.Workspace(str(folder)).remove()
    assert not folder.exists() and above.stat().st_mode & 0o7777 == 0o1777


@pytest.mark.further
def test_folders_without_end_are_cleaned_up(tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    before = os.getcwd()
    os.chdir(folder)
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(before)
    try:
        workspace.Workspace(str(folder)).remove()
        assert not folder.exists()
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)  # pytest itself could not


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_stopped_before_a_judge_is_asked(
    change: Repository, place: Place, tmp_path: Path, number: signal.Signals
) -> None:
    environment = place(APPROVES)
    slow = Path(environment["PATH"].split(os.pathsep)[0]) / "git"
    begun, git = shlex.quote(str(tmp_path / "begun")), shlex.quote(str(shutil.which("git")))
    wait = f'case "$*" in *"add -A"*) touch {begun}; sleep 2;; esac'
    slow.write_text(f'#!/bin/sh\n{wait}\nexec {git} "$@"\n')
    slow.chmod(0o755)
    change.write("untracked.txt", "more\n")
    process = subprocess.Popen(
        [str(Path(sys.executable).parent / "helix-hooks"), "approve", ADR],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 20
    while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (3, "helix-hooks: the run was stopped\n")
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ("folder", "it is not a regular file"),
        ("link", "it is not a regular file"),
        ("pipe", "it is not a regular file"),
        ("text", "not a result of an earlier run"),
        (ADR, "not a result of an earlier run"),
        ("nowhere/result.json", "there is no such folder"),
    ],
)
def test_a_result_overwrites_nothing_else(
    change: Repository, place: Place, there: str, message: str
) -> None:
    (change.root / "folder").mkdir()
    (change.root / "link").symlink_to(ADR)
    os.mkfifo(change.root / "pipe")
    change.write("text", "precious\n")
    before = (change.root / ADR).read_text()
    done = approve("--base", "main", "--result", there, env=place(APPROVES))
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
    assert (change.root / ADR).read_text() == before
    assert (change.root / "text").read_text() == "precious\n"


def test_a_tracked_result_is_not_overwritten(change: Repository, place: Place) -> None:
    change.stage("result.json", '{"result": "approved"}')
    assert "tracked by git" in approve(ADR, "--result", "result.json", env=place()).stderr


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["with:colon", 'with"quote', "with\nnewline", "mit Ümlaut"])
def test_a_repository_at_an_odd_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Place, name: str
) -> None:
    root = tmp_path / name
    root.mkdir()
    monkeypatch.chdir(root)
    repository = Repository(root)
    lay_out(repository)
    repository.write(ADR, (root / ADR).read_text() + "\nMore.\n")
    done = approve(ADR, env={**place(APPROVES), "TMPDIR": str(root.parent)})
    assert done.returncode == 0, done.stderr


def test_what_nobody_reviews_and_git_can_not_add_stops_nobody(
    change: Repository, place: Place
) -> None:
    subprocess.run(["git", "init", "--quiet", "scratch"], cwd=change.root, check=True)
    assert approve(ADR, env=place(APPROVES)).returncode == 0


@pytest.mark.parametrize("name", ["GIT_GLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"])
def test_git_is_told_how_paths_are_meant(change: Repository, place: Place, name: str) -> None:
    assert approve("--base", "main", env={**place(APPROVES), name: "1"}).returncode == 0


@pytest.mark.further
def test_without_standard_error(change: Repository, place: Place) -> None:
    program = Path(sys.executable).parent / "helix-hooks"
    done = subprocess.run(
        ["sh", "-c", '"$0" approve --base main 2>&-', program],
        env=place(APPROVES),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.further
def test_a_cascade_of_many(change: Repository, place: Place) -> None:
    types = "".join(
        f"  t{n}: {{paths: ['src/**'], checks: [tests], after: adr}}\n  u{n}: {{paths: ['src/**'], checks: [tests], after: t{n}}}\n"
        for n in range(8)
    )
    change.git("checkout", "--quiet", "main")
    for n in range(8):
        for name in (f"t{n}", f"u{n}"):
            change.stage(f"approvals/{name}/CLAUDE.md", "# Approval: t\n\nJudge.\n")
            change.stage(
                f"approvals/{name}/checks/tests.md", "# Check: tests\n\nAre there tests?\n"
            )
    change.stage("config/approvals.yaml", f"{SECOND}approvals:\n  adr: {{}}\n{types}")
    change.commit()
    change.git("checkout", "--quiet", "change")
    change.git("rebase", "--quiet", "main")
    change.stage("src/orders.py", "x = 1\n")
    change.commit()
    done = approve(
        "--base", "main", "--format", "json", env=place({"answer": {"result": "rejected"}})
    )
    found = outcome(done)
    assert done.returncode == 1
    assert [verdict["approval_type"] for verdict in found["approvals"]] == ["adr"]
    assert len(found["not_judged"]) == 16
    assert {entry["result"] for entry in found["not_judged"]} == {"rejected"}


def test_a_review_that_dies_is_no_approval(change: Repository, place: Place) -> None:
    """Attack on the judge: a thread that dies, a race in a cascade.
    Answer: no verdict for what has none.
    Shown by: `test_a_review_that_dies_is_no_approval`, `test_a_cascade_of_many`.
    """
    main_has(change, "config/approvals.yaml", SECOND)
    program = "import sys; from helix_hooks.cli import main; from helix_hooks.judge import store\n"
    program += "def boom(*_): raise MemoryError\nstore.{}=boom; sys.argv=['x','approve','--base','main']; main.console()"
    for name, code in (("remember", 1), ("key", 3)):
        command = [sys.executable, "-c", program.format(name)]
        done = subprocess.run(
            command,
            env=place({"answer": {"result": "rejected"}}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code and "decision: approved" not in done.stdout


@pytest.mark.further
def test_a_quote_that_stands_everywhere_is_found_in_one_pass() -> None:
    text = "a\n" * 300_000
    assert [place_of("a a a", text, 1) for _ in range(50)] == [(1, 3)] * 50


@pytest.mark.skipif(
    not os.path.isdir("/proc/self/task"), reason="only Linux shows environments as files"
)
def test_a_judge_can_not_read_the_environment_of_its_parent(
    change: Repository, place: Place
) -> None:
    """As root it can; that is said in docs/attacks.md.

    Attack on the judge: reading secrets from the parent's `/proc/.../environ`.
    Answer: closed on Linux, but not to a judge that runs as root; what comes back is masked.
    """
    main_has(change, "config/approvals.yaml", SECOND)
    environment = place({"answer": {}})
    judge = Path(environment["PATH"].split(os.pathsep)[0]) / "stand-in"
    judge.write_text("#!/bin/sh\ncat /proc/$PPID/environ >/dev/null && echo it can >&2\nexit 3\n")
    open_parent = subprocess.run(
        [*without_rights(), "sh", "-c", '"$0"; exit $?', judge],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (open_parent.returncode, open_parent.stderr) == (3, "it can\n"), (
        "of a parent that does not keep it to itself"
    )
    program = Path(sys.executable).parent / "helix-hooks"
    command = [*without_rights(), str(program), "approve", "--base", "main"]
    done = subprocess.run(
        command,
        env={**environment, "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3 and "it can" not in done.stdout + done.stderr, (
        done.stdout + done.stderr
    )
    assert "exit code 3" in done.stdout
    assert not left_behind()


def without_rights() -> list[str]:
    """The command that runs another one with no more rights than a plain user has, though it is root: of root's, only that to open files is left.
    So it works where the project, Python and the folder for temporary files are root's alone.
    """
    if os.geteuid() != 0:
        return []
    rights = "-all,+dac_override,+dac_read_search"
    return [
        "setpriv",
        "--securebits=+noroot",
        f"--inh-caps={rights}",
        f"--ambient-caps={rights}",
        f"--bounding-set={rights}",
    ]


@pytest.mark.double
def test_a_result_says_what_was_decided(change: Repository, place: Place, tmp_path: Path) -> None:
    """A judge's approval that waits for a person is not to be taken for a decision, nor is that nobody was asked."""
    result = tmp_path / "result.json"
    with Model(judges.script([[{"read": True}, {"answer": {"confidence": 0.5}}]])) as model:
        assert (
            approve("--base", "main", "--result", str(result), env=place(model=model)).returncode
            == 4
        )
    assert json.loads(result.read_text())["result"] == "approved"
    assert json.loads(result.read_text())["decision"] == "pending"
    change.stage("docs/adr/.agents/0008-x.md", (change.root / ADR).read_text())
    change.git("rm", "--quiet", "-f", ADR)
    change.commit()
    assert approve("--base", "main", "--result", str(result), env=place()).returncode == 4
    assert json.loads(result.read_text())["result"] == "rejected"


@pytest.mark.further
def test_a_file_changed_in_the_same_second_is_seen(
    change: Repository, place: Place, good: Model
) -> None:
    """Of the same size and time as git remembers it: only the time of the index tells that git has to look."""
    path = change.root / ADR
    for word in ("Orders", "orderS", "ORDERS"):
        change.git("checkout", "--quiet", "--force", "HEAD", "--", ADR)
        path.write_text(path.read_text().replace("Orders", word))
        time.sleep(1.05 - time.time() % 1)  # the next second has begun
        assert approve(ADR, "--no-cache", env=place(APPROVES)).returncode == 0
        done = approve(ADR, "--no-cache", "--keep-workspace", env=place(APPROVES))
        folder = Path(done.stderr.split("folder is ")[1].split(" (")[0])
        assert word in (folder / "repo" / ADR).read_text()


def test_without_a_base_a_clean_work_tree_is_no_approval(change: Repository, place: Place) -> None:
    done = approve(env=place())
    assert done.returncode == 2 and "specify files or --base" in done.stderr


@pytest.mark.double
def test_of_a_named_folder_what_was_changed_is_judged(
    change: Repository, place: Place, good: Model
) -> None:
    found = outcome(approve("--base", "main", "docs", "--format", "json", env=place(model=good)))
    assert [file["path"] for verdict in found["approvals"] for file in verdict["files"]] == [ADR]
    assert approve("--base", "main", "src", env=place()).returncode == 0


def test_a_renamed_file_needs_no_judge(change: Repository, place: Place) -> None:
    change.git("checkout", "--quiet", "main")
    change.git("merge", "--quiet", "change")
    change.git("checkout", "--quiet", "change")
    change.git("mv", ADR, "docs/adr/0007-broker.md")
    change.commit()
    done = approve("--base", "main", env=place())
    assert done.returncode == 0 and "judge skipped: the file was only renamed" in done.stdout


def test_check_config_names_a_deleted_rubric(change: Repository) -> None:
    change.stage("approvals/api/CLAUDE.md", "# Approval: api\n\nJudge.\n")
    change.stage("approvals/api/checks/compatible.md", "# Check: compatible\n\nIs it?\n")
    change.stage(
        "config/approvals.yaml", "approvals: {api: {paths: ['src/**'], checks: [compatible]}}\n"
    )
    (change.root / "approvals/api/checks/compatible.md").unlink()
    done = program("check-config", env=os.environ)
    assert done.returncode == 2
    assert "there is no brief approvals/api/checks/compatible.md" in done.stderr


def test_what_is_deleted_in_a_named_folder_is_for_a_person(
    change: Repository, place: Place
) -> None:
    main_has(change, "config/approvals.yaml", CODE)
    main_has(change, "src/kept.py", "KEPT = 1\n")
    change.git("rm", "--quiet", "src/orders.py")
    change.commit()
    done = approve("--base", "main", "src", env=place({"answer": {}}))
    assert done.returncode == 4 and "deletes files under review: src/orders.py" in done.stdout
    assert approve("--base", "main", "docs", env=place({"answer": {}})).returncode == 0, (
        "of another folder nobody asked for it"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_a_link_in_the_tree_is_copied_as_the_file_it_leads_to(
    change: Repository, place: Place, tmp_path: Path
) -> None:
    text = (change.root / ADR).read_text()
    behind, name = "notes/real.txt", "docs/link.txt"
    change.git("checkout", "--quiet", "main")
    change.stage(behind, "We measured it.\n")
    (change.root / name).symlink_to(f"../{behind}")
    (change.root / "docs/out.md").symlink_to("/etc/passwd")
    change.git("add", "--all")
    change.commit()
    change.git("checkout", "--quiet", "-b", "linked")
    change.stage(ADR, f"{text}\nWe measured it twice.\n")
    change.commit()
    done = approve(
        "--base",
        "main",
        "--fail-on",
        "never",
        "--keep-workspace",
        "--format",
        "json",
        env=place(APPROVES),
    )
    assert [verdict["files"] for verdict in outcome(done)["approvals"]], done.stdout + done.stderr
    (folder,) = (tmp_path / "tmp").glob("helix-judge-*")
    copy = folder / "repo" / name
    assert not copy.is_symlink() and copy.read_text() == (change.root / behind).read_text()
    assert not (folder / "repo/docs/out.md").exists()
    assert not [path for path in folder.rglob("*") if path.is_symlink()]
    assert "+We measured it twice." in (folder / "judge/change.diff").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_a_rubric_behind_a_link_is_read_inside_the_tree_alone(
    change: Repository, place: Place, tmp_path: Path
) -> None:
    change.git("checkout", "--quiet", "main")
    change.stage("rubrics/ours.md", "# Ours\n\nMARK-OURS: ask for numbers.\n")
    (change.root / "approvals/adr").mkdir(parents=True)
    rubric = change.root / "approvals/adr/CLAUDE.md"
    rubric.symlink_to("../../rubrics/ours.md")
    change.git("add", "--all")
    change.commit()
    change.git("checkout", "--quiet", "change")
    assert approve("--base", "main", "--keep-workspace", env=place(APPROVES)).returncode == 0
    (folder,) = (tmp_path / "tmp").glob("helix-judge-*")
    assert "MARK-OURS" in (folder / "judge/rubric.md").read_text()
    change.git("checkout", "--quiet", "main")
    rubric.unlink()
    rubric.symlink_to("/etc/hostname")
    change.git("add", "--all")
    change.commit()
    change.git("checkout", "--quiet", "change")
    done = approve("--base", "main", env=place(APPROVES))
    assert done.returncode == 2
    assert (
        "approvals/adr/CLAUDE.md is a symbolic link that leads out of the repository" in done.stderr
    )


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
@pytest.mark.parametrize(
    "path", ["config/approvals.yaml", ".helix-hooks.yaml", "config/adr-completeness-rules.yaml"]
)
def test_settings_that_lead_out_stop_the_review(
    change: Repository, place: Place, path: str
) -> None:
    (change.root / path).parent.mkdir(exist_ok=True)
    (change.root / path).symlink_to("/etc/hostname")
    change.git("add", "--all")
    change.commit()
    change.git("branch", "--force", "main")
    done = approve("--base", "main", env=place(APPROVES))
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and f"{path} is a symbolic link that leads out" in done.stderr, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_a_folder_of_adrs_that_leads_out_is_not_approved(change: Repository, place: Place) -> None:
    shutil.rmtree(change.root / "docs/adr")
    (change.root / "docs/adr").symlink_to("/etc")
    change.git("add", "--all")
    change.commit()
    done = approve("--base", "main", env=place(APPROVES))
    assert (
        done.returncode == 1
        and "docs/adr is a symbolic link that leads out of the repository" in done.stdout
    ), done.stdout + done.stderr


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_the_review_of_the_work_tree_sees_what_git_does_not_look_at(
    change: Repository, place: Place, tmp_path: Path, flag: str
) -> None:
    change.git("update-index", flag, ADR)
    text = (change.root / ADR).read_text()
    change.write(ADR, f"{text}\nWe measured it twice.\n")
    index = (change.root / ".git/index").read_bytes()
    approve("--fail-on", "never", "--keep-workspace", env=place(APPROVES))
    (folder,) = (tmp_path / "tmp").glob("helix-judge-*")
    assert (folder / "repo" / ADR).read_text() == f"{text}\nWe measured it twice.\n"
    assert "+We measured it twice." in (folder / "judge/change.diff").read_text()
    assert (change.root / ".git/index").read_bytes() == index


NEW_ADR = "docs/adr/0098-cache.md"
OTHER_TEXT = "# 98. Cache\n\n## Status\n\nProposed\n\n## Context\n\nReads are slow.\n\n## Decision\n\nWe cache reads.\n"


def _undecodable(change: Repository, path: str) -> None:
    change.write(".gitattributes", "*.md working-tree-encoding=UTF-16\n")
    change.write(path, b"\xff\xfe\x00")


def _failing_filter(change: Repository, path: str) -> None:
    change.git("config", "filter.no.clean", "false")
    change.git("config", "filter.no.required", "true")
    change.write(".gitattributes", f"{path} filter=no\n")
    change.write(path, OTHER_TEXT)


def _ignored(change: Repository, path: str) -> None:
    change.write(".gitignore", f"{path}\n")
    change.write(path, OTHER_TEXT)


def _ignored_in_any_case(change: Repository, path: str) -> None:
    change.write(".git/info/exclude", "*.MDX\n")
    change.write(path.replace(".md", ".MDX"), OTHER_TEXT)


@pytest.mark.parametrize("path", [NEW_ADR, ADR])
@pytest.mark.parametrize("hide", [_undecodable, _failing_filter, _ignored, _ignored_in_any_case])
def test_an_adr_on_the_disk_that_no_commit_would_have_is_no_approval(
    change: Repository, place: Place, hide: Callable[[Repository, str], None], path: str
) -> None:
    hide(change, path)
    done = approve("--base", "main", env=place(APPROVES))
    if path == ADR and hide is _ignored:
        assert done.returncode == 0, "a tracked file is never ignored"
        return
    assert done.returncode == 3 and "docs/adr/00" in done.stderr, done.stdout + done.stderr


def test_an_ignored_folder_of_a_build_is_left_alone(change: Repository, place: Place) -> None:
    change.write(".gitignore", "/site\n")
    change.write("site/docs/adr/0001-orders.md", OTHER_TEXT)
    assert approve("--base", "main", env=place(APPROVES)).returncode == 0


def test_an_adr_outside_of_a_sparse_checkout_is_reviewed_if_it_is_on_the_disk(
    change: Repository, place: Place
) -> None:
    """`git add` leaves such a file out without an error."""
    change.git("add", "--all")
    change.commit()
    change.git("sparse-checkout", "set", "src")
    change.write(ADR, OTHER_TEXT)
    done = approve("--base", "HEAD", env=place(APPROVES))
    assert ADR in done.stdout and "nothing to review" not in done.stdout + done.stderr
    assert done.returncode != 0
