"""Whole-file changes and patches (behaviours.md parts 4 and 5a, 2.4)."""

from __future__ import annotations

import difflib

import pytest

from gitmem.errors import Code, NotFound, Refused
from gitmem.ids import TopicPath
from gitmem.request import ExactEdit, FileDelete, FileMove, FilesEdit, FileWrite, NoEdit, PatchEdit
from memory_workspace import Workspace, block, link, three_messages, write

A, B = block("One.", "a"), block("Two.", "b", 2)
FILE = f"# A\n\n{A}\n{B}"
PATH = TopicPath("topics/a.md")


def patch(old: str, new: str, path: str = "topics/a.md") -> PatchEdit:
    before, after = ([f"{line}\n" for line in text.split("\n")[:-1]] for text in (old, new))
    return PatchEdit("".join(difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")))


def files(*changes: FileWrite | FileDelete | FileMove) -> FilesEdit:
    return FilesEdit(changes)


def test_a_patch_changes_what_it_names_and_nothing_else() -> None:
    workspace = three_messages({"topics/a.md": FILE, "topics/b.md": "# untouched  \n"})
    outcome = workspace.edit(patch(FILE, FILE.replace("One", "Won")))
    assert workspace.text("topics/a.md") == FILE.replace("One", "Won")
    assert (outcome.touched, outcome.warnings) == (("topics/a.md",), ())


def test_a_patch_may_delete_and_create() -> None:
    # behaviours.md 4.1
    workspace = three_messages({"topics/a.md": FILE})
    gone = "--- a/topics/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# A\n"
    new = "--- /dev/null\n+++ b/topics/./n.md\n@@ -0,0 +1,3 @@\n+New.[^e1]\n+\n+[^e1]: Time: 2024; Sources: p/t/m1\n"
    outcome = workspace.edit(PatchEdit(gone + new))
    assert outcome.touched == ("topics/a.md", "topics/n.md")
    assert "topics/a.md" not in workspace.tree.files


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("topics/note.txt", Code.READ_ONLY_PATH),
        ("core.md", Code.READ_ONLY_PATH),
        ("sources/p/_v2/t.md", Code.READ_ONLY_PATH),
        ("timeline/2024.md", Code.READ_ONLY_PATH),
        ("topics/../core.md", Code.PATH_OUTSIDE_WORKSPACE),
    ],
)
def test_patches_reach_topics_only(path: str, code: Code) -> None:
    # behaviours.md 4.3, 4.4
    workspace = three_messages()
    assert workspace.refused(PatchEdit(f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n")).code is code
    assert workspace.refused(files(FileDelete(TopicPath(path)))).code is code


def test_a_patch_that_does_not_fit_is_refused() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    error = workspace.refused(patch(FILE.replace("One", "1"), FILE.replace("One", "Won")))
    assert isinstance(error, Refused)
    assert error.code is Code.PATCH_CONFLICT


def test_one_file_has_one_section() -> None:
    once = patch(FILE, FILE.replace("One", "Won")).text
    again = once.replace("topics/a.md", "topics/./a.md")
    assert three_messages({"topics/a.md": FILE}).refused(PatchEdit(once + again)).code is Code.PATCH_CONFLICT


def test_a_patch_fits_files_with_crlf_and_leaves_lf() -> None:
    old, new = f"# A\r\n\r\n{A}", f"# A\r\n\r\n{A.replace('One', 'Won')}"
    workspace = three_messages({"topics/a.md": old})
    outcome = workspace.edit(patch(old, new))
    assert workspace.text("topics/a.md") == new.replace("\r\n", "\n")
    assert len(outcome.warnings) == 1


@pytest.mark.parametrize("form", ["patch", "write"])
def test_new_crlf_is_written_as_lf_with_a_warning(form: str) -> None:
    new = FILE.replace("One.", "One\r\nmore.").replace("\n\n", "\r\n\r\n")
    workspace = three_messages({"topics/a.md": FILE})
    outcome = workspace.edit(patch(FILE, new) if form == "patch" else write("topics/a.md", new))
    assert workspace.text("topics/a.md") == FILE.replace("One.", "One\nmore.")
    assert len(outcome.warnings) == 1


def test_a_missing_final_newline_is_added() -> None:
    # behaviours.md 0.27
    workspace = three_messages({"topics/a.md": FILE})
    workspace.edit(write("topics/a.md", FILE.replace("One", "1").rstrip("\n")))
    assert workspace.text("topics/a.md") == FILE.replace("One", "1")
    workspace.edit(write("topics/a.md", FILE.replace("One", "Won") + "\n\n"))
    assert workspace.text("topics/a.md") == FILE.replace("One", "Won")


def test_writing_what_stands_there_touches_nothing() -> None:
    workspace = three_messages({"topics/a.md": FILE + "\n\n"})
    assert workspace.edit(write("topics/a.md", FILE + "\n\n")).touched == ()


def test_deleting_takes_only_that_file() -> None:
    workspace = three_messages({"topics/a.md": FILE, "topics/b.md": block("Three.", "c", 3)})
    assert workspace.edit(files(FileDelete(PATH))).touched == ("topics/a.md",)
    assert "topics/b.md" in workspace.tree.files


def test_what_is_not_there_is_not_found() -> None:
    workspace = three_messages()
    for change in (FileDelete(PATH), FileMove(PATH, TopicPath("topics/b.md"))):
        error = workspace.refused(files(change))
        assert isinstance(error, NotFound)
        assert error.code is Code.PATH_NOT_FOUND


def test_empty_lists_and_twice_named_paths_are_invalid() -> None:
    # behaviours.md 5.1, 5.2
    workspace = three_messages({"topics/a.md": FILE})
    twice = files(FileWrite(PATH, FILE), FileDelete(TopicPath("topics/./a.md")))
    for edit in (files(), twice):
        assert workspace.refused(edit).code is Code.INVALID_ARGUMENT


def test_a_moved_file_takes_its_links_along_and_inbound_links_follow() -> None:
    # behaviours.md 2.4
    note = f"[^n]: Time: `2024`; Sources: {link(1)}\n"
    own = "One [own](#^a), [by name](a.md#^a), [other](b.md#^b), [file](b.md).[^n] ^a"
    text = f"# A\n\n{own}\n\n- uncited list\n\nloose [x](b.md#^b)\n\n{note}"
    other = f"# B\n\nTwo [one](a.md#^a), [all](a.md), [head](a.md#top).[^n] ^b\n\n{note}"
    workspace = three_messages({"topics/a.md": text, "topics/b.md": other})
    outcome = workspace.edit(files(FileMove(PATH, TopicPath("topics/deep/z.md"))))
    assert workspace.text("topics/deep/z.md") == (
        text.replace("a.md#^a", "#^a").replace("(b.md", "(../b.md").replace("../sources", "../../sources")
    )
    assert workspace.text("topics/b.md") == other.replace("a.md", "deep/z.md")
    assert outcome.touched == ("topics/a.md", "topics/b.md", "topics/deep/z.md")
    assert outcome.block_ids == {}


def test_a_moved_file_may_be_written_in_the_same_request() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    to = TopicPath("topics/b.md")
    outcome = workspace.edit(files(FileMove(PATH, to), FileWrite(to, FILE.replace("One", "Won"))))
    assert workspace.text("topics/b.md") == FILE.replace("One", "Won")
    assert outcome.block_ids == {}


def test_a_move_onto_a_file_is_refused() -> None:
    # cli.md: `mv` onto an existing file is refused
    workspace = three_messages({"topics/a.md": FILE, "topics/b.md": block("Three.", "c", 3)})
    assert workspace.refused(files(FileMove(PATH, TopicPath("topics/b.md")))).code is Code.PATCH_CONFLICT


def test_a_file_moved_by_hand_keeps_ids_links_and_uncited_text() -> None:
    # behaviours.md 2.4
    inbound = f"See [one](a.md#^a).[^n] ^c\n\n[^n]: Time: `2024`; Sources: {link(3)}\n"
    text = FILE + "\n- a list\n"
    workspace = three_messages({"topics/a.md": text, "topics/c.md": inbound})
    outcome = workspace.edit(files(FileDelete(PATH), FileWrite(TopicPath("topics/deep/b.md"), text)))
    assert workspace.text("topics/deep/b.md") == text.replace("../sources", "../../sources")
    assert workspace.text("topics/c.md") == inbound.replace("a.md", "deep/b.md")
    assert outcome.block_ids == {}


def test_bytes_from_history_are_taken_as_they_are() -> None:
    workspace = three_messages({"topics/a.md": FILE})
    odd = b"# only\r\na heading \xff"
    outcome = workspace.edit(ExactEdit({PATH: None, TopicPath("topics/b.md"): odd}))
    assert outcome.touched == ("topics/a.md", "topics/b.md")
    assert workspace.tree.files["topics/b.md"] == odd
    assert "topics/a.md" not in workspace.tree.files


def test_no_edit_touches_nothing() -> None:
    assert Workspace().edit(NoEdit()).touched == ()


def test_bytes_that_are_not_utf8_survive_an_edit_beside_them() -> None:
    raw = FILE.encode().replace(b"Two.", b"Tw\xff.")
    workspace = three_messages({"topics/a.md": raw})
    text = "--- a/topics/a.md\n+++ b/topics/a.md\n@@ -1 +1 @@\n-# A\n+# Z\n"
    workspace.edit(PatchEdit(text))
    assert workspace.tree.files["topics/a.md"] == raw.replace(b"# A", b"# Z")
