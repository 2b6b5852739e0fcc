r"""Footnote definitions: ``[^id]: Time: `when`; Sources: [label](target), …`` (``formats.md``, "Topic files")."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.layout import is_handle
from gitmem.format.links import resolve_target
from gitmem.format.model import Defect, Definition, SourceLink
from gitmem.ids import EvidenceId

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

WHEN_UNDATED = "undated"
"""How a footnote writes that nobody knows when; ``None`` in every value."""

_ID_DIGITS = 10
_WHEN = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
_LABEL = re.compile(r" {0,3}\[\^([^\]\n]*)\]:[ \t]*")
_LABEL_NAME = re.compile(r"[^\\\[\]\s]+")
_TIME = re.compile(r"(?P<word>Time:)?[ \t]*(?:`(?P<ticked>[^`]*)`[ \t]*|(?P<plain>[^`;·]*))(?:[;·][ \t]*|$)")
_SOURCES = re.compile(r"Sources:[ \t]*")
_IN_TARGET = r"[^()\t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*+"  # a plain blank may be
_LINK = re.compile(
    r"\[(?P<label>(?:\\.|[^\\\[\]]|\[(?:\\.|[^\\\[\]])*+\])*+)\]"
    rf"\((?! )(?P<target>{_IN_TARGET}(?:\({_IN_TARGET}\){_IN_TARGET})*+)(?<! )\)[ \t]*+(?:,[ \t]*+|$)"
)
_NEXT = re.compile(r",(?:[ \t]+|$)")
_NOT_IN_HANDLES = re.compile(r"[\[\]<>]")
_FIX = "write it as [^id]: Time: `YYYY-MM-DD`; Sources: [label](target)"
_UNSAFE_IN_LABEL = re.compile(r"[\\\[\]]")


class ParsedDefinition(NamedTuple):
    """A definition line as far as it could be read, and what is wrong with it.

    A defective definition still carries its id, so that the citations of it stay bound and one mistake is one finding.
    """

    definition: Definition
    defects: tuple[Defect, ...]


@lru_cache(maxsize=4096)
def valid_when(text: str) -> bool:
    """Whether it is a footnote's time: ``YYYY``, ``YYYY-MM``, a day of the real calendar, or ``undated`` (1.2)."""
    if text == WHEN_UNDATED:
        return True
    match = _WHEN.fullmatch(text)
    if match is None:
        return False
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def evidence_id(when: str | None, handles: Iterable[str], *, taken: Collection[str] = ()) -> EvidenceId:
    """The id of a time and its source handles, in order: the same everywhere (``behaviours.md`` 0.11, 0.30).

    ``taken`` are ids that stand for another meaning; the id grows by two digits while it is one of them.
    """
    meaning = "\n".join([when or WHEN_UNDATED, *handles])
    digest = hashlib.sha256(meaning.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(_ID_DIGITS, len(digest), 2):
        if f"e-{digest[:length]}" not in taken:
            return EvidenceId(f"e-{digest[:length]}")
    return EvidenceId(f"e-{digest}")


def escape_label(text: str) -> str:
    """A label from outside, made fit to stand between brackets on one line; a parsed label needs no escaping."""
    line = " ".join(re.split(r"[\t\r\n]+", text))
    return _UNSAFE_IN_LABEL.sub(lambda match: "\\" + match.group(), line)


def render_definition(evidence: EvidenceId, when: str | None, links: Iterable[SourceLink]) -> str:
    """The definition's line without its LF; a source that is a plain handle (label equal to target) stays one."""
    sources = ", ".join(_render_link(link) for link in links)
    return f"[^{evidence}]: Time: `{when or WHEN_UNDATED}`; Sources: {sources}"


def parse_definition(topic_path: str, line_text: str, *, line: int = 1, start: int = 0) -> ParsedDefinition:
    """Read one definition line, without its LF, that starts with ``[^``; ``line`` and ``start`` say where it stands.

    Read besides the written form: the time without back-ticks, and the older ``[^id]: <when> · Sources: …`` (1.3).
    """
    faults: list[tuple[str, str]] = []
    when: str | None = None
    links: tuple[SourceLink, ...] = ()
    opening = _LABEL.match(line_text)
    name = opening.group(1) if opening else ""
    if opening is None or not _LABEL_NAME.fullmatch(name):
        faults.append(("malformed-definition", "a footnote's id has no blanks, brackets or back-slashes"))
    else:
        when, links = _read_body(topic_path, line_text[opening.end() :].rstrip(" \t\r"), faults)
    definition = Definition(EvidenceId(name), when, links, line, start, start + len(line_text))
    if not faults:
        return ParsedDefinition(definition, ())
    defects = (Defect(code, f"footnote [^{name}]: {what}", line, fix=_FIX) for code, what in faults)
    return ParsedDefinition(definition, tuple(defects))


def _render_link(link: SourceLink) -> str:
    if link.resolved is None and link.label == link.target:
        return link.target
    return f"[{link.label}]({link.target})"


def _read_body(topic_path: str, body: str, faults: list[tuple[str, str]]) -> tuple[str | None, tuple[SourceLink, ...]]:
    """The time and the sources of a definition; what is wrong goes to ``faults`` as code and description."""
    time = None if body.startswith("Sources:") else _TIME.match(body)
    sources = _SOURCES.match(body, time.end() if time else 0)
    if sources is None and (time is None or not time["word"]):
        faults.append(("malformed-definition", "neither a time nor sources can be read"))
        return None, ()
    when = _read_when(time, faults)
    links = tuple(_read_links(topic_path, body[sources.end() :] if sources else "", faults))
    if not links and not any(code == "malformed-definition" for code, _ in faults):
        faults.append(("missing-source", "it names no source"))
    return when, links


def _read_when(time: re.Match[str] | None, faults: list[tuple[str, str]]) -> str | None:
    text = (time["ticked"] or time["plain"] or "").strip() if time else ""
    if text == WHEN_UNDATED:
        return None
    if not valid_when(text):
        faults.append(("bad-time", f"{text!r} is not YYYY, YYYY-MM, YYYY-MM-DD of the calendar, or undated"))
        return None
    return text


def _read_links(topic_path: str, text: str, faults: list[tuple[str, str]]) -> Iterator[SourceLink]:
    position = 0
    while position < len(text):
        if link := _LINK.match(text, position):
            position = link.end()
            yield from _read_link(topic_path, link, faults)
            continue
        comma = _NEXT.search(text, position)
        piece = text[position : comma.start() if comma else len(text)].strip(" \t")
        position = comma.end() if comma else len(text)
        if piece and not _NOT_IN_HANDLES.search(piece):
            yield SourceLink(piece, piece, None)
        else:
            faults.append(("malformed-definition", f"{piece!r} is neither a link nor a handle"))


def _read_link(topic_path: str, link: re.Match[str], faults: list[tuple[str, str]]) -> Iterator[SourceLink]:
    label, target = link["label"], link["target"]
    if not label.strip():
        faults.append(("missing-label", f"the link to {target!r} has no label"))
    if not target:
        faults.append(("missing-source", f"the link labelled {label!r} has no target"))
        return
    if " " in target and not is_handle(target):  # a name on disk is encoded, only a handle is not
        faults.append(("malformed-definition", f"{link.group().strip(' ,')!r} is neither a link nor a handle"))
        return
    yield SourceLink(label, target, resolve_target(topic_path, target))
