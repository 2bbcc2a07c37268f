"""Servers on loopback that get real messages: an SMTP server, and a chat's webhook."""

import contextlib
import email
import email.policy
import json
import socket
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Mailbox:
    """The mails that an SMTP server has taken, with the recipients of their envelopes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.mails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 -- aiosmtpd's name
        data = envelope.content
        assert isinstance(data, bytes)
        mail = email.message_from_bytes(data, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.recipients.append(list(envelope.rcpt_tos))
        return "250 OK"

    def url(self, to: str) -> str:
        return f"mailto://127.0.0.1:{self.port}/?from=helix@example.org&to={to}&name=Helix"


@contextlib.contextmanager
def mail_server() -> Iterator[Mailbox]:
    """Give a mailbox behind a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    box = Mailbox(port)
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


class Posted(NamedTuple):
    """A request that a webhook got."""

    path: str
    body: dict[str, str]


class Webhook:
    """The messages that a chat's server got. It answers when it is `open`, with `status`."""

    def __init__(self) -> None:
        self.posts: list[Posted] = []
        self.status = 200
        self.began, self.open = threading.Event(), threading.Event()
        self.open.set()
        self.port = 0

    def url(self, kind: str = "json", path: str = "/") -> str:
        return f"{kind}://127.0.0.1:{self.port}{path}"


@contextlib.contextmanager
def webhook() -> Iterator[Webhook]:
    """Give a webhook behind a server."""
    hook = Webhook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"]))
            hook.posts.append(Posted(self.path, json.loads(text)))
            hook.began.set()
            hook.open.wait()
            with contextlib.suppress(OSError):  # whoever asked may be gone
                self.send_response(hook.status)
                self.end_headers()
                self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hook.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hook
    finally:
        hook.open.set()
        server.shutdown()
        thread.join()
        server.server_close()
