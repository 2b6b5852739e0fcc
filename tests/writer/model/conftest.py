"""Both providers, a client that repeats nothing unless asked to, and a watch over what is connected to."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

from model_server import ANTHROPIC, OPENAI

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=[OPENAI, ANTHROPIC])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def _one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is met at once; tests of repeating set the number themselves."""
    monkeypatch.setattr("gitmem.writer.model.clients.RETRIES", 0)


@pytest.fixture(autouse=True)
def _only_this_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No connection leaves the machine, whatever a library would like to fetch or report."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    others: list[Any] = []
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6} and address[0] != "127.0.0.1":
            others.append(address)
            raise ConnectionRefusedError
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", watched)
    yield
    assert others == []
