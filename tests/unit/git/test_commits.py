"""What GitPython answers is what git answers, and nothing that a repository configures is run for it.

Attack on the judge: settings of the clone that start a program, where GitPython asks git: filters, textconv, external diff, fsmonitor, hooks, `core.sshCommand`, credential helpers, aliases, pager, `gpg.program`, `include.path`, alternates, trailers, missing objects of a partial clone.
Answer: not started; a clone of another user is refused; the environment does not choose the git that is run.
Shown by: `tests/unit/git/test_commits.py`.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_hooks.errors import GitError
from helix_hooks.git import commits, history
from tests.conftest import Repository

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""

ALL = ("merge-base", "rev-list", "cat-file", "remote", "rev-parse", "version")
FOREIGN = "9" * 40
SIGNED = """tree {tree}
parent {parent}
author A <a@example.org> 1700000000 +0000
committer C <c@example.org> 1700000000 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 none
 -----END PGP SIGNATURE-----

signed

co-authored-by: Bo <bo@example.org>
"""


def _history(repository: Repository) -> Repository:
    """`main` with three commits, the last signed, `side` apart from its second; a file that every attribute is set on."""
    repository.stage(".gitattributes", "*.txt filter=evil diff=evil merge=evil\n")
    for text in ("1\n", "2\n"):
        repository.stage("a.txt", text)
        repository.commit(f"{text}\nCo-authored-by: Ada <ada@example.org>")
    tree, parent = (
        repository.git("rev-parse", name).stdout.strip() for name in ("HEAD^{tree}", "HEAD")
    )
    repository.git("branch", "side")
    text = SIGNED.format(tree=tree, parent=parent)
    signed = repository.write(".git/signed", text)
    made = repository.git("hash-object", "-t", "commit", "-w", str(signed)).stdout.strip()
    repository.git("reset", "--quiet", "--hard", made)
    repository.git("checkout", "--quiet", "side")
    repository.stage("b\udcff.txt", "b\n")
    repository.commit("on the side")
    repository.git("checkout", "--quiet", "main")
    repository.git("remote", "add", "origin", "ssh://git@example.org/a/b.git")
    return repository


def _everything(root: Path) -> None:
    """Every operation of the module, at every commit."""
    place = str(root)
    listed = subprocess.run(
        ["git", "rev-list", "--all"], cwd=root, capture_output=True, text=True, check=False
    ).stdout.split()
    paths = ["a.txt", ":(glob)*.txt", *listed[:1]]
    for name in (*listed, FOREIGN):
        with contextlib.suppress(GitError):
            commits.merge_base(place, name, listed[0])
        with contextlib.suppress(GitError):
            commits.first_parents(place, name, paths, 50)
        with contextlib.suppress(GitError):
            commits.writers(place, listed[-1], name)
    assert commits.remote_address(place, "origin")
    assert commits.hook_file(place, "pre-commit")


class Trap:
    """A program that leaves a mark when it is run."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "it was run"
        self.program = folder / "trap"
        self.program.write_text(f"#!/bin/sh\ntouch '{self.mark}'\nexit 1\n")
        self.program.chmod(0o755)

    def sprung(self) -> bool:
        was = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return was


def _set(*names: str, **more: str) -> Callable[[Repository, Trap], None]:
    def arm(repository: Repository, trap: Trap) -> None:
        for name in names:
            repository.git("config", name, str(trap.program))
        for name, value in more.items():
            repository.git("config", name.replace("__", "."), value)

    return arm


def _hooks(repository: Repository, trap: Trap) -> None:
    folder = repository.root / ".git" / "hooks"
    folder.mkdir(exist_ok=True)
    changing = ("post-checkout", "post-index-change", "reference-transaction")
    for name in (*changing, "pre-commit", "pre-auto-gc", "fsmonitor-watchman"):
        (folder / name).symlink_to(trap.program)


def _hooks_path(repository: Repository, trap: Trap) -> None:
    _hooks(repository, trap)
    (repository.root / ".git" / "hooks").rename(repository.root / "hooks")
    repository.git("config", "core.hooksPath", "hooks")


def _aliases(repository: Repository, trap: Trap) -> None:
    for name in (*ALL, "evil"):
        repository.git("config", f"alias.{name}", f"!{trap.program}")


def _included(repository: Repository, trap: Trap) -> None:
    core = f"[core]\n\tfsmonitor = {trap.program}\n\tsshCommand = {trap.program}\n"
    repository.write(".git/more", f"{core}[diff]\n\texternal = {trap.program}\n")
    repository.git("config", "include.path", "more")


def _alternates(repository: Repository, trap: Trap) -> None:
    other = repository.root.parent / "other"
    repository.git("clone", "--quiet", "--bare", str(repository.root), str(other))
    repository.write(".git/objects/info/alternates", f"{other}/objects\n")
    repository.git("config", "core.alternateRefsCommand", str(trap.program))


def _partial(repository: Repository, trap: Trap) -> None:
    """A partial clone, to which git would fetch what it lacks, by a program that the clone names."""
    of_clone = {"extensions__partialClone": "origin", "remote__origin__promisor": "true"}
    _set("core.sshCommand", "credential.helper", **of_clone)(repository, trap)
    repository.git("config", "core.repositoryFormatVersion", "1")


TRAPS: dict[str, tuple[Callable[[Repository, Trap], None], list[str]]] = {
    "clean filter": (_set("filter.evil.clean"), ["add", "--renormalize", "."]),
    "smudge filter": (_set("filter.evil.smudge"), ["checkout-index", "--force", "a.txt"]),
    "filter process": (_set("filter.evil.process"), ["add", "--renormalize", "."]),
    "textconv": (_set("diff.evil.textconv"), ["diff", "HEAD~2", "HEAD"]),
    "external diff": (_set("diff.external"), ["diff", "HEAD~2", "HEAD"]),
    "driver of a diff": (_set("diff.evil.command"), ["diff", "HEAD~2", "HEAD"]),
    "fsmonitor": (_set("core.fsmonitor"), ["status"]),
    "hooks": (_hooks, ["hook", "run", "pre-commit"]),
    "core.hooksPath": (_hooks_path, ["hook", "run", "pre-commit"]),
    "core.sshCommand": (_set("core.sshCommand"), ["ls-remote", "origin"]),
    "credential helper": (_set("credential.helper"), ["credential", "fill"]),
    "aliases": (_aliases, ["evil"]),
    "pager": (_set("core.pager", "pager.rev-list", "pager.merge-base", "pager.remote"), []),
    "gpg.program": (_set("gpg.program", log__showSignature="true"), ["verify-commit", "HEAD"]),
    "include.path": (_included, ["status"]),
    "alternates": (_alternates, ["fetch", "../other"]),
    "trailers": (_set("trailer.x.command", trailer__x__key="X: "), ["interpret-trailers"]),
    "missing objects": (_partial, ["cat-file", "-p", FOREIGN]),
    "merge driver": (_set("merge.evil.driver"), []),
}


@pytest.mark.parametrize("name", TRAPS)
@pytest.mark.sampled
def test_nothing_that_a_repository_configures_is_run(
    repository: Repository, tmp_path: Path, name: str
) -> None:
    arm, springs = TRAPS[name]
    trap = Trap(tmp_path)
    _history(repository)
    arm(repository, trap)
    repository.write("a.txt", "not staged\n")
    trap.sprung()
    _everything(repository.root)
    assert not trap.sprung()
    if springs:
        asked = b"protocol=https\nhost=example.org\n\n"
        command = ["git", *springs]
        subprocess.run(command, cwd=repository.root, input=asked, capture_output=True, check=False)
        assert trap.sprung(), "this trap does not work"


@pytest.mark.skipif(
    not hasattr(os, "chown") or os.geteuid() != 0, reason="only root gives files away"
)
def test_a_repository_of_somebody_else_is_refused(repository: Repository, tmp_path: Path) -> None:
    trap = Trap(tmp_path)
    _history(repository)
    _set("core.fsmonitor", "core.sshCommand", "diff.external")(repository, trap)
    head = repository.git("rev-parse", "HEAD").stdout.strip()
    for place in (repository.root, repository.root / ".git"):
        os.chown(place, 12345, 12345)
    with pytest.raises(GitError, match="dubious ownership"):
        commits.first_parents(str(repository.root), head, [], 5)
    with pytest.raises(GitError):
        commits.writers(str(repository.root), f"{head}~1", head)
    assert commits.remote_address(str(repository.root), "origin") == ""
    assert not trap.sprung()


@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["quiet", "warn", "raise", "nonsense"])
def test_the_environment_does_not_choose_the_git_that_is_run(
    repository: Repository, tmp_path: Path, mode: str
) -> None:
    trap = Trap(tmp_path)
    _history(repository)
    for name in ("git", "git.exe"):
        (repository.root / name).symlink_to(trap.program)
    hostile = {"GIT_PYTHON_GIT_EXECUTABLE": str(trap.program), "GIT_PYTHON_REFRESH": mode, "GIT_PYTHON_TRACE": "full", "GIT_EXTERNAL_DIFF": str(trap.program),
               "GIT_SSH_COMMAND": str(trap.program), "GIT_PAGER": str(trap.program), "PATH": f".{os.pathsep}{os.environ['PATH']}"}  # fmt: skip
    program = "from helix_hooks.git import commits; print(commits.remote_address('.', 'origin')); print(commits.hook_file('.', 'x'))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=repository.root,
        env={**os.environ, **hostile},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "ssh://git@example.org/a/b.git",
        os.path.join(".", ".git", "hooks", "x"),
    ], done.stderr
    assert not done.stderr and not trap.sprung()


def _packed(repository: Repository) -> Path:
    repository.git("pack-refs", "--all")
    repository.git("repack", "-adq")
    return repository.root


def _linked(repository: Repository) -> Path:
    repository.git("worktree", "add", "--quiet", "../linked", "side")
    return repository.root.parent / "linked"


