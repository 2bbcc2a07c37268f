"""`helix-hooks ask`: a request for approval, by an agent or a script."""

import os
import sys
import uuid
from textwrap import fill
from typing import Any

import click

from ..config.policy import MATRIX
from ..console import print_message, print_result
from ..errors import UsageError
from ..queue.place import QueuePlace, here, page_of
from ..text import printable
from ..waiting.asked import EXIT_CODES, AskedRequest, render
from ..waiting.opening import RECOMMENDATIONS, RequestDraft
from ..waiting.request import PENDING, ApprovalRequest, Asker, RequestContext
from . import shared

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
    from ..queue import requesting

    draft = RequestDraft(
        id=str(uuid.uuid4()),
        project="",
        action=values["action"],
        title=values["title"],
        requested_by=Asker("", verified=False),
        description=shared.text_or_file("--description", values["description"]),
        context=RequestContext(files, values["impact"], _read(context)),
        confidence=values["confidence"],
        recommendation=values["recommendation"] or "",
        reasoning=shared.text_or_file("--reasoning", values["reasoning"]),
        expertise=values["expertise"],
        within=values["within"] or 0,
        escalate_to=tuple(name.removeprefix("@") for name in values["escalate_to"]),
    )
    place = here(os.environ)
    agent, key = values["agent"], values["key"]
    request, is_new, doubt = requesting.requested(place, os.environ, draft, agent=agent, key=key)
    if doubt and is_new and request.status == PENDING:
        print_message(
            f"the requester {request.requested_by.name} is not verified, so the request cannot "
            f"be approved with a token: {doubt}"
        )
    if not is_new:
        also = "; its deadline stays as it is" if draft.within else ""
        print_message(f"the request exists already: {request.id}{also}")
    if request.status == PENDING:
        for line in requesting.notified(place, os.environ, request):
            print_message(line)
    if wait and request.status == PENDING:
        request = _wait(place, request, timeout)
    asked = AskedRequest(request, page_of(request.id, os.environ))
    print_result(render(asked, format))
    return EXIT_CODES[asked.decision]


def _wait(place: QueuePlace, request: ApprovalRequest, timeout: int) -> ApprovalRequest:
    from ..queue import store
    from ..queue.requesting import awaited

    try:
        with store.opened(place.flow) as db:
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
    from ..queue.requesting import MOST_TEXT

    if path != "-":
        return shared.text_or_file("--context", f"@{path}" if path else "")
    try:
        # A character of UTF-8 has at most four bytes.
        return sys.stdin.buffer.read(MOST_TEXT * 4 + 1).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("--context -: the input is not UTF-8") from None
