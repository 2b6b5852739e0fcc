"""A provider of models on the loopback interface: the wire formats of OpenAI and Anthropic, with scripted replies."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

OPENAI = "openai"
ANTHROPIC = "anthropic"
KEY = "sk-test-5fda83c1b2e64f7a"
MODELS = {OPENAI: "gpt-5.2", ANTHROPIC: "claude-opus-5-tried"}
"""Names of families that the clients know: some are asked in another way than what nobody knows (streamed, cached)."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: Any

    @property
    def text(self) -> str:
        """Everything that was sent, as one text of JSON."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def provider(self) -> str:
        return OPENAI if self.path.endswith("/chat/completions") else ANTHROPIC

    @property
    def rules(self) -> str:
        """The system prompt."""
        if self.provider == OPENAI:
            return "".join(str(m["content"]) for m in self.body["messages"] if m["role"] in {"system", "developer"})
        system = self.body["system"]
        return system if isinstance(system, str) else "".join(part["text"] for part in system)

    @property
    def task(self) -> str:
        """The first message of the user."""
        first = next(message for message in self.body["messages"] if message["role"] == "user")["content"]
        return first if isinstance(first, str) else "".join(part["text"] for part in first)

    @property
    def results(self) -> list[str]:
        """What the calls of the reply before came to."""
        messages = self.body["messages"]
        if self.provider == OPENAI:
            last = next((n for n in reversed(range(len(messages))) if messages[n]["role"] == "assistant"), -1)
            return [str(message["content"]) for message in messages[last + 1 :] if message["role"] == "tool"]
        content = messages[-1]["content"]
        return [_plain(part["content"]) for part in content if part["type"] == "tool_result"]


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@dataclass(frozen=True)
class Reply:
    """What the server does with one request; ``arguments`` of a call are an object, or a text that is sent as it is."""

    text: str | None = None
    calls: tuple[tuple[str, Any], ...] = ()
    finish: str | None = None
    status: int = 200
    error: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    break_off: bool = False
    hang: bool = False
    late_error: str | None = None


def call(name: str, **arguments: Any) -> Reply:
    """A reply that calls one tool."""
    return Reply(calls=((name, arguments),))


def calls(*made: tuple[str, Any]) -> Reply:
    """A reply that calls several."""
    return Reply(calls=made)


def says(text: str = "Done.") -> Reply:
    """A reply of text alone, which ends a task."""
    return Reply(text=text)


def fails(status: int, message: str = "no", *, kind: str = "error", code: str | None = None, **headers: str) -> Reply:
    """An error as both providers send it; header names are given with underscores."""
    error = {"error": {"message": message, "type": kind, "code": code, "param": None}, "type": "error"}
    return Reply(status=status, error=error, headers={name.replace("_", "-"): text for name, text in headers.items()})


class ModelServer:
    """Answers requests with the replies in their order, the last one again and again; keeps what was asked."""

    def __init__(self, *replies: Reply | Callable[[Asked], Reply]) -> None:
        self.replies = list(replies)
        self.asked: list[Asked] = []
        self._closing = threading.Event()
        server = self

        class Handler(_Handler):
            model_server = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    def url(self, provider: str) -> str:
        """The base URL for a client of the provider."""
        root = f"http://127.0.0.1:{self._http.server_address[1]}"
        return f"{root}/v1" if provider == OPENAI else root

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def reply_to(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        scripted = self.replies[min(len(self.asked), len(self.replies)) - 1]
        reply = scripted if isinstance(scripted, Reply) else scripted(asked)
        if reply.hang:
            self._closing.wait()
        return reply


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model_server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = Asked(self.path, {name.lower(): text for name, text in self.headers.items()}, body)
        reply = self.model_server.reply_to(asked)
        if reply.hang or reply.break_off:
            self.close_connection = True
            if reply.break_off:
                self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{")
            return
        number = len(self.model_server.asked)
        content = (
            reply.error if reply.status != HTTPStatus.OK else _RENDERED[asked.provider](reply, body["model"], number)
        )
        streamed = reply.status == HTTPStatus.OK and body.get("stream")
        if reply.raw is not None:
            self._send(reply, reply.raw, "application/json")
        elif streamed:
            assert asked.provider == ANTHROPIC
            self._send(reply, b"".join(_events(content, reply.late_error)), "text/event-stream")
        else:
            self._send(reply, json.dumps(content).encode(), "application/json")

    def _send(self, reply: Reply, data: bytes, kind: str) -> None:
        self.send_response(reply.status)
        headers = {"content-type": kind, "content-length": str(len(data)), **reply.headers}
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _openai(reply: Reply, model: str, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{place}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": _arguments(arguments),
                },
            }
            for place, (name, arguments) in enumerate(reply.calls)
        ]
    finish = reply.finish or ("tool_calls" if reply.calls else "stop")
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


_ANTHROPIC_FINISH = {"length": "max_tokens", "content_filter": "refusal"}


def _anthropic(reply: Reply, model: str, number: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = [] if reply.text is None else [{"type": "text", "text": reply.text}]
    content += [
        {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": arguments}
        for place, (name, arguments) in enumerate(reply.calls)
    ]
    finish = _ANTHROPIC_FINISH.get(reply.finish or "") or ("tool_use" if reply.calls else "end_turn")
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def _events(message: dict[str, Any], late_error: str | None) -> Iterator[bytes]:
    """A message as Anthropic streams it; with ``late_error`` it ends in an error of that type."""
    usage = {"input_tokens": 10, "output_tokens": 1}
    yield _event("message_start", message={**message, "content": [], "stop_reason": None, "usage": usage})
    if late_error is not None:
        yield _event("error", error={"type": late_error, "message": "no"})
        return
    for index, part in enumerate(message["content"]):
        whole = part["text"] if part["type"] == "text" else _arguments(part["input"])
        begun = {**part, "text": ""} if part["type"] == "text" else {**part, "input": {}}
        kind, name = ("text_delta", "text") if part["type"] == "text" else ("input_json_delta", "partial_json")
        yield _event("content_block_start", index=index, content_block=begun)
        for piece in (whole[: len(whole) // 2], whole[len(whole) // 2 :]):
            yield _event("content_block_delta", index=index, delta={"type": kind, name: piece})
        yield _event("content_block_stop", index=index)
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=ended, usage={"output_tokens": 5})
    yield _event("message_stop")


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def _arguments(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


_RENDERED = {OPENAI: _openai, ANTHROPIC: _anthropic}
