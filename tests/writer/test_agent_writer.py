"""A writer that lets an agent edit the topics, through a real workspace (behaviours.md parts 9 and 10)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Refused
from gitmem.ids import BlockId, SourceId, TopicPath
from gitmem.workspace import Workspace
from gitmem.writer.agent import Outcome
from gitmem.writer.agent_writer import AgentWriter
from workspaces import ME, QUICK, make, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.writer.agent import Prompt
    from gitmem.writer.workbench import Workbench

NOTHING = Outcome(nothing_to_record=True)
NOTES = TopicPath("topics/notes.md")

Turn = dict[str, object]


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


def note(text: str, ref: str = "import/talk/m1", path: str = NOTES) -> Callable[[Workbench], Outcome]:
    """Write one block with its footnote into a file."""

    def work(bench: Workbench) -> Outcome:
        bench.write(path, f"# Notes\n\n{text}[^e1]\n\n[^e1]: Time: `2024-03-15`; Sources: [the talk]({ref})\n")
        return Outcome()

    return work


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = make(tmp_path / "w")
    talk(made, said("Ada likes tea.", "m1"), said("Noted.", "m2", "assistant"))
    return made


def said(content: str, message: str, role: str = "user", **more: object) -> Turn:
    return {"content": content, "id": message, "role": role, "timestamp": "2024-03-15T10:00:00+00:00", **more}


def talk(workspace: Workspace, *lines: Turn) -> None:
    file = workspace.repo.path.parent / "talk.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert workspace.ingest([file]).errors == ()


def test_what_an_agent_writes_is_normalized_cited_and_signed(workspace: Workspace) -> None:
    agent = Scripted([note("Ada likes tea.")])
    answer = workspace.write(force=True, writer=AgentWriter(agent, UTC))
    assert (answer.ok, answer.writer, answer.pending_turns) == (True, "scripted", 0)
    (added,) = answer.claims.added
    assert (added.content, added.when) == ("Ada likes tea.", "2024-03-15")
    assert "[^e1]" not in (workspace.memory().snapshot.read(NOTES) or b"").decode()  # behaviours.md 2.1
    assert workspace.log().transactions[0].author.name == "gitmem scripted one writer"


def test_the_task_holds_every_record_and_who_said_it(workspace: Workspace) -> None:  # behaviours.md 10.11, 10.13
    agent = Scripted([lambda _bench: NOTHING])
    workspace.write(force=True, writer=AgentWriter(agent, UTC))
    (task,) = agent.tasks
    assert task.material == (
        "# Topic files\n\nnone yet\n\n# Records\n\n## Observed 2024-03-15\n\n"
        '{"ref":"import/talk/m1","speaker":"user","content":"Ada likes tea."}\n'
        '{"ref":"import/talk/m2","speaker":"assistant","content":"Noted."}\n'
    )
    assert task.shown == frozenset()


def test_nothing_to_record_must_be_said(workspace: Workspace) -> None:  # behaviours.md 0.16, 10.4
    held = state(workspace.repo.path)
    answer = workspace.write(force=True, writer=AgentWriter(Scripted([lambda _bench: Outcome()])))
    assert answer.failure is not None
    assert answer.failure.reason_code == Code.WRITER_NO_PROGRESS
    assert state(workspace.repo.path) == held
    answer = workspace.write(force=True, writer=AgentWriter(Scripted([lambda _bench: NOTHING])))
    assert (answer.ok, answer.pending_turns, answer.claims.added) == (True, 0, ())
    assert workspace.memory().facts.source(SourceId("import/talk/m1")) is not None


def test_a_change_counts_for_more_than_the_statement_that_there_is_none(workspace: Workspace) -> None:
    def both(bench: Workbench) -> Outcome:
        note("Ada likes tea.")(bench)
        return NOTHING

    answer = workspace.write(force=True, writer=AgentWriter(Scripted([both])))
    assert [block.content for block in answer.claims.added] == ["Ada likes tea."]


def test_a_refused_agent_goes_on_from_its_files_and_knows_why(workspace: Workspace) -> None:  # behaviours.md 10.6
    def mend(bench: Workbench) -> Outcome:
        assert "Uncited" in bench.read(NOTES).text
        bench.edit(NOTES, "Uncited words.\n\n", "")
        return Outcome()

    first = note("Uncited words.\n\nAda likes tea.")
    agent = Scripted([first, mend])
    answer = workspace.write(force=True, writer=AgentWriter(agent, UTC))
    assert [block.content for block in answer.claims.added] == ["Ada likes tea."]
    before, after = agent.tasks
    assert after.material.startswith(before.material)
    why, finding = (json.loads(line) for line in after.material.split("# Refused\n\n")[1].strip().split("\n"))
    assert why["code"] == "INVALID_TOPIC_FORMAT"
    assert why["changed"] == [NOTES]
    assert (finding["code"], finding["path"], finding["line"]) == ("uncited-text", NOTES, 3)
    assert after.rules.startswith(before.rules)
    assert len(after.rules) > len(before.rules)


def test_an_agent_that_is_refused_twice_changes_nothing(workspace: Workspace) -> None:
    held = state(workspace.repo.path)
    agent = Scripted([note("Ada likes tea.", "import/else/m9"), note("Ada likes tea.", "import/else/m8")])
    answer = workspace.write(force=True, writer=AgentWriter(agent))
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == (Code.COMMIT_REJECTED, False)
    assert len(agent.tasks) == 2
    assert state(workspace.repo.path) == held
    assert workspace.pending_turns() == 2


def grown(workspace: Workspace) -> BlockId:
    """A memory with one block, and one more turn that waits."""
    answer = workspace.write(force=True, writer=AgentWriter(Scripted([note("Ada likes tea.")])))
    talk(
        workspace,
        said("Ada likes tea.", "m1"),
        said("Noted.", "m2", "assistant"),
        said("Ada likes coffee now.", "m3"),
    )
    return BlockId(answer.claims.added[0].id)


def test_removals_and_their_reasons_stand_in_the_commit(workspace: Workspace) -> None:  # behaviours.md 0.19, 2.10
    block = grown(workspace)

    def replace(bench: Workbench) -> Outcome:
        assert bench.read(NOTES).whole
        bench.remove_block(block)
        note("Ada likes coffee.", "import/talk/m3", "topics/ada.md")(bench)
        return Outcome(reasons={block: "superseded by\nwhat she says now", BlockId("ffffffff"): "never there"})

    answer = workspace.write(force=True, writer=AgentWriter(Scripted([replace])))
    assert [claim.id for claim in answer.claims.removed] == [block]
    message = workspace.repo.git[workspace.log().transactions[0].revision].message
    assert f"removed ^{block}: superseded by what she says now" in message
    assert "ffffffff" not in message


def test_a_reason_holds_beyond_a_refusal(workspace: Workspace) -> None:
    block = grown(workspace)

    def replace(bench: Workbench) -> Outcome:
        assert bench.read(NOTES).whole
        bench.remove_block(block)
        note("Ada likes coffee.", "import/else/m9", "topics/ada.md")(bench)
        return Outcome(reasons={block: "superseded"})

    def mend(bench: Workbench) -> Outcome:
        assert bench.reasons == {block: "superseded"}
        bench.edit("topics/ada.md", "import/else/m9", "import/talk/m3")
        return Outcome()

    assert workspace.write(force=True, writer=AgentWriter(Scripted([replace, mend]))).ok
    message = workspace.repo.git[workspace.log().transactions[0].revision].message
    assert f"removed ^{block}: superseded\n" in f"{message}\n"


def replacing(bench: Workbench) -> Outcome:
    """Write over the notes, and say nothing of the block that stood there."""
    assert bench.read(NOTES).whole
    return note("Ada likes coffee.", "import/talk/m3")(bench)


def test_a_reason_that_is_missing_is_asked_for_once(workspace: Workspace) -> None:  # behaviours.md 0.19, 10.6
    block = grown(workspace)
    agent = Scripted([replacing, lambda _bench: Outcome(reasons={block: "superseded"})])
    assert workspace.write(force=True, writer=AgentWriter(agent)).ok
    assert f'"{block}"' in agent.tasks[1].material
    assert '"removal-without-reason"' in agent.tasks[1].material
    message = workspace.repo.git[workspace.log().transactions[0].revision].message
    assert f"removed ^{block}: superseded\n" in f"{message}\n"


def test_a_block_that_was_put_back_needs_no_reason(workspace: Workspace) -> None:
    block = grown(workspace)

    def put_back(bench: Workbench) -> Outcome:
        old = workspace.memory().snapshot.read(NOTES) or b""
        bench.write("topics/more.md", bench.read(NOTES).text)
        bench.write(NOTES, old.decode())
        return Outcome()

    assert workspace.write(force=True, writer=AgentWriter(Scripted([replacing, put_back]))).ok
    assert block in {claim.id for claim in workspace.memory().facts.of_topic(NOTES)}


@pytest.mark.parametrize("reason", ["", " \t"])
def test_a_removal_without_a_reason_changes_nothing(workspace: Workspace, reason: str) -> None:
    block = grown(workspace)
    held = state(workspace.repo.path)
    agent = Scripted([replacing, lambda _bench: Outcome(reasons={block: reason})])
    answer = workspace.write(force=True, writer=AgentWriter(agent))
    assert answer.failure is not None
    assert (answer.failure.reason_code, len(agent.tasks)) == (Code.WRITER_BUDGET_EXCEEDED, 2)
    assert state(workspace.repo.path) == held


def test_evidence_of_before_stays_and_new_evidence_joins_it(workspace: Workspace) -> None:  # 0.31
    block = grown(workspace)

    def join(bench: Workbench) -> Outcome:
        text = bench.read(NOTES).text.replace(f" ^{block}", f"[^e1] ^{block}")
        bench.write(NOTES, f"{text}[^e1]: Time: `2024-03`; Sources: [coffee now](import/talk/m3)\n")
        return Outcome()

    answer = workspace.write(force=True, writer=AgentWriter(Scripted([join])))
    (changed,) = answer.claims.changed
    assert (changed.id, changed.evidence_added) == (block, ("import/talk/m3",))


def test_an_agent_that_fails_says_its_own_code(workspace: Workspace) -> None:
    def fail(_bench: Workbench) -> Outcome:
        raise Refused(Code.WRITER_BUDGET_EXCEEDED, "too many requests")

    answer = workspace.write(force=True, writer=AgentWriter(Scripted([fail])))
    assert answer.failure is not None
    assert answer.failure.reason_code == Code.WRITER_BUDGET_EXCEEDED


def test_an_interrupted_write_asks_the_agent_no_second_time(  # behaviours.md 10.10
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    agent = Scripted([note("Ada likes tea.")])
    with monkeypatch.context() as patch:
        patch.setattr("gitmem.writer.desks.commit", crash)
        with pytest.raises(KeyboardInterrupt):
            workspace.write(force=True, writer=AgentWriter(agent))
    again = Workspace.open(workspace.repo.path, ME, QUICK)
    assert [block.content for block in again.write(force=True, writer=AgentWriter(agent)).claims.added] == [
        "Ada likes tea."
    ]
    assert len(agent.tasks) == 1
