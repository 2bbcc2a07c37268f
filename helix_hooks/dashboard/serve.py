"""The server process."""

import socket

import uvicorn

from ..errors import UsageError
from .app import application
from .options import DashboardOptions
from .sources import Sources

_GRACE = 3
"""Seconds for open requests to finish when the server ends."""

_WAITING = 512
"""Maximum number of connections in the queue of the operating system."""


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
