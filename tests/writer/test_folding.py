"""From a proposal to the transaction: one repair, other people's writes, what a writer may take away.

behaviours.md 0.16, 0.19, 8.9, 10.4 to 10.6, 10.10, 10.12; architecture.md section 3, step 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict, Refused, Unavailable
from gitmem.ids import BlockId, SourceId, TopicPath
from gitmem.request import (
    CreateRecord,
    DeleteRecord,
    Destination,
    FileDelete,
    FileMove,
    FilesEdit,
    FileWrite,
    PatchEdit,
    Person,
    RecordsEdit,
    Request,
    SourceRef,
    Surface,
    UpdateRecord,
)
from gitmem.writer.base import WriterResult
from gitmem.writer.folding import Removals
from untouched import byte_identical
from workspaces import ME, reopened
from writing import NOTES, PEOPLE, SESSION, Scripted, added, noting, workspace_with, written

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.request import Edit
    from gitmem.workspace import Workspace
    from gitmem.writer.base import Batch, Memory, Refusal
    from gitmem.writer.write import WriteAnswer
    from running import Git
    from writing import Step

TALK = ("Ada likes tea.", "Bob likes coffee.")
UNCITED = WriterResult(FilesEdit((FileWrite(NOTES, "# Notes\n\nNobody said this.\n"),)))


def refused(*_: object) -> WriterResult:
    return UNCITED


def raising(error: Exception) -> Scripted:
    def step(*_: object) -> None:
        raise error

    return Scripted([step])


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_with(tmp_path / "w", *TALK)


def fold(workspace: Workspace, writer: Scripted, *, dry_run: bool = False) -> WriteAnswer:
    return workspace.write(force=True, writer=writer, dry_run=dry_run)


def code(answer: WriteAnswer) -> str | None:
    return None if answer.failure is None else answer.failure.reason_code


# --- repair once


def test_a_refusal_is_told_once_and_then_the_batch_is_in(workspace: Workspace) -> None:  # behaviours.md 10.6
    writer = Scripted([refused, noting])
    answer = fold(workspace, writer)
    assert (code(answer), written(workspace), answer.pending_turns) == (None, list(TALK), 0)
    first, told = writer.told
    assert first is None
    assert told is not None
    assert (told.code, told.result) == (Code.INVALID_TOPIC_FORMAT, UNCITED)
    assert [(finding.code, finding.path, finding.line) for finding in told.findings] == [("uncited-text", NOTES, 3)]


def test_what_is_refused_twice_is_rejected_and_nothing_changed(workspace: Workspace) -> None:  # behaviours.md 9.5, 10.6
    writer = Scripted([refused])
    with byte_identical(workspace.repo.path):
        answer = fold(workspace, writer)
    assert (code(answer), len(writer.told), answer.pending_turns) == (Code.COMMIT_REJECTED, 2, 2)
    assert answer.failure is not None
    assert not answer.failure.retryable
    assert workspace.memory().facts.source(SourceId(f"{SESSION}/m1")) is None


def test_a_writer_that_cannot_mend_anything_is_told_nothing(workspace: Workspace) -> None:
    writer = Scripted([refused], repairs=False)
    assert code(fold(workspace, writer)) == Code.INVALID_TOPIC_FORMAT
    assert writer.told == [None]


def test_giving_up_after_a_refusal_is_no_progress(workspace: Workspace) -> None:  # behaviours.md 10.4
    with byte_identical(workspace.repo.path):
        assert code(fold(workspace, Scripted([refused, lambda *_: WriterResult()]))) == Code.WRITER_NO_PROGRESS


def test_after_a_refusal_a_writer_may_say_that_nothing_is_worth_recording(workspace: Workspace) -> None:
    answer = fold(workspace, Scripted([refused, lambda *_: WriterResult(nothing_to_record=True)]))
    assert (code(answer), answer.pending_turns, written(workspace)) == (None, 0, [])


# --- what a writer is


def test_whatever_a_writer_does_it_takes_nobody_down(workspace: Workspace) -> None:  # behaviours.md 10.5
    for error in (ValueError("a key: sk-1"), RuntimeError(), RecursionError(), OSError()):
        with byte_identical(workspace.repo.path):
            answer = fold(workspace, raising(error))
        assert answer.failure is not None
        assert (answer.failure.reason_code, answer.failure.retryable) == (Code.WRITER_FAILURE_UNKNOWN, False)
        assert answer.failure.message == f"the writer failed: {type(error).__name__}"


def test_an_exception_may_say_that_trying_again_is_worth_it(workspace: Workspace) -> None:  # behaviours.md 10.5
    error = ValueError()
    error.retryable = True  # type: ignore[attr-defined]
    answer = fold(workspace, raising(error))
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.WRITER_UNAVAILABLE, True)


def test_a_failure_with_a_code_keeps_it(workspace: Workspace) -> None:
    assert code(fold(workspace, raising(Unavailable(Code.MODEL_TIMEOUT, "late")))) == Code.MODEL_TIMEOUT
    assert code(fold(workspace, raising(Refused(Code.WRITER_PRECONDITION_FAILED, "no")))) == (
        Code.WRITER_PRECONDITION_FAILED
    )


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        "done",
        WriterResult(PatchEdit("--- a\n")),  # type: ignore[arg-type]
        WriterResult(FilesEdit((FileWrite(NOTES, "half a pair \ud83d"),))),
        WriterResult(FilesEdit((FileWrite(NOTES, 3),))),  # type: ignore[arg-type]
        WriterResult(FilesEdit((FileWrite(TopicPath("topics/\ud83d.md"), "text"),))),
        WriterResult(FilesEdit((FileDelete(NOTES),)), reasons={BlockId("a"): "\ud83d"}),
        WriterResult(FilesEdit((FileDelete(NOTES),)), reasons={BlockId("a"): None}),  # type: ignore[dict-item]
    ],
)
def test_what_is_no_result_is_a_failure_of_the_writer(workspace: Workspace, nonsense: object) -> None:
    with byte_identical(workspace.repo.path):
        answer = fold(workspace, Scripted([lambda *_: nonsense]))
    assert code(answer) == Code.WRITER_FAILURE_UNKNOWN


def test_an_operation_of_no_known_shape_is_a_failure_and_not_told(workspace: Workspace) -> None:
    writer = Scripted([lambda *_: WriterResult(RecordsEdit((object(),)))])  # type: ignore[arg-type]
    with byte_identical(workspace.repo.path):
        assert code(fold(workspace, writer)) in {Code.TRANSACTION_FAILURE_UNKNOWN, Code.WRITER_FAILURE_UNKNOWN}
    assert writer.told == [None]


def test_an_edit_that_leaves_everything_as_it_is_says_nothing(workspace: Workspace) -> None:  # behaviours.md 10.4
    reopened(workspace.repo.path).remember("Ada was born.", "people/ada.md", time="1815")

    def same(_batch: Batch, memory: Memory, _refusal: Refusal | None) -> WriterResult:
        return WriterResult(FilesEdit((FileWrite(PEOPLE, memory.text(PEOPLE) or ""),)))

    headings = FilesEdit((FileWrite(TopicPath("topics/empty.md"), "# Title\n\n## Heading\n"),))
    for step in (
        same,
        lambda *_: WriterResult(RecordsEdit(())),
        lambda *_: WriterResult(FilesEdit(())),
        lambda *_: WriterResult(headings),
    ):
        assert code(fold(workspace, Scripted([step]))) == Code.WRITER_NO_PROGRESS

    def said_so(batch: Batch, memory: Memory, refusal: Refusal | None) -> WriterResult:
        return replace(same(batch, memory, refusal), nothing_to_record=True)

    answer = fold(workspace, Scripted([said_so]))
    assert (code(answer), answer.pending_turns) == (None, 0)


# --- the memory moves while a writer thinks


def meanwhile(folder: Path, topic: str, step: Step = noting) -> Step:
    """A step during which somebody else writes."""

    def run(batch: Batch, memory: Memory, refusal: Refusal | None) -> object:
        made = step(batch, memory, refusal)
        reopened(folder).remember(f"Meanwhile in {topic}.", topic, time="2024")
        return made

    return run


def test_what_came_between_elsewhere_asks_nobody_again(workspace: Workspace) -> None:  # architecture.md section 3, 2
    writer = Scripted([meanwhile(workspace.repo.path, "people/ada.md")])
    answer = fold(workspace, writer)
    assert (code(answer), len(writer.told), written(workspace)) == (None, 1, list(TALK))
    assert written(workspace, PEOPLE) == ["Meanwhile in people/ada.md."]


def test_what_came_between_in_the_same_file_asks_again(workspace: Workspace) -> None:
    reopened(workspace.repo.path).remember("Notes begin.", "notes.md", time="2024")
    writer = Scripted([meanwhile(workspace.repo.path, "notes.md"), noting])
    answer = fold(workspace, writer)
    assert (code(answer), writer.told) == (None, [None, None])
    assert written(workspace) == ["Notes begin.", "Meanwhile in notes.md.", *TALK]


def test_a_file_that_came_into_being_meanwhile_is_not_overwritten(workspace: Workspace) -> None:
    writer = Scripted([meanwhile(workspace.repo.path, "notes.md"), noting])
    fold(workspace, writer)
    assert written(workspace) == ["Meanwhile in notes.md.", *TALK]


def rewritten(workspace: Workspace, path: TopicPath, text: str) -> RecordsEdit:
    """Give the only block of a file other words, on the evidence that it has."""
    (claim,) = workspace.memory().facts.of_topic(path)
    target = claim.evidence[0].sources[0].resolved
    assert target is not None
    record = workspace.memory().facts.record(target)
    assert record is not None
    return RecordsEdit((UpdateRecord(claim.id, text, "2024", (SourceRef(record.handle, "said"),)),))


def test_a_block_that_was_changed_meanwhile_is_not_set_back(workspace: Workspace) -> None:
    other = reopened(workspace.repo.path)
    other.remember("Ada is ten.", "people/ada.md", time="2024")

    def grown(batch: Batch, memory: Memory, _refusal: Refusal | None) -> WriterResult:
        (claim,) = memory.of_topic(PEOPLE)
        text, source = claim.content.replace(".", ", and likes tea."), SourceRef(batch.turns[0].handle, "said")
        return WriterResult(RecordsEdit((UpdateRecord(claim.id, text, "2024", (source,)),)))

    def corrected(batch: Batch, memory: Memory, refusal: Refusal | None) -> WriterResult:
        made = grown(batch, memory, refusal)
        other.commit(other.request(rewritten(other, PEOPLE, "Ada is eleven.")))
        return made

    writer = Scripted([corrected, grown])
    assert code(fold(workspace, writer)) is None
    assert (written(workspace, PEOPLE), len(writer.told)) == (["Ada is eleven, and likes tea."], 2)


def test_a_memory_that_keeps_moving_is_tried_again_later(workspace: Workspace) -> None:
    writer = Scripted([meanwhile(workspace.repo.path, "notes.md")])
    answer = fold(workspace, writer)
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.CONCURRENT_UPDATE, True)
    assert (len(writer.told), answer.pending_turns) == (3, 2)


def test_a_refusal_after_two_moves_is_still_told(workspace: Workspace) -> None:
    moving = meanwhile(workspace.repo.path, "notes.md")
    writer = Scripted([moving, meanwhile(workspace.repo.path, "notes.md", refused), refused, noting])
    answer = fold(workspace, writer)
    assert code(answer) is None
    assert [None if told is None else told.code for told in writer.told] == [None, None, None, "INVALID_TOPIC_FORMAT"]


def test_a_mend_that_met_a_move_stays_the_last_try(workspace: Workspace) -> None:
    writer = Scripted([refused, meanwhile(workspace.repo.path, "people/ada.md", refused)])
    assert code(fold(workspace, writer)) == Code.COMMIT_REJECTED
    assert len(writer.told) == 2


def test_a_merge_in_progress_asks_nobody_again(workspace: Workspace, git: Git) -> None:
    folder = workspace.repo.path

    def merging(batch: Batch, memory: Memory, refusal: Refusal | None) -> WriterResult:
        other = git(folder, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "other")
        (folder / ".git" / "MERGE_HEAD").write_text(f"{other}\n")
        return noting(batch, memory, refusal)

    writer = Scripted([merging])
    assert (code(fold(workspace, writer)), len(writer.told)) == (Code.REPOSITORY_BUSY, 1)
    (folder / ".git" / "MERGE_HEAD").unlink()
    assert (code(fold(workspace, writer)), len(writer.told)) == (None, 1)


def test_what_is_written_and_cannot_be_marked_is_written_all_the_same(  # behaviours.md 0.16
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(*_: object) -> None:
        raise Conflict(Code.CONCURRENT_UPDATE, "somebody holds the notes")

    writer = Scripted([noting])
    with monkeypatch.context() as patch:
        patch.setattr("gitmem.conversations.git.GitConversations.mark", held)
        assert code(fold(workspace, writer)) is None
    assert (len(writer.told), written(workspace), workspace.pending_turns()) == (1, list(TALK), 0)
    assert fold(workspace, writer).batches == ()


# --- what a batch may cite (8.9, 10.12)

OLD = f"{SESSION}/m1"


@pytest.fixture
def grown(tmp_path: Path) -> Workspace:
    """A workspace whose first two turns are written, and one more is pending."""
    made = workspace_with(tmp_path / "w", *TALK)
    fold(made, Scripted([noting]))
    return workspace_with_more(made, "Cy likes water.")


def workspace_with_more(workspace: Workspace, content: str) -> Workspace:
    file = workspace.repo.path.parent / "more.jsonl"
    file.write_text(f'{{"id": "m9", "content": "{content}"}}\n')
    workspace.ingest([file], session="import/more")
    return workspace


def citing(reference: str, how: str) -> Step:
    """A step that adds a claim that rests on one reference, as operations or as whole files."""

    def records(_batch: Batch, _memory: Memory, _refusal: Refusal | None) -> WriterResult:
        place = Destination(TopicPath("topics/new.md"), ("New",))
        return WriterResult(RecordsEdit((CreateRecord("A claim.", "2024", (SourceRef(reference, "said"),), place),)))

    def files(_batch: Batch, memory: Memory, _refusal: Refusal | None) -> WriterResult:
        return WriterResult(FilesEdit((added(memory, TopicPath("topics/new.md"), ("A claim.", reference)),)))

    return {"records": records, "files": files}[how]


@pytest.mark.parametrize("how", ["records", "files"])
def test_a_batch_may_newly_cite_only_its_own_turns(grown: Workspace, how: str) -> None:  # behaviours.md 8.9, 10.12
    writer = Scripted([citing(OLD, how)])
    with byte_identical(grown.repo.path):
        answer = fold(grown, writer)
    assert code(answer) == Code.COMMIT_REJECTED
    assert writer.told[1] is not None
    assert [finding.code for finding in writer.told[1].findings] == ["foreign-source"]
    assert code(fold(grown, Scripted([citing("import/more/m9", how)]))) is None


@pytest.mark.parametrize("how", ["records", "files", "patch"])
def test_a_request_that_names_its_evidence_may_cite_nothing_else(grown: Workspace, how: str) -> None:
    def request(reference: str, evidence: str | None) -> Request:
        made = grown.request(edit_of(reference, how))
        return replace(made, evidence=None if evidence is None else frozenset({SourceId(evidence)}))

    with pytest.raises(Refused) as caught:
        grown.commit(request(OLD, f"{SESSION}/m2"))
    assert [finding.code for finding in caught.value.findings] == ["foreign-source"]
    assert grown.commit(request(OLD, OLD)).memory_committed


def edit_of(reference: str, how: str) -> Edit:
    if how == "patch":
        lines = ("# New", "", "A claim.[^n]", "", f"[^n]: Time: `2024`; Sources: [said]({reference})")
        body = "".join(f"+{line}\n" for line in lines)
        return PatchEdit(f"--- /dev/null\n+++ b/topics/new.md\n@@ -0,0 +1,{len(lines)} @@\n{body}")
    step = citing(reference, how)
    return step(None, Nothing(), None).edit  # type: ignore[operator,no-any-return]


@dataclass
class Nothing:
    def text(self, path: TopicPath) -> None:
        assert path


def test_what_a_block_cites_already_may_stay(grown: Workspace) -> None:  # behaviours.md 0.31
    def more(_batch: Batch, memory: Memory, _refusal: Refusal | None) -> WriterResult:
        text = (memory.text(NOTES) or "").replace("Ada likes tea.", "Ada likes tea a lot.", 1)
        return WriterResult(FilesEdit((replace(added(memory, NOTES), content=text),)))

    assert code(fold(grown, Scripted([more]))) is None
    assert written(grown) == ["Ada likes tea a lot.", TALK[1]]


# --- what a run may remove (0.19)

FACTS = tuple(f"Fact number {number} is told." for number in range(1, 9))


def full(tmp_path: Path, *, batches: int = 1, share: float = 0.05) -> Workspace:
    """Eight facts on record, one a file; so many turns wait, a batch each."""
    made = workspace_with(tmp_path / "w", *(f"Turn {n} is here." for n in range(batches)), tokens=3)
    for number, fact in enumerate(FACTS, 1):
        made.remember(fact, f"facts/f{number}.md", time="2024")
    made.config = replace(made.config, writer_max_removed_share=share)
    return made


def fact(number: int) -> TopicPath:
    return TopicPath(f"topics/facts/f{number}.md")


def removing(*numbers: int, seen: bool = True, why: str = "transient") -> Step:
    """A step that deletes files of facts, and gives reasons."""

    def step(_batch: Batch, memory: Memory, _refusal: Refusal | None) -> WriterResult:
        blocks = [memory.of_topic(fact(number))[0].id for number in numbers]
        edit = FilesEdit(tuple(FileDelete(fact(number)) for number in numbers))
        return WriterResult(edit, seen=frozenset(blocks if seen else ()), reasons=dict.fromkeys(blocks, why))

    return step


def test_a_run_may_remove_a_share_of_the_blocks_and_three_at_least() -> None:
    assert [Removals.of(blocks, 0.05).left for blocks in (0, 59, 60, 80, 1000)] == [3, 3, 3, 4, 50]
    assert Removals.of(1000, 0.0).left == 3
    assert Removals.of(100, 1.0).left == 100


@pytest.mark.parametrize("dry_run", [False, True])
def test_removing_more_is_refused_with_the_list(tmp_path: Path, dry_run: bool) -> None:
    workspace = full(tmp_path)
    writer = Scripted([removing(1, 2, 3, 4)])
    with byte_identical(workspace.repo.path):
        answer = fold(workspace, writer, dry_run=dry_run)
    assert code(answer) == Code.WRITER_BUDGET_EXCEEDED
    assert answer.failure is not None
    assert not answer.failure.retryable
    told = writer.told[1]
    assert told is not None
    assert told.code is Code.WRITER_BUDGET_EXCEEDED
    assert [(f.code, f.path, f.line) for f in told.findings] == [
        ("too-many-removed", fact(number), 3) for number in (1, 2, 3, 4)
    ]
    words = [finding.message.partition(": ")[2] for finding in told.findings]
    assert words == list(FACTS[:4])


@pytest.mark.parametrize("dry_run", [False, True])
def test_removing_within_the_budget_shows_the_claims_and_the_reasons(tmp_path: Path, dry_run: bool) -> None:
    workspace = full(tmp_path)
    answer = fold(workspace, Scripted([removing(1, 2, 3, why="superseded\nGitmem-Writer: hand")]), dry_run=dry_run)
    assert code(answer) is None
    assert [claim.content for claim in answer.claims.removed] == list(FACTS[:3])
    assert (workspace.memory().snapshot.read(fact(1)) is None) is not dry_run
    if not dry_run:
        commit = workspace.log().transactions[0]
        assert commit.writer == "background"
        message = workspace.repo.git[commit.revision].message
        assert message.count("superseded Gitmem-Writer: hand") == 3
        workspace.undo()
        assert written(workspace, fact(1)) == [FACTS[0]]


@pytest.mark.parametrize("dry_run", [False, True])
def test_the_budget_holds_over_all_batches_of_a_run(tmp_path: Path, dry_run: bool) -> None:
    workspace = full(tmp_path, batches=3)
    writer = Scripted([removing(1, 2), removing(3, 4), removing(3), noting])
    answer = fold(workspace, writer, dry_run=dry_run)
    assert (code(answer), len(answer.batches)) == (None, 3)
    assert writer.told[2] is not None
    assert writer.told[2].message.startswith("^")
    assert "one of 2 where 1 more may be" in writer.told[2].message
    assert [claim.content for claim in answer.claims.removed] == list(FACTS[:3])


def test_what_a_writer_was_not_shown_it_may_not_remove(tmp_path: Path) -> None:
    workspace = full(tmp_path)
    writer = Scripted([removing(1, seen=False)])
    with byte_identical(workspace.repo.path):
        assert code(fold(workspace, writer)) == Code.WRITER_BUDGET_EXCEEDED
    assert writer.told[1] is not None
    assert [(f.code, f.path) for f in writer.told[1].findings] == [("removed-unseen", fact(1))]


def test_a_file_that_moves_unread_removes_nothing(tmp_path: Path) -> None:
    workspace = full(tmp_path)
    to = TopicPath("topics/moved.md")
    edit = FilesEdit((FileMove(fact(1), to),))
    assert code(fold(workspace, Scripted([lambda *_: WriterResult(edit, seen=frozenset())]))) is None
    assert written(workspace, to) == [FACTS[0]]


def test_operations_that_delete_count_too(tmp_path: Path) -> None:
    workspace = full(tmp_path)

    def deleting(_batch: Batch, memory: Memory, _refusal: Refusal | None) -> WriterResult:
        return WriterResult(RecordsEdit(tuple(DeleteRecord(memory.of_topic(fact(n))[0].id) for n in range(1, 5))))

    assert code(fold(workspace, Scripted([deleting]))) == Code.WRITER_BUDGET_EXCEEDED


def test_a_person_has_no_budget(tmp_path: Path) -> None:
    workspace = full(tmp_path)
    request = Request(
        FilesEdit(tuple(FileDelete(fact(number)) for number in range(1, 9))),
        ME.authority,
        Surface.CLI,
        Person("Test", "test@example.invalid"),
    )
    assert workspace.commit(request).memory_committed
