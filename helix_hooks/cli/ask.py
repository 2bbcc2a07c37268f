"""`helix-hooks ask`: a request for approval, by an agent or a script."""

import json
import os
import re
import sys
import time
import uuid
from collections.abc import Iterable
from textwrap import fill
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from ..config.autonomy import MATRIX
from ..console.output import print_message, print_result
from ..errors import HelixError, UsageError
from ..queue.notify_file import notify_settings
from ..queue.place import QueuePlace, here, policy_of
from ..report.asked import EXIT_CODES, AskedRequest, render
from ..text.invisible import without_invisible
from ..text.masking import masked, secrets_of
from ..text.sanitize import printable
from ..waiting.entry import REQUEST
from ..waiting.opening import RECOMMENDATIONS, RequestDraft, opened
from ..waiting.request import PENDING, ApprovalRequest, Asker, RequestContext
from .frame import command, complete_file, console, text_or_file, with_format

if TYPE_CHECKING:
    from ..queue.store import QueueStore

PAGE = "HELIX_DASHBOARD_URL"
"""The variable with the address of the queue's page."""

_MOST_TITLE, _MOST_LINE, _MOST_FILES, _MOST_KEY = 500, 2_000, 1_000, 200
_MOST_OPEN = 1_000
"""Maximum number of open requests of a project. People could not decide more."""

_MOST_CONTEXT = 200_000
"""Maximum characters of a context and of a description. A person must read them."""


