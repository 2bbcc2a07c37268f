"""`helix-hooks doctor`: is everything of the gate wired, and can nobody pass it by? It only looks."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping

from ..config.watched import View, lookalikes, named, no_adr
from ..console.output import colored, write
from ..doctor.github import there
from ..errors import HelixError, UsageError
from ..paths import APPROVALS_FILE, MAX_BYTES, WORKFLOW
from ..report import doctor
from ..report.doctor import DoctorSection
from ..repository import commits, files, git
from ..safety import codeowners, hook, workflow
from ..safety.line import OK, UNKNOWN, UNSAFE, Line
from . import check_config
from .check_config import Looked

EXAMPLE = """examples:
  helix-hooks doctor                          this clone
  GITHUB_TOKEN=... helix-hooks doctor         its repository on GitHub too; the token needs to read contents and administration
  helix-hooks doctor --repo acme/decisions --format json

states:
  ok       as it should be
  missing  not there, so something does not run, or is not asked for
  unsafe   there, but somebody can pass it by
  unknown  could not be seen

exit codes:
  0  nothing is missing or unsafe
  1  something is missing or unsafe
  2  usage, or the settings here are broken
  3  GitHub could not answer; what is here was looked at"""

_WORKFLOWS = ".github/workflows"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--repo", metavar="OWNER/NAME", default="", help="the repository on GitHub (default: GITHUB_REPOSITORY, or that of `origin`)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")


def run(options: Namespace) -> int:
    root = git.repository()
    if not root:
        raise UsageError("doctor needs a git repository, and this folder is not in one")
    index = git.Index(root)
    try:
        tree = files.WorkTree(root, index)
        looked = check_config.looked(tree, index)
        here = DoctorSection("here", tuple(_here(root, tree, looked)))
    finally:
        index.close()
    section, failed = there(root, options.repo, tree.read(WORKFLOW), os.environ)
    code = 2 if looked.errors else 3 if failed else 0 if doctor.stands([here, section]) else 1
    write(
        doctor.json([here, section], passed=not code)
        if options.format == "json"
        else doctor.text([here, section], colored(options.color), options.quiet)
    )
    return code


def _here(root: str, tree: files.WorkTree, looked: Looked) -> Iterator[Line]:
    yield from hook.lines(tree.read(hook.CONFIG), *_script(root))
    yield _settings(looked.errors)
    if looked.view and not looked.errors:
        yield _watched(looked.view)
    for line in looked.idle:
        yield Line("approval-type", UNKNOWN, line, f"name the files that it reviews in {APPROVALS_FILE}, or set enabled: false")
    for line in looked.cautions:
        yield Line("deciders", UNKNOWN, line, f"see docs/people.md, or change `policy` in {APPROVALS_FILE}")
    yield from workflow.lines(tree.read(WORKFLOW), _others(tree))
    place, data = _first(tree, codeowners.PLACES)
    yield codeowners.line(place, data, tree.folder(""), looked.folder)


def _script(root: str) -> tuple[str | None, bool]:
    """What git runs before a commit, wherever it is set to look for that, and whether it may."""
    place = commits.hook_file(root, "pre-commit")
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES), os.access(place, os.X_OK)
    except OSError:
        return None, False


def _settings(found: list[HelixError]) -> Line:
    if not found:
        return Line("settings", OK, "settings, rules and approvals files are well-formed")
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return Line("settings", UNSAFE, f"{found[0]}{more}", "fix it; `helix-hooks check-config` lists all")


def _watched(view: View) -> Line:
    """The line on the ADRs that the settings watch. That they watch nothing is an error of the settings."""
    count = len(view.adrs)
    if not count:
        return Line("adrs", OK, no_adr(view.settings))
    watched = f"{count} ADR{' is' if count == 1 else 's are'} watched"
    if alike := lookalikes(view):
        help = "add their folders to `paths`, or the files to `exclude` if they are no ADRs"
        return Line("adrs", UNKNOWN, f"{watched}; others look like ADRs and are not: {named(alike)}", help)
    return Line("adrs", OK, watched)


def _others(tree: files.WorkTree) -> Mapping[str, bytes]:
    """The other workflows of the repository."""
    names = (path for path in tree.folder(_WORKFLOWS) if path != WORKFLOW and path.endswith((".yml", ".yaml")))
    return {path: data for path in names if (data := tree.read(path)) is not None}


def _first(tree: files.WorkTree, places: tuple[str, ...]) -> tuple[str, bytes | None]:
    return next(((place, data) for place in places if (data := tree.read(place)) is not None), (places[0], None))
