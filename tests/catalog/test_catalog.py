"""A catalogue that moved is a catalogue made from nothing (``architecture.md`` section 4)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogues import HANDLES, NAMES, MemoryCommits, built, edits, frame, now, told
from gitmem.catalog import catalog as module
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.database import Database
from gitmem.catalog.moving import move
from gitmem.errors import Code, NotFound, Unavailable
from gitmem.facts.scan import scan_facts
from gitmem.facts.trust import record_trust
from gitmem.format.frame import HEADER
from gitmem.format.model import TrustState
from gitmem.ids import ZERO_OID, Oid
from gitmem.testing.facts import answers

if TYPE_CHECKING:
    from gitmem.catalog.statistics import Statistics
    from gitmem.facts.scan import ScanFacts
    from gitmem.ids import BlockId
    from gitmem.testing.tree import MemoryTree


def grown(data: st.DataObject, steps: int) -> tuple[MemoryCommits, list[Oid]]:
    """A random history: each commit edits the one before, goes back to an earlier one, or merges one."""
    commits, line = MemoryCommits(), []
    for _ in range(data.draw(st.integers(1, steps))):
        parents = [data.draw(st.sampled_from(line))] if line and data.draw(st.booleans()) else line[-1:]
        files = dict(commits.tree(parents[0]).files) if parents else {}
        files |= data.draw(edits())
        if len(line) > 1 and data.draw(st.integers(0, 3)) == 0:
            parents.append(data.draw(st.sampled_from(line)))
        line.append(commits.add({path: text for path, text in files.items() if text is not None}, *parents))
    return commits, line


def counted(facts: ScanFacts, tree: MemoryTree) -> Statistics:
    """``Statistics`` by looking at everything."""
    paths = list(tree.files)
    records = [
        r for path in paths if path.startswith("sources/") and path.endswith(".md") for r in tree.archive(path).records
    ]
    shown = [r for r in records if r.framed or not facts.source(r.handle).framed]
    cited = {r.handle for r in records if facts.citing(r.target)}
    trusted = [r for r in shown if record_trust(facts, r) is TrustState.TRUSTED]
    return {
        "topics": sum(path.startswith("topics/") for path in paths),
        "blocks": len(list(facts.all_claims())),
        "archives": sum(path.startswith("sources/") and path.endswith(".md") for path in paths),
        "records": len(shown),
        "pending": len(shown) - len(trusted),
        "uncited": sum(r.handle not in cited for r in trusted),
    }


@settings(max_examples=settings.default.max_examples // 2)  # an example builds several catalogues
@given(st.data())
def test_moving_gives_what_building_gives(data: st.DataObject) -> None:
    commits, line = grown(data, 4)
    moved = Catalog(commits, None)
    for commit in line:
        moved.refresh(commit)
        fresh = built(commits, commit)
        assert told(now(moved)) == told(now(fresh))
        assert moved.statistics() == fresh.statistics()


@settings(max_examples=settings.default.max_examples // 2)
@given(st.data())
def test_another_commit_looks_as_if_it_were_held(data: st.DataObject) -> None:
    commits, line = grown(data, 3)
    catalog = built(commits, data.draw(st.sampled_from(line)))
    held = told(now(catalog))
    for commit in line:
        with catalog.at(commit) as view:
            assert told(view) == told(now(built(commits, commit)))
    assert told(now(catalog)) == held


@given(st.data())
def test_the_catalogue_agrees_with_a_scan(data: st.DataObject) -> None:
    commits, line = grown(data, 3)
    own = [line[-1]]
    while parents := commits.parents(own[-1]):
        own.append(parents[0])
    created: dict[BlockId, int] = {}
    for commit in reversed(own):
        facts = scan_facts(commits.tree(commit), dict(created))
        created |= {name: facts.created(name) for claim in facts.all_claims() for name in claim.ids}
    catalog = built(commits, line[-1])
    about = told(now(catalog))["facts"]
    assert about == answers(facts, **NAMES)
    assert asdict(catalog.statistics()) == counted(facts, commits.tree(line[-1]))


def test_an_unborn_branch_is_an_empty_memory(commits: MemoryCommits) -> None:
    commit = commits.add({"topics/a.md": b"# A\n"})
    catalog = built(commits, ZERO_OID)
    empty = told(now(catalog))
    catalog.refresh(commit)
    catalog.refresh(ZERO_OID)
    assert told(now(catalog)) == empty
    assert catalog.commit == ZERO_OID


def test_a_commit_that_is_not_there_leaves_everything(commits: MemoryCommits) -> None:
    commit = commits.add({"topics/a.md": b"# A\n"})
    catalog = built(commits, commit)
    with pytest.raises(NotFound):
        catalog.refresh(Oid("f" * 40))
    catalog.refresh(commit)
    assert catalog.statistics().topics == 1


def test_nothing_is_answered_before_or_after_a_refresh(commits: MemoryCommits) -> None:
    first, second = commits.add({}), commits.add({"topics/a.md": b"# A\n"})
    catalog = Catalog(commits, None)
    with pytest.raises(RuntimeError):
        catalog.facts()
    catalog.refresh(first)
    facts = catalog.facts()
    catalog.refresh(second)
    with pytest.raises(RuntimeError):
        facts.created_count()
    catalog.release()
    with pytest.raises(RuntimeError):
        catalog.statistics()
    catalog.close()
    catalog.close()


def test_another_process_that_was_faster_leaves_nothing_to_do(commits: MemoryCommits) -> None:
    tip = commits.add({"topics/a.md": b"# A\n"})
    database = Database(None)
    for _ in range(2):
        with database.writing():
            move(database, commits, tip)
    assert database.rows("SELECT value FROM meta WHERE name = 'generation'") == [(1,)]
    database.close()


def test_a_catalogue_that_others_keep_moving_is_an_error(
    commits: MemoryCommits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    with pytest.raises(Unavailable) as caught:
        built(commits, commits.add({}))
    assert caught.value.code is Code.STORAGE_UNAVAILABLE


def test_history_that_is_gone_is_compared_file_by_file(commits: MemoryCommits) -> None:
    files = {"sources/chat/_v2/t.md": HEADER + frame(HANDLES[0], "tea"), "topics/core.md": b"# A\n"}
    old = commits.add(files)
    catalog = built(commits, old)
    new = commits.add({**files, "topics/core.md": b"# B\n"})
    del commits.known[old]  # rewritten, and pruned
    catalog.refresh(new)
    assert told(now(catalog)) == told(now(built(commits, new)))


def test_a_shallow_history_begins_where_it_is_cut(commits: MemoryCommits) -> None:
    root = commits.add({"topics/a.md": b"# A\n"})
    tip = commits.add({"topics/a.md": b"# B\n"}, root)
    del commits.known[root]
    assert [link.commit for link in built(commits, tip).history().commits(9)] == [tip]
