from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import mistune
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.plugins.table import table

from gitmem.format.markdown import Span, SpanKind, scan

if TYPE_CHECKING:
    from pathlib import Path


# --- what mistune itself says -----------------------------------------------------------------------------------

KINDS = {
    "paragraph": SpanKind.PARAGRAPH,
    "heading": SpanKind.HEADING,
    "list": SpanKind.LIST,
    "block_quote": SpanKind.QUOTE,
    "table": SpanKind.TABLE,
    "block_html": SpanKind.HTML,
    "thematic_break": SpanKind.RULE,
    "footnote": SpanKind.DEFINITION,
}
DEFINITION = r" {0,3}\[\^[^\]\n]*\]:[^\n]*(?:\n|$)"


class Plain(BlockParser):
    """mistune's block parser, untouched, but noting its three defects.

    ``misplaced``: a line that cannot interrupt a paragraph joins the paragraph *before* the quote or list that it
    stands in. ``shuffled``: when three end one another, their tokens come out in another order than the text.
    ``overreached``: a reference label reaches over a blank line.
    """

    containers = 0
    misplaced = False
    shuffled = False
    overreached = False

    def parse_method(self, m: re.Match[str], state: BlockState) -> int | None:
        if state.parent is not None:
            return super().parse_method(m, state)
        inside, count = self.containers, len(state.tokens)
        self.containers += m.lastgroup in {"list", "block_quote"}
        end = super().parse_method(m, state)
        self.containers = inside
        self.misplaced |= bool(inside and end and len(state.tokens) == count)
        self.shuffled |= inside > 1
        self.overreached |= m.lastgroup == "ref_link" and "\n\n" in m["reflink_1"]
        return end


def one_line_footnote(_block: BlockParser, m: re.Match[str], state: BlockState) -> int:
    state.append_token({"type": "footnote"})
    return m.end()


def mistune_kinds(text: str) -> list[SpanKind] | None:
    """The kinds of mistune's own tokens, sorted when it does not keep their order; ``None``: it misreads the text."""
    parser = Plain()
    markdown = mistune.Markdown(block=parser, plugins=[table])
    markdown.block.register("footnote", f"^{DEFINITION}", one_line_footnote, before="ref_link")
    state = BlockState()
    state.process(re.sub(r"(?m)^[ \t\v\f]+$", "", text.replace("\r\n", "\n")) + "\n")
    parser.parse(state)
    if parser.misplaced or parser.overreached:
        return None
    kinds = [mistune_kind(token) for token in state.tokens if token["type"] != "blank_line"]
    return sorted(kinds) if parser.shuffled else kinds


def mistune_kind(token: dict[str, Any]) -> SpanKind:
    if token["type"] == "block_code":
        return SpanKind.FENCE if token["style"] == "fenced" else SpanKind.INDENTED_CODE
    return KINDS[token["type"]]


def comparable(spans: tuple[Span, ...]) -> list[SpanKind]:
    """Our kinds without the two that mistune has no token for: a comment is HTML, a reference is nothing."""
    kinds = (SpanKind.HTML if span.kind is SpanKind.COMMENT else span.kind for span in spans)
    return [kind for kind in kinds if kind is not SpanKind.REFERENCE]


def assert_agrees(text: str) -> None:
    theirs, ours = mistune_kinds(text), comparable(scan(text))
    assert theirs in (None, ours, sorted(ours))


def assert_covers(text: str) -> None:
    """Spans are whole lines in order, and what lies between them is blank."""
    blank, end = " \t\r\n\f\v", 0
    for span in scan(text):
        assert not text[end : span.start].strip(blank)
        assert span.start == 0 or text[span.start - 1] == "\n"
        assert text[span.end : span.end + 2] in {"", "\r\n"} or text[span.end] == "\n"
        assert text[span.start : span.end].strip(blank)
        assert span.line == text.count("\n", 0, span.start) + 1
        end = span.end
    assert not text[end:].strip(blank)


