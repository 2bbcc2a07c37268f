"""The pages and forms of the server."""

import logging
import time
from collections.abc import Iterable
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ..errors import HelixError
from ..pages import entry as entry_page
from ..pages import message, queue
from ..pages.figures import figures_content
from ..pages.layout import document
from ..pages.shown import quoted
from ..pages.view import (
    HERE,
    OTHERS,
    PREPARED,
    DecisionLine,
    FilledForm,
    QueuePage,
    QueueRow,
    Shell,
)
from ..queue.pull_detail import CHANGED
from ..text import log_line
from ..waiting.entry import EntryDetail, QueueEntry, Viewer
from . import decisions
from .access import AccessReader
from .decisions import SentForm
from .events import EventStreams
from .github_user import TokenEndedError
from .options import DashboardOptions, PublicAddress
from .rows import counts, filtered, rows
from .sessions import (
    LONGEST,
    Session,
    Sessions,
    cookie_value,
    form_token,
    is_token_of,
    set_cookie,
)
from .sign_in import SESSION
from .sources import ChosenAnswer, Sources
from .undo import Undoable
from .watch import QueueWatch

_log = logging.getLogger("helix_hooks.dashboard")
_ONLY_SHOWS = (
    "Sign-in is disabled, so this page is read-only. "
    "Decide on GitHub, or in a terminal with helix-hooks queue."
)
_JUST_DECIDED = "Decided just now; takes effect in some seconds"
_IS_DECIDED = "A person has just decided about it, and can undo that for some seconds."
_NOT_PENDING = "it is no longer pending, or you may not see it"
_UNREAD = "could not be read, so it is not known whether it is pending"
_MARGIN = 60
"""Seconds by which the clocks of the server and of the database may differ."""
_INVALID_FORM = "The form is not valid, so nothing was done. Reload the page and try again."


class SeenPage(NamedTuple):
    """The person who requests a page, and the rows that they may see."""

    session: Session | None
    viewer: Viewer
    rows: tuple[QueueRow, ...]
    page: QueuePage


