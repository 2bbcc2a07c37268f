"""The cases of the evaluation: good ADRs and good changes, and edits that put a defect into one or
change nothing that matters.

Each file of `cases/` is a case, and so is each good ADR of `review/` and each good change of
`changes/TYPE/` without an edit. `repository/` is what they are written for.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from helix_hooks import yaml_reader
from helix_hooks.errors import HelixError
from helix_hooks.yaml_reader import Value

_KEYS = ("adr", "change", "kind", "brief", "why", "merged", "edits")
_ADR = "adr"
_CONCEPT = ".concept.md"
_SHOWN = 60


class Case(NamedTuple):
    """An ADR under review: `adr` is its path, `text` what it says.

    For other approval types `adr` is the folder of the change below `changes/`, which begins with
    the type, and `files` are its paths and texts. A defect is expected under one of `briefs`; a
    harmless case has none.

    Where `merged`, the good ADR lies on the base already and the change edits it; otherwise the
    change brings it.
    """

    name: str
    adr: str
    text: str
    briefs: tuple[str, ...] = ()
    merged: bool = False
    files: tuple[tuple[str, str], ...] = ()

    @property
    def type(self) -> str:
        """Return the approval type that the case is for."""
        return self.adr.partition("/")[0] if self.files else _ADR

    @property
    def is_defect(self) -> bool:
        return bool(self.briefs)


def cases(folder: Path) -> list[Case]:
    """All cases of a folder, in the order of their names.

    Raises HelixError for one that can't be read or does not apply.
    """
    if not (folder / "review").is_dir():
        raise HelixError(f"{folder} has no folder `review` with good ADRs")
    found = [
        *_unedited(folder / "review"),
        *_unedited_changes(folder),
        *(_case(path, folder) for path in (folder / "cases").glob("*.yaml")),
    ]
    return sorted(found, key=lambda case: case.name)


def _unedited(review: Path) -> Iterator[Case]:
    for path in review.rglob("*.md"):
        if not path.name.endswith(_CONCEPT):
            yield Case(
                f"{path.stem.split('-')[0]}-as-it-is",
                path.relative_to(review).as_posix(),
                path.read_text(encoding="utf-8"),
            )


def _unedited_changes(folder: Path) -> Iterator[Case]:
    for place in sorted((folder / "changes").glob("*/*")):
        change = place.relative_to(folder / "changes").as_posix()
        yield Case(f"{change.replace('/', '-')}-as-it-is", change, "", files=_files(place))


def _files(place: Path) -> tuple[tuple[str, str], ...]:
    top = place / "change"
    paths = sorted(path for path in top.rglob("*") if path.is_file())
    return tuple(
        (path.relative_to(top).as_posix(), path.read_text(encoding="utf-8")) for path in paths
    )


def _case(path: Path, folder: Path) -> Case:
    shown = os.path.relpath(path).replace(os.sep, "/")
    entries = yaml_reader.load(path.read_text(encoding="utf-8"), shown).mapping(
        _KEYS, ("kind", "why", "edits")
    )
    entries["why"].text()
    kind = entries["kind"].choice(("defect", "harmless"))
    briefs = entries["brief"].texts() if "brief" in entries else ()
    if bool(briefs) != (kind == "defect"):
        raise entries["kind"].fail(
            "a defect names the brief that should find it, and a harmless edit names none"
        )
    if "change" in entries:
        return _changed(path.stem, entries, briefs, folder)
    merged = entries["merged"].boolean() if "merged" in entries else False
    if "adr" not in entries:
        raise entries["kind"].fail("the case names no `adr` of review/ and no `change` of changes/")
    adr = entries["adr"].text()
    good = folder / "review" / adr
    if not good.is_file():
        raise entries["adr"].fail(f"there is no {adr} in {folder.name}/review")
    text = good.read_text(encoding="utf-8")
    for edit in entries["edits"].sequence():
        text = _edited(text, edit, adr)
    return Case(path.stem, adr, text, briefs, merged)


def _changed(name: str, entries: dict[str, Value], briefs: tuple[str, ...], folder: Path) -> Case:
    """The case that edits files of a good change."""
    for key in ("adr", "merged"):
        if key in entries:
            raise entries[key].fail("a case with `change` has no such key")
    change = entries["change"].text()
    place = folder / "changes" / change
    if change.count("/") != 1 or not (place / "change").is_dir():
        raise entries["change"].fail(f"there is no {change} in {folder.name}/changes")
    files = dict(_files(place))
    for edit in entries["edits"].sequence():
        file = edit.mapping(("file", "old", "new"), ("file", "old", "new"))["file"]
        path = file.choice(list(files))
        files[path] = _edited(files[path], edit, path)
    return Case(name, change, "", briefs, files=tuple(files.items()))


def _edited(text: str, edit: Value, adr: str) -> str:
    """The text with `new` in the place of `old`; how `old` is broken into lines does not matter,
    every other character does.
    """
    entries = edit.mapping(("file", "old", "new"), ("old", "new"))
    old, new = entries["old"].text(), entries["new"].data or ""
    found = list(re.finditer(r"\s+".join(map(re.escape, old.split())), text))
    if len(found) != 1:
        raise entries["old"].fail(
            f"it must stand in {adr} once, and stands there {len(found)} times: {_short(old)!r}"
        )
    if not isinstance(new, str) or new.split() == old.split():
        raise entries["new"].fail("another text is wanted here")
    return f"{text[: found[0].start()]}{new.strip()}{text[found[0].end() :]}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"


def lay_out(case: Case, folder: Path, place: Path, settings: Path | None = None) -> None:
    """A repository in `place`: on `main` what the case is written for, on the branch `change` the
    ADR of the case and its concept, or the files of its change.

    `settings` are laid over those of the judge.
    """
    shutil.copytree(folder / "repository", place, dirs_exist_ok=True)
    if settings:
        (place / "config").mkdir(exist_ok=True)
        shutil.copyfile(settings, place / "config" / "approvals.yaml")
    if case.files:
        _lay_out_change(case, folder / "changes" / case.adr, place)
        return
    good, adr = folder / "review" / case.adr, place / case.adr
    concept = good.with_suffix(_CONCEPT)
    if concept.exists():
        shutil.copyfile(concept, adr.with_suffix(_CONCEPT))
    if case.merged:
        shutil.copyfile(good, adr)
    _branch_off(place)
    adr.write_text(case.text, encoding="utf-8")
    _commit(place, "the change")


def _lay_out_change(case: Case, change: Path, place: Path) -> None:
    if (change / "base").is_dir():
        shutil.copytree(change / "base", place, dirs_exist_ok=True)
    _branch_off(place)
    for path, text in case.files:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    _commit(place, "the change")


def _branch_off(place: Path) -> None:
    _git(place, "init", "--quiet", "--template=", "--initial-branch", "main")
    _commit(place, "the base")
    _git(place, "checkout", "--quiet", "-b", "change")


def _commit(place: Path, message: str) -> None:
    _git(place, "add", "--all")
    _git(
        place,
        "-c",
        "user.name=evaluation",
        "-c",
        "user.email=evaluation@example.org",
        "commit",
        "--quiet",
        "--message",
        message,
    )


def _git(place: Path, *arguments: str) -> None:
    done = subprocess.run(
        ["git", *arguments],
        cwd=place,
        env=without_git(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise HelixError(f"git {arguments[0]} failed: {done.stderr.strip()}")


def without_git() -> dict[str, str]:
    """The environment without what git was told in it, and without the settings of the machine's
    git: signing, hooks, line ends.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
