"""Whatever stands in a file, reading it ends with turns and reports, and never with a failure."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.interop.ingest import ingest
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"
FILES = {
    "chatgpt_branch.json": "chatgpt",
    "claude_edit.json": "claude",
    "claude_code_session.jsonl": "claude-code",
    "codex_rollout.jsonl": "codex",
    "openprogram_session.json": "openprogram",
}
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(
        [0, -1, 10**30, 1e308, "", "\0", "\ud83d", "x", "a/b", "]", "2026-01-01", "text", "user", "tool_use"]
    ),
    st.sampled_from([[], {}, [[]], [{}], {"type": []}, [None], {"a": {"b": []}}, ["x"], [{"type": "text", "text": 1}]]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


def parsed(file: str) -> Any:
    text = (FIXTURES / file).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()] if file.endswith(".jsonl") else json.loads(text)


def rendered(file: str, document: Any) -> bytes:
    if file.endswith(".jsonl") and isinstance(document, list):
        return "".join(f"{json.dumps(line)}\n" for line in document).encode()
    return json.dumps(document).encode()


@pytest.mark.parametrize("file", FILES)
@given(data=st.data())
def test_any_value_may_stand_anywhere(tmp_path_factory: pytest.TempPathFactory, file: str, data: st.DataObject) -> None:
    document = parsed(file)
    ways = st.sampled_from(sorted(places(document), key=str))
    # The deepest first: what stands in a place must still be there.
    for way in sorted(data.draw(st.lists(ways, min_size=1, max_size=4)), key=len, reverse=True):
        put(document, way, deepcopy(data.draw(STRANGE)))
    path = tmp_path_factory.mktemp("any") / file
    path.write_bytes(rendered(file, document))
    store = MemoryConversations()
    report = ingest(store, [path], format=FILES[file])
    again = ingest(store, [path], format=FILES[file])
    assert (again.new, again.turns) == (0, report.turns)


@pytest.mark.parametrize("file", FILES)
@given(data=st.data())
def test_a_file_may_be_cut_and_spoiled_anywhere(
    tmp_path_factory: pytest.TempPathFactory, file: str, data: st.DataObject
) -> None:
    content = bytearray((FIXTURES / file).read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.sampled_from(b'\x00\xff"\\[]{},:1 \n'))
    path = tmp_path_factory.mktemp("any") / file
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    store = MemoryConversations()
    report = ingest(store, [path], format=FILES[file])
    again = ingest(store, [path], format=FILES[file])
    assert (again.new, again.turns) == (0, report.turns)
