"""Where the top-level blocks of a Markdown text stand: the only importer of mistune.

mistune's block parser decides what is a paragraph, a heading or a fence, so that gitmem and every CommonMark reader
agree (``formats.md``, "Topic files"). mistune gives no positions, therefore its state is extended here to record them.
Three things are added: a footnote definition is one line and a block of its own, a link reference definition gets a
span too, and front matter at the very top is one span.

Offsets are characters of the text as given: nothing is normalized, CR LF counts two characters, and neither a lone CR
nor U+2028 nor a form feed ends a line (``behaviours.md`` 17.17).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.plugins.table import NP_TABLE_PATTERN, TABLE_PATTERN, parse_nptable, parse_table

if TYPE_CHECKING:
    from collections.abc import Iterator


class SpanKind(StrEnum):
    """What a span is. Blank lines have no span: they are what lies between two of them."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    FENCE = "fence"
    INDENTED_CODE = "indented-code"
    LIST = "list"
    QUOTE = "quote"
    TABLE = "table"
    HTML = "html"
    COMMENT = "comment"
    RULE = "rule"
    REFERENCE = "reference"
    DEFINITION = "definition"
    FRONT_MATTER = "front-matter"


class Span(NamedTuple):
    """One top-level block: whole lines, from ``start`` to ``end`` (exclusive, without the last line end).

    ``line`` is the 1-based LF line of ``start``. ``level`` and ``title`` are a heading's (0 and ``""`` otherwise); the
    title is Markdown as written, a setext title of several lines joined by LF.
    """

    kind: SpanKind
    line: int
    start: int
    end: int
    level: int = 0
    title: str = ""


_Token = dict[str, Any]

_KINDS = {
    "paragraph": SpanKind.PARAGRAPH,
    "heading": SpanKind.HEADING,
    "list": SpanKind.LIST,
    "block_quote": SpanKind.QUOTE,
    "table": SpanKind.TABLE,
    "block_html": SpanKind.HTML,
    "thematic_break": SpanKind.RULE,
    "ref_link": SpanKind.REFERENCE,
    "definition": SpanKind.DEFINITION,
}
_SIMPLE = ("blank_line", "definition")
_CONTAINERS = frozenset({"list", "block_quote"})
_DEFINITION_PATTERN = r"^ {0,3}\[\^[^\]\n]*\]:[^\n]*(?:\n|$)"
_COMMENTS = re.compile(r"(?:\s*<!--(?:(?!-->).)*-->)+\s*", re.DOTALL)
_WIDE_BLANK_LINE = re.compile(r"^[ \t\v\f]+$", re.MULTILINE)
_BLANK_LINE_INSIDE = re.compile(r"\n[ \t]*\n")
_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(?!\s)"
    r"(?:(?:\s[^\n]*|\#[^\n]*|-(?:[ \t][^\n]*)?|[\"'\w][^\n:]*:(?:[ \t][^\n]*)?|[\]}][^\n]*)?\n)*?"
    r"(?:---|\.\.\.)[ \t]*\n"
)


class _State(BlockState):
    """A state that notes where each top-level token starts, under the token's key ``start``.

    ``begun`` is where the rule that is running started. Inside a list or a quote mistune tries whether another block
    ends it, with the cursor already further on: then what stands before the list or quote must not count.
    """

    begun: int | None = None
    deferred: bool = False

    def child_state(self, src: str, lazy_line_starts: set[int] | None = None) -> BlockState:
        """Nothing: what is inside a list or a quote has no top-level blocks, so it need not be parsed."""
        del src, lazy_line_starts
        return self.__class__(self)

    def append_token(self, token: _Token) -> None:
        """Append; outside a rule (indented code) the cursor is still at the token's start."""
        if self.begun is None:
            token["start"] = self.cursor
        self.tokens.append(token)

    def prepend_token(self, token: _Token) -> None:
        """Put the token before the one that ended it, unless that one is still to be parsed."""
        if self.deferred:
            self.append_token(token)
        else:
            super().prepend_token(token)

    def add_paragraph(self, text: str) -> None:
        """Begin or continue a paragraph; its text is not needed, the offsets are."""
        del text
        if not self.tokens or self.tokens[-1]["type"] != "paragraph":
            self.tokens.append({"type": "paragraph", "start": self.cursor})

    def append_paragraph(self) -> int | None:
        """Continue the paragraph that stands directly before, and only that."""
        inside = self.begun is not None and self.cursor > self.begun
        if inside or not self.tokens or self.tokens[-1]["type"] != "paragraph":
            return None
        return self.find_line_end()


