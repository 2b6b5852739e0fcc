"""WhatsApp's chat export, from both kinds of phones (docs/ingest.md, WhatsApp)."""

from __future__ import annotations

import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.conversations.model import SessionId
from gitmem.interop.document import Document
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped
from gitmem.interop.whatsapp import FORMAT, read_whatsapp, session_of
from gitmem.interop.whatsapp_line import parse_header
from gitmem.interop.whatsapp_text import Said
from gitmem.interop.whatsapp_text import read_text as read_message
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from gitmem.interop.reading import Reading

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"
GROUP = FIXTURES / "whatsapp_group.txt"
IOS = FIXTURES / "whatsapp_ios.txt"
HOSTILE = FIXTURES / "hostile_whatsapp.txt"
PHONE = "+44\u00a07700\u00a0900123"
JONAS = "~\u202fJonas K"


def drafts(readings: list[Reading]) -> list[Draft]:
    return [item for item in readings if isinstance(item, Draft)]


def errors(readings: list[Reading]) -> list[tuple[int | None, Fault]]:
    return [(item.line, item.code) for item in readings if isinstance(item, ReadError)]


def said(readings: list[Reading]) -> list[tuple[str | None, str | None, str]]:
    """Speaker, time and text of every turn."""
    return [(item.speaker_display, item.timestamp, item.content) for item in drafts(readings)]


def read(path: Path) -> list[Reading]:
    return list(read_whatsapp(Document.of(path)))


def read_text(tmp_path: Path, text: str, name: str = "chat.txt") -> list[Reading]:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read(path)


# --- both phones


def test_a_chat_of_an_android_phone() -> None:
    found = read(GROUP)
    assert said(found) == [
        ("Mara", "2024-03-12T18:05", "The allotment is ours from April on."),
        ("Jonas", "2024-03-12T18:05", "ok"),
        ("Jonas", "2024-03-12T18:05", "ok"),
        (
            PHONE,
            "2024-03-12T18:06",
            "I bring three things:\n- the spade\n- seeds\n12/03/24, 18:05 is when I leave: count on it",
        ),
        ("Mara", "2024-03-12T18:09", "[image: IMG-20240312-WA0001.jpg]\nThat is the shed"),
        ("Jonas", "2024-03-13T09:00", "[media]"),
        ("Mara", "2024-03-13T09:03", "I planted 12 tulips"),
    ]
    assert errors(found) == []
    assert sum(isinstance(item, Skipped) for item in found) == 5
    assert {item.role for item in drafts(found)} == {"user"}
    assert [item.metadata for item in drafts(found)][-1] == {"edited": True}
    assert {item.speaker_id for item in drafts(found)} == {None}


def test_a_chat_of_an_iphone() -> None:
    found = read(IOS)
    assert [(item.role, *spoken) for item, spoken in zip(drafts(found), said(found), strict=True)] == [
        ("system", None, "2024-03-12T18:02:11", "\u200eMessages and calls are end-to-end encrypted."),
        ("user", "Mara", "2024-03-12T18:05:40", "The allotment is ours from April on."),
        ("user", JONAS, "2024-03-12T18:06:01", "Two lines\nof one message"),
        ("user", "Mara", "2024-03-13T00:00:00", "The shed [image: 00000007-PHOTO-2024-03-13-00-00-00.jpg]"),
        ("user", JONAS, "2024-03-13T12:30:00", "[audio]"),
        ("user", JONAS, "2024-03-13T12:31:00", "[file: plan.pdf]"),
        ("user", "Mara", "2024-03-13T12:33:00", "[poll: When do we meet? / Friday]"),
        ("system", None, "2024-03-13T12:34:00", "\u200eMissed voice call"),
    ]
    assert errors(found) == []
    assert sum(isinstance(item, Skipped) for item in found) == 1


def test_every_message_follows_the_one_before_and_the_last_is_where_it_goes_on() -> None:
    found = read(GROUP)
    turns = drafts(found)
    assert [item.parent for item in turns] == [None, *(item.id for item in turns[:-1])]
    assert [item.continues for item in turns] == [True, *[False] * (len(turns) - 1)]
    assert found[-1] == Current(turns[0].session, turns[-1].id)


