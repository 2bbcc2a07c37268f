"""The workflow that `init --github` writes.

It is short enough to read, and no pull request can change what it does.
"""

import os
import re

from ..errors import UsageError
from ..paths import MAX_BYTES, WORKFLOW

_ADDRESS = re.compile(
    r"(?:https?://|ssh://|)(?:[\w.-]+@)?(?P<host>[^/:@\s]+)(?::\d+)?"
    r"[/:](?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)
"""The address of a repository, in any form that git accepts."""

_HOST = "github.com"
_COMMIT = re.compile(r"[0-9a-f]{40}")
_UNPINNED = (
    " # zizmor: ignore[unpinned-uses] a tag or branch can move; `--rev COMMIT` pins one commit"
)
_SHORT = re.compile(r"[0-9a-fA-F]{7,39}")
TEXT = """# The gate on pull requests, written by `helix-hooks init --github`; yours to edit.
name: helix

on:
  # Layers 1 to 3, also for forks: no step uses a secret, and nothing is written.
  pull_request:
    types: [opened, synchronize, reopened, ready_for_review, edited] # edited: another base branch
  # The judge and the decision, with the secret. This is safe, because nothing of the pull request
  # is checked out or run. GitHub takes this file from the default branch, the settings come from
  # the base, and the files of the pull request are read as data.
  pull_request_target: # zizmor: ignore[dangerous-triggers]
    types: [opened, synchronize, reopened, ready_for_review, edited]
  # `/helix approve` and other commands; other comments start no job. An edited or deleted comment
  # may have been a vote.
  issue_comment:
    types: [created, edited, deleted]
  pull_request_review:
    types: [submitted, dismissed]
  schedule:
    - cron: "17 * * * *" # deadlines, and reviews on pull requests from forks; one short job
  merge_group: # a merge queue waits for the check of the commit that it would merge
  workflow_dispatch: # run again by hand
    inputs:
      pull-request: {{description: number of the pull request, required: true, type: string}}

permissions: {{}}

# Runs for pushes to one pull request wait for each other; of several that wait, GitHub starts the
# newest. Each run for a comment, a review, the schedule or the queue has its own group and is never
# skipped or cancelled, so no vote is lost. A push does not cancel a run that asks a judge, because
# its cost would not be counted.
concurrency:
  group: >-
    helix-${{{{ github.event_name }}}}-${{{{
    contains('pull_request pull_request_target', github.event_name) &&
    github.event.pull_request.number || github.run_id }}}}
  cancel-in-progress: ${{{{ github.event_name == 'pull_request' }}}}

jobs:
  gate:
    name: gate
    uses: {name}/.github/workflows/gate.yml@{rev}{why}
    # The permissions of all its jobs together; each job has fewer.
    permissions:
      contents: read # the commits
      checks: write # the check run `helix`, which a ruleset can require
      pull-requests: write # the review and the comment
      statuses: write # used if a check run can't be written
    secrets:
      # Without it the rules run all the same, and a person decides instead of the judge.
      anthropic-api-key: ${{{{ secrets.ANTHROPIC_API_KEY }}}}
      # Any long secret, optional: with it, a judge's answer is used again after a push.
      signing-key: ${{{{ secrets.HELIX_SIGNING_KEY }}}}
      # Another long secret, optional: it signs the record of each decision, so that no other
      # workflow can forge it.
      record-key: ${{{{ secrets.HELIX_RECORD_KEY }}}}

  # One pinned issue that lists each pull request that waits for a person. To use it, remove the
  # first `# ` of these lines.
  # waiting:
  #   needs: gate
  #   if: github.event_name == 'schedule'
  #   runs-on: ubuntu-24.04
  #   permissions:
  #     contents: read # the settings of the base
  #     checks: write # the decisions of the sweep
  #     pull-requests: write
  #     statuses: write
  #     issues: write # the issue
  #   steps:
  #     - uses: {name}@{rev}{why}
  #       with: {{mode: sweep, pinned-issue: true}}
"""

NEXT_STEPS = [
    "  gh secret set ANTHROPIC_API_KEY     (without it, a person decides instead of the judge)",
    (
        "  gh secret set HELIX_SIGNING_KEY     (optional; any long secret: a judge's answer is "
        "used again after a push)"
    ),
    (
        "  gh secret set HELIX_RECORD_KEY      (optional; another long secret: it signs the record "
        "of each decision)"
    ),
    (
        "  merge the workflow: the gate runs on pull requests opened after the workflow is on the "
        "default branch"
    ),
    (
        "  then, in the ruleset of your main branch: require the check `helix`, from the "
        "source GitHub Actions"
    ),
    "  helix-hooks doctor                  (reports which of these steps are missing or unsafe)",
]


def require_source(root: str, address: str, rev: str | None) -> None:
    """Check that GitHub can take the gate from a repository, and that the file can be written.

    `rev` is None if the user does not name a revision.

    Raises:
        UsageError: The address is not one of a repository on github.com, the revision is not
            allowed in a workflow, or a file is in the way.
    """
    named = _ADDRESS.fullmatch(address)
    if not named or (rev is not None and not re.fullmatch(r"[\w./-]+", rev)):
        needed = "the address of a repository on GitHub, and a tag or commit of it"
        raise UsageError(f"--repo {address} --rev {rev or ''}: --github needs {needed}")
    if named["host"] != _HOST:
        elsewhere = "on an Enterprise Server use the action in one job, as in docs/github.md"
        raise UsageError(f"--repo {address}: --github writes for {_HOST}; {elsewhere}")
    if rev and _SHORT.fullmatch(rev):
        way_out = f"GitHub needs the full hash of a commit; `git rev-parse {rev}` prints it"
        raise UsageError(f"--rev {rev}: {way_out}")
    _require_folders(root)


def text(address: str, rev: str) -> str:
    """Return the workflow that calls the gate at `rev`: a commit, tag or branch of a repository.

    Raises:
        UsageError: The address is not one of a repository.
    """
    named = _ADDRESS.fullmatch(address)
    if not named:
        raise UsageError(f"--repo {address}: --github needs the address of a repository on GitHub")
    if _COMMIT.fullmatch(rev):
        return TEXT.format(name=named["name"], rev=rev, why="")
    return TEXT.format(name=named["name"], rev=rev, why=_UNPINNED)


def _require_folders(root: str) -> None:
    """Raise UsageError if a file has the name of a folder that the workflow needs."""
    folder = root
    for part in os.path.dirname(WORKFLOW).split("/"):
        folder = os.path.join(folder, part)
        if os.path.lexists(folder) and not os.path.isdir(folder):
            name = os.path.relpath(folder, root)
            raise UsageError(
                f"{name} is not a folder, so {WORKFLOW} can't be written; nothing was written"
            )


def is_gate(place: str) -> bool:
    """Return whether the workflow in a file calls the gate or uses the action.

    The file is searched, not parsed: a workflow with an error in its YAML is one too.
    """
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_BYTES)
    except OSError:
        return False
    return re.search(r"uses:.*(?:gate\.yml@|helix-hooks@)", text) is not None
