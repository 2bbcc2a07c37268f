"""Who asks for a run of a flow, and who decides in it: a user whom GitHub confirms, or a person at
a terminal.

GitHub confirms where the remote `origin` is on it and there is a token. Without, only a person at a
terminal decides, which is recorded as not verified.
"""

import getpass
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import click

from .. import extras
from ..change.last_policy import LastPolicy, last_policy
from ..config.policy import Policy
from ..console.output import print_message
from ..decision.flow_decider import (
    ACTIONS_BY_ANYBODY,
    decider_right,
    is_sole,
    needs_several,
    refused,
    refused_without_github,
)
from ..decision.rights import giver_of
from ..errors import HelixError, UsageError
from ..github import client
from ..github.environment import api_url, repository_name
from ..github.identity import identity, token, user
from ..phases.run_state import APPROVE, Decider
from ..repository import git, runner
from ..text.sanitize import printable
from ..verify.base import base_of
from ..verify.stop import INSIDE

if TYPE_CHECKING:
    from github.Repository import Repository

RUN = "HELIX_RUN"
"""The variable with the run for which a program was started."""

_NAME = ["config", "--get", "user.name"]


class FlowAnswer(NamedTuple):
    """The answer that somebody wants to give about a run: "approve", "reject", "retry" or "cancel".

    `about` is the name of a phase, or "budget".
    """

    action: str
    run: str
    about: str
    asked_by: Decider


def refuse_inside(environment: Mapping[str, str], what: str) -> None:
    """Raise UsageError where a run or a verification started this program."""
    if environment.get(RUN) or environment.get(INSIDE):
        raise UsageError(
            f"{what} is refused inside of a run: who works in it does not decide in it"
        )


def asker(root: str, environment: Mapping[str, str]) -> Decider:
    """Return who asks for a run.

    Where GitHub does not say it, as offline or in a job with the token of a workflow, it is not
    verified, and a line says what follows from that.
    """
    name, secret = _on_github(root, environment)
    own = Decider(_own_name(root), verified=False)
    if not secret:
        return own
    try:
        with client.reached():
            return Decider(user(_repository(name, secret, environment)).login, verified=True)
    except HelixError as error:
        print_message(
            f"the run is recorded as asked by {own.name}, not verified, so no token can approve "
            f"in it: {error}"
        )
        return own


def decider(root: str, environment: Mapping[str, str], answer: FlowAnswer) -> Decider:
    """Return who decides.

    Raises UsageError where they may not, or nobody can tell who it is; HelixError where GitHub
    can't be asked.
    """
    refuse_inside(environment, f"`helix-hooks flow {answer.action}`")
    if answer.action in ACTIONS_BY_ANYBODY:
        return Decider(_own_name(root), verified=False)
    last = _policy_of_base(root)
    policy = last.policy
    name, secret = _on_github(root, environment)
    approves, now = answer.action == APPROVE, int(time.time())
    if approves and name and (why := needs_several(policy)):
        raise UsageError(why)
    if not secret:
        why = refused_without_github(is_on_github=bool(name), names_deciders=last.names_deciders)
        if why:
            raise UsageError(why)
        _ask_at_terminal(environment, answer)
        return Decider(_own_name(root), verified=False)
    with client.reached():
        who = identity(_repository(name, secret, environment), policy.deciders, now)
    if why := refused(who, policy, answer.asked_by, approves=approves, at=now):
        raise UsageError(why)
    login = who.person.login
    right = decider_right(who, policy, answer.asked_by, approves=approves, at=now)
    return Decider(
        login,
        verified=True,
        is_sole=is_sole(login, policy.deciders),
        delegate_of=giver_of(right.text),
    )


def _on_github(root: str, environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the repository on GitHub and a token, "" for what is not there."""
    name = repository_name(root, "", {**environment, "GITHUB_REPOSITORY": ""})
    return name, token(environment) if name else ""


def _repository(name: str, secret: str, environment: Mapping[str, str]) -> "Repository":
    extras.require_packages("a decision that GitHub confirms", "github")
    return client.repository(name, secret, api_url(environment))


def _policy_of_base(root: str) -> LastPolicy:
    """Return the policy of the main branch, the newest that can be read."""
    head = runner.run(git.HEAD, root, check=False).stdout.decode().strip()
    base = base_of(root, "", head)
    return last_policy(root, base.commit, "") if base else LastPolicy(Policy(), "")


def _own_name(root: str) -> str:
    """Return the name that git has for the user, else that of their account."""
    name = runner.run(_NAME, root, check=False).stdout.decode(errors="replace").strip()
    return printable(name or getpass.getuser(), 100)


def _ask_at_terminal(environment: Mapping[str, str], answer: FlowAnswer) -> None:
    """Let a person type the name of the phase. Raises UsageError where nobody can."""
    about = f"{answer.about} of {answer.run}"
    is_terminal = sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()
    if not is_terminal or environment.get("CI"):
        raise UsageError(
            f"nobody can tell who wants to {answer.action} {about}: run this at a terminal, or let "
            "GitHub confirm who you are (a remote `origin` on GitHub, and GITHUB_TOKEN or "
            "`gh auth login`)"
        )
    question = f"{answer.action.capitalize()} {printable(about)}? Type {printable(answer.about)}"
    typed = click.prompt(question, err=True, default="", show_default=False)
    if typed.strip() != answer.about:
        raise UsageError(f"{typed!r} is not {answer.about}, so nothing was decided")
