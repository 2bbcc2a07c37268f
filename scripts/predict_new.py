"""Measure how well `new` places and names an ADR: the newest of each repository is predicted.

predict_new.py TABLE.tsv [--half 0|1] [--texts ADRS.tar.gz]

The first two columns of the table are a repository and the path of one of its ADRs; rows of a
table with a column `local_file` name a text in the archive. The newest ADR (highest date or
number) is taken away and predicted from the others, on the day that its name has. Without texts
its title is the words of its file name. With texts its title is that of the text, and the words
of the name may differ where the real name does not follow the title: only their form counts.
Repositories with fewer than two ADRs are left out, and counted. Half: by a hash of the name.
"""

import argparse
import csv
import re
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from helix_hooks.authoring.naming import age, destination_of, parts
from helix_hooks.check import files
from helix_hooks.config.settings import load

_TODAY = "2026-01-31"
_NUMBER = re.compile(r"\W*(?:[A-Za-z]+[-_ #]*)?\d[\d.-]*\s*[-–—:.)]*\s*")
"""The start of a title with a number."""


class Row(NamedTuple):
    """An ADR of the table: its path, and the name of its text in the archive ("" without one)."""

    path: str
    text: str


class Prediction(NamedTuple):
    """The path of the newest ADR, the path that `new` gives it, and whether they agree."""

    repository: str
    actual: str
    predicted: str
    is_right: bool
    has_folder: bool


def main(arguments: list[str]) -> int:
    """Print each prediction and the total."""
    parser = argparse.ArgumentParser(description="predict the newest ADR of each repository")
    parser.add_argument("table", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--texts", type=Path)
    options = parser.parse_args(arguments)
    everything = _repositories(options.table)
    chosen = {
        name: rows
        for name, rows in everything.items()
        if options.half in (None, crc32(name.encode()) % 2)
    }
    titles = _titles(options.texts, chosen.values()) if options.texts else {}
    found = [_prediction(name, rows, titles) for name, rows in chosen.items() if len(rows) > 1]
    for one in found:
        print(f"{'right' if one.is_right else 'WRONG'}  {one.repository}  {one.actual}")
        if not one.is_right:
            print(f"  new  {one.predicted or '(nothing: folder without an ADR)'}")
    right, folders = sum(one.is_right for one in found), sum(one.has_folder for one in found)
    print(
        f"{right} of {len(found)} right ({right / max(1, len(found)):.1%}), "
        f"folder right in {folders}; {len(chosen) - len(found)} with fewer than two ADRs left out"
    )
    return 0


def _repositories(table: Path) -> dict[str, list[Row]]:
    settings = load(lambda _: None, files.packaged)
    found: defaultdict[str, list[Row]] = defaultdict(list)
    with table.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(reader)
        text = header.index("local_file") if "local_file" in header else None
        for row in reader:
            rows = found[row[0]]
            if settings.is_adr(row[1]):
                rows.append(Row(row[1], row[text] if text is not None else ""))
    return found


def _titles(archive: Path, repositories: Iterable[list[Row]]) -> dict[str, str]:
    """Return the titles of the newest ADRs by their name in the archive."""
    wanted = {_newest(rows).text for rows in repositories if rows}
    titles = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.name.lstrip("./") in wanted else None
            if content:
                text = content.read().decode(errors="replace")
                heading = re.search(r"^# (.+)", text, re.MULTILINE)
                titles[member.name.lstrip("./")] = (
                    _NUMBER.sub("", heading[1], count=1) if heading else ""
                )
    return titles


def _newest(rows: list[Row]) -> Row:
    return max(rows, key=lambda row: age(row.path))


def _prediction(repository: str, rows: list[Row], titles: dict[str, str]) -> Prediction:
    newest = _newest(rows)
    others = [row.path for row in rows if row is not newest]
    own, name = parts(newest.path)
    joiners = r" +" if " " in name.words.strip() else r"[-_ ]+"
    named = " ".join(re.split(joiners, name.words)).strip()
    place = destination_of(others, others, _day(newest.path))
    predicted = place.path(titles.get(newest.text) or named) if place else ""
    is_right = predicted == newest.path
    if newest.text in titles and predicted:
        is_right = _has_form(predicted, newest.path) and bool(own) == bool(parts(predicted)[0])
    return Prediction(
        repository=repository,
        actual=newest.path,
        predicted=predicted,
        is_right=is_right,
        has_folder=_folder(predicted) == _folder(newest.path),
    )


def _has_form(predicted: str, actual: str) -> bool:
    """Return whether two paths differ in their words alone, whose joiner and case are the same.

    One word has no joiner. The case is that of the first letter.
    """
    one, other = parts(predicted)[1], parts(actual)[1]
    joiners = [frozenset(char for char in name.words if char in "-_ ") for name in (one, other)]
    same_joiner = not all(joiners) or joiners[0] == joiners[1]
    same_case = one.words[:1].isupper() == other.words[:1].isupper()
    plain = one._replace(words="") == other._replace(words="")
    return plain and same_joiner and same_case and _folder(predicted) == _folder(actual)


def _folder(path: str) -> str:
    folders = path.split("/")[: -2 if parts(path)[0] else -1]
    return "/".join(folders)


def _day(path: str) -> str:
    """Return the day in a name; one with its year if it has no more; else the same for all."""
    _, name = parts(path)
    digits = re.sub(r"\D", "", name.date)
    if digits:
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    return f"{name.year[:4]}{_TODAY[4:]}" if name.year else _TODAY


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
