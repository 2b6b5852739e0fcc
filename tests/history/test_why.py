"""From a claim to the verbatim words (cli.md, "why")."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, NotFound
from gitmem.format.frame import append_frames, render_frame
from gitmem.format.layout import anchor, archive_path
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.history.why import ExplainedAnswer, SourceAnswer
from gitmem.ids import SourceId
from gitmem.json_form import to_json
from gitmem.request import NewSource, NoEdit
from stories import ADA, claim, revision
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git
    from stories import Story


def explained(workspace: Workspace, block: str, at: str | None = None) -> ExplainedAnswer:
    (found,) = workspace.why(block, at=at).results
    return found


def test_a_claim_leads_to_its_words_and_to_the_commits_behind_them(story: Story) -> None:
    found = explained(story.workspace, story.home)
    assert (found.content, found.aliases, found.refs) == (
        "Ada lives in Bern.",
        (story.viola,),
        tuple(source.id for evidence in found.evidence for source in evidence.sources),
    )
    assert found.written_by == story.revisions["home"]
    assert found.changed_by == (story.revisions["moved house"], story.revisions["merge"])
    house, viola = found.evidence
    assert (house.when, viola.when) == ("2025-01", "2024-05")
    assert (house.sources[0].text, viola.sources[0].text) == ("said: Ada lives in Bern.", "Ada plays the viola.")
    assert house.sources[0].archived_by == story.revisions["moved house"]
    assert viola.sources[0].archived_by == story.revisions["viola"]


def test_the_answer_has_the_keys_of_the_document(story: Story) -> None:
    answer = to_json(story.workspace.why(story.home))
    assert isinstance(answer, dict)
    assert list(answer) == ["revision", "fresh", "results"]
    (result,) = answer["results"]
    block = ["id", "aliases", "path", "line", "headings", "when", "content", "refs", "trust_state", "visibility"]
    assert list(result) == [*block, "evidence", "written_by", "changed_by"]
    assert list(result["evidence"][0]) == ["id", "when", "sources"]
    assert list(result["evidence"][0]["sources"][0]) == [
        *("id", "path", "line", "timestamp", "role", "text", "speaker_id", "speaker_display", "speaker_trusted"),
        *("trust_state", "tier", "archived_by"),
    ]


def test_an_earlier_revision_knows_only_what_came_before(story: Story) -> None:
    found = explained(story.workspace, story.home, at="2026-08-05")
    assert (found.content, found.written_by, found.changed_by) == (
        "Ada lives in Basel.",
        story.revisions["home"],
        (),
    )
    with pytest.raises(NotFound) as caught:
        story.workspace.why(story.bob, at="2026-08-05")
    assert caught.value.code is Code.MEMORY_NOT_FOUND


def test_an_absorbed_id_leads_to_the_block_that_carries_it(story: Story) -> None:
    assert explained(story.workspace, story.viola).id == story.home
    for spelled in (f"^{story.home}", f"#^{story.home}", f"topics/{ADA}#^{story.home}"):
        assert explained(story.workspace, spelled).id == story.home


def test_every_block_of_a_path_is_explained(story: Story) -> None:
    assert [found.id for found in story.workspace.why("topics/").results] == [story.home, story.bob]
    assert [found.id for found in story.workspace.why("people/bob.md").results] == [story.bob]
    with pytest.raises(NotFound) as caught:
        story.workspace.why("people/nobody.md")
    assert caught.value.code is Code.PATH_NOT_FOUND


@pytest.mark.parametrize("text", ["Ada lives in Bern.", "ada  LIVES\nin", "bern"])
def test_a_text_is_found_in_any_case_and_layout(story: Story, text: str) -> None:
    assert [found.id for found in story.workspace.why(text=text).results] == [story.home]


@pytest.mark.parametrize("text", ["Basel", "lives Ada", "", "  "])
def test_a_text_that_no_claim_says_gives_an_empty_answer(story: Story, text: str) -> None:
    answer = story.workspace.why(text=text)
    assert (answer.results, answer.fresh) == ((), True)


def test_a_gone_block_is_not_explained_but_its_history_is_named(story: Story) -> None:
    with pytest.raises(NotFound) as caught:
        story.workspace.why(story.cat)
    assert caught.value.code is Code.MEMORY_NOT_FOUND
    assert f"gitmem history {story.cat}" in caught.value.message


BODY = "first line\r\n\nline three  \u2028still three\ttrailing \n"


def test_the_body_is_given_exactly_with_its_speaker(workspace: Workspace) -> None:
    # behaviours.md 7.2, 8.2, 8.20
    trusted = {"trust_state": TrustState.TRUSTED, "principal_id": "ada", "speaker_kind": "human"}
    said = NewSource(
        BODY,
        "user",
        handle=SourceId("chat/g1/m1"),
        timestamp="2026-08-01T10:00:00+02:00",
        speaker_id="73-91",
        speaker_display="Ada: [x]",
        tier=Tier.PAIRED,
        **trusted,  # type: ignore[arg-type]
    )
    answered = NewSource("", "assistant", handle=SourceId("chat/g1/m2"), **trusted)  # type: ignore[arg-type]
    workspace.commit(workspace.request(NoEdit(), [said, answered]))
    archived = revision(workspace)
    (block,) = workspace.remember("Ada said three lines.", ADA, source="chat/g1/m1", time="2026").block_ids.values()
    (source,) = explained(workspace, block).evidence[0].sources
    assert source == SourceAnswer(
        id="chat/g1/m1",
        path="sources/chat/_v2/g1.md",
        line=source.line,
        timestamp="2026-08-01T10:00:00+02:00",
        role="user",
        text=BODY,
        speaker_id="73-91",
        speaker_display="Ada\N{FULLWIDTH COLON} (x)",
        speaker_trusted=True,
        trust_state="trusted",
        tier="paired",
        archived_by=archived,
    )
    (block,) = workspace.remember("Nothing was said.", ADA, source="chat/g1/m2", time="2026").block_ids.values()
    (silent,) = explained(workspace, block).evidence[0].sources
    assert (silent.text, silent.role, silent.tier, silent.timestamp) == ("", "assistant", None, "undated")
    lines = (workspace.memory().snapshot.read(silent.path or "") or b"").split(b"\n")
    assert lines[(silent.line or 0) - 1].startswith(b"[undated] assistant: ")


def test_messages_of_every_age_are_reached(tmp_path: Path) -> None:
    # formats.md "Legacy archives"; behaviours.md 7.7, 8.4
    dialog = '<a id="d1-3"></a>\n[2023-05-08] Caroline: I went there yesterday. [D1:3]\n'
    known, bot = SourceId("chat/t1/m1"), SourceId("chat/t1/m2")
    metadata = TrustMetadata(TrustState.TRUSTED, "assistant", "owner", Tier.OWNER)
    frames = [
        render_frame(handle=known, timestamp=None, role="user", body="no metadata"),
        render_frame(
            handle=bot, timestamp=None, role="assistant", body="hello", speaker_display="Bot", metadata=metadata
        ),
    ]
    archive = archive_path("chat", "t1")
    footnotes = (
        f"[^e-a]: Time: `2023-05`; Sources: [D1](../sources/D1.md#d1-3), [m1](../{archive}#{anchor(known)})\n"
        f"[^e-b]: Time: `2023`; Sources: [m2](../{archive}#{anchor(bot)}), [m2 again](../{archive}#{anchor(bot)})\n"
    )
    topic = f"# Caroline\n\nShe went[^e-a] there[^e-b] and back.[^e-a] ^aaaaaaaa\n\n{footnotes}"
    files = {"topics/c.md": topic.encode(), "sources/D1.md": dialog.encode()}
    files[archive] = append_frames(archive, None, None, frames)
    old = tmp_path / "old"
    for path, data in files.items():
        (old / path).parent.mkdir(parents=True, exist_ok=True)
        (old / path).write_bytes(data)
    workspace = make(tmp_path / "new", adopt=old)
    found = explained(workspace, "aaaaaaaa")
    assert [(evidence.id, len(evidence.sources)) for evidence in found.evidence] == [("e-a", 2), ("e-b", 2)]
    first, second = found.evidence[0].sources
    assert (first.id, first.role, first.text, first.tier) == ("D1:3", "Caroline", "I went there yesterday.", None)
    assert (first.speaker_trusted, first.trust_state, first.archived_by) == (False, "trusted", revision(workspace))
    assert (second.text, second.trust_state, second.tier) == ("no metadata", "trusted", None)
    assert [(source.role, source.speaker_display) for source in found.evidence[1].sources] == [("assistant", "Bot")] * 2


def test_a_link_that_reaches_nothing_is_named_and_says_no_more(workspace: Workspace, tmp_path: Path, git: Git) -> None:
    # a defect that plain git can bring (architecture.md section 5); behaviours.md 8.14
    claim(workspace, "Ada lives in Basel.")
    folder = tmp_path / "workspace"
    path = folder / "topics" / ADA
    link = "../../sources/chat/_v2/gone.md#source-0123456789abcdef"
    path.write_text(f"# Ada\n\nAda is gone.[^e-x] ^bbbbbbbb\n\n[^e-x]: Time: `2026`; Sources: [it]({link})\n")
    git(folder, "commit", "-q", "--no-verify", "-a", "-m", "by hand")
    found = explained(workspace, "bbbbbbbb")
    (source,) = found.evidence[0].sources
    assert source == SourceAnswer("sources/chat/_v2/gone.md#source-0123456789abcdef")
    assert {field.name: field.default for field in fields(SourceAnswer) if field.name != "id"} == {
        field.name: getattr(source, field.name) for field in fields(SourceAnswer) if field.name != "id"
    }
    assert found.trust_state == "pending"
