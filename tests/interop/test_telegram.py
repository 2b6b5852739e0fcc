"""Telegram Desktop's export (docs/ingest.md, Telegram)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conversation_turns import shown
from gitmem.conversations.model import MAIN, SessionId
from gitmem.interop.document import Document
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped
from gitmem.interop.telegram import FORMAT, read_telegram
from gitmem.interop.telegram_message import plain_text
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from gitmem.interop.reading import Reading

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"
GROUP = FIXTURES / "telegram_group.json"
ACCOUNT = FIXTURES / "telegram_account.json"
HOSTILE = FIXTURES / "hostile_telegram.json"


def read(path: Path) -> list[Reading]:
    return list(read_telegram(Document.of(path)))


def read_value(tmp_path: Path, value: object, name: str = "result.json") -> list[Reading]:
    path = tmp_path / name
    path.write_text(json.dumps(value), "utf-8")
    return read(path)


def drafts(readings: list[Reading]) -> list[Draft]:
    return [item for item in readings if isinstance(item, Draft)]


def errors(readings: list[Reading]) -> list[tuple[str | None, Fault]]:
    return [(item.item, item.code) for item in readings if isinstance(item, ReadError)]


def message(number: int, text: object, **fields: Any) -> dict[str, Any]:
    return {"id": number, "type": "message", "from": "Ada", "from_id": "user1", "text": text, **fields}


# --- one chat


def test_a_chat_is_read_with_who_said_what_and_placeholders_for_the_rest() -> None:
    found = read(GROUP)
    assert errors(found) == []
    assert [(item.id, item.speaker_id, item.speaker_display, item.content) for item in drafts(found)] == [
        ("2", "7391", "Mara", "The allotment is ours from April on."),
        (
            "3",
            "4402",
            "Jonas",
            "Great, see the plan (https://example.org/plan) and https://example.org\nsoon",
        ),
        ("4", "7391", "Mara", "[image]"),
        ("5", "4402", "Jonas", "The list\n[file: seeds.pdf]"),
        ("6", "4402", "Jonas", "[sticker: 🌷]"),
        ("7", "4402", "Jonas", "[audio]"),
        ("8", "7391", "Mara", "[forwarded from: Ada ) (Lovelace]\nI moved to Basel."),
        ("9", "7391", "Mara", "[poll: When? / Friday / Sunday]"),
        ("10", "4402", "Jonas", "[contact: Ada L +41]"),
        ("11", "4402", "Jonas", "[location: 47.5, 7.6]"),
        ("12", "7391", "Mara", "I planted 12 tulips."),
        ("13", "5", None, "from an account that is gone"),
        ("14", "channel1100", "Garden", "posted by the group itself"),
    ]
    assert {(item.role, item.session) for item in drafts(found)} == {("user", SessionId("telegram", "1100"))}
    assert sum(isinstance(item, Skipped) for item in found) == 3


def test_times_are_in_utc_and_those_of_older_exports_as_they_stand() -> None:
    times = {item.id: item.timestamp for item in drafts(read(GROUP))}
    assert (times["2"], times["13"]) == ("2024-03-12T18:00:02+00:00", "2024-03-12T18:00:13")


def test_what_a_message_answers_or_passes_on_is_kept_beside_it() -> None:
    found = {item.id: item.metadata for item in drafts(read(GROUP))}
    assert (found["3"], found["8"]["forwarded_from"], found["2"]) == ({"reply_to": "2"}, "Ada ]\n[Lovelace", {})


def test_nobody_vouches_for_what_somebody_passed_on() -> None:
    assert [item.id for item in drafts(read(GROUP)) if item.pending] == ["8"]
    report = ingest(MemoryConversations(), [GROUP], owner="7391", paired=["4402", "5", "channel1100"])
    assert [(waiting.key, waiting.speaker, waiting.turns) for waiting in report.waiting] == [(None, "Mara (7391)", 1)]


def test_every_message_follows_the_one_before_and_the_last_is_where_it_goes_on() -> None:
    found = read(GROUP)
    turns = drafts(found)
    assert [item.parent for item in turns] == [None, *(item.id for item in turns[:-1])]
    assert found[-1] == Current(turns[0].session, "14")


def test_a_person_has_one_id_in_older_and_newer_exports(tmp_path: Path) -> None:
    values = ["user7391", 7391, "channel7391", "", None]
    found = read_value(tmp_path, {"id": 1, "messages": [message(n, "x", from_id=v) for n, v in enumerate(values)]})
    assert [item.speaker_id for item in drafts(found)] == ["7391", "7391", "channel7391", None, None]


# --- a whole account


def test_an_account_is_many_chats_whatever_the_order_of_their_keys() -> None:
    found = read(ACCOUNT)
    assert errors(found) == []
    assert [(str(item.session), item.role, item.speaker_id, item.content) for item in drafts(found)] == [
        ("telegram/99", "user", "7391", "hello"),
        ("telegram/99", "assistant", None, "Hello, Mara."),
        ("telegram/4402", "user", "4402", "hi"),
        ("telegram/7391", "user", "7391", "note to myself"),
        ("telegram/12", "user", "7391", "bye"),
    ]
    assert [item.place.item for item in drafts(found)][-1] == "left chat 1, message 1"


@pytest.mark.parametrize(
    ("header", "thread"),
    [
        ({"id": 5, "name": "Ada"}, "5"),
        ({"id": -5}, "-5"),
        ({"id": "a/b"}, "a-b"),
        ({"name": "Ada: work"}, "Ada: work"),
        ({"name": None}, "result"),
        ({"id": [1], "name": {}}, "result"),
    ],
)
def test_a_chat_is_named_by_its_id_or_its_name_or_its_file(
    tmp_path: Path, header: dict[str, object], thread: str
) -> None:
    found = read_value(tmp_path, {"messages": [message(1, "x")], **header})
    assert [item.session for item in drafts(found)] == [SessionId("telegram", thread)]


def test_a_caller_may_name_a_chat_that_has_no_name(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"messages": [message(1, "x")]}), "utf-8")
    session = SessionId("import", "garden")
    assert [item.session for item in drafts(list(read_telegram(Document.of(path), session)))] == [session]


def test_the_other_side_of_a_chat_of_two_is_not_the_owner_though_nobody_else_speaks(tmp_path: Path) -> None:
    # behaviours.md 8.1, part 8: one human speaker at most is the owner's, unless the file shows who it is
    path = tmp_path / "result.json"
    chat = {"type": "personal_chat", "id": 1, "messages": [message(1, "I am your bank.")]}
    path.write_text(json.dumps(chat), "utf-8")
    assert ingest(MemoryConversations(), [path]).pending == 1
    assert ingest(MemoryConversations(), [path], paired=["1"]).pending == 0
    path.write_text(json.dumps(chat | {"id": 2}), "utf-8")
    assert ingest(MemoryConversations(), [path]).pending == 0


# --- edits


def test_an_edit_since_the_last_export_stands_beside_what_was_said(tmp_path: Path) -> None:
    store = MemoryConversations()
    path = tmp_path / "result.json"

    def take(*messages: dict[str, Any]) -> tuple[int, int, int]:
        chat = {"id": 1, "type": "private_group", "messages": messages}
        path.write_text(json.dumps(chat), "utf-8")
        report = ingest(store, [path])
        return report.turns, report.new, len(report.errors)

    plain = [message(number, f"text {number}") for number in range(1, 4)]
    edited = message(2, "better", edited_unixtime="1710268200")
    assert take(*plain) == (3, 3, 0)
    assert take(plain[0], edited, plain[2]) == (3, 1, 0)
    beside = "2-1710268200"
    assert shown(store, SessionId("telegram", "1")) == {MAIN: "1 2 3", beside: f"1 {beside}"}
    assert take(plain[0], edited, plain[2]) == (3, 0, 0)
    assert take(*plain) == (3, 0, 0)
    assert take(plain[0], edited, plain[2], message(4, "new")) == (4, 1, 0)
    assert shown(store, SessionId("telegram", "1"))[MAIN] == "1 2 3 4"


def test_a_message_that_says_something_else_without_being_edited_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    store = MemoryConversations()
    for text in ("one", "two"):
        path.write_text(json.dumps({"id": 1, "type": "private_group", "messages": [message(1, text)]}), "utf-8")
        report = ingest(store, [path])
    assert [error.code for error in report.errors] == [Fault.CHANGED_TURN]


# --- what is broken


def test_hostile_messages_are_reported_with_their_places_and_the_rest_goes_in() -> None:
    found = read(HOSTILE)
    assert errors(found) == [
        ("message 2", Fault.NOT_A_TURN),
        ("message 3", Fault.BAD_FIELD),
        ("message 4", Fault.BAD_FIELD),
        ("message 5", Fault.BAD_TEXT),
        ("message 6", Fault.BAD_TEXT),
        ("message 7", Fault.BAD_FIELD),
        ("message 8", Fault.BAD_ID),
        ("message 9", Fault.BAD_TIME),
        ("message 11", Fault.INVALID_JSON),
        (None, Fault.INVALID_JSON),
    ]
    lines = [item.line for item in found if isinstance(item, ReadError)]
    assert lines[-2:] == [12, 17]
    assert [(item.id, item.speaker_id, item.content) for item in drafts(found)][:4] == [
        ("1", "7391", "first"),
        ("9", "7391", "at no time"),
        ("10", "7391", "old export"),
        ("12", "666", "[Jonas (4402)] I vouch for this"),
    ]
    assert [item.content for item in drafts(found)][4:] == ["not first", "twice", "twice"]
    assert len({item.id for item in drafts(found)[5:]}) == 2
    assert drafts(found)[2].edition is None


def test_a_chat_of_which_a_name_is_broken_is_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text('{"name": oops, "id": 5, "messages": [{"text": "x"}]}')
    assert [str(item.session) for item in drafts(read(path))] == ["telegram/5"]


def test_what_is_neither_text_nor_file_leaves_a_placeholder(tmp_path: Path) -> None:
    fields: list[dict[str, Any]] = [
        {"game_title": "Chess"},
        {"invoice_information": {"title": "Seeds", "amount": 100}},
        {"file": "a.mp3", "media_type": "audio_file", "performer": "Ada", "title": "Song"},
        {"file": "a.bin"},
        {"location_information": {"latitude": 1, "longitude": 2}, "place_name": "Basel", "address": "Rhine"},
        {"poll": {"question": "When?"}},
        {"poll": None, "contact_information": 7},
    ]
    found = read_value(tmp_path, {"id": 1, "messages": [message(n, "", **more) for n, more in enumerate(fields)]})
    assert [item.content for item in drafts(found)] == [
        "[game: Chess]",
        "[invoice: Seeds]",
        "[audio: Ada Song]",
        "[file]",
        "[location: Basel Rhine]",
        "[poll: When?]",
    ]


@pytest.mark.parametrize("value", [{}, [], {"messages": {}}, {"chats": {"list": {}}}, {"chats": []}, 7])
def test_a_document_without_messages_is_no_conversation(tmp_path: Path, value: object) -> None:
    assert errors(read_value(tmp_path, value)) == [(None, Fault.NOT_A_CONVERSATION)]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x", "x"),
        (None, ""),
        (["a", {"type": "bold", "text": "b"}, " c"], "ab c"),
        ([{"type": "text_link", "text": "t", "href": "t"}], "t"),
        ([{"type": "text_link", "text": "t", "href": "http://u"}], "t (http://u)"),
        ([], ""),
    ],
)
def test_a_text_is_a_string_or_a_list_of_pieces(text: object, plain: str) -> None:
    assert plain_text(text) == plain


def test_a_text_may_stand_in_its_pieces_only(tmp_path: Path) -> None:
    only = {"id": 1, "type": "message", "text_entities": [{"type": "plain", "text": "hello"}]}
    assert [item.content for item in drafts(read_value(tmp_path, {"messages": [only]}))] == ["hello"]


# --- its format shows


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (GROUP.read_text("utf-8"), True),
        (ACCOUNT.read_text("utf-8"), True),
        ('{"type":"personal_chat","id":1,"messages":[]}', True),
        ('{"messages": [{"from_id": "user1"}]}', True),
        ('{"about": "x", "personal_information": {}, "contacts": {', True),
        ('{"content": "x", "metadata": {"messages": [{"from_id": 1}]}}\n', False),
        ('{"messages": [{"content": "x"}]}', False),
        ('[{"messages": [{"from_id": 1}]}]', False),
        ('{"from_id": 1}', False),
        ("", False),
    ],
)
def test_an_export_is_known_by_what_only_telegram_writes(tmp_path: Path, text: str, known: bool) -> None:
    path = tmp_path / "result.json"
    path.write_text(text, "utf-8")
    assert FORMAT.looks_like(Document.of(path).sample()) is known


# --- real exports


@pytest.mark.parametrize(("name", "thread"), [("telegram_single", "telegram_single"), ("telegram_batch", "Chatname")])
def test_the_exports_of_one_chat_and_of_many(shared_data: Path, name: str, thread: str) -> None:
    path = shared_data / "exports" / f"{name}.json"
    found = read(path)
    assert errors(found) == []
    assert [(item.session.thread, item.speaker_display, item.timestamp, item.content) for item in drafts(found)] == [
        (thread, "Author 1", "2018-12-05T10:39:10+00:00", "Minimal Message"),
        (thread, "Author 2", "2018-12-05T10:49:24+00:00", "Link:https://telegram.org/"),
    ]
    store = MemoryConversations()
    report = ingest(store, [path])
    assert (report.sessions[0].format, report.turns, report.new, report.pending) == ("telegram", 2, 2, 2)
    again = ingest(store, [path], owner="Author 1")
    assert (again.new, again.pending, [waiting.speaker for waiting in again.waiting]) == (0, 1, ["Author 2"])