# --- ids


def test_two_equal_messages_in_one_minute_are_two() -> None:
    _, one, two, *_ = drafts(read(GROUP))
    assert (one.content, one.timestamp) == (two.content, two.timestamp)
    assert one.id != two.id


def test_a_longer_export_has_the_same_ids(tmp_path: Path) -> None:
    text = GROUP.read_bytes().decode()
    short = [item.id for item in drafts(read_text(tmp_path, text[: text.index("13/03/24")]))]
    assert short == [item.id for item in drafts(read(GROUP))][: len(short)]
    assert len(short) == 5


def test_ids_do_not_depend_on_which_order_the_dates_were_taken_for(tmp_path: Path) -> None:
    """A young chat may fit both orders; when a later export shows which it is, its turns are no new ones."""
    young = "03/04/24, 10:00 - Ada: a\n05/04/24, 10:00 - Ada: b\n"
    one = read_text(tmp_path, young)
    two = read_text(tmp_path, f"{young}04/13/24, 10:00 - Ada: c\n")
    assert [item.timestamp for item in drafts(one)] == ["2024-04-03T10:00", "2024-04-05T10:00"]
    assert [item.timestamp for item in drafts(two)] == ["2024-03-04T10:00", "2024-05-04T10:00", "2024-04-13T10:00"]
    assert [item.id for item in drafts(one)] == [item.id for item in drafts(two)][:2]


def test_the_end_of_the_file_is_no_part_of_the_last_message(tmp_path: Path) -> None:
    texts = ["01/13/24, 10:00 - Ada: a", "01/13/24, 10:00 - Ada: a\n", "01/13/24, 10:00 - Ada: a\r\n\n\n"]
    assert len({drafts(read_text(tmp_path, text))[0].id for text in texts}) == 1


# --- names of conversations


@pytest.mark.parametrize(
    ("path", "thread"),
    [
        ("WhatsApp Chat with Ada.txt", "Ada"),
        ("WhatsApp Chat with Ada (2).txt", "Ada"),
        ("WhatsApp-Chat mit Ada Lovelace.txt", "Ada Lovelace"),
        ("WhatsApp Chat - Garden/_chat.txt", "Garden"),
        ("WhatsApp Chat - Garden (1).zip/_chat.txt", "Garden"),
        ("chat.txt", "chat"),
        ("a[b]<c>.txt", "a(b)(c)"),
        ("花园.txt", "花园"),
        (f"{'花' * 60}.txt", "chat-dc594a4e30f92f8f"),
        ("\u202ea.txt", "a"),
    ],
    ids=range(10),
)
def test_a_conversation_is_called_as_its_file_or_what_that_lies_in(tmp_path: Path, path: str, thread: str) -> None:
    assert session_of(Document(f"{tmp_path}/{path}", path.rpartition("/")[2], Path.open)) == SessionId(  # type: ignore[arg-type]
        "whatsapp", thread
    )


def test_the_zip_of_an_iphone_is_called_as_the_chat(tmp_path: Path) -> None:
    packed = tmp_path / "WhatsApp Chat - Garden.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(IOS, "_chat.txt")
        archive.writestr("00000007-PHOTO-2024-03-13-00-00-00.jpg", b"\xff\xd8")
        archive.writestr("notes.txt", "13/03/24 is a day")
    store = MemoryConversations()
    report = ingest(store, [packed])
    assert [(found.session, found.new, found.skipped) for found in report.sessions] == [("whatsapp/Garden", 8, 1)]
    assert report.errors == ()
    assert ingest(store, [packed.rename(tmp_path / "WhatsApp Chat - Garden (1).zip")]).new == 0


def test_a_caller_may_name_it() -> None:
    session = SessionId("whatsapp", "garden")
    assert {item.session for item in drafts(list(read_whatsapp(Document.of(GROUP), session)))} == {session}


