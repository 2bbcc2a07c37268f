"""Answer the stop hook of an agent: read its payload, verify the work, count, reply."""

import contextlib
import os
from collections.abc import Mapping

from ..agents import registry
from ..agents.stop import HookAnswer, StopReply, UnknownPayload, allowed, blocked
from ..errors import HelixError
from ..repository import git, runner
from ..text.sanitize import printable
from . import store
from .options import VerifyOptions
from .run import verify
from .stop import decide_stop, inside

_NOT_VERIFIED = "helix-hooks has not verified the work"


def answered(
    agent: str, payload: bytes, options: VerifyOptions, environment: Mapping[str, str], now: int
) -> HookAnswer:
    """Return the answer to a payload, in the protocol of the agent.

    Whatever keeps the work from being verified lets the agent stop, and is said to the user: it is
    neither an attempt nor a pass.
    """
    return registry.answer(agent, _reply(agent, payload, options, environment, now))


def _reply(
    agent: str, payload: bytes, options: VerifyOptions, environment: Mapping[str, str], now: int
) -> StopReply:
    own = inside(environment)
    if own:
        return allowed(own.message)
    stop = registry.read(agent, payload)
    if isinstance(stop, UnknownPayload):
        return allowed(f"{_NOT_VERIFIED}: {stop.reason}")
    if stop.folder:
        with contextlib.suppress(OSError):
            os.chdir(stop.folder)
    root = git.repository()
    if not root:
        return allowed(f"{_NOT_VERIFIED}: this folder is in no git repository")
    try:
        found = verify(options, root)
        if not found.results:
            return allowed()
        place = store.opened(root, found.settings.feedback)
        decision = decide_stop(
            found.results, stop.conversation, place, found.settings.max_retries, now
        )
    except HelixError as error:
        return allowed(f"{_NOT_VERIFIED}: {printable(str(error), 500)}")
    finally:
        runner.forget()
    if decision.allow:
        return allowed(f"helix-hooks: {decision.message}")
    return blocked(decision.message)