def _cloned(*flags: str) -> Callable[[Repository], Path]:
    def clone(repository: Repository) -> Path:
        repository.git("config", "uploadpack.allowFilter", "true")
        source = f"file://{repository.root}"
        repository.git("clone", "--quiet", "--no-single-branch", *flags, source, "../cloned")
        return repository.root.parent / "cloned"

    return clone


def _shared(repository: Repository) -> Path:
    repository.git("clone", "--quiet", "--shared", str(repository.root), "../shared")
    return repository.root.parent / "shared"


def _replaced(repository: Repository) -> Path:
    """The clone says that the last commit is another one, and that the second has no parent."""
    ids = repository.git("rev-list", "main").stdout.split()
    repository.git("replace", ids[0], repository.git("rev-parse", "side").stdout.strip())
    repository.write(".git/info/grafts", f"{ids[1]}\n")
    return repository.root


LAYOUTS = {
    "plain": lambda repository: repository.root,
    "packed": _packed,
    "linked work tree": _linked,
    "bare": _cloned("--bare"),
    "shallow": _cloned("--depth=2"),
    "partial": _cloned("--filter=blob:none", "--no-checkout"),
    "without trees": _cloned("--filter=tree:0", "--no-checkout"),
    "alternates": _shared,
    "replaced": _replaced,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.sampled
def test_gitpython_says_what_git_says(repository: Repository, layout: str) -> None:
    _history(repository)
    main, side, parted = repository.git("rev-parse", "main", "side", "side~1").stdout.split()
    root = str(LAYOUTS[layout](repository))
    assert commits.merge_base(root, main, side) == history.merge_base(root, main, side) == parted
    line = commits.first_parents(root, main, [], 50)
    assert (line.commits[:2], line.is_whole) == ([main, parted], layout != "shallow")
    assert commits.first_parents(root, main, [], 1).is_whole is False
    assert commits.writers(root, parted, main) == ("A", "C", "Bo")


def test_two_histories_have_no_merge_base(repository: Repository) -> None:
    _history(repository)
    repository.git("checkout", "--quiet", "--orphan", "other")
    repository.commit("another root")
    one, other = repository.git("rev-parse", "main", "other").stdout.split()
    for merge_base in (commits.merge_base, history.merge_base):
        assert merge_base(str(repository.root), one, other) == ""


def test_a_content_that_git_lacks_is_an_error(repository: Repository) -> None:
    repository.stage("a.md", "Approved.")
    repository.commit()
    name = repository.git("rev-parse", "HEAD:a.md").stdout.strip()
    repository.root.joinpath(".git", "objects", name[:2], name[2:]).unlink()
    with pytest.raises(GitError, match=r"git has no content for HEAD:a\.md"):
        history.blobs(str(repository.root), ["HEAD:a.md"])


def test_a_repository_of_sha256_has_no_writers(tmp_path: Path) -> None:
    root = str(tmp_path)
    format = ["--object-format=sha256", "-b", "main"]
    subprocess.run(["git", "init", "--quiet", *format, root], check=True)
    repository = Repository(tmp_path)
    for text in ("1", "2"):
        repository.commit(text)
    head, base = repository.git("rev-list", "main").stdout.split()
    assert commits.merge_base(root, base, head) == base
    assert commits.first_parents(root, head, [], 5) == ([head, base], True)
    assert commits.writers(root, base, head) == ()
    assert commits.remote_address(root, "origin") == ""


def test_a_name_in_no_known_encoding_is_readable(repository: Repository) -> None:
    repository.commit("1")
    base = repository.git("rev-parse", "HEAD").stdout.strip()
    repository.git("-c", "user.name=J\udcf6rg", "commit", "--quiet", "--allow-empty", "-m", "x")
    head = repository.git("rev-parse", "HEAD").stdout.strip()
    assert commits.writers(str(repository.root), base, head) == ("Jörg",)


def test_git_folder_of_the_environment(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _history(repository)
    (repository.root / ".git").rename(tmp_path / "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repository.root))
    root, hook = str(repository.root), tmp_path / "elsewhere" / "hooks" / "pre-commit"
    assert commits.remote_address(root, "origin") == "ssh://git@example.org/a/b.git"
    assert commits.hook_file(root, "pre-commit") == str(hook)


def test_without_git_there_is_one_line(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(repository.root))
    with pytest.raises(GitError, match="git is not installed"):
        commits.merge_base(str(repository.root), "1", "2")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "arguments",
    ["", "--staged", "--staged --all", "--since HEAD~1", "--staged --matching docs/adr/0001-x.md"],
)
def test_check_never_loads_gitpython(repository: Repository, arguments: str) -> None:
    repository.commit("1")
    repository.stage("docs/adr/0001-x.md", "# x\n")
    repository.commit("2")
    program = "import sys; from helix_hooks.cli.main import main; main(sys.argv[1:]); sys.exit('git loaded' if {'git', 'gitdb'} & {*sys.modules} else 0)"
    command = [sys.executable, "-c", program, "check", *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
