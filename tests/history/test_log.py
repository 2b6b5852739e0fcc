"""Transactions, newest first, and their filters (cli.md, "log" and "show")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.history import log as log_module
from gitmem.json_form import to_json
from stories import ADA, claim, revision

if TYPE_CHECKING:
    from gitmem.workspace import Workspace
    from running import Git
    from stories import Story

ALL = ["bob", "remove", "merge", "move", "moved house", "cat", "viola", "home", "begin"]
T = [
    *("revision", "derived_commit", "parents", "at", "author", "writer", "authority", "subject", "claims"),
    "sources_added",
]


def names(story: Story, *target: str, **filters: Any) -> list[str]:
    known = {commit: name for name, commit in story.revisions.items()}
    return [known[told.revision] for told in story.workspace.log(*target, **filters).transactions]


def test_every_transaction_is_told_newest_first(story: Story) -> None:
    answer = story.workspace.log()
    assert names(story) == ALL
    assert (answer.revision, answer.truncated) == (story.revisions["bob"], False)


def test_each_tells_the_claims_it_changed(story: Story) -> None:
    told = dict(zip(ALL, story.workspace.log().transactions, strict=True))
    assert [(b.id, b.content) for b in told["home"].claims.added] == [(story.home, "Ada lives in Basel.")]
    (changed,) = told["moved house"].claims.changed
    assert (changed.id, changed.before, changed.after) == (story.home, "Ada lives in Basel.", "Ada lives in Bern.")
    assert changed.evidence_added == told["moved house"].sources_added
    (moved,) = told["move"].claims.moved
    assert (moved.id, moved.from_, moved.to) == (story.viola, f"topics/{ADA}", "topics/music.md")
    (merged,) = told["merge"].claims.merged
    assert (merged.id, merged.into) == (story.viola, story.home)
    assert [block.id for block in told["remove"].claims.removed] == [story.cat]
    assert (told["bob"].writer, told["bob"].authority) == ("cli", "owner")
    assert told["begin"].parents == ()


def test_each_names_the_commit_with_its_views(story: Story) -> None:
    repo = story.workspace.repo
    for told in story.workspace.log().transactions:
        assert told.derived_commit is not None
        assert story.workspace.resolve(f"{told.derived_commit}^") == told.revision
    assert story.workspace.log(limit=1).transactions[0].derived_commit == str(repo.git.head.target)


def test_the_answer_has_the_keys_of_the_document(story: Story) -> None:
    answer = to_json(story.workspace.log(limit=1))
    assert isinstance(answer, dict)
    assert list(answer) == ["revision", "truncated", "transactions"]
    (told,) = answer["transactions"]
    assert list(told) == T
    assert list(told["author"]) == ["name", "email"]
    assert list(told["claims"]) == ["added", "changed", "moved", "merged", "removed"]
    assert list(to_json(story.workspace.show("HEAD"))) == [*T, "files"]  # type: ignore[call-overload]


def test_a_limit_truncates(story: Story) -> None:
    assert names(story, limit=2) == ["bob", "remove"]
    assert story.workspace.log(limit=2).truncated
    assert not story.workspace.log(limit=len(ALL)).truncated


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        (f"topics/{ADA}", ["remove", "merge", "move", "moved house", "cat", "viola", "home"]),
        (ADA, ["remove", "merge", "move", "moved house", "cat", "viola", "home"]),
        ("topics/music.md", ["merge", "move"]),
        ("topics/people/", ["bob", "remove", "merge", "move", "moved house", "cat", "viola", "home"]),
        ("./people//bob.md", ["bob"]),
        ("topics", ["bob", "remove", "merge", "move", "moved house", "cat", "viola", "home"]),
        ("sources", ["bob", "moved house", "cat", "viola", "home"]),
        (".gitmem", ["begin"]),
        ("core.md", []),
    ],
)
def test_a_path_limits_to_what_changed_it(story: Story, target: str, wanted: list[str]) -> None:
    if target == "core.md":
        with pytest.raises(NotFound) as caught:
            story.workspace.log(target)
        assert caught.value.code is Code.PATH_NOT_FOUND
    else:
        assert names(story, target) == wanted


def test_a_block_limits_to_its_life(story: Story) -> None:
    assert names(story, story.home) == ["merge", "moved house", "home"]
    assert names(story, f"^{story.viola}") == ["merge", "move", "viola"]
    assert names(story, story.cat) == ["remove", "cat"]


def test_a_view_has_no_transactions_of_its_own(story: Story) -> None:
    assert names(story, "relations.json") == []


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"writer": "cli"}, ALL),
        ({"writer": "undo"}, []),
        ({"authority": "owner"}, ALL),
        ({"authority": "paired"}, []),
        ({"author": "TEST@example"}, ALL),
        ({"author": "somebody"}, []),
        ({"since": "2026-08-09", "until": "2026-08-09"}, ["remove"]),
        ({"since": "2026-08-08T10:00:00Z"}, ["bob", "remove", "merge"]),
        ({"until": "2026-08-03", "limit": 1}, ["home"]),
    ],
)
def test_filters_combine(story: Story, filters: dict[str, Any], wanted: list[str]) -> None:
    assert [name for name in names(story, **filters) if name != "begin"] == [n for n in wanted if n != "begin"]


def test_a_filter_goes_with_a_target(story: Story) -> None:
    assert names(story, story.home, since="2026-08-04", until="2026-08-07") == ["moved house"]


def test_a_long_history_is_read_page_by_page(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "PAGE", 2)
    assert names(story) == ALL


@pytest.mark.parametrize(
    ("target", "code"),
    [("topics/never.md", Code.PATH_NOT_FOUND), ("never/", Code.PATH_NOT_FOUND), ("never", Code.MEMORY_NOT_FOUND)],
)
def test_what_never_stood_is_not_found(story: Story, target: str, code: Code) -> None:
    with pytest.raises(NotFound) as caught:
        story.workspace.log(target)
    assert caught.value.code is code


def test_a_time_that_is_none_is_used_wrongly(story: Story) -> None:
    with pytest.raises(InvalidRequest):
        story.workspace.log(since="sometime")


def test_show_tells_one_transaction_with_its_files(story: Story) -> None:
    told = story.workspace.show(story.revisions["move"])
    assert told.files == ("topics/music.md", f"topics/{ADA}")
    assert story.workspace.show("HEAD").revision == story.revisions["bob"]
    assert story.workspace.show("HEAD^").derived_commit == story.workspace.resolve("HEAD")
    assert story.workspace.show("autosave/1").revision == story.revisions["merge"]
    assert story.workspace.show("2026-08-06").subject == "memory: Ada lives in Bern."


def test_a_commit_by_plain_git_is_told_without_a_writer(workspace: Workspace, git: Git) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    folder = workspace.repo.path
    git(folder, "switch", "-q", "-c", "side")
    (folder / "topics" / ADA).unlink()
    git(folder, "commit", "-q", "--no-verify", "-a", "-m", "drop Ada")
    side = revision(workspace)
    git(folder, "switch", "-q", "main")
    claim(workspace, "Bob is here.", "people/bob.md")
    git(folder, "merge", "-q", "--no-verify", "--no-ff", "-m", "merge side", "side")
    told = workspace.log(limit=2)
    merge, bob = told.transactions
    assert (merge.subject, merge.writer, merge.authority, len(merge.parents)) == ("merge side", None, None, 2)
    assert [removed.id for removed in merge.claims.removed] == [block]
    assert (bob.writer, merge.derived_commit) == ("cli", None)
    off_the_line = workspace.show(side)
    assert (off_the_line.subject, off_the_line.derived_commit) == ("drop Ada", None)
