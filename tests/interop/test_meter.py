"""How far reading has come, in bytes of all that will be read."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from gitmem.interop.ingest import ingest
from gitmem.interop.meter import UNSEEN, Meter
from gitmem.interop.sources import sources_of
from gitmem.testing.conversations import MemoryConversations

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"


def test_nothing_is_told_before_it_is_known_how_much_there_is() -> None:
    told: list[tuple[int, int, str]] = []
    meter = Meter(lambda *values: told.append(values))
    stream = meter.counted(io.BytesIO(b"abcdef"), "x")
    assert stream.read(2) == b"ab"
    meter.begin(4)
    assert (stream.read(1), stream.read()) == (b"c", b"def")
    assert told[:2] == [(1, 4, "x"), (4, 4, "x")]


def test_it_never_tells_more_than_all() -> None:
    told: list[tuple[int, int, str]] = []
    meter = Meter(lambda *values: told.append(values))
    meter.begin(2)
    meter.counted(io.BytesIO(b"abcdef"), "x").read()
    assert max(done for done, _, _ in told) == 2


def test_what_nobody_looks_at_costs_nothing() -> None:
    raw = io.BytesIO(b"")
    assert UNSEEN.counted(raw, "x") is raw
    UNSEEN.begin(1)
    UNSEEN.finish()


def test_what_is_counted_is_closed_with_its_stream() -> None:
    raw = io.BytesIO(b"abc")
    Meter(lambda *_: None).counted(raw, "x").close()
    assert raw.closed


@pytest.mark.parametrize(
    "name",
    [
        "chatgpt_branch.json",
        "two_speakers.jsonl",
        "whatsapp_group.txt",
        "telegram_group.json",
        "telegram_account.json",
        "slack_team",
        "slack_team.zip",
    ],
)
def test_reading_goes_from_nothing_to_all(tmp_path: Path, name: str) -> None:
    path = FIXTURES / name
    if path.suffix == ".zip":
        path = Path(shutil.make_archive(str(tmp_path / "team"), "zip", FIXTURES / path.stem))
    told: list[tuple[int, int, str]] = []
    ingest(MemoryConversations(), [path], progress=lambda *values: told.append(values))
    assert told == sorted(told, key=lambda step: step[0])
    assert len({total for _, total, _ in told}) == 1
    # Everything that was counted on is read, but for what belongs to no format.
    before_the_end = told[-2]
    assert before_the_end[0] >= 0.95 * before_the_end[1]
    assert told[-1][0] == told[-1][1]
    assert before_the_end[2].startswith(str(path))


def test_a_source_knows_its_size_and_how_often_it_is_read() -> None:
    path = FIXTURES / "telegram_group.json"
    with sources_of(path, "auto", None) as found:
        (source,) = found.sources
        assert source.size == 2 * path.stat().st_size
