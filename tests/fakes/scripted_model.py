"""A model that follows a script, on loopback, for tests, benches and the evaluation. No key, no network.

It speaks Anthropic's Messages API, as a stream or in one piece, and OpenAI's chat with tools. Blocks are written as Anthropic writes them.

A script is a function from a request to a Reply. What it answers depends on the request alone, `turn` being the number of answers that
the conversation has already, so that several conversations may run at once.
"""

import json
import secrets
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.fakes import model_description

Request = dict[str, Any]
Block = dict[str, Any]


class Reply(NamedTuple):
    """What the server does with a request: it answers with `blocks`, or with `status` as an error.

    `hold` are seconds before it says anything; `stall` keeps the stream open after the first event for that many seconds; `cut` drops the
    connection in the middle of the answer. Of an answer in one piece, `stop` replaces Anthropic's reason for its end, `model` the id of the
    model, and `body` all of it.
    """

    blocks: tuple[Block, ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    hold: float = 0
    stall: float = 0
    cut: bool = False
    tokens: tuple[int, int] = (1000, 200)
    stop: str = ""
    model: str = ""
    body: bytes = b""


Script = Callable[[Request], Reply]


def say(text: str) -> Reply:
    return Reply(({"type": "text", "text": text},))


def use(tool: str, **given: object) -> Reply:
    return Reply((tool_use(tool, given),))


def tool_use(tool: str, given: object) -> Block:
    return {"type": "tool_use", "id": "", "name": tool, "input": given}


def answer(given: object) -> Reply:
    """The structured answer that the CLI asks for with --json-schema."""
    return Reply((tool_use("StructuredOutput", given),))


def fail(status: int, *headers: tuple[str, str]) -> Reply:
    return Reply((), status, headers)


def turn(request: Request) -> int:
    """How many answers the conversation has already."""
    return sum(message["role"] == "assistant" for message in request["messages"])


def said(request: Request) -> str:
    """All that the model was told and shown, as one text."""
    return json.dumps([request.get("system"), request["messages"]], ensure_ascii=False)


def in_turns(*replies: Reply) -> Script:
    """A script that answers in order and repeats its last reply."""
    return lambda request: replies[min(turn(request), len(replies) - 1)]


class Model:
    """A server that follows a script while the `with` block lasts. `requests` are the bodies it was sent, `keys` the API keys."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.keys: set[str] = set()
        self.paths: list[str] = []
        self.unlike: list[str] = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self._stopped = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def wait(self, seconds: float) -> None:
        """A pause that ends with the server."""
        self._stopped.wait(seconds)

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
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        if error is None:
            assert not self.unlike, self.unlike[0]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    model: Model

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle of an answer is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.server.model.paths.append(f"HEAD {self.path}")
        self._send(200, b"")

    def do_GET(self) -> None:
        self.server.model.paths.append(f"GET {self.path}")
        self._send(404, b"{}")

    def do_POST(self) -> None:
        model = self.server.model
        model.paths.append(f"POST {self.path}")
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        request: Request = json.loads(sent)
        model.keys.add(self.headers.get("x-api-key") or self.headers.get("authorization") or "")
        model.requests.append(request)
        is_chat = self.path.endswith("/chat/completions")
        names = [tool.get("function", tool).get("name") for tool in request.get("tools", ())]
        is_api = "answer" in names
        if is_api:
            self._require(model_description.require_request, request, is_chat)
        reply = model.script(request)
        if reply.tokens == Reply().tokens and is_api:
            # A judge by API notices a server that counts too few, since it has cut the request.
            reply = reply._replace(tokens=(len(sent) // 4, reply.tokens[1]))
        model.wait(reply.hold)
        if reply.status == 200 and request.get("stream"):
            self._stream(request, reply)
        elif reply.status == 200:
            whole = _chat(request, reply) if is_chat else _message(request, reply)
            if is_api and not (reply.body or reply.stop or reply.model):
                self._require(model_description.require_response, whole, is_chat)
            body = reply.body or json.dumps(whole).encode()
            self._send(200, body, *reply.headers, cut=reply.cut)
        else:
            error = {
                "type": "error",
                "error": {"type": "api_error", "message": f"scripted {reply.status}"},
            }
            self._send(reply.status, json.dumps(error).encode(), *reply.headers)

    def _require(
        self, check: Callable[[dict[str, Any], bool], None], data: dict[str, Any], is_chat: bool
    ) -> None:
        """Note what the description of the API does not know; `Model` fails with it at its end."""
        try:
            check(data, is_chat)
        except ValueError as error:
            self.server.model.unlike.append(f"{check.__name__}: {error}")

    def _stream(self, request: Request, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for number, event in enumerate(_events(request, reply)):
            if number == 1:
                self.wfile.flush()
                self.server.model.wait(reply.stall)
            if reply.cut and number == 2:
                return
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def _send(self, status: int, body: bytes, *headers: tuple[str, str], cut: bool = False) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.close_connection = self.close_connection or cut


def _stop(reply: Reply) -> str:
    used = any(block["type"] == "tool_use" for block in reply.blocks)
    return reply.stop or ("tool_use" if used else "end_turn")


def _named(reply: Reply) -> list[Block]:
    stamp = secrets.token_hex(8)
    return [
        {**block, "id": f"toolu_{stamp}{index}"} if block["type"] == "tool_use" else block
        for index, block in enumerate(reply.blocks)
    ]


def _message(request: Request, reply: Reply) -> dict[str, Any]:
    """A message in one piece as the Messages API answers it."""
    return {
        "id": f"msg_{secrets.token_hex(8)}",
        "type": "message",
        "role": "assistant",
        "model": reply.model or request["model"],
        "content": _named(reply),
        "stop_reason": _stop(reply),
        "stop_sequence": None,
        "usage": {"input_tokens": reply.tokens[0], "output_tokens": reply.tokens[1]},
    }


_REASONS = {
    "tool_use": "tool_calls",
    "end_turn": "stop",
    "max_tokens": "length",
    "refusal": "content_filter",
}


def _chat(request: Request, reply: Reply) -> dict[str, Any]:
    """A chat completion as OpenAI's API answers it."""
    calls = [
        {
            "id": block["id"],
            "type": "function",
            "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
        }
        for block in _named(reply)
        if block["type"] == "tool_use"
    ]
    text = "".join(block["text"] for block in reply.blocks if block["type"] == "text")
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = calls
    first, second = reply.tokens
    return {
        "id": f"chatcmpl-{secrets.token_hex(8)}",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": reply.model or request["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": _REASONS.get(_stop(reply), _stop(reply)),
            }
        ],
        "usage": {
            "prompt_tokens": first,
            "completion_tokens": second,
            "total_tokens": first + second,
        },
    }


