"""The editing commands as scripts and people see them (cli.md, "Workspace", "Editing", "Inputs")."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from stories import ADA, claim, revision, says
from untouched import byte_identical
from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Answer, Gitmem

R = [
    *("ok", "revision", "derived_commit", "memory_committed", "source_ids", "block_ids", "evidence_ids"),
    *("changed_files", "autosave", "warnings"),
]
SOURCES = [{"label": "new-source-a", "role": "user", "content": "I moved\nto Bern"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return reopened(folder)


def typed(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def put(folder: Path, name: str, value: object) -> str:
    path = folder.parent / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def update_of(block: str, content: str) -> list[dict[str, Any]]:
    sources = [{"source": "new-source-a", "label": "said"}]
    return [{"op": "update_record", "memory_id": block, "content": content, "time": "2026", "sources": sources}]


# --- remember


def test_remember_has_the_documented_shape(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    answer = gitmem("remember", "Ada lives in Basel.", "--topic", "people/ada.md", "--json", cwd=folder)
    assert (answer.status, answer.err, list(answer.json)) == (0, "", R)
    (block,) = answer.json["block_ids"].values()
    assert says(workspace, block) == "Ada lives in Basel."
    assert answer.json["revision"] == revision(workspace)


@pytest.mark.parametrize("topic", ["people/ada", "people/ada.md", "topics/people/ada", "topics/people/ada.md"])
def test_a_topic_is_named_in_short_or_in_full(gitmem: Gitmem, folder: Path, topic: str) -> None:
    answer = gitmem("remember", "Ada lives in Basel.", "--topic", topic, cwd=folder)
    assert answer.status == 0
    assert (folder / "topics" / ADA).is_file()
    assert answer.out.startswith("revision ")
    assert "+ ^" in answer.out


def test_remember_takes_every_option(
    gitmem: Gitmem, folder: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "Ada eats no meat.\n")
    options = ["--heading", "Ada > Food", "--time", "2024-03", "--quote", "no meat"]
    first = gitmem("remember", "-", "--topic", ADA, *options, "--json", cwd=folder)
    assert first.status == 0
    (block,) = first.json["block_ids"].values()
    (found,) = workspace.why(block).results
    assert (found.content, found.headings, found.when) == ("Ada eats no meat.", ("Ada", "Food"), "2024-03")
    assert found.evidence[0].sources[0].text == "no meat"
    source = found.refs[0]
    second = gitmem("remember", "Ada is vegetarian.", "--topic", ADA, "--source", source, "--json", cwd=folder)
    assert second.json["source_ids"] == {}


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["x"], 2, "INVALID_ARGUMENT"),
        (["x", "--topic", "../x"], 1, "PATH_OUTSIDE_WORKSPACE"),
        (["x", "--topic", "x.txt"], 1, "READ_ONLY_PATH"),
        (["# x", "--topic", "x"], 1, "INVALID_TOPIC_FORMAT"),
        (["x", "--topic", "x", "--time", "soon"], 2, "INVALID_ARGUMENT"),
        (["x", "--topic", "x", "--source", "a/b/c"], 1, "MISSING_SOURCE"),
        (["x", "--topic", "x", "--source", "a/b/c", "--quote", "q"], 2, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_remembered_changes_nothing(
    gitmem: Gitmem, folder: Path, arguments: list[str], status: int, code: str
) -> None:
    with byte_identical(folder):
        answer = gitmem("remember", *arguments, "--json", cwd=folder)
    assert (answer.status, answer.code) == (status, code)


# --- update


def test_update_takes_records_and_sources(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    records, sources = put(folder, "r.json", update_of(block, "Ada lives in Bern.")), put(folder, "s.json", SOURCES)
    options = ["--records", records, "--sources", sources, "-m", "memory: Ada moved"]
    answer = gitmem("update", "--base", "HEAD", *options, "--json", cwd=folder)
    assert (answer.status, list(answer.json)) == (0, R)
    assert list(answer.json["source_ids"]) == ["new-source-a"]
    assert says(workspace, block) == "Ada lives in Bern."
    assert workspace.show("HEAD").subject == "memory: Ada moved"


def test_update_takes_a_patch_from_standard_input(
    gitmem: Gitmem, folder: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(workspace, "Ada lives in Basel.")
    patch = f"--- a/topics/{ADA}\n+++ b/topics/{ADA}\n@@ -1 +1 @@\n-# Ada\n+# Ada Lovelace\n"
    typed(monkeypatch, patch)
    answer = gitmem("update", "--base", revision(workspace), "--patch", "-", cwd=folder)
    assert (answer.status, answer.out.split("\n")[0].endswith("changed 1 file")) == (0, True)
    assert (folder / "topics" / ADA).read_text().startswith("# Ada Lovelace\n")


def test_update_takes_whole_files_and_says_when_nothing_changes(
    gitmem: Gitmem, folder: Path, workspace: Workspace
) -> None:
    claim(workspace, "Ada lives in Basel.")
    content = (folder / "topics" / ADA).read_text().replace("\n", "\r\n")
    changes = put(folder, "c.json", [{"path": f"topics/{ADA}", "action": "write", "content": content}])
    with byte_identical(folder):
        answer = gitmem("update", "--base", "HEAD", "--changes", changes, cwd=folder)
    assert (answer.status, answer.out.startswith("Nothing to do.")) == (0, True)
    as_json = gitmem("update", "--base", "HEAD", "--changes", changes, "--json", cwd=folder)
    assert (as_json.json["memory_committed"], as_json.json["revision"]) == (False, revision(workspace))


def test_warnings_go_to_standard_error(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    # cli.md "Inputs": CRLF becomes LF with a warning
    claim(workspace, "Ada lives in Basel.")
    content = (folder / "topics" / ADA).read_text().replace("# Ada", "# Ada L.").replace("\n", "\r\n")
    changes = put(folder, "c.json", [{"path": f"topics/{ADA}", "action": "write", "content": content}])
    answer = gitmem("update", "--base", "HEAD", "--changes", changes, cwd=folder)
    assert answer.status == 0
    assert answer.err.startswith("warning: ")
    assert "warning" not in answer.out


def bad_update(gitmem: Gitmem, folder: Path, *arguments: str) -> Answer:
    with byte_identical(folder):
        return gitmem("update", *arguments, "--json", cwd=folder)


def test_a_bad_update_changes_nothing(
    gitmem: Gitmem, folder: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(workspace, "Ada lives in Basel.")
    patch, records = put(folder, "p.diff", "hello"), put(folder, "r.json", update_of("nobody", "x"))
    (folder.parent / "latin").write_bytes(b"caf\xe9")
    wrong = {
        "broken": put(folder, "broken.json", "[{]"),
        "null": put(folder, "null.json", "null"),
        "deep": put(folder, "deep.json", "[" * 100_000),
        "latin": str(folder.parent / "latin"),
        "none": str(folder.parent / "none"),
        "folder": str(folder.parent),
    }
    cases = [
        (["--patch", patch], 2, "INVALID_ARGUMENT"),  # no --base
        (["--base", "HEAD"], 2, "INVALID_ARGUMENT"),
        (["--base", "HEAD", "--patch", patch, "--records", records], 2, "INVALID_ARGUMENT"),
        (["--base", "HEAD", "--patch", patch], 1, "PATCH_CONFLICT"),
        (["--base", "HEAD~2", "--records", records, "--sources", put(folder, "s", SOURCES)], 3, "CONCURRENT_UPDATE"),
        (["--base", "nope", "--patch", patch], 4, "REVISION_NOT_FOUND"),
        (["--base", "HEAD", "--records", records, "--sources", put(folder, "s", SOURCES)], 4, "MEMORY_NOT_FOUND"),
        *((["--base", "HEAD", "--records", file], 2, "INVALID_ARGUMENT") for file in wrong.values()),
        (["--base", "HEAD", "--changes", wrong["null"]], 2, "INVALID_ARGUMENT"),
        (["--base", "HEAD", "--records", "-", "--sources", "-"], 2, "INVALID_ARGUMENT"),
    ]
    for arguments, status, code in cases:
        answer = bad_update(gitmem, folder, *arguments)
        assert (answer.status, answer.code) == (status, code), arguments
    typed(monkeypatch, b"\xff")
    assert bad_update(gitmem, folder, "--base", "HEAD", "--patch", "-").code == "INVALID_ARGUMENT"


def test_a_bad_update_is_named_as_the_options_are(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    unknown = gitmem("update", "--base", "HEAD", "--records", put(folder, "r", [{"op": "burn"}]), cwd=folder)
    assert unknown.err.startswith("error: records[0].op must be one of ")
    none = gitmem("update", "--base", "HEAD", cwd=folder)
    assert none.err.startswith("error: give exactly one of --patch, --changes and --records [")
    sources = put(folder, "s", SOURCES)
    for content, told in (("One.\n\nTwo.", "two paragraphs"), ("- a\n\nTwo.", "list, paragraph")):
        records = put(folder, "two", update_of(block, content))
        answer = gitmem("update", "--base", "HEAD", "--records", records, "--sources", sources, cwd=folder)
        assert f"it reads as {told} [" in answer.err


def test_a_message_says_where_the_json_is_wrong(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("update", "--base", "HEAD", "--records", put(folder, "r.json", '[\n{"op": }]'), cwd=folder)
    assert "line 2, column 8" in answer.err


# --- rm, mv, merge-blocks


def test_rm_keeps_an_autosave_and_says_how_to_go_back(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    block, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Bob.", "bob.md")
    answer = gitmem("rm", f"topics/{ADA}#^{block}", "topics/bob.md", "-m", "memory: tidy", cwd=folder)
    assert answer.status == 0
    assert (says(workspace, block), says(workspace, other)) == (None, None)
    assert "kept  refs/gitmem/autosave/" in answer.out
    command = answer.out.strip().split("\n")[-1].removeprefix("back  gitmem ")
    assert gitmem(*command.split(), cwd=folder).status == 0
    assert says(workspace, block) == "Ada lives in Basel."
    again = gitmem("rm", block, "--json", cwd=folder)
    assert (again.status, list(again.json)) == (0, R)
    assert again.json["autosave"].startswith("refs/gitmem/autosave/")


def test_rm_of_a_folder_takes_its_topics(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    ada, eve = claim(workspace, "Ada."), claim(workspace, "Eve.", "people/deep/eve.md")
    bob, cat = claim(workspace, "Bob.", "bob.md"), claim(workspace, "A cat.", "bob.md")
    dog = claim(workspace, "A dog.", "pets/dog.md")
    refused = gitmem("mv", "topics/people", "topics/folk", cwd=folder)
    assert refused.status == 2
    assert "topics/people is a folder; name its topics, which `gitmem browse topics/people` lists" in refused.err
    assert gitmem("rm", "topics/people/", cwd=folder).status == 0
    assert [says(workspace, block) for block in (ada, eve)] == [None, None]
    assert gitmem("rm", "./pets/", bob, cwd=folder).status == 0
    assert [says(workspace, block) for block in (dog, bob, cat)] == [None, None, "A cat."]
    assert gitmem("rm", "topics/people", "--json", cwd=folder).code == "READ_ONLY_PATH"


def test_mv_moves_blocks_and_files(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    answer = gitmem("mv", block, "homes", "--heading", "Homes > Basel", "--json", cwd=folder)
    assert (answer.status, list(answer.json)) == (0, R)
    assert workspace.why(block).results[0].headings == ("Homes", "Basel")
    assert gitmem("mv", "topics/homes.md", "topics/old", cwd=folder).status == 0
    assert (folder / "topics" / "old" / "homes.md").is_file()


def test_what_an_edit_did_is_shown_claim_by_claim(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Her home is Basel.")
    moved = gitmem("mv", other, "homes", cwd=folder).out
    assert f"\n> ^{other}  topics/{ADA} -> topics/homes.md\n" in moved
    assert f"\n> ^{keep}  topics/{ADA} -> topics/ada.md\n" in gitmem("mv", f"topics/{ADA}", "ada.md", cwd=folder).out
    merged = gitmem("merge-blocks", keep, other, cwd=folder).out
    assert f"\n= ^{other}  is part of ^{keep} now\n" in merged
    assert f"\n- ^{keep}  topics/ada.md  Ada lives in Basel.\n" in gitmem("rm", keep, cwd=folder).out


def test_merge_blocks_folds_one_into_the_other(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Her home is Basel.")
    answer = gitmem("merge-blocks", keep, other, "--json", cwd=folder)
    assert (answer.status, list(answer.json)) == (0, R)
    assert workspace.why(other).results[0].id == keep
    assert answer.json["autosave"] is not None


BAD_EDITS = [
    (["rm", "nobody"], (4, "MEMORY_NOT_FOUND")),
    (["rm", "topics/no.md"], (4, "PATH_NOT_FOUND")),
    (["rm"], (2, "INVALID_ARGUMENT")),
    (["rm", "../x.md"], (1, "PATH_OUTSIDE_WORKSPACE")),
    (["mv", "nobody", "x.md"], (4, "MEMORY_NOT_FOUND")),
    (["mv", f"topics/{ADA}", "topics/bob.md"], (1, "PATCH_CONFLICT")),
    (["mv", f"topics/{ADA}"], (2, "INVALID_ARGUMENT")),
    (["merge-blocks", "nobody", "nothing"], (4, "MEMORY_NOT_FOUND")),
    (["merge-blocks", "nobody"], (2, "INVALID_ARGUMENT")),
]


def test_a_bad_edit_changes_nothing(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    claim(workspace, "Bob is here.", "bob.md")
    for arguments, wanted in BAD_EDITS:
        with byte_identical(folder):
            answer = gitmem(*arguments, "--json", cwd=folder)
        assert (answer.status, answer.code) == wanted, arguments


def test_a_failure_is_told_to_people_with_what_to_do(gitmem: Gitmem, folder: Path, workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    claim(workspace, f"Bob lives where [Ada](people/ada.md#^{block}) lives.", "bob.md")
    answer = gitmem("rm", block, cwd=folder)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("error: ")
    assert "[INVALID_TOPIC_FORMAT]" in answer.err
    assert "topics/bob.md:" in answer.err
    assert block in answer.err
