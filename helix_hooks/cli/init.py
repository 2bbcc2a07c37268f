"""`helix-hooks init`: hook, settings and a first ADR. It never changes a file that exists."""

import os
import shlex
from argparse import ArgumentParser, Namespace

from .. import __version__
from ..adr.examine import Source, check_file, read
from ..adr.model import Adr
from ..adr.profile import profile
from ..authoring import workflow
from ..config.settings import Settings, load
from ..console.output import write
from ..errors import HelixError, UsageError
from ..paths import PYPROJECT, SETTINGS, WORKFLOW
from ..repository import files, git
from .new import create

EXAMPLE = """examples:
  helix-hooks init
  helix-hooks init --github     the gate on pull requests too"""

REPOSITORY = "https://github.com/helix-hooks/helix-hooks"
CONFIG = ".pre-commit-config.yaml"
_FEWEST = 5

_HOOKS = """  - repo: {url}
    rev: {rev}
    hooks:
      - id: helix-adr
      - id: helix-config
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--repo", metavar="URL", default=REPOSITORY, help="where pre-commit fetches the hooks from")
    parser.add_argument("--rev", metavar="REV", default=f"v{__version__}", help=f"at which tag or commit (default: v{__version__})")
    parser.add_argument("--github", action="store_true", help=f"write {WORKFLOW} too: the gate on pull requests")


def run(options: Namespace) -> int:
    repository = git.repository()
    if not repository:
        raise UsageError("this folder is not in a git repository; run `git init` first")
    gate = workflow.text(repository, options.repo, options.rev) if options.github else ""
    tree = files.WorkTree(repository, git.Index(repository))
    settings = load(tree.read, files.packaged)
    selection = files.select(tree, repository, [], settings)
    sources = [Source(tree.document(path)) for path in selection.paths]
    lines = [_hooks(repository, options), *_settings(repository, tree, sources, settings)]
    if not sources:
        path = create(repository, "Record architecture decisions", settings)
        lines.append(f"found    no ADR under {', '.join(settings.paths)}; if yours lie elsewhere, set `paths` in {SETTINGS}")
        lines.append(f"created  {path}: the first decision; write it down, or delete it")
    if gate:
        lines.append(_gate(repository, gate))
    created = [line.split(":")[0].removeprefix("created").strip() for line in lines if line.startswith("created")]
    add = [f"  git add {' '.join(_from_here(repository, path) for path in created)} && git commit"] if created else []
    then = workflow.THEN if gate else []
    write("\n".join([*lines, "", "Next:", "  pre-commit install     (or: prek install)", *add, *then]) + "\n")
    return 0


def _from_here(root: str, path: str) -> str:
    return shlex.quote(os.path.relpath(os.path.join(root, path)))


def _gate(root: str, text: str) -> str:
    place = os.path.join(root, WORKFLOW)
    if not os.path.lexists(place):
        _save(place, text)
        return f"created  {WORKFLOW}: the gate on pull requests"
    if workflow.is_gate(place):
        return f"kept     {WORKFLOW}: it calls the gate already"
    return f"kept     {WORKFLOW}: it exists and does NOT call the gate; move it away, and run this again"


def _hooks(root: str, options: Namespace) -> str:
    hooks = _HOOKS.format(url=options.repo, rev=options.rev)
    place = os.path.join(root, CONFIG)
    if not os.path.exists(place):
        _save(place, f"repos:\n{hooks}")
        return f"created  {CONFIG}: the hooks helix-adr and helix-config"
    with open(place, encoding="utf-8", errors="replace") as file:
        if "helix-adr" in file.read():
            return f"kept     {CONFIG}: it has the hook already"
    return f"kept     {CONFIG}: it exists; add this entry to its list `repos:`\n\n{hooks}"


def _settings(root: str, tree: files.WorkTree, sources: list[Source], settings: Settings) -> list[str]:
    if not sources:
        return []
    adrs = [read(source, settings.ruleset) for source in sources]
    passed = sum(check_file(source, settings.ruleset).passed for source in sources)
    found = f"found    {len(adrs)} ADR{'' if len(adrs) == 1 else 's'}, of which {passed} pass{'es' if passed == 1 else ''}"
    if tree.has(SETTINGS) or b"[tool.helix-hooks" in (tree.read(PYPROJECT) or b""):
        return [found, "kept     the settings that exist"]
    text = _inferred(adrs, passed)
    if not text:
        return [found]
    _save(os.path.join(root, SETTINGS), text)
    after = sum(check_file(source, load(tree.read, files.packaged).ruleset).passed for source in sources)
    return [found, f"created  {SETTINGS}: what your ADRs have in common; with it {after} pass"]


def _inferred(adrs: list[Adr], passed: int) -> str:
    """Settings that describe ADRs with a style of their own; none where a built-in template fits or there are too few."""
    habits = profile(adrs)
    if len(adrs) < _FEWEST or passed >= 0.8 * len(adrs) or not habits.sections:
        return ""
    sections = "".join(f"      - {_quoted(title)}\n" for title in habits.sections)
    header = "    header: [status]\n" if habits.states_status else ""
    return (
        "# What most ADRs of this repository have in common, found by `helix-hooks init`. Yours to edit.\n"
        f"template: ours\n\ntemplates:\n  ours:\n    sections:\n{sections}{header}"
    )


def _quoted(title: str) -> str:
    escaped = title.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _save(place: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise HelixError(f"{place} could not be written: {error.strerror}") from None
