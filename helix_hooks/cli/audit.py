"""`helix-hooks audit PR`: the recorded decisions on a pull request, compared with GitHub."""

import json
import os

import click

from .. import git
from ..action.audit import audit
from ..console.output import print_result
from ..errors import UsageError
from ..github.environment import repository_name
from ..publish.audit import payload
from ..publish.audit_text import text
from ..text.sanitize import json_value
from .frame import command, with_format

EXAMPLE = """examples:
  GITHUB_TOKEN=... helix-hooks audit 12
  GITHUB_TOKEN=... helix-hooks audit 12 --repo acme/decisions --format json

exit codes:
  0  the record agrees with the facts on GitHub
  1  the record is missing, invalid, or contradicts GitHub, e.g. a merge without approval
  2  usage error
  3  GitHub could not be reached

Set HELIX_RECORD_KEY to the secret `record-key` of the Action to check the signatures."""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise click.BadParameter(f"invalid pull request number {text!r} (expected e.g. 12)")
    return int(text)


@command("audit", example=EXAMPLE, arguments={"PR": "number of a pull request"})
@click.argument("number", metavar="PR", type=_number)
@click.option(
    "--repo",
    metavar="OWNER/NAME",
    default="",
    help="repository (default: GITHUB_REPOSITORY, else the remote `origin`)",
)
@with_format()
def run(*, number: int, repo: str, format: str) -> int:
    """Print the audit of a pull request; return 1 if its record is wrong or missing.

    Raises:
        UsageError: No repository is known.
    """
    environment = dict(os.environ)
    name = repository_name(git.repository() or ".", repo, environment)
    if not name:
        problem = "no repository is given, and the remote `origin` is not on GitHub"
        raise UsageError(f"{problem}; use --repo OWNER/NAME")
    result = audit(name, number, environment)
    if format == "json":
        print_result(json.dumps(json_value(payload(result)), indent=2) + "\n")
    else:
        print_result(text(result))
    return int(not result.is_sound)
