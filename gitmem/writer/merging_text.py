"""Writing merges down: the kept paragraph gets the citations and ids of those that it absorbs, which go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.edit.evidence import meaning_of
from gitmem.edit.rebase import apply_edits, definition_edits
from gitmem.edit.splice import line_after, next_definition
from gitmem.format.paragraph import read_paragraph
from gitmem.writer.organize_cutting import lone_footnotes, without
from gitmem.writer.organize_fidelity import faithful
from gitmem.writer.organize_units import definitions_of, read_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.edit.rebase import Edit
    from gitmem.facts.base import Meaning
    from gitmem.format.model import Definition, Topic
    from gitmem.ids import BlockId, EvidenceId, TopicPath
    from gitmem.writer.merging import Merge
    from gitmem.writer.organize_pages import Pages
    from gitmem.writer.organize_units import Unit


def apply_merges(pages: Pages, merges: Iterable[Merge]) -> None:
    """Put merges of one file and its parts on the pages; none of them when the files would not say the same."""
    work = _Merging(pages)
    for merge in merges:
        work.take_on(merge)
    before, after = work.files()
    if faithful(before, after):
        pages.put(after)


class _File:
    """One file of the work: its paragraphs by id, what its footnotes mean, and what goes from it."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.units: Mapping[BlockId, Unit] = {name: unit for unit in read_units(topic) for name in unit.ids}
        self.definitions: Mapping[EvidenceId, Definition] = definitions_of(topic)
        self.meanings: dict[EvidenceId, Meaning] = {n: meaning_of(note) for n, note in self.definitions.items()}
        self.taken: list[Unit] = []
        self.folds: list[_Fold] = []

    def line_for(self, name: EvidenceId, path: TopicPath) -> str:
        """A footnote as it reads in another file."""
        note = self.definitions[name]
        return apply_edits(self.topic.text, definition_edits(self.topic, note, path), note.start, note.end)


@dataclass(frozen=True, slots=True)
class _Fold:
    """A kept paragraph and those that it absorbs, each with its file."""

    keep: Unit
    absorbed: tuple[tuple[_File, Unit], ...]

    def new(self) -> Iterator[tuple[_File, EvidenceId]]:
        """The footnotes that the kept paragraph comes to cite, each once, with a file that has it."""
        known = set(self.keep.cited)
        for home, unit in self.absorbed:
            for name in unit.cited:
                if name not in known:
                    known.add(name)
                    yield home, name


@dataclass(slots=True)
class _Merging:
    """Collects what merges do to files, so that each is written once."""

    pages: Pages
    _files: dict[TopicPath, _File | None] = field(default_factory=dict)

    def take_on(self, merge: Merge) -> None:
        """Note a merge, without absorbed paragraphs that must stay or whose footnotes mean something else there."""
        goal = self._file(merge.keep.path)
        keep = goal.units.get(merge.keep.id) if goal is not None else None
        if goal is None or keep is None or not keep.sound:
            return
        absorbed: list[tuple[_File, Unit]] = []
        for claim in merge.absorbed:
            home = self._file(claim.path)
            unit = home.units.get(claim.id) if home is not None else None
            if home is None or unit is None or not unit.loose:
                continue
            if all(goal.meanings.setdefault(name, home.meanings[name]) == home.meanings[name] for name in unit.cited):
                absorbed.append((home, unit))
                home.taken.append(unit)
        if absorbed:
            goal.folds.append(_Fold(keep, tuple(absorbed)))

    def files(self) -> tuple[dict[TopicPath, Topic | None], dict[TopicPath, Topic | None]]:
        """The files that change, before and after."""
        changed = [file for file in self._files.values() if file is not None and (file.taken or file.folds)]
        before: dict[TopicPath, Topic | None] = {file.topic.path: file.topic for file in changed}
        return before, {file.topic.path: without(file.topic, file.taken, _edits(file)) for file in changed}

    def _file(self, path: TopicPath) -> _File | None:
        if path not in self._files:
            topic = self.pages.topic(path)
            self._files[path] = None if topic is None else _File(topic)
        return self._files[path]


def _edits(file: _File) -> Iterator[Edit]:
    """What changes in a file's kept paragraphs, and the footnotes that come to stand below them."""
    standing = file.definitions.keys() - lone_footnotes(file.topic, file.taken)
    for fold in file.folds:
        lines = [home.line_for(name, file.topic.path) for home, name in fold.new() if name not in standing]
        standing |= {name for _, name in fold.new()}
        yield _edit(file, fold, lines)


def _edit(file: _File, fold: _Fold, lines: list[str]) -> Edit:
    block, text = fold.keep.blocks[-1], file.topic.text
    ids = (*block.aliases, *(name for _, unit in fold.absorbed for name in unit.ids), block.id)
    suffix = read_paragraph(file.topic.path, text, block.start, block.end).suffix
    written = "".join(f"[^{name}]" for _, name in fold.new()) + "".join(f" ^{name}" for name in ids)
    if not lines:
        return suffix, block.end, written
    written = "\n".join((written, "", *lines))
    follows = next_definition(text, line_after(text, block.end))
    if any(file.definitions[name].start == follows for name in fold.keep.cited):
        return suffix, follows or block.end, f"{written}\n"
    return suffix, block.end, written
