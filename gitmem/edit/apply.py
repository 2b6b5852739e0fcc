"""One edit on the staging area: the edit itself, then normalization (``architecture.md`` section 3, steps 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from gitmem.edit.base import EditOutcome
from gitmem.edit.bench import Bench
from gitmem.edit.block_ids import BlockIds
from gitmem.edit.drafts import Drafts
from gitmem.edit.evidence import EvidenceBook
from gitmem.edit.files import draft_files, draft_patch
from gitmem.edit.follow import follow_moves
from gitmem.edit.normalize import normalize
from gitmem.edit.promote import promote
from gitmem.edit.prune import prune
from gitmem.edit.records import apply_records
from gitmem.request import ExactEdit, FilesEdit, NoEdit, PatchEdit, PromoteEdit, RecordsEdit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.edit.base import StagingArea
    from gitmem.edit.files import Renamed
    from gitmem.facts.base import Facts
    from gitmem.format.model import Tier
    from gitmem.ids import BlockId, EvidenceId, SourceId, TopicPath
    from gitmem.request import Request


def apply_edit(request: Request, staging: StagingArea, facts: Facts, archived: Mapping[str, SourceId]) -> EditOutcome:
    """Apply a request's edit; on any error nothing is staged.

    ``facts`` are those of the parent; ``archived`` maps the request's source labels to handles (``archive_sources``).
    Raises ``InvalidRequest``, ``NotFound`` and ``Refused`` with the codes of ``behaviours.md`` parts 2, 4 and 5.
    """
    match request.edit:
        case NoEdit():
            return EditOutcome()
        case ExactEdit():
            return _exact(request.edit, staging)
        case PromoteEdit():
            return promote(request.edit, request.authority, staging, facts)
        case RecordsEdit():
            bench = _bench(staging, facts, archived, request.authority.tier)
            apply_records(bench, request.edit)
            return _settle(bench, {}, new_footnotes=True)
        case FilesEdit() | PatchEdit():
            bench = _bench(staging, facts, archived, request.authority.tier)
            renamed = _draft(bench, request.edit, staging)
            normalize(bench, renamed)
            return _settle(bench, renamed, new_footnotes=False)
        case _:  # pragma: no cover  (the union is complete)
            assert_never(request.edit)


def _draft(bench: Bench, edit: FilesEdit | PatchEdit, staging: StagingArea) -> Renamed:
    if isinstance(edit, FilesEdit):
        return draft_files(bench, edit)
    draft_patch(bench, edit, staging)
    return {}


def _bench(staging: StagingArea, facts: Facts, archived: Mapping[str, SourceId], reader: Tier | None) -> Bench:
    return Bench(Drafts(staging, facts), EvidenceBook(staging, facts, archived, reader), BlockIds(facts))


def _exact(edit: ExactEdit, staging: StagingArea) -> EditOutcome:
    """Bytes from history, as they are."""
    for path, data in edit.files.items():
        if data is None:
            staging.delete(path)
        else:
            staging.write(path, data)
    return EditOutcome(touched=tuple(sorted(edit.files)))


def _settle(bench: Bench, renamed: Mapping[str, TopicPath], *, new_footnotes: bool) -> EditOutcome:
    """Let links follow, prune, stage, and say what there is now."""
    drafts = bench.drafts
    follow_moves(drafts, renamed)
    pruned = [prune(drafts, path, new_footnotes=new_footnotes) for path in drafts.touched]
    changed, line_ends = drafts.flush()
    return EditOutcome(
        block_ids=dict(_block_ids(bench)),
        evidence_ids=dict(_evidence_ids(bench)),
        warnings=(*bench.warnings, *(warning for warning in pruned if warning), *line_ends),
        touched=changed,
    )


def _block_ids(bench: Bench) -> Iterator[tuple[str, BlockId]]:
    for path in bench.drafts.touched:
        topic = bench.drafts.topic(path)
        new = [b.id for b in topic.blocks if bench.ids.issued & set(b.ids)] if topic is not None else []
        yield from ((f"{path}#{number}", block_id) for number, block_id in enumerate(new, 1))


def _evidence_ids(bench: Bench) -> Iterator[tuple[str, EvidenceId]]:
    for path, given in sorted(bench.labelled.items()):
        yield from ((f"{path}#{label}", evidence) for label, evidence in given.items())
