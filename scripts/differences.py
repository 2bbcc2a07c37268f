"""Print how the output of two versions of the program differs: `make differences BASE=REV`.

Both versions check the project's own ADRs, the repositories of a corpus with seeded changes,
and the pull requests of `tests/cases/pages`. What each command prints becomes a file, and git
compares the files. Exit 0: no difference; 1: differences; 2: usage; 3: not compared.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "real-adrs.tar.gz"
PAGES = Path("tests", "cases", "pages")
SCHEMAS = ("settings", "rules", "approvals", "notify", "baseline", "phases", "catalog")
COMMANDS = {
    "whole": ("check", "--format", "json"),
    "text": ("check",),
    "sarif": ("check", "--format", "sarif"),
    "graph": ("graph",),
    "contract": ("contract",),
}
STAGED, SINCE = ("check", "--staged", "--format", "json"), ("check", "--since", "main")
NEW_ADR = "# 9999. Use Kafka\n\n## Decision\n\nWe use Kafka.\n"
GIT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_NAME": "differences" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "differences@example.org" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_DATE": "2026-01-05T08:00:00Z" for who in ("AUTHOR", "COMMITTER")},
}


class NotComparedError(Exception):
    """A version can't be run, or something can't be read."""


def main() -> int:
    arguments = _arguments()
    corpus = arguments.corpus or (CORPUS if CORPUS.exists() else None)
    with tempfile.TemporaryDirectory(prefix="differences-") as name:
        folder = Path(name)
        try:
            repositories = _repositories(folder / "repositories", corpus)
            for side, revision in (("before", arguments.base), ("after", None)):
                _observe(folder, side, revision, repositories, with_pages=arguments.pages)
        except NotComparedError as error:
            print(f"not compared: {error}", file=sys.stderr)
            return 3
        files = sum(path.is_file() for path in (folder / "after").rglob("*"))
        compared = "git diff --no-index --no-prefix --stat --patch before after".split()
        done = subprocess.run(compared, cwd=folder, env={**os.environ, **GIT}, check=False)
    said = "no differences" if done.returncode == 0 else "the differences are above"
    print(f"{files} outputs of {len(repositories)} repositories compared: {said}")
    if not corpus:
        print(f"the corpus was not compared: {CORPUS} does not exist; name one with CORPUS=PATH")
    if not arguments.pages:
        print("the pages of pull requests were not compared (--no-pages)")
    return done.returncode


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", help="revision to compare the files of this checkout with")
    parser.add_argument(
        "--corpus", type=Path, help="folder or .tar.gz with a folder for each repository"
    )
    parser.add_argument("--no-pages", dest="pages", action="store_false")
    arguments = parser.parse_args()
    if arguments.corpus and not arguments.corpus.exists():
        parser.error(f"there is no corpus {arguments.corpus}")
    if _git(ROOT, "rev-parse", "--verify", "--quiet", f"{arguments.base}^{{commit}}").returncode:
        parser.error(f"there is no commit {arguments.base}")
    return arguments


def _git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, **GIT}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )


def _repositories(folder: Path, corpus: Path | None) -> list[Path]:
    """Lay out the files of each repository: the project's own ADRs, and those of the corpus."""
    shutil.copytree(ROOT / "docs" / "adr", folder / "own" / "docs" / "adr")
    if corpus and corpus.is_dir():
        shutil.copytree(corpus, folder, dirs_exist_ok=True)
    elif corpus:
        subprocess.run(["tar", "-xf", str(corpus), "-C", str(folder)], check=True)
    for path in [*folder.rglob("*__*")]:  # the corpus has `docs__adr__1.md` for `docs/adr/1.md`
        place = path.parent / path.name.replace("__", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        path.rename(place)
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _observe(
    folder: Path, side: str, revision: str | None, repositories: list[Path], *, with_pages: bool
) -> None:
    """Write all that a version prints below `folder/side`. None is the version of this checkout."""
    tree = folder / "program" if revision else ROOT
    if revision:
        archive = _git(ROOT, "archive", "--format=tar", revision).stdout
        tree.mkdir()
        subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
    programs = _environment(folder / f"environment-{side}", tree)
    out = folder / side
    for name in SCHEMAS:
        _write(out / "schemas" / f"{name}.json", _run(programs, folder, "schema", name))
    shutil.copytree(tree / "helix_hooks" / "schemas", out / "schemas" / "shipped")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(partial(_observe_repository, programs, out, folder / "work"), repositories))
    shutil.rmtree(folder / "work")
    if with_pages:
        _observe_pages(programs, tree, out / "pages")


