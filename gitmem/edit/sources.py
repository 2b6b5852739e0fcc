"""New evidence: messages become frames at the end of their archives (``behaviours.md`` part 7, 8.10 to 8.13)."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, NotAllowed, Refused
from gitmem.format.frame import append_frames, render_frame
from gitmem.format.layout import archive_path, collision_key, split_handle
from gitmem.format.model import TrustMetadata, TrustState
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.authority import Authority
    from gitmem.edit.base import StagingArea
    from gitmem.facts.base import Facts
    from gitmem.request import NewSource, Request

DERIVED_PROVIDER = "gitmem"
"""The provider of handles that a request's own sources get (0.22)."""

_NOT_IN_THREADS = re.compile(r"[^\w.~-]+")


def stamp_sources(sources: Iterable[NewSource], authority: Authority) -> tuple[NewSource, ...]:
    """The sources vouched for by the caller's authority, where nobody has vouched for them yet.

    Owner and paired callers are trusted with their tier, everybody else is pending (8.13). A source that carries any
    part of an authority is left as it is.
    """
    state = TrustState.PENDING if authority.tier is None else TrustState.TRUSTED
    return tuple(
        replace(
            source,
            trust_state=state,
            tier=authority.tier,
            principal_id=authority.principal_id,
            speaker_kind=authority.speaker_kind,
        )
        if not (source.trust_state or source.tier or source.principal_id or source.speaker_kind)
        else source
        for source in sources
    )


def archive_sources(request: Request, staging: StagingArea, facts: Facts) -> dict[str, SourceId]:
    """Append the request's sources to their archives and give the handle of each label.

    A handle that a v2 archive already holds is left as it stands, byte for byte (7.8). Raises, with nothing written:
    ``NotAllowed`` for a source without complete authority (8.10), ``Refused(FORGOTTEN_SOURCE)`` for erased handles,
    ``Refused(COMMIT_REJECTED)`` for archives that are invalid or whose names collide (7.4, 7.11), ``InvalidRequest``
    for handles that are not safe (7.9, 7.10).
    """
    handles = _handles(request)
    _refuse_forgotten(handles, facts)
    files: dict[str, dict[SourceId, bytes]] = {}
    threads: dict[tuple[str, str], dict[SourceId, bytes]] = {}
    for source, handle in zip(request.sources, handles, strict=True):
        parts = split_handle(handle)
        frames = threads.get((parts.provider, parts.thread))
        if frames is None:  # the path of a thread's file is made out once
            frames = files.setdefault(archive_path(parts.provider, parts.thread), {})
            threads[parts.provider, parts.thread] = frames
        if handle not in frames and not _is_archived(handle, facts):
            frames[handle] = _frame(source, handle)
    _refuse_collisions([path for path, frames in files.items() if frames], staging)
    appended = {
        path: append_frames(path, staging.read(path), staging.archive(path), frames.values())
        for path, frames in files.items()
        if frames
    }
    for path, data in appended.items():
        staging.write(path, data)
    return {
        source.label: handle
        for source, handle in zip(request.sources, handles, strict=True)
        if source.label is not None
    }


def _is_archived(handle: SourceId, facts: Facts) -> bool:
    """Whether a frame holds it; legacy records take no part in deduplication."""
    return any(record.framed for record in facts.sources(handle))


def _frame(source: NewSource, handle: SourceId) -> bytes:
    return render_frame(
        handle=handle,
        timestamp=source.timestamp,
        role=source.role,
        body=source.content,
        speaker_id=source.speaker_id,
        speaker_display=source.speaker_display,
        metadata=_metadata(source),
    )


def _metadata(source: NewSource) -> TrustMetadata:
    """The authority as it is archived; anything missing fails closed (8.10)."""
    state = source.trust_state
    if state is None or not source.principal_id or not source.speaker_kind or not source.role.strip():
        name = source.label or source.handle or "a source"
        raise NotAllowed(
            Code.NOT_ALLOWED,
            f"{name} requires authority: trust state, principal and kind of speaker must be set by the calling code",
        )
    return TrustMetadata(
        trust_state=state,
        speaker_kind=source.speaker_kind,
        principal_id=source.principal_id,
        authority_tier=source.tier,
    )


# --- derived handles --------------------------------------------------------------------------------------------


def _handles(request: Request) -> tuple[SourceId, ...]:
    """Each source's handle, derived where the caller gives none; equal messages are told apart by their ordinal."""
    seen: Counter[str] = Counter()
    handles: list[SourceId] = []
    for source in request.sources:
        _metadata(source)
        if source.handle is not None:
            handles.append(source.handle)
            continue
        said = _said(source, request.provenance)
        handles.append(_derived(request.provenance or "", said, seen[said]))
        seen[said] += 1
    return tuple(handles)


def _said(source: NewSource, provenance: str | None) -> str:
    """What makes two messages the same message: everything but the display name (7.16)."""
    if not provenance:
        raise NotAllowed(Code.NOT_ALLOWED, "a new source requires an origin: name the session or the surface")
    return json.dumps(
        [
            provenance,
            source.role,
            source.content,
            source.timestamp,
            source.principal_id,
            source.speaker_id,
            source.speaker_kind,
            source.tier,
            source.trust_state,
        ]
    )


def _derived(provenance: str, said: str, ordinal: int) -> SourceId:
    thread = _NOT_IN_THREADS.sub("-", provenance)
    message = hashlib.sha256(f"{said}\n{ordinal}".encode()).hexdigest()[:16]
    return SourceId(f"{DERIVED_PROVIDER}/{thread}/{message}")


# --- refusals ---------------------------------------------------------------------------------------------------


def _refuse_forgotten(handles: Iterable[SourceId], facts: Facts) -> None:
    forgotten = sorted({handle for handle in handles if facts.forgotten(handle)})
    if forgotten:
        raise Refused(
            Code.FORGOTTEN_SOURCE,
            f"{', '.join(forgotten)} was forgotten and may not come back",
            details={"source_ids": forgotten},
        )


def _refuse_collisions(paths: Iterable[str], staging: StagingArea) -> None:
    """Refuse new archives whose names differ from another's only in case or in Unicode form (7.11)."""
    new = [path for path in paths if staging.entry(path) is None]
    seen: dict[str, str] = {}
    for path in new:
        for other in (seen.setdefault(collision_key(path), path), *_twins(path, staging)):
            if other != path:
                raise Refused(
                    Code.COMMIT_REJECTED,
                    f"{path} and {other} differ only in case or in Unicode form; no file system keeps both",
                    path=path,
                )


def _twins(path: str, staging: StagingArea) -> Iterator[str]:
    """Names that stand where a part of the path would, and collide with it."""
    parts = path.split("/")
    for depth in range(1, len(parts)):
        folder, wanted = "/".join(parts[:depth]), "/".join(parts[: depth + 1])
        for name in staging.names(folder):
            if f"{folder}/{name}" != wanted and collision_key(f"{folder}/{name}") == collision_key(wanted):
                yield f"{folder}/{name}"