class _Parser(BlockParser):
    """mistune's rules with tables and one-line footnote definitions, recording where each match started."""

    state_cls = _State

    def __init__(self) -> None:
        super().__init__()
        self.specification["definition"] = _DEFINITION_PATTERN
        # what topics are mostly made of is tried first; of the others only a reference matches where these do
        self.rules = [*_SIMPLE, *(rule for rule in self.rules if rule not in _SIMPLE)]
        self.register("table", TABLE_PATTERN, parse_table)
        self.register("nptable", NP_TABLE_PATTERN, parse_nptable)

    def parse_ref_link(self, m: re.Match[str], state: BlockState) -> int | None:
        """A link reference definition; its label holds no blank line, which mistune does not ask."""
        if _BLANK_LINE_INSIDE.search(m["reflink_1"]):
            return None
        return super().parse_ref_link(m, state)

    def _parse_indent_code_fast(self, state: BlockState) -> int | None:
        """Only what begins with a blank can be indented code; mistune measures every line."""
        return super()._parse_indent_code_fast(state) if state.src[state.cursor] in " \t" else None

    def parse_method(self, m: re.Match[str], state: BlockState) -> int | None:
        """Run the rule that matched and note its start.

        A list or quote that ends another is left to the main loop, which comes to it next: mistune would recurse once
        for every such change and overflow the stack on long texts.
        """
        recorder = cast("_State", state)
        tokens = state.tokens
        if m.lastgroup in _SIMPLE and recorder.begun is None:
            tokens.append({"type": m.lastgroup, "start": state.cursor})
            return m.end()
        start, outer, count = state.cursor, recorder.begun, len(tokens)
        if outer is not None and start > outer and m.lastgroup in _CONTAINERS:
            recorder.deferred = True
            return start
        recorder.begun, recorder.deferred = start, False
        end = super().parse_method(m, state)
        recorder.begun, recorder.deferred = outer, False
        if end and m.lastgroup == "ref_link" and not (tokens and tokens[-1]["type"] == "paragraph"):
            tokens.append({"type": "ref_link"})
        for index in range(count, len(tokens)):
            tokens[index].setdefault("start", start)
        return end


_PARSER = _Parser()


def scan(text: str) -> tuple[Span, ...]:
    """Every top-level block of the text in file order; never raises, linear in the text for what people write.

    The kinds are those of mistune's tokens, apart from the additions that the module names.
    """
    return tuple(_spans(text, _tokens(text)))


def _tokens(text: str) -> list[_Token]:
    """The top-level tokens of mistune, each with its ``start``, blank lines among them."""
    state = _State()
    state.process(_prepare(text))
    if text.startswith("---") and (front := _FRONT_MATTER.match(state.src)):
        state.tokens.append({"type": "front_matter", "start": 0})
        state.cursor = front.end()
        state.tokens.append({"type": "blank_line", "start": front.end()})
    _PARSER.parse(state)
    return state.tokens


def _prepare(text: str) -> str:
    """The text as mistune wants it, every offset kept."""
    if "\r\n" in text:  # a blank before the line end never changes what a line is
        text = text.replace("\r\n", " \n")
    if not text.endswith("\n"):
        text += "\n"
    if (
        "     \n" in text or "\t" in text or "\f" in text or "\v" in text
    ):  # mistune takes wide blank lines for indented code, CommonMark does not
        text = _WIDE_BLANK_LINE.sub(lambda line: "\f" * len(line.group()), text)
    return text


def _spans(text: str, tokens: list[_Token]) -> Iterator[Span]:
    line, counted = 1, 0
    ends = [min(token["start"], len(text)) for token in tokens[1:]]
    ends.append(len(text))
    for token, limit in zip(tokens, ends, strict=True):
        if token["type"] == "blank_line":
            continue
        start = token["start"]
        line += text.count("\n", counted, start)
        counted = start
        yield _span(text, token, line, _trim(text, start, limit))


def _span(text: str, token: _Token, line: int, end: int) -> Span:
    start, name = token["start"], token["type"]
    if name == "heading":
        title = token["text"] if token["style"] == "atx" else text[start : text.rfind("\n", start, end)]
        return Span(SpanKind.HEADING, line, start, end, token["attrs"]["level"], title.strip(" \t\r\n"))
    if name == "block_code":
        kind = SpanKind.FENCE if token["style"] == "fenced" else SpanKind.INDENTED_CODE
    elif name == "block_html" and _COMMENTS.fullmatch(text, start, end):
        kind = SpanKind.COMMENT
    elif name == "front_matter":
        kind = SpanKind.FRONT_MATTER
    else:
        kind = _KINDS[name]
    return Span(kind, line, start, end)


def _trim(text: str, start: int, end: int) -> int:
    """The end without the line end of the last line that is not blank."""
    if text[end - 1] == "\n" and not text[end - 2].isspace():
        return end - 1
    last = start + len(text[start:end].rstrip(" \t\r\n\v\f"))
    newline = text.find("\n", last, end)
    end = end if newline < 0 else newline
    return end - 1 if text.startswith("\r\n", end - 1) else end
