"""Measure `check --fix` on repositories: `fix_corpus.py DIR [--typos]`.

DIR has a folder for each repository; in the names of its files, `__` stands for `/`. Each becomes a
git repository of its own in a temporary folder. With --typos, two letters in the status of each ADR
are swapped first, after the commit.

The table has errors and warnings before and after, and the files that were changed. It ends with
the repositories in which a verdict became worse, or a second run changed something: none.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

_WORDS = (
    r"(?im)^(\W*(?:status\W+)?)(accepted|proposed|superseded|deprecated|rejected|implemented)\b"
)
_PROGRAM = (sys.executable, "-m", "helix_hooks")
_AUTHOR = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.autocrlf=false")


class Verdicts(NamedTuple):
    """Errors and warnings of a check, and the ADRs with an error."""

    errors: int
    warnings: int
    failing: frozenset[str]


class Row(NamedTuple):
    """The measurement of one repository. `restored` counts ADRs that are as they were committed."""

    name: str
    damaged: int
    before: Verdicts
    after: Verdicts
    fixes: tuple[str, ...]
    changed: int
    restored: int
    is_stable: bool


def main(folder: Path, *, with_typos: bool) -> int:
    rows = []
    for repository in sorted(place for place in folder.iterdir() if place.is_dir()):
        with tempfile.TemporaryDirectory() as scratch:
            rows.append(measured(repository, Path(scratch), with_typos=with_typos))
        print(_line(rows[-1]), flush=True)
    kinds: dict[str, int] = {}
    for fix in (fix for row in rows for fix in row.fixes):
        kind = fix.rpartition("[")[2].rstrip("]")
        kinds[kind] = kinds.get(kind, 0) + 1
    worse = [row.name for row in rows if is_worse(row)]
    unstable = [row.name for row in rows if not row.is_stable]
    print(
        f"\n{len(rows)} repositories, {sum(row.changed for row in rows)} files changed by "
        f"{sum(kinds.values())} fixes: {kinds}"
    )
    for title, number in (
        ("errors", (sum(row.before.errors for row in rows), sum(row.after.errors for row in rows))),
        (
            "warnings",
            (sum(row.before.warnings for row in rows), sum(row.after.warnings for row in rows)),
        ),
    ):
        print(f"{title}: {number[0]} before, {number[1]} after")
    if with_typos:
        restored, damaged = (sum(row.restored for row in rows), sum(row.damaged for row in rows))
        print(f"typing errors: {damaged}, restored to the committed bytes: {restored}")
    print(f"worse: {', '.join(worse) or 'none'}")
    print(f"changed again by a second run: {', '.join(unstable) or 'none'}")
    return int(bool(worse or unstable))


def is_worse(row: Row) -> bool:
    """Return whether there are more errors, more errors and warnings, or another failing ADR.

    An error that became a warning is no new warning.
    """
    before, after = row.before, row.after
    more = after.errors > before.errors
    more |= after.errors + after.warnings > before.errors + before.warnings
    return more or not after.failing <= before.failing


def measured(source: Path, root: Path, *, with_typos: bool) -> Row:
    for file in sorted(source.rglob("*")):
        if file.is_file():
            target = root / str(file.relative_to(source)).replace("__", "/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    git(root, "init", "--quiet")
    git(root, "add", "--all", "--force")
    git(root, *_AUTHOR, "commit", "--quiet", "--no-verify", "--message", "x")
    damaged = damage(root) if with_typos else []
    before, start = verdicts(root), contents(root)
    fixes = tuple(line for line in run(root, "check", "--fix").splitlines() if ": fixed: " in line)
    after, first = verdicts(root), contents(root)
    run(root, "check", "--fix")
    committed = {path for path in damaged if not git(root, "status", "--porcelain", "--", path)}
    return Row(
        name=source.name.replace("+", "/"),
        damaged=len(damaged),
        before=before,
        after=after,
        fixes=fixes,
        changed=len([path for path in start if first.get(path) != start[path]]),
        restored=len(committed),
        is_stable=contents(root) == first,
    )


def damage(root: Path) -> list[str]:
    """Swap the third and fourth letter of the status of each ADR that is checked."""
    paths = [file["path"] for file in json.loads(run(root, "check", "--format", "json"))["files"]]
    changed = []
    for path in paths:
        data = (root / path).read_bytes()
        text = data.decode("latin-1")
        match = re.search(_WORDS, text)
        if match:
            word = match[2]
            wrong = f"{word[:2]}{word[3]}{word[2]}{word[4:]}"
            if wrong == word:
                wrong = word[:2] + word[3:]
            text = f"{text[: match.start(2)]}{wrong}{text[match.end(2) :]}"
            (root / path).write_bytes(text.encode("latin-1"))
            changed.append(path)
    return changed


def verdicts(root: Path) -> Verdicts:
    report = json.loads(run(root, "check", "--format", "json"))
    found = [
        (file["path"], finding["severity"])
        for file in report["files"]
        for finding in file["findings"]
    ]
    return Verdicts(
        errors=sum(severity == "error" for _, severity in found),
        warnings=sum(severity == "warning" for _, severity in found),
        failing=frozenset(path for path, severity in found if severity == "error"),
    )


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in root.rglob("*")
        if file.is_file() and ".git" not in file.relative_to(root).parts
    }


def run(root: Path, *words: str) -> str:
    """Return the output of helix-hooks. Exit codes other than 0 and 1 end the measurement."""
    done = subprocess.run([*_PROGRAM, *words], check=False, cwd=root, capture_output=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode(errors="replace"))
    return done.stdout.decode(errors="replace")


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    return done.stdout.decode(errors="replace")


def _line(row: Row) -> str:
    errors = f"{row.before.errors} -> {row.after.errors} errors"
    warnings = f"{row.before.warnings} -> {row.after.warnings} warnings"
    stable = "" if row.is_stable else " NOT STABLE"
    worse = " WORSE" if is_worse(row) else ""
    return f"{row.name:52} {errors:22} {warnings:26} {row.changed} files{stable}{worse}"


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--typos"]
    if len(words) != 1:
        sys.exit(__doc__)
    sys.exit(main(Path(words[0]), with_typos="--typos" in sys.argv))
