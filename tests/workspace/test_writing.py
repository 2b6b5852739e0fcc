"""Writing through the facade: what each edit does, and that a refused one leaves nothing behind (parts 3 to 5)."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import Code, GitmemError
from gitmem.json_form import to_json
from gitmem.store.lock import write_lock
from gitmem.transaction.options import Options
from stories import ADA, Clock, change, claim, revision, says, text, topics
from untouched import byte_identical
from workspaces import reopened

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.workspace import Workspace

BOB = "people/bob.md"
SOURCE = {"label": "new-source-a", "role": "user", "content": "said"}
CITED = {"time": "2026", "sources": [{"source": "new-source-a", "label": "said"}]}


def refused(workspace: Workspace, call: Callable[[], object]) -> GitmemError:
    """The error of a call that must leave every byte as it was (architecture.md section 3)."""
    before = revision(workspace)
    with byte_identical(workspace.repo.path), pytest.raises(GitmemError) as caught:
        call()
    assert revision(workspace) == before
    return caught.value


def test_a_claim_is_remembered_with_its_evidence(workspace: Workspace) -> None:
    # cli.md "Inputs": the text itself is the evidence; today; the heading comes from the file's name; 0.22
    Clock(workspace)
    result = workspace.remember("Ada lives in Basel.", ADA)
    (handle,) = result.source_ids.values()
    (block,) = result.block_ids.values()
    assert handle.startswith("gitmem/cli-2026-08/")
    assert list(result.block_ids) == [f"topics/{ADA}#1"]
    assert list(result.evidence_ids) == [f"topics/{ADA}#e1"]
    assert result.changed_files == ("sources/gitmem/_v2/cli-2026-08.md", f"topics/{ADA}")
    (found,) = workspace.why(block).results
    assert (found.when, found.headings, found.refs) == ("2026-08-03", ("Ada",), (handle,))
    (source,) = found.evidence[0].sources
    assert (source.text, source.role, source.tier, source.speaker_id) == ("Ada lives in Basel.", "user", "owner", None)
    assert list(to_json(result)) == [  # type: ignore[call-overload]
        *("ok", "revision", "derived_commit", "memory_committed", "source_ids", "block_ids", "evidence_ids"),
        *("changed_files", "autosave", "warnings"),
    ]


def test_a_quote_or_an_archived_source_is_the_evidence(workspace: Workspace) -> None:
    (handle,) = workspace.remember("Ada eats no meat.", ADA, quote="no meat since school").source_ids.values()
    block = claim(workspace, "Ada eats fish.")
    result = workspace.remember("Ada is vegetarian.", ADA, source=handle, time="undated", heading="Ada > Food")
    (second,) = result.block_ids.values()
    assert result.source_ids == {}
    (found,) = workspace.why(second).results
    assert (found.when, found.headings, found.refs) == (None, ("Ada", "Food"), (handle,))
    assert found.evidence[0].sources[0].text == "no meat since school"
    assert block != second


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"text": ""}, Code.INVALID_TOPIC_FORMAT),
        ({"text": "# Heading"}, Code.INVALID_TOPIC_FORMAT),
        ({"text": "- a\n- b"}, Code.INVALID_TOPIC_FORMAT),
        ({"text": "```\ncode\n```"}, Code.INVALID_TOPIC_FORMAT),  # 17.7
        ({"text": "<div>x</div>"}, Code.INVALID_TOPIC_FORMAT),  # 17.7
        ({"text": "one\n\ntwo"}, Code.INVALID_TOPIC_FORMAT),
        ({"text": "cited[^e1]"}, Code.INVALID_TOPIC_FORMAT),
        ({"text": "named ^abcd1234"}, Code.INVALID_TOPIC_FORMAT),
        ({"text": "see [Bob](bob.md)"}, Code.INVALID_TOPIC_FORMAT),  # 2.12
        ({"text": "see [Bob](bob.md#^nobody)"}, Code.INVALID_TOPIC_FORMAT),
        ({"time": "2026-02-30"}, Code.INVALID_ARGUMENT),
        ({"time": "soon"}, Code.INVALID_ARGUMENT),
        ({"topic": "../x.md"}, Code.PATH_OUTSIDE_WORKSPACE),
        ({"topic": "/etc/passwd.md"}, Code.PATH_OUTSIDE_WORKSPACE),
        ({"topic": "x.txt"}, Code.READ_ONLY_PATH),
        ({"topic": "topics/.git/x.md"}, Code.READ_ONLY_PATH),
        ({"topic": "topics/con.md"}, Code.READ_ONLY_PATH),
        ({"heading": "A > "}, Code.INVALID_ARGUMENT),
        ({"source": "chat/t/none"}, Code.MISSING_SOURCE),
        ({"source": "x", "quote": "y"}, Code.INVALID_ARGUMENT),
        ({"quote": ""}, Code.INVALID_ARGUMENT),
    ],
    ids=str,
)
def test_what_cannot_be_remembered_leaves_nothing(workspace: Workspace, options: dict[str, Any], code: Code) -> None:
    claim(workspace, "Ada lives in Basel.")
    given = {"text": "Fine.", "topic": ADA, "time": "2026", **options}
    assert refused(workspace, lambda: workspace.remember(**given)).code is code


def payload(workspace: Workspace, **rest: Any) -> dict[str, Any]:
    return {"base_revision": revision(workspace), **rest}


def records(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"memory_changes": list(operations), "sources": [SOURCE]}


def create(**rest: Any) -> dict[str, Any]:
    destination = {"topic_path": BOB, "headings": ["Bob"], "position": "end"}
    return {"op": "create_record", "content": "Bob is here.", "destination": destination, **CITED, **rest}


PATCH = f"--- a/topics/{ADA}\n+++ b/topics/{ADA}\n@@ -1 +1 @@\n-# Ada\n+# Ada Lovelace\n"

BAD_UPDATES: dict[str, tuple[dict[str, Any], Code]] = {
    # 3.1 to 3.3
    "nothing": ({}, Code.INVALID_ARGUMENT),
    "two edits": ({"patch": PATCH, "changes": []}, Code.INVALID_ARGUMENT),
    "no base": ({"patch": PATCH, "base_revision": None}, Code.INVALID_ARGUMENT),
    "stale base": ({"patch": PATCH, "base_revision": "HEAD~2"}, Code.CONCURRENT_UPDATE),
    "unknown base": ({"patch": PATCH, "base_revision": "0" * 39 + "1"}, Code.REVISION_NOT_FOUND),
    "message": ({"patch": PATCH, "commit_message": 3}, Code.INVALID_ARGUMENT),
    "unknown key": ({"patch": PATCH, "force": True}, Code.INVALID_ARGUMENT),
    # part 4
    "context": ({"patch": PATCH.replace("-# Ada", "-# Eve")}, Code.PATCH_CONFLICT),
    "absent": ({"patch": PATCH.replace(ADA, "no.md")}, Code.PATCH_CONFLICT),
    "core": ({"patch": PATCH.replace(f"topics/{ADA}", "core.md")}, Code.READ_ONLY_PATH),
    "sources": ({"patch": PATCH.replace(f"topics/{ADA}", "sources/x/_v2/y.md")}, Code.READ_ONLY_PATH),
    "outside": ({"patch": PATCH.replace(f"topics/{ADA}", "topics/../../x.md")}, Code.PATH_OUTSIDE_WORKSPACE),
    "rename": ({"patch": f"rename from topics/{ADA}\n{PATCH}"}, Code.PATCH_CONFLICT),
    "no patch": ({"patch": "hello"}, Code.PATCH_CONFLICT),
    # 0.15, with sources that must go with the refusal (4.3)
    "uncited": (
        {
            "changes": [{"path": "topics/x.md", "action": "write", "content": "# X\n\nNo source.\n"}],
            "sources": [SOURCE],
        },
        Code.INVALID_TOPIC_FORMAT,
    ),
    "uncited list": (
        {"changes": [{"path": "topics/x.md", "action": "write", "content": "- a\n- b\n"}], "sources": [SOURCE]},
        Code.INVALID_TOPIC_FORMAT,
    ),
    # 4.5
    "undeclared label": (
        {
            "changes": [
                {
                    "path": "topics/x.md",
                    "action": "write",
                    "content": "X.[^e1]\n\n[^e1]: Time: `2026`; Sources: new-source-b\n",
                }
            ],
            "sources": [SOURCE],
        },
        Code.MISSING_SOURCE,
    ),
    # 5a
    "no changes": ({"changes": []}, Code.INVALID_ARGUMENT),
    "action": ({"changes": [{"path": f"topics/{ADA}", "action": "rename"}]}, Code.INVALID_ARGUMENT),
    "twice": (
        {"changes": [{"path": p, "action": "delete"} for p in (f"topics/{ADA}", f"topics/./{ADA}")]},
        Code.INVALID_ARGUMENT,
    ),
    "no such file": ({"changes": [{"path": "topics/no.md", "action": "delete"}]}, Code.PATH_NOT_FOUND),
    # 5b
    "unknown op": (records({"op": "forget"}), Code.INVALID_ARGUMENT),
    "no position": (records(create(destination={"topic_path": BOB, "headings": []})), Code.INVALID_ARGUMENT),
    "no time": (records({**create(), "time": 3}), Code.INVALID_ARGUMENT),
    "blank label": (records(create(sources=[{"source": "new-source-a", "label": " "}])), Code.INVALID_ARGUMENT),
    "unknown id": (records(create(), {"op": "delete_record", "memory_id": "nobody"}), Code.MEMORY_NOT_FOUND),
    "anchor": (
        records(
            create(
                destination={"topic_path": BOB, "headings": ["Bob"], "position": "after", "anchor_memory_id": "nobody"}
            )
        ),
        Code.MEMORY_NOT_FOUND,
    ),
    # 3.11
    "too many sources": (
        {**records(create()), "sources": [{**SOURCE, "label": f"new-source-{n}"} for n in range(65)]},
        Code.INVALID_ARGUMENT,
    ),
    "a long message": ({**records(create()), "commit_message": "x" * 501}, Code.INVALID_ARGUMENT),
    "a large source": ({**records(create()), "sources": [{**SOURCE, "content": "x" * 256_001}]}, Code.INVALID_ARGUMENT),
}


@pytest.mark.parametrize("name", BAD_UPDATES)
def test_a_refused_update_leaves_every_byte_as_it_was(workspace: Workspace, name: str) -> None:
    # behaviours.md 3.4
    claim(workspace, "Ada lives in Basel.")
    bad, code = BAD_UPDATES[name]
    asked = payload(workspace, **bad)
    if asked["base_revision"] == "HEAD~2":
        asked["base_revision"] = workspace.resolve("HEAD~2")
    assert refused(workspace, lambda: workspace.update(asked)).code is code


def test_all_three_forms_of_an_update(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    workspace.update(payload(workspace, patch=PATCH, commit_message="memory: her whole name"))
    assert text(workspace).startswith("# Ada Lovelace\n")
    assert workspace.show("HEAD").subject == "memory: her whole name"
    result = workspace.update(payload(workspace, **records(create())))
    assert list(result.source_ids) == ["new-source-a"]
    assert says(workspace, result.block_ids[f"topics/{BOB}#1"]) == "Bob is here."
    workspace.update(payload(workspace, changes=[{"path": f"topics/{BOB}", "action": "delete"}], git_commit="off"))
    assert not (workspace.repo.path / "topics" / BOB).exists()
    assert says(workspace, block) == "Ada lives in Basel."


def test_git_commit_is_ignored_with_a_warning(workspace: Workspace) -> None:
    # behaviours.md 0.1
    result = workspace.update(payload(workspace, git_commit="on", **records(create())))
    assert "git_commit is ignored" in result.warnings[0]


def test_an_update_that_changes_nothing_commits_nothing(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    before = revision(workspace)
    same = [{"path": f"topics/{ADA}", "action": "write", "content": text(workspace)}]
    with byte_identical(workspace.repo.path):
        result = workspace.update(payload(workspace, changes=same))
    assert (result.ok, result.memory_committed, result.revision) == (True, False, before)


def test_a_held_lock_is_a_conflict_and_the_same_call_passes_afterwards(workspace: Workspace) -> None:
    # behaviours.md 3.13
    workspace.options = Options(lock_timeout=0.01)
    held, done = Event(), Event()

    def hold() -> None:  # in a thread of its own: the lock is re-entrant in one (3.14)
        with write_lock(reopened(workspace.repo.path).repo, 5.0):
            held.set()
            done.wait()

    holder = Thread(target=hold)
    holder.start()
    held.wait()
    try:
        error = refused(workspace, lambda: workspace.remember("Ada lives in Basel.", ADA, time="2026"))
    finally:
        done.set()
        holder.join()
    assert (error.code, error.retryable) == (Code.CONCURRENT_UPDATE, True)
    claim(workspace, "Ada lives in Basel.")


def test_blocks_and_files_are_removed_with_an_autosave(workspace: Workspace) -> None:
    first, second, bob = claim(workspace, "One."), claim(workspace, "Two."), claim(workspace, "Bob.", BOB)
    before = revision(workspace)
    result = workspace.remove([f"^{first}", BOB], "memory: tidy up")
    assert [says(workspace, block) for block in (first, second, bob)] == [None, "Two.", None]
    assert workspace.show(str(result.autosave)).revision == before
    assert workspace.show("HEAD").subject == "memory: tidy up"


def test_what_cannot_be_removed_stays(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    claim(workspace, f"Bob lives where [Ada](ada.md#^{block}) lives.", BOB)
    for arguments, code in (
        (["nobody"], Code.MEMORY_NOT_FOUND),
        ([block, "topics/no.md"], Code.PATH_NOT_FOUND),
        ([block], Code.INVALID_TOPIC_FORMAT),  # 2.11
        (["../x.md"], Code.PATH_OUTSIDE_WORKSPACE),
        (["sources/gitmem/_v2/x.md"], Code.READ_ONLY_PATH),  # 4.3
    ):
        assert refused(workspace, lambda given=arguments: workspace.remove(given)).code is code  # type: ignore[misc]


def test_blocks_and_files_are_moved_and_links_follow(workspace: Workspace) -> None:
    # behaviours.md 2.4, 5.12
    block = claim(workspace, "Ada lives in Basel.")
    link = claim(workspace, f"Bob lives where [Ada](ada.md#^{block}) lives.", BOB)
    workspace.move([block], "homes.md", heading="Homes > Basel")
    assert says(workspace, link) == f"Bob lives where [Ada](../homes.md#^{block}) lives."
    assert not (workspace.repo.path / "topics" / ADA).exists()
    workspace.move(["topics/homes.md"], "topics/archive/2026.md")
    assert says(workspace, link) == f"Bob lives where [Ada](../archive/2026.md#^{block}) lives."
    workspace.move(["topics/archive/2026.md", f"topics/{BOB}"], "topics/all")
    assert [claim.path for claim in workspace.why("topics").results] == ["topics/all/2026.md", "topics/all/bob.md"]
    assert workspace.history(block).versions[-1].headings == ("Homes", "Basel")


def test_what_cannot_be_moved_stays(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    claim(workspace, "Bob is here.", BOB)
    for arguments, to, code in (
        ([f"topics/{ADA}"], f"topics/{BOB}", Code.PATCH_CONFLICT),
        ([f"topics/{ADA}", f"topics/{BOB}"], "topics/one.md", Code.INVALID_ARGUMENT),
        ([f"topics/{ADA}", block], "topics/x.md", Code.INVALID_ARGUMENT),
        (["nobody"], "x.md", Code.MEMORY_NOT_FOUND),
        ([block], "../x.md", Code.PATH_OUTSIDE_WORKSPACE),
    ):
        error = refused(workspace, lambda given=arguments, goal=to: workspace.move(given, goal))  # type: ignore[misc]
        assert error.code is code


def test_blocks_are_merged_with_an_autosave(workspace: Workspace) -> None:
    # cli.md "Inputs"
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Her home is Basel.")
    link = claim(workspace, f"Bob lives where [Ada](ada.md#^{other}) lives.", BOB)
    before = revision(workspace)
    result = workspace.merge_blocks(f"^{keep}", [other])
    (found,) = workspace.why(other).results
    assert (found.id, found.aliases, found.content) == (keep, (other,), "Ada lives in Basel.")
    assert len(found.evidence) == 2
    assert workspace.show(str(result.autosave)).revision == before
    assert says(workspace, link) is not None
    assert f"^{other} ^{keep}" in text(workspace)


def test_what_cannot_be_merged_stays(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    for keep, absorbed in ((block, ["nobody"]), ("nobody", [block])):
        error = refused(workspace, lambda one=keep, two=absorbed: workspace.merge_blocks(one, two))  # type: ignore[misc]
        assert error.code is Code.MEMORY_NOT_FOUND
    assert refused(workspace, lambda: workspace.merge_blocks(block, [block])).code is Code.INVALID_ARGUMENT


def test_an_edit_between_reading_and_writing_is_a_conflict(workspace: Workspace) -> None:
    # behaviours.md 3.2
    block = claim(workspace, "Ada lives in Basel.")
    asked = payload(workspace, **records({"op": "update_record", "memory_id": block, "content": "Late.", **CITED}))
    change(reopened(workspace.repo.path), block, "Ada lives in Bern.")
    assert refused(workspace, lambda: workspace.update(asked)).code is Code.CONCURRENT_UPDATE


def test_a_base_whose_topics_and_sources_still_stand_is_current(workspace: Workspace) -> None:
    # architecture.md section 3, step 2
    claim(workspace, "Ada lives in Basel.")
    was = topics(workspace)
    base = workspace.resolve("HEAD^")
    assert base != workspace.resolve("HEAD")
    workspace.update({"base_revision": workspace.resolve("HEAD"), "patch": PATCH})
    assert topics(workspace) != was