def _events(request: Request, reply: Reply) -> Iterator[dict[str, Any]]:
    """A streamed message as the Messages API sends it."""
    stamp = secrets.token_hex(8)  # of one length: the CLI tells how many bytes it was sent
    usage = {
        "input_tokens": reply.tokens[0],
        "output_tokens": 1,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    head: dict[str, Any] = {
        "id": f"msg_{stamp}",
        "type": "message",
        "role": "assistant",
        "model": reply.model or request["model"],
        "content": [],
        "stop_reason": None,
    }
    yield {"type": "message_start", "message": {**head, "stop_sequence": None, "usage": usage}}
    for index, block in enumerate(reply.blocks):
        yield from _block(index, block, stamp)
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": _stop(reply), "stop_sequence": None},
        "usage": {"output_tokens": reply.tokens[1]},
    }
    yield {"type": "message_stop"}


def _block(index: int, block: Block, stamp: str) -> Iterator[dict[str, Any]]:
    if block["type"] == "text":
        start: Block = {"type": "text", "text": ""}
        delta: Block = {"type": "text_delta", "text": block["text"]}
    else:
        start = {
            "type": "tool_use",
            "id": f"toolu_{stamp}{index}",
            "name": block["name"],
            "input": {},
        }
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_start", "index": index, "content_block": start}
    yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}