def _environment(folder: Path, tree: Path) -> Path:
    """Return the programs of an environment with the packages of this one and a version's own."""
    command = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(command, check=True)
    packages = sysconfig.get_path("purelib", vars={"base": str(folder)})
    lines = f"{tree}\n{sysconfig.get_path('purelib')}\n"
    Path(packages, "version.pth").write_text(lines, encoding="utf-8")
    python = folder / "bin" / "python"
    program = folder / "bin" / "helix-hooks"
    program.write_text(
        f"#!{python} -I\nfrom helix_hooks.cli.main import console\nconsole()\n", encoding="utf-8"
    )
    program.chmod(0o755)
    show = [str(python), "-I", "-c", "import helix_hooks.cli.main as it; print(it.__file__)"]
    done = subprocess.run(show, capture_output=True, text=True, check=False)
    if not Path(done.stdout.strip()).is_relative_to(tree) or done.returncode:
        raise NotComparedError(f"the version in {tree} can't be imported: {done.stderr.strip()}")
    return folder / "bin"


def _observe_repository(programs: Path, out: Path, work: Path, files: Path) -> None:
    """Check a repository as a whole, a change of it that is staged, and the branch with it."""
    root, to = work / files.name, out / "repositories" / files.name
    shutil.copytree(files, root)
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "all")):
        _git(root, *arguments)
    for name, command in COMMANDS.items():
        _write(to / name, _run(programs, root, *command))
    _git(root, "checkout", "-qb", "change")
    for kind in _changes(root):
        _git(root, "add", "-A")
        _write(to / f"staged-{kind}", _run(programs, root, *STAGED))
        _git(root, "commit", "-qm", kind)
        _write(to / f"since-{kind}", _run(programs, root, *SINCE, "--format", "json"))
    _write(to / "since-text", _run(programs, root, *SINCE))


def _changes(root: Path) -> Iterator[str]:
    """Change a repository in one way after another, and yield the kind of each change."""
    adrs = sorted(path for path in root.rglob("*.md") if ".git" not in path.parts)
    readable = [path for path in adrs if path.is_file()]
    if not readable:
        return
    first, last = readable[0], readable[-1]
    with first.open("a", encoding="utf-8") as file:
        file.write("\nWe also keep a copy of each message.\n")
    yield "sentence"
    accepted = [path for path in readable if b"ccepted" in path.read_bytes()]
    if accepted:
        place = accepted[-1]
        place.write_bytes(place.read_bytes().replace(b"Accepted", b"Deprecated", 1))
        yield "status"
    (last.parent / "9999-use-kafka.md").write_text(NEW_ADR, encoding="utf-8")
    yield "new"
    if len(readable) > 2:
        readable[1].rename(readable[1].with_stem(f"{readable[1].stem}-renamed"))
        yield "renamed"
        readable[2].unlink()
        yield "deleted"


def _run(programs: Path, folder: Path, *arguments: str) -> str:
    """Return the exit code and all that the program prints."""
    environment = {**GIT, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(programs.parent)}
    environment |= {"LANG": "C.UTF-8", "TZ": "UTC", "COLUMNS": "100"}
    command = [str(programs / "helix-hooks"), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    out, errors = (text.decode(errors="backslashreplace") for text in (done.stdout, done.stderr))
    return f"$ helix-hooks {' '.join(arguments)}\nexit {done.returncode}\n{out}{errors}"


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def _observe_pages(programs: Path, tree: Path, out: Path) -> None:
    """Play the pull requests of this checkout against a version, with the fakes of that version.

    Fakes call the program's functions to serve repositories, so a version needs its own.
    """
    if tree != ROOT:
        shutil.rmtree(tree / PAGES, ignore_errors=True)
        shutil.copytree(ROOT / PAGES, tree / PAGES)
    test = "tests/stories/pull_request/test_pages.py"
    command = [str(programs / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    command += ["--written", str(out), "--numprocesses", str(os.cpu_count() or 1)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode or not out.exists():
        raise NotComparedError(f"the pages of {tree}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


if __name__ == "__main__":
    sys.exit(main())
