"""`helix-hooks ask`: a request for approval, by an agent or a script."""

import os
import sys
import time
import uuid
from textwrap import fill
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from ..config.policy import MATRIX
from ..console import print_message, print_result
from ..errors import HelixError, UsageError
from ..queue.notify_file import notify_settings
from ..queue.place import QueuePlace, here, policy_of
from ..text import printable, without_invisible
from ..text.masking import masked, secrets_of
from ..waiting.asked import EXIT_CODES, AskedRequest, render
from ..waiting.entry import REQUEST
from ..waiting.opening import RECOMMENDATIONS, RequestDraft, opened
from ..waiting.request import PENDING, ApprovalRequest, Asker, RequestContext
from . import shared

if TYPE_CHECKING:
    from ..queue.store import QueueStore

PAGE = "HELIX_DASHBOARD_URL"
"""The variable with the address of the queue's page."""

_LINES = {
    "title": 500, "impact": 2_000, "expertise": 2_000, "file": 2_000, "agent": 200, "key": 200,
}  # fmt: skip
"""Maximum characters of each text on one line, by the name of its option."""
_MOST_FILES = 1_000
_MOST_OPEN = 1_000
"""Maximum number of open requests of a project. People could not decide more."""

_MOST_CONTEXT = 200_000
"""Maximum characters of a context and of a description. A person must read them."""


_ACTIONS = fill(
    ", ".join(MATRIX), 100, initial_indent="  ", subsequent_indent="  ", break_long_words=False
)
EXAMPLE = f"""examples:
  helix-hooks ask "Deploy 1.2" --action production_deployment --context release.md --wait
  helix-hooks ask "Deploy 1.2" --action production_deployment --key release-1.2 --wait
  helix-hooks ask "Start sprint 4" --action sprint_start --confidence 0.7
  helix-hooks ask "Merge the parser" --action pr_merge --expertise "a lawyer must read the licence"

actions:
{_ACTIONS}

The setting policy.autonomy on the main branch defines which actions need a person. Without it,
all actions do. A person always decides if --confidence is below 0.85, or with --expertise.

The same command does not repeat an open request: it waits for the existing one. With --key, a
request is made only once, even after the decision."""


@shared.command(
    "ask",
    example=EXAMPLE,
    exits={
        0: "approved, by people or by the policy",
        1: "rejected, or blocked: the deadline passed without an answer",
        4: "pending: a person must decide",
    },
)
@shared.argument("title", "TITLE", "question in one line")
@shared.text(
    "--action",
    "ACTION",
    "action that needs approval, one of the list below",
    type=click.Choice((*MATRIX,)),
    required=True,
)
@shared.file("--context", "information for deciders, in Markdown; - for stdin")
@shared.text("--file", "PATH", "affected file", to="files", multiple=True)
@shared.text("--impact", "TEXT", "estimated impact")
@shared.text("--description", "TEXT", "details; @FILE to read them from a file")
@shared.text("--confidence", "NUMBER", "confidence of the requester, from 0 to 1", type=float)
@shared.choice(
    "--recommendation", tuple(filter(None, RECOMMENDATIONS)), "recommendation of the requester"
)
@shared.text("--reasoning", "TEXT", "reason for the recommendation")
@shared.text("--expertise", "TEXT", "reason why an expert must decide")
@shared.text("--agent", "NAME", "name of the requesting agent")
@shared.text("--key", "KEY", "make the request only once for this key")
@shared.text(
    "--within",
    "TIME",
    "deadline of this request, e.g. 4h, if it is before that of the policy",
    type=shared.duration,
)
@shared.text(
    "--escalate-to",
    "NAME",
    "user or team (acme/board) to notify at the deadline of --within, which adds 24 hours",
    multiple=True,
)
@shared.flag("--wait", "wait for the decision")
@shared.text(
    "--timeout",
    "TIME",
    "maximum time of --wait, e.g. 30m or 2d (default: 24h)",
    type=shared.duration,
    default="24h",
)
@shared.formats()
def run(
    *, context: str, files: tuple[str, ...], wait: bool, timeout: int, format: str, **values: Any
) -> int:
    from ..queue import store
    from ..queue.asking import asker_of

    lines = {name: _line(name, values[name]) for name in _LINES if name != "file"}
    draft = RequestDraft(
        id=str(uuid.uuid4()),
        project="",
        action=values["action"],
        title=lines["title"],
        requested_by=Asker("", verified=False),
        description=_text("--description", values["description"]),
        context=RequestContext(_files(files), lines["impact"], _text("--context", _read(context))),
        confidence=values["confidence"],
        recommendation=values["recommendation"] or "",
        reasoning=_text("--reasoning", values["reasoning"]),
        expertise=lines["expertise"],
        within=values["within"] or 0,
        escalate_to=tuple(name.removeprefix("@") for name in values["escalate_to"]),
    )
    place = here(os.environ)
    by = policy_of(place)
    opened(draft, by.policy, 0)  # refuses wrong values before a request to GitHub
    requester = asker_of(place, os.environ, lines["agent"])
    draft = draft._replace(project=place.key, requested_by=requester.asker)
    with store.opened(place.flow) as db:
        request = db.add(
            opened(draft, by.policy, db.now()),
            key=lines["key"],
            reuse_open=not lines["key"],
            most_open=_MOST_OPEN,
        )
        place.store_key()
        is_new = request.id == draft.id
        if requester.doubt and is_new and request.status == PENDING:
            print_message(
                f"the requester {draft.requested_by.name} is not verified, so the request cannot "
                f"be approved with a token: {requester.doubt}"
            )
        if not is_new:
            print_message(f"the request exists already: {request.id}")
        _notify(place)
        if wait and request.status == PENDING:
            request = _wait(db, request, timeout)
    page = os.environ.get(PAGE, "").strip().rstrip("/")
    asked = AskedRequest(request, f"{page}/entry?id={quote(request.id)}" if page else "")
    print_result(render(asked, format))
    return EXIT_CODES[asked.decision]


