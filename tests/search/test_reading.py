"""Reading one thing whole (`cli.md`, get; `behaviours.md` 16.3, 17.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.answers import to_json
from gitmem.errors import Code, GitmemError, NotFound
from gitmem.format.layout import anchor
from gitmem.search import reading
from reading_memory import ADA, BOB, CORE, DIALOG, LEGACY, TRICKY, V2, files, handle, pets

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

NOTE = f"[^e-a1]: Time: `2024-03-15`; Sources: [m1](../../{V2}#{anchor(handle('m1'))})"
BLOCK = f"Ada is building a budget tracker in Flask.[^e-a1] ^old1 ^aaaa1111\n\n{NOTE}\n"


@pytest.mark.parametrize("what", [ADA, "people/ada.md", "topics/people/ada", "people/ada", "./topics//people/ada.md"])
def test_a_topic_is_given_as_it_stands(memory: Workspace, what: str) -> None:
    found = memory.get(what)
    assert (found.path, found.kind, found.line, found.headings) == (ADA, "topic", 1, ())
    assert found.content == (files()[ADA] + pets()).decode()
    assert [block.id for block in found.blocks] == ["aaaa1111", "bbbb2222", "cccc3333", "eeee5555"]
    assert found.blocks[0].aliases == ("old1",)
    assert not found.truncated


@pytest.mark.parametrize(
    "what", ["aaaa1111", "^aaaa1111", "#^aaaa1111", f"{ADA}#^aaaa1111", "people/ada#^aaaa1111", "old1", "^old1"]
)
def test_a_block_is_given_with_its_footnotes_under_every_name(memory: Workspace, what: str) -> None:  # 16.3, 17.5
    found = memory.get(what)
    assert (found.path, found.kind, found.line, found.headings) == (ADA, "block", 3, ("Ada",))
    assert found.content == BLOCK
    assert [block.id for block in found.blocks] == ["aaaa1111"]


def test_a_block_can_be_asked_for_by_its_file(memory: Workspace) -> None:
    assert memory.get(ADA, block="old1").content == BLOCK
    assert memory.get(ADA, block=f"{ADA}#^aaaa1111").content == BLOCK
    assert memory.get("cccc3333").content.endswith(f"\n\n{NOTE}\n")


def test_a_section_is_given_with_the_footnotes_it_needs(memory: Workspace) -> None:
    found = memory.get(ADA, heading="Home")
    assert (found.kind, found.line, found.headings) == ("section", 7, ("Ada", "Home"))
    assert found.content.startswith("## Home\n\nAda keeps a budget")
    assert "### Pets" in found.content
    assert found.content.count("[^e-a2]: ") == 1
    assert found.content.endswith(f"\n\n{NOTE}\n")  # which stands above the section
    assert [block.id for block in found.blocks] == ["bbbb2222", "cccc3333", "eeee5555"]
    assert memory.get(ADA, heading="Ada > Home").content == found.content
    assert memory.get(ADA, heading="Home > Pets").blocks[0].trust_state == "pending"


@pytest.mark.parametrize("heading", ["Nowhere", "Home > Ada", ""])
def test_a_heading_that_is_not_there_is_said(memory: Workspace, heading: str) -> None:
    with pytest.raises(NotFound) as caught:
        memory.get(ADA, heading=heading)
    assert (caught.value.code, caught.value.path) == (Code.PATH_NOT_FOUND, ADA)


@pytest.mark.parametrize(
    "what", [handle("m5"), f"{V2}#{anchor(handle('m5'))}", f"sources/chat/g1.md#{anchor(handle('m5'))}"]
)
def test_a_message_is_given_as_archived_without_comments(memory: Workspace, what: str) -> None:  # 16.11
    found = memory.get(what)
    assert (found.path, found.kind) == (V2, "source")
    assert found.content == f"[2024-06-01T10:00:00+00:00] Ada: {TRICKY}"
    assert files()[V2].split(b"\n")[found.line - 1].endswith(b"Ada: first line\r")
    assert found.blocks == ()


def test_a_frame_wins_over_the_legacy_copy(memory: Workspace) -> None:  # 7.14
    assert memory.get(handle("m1")).path == V2
    assert memory.get(handle("m0")).path == LEGACY
    assert memory.get("D1:2").content == "[2023-05-08] Melanie: Tomatoes need sun."
    assert memory.get("sources/D1.md#d1-1").path == DIALOG


def test_an_archive_is_given_without_metadata_and_nothing_else_is_missing(memory: Workspace) -> None:  # 16.11
    found = memory.get(V2)
    assert found.kind == "archive"
    assert found.content.count("<!-- source-meta:") == 1  # the line of a body
    kept = [line for line in files()[V2].decode().split("\n") if not line.startswith("<!-- source-meta:ey")]
    assert found.content == "\n".join(kept)
    assert memory.get("sources/chat/g1.md").path == LEGACY
    assert memory.get(DIALOG).content == files()[DIALOG].decode()


def test_views_and_other_files_can_be_read(memory: Workspace) -> None:
    assert memory.get("core.md").kind == "view"
    assert memory.get("timeline/2023.md").kind == "view"
    assert memory.get(".gitmem").kind == "file"
    assert memory.get(CORE).kind == "topic"


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("topics/people/eve.md", Code.PATH_NOT_FOUND),
        ("eve.md", Code.PATH_NOT_FOUND),
        ("topics/people", Code.PATH_NOT_FOUND),
        ("topics/nowhere.md#^aaaa1111", Code.PATH_NOT_FOUND),
        ("zzzz9999", Code.MEMORY_NOT_FOUND),
        (f"{BOB}#^aaaa1111", Code.MEMORY_NOT_FOUND),
        ("a1:1", Code.MEMORY_NOT_FOUND),
        ("^", Code.MEMORY_NOT_FOUND),
        ("", Code.MEMORY_NOT_FOUND),
        (handle("m99"), Code.SOURCE_NOT_FOUND),
        ("D9:9", Code.SOURCE_NOT_FOUND),
        (f"{V2}#source-0000000000000000", Code.SOURCE_NOT_FOUND),
        ("../../etc/passwd", Code.PATH_OUTSIDE_WORKSPACE),
        ("/etc/passwd", Code.PATH_OUTSIDE_WORKSPACE),
    ],
)
def test_what_is_not_there_is_said(memory: Workspace, what: str, code: Code) -> None:
    with pytest.raises(GitmemError) as caught:
        memory.get(what)
    assert caught.value.code is code


def test_only_topics_have_headings_and_blocks(memory: Workspace) -> None:
    for what, narrowed in ((V2, {"heading": "x"}), ("nowhere", {"heading": "x"}), ("nowhere", {"block": "x"})):
        with pytest.raises(NotFound) as caught:
            memory.get(what, **narrowed)  # type: ignore[arg-type]
        assert caught.value.code is Code.PATH_NOT_FOUND
    with pytest.raises(NotFound) as caught:
        memory.get(V2, block="aaaa1111")
    assert caught.value.code is Code.MEMORY_NOT_FOUND


def test_a_long_file_is_cut_and_it_is_said(memory: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:  # 15.4
    monkeypatch.setattr(reading, "MOST_CHARACTERS", 10)
    found = memory.get(ADA)
    assert found.truncated
    assert found.content == files()[ADA].decode()[:10]


def test_an_older_revision_is_read_as_it_was(memory: Workspace) -> None:
    assert memory.get(ADA, at="HEAD~1").content == files()[ADA].decode()
    with pytest.raises(NotFound):
        memory.get("eeee5555", at="HEAD~1")


def test_an_answer_has_the_documented_keys(memory: Workspace) -> None:  # cli.md, get
    keys = ["revision", "fresh", "path", "kind", "line", "headings", "content", "blocks", "truncated"]
    assert list(to_json(memory.get("aaaa1111"))) == keys  # type: ignore[call-overload]