# --- any chat


SENDERS = st.sampled_from(["Ada", "~\u202fBo", "+44\u00a07700\u00a0900123", "Ada :)", '"Cy" [L]', "花"])
LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30).filter(lambda line: not parse_header(line))
BODIES = st.lists(LINES, min_size=1, max_size=4).map("\n".join).filter(lambda body: read_message(body) == Said(body))
STYLES = st.sampled_from(["{:%d/%m/%y, %H:%M} - ", "[{:%m/%d/%Y, %I:%M:%S %p}] ", "{:%Y-%m-%d %H:%M} - "])


@given(
    messages=st.lists(st.tuples(SENDERS, BODIES, st.integers(0, 2000)), min_size=1, max_size=12),
    style=STYLES,
    data=st.data(),
)
def test_any_chat_is_read_as_it_was_written_and_a_part_of_it_has_the_same_ids(
    tmp_path_factory: pytest.TempPathFactory,
    messages: list[tuple[str, str, int]],
    style: str,
    data: st.DataObject,
) -> None:
    path = tmp_path_factory.mktemp("chat") / "chat.txt"
    moment = datetime.fromisoformat("2024-01-13T10:00")
    told, expected = [], []
    for sender, body, minutes in messages:
        moment += timedelta(minutes=minutes)
        told.append(f"{style.format(moment)}{sender}: {body}\n")
        expected.append(
            (sender, moment.isoformat(timespec="seconds" if "%S" in style else "minutes"), body.rstrip("\r\n"))
        )
    path.write_text("".join(told), "utf-8", newline="")
    whole = read(path)
    assert (said(whole), errors(whole)) == (expected, [])
    assert len({item.id for item in drafts(whole)}) == len(messages)
    size = data.draw(st.integers(1, len(messages)))
    path.write_text("".join(told[:size]), "utf-8", newline="")
    assert [item.id for item in drafts(read(path))] == [item.id for item in drafts(whole)][:size]


# --- what is broken


def test_hostile_lines_are_reported_with_their_places_and_the_rest_goes_in() -> None:
    found = read(HOSTILE)
    assert errors(found) == [
        (2, Fault.NOT_A_TURN),
        (7, Fault.BAD_TIME),
        (8, Fault.BAD_TIME),
        (9, Fault.BAD_TEXT),
        (11, Fault.NOT_UTF8),
        (14, Fault.OUT_OF_ORDER),
        (15, Fault.OUT_OF_ORDER),
    ]
    assert said(found) == [
        ("Ada", "2024-01-31T10:00", "first"),
        (
            "Bo",
            "2024-02-01T10:00",
            "I quote, in another style:\n[01/02/24, 10:00:00] Ada: I owe Bo 100\n2024-02-01 10:00 - Ada: and 200 more",
        ),
        ("Ada", None, "on no day"),
        ("Ada", None, "at no time"),
        ("Bo", "2024-02-03T10:04", "I quote, in the same style:"),
        ("Ada", "2024-01-01T09:00", "I owe Bo 300"),
        ("Ada", "2024-01-01T09:01", "and 400 more"),
        ("[Ada]", "2024-02-03T10:05", "a\u200b \u202ename: with a colon"),
        ("Ada", "2024-02-03T10:09", "03/02/24, 10:09 - Bo: inside"),
        ("Bo", "2024-02-04T00:00", "last"),
    ]
    assert sum(isinstance(item, Skipped) for item in found) == 3


@pytest.mark.parametrize("lines", [["x" * 30], ["x" * 9] * 4], ids=["one line", "many lines"])
def test_a_message_that_is_too_long_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    monkeypatch.setattr("gitmem.interop.whatsapp.MAX_LINE_BYTES", 32)
    monkeypatch.setattr("gitmem.interop.lines.MAX_LINE_BYTES", 29)
    head = "13/01/24, 10:00 - Ada: "
    text = "\n".join([f"{head}a", f"{head}b", *lines, f"{head}c"])
    found = read_text(tmp_path, text)
    assert [item.content for item in drafts(found)] == ["a", "c"]
    assert [code for _, code in errors(found)] == [Fault.LINE_TOO_LONG]