LINES = [
    *(
        "",
        "",
        "text",
        "more words",
        "  indented",
        "    code",
        "\tcode",
        "     ",
        "\f",
        "\u2028x",
        "*emph* x",
        "9 lives",
    ),
    *("# Title", "## Sub ##", "#no", "===", "---", "* * *", "```", "````py", "~~~", "\\# no", "&amp;"),
    *("- item", "-", "1. one", "2. two", "> quote", ">", "  - nested", "   > q", "+", "1)"),
    *(
        "<div>",
        "</div>",
        "<em>x</em>",
        "<!-- c -->",
        "<!--",
        "-->",
        '<a id="x"></a>',
        "</pre>",
        "<pre>",
        "<?php",
        "<!X>",
    ),
    *(
        "[ref]: http://x",
        "[ref]: <a b> 't'",
        "[^e-1]: Time: x",
        "[^x]:",
        "[^a b]: c",
        "    [^e]: x",
        "Fact.[^e-1] ^abc",
    ),
    *("| a | b |", "|---|---|", "a | b", "--|--"),
]
PIECES = [
    *" ab-*+#><[]()^:|=`\\\"'\n\t\f",
    "\n\n",
    "    ",
    "1.",
    "```",
    "</",
    "<!--",
    "-->",
    "---",
    "===",
    "[^e]:",
    "[x]: y",
]

by_line = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)
by_piece = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
markdownish = st.one_of(by_line, by_piece).filter(lambda text: not text.startswith("---"))


# --- agreement with mistune (formats.md, "Topic files") ------------------------------------------------------------


@settings(max_examples=max(200, settings().max_examples))
@given(markdownish)
def test_spans_are_the_top_level_tokens_of_mistune(text: str) -> None:
    assert_agrees(text)


@given(markdownish.filter(lambda text: "\\\n" not in text))
def test_crlf_changes_no_kind_and_no_line(text: str) -> None:
    unix, windows = scan(text), scan(text.replace("\n", "\r\n"))
    assert [(s.kind, s.line, s.level, s.title) for s in unix] == [
        (s.kind, s.line, s.level, s.title.replace("\r\n", "\n")) for s in windows
    ]


@given(st.one_of(markdownish, st.text(), markdownish.map(lambda text: text.replace("\n", "\r\n"))))
def test_spans_are_whole_lines_and_leave_only_blanks(text: str) -> None:
    assert_covers(text)


