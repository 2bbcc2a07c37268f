"""The requester of a flow's run, and the person who decides in it.

GitHub confirms a person if the remote `origin` is on GitHub and there is a token. Otherwise only a
person at a terminal decides, recorded as not verified.
"""

from collections.abc import Mapping

import click

from ..console import print_message
from ..decision.who_may import ACTIONS_BY_ANYBODY
from ..errors import HelixError, UsageError
from ..phases.run_state import APPROVE, Decider
from ..pull import identity
from ..pull.identity import token
from ..queue.deciding_person import decider_in_run, deciding_person
from ..queue.place import place_of, policy_of
from ..queue.viewer import own_name
from ..text import printable
from ..verify.stop import INSIDE, RUN
from . import shared


def refuse_inside(environment: Mapping[str, str], command: str) -> None:
    """Refuse a command inside of a run: an agent must not approve its own work.

    Raises:
        UsageError: A run or a verification started this program.
    """
    if environment.get(RUN) or environment.get(INSIDE):
        raise UsageError(
            f"{command} is not allowed inside of a run: an agent cannot approve its own work"
        )


def asker(root: str, environment: Mapping[str, str]) -> Decider:
    """Return the requester of a run.

    If GitHub does not confirm the person, e.g. offline or with the token of a workflow, the result
    is not verified, and a message explains the consequence.
    """
    place = place_of(root, environment)
    own = Decider(own_name(root), verified=False)
    if not place.repository:
        return own
    secret = token(environment)
    if not secret:
        return own
    try:
        login = identity.login(place.repository, secret, environment)
    except HelixError as error:
        print_message(
            f"the requester {own.name} is not verified, so no token can approve in this run: "
            f"{error}"
        )
        return own
    return Decider(login, verified=True)


def decider(
    root: str, environment: Mapping[str, str], action: str, run: str, about: str, asked_by: Decider
) -> Decider:
    """Return the person who decides on a run.

    `action` is "approve", "reject", "retry" or "cancel", and `about` the name of a phase, or
    "budget".

    Raises:
        UsageError: The person may not decide, or can't be identified.
        HelixError: GitHub refuses a request, or can't be reached.
    """
    refuse_inside(environment, f"`helix-hooks flow {action}`")
    if action in ACTIONS_BY_ANYBODY:
        return Decider(own_name(root), verified=False)
    place = place_of(root, environment)
    by = policy_of(place)
    approves = action == APPROVE
    person = deciding_person(place, by, environment)
    person_now = decider_in_run(person, by, asked_by, approves=approves)
    if not person_now.verified:
        confirm(action, f"{about} of {run}", about)
    return person_now


def confirm(action: str, about: str, word: str) -> None:
    """Let a person type a word, which a program would not know.

    Raises:
        UsageError: This is not a terminal, or the word is wrong.
    """
    if not shared.can_ask():
        raise UsageError(
            f"cannot identify who wants to {action} {about}; run this at a terminal, or let GitHub "
            "confirm it (a remote `origin` on GitHub, and GITHUB_TOKEN or `gh auth login`)"
        )
    question = f"To {action} {printable(about)}, type {printable(word)}"
    typed = click.prompt(question, err=True, default="", show_default=False)
    if typed.strip() != word:
        raise UsageError(f"nothing was decided: {typed!r} is not {word}")
