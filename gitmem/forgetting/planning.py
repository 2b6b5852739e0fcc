"""Steps 1 and 2: what is found, and the objects that take its place; nothing that anybody sees changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.forgetting.answers import ClaimCutAnswer
from gitmem.forgetting.ending import conversation_moves, remembered
from gitmem.forgetting.finder import Finder, Needle
from gitmem.forgetting.journal import Journal
from gitmem.forgetting.map_file import map_of
from gitmem.forgetting.noted import Noted
from gitmem.forgetting.rewriting import Rewriting
from gitmem.forgetting.survey import Survey
from gitmem.forgetting.tips import read_tips
from gitmem.format.layout import GITMEM, SESSIONS_PREFIX
from gitmem.format.workspace_file import parse_workspace_file
from gitmem.ids import ZERO_OID, Oid
from gitmem.store.head import read_head
from gitmem.store.raw import Kind, read_raw
from gitmem.store.refs import RefMove
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gitmem.forgetting.journal import Order
    from gitmem.forgetting.map_file import ForgetMap
    from gitmem.forgetting.tips import Tips
    from gitmem.ids import SourceId
    from gitmem.store.repository import Repo

BRANCHES = "refs/heads/"
_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")

Progress = "Callable[[str, int], None]"


def no_progress(_stage: str, _done: int) -> None:
    """Tell nobody."""


def needles_of(survey: Survey, handles: Iterable[SourceId]) -> set[Needle]:
    """Everything that may not be found at the end."""
    files = survey.files
    anchors = (Needle("anchor", f"source-{digest[:16]}".encode()) for digest in files.erased.digests)
    named = (Needle("handle", handle.encode()) for handle in handles)
    return {*files.needles, *anchors, *named}


def cut_claims(repo: Repo, survey: Survey, *, shared: bool) -> tuple[ClaimCutAnswer, ...]:
    """The claims that change: those that rest on other messages too, or those that do not."""
    tip = read_head(repo).tip
    cuts = [cut for cut in survey.files.cuts.values() if cut.shared is shared]
    snapshot = Snapshot.at(repo, tip)
    answers = []
    for cut in cuts:
        topic = snapshot.topic(cut.before.path)
        current = topic is not None and any(
            (b.id, b.content) == (cut.before.id, cut.before.content) for b in topic.blocks
        )
        after = None if cut.after is None else cut.after.content
        answers.append(ClaimCutAnswer(cut.before.id, cut.before.path, cut.before.content, after, current))
    return tuple(sorted(answers, key=lambda answer: (not answer.current, answer.path, answer.id, answer.before)))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done, and the map that is to be left."""

    journal: Journal
    map: ForgetMap


class Planning:
    """Writes the new objects and says what moves; a crash leaves objects that nothing names."""

    def __init__(self, repo: Repo, order: Order) -> None:
        """Read where every history ends."""
        self._repo, self._order = repo, order
        self.tips: Tips = read_tips(repo)
        self.survey = Survey(repo, self.tips, order.erased)

    def plan(self, needles: set[Needle], file: str, progress: Callable[[str, int], None] = no_progress) -> Plan:
        """The plan, after the survey has run."""
        rewriting = Rewriting(self._repo, self.survey).run(lambda done: progress("rewriting", done))
        noted = Noted(self._repo, rewriting, Finder(needles))
        moves = (*self._moves(rewriting), *self._note_moves(noted))
        ids: dict[Oid, Oid | None] = {**rewriting.new, **rewriting.tags, **noted.new}
        journal = Journal(
            order=self._order,
            moves=moves,
            own=tuple(self._own(rewriting)),
            stash=self._stash(rewriting, Finder(needles)),
            needles=tuple(sorted(needles)),
            too_short=self.survey.files.too_short,
            map=file,
        )
        return Plan(journal, map_of(self._order, workspace_id(self._repo), ids))

    def _moves(self, rewriting: Rewriting) -> Iterator[RefMove]:
        talks: dict[str, Oid] = {}
        for ref in self.tips.refs:
            if ref.name.startswith(SESSIONS_PREFIX):
                talks[ref.name] = ref.oid
                continue
            new = rewriting.tag(ref.oid)
            if new is not None and ref.name.startswith(BRANCHES) and self._is_commit(new):
                new = remembered(self._repo, new, self._order.erased, self._order.author, self._order.at)
            if new != ref.oid:
                yield RefMove(ref.name, ref.oid, new)
        ends = {name: rewriting.commit(oid) for name, oid in talks.items()}
        yield from conversation_moves(self._repo, talks, self.survey, ends)

    def _is_commit(self, oid: Oid) -> bool:
        raw = read_raw(self._repo, oid)
        return raw is not None and raw.kind is Kind.COMMIT

    def _note_moves(self, noted: Noted) -> Iterator[RefMove]:
        for ref in self.tips.notes:
            new = noted.tip(ref.oid)
            if new != ref.oid:
                yield RefMove(ref.name, ref.oid, new)

    def _own(self, rewriting: Rewriting) -> Iterator[tuple[str, Oid, Oid]]:
        for own in self.tips.own:
            new = rewriting.tag(own.oid)
            if new is not None and new != own.oid:
                yield own.file.relative_to(self._repo.common_dir).as_posix(), own.oid, new

    def _stash(self, rewriting: Rewriting, finder: Finder) -> tuple[str, ...] | None:
        lines = []
        for line in self.tips.stash:
            old, new = (oid if oid == ZERO_OID else rewriting.commit(oid) or oid for oid in (line.old, line.new))
            rest = _SHA.sub(lambda found: rewriting.mapped(found.group()), line.rest)
            head, tab, message = rest.partition("\t")
            if finder.find(message.encode("utf-8", "surrogateescape")) is not None:
                message = "stash"
            lines.append(f"{old} {new} {head}{tab}{message}")
        return tuple(lines) or None


def workspace_id(repo: Repo) -> str:
    """The id of the memory that HEAD shows; empty where it shows none."""
    data = Snapshot.at(repo, read_head(repo).tip).read(GITMEM)
    return "" if data is None else parse_workspace_file(data).id
