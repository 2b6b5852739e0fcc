"""What an organizing agent is shown, and how its work is put on the tidied files (behaviours.md 10.11)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.format.topic import claims_of, parse_topic
from gitmem.ids import BlockId, SourceId, TopicPath
from gitmem.request import FileDelete, FilesEdit, FileWrite, NewSource, NoEdit
from gitmem.writer.agent import Outcome
from gitmem.writer.agent_writer import AgentWriter
from gitmem.writer.base import Batch, NoMemory
from gitmem.writer.organize import tidied
from gitmem.writer.organize_agent import as_memory, together
from gitmem.writer.organize_hints import MOST_GROUPS, alike
from gitmem.writer.organizer_prompt import BACKFILL_RULES, REASONS, backfilling, organizing
from memory_workspace import block, defined
from orderly import archived, survey
from talks import talk
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.format.model import Claim
    from gitmem.writer.agent import Prompt
    from gitmem.writer.workbench import Workbench

A, B = TopicPath("topics/a.md"), TopicPath("topics/b.md")
TWICE = (
    "# A\n\n"
    + block("Ada lives in Basel by the river.", "a1")
    + "\n"
    + block("Ada lives in Basel by the river!", "a2", 2)
)


def claims(*texts: str) -> tuple[Claim, ...]:
    blocks = "\n".join(block(text, f"b{number}", 1 + number % 12) for number, text in enumerate(texts))
    return claims_of(parse_topic(A, f"# A\n\n{blocks}"))


def test_claims_that_share_most_words_are_shown_the_likest_first() -> None:
    found = alike(
        claims(
            "Ada adopted a black cat called Miso in spring.",
            "Ada adopted a brown cat called Miso in spring.",
            "Ada adopted a black cat called Miso in early spring.",
            "Ben works in Bern.",
        )
    )
    assert next((one.id, other.id) for one, other in found) == ("b0", "b2")
    assert {claim.id for pair in found for claim in pair} == {"b0", "b1", "b2"}


def test_a_number_or_a_negation_makes_them_different() -> None:
    assert alike(claims("The budget of the garden is 50k.", "The budget of the garden is 60k.")) == []
    assert alike(claims("Ada likes green tea in spring.", "Ada never likes green tea in spring.")) == []


def test_no_more_groups_are_shown_than_can_be_looked_at() -> None:
    texts = [f"Word{n} thing{n} place{n} person{n} reason{n}{end}" for n in range(60) for end in (".", " again.")]
    assert len(alike(claims(*texts))) == MOST_GROUPS


def test_the_task_names_files_core_and_likenesses_one_json_text_a_line() -> None:
    memory = as_memory(tidied(survey(archived({A: TWICE}))))
    pair = claims("One\u2028two.", "Three.")
    task = organizing(memory, [pair], [BlockId("x")], 2_000)
    lines = [json.loads(line) for line in task.material.split("\n") if line.startswith("{")]
    assert lines[0] == {"path": A, "characters": len(memory.text(A) or ""), "blocks": 1}
    assert lines[1] == {"path": "topics/core.md", "tokens": 2_000, "left_out": ["^x"]}
    assert [line["block"] for line in lines[2:]] == ["^b0", "^b1"]
    assert task.shown == {"b0", "b1"}
    assert "\u2028" not in task.material
    assert all(reason in task.rules for reason in REASONS)


def test_the_backfill_task_holds_the_records_and_says_that_they_are_old() -> None:
    # behaviours.md 10.11: "Review every supplied record"
    task = backfilling(Batch(talk("I live in Basel.")), NoMemory())
    assert '"ref":"p/t/m0"' in task.material
    assert "Review every supplied record" in task.rules
    assert "archived earlier" in task.rules


@dataclass
class Silent:
    """An agent that finds nothing, and keeps its task."""

    name: str = "silent"
    signature: str = "silent"
    tasks: list[Prompt] = field(default_factory=list)

    def work(self, task: Prompt, bench: Workbench) -> Outcome:  # noqa: ARG002
        self.tasks.append(task)
        return Outcome(nothing_to_record=True)


def test_an_agent_that_backfills_is_told_that_the_records_are_old(tmp_path: Path) -> None:
    workspace = make(tmp_path / "w")
    source = NewSource("I live in Basel.", "user", handle=SourceId("p/t/m1"), timestamp="2024-03-15T10:00:00+00:00")
    workspace.commit(workspace.request(NoEdit(), [source]))
    agent = Silent()
    answer = workspace.backfill(writer=AgentWriter(agent))
    assert (answer.status, answer.processed, len(agent.tasks)) == ("ok", 1, 1)
    assert agent.tasks[0].rules == BACKFILL_RULES


def test_the_tidied_memory_reads_like_any_other() -> None:
    pages = tidied(survey(archived({A: TWICE, "topics/deep/b.md": "# B\n\n" + block("Ben.", "b1", folder="../..")})))
    memory = as_memory(pages)
    assert memory.paths() == (A, "topics/deep/b.md")
    assert memory.topics("topics") == (A,)
    assert memory.text(TopicPath("topics/none.md")) is None
    assert [claim.ids for claim in memory.of_topic(A)] == [("a2", "a1")]
    assert memory.of_topic(TopicPath("topics/none.md")) == ()


def test_the_work_of_an_agent_stands_over_what_was_tidied() -> None:
    pages = tidied(survey(archived({A: TWICE, B: "# B\n\n" + block("Ben lives in Bern.", "b1")})))
    tidy = pages.changes()
    assert isinstance(tidy, FilesEdit)
    assert [change.path for change in tidy.changes] == [A]
    written = together(pages, FilesEdit((FileWrite(A, "new"), FileDelete(B))))
    assert written == FilesEdit((FileWrite(A, "new"), FileDelete(B)))


def test_a_file_that_tidying_made_and_the_agent_took_away_never_was() -> None:
    notes = [defined(1 + n % 12, str(2000 + n)) for n in range(60)]
    text = "# A\n\n" + "".join(
        f"{' '.join(f'word{n}x{k}' for k in range(60))}[^{name}] ^b{n}\n\n{line}\n"
        for n, (name, line) in enumerate(notes)
    )
    pages = tidied(survey(archived({A: text})))
    new = next(path for path in pages.paths() if path != A)
    edit = together(pages, FilesEdit((FileDelete(new),)))
    assert isinstance(edit, FilesEdit)
    assert new not in [change.path for change in edit.changes]
