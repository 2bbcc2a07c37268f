"""The server process."""

import socket

import uvicorn

from ..errors import UsageError
from .app import application
from .options import DashboardOptions
from .sources import Sources

_GRACE = 3
"""Seconds that open requests have when the server ends."""

_WAITING = 512
"""Connections that wait to be accepted."""


def serve(options: DashboardOptions, sources: Sources, listener: socket.socket) -> None:
    """Answer requests until the process is told to end."""
    config = uvicorn.Config(
        application(options, sources),
        log_level="warning",
        access_log=False,  # an address may have the code of a sign-in
        proxy_headers=False,  # the address of the proxy itself is what counts
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    uvicorn.Server(config).run(sockets=[listener])


def listener(options: DashboardOptions) -> socket.socket:
    """Listen at the address of the options. Raises UsageError where that is not possible."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((options.host, options.port))
        found.listen(_WAITING)
    except OSError as error:
        found.close()
        raise UsageError(
            f"can't listen at {options.host}:{options.port}: {error.strerror or error}"
        ) from None
    return found
