from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.model import TextKind, Topic
from gitmem.format.topic import claims_of, parse_topic
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from pathlib import Path

PATH = TopicPath("topics/people/craig.md")
DEFINITION = "[^e-1]: Time: `2024-03-15`; Sources: [plan](../../sources/op/_v2/s.md#source-1)\n"


def parse(text: str) -> Topic:
    return parse_topic(PATH, text)


def cited(text: str, *ids: str) -> Topic:
    """The text with one definition for each id after it."""
    return parse(text + "".join(f"\n\n{DEFINITION.replace('e-1', name)}" for name in ids or ("e-1",)))


def codes(topic: Topic) -> list[tuple[str, int]]:
    return [(defect.code, defect.line) for defect in topic.defects]


# --- blocks (behaviours.md 1.1, formats.md "Topic files") ----------------------------------------------------------


def test_a_block_is_a_paragraph_with_citation_and_id() -> None:  # 1.1
    text = f"# Craig\n\n## Work\n\nCraig builds a tracker.[^e-1] ^f888f60e\n\n{DEFINITION}"
    topic = parse(text)
    (block,) = topic.blocks
    assert topic.defects == ()
    assert (block.id, block.aliases, block.legacy, block.line) == ("f888f60e", (), False, 5)
    assert (block.headings, block.content) == (("Craig", "Work"), "Craig builds a tracker.")
    assert text[block.start : block.end] == "Craig builds a tracker.[^e-1] ^f888f60e"
    (citation,) = block.citations
    assert (citation.id, citation.clause) == ("e-1", "Craig builds a tracker.")
    assert text[citation.start : citation.end] == "[^e-1]"
    (definition,) = topic.definitions
    assert (definition.id, definition.when, definition.line) == ("e-1", "2024-03-15", 7)
    assert text[definition.start : definition.end] == DEFINITION.rstrip("\n")
    assert definition.sources[0].resolved == "sources/op/_v2/s.md#source-1"


def test_the_last_id_is_the_blocks_own_and_the_others_are_aliases() -> None:  # 1.5
    (block,) = cited("Fact.[^e-1] ^a ^b ^c").blocks
    assert (block.aliases, block.id, block.ids) == (("a", "b"), "c", ("a", "b", "c"))


def test_each_citation_closes_its_clause() -> None:  # 0.28
    topic = cited("He moved to Paris[^e-1] and then,\nin May, to Rome.[^e-2][^e-3] ^a", "e-1", "e-2", "e-3")
    (block,) = topic.blocks
    assert topic.defects == ()
    assert [c.clause for c in block.citations] == [
        "He moved to Paris",
        "and then,\nin May, to Rome.",
        "and then,\nin May, to Rome.",
    ]
    assert block.content == "He moved to Paris and then,\nin May, to Rome."


def test_content_keeps_white_space_and_strips_only_its_ends() -> None:
    (block,) = cited("  Two  blanks,\u3000wide\u2028and odd. \t[^e-1]  ^a  ").blocks
    assert block.content == "Two  blanks,\u3000wide\u2028and odd."


@pytest.mark.parametrize("blank", ["\u3000", "\u2028", "\x0c", "\u00a0"])
def test_unusual_white_space_at_the_end_of_the_prose_is_content(blank: str) -> None:  # 17.17
    (block,) = cited(f"Fact{blank}[^e-1] ^a").blocks
    assert block.content == f"Fact{blank}"


def test_raw_html_on_a_continuation_line_is_part_of_the_block() -> None:  # 1.8
    (block,) = cited("Fact\n<em>stressed</em>.[^e-1] ^a").blocks
    assert block.content == "Fact\n<em>stressed</em>."


@pytest.mark.parametrize("code", ["`[^x] ^y`", "[^`x`]", "``a ` [^x]``", "\\[^x]", "<!-- [^x] -->", "`a\nb [^x]`"])
def test_markup_in_code_escapes_and_comments_is_prose(code: str) -> None:
    topic = cited(f"Write {code} so.[^e-1] ^a")
    assert topic.defects == ()
    assert [c.id for c in topic.blocks[0].citations] == ["e-1"]
    assert topic.blocks[0].content == f"Write {code} so."


@pytest.mark.parametrize("text", ["a ` b[^e-1] ^a", "a \\\\[^e-1] ^a", "`a``[^e-1] ^a", "<!-- [^e-1] ^a"])
def test_an_open_tick_or_an_escaped_backslash_hides_nothing(text: str) -> None:
    assert [c.id for c in cited(f"x {text}").blocks[0].citations] == ["e-1"]


