"""A model of Gemini that follows a script: the part of its API that the Gemini CLI calls, on loopback."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Request = dict[str, Any]
Parts = list[dict[str, Any]]


def say(text: str) -> Parts:
    return [{"text": text}]


def use(tool: str, **given: object) -> Parts:
    return [{"functionCall": {"name": tool, "args": given}}]


def turn(request: Request) -> int:
    """How many answers the conversation has already."""
    return sum(content["role"] == "model" for content in request["contents"])


def in_turns(*replies: Parts) -> Callable[[Request], Parts]:
    """A script that answers in order and repeats its last reply."""
    return lambda request: replies[min(turn(request), len(replies) - 1)]


class GeminiModel:
    """A server that follows a script while the `with` block lasts. `requests` are the bodies it was sent."""

    def __init__(self, script: Callable[[Request], Parts]) -> None:
        self.script = script
        self.requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(model: GeminiModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            request: Request = json.loads(body)
            model.requests.append(request)
            is_stream = "streamGenerateContent" in self.path
            content = {"role": "model", "parts": model.script(request)}
            candidate = {"content": content, "finishReason": "STOP", "index": 0}
            tokens = {"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 13}
            answer = json.dumps({"candidates": [candidate], "usageMetadata": tokens})
            data = (f"data: {answer}\n\n" if is_stream else answer).encode()
            self.send_response(200)
            kind = "text/event-stream" if is_stream else "application/json"
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
