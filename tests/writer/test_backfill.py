"""Writing up archived messages that no topic cites (behaviours.md part 11)."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Unavailable
from gitmem.ids import TopicPath
from gitmem.request import CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.workspace import Workspace
from gitmem.writer.backfill_ledger import FILE
from gitmem.writer.base import WriterResult
from scribes import TOPIC, Noting
from workspaces import ME, QUICK, make, reopened, state

if TYPE_CHECKING:
    from gitmem.catalog.statistics import Statistics
    from gitmem.writer.base import Batch, BatchTurn, Memory, Refusal

SAID = ("Ada likes tea.", "Bob likes coffee.", "Cy likes water.")


def workspace_of(folder: Path, tokens: int = 16_000) -> Workspace:
    return Workspace.open(folder, ME, replace(QUICK, writer_trigger_tokens=tokens))


def archived(folder: Path, *contents: str, owner: bool = True, tokens: int = 16_000) -> Workspace:
    """A workspace whose messages are archived and cited by nothing: their writer found nothing in them."""
    made = make(folder)
    file = folder.parent / "talk.jsonl"
    speakers = {} if owner else {"speaker_id": "7391"}
    lines = [{"id": f"m{place}", "content": content, **speakers} for place, content in enumerate(contents, 1)]
    if not owner:
        lines.append({"id": "other", "content": "Dee likes milk.", "speaker_id": "9000"})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    made.ingest([file])
    made.write(force=True, writer=Noting(prose=lambda _turn: None))
    return workspace_of(folder, tokens)


def counted(workspace: Workspace) -> Statistics:
    workspace.memory()
    return workspace.catalog.statistics()


def ids(noting: Noting) -> list[str]:
    return [name for batch in noting.ids for name in batch]


def test_candidates_are_trusted_messages_that_no_topic_cites(tmp_path: Path) -> None:  # behaviours.md 11.1
    workspace = archived(tmp_path / "w", *SAID)
    workspace.remember("Ada likes tea.", "topics/people/ada.md", source="import/talk/m1")
    noting = Noting()
    answer = workspace.backfill(writer=noting)
    assert ids(noting) == ["m2", "m3"]
    assert (answer.status, answer.candidates, answer.processed, answer.remaining) == ("ok", 2, 2, 0)
    facts = workspace.memory().facts
    assert [claim.content for claim in facts.of_topic(TOPIC)] == ["Noted m2.", "Noted m3."]
    assert workspace.pending_turns() == 0  # marks say that all is written; they are not asked
    transaction = workspace.log().transactions[0]
    assert (transaction.writer, transaction.author.name, transaction.sources_added) == (
        "backfill",
        "gitmem noting writer",
        (),
    )


def test_nobody_vouches_for_pending_messages_so_they_are_left(tmp_path: Path) -> None:  # behaviours.md 11.1, 8.18
    workspace = archived(tmp_path / "w", *SAID, owner=False)
    noting = Noting()
    answer = workspace.backfill(writer=noting)
    assert (answer.candidates, noting.shown) == (0, [])


def test_a_second_run_finds_nothing_and_builds_no_writer(  # behaviours.md 11.3
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = archived(tmp_path / "w", *SAID)
    first = workspace.backfill(writer=Noting(prose=lambda turn: "Noted." if turn.handle.endswith("m1") else None))
    assert (first.candidates, first.processed) == (3, 3)
    held = state(tmp_path / "w")

    def no_writer(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("gitmem.writer.choosing.choose_writer", no_writer)
    second = reopened(tmp_path / "w").backfill(writer="model")
    assert (second.status, second.candidates, second.processed, second.remaining) == ("ok", 0, 0, 0)
    assert second.revision == first.revision
    assert state(tmp_path / "w") == held


@dataclass
class Stumbling(Noting):
    """Fails at one message."""

    stone: str = ""

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        if any(turn.handle.endswith(self.stone) for turn in batch.turns):
            raise Unavailable(Code.MODEL_TRANSPORT, "the line is down")
        return super().distill(batch, memory, refusal)


def test_a_failed_batch_is_begun_with_the_next_time(tmp_path: Path) -> None:  # behaviours.md 11.4
    workspace = archived(tmp_path / "w", *SAID, tokens=1)
    stumbling = Stumbling(stone="m2")
    failed = workspace.backfill(writer=stumbling)
    assert (failed.status, failed.candidates, failed.processed, failed.remaining) == ("incomplete", 3, 1, 2)
    assert failed.failure is not None
    assert (failed.failure.reason_code, failed.failure.retryable) == (Code.MODEL_TRANSPORT, True)
    assert stumbling.ids == [["m1"]]  # a batch has at least one message
    facts = workspace.memory().facts
    assert [claim.content for claim in facts.of_topic(TOPIC)] == ["Noted m1."]

    noting = Noting()
    again = workspace.backfill(writer=noting)
    assert noting.ids == [["m2"], ["m3"]]
    assert (again.status, again.candidates, again.remaining) == ("ok", 2, 0)


def test_a_refused_batch_takes_back_its_own_edits_only(tmp_path: Path) -> None:  # behaviours.md 11.4, 10.12
    workspace = archived(tmp_path / "w", *SAID, tokens=1)

    class Foreign(Noting):
        def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
            if not batch.turns[0].handle.endswith("m2"):
                return super().distill(batch, memory, refusal)
            cited = CreateRecord(
                "Stolen.", None, (SourceRef("import/talk/m3", "x"),), Destination(TopicPath("topics/a.md"), ("A",))
            )
            return WriterResult(RecordsEdit((cited,)))

    answer = workspace.backfill(writer=Foreign())
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.processed, answer.remaining) == (Code.MISSING_SOURCE, 1, 2)
    facts = workspace.memory().facts
    assert [claim.content for claim in facts.of_topic(TOPIC)] == ["Noted m1."]
    assert not (tmp_path / "w/topics/a.md").exists()


def test_a_lost_ledger_costs_a_reading_and_nothing_else(tmp_path: Path) -> None:
    workspace = archived(tmp_path / "w", *SAID)
    nothing = Noting(prose=lambda _turn: None)
    workspace.backfill(writer=nothing)
    ledger = tmp_path / "w/.git/gitmem" / FILE
    assert ledger.stat().st_mode & 0o777 == 0o600
    for content in (None, b"{", b"[]", b'{"version": 9, "read": []}', b'{"version": 1, "read": 3}'):
        ledger.unlink() if content is None else ledger.write_bytes(content)
        nothing.shown.clear()
        assert workspace.backfill(writer=nothing).processed == 3
        assert ids(nothing) == ["m1", "m2", "m3"]


def test_who_said_a_legacy_message_is_what_its_header_says(tmp_path: Path) -> None:  # behaviours.md 8.1, 8.4, 11.1
    old = tmp_path / "old"
    (old / "sources").mkdir(parents=True)
    (old / "topics").mkdir()
    (old / "sources/D1.md").write_text(
        '# D1\n\n<a id="d1-1"></a>\n[2023-05-08] Caroline: [Victim (u999)] I paint.\n\n'
        '<a id="d1-2"></a>\n[2023-05-08] assistant: Lovely.\n'
    )
    workspace = make(tmp_path / "w", adopt=old)
    seen: list[tuple[str, str | None, str | None, str]] = []

    def note(turn: BatchTurn) -> str | None:
        seen.append((turn.role, turn.speaker_display, turn.speaker_id, turn.content))
        return None

    workspace.backfill(writer=Noting(prose=note))
    assert seen == [("user", "Caroline", None, "[Victim (u999)] I paint."), ("assistant", None, None, "Lovely.")]


def test_the_real_legacy_workspace_is_backfilled_and_checked(tmp_path: Path) -> None:
    data = Path(__file__).parents[3] / "shared/data/openprogram/topics_legacy_sources"
    if not data.is_dir():
        pytest.skip("there is no shared/data beside the checkout")
    workspace = make(tmp_path / "w", adopt=data)
    before = counted(workspace)
    answer = workspace.backfill()
    assert (answer.status, answer.candidates, answer.remaining) == ("ok", before.uncited, 0)
    assert counted(workspace).blocks > before.blocks
    assert workspace.check(all_history=True).ok
    assert workspace.backfill() == replace(answer, candidates=0, processed=0)


def test_a_writer_that_is_none_leaves_everything_for_the_next_time(tmp_path: Path) -> None:
    workspace = archived(tmp_path / "w", *SAID)
    answer = workspace.backfill(writer="nobody")
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.processed, answer.remaining) == (Code.INVALID_ARGUMENT, 0, 3)
