"""`helix-hooks init`: hook, settings and a first ADR. It never changes a file that exists."""

import os
import re
from argparse import ArgumentParser, Namespace

from .. import __version__, files, git
from ..adr.check import Source, check_file, read
from ..adr.profile import profile
from ..adr.rule import Adr
from ..errors import HelixError, UsageError
from ..places import PYPROJECT, SETTINGS, WORKFLOW
from ..settings import Settings, load
from .main import write
from .new import create

EXAMPLE = """examples:
  helix-hooks init
  helix-hooks init --github     the gate on pull requests too"""

REPOSITORY = "https://github.com/helix-hooks/helix-hooks"
CONFIG = ".pre-commit-config.yaml"
_FEWEST = 5

_ADDRESS = re.compile(r"(?:https?://|ssh://|[\w.-]+@)[^/:\s]+(?::\d+)?[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")
"""Where a repository is; the group is its owner and name."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_GATE = """# The gate on pull requests, written by `helix-hooks init --github`; yours to edit.
name: helix

on:
  # Layers 1 to 3, with forks too: no secret is given, and nothing is written.
  pull_request:
    types: [opened, synchronize, reopened, ready_for_review, edited] # edited: another base branch
  # The judge and the decision, with the secret. Safe here, because nothing of the pull request is checked out or run: this file is that of
  # the default branch, the settings are those of the base, and what the pull request brings is read as data.
  pull_request_target: # zizmor: ignore[dangerous-triggers]
    types: [opened, synchronize, reopened, ready_for_review, edited]
  merge_group: # a merge queue waits for the check of what it would merge
  workflow_dispatch: # once more, by hand
    inputs:
      pull-request: {{description: number of the pull request, required: true, type: string}}

permissions: {{}}

jobs:
  gate:
    name: gate
    uses: {name}/.github/workflows/gate.yml@{rev}{why}
    # The most that any of its jobs has; each has less.
    permissions:
      contents: read # the commits
      checks: write # the check run `helix`, which a ruleset can require
      pull-requests: write # the review and the comment
      statuses: write # where a check run can't be written
    secrets:
      # Without it the checks are the same, and a person decides what a judge would have been asked.
      anthropic-api-key: ${{{{ secrets.ANTHROPIC_API_KEY }}}}
      # Any long secret of your own, or none: with it a question that a judge has answered is not asked again after a push.
      signing-key: ${{{{ secrets.HELIX_SIGNING_KEY }}}}
"""

_ON_GITHUB = [
    "  gh secret set ANTHROPIC_API_KEY     (without it a person decides what a judge would have been asked)",
    "  in the ruleset of your main branch: require the check `helix`, from the source GitHub Actions",
]

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
    gate = _gate(options) if options.github else ""
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
        lines.append(_workflow(repository, gate))
    created = [line.split(":")[0].removeprefix("created").strip() for line in lines if line.startswith("created")]
    add = [f"  git add {' '.join(created)} && git commit"] if created else []
    then = _ON_GITHUB if gate else []
    write("\n".join([*lines, "", "Next:", "  pre-commit install     (or: prek install)", *add, *then]) + "\n")
    return 0


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


def _gate(options: Namespace) -> str:
    """The workflow. Raises UsageError for what GitHub can't take a workflow from."""
    address = _ADDRESS.fullmatch(options.repo)
    if not address or not re.fullmatch(r"[\w./-]+", options.rev):
        raise UsageError(
            f"--repo {options.repo} --rev {options.rev}: --github wants the address of a repository on GitHub, and a tag or commit of it"
        )
    why = "" if _COMMIT.fullmatch(options.rev) else " # zizmor: ignore[unpinned-uses] a release; `--rev COMMIT` pins one commit"
    return _GATE.format(name=address[1], rev=options.rev, why=why)


def _workflow(root: str, gate: str) -> str:
    place = os.path.join(root, WORKFLOW)
    if os.path.lexists(place):
        return f"kept     {WORKFLOW}: it exists"
    _save(place, gate)
    return f"created  {WORKFLOW}: the gate on pull requests"


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