def _notify(place: QueuePlace) -> None:
    """Notify the deciders if notifications are configured. A failure does not end `ask`."""
    try:
        if not notify_settings(os.environ, place.root):
            return
        from ..queue.collect import collect
        from ..queue.place import Wanted
        from ..queue.telling import tell_about

        wanted = Wanted((REQUEST,))
        queue = collect(place, wanted, os.environ, int(time.time()))
        failures = tell_about(place, wanted, queue, os.environ, awaits=False).failures
    except HelixError as error:
        failures = (str(error),)
    for line in failures:
        print_message(f"the request is open, but a notification failed: {line}")


def _wait(db: "QueueStore", request: ApprovalRequest, timeout: int) -> ApprovalRequest:
    from ..queue.awaiting import awaited

    try:
        if not shared.console().quiet:
            print_message(f"{request.id} waits for a person: {printable(request.why, 200)}")
            for answer, line in AskedRequest(request).ways:
                print_message(f"{answer} it: {line}")
        return awaited(db, request, timeout, print_message)
    except KeyboardInterrupt:
        print_message(f"{request.id} stays open; the same command waits for it again")
        raise


def _read(path: str) -> str:
    """Return the text of a file, of standard input for "-", or "" without a path."""
    if path != "-":
        return shared.text_or_file("--context", f"@{path}" if path else "")
    try:
        # A character of UTF-8 has at most four bytes.
        return sys.stdin.buffer.read(_MOST_CONTEXT * 4 + 1).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("--context -: the input is not UTF-8") from None


def _text(option: str, value: str) -> str:
    """Return the text of an option, or of the file that it names, with masked secrets.

    Raises:
        UsageError: The text is too long.
    """
    text = value if option == "--context" else shared.text_or_file(option, value)
    if len(text) > _MOST_CONTEXT:
        raise UsageError(
            f"{option} is too long ({len(text)} characters, maximum {_MOST_CONTEXT}); name files "
            "with --file"
        )
    return _masked(text)


def _line(name: str, text: str) -> str:
    """Return a text as one line with masked secrets.

    Raises:
        UsageError: The text is too long.
    """
    line = " ".join(without_invisible(_masked(text)).split())
    if len(line) > _LINES[name]:
        option = "TITLE" if name == "title" else f"--{name}"
        message = f"{option} is too long ({len(line)} characters, maximum {_LINES[name]})"
        raise UsageError(message)
    return line


def _files(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > _MOST_FILES:
        raise UsageError(f"too many files ({len(names)}, maximum {_MOST_FILES})")
    return tuple(dict.fromkeys(_line("file", name) for name in names))


def _masked(text: str) -> str:
    """Return a text with masked secrets, also those of the environment."""
    # Arguments that are not UTF-8 have surrogates, which no database takes.
    return masked(text.encode("utf-8", "replace").decode("utf-8"), secrets_of(os.environ))
