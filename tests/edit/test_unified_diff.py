"""Patches are read strictly and applied to the byte (behaviours.md part 4, 0.27, 17.11)."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.edit.unified_diff import apply_patch, parse_patch, split_lines
from gitmem.errors import Code, Refused

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "--- a/topics/x.md\n+++ b/topics/x.md\n"


def patched(old: bytes | None, text: str) -> bytes | None:
    (section,) = parse_patch(text)
    return apply_patch(old, section)


def refusal(old: bytes | None, text: str) -> Refused:
    with pytest.raises(Refused) as caught:
        patched(old, text)
    assert caught.value.code is Code.PATCH_CONFLICT
    return caught.value


@pytest.fixture(scope="module")
def edits(shared_data: Path) -> list[dict[str, str]]:
    lines = (shared_data / "diffs" / "markdown_edits.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def test_real_edits_give_the_same_bytes_as_the_tool_that_made_them(edits: list[dict[str, str]]) -> None:
    # behaviours.md 4.7, 0.27
    assert len(edits) == 120
    for edit in edits:
        assert patched(edit["pre"].encode(), edit["patch"]) == edit["post"].encode(), edit["path"]


def test_real_edits_are_refused_after_any_one_expected_line_differs(edits: list[dict[str, str]]) -> None:
    # behaviours.md 4.7: no fuzz
    for edit in edits:
        (section,) = parse_patch(edit["patch"])
        before = split_lines(edit["pre"].encode())
        for hunk in section.hunks:
            for offset in range(len(hunk.old)):
                index = hunk.start + offset
                changed = [*before[:index], b"changed " + before[index], *before[index + 1 :]]
                with pytest.raises(Refused) as caught:
                    apply_patch(b"".join(changed), section)
                assert caught.value.details == {"line": index + 1, "hunk": hunk.number}


lines_of_text = st.lists(
    st.sampled_from(["a", "b", "c", "", "-- x", "++ y", " z", "d\r", "\u2028e", "\x0cf", "@@ -1 +1 @@", "\\ g"]),
    max_size=12,
)


@given(lines_of_text, lines_of_text, st.integers(0, 3))
def test_generated_patches_round_trip(old: list[str], new: list[str], context: int) -> None:
    before, after = [f"{line}\n" for line in old], [f"{line}\n" for line in new]
    text = "".join(difflib.unified_diff(before, after, "a/topics/x.md", "b/topics/x.md", n=context))
    if before == after:
        assert text == ""
    else:
        assert patched("".join(before).encode(), text) == "".join(after).encode()


@given(st.text(max_size=200))
def test_arbitrary_text_is_refused_with_its_code(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_patch(text)
    assert caught.value.code is Code.PATCH_CONFLICT


def test_creates_and_deletes_through_dev_null() -> None:
    # behaviours.md 4.1
    assert patched(None, "--- /dev/null\n+++ b/topics/x.md\n@@ -0,0 +1,2 @@\n+a\n+b\n") == b"a\nb\n"
    assert patched(b"a\nb\n", "--- a/topics/x.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n") is None


def test_git_headers_of_ordinary_files_are_tolerated() -> None:
    text = (
        "diff --git a/topics/x.md b/topics/x.md\nnew file mode 100644\nindex 0000000..7898192\n"
        "--- /dev/null\n+++ b/topics/x.md\n@@ -0,0 +1 @@\n+a\n"
        "diff --git a/topics/y.md b/topics/y.md\nindex 7898192..6178079 100644\n"
        "--- a/topics/y.md\n+++ b/topics/y.md\n@@ -1 +1 @@ heading\n-a\n+b\n"
    )
    first, second = parse_patch(text)
    assert (first.path, first.creates, second.path, second.creates) == ("topics/x.md", True, "topics/y.md", False)
    assert apply_patch(b"a\n", second) == b"b\n"


def test_a_delete_section_may_spell_one_line_but_that_line_must_stand_there() -> None:
    # behaviours.md 4.2, 17.11
    text = "--- a/topics/x.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    assert patched(b"a\nb\nc\n", text) is None
    assert refusal(b"z\nb\n", text).details == {"line": 1, "hunk": 1}


def test_a_delete_section_without_a_line_deletes_only_an_empty_file() -> None:
    text = "--- a/topics/x.md\n+++ /dev/null\n"
    refusal(b"a\n", text)
    assert patched(b"", text) is None


def test_trailing_blank_lines_after_the_last_hunk_are_fine() -> None:
    # behaviours.md 17.11
    assert patched(b"a\n", HEAD + "@@ -1 +1 @@\n-a\n+b\n\n\n") == b"b\n"


def test_a_removed_line_that_looks_like_a_header_stays_inside_the_hunk() -> None:
    # behaviours.md 17.11
    assert patched(b"-- a\n++ b\nc\n", HEAD + "@@ -1,3 +1,2 @@\n--- a\n-++ b\n+++ d\n c\n") == b"++ d\nc\n"


def test_the_no_newline_marker_takes_the_final_newline() -> None:
    # behaviours.md 0.27
    marker = "\\ No newline at end of file\n"
    assert patched(b"a\nb", HEAD + f"@@ -1,2 +1,2 @@\n a\n-b\n{marker}+c\n") == b"a\nc\n"
    assert patched(b"a\nb\n", HEAD + f"@@ -1,2 +1,2 @@\n a\n-b\n+c\n{marker}") == b"a\nc"
    assert patched(b"a\nb", HEAD + f"@@ -1,2 +1,2 @@\n-a\n+c\n b\n{marker}") == b"c\nb"
    refusal(b"a\nb", HEAD + "@@ -1,2 +1,2 @@\n-a\n+c\n b\n")
    refusal(b"a\nb\n", HEAD + f"@@ -1 +1 @@\n-a\n+c\n{marker}")


def test_carriage_returns_of_the_file_are_kept() -> None:
    assert patched(b"a\r\nb\r\n", HEAD + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n") == b"a\r\nc\r\n"
    refusal(b"a\r\nb\r\n", HEAD + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n")


def test_hunks_out_of_order_are_sorted() -> None:
    # behaviours.md 4.7
    assert patched(b"a\nb\nc\n", HEAD + "@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n") == b"A\nb\nC\n"


@pytest.mark.parametrize(
    "hunks",
    ["@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -2,2 +2,2 @@\n-b\n+x\n c\n", "@@ -1,0 +2 @@\n+x\n@@ -1,0 +2 @@\n+y\n"],
    ids=["sharing a line", "inserting at one place"],
)
def test_overlapping_hunks_are_refused(hunks: str) -> None:
    refusal(b"a\nb\nc\n", HEAD + hunks)


def test_lines_are_inserted_after_the_line_that_an_empty_old_side_names() -> None:
    assert patched(b"a\nb\n", HEAD + "@@ -1,0 +2 @@\n+x\n") == b"a\nx\nb\n"
    assert patched(b"a\nb\n", HEAD + "@@ -2,0 +3 @@\n+x\n") == b"a\nb\nx\n"
    refusal(b"a\nb\n", HEAD + "@@ -3,0 +4 @@\n+x\n")


@pytest.mark.parametrize(
    "header",
    [
        "rename from topics/y.md",
        "similarity index 90%",
        "dissimilarity index 90%",
        "copy from topics/y.md",
        "old mode 100644",
        "new mode 100755",
        "new file mode 120000",
        "new file mode 100755",
        "deleted file mode 160000",
        "index 7898192..6178079 120000",
        "Binary files a/topics/x.md and b/topics/x.md differ",
        "GIT binary patch",
        "Index: topics/x.md",
        "stray text",
    ],
)
def test_headers_that_mean_more_than_text_are_refused(header: str) -> None:
    # behaviours.md 4.7
    error = refusal(b"a\n", f"diff --git a/topics/x.md b/topics/x.md\n{header}\n{HEAD}@@ -1 +1 @@\n-a\n+b\n")
    assert error.details == {"patch_line": 2}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "--- a/topics/x.md\n",
        "--- a/topics/x.md\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/topics/x.md\n+++ b/topics/y.md\n@@ -1 +1 @@\n-a\n+b\n",
        "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/\n+++ b/\n@@ -1 +1 @@\n-a\n+b\n",
        '--- "a/\\377"\n+++ "b/\\377"\n@@ -1 +1 @@\n-a\n+b\n',
        "--- /dev/null\n+++ b/topics/x.md\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/topics/x.md\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
        HEAD,
        HEAD + "@@ -1 +1\n-a\n+b\n",
        HEAD + "@@ -0,1 +1 @@\n-a\n+b\n",
        HEAD + "@@ -1,0 +1,0 @@\n",
        HEAD + "@@ -1 +1 @@\n-a\n",
        HEAD + "@@ -1 +1 @@\n-a\n*b\n",
        HEAD + "@@ -1,1 +1,2 @@\n-a\n-b\n+c\n",
        HEAD + "@@ -1 +1 @@\n-a\n+b\n+c\n",
        HEAD + "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.0\n",
        HEAD + "@@ -1 +1 @@\n-a\n+\ud800\n",
    ],
)
def test_malformed_patches_are_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_patch(text)
    assert caught.value.code is Code.PATCH_CONFLICT


def test_an_existing_file_is_not_created_and_a_missing_one_not_changed() -> None:
    refusal(b"a\n", "--- /dev/null\n+++ b/topics/x.md\n@@ -0,0 +1 @@\n+a\n")
    refusal(None, HEAD + "@@ -1 +1 @@\n-a\n+b\n")
    refusal(None, "--- a/topics/x.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")


def test_an_empty_context_line_may_lack_its_blank() -> None:
    assert patched(b"a\n\nb\n", HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n") == b"a\n\nc\n"
    refusal(b"a\nx\nb\n", HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n")


def test_names_may_be_quoted_stamped_or_without_prefix() -> None:
    (quoted,) = parse_patch(
        '--- "a/topics/\\346\\227\\245\\"\\t.md"\n+++ "b/topics/\\346\\227\\245\\"\\t.md"\n@@ -1 +1 @@\n-a\n+b\n'
    )
    assert quoted.path == 'topics/日"\t.md'
    (stamped,) = parse_patch("--- topics/a b.md\t2026-08-09\n+++ topics/a b.md\t2026-08-10\n@@ -1 +1 @@\n-a\n+b\n")
    assert stamped.path == "topics/a b.md"
