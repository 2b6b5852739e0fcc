"""The pass that puts a memory in order, through a real workspace (behaviours.md 0.19, 10.6, 10.11, 10.12, hooks)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import pytest

from archives import OWNER
from gitmem.checks import block_links
from gitmem.errors import Code, Finding, InvalidRequest, Severity
from gitmem.format.claim import without_files
from gitmem.format.frame import append_frames, render_frame
from gitmem.format.layout import anchor, archive_path
from gitmem.ids import BlockId, Oid, SourceId, TopicPath
from gitmem.request import DeleteRecord, FileMove, FilesEdit, FileWrite, NoEdit, RecordsEdit
from gitmem.runtime.writer_status import read_record
from gitmem.store.commits import read_commit
from gitmem.transaction.options import Options
from gitmem.workspace import Workspace
from gitmem.writer.agent import Outcome
from gitmem.writer.agent_writer import AgentWriter
from gitmem.writer.base import WriterResult
from gitmem.writer.organize import EmbeddedOrganizer, tidied
from gitmem.writer.organize_reasons import kind_of
from gitmem.writer.organize_seen import FILE
from gitmem.writer.organizer_prompt import REASONS
from gitmem.writer.organizers import nightly_organizer_of
from orderly import SMALL
from workspaces import ME, QUICK, make, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.format.model import Claim
    from gitmem.writer.agent import Prompt
    from gitmem.writer.base import Refusal
    from gitmem.writer.organize_base import Survey
    from gitmem.writer.workbench import Workbench

ADA = TopicPath("topics/people/ada.md")
NOTHING = Outcome(nothing_to_record=True)


def remember(workspace: Workspace, *texts: str, topic: str = "people/ada.md", heading: str | None = None) -> list[str]:
    """The ids of new claims."""
    ids: list[str] = []
    for text in texts:
        ids += workspace.remember(text, topic, heading=heading, time="2024-03-15").block_ids.values()
    return ids


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "w")


def text_of(workspace: Workspace, path: str = ADA) -> str:
    return (workspace.memory().snapshot.read(path) or b"").decode()


@dataclass
class Scripted:
    """An agent that does one scripted step for each task it is given."""

    steps: list[Callable[[Workbench], Outcome]]
    name: str = "scripted"
    signature: str = "scripted one"
    tasks: list[Prompt] = field(default_factory=list)

    def work(self, task: Prompt, bench: Workbench) -> Outcome:
        self.tasks.append(task)
        return self.steps[len(self.tasks) - 1](bench)


def removing(block: str, reason: str) -> Callable[[Workbench], Outcome]:
    """Read everything, and take one block away."""

    def work(bench: Workbench) -> Outcome:
        for path in bench.paths():
            bench.read(path)
        gone = bench.remove_block(block)
        return Outcome(reasons={BlockId(name): reason for name in gone})

    return work


# --- the embedded organizer -------------------------------------------------------------------------------------


def test_a_pass_is_one_transaction_which_one_undo_takes_back(workspace: Workspace) -> None:
    # behaviours.md 0.19; the backend hook's keys: status, topics, changed_files
    first, again = remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    before, text = workspace.memory().revision, text_of(workspace)
    answer = workspace.reorganize()
    assert (answer.ok, answer.status, answer.writer, answer.dry_run) == (True, "ok", "embedded", False)
    assert (answer.topics, answer.changed_files, answer.removed) == (1, (ADA,), ())
    assert [(merged.id, merged.into) for merged in answer.claims.merged] == [(again, first)]
    assert answer.revision == workspace.memory().revision != before
    assert answer.autosave is not None
    made = workspace.log().transactions[0]
    assert (made.writer, made.subject, made.author.name) == (
        "reorganize",
        "memory: reorganize",
        "gitmem embedded writer",
    )
    assert workspace.undo().ok
    assert text_of(workspace) == text
    assert workspace.check(all_history=True).ok


def test_a_second_pass_changes_neither_workspace_nor_revision(workspace: Workspace) -> None:
    remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    first = workspace.reorganize()
    held = state(workspace.repo.path)
    again = workspace.reorganize()
    assert (again.ok, again.changed_files, again.revision, again.autosave) == (True, (), first.revision, None)
    assert again.claims.merged == ()
    assert state(workspace.repo.path) == held


def test_a_dry_run_shows_the_difference_and_changes_nothing(workspace: Workspace) -> None:
    first, again = remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    held = state(workspace.repo.path)
    answer = workspace.reorganize(dry_run=True)
    assert [(merged.id, merged.into) for merged in answer.claims.merged] == [(again, first)]
    assert (answer.dry_run, answer.changed_files, answer.autosave) == (True, (ADA,), None)
    assert answer.revision == workspace.memory().revision
    assert state(workspace.repo.path) == held


def test_an_empty_memory_is_in_order(workspace: Workspace) -> None:
    answer = workspace.reorganize()
    assert (answer.status, answer.topics, answer.changed_files) == ("ok", 0, ())


def test_what_was_refused_once_is_left_alone_the_second_time(tmp_path: Path) -> None:
    # a linking block whose footnote the pass cannot judge sound is the rule's business; here a rule refuses one file
    workspace = make(tmp_path / "w")
    remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    remember(workspace, "Ben lives in Bern.", "Ben lives in Bern!", topic="people/ben.md")

    def refuse(candidate: object) -> list[Finding]:
        changed = {change.path for change in candidate.changes}  # type: ignore[attr-defined]
        found = Finding("block-links", Severity.ERROR, "broken-block-link", "no", ADA)
        return [found] if ADA in changed else []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_links, "run", refuse)
        answer = workspace.reorganize()
    assert (answer.ok, answer.changed_files) == (True, ("topics/people/ben.md",))


def test_half_a_million_characters_of_one_subject_end_in_files_of_the_right_size(tmp_path: Path) -> None:
    before = big(tmp_path / "in", 1_000, words=36)
    assert len((tmp_path / "in/topics/people/craig.md").read_text()) > 500_000
    workspace = make(tmp_path / "w", adopt=tmp_path / "in")
    memory = workspace.memory()
    recent = [claim.id for claim in memory.facts.recent(50)]
    answer = workspace.reorganize()
    assert (answer.ok, answer.claims.removed, answer.claims.added, answer.claims.changed) == (True, (), (), ())
    memory = workspace.memory()
    paths = [entry.path for entry in memory.snapshot.entries("topics")]
    assert len(paths) > 20
    assert max(len((memory.snapshot.read(path) or b"").decode()) for path in paths) <= 24_000
    after = {claim.id: claim for path in paths for claim in memory.facts.of_topic(TopicPath(path))}
    told = {name: (without_files(claim.content), claim.headings, claim.whens) for name, claim in after.items()}
    assert told == before
    assert [claim.id for claim in memory.facts.recent(50)] == recent  # behaviours.md 0.6
    assert workspace.check().ok
    assert workspace.reorganize().changed_files == ()


def big(folder: Path, blocks: int, words: int = 8) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """A folder of one topic and its archive; what each block says: so many words, none of them twice."""
    archive = archive_path("chat", "t1")
    frames, text = [], ["# Craig\n"]
    said: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}
    for number in range(blocks):
        handle = SourceId(f"chat/t1/m{number}")
        day = f"{2015 + number * 10 // blocks}-{1 + number % 12:02}-{1 + number % 28:02}"
        prose = " ".join(f"word{number}x{place}" for place in range(words))
        frames.append(
            render_frame(
                handle=handle,
                timestamp=f"{day}T10:00:00+00:00",
                role="user",
                body=prose,
                speaker_id=None,
                speaker_display=None,
                metadata=OWNER,
            )
        )
        note = f"[^e-{number:010x}]: Time: `{day}`; Sources: [Craig, {day}](../../{archive}#{anchor(handle)})"
        linked = f" [see](#^{number - 1:08x})" if number % 20 == 1 else ""
        text.append(f"\n{prose}{linked}[^e-{number:010x}] ^{number:08x}\n\n{note}\n")
        said[f"{number:08x}"] = (prose + linked, ("Craig",), (day,))
    files = {"topics/people/craig.md": "".join(text).encode(), archive: append_frames(archive, None, None, frames)}
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return said


def test_a_split_is_taken_back_by_one_undo_too(tmp_path: Path) -> None:
    big(tmp_path / "in", 300)
    workspace = make(tmp_path / "w", adopt=tmp_path / "in")
    before, shown = text_of(workspace, "topics/people/craig.md"), views(workspace)
    assert len(workspace.reorganize().changed_files) > 2
    assert views(workspace) == shown  # but for paths
    assert workspace.undo().ok
    assert [entry.path for entry in workspace.memory().snapshot.entries("topics")] == ["topics/people/craig.md"]
    assert text_of(workspace, "topics/people/craig.md") == before


def test_what_is_written_after_a_split_goes_into_the_file_that_was_split(tmp_path: Path) -> None:
    workspace = make(tmp_path / "w")
    for year in (2023, 2024):
        lines = [
            {
                "content": f"I planted {n + year} tulips behind the {word} house.",
                "timestamp": f"{year}-03-15T10:00:00+00:00",
            }
            for n, word in enumerate(("old", "red", "new", "low") * 40)
        ]
        talk(workspace, f"talk{year}", lines)
        assert workspace.write(force=True).ok
    (path,) = (entry.path for entry in workspace.memory().snapshot.entries("topics"))
    assert workspace.reorganize(writer=Small()).ok
    parts = {entry.path for entry in workspace.memory().snapshot.entries("topics")}
    assert len(parts) > 2
    talk(workspace, "later", [{"content": "I moved to Basel in May.", "timestamp": "2025-06-15T10:00:00+00:00"}])
    (added,) = workspace.write(force=True).claims.added
    assert added.path == path
    assert {entry.path for entry in workspace.memory().snapshot.entries("topics")} == parts


def test_memories_that_people_had_are_kept_word_for_word(shared_data: Path, tmp_path: Path) -> None:
    workspace = make(tmp_path / "w", adopt=shared_data / "openprogram" / "topics_legacy_sources")
    before = told(workspace)
    answer = workspace.reorganize(writer=Small())
    assert (answer.failure, len(answer.claims.moved) > 100) == (None, True)
    assert told(workspace) == before
    assert max(len(text_of(workspace, path)) for path in answer.changed_files) <= SMALL.largest
    assert workspace.check(all_history=True).ok
    assert workspace.reorganize(writer=Small()).changed_files == ()


def views(workspace: Workspace) -> dict[str, str]:
    """Timeline and recent blocks without the paths of topics."""
    snapshot = workspace.memory().snapshot
    paths = [entry.path for entry in snapshot.entries("timeline")] + ["recent_events.jsonl"]
    return {path: re.sub(r"[./]*(?:topics/)?[\w/-]+\.md(?=[\"#]\^?)", "T", text_of(workspace, path)) for path in paths}


class Small(EmbeddedOrganizer):
    """The embedded organizer with limits of a tenth."""

    def organize(self, survey: Survey, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        edit = tidied(survey, sizes=SMALL).changes()
        return WriterResult(edit, nothing_to_record=isinstance(edit, NoEdit))


def told(workspace: Workspace) -> dict[str, object]:
    memory = workspace.memory()
    paths = [TopicPath(entry.path) for entry in memory.snapshot.entries("topics")]
    claims = [claim for path in paths for claim in memory.facts.of_topic(path)]
    return {claim.id: (without_files(claim.content), claim.headings, claim.ids, _rests_on(claim)) for claim in claims}


def _rests_on(claim: Claim) -> list[object]:
    return [(cited.id, cited.when, [link.resolved for link in cited.sources]) for cited in claim.evidence]


def talk(workspace: Workspace, name: str, lines: list[dict[str, str]]) -> None:
    file = workspace.repo.path.parent / f"{name}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert workspace.ingest([file]).errors == ()


# --- agents -----------------------------------------------------------------------------------------------------


def test_an_agent_is_told_of_files_likenesses_and_the_core(workspace: Workspace) -> None:
    # behaviours.md 10.11: the organizer's prompt; 0.19: its reasons
    remember(workspace, "Ada adopted a black cat called Miso in spring.")
    (second,) = remember(workspace, "Ada adopted a brown cat called Miso in spring.", topic="pets.md")
    agent = Scripted([lambda _bench: NOTHING])
    assert workspace.reorganize(writer=AgentWriter(agent)).ok
    (task,) = agent.tasks
    assert all(f"`{reason}`" in task.rules for reason in REASONS)
    assert "Cite nothing that is not cited already" in task.rules
    lines = [json.loads(line) for line in task.material.split("\n") if line.startswith("{")]
    assert {line["path"] for line in lines if "characters" in line} == {ADA, "topics/pets.md"}
    assert [line["blocks"] for line in lines if "characters" in line] == [1, 1]
    (core,) = [line for line in lines if "left_out" in line]
    assert (core["tokens"], core["left_out"]) == (2_000, [])
    assert f"^{second}" in [line["block"] for line in lines if "block" in line]
    assert BlockId(second) in task.shown


def test_what_needs_no_judgement_is_done_before_the_agent_looks_and_installed_with_its_work(
    workspace: Workspace,
) -> None:
    first, again = remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    (third,) = remember(workspace, "Ada has three hens.")

    def step(bench: Workbench) -> Outcome:
        assert f"^{again} ^{first}" in bench.read(ADA).text
        bench.edit(ADA, "three hens.[", "four hens.[")
        return Outcome()

    answer = workspace.reorganize(writer=AgentWriter(Scripted([step])))
    assert [merged.id for merged in answer.claims.merged] == [again]
    assert third in [changed.id for changed in answer.claims.changed]
    assert workspace.log().transactions[0].revision == answer.revision
    assert len([one for one in workspace.log().transactions if one.writer == "reorganize"]) == 1


def test_an_agent_that_finds_nothing_leaves_what_was_tidied(workspace: Workspace) -> None:
    remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    assert workspace.reorganize(writer=AgentWriter(Scripted([lambda _bench: NOTHING]))).changed_files == (ADA,)


def test_a_removal_names_its_reason_in_the_commit(workspace: Workspace) -> None:
    gone, _ = remember(workspace, "The draft is half done.", "Ada lives in Basel.")
    agent = Scripted([removing(gone, "project-state: the draft was finished in May")])
    answer = workspace.reorganize(writer=AgentWriter(agent))
    assert [(one.id, one.reason) for one in answer.removed] == [(gone, "project-state: the draft was finished in May")]
    assert answer.autosave is not None
    made = read_commit(workspace.repo, Oid(answer.revision or ""))
    assert made is not None
    assert f"removed ^{gone}: project-state: the draft was finished in May" in made.message
    workspace.undo()
    assert gone in text_of(workspace)


@pytest.mark.parametrize("reason", ["", "no longer liked", "merge", "over"])
def test_a_removal_for_no_reason_is_told_once_and_refused_twice(workspace: Workspace, reason: str) -> None:
    gone, _ = remember(workspace, "The draft is half done.", "Ada lives in Basel.")
    held = state(workspace.repo.path)
    agent = Scripted([removing(gone, reason), lambda _bench: Outcome()])
    answer = workspace.reorganize(writer=AgentWriter(agent))
    assert answer.failure is not None
    assert (answer.ok, answer.status, answer.failure.reason_code) == (False, "failed", Code.COMMIT_REJECTED)
    assert len(agent.tasks) == 2
    assert '"removal-without-reason"' in agent.tasks[1].material
    assert state(workspace.repo.path) == held
    assert read_record(workspace.repo.gitmem_dir).last_outcome == "failure"


def test_a_reason_that_is_given_after_the_refusal_is_enough(workspace: Workspace) -> None:
    gone, _ = remember(workspace, "The draft is half done.", "Ada lives in Basel.")
    agent = Scripted([removing(gone, ""), lambda _bench: Outcome(reasons={BlockId(gone): "transient"})])
    assert workspace.reorganize(writer=AgentWriter(agent)).ok
    assert gone not in text_of(workspace)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("superseded", "superseded"),
        ("Superseded by ^a1b2c3d4", "superseded"),
        ("`merged` into the other", "merged"),
        ("project state: done", "project-state"),
        ("PROJECT_STATE", "project-state"),
        ("transient.", "transient"),
        ("not transient", None),
        ("mergedwith", None),
        ("project", None),
    ],
)
def test_how_a_reason_may_be_written(reason: str, kind: str | None) -> None:
    assert kind_of(reason) == kind


def test_more_than_the_share_is_not_removed(workspace: Workspace) -> None:
    # the destruction budget counts, at least three blocks
    ids = remember(workspace, *(f"Claim {number} of the garden." for number in range(6)))

    def step(bench: Workbench) -> Outcome:
        bench.read(ADA)
        for block in ids[:4]:
            bench.remove_block(block)
        return Outcome(reasons={BlockId(block): "transient" for block in ids[:4]})

    answer = workspace.reorganize(writer=AgentWriter(Scripted([step, lambda _bench: Outcome()])))
    assert answer.failure is not None
    assert answer.failure.reason_code == Code.WRITER_BUDGET_EXCEEDED


def test_nothing_new_may_be_cited(workspace: Workspace) -> None:
    # behaviours.md 10.12: not even a message that is archived and trusted
    remember(workspace, "Ada lives in Basel.", "Ada has three hens.")
    handle = workspace.why(text="three hens").results[0].evidence[0].sources[0].id
    other = remember(workspace, "Ben lives in Bern.", topic="people/ben.md")[0]

    def step(bench: Workbench) -> Outcome:
        text = bench.read("topics/people/ben.md").text
        bench.write(
            "topics/people/ben.md",
            text.replace(f" ^{other}", f"[^e9] ^{other}") + f"\n[^e9]: Time: `2024`; Sources: [x]({handle})\n",
        )
        return Outcome()

    answer = workspace.reorganize(writer=AgentWriter(Scripted([step, lambda _bench: Outcome()])))
    assert answer.failure is not None
    assert answer.failure.reason_code == Code.COMMIT_REJECTED


def test_a_memory_that_has_not_changed_is_not_shown_twice(workspace: Workspace) -> None:
    remember(workspace, "Ada lives in Basel.")
    agent = Scripted([lambda _bench: NOTHING] * 3)
    assert workspace.reorganize(writer=AgentWriter(agent)).ok
    held = state(workspace.repo.path)
    assert workspace.reorganize(writer=AgentWriter(agent)).ok
    assert workspace.reorganize(writer=AgentWriter(agent), dry_run=True).ok
    assert len(agent.tasks) == 1
    assert state(workspace.repo.path) == held
    other = Scripted([lambda _bench: NOTHING], signature="scripted two")
    workspace.reorganize(writer=AgentWriter(other))
    assert len(other.tasks) == 1
    remember(workspace, "Ada has three hens.")
    workspace.reorganize(writer=AgentWriter(agent))
    assert len(agent.tasks) == 2


@pytest.mark.parametrize("damage", [b"", b"[]", b"{", b'{"version": 2, "states": {}}', b'{"version": 1, "states": 1}'])
def test_a_damaged_record_of_what_was_seen_only_costs_another_look(workspace: Workspace, damage: bytes) -> None:
    remember(workspace, "Ada lives in Basel.")
    agent = Scripted([lambda _bench: NOTHING] * 2)
    workspace.reorganize(writer=AgentWriter(agent))
    (workspace.repo.gitmem_dir / FILE).write_bytes(damage)
    assert workspace.reorganize(writer=AgentWriter(agent)).ok
    assert len(agent.tasks) == 2


def test_a_rehearsed_proposal_is_installed_without_asking_again(workspace: Workspace) -> None:
    remember(workspace, "Ada has three hens.")

    def step(bench: Workbench) -> Outcome:
        bench.read(ADA)
        bench.edit(ADA, "three hens.[", "four hens.[")
        return Outcome()

    agent = Scripted([step])
    assert workspace.reorganize(writer=AgentWriter(agent), dry_run=True).changed_files == (ADA,)
    assert workspace.reorganize(writer=AgentWriter(agent)).changed_files == (ADA,)
    assert len(agent.tasks) == 1
    assert "four hens" in text_of(workspace)


def test_a_new_part_that_an_agent_takes_away_stays_away_after_a_refusal(tmp_path: Path) -> None:
    big(tmp_path / "in", 500)
    workspace = make(tmp_path / "w", adopt=tmp_path / "in")
    part, goal = TopicPath("topics/people/craig/2015.md"), "topics/people/first.md"

    def move(bench: Workbench) -> Outcome:
        bench.move(part, goal)
        bench.write("topics/loose.md", "# Loose\n\nNobody said so.\n")
        return Outcome()

    def mend(bench: Workbench) -> Outcome:
        assert part not in bench.paths()
        bench.remove("topics/loose.md")
        return Outcome()

    answer = workspace.reorganize(writer=AgentWriter(Scripted([move, mend])))
    assert answer.failure is None
    assert goal in answer.changed_files
    assert part not in answer.changed_files


def test_an_agent_that_breaks_is_a_failure_in_the_answer(workspace: Workspace) -> None:
    remember(workspace, "Ada lives in Basel.")

    def broken(_bench: Workbench) -> Outcome:
        raise ValueError

    answer = workspace.reorganize(writer=AgentWriter(Scripted([broken])))
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.WRITER_FAILURE_UNKNOWN, False)


# --- hosts ------------------------------------------------------------------------------------------------------


@dataclass
class Host:
    """A host's own organizer."""

    result: WriterResult
    name: str = "host"
    signature: str = "host"
    costs: bool = False

    def organize(self, survey: Survey, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        return self.result


def test_a_host_may_bring_its_own_organizer(workspace: Workspace) -> None:
    gone, _ = remember(workspace, "The draft is half done.", "Ada lives in Basel.")
    edit = RecordsEdit((DeleteRecord(BlockId(gone)),))
    assert not workspace.reorganize(writer=Host(WriterResult(edit))).ok
    assert workspace.reorganize(writer=Host(WriterResult(edit, reasons={BlockId(gone): "transient"}))).ok


def test_whole_files_that_drop_a_block_need_a_reason_for_it(workspace: Workspace) -> None:
    remember(workspace, "Ada lives in Basel.", topic="people/ben.md")
    gone, _ = remember(workspace, "The draft is half done.", "Ada has hens.")
    text = text_of(workspace).replace("The draft is half done.", "Ada has", 1).replace(f" ^{gone}", "")
    answer = workspace.reorganize(writer=Host(WriterResult(FilesEdit((FileWrite(ADA, text),)))))
    assert answer.failure is not None
    assert answer.failure.reason_code == Code.COMMIT_REJECTED


def test_a_file_that_a_host_moves_takes_its_blocks_along(workspace: Workspace) -> None:
    remember(workspace, "Ada lives in Basel.")
    edit = FilesEdit((FileMove(ADA, TopicPath("topics/ada.md")),))
    assert workspace.reorganize(writer=Host(WriterResult(edit))).changed_files == ("topics/ada.md", ADA)


@dataclass
class OnlyWrites:
    name: str = "pen"
    signature: str = "pen"
    repairs: bool = False

    def distill(self, *_: object) -> WriterResult:
        return WriterResult(nothing_to_record=True)


def test_a_writer_that_can_only_write_is_refused_by_day_and_stood_in_for_by_night(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest):
        workspace.reorganize(writer=OnlyWrites())
    assert nightly_organizer_of(OnlyWrites()).name == "embedded"


def test_the_nightly_pass_of_the_watcher_puts_the_memory_in_order(tmp_path: Path) -> None:
    workspace = make(tmp_path / "w")
    remember(workspace, "Ada lives in Basel.", "Ada lives in Basel!")
    for day in (1, 2):
        at = datetime(2026, 8, day, 4, tzinfo=UTC)
        night = Workspace(workspace.repo, QUICK, ME, Options(now=partial(_same, at)))
        list(night.watch_once())
    assert workspace.log().transactions[0].writer == "reorganize"


def _same(at: datetime) -> datetime:
    return at
