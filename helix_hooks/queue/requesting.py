"""The requester: opens a request, waits for its decision, replies to a question, or withdraws it.

The texts of a request are checked and masked, and it is stored once.
"""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..errors import HelixError, UsageError
from ..flow.storage import DatabaseError
from ..notify.notify_file import NO_FILE, notify_settings
from ..pull import identity
from ..text import without_invisible
from ..text.masking import Secrets, masked, secrets_of
from ..waiting.opening import RequestDraft, opened
from ..waiting.request import PENDING, ApprovalRequest, Asker, Note, RequestContext
from ..waiting.talk import speaker
from . import store
from .place import QueuePlace, policy_of
from .store import QueueStore
from .viewer import own_name

_LINES = {"title": 500, "impact": 2_000, "expertise": 2_000, "agent": 200, "key": 200}
"""Maximum characters of each text on one line."""
_MOST_FILES, _LONGEST_PATH = 1_000, 2_000
_MOST_OPEN = 1_000
"""Maximum number of open requests of a project. People could not decide more."""
MOST_TEXT = 200_000
"""Maximum characters of a context, a description and a reasoning. A person must read them."""

_ACTOR = "GITHUB_ACTOR"
"""The variable with the user who started a job of GitHub Actions."""

_AN_HOUR = 3600.0
_RECONNECT = (0.5, 1.0, 2.0, 5.0)
"""Seconds between attempts to reach a server; the last one is repeated."""


class Requested(NamedTuple):
    """A request, whether it is a new one, and why its requester is not verified, "" if they are."""

    request: ApprovalRequest
    is_new: bool
    doubt: str = ""


def requested(
    place: QueuePlace,
    environment: Mapping[str, str],
    draft: RequestDraft,
    *,
    agent: str = "",
    key: str = "",
) -> Requested:
    """Store a request of the current user, or return the one that asks the same.

    `agent` is the name that an agent gives itself. With a `key`, a request is made only once, even
    after the decision; without one, while it is open.

    Raises:
        UsageError: A value is not allowed, or a text is too long.
        HelixError: The database can't be read or written.
    """
    secrets = secrets_of(environment)
    draft = _with_texts(draft, secrets)
    agent, key = _line("agent", agent, secrets), _line("key", key, secrets)
    by = policy_of(place)
    opened(draft, by.policy, 0)  # refuses wrong values before a request to GitHub
    asker, doubt = _asker(place, environment, agent)
    draft = draft._replace(project=place.key, requested_by=asker)
    with store.opened(place.flow) as db:
        request = db.add(
            opened(draft, by.policy, db.now()),
            key=key,
            reuse_open=not key,
            most_open=_MOST_OPEN,
        )
    place.store_key()
    return Requested(request, request.id == draft.id, doubt)


def notified(
    place: QueuePlace, environment: Mapping[str, str], request: ApprovalRequest
) -> tuple[str, ...]:
    """Have the deciders of a new request notified, and return what failed, or who is not."""
    try:
        if not (place.flow.is_shared or notify_settings(environment, place.root)):
            return (NO_FILE,)  # without the time to import DBOS and Apprise
        from .telling import not_told, send_in_background

        line = send_in_background(place, environment) or not_told(place, environment, request)
    except HelixError as error:
        line = f"notifications failed: {error}"
    return (line,) if line else ()


def _with_texts(draft: RequestDraft, secrets: Secrets) -> RequestDraft:
    """Return a request with texts that are short enough, and have no secrets. Raises UsageError."""
    files = draft.context.files
    if len(files) > _MOST_FILES:
        raise UsageError(f"too many files ({len(files)}, maximum {_MOST_FILES})")
    names = dict.fromkeys(_line("file", name, secrets, _LONGEST_PATH) for name in files)
    return draft._replace(
        title=_line("title", draft.title, secrets),
        description=_text("description", draft.description, secrets),
        context=RequestContext(
            files=tuple(names),
            impact=_line("impact", draft.context.impact, secrets),
            text=_text("context", draft.context.text, secrets),
        ),
        reasoning=_text("reasoning", draft.reasoning, secrets),
        expertise=_line("expertise", draft.expertise, secrets),
    )


