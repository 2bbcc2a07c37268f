"""Measure how many new ADRs of real repositories pass: `caught.py DIRECTORY`, with file trees.

For each folder of at least six ADRs, the oldest 70 % are committed, and each of the newest 30 % is
staged alone: how many have no error? Then one defect at a time is put into the newest ADR, with all
others committed. How many are stopped, among those that remove a part of the norm, and among the
others?
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from helix_hooks.adr.examine import Source, read
from helix_hooks.adr.model import Adr
from helix_hooks.adr.names import number_in_path
from helix_hooks.adr.norm import norm
from helix_hooks.adr.parse.document import parse
from helix_hooks.adr.reference import collection
from helix_hooks.check import files
from helix_hooks.config.settings import load

SETTINGS = load(lambda _: None, files.packaged)
FEWEST = 6
OLD = 0.7
LONGEST = 200_000
"""Bytes of an ADR that is measured."""
CORE = ("status", "context", "decision", "consequences")
TEMPLATE_TEXT = b"\n{Describe the decision and its rationale here}\n\n"
DATE = rb"(?im)^[^\n]{0,20}date[^\n]{0,12}?(\d{4}-\d\d-\d\d)"
LINK = rb"\]\((?:\./)?(\d{3,4}-[\w-]+\.md)\)"
TARGET = r"(?:the link points to|this ADR (?:is superseded by|supersedes)) (?:[^ ,]*/)?([^ /,]+), "
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false")


class Outcome(NamedTuple):
    """A folder of ADRs: its new ADRs, those with an error, and whether each defect was stopped."""

    name: str
    new: int
    stopped: list[str]
    planted: dict[str, bool]
    in_norm: frozenset[str]


def main(place: Path) -> None:
    outcomes = [outcome for tree in sorted(place.iterdir()) for outcome in measured(tree)]
    sums: Counter[tuple[str, bool, bool]] = Counter()
    for item in outcomes:
        usual = [done for name, done in item.planted.items() if name in item.in_norm]
        print(
            f"{item.name}: {item.new - len(item.stopped)} of {item.new} without an error, "
            f"{sum(usual)} of {len(usual)} defects stopped"
        )
        for line in item.stopped:
            print(f"    {line}")
        for name in sorted(item.in_norm):
            if not item.planted[name]:
                print(f"    not stopped: {name}")
        for name, done in item.planted.items():
            sums[name, name in item.in_norm, done] += 1
    new = sum(item.new for item in outcomes)
    print(
        f"\nnew ADRs without an error: {new - sum(len(item.stopped) for item in outcomes)} of {new}"
    )
    for in_norm, title in ((True, "of the norm"), (False, "that fewer than 80 % have")):
        print(f"defects {title}:")
        names = sorted({name for name, is_usual, _ in sums if is_usual is in_norm})
        for name in names:
            done, missed = sums[name, in_norm, True], sums[name, in_norm, False]
            print(f"    {name}: {done} of {done + missed} stopped")
        total = [sum(sums[name, in_norm, done] for name in names) for done in (True, False)]
        print(f"    all: {total[0]} of {sum(total)} stopped")


def measured(tree: Path) -> Iterator[Outcome]:
    paths = [str(path.relative_to(tree)) for path in tree.rglob("*.md") if path.is_file()]
    by_folder: dict[str, list[str]] = defaultdict(list)
    for path in sorted(paths, key=lambda path: (number_in_path(path) or -1, path)):
        size = (tree / path).stat().st_size
        if SETTINGS.is_adr(path) and size < LONGEST and not adr_at(tree, path).doc.defect:
            by_folder[collection(path)].append(path)
    for folder, adrs in by_folder.items():
        if len(adrs) >= FEWEST:
            beside = [path for path in paths if path not in adrs and path.startswith(folder)]
            with tempfile.TemporaryDirectory() as scratch:
                yield _outcome(tree, folder, adrs, beside, Path(scratch))


def _outcome(tree: Path, folder: str, adrs: list[str], beside: list[str], scratch: Path) -> Outcome:
    old, new = adrs[: int(len(adrs) * OLD)], adrs[int(len(adrs) * OLD) :]
    git(scratch, "init", "--quiet")
    for path in (*old, *beside):
        put(scratch, path, (tree / path).read_bytes())
    commit(scratch)
    stopped = []
    for path in new:
        errors = errors_of(scratch, path, (tree / path).read_bytes())
        # A link to another of the new ADRs is right in the repository.
        links = [re.match(TARGET, error) for error in errors]
        names = {Path(other).name for other in new}
        if not all(link and link[1] in names for link in links):
            stopped.append(f"{path}: {'; '.join(errors)}")
        git(scratch, "rm", "--quiet", "--force", path)
    *others, newest = new
    for path in others:
        put(scratch, path, (tree / path).read_bytes())
    commit(scratch)
    planted = {
        name: bool(errors_of(scratch, newest, data)) for name, data in defects(adr_at(tree, newest))
    }
    siblings = [adr_at(tree, path) for path in adrs[:-1]]
    common = norm([adr for adr in siblings if status(adr) not in ("Rejected", "Withdrawn")][-20:])
    usual = {key for key in CORE if common and common.has(key)}
    in_norm = {
        name for name in planted if name.split()[-1] in usual or name.split()[-1] not in CORE
    }
    return Outcome(f"{tree.name} {folder}", len(new), stopped, planted, frozenset(in_norm))


def adr_at(tree: Path, path: str) -> Adr:
    return read(Source(parse((tree / path).read_bytes(), path), is_new=False), SETTINGS.ruleset)


def status(adr: Adr) -> str | None:
    return adr.statuses.read(adr.header.text("status"))


def defects(adr: Adr) -> Iterator[tuple[str, bytes]]:
    """Yield a name and the text of the ADR with a defect of that name."""
    data = adr.doc.data
    for key in CORE:
        text = _without(adr, key)
        if text != data:
            yield f"no {key}", text
    for section in adr.doc.sections:
        for key in {"decision", "consequences"}.intersection(adr.meanings.of(section.title)):
            if section.level != adr.level:
                continue
            before, after = data[: section.start], data[section.stop :]
            yield f"emptied {key}", before + b"\n\n" + after
            if key == "decision":
                yield "text of a template in the decision", before + TEMPLATE_TEXT + after
    date = re.search(DATE, data)
    if date:
        yield "a digit of the date missing", data[: date.start(1) + 3] + data[date.start(1) + 4 :]
    link = re.search(LINK, data)
    if link:
        yield "a link to no ADR", data[: link.start(1)] + b"9" + data[link.start(1) :]


def _without(adr: Adr, key: str) -> bytes:
    """Return the text of an ADR without the sections, or else the line, that state something."""
    data = adr.doc.data
    for section in reversed(adr.doc.sections):
        if adr.meanings.of(section.title) == (key,):
            data = data[: section.heading_start] + data[section.stop :]
    field = adr.header.fields.get(key)
    if key == "status" and field and data == adr.doc.data:
        lines = data.split(b"\n")
        data = b"\n".join(lines[: field.line - 1] + lines[field.line :])
    return data


def put(scratch: Path, path: str, data: bytes) -> None:
    place = scratch / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    git(scratch, "add", "--force", path)


def commit(scratch: Path) -> None:
    git(scratch, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", "ADRs")


def git(scratch: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=scratch, check=True, capture_output=True)


def errors_of(scratch: Path, path: str, data: bytes) -> list[str]:
    """Return the errors of a commit of one file with some content."""
    put(scratch, path, data)
    program = Path(sys.executable).parent / "helix-hooks"
    command = [program, "check", "--staged", "--format", "json"]
    done = subprocess.run(command, check=False, cwd=scratch, capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{path}: {done.stderr.decode(errors='replace')}")
    findings = [item for file in json.loads(done.stdout)["files"] for item in file["findings"]]
    return [
        f"{item['message']} [{item['check']}]" for item in findings if item["severity"] == "error"
    ]


if __name__ == "__main__":
    if len(sys.argv) != len(("program", "directory")):
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
