"""Models that follow a script and speak other protocols than `scripted_model`: Gemini's API, and the Responses API of OpenAI, on loopback."""

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self

Request = dict[str, Any]


class Step(NamedTuple):
    """What the model does in one answer: it says a text, or uses a tool."""

    text: str = ""
    tool: str = ""
    arguments: Mapping[str, str] = MappingProxyType({})


Protocol = Callable[[Request, list[Step]], str]
"""The answer to a request, as the text of a stream of events."""


def gemini(request: Request, steps: list[Step]) -> str:
    done = sum(content["role"] == "model" for content in request["contents"])
    step = steps[min(done, len(steps) - 1)]
    call = {"functionCall": {"name": step.tool, "args": step.arguments}}
    content = {"role": "model", "parts": [call if step.tool else {"text": step.text}]}
    tokens = {"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 13}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return f"data: {json.dumps({'candidates': [candidate], 'usageMetadata': tokens})}\n\n"


def responses(request: Request, steps: list[Step]) -> str:
    kinds = [(item["type"], item.get("role")) for item in request["input"]]
    done = kinds.count(("message", "assistant")) + kinds.count(("function_call", None))
    step = steps[min(done, len(steps) - 1)]
    said = {"type": "output_text", "text": step.text, "annotations": []}
    item: dict[str, object] = {"type": "message", "role": "assistant", "content": [said]}
    if step.tool:
        arguments = json.dumps(step.arguments)
        item = {"type": "function_call", "name": step.tool, "arguments": arguments}
        item["call_id"] = f"call_{done}"
    tokens = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}
    name = {"id": f"response_{done}"}
    events: list[dict[str, object]] = [
        {"type": "response.created", "response": name},
        {"type": "response.output_item.done", "output_index": 0, "item": {"id": "item", **item}},
        {"type": "response.completed", "response": {**name, "usage": tokens}},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


class LoopbackModel:
    """A server that follows a script while the `with` block lasts. `requests` are the bodies it was sent."""

    def __init__(self, protocol: Protocol, steps: list[Step]) -> None:
        self.requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(protocol, steps))
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

    def _handler(self, protocol: Protocol, steps: list[Step]) -> type[BaseHTTPRequestHandler]:
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                self._send(404, "{}")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                request: Request = json.loads(body)
                requests.append(request)
                self._send(200, protocol(request, steps))

            def _send(self, status: int, text: str) -> None:
                data = text.encode()
                self.send_response(status)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler
