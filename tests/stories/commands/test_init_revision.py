"""`init` never writes a revision of the hooks that does not exist."""

import json
import os
import shutil
import time
from importlib import metadata
from pathlib import Path

import pytest
import yaml

from helix_hooks import __version__
from helix_hooks.authoring import hook_source
from helix_hooks.authoring.init import CONFIG
from helix_hooks.git import remote
from helix_hooks.paths import WORKFLOW
from tests.conftest import Repository, Run

COMMIT = "0123456789" * 4
URL = "https://github.com/acme/fork"


class Distribution:
    """A distribution whose `direct_url.json` has a text; None without the file."""

    def __init__(self, text: str | bytes | None) -> None:
        self.text = text

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.text.decode() if isinstance(self.text, bytes) else self.text


def install(patch: pytest.MonkeyPatch, record: object) -> None:
    text = record if record is None or isinstance(record, str | bytes) else json.dumps(record)
    patch.setattr(metadata, "distribution", lambda name: Distribution(text))


@pytest.fixture
def hooks(tmp_path: Path) -> Repository:
    """A repository of hooks with a branch, and a tag of this release."""
    place = tmp_path / "hooks"
    place.mkdir()
    hooks = Repository(place)
    hooks.git("init", "--quiet", "--initial-branch=main")
    hooks.stage("a", "1\n")
    hooks.commit()
    hooks.git("tag", f"v{__version__}")
    hooks.stage("a", "2\n")
    hooks.commit()
    return hooks


def head_of(hooks: Repository, name: str = "HEAD") -> str:
    return hooks.git("rev-parse", name).stdout.strip()


@pytest.mark.parametrize("name", ["main", f"v{__version__}", "HEAD~1", "HEAD"])
def test_a_revision_of_the_user_is_written_if_it_exists(
    name: str, repository: Repository, hooks: Repository, run: Run
) -> None:
    revision = head_of(hooks, name) if name.startswith("HEAD") else name
    result = run("init", "--repo", str(hooks.root), "--rev", revision)
    assert result.code == 0 and "could not be checked" not in result.out
    assert written() == (str(hooks.root), revision)


def written() -> tuple[str, str]:
    """Return the repository and the revision that a reader of the YAML gets."""
    entry = yaml.safe_load(Path(CONFIG).read_text(encoding="utf-8"))["repos"][0]
    return entry["repo"], entry["rev"]


@pytest.mark.parametrize(
    "name",
    ["v9", "mai", COMMIT, "1234567", "tagged-tree", "tags/mai", "HEAD^{tree}", "HEAD:a"],
)
def test_a_revision_of_the_user_that_does_not_exist_is_refused(
    name: str, repository: Repository, hooks: Repository, run: Run
) -> None:
    hooks.git("tag", "tagged-tree", "HEAD^{tree}")
    hash = head_of(hooks, name) if name.startswith("HEAD") else ""
    for revision in (hash, hash[:8]) if hash else (name,):
        result = run("init", "--repo", str(hooks.root), "--rev", revision)
        assert result.code == 2
        assert "has no such tag, branch or commit" in result.err
    assert [path.name for path in repository.root.iterdir()] == [".git"]


@pytest.mark.parametrize("revision", ["v9", COMMIT])
def test_init_says_that_a_revision_could_not_be_checked(
    revision: str, repository: Repository, run: Run
) -> None:
    result = run("init", "--github", "--repo", URL, "--rev", revision)
    doubt = f"`rev: {revision}` could not be checked: {URL} does not answer for it\n"
    assert result.code == 0 and result.out.count(doubt) == 2


def test_a_hash_is_written_as_the_full_hash_of_its_commit(
    repository: Repository, hooks: Repository, run: Run
) -> None:
    hooks.git("tag", "--annotate", "--message=x", "annotated", "HEAD~1")
    older, newest = head_of(hooks, "HEAD~1"), head_of(hooks)
    revisions = {
        "HEAD": newest,
        newest.upper(): newest,
        older[:8]: older,
        older[:12].upper(): older,
        head_of(hooks, "annotated"): older,
        "annotated": "annotated",
    }
    for revision, commit in revisions.items():
        result = run("init", "--repo", str(hooks.root), "--rev", revision)
        assert result.code == 0 and "could not be checked" not in result.out
        assert written() == (str(hooks.root), commit)
        Path(CONFIG).unlink()