def _lines(actions: Iterable[str]) -> str:
    """Return the names of actions as indented lines of at most 100 columns."""
    names = ", ".join(actions)
    return fill(names, 100, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


EXAMPLE = f"""examples:
  helix-hooks ask "Deploy 1.2" --action production_deployment --context release.md --wait
  helix-hooks ask "Deploy 1.2" --action production_deployment --key release-1.2 --wait
  helix-hooks ask "Start sprint 4" --action sprint_start --confidence 0.7
  helix-hooks ask "Merge the parser" --action pr_merge --expertise "a lawyer must read the licence"

actions:
{_lines(MATRIX)}

The setting policy.autonomy on the main branch defines which actions need a person. Without it,
all actions do. A person always decides if --confidence is below 0.85, or with --expertise.

The same command does not repeat an open request: it waits for the existing one. With --key, a
request is made only once, even after the decision.

exit codes:
  0  approved, by people or by the policy
  1  rejected, or blocked: the deadline passed without an answer
  2  usage or configuration error; there is no request
  3  the store could not be used
  4  pending: a person must decide"""


_TIME = re.compile(r"([1-9]\d{0,4})([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _seconds(text: str) -> int:
    match = _TIME.fullmatch(text)
    if not match:
        raise click.BadParameter(f"invalid time {text!r} (expected e.g. 30s, 10m, 24h or 2d)")
    return int(match[1]) * _SECONDS[match[2]]


@command("ask", example=EXAMPLE, arguments={"TITLE": "question in one line"})
@click.argument("title", metavar="TITLE")
@click.option(
    "--action",
    metavar="ACTION",
    type=click.Choice((*MATRIX,)),
    required=True,
    help="action that needs approval, one of the list below",
)
@click.option(
    "--context",
    metavar="FILE",
    shell_complete=complete_file,
    help="information for deciders: Markdown, or JSON with text, files and impact; - for stdin",
)
@click.option(
    "--file",
    "files",
    metavar="PATH",
    multiple=True,
    help="affected file; repeatable",
)
@click.option("--impact", metavar="TEXT", default="", help="estimated impact")
@click.option(
    "--description", metavar="TEXT", default="", help="details; @FILE to read them from a file"
)
@click.option(
    "--confidence", metavar="NUMBER", type=float, help="confidence of the requester, from 0 to 1"
)
@click.option(
    "--recommendation",
    type=click.Choice(tuple(filter(None, RECOMMENDATIONS))),
    default=None,
    help="recommendation of the requester",
)
@click.option("--reasoning", metavar="TEXT", default="", help="reason for the recommendation")
@click.option("--expertise", metavar="TEXT", help="reason why an expert must decide")
@click.option("--agent", metavar="NAME", help="name of the requesting agent")
@click.option("--key", metavar="KEY", help="make the request only once for this key")
@click.option("--wait", is_flag=True, help="wait for the decision")
@click.option(
    "--timeout",
    metavar="TIME",
    type=_seconds,
    default="24h",
    help="maximum time of --wait, e.g. 30m or 2d (default: 24h)",
)
@with_format()
def run(
    *,
    title: str,
    action: str,
    context: str | None,
    files: tuple[str, ...],
    impact: str,
    description: str,
    confidence: float | None,
    recommendation: str | None,
    reasoning: str,
    expertise: str | None,
    agent: str | None,
    key: str | None,
    wait: bool,
    timeout: int,
    format: str,
) -> int:
    from ..queue import store
    from ..queue.asking import asker_of

    from_file = _context(context)
    draft = RequestDraft(
        id=str(uuid.uuid4()),
        project="",
        action=action,
        title=_line("TITLE", title, _MOST_TITLE),
        requested_by=Asker("", verified=False),
        description=_text("--description", text_or_file("--description", description)),
        context=from_file._replace(
            files=_files((*from_file.files, *files)),
            impact=_line("--impact", impact or from_file.impact, _MOST_LINE),
        ),
        confidence=confidence,
        recommendation=recommendation or "",
        reasoning=_text("--reasoning", text_or_file("--reasoning", reasoning)),
        expertise=_line("--expertise", expertise or "", _MOST_LINE),
    )
    place = here(os.environ)
    by = policy_of(place)
    opened(draft, by.policy, 0)  # refuses wrong values before a request to GitHub
    requester = asker_of(place, os.environ, _line("--agent", agent or "", _MOST_KEY))
    draft = draft._replace(project=place.project, requested_by=requester.asker)
    with store.opened(place.flow) as db:
        request = db.add(
            opened(draft, by.policy, db.now()),
            key=_line("--key", key or "", _MOST_KEY),
            reuse_open=not key,
            most_open=_MOST_OPEN,
        )
        _print_notes(request, draft, requester.doubt, is_new=request.id == draft.id)
        _notify(place)
        if wait and request.status == PENDING:
            request = _wait(db, request, timeout)
    asked = AskedRequest(request, _url(request))
    print_result(render(asked, format))
    return EXIT_CODES[asked.decision]


def _print_notes(
    request: ApprovalRequest, draft: RequestDraft, doubt: str, *, is_new: bool
) -> None:
    """Print whether the request existed already, and what an unverified requester means."""
    if doubt and is_new and request.status == PENDING:
        print_message(
            f"the requester {draft.requested_by.name} is not verified, so the request cannot be "
            f"approved with a token: {doubt}"
        )
    if not is_new:
        print_message(f"the request exists already: {request.id}")


def _notify(place: QueuePlace) -> None:
    """Notify the deciders if notifications are configured. A failure does not end `ask`."""
    try:
        if not notify_settings(os.environ, place.root):
            return
        from ..queue.collect import Wanted, collect
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
        if not console().quiet:
            print_message(f"{request.id} waits for a person: {printable(request.why, 200)}")
            for answer, line in AskedRequest(request).ways:
                print_message(f"{answer} it: {line}")
        return awaited(db, request, timeout, print_message)
    except KeyboardInterrupt:
        print_message(f"{request.id} stays open; the same command waits for it again")
        raise


def _url(request: ApprovalRequest) -> str:
    page = os.environ.get(PAGE, "").strip().rstrip("/")
    if not page:
        return ""
    return f"{page}/entry?id={quote(request.id)}"


def _context(path: str | None) -> RequestContext:
    """Return the context in a file: Markdown, or a JSON object if the file is called *.json.

    Raises:
        UsageError: The file can't be read, or the JSON has another form.
    """
    if not path:
        return RequestContext()
    text = _read(path)
    if not path.endswith(".json"):
        return RequestContext(text=_text("--context", text))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"--context {printable(path)}: invalid JSON") from None
    names = RequestContext._fields
    if not isinstance(value, dict) or not value.keys() <= set(names):
        raise UsageError(
            f"--context {printable(path)}: expected a JSON object with the keys {', '.join(names)}"
        )
    files, body, impact = value.get("files", []), value.get("text", ""), value.get("impact", "")
    if not isinstance(files, list) or not _are_texts((*files, body, impact)):
        raise UsageError(
            f"--context {printable(path)}: `files` must be a list of strings, `text` and `impact` "
            "must be strings"
        )
    return RequestContext(files=tuple(files), impact=impact, text=_text("--context", body))


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _read(path: str) -> str:
    """Return the text of a file, or of standard input for "-"."""
    if path != "-":
        return text_or_file("--context", f"@{path}")
    try:
        # A character of UTF-8 has at most four bytes.
        return sys.stdin.buffer.read(_MOST_CONTEXT * 4 + 1).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("--context -: the input is not UTF-8") from None


def _text(option: str, text: str) -> str:
    """Return a text with masked secrets.

    Raises:
        UsageError: The text is too long.
    """
    if len(text) > _MOST_CONTEXT:
        raise UsageError(
            f"{option} is too long ({len(text)} characters, maximum {_MOST_CONTEXT}); name files "
            "with --file"
        )
    return _masked(text)


def _line(option: str, text: str, most: int) -> str:
    """Return a text as one line with masked secrets.

    Raises:
        UsageError: The text is too long.
    """
    line = " ".join(without_invisible(_masked(text)).split())
    if len(line) > most:
        raise UsageError(f"{option} is too long ({len(line)} characters, maximum {most})")
    return line


def _files(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > _MOST_FILES:
        raise UsageError(f"too many files ({len(names)}, maximum {_MOST_FILES})")
    return tuple(dict.fromkeys(_line("--file", name, _MOST_LINE) for name in names))


def _masked(text: str) -> str:
    """Return a text with masked secrets, also those of the environment."""
    # Arguments that are not UTF-8 have surrogates, which no database takes.
    return masked(text.encode("utf-8", "replace").decode("utf-8"), secrets_of(os.environ))