def test_heading_paths_follow_the_levels() -> None:
    text = "Top.[^e-1] ^a\n\n# A\n\n### Deep\n\nOne.[^e-1] ^b\n\n## B\n\nTwo.[^e-1] ^c\n\nC\n=\n\nThree.[^e-1] ^d"
    topic = cited(text)
    assert [block.headings for block in topic.blocks] == [(), ("A", "Deep"), ("A", "B"), ("C",)]
    assert [(h.level, h.title, h.line) for h in topic.headings] == [
        (1, "A", 3),
        (3, "Deep", 5),
        (2, "B", 9),
        (1, "C", 13),
    ]
    assert topic.text[topic.headings[3].start : topic.headings[3].end] == "C\n="


def test_crlf_text_has_the_same_blocks() -> None:
    text = f"# A\n\nFact\nmore.[^e-1] ^a\n\n{DEFINITION}\nB.[^e-1] ^b\n"
    topic = parse(text.replace("\n", "\r\n"))
    assert topic.defects == ()
    assert [(b.id, b.line, b.content) for b in topic.blocks] == [("a", 3, "Fact\r\nmore."), ("b", 8, "B.")]
    assert topic.text[topic.blocks[0].end :].startswith("\r\n")
    assert topic.definitions[0].sources[0].resolved == "sources/op/_v2/s.md#source-1"


# --- where definitions may stand -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"{DEFINITION}\nFact.[^e-1] ^a\n",  # 1.7
        f"{DEFINITION}Fact.[^e-1] ^a",
        f"Fact.[^e-1] ^a\n{DEFINITION}",
        f"# A\nFact.[^e-1] ^a\n\n# References\n\n{DEFINITION}",  # 1.9
        f"Fact.[^e-1][^e-2] ^a\n{DEFINITION}{DEFINITION.replace('e-1', 'e-2')}More.[^e-2] ^b\n",
        f"Fact.[^e-1] ^a\n  {DEFINITION}",
    ],
)
def test_a_definition_binds_wherever_it_stands(text: str) -> None:
    topic = parse(text)
    assert topic.defects == ()
    assert [claim.evidence[0].when for claim in claims_of(topic)] == ["2024-03-15"] * len(topic.blocks)
    assert topic.blocks[0].content == "Fact."


def test_the_first_definition_of_an_id_stands() -> None:  # formats.md: labels carry no meaning
    topic = parse(f"Fact.[^e-1] ^a\n\n{DEFINITION}{DEFINITION.replace('plan', 'other')}")
    assert codes(topic) == [("duplicate-evidence", 4)]
    assert claims_of(topic)[0].evidence[0].sources[0].label == "plan"


# --- legacy units (behaviours.md 1.6) --------------------------------------------------------------------------------


def test_a_legacy_unit_ends_at_its_own_citation() -> None:
    text = "First\nfact.[^mem_a] Second [one](#^mem_a).[^mem_b]\nNot bound.\n"
    topic = cited(text, "mem_a", "mem_b")
    assert topic.defects == ()
    assert [(b.id, b.legacy, b.line, b.content) for b in topic.blocks] == [
        ("mem_a", True, 1, "First\nfact."),
        ("mem_b", True, 2, "Second [one](#^mem_a)."),
    ]
    assert [topic.text[b.start : b.end] for b in topic.blocks] == [
        "First\nfact.[^mem_a]",
        "Second [one](#^mem_a).[^mem_b]",
    ]
    assert [len(b.links) for b in topic.blocks] == [0, 1]
    (rest,) = topic.elements
    assert (rest.kind, rest.line, topic.text[rest.start : rest.end]) == (TextKind.PARAGRAPH, 3, "Not bound.")


def test_a_legacy_unit_may_cite_other_evidence_too() -> None:
    topic = cited("Fact[^e-1] and more.[^mem_a] Loose.[^e-2]", "e-1", "e-2", "mem_a")
    assert topic.defects == ()
    assert [[c.id for c in b.citations] for b in topic.blocks] == [["e-1", "mem_a"]]
    assert topic.blocks[0].content == "Fact and more."


def test_a_legacy_citation_with_a_block_id_is_ordinary_evidence() -> None:
    (block,) = cited("Fact.[^mem_a] ^abc", "mem_a").blocks
    assert (block.id, block.legacy) == ("abc", False)