NAMES = """1.0 2026-11-23 0x10 null {a} #x 1e10 0o17 0b1 yes No on 'x' "x" &x !x %x @x `x | > a#b = 1_000 0.5
v1.0 ä""".split()


@pytest.mark.parametrize("name", NAMES)
def test_a_tag_is_a_text_in_the_yaml(
    name: str, repository: Repository, hooks: Repository, run: Run
) -> None:
    hooks.git("tag", "--", name)
    assert run("init", "--repo", str(hooks.root), "--rev", name).code == 0
    assert written() == (str(hooks.root), name)


@pytest.mark.parametrize("name", ["v1.0", "main", "a/b-c_d", "12ab34" + "0" * 34])
def test_a_plain_name_has_no_quotes(name: str, repository: Repository, run: Run) -> None:
    assert run("init", "--repo", URL, "--rev", name).code == 0
    assert f"  - repo: {URL}\n    rev: {name}\n" in Path(CONFIG).read_text(encoding="utf-8")


@pytest.mark.parametrize("url", [f"{URL}:", "https://h/x y", "12", "./a #b", "{x}"])
def test_an_address_is_a_text_in_the_yaml(url: str, repository: Repository, run: Run) -> None:
    assert run("init", "--repo", url, "--rev", "v1").code == 0
    assert written() == (url, "v1")


@pytest.mark.parametrize("url", ["-x", "local", "meta", " x", "x\n  - repo: y", "x\u2028y"])
def test_an_address_that_pre_commit_can_not_fetch_is_refused(
    url: str, repository: Repository, run: Run
) -> None:
    result = run("init", f"--repo={url}", "--rev", "v1")
    assert result.code == 2 and "is not the address of a repository" in result.err
    assert not Path(CONFIG).exists()


IMPOSSIBLE = [
    *("x\n  - repo: evil", "--x", "-x", "../../x", "a..b", "a b", " a", "v*", "a:b", "x.lock", ""),
    *("a\tb", "a\u2028b", "a\x85b", "a\udcffb", "a~1", "HEAD^", "@{u}", "/a", "a/"),
]


@pytest.mark.parametrize("revision", IMPOSSIBLE)
def test_what_can_be_no_name_is_refused_without_an_answer(
    revision: str, repository: Repository, run: Run
) -> None:
    for options in (["--repo", "/nonexistent"], ["--github"]):
        result = run("init", *options, f"--rev={revision}")
        assert result.code == 2 and "internal error" not in result.err
        assert [path.name for path in repository.root.iterdir()] == [".git"]


def test_head_needs_an_answer(repository: Repository, run: Run) -> None:
    result = run("init", "--repo", URL, "--rev", "HEAD")
    assert result.code == 2 and "write the full hash of a commit" in result.err
    assert not Path(CONFIG).exists()


def test_the_full_name_of_a_branch_is_answered_with_what_to_write(
    repository: Repository, hooks: Repository, run: Run
) -> None:
    result = run("init", "--repo", str(hooks.root), "--rev", "refs/heads/main")
    assert result.code == 2 and "without `refs/heads/`" in result.err


def test_a_commit_of_a_relative_address_is_looked_up(
    repository: Repository, hooks: Repository, run: Run
) -> None:
    result = run("init", "--repo", "../hooks", "--rev", head_of(hooks))
    assert result.code == 0 and "could not be checked" not in result.out


