"""create_record (behaviours.md 5.4-5.6, 5.10, 5.18, 5.19, 17.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitmem.errors import Code, InvalidRequest
from gitmem.request import CreateRecord, NewSource, SourceRef
from memory_workspace import block, create, defined, into, link, records, three_messages


def test_a_new_file_is_made_with_its_headings() -> None:
    # behaviours.md 5.6
    workspace = three_messages()
    outcome = workspace.edit(records(create("A fact.", "topics/people/a.md", "A", "Work")))
    (block_id,) = outcome.block_ids.values()
    name, line = defined(1, folder="../..")
    assert workspace.text("topics/people/a.md") == f"# A\n\n## Work\n\nA fact.[^{name}] ^{block_id}\n\n{line}"
    assert outcome.block_ids == {"topics/people/a.md#1": block_id}
    assert outcome.evidence_ids == {"topics/people/a.md#e1": name}
    assert outcome.touched == ("topics/people/a.md",)


def test_the_same_request_gives_the_same_bytes_in_any_workspace() -> None:
    one, other = three_messages(), three_messages()
    other.edit(records(create("Something else.", "topics/b.md", source="p/t/m2")))
    operation = records(create("A fact."), create("Another."))
    assert one.edit(operation).block_ids == other.edit(operation).block_ids
    assert one.text("topics/a.md") == other.text("topics/a.md")


def test_equal_records_get_different_ids() -> None:
    workspace = three_messages()
    outcome = workspace.edit(records(create("A fact."), create("A fact.")))
    assert len(set(outcome.block_ids.values())) == 2
    assert list(outcome.block_ids) == ["topics/a.md#1", "topics/a.md#2"]


A, B, C = block("One.", "a"), block("Two.", "b", 2), block("Three.", "c", 3)
FILE = f"---\ntags: x\n---\n\n# A\n\n{A}\n{B}\n## Deep\n\n{C}\n# Z\n\n- kept\n"


def placed(destination_args: tuple[str, ...], position: str = "end", beside: str | None = None) -> str:
    """The text with the new record's paragraph reduced to a mark."""
    workspace = three_messages({"topics/a.md": FILE})
    operation = replace(
        create("New.", source="p/t/m1"),
        destination=into("topics/a.md", *destination_args, position=position, beside=beside),
    )
    (block_id,) = workspace.edit(records(operation)).block_ids.values()
    return workspace.text("topics/a.md").replace(f"New.[^{defined(1)[0]}] ^{block_id}\n", "NEW\n")


@pytest.mark.parametrize(
    ("headings", "position", "beside", "expected"),
    [
        (("A",), "start", None, FILE.replace(A, f"NEW\n\n{A}")),
        (("A",), "end", None, FILE.replace(B, f"{B}\nNEW\n")),
        (("A",), "before", "b", FILE.replace(B, f"NEW\n\n{B}")),
        (("A",), "after", "a", FILE.replace(A, f"{A}\nNEW\n")),
        (("A", "Deep"), "start", None, FILE.replace(C, f"NEW\n\n{C}")),
        (("A", "Deep"), "end", None, FILE.replace(C, f"{C}\nNEW\n")),
        (("Z",), "start", None, FILE.replace("# Z\n", "# Z\n\nNEW\n")),
        (("Z",), "end", None, f"{FILE}\nNEW\n"),
        (("A", "Deep", "More"), "end", None, FILE.replace(C, f"{C}\n### More\n\nNEW\n")),
        (("A", "Other", "More"), "start", None, FILE.replace(C, f"{C}\n## Other\n\n### More\n\nNEW\n")),
        (("Q",), "end", None, f"{FILE}\n# Q\n\nNEW\n"),
        ((), "end", None, FILE.replace("---\n\n# A", "---\n\nNEW\n\n# A")),
        ((), "start", None, FILE.replace("---\n\n# A", "---\n\nNEW\n\n# A")),
    ],
)
def test_a_record_goes_where_it_is_sent_and_nothing_else_changes(
    headings: tuple[str, ...], position: str, beside: str | None, expected: str
) -> None:
    # behaviours.md 5.5, 5.6; the file's own footnote of the same meaning is used (0.30)
    assert placed(headings, position, beside) == expected


def test_an_anchor_that_stands_elsewhere_is_refused() -> None:
    # behaviours.md 5.5
    workspace = three_messages({"topics/a.md": FILE, "topics/b.md": block("Else.", "d")})
    wrong = replace(create("New."), destination=into("topics/a.md", "A", position="after", beside="c"))
    assert isinstance(workspace.refused(records(wrong)), InvalidRequest)
    for path, beside in (("topics/a.md", "d"), ("topics/a.md", "nowhere"), ("topics/new.md", "a")):
        lost = replace(create("New."), destination=into(path, "A", position="before", beside=beside))
        assert workspace.refused(records(lost)).code is Code.MEMORY_NOT_FOUND


