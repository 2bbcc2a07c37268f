"""`helix-hooks audit PR`: who decided what, computed anew from GitHub."""

import json
import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from .. import git
from ..errors import UsageError
from ..github import client, fetch
from ..pull import audit
from .main import write
from .remote import repository_name
from .settle import access, decide, recorded

EXAMPLE = """examples:
  GITHUB_TOKEN=... helix-hooks audit 12
  GITHUB_TOKEN=... helix-hooks audit 12 --repo acme/decisions --format json

exit codes:
  0  the check run says what the facts on GitHub come to
  1  it does not, or there is none
  3  GitHub could not be asked"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("pull", metavar="PR", type=_number, help="number of the pull request")
    parser.add_argument("--repo", metavar="OWNER/NAME", default="", help="the repository (default: GITHUB_REPOSITORY, else the remote `origin`)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is no number of a pull request, as in 12")
    return int(text)


def run(options: Namespace) -> int:
    environment = dict(os.environ)
    name = repository_name(git.repository() or ".", options.repo, environment)
    if not name:
        raise UsageError("no repository is named, and the remote `origin` is none on GitHub; name it: --repo OWNER/NAME")
    to = access(name, environment)
    with client.reached():
        pull = fetch.pull_request(to.repository, options.pull, to.app)
        given = recorded(pull.number, pull.status, pull.head)
        found = audit.Audit(name, pull, given, None)
        if given:
            settled = decide(to, given, pull)
            found = audit.Audit(name, settled.pull, settled.given, settled.outcome, settled.votes)
    write(json.dumps(audit.payload(found), indent=2) + "\n" if options.format == "json" else audit.text(found))
    return 0 if found.agrees else 1