def test_the_commits_of_this_clone_are_none_of_the_repository(
    repository: Repository, hooks: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit()
    monkeypatch.setenv("GIT_DIR", str(repository.root / ".git"))
    result = run("init", "--repo", str(hooks.root), "--rev", head_of(repository))
    assert result.code == 2 and "has no such tag, branch or commit" in result.err


def _program(place: Path, text: str) -> Path:
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)
    return place


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
def test_nothing_of_a_look_up_runs_after_its_time(
    repository: Repository, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    ssh = _program(tmp_path / "bin" / "slow", f"echo $$ $PPID >> '{pids}'\nsleep 60\nexit 1")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setattr(remote, "_SECONDS", 1)
    result = run("init", "--repo", "ssh://h/x", "--rev", COMMIT)
    assert result.code == 0 and "could not be checked" in result.out
    processes = [int(word) for word in pids.read_text().split()]
    assert len(processes) >= 2
    limit = time.monotonic() + 5
    while any(map(_runs, processes)) and time.monotonic() < limit:
        time.sleep(0.05)
    assert not [process for process in processes if _runs(process)]


@pytest.mark.parametrize("command", ["", "ssh -i key"])
def test_ssh_does_not_ask(
    command: str, repository: Repository, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    report = f'echo "$*" $GIT_TERMINAL_PROMPT "$(ps -o sid= -p $$)" >> \'{log}\'\nexit 255'
    folder = _program(tmp_path / "bin" / "ssh", report).parent
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    if command:
        repository.git("config", "core.sshCommand", command)
    run("init", "--repo", "ssh://h/x", "--rev", "v1")
    *words, session = log.read_text().splitlines()[-1].split()
    assert "-oBatchMode=yes" in words and words[-1] == "0" and ("key" in words) == bool(command)
    # A program of another session has no terminal to ask at.
    assert int(session) != os.getsid(0)


@pytest.mark.parametrize("options", [(), ("--repo", URL), ("--repo", f"{URL}.git/")])
def test_init_writes_the_commit_that_was_installed(
    options: tuple[str, ...], repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, {"url": URL, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    result = run("init", "--github", *options)
    doubt = f"`rev: {COMMIT}` could not be checked: {URL}"
    assert result.code == 0 and result.out.count(doubt) == 2
    url, revision = written()
    assert url.startswith(URL) and revision == COMMIT
    assert f"uses: acme/fork/.github/workflows/gate.yml@{COMMIT}\n" in Path(WORKFLOW).read_text(
        encoding="utf-8"
    )


def test_a_revision_of_the_user_is_one_of_the_fork_that_was_installed(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, {"url": URL, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    assert run("init", "--rev", "v1").code == 0
    config = Path(CONFIG).read_text()
    assert f"  - repo: {URL}" in config and "    rev: v1\n" in config


@pytest.mark.parametrize("name", ["HEAD", "HEAD~1", "HEAD^{tree}", COMMIT])
def test_the_commit_that_was_installed_is_looked_up(
    name: str,
    repository: Repository,
    hooks: Repository,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commit = name if name == COMMIT else head_of(hooks, name)
    repository.git("config", "--global", f"url.{hooks.root}.insteadOf", URL)
    install(monkeypatch, {"url": URL, "vcs_info": {"vcs": "git", "commit_id": commit}})
    try:
        result = run("init")
    finally:
        repository.git("config", "--global", "--remove-section", f"url.{hooks.root}")
    assert result.code == 0 and "could not be checked" not in result.out
    if name in ("HEAD", "HEAD~1"):
        assert written() == (URL, commit)
    else:
        assert f"missing  {CONFIG}: not written" in result.out and not Path(CONFIG).exists()


def test_init_writes_the_tag_of_an_installed_release(
    repository: Repository, hooks: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, None)
    monkeypatch.setattr(hook_source, "REPOSITORY", str(hooks.root))
    assert run("init").code == 0
    assert f"    rev: v{__version__}\n" in Path(CONFIG).read_text()


UNKNOWN: dict[str, object] = {
    "an editable clone": {"url": "file:///srv/clone", "dir_info": {"editable": True}},
    "a commit of a clone": {"url": "file:///srv/clone", "vcs_info": {"commit_id": COMMIT}},
    "an archive": {"url": f"{URL}/archive/main.zip", "archive_info": {}},
    "another repository": {"url": "https://github.com/a/b", "vcs_info": {"commit_id": COMMIT}},
    "a short hash": {"url": URL, "vcs_info": {"commit_id": "0123456"}},
    "a list": [],
    "no JSON": "{",
    "no UTF-8": b'{"url": "\xff"}',
    "a deep list": "[" * 100_000,
    "an invisible character": {"url": f"{URL}\u2028x", "vcs_info": {"commit_id": COMMIT}},
    "a release whose tag is not found": None,
}


@pytest.mark.parametrize("record", UNKNOWN.values(), ids=UNKNOWN)
def test_init_says_what_to_do_where_no_revision_is_known(
    record: object, repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, record)
    result = run("init", "--github", "--repo", URL)
    problem = f"not written: no tag or commit of {URL} is known to exist"
    for path in (CONFIG, WORKFLOW):
        assert f"missing  {path}: {problem}; run this again with `--rev COMMIT`\n" in result.out
        assert not Path(path).exists()
    assert result.code == 0 and "created  docs/adr/001-" in result.out
    assert f"  helix-hooks init --github --repo {URL} --rev COMMIT     (" in result.out
    assert f"`git ls-remote {URL} HEAD` prints the newest commit" in result.out
    assert "pre-commit install" not in result.out and "gh secret set" not in result.out


@pytest.fixture
def clone(hooks: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clone of the hooks, in a folder whose name has a space, from which the program was installed."""
    place = tmp_path / "my clone"
    hooks.git("clone", "--quiet", str(hooks.root), str(place))
    install(monkeypatch, {"url": place.as_uri(), "dir_info": {"editable": True}})
    return Repository(place)


def test_init_writes_origin_and_commit_of_the_clone(
    repository: Repository, hooks: Repository, clone: Repository, run: Run
) -> None:
    result = run("init")
    assert result.code == 0 and written() == (str(hooks.root), head_of(clone))
    assert "is in a folder of this machine, which no other can fetch" in result.out


@pytest.mark.parametrize("origin", [URL, URL.replace("://", "://me:ghp_secret@")])
def test_a_public_origin_is_written_without_a_secret(
    origin: str, repository: Repository, hooks: Repository, clone: Repository, run: Run
) -> None:
    clone.git("remote", "set-url", "origin", origin)
    repository.git("config", "--global", f"url.{hooks.root}.insteadOf", URL)
    try:
        assert run("init").code == 0
    finally:
        repository.git("config", "--global", "--remove-section", f"url.{hooks.root}")
    assert written() == (URL, head_of(clone))


NOT_FETCHED = {
    "a commit that was not pushed": (
        ("commit", "--quiet", "--allow-empty", "-m", "x"),
        "; push it",
    ),
    "no origin": (("remote", "remove", "origin"), "has no origin"),
    "an origin that does not answer": (
        ("remote", "set-url", "origin", URL),
        "does not answer for the installed commit",
    ),
    "no clone": (("rev-parse",), "git can't read a clone in"),
}


@pytest.mark.parametrize("kind", NOT_FETCHED)
def test_nothing_is_written_that_can_not_be_fetched(
    kind: str, repository: Repository, clone: Repository, run: Run
) -> None:
    words, reason = NOT_FETCHED[kind]
    clone.git(*words)
    if kind == "no clone":
        shutil.rmtree(clone.root / ".git")
    result = run("init")
    assert result.code == 0 and not Path(CONFIG).exists()
    (line,) = [line for line in result.out.splitlines() if line.startswith("missing  ")]
    assert reason in line and "`--rev COMMIT`" in line


def test_a_folder_within_another_repository_is_no_clone(
    repository: Repository, clone: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = clone.root / "vendor"
    folder.mkdir()
    install(monkeypatch, {"url": folder.as_uri(), "dir_info": {}})
    assert "git can't read a clone in" in run("init").out and not Path(CONFIG).exists()


def test_init_from_a_copy_of_the_files_knows_no_revision(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def distribution(name: str) -> Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", distribution)
    assert "missing  .pre-commit-config.yaml" in run("init").out


def test_init_needs_no_revision_where_the_hook_is_there(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, UNKNOWN["an editable clone"])
    repository.write(CONFIG, "repos: [{repo: x, rev: y, hooks: [{id: helix-adr}]}]\n")
    repository.write(WORKFLOW, "jobs: {gate: {uses: acme/fork/.github/workflows/gate.yml@main}}\n")
    result = run("init", "--github")
    assert "missing  " not in result.out and "pre-commit install" in result.out


def test_a_repository_that_only_this_machine_has_is_named(
    hooks: Repository, repository: Repository, run: Run
) -> None:
    done = run("init", "--repo", f"file://{hooks.root}", "--rev", "main")
    said = f"only this machine has file://{hooks.root}: `--repo URL` names one for all"
    assert done.code == 0 and said in done.out


@pytest.mark.parametrize("url", ["git@github.com:acme/hooks", URL])
def test_a_repository_that_others_have_is_not(url: str, repository: Repository, run: Run) -> None:
    assert "only this machine" not in run("init", "--repo", url, "--rev", COMMIT).out
