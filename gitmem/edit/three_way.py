"""Two edits of one topic brought together, block by block (``architecture.md`` section 3, step 8).

A line-by-line merge takes neighbouring paragraphs for one conflict and knows no footnotes. Here a block is its id, so
both sides may change, move, add and remove blocks as long as they are not the same ones. What both changed is named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.edit.merge_order import Versions, merged_order, misplaced, moves
from gitmem.edit.pieces import BLOCK, DEFINITION, HEADING, aligned, chains, take_apart
from gitmem.format.text import excerpt
from gitmem.ids import BlockId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.edit.pieces import Key, Piece
    from gitmem.ids import TopicPath


@dataclass(frozen=True, slots=True)
class Clash:
    """What both sides changed differently: ``^id`` with the block, else a heading, a footnote or other text."""

    name: str
    block: BlockId | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """The merge of two edits; with clashes, the text shows both versions of those paragraphs between markers."""

    text: str
    clashes: tuple[Clash, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing has to be decided by a person."""
        return not self.clashes


def merge_topics(
    path: TopicPath, base: str, ours: str, theirs: str, names: tuple[str, str] = ("ours", "theirs")
) -> Merged:
    """Merge what ``ours`` and ``theirs`` each made of ``base``; an absent file is an empty text.

    ``names`` stand beside the conflict markers. Where both changed the text, line ends become LF. Never raises.
    """
    merged = _one_sided(base, ours, theirs)
    if merged is not None:
        return Merged(merged)
    base, ours, theirs = (text.replace("\r\n", "\n") for text in (base, ours, theirs))
    merged = _one_sided(base, ours, theirs)
    if merged is not None:
        return Merged(merged)
    return _Merge(path, (base, ours, theirs), names).result()


def _one_sided(base: str, ours: str, theirs: str) -> str | None:
    if ours in {base, theirs}:
        return theirs
    return ours if theirs == base else None


