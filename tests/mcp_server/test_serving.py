"""The server over a real pipe, with the SDK's own client (issue of the Model Context Protocol; part 8)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from gitmem.format.fence import is_fenced
from tiers import HIDDEN, Shared, share
from workspaces import make, reopened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

TEA = "Ada likes green tea."
CLI = [sys.executable, "-m", "gitmem_cli"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = make(tmp_path / "w")
    made.remember(TEA, "people/ada.md", time="2024-03-15")
    made.remember("Ada's tracker is due on Friday.", "core.md", time="2024-03-15")
    made.close()
    return tmp_path / "w"


@asynccontextmanager
async def connected(folder: Path, *options: str) -> AsyncIterator[ClientSession]:
    parameters = StdioServerParameters(
        command=CLI[0], args=[*CLI[1:], "-C", str(folder), "mcp", *options], env=dict(os.environ)
    )
    with open(os.devnull, "w") as quiet:  # noqa: ASYNC230, PTH123  (a device)
        async with stdio_client(parameters, errlog=quiet) as streams, ClientSession(*streams) as session:
            await session.initialize()
            yield session


def talk(folder: Path, act: Callable[[ClientSession], Awaitable[None]], *options: str) -> None:
    async def run() -> None:
        async with connected(folder, *options) as session:
            await act(session)

    anyio.run(run)


async def asked(session: ClientSession, name: str, **arguments: Any) -> Any:
    answer = await session.call_tool(name, arguments)
    assert not answer.is_error, answer
    return answer.structured_content


def test_a_client_reads_and_changes_the_memory(folder: Path) -> None:
    async def act(session: ClientSession) -> None:
        offered = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert "memory_search" in offered
        assert "memory_promote" not in offered
        assert all(tool.input_schema["type"] == "object" for tool in offered.values())

        found = await session.call_tool("memory_search", {"query": "tea"})
        assert TEA in found.content[0].text  # type: ignore[union-attr]
        assert found.structured_content is not None
        block = next(one["id"] for one in found.structured_content["results"] if one["kind"] == "block")
        assert (await asked(session, "memory_get", what=block))["blocks"][0]["content"] == TEA
        assert (await asked(session, "memory_grep", text="tea"))["results"]
        assert (await asked(session, "memory_browse"))["total"] == 3
        assert (await asked(session, "memory_why", block=block))["results"][0]["id"] == block
        assert (await asked(session, "memory_history", block=block))["present"] is True

        # another process writes meanwhile
        with reopened(folder) as other:
            other.remember("Ada plays chess.", "people/ada.md", time="2024")
        assert (await asked(session, "memory_search", query="chess"))["results"]
        status = await asked(session, "memory_status")
        change = {"op": "delete_record", "memory_id": block}
        await asked(session, "memory_update", base_revision=status["revision"], memory_changes=[change])
        with reopened(folder) as other:
            assert other.search("tea", topics_only=True).results == ()
            assert other.log(limit=1).transactions[0].writer == "tool"

        for name, arguments, code in (
            ("memory_get", {"what": "../../etc/passwd"}, "PATH_OUTSIDE_WORKSPACE"),
            ("memory_search", {"nothing": 1}, "INVALID_ARGUMENT"),
            ("memory_promote", {"sources": ["a/b/c"]}, "NOT_ALLOWED"),
            ("no_such_tool", {}, "INVALID_ARGUMENT"),
        ):
            refused = await session.call_tool(name, arguments)
            assert refused.is_error
            assert refused.structured_content is not None
            assert refused.structured_content["code"] == code

    talk(folder, act)


def test_the_core_and_topics_are_resources(folder: Path) -> None:
    async def act(session: ClientSession) -> None:
        listed = {str(one.uri) for one in (await session.list_resources()).resources}
        assert listed == {"gitmem://core", "gitmem://topics/people/ada.md"}
        core = (await session.read_resource("gitmem://core")).contents[0].text  # type: ignore[union-attr]
        assert is_fenced(core)
        assert "due on Friday" in core
        topic = (await session.read_resource("gitmem://topics/people/ada.md")).contents[0].text  # type: ignore[union-attr]
        assert TEA in topic
        for uri in (
            "gitmem://topics/none.md",
            "gitmem://sources/x.md",
            "gitmem://topics/../.git/config",
            "file:///etc",
        ):
            with pytest.raises(MCPError):
                await session.read_resource(uri)
        assert [one.uri_template for one in (await session.list_resource_templates()).resource_templates]

    talk(folder, act)
    with reopened(folder) as memory:
        (block,) = [hit.id for hit in memory.search("Friday", topics_only=True).results]
        assert [one.surface for one in memory.injected(block).injections] == ["mcp"]


@pytest.mark.parametrize("options", [("--tier", "paired")])
def test_a_paired_server_tells_what_is_shared(tmp_path: Path, options: tuple[str, ...]) -> None:
    shared: Shared = share(tmp_path / "w")

    async def act(session: ClientSession) -> None:
        told = [
            await session.call_tool("memory_search", {"query": "tea", "k": 10}),
            await session.call_tool("memory_browse", {}),
            await session.call_tool("memory_get", {"what": "people/ada.md"}),
            await session.call_tool("memory_get", {"what": shared.ids["owner's"]}),
            await session.call_tool("memory_status", {}),
            await session.list_resources(),
            await session.read_resource("gitmem://core"),
        ]
        assert HIDDEN not in "".join(one.model_dump_json() for one in told).casefold()
        with pytest.raises(MCPError):
            await session.read_resource(f"gitmem://topics/places/{HIDDEN}.md")
        assert "green tea" in told[0].model_dump_json()

    talk(shared.folder, act, *options)


def test_clients_at_once_lose_nothing(folder: Path) -> None:
    async def add(number: int) -> None:
        async with connected(folder) as session:
            for turn in range(3):
                text, done = f"Client {number} says {turn}.", False
                while not done:
                    revision = (await asked(session, "memory_status"))["revision"]
                    place = {"topic_path": f"topics/c{number}.md", "headings": ["C"], "position": "end"}
                    change = {
                        "op": "create_record",
                        "content": text,
                        "time": "2024",
                        "sources": [{"source": "new-source-a", "label": "said"}],
                        "destination": place,
                    }
                    said = [{"label": "new-source-a", "role": "user", "content": text}]
                    answer = await session.call_tool(
                        "memory_update", {"base_revision": revision, "memory_changes": [change], "sources": said}
                    )
                    done = not answer.is_error
                    assert done or answer.structured_content["code"] == "CONCURRENT_UPDATE"  # type: ignore[index]

    async def run() -> None:
        async with anyio.create_task_group() as group:
            for number in range(2):
                group.start_soon(add, number)

    anyio.run(run)
    with reopened(folder) as memory:
        assert len({hit.content for hit in memory.search("client says", k=20, topics_only=True).results}) == 6
        assert memory.check(all_history=True).ok


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [*CLI, "-C", str(folder), *options, "mcp"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_it_ends_when_the_client_goes_and_says_nothing_else(folder: Path) -> None:
    with started(folder) as server:
        out, err = server.communicate(json.dumps(HELLO) + "\n")
    assert (server.returncode, err) == (0, "")
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_quietly_when_it_is_told_to(folder: Path, number: signal.Signals) -> None:
    with started(folder) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(HELLO) + "\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(number)
        _, err = server.communicate()
    assert "Traceback" not in err
    assert server.returncode in {0, 130, -signal.SIGTERM}


def test_switched_off_it_does_not_begin(tmp_path: Path) -> None:  # 14.8
    with started(tmp_path, "-c", "gitmem.backend=none") as server:
        out, err = server.communicate("")
    assert (server.returncode, out) == (5, "")
    assert "MEMORY_DISABLED" in err