def test_a_malformed_id_after_a_legacy_unit_is_text_outside_it() -> None:
    topic = cited("Fact.[^mem_a] ^no_id", "mem_a")
    assert codes(topic) == [("malformed-block-id", 1)]
    assert [topic.text[e.start : e.end] for e in topic.elements] == ["^no_id"]


def test_an_id_in_code_is_part_of_no_id() -> None:
    topic = cited("Fact.[^e-1] ^a`b ^c`")
    assert codes(topic) == [("malformed-block-id", 1)]
    assert "^a`b ^c`" in topic.defects[0].message


def test_a_legacy_unit_without_prose_is_empty() -> None:
    assert codes(cited("Fact.[^mem_a][^mem_b]", "mem_a", "mem_b")) == [("empty-block", 1)]


# --- links between blocks (1.14) --------------------------------------------------------------------------------------


def test_links_to_blocks_are_found_with_their_destination() -> None:
    text = (
        "See [Ada [the one]](../ada%20b.md#^x1), [here](#^mem_first), [file](ada.md 'Ada'), ![p](a.md#^no), "
        "[web](https://x.org/a.md#^no), [out](../../sources/a.md#^no), `[c](a.md#^no)` and [a](<b c.md#^y>).[^e-1] ^a"
    )
    topic = cited(text)
    links = topic.blocks[0].links
    assert topic.defects == ()
    assert [(link.text, link.target_path, link.block) for link in links] == [
        ("Ada [the one]", "topics/ada b.md", "x1"),
        ("here", "topics/people/craig.md", "mem_first"),
        ("file", "topics/people/ada.md", None),
        ("a", "topics/people/b c.md", "y"),
    ]
    written = [text[link.start : link.end] for link in links]
    assert written == ["../ada%20b.md#^x1", "#^mem_first", "ada.md", "b c.md#^y"]
    assert claims_of(topic)[0].links == ("x1", "mem_first", "y")


# --- structure is kept and never read (0.15, 17.8) -----------------------------------------------------------------


def test_structure_is_no_defect_and_keeps_its_extent() -> None:
    pieces = {
        TextKind.FRONT_MATTER: "---\ntags: [a]\n---",
        TextKind.COMMENT: "<!-- # no\n[^e-9] ^no -->",
        TextKind.ANCHOR: '<a id="top"></a>',
        TextKind.REFERENCE: "[ref]: https://example.org",
        TextKind.RULE: "* * *",
    }
    topic = cited("\n\n".join([*pieces.values(), "Fact.[^e-1] ^a"]))
    assert topic.defects == ()
    assert {e.kind: topic.text[e.start : e.end] for e in topic.elements} == pieces


def test_an_anchor_line_directly_before_prose_is_no_part_of_it() -> None:
    topic = cited("<a id=\"x\"></a>\n<a name='y'/>\nFact.[^e-1] ^a")
    (block,) = topic.blocks
    assert (block.content, block.line, topic.text[block.start : block.end]) == ("Fact.", 3, "Fact.[^e-1] ^a")
    assert [topic.text[e.start : e.end] for e in topic.elements] == ["<a id=\"x\"></a>\n<a name='y'/>"]


@pytest.mark.parametrize("anchor", ['<a id="x">\n</a>', "<a  name='x' />", '<a id="x"></a> <a id="y"></a>'])
def test_anchors_are_structure_however_they_are_written(anchor: str) -> None:
    topic = cited(f"{anchor}\n\nFact.[^e-1] ^a")
    assert topic.defects == ()
    assert [(e.kind, topic.text[e.start : e.end]) for e in topic.elements] == [(TextKind.ANCHOR, anchor)]


@pytest.mark.parametrize("text", ['<a href="x"></a>', '<a id="x">words</a>', '<a id="x"></a> words'])
def test_an_anchor_with_words_is_prose(text: str) -> None:
    assert codes(parse(text)) == [("missing-citation", 1)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (TextKind.FENCE, "```\n# no\n\nFact.[^e-9] ^no\n```"),
        (TextKind.LIST, "- Fact.[^e-9] ^no"),
        (TextKind.QUOTE, "> Fact.[^e-9] ^no"),
        (TextKind.TABLE, "| a[^e-9] |\n|---|"),
        (TextKind.INDENTED_CODE, "    Fact.[^e-9] ^no"),
        (TextKind.HTML, "<div>\nFact.[^e-9] ^no\n</div>"),
        (TextKind.HTML, "<!-- never closed [^e-9] ^no"),
    ],
)
def test_other_text_is_not_a_paragraph_and_is_never_read(kind: TextKind, text: str) -> None:  # 17.8
    topic = parse(f"{DEFINITION}\nFact.[^e-1] ^a\n\n{text}\n")
    assert codes(topic) == [("not-a-paragraph", 5)]
    assert [(e.kind, topic.text[e.start : e.end]) for e in topic.elements] == [(kind, text)]
    assert [b.id for b in topic.blocks] == ["a"]
    assert topic.headings == ()


