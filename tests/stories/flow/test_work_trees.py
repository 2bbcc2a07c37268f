"""Each run works in a git work tree of its own, and its changes come back once it is approved."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.flow import client, tree
from helix_hooks.phases.run_state import APPROVE, CANCEL, RETRY, Decider, PersonDecided
from helix_hooks.verify.lock import held
from tests.conftest import Repository
from tests.fakes.program import program
from tests.stories.flow.scene import ONE, Scene, descendants, until

pytestmark = pytest.mark.slow

WORD = """phases:
  - {id: a, type: writer, run: [sh, -c, "cat word.txt >> out.txt"], output: [out.txt]}
"""
"""A phase whose output depends on another file."""
TWO = """phases:
  - {id: a, type: writer, run: [sh, writer.sh], output: [out/a.txt]}
  - {id: b, type: writer, run: [sh, writer.sh], output: [out/b.txt]}
"""
PAUSED = """phases:
  - {id: a, type: writer, run: [sh, writer.sh], output: [out/a.txt]}
  - {id: b, type: writer, run: [sh, writer.sh, "9"], output: [out/b.txt], on_rejection: {action: escalate}}
"""


ANN = Decider("Ann", verified=False)


def status(scene: Scene) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(scene.call("flow", "status", "--format", "json").stdout)
    return fields


def shown(scene: Scene, commit: str, path: str) -> str:
    return scene.repository.git("show", f"{commit}:{path}").stdout


# What a run starts from.


def test_tracked_changes_are_in_it_and_told_untracked_files_are_not(
    repository: Repository, tmp_path: Path
) -> None:
    repository.stage("word.txt", "committed\n")
    scene = Scene(repository, WORD, tmp_path / "log")
    repository.write("word.txt", "changed\n")
    repository.write("notes/own.txt", "mine\n")
    done = scene.run()
    assert done.returncode == 0, done.stderr
    assert "with your uncommitted changes of word.txt" in done.stderr
    assert "without untracked files: notes/ (--include PATH adds one)" in done.stderr
    assert (scene.tree() / "out.txt").read_text() == "changed\n"
    assert not (scene.tree() / "notes").exists()
    assert not (scene.root / "out.txt").exists(), "the user's work tree is left alone"
    assert repository.git("status", "--porcelain").stdout == " M word.txt\n?? notes/\n"


def test_an_untracked_file_that_is_included(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, WORD, tmp_path / "log")
    repository.write("word.txt", "untracked\n")
    repository.write(".gitignore", "word.txt\n")
    done = scene.run("--include", "word.txt")
    assert done.returncode == 0, done.stderr
    assert (scene.tree() / "out.txt").read_text() == "untracked\n"
    done = scene.run("--include", "absent.txt")
    assert done.returncode == 2 and "--include: " in done.stderr and "absent.txt" in done.stderr


@pytest.mark.parametrize("path", ["config/approvals.yaml", "in.txt"])
def test_a_needed_file_that_is_untracked_is_named(
    repository: Repository, tmp_path: Path, path: str
) -> None:
    flow = ONE.replace("output:", "input: [in.txt], output:")
    repository.stage("in.txt" if path != "in.txt" else "other.txt", "text\n")
    scene = Scene(repository, flow, tmp_path / "log")
    repository.write(path, "defaults: {timeout: 400}\n")
    done = scene.run()
    assert done.returncode == 2, done.stderr
    assert f"{path} is not tracked by git, so the run would not have it" in done.stderr
    assert f"--include {path}" in done.stderr and scene.said() == []


def test_a_merge_that_is_not_finished(repository: Repository, tmp_path: Path) -> None:
    repository.stage("word.txt", "one\n")
    scene = Scene(repository, WORD, tmp_path / "log")
    repository.git("checkout", "-q", "-b", "other")
    repository.stage("word.txt", "two\n")
    repository.commit()
    repository.git("checkout", "-q", "-")
    repository.stage("word.txt", "three\n")
    repository.commit()
    repository.git("merge", "other", check=False)
    done = scene.run()
    assert done.returncode == 2 and "word.txt has a conflict of a merge" in done.stderr
    repository.stage("word.txt", "four\n")
    assert scene.run().returncode == 0
    assert (scene.tree() / "out.txt").read_text() == "four\n"


def test_a_repository_without_a_commit(repository: Repository, tmp_path: Path) -> None:
    repository.stage("word.txt", "one\n")
    repository.stage("phases.yaml", WORD)
    scene = Scene(repository, WORD, tmp_path / "log")
    repository.git("update-ref", "-d", "HEAD")
    done = scene.run("--apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "out.txt").read_text() == "one\n"


# Commits.


def test_each_task_is_a_commit_without_hooks_and_signatures(
    repository: Repository, tmp_path: Path
) -> None:
    scene = Scene(repository, TWO, tmp_path / "log")
    for name in ("post-checkout", "pre-commit", "post-commit", "reference-transaction"):
        hook = repository.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\necho {name} >> '{tmp_path}/hooks'\n")
        hook.chmod(0o755)
    repository.git("config", "commit.gpgsign", "true")
    repository.git("config", "gpg.program", "false")
    assert scene.run().returncode == 0
    assert not (tmp_path / "hooks").exists()
    state = status(scene)
    log = repository.git("log", "--format=%s|%an|%ct", f"{state['base']}..{state['commit']}").stdout
    lines = [line.split("|") for line in log.splitlines()]
    assert [line[0] for line in lines] == ["b 1: approved", "a 1: approved"]
    assert {line[1] for line in lines} == {"helix-hooks"} and len({line[2] for line in lines}) == 1
    first = state["phases"][0]["commit"]
    assert shown(scene, first, "out/a.txt") == "by a\n"
    assert state["phases"][1]["commit"] == state["commit"] != first
    refs = repository.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/helix").stdout
    assert refs == f"refs/helix/runs/{state['run']} {state['commit']}\n"
    assert repository.git("branch", "--format=%(refname)").stdout.count("\n") == 1


def test_an_output_that_git_ignores_is_committed(repository: Repository, tmp_path: Path) -> None:
    repository.stage(".gitignore", "out/\n")
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run("--apply").returncode == 0
    assert (scene.root / "out" / "a.txt").read_text() == "by a\n"


@pytest.mark.parametrize(
    "attack",
    [
        "git update-ref refs/helix/runs/$HELIX_RUN HEAD",
        "rm .git",
        "git checkout -q --orphan other; git rm -rqf --cached .; git commit -qm mine --allow-empty",
        "printf 'gitdir: /nowhere' > .git",
        "rm .git; git init -q; git add -A; git commit -qm mine",
    ],
)
def test_what_an_agent_does_with_git_changes_no_result(
    repository: Repository, tmp_path: Path, attack: str
) -> None:
    """Attack in a flow: move the ref of the run, remove or replace its `.git`, commit something else.
    Answer: only the ids of commits that the run has stored count, and each call of git names the repository.
    Shown by: `test_what_an_agent_does_with_git_changes_no_result`.
    """
    flow = TWO.replace("run: [sh, writer.sh], output: [out/b.txt]", f"run: [sh, -c, {json.dumps(attack + '; mkdir -p out; echo b > out/b.txt')}], output: [out/b.txt]")  # fmt: skip
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run("--apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "out" / "a.txt").read_text() == "by a\n"
    assert (scene.root / "out" / "b.txt").read_text() == "b\n"
    assert repository.git("status", "--porcelain").stdout == "?? out/\n"


def test_a_filter_of_an_agent_does_not_see_the_database(
    repository: Repository, tmp_path: Path, postgres: Any
) -> None:
    """Attack in a flow: have git run a program of the agent when the run commits.
    Answer: it runs, as any program of the agent, but without the address of the database of the runs.
    """
    attack = f"git config filter.x.clean 'env > {tmp_path}/seen; cat'; echo '* filter=x' > .gitattributes"
    flow = ONE.replace("[sh, writer.sh]", f'[sh, -c, {json.dumps(attack + "; mkdir -p out; echo a > out/a.txt")}]')  # fmt: skip
    scene = Scene(repository, flow, tmp_path / "log", postgres.url())
    assert scene.run().returncode == 0
    seen = (tmp_path / "seen").read_text()
    assert "PATH=" in seen and "HELIX_FLOW_DATABASE" not in seen


# Two runs, and a tree that is gone.


def test_two_runs_at_once_do_not_meet(repository: Repository, tmp_path: Path) -> None:
    flow = 'phases:\n  - {id: a, type: writer, run: [sh, -c, "mkdir -p out; cat > out/a.txt; sleep 1; cat out/a.txt > out/b.txt"], prompt: "{{task}}", output: [out/a.txt, out/b.txt]}\n'
    scene = Scene(repository, flow, tmp_path / "log")
    first = scene.run("--task", "one", "--detach")
    second = scene.run("--task", "two")
    assert second.returncode == 0, second.stderr
    run = first.stdout.strip()
    until(lambda: scene.outcome(run) == "approved")
    other = scene.newest()
    assert run != other
    for name, word in ((run, "one"), (other, "two")):
        for path in ("out/a.txt", "out/b.txt"):
            text = (scene.tree(name) / path).read_text()
            assert f"\n{word}\n" in f"\n{text}\n", text


def test_a_tree_that_is_gone_is_made_again(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, PAUSED, tmp_path / "log")
    assert scene.run().returncode == 4
    shutil.rmtree(scene.folder())
    done = scene.call("flow", "resume")
    assert done.returncode == 4, done.stderr
    assert (scene.tree() / "out" / "a.txt").read_text() == "by a\n"
    assert len(scene.begun("a")) == 1 and len(scene.begun("b")) == 1


# Setup.


def test_the_setup_runs_once_and_its_failure_is_told(
    repository: Repository, tmp_path: Path
) -> None:
    repository.stage("setup.sh", f"echo again >> {tmp_path}/setup; echo needs a key; test -f {tmp_path}/key\n")  # fmt: skip
    repository.stage(".gitignore", "venv\n")
    flow = f"setup: [sh, setup.sh]\n{TWO}"
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run()
    assert done.returncode == 3, done.stderr
    assert "| setup: needs a key" in done.stderr
    assert "setup failed: sh: it ended with exit code 1" in done.stderr
    assert "helix-hooks flow resume" in done.stderr and scene.said() == []
    (tmp_path / "key").touch()
    done = scene.call("flow", "resume")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "setup").read_text() == "again\nagain\n", "once for both phases"


def test_a_run_whose_setup_fails_can_be_cancelled(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, f'setup: ["false"]\n{ONE}', tmp_path / "log")
    assert scene.run().returncode == 3
    run = scene.newest()
    client.send(scene.place, run, PersonDecided(CANCEL, "", 0, ANN))
    done = scene.call("worker", "--until-idle", "--quiet")
    assert scene.outcome(run) == "cancelled", done.stderr


# The way back.


def test_its_changes_come_back_and_its_tree_is_removed(
    repository: Repository, tmp_path: Path
) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    done = scene.run()
    assert f"helix-hooks flow apply {scene.newest()}" in done.stdout
    done = scene.call("flow", "apply")
    assert done.returncode == 0 and "changed: out/a.txt" in done.stderr, done.stderr
    assert (scene.root / "out" / "a.txt").read_text() == "by a\n"
    assert repository.git("status", "--porcelain").stdout == "?? out/\n", "only outputs come back"
    assert not scene.tree().exists()
    assert (scene.folder() / "phases" / "a" / "1-response" / "output.log").exists()
    assert repository.git("worktree", "list").stdout.count("\n") == 1
    done = scene.call("flow", "apply")
    assert done.returncode == 0 and "this work tree has all changes of " in done.stderr
    assert scene.call("flow", "status").returncode == 0


def test_a_conflict_is_told_and_nothing_is_overwritten(
    repository: Repository, tmp_path: Path
) -> None:
    repository.stage("src.txt", "one\n")
    flow = 'phases:\n  - {id: a, type: writer, run: [sh, -c, "echo two > src.txt; echo new > a.txt"], output: [src.txt, a.txt]}\n'
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 0
    repository.write("src.txt", "mine\n")
    done = scene.call("flow", "apply")
    assert done.returncode == 2, done.stderr
    assert "nothing was changed: " in done.stderr and "src.txt" in done.stderr
    assert (scene.root / "src.txt").read_text() == "mine\n"
    assert not (scene.root / "a.txt").exists() and scene.tree().exists()
    repository.git("checkout", "src.txt")
    repository.write("a.txt", "mine\n")
    done = scene.call("flow", "apply")
    assert done.returncode == 2 and "you and the run both changed a.txt" in done.stderr, done.stderr
    assert (scene.root / "src.txt").read_text() == "one\n"


def test_a_file_that_both_changed_elsewhere_is_told(repository: Repository, tmp_path: Path) -> None:
    text = "".join(f"{number}\n" for number in range(40))
    repository.stage("src.txt", text)
    flow = 'phases:\n  - {id: a, type: writer, run: [sh, -c, "sed -i s/^35/thirty-five/ src.txt"], output: [src.txt]}\n'
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 0
    repository.write("src.txt", text.replace("5\n", "five\n", 1))
    done = scene.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    assert "src.txt has your changes too, and no gate saw the result" in done.stderr
    assert (scene.root / "src.txt").read_text() == text.replace("5\n", "five\n", 1).replace("35\n", "thirty-five\n")  # fmt: skip


def test_only_an_approved_run_is_applied(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, PAUSED, tmp_path / "log")
    assert scene.run("--apply").returncode == 4
    assert not (scene.root / "out").exists()
    done = scene.call("flow", "apply")
    assert done.returncode == 2 and "only an approved run can be applied" in done.stderr


def test_a_later_run_continues_with_what_an_earlier_one_approved(
    repository: Repository, tmp_path: Path
) -> None:
    flow = TWO.replace("output: [out/b.txt]", "input: [out/a.txt], output: [out/b.txt]")
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 0
    done = scene.run("--from", "b", "--apply")
    assert done.returncode == 0, done.stderr
    assert len(scene.begun("a")) == 1 and len(scene.begun("b")) == 2
    assert (scene.root / "out" / "a.txt").read_text() == "by a\n"


SAME = "def f{0}():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    return d\n\n"


def test_a_change_stays_in_its_function(repository: Repository, tmp_path: Path) -> None:
    """Equal lines stand elsewhere too, and the user has moved all of them."""
    text = "".join(SAME.format(number) for number in range(4))
    repository.stage("c.py", text)
    scene = Scene(repository, agent("sed -i '12s/4/5/' c.py", "c.py"), tmp_path / "log")
    assert scene.run().returncode == 0
    repository.write("c.py", SAME.format("new") + text)
    done = scene.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    assert "c.py has your changes too, and no gate saw the result" in done.stderr
    lines = text.splitlines(keepends=True)
    lines[11] = lines[11].replace("4", "5")
    assert (scene.root / "c.py").read_text() == SAME.format("new") + "".join(lines)
    assert "this work tree has all changes of " in scene.call("flow", "apply").stderr


def test_a_folder_of_runs_that_was_moved_to_another_disk(
    repository: Repository, tmp_path: Path
) -> None:
    repository.stage("a.txt", "old\n")
    scene = Scene(repository, agent("echo new > a.txt", "a.txt"), tmp_path / "log")
    assert scene.run().returncode == 0
    runs = scene.folder().parent
    runs.rename(tmp_path / "moved")
    runs.symlink_to(tmp_path / "moved")
    assert scene.call("flow", "apply").returncode == 0
    assert (scene.root / "a.txt").read_text() == "new\n"


def test_what_a_killed_apply_has_brought_is_no_conflict(
    repository: Repository, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        repository.stage(name, "old\n")
    script = "for name in a b; do echo new > $name.txt; done; rm c.txt; chmod +x a.txt"
    scene = Scene(repository, agent(script, "a.txt, b.txt"), tmp_path / "log")
    assert scene.run().returncode == 0
    repository.write("a.txt", "new\n")
    (scene.root / "a.txt").chmod(0o755)
    done = scene.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[:2] == [
        "helix-hooks: changed: b.txt",
        "helix-hooks: deleted: c.txt; no gate has seen it",
    ]
    assert (scene.root / "b.txt").read_text() == "new\n" and not (scene.root / "c.txt").exists()


@pytest.mark.parametrize(
    "script",
    [
        "rm b.txt; mkdir b.txt; echo x > b.txt/in",
        "rm -r d; echo x > d",
        "rm -r d; ln -s b.txt d",
        "rm link; mkdir link; echo x > link/in",
        "rm b.txt; ln -s d b.txt",
    ],
)
def test_a_file_takes_the_place_of_a_folder_and_back(
    repository: Repository, tmp_path: Path, script: str
) -> None:
    repository.stage("b.txt", "b\n")
    repository.stage("d/one.txt", "1\n")
    repository.stage("d/e/two.txt", "2\n")
    (repository.root / "link").symlink_to("d")
    repository.git("add", "link")
    scene = Scene(repository, agent(f"{script}; {WORK}"), tmp_path / "log")
    assert scene.run().returncode == 0
    commit = status(scene)["commit"]
    done = scene.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    repository.git("add", "--all")
    without = [":(exclude).helix"]
    assert repository.git("diff", "--cached", "--name-status", commit, "--", *without).stdout == ""


@pytest.mark.parametrize(
    ("mine", "reason"),
    [
        ("rm b.txt; mkdir b.txt", "you and the run both changed b.txt"),
        ("rm b.txt; mkfifo b.txt", "b.txt is no regular file here; move it away"),
        ("mkdir new.txt; touch new.txt/own", "new.txt is a folder here; move it away"),
        ("mkdir new.txt", "new.txt is a folder here; move it away"),
        ("mkdir d/empty", "d is a folder here; move it away"),
        ("ln -s /tmp d/link", "d is a folder here; move it away"),
        ("echo own > folder", "folder is no folder here; move it away"),
        ("ln -s /tmp folder", "folder is no folder here; move it away"),
    ],
)
def test_what_stands_in_the_way_of_apply(
    repository: Repository, tmp_path: Path, mine: str, reason: str
) -> None:
    repository.stage("b.txt", "b\n")
    repository.stage("d/one.txt", "1\n")
    script = "echo x > b.txt; echo x > new.txt; mkdir folder; echo x > folder/in; rm -r d; echo > d"
    scene = Scene(repository, agent(f"{script}; {WORK}"), tmp_path / "log")
    assert scene.run().returncode == 0
    subprocess.run(mine, shell=True, cwd=scene.root, check=True)
    done = scene.call("flow", "apply")
    assert done.returncode == 2, done.stderr
    assert done.stderr == f"helix-hooks: nothing was changed: {reason}{done.stderr.partition(reason)[2]}"  # fmt: skip
    assert not (scene.root / "out").exists() and (scene.root / "d" / "one.txt").exists()


def test_files_that_git_ignores_are_told_and_stay(repository: Repository, tmp_path: Path) -> None:
    repository.stage(".gitignore", "results/\ncache/\n")
    flow = (
        f"setup: [mkdir, cache]\n{agent(f'mkdir results; echo 1 > results/measured.csv; {WORK}')}"
    )
    flow = flow.replace("[mkdir, cache]", "[sh, -c, 'mkdir cache; touch cache/x']")
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run("--apply")
    assert done.returncode == 0, done.stderr
    assert (
        "the work tree of the run stays: git ignores results/, which is not brought here"
        in done.stderr
    )
    assert (scene.tree() / "results" / "measured.csv").exists()


# What git is set to, and what agents do, changes no content.


def agent(script: str, outputs: str = "out/a.txt") -> str:
    words = json.dumps(f"{script}")
    return f"phases:\n  - {{id: a, type: writer, run: [sh, -c, {words}], output: [{outputs}]}}\n"


WORK = "mkdir -p out; echo good > out/a.txt"


@pytest.mark.parametrize(
    ("attack", "content"),
    [
        ("git config filter.x.clean 'sed s/good/evil/'; git config filter.x.smudge 'sed s/evil/good/'; echo 'out/a.txt filter=x' > \"$(git rev-parse --git-common-dir)/info/attributes\"", b"good $Id$\r\n"),
        ("echo 'out/a.txt ident' > .gitattributes", b"good $Id: b3e13cb46cd3201b708bdd94dc5b553778c3a3aa $\r\n"),
        ("git config core.autocrlf input", b"good $Id$\n"),
    ],
)  # fmt: skip
def test_the_content_that_the_gate_saw_comes_back(
    repository: Repository, tmp_path: Path, attack: str, content: bytes
) -> None:
    """Attack in a flow: have git store other content than the gate has seen, by a filter or an attribute.
    Answer: a checkout of the commit is compared with the hashes of the gate; only line ends and `$Id$` may differ.
    Shown by: `test_the_content_that_the_gate_saw_comes_back`, `test_a_filter_that_changes_the_content`, `test_a_file_that_git_is_told_to_ignore`.
    """
    text = "good $Id$\\r\\n"
    scene = Scene(repository, agent(f"{attack}; mkdir -p out; printf '{text}' > out/a.txt"), tmp_path / "log")  # fmt: skip
    done = scene.run("--apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "out" / "a.txt").read_bytes() == content


def test_a_filter_that_changes_the_content(repository: Repository, tmp_path: Path) -> None:
    attack = (
        "git config filter.x.clean 'sed s/good/evil/'; echo 'out/a.txt filter=x' > .gitattributes"
    )
    scene = Scene(repository, agent(f"{attack}; {WORK}"), tmp_path / "log")
    done = scene.run()
    assert done.returncode == 4, done.stderr
    assert "a checkout by git would change out/a.txt; see its attributes" in done.stdout
    assert "--override" not in done.stdout


def test_a_filter_that_encrypts_is_not_left_out(repository: Repository, tmp_path: Path) -> None:
    """The commits of a run may be pushed."""
    repository.stage(".gitattributes", "*.secret filter=hide\n")
    repository.git("config", "filter.hide.clean", "tr a-z n-za-m")
    repository.git("config", "filter.hide.smudge", "tr a-z n-za-m")
    scene = Scene(repository, agent("echo hello > a.secret; echo hello > b.secret", "a.secret"), tmp_path / "log")  # fmt: skip
    done = scene.run()
    assert done.returncode == 0, done.stderr
    commit = status(scene)["commit"]
    assert shown(scene, commit, "a.secret") == shown(scene, commit, "b.secret") == "uryyb\n"
    assert scene.call("flow", "apply").returncode == 0
    assert (scene.root / "a.secret").read_text() == (scene.root / "b.secret").read_text() == "hello\n"  # fmt: skip


@pytest.mark.parametrize("before", ["*.md text\n", "*.md text\n*.txt filter=hide\n"])
def test_attributes_that_the_run_changes(
    repository: Repository, tmp_path: Path, before: str
) -> None:
    """Files are written by the attributes that hold after `flow apply`."""
    repository.stage(".gitattributes", before)
    for word in ("clean", "smudge"):
        repository.git("config", f"filter.hide.{word}", "tr a-z n-za-m")
    after = "*.md text" if "hide" in before else "*.txt filter=hide"
    script = f"echo hello > a.txt; sleep 1; echo '{after}' > .gitattributes"
    scene = Scene(repository, agent(script, "a.txt, .gitattributes"), tmp_path / "log")
    done = scene.run("--apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "a.txt").read_text() == "hello\n"


def test_attributes_that_a_later_phase_changes(repository: Repository, tmp_path: Path) -> None:
    for word in ("clean", "smudge"):
        repository.git("config", f"filter.hide.{word}", "tr a-z n-za-m")
    flow = agent("echo hello > a.txt; sleep 1", "a.txt")
    flow += """  - {id: b, type: x, run: [sh, -c, "echo '*.txt filter=hide' > .gitattributes; echo b > b.md"], output: [b.md]}\n"""
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run()
    assert done.returncode == 0, done.stderr
    assert shown(scene, status(scene)["commit"], "a.txt") == "uryyb\n"
    assert scene.call("flow", "apply").returncode == 0
    assert (scene.root / "a.txt").read_text() == "hello\n"


def test_a_filter_that_stores_each_time_otherwise(repository: Repository, tmp_path: Path) -> None:
    """As encryption does: the user has changed nothing, though git would store something else."""
    repository.stage(".gitattributes", "*.txt filter=salt\n")
    repository.git("config", "filter.salt.clean", "cat; date +%N")
    repository.git("config", "filter.salt.smudge", "sed \\$d")
    for name in ("a", "b", "c"):
        repository.stage(f"{name}.txt", "old\n")
    scene = Scene(repository, agent("echo new > a.txt; rm b.txt; echo d > d.txt", "a.txt, d.txt"), tmp_path / "log")  # fmt: skip
    done = scene.run()
    assert done.returncode == 0, done.stderr
    repository.write("d.txt", "d\n")
    done = scene.call("flow", "apply")
    assert done.returncode == 0 and "your changes too" not in done.stderr, done.stderr
    assert (scene.root / "a.txt").read_text() == "new\n" and not (scene.root / "b.txt").exists()


def test_files_that_git_ignores_are_read_by_the_gate(
    repository: Repository, tmp_path: Path
) -> None:
    """They match the pattern of the output, so they are approved and committed with the others."""
    repository.stage(".gitignore", "*.gen.json\n")
    flow = agent("mkdir d; echo {} > d/a.json; echo {broken > d/b.gen.json", '"d/**"')
    flow = flow[:-2] + ', quality_gate: {type: syntax, files: ["d/**"]}}\n'
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run()
    assert done.returncode == 1, done.stderr
    assert "d/b.gen.json:1" in done.stdout, done.stdout


def test_one_apply_at_a_time(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run().returncode == 0
    lock = Path(scene.place.folder) / "apply.lock"
    with held(str(lock), 0, ""):
        done = scene.call("flow", "apply")
    assert done.returncode == 3 and "another `flow apply` is still running" in done.stderr
    assert scene.call("flow", "apply").returncode == 0


def test_the_current_folder_stays(repository: Repository, tmp_path: Path) -> None:
    repository.stage("top/sub/a.txt", "a\n")
    scene = Scene(repository, agent(f"rm -r top; {WORK}"), tmp_path / "log")
    assert scene.run().returncode == 0
    folder = scene.root / "top" / "sub"
    done = program("flow", "apply", env=scene.env, cwd=folder)
    assert done.returncode == 0 and folder.is_dir() and not [*folder.iterdir()], done.stderr


@pytest.mark.parametrize("setting", ["* text eol=crlf\n", "* -text\n"])
def test_a_file_with_other_line_ends(repository: Repository, tmp_path: Path, setting: str) -> None:
    repository.stage(".gitattributes", setting)
    text = "".join(f"{number}\r\n" for number in range(9))
    (repository.root / "src.txt").write_bytes(text.encode())
    repository.git("add", "src.txt")
    scene = Scene(repository, agent("sed -i s/^7/seven/ src.txt", "src.txt"), tmp_path / "log")
    assert scene.run().returncode == 0
    done = scene.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "src.txt").read_bytes() == text.replace("7", "seven").encode()
    assert repository.git("diff", "--numstat").stdout == "1\t1\tsrc.txt\n"


def test_a_file_that_git_is_told_to_ignore(repository: Repository, tmp_path: Path) -> None:
    repository.stage("src.txt", "old\n")
    attack = (
        "GIT_INDEX_FILE=../index git update-index --assume-unchanged src.txt; echo new > src.txt"
    )
    scene = Scene(repository, agent(attack, "src.txt"), tmp_path / "log")
    done = scene.run("--apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "src.txt").read_text() == "new\n"


@pytest.mark.parametrize("attack", ["git init -q dep; touch dep/x", "git init -q out"])
def test_a_repository_in_the_tree_is_refused(
    repository: Repository, tmp_path: Path, attack: str
) -> None:
    """Its files would be lost: git keeps only the id of its commit."""
    scene = Scene(repository, agent(f"{WORK}; {attack}; cd dep 2>/dev/null || cd out; git add -A; git commit -qm x"), tmp_path / "log")  # fmt: skip
    done = scene.run()
    assert done.returncode == 4, done.stderr
    assert "the commit failed: " in done.stdout and "--override" not in done.stdout, done.stdout
    assert "is a git repository of its own; remove its folder .git" in done.stdout, done.stdout
    override = PersonDecided(APPROVE, "a", 1, ANN, reason="so be it", override=True)
    with pytest.raises(UsageError, match=r"the files of a are in no commit: .*; retry it"):
        client.send(scene.place, scene.newest(), override)


def test_a_task_that_git_cannot_commit_can_be_cancelled(
    repository: Repository, tmp_path: Path
) -> None:
    scene = Scene(repository, agent(f"{WORK}; touch 'git~1'"), tmp_path / "log")
    assert scene.run().returncode == 4
    client.send(scene.place, scene.newest(), PersonDecided(CANCEL, "", 0, ANN))
    assert scene.call("worker", "--until-idle", "--quiet").returncode == 0
    assert scene.outcome() == "cancelled"


def test_an_answer_that_was_not_recorded_leaves_no_commit(
    repository: Repository, tmp_path: Path
) -> None:
    """A process is killed between the commit of a task and its record; the gate then rejects."""
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run().returncode == 0
    state = status(scene)
    head = tree.committed(scene.place, state["run"], "a 1", "rejected", 1_800_000_000, {}, {})
    log = repository.git("log", "--format=%s", f"{state['base']}..{head.commit}").stdout
    assert log == "a 1: rejected\n", "the approval counted nowhere"


def test_a_tree_that_was_only_half_made_again(repository: Repository, tmp_path: Path) -> None:
    """Otherwise the next commit would delete what is missing."""
    repository.stage("src/main.txt", "work\n")
    scene = Scene(repository, PAUSED, tmp_path / "log")
    assert scene.run().returncode == 4
    repository.git("worktree", "remove", "--force", str(scene.tree()))
    own = tmp_path / "programs" / "git"
    own.parent.mkdir()
    own.write_text(f"""#!/bin/sh