@pytest.mark.parametrize("titles", [("a\nb",), ("x #",), ("1", "2", "3", "4", "5", "6", "7")])
def test_headings_that_markdown_cannot_hold_are_refused(titles: tuple[str, ...]) -> None:
    error = three_messages().refused(records(create("A fact.", "topics/a.md", *titles)))
    assert error.code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "content",
    [
        "```\ncode\n```",
        "<div>x</div>",
        "<!-- x -->",
        "# heading",
        "Title\n===",
        "- item",
        "> quote",
        "prose\n\n    code",
        "one\n\ntwo",
        "| a |\n|---|\n| b |",
        "---",
        "A fact.[^e1]",
        "[^e1]: Time: `2024`; Sources: p/t/m1",
        "A fact. ^abc",
        "A fact. ^a_b",
        "unclosed \\",
    ],
)
def test_what_is_not_one_paragraph_of_prose_is_refused(content: str) -> None:
    # behaviours.md 5.19, 17.7: never success for text that is not stored
    error = three_messages().refused(records(create(content)))
    assert error.code is Code.INVALID_TOPIC_FORMAT


def test_prose_keeps_its_characters() -> None:
    # behaviours.md 17.17
    content = "Line\u2028one\x0c and <em>more</em>\n  2 * 3 < 7 & `[^x]`"
    workspace = three_messages()
    workspace.edit(records(create(f" {content} \r\n")))
    topic = workspace.tree.topic("topics/a.md")
    assert topic is not None
    assert [found.content for found in topic.blocks] == [content]
    assert topic.defects == ()


def test_a_file_that_would_swallow_the_record_is_refused() -> None:
    workspace = three_messages({"topics/a.md": f"# A\n\n{A}\n```\nunclosed\n"})
    assert workspace.refused(records(create("New."))).code is Code.INVALID_TOPIC_FORMAT


def test_sources_are_handles_labels_or_links() -> None:
    # behaviours.md 5.18, 4.5
    workspace = three_messages()
    target = link(1).partition("(")[2].rstrip(")").removeprefix("../")
    operation = replace(
        create("A fact."),
        sources=(
            SourceRef("new-source-x", "what she said"),
            SourceRef("p/t/m2", "p/t/m2"),
            SourceRef(target, "a [bracket]"),
            SourceRef(f"../{target}", "CJK 标签很长也没有关系"),
        ),
    )
    outcome = workspace.edit(records(operation), NewSource("hello", "user", label="new-source-x"))
    topic = workspace.tree.topic("topics/a.md")
    assert topic is not None
    assert topic.defects == ()
    (definition,) = topic.definitions
    assert [definition.id] == list(outcome.evidence_ids.values())
    labels = ["what she said", "p/t/m2", "a \\[bracket\\]", "CJK 标签很长也没有关系"]
    assert [source.label for source in definition.sources] == labels


def test_a_bare_label_shows_the_handle() -> None:
    workspace = three_messages()
    workspace.edit(records(create("A.", source="new-source-x")), NewSource("hello", "user", label="new-source-x"))
    assert "Sources: [gitmem/test/" in workspace.text("topics/a.md")


def test_every_missing_source_is_named() -> None:
    # behaviours.md 4.5, 5.10
    workspace = three_messages()
    error = workspace.refused(records(create("A.", source="new-source-x"), create("B.", source="p/t/none")))
    assert error.code is Code.MISSING_SOURCE
    assert [finding.message.split()[0] for finding in error.findings] == ["new-source-x", "p/t/none"]
    assert workspace.refused(records(create("A.", source="sources/p/_v2/t.md#none"))).code is Code.MISSING_SOURCE
    assert workspace.refused(records(create("A.", source="no handle"))).code is Code.MISSING_SOURCE


def test_a_label_that_cannot_be_written_is_refused() -> None:
    operation = CreateRecord("A.", "2024", (SourceRef("p/t/m1", " "),), into("topics/a.md", "A"))
    assert three_messages().refused(records(operation)).code is Code.INVALID_ARGUMENT


def test_undated_evidence_says_so() -> None:
    workspace = three_messages()
    workspace.edit(records(create("A.", time=None)))
    assert "Time: `undated`" in workspace.text("topics/a.md")


def test_legacy_sources_are_linked_where_no_frame_holds_them() -> None:
    # behaviours.md 2.3
    workspace = three_messages({"sources/D1.md": '# D1\n\n<a id="d1-3"></a>\n[2023-05-08] Caroline: hi\n'})
    operation = create("A.", source="D1:3")
    archive = workspace.tree.archive("sources/D1.md")
    assert archive is not None
    if archive.records:
        workspace.edit(records(operation))
        assert "[D1:3](../sources/D1.md#d1-3)" in workspace.text("topics/a.md")


def test_crlf_becomes_lf_in_a_touched_file_with_a_warning() -> None:
    workspace = three_messages({"topics/a.md": f"# A\n\n{A}".replace("\n", "\r\n")})
    outcome = workspace.edit(records(create("New.")))
    assert "\r" not in workspace.text("topics/a.md")
    assert any("CRLF" in warning for warning in outcome.warnings)