class _Merge:
    """One merge in which both sides changed something."""

    def __init__(self, path: TopicPath, texts: tuple[str, str, str], names: tuple[str, str]) -> None:
        base, ours, theirs = (take_apart(path, text) for text in texts)
        self._path, self._texts, self._names = path, texts, names
        self._versions = Versions(base, aligned(base, ours), aligned(base, theirs))
        self._pieces: dict[Key, Piece] = {}
        self._clashing: dict[Key, None] = {}

    def result(self) -> Merged:
        follow = self._settle()
        order = merged_order(self._versions, self._pieces, follow)
        self._clashing.update(dict.fromkeys(misplaced(self._versions, order, self._pieces)))
        text = self._text(order)
        if not self._clashing and not self._reads_as(order, text):
            return Merged(self._marked(*self._texts[1:]), (Clash("the whole text"),))
        return Merged(text, tuple(self._clash(key) for key in order if key in self._clashing))

    def _settle(self) -> list[Key]:
        """Decide which pieces there are, and what each says; footnotes that only a citation brought back."""
        keys = dict.fromkeys(key for version in self._versions for key in version.pieces)
        for key in keys:
            piece, clashes = _decided(*self._versions.of(key))
            if piece is not None:
                self._pieces[key] = piece
            if clashes:
                self._clashing[key] = None
        self._clashing.update(dict.fromkeys(moves(self._versions).clashing & self._pieces.keys()))
        self._keep_headings()
        return self._settle_footnotes([key for key in keys if key.kind == DEFINITION])

    def _keep_headings(self) -> None:
        """A heading stays while one side has something new under it that the other, which removed it, has not."""
        _, ours, theirs = self._versions
        for side, other in ((ours, theirs), (theirs, ours)):
            for key, above in chains(side.pieces.values()).items():
                if key in self._pieces and key not in other.pieces:
                    for heading in above:
                        self._pieces.setdefault(heading, side.pieces[heading])

    def _settle_footnotes(self, keys: Sequence[Key]) -> list[Key]:
        cited = {name for piece in self._pieces.values() for name in piece.cites}
        once = {name for version in self._versions for piece in version.pieces.values() for name in piece.cites}
        needless, back = once - cited, []
        for key in keys:
            if key in self._pieces and key.name in needless:
                del self._pieces[key]
                self._clashing.pop(key, None)
            elif key not in self._pieces and key.name in cited:
                base, ours, theirs = self._versions.of(key)
                self._pieces[key] = ours or theirs or base  # type: ignore[assignment]  # one of them has it
                back.append(key)
        return back

    def _text(self, order: Sequence[Key]) -> str:
        if not order:
            return ""
        base, ours, theirs = self._versions
        parts = [_either(base.lead, ours.lead, theirs.lead)]
        for before, key in zip([None, *order], order, strict=False):
            parts += [self._gap(before, key) if before is not None else "", self._shown(key)]
        return "".join([*parts, _either(base.tail, ours.tail, theirs.tail)])

    def _shown(self, key: Key) -> str:
        if key not in self._clashing:
            return self._pieces[key].text
        _, ours, theirs = self._versions.of(key)
        return self._marked(*("" if piece is None else f"{piece.text}\n" for piece in (ours, theirs))).rstrip("\n")

    def _marked(self, ours: str, theirs: str) -> str:
        one, two = (text if not text or text.endswith("\n") else f"{text}\n" for text in (ours, theirs))
        return f"<<<<<<< {self._names[0]}\n{one}=======\n{two}>>>>>>> {self._names[1]}\n"

    def _gap(self, before: Key, key: Key) -> str:
        """The white space between two pieces as a version has it where they are neighbours."""
        if before in self._clashing or key in self._clashing:
            return "\n\n"
        base, ours, theirs = (version.gaps.get((before, key)) for version in self._versions)
        if ours is not None and theirs is not None:
            return _either(base or "", ours, theirs)
        found = ours if ours is not None else theirs
        return found if found is not None else "\n" if before.kind == key.kind == DEFINITION else "\n\n"

    def _reads_as(self, order: Sequence[Key], text: str) -> bool:
        """Whether the text holds exactly the pieces that it was made of, and no id twice."""
        again = take_apart(self._path, text)
        texts = [piece.text for piece in again.pieces.values()] == [self._pieces[key].text for key in order]
        ids = [held for piece in again.pieces.values() for held in piece.ids]
        known = [[held for piece in version.pieces.values() for held in piece.ids] for version in self._versions[1:]]
        return texts and (len(ids) == len(set(ids)) or any(len(held) != len(set(held)) for held in known))

    def _clash(self, key: Key) -> Clash:
        if key.kind == BLOCK:
            return Clash(f"^{key.name}", BlockId(key.name))
        if key.kind == DEFINITION:
            return Clash(f"[^{key.name}]")
        return Clash(f"{key.kind} {excerpt(self._pieces[key].text)!r}")


def _decided(base: Piece | None, ours: Piece | None, theirs: Piece | None) -> tuple[Piece | None, bool]:
    """What a piece becomes, and whether both sides want something else of it."""
    was, one, two = (None if piece is None else piece.text for piece in (base, ours, theirs))
    if two in {one, was}:
        return ours, False
    if was == one:
        return theirs, False
    if ours is None or theirs is None:
        kept = ours or theirs  # changed here and removed there
        return kept, kept is not None and kept.key.kind not in {HEADING, DEFINITION}
    if ours.key.kind == DEFINITION and ours.meaning == theirs.meaning:
        labelled = min((ours, theirs), key=lambda piece: piece.text)
        return base if base is not None and base.meaning == ours.meaning else labelled, False
    return replace(ours, cites=ours.cites | theirs.cites), True


def _either(base: str, ours: str, theirs: str) -> str:
    """White space that one side changed; the longer one where both did."""
    if ours == base:
        return theirs
    return ours if theirs == base else max(ours, theirs, key=lambda gap: (gap.count("\n"), len(gap), gap))
