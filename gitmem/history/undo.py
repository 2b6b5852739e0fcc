"""The inverse of one transaction, whatever came after it (``cli.md``, "History")."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer
from gitmem.errors import Code, Finding, NotFound, Refused, Severity
from gitmem.facts.difference import claims_between
from gitmem.format.layout import is_topic
from gitmem.format.text import excerpt
from gitmem.format.topic import parse_topic
from gitmem.format.trailers import parse_trailers
from gitmem.history.back import Going
from gitmem.history.inverse import Sides, merge_back
from gitmem.history.transactions import WRITER_TRAILER, sides, subject
from gitmem.ids import BlockId, TopicPath
from gitmem.json_form import to_json
from gitmem.request import ExactEdit, Surface
from gitmem.store.commits import read_commit
from gitmem.store.merge import merge_file
from gitmem.store.refs import is_ancestor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.ids import Oid
    from gitmem.memory import Memory
    from gitmem.store.commits import Commit
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot
    from gitmem.store.tree import Change, Tree

SUBJECT_CHARACTERS = 200
"""How much of the undone transaction's subject the new one repeats."""

CHECK = "undo"
"""What findings name as their check."""


def undoing(memory: Memory, of: Oid, *, merge: bool = False) -> Going:
    """The way back from one transaction of this history.

    With ``merge``, what was changed since stays where the two changes meet, and a warning names it. Raises ``NotFound``
    (``REVISION_NOT_FOUND``) for a commit of another history, and without ``merge`` ``Refused`` (``UNDO_CONFLICT``),
    naming every block that was changed again or moved away, with what a merge would change in its details.
    """
    commit = read_commit(memory.repo, of)
    if commit is None or not is_ancestor(memory.repo, of, memory.commit):
        message = f"{of[:12]} is not in the history of this branch, so there is nothing of it to undo"
        raise NotFound(Code.REVISION_NOT_FOUND, message, details={"revision": of})
    going = Going(memory, of, ExactEdit({}), Surface.UNDO, _subject(commit))
    before, after = sides(memory.repo, commit)
    if not commit.parents or not any(is_topic(change.path) for change in after.changes(before)):
        nothing = f"{of[:12]} changed no topics, and sources stay: nothing to undo; `gitmem log` lists the others"
        return replace(going, warnings=(nothing,))
    undo = _Undo(memory, before, after)
    if merge:
        return replace(going, edit=undo.edit, warnings=tuple(f"^{block} stays as it is now" for block in undo.left))
    if undo.conflicts:
        raise _offering(conflict(undo.conflicts), replace(going, edit=undo.edit), undo.left)
    return replace(going, edit=undo.edit)


def _offering(refusal: Refused, merged: Going, left: tuple[BlockId, ...]) -> Refused:
    """The refusal with the merge that can be had instead, if it would change anything."""
    claims = merged.claims() if merged.edit.files else None
    if claims is None or claims == ClaimsAnswer():
        return refusal
    message = f"{refusal.message}; `gitmem undo {merged.of[:12]} --merge` takes back what the later changes left alone"
    details = {"merge": {"claims": to_json(claims), "left": list(left)}}
    return Refused(refusal.code, message, path=refusal.path, details=details, findings=refusal.findings)


def _moved_away(memory: Memory, before: Snapshot, after: Snapshot) -> Iterator[Finding]:
    """Blocks that the transaction wrote and that stand in another file, or inside another block, by now."""
    wrote = claims_between(before, after, after.changes(before))
    for claim in (*wrote.added, *(changed.after for changed in wrote.changed)):
        for present in memory.facts.claims(claim.id):
            if present.path != claim.path or present.id != claim.id:
                where = present.path if present.id == claim.id else f"^{present.id}"
                message = f"^{claim.id} was moved into {where} since"
                fix = "undo the later change first"
                yield Finding(CHECK, Severity.ERROR, "moved-since", message, present.path, present.line, claim.id, fix)


def _subject(commit: Commit) -> str:
    """To undo an undo is to redo, and the other way round: subjects do not grow by a word each time."""
    name = excerpt(subject(commit).removeprefix("memory: "), SUBJECT_CHARACTERS)
    if Surface.UNDO in parse_trailers(commit.message).get(WRITER_TRAILER, ()):
        verb, _, rest = name.partition(" ")
        turned = {"undo": "redo", "redo": "undo"}.get(verb)
        if turned and rest:
            return f"memory: {turned} {rest}"
    return f"memory: undo {name}"


