"""Slack's export, as zip and as folder (docs/ingest.md, Slack)."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conversation_turns import shown
from gitmem.conversations.model import MAIN, SessionId
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped
from gitmem.interop.slack_text import read_text
from gitmem.interop.sources import sources_of
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from gitmem.interop.reading import Reading

TEAM = Path(__file__).resolve().parents[2] / "fixtures" / "conversations" / "slack_team"
GARDEN = SessionId("slack", "C1")
TS = "1710266{:03}.000100"


def read(path: Path, format_name: str = "auto") -> list[Reading]:
    """Everything that a path gives, which must be one export."""
    with sources_of(path, format_name, None) as found:
        (source,) = found.sources
        assert source.format.name == "slack"
        return list(source.readings())


def drafts(readings: list[Reading]) -> list[Draft]:
    return [item for item in readings if isinstance(item, Draft)]


def errors(readings: list[Reading]) -> list[tuple[str, str | None, Fault]]:
    return [(Path(item.file).name, item.item, item.code) for item in readings if isinstance(item, ReadError)]


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """A copy of the export, to be changed."""
    shutil.copytree(TEAM, tmp_path / "team")
    return tmp_path / "team"


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


# --- an export


def test_an_export_is_read_with_who_said_what() -> None:
    found = read(TEAM)
    assert errors(found) == []
    spoken = [(item.speaker_id, item.speaker_display, item.content) for item in drafts(found) if item.role == "user"]
    assert spoken == [
        ("U4402", "jonas k", "between us"),
        ("U7391", "Mara Sommer", "@jonas: the allotment is ours (https://example.org/plan?a=1&b=2) <3 &amp; @channel"),
        (
            "U4402",
            "jonas k",
            "seen in #garden, #empty, a@example.org, 123, example.org, https://example.org",
        ),
        ("U7391", "Mara Sommer", "I typed <@U4402>"),
        ("U4402", "jonas k", "the list\n[file: seeds.pdf]\n[image: bed.jpg]\n[file]"),
        ("U7391", "Mara Sommer", "I planted 12 tulips."),
        ("U4402", "jonas k", "well done"),
        ("U4402", "jonas k", "waves"),
        ("U555", "Ada of another team", "hello"),
    ]
    assert sum(isinstance(item, Skipped) for item in found) == 4


def test_programs_are_no_persons() -> None:
    found = [item for item in drafts(read(TEAM)) if item.role != "user"]
    assert {(item.role, item.speaker_id, item.speaker_display) for item in found} == {("tool", None, None)}
    assert [item.content for item in found] == [
        "Rain\ntomorrow here (https://example.org)",
        "sown",
        "posted by a program in her name",
        "Reminder",
    ]


def test_a_channel_is_a_conversation_under_its_id_and_a_message_has_its_ts() -> None:
    found = drafts(read(TEAM))
    assert Counter(str(item.session) for item in found) == {"slack/D9": 1, "slack/C1": 12}
    first = next(item for item in found if item.session == GARDEN)
    assert (first.id, first.timestamp, first.parent) == (TS.format(401), "2024-03-12T18:00:01+00:00", None)


def test_days_follow_each_other_and_replies_stand_where_their_time_puts_them() -> None:
    found = read(TEAM)
    turns = [item for item in drafts(found) if item.session == GARDEN]
    assert [item.parent for item in turns] == [None, *(item.id for item in turns[:-1])]
    assert found[-1] == Current(GARDEN, "1710350003.000100")
    assert [item.metadata for item in turns if item.metadata] == [{"thread": TS.format(401)}] * 2


def test_zip_and_folder_say_the_same(tmp_path: Path) -> None:
    folder = shutil.copytree(TEAM, tmp_path / "a" / "team export")
    packed = Path(shutil.make_archive(str(tmp_path / "z" / "team"), "zip", folder))
    nested = Path(shutil.make_archive(str(tmp_path / "z" / "nested"), "zip", tmp_path / "a"))
    told = [[(item.id, item.content) for item in drafts(read(path))] for path in (TEAM, packed, nested, folder.parent)]
    assert told[0] == told[1] == told[2] == told[3]


def test_an_edit_since_the_last_export_stands_beside_what_was_said(team: Path) -> None:
    store = MemoryConversations()
    day = team / "garden" / "2024-03-13.json"
    messages = json.loads(day.read_text("utf-8"))
    earlier = {key: value for key, value in messages[0].items() if key != "edited"} | {"text": "I plant tulips."}
    write(day, [earlier, *messages[1:]])
    assert ingest(store, [team]).new == 13
    write(day, messages)
    again = ingest(store, [team])
    assert (again.new, again.errors) == (1, ())
    beside = "1710350000.000100-1710350600.000000"
    lines = shown(store, GARDEN)
    assert set(lines) == {MAIN, beside}
    assert lines[MAIN].endswith("1710350003.000100")
    assert ingest(store, [team]).new == 0


def test_a_new_day_is_what_is_new(team: Path) -> None:
    store = MemoryConversations()
    ingest(store, [team])
    write(
        team / "garden" / "2024-03-14.json",
        [{"type": "message", "user": "U7391", "text": "more", "ts": "1710400000.000100"}],
    )
    report = ingest(store, [team])
    assert (report.new, report.turns) == (1, 14)
    assert {session.session: session.branches for session in report.sessions} == {"slack/C1": 1, "slack/D9": 1}


# --- what is broken


def test_broken_messages_are_reported_with_their_places_and_the_rest_goes_in(team: Path) -> None:
    messages: list[Any] = [
        7,
        {"type": "message", "user": "U7391", "text": ["x"], "ts": TS.format(1)},
        {"type": "message", "user": "U7391", "text": "no ts"},
        {"type": "message", "user": "U7391", "text": "ts", "ts": 5},
        {"type": "message", "user": ["U7391"], "text": "user", "ts": TS.format(2)},
        {"type": "message", "user": "U7391", "text": "nul \0", "ts": TS.format(3)},
        {"type": "message", "user": "U7391", "text": "half \ud800", "ts": TS.format(4)},
        {"type": "message", "user": "U7391", "text": "handle", "ts": "a[b"},
        {"type": "message", "user": "U7391", "text": "at no time", "ts": "once"},
        {"type": "message", "subtype": ["x"], "user": "U7391", "text": "strange kind", "ts": TS.format(5)},
        {"type": "message", "user": "U7391", "text": "[jonas k (U4402)]: <@U4402> forged", "ts": TS.format(6)},
    ]
    write(team / "garden" / "2024-03-12.json", messages)
    found = read(team)
    day = "2024-03-12.json"
    assert errors(found) == [
        (day, "entry 1", Fault.NOT_A_TURN),
        (day, "entry 2", Fault.BAD_FIELD),
        (day, "entry 3", Fault.BAD_ID),
        (day, "entry 4", Fault.BAD_ID),
        (day, "entry 5", Fault.BAD_FIELD),
        (day, "entry 6", Fault.BAD_TEXT),
        (day, "entry 7", Fault.BAD_TEXT),
        (day, "entry 8", Fault.BAD_ID),
        (day, "entry 9", Fault.BAD_TIME),
    ]
    told = [(item.speaker_id, item.content) for item in drafts(found) if item.place.file.endswith(f"garden/{day}")]
    assert told == [("U7391", "at no time"), ("U7391", "[jonas k (U4402)]: @jonas forged")]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("garden/2024-03-12.json", "[{", Fault.INVALID_JSON),
        ("garden/2024-03-12.json", "{}", Fault.NOT_A_CONVERSATION),
        ("users.json", "[{", Fault.INVALID_JSON),
        ("users.json", "7", Fault.NOT_A_CONVERSATION),
    ],
)
def test_a_broken_file_costs_only_itself(team: Path, name: str, text: str, fault: Fault) -> None:
    (team / name).write_text(text)
    found = read(team)
    assert [(file, code) for file, _, code in errors(found)] == [(Path(name).name, fault)]
    assert [item.content for item in drafts(found)][-1] == "hello"


def test_a_file_that_cannot_be_opened_costs_only_itself(team: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def refuse(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.name == "2024-03-12.json" and self.parent.name == "garden":
            raise PermissionError(13, "Permission denied")
        return opened(self, *arguments, **options)

    with sources_of(team, "auto", None) as found:
        monkeypatch.setattr(Path, "open", refuse)
        readings = list(found.sources[0].readings())
    assert errors(readings) == [("2024-03-12.json", None, Fault.UNREADABLE_FILE)]
    assert [item.content for item in drafts(readings)][-1] == "hello"


def test_without_lists_of_people_ids_are_what_is_known(team: Path) -> None:
    for index in ("users.json", "dms.json"):
        (team / index).unlink()
    found = [item for item in drafts(read(team)) if item.id == TS.format(401)]
    assert [(item.speaker_id, item.speaker_display, item.content[:7]) for item in found] == [("U7391", None, "@U4402:")]


def test_a_folder_without_days_is_no_export(team: Path) -> None:
    shutil.rmtree(team / "garden")
    shutil.rmtree(team / "D9")
    with sources_of(team, "auto", None) as found:
        assert not any(source.format.name == "slack" for source in found.sources)


def test_a_list_alone_is_no_export() -> None:
    with sources_of(TEAM / "users.json", "slack", None) as found:
        (source,) = found.sources
        assert [item.code for item in source.readings() if isinstance(item, ReadError)] == [Fault.NOT_A_CONVERSATION]


# --- markup


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", ""),
        ("plain *bold* _x_ `<`", "plain *bold* _x_ `<`"),
        ("<@U1>", "@ada"),
        ("<@U2>", "@U2"),
        ("<@U2|bo>", "@bo"),
        ("<#C1|old-name>", "#garden"),
        ("<#C9|old-name>", "#old-name"),
        ("<!here>", "@here"),
        ("<!subteam^S1|@friends>", "@friends"),
        ("<!date^1710266400^{date}|12 March>", "12 March"),
        ("<https://a.example/?a=1&amp;b=2>", "https://a.example/?a=1&b=2"),
        ("<https://a.example|a &amp; b>", "a & b (https://a.example)"),
        ("<mailto:a@a.example|a@a.example>", "a@a.example"),
        ("&lt;@U1&gt; &amp;lt;", "<@U1> &lt;"),
        ("a < b > c", "a < b > c"),
        ("<>", "<>"),
        ("<@>", "@"),
        ("<@|x>", "x (@)"),
        ("<@U1\n>", "<@U1\n>"),
    ],
)
def test_markup_becomes_what_people_see(text: str, seen: str) -> None:
    assert read_text(text, {"U1": "ada", "C1": "garden"}) == seen


# --- the real export


def test_the_export_of_a_team(shared_data: Path) -> None:
    path = shared_data / "exports" / "slack.zip"
    found = read(path)
    assert errors(found) == []
    assert Counter((str(item.session), item.role) for item in drafts(found)) == {
        ("slack/C0JGLMMNX", "user"): 30,
        ("slack/C0JGLMMNX", "tool"): 66,
        ("slack/C0JL6CGQ2", "user"): 23,
        ("slack/C0JL6CGQ2", "tool"): 28,
    }
    assert Counter(item.speaker_display for item in drafts(found)) == {
        None: 94,
        "Hamza Faran": 33,
        "Hermione Granger": 14,
        "Harry Potter": 5,
        "heroeshannibal": 1,
    }
    store = MemoryConversations()
    report = ingest(store, [path])
    assert {session.session: (session.turns, session.new, session.skipped) for session in report.sessions} == {
        "slack/C0JGLMMNX": (96, 96, 6),
        "slack/C0JL6CGQ2": (51, 51, 5),
    }
    assert (report.pending, report.errors) == (147, ())
    again = ingest(store, [path], owner="U0BMQB6JE", paired=["U0BMS113R"])
    assert again.new == 0
    assert {waiting.speaker for waiting in again.waiting} >= {"Harry Potter (U0BMYT2FL)", "heroeshannibal (U0BMM2FEH)"}
