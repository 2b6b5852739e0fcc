"""Making workspaces: empty, of a folder of topics, bare; and where none may be made (cli.md, init)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archives import ARCHIVE, archive, block, topic
from gitmem.errors import Code, GitmemError, InvalidRequest, NotFound, Refused
from gitmem.store.lock import write_lock
from gitmem.workspace import Workspace
from workspaces import ME, QUICK, state

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from gitmem.store.repository import Repo
    from running import Git


def lay_out(folder: Path, files: dict[str, str | bytes]) -> Path:
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


VALID = {
    "topics/people/ada.md": topic("Ada", block("Ada likes tea.", "aaaa1111", up=2)),
    ARCHIVE: archive("m1"),
    "sources/D1.md": '# D1\n\n<a id="d1-1"></a>\n[2023-05-08] Ada: hi [D1:1]\n',
}


@pytest.mark.parametrize("bare", [False, True])
def test_a_new_workspace_is_private_tracked_and_clean(tmp_path: Path, git: Git, *, bare: bool) -> None:
    folder = tmp_path / "deep" / "w"
    made = Workspace.create(folder, ME, QUICK, bare=bare)
    assert (made.created, made.bare, made.branch, made.adopted.topics) == (True, bare, "main", 0)
    assert git(folder, "ls-tree", "--name-only", f"{made.revision}").split() == [".gitattributes", ".gitmem"]
    assert f"id = {made.workspace_id}" in git(folder, "show", "HEAD:.gitmem")
    assert git(folder, "rev-parse", "HEAD") == made.derived_commit
    assert folder.stat().st_mode & 0o777 == 0o700  # behaviours.md 0.24
    if not bare:
        assert (folder / ".gitmem").stat().st_mode & 0o777 == 0o600
        assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict")


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    first = Workspace.create(tmp_path / "w", ME, QUICK)
    held = state(tmp_path / "w")
    again = Workspace.create(tmp_path / "w", ME, QUICK)
    assert (again.created, again.workspace_id, again.revision) == (False, first.workspace_id, first.revision)
    assert state(tmp_path / "w") == held


def test_a_folder_of_topics_is_taken_as_it_is(tmp_path: Path, git: Git) -> None:
    folder = lay_out(tmp_path / "w", VALID)
    made = Workspace.create(folder, ME, QUICK)
    assert (made.adopted.topics, made.adopted.sources) == (1, 2)
    for path, data in VALID.items():
        assert (folder / path).read_bytes() == (data.encode() if isinstance(data, str) else data)
    assert "Ada likes tea." in (folder / "timeline/2024/03/15.md").read_text()
    assert git(folder, "status", "--porcelain") == ""


def test_views_that_stood_there_go_to_rescue(tmp_path: Path, git: Git) -> None:
    folder = lay_out(tmp_path / "w", {**VALID, "relations.json": "mine"})
    made = Workspace.create(folder, ME, QUICK)
    (rescue,) = made.rescues
    assert git(folder, "show", f"{rescue}:relations.json") == "mine"
    assert (folder / "relations.json").read_text().startswith("{")


def test_another_folder_is_adopted_and_left_alone(tmp_path: Path) -> None:
    origin = lay_out(tmp_path / "origin", VALID)
    held = state(origin)
    made = Workspace.create(tmp_path / "w", ME, QUICK, adopt=origin)
    assert (made.adopted.topics, made.adopted.sources) == (1, 2)
    assert Workspace.open(tmp_path / "w", ME, QUICK).memory().facts.claims("aaaa1111")  # type: ignore[arg-type]
    assert state(origin) == held


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"topics/a.md": "# A\n\nloose words\n"}, Code.INVALID_TOPIC_FORMAT),
        ({"topics/a.md": topic("A", block("Ada.", "aaaa1111"))}, Code.MISSING_SOURCE),
        ({**VALID, "topics/A.md": VALID["topics/people/ada.md"], "topics/a.md": ""}, None),
    ],
)
def test_an_invalid_folder_is_refused_and_left_as_it_was(
    tmp_path: Path, files: dict[str, str | bytes], code: Code | None
) -> None:
    folder = lay_out(tmp_path / "w", files)
    held = state(folder)
    with pytest.raises(GitmemError) as caught:
        Workspace.create(folder, ME, QUICK)
    assert code in {None, caught.value.code}
    assert caught.value.findings
    assert state(folder) == held


def test_a_refused_adoption_leaves_no_new_folder(tmp_path: Path) -> None:
    origin = lay_out(tmp_path / "origin", {"topics/a.md": "loose words\n"})
    with pytest.raises(Refused):
        Workspace.create(tmp_path / "w", ME, QUICK, adopt=origin)
    assert not (tmp_path / "w").exists()
    with pytest.raises(NotFound):
        Workspace.create(tmp_path / "w", ME, QUICK, adopt=tmp_path / "none")
    assert not (tmp_path / "w").exists()


def test_memory_needs_a_repository_and_a_folder_of_its_own(tmp_path: Path, git: Git) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    for inside in (outer / "memory", outer):
        with pytest.raises(Refused) as caught:
            Workspace.create(inside, ME, QUICK)
        assert caught.value.code is Code.NESTED_REPOSITORY
    assert not (outer / "memory").exists()
    papers = lay_out(tmp_path / "papers", {"letter.txt": "dear"})
    held, mode = state(papers), papers.stat().st_mode
    with pytest.raises(InvalidRequest):
        Workspace.create(papers, ME, QUICK)
    assert (state(papers), papers.stat().st_mode) == (held, mode)


@pytest.mark.parametrize("doing", ["detached", "merging"])
def test_a_busy_workspace_still_answers_that_it_stands_there(tmp_path: Path, git: Git, doing: str) -> None:
    folder = tmp_path / "w"
    made = Workspace.create(folder, ME, QUICK)
    if doing == "detached":
        git(folder, "switch", "-q", "--detach")
    else:
        git(folder, "switch", "-q", "-c", "side")
        Workspace.open(folder, ME, QUICK).remember("Ada likes tea.", "topics/ada.md", time="2024")
        git(folder, "switch", "-q", "main")
        git(folder, "merge", "-q", "--no-ff", "--no-commit", "side")
    again = Workspace.create(folder, ME, QUICK)
    assert (again.created, again.revision) == (False, made.revision)


def test_a_path_with_steps_up_means_where_it_leads(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "one", ME, QUICK)
    assert Workspace.create(tmp_path / "one" / ".." / "two", ME, QUICK).created
    assert (tmp_path / "two" / ".gitmem").exists()


def test_whoever_waited_finds_the_workspace_that_was_made_meanwhile(  # behaviours.md 9.1
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "w"
    first = []

    def late(repo: Repo, timeout: float) -> AbstractContextManager[None]:
        monkeypatch.undo()
        first.append(Workspace.create(folder, ME, QUICK))
        return write_lock(repo, timeout)

    monkeypatch.setattr("gitmem.transaction.create.write_lock", late)
    second = Workspace.create(folder, ME, QUICK)
    assert (first[0].created, second.created) == (True, False)
    assert second.workspace_id == first[0].workspace_id