class _Undo:
    """What a transaction did to the topics, taken back from ``before`` to ``after``; its sources stay.

    A file that nobody changed since becomes exactly what it was. In another, the inverse is merged into what stands
    there now, line by line where that says the same, else block by block. With ``conflicts``, ``edit`` is the merge
    that leaves the blocks in ``left`` as they are.
    """

    def __init__(self, memory: Memory, before: Snapshot, after: Snapshot) -> None:
        self._memory, self._before, self._after = memory, before, after
        elsewhere = tuple(_moved_away(memory, before, after))
        self._elsewhere = {BlockId(finding.block) for finding in elsewhere if finding.block is not None}
        self._files: dict[TopicPath, bytes | None] = {}
        conflicts: list[Finding] = []
        left: dict[BlockId, None] = dict.fromkeys(sorted(self._elsewhere))
        for change in after.changes(before):
            if is_topic(change.path) and memory.snapshot.entry(change.path) != change.old:
                found, stay = self._take_back(change)
                conflicts.extend(found)
                left.update(dict.fromkeys(stay))
        self.edit, self.left = ExactEdit(self._files), tuple(left)
        self.conflicts = tuple(conflicts) or elsewhere

    def _take_back(self, change: Change) -> tuple[list[Finding], tuple[BlockId, ...]]:
        path, current = TopicPath(change.path), self._memory.snapshot
        states = Sides(*(tree.topic(path) or parse_topic(path, "") for tree in (self._before, self._after, current)))
        if current.entry(path) == change.new and not self._elsewhere.intersection(states.touched()):
            self._files[path] = self._before.read(path)
            return [], ()
        left: tuple[BlockId, ...] = ()
        text = _line_by_line(self._memory.repo, current, change, states)
        conflicts = [] if text is not None else list(_conflicts(states, self._before.commit or ""))
        if text is None or self._elsewhere:
            merged, left = merge_back(states, self._elsewhere)
            text = merged.text
        if text != states.present.text:
            self._files[path] = text.encode() if text.strip() else None
        return conflicts, left


def as_conflict(refusal: Refused) -> Refused:
    """What the checks find wrong with an undo: something that came later needs what it would take back."""
    found = tuple(finding for finding in refusal.findings if finding.severity is Severity.ERROR)
    return conflict(found) if found and refusal.code is not Code.UNDO_CONFLICT else refusal


def conflict(findings: tuple[Finding, ...]) -> Refused:
    """The refusal of an undo that would take back more than its own transaction."""
    first = findings[0]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    message = f"the transaction cannot be undone: {first.message}{more}"
    return Refused(Code.UNDO_CONFLICT, message, path=first.path, findings=findings)


def _conflicts(states: Sides, before: str) -> Iterator[Finding]:
    path, again = states.present.path, states.changed_again()
    stood = {block.id for block in states.before.blocks}
    lines = {block.id: block.line for block in states.present.blocks}
    restore = f"undo the later change first, or go back to what stood before: `gitmem restore {before[:12]}"
    for block in again:
        fix = f"{restore} --block {block}`" if block in stood else f"remove the block as it is now: `gitmem rm {block}`"
        message = f"^{block} was changed since"
        yield Finding(CHECK, Severity.ERROR, "changed-since", message, path, lines.get(block), block, fix)
    if not again and states.other_text_changed():
        message = "the text around its blocks was changed since"
        yield Finding(CHECK, Severity.ERROR, "changed-since", message, path, None, None, f"{restore} {path}`")


def _line_by_line(repo: Repo, current: Tree, change: Change, states: Sides) -> str | None:
    """The present text without what the transaction changed, where git's merge does exactly that."""
    present = current.entry(change.path)
    if present is None or change.old is None or change.new is None:
        return None
    data = merge_file(repo, change.path, ancestor=change.new.oid, ours=present.oid, theirs=change.old.oid)
    text = None if data is None else data.decode()
    return text if text is not None and states.is_taken_back(parse_topic(states.present.path, text)) else None