def test_real_markdown_agrees(shared_data: Path) -> None:
    edits = (shared_data / "diffs" / "markdown_edits.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(edit)[side] for edit in edits for side in ("pre", "post")]
    assert len(texts) == 240
    for text in texts:
        assert_covers(text)
        front = [span.end for span in scan(text)[:1] if span.kind is SpanKind.FRONT_MATTER]
        assert_agrees(text[sum(front) :])


# --- what is what ---------------------------------------------------------------------------------------------------


def kinds(text: str) -> list[tuple[str, str]]:
    return [(span.kind.value, text[span.start : span.end]) for span in scan(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("a\nb\n\nc", [("paragraph", "a\nb"), ("paragraph", "c")]),
        ("- a\n- b\n\n\npara", [("list", "- a\n- b"), ("paragraph", "para")]),
        ("> a\nlazy\n", [("quote", "> a\nlazy")]),
        ("```\n# no\n\n```\nx", [("fence", "```\n# no\n\n```"), ("paragraph", "x")]),
        ("```\nnever closed\n\n", [("fence", "```\nnever closed")]),
        ("    a\n\n    b\n\n\nc", [("indented-code", "    a\n\n    b"), ("paragraph", "c")]),
        ("|a|b|\n|-|-|\n|1|2|\n\nx", [("table", "|a|b|\n|-|-|\n|1|2|"), ("paragraph", "x")]),
        ("a|b\n-|-\n1|2", [("table", "a|b\n-|-\n1|2")]),
        ("***\n", [("rule", "***")]),
        ("[a]: http://x\n[b]: y", [("reference", "[a]: http://x"), ("reference", "[b]: y")]),
        ("[a]:\nhttp://x\n 't'\nz", [("reference", "[a]:\nhttp://x\n 't'"), ("paragraph", "z")]),
        ("<div>\nx\n\ny", [("html", "<div>\nx"), ("paragraph", "y")]),
        ("<!-- a\n\nb -->\nx", [("comment", "<!-- a\n\nb -->"), ("paragraph", "x")]),
        ("<!-- a --> <!-- b -->", [("comment", "<!-- a --> <!-- b -->")]),
        ("<!-- a --> text\n", [("html", "<!-- a --> text")]),
        ("<!-- never closed\n\ntext", [("html", "<!-- never closed\n\ntext")]),
    ],
)
def test_kinds_and_extents(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_raw_html_on_a_continuation_line_stays_in_its_paragraph() -> None:  # behaviours.md 1.8
    assert kinds("Fact\n<em>x</em>\nmore") == [("paragraph", "Fact\n<em>x</em>\nmore")]


def test_definition_lines_end_a_paragraph_and_one_another() -> None:  # behaviours.md 1.7
    text = "[^a]: 1\nFact.[^a] ^x\n[^b]: 2\n[^c]: 3\nmore"
    assert [kind for kind, _ in kinds(text)] == ["definition", "paragraph", "definition", "definition", "paragraph"]


def test_headings_have_level_and_title() -> None:
    spans = scan("# A #\n\nTwo\nlines\n---\n\n###### deep `code`\n#\n")
    assert [(span.level, span.title) for span in spans] == [(1, "A"), (2, "Two\nlines"), (6, "deep `code`"), (1, "")]


@pytest.mark.parametrize("odd", ["\r", "\u2028", "\u2029", "\x0c", "\x0b", "\x1c", "\x85"])
def test_only_lf_ends_a_line(odd: str) -> None:  # behaviours.md 17.17
    text = f"a{odd}# no heading{odd}{odd}- no list\n\nb"
    assert [(span.kind.value, span.line) for span in scan(text)] == [("paragraph", 1), ("paragraph", 3)]


@pytest.mark.parametrize("blank", ["     ", "\t\t", " \t ", "\f", "      \r"])
def test_a_line_of_blanks_separates_paragraphs_however_long(blank: str) -> None:
    assert kinds(f"a\n{blank}\nb") == [("paragraph", "a"), ("paragraph", "b")]


def test_a_reference_label_does_not_reach_over_a_blank_line() -> None:
    assert kinds("[a\n\nb]: c") == [("paragraph", "[a"), ("paragraph", "b]: c")]


def test_what_stands_before_a_quote_does_not_take_lines_out_of_it() -> None:
    assert kinds("para\n> q\n2. x") == [("paragraph", "para"), ("quote", "> q"), ("list", "2. x")]


# --- front matter ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "front",
    ["---\na: b\n---", "---\r\na:\r\n  - x\r\n---", '---\n# note\nk: v\n\n- x\n-\n"q": {\n}\n...', "---\n---"],
)
def test_front_matter_at_the_very_top_is_one_span(front: str) -> None:
    assert kinds(f"{front}\n\nFact.") == [("front-matter", front), ("paragraph", "Fact.")]
    assert kinds(front) == [("front-matter", front)]


@pytest.mark.parametrize(
    "text", ["---\n\na: b\n---\n", "---\nA fact without a key.\n---\n", "---\na: b\n", "x\n\n---\na: b\n---\n"]
)
def test_other_rules_at_the_top_hide_no_text(text: str) -> None:
    assert SpanKind.FRONT_MATTER not in {span.kind for span in scan(text)}


# --- robustness -----------------------------------------------------------------------------------------------------

HOSTILE = [
    "> a\n- b\n",
    "*a\n",
    '[a]: b "c\n',
    "<!-- ",
    "a | b\n--|--\n",
    "[a\n",
    "\t\n",
    "---\n a: b\n",
    "  - a\n",
    "> " * 9,
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_texts_take_linear_time_and_no_stack(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        begun = time.process_time()
        scan(text)
        return time.process_time() - begun

    seconds(1_000)
    assert seconds(20_000) < 40 * seconds(2_000) + 0.2
