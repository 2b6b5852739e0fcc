"""``gitmem ingest`` of chats of several people: who is pending, what to do, how far it has come (cli.md)."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem_cli import progress as progress_module
from gitmem_cli.commands.ingest import FORMATS
from workspaces import make

if TYPE_CHECKING:
    from running import Answer, Gitmem

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"
WHATSAPP = FIXTURES / "whatsapp_group.txt"
TELEGRAM = FIXTURES / "telegram_group.json"
SLACK = FIXTURES / "slack_team"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


def lines(answer: Answer) -> list[str]:
    assert answer.status == 0, answer.err
    return answer.out.splitlines()


def why(gitmem: Gitmem, folder: Path, text: str) -> dict[str, Any]:
    """The one message that the claim of that text rests on."""
    answer = gitmem("why", "--text", text, "--json", cwd=folder)
    assert answer.status == 0, answer.out
    ((evidence,),) = ([item["evidence"] for item in answer.json["results"]],)
    ((source,),) = ([item["sources"] for item in evidence],)
    return dict(source[0]) if isinstance(source, list) else dict(source)


# --- who is pending (behaviours.md part 8, authority of what is ingested)


def test_people_of_a_group_are_pending_with_counts_and_what_to_type(gitmem: Gitmem, folder: Path) -> None:
    assert lines(gitmem("ingest", str(WHATSAPP), cwd=folder)) == [
        "whatsapp/whatsapp_group: 7 turns, 7 new",
        "3 turns of Jonas pending; --owner Jonas or --paired Jonas vouches for them",
        "3 turns of Mara pending; --owner Mara or --paired Mara vouches for them",
        "1 turn of +44 7700 900123 pending; --owner '+44 7700 900123' or --paired '+44 7700 900123' vouches for them",
        "7 new turns; read again with --owner before `gitmem write`, which archives what is pending as pending",
    ]


def test_what_is_shown_can_be_typed_also_where_a_name_hides_something(gitmem: Gitmem, folder: Path) -> None:
    gitmem("ingest", str(WHATSAPP), cwd=folder)
    named = gitmem("ingest", str(WHATSAPP), "--owner", "+44 7700 900123", "--paired", "Mara", cwd=folder)
    assert lines(named) == [
        "whatsapp/whatsapp_group: 7 turns, 0 new",
        "3 turns of Jonas pending; --owner Jonas or --paired Jonas vouches for them",
        "4 turns vouched for now",
        "nothing new",
    ]


def test_the_rest_of_a_group_stays_pending_when_the_owner_is_named(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("ingest", str(TELEGRAM), "--owner", "7391", "--paired", "4402", cwd=folder)
    assert lines(answer) == [
        "telegram/1100: 13 turns, 13 new",
        "1 turn of 5 pending; --owner 5 or --paired 5 vouches for them",
        "1 turn of Garden (channel1100) pending; --owner channel1100 or --paired channel1100 vouches for them",
        "1 turn of Mara (7391) pending",
        "13 new turns; `gitmem write --force` folds them into topics",
    ]


def test_json_has_the_counts_and_standard_error_says_what_to_type(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("ingest", str(SLACK), "--json", cwd=folder)
    assert (answer.status, set(answer.json)) == (0, {"sessions", "turns", "new", "pending", "errors"})
    assert {found["session"]: (found["turns"], found["pending"]) for found in answer.json["sessions"]} == {
        "slack/C1": (12, 12),
        "slack/D9": (1, 1),
    }
    assert answer.json["pending"] == 13
    (warning,) = answer.err.splitlines()
    assert warning.endswith("--owner or --paired: U4402, U7391, U555")


def test_somebody_whom_nobody_is_called_is_refused_with_those_who_speak(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("ingest", str(WHATSAPP), "--owner", "Ada", "--json", cwd=folder)
    assert (answer.status, answer.code) == (2, "INVALID_ARGUMENT")
    assert answer.json["error"]["details"]["speakers"] == ["+44\u00a07700\u00a0900123", "Jonas", "Mara"]


def test_names_are_shown_and_never_obeyed(gitmem: Gitmem, folder: Path, tmp_path: Path) -> None:
    # behaviours.md 8.2
    evil = "Ada\x1b[2J\n7 turns of Bo vouched for now ]: \u202e$(rm -rf ~)"
    messages = [
        {"id": 1, "type": "message", "from": "Bo", "from_id": "user2", "text": "a"},
        {"id": 2, "type": "message", "from": evil, "text": "b"},
    ]
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"id": 1, "type": "private_group", "messages": messages}), "utf-8")
    answer = gitmem("ingest", str(path), cwd=folder)
    label = "Ada(2J 7 turns of Bo vouched for now )： $(rm -rf ~)"
    typed = "'Ada[2J 7 turns of Bo vouched for now ]: $(rm -rf ~)'"
    assert f"1 turn of {label} pending; --owner {typed} or --paired {typed} vouches for them" in lines(answer)
    owner = typed.strip("'")
    assert gitmem("ingest", str(path), "--owner", owner, "--json", cwd=folder).json["pending"] == 1


def test_many_speakers_are_summed_up(gitmem: Gitmem, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    turns = [{"content": "x", "speaker_id": f"{number:02}"} for number in range(30)]
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    told = lines(gitmem("ingest", str(path), cwd=folder))
    assert len(told) == 1 + 20 + 1 + 1
    assert told[-2] == "10 turns of 10 more speakers pending"


# --- vouched for too late


def test_turns_that_were_archived_as_pending_are_said_to_stay_so(gitmem: Gitmem, folder: Path) -> None:
    # behaviours.md 8.18, 8.20
    gitmem("ingest", str(WHATSAPP), cwd=folder)
    assert gitmem("write", "--force", cwd=folder).status == 0
    late = gitmem("ingest", str(WHATSAPP), "--owner", "Mara", cwd=folder)
    assert "3 turns vouched for now" in lines(late)
    assert late.err == (
        "warning: 3 turns were archived while nobody vouched for them; no topic can cite them until somebody promotes "
        "them\n"
    )
    again = gitmem("ingest", str(WHATSAPP), "--owner", "Mara", cwd=folder)
    assert (again.err, "vouched for now" in again.out) == ("", False)


def test_turns_that_nobody_wrote_yet_are_vouched_for_in_time(gitmem: Gitmem, folder: Path) -> None:
    gitmem("ingest", str(WHATSAPP), cwd=folder)
    assert gitmem("ingest", str(WHATSAPP), "--owner", "Mara", cwd=folder).err == ""
    assert gitmem("write", "--force", cwd=folder).status == 0
    assert why(gitmem, folder, "The allotment is ours")["tier"] == "owner"


# --- end to end: ingest, write, why


@pytest.mark.parametrize(
    ("path", "owner", "text", "handle", "speaker"),
    [
        (WHATSAPP, "Mara", "The allotment is ours", "whatsapp/whatsapp_group/", (None, "Mara")),
        (TELEGRAM, "7391", "The allotment is ours", "telegram/1100/2", ("7391", "Mara")),
        (SLACK, "U7391", "I planted 12 tulips", "slack/C1/1710350000.000100", ("U7391", "Mara Sommer")),
    ],
    ids=["whatsapp", "telegram", "slack"],
)
def test_a_claim_leads_to_the_message_word_for_word(  # noqa: PLR0913, PLR0917 (the values)
    gitmem: Gitmem, folder: Path, path: Path, owner: str, text: str, handle: str, speaker: tuple[str | None, str]
) -> None:
    assert gitmem("ingest", str(path), "--owner", owner, cwd=folder).status == 0
    assert gitmem("write", "--force", cwd=folder).status == 0
    source = why(gitmem, folder, text)
    assert source["id"].startswith(handle)
    assert source["text"].startswith(text)
    assert (source["speaker_id"], source["speaker_display"]) == speaker
    assert (source["speaker_trusted"], source["trust_state"], source["tier"]) == (True, "trusted", "owner")


def test_again_changes_nothing_and_a_grown_chat_adds_its_new_part(gitmem: Gitmem, folder: Path, tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Garden.txt"
    shutil.copy(WHATSAPP, chat)
    gitmem("ingest", str(chat), "--owner", "Mara", cwd=folder)
    first = gitmem("write", "--force", "--json", cwd=folder).json["revision"]
    again = gitmem("ingest", str(chat), "--owner", "Mara", "--json", cwd=folder)
    assert (again.json["new"], again.json["sessions"][0]["session"]) == (0, "whatsapp/Garden")
    assert gitmem("write", "--force", "--json", cwd=folder).json["revision"] == first
    chat.write_text(chat.read_text("utf-8") + "14/03/24, 08:00 - Mara: I bought a rain barrel.\n", "utf-8")
    grown = gitmem("ingest", str(chat), "--owner", "Mara", "--json", cwd=folder)
    assert (grown.json["turns"], grown.json["new"]) == (8, 1)


# --- what cannot be read


def test_what_is_broken_is_told_with_its_place_and_the_rest_goes_in(gitmem: Gitmem, folder: Path) -> None:
    path = FIXTURES / "hostile_telegram.json"
    answer = gitmem("ingest", str(path), "--json", cwd=folder)
    assert answer.status == 0
    assert answer.json["turns"] == 6
    assert [(error["line"], error["item"]) for error in answer.json["errors"]][-2:] == [(12, "message 11"), (17, None)]
    assert f"{path}:12, message 11: " in answer.err


@pytest.mark.parametrize("text", ["nonsense\n", '{"messages": [{"from_id": 1}, 7]}\n'], ids=["unknown", "all broken"])
def test_a_file_of_which_nothing_can_be_read_is_a_failure_that_says_where(
    gitmem: Gitmem, folder: Path, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "chat.json"
    path.write_text(text)
    answer = gitmem("ingest", str(path), "--json", cwd=folder)
    assert answer.status == 1
    assert (answer.json["ok"], answer.code) == (False, "TRANSACTION_FAILURE_UNKNOWN")
    assert {finding["path"] for finding in answer.json["error"]["findings"]} == {str(path)}
    assert [error["code"] for error in answer.json["errors"]] == [
        finding["code"] for finding in answer.json["error"]["findings"]
    ]
    assert (answer.json["turns"], answer.json["new"]) == (0, 0)
    other = tmp_path / "other.jsonl"
    other.write_text('{"content": "x"}\n')
    both = gitmem("ingest", str(path), str(other), "--json", cwd=folder)
    assert (both.status, "ok" in both.json, both.json["new"]) == (0, False, 1)


def test_a_name_of_a_file_is_shown_and_never_obeyed(gitmem: Gitmem, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\nb.txt"
    path.write_text("nonsense")
    answer = gitmem("ingest", str(path), cwd=folder)
    assert answer.status == 1
    assert "\x1b" not in answer.out + answer.err
    assert "a\\x1b[2J b.txt" in answer.err


# --- progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("path", [WHATSAPP, TELEGRAM, SLACK], ids=["whatsapp", "telegram", "slack"])
def test_progress_is_shown_to_the_end_where_somebody_is_looking(
    gitmem: Gitmem, folder: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks: list[tuple[int, int]] = []
    plain = progress_module._Bar.__call__

    def noting(self: Any, done: int, total: int | None = None, detail: str | None = None) -> None:
        ticks.append((done, total or 0))
        plain(self, done, total, detail)

    monkeypatch.setattr(progress_module._Bar, "__call__", noting)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert gitmem("ingest", str(path), cwd=folder).status == 0
    assert ticks == sorted(ticks)
    done, total = ticks[-1]
    assert done == total > 0


def test_a_pipe_gets_the_answer_only(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("ingest", str(WHATSAPP), cwd=folder).err == ""


def test_every_format_can_be_named() -> None:
    from gitmem.interop import formats  # noqa: PLC0415

    assert set(FORMATS) == {formats.AUTO, *(entry.name for entry in formats.FORMATS)}
