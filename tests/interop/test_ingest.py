"""Files into conversations: again adds nothing, grown adds what is new (cli.md, ingest)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation_turns import shown
from gitmem.conversations.authority import authority_of
from gitmem.conversations.git import GitConversations
from gitmem.conversations.marks import Standing
from gitmem.conversations.model import MAIN, SessionId
from gitmem.conversations.pending import pending
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.model import Tier, TrustState
from gitmem.ids import WorkspaceId
from gitmem.interop.format import Format
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Draft, Fault, Place
from gitmem.interop.report import SessionReport, Waiting
from gitmem.store.initialize import init_repository
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"
TWO = SessionId("import", "two_speakers")
TREE = SessionId("chatgpt", "c0ffee00-0001")
STANDING = Standing(WorkspaceId("w-00000001"), lambda _: True)


@pytest.fixture
def store() -> MemoryConversations:
    return MemoryConversations()


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def said(store: ConversationStore, session: SessionId) -> dict[str, Turn]:
    """Every turn of a conversation by its id."""
    found = store.session(session)
    branches = found.branches if found else ()
    return {store.turn(node).id: store.turn(node) for branch in branches for node in store.lineage(branch.head)}


def tiers(store: ConversationStore, session: SessionId) -> dict[str, Tier | TrustState | None]:
    """The tier of every turn, or that it is pending."""
    found = {name: authority_of(turn) for name, turn in said(store, session).items()}
    return {name: auth and (auth.authority_tier or auth.trust_state) for name, auth in found.items()}


# --- the whole way


def test_a_tree_comes_in_with_its_branches(store: MemoryConversations) -> None:
    report = ingest(store, [FIXTURES / "chatgpt_branch.json"])
    assert report.sessions == (
        SessionReport("chatgpt/c0ffee00-0001", "chatgpt", "a2-other", 2, turns=11, new=11, skipped=3, pending=0),
        SessionReport("chatgpt/c0ffee00-0002", "chatgpt", "v", 1, turns=2, new=2, skipped=1, pending=0),
    )
    assert (report.turns, report.new, report.pending, report.errors, report.unread) == (13, 13, 0, (), ())
    assert shown(store, TREE) == {
        MAIN: "prefs q1 a1-again q2-other thought a2-other",
        "a2": "prefs q1 a1 q2 call result a2",
    }


def test_only_what_was_said_is_pending_to_write_and_shared_words_once(store: MemoryConversations) -> None:
    # behaviours.md 9.4, 9.7
    ingest(store, [FIXTURES / "chatgpt_branch.json"])
    found = store.session(TREE)
    assert found is not None
    waiting = [
        (rest.branch, item.ordinal, item.turn.id) for rest, item in pending(store, found, STANDING, lambda _: False)
    ]
    assert waiting == [
        (MAIN, 1, "q1"),
        (MAIN, 2, "a1-again"),
        (MAIN, 3, "q2-other"),
        (MAIN, 5, "a2-other"),
        ("a2", 2, "a1"),
        ("a2", 3, "q2"),
        ("a2", 6, "a2"),
    ]


def test_again_adds_nothing(store: MemoryConversations) -> None:
    files = [
        FIXTURES / name for name in ("chatgpt_branch.json", "hostile.jsonl", "hostile_tree.json", "two_speakers.jsonl")
    ]
    first = ingest(store, files)
    before = store.sessions()
    again = ingest(store, files)
    assert (again.new, again.turns) == (0, first.turns)
    assert store.sessions() == before


def test_a_grown_export_adds_its_new_part(store: MemoryConversations, tmp_path: Path) -> None:
    lines = [{"content": f"line {number}"} for number in range(5)]
    ingest(store, [write(tmp_path / "chat.jsonl", *lines[:3])])
    report = ingest(store, [write(tmp_path / "chat.jsonl", *lines)])
    assert (report.turns, report.new, report.sessions[0].branches) == (5, 2, 1)
    assert [turn.content for turn in said(store, SessionId("import", "chat")).values()][::-1] == [
        line["content"] for line in lines
    ]


def test_an_older_export_moves_nothing_back(store: MemoryConversations, tmp_path: Path) -> None:
    lines = [{"content": f"line {number}"} for number in range(5)]
    ingest(store, [write(tmp_path / "chat.jsonl", *lines)])
    before = store.sessions()
    assert (
        ingest(store, [write(tmp_path / "chat.jsonl", *lines[:3])]).sessions[0].head
        == store.turn(before[0].head.head).id
    )
    assert store.sessions() == before


def test_a_conversation_goes_on_in_another_file(store: MemoryConversations, tmp_path: Path) -> None:
    session = SessionId("import", "trip")
    one = write(tmp_path / "monday.jsonl", {"id": "m1", "content": "a"}, {"id": "m2", "content": "b"})
    two = write(tmp_path / "tuesday.jsonl", {"id": "m3", "content": "c"}, {"id": "m4", "content": "d"})
    report = ingest(store, [one, two], session=session)
    assert shown(store, session) == {MAIN: "m1 m2 m3 m4"}
    assert report.sessions == (SessionReport("import/trip", "jsonl", "m4", 1, turns=4, new=4, skipped=0, pending=0),)
    assert ingest(store, [two, one], session=session).new == 0
    assert shown(store, session) == {MAIN: "m1 m2 m3 m4"}


def test_a_first_line_that_says_null_begins_anew(store: MemoryConversations, tmp_path: Path) -> None:
    session = SessionId("import", "trip")
    ingest(store, [write(tmp_path / "a.jsonl", {"id": "m1", "content": "a"})], session=session)
    ingest(store, [write(tmp_path / "b.jsonl", {"id": "n1", "content": "b", "parent": None})], session=session)
    assert shown(store, session) == {MAIN: "n1", "m1": "m1"}


def test_a_parent_may_be_in_an_earlier_file(store: MemoryConversations, tmp_path: Path) -> None:
    session = SessionId("import", "trip")
    lines = ({"id": "m1", "content": "a"}, {"id": "m2", "content": "b"})
    ingest(store, [write(tmp_path / "a.jsonl", *lines)], session=session)
    report = ingest(store, [write(tmp_path / "b.jsonl", {"id": "r2", "parent": "m1", "content": "c"})], session=session)
    assert (shown(store, session), report.errors) == ({MAIN: "m1 r2", "m2": "m1 m2"}, ())


def test_threads_of_one_file_are_conversations_of_their_own(store: MemoryConversations, tmp_path: Path) -> None:
    lines = [{"content": str(number), "thread": f"t{number % 2}", "id": f"m{number}"} for number in range(4)]
    ingest(store, [write(tmp_path / "chat.jsonl", *lines)])
    assert shown(store, SessionId("import", "t0")) == {MAIN: "m0 m2"}
    assert shown(store, SessionId("import", "t1")) == {MAIN: "m1 m3"}


@pytest.mark.parametrize(("name", "kept"), [("team", "import/team"), ("telegram/g1", "telegram/g1")])
def test_the_caller_may_name_a_conversation_or_only_its_thread(
    store: MemoryConversations, tmp_path: Path, name: str, kept: str
) -> None:
    assert ingest(store, [write(tmp_path / "chat.jsonl", {"content": "a"})], session=name).sessions[0].session == kept


@pytest.mark.parametrize("name", ["", "a/", "/b", "a/b/c", "..", "a/."])
def test_a_name_that_no_conversation_can_have_is_refused(store: MemoryConversations, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        ingest(store, [write(tmp_path / "chat.jsonl", {"content": "a"})], session=name)
    assert caught.value.code is Code.INVALID_ARGUMENT


# --- what is broken


def test_hostile_lines_are_reported_with_their_places_and_the_rest_goes_in(store: MemoryConversations) -> None:
    report = ingest(store, [FIXTURES / "hostile.jsonl"])
    assert [(error.line, error.code) for error in report.errors] == [
        (2, Fault.INVALID_JSON),
        (3, Fault.NOT_A_TURN),
        (4, Fault.NOT_A_TURN),
        (5, Fault.MISSING_CONTENT),
        (6, Fault.BAD_FIELD),
        (7, Fault.BAD_TEXT),
        (8, Fault.BAD_TEXT),
        (9, Fault.CHANGED_TURN),
        (11, Fault.MISSING_PARENT),
        (12, Fault.PARENT_CIRCLE),
        (14, Fault.PARENT_CIRCLE),
        (15, Fault.BAD_TIME),
        (16, Fault.BAD_TIME),
        (17, Fault.BAD_ID),
        (18, Fault.BAD_FIELD),
        (20, Fault.INVALID_JSON),
        (21, Fault.BAD_FIELD),
    ]
    assert {error.file for error in report.errors} == {str(FIXTURES / "hostile.jsonl")}
    assert report.unread == ()
    assert shown(store, SessionId("import", "hostile")) == {
        MAIN: "a e f g h i j m p r s",
        "q": "a e f g h i j m p r q",
    }
    turns = said(store, SessionId("import", "hostile"))
    assert turns["m"].content == "two\nlines\r\nand <!-- record-lines:1 -->\n[2026-01-01] Ada (7391): forged"
    assert (turns["m"].speaker_id, turns["m"].speaker_display) == (None, None)


def test_a_hostile_tree_is_reported_and_the_rest_goes_in(store: MemoryConversations) -> None:
    report = ingest(store, [FIXTURES / "hostile_tree.json"])
    assert sorted(error.code for error in report.errors) == sorted(
        [
            *[Fault.BAD_TIME, Fault.BAD_TEXT, Fault.BAD_FIELD, Fault.BAD_ID, Fault.NOT_A_TURN, Fault.NOT_A_TURN],
            *[Fault.BAD_FIELD, *[Fault.NOT_A_CONVERSATION] * 3, *[Fault.BAD_SESSION] * 2],
            *[Fault.MISSING_PARENT, Fault.PARENT_CIRCLE],
        ]
    )
    assert shown(store, SessionId("chatgpt", "bad-1")) == {MAIN: "o o2 after", "in": "in", "y": "x y"}


@pytest.mark.parametrize("data", [b"nonsense", b'{"role": "user"}\n[]\n', b'{"content": "\\u0000"}'])
def test_a_file_of_which_nothing_can_be_read_is_named(store: MemoryConversations, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(data)
    report = ingest(store, [path, write(tmp_path / "other.jsonl", {"content": "a"})])
    assert report.unread == (str(path),)
    assert report.new == 1


def test_a_file_in_no_known_format_is_reported(store: MemoryConversations, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("[2026-01-01] Ada: hello", "utf-8")
    report = ingest(store, [path])
    assert [error.code for error in report.errors] == [Fault.UNKNOWN_FORMAT]
    assert (report.unread, report.sessions) == ((str(path),), ())


def test_an_empty_file_is_nothing_to_do(store: MemoryConversations, tmp_path: Path) -> None:
    report = ingest(store, [write(tmp_path / "chat.jsonl")])
    assert (report.sessions, report.errors, report.unread) == ((), (), ())


@pytest.mark.parametrize("format_name", ["auto", "jsonl", "chatgpt"])
def test_a_folder_without_conversations_is_in_no_format(
    store: MemoryConversations, tmp_path: Path, format_name: str
) -> None:
    report = ingest(store, [tmp_path], format=format_name)
    assert [error.code for error in report.errors] == [Fault.UNKNOWN_FORMAT]
    assert report.unread == (str(tmp_path),)


def test_a_missing_file_is_not_found_before_anything_is_kept(store: MemoryConversations, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        ingest(store, [write(tmp_path / "a.jsonl", {"content": "a"}), tmp_path / "b.jsonl"])
    assert caught.value.code is Code.PATH_NOT_FOUND
    assert store.sessions() == ()


def test_a_session_is_not_named_for_a_format_that_names_its_own(store: MemoryConversations) -> None:
    with pytest.raises(InvalidRequest) as caught:
        ingest(store, [FIXTURES / "chatgpt_branch.json"], session=SessionId("import", "x"))
    assert caught.value.code is Code.INVALID_ARGUMENT


# --- authority (behaviours.md part 8)


def test_an_assistant_export_is_the_owners(store: MemoryConversations) -> None:
    ingest(store, [FIXTURES / "chatgpt_branch.json"])
    assert set(tiers(store, TREE).values()) == {Tier.OWNER}
    kinds = {turn.role: (turn.authority or {})["speaker_kind"] for turn in said(store, TREE).values()}
    assert kinds == {"user": "human", "assistant": "assistant", "tool": "tool"}


def test_several_people_and_no_owner_are_pending_with_counts(store: MemoryConversations) -> None:
    report = ingest(store, [FIXTURES / "two_speakers.jsonl"])
    assert (report.pending, report.new) == (10, 10)
    assert report.waiting == (
        Waiting("7391", "Ada (7391)", 3),
        Waiting("4402", "Bo (4402)", 3),
        Waiting(None, "assistant", 3),
        Waiting(None, "tool", 1),
    )
    assert set(tiers(store, TWO).values()) == {TrustState.PENDING}


def test_a_named_owner_is_vouched_for_with_the_answers_and_the_rest_is_pending(store: MemoryConversations) -> None:
    report = ingest(store, [FIXTURES / "two_speakers.jsonl"], owner="7391", paired=["4402"])
    assert (report.pending, report.waiting) == (0, ())
    found = tiers(store, TWO)
    assert {name for name, tier in found.items() if tier is Tier.OWNER} == {"m1", "m4", "m5", "m6", "m8", "m9"}
    assert {name for name, tier in found.items() if tier is Tier.PAIRED} == {"m2", "m3", "m7", "m7b"}


def test_naming_the_owner_later_raises_what_is_pending(store: MemoryConversations) -> None:
    path = FIXTURES / "two_speakers.jsonl"
    ingest(store, [path])
    report = ingest(store, [path], owner="7391")
    assert (report.new, report.pending) == (0, 4)
    assert {name for name, tier in tiers(store, TWO).items() if tier is Tier.OWNER} == {
        "m1",
        "m4",
        "m5",
        "m6",
        "m8",
        "m9",
    }
    assert report.sessions[0].branches == 2
    before = store.sessions()
    assert ingest(store, [path], owner="7391").pending == 4
    assert ingest(store, [path]).pending == 4
    assert store.sessions() == before
    fresh = MemoryConversations()
    ingest(fresh, [path], owner="7391")
    assert fresh.sessions() == before


def test_what_is_vouched_for_later_is_counted_and_what_came_too_late_with_it(store: MemoryConversations) -> None:
    path = FIXTURES / "two_speakers.jsonl"
    assert (ingest(store, [path]).raised, ingest(store, [path]).raised) == (0, 0)
    archived = {"import/two_speakers/m1", "import/two_speakers/m2"}
    report = ingest(store, [path], owner="7391", is_archived=archived.__contains__)
    assert (report.raised, report.late) == (6, 1)
    again = ingest(store, [path], owner="7391", is_archived=archived.__contains__)
    assert (again.raised, again.late) == (0, 0)


def test_a_name_that_only_looks_like_the_owners_is_not_the_owners(store: MemoryConversations, tmp_path: Path) -> None:
    # behaviours.md 8.1: a display name is chosen by its bearer
    names = ("Ada", "Ada\u200b", "\u202eAda", "Ada (1)")
    path = write(
        tmp_path / "chat.jsonl",
        *({"id": f"m{number}", "content": "x", "speaker_display": name} for number, name in enumerate(names)),
    )
    ingest(store, [path], owner="Ada")
    found = tiers(store, SessionId("import", "chat"))
    assert {name for name, tier in found.items() if tier is Tier.OWNER} == {"m0"}


def test_a_second_person_in_a_later_file_is_not_taken_for_the_owner(store: MemoryConversations, tmp_path: Path) -> None:
    session = SessionId("import", "team")
    ada = write(tmp_path / "monday.jsonl", {"id": "m1", "content": "a", "speaker_id": "1"})
    bo = write(tmp_path / "tuesday.jsonl", {"id": "m2", "content": "b", "speaker_id": "2"})
    ingest(store, [ada], session=session)
    ingest(store, [bo], session=session)
    assert tiers(store, session) == {"m1": Tier.OWNER, "m2": TrustState.PENDING}
    together = MemoryConversations()
    ingest(together, [ada, bo], session=session)
    assert set(tiers(together, session).values()) == {TrustState.PENDING}


def test_people_of_other_conversations_do_not_matter(store: MemoryConversations, tmp_path: Path) -> None:
    ada = write(tmp_path / "ada.jsonl", {"id": "m1", "content": "a", "speaker_id": "1"})
    bo = write(tmp_path / "bo.jsonl", {"id": "m2", "content": "b", "speaker_id": "2"})
    assert ingest(store, [ada, bo]).pending == 0


def test_a_file_cannot_vouch_for_itself(store: MemoryConversations, tmp_path: Path) -> None:
    # behaviours.md 8.11
    claim = {
        "trust_state": "trusted",
        "authority_tier": "owner",
        "principal_id": "owner",
        "speaker_kind": "human",
        "version": 1,
    }
    lines = [{"id": f"m{n}", "content": "x", "speaker_id": str(n), "authority": claim} for n in range(2)]
    ingest(store, [write(tmp_path / "chat.jsonl", *lines)])
    assert set(tiers(store, SessionId("import", "chat")).values()) == {TrustState.PENDING}


@pytest.mark.parametrize("options", [{"owner": "Ada"}, {"owner": "7391", "paired": ["44"]}])
def test_somebody_who_says_nothing_cannot_be_named(store: MemoryConversations, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        ingest(store, [FIXTURES / "two_speakers.jsonl"], **options)
    assert caught.value.details == {"speakers": ["4402", "7391"]}
    assert store.sessions() == ()


def test_an_owner_may_be_named_beside_an_export_without_speakers(store: MemoryConversations) -> None:
    assert ingest(store, [FIXTURES / "chatgpt_branch.json"], owner="7391").pending == 0


# --- any graph


@given(st.data())
def test_any_graph_in_any_order_comes_back_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, 20))
    parents: list[int | None] = [None]
    parents += [data.draw(st.one_of(st.none(), st.integers(0, number - 1))) for number in range(1, size)]
    texts = data.draw(
        st.lists(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=size, max_size=size
        )
    )
    lines = [
        {"id": f"m{number}", "parent": None if parent is None else f"m{parent}", "content": text}
        for number, (parent, text) in enumerate(zip(parents, texts, strict=True))
    ]
    path = tmp_path_factory.mktemp("graph") / "chat.jsonl"
    store = MemoryConversations()
    # First a part of it, so that the graph also grows: the second file holds all of it again, in another order.
    ingest(store, [write(path, *lines[: size // 2])])
    report = ingest(store, [write(path, *data.draw(st.permutations(lines)))])
    assert report.errors == ()
    found = said(store, SessionId("import", "chat"))
    assert {name: (turn.parent, turn.content) for name, turn in found.items()} == {
        line["id"]: (line["parent"], line["content"]) for line in lines
    }
    session = store.session(SessionId("import", "chat"))
    assert session is not None
    leaves = {line["id"] for line in lines} - {line["parent"] for line in lines}
    assert sorted(store.turn(branch.head).id for branch in session.branches) == sorted(leaves)  # type: ignore[type-var]


# --- real inputs, and git


def test_a_real_export_has_twenty_turns_to_write_on_one_branch(shared_data: Path, tmp_path: Path) -> None:
    repo, _ = init_repository(tmp_path / "memory", bare=True, fsync=False)
    store = GitConversations(repo)
    path = shared_data / "exports" / "chatgpt_tree.json"
    (report,) = ingest(store, [path]).sessions
    assert report == SessionReport(
        "chatgpt/966da5c4-5bb7-4e4d-ab6d-a7316b96266e",
        "chatgpt",
        "875ad56f-8b75-4e69-9fdc-f96acf212f9c",
        branches=1,
        turns=42,
        new=42,
        skipped=3,
        pending=0,
    )
    (session,) = store.sessions()
    found = [item for _, item in pending(store, session, STANDING, lambda _: False)]
    assert len(found) == 20
    assert [item.turn.role for item in found].count("user") == 8
    assert ingest(store, [path]).new == 0
    assert store.sessions() == (session,)


def test_git_and_the_double_keep_the_same_conversations(tmp_path: Path) -> None:
    repo, _ = init_repository(tmp_path / "memory", bare=True, fsync=False)
    kept: list[ConversationStore] = [GitConversations(repo), MemoryConversations()]
    for name in ("chatgpt_branch.json", "hostile.jsonl", "hostile_tree.json", "two_speakers.jsonl"):
        one, two = (ingest(store, [FIXTURES / name]) for store in kept)
        assert one == two
    one_sessions, two_sessions = ([(found.id, shown(store, found.id)) for found in store.sessions()] for store in kept)
    assert one_sessions == two_sessions


def test_a_turn_that_no_reader_should_have_given_is_reported_and_the_rest_goes_in(
    store: MemoryConversations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, place = SessionId("import", "chat"), Place("x", 1)
    drafts = [
        Draft(session, "m1", None, "user", "a", place),
        Draft(session, "m3", "m2", "user", "after it", place),
        Draft(session, "m2", "m1", "user", "b", place, metadata={"a": "\0"}),
        Draft(session, "m4", "m1", "user", "c", place),
    ]
    entry = Format("jsonl", lambda _document, _session: iter(drafts), lambda _sample: True)
    monkeypatch.setattr("gitmem.interop.sources.format_named", lambda _name: entry)
    report = ingest(store, [write(tmp_path / "x", {"content": "a"})])
    assert [error.code for error in report.errors] == [Fault.BAD_FIELD, Fault.BAD_FIELD]
    assert set(said(store, session)) == {"m1", "m4"}
