"""Memory does not grow with an export (performance.md P7); measured at 200 MB by hand, here at a size for every day."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.git import GitConversations
from gitmem.interop import intake
from gitmem.interop.container import opened
from gitmem.interop.document import Document
from gitmem.interop.formats import format_named
from gitmem.interop.ingest import ingest
from gitmem.store.initialize import init_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXT = "A sentence of a usual length, said again and again. " * 20
MESSAGES = 20
MEBIBYTE = 1024**2


def chatgpt(number: int) -> dict[str, Any]:
    nodes = {}
    for place in range(MESSAGES):
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [f"{number} {TEXT}"]}}
        nodes[f"{number}-{place}"] = {"parent": f"{number}-{place - 1}" if place else None, "message": message}
    return {"conversation_id": f"c{number}", "mapping": nodes}


def claude(number: int) -> dict[str, Any]:
    names = [f"{number}-{place}" for place in range(MESSAGES)]
    messages = [{"uuid": name, "sender": "human", "text": f"{number} {TEXT}"} for name in names]
    return {"uuid": f"c{number}", "chat_messages": messages}


def export(path: Path, of: Callable[[int], dict[str, Any]], size: int) -> Path:
    number = 0
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[\n")
        while stream.tell() < size:
            stream.write(f"{',' if number else ''}{json.dumps(of(number))}\n")
            number += 1
        stream.write("]")
    return path


def jsonl(path: Path, size: int) -> Path:
    turns = (json.dumps({"thread": f"t{number % 7}", "content": f"{number} {TEXT}"}) for number in range(size // 1024))
    path.write_text("\n".join(turns), "utf-8")
    return path


def peak_of(work: Iterator[object]) -> int:
    tracemalloc.start()
    try:
        for _ in work:
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def readings(path: Path, name: str) -> Iterator[object]:
    entry = format_named(name)
    assert entry is not None
    with opened(path) as documents:
        for document in documents:
            assert isinstance(document, Document)
            yield from entry.read(document, None)


@pytest.mark.parametrize(("name", "of"), [("chatgpt", chatgpt), ("claude", claude)])
@pytest.mark.parametrize("packed", [False, True])
def test_reading_holds_one_conversation(
    tmp_path: Path, name: str, of: Callable[[int], dict[str, Any]], packed: bool
) -> None:
    path = export(tmp_path / "conversations.json", of, 2 * MEBIBYTE)
    if packed:
        plain, path = path, tmp_path / "export.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(plain, plain.name)
    assert peak_of(readings(path, name)) < 1.5 * MEBIBYTE


@pytest.mark.parametrize("written", [lambda path, size: export(path, claude, size), jsonl])
def test_taking_in_holds_one_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Callable[[Path, int], Path]
) -> None:
    monkeypatch.setattr(intake, "MAX_BATCH_TURNS", 100)
    peaks = []
    for size in (1, 4):
        repo, _ = init_repository(tmp_path / f"memory{size}", bare=True, fsync=False)
        path = written(tmp_path / f"{size}.json", size * MEBIBYTE // 4)
        peaks.append(peak_of(ingest(store, [path]) for store in [GitConversations(repo)]))
    one, four = peaks
    assert four < one + MEBIBYTE // 4
