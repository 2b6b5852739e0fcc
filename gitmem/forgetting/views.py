"""Derived views of earlier commits without the lines that show what is erased.

They are functions of the memory, and the current ones are rendered anew. Rendering all earlier ones as well would cost
the whole history; in them the text is taken away, which is the same but for a window (recent rows, the budget of the
core) that then holds fewer than it might.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from gitmem.format.layout import CORE, CORE_SHARED, RECENT, RELATIONS
from gitmem.format.links import resolve_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.forgetting.erased import Erased
    from gitmem.format.model import Claim

ROOT_VIEWS = frozenset({CORE, CORE_SHARED, RECENT, RELATIONS})

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_TOPIC = re.compile(r"\[Topic\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*#\^([A-Za-z0-9_-]+)\)")
_LINK = re.compile(r" ?\[(?:\\.|[^\\\[\]]|\[(?:\\.|[^\\\[\]])*\])*\]\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")


def clean_timeline(path: str, text: str, erased: Erased, dead: frozenset[str]) -> str | None:
    """A timeline file without the paragraphs of erased evidence and dead blocks; ``None`` when only its title is left.

    Of evidence that names other messages too, the links that are erased go.
    """
    title, *paragraphs = text.removesuffix("\n").split("\n\n")
    kept = [left for paragraph in paragraphs if (left := _paragraph(path, paragraph, erased, dead)) is not None]
    if kept == paragraphs:
        return text
    return "\n\n".join([title, *kept, ""])[:-1] if kept else None


def _paragraph(path: str, paragraph: str, erased: Erased, dead: frozenset[str]) -> str | None:
    topic = next(reversed(list(_TOPIC.finditer(paragraph))), None)
    if topic is None:
        return paragraph
    if topic[1] in dead:
        return None
    links = list(_LINK.finditer(paragraph, topic.end()))
    hits = [link for link in links if erased.target(resolve_target(path, link[1]) or "")]
    if hits and len(hits) == len(links):
        return None
    for link in reversed(hits):
        paragraph = paragraph[: link.start()] + paragraph[link.end() :]
    return paragraph


def clean_recent(text: str, erased: Erased, dead: frozenset[str], claims: Mapping[tuple[str, str], Claim]) -> str:
    """``recent_events.jsonl`` without dead blocks; ``claims``: what others say now, by id and by what they said."""
    return "".join(_rows(text, erased, dead, claims))


def _rows(text: str, erased: Erased, dead: frozenset[str], claims: Mapping[tuple[str, str], Claim]) -> Iterator[str]:
    for line in _LINE.findall(text):
        row = _row(line)
        refs = [] if row is None else row.get("refs", [])
        if row is None or not isinstance(refs, list):
            yield line
            continue
        kept = [ref for ref in refs if not erased.has(str(ref))]
        if row.get("memory_id") in dead or (refs and not kept):
            continue
        now = claims.get((str(row.get("memory_id")), str(row.get("content"))))
        if kept == refs and now is None:
            yield line
            continue
        row |= {"refs": kept, "source_refs": kept}
        if now is not None:
            row |= {"content": now.content, "whens": list(now.whens), "when": next(iter(now.whens), None)}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _row(line: str) -> dict[str, object] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def clean_relations(text: str, dead: frozenset[str]) -> str:
    """``relations.json`` without dead blocks, in the form that views have."""
    found = _row(text)
    if found is None or not any(block in text for block in dead):
        return text
    parts = (f'"{name}": {_object(found.get(name), dead)}' for name in ("backlinks", "outbound"))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _object(links: object, dead: frozenset[str]) -> str:
    pairs = links.items() if isinstance(links, dict) else ()
    left = {block: [other for other in others if other not in dead] for block, others in pairs if block not in dead}
    lines = [f"{json.dumps(block)}: {json.dumps(left[block])}" for block in sorted(left) if left[block]]
    return "{\n" + ",\n".join(lines) + "\n}" if lines else "{}"
