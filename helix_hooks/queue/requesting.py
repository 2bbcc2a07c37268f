"""A new request: its texts are checked and masked, and it is stored once."""

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import HelixError, UsageError
from ..notify.notify_file import NO_FILE, notify_settings
from ..text import without_invisible
from ..text.masking import Secrets, masked, secrets_of
from ..waiting.opening import RequestDraft, opened
from ..waiting.request import ApprovalRequest, RequestContext
from . import store
from .asking import asker_of
from .place import QueuePlace, policy_of

_LINES = {"title": 500, "impact": 2_000, "expertise": 2_000, "agent": 200, "key": 200}
"""Maximum characters of each text on one line."""
_MOST_FILES, _LONGEST_PATH = 1_000, 2_000
_MOST_OPEN = 1_000
"""Maximum number of open requests of a project. People could not decide more."""
MOST_TEXT = 200_000
"""Maximum characters of a context, a description and a reasoning. A person must read them."""


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
    asker = asker_of(place, environment, agent)
    draft = draft._replace(project=place.key, requested_by=asker.asker)
    with store.opened(place.flow) as db:
        request = db.add(
            opened(draft, by.policy, db.now()),
            key=key,
            reuse_open=not key,
            most_open=_MOST_OPEN,
        )
    place.store_key()
    return Requested(request, request.id == draft.id, asker.doubt)


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
