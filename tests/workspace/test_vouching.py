"""Vouching for what others said (behaviours.md 0.4, 8.8, 8.18 to 8.20)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gitmem.authority import IN_PERSON, NOBODY, OWNER, PAIRED
from gitmem.errors import Code, InvalidRequest, NotAllowed, NotFound, Refused
from gitmem.format.layout import PROMOTIONS
from gitmem.format.model import Tier, TrustState
from gitmem.ids import SourceId
from gitmem.request import NewSource, NoEdit, PromoteEdit
from gitmem.workspace import Caller, Workspace
from untouched import byte_identical
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git

JONAS, TILDA = "chat/room/m1", "chat/room/m2"
OWNER_IN_PERSON = Caller(ME.author, ME.surface, IN_PERSON)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two messages of people for whom nobody vouches, archived by the host."""
    make(tmp_path / "w").close()
    made = Workspace.open(tmp_path / "w", OWNER_IN_PERSON, QUICK)
    said = (said_by(JONAS, "7391", "Jonas", "I moved to Basel."), said_by(TILDA, "7392", "Tilda", "I moved to Bern."))
    made.commit(made.request(NoEdit(), said))
    return made


def said_by(handle: str, speaker: str, display: str, text: str) -> NewSource:
    return NewSource(
        text,
        "user",
        handle=SourceId(handle),
        speaker_id=speaker,
        speaker_display=display,
        timestamp="2026-08-01T10:00:00+00:00",
        trust_state=TrustState.PENDING,
        principal_id="unknown",
        speaker_kind="human",
    )


def ledger(workspace: Workspace) -> list[dict[str, object]]:
    data = workspace.memory().snapshot.read(PROMOTIONS) or b""
    return [json.loads(line) for line in data.splitlines()]


def waiting(workspace: Workspace) -> list[str]:
    return [source.id for source in workspace.waiting().sources]


def test_a_promotion_is_a_line_and_no_frame_changes(workspace: Workspace, git: Git) -> None:
    archive = workspace.memory().snapshot.read("sources/chat/_v2/room.md")
    answer = workspace.promote([JONAS])
    assert [(source.id, source.promoted) for source in answer.sources] == [(JONAS, True)]
    assert workspace.memory().snapshot.read("sources/chat/_v2/room.md") == archive
    (line,) = ledger(workspace)
    assert set(line) == {"at", "principal_id", "source_id", "speaker_id", "tier"}
    assert (line["source_id"], line["principal_id"], line["speaker_id"], line["tier"]) == (
        *(JONAS, "owner", "7391", "owner"),
    )
    assert waiting(workspace) == [TILDA]
    told = git(workspace.repo.path, "log", "-1", "--format=%s%n%b", "--", PROMOTIONS)
    assert told.splitlines()[0] == f"memory: promote {JONAS}"
    assert "Gitmem-Writer: promote" in told
    assert workspace.check(all_history=True).findings == ()


def test_a_writer_reads_what_is_promoted_once(workspace: Workspace) -> None:  # 8.20
    answer = workspace.promote([JONAS])
    assert answer.written is not None
    assert (answer.written.candidates, answer.written.processed) == (1, 1)
    (claim,) = workspace.why(text="Basel").results
    assert (claim.content, claim.trust_state, claim.visibility) == ("I moved to Basel.", "trusted", "owner")
    assert [source.tier for source in claim.evidence[0].sources] == ["owner"]
    assert workspace.promote([JONAS]).written is None


def test_again_it_is_not_promoted_and_nothing_changes(workspace: Workspace) -> None:  # 0.4
    first = workspace.promote([JONAS])
    with byte_identical(workspace.repo.path):
        again = workspace.promote([JONAS, JONAS])
    assert (again.revision, [(one.id, one.promoted) for one in again.sources]) == (first.revision, [(JONAS, False)])
    assert len(ledger(workspace)) == 1


def test_what_is_promoted_as_paired_may_be_shown_to_paired_callers(workspace: Workspace) -> None:
    workspace.promote([JONAS], paired=True)
    (claim,) = workspace.why(text="Basel").results
    assert claim.visibility == "paired"
    (hit,) = workspace.search("Basel", speaker="7391").results
    assert (hit.trust_state, hit.visibility) == ("trusted", "paired")


@pytest.mark.parametrize("name", ["7391", "Jonas", "jonas"])
def test_everything_of_a_speaker_is_promoted(workspace: Workspace, name: str) -> None:
    answer = workspace.promote(speaker=name)
    assert [source.id for source in answer.sources] == [JONAS]
    with pytest.raises(NotFound) as caught:
        workspace.promote(speaker=name)
    assert caught.value.code is Code.SOURCE_NOT_FOUND


def test_claims_that_wait_come_back_by_themselves(workspace: Workspace, git: Git) -> None:  # 8.8, 8.14, 8.17
    folder = workspace.repo.path
    topic = folder / "topics" / "core.md"
    topic.parent.mkdir(exist_ok=True)
    record = workspace.memory().facts.source(SourceId(JONAS))
    assert record is not None
    topic.write_text(
        "# Core\n\nJonas lives in Basel.[^e-1] ^a1b2c3d4\n\n"
        f"[^e-1]: Time: `2026-08-01`; Sources: [Jonas](../{record.path}#{record.anchor})\n"
    )
    git(folder, "add", "topics")
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    (held,) = [source for source in workspace.waiting().sources if source.id == JONAS]
    assert [claim.id for claim in held.claims] == ["a1b2c3d4"]
    workspace.doctor()
    core = folder / "core.md"
    assert not core.exists() or b"lives in Basel" not in core.read_bytes()
    workspace.promote([JONAS])
    assert b"lives in Basel" in core.read_bytes()
    assert workspace.why("a1b2c3d4").results[0].trust_state == "trusted"


def test_only_the_owner_in_person_may_promote(workspace: Workspace, tmp_path: Path) -> None:  # 8.19
    for authority in (OWNER, PAIRED, NOBODY):
        caller = replace(ME, authority=authority)
        with Workspace.open(tmp_path / "w", caller, QUICK) as program, byte_identical(tmp_path / "w"):
            with pytest.raises(NotAllowed):
                program.promote([JONAS])
            edit = PromoteEdit((SourceId(JONAS),), Tier.OWNER, "2026-08-10T12:00:00+00:00")
            with pytest.raises(NotAllowed):
                program.commit(replace(program.request(NoEdit()), edit=edit))
    assert waiting(workspace) == [JONAS, TILDA]


def test_what_cannot_be_promoted_is_said(workspace: Workspace) -> None:
    with byte_identical(workspace.repo.path):
        with pytest.raises(NotFound) as missing:
            workspace.promote([JONAS, "chat/room/nobody"])
        assert missing.value.details == {"source_ids": ["chat/room/nobody"]}
        with pytest.raises(InvalidRequest):
            workspace.promote()


def test_a_damaged_ledger_is_not_appended_to(workspace: Workspace, git: Git) -> None:
    folder = workspace.repo.path
    (folder / PROMOTIONS).write_text("{}\n")
    git(folder, "add", PROMOTIONS)
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    with byte_identical(folder), pytest.raises(Refused, match="damaged ledger"):
        workspace.promote([JONAS])
