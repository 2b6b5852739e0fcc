"""What restore and undo answer: a write's result, what it changes, and how to go back from it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, Result, claims_answer
from gitmem.facts.difference import claims_between
from gitmem.format.model import TextKind
from gitmem.format.topic import parse_topic
from gitmem.store.overlay import Overlay

if TYPE_CHECKING:
    from gitmem.format.model import Topic
    from gitmem.ids import Oid, TopicPath
    from gitmem.memory import Memory
    from gitmem.request import ExactEdit, Surface


@dataclass(frozen=True, slots=True)
class BackAnswer(Result):
    """``of`` is the revision restored or undone; ``claims`` what changes, or in a dry run would.

    ``go_back`` is the command line that takes it back, or shows what cannot be written again; ``None`` when nothing was
    changed.
    """

    of: str = ""
    dry_run: bool = False
    claims: ClaimsAnswer = ClaimsAnswer()  # noqa: RUF009  (a frozen value)
    go_back: str | None = None


_SUBSTANTIVE = frozenset({TextKind.PARAGRAPH, TextKind.LIST, TextKind.QUOTE, TextKind.TABLE, TextKind.FENCE})


def _texts(topic: Topic) -> frozenset[str]:
    """What stands in a topic outside of its claims, beside headings and comments."""
    return frozenset(topic.text[one.start : one.end] for one in topic.elements if one.kind in _SUBSTANTIVE)


@dataclass(frozen=True, slots=True)
class Going:
    """A way back that has been found: what becomes of the topics, and how the transaction is told.

    ``of`` is the revision restored or undone. The edit is for the memory that it was found in.
    """

    memory: Memory
    of: Oid
    edit: ExactEdit
    surface: Surface
    subject: str
    warnings: tuple[str, ...] = ()

    def claims(self) -> ClaimsAnswer:
        """What it changes."""
        after = Overlay(self.memory.repo, self.memory.snapshot)
        for path, data in self.edit.files.items():
            after.lay(path, data)
        changes = after.changes(self.memory.snapshot)
        return claims_answer(self.memory.facts, claims_between(self.memory.snapshot, after, changes))

    def loose(self) -> tuple[str, ...]:
        """Topics with text outside of claims that goes: plain git committed it, and no transaction writes it again."""
        return tuple(path for path in self.edit.files if self._loose(path) - self._loose_after(path))

    def _loose(self, path: TopicPath) -> frozenset[str]:
        topic = self.memory.snapshot.topic(path)
        return frozenset() if topic is None else _texts(topic)

    def _loose_after(self, path: TopicPath) -> frozenset[str]:
        data = self.edit.files[path]
        return frozenset() if data is None else _texts(parse_topic(path, data.decode("utf-8", "replace")))


def _shown(result: Result, path: str) -> str:
    return f"git show {result.autosave}:{path}"


def done(going: Going, claims: ClaimsAnswer, result: Result) -> BackAnswer:
    """The answer after the transaction."""
    known = {field.name: getattr(result, field.name) for field in fields(result)}
    loose = going.loose() if result.memory_committed and result.autosave else ()
    gone = (f"text that no message vouches for is gone from {path}: {_shown(result, path)} has it" for path in loose)
    known["warnings"] = (*going.warnings, *gone, *result.warnings)
    go_back = f"gitmem undo {result.revision}" if result.memory_committed else None
    if loose:
        go_back = _shown(result, loose[0])
    return BackAnswer(**known, of=going.of, claims=claims, go_back=go_back)


def rehearsed(going: Going, claims: ClaimsAnswer) -> BackAnswer:
    """The answer of a dry run: nothing changed."""
    return BackAnswer(
        ok=True,
        revision=going.memory.revision,
        derived_commit=None,
        memory_committed=False,
        source_ids={},
        block_ids={},
        evidence_ids={},
        changed_files=(),
        warnings=going.warnings,
        of=going.of,
        dry_run=True,
        claims=claims,
    )