case "$*" in *read-tree*--reset*) kill -9 $PPID; exit 1; esac
exec "{shutil.which("git")}" "$@"
""")
    own.chmod(0o755)
    client.send(scene.place, scene.newest(), PersonDecided(RETRY, "b", 1, ANN))
    killed = scene.call("flow", "resume", PATH=f"{own.parent}{os.pathsep}{os.environ['PATH']}")
    assert killed.returncode == 3, killed.stderr
    assert scene.call("flow", "resume").returncode == 4
    assert (scene.tree() / "src" / "main.txt").read_text() == "work\n"
    assert shown(scene, status(scene)["commit"], "src/main.txt") == "work\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others hide the environment")
def test_an_agent_that_outlives_its_run_is_ended(repository: Repository, tmp_path: Path) -> None:
    """Attack in a flow: outlive the processes of a run, and write over what the next try wrote.
    Answer: ended before the tree of the run is used again.
    """
    late = tmp_path / "late"
    script = f"""if [ -e {late} ]; then {WORK}; exit; fi
touch {late}; sleep 4; mkdir -p out; echo late > out/a.txt"""
    scene = Scene(repository, agent(script), tmp_path / "log")
    begun = scene.begin("run", "phases.yaml")
    until(late.exists)
    for pid in (begun.pid, *descendants(begun.pid)[:3]):
        os.kill(pid, signal.SIGKILL)
    begun.end()
    assert scene.call("flow", "resume").returncode == 0
    until(lambda: not scene.processes())
    time.sleep(0.1)
    assert (scene.tree() / "out" / "a.txt").read_text() == "good\n"


def test_a_lock_that_a_killed_git_has_left(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, PAUSED, tmp_path / "log")
    assert scene.run().returncode == 4
    (scene.folder() / "index.lock").touch()
    number = scene.state().phases["b"].number
    client.send(scene.place, scene.newest(), PersonDecided(RETRY, "b", number, ANN))
    assert scene.call("flow", "resume").returncode == 4
    assert scene.state().phases["b"].number == number + 1
    assert "missing file: out/b.txt" in scene.call("flow", "status").stdout


def test_a_link_in_the_place_of_the_tree(repository: Repository, tmp_path: Path) -> None:
    """Attack in a flow: replace the run's tree by a link to another repository.
    Answer: refused, and nothing behind the link is changed.
    """
    attack = f"{WORK}; cd ..; mv tree real; cp -r real/.helix real/out '{tmp_path}/repository'; ln -s '{tmp_path}/repository' tree"
    scene = Scene(repository, agent(attack), tmp_path / "log")
    done = scene.run()
    assert done.returncode in (3, 4), done.stderr
    assert "tree is a symbolic link; remove it" in done.stdout + done.stderr
    assert repository.git("log", "--format=%s").stdout == "a commit\n"


def test_a_run_that_a_hook_of_git_starts(repository: Repository, tmp_path: Path) -> None:
    """It works with its own index, not with that of the commit."""
    attack = f"{WORK}; git add -A; echo index $GIT_INDEX_FILE > out/index.txt"
    scene = Scene(repository, agent(attack, "out/a.txt, out/index.txt"), tmp_path / "log")
    repository.stage("staged.txt", "staged\n")
    repository.write("staged.txt", "later\n")
    index = str(scene.root / ".git" / "index")
    done = scene.run(GIT_INDEX_FILE=index, GIT_DIR=str(scene.root / ".git"))
    assert done.returncode == 0, done.stderr
    assert repository.git("show", ":staged.txt").stdout == "staged\n"
    assert repository.git("diff", "--cached", "--name-only").stdout == "staged.txt\n"
    assert (scene.tree() / "out" / "index.txt").read_text() == "index\n"


def test_submodules_of_the_user_are_left_alone(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    other = Repository(tmp_path / "sub")
    other.stage("f.txt", "one\n")
    other.commit()
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "sub"
    )
    scene = Scene(repository, ONE, tmp_path / "log")
    repository.git("config", "submodule.recurse", "true")
    (scene.root / "sub" / "f.txt").write_text("staged\n")
    repository.git("-C", "sub", "add", "f.txt")
    before = repository.git("-C", "sub", "status", "--porcelain", "--branch").stdout
    assert scene.run("--apply").returncode == 0
    assert repository.git("-C", "sub", "status", "--porcelain", "--branch").stdout == before
    assert before.endswith("M  f.txt\n")


def test_other_tasks_than_the_approved_ones_are_told(
    repository: Repository, tmp_path: Path
) -> None:
    scene = Scene(repository, agent(f"{WORK}; echo all: > Makefile"), tmp_path / "log")
    assert scene.run().returncode == 0
    done = scene.call("flow", "apply")
    assert "changed: Makefile; no gate has seen it\n" in done.stderr
    assert "changed: out/a.txt\n" in done.stderr


@pytest.mark.parametrize("obstacle", ["folder", "file above", "link above"])
def test_what_is_in_the_way_stops_all_of_it(
    repository: Repository, tmp_path: Path, obstacle: str
) -> None:
    text = "".join(f"{number}\n" for number in range(40))
    repository.stage("z.txt", text)
    script = "mkdir dd; echo x > dd/x; sed -i s/^35/thirty-five/ z.txt"
    if obstacle == "folder":
        script = script.replace("mkdir dd; echo x > dd/x", "echo x > dd")
    path = "dd" if obstacle == "folder" else "dd/x"
    scene = Scene(repository, agent(script, f"{path}, z.txt"), tmp_path / "log")
    assert scene.run().returncode == 0
    repository.write("z.txt", text.replace("5\n", "mine\n", 1))
    if obstacle == "folder":
        repository.write("dd/m", "mine\n")
    elif obstacle == "file above":
        repository.write("dd", "mine\n")
    else:
        (tmp_path / "elsewhere").mkdir()
        (scene.root / "dd").symlink_to(tmp_path / "elsewhere")
    done = scene.call("flow", "apply")
    assert done.returncode == 2 and "nothing was changed: dd" in done.stderr, done.stderr
    assert (scene.root / "z.txt").read_text() == text.replace("5\n", "mine\n", 1)
    assert list((tmp_path / "elsewhere").iterdir() if obstacle == "link above" else []) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write to any folder")
def test_a_folder_that_cannot_be_written_to(repository: Repository, tmp_path: Path) -> None:
    repository.stage("a.txt", "old\n")
    repository.stage("closed/b.txt", "old\n")
    script = "echo new > a.txt; echo new > closed/b.txt"
    scene = Scene(repository, agent(script, "a.txt, closed/b.txt"), tmp_path / "log")
    assert scene.run().returncode == 0
    (scene.root / "closed" / "b.txt").chmod(0o444)
    (scene.root / "closed").chmod(0o555)
    done = scene.call("flow", "apply")
    (scene.root / "closed").chmod(0o755)
    assert done.returncode == 3 and "nothing was changed: closed/b.txt" in done.stderr, done.stderr
    assert (scene.root / "a.txt").read_text() == "old\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write to any file")
def test_a_file_that_cannot_be_written_loses_no_other(
    repository: Repository, tmp_path: Path
) -> None:
    for name in ("a", "m", "z"):
        repository.stage(name, "old\n")
    script = "echo new > a; echo new > m; rm z; mkdir out; echo new > out/b"
    scene = Scene(repository, agent(script, "a, m, out/b"), tmp_path / "log")
    repository.write("z", "mine\n")
    assert scene.run().returncode == 0
    (scene.root / "m").chmod(0o444)
    (scene.root / "z").chmod(0o600)
    done = scene.call("flow", "apply")
    assert (done.returncode, done.stderr) == (
        3,
        "helix-hooks: nothing was changed: m: Permission denied\n",
    )
    assert [(scene.root / name).read_text() for name in "amz"] == ["old\n", "old\n", "mine\n"]
    assert [(scene.root / name).stat().st_mode & 0o777 for name in "amz"] == [0o644, 0o444, 0o600]
    assert not (scene.root / "out").exists()


def test_settings_of_git_do_not_move_files(repository: Repository, tmp_path: Path) -> None:
    for path in ("conf.txt", "src/conf.txt"):
        repository.stage(path, "old\n")
    scene = Scene(repository, agent("echo new > src/conf.txt", "src/conf.txt"), tmp_path / "log")
    for name, value in (("diff.noprefix", "true"), ("color.ui", "always"), ("diff.context", "0")):
        repository.git("config", name, value)
    assert scene.run("--apply").returncode == 0
    assert (scene.root / "conf.txt").read_text() == "old\n"
    assert (scene.root / "src" / "conf.txt").read_text() == "new\n"


def test_a_repository_in_the_tree_is_refused_again(repository: Repository, tmp_path: Path) -> None:
    """Git warns of it once. Without its folder .git, its files are committed."""
    made = "mkdir dep; echo x > dep/x; git init -q dep; git -C dep add x; git -C dep commit -qm x"
    scene = Scene(repository, agent(f"{WORK}; test -d dep || ({made})"), tmp_path / "log")
    assert scene.run().returncode == 4
    client.send(scene.place, scene.newest(), PersonDecided(RETRY, "a", 1, ANN))
    done = scene.call("flow", "resume")
    assert done.returncode == 4, done.stderr
    assert "dep is a git repository of its own" in done.stdout, done.stdout
    shutil.rmtree(scene.tree() / "dep" / ".git")
    client.send(scene.place, scene.newest(), PersonDecided(RETRY, "a", 2, ANN))
    done = scene.call("flow", "resume")
    assert done.returncode == 0, done.stdout
    assert shown(scene, status(scene)["commit"], "dep/x") == "x\n"


def test_what_is_in_no_commit_keeps_the_tree(repository: Repository, tmp_path: Path) -> None:
    """A person may have written to the tree after the last task."""
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run().returncode == 0
    (scene.tree() / "notes.txt").write_text("mine\n")
    done = scene.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    assert (scene.root / "out" / "a.txt").read_text() == "by a\n"
    assert "has files that are in no commit of the run" in done.stderr
    assert (scene.tree() / "notes.txt").read_text() == "mine\n"
    assert "flow apply" not in scene.call("flow", "status").stdout


def test_a_run_moves_with_its_clone(repository: Repository, tmp_path: Path) -> None:
    """The name of its runs is stored, and its work tree links to the new path."""
    writes = "git log --oneline && test x$GO = x1 && mkdir -p out && echo b > out/b.txt"
    flow = f"""phases:
  - {{id: a, type: writer, run: [sh, writer.sh], output: [out/a.txt]}}
  - {{id: b, type: writer, run: [sh, -c, "{writes}"], output: [out/b.txt], on_rejection: {{action: escalate}}}}
"""
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 4
    run = scene.newest()
    scene.root.rename(tmp_path / "moved")
    scene.root = tmp_path / "moved"
    assert scene.newest() == run and run in scene.call("flow", "status").stdout
    client.send(scene.place, run, PersonDecided(RETRY, "b", 1, ANN))
    done = scene.call("worker", "--until-idle", "--quiet", GO="1")
    assert done.returncode == 0 and scene.outcome(run) == "approved", done.stderr
    assert scene.call("flow", "apply").returncode == 0
    assert (scene.root / "out" / "b.txt").read_text() == "b\n"

    shutil.copytree(scene.root, tmp_path / "copy", symlinks=True)
    scene.root = tmp_path / "copy"
    assert scene.call("flow", "list").stdout.startswith("no runs here")
