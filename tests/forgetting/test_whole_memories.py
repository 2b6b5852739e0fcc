"""Memories with any history stay memories after something is forgotten, and say everything else as before."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import GitmemError
from leaks import places
from stories import text
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace

TOPICS = ["people/ada.md", "people/bob.md", "core.md", "music.md"]
WORDS = ("Ada", "Bob", "lives", "plays", "violin", "river", "Bern", "mountain", "quiet", "clock", "sister", "winter")


def sentence(chooser: random.Random, number: int) -> str:
    return f"Number {number} says {' '.join(chooser.choices(WORDS, k=9))}."


def blocks_of(workspace: Workspace) -> dict[str, str]:
    facts = workspace.memory().facts
    return {claim.id: claim.content for path in TOPICS for claim in facts.of_topic(f"topics/{path}")}  # type: ignore[arg-type]


def live(workspace: Workspace, chooser: random.Random, steps: int) -> tuple[list[str], list[str]]:
    """So many changes of every kind; the handles of what was said, and what was said."""
    handles: list[str] = []
    said: list[str] = []
    for number in range(steps):
        known = blocks_of(workspace)
        present = sorted(known, key=lambda block: known[block])  # ids are random, what is said is not
        kind = chooser.choice(["say", "say", "say", "merge", "move", "remove", "undo", "link", "rewrite"])
        try:
            if kind == "merge" and len(present) > 2:
                keep, absorbed = chooser.sample(present, 2)
                workspace.merge_blocks(keep, [absorbed])
            elif kind == "move" and present:
                workspace.move(
                    [chooser.choice(present)], chooser.choice(TOPICS), heading=chooser.choice(["A", "B > C"])
                )
            elif kind == "remove" and present:
                workspace.remove([chooser.choice(present)])
            elif kind == "undo":
                workspace.undo()
            else:
                words = sentence(chooser, number)
                if kind == "link" and present:
                    block = chooser.choice(present)
                    path = workspace.memory().facts.claims(block)[0].path  # type: ignore[arg-type]
                    words = f"{words[:-1]}, as [told](../{path[7:]}#^{block})."
                    topic = "people/ada.md"
                else:
                    topic = chooser.choice(TOPICS)
                result = workspace.remember(
                    words, topic, heading=chooser.choice([None, "A", "B > C"]), time="2024-03-15"
                )
                handles += result.source_ids.values()
                said.append(words)
        except GitmemError:
            continue
    return handles, said


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("keep_shared", [True, False])
def test_a_memory_stays_one(tmp_path: Path, seed: int, *, keep_shared: bool) -> None:
    chooser = random.Random(seed)  # noqa: S311  (the same every time)
    workspace = make(tmp_path / "w")
    handles, said = live(workspace, chooser, 30)
    assert workspace.check(all_history=True).findings == ()
    before = blocks_of(workspace)
    chosen = chooser.sample(sorted(set(handles)), 3)
    answer = workspace.forget(chosen, keep_shared=keep_shared)
    changed = {claim.id for claim in (*answer.claims, *answer.shared)}
    after = blocks_of(workspace)
    assert {block: words for block, words in before.items() if block not in changed and "](" not in words} == {
        block: words for block, words in after.items() if block not in changed and "](" not in before[block]
    }
    assert workspace.check(all_history=True).findings == ()
    assert workspace.check().findings == ()
    assert places(tmp_path / "w", *chosen) == []
    words = [w for h, w in zip(handles, said, strict=True) if h in chosen]
    if not keep_shared:
        assert places(tmp_path / "w", *(w.split(", as ")[0] for w in words)) == []
    assert text(workspace, "sources/forgotten.jsonl").count("\n") == 3
