"""The stop hook of an agent: read its payload, verify the work, count the attempt, reply."""

import contextlib
import os
from collections.abc import Mapping

from .. import git
from ..agents import registry
from ..agents.stop import HookAnswer, StopReply, UnknownPayload, allowed, blocked
from ..errors import HelixError
from ..text import printable
from . import store
from .options import VerifyOptions
from .run import verify
from .stop import decide_stop, inside

_NOT_VERIFIED = "helix-hooks has not verified the work"


def answered(
    agent: str, payload: bytes, options: VerifyOptions, environment: Mapping[str, str], now: int
) -> HookAnswer:
    """Return the answer to a payload, in the protocol of the agent.

    If the work can't be verified, the agent may stop and the user sees the reason. It counts
    neither as an attempt nor as a success.
    """
    return registry.answer(agent, _reply(agent, payload, options, environment, now))


def _reply(
    agent: str, payload: bytes, options: VerifyOptions, environment: Mapping[str, str], now: int
) -> StopReply:
    own_run = inside(environment)
    if own_run:
        return allowed(own_run.message)
    stop = registry.read(agent, payload)
    if isinstance(stop, UnknownPayload):
        return allowed(f"{_NOT_VERIFIED}: {stop.reason}")
    if stop.folder:
        # The agent may have left the folder in which it was started.
        with contextlib.suppress(OSError):
            os.chdir(stop.folder)
    root = git.repository()
    if not root:
        return allowed(f"{_NOT_VERIFIED}: this folder is not in a git repository")
    try:
        verification = verify(options, root)
        results, settings = verification.results, verification.settings
        place = store.opened(root, settings.feedback)
        decision = decide_stop(results, stop.conversation, place, settings.max_retries, now)
    except HelixError as error:
        return allowed(f"{_NOT_VERIFIED}: {printable(str(error), 500)}")
    if decision.allow:
        return allowed(f"helix-hooks: {decision.message}")
    return blocked(decision.message)