# --- what the format refuses (1.15, architecture.md section 5) ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prose.[^e-1] ^a\n\nProse.", [("missing-citation", 3)]),
        ("Prose.[^e-1] ^a\n\nProse. ^b", [("missing-citation", 3)]),
        ("Prose.[^e-1]", [("missing-block-id", 1)]),
        ("Prose.[^e-1] more ^a", [("text-after-citation", 1)]),
        ("Prose.[^e-1] more", [("text-after-citation", 1), ("missing-block-id", 1)]),
        ("Prose.[^e-1]. ^a", [("text-after-citation", 1)]),
        ("Prose.[^e-1] ^a\n    more", [("text-after-citation", 1), ("missing-block-id", 1)]),
        ("[^e-1] ^a", [("empty-block", 1)]),
        ("Prose.[^e-1] ^a_b", [("malformed-block-id", 1)]),
        ("Prose.[^e-1] ^a:1 ^b", [("malformed-block-id", 1)]),
        ("Prose.[^e-1] ^", [("malformed-block-id", 1)]),
        ("Prose.[^e-1] ^\u00e4", [("malformed-block-id", 1)]),
        ("Prose.[^e-1]^a", [("malformed-block-id", 1)]),
        ("Prose.[^e-1]^a ^b", [("malformed-block-id", 1)]),
        ("Prose.[^e-1] ^a^b", [("malformed-block-id", 1)]),
        ("Prose.[^e-1] ^a\n\nProse.[^e-1] ^b ^a", [("duplicate-block-id", 3)]),
        ("Prose.[^e-1] ^a ^a", [("duplicate-block-id", 1)]),
        (
            "Prose.[^mem_a]\n\nProse.[^mem_a] More.[^e-1]\n\n[^mem_a]: 2024 \u00b7 Sources: D1:1",
            [("duplicate-block-id", 3)],
        ),
        ("Prose.[^e-1][^e-2][^e-2] ^a", [("undefined-evidence", 1)]),
        ("Prose.[^e-1] ^a\n\n[^e-2]: Time: `2024`; Sources: D1:1", [("unused-evidence", 3)]),
        ("Prose.[^e-1] ^a\n\n[^e-1]: Time: `2023`; Sources: D1:1", [("duplicate-evidence", 5)]),
        ("Prose.[^e-1][^e-2] ^a\n\n[^e-2]: Time: `2024-13`; Sources: D1:1", [("bad-time", 3)]),
        ("Prose.[^e-1][^e-2] ^a\n\n[^e-2]: Time: `2024`", [("missing-source", 3)]),
        ("Prose.[^e-1][^e-2] ^a\n\n[^e-2]: Time: `2024`; Sources: [ ](x.md#y)", [("missing-label", 3)]),
        ("Prose.[^e-1] ^a\n\n[^bad id]: x", [("malformed-definition", 3), ("unused-evidence", 3)]),
    ],
)
def test_defects_have_code_and_line(text: str, expected: list[tuple[str, int]]) -> None:
    topic = cited(text)
    assert codes(topic) == expected
    assert all(defect.message and defect.fix for defect in topic.defects)


def test_a_paragraph_without_id_is_an_element_not_a_block() -> None:
    topic = cited("Prose.[^e-1]")
    assert topic.blocks == ()
    assert [(e.kind, e.line, e.start, e.end) for e in topic.elements] == [(TextKind.PARAGRAPH, 1, 0, 12)]


def test_an_uncited_block_is_still_known_by_its_id() -> None:
    (block,) = parse("Prose. ^b").blocks
    assert (block.id, block.citations, block.content) == ("b", (), "Prose.")


def test_defects_name_their_block_and_come_in_file_order() -> None:
    topic = parse("A.[^e-1] x ^a\n\n- list\n\nB.[^e-2] ^a\n")
    assert [(d.code, d.line, d.block) for d in topic.defects] == [
        ("text-after-citation", 1, "a"),
        ("undefined-evidence", 1, "a"),
        ("not-a-paragraph", 3, None),
        ("duplicate-block-id", 5, "a"),
        ("undefined-evidence", 5, "a"),
    ]


# --- claims ---------------------------------------------------------------------------------------------------------


