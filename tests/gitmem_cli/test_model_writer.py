"""``gitmem write --writer model`` against a provider on this machine, as a user runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from model_server import ANTHROPIC, KEY, MODELS, OPENAI, ModelServer, call, fails, says
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem

WRITES = call(
    "Write",
    path="topics/people/ada.md",
    content="# Ada\n\nAda likes tea.[^e1]\n\n[^e1]: Time: `2024-03-15`; Sources: [tea](import/talk/m1)\n",
)


@pytest.fixture
def folder(tmp_path: Path, gitmem: Gitmem, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a conversation that waits; the keys of the machine are out of reach."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    make(tmp_path / "w").close()
    talk = tmp_path / "talk.jsonl"
    turn = {"content": "I like tea.", "id": "m1", "timestamp": "2024-03-15T10:00:00+00:00"}
    talk.write_text(json.dumps(turn) + "\n")
    assert gitmem("ingest", str(talk), cwd=tmp_path / "w").status == 0
    return tmp_path / "w"


def configured(gitmem: Gitmem, folder: Path, provider: str, server: ModelServer) -> None:
    for key, value in (
        ("gitmem.writer.kind", "model"),
        ("gitmem.writer.model", f"{provider}:{MODELS[provider]}"),
        ("gitmem.writer.baseUrl", server.url(provider)),
        ("gitmem.writer.keyVariable", "MY_KEY"),
    ):
        assert gitmem("config", key, value, cwd=folder).status == 0


@pytest.mark.parametrize("provider", [OPENAI, ANTHROPIC])
def test_a_model_writes(gitmem: Gitmem, folder: Path, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with ModelServer(WRITES, says()) as server:
        configured(gitmem, folder, provider, server)
        answer = gitmem("write", "--force", "--json", cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert (answer.json["ok"], answer.json["writer"], answer.json["pending_turns"]) == (True, "model", 0)
    assert [claim["content"] for claim in answer.json["claims"]["added"]] == ["Ada likes tea."]
    assert "Ada likes tea." in (folder / "topics" / "people" / "ada.md").read_text()
    assert len(server.asked) == 2
    assert KEY not in answer.out


def test_the_writer_and_the_model_may_be_named(
    gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # behaviours.md 10.14
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ModelServer(WRITES, says()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url(OPENAI))
        answer = gitmem("write", "--force", "--writer", "model", "--model", "openai:another", cwd=folder)
    assert answer.status == 0
    assert server.asked[0].body["model"] == "another"


def test_a_failure_is_exit_7_with_its_code(gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with ModelServer(fails(401, f"Incorrect API key provided: {KEY}")) as server:
        configured(gitmem, folder, OPENAI, server)
        answer = gitmem("write", "--force", cwd=folder)
    assert answer.status == 7
    assert "MODEL_AUTHENTICATION" in answer.err
    assert KEY not in answer.out + answer.err
    assert "1 turn pending" in answer.out


def test_what_is_missing_is_exit_7(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("write", "--force", "--writer", "model", "--json", cwd=folder).code == "MODEL_RESOLUTION_FAILED"
    keyless = gitmem("write", "--force", "--writer", "model", "--model", "openai:gpt", "--json", cwd=folder)
    assert (keyless.status, keyless.code) == (7, "MODEL_RESOLUTION_FAILED")
    assert "OPENAI_API_KEY" in keyless.json["error"]["message"]
    wrong = gitmem("write", "--force", "--writer", "embedded", "--model", "openai:gpt", "--json", cwd=folder)
    assert (wrong.status, wrong.code) == (2, "INVALID_ARGUMENT")


def test_what_was_archived_is_read_by_the_model_of_the_call(
    gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # behaviours.md 11.3, 11.5
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ModelServer(call("NothingToRecord", reason="small talk"), says(), WRITES, says()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url(OPENAI))
        assert gitmem("write", "--force", "--writer", "model", "--model", "openai:first", cwd=folder).status == 0
        answer = gitmem("backfill", "--writer", "model", "--model", "openai:another", "--json", cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert list(answer.json) == ["status", "candidates", "processed", "remaining", "revision", "failure"]
    assert (answer.json["status"], answer.json["candidates"], answer.json["remaining"]) == ("ok", 1, 0)
    assert "Ada likes tea." in (folder / "topics" / "people" / "ada.md").read_text()
    assert server.asked[-1].body["model"] == "another"