def _line(name: str, text: str, secrets: Secrets, most: int = 0) -> str:
    """Return a text as one line with masked secrets. Raises UsageError if it is too long."""
    line = " ".join(without_invisible(masked(text, secrets)).split())
    most = most or _LINES[name]
    if len(line) > most:
        raise UsageError(f"the {name} is too long ({len(line)} characters, maximum {most})")
    return line


def _text(name: str, text: str, secrets: Secrets) -> str:
    if len(text) > MOST_TEXT:
        raise UsageError(
            f"the {name} is too long ({len(text)} characters, maximum {MOST_TEXT}); name files "
            "instead"
        )
    return masked(text, secrets)


def _asker(place: QueuePlace, environment: Mapping[str, str], agent: str) -> tuple[Asker, str]:
    """Return the requester, and why GitHub did not confirm them, "" where it did or could not.

    With a token and an `origin` on GitHub, GitHub confirms the login.
    """
    own = Asker(own_name(place.root), verified=False, agent=agent)
    if not place.repository:
        return own, ""
    secret = identity.token(environment)
    if not secret:
        return own, "set GITHUB_TOKEN, or log in with `gh auth login`, before you ask"
    try:
        return _confirmed(place, secret, environment, agent), ""
    except HelixError as error:
        return own, str(error)


def _confirmed(place: QueuePlace, secret: str, environment: Mapping[str, str], agent: str) -> Asker:
    try:
        login = identity.login(place.repository, secret, environment)
        return Asker(login, verified=True, agent=agent)
    except UsageError:  # it is no person's
        login = identity.bot_login(place.repository, secret, environment)
        actor = environment.get(_ACTOR, "").strip()
        return Asker(login, verified=True, agent=agent, on_behalf_of=actor)


def awaited(
    store: QueueStore, request: ApprovalRequest, seconds: float, notice: Callable[[str], None]
) -> ApprovalRequest:
    """Wait until a request is decided, asked back, or the time is over, and return it.

    `notice` gets a line when the server is away. Raises HelixError if a file can't be read.
    """
    until = time.monotonic() + seconds
    failed = 0
    while True:
        try:
            newest = store.newest()
            request = store.request(request.id)  # after the number, so that no event is missed
            is_ours = request.status != PENDING or request.asked_back_at
            if is_ours or until <= time.monotonic():
                return request
            store.wait_for_event(newest, _pause(store, request, until))
            failed = 0
        except DatabaseError as error:
            left = until - time.monotonic()
            if not store.is_shared or left <= 0:
                raise
            if not failed:
                notice(f"{error}; still waiting")
            time.sleep(min(left, _RECONNECT[min(failed, len(_RECONNECT) - 1)]))
            failed += 1


def _pause(store: QueueStore, request: ApprovalRequest, until: float) -> float:
    """Return the seconds until the deadline, or until the end of the waiting time."""
    left = min(until - time.monotonic(), _AN_HOUR)
    if not request.expires_at:
        return max(left, 0)
    return max(min(left, request.expires_at - store.now()), 0)


def spoken(
    place: QueuePlace, environment: Mapping[str, str], id: str, kind: str, text: str
) -> ApprovalRequest:
    """Record a reply or a withdrawal, by the kind of its event, and return the request.

    Raises:
        UsageError: There is no such request, it is of another login, or it was decided.
        HelixError: The database can't be read or written.
    """
    text = masked(text, secrets_of(environment)).strip()
    if not text:
        raise UsageError("a text is missing")
    asker, _ = _asker(place, environment, "")
    with store.opened(place.flow) as db:
        request = db.request(id, place.filter)
        by = speaker(request, asker)
        return db.note(request.id, kind, Note(by, text, db.now()))