def test_claims_carry_what_the_footnotes_say() -> None:
    undated = "[^e-2]: Time: `undated`; Sources: p/t/m\n"
    text = f"# A\n\nOne[^e-1] two[^e-2] three.[^e-9] ^b ^a\n\n{DEFINITION}{undated}\nTwo.[^e-1] ^c\n"
    first, second = claims_of(parse(text))
    assert (first.id, first.aliases, first.path, first.ordinal, first.line) == ("a", ("b",), PATH, 0, 3)
    assert [(e.id, e.when, e.clause, [s.target for s in e.sources]) for e in first.evidence] == [
        ("e-1", "2024-03-15", "One", ["../../sources/op/_v2/s.md#source-1"]),
        ("e-2", None, "two", ["p/t/m"]),
        ("e-9", None, "three.", []),
    ]
    assert first.whens == ("2024-03-15",)
    assert (second.ordinal, second.headings) == (1, ("A",))


# --- real files -----------------------------------------------------------------------------------------------------


def test_an_existing_workspace_parses_without_defects(shared_data: Path) -> None:
    root = shared_data / "openprogram" / "topics_legacy_sources"
    topics = [
        parse_topic(TopicPath(path.relative_to(root).as_posix()), path.read_bytes().decode())
        for path in sorted((root / "topics").rglob("*.md"))
    ]
    claims = {claim.id: claim for topic in topics for claim in claims_of(topic)}
    assert [topic.defects for topic in topics] == [()] * len(topics)
    assert len(claims) == sum(len(topic.blocks) for topic in topics) == 184
    events = [json.loads(line) for line in (root / "recent_events.jsonl").read_text("utf-8").splitlines()]
    assert events
    for event in events:
        claim = claims[event["memory_id"]]
        assert (claim.content, claim.path, list(claim.headings), list(claim.whens)) == (
            event["content"],
            event["topic_path"],
            event["headings"],
            event["whens"],
        )


def test_real_markdown_is_read_without_failing(shared_data: Path) -> None:
    for edit in (shared_data / "diffs" / "markdown_edits.jsonl").read_text("utf-8").splitlines():
        sides = json.loads(edit)
        for side in ("pre", "post"):
            assert_sound(parse(sides[side]))


# --- properties -----------------------------------------------------------------------------------------------------

FRAGMENTS = [
    *(
        "Fact",
        " more",
        "\n",
        "\n\n",
        "[^e-1]",
        "[^e-2]",
        "[^mem_a]",
        "[^mem_b]",
        " ^a",
        " ^b",
        " ^bad_id",
        "^",
        "`",
        "\\",
        "```\n",
    ),
    *(
        "# H\n",
        "===",
        "- ",
        "> ",
        "    ",
        "<!--",
        "-->",
        '<a id="x"></a>\n',
        "<em>",
        "[t](b.md#^a)",
        "](",
        "[",
        "]",
        ")",
        "!",
        "<",
    ),
    *(
        f"\n{DEFINITION}",
        "[^e-2]: ",
        "Time: ",
        "; Sources: ",
        "\u2028",
        "\r\n",
        "\x0c",
        "| a |\n|---|\n",
        "---\n",
        "[r]: x\n",
    ),
]


def assert_sound(topic: Topic) -> None:
    """Every offset of every value means what the model says, and no two parts overlap."""
    text = topic.text
    parts = sorted([*topic.blocks, *topic.definitions, *topic.headings, *topic.elements], key=lambda part: part.start)
    end = 0
    for part in parts:
        assert end <= part.start < part.end <= len(text)
        assert not text[end : part.start].strip(" \t\r\n\f\v")
        assert part.line == text.count("\n", 0, part.start) + 1
        end = part.end
    assert not text[end:].strip(" \t\r\n\f\v")
    for block in topic.blocks:
        for citation in block.citations:
            assert block.start <= citation.start < citation.end <= block.end
            assert text[citation.start : citation.end] == f"[^{citation.id}]"
            assert citation.clause in text[: citation.start]
        for link in block.links:
            assert block.start < link.start <= link.end < block.end
        assert all(f"^{name}" in text[block.start : block.end] for name in block.ids)
    assert [defect.line for defect in topic.defects] == sorted(defect.line for defect in topic.defects)
    assert len(claims_of(topic)) == len(topic.blocks)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
def test_offsets_of_every_part_are_exact(text: str) -> None:
    assert_sound(parse(text))


@given(st.text())
def test_no_text_makes_parsing_fail(text: str) -> None:
    assert_sound(parse(text))
