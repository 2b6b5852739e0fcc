"""Replaying a long history gives what checking each commit alone gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.audit import replay as module
from gitmem.audit.replay import Replay
from gitmem.facts.scan import scan_facts
from gitmem.ids import TopicPath
from gitmem.store.walk import history
from gitmem.testing.facts import answers

if TYPE_CHECKING:
    import pytest

    from gitmem.facts.base import Facts
    from gitmem.workspace import Workspace

TOPICS = tuple(f"topics/people/{name}.md" for name in ("ada", "bob", "ada0", "ada1"))


def told(facts: Facts) -> dict[object, object]:
    """What checks may ask; when a block first appeared is none of it."""
    found = answers(facts, topics=TOPICS, whens=["2023", "2024", "2024-03-15"])
    ids = [claim.id for path in TOPICS for claim in facts.of_topic(TopicPath(path))]
    targets = [r for i in ids for c in facts.claims(i) for e in c.evidence for s in e.sources if (r := s.resolved)]
    found |= answers(facts, ids=ids, targets=targets)
    return {key: answer for key, answer in found.items() if key[0] not in {"recent", "created", "created_count"}}


def test_facts_are_exact_however_often_they_are_read_in_full(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        workspace.remember(f"Ada has {number} cats.", f"people/ada{number % 2}.md", time="2024")
    tip, repo = workspace.memory().commit, workspace.repo
    for few in (0, 1, 64):
        monkeypatch.setattr(module, "_FEW", few)
        reading = module._Reading(repo)
        for passed in history(repo, tip):
            found = reading.facts(module.Snapshot.at(repo, passed.oid))
            assert told(found) == told(workspace.memory(passed.oid).facts)


def test_facts_are_exact_from_a_state_that_is_known(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    start = workspace.memory().commit
    known = (module.Snapshot.at(workspace.repo, start), scan_facts(module.Snapshot.at(workspace.repo, start)))
    for number in range(3):
        workspace.remember(f"Ada has {number} cats.", f"people/ada{number % 2}.md", time="2024")
    tip = workspace.memory().commit
    for few in (0, 64):
        monkeypatch.setattr(module, "_FEW", few)
        reading = module._Reading(workspace.repo, known)
        for passed in history(workspace.repo, tip, start):
            found = reading.facts(module.Snapshot.at(workspace.repo, passed.oid))
            assert told(found) == told(workspace.memory(passed.oid).facts)


def test_commits_and_files_are_counted(workspace: Workspace) -> None:
    replay = Replay(workspace.repo)
    assert list(replay.check(history(workspace.repo, workspace.memory().commit))) == []
    assert replay.commits == 6
    assert {"topics/people/ada.md", ".gitmem", "timeline/2023.md"} <= replay.paths