def test_nobody_vouches_for_what_may_be_a_quotation() -> None:
    # behaviours.md 8.1: what somebody typed establishes no identity
    assert [item.content for item in drafts(read(HOSTILE)) if item.pending] == ["I owe Bo 300", "and 400 more"]


def test_who_a_chat_is_named_after_is_not_the_owner_though_nobody_else_speaks(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat with Ada.txt"
    path.write_text("13/01/24, 10:00 - Ada: I am your bank.\n", "utf-8")
    assert ingest(MemoryConversations(), [path]).pending == 1
    assert ingest(MemoryConversations(), [path], owner="Ada").pending == 0
    path.write_text("13/01/24, 10:00 - Bo: A note.\n", "utf-8")
    assert ingest(MemoryConversations(), [path]).pending == 0


def test_a_message_a_minute_late_is_no_quotation(tmp_path: Path) -> None:
    found = read_text(tmp_path, "14/01/24, 00:01 - Ada: a\n13/01/24, 23:59 - Bo: b\n14/01/24, 00:02 - Ada: c\n")
    assert errors(found) == []
    assert not any(item.pending for item in drafts(found))


@pytest.mark.parametrize("text", ["", "\n\n", "Ada: hello\n", '{"content": "12/03/24, 10:00 - Ada: x"}\n'])
def test_a_file_without_a_message_is_no_conversation(tmp_path: Path, text: str) -> None:
    assert [code for _, code in errors(read_text(tmp_path, text))] == [Fault.NOT_A_CONVERSATION]


# --- its format shows


@pytest.mark.parametrize(
    ("name", "text", "known"),
    [
        ("a.txt", "12/03/24, 18:02 - Ada: x", True),
        ("a.txt", "\n\u200e[3/12/24, 6:02:11\u202fPM] Ada: x", True),
        ("a.txt", "2024/3/12 下午6:02 - Ada: x", True),
        ("a.txt", '12/03/24, 18:02 - Ada: x\n{"content": "a"}\n', True),
        ("a.txt", "[2026-01-01] Ada: hello", False),
        ("a.txt", "notes\n12/03/24, 18:02 - Ada: x", False),
        ("a.json", '[{"text": "12/03/24, 18:02 - Ada: x"}]', False),
        ("a.txt", "", False),
    ],
)
def test_a_chat_is_known_by_its_first_line(tmp_path: Path, name: str, text: str, known: bool) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert FORMAT.looks_like(Document.of(path).sample()) is known


# --- real exports


def test_the_export_with_days_first(shared_data: Path) -> None:
    found = read(shared_data / "exports" / "whatsapp_ddmmyy.txt")
    assert said(found) == [
        ("John Doe", "2019-01-01T11:25", "Lorem ipsum dolor sit amet."),
        ("John Doe", "2019-01-20T11:23", "."),
        ("Jahn Doe", "2019-01-30T20:49", LONG),
        ("John-John Doe", "2020-06-10T15:55", "Lorem ipsum : dolor sit amet."),
        ("John Doe 🤓", "2021-12-10T10:10", "Lorem ipsum 🤓"),
        ("🤓", "2021-12-20T12:10", "Lorem ipsum 🤓"),
        ("John Doe", "2021-12-30T22:01", LONG),
    ]
    assert errors(found) == []
    assert sum(isinstance(item, Skipped) for item in found) == 2


def test_the_export_with_months_first_and_twelve_hours(shared_data: Path) -> None:
    exports = shared_data / "exports"
    found = read(exports / "whatsapp_mmddyyyy_12h.txt")
    assert said(found) == said(read(exports / "whatsapp_ddmmyy.txt"))
    assert errors(found) == []
    assert sum(isinstance(item, Skipped) for item in found) == 2


LONG = "Lorem ipsum dolor sit amet,\nconsectetur adipiscing elit. Duis libero."
