"""Who asks for a run of a flow, and who decides in it: a user whom GitHub confirms, or a person at
a terminal.

GitHub confirms where the remote `origin` is on it and there is a token. Without, only a person at a
terminal decides, which is recorded as not verified.
"""

import sys
from collections.abc import Mapping
from typing import NamedTuple

import click

from ..console.output import print_message
from ..decision.flow_decider import ACTIONS_BY_ANYBODY
from ..errors import HelixError, UsageError
from ..github import holder
from ..github.identity import token
from ..phases.run_state import APPROVE, Decider
from ..queue.deciding_person import decider_in_run, deciding_person
from ..queue.place import place_of, policy_of
from ..queue.viewer import own_name
from ..text.sanitize import printable
from ..verify.stop import INSIDE

RUN = "HELIX_RUN"
"""The variable with the run for which a program was started."""


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
    place = place_of(root, environment)
    own = Decider(own_name(root), verified=False)
    secret = token(environment) if place.repository else ""
    if not secret:
        return own
    try:
        login = holder.login(place.repository, secret, environment)
    except HelixError as error:
        print_message(
            f"the run is recorded as asked by {own.name}, not verified, so no token can approve "
            f"in it: {error}"
        )
        return own
    return Decider(login, verified=True)


def decider(root: str, environment: Mapping[str, str], answer: FlowAnswer) -> Decider:
    """Return who decides.

    Raises UsageError where they may not, or nobody can tell who it is; HelixError where GitHub
    can't be asked.
    """
    refuse_inside(environment, f"`helix-hooks flow {answer.action}`")
    if answer.action in ACTIONS_BY_ANYBODY:
        return Decider(own_name(root), verified=False)
    place = place_of(root, environment)
    by = policy_of(place)
    approves = answer.action == APPROVE
    person = deciding_person(place, by, environment)
    found = decider_in_run(person, by, answer.asked_by, approves=approves)
    if not found.verified:
        about = f"{answer.about} of {answer.run}"
        confirm(environment, answer.action, about, answer.about)
    return found


def confirm(environment: Mapping[str, str], action: str, about: str, word: str) -> None:
    """Let a person type a word. Raises UsageError where nobody can."""
    is_terminal = sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()
    if not is_terminal or environment.get("CI"):
        raise UsageError(
            f"nobody can tell who wants to {action} {about}: run this at a terminal, or let "
            "GitHub confirm who you are (a remote `origin` on GitHub, and GITHUB_TOKEN or "
            "`gh auth login`)"
        )
    question = f"{action.capitalize()} {printable(about)}? Type {printable(word)}"
    typed = click.prompt(question, err=True, default="", show_default=False)
    if typed.strip() != word:
        raise UsageError(f"{typed!r} is not {word}, so nothing was decided")