class Site:
    """The handlers of requests. `guard.RequestGuard` adds the public address to each."""

    def __init__(
        self,
        options: DashboardOptions,
        sources: Sources,
        watch: QueueWatch,
        sessions: Sessions,
        version: str,
    ) -> None:
        self._options, self._sources, self._watch = options, sources, watch
        self._sessions, self._version = sessions, version
        self._access = AccessReader(options, sources)
        self.undoable = Undoable(options.undo_seconds, self._carry_out)
        self._streams = EventStreams(watch, self._access, sessions)

    async def queue(self, request: Request) -> Response:
        """Show the list."""
        session, opened = self._session(request)
        if self._options.signs_in and session is None:
            return self._sign_in_page(request)
        shown = _filter(request.query_params.get("show", ""))
        seen_page = await self._seen_page(request, session, shown)
        page = seen_page.page
        if session:
            lines = (*self.undoable.lines(session.key), *self._take_happened(session))
            page = page._replace(happened=lines)
        if request.query_params.get("select") == "all":
            ids = frozenset(item.entry.id for item in page.rows if item.is_bulk)
            page = page._replace(form=page.form._replace(chosen=ids))
        return self._with_cookie(request, HTMLResponse(queue.page(page)), opened)

    async def entry(self, request: Request) -> Response:
        """Show one entry."""
        session, opened = self._session(request)
        name = request.query_params.get("id", "")
        if self._options.signs_in and session is None:
            return self._sign_in_page(request, name)
        seen_page = await self._seen_page(request, session)
        prepared = request.query_params.get("answer", "")
        if prepared in PREPARED:
            form = seen_page.page.form._replace(prepared=prepared)
            seen_page = seen_page._replace(page=seen_page.page._replace(form=form))
        answer = await self._entry_page(request, seen_page, name)
        return self._with_cookie(request, answer, opened)

    async def decide(self, request: Request) -> Response:
        """Carry out the answers of a form."""
        form = decisions.sent_form(await request.body())
        session, _ = self._session(request, begins=False)
        if session is None:
            return self._refused(request, 401, "You are not signed in, so nothing was decided.")
        if form is None or not self._is_ours(request, session, form):
            return self._refused(request, 403, _INVALID_FORM)
        if form.token in session.used:
            # A form that was sent twice: the list shows what happened the first time.
            return RedirectResponse(f"{_address(request).url}/", 303)
        session = self._sessions.replace(session._replace(used=session.used | {form.token}))
        seen_page = await self._seen_page(request, session, _filter(form.show))
        if error := decisions.fault(form):
            return await self._filled_again(request, seen_page, form, error)
        rows_by_id = {item.entry.id: item for item in seen_page.rows}
        answers, refused = decisions.choices(form, rows_by_id, session)
        for name in form.ids - rows_by_id.keys():
            line = await self._ended(session, name)
            refused.append(line or DecisionLine(name, name, _NOT_PENDING, is_done=False))
        self._add_happened(session.key, refused)
        for answer in answers:
            entry = answer.entry
            if self.undoable.has(entry.id):  # a request at the same time
                line = DecisionLine(entry.id, entry.title, _IS_DECIDED, is_done=False)
                self._add_happened(session.key, [line])
            elif self._options.undo_seconds and not self._is_due_soon(entry):
                self.undoable.start(session.key, answer)
            else:
                await self._carry_out(session.key, answer)
        show = f"?show={form.show}" if _filter(form.show) else ""
        return RedirectResponse(f"{_address(request).url}/{show}", 303)

    async def undo(self, request: Request) -> Response:
        """Drop a decision that has not taken effect."""
        form = decisions.sent_form(await request.body())
        session, _ = self._session(request, begins=False)
        if session is None or form is None or not self._is_ours(request, session, form):
            return self._refused(request, 403, _INVALID_FORM)
        for entry in form.ids:
            if not self.undoable.undo(session.key, entry):
                text = "too late: it has taken effect, or was undone before"
                self._add_happened(session.key, [DecisionLine(entry, entry, text, is_done=False)])
        return RedirectResponse(f"{_address(request).url}/", 303)

    def _is_due_soon(self, entry: QueueEntry) -> bool:
        """Return whether the deadline could decide before a decision that can be undone."""
        return 0 < entry.due_at <= time.time() + self._options.undo_seconds + _MARGIN

    async def _carry_out(self, session: str, answer: ChosenAnswer) -> None:
        """Carry out an answer, and keep its result for the next page of the session."""
        line = await decisions.carried_out(answer, self._sources)
        self._add_happened(session, [line])
        await self._watch.look()

    async def events(self, request: Request) -> Response:
        """Stream changes."""
        session, _ = self._session(request, begins=False)
        if self._options.signs_in and session is None:
            return Response(status_code=204)  # a browser does not reconnect after this status
        return self._streams.response(session)

    async def figures(self, request: Request) -> Response:
        """Show the figures of the repositories that the person may read."""
        session, opened = self._session(request)
        if self._options.signs_in and session is None:
            return self._sign_in_page(request)
        seen_page = await self._seen_page(request, session)
        projects = None
        if session:
            projects = await self._access.readable(session, self._sources.projects)
            projects += tuple(name for name, _ in seen_page.viewer.roles)
        figures = await run_in_threadpool(self._sources.figures, projects)
        page = document(seen_page.page.shell, "Figures", figures_content(figures), "figures")
        return self._with_cookie(request, HTMLResponse(page), opened)

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        form = decisions.sent_form(await request.body())
        session, _ = self._session(request, begins=False)
        if session and form and self._is_ours(request, session, form):
            self._sessions.end(session.key)
            answer: Response = RedirectResponse(f"{_address(request).url}/", 303)
            set_cookie(answer, _address(request), SESSION, "", 0)
            return answer
        return self._refused(request, 403, _INVALID_FORM)

    def message(
        self,
        request: Request,
        status: int,
        name: str,
        text: str,
        action: tuple[str, str] | None = ("", "Go to the queue"),
    ) -> Response:
        """Return a page with one message."""
        shell = Shell(prefix=_address(request).prefix, version=self._version)
        return HTMLResponse(message.page(shell, name, text, action), status)

    # Sessions.

    def _session(self, request: Request, *, begins: bool = True) -> tuple[Session | None, str]:
        """Return the session of a request, and the value of its cookie if it starts now.

        Behind a proxy it starts without a sign-in, for the user that the proxy names.
        """
        value = cookie_value(request.cookies, _address(request), SESSION)
        session = self._sessions.find(value)
        if not self._options.user_header:
            return session, ""
        login = request.state.proxied
        if session and session.login == login:
            return session, ""
        if not begins:
            return None, ""
        opened = self._sessions.begin(login)
        return self._sessions.find(opened), opened

    def _with_cookie(self, request: Request, answer: Response, opened: str) -> Response:
        if opened:
            set_cookie(answer, _address(request), SESSION, opened, LONGEST)
        return answer

    def _is_ours(self, request: Request, session: Session, form: SentForm) -> bool:
        is_from_here = decisions.is_from_here(request.headers, _address(request))
        return is_from_here and is_token_of(session, form.token)

    def _sign_in_page(self, request: Request, entry: str = "") -> Response:
        if self._options.user_header:
            return self._refused(request, 403, "The proxy did not say who you are.")
        query = f"?entry={quoted(entry)}" if entry else ""
        prepared = request.query_params.get("answer", "")
        if entry and prepared in PREPARED:
            query += f"&answer={prepared}"
        return self.message(
            request,
            200,
            "The queue",
            "Sign in to see the queue of the repositories that you may read.",
            (f"sign-in{query}", "Sign in with GitHub"),
        )

    def _refused(self, request: Request, status: int, text: str) -> Response:
        return self.message(request, status, "Not done", text)

    def _take_happened(self, session: Session) -> tuple[DecisionLine, ...]:
        """Return the results of decisions since the last page, once."""
        # Looked up again: another request may have changed the session meanwhile.
        current = self._sessions.look(session.key)
        if current is None:
            return ()
        self._sessions.replace(current._replace(happened=()))
        return current.happened

    def _add_happened(self, session: str, lines: Iterable[DecisionLine]) -> None:
        """Keep the results of decisions for the next page of a session, by its key."""
        current = self._sessions.look(session)
        if not current:
            for line in lines:
                _log.warning("%s", log_line(f"{line.id}: {line.text} (its person has signed out)"))
        else:
            self._sessions.replace(current._replace(happened=(*current.happened, *lines)))

    # Pages.

    async def _seen_page(
        self, request: Request, session: Session | None, shown: str = ""
    ) -> SeenPage:
        """Return the data of a page that a person may see. Raises TokenEndedError."""
        queue = await self._watch.queue()
        try:
            visible = await self._access.visible(queue, session)
        except TokenEndedError:
            if session:
                self._sessions.end(session.key)
            raise
        all_rows = tuple(
            row._replace(
                entry=row.entry._replace(turn=_JUST_DECIDED), turn=OTHERS, refusal=_IS_DECIDED
            )
            if self.undoable.has(row.entry.id) and row.turn == HERE
            else row
            for row in rows(visible, links_only=bool(self._options.user_header))
        )
        page = QueuePage(
            rows=filtered(all_rows, shown),
            now=int(time.time()),
            shell=self._shell(request, session),
            form=FilledForm(form_token(session)) if session else FilledForm(),
            partial=visible.queue.partial,
            shown=shown,
            counts=counts(all_rows),
            not_shown=visible.queue.not_shown,
        )
        return SeenPage(session, visible.viewer, all_rows, page)

    def _shell(self, request: Request, session: Session | None) -> Shell:
        shell = Shell(
            prefix=_address(request).prefix,
            version=self._version,
            has_figures=True,
            is_live=True,
        )
        if not self._options.signs_in:
            shell = shell._replace(hint=_ONLY_SHOWS)
        if session:
            shell = shell._replace(viewer=session.login)
        if session and session.token:  # behind a proxy, signing out is up to the proxy
            shell = shell._replace(sign_out=form_token(session))
        return shell

    async def _entry_page(self, request: Request, seen_page: SeenPage, name: str) -> Response:
        row = next((item for item in seen_page.rows if item.entry.id == name), None)
        if row is None:
            line = await self._ended(seen_page.session, name)
            if line:
                return self.message(request, 200, line.title, f"It {line.text}.")
            return self.message(request, 404, "Not in the queue", f"{_NOT_PENDING.capitalize()}.")
        page = seen_page.page._replace(happened=())
        try:
            detail = await run_in_threadpool(self._sources.detail, row.entry)
        except HelixError as error:
            detail = EntryDetail(row.entry)
            page = page._replace(partial=(*page.partial, f"some data could not be read: {error}"))
        row = row._replace(entry=detail.entry)
        if CHANGED in detail.left_out:
            row = row._replace(turn=OTHERS, refusal=CHANGED)
        status = 422 if page.form.error else 200
        return HTMLResponse(entry_page.page(entry_page.EntryPage(row, detail, page)), status)

    async def _ended(self, session: Session | None, name: str) -> DecisionLine | None:
        """Return how a request ended, or that it can't be read.

        None if it is pending, or if there is none that the person may see.
        """
        try:
            request = await run_in_threadpool(self._sources.request, name)
        except HelixError:
            return DecisionLine(name, name, _UNREAD, is_done=False)
        if not request or not request.ending:
            return None
        if not await self._access.visible_entries([request.entry], session):
            return None
        return DecisionLine(name, request.entry.title, request.ending, is_done=False)

    async def _filled_again(
        self, request: Request, seen_page: SeenPage, form: SentForm, error: str
    ) -> Response:
        """Return the page of a form again, as it was filled in, with the error."""
        reason = form.reason[: decisions.LONGEST_REASON]
        filled = seen_page.page.form._replace(chosen=form.ids, reason=reason, error=error)
        again = seen_page._replace(page=seen_page.page._replace(form=filled))
        if form.is_of_entry and len(form.stamps) == 1:
            return await self._entry_page(request, again, form.stamps[0][0])
        return HTMLResponse(queue.page(again.page), 422)


def _address(request: Request) -> PublicAddress:
    address: PublicAddress = request.state.address
    return address


def _filter(name: str) -> str:
    """Return a filter of the list; "" for an unknown one."""
    if name not in queue.FILTERS:
        return ""
    return name
