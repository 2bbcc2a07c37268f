"""The server process and its application: routes, error pages, and what lives as long as it."""

import contextlib
import hashlib
import logging
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ..check.files import packaged
from ..errors import HelixError, UsageError
from .github_user import TokenEndedError
from .guard import RequestGuard
from .options import DashboardOptions
from .sessions import Sessions
from .sign_in import CALLBACK, SignIn, SignInError
from .site import Site
from .sources import Sources
from .watch import QueueWatch

_FILES = {"style.css": "text/css", "script.js": "text/javascript"}
_YEAR = "public, max-age=31536000, immutable"

_GRACE = 3
"""Seconds for open requests to finish when the server ends."""

_WAITING = 512
"""Maximum number of connections in the queue of the operating system."""

Handler = Callable[[Request, Exception], Awaitable[Response]]

_log = logging.getLogger("helix_hooks.dashboard")


def application(
    options: DashboardOptions,
    sources: Sources,
    clock: Callable[[], float] = time.monotonic,
) -> ASGIApp:
    """Return the application. Sessions expire by `clock`.

    Raises:
        HelixError: A file of the package is missing.
    """
    files = {name: _packaged(name) for name in _FILES}
    # A new version of a file gets a new address, so that browsers may cache it for ever.
    version = hashlib.sha256(b"\0".join(files.values())).hexdigest()[:12]
    sessions = Sessions(clock)
    watch = QueueWatch(sources, time.time)
    site = Site(options, sources, watch, sessions, version)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with watch.running():
            yield
            await site.undoable.finish()

    async def file(request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        is_current = request.url.query == version
        headers = {"Cache-Control": _YEAR if is_current else "no-cache"}
        return Response(files[name], media_type=_FILES[name], headers=headers)

    routes = [
        Route("/", site.queue),
        Route("/entry", site.entry),
        Route("/decide", site.decide, methods=["POST"]),
        Route("/undo", site.undo, methods=["POST"]),
        Route("/figures", site.figures),
        Route("/events", site.events),
        Route("/sign-out", site.sign_out, methods=["POST"]),
        *(Route(f"/{name}", file) for name in _FILES),
        *_sign_in_routes(options, sessions),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=_errors(site))
    return RequestGuard(app, options)


def _sign_in_routes(options: DashboardOptions, sessions: Sessions) -> list[Route]:
    if not options.oauth:
        return []
    sign_in = SignIn(options.oauth, sessions)

    async def begin(request: Request) -> Response:
        return sign_in.begin(request)

    return [Route("/sign-in", begin), Route(CALLBACK, sign_in.finish)]


def _packaged(name: str) -> bytes:
    data = packaged(f"pages/{name}")
    if data is None:
        raise HelixError(f"pages/{name} is missing in the installed package; install it again")
    return data


def _errors(site: Site) -> dict[type[Exception] | int, Handler]:
    """Return the pages of errors. Only errors of this package are quoted."""

    async def http(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        names = {404: "Page not found.", 405: "Method not allowed."}
        return site.message(request, status, "Not found", names.get(status, "Not answered."))

    async def signed_out(request: Request, error: Exception) -> Response:
        return site.message(request, 401, "Signed out", f"{error}.", ("sign-in", "Sign in again"))

    async def sign_in(request: Request, error: Exception) -> Response:
        return site.message(request, 400, "Not signed in", f"{error}.", ("sign-in", "Sign in"))

    async def ours(request: Request, error: Exception) -> Response:
        return site.message(request, 503, "Not answered", f"{error}.")

    async def gone(_request: Request, _error: Exception) -> Response:
        return Response(status_code=400)  # the client has disconnected, which is not a failure

    async def other(request: Request, error: Exception) -> Response:
        _log.error("a page failed: %s", type(error).__name__)
        return site.message(request, 500, "Failed", "The server failed. See its log.")

    return {
        HTTPException: http,
        ClientDisconnect: gone,
        TokenEndedError: signed_out,
        SignInError: sign_in,
        HelixError: ours,
        Exception: other,
    }


def serve(options: DashboardOptions, sources: Sources, listener: socket.socket) -> None:
    """Answer requests until the process receives a signal to end."""
    config = uvicorn.Config(
        application(options, sources),
        log_level="warning",
        access_log=False,  # the address of a request may have the code of a sign-in
        proxy_headers=False,  # the guard compares the address of the proxy itself
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    uvicorn.Server(config).run(sockets=[listener])


def listener(options: DashboardOptions) -> socket.socket:
    """Return a socket that listens at the address of the options.

    Raises:
        UsageError: The address is invalid or in use.
    """
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    server = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Without it, a restart fails until old connections have timed out.
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((options.host, options.port))
        server.listen(_WAITING)
    except OSError as error:
        server.close()
        raise UsageError(
            f"can't listen at {options.host}:{options.port}: {error.strerror or error}"
        ) from None
    return server
